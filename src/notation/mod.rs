//! Chess as text: FEN, moves in eight notations, EPD, PGN; opening books and names. Text in, positions and moves out, and back; no files are opened
//! here and nothing is searched. Readers take any bytes: the worst that comes back is an error that names the field.

mod any_move;
mod coordinate;
pub mod eco;
pub mod epd;
mod fan;
pub mod fen;
mod iccf;
mod lan;
mod move_error;
pub mod pgn;
pub mod polyglot;
pub mod san;
mod smith;
mod text;
pub mod uci_move;
mod xboard;

pub use any_move::Notation;
pub use fen::CastlingMode;
pub use move_error::MoveError;
pub use text::{decode, decode_owned};
