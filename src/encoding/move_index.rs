//! The move as its place among the legal moves of the position: one byte.
//!
//! The place must not depend on a generator's habits, or stored games could not be read by the next version: moves are
//! ordered by from square, to square and what a pawn becomes (knight first). Source: page "Encoding Moves" of the
//! seed documents, section "Move Index".

use crate::rules::Position;
use crate::types::{Move, Role};

/// The most moves known in a position that can arise. A byte holds more, and so does this encoding, in positions that cannot.
pub const CODES: u32 = 218;

fn key(mv: Move) -> (usize, usize, Option<Role>) {
    (mv.from().index(), mv.to().index(), mv.promotion_role())
}

/// The place of a legal move; `None` for another one.
pub fn encode(position: &Position, mv: Move) -> Option<u8> {
    let moves = position.legal_moves();
    if !moves.contains(&mv) {
        return None;
    }
    u8::try_from(moves.iter().filter(|&&other| key(other) < key(mv)).count()).ok()
}

/// The legal move at this place.
pub fn decode(position: &Position, code: u8) -> Option<Move> {
    let mut moves = position.legal_moves();
    moves.sort_unstable_by_key(|&mv| key(mv));
    moves.get(usize::from(code)).copied()
}
