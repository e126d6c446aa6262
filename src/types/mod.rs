//! Chess vocabulary: squares, bitboards, pieces, moves, arrangements, scores, limits. No rules, no I/O, no globals.

pub mod bch;
mod bitboard;
mod limit;
mod moves;
mod piece;
mod score;
mod setup;
mod square;
pub mod zobrist;

pub use bitboard::{Bitboard, BitboardIter};
pub use limit::{ClockLimit, Limit};
pub use moves::{Move, MoveKind};
pub use piece::{Color, Piece, Role};
pub use score::{Bound, Score};
pub use setup::{Setup, Surplus};
pub use square::Square;
