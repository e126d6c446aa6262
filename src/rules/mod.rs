//! The rules of chess: positions, legal moves, outcomes, perft. Chess960 and double Chess960 included.
//!
//! [`Setup`](crate::types::Setup) is an unchecked arrangement, [`Position`] a checked one. One generator ([`generate`]) serves perft, search and
//! move lists through a [`MoveSink`]. This room must not know strings: FEN, SAN and UCI moves live in `notation`.

mod board;
mod castling;
mod check;
mod illegal;
mod line;
mod movegen;
mod outcome;
mod perft;
mod position;
mod setup;
mod transform;
mod two_boards;
mod zone;

pub use board::{Board, PieceSet, Side};
pub use castling::castling_targets;
pub use check::checkers_by_last_move;
pub use illegal::{Illegality, illegality, moves_that_break};
pub use line::Line;
pub use movegen::{MoveList, MoveSink, Targets};
pub use outcome::Outcome;
pub use perft::{
    MAX_PERFT_DEPTH, PerftTable, perft, perft_copied, perft_divide, perft_divide_until, perft_hashed,
    perft_in_place, perft_make, perft_monochrome, perft_pseudo_legal, perft_staged, perft_two_ply,
    perft_until,
};
pub use position::{IllegalMove, Position, captures, generate, legal_moves};
pub use setup::PositionError;
pub use transform::NoImage;
pub use two_boards::TwoBoards;
