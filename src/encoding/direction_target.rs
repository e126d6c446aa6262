//! The move as direction and to square: four and six bits, two more for what a pawn becomes.
//!
//! It is what bitboard generators have at hand, target sets direction by direction. The from square comes back by a ray
//! lookup and a bit scan: the first piece met when going back from the target. Castling is the king's move towards the rook,
//! onto it. Source: page "Encoding Moves" of the seed documents, section "Direction-Target".

use super::{complete, promotion_code, promotion_role};
use crate::geometry::{Direction, direction};
use crate::rules::Position;
use crate::sliders::empty;
use crate::types::{Move, Square};

/// Codes that a move can have: targets with a neighbour against the direction, and those where a pawn arrives (by three directions of
/// each side) three times more; the fourth, with a knight, looks like no promotion until the position is seen.
pub const CODES: u32 = (4 * 56 + 4 * 49 + 8 * 42) + 3 * 2 * (8 + 7 + 7);

/// Bits 0-5 to square, 6-9 direction, 10-11 promotion (knight 0 to queen 3). `None` for a move that no piece makes.
pub fn encode(mv: Move) -> Option<u16> {
    let direction = direction(mv.from(), mv.to())?;
    let promotion = mv.promotion_role().map_or(0, promotion_code);
    Some(promotion << 10 | (direction.index() as u16) << 6 | mv.to().index() as u16)
}

/// The move of a code in this position; `None` if no piece of the side to move stands where it would come from.
pub fn decode(position: &Position, code: u16) -> Option<Move> {
    if code >> 12 != 0 {
        return None;
    }
    let to = Square::new((code & 63) as u8);
    let back = Direction::new(usize::from(code >> 6)).opposite();
    let from = if back.is_knight() { back.from(to)? } else { first_met(position, to, back)? };
    complete(position, from, to, promotion_role(code >> 10))
}

/// The nearest piece in a ray direction.
fn first_met(position: &Position, square: Square, direction: Direction) -> Option<Square> {
    /// The place of each ray direction in `empty::DIRECTIONS`.
    const RAYS: [usize; 8] = [0, 2, 1, 7, 4, 6, 5, 3];
    let met = empty::ray(RAYS[direction.index() & 7], square) & position.occupied();
    if direction.increment() > 0 { met.first() } else { met.last() }
}
