//! An unchecked arrangement of pieces: what a FEN says, and what each generator builds its board from.

use super::{Bitboard, Color, Piece, Role, Square};

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

/// More men of one side than a game can bring about: its eight pawns may have become pieces, but nothing is ever added.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Surplus {
    #[error("{} has {count} men; 16 are the most", color.name())]
    Men { color: Color, count: u32 },
    #[error("{} has {count} pawns; 8 are the most", color.name())]
    Pawns { color: Color, count: u32 },
    /// `promoted`: pieces beyond those of the start.
    #[error("{} has {promoted} promoted pieces, and {missing} pawns are missing", color.name())]
    Promoted { color: Color, promoted: u32, missing: u32 },
}

impl Setup {
    /// Whether a side has more men than a game can bring about. Where none has, no move changes that, and there are never
    /// more than 218 legal moves (the published maximum), so lists of moves need not grow. Kings are not looked at.
    ///
    /// # Errors
    /// The first surplus found, White's before Black's.
    pub fn check_material(&self) -> Result<(), Surplus> {
        Color::ALL.into_iter().try_for_each(|color| {
            let count = |wanted: Piece| self.board.iter().filter(|&&man| man == Some(wanted)).count() as u32;
            let counts = Role::ALL.map(|role| count(Piece::new(color, role)));
            let [pawns, knights, bishops, rooks, queens, _] = counts;
            let men: u32 = counts.iter().sum();
            if men > 16 {
                return Err(Surplus::Men { color, count: men });
            }
            let Some(missing) = 8_u32.checked_sub(pawns) else {
                return Err(Surplus::Pawns { color, count: pawns });
            };
            let beyond = [(knights, 2), (bishops, 2), (rooks, 2), (queens, 1)];
            let promoted = beyond.into_iter().map(|(count, usual)| count.saturating_sub(usual)).sum();
            if promoted > missing {
                return Err(Surplus::Promoted { color, promoted, missing });
            }
            Ok(())
        })
    }
}
