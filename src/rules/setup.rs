//! An unchecked arrangement of pieces, and what makes it a position.

use super::board::{Board, Side};
use crate::types::{Bitboard, Color, Piece, Role, Square};

/// Everything a FEN says, not yet checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// By square index.
    pub board: [Option<Piece>; 64],
    pub turn: Color,
    /// Squares of rooks said to have castling rights; impossible ones are dropped.
    pub castling_rooks: Bitboard,
    /// En-passant square as given; dropped unless a capture there is legal.
    pub ep: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove: u32,
    /// Starts at 1.
    pub fullmove: u32,
}

impl Default for Setup {
    /// The empty board, White to move.
    fn default() -> Setup {
        Setup {
            board: [None; 64],
            turn: Color::White,
            castling_rooks: Bitboard::EMPTY,
            ep: None,
            halfmove: 0,
            fullmove: 1,
        }
    }
}

/// Why an arrangement is no position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    #[error("{} has no king", .0.name())]
    NoKing(Color),
    #[error("{} has more than one king", .0.name())]
    ManyKings(Color),
    #[error("a pawn stands on {0}")]
    PawnOnBackRank(Square),
    #[error("the kings stand side by side")]
    KingsTouch,
    #[error("{} has just moved and is in check", .0.name())]
    OppositeCheck(Color),
}

impl Setup {
    /// The pieces as sets, with kings and pawns checked and impossible castling rights dropped. No en-passant square yet.
    pub(super) fn to_board(&self) -> Result<Board, PositionError> {
        let mut sides = [Side::default(); 2];
        for square in Square::all() {
            if let Some(piece) = self.board[square.index()] {
                sides[piece.color.index()].put(piece.role, square);
            }
        }
        for color in Color::ALL {
            match sides[color.index()].king.count() {
                0 => return Err(PositionError::NoKing(color)),
                1 => {}
                _ => return Err(PositionError::ManyKings(color)),
            }
        }
        let back_ranks = Bitboard::RANK_1 | Bitboard::RANK_8;
        if let Some(square) = ((sides[0].pawns | sides[1].pawns) & back_ranks).first() {
            return Err(PositionError::PawnOnBackRank(square));
        }
        let castling = self.possible_castling(&sides);
        Ok(Board { sides, castling, ep: None })
    }

    /// Rights whose king stands on its back rank and whose rook is an own rook there, at most one on each side.
    fn possible_castling(&self, sides: &[Side; 2]) -> Bitboard {
        let mut possible = Bitboard::EMPTY;
        for color in Color::ALL {
            let side = &sides[color.index()];
            let back_rank = Bitboard::back_rank(color);
            let king = side.king & back_rank;
            let rooks = self.castling_rooks & back_rank & side.by_role(Role::Rook);
            let Some(king) = king.first() else { continue };
            let below = Bitboard((1 << king.index()) - 1);
            // The outermost one where two are named on a side.
            possible |= (rooks & below).first().map_or(Bitboard::EMPTY, Bitboard::from);
            possible |= (rooks - below).last().map_or(Bitboard::EMPTY, Bitboard::from);
        }
        possible
    }
}
