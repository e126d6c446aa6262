//! The placement of the pieces, as the generator and perft want it: small, copied, without key, counters or undo.
//!
//! Per side: pawns, knights, those that move on diagonals (bishops and queens), those that move on files and ranks (rooks
//! and queens), the king, and all. A queen stands in two sets, so no loop needs a queen case.

use crate::sliders::{Sliders, empty};
use crate::types::{Bitboard, Color, Move, MoveKind, Role, Square};

/// The pieces of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Side {
    pub pawns: Bitboard,
    pub knights: Bitboard,
    /// Bishops and queens.
    pub diagonal: Bitboard,
    /// Rooks and queens.
    pub orthogonal: Bitboard,
    pub king: Bitboard,
    pub all: Bitboard,
}

/// Both sides, the castling rights and the en-passant square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Board {
    pub sides: [Side; 2],
    /// Squares of the rooks that may still castle, of both sides.
    pub castling: Bitboard,
    /// Behind a pawn that has just moved two squares, if an enemy pawn stands beside it. In perft the capture need not be
    /// legal; a [`Position`](super::Position) drops it if it is not.
    pub ep: Option<Square>,
}

/// The side to move as a zero-sized type, so that the generator is compiled once per side.
pub trait Mover: Copy {
    type Other: Mover<Other = Self>;
    const COLOR: Color;
    /// Index of the own side.
    const US: usize = Self::COLOR as usize;
    const THEM: usize = 1 - Self::US;
}

/// White moves.
#[derive(Clone, Copy, Debug)]
pub struct WhiteMoves;

/// Black moves.
#[derive(Clone, Copy, Debug)]
pub struct BlackMoves;

impl Mover for WhiteMoves {
    type Other = BlackMoves;
    const COLOR: Color = Color::White;
}

impl Mover for BlackMoves {
    type Other = WhiteMoves;
    const COLOR: Color = Color::Black;
}

impl Side {
    /// The squares of this role.
    #[inline(always)]
    pub fn by_role(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn => self.pawns,
            Role::Knight => self.knights,
            Role::Bishop => self.diagonal - self.orthogonal,
            Role::Rook => self.orthogonal - self.diagonal,
            Role::Queen => self.diagonal & self.orthogonal,
            Role::King => self.king,
        }
    }

    /// What stands on a square of `all`; king for any other square.
    #[inline(always)]
    pub fn role_at(&self, square: Square) -> Role {
        if self.pawns.has(square) {
            return Role::Pawn;
        }
        if self.knights.has(square) {
            return Role::Knight;
        }
        match (self.diagonal.has(square), self.orthogonal.has(square)) {
            (true, true) => Role::Queen,
            (true, false) => Role::Bishop,
            (false, true) => Role::Rook,
            (false, false) => Role::King,
        }
    }

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub fn put(&mut self, role: Role, square: Square) {
        let bit = Bitboard::square(square);
        self.all |= bit;
        match role {
            Role::Pawn => self.pawns |= bit,
            Role::Knight => self.knights |= bit,
            Role::Bishop => self.diagonal |= bit,
            Role::Rook => self.orthogonal |= bit,
            Role::Queen => {
                self.diagonal |= bit;
                self.orthogonal |= bit;
            }
            Role::King => self.king |= bit,
        }
    }

    /// Clears these squares.
    #[inline(always)]
    pub fn remove(&mut self, squares: Bitboard) {
        self.pawns = self.pawns - squares;
        self.knights = self.knights - squares;
        self.diagonal = self.diagonal - squares;
        self.orthogonal = self.orthogonal - squares;
        self.all = self.all - squares;
    }

    /// Every set with the squares changed by `f`.
    pub(super) fn map(&self, f: impl Fn(Bitboard) -> Bitboard) -> Side {
        Side {
            pawns: f(self.pawns),
            knights: f(self.knights),
            diagonal: f(self.diagonal),
            orthogonal: f(self.orthogonal),
            king: f(self.king),
            all: f(self.all),
        }
    }
}

impl Board {
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.sides[0].all | self.sides[1].all
    }

    /// The king of a side. Every checked position has one.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.sides[color.index()].king.first_unchecked()
    }

    /// Pieces of `by` that attack `square`, seen through `occupied`.
    #[inline(always)]
    pub fn attackers<S: Sliders>(
        &self,
        square: Square,
        occupied: Bitboard,
        by: Color,
        sliders: S,
    ) -> Bitboard {
        let side = &self.sides[by.index()];
        (empty::pawn(!by, square) & side.pawns)
            | (empty::knight(square) & side.knights)
            | (sliders.bishop(square, occupied) & side.diagonal)
            | (sliders.rook(square, occupied) & side.orthogonal)
            | (empty::king(square) & side.king)
    }

    /// A knight, slider or king goes from one square to another and takes what stands there.
    #[inline(always)]
    pub(super) fn move_piece<M: Mover>(&mut self, from: Square, to: Square) {
        let both = Bitboard::from(from).with(to);
        self.ep = None;
        self.sides[M::THEM].remove(to.into());
        let us = &mut self.sides[M::US];
        let is_king = us.king.has(from);
        for set in [&mut us.knights, &mut us.diagonal, &mut us.orthogonal, &mut us.king] {
            // All ones where the piece is in this set: its two squares change, without a branch.
            let member = 0u64.wrapping_sub(set.0 >> from.index() & 1);
            set.0 ^= both.0 & member;
        }
        us.all ^= both;
        self.castling = self.castling - both;
        if is_king {
            self.castling = self.castling - Bitboard::back_rank(M::COLOR);
        }
    }

    /// A pawn goes from one square to another and takes what stands there; no promotion, not en passant.
    #[inline(always)]
    pub(super) fn move_pawn<M: Mover>(&mut self, from: Square, to: Square) {
        let (target, both) = (Bitboard::from(to), Bitboard::from(from).with(to));
        self.sides[M::THEM].remove(target);
        let us = &mut self.sides[M::US];
        us.pawns ^= both;
        us.all ^= both;
        self.ep = None;
        if from.index().abs_diff(to.index()) == 16
            && ((target.east() | target.west()) & self.sides[M::THEM].pawns).any()
        {
            self.ep = Some(Square::new((from.index() as u8 + to.index() as u8) / 2));
        }
    }

    /// Plays a move that is legal here. Not checked.
    #[inline(always)]
    pub fn play<M: Mover>(&mut self, mv: Move) {
        let (from, to) = (Bitboard::square(mv.from()), Bitboard::square(mv.to()));
        let both = from | to;
        self.ep = None;
        match mv.kind() {
            MoveKind::Normal if (self.sides[M::US].pawns & from).any() => {
                self.move_pawn::<M>(mv.from(), mv.to())
            }
            MoveKind::Normal => self.move_piece::<M>(mv.from(), mv.to()),
            MoveKind::Promotion => {
                self.sides[M::THEM].remove(to);
                self.castling = self.castling - to;
                let us = &mut self.sides[M::US];
                us.remove(from);
                us.put(mv.promotion_role().unwrap_or(Role::Queen), mv.to());
            }
            MoveKind::EnPassant => {
                let captured = to.forward(M::Other::COLOR);
                self.sides[M::THEM].remove(captured);
                let us = &mut self.sides[M::US];
                us.pawns ^= both;
                us.all ^= both;
            }
            MoveKind::Castle => {
                let (king_to, rook_to) = super::castling::castling_targets(mv.from(), mv.to());
                let us = &mut self.sides[M::US];
                us.king = king_to.into();
                us.orthogonal = us.orthogonal.without(mv.to()).with(rook_to);
                us.all = us.all.without(mv.from()).without(mv.to()).with(king_to).with(rook_to);
                self.castling = self.castling - Bitboard::back_rank(M::COLOR);
            }
        }
    }
}
