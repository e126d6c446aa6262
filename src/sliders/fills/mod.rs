//! Fill algorithms: whole sets of sliders move in one direction at once, through empty squares and onto the first
//! occupied one. Without tables; one slider is a set of one. A direction is a rotation of the board word and the squares
//! that are a legal target of it, so that nothing wraps around an edge.

mod dumb7fill;
mod kogge_stone;

pub use dumb7fill::Dumb7Fill;
pub use kogge_stone::KoggeStone;

use crate::types::Bitboard;

/// One direction: how far to rotate left, and the squares that a step from the board can reach.
#[derive(Clone, Copy, Debug)]
struct Direction {
    rotation: u32,
    targets: u64,
}

const fn direction(rotation: u32, unreachable: u64) -> Direction {
    Direction { rotation, targets: !unreachable }
}

const A: u64 = Bitboard::FILE_A.0;
const H: u64 = Bitboard::FILE_H.0;
const FIRST: u64 = Bitboard::RANK_1.0;
const EIGHTH: u64 = Bitboard::RANK_8.0;

/// North, east, south, west.
const ROOK: [Direction; 4] = [direction(8, FIRST), direction(1, A), direction(56, EIGHTH), direction(63, H)];
/// North-east, north-west, south-west, south-east.
const BISHOP: [Direction; 4] =
    [direction(9, FIRST | A), direction(7, FIRST | H), direction(55, EIGHTH | H), direction(57, EIGHTH | A)];

/// One step more from what each fill has reached, onto whatever is there: the attacks of all four.
#[inline(always)]
fn onwards(reached: [u64; 4], directions: [Direction; 4]) -> u64 {
    let mut attacks = 0;
    for (reached, Direction { rotation, targets }) in reached.into_iter().zip(directions) {
        attacks |= reached.rotate_left(rotation) & targets;
    }
    attacks
}
