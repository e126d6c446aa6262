//! Long Algebraic Notation: `Ng1-f3`, `e5xd6`, `e7-e8=Q+`, `O-O`: SAN with the whole from-square and a hyphen.
//! Source: page "Algebraic Chess Notation" of the seed documents. Read as leniently as SAN, but for the from-square.

use super::MoveError;
use super::san::{self, Origin};
use crate::rules::Position;
use crate::types::Move;

/// Reads a move that says from which square.
pub(super) fn parse(text: &str, position: &Position) -> Result<Move, MoveError> {
    san::read(text, text, position, Origin::Full)
}

/// `None` if the move is not legal.
pub(super) fn format(mv: Move, position: &Position) -> Option<String> {
    san::spell(mv, position, Origin::Full)
}
