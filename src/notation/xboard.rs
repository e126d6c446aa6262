//! Moves of the Chess Engine Communication Protocol, version 2: coordinates, `e2e4`, `e7e8q`, castling as `e1g1`; in
//! Chess960 castling is `O-O` and `O-O-O`. SAN is read too, as the protocol's other side does.
//! Source: page "Algebraic Chess Notation" of the seed documents, and the protocol's description (section 8, move formats).

use super::{CastlingMode, MoveError, coordinate, san};
use crate::rules::Position;
use crate::types::Move;

/// Reads coordinates, castling either way, or SAN.
pub(super) fn parse(text: &str, position: &Position) -> Result<Move, MoveError> {
    san::parse(text, position)
}

/// Writes a legal move.
pub(super) fn format(mv: Move, position: &Position, mode: CastlingMode) -> String {
    let rings = || if mv.to().file() > mv.from().file() { "O-O" } else { "O-O-O" }.to_owned();
    if mv.is_castle() && mode == CastlingMode::Chess960 {
        return rings();
    }
    coordinate::format(mv, position).unwrap_or_else(rings)
}
