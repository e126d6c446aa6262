//! Chess as text: FEN, UCI moves, SAN, EPD, PGN. Text in, positions and moves out, and back; no files are opened
//! here and nothing is searched. Readers take any bytes: the worst that comes back is an error that names the field.

pub mod epd;
pub mod fen;
mod move_error;
pub mod pgn;
pub mod san;
mod text;
pub mod uci_move;

pub use fen::CastlingMode;
pub use move_error::MoveError;
pub use text::decode;
