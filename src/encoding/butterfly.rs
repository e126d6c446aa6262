//! The index of a from-to board: 12 bits, what history tables are read with.
//!
//! It does not tell what a pawn becomes: decoded moves promote to a queen, the other promotions have no code. Source: pages
//! "Encoding Moves" and "Butterfly Boards" of the seed documents.

use super::complete;
use crate::geometry::butterfly;
use crate::rules::Position;
use crate::types::{Move, Role, Square};

/// Entries of a from-to board that a move can have; castling is among them, a king's move onto its rook.
pub const CODES: u32 = 1792;

/// From above to. `None` for under-promotions.
pub fn encode(mv: Move) -> Option<u16> {
    let told = mv.promotion_role().is_none_or(|role| role == Role::Queen);
    told.then(|| butterfly::index(mv.from(), mv.to()) as u16)
}

/// The move from and to these squares; `None` if no piece of the side to move stands there.
pub fn decode(position: &Position, code: u16) -> Option<Move> {
    if code >> 12 != 0 {
        return None;
    }
    let (from, to) = (Square::new((code >> 6) as u8), Square::new((code & 63) as u8));
    complete(position, from, to, Role::Queen)
}
