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

/// Which of a side's sets a moving piece stands in, as a zero-sized type, so that a move changes those and no others.
pub trait PieceSet: Copy {
    /// Changes these squares in the sets that hold the piece on `from`; not in `all`.
    fn toggle(side: &mut Side, from: Square, squares: Bitboard);
    const IS_KING: bool = false;
    const IS_KNIGHT: bool = false;
    /// Rooks lose the right to castle when they move.
    const IS_ORTHOGONAL: bool = false;
}

/// A king.
#[derive(Clone, Copy, Debug)]
pub struct King;

/// A knight.
#[derive(Clone, Copy, Debug)]
pub struct Knight;

/// A bishop, or a queen as one.
#[derive(Clone, Copy, Debug)]
pub struct Diagonal;

/// A rook, or a queen as one.
#[derive(Clone, Copy, Debug)]
pub struct Orthogonal;

/// The squares if the piece stands in the set, else none; without a branch.
#[inline(always)]
fn if_member(set: Bitboard, from: Square, squares: Bitboard) -> Bitboard {
    Bitboard(squares.0 & 0u64.wrapping_sub(set.0 >> from.index() & 1))
}

impl PieceSet for King {
    const IS_KING: bool = true;
    #[inline(always)]
    fn toggle(side: &mut Side, _: Square, squares: Bitboard) {
        side.king ^= squares;
    }
}

impl PieceSet for Knight {
    const IS_KNIGHT: bool = true;
    #[inline(always)]
    fn toggle(side: &mut Side, _: Square, squares: Bitboard) {
        side.knights ^= squares;
    }
}

impl PieceSet for Diagonal {
    #[inline(always)]
    fn toggle(side: &mut Side, from: Square, squares: Bitboard) {
        side.diagonal ^= squares;
        side.orthogonal ^= if_member(side.orthogonal, from, squares);
    }
}

impl PieceSet for Orthogonal {
    const IS_ORTHOGONAL: bool = true;
    #[inline(always)]
    fn toggle(side: &mut Side, from: Square, squares: Bitboard) {
        side.orthogonal ^= squares;
        side.diagonal ^= if_member(side.diagonal, from, squares);
    }
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
    pub(super) fn move_piece<M: Mover, P: PieceSet>(&mut self, from: Square, to: Square) {
        self.sides[M::THEM].remove(to.into());
        self.castling = self.castling.without(to);
        self.move_quietly::<M, P>(from, to);
    }

    /// The same to an empty square.
    #[inline(always)]
    pub(super) fn move_quietly<M: Mover, P: PieceSet>(&mut self, from: Square, to: Square) {
        let both = Bitboard::from(from).with(to);
        self.ep = None;
        let us = &mut self.sides[M::US];
        P::toggle(us, from, both);
        us.all ^= both;
        if P::IS_ORTHOGONAL {
            self.castling = self.castling.without(from);
        }
        if P::IS_KING {
            self.castling = self.castling - Bitboard::back_rank(M::COLOR);
        }
    }

    /// A pawn comes to a square by so many square numbers, and takes what stands there; no promotion, not en passant.
    /// Where `step` is known to the compiler, so is which of the three ways of a pawn it is.
    #[inline(always)]
    pub(super) fn move_pawn<M: Mover>(&mut self, to: Square, step: i8) {
        let target = Bitboard::from(to);
        let from = Square::new((to.index() as i8 - step) as u8);
        if step & 7 != 0 {
            self.sides[M::THEM].remove(target);
        }
        let us = &mut self.sides[M::US];
        us.pawns ^= target.with(from);
        us.all ^= target.with(from);
        self.ep = None;
        if step.unsigned_abs() == 16 && ((target.east() | target.west()) & self.sides[M::THEM].pawns).any() {
            self.ep = Some(Square::new((to.index() as i8 - step / 2) as u8));
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
                self.move_pawn::<M>(mv.to(), mv.to().index() as i8 - mv.from().index() as i8)
            }
            MoveKind::Normal => {
                let us = &self.sides[M::US];
                if (us.knights & from).any() {
                    self.move_piece::<M, Knight>(mv.from(), mv.to())
                } else if (us.orthogonal & from).any() {
                    self.move_piece::<M, Orthogonal>(mv.from(), mv.to())
                } else if (us.diagonal & from).any() {
                    self.move_piece::<M, Diagonal>(mv.from(), mv.to())
                } else {
                    self.move_piece::<M, King>(mv.from(), mv.to())
                }
            }
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
