//! An unchecked arrangement of pieces: what a FEN says, and what each generator builds its board from.

use super::{Bitboard, Color, Piece, Square};

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
