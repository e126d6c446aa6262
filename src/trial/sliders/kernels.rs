//! The timed loops. Each is compiled for one backend; the accumulator that runs through it keeps the compiler from
//! doing several lookups in one vector register, and `black_box` keeps it from doing none.

use super::workload::Lookup;
use crate::rules::{self, Position};
use crate::sliders::Sliders;
use crate::types::{Bitboard, Square};
use std::hint::black_box;

/// Independent lookups: the next may begin before the last has ended. The rotation makes the sum depend on the
/// order, so the loop cannot be vectorised. Returns the number of lookups.
#[inline(always)]
pub fn throughput(lookups: &[Lookup], repeats: u64, attacks: impl Fn(Square, Bitboard) -> Bitboard) -> u64 {
    let mut sum = 0_u64;
    for _ in 0..repeats {
        for &(square, occupied) in black_box(lookups) {
            sum = sum.rotate_left(1) ^ attacks(square, occupied).0;
        }
    }
    black_box(sum);
    repeats * lookups.len() as u64
}

/// Each lookup needs the result of the one before: `zero` is 0, which the compiler does not know, so the occupancy
/// stays what it is but has to be waited for (one AND and one XOR are in the time).
#[inline(always)]
pub fn latency(lookups: &[Lookup], repeats: u64, attacks: impl Fn(Square, Bitboard) -> Bitboard) -> u64 {
    let zero = black_box(0_u64);
    let mut last = 0_u64;
    for _ in 0..repeats {
        for &(square, occupied) in black_box(lookups) {
            last = attacks(square, Bitboard(occupied.0 ^ (last & zero))).0;
        }
    }
    black_box(last);
    repeats * lookups.len() as u64
}

/// Perft to depth 3 of each position. Returns the number of leaves.
pub fn perft<S: Sliders>(positions: &[Position], repeats: u64, sliders: S) -> u64 {
    let mut leaves = 0;
    for _ in 0..repeats {
        for position in black_box(positions) {
            leaves += rules::perft(position, 3, sliders);
        }
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliders::Hyperbola;
    use crate::trial::sliders::Workload;

    #[test]
    fn the_loops_do_what_they_count() {
        let workload = Workload::from_games(1);
        let rook = |square, occupied| Hyperbola.rook(square, occupied);
        assert_eq!(throughput(&workload.rooks, 3, rook), 3 * workload.rooks.len() as u64);
        assert_eq!(latency(&workload.rooks, 2, rook), 2 * workload.rooks.len() as u64);
        // Published counts of positions 1 to 6 at depth 3.
        let published = 8902 + 97_862 + 2812 + 9467 + 62_379 + 89_890;
        assert_eq!(perft(&workload.positions, 2, Hyperbola), 2 * published);
    }
}
