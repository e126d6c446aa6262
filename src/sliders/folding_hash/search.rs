//! The search for the factors of the folding hash: of `tries` random factors the one whose indices are fewest, that is with
//! the most occupancies of equal attacks on one index.

#![cfg(test)]

use super::{line, places};
use crate::stats::SplitMix64;
use crate::types::Square;

/// The seed and the number of tries behind the stored factors.
const SEED: u64 = 2026;
const TRIES: u32 = 1_000_000;

/// The best factor of one line. Every line has its own random numbers, so that one can be sought again by itself.
fn search(square: Square, direction: usize) -> u32 {
    let (_, sets) = line(square, direction);
    let mut words = SplitMix64::new(SEED ^ (square.index() as u64) << 32 ^ (direction as u64) << 48);
    let mut best = (usize::MAX, 0);
    for i in 0..TRIES {
        let word = words.next_u64();
        // Sparse and dense factors in turn.
        let factor = if i % 2 == 0 { word as u32 } else { word as u32 & (word >> 32) as u32 };
        if let Some(places) = places(&sets, factor) {
            best = best.min((places.iter().flatten().count(), factor));
        }
    }
    best.1
}

#[test]
fn the_stored_factors_are_found_again() {
    for (square, direction) in [(Square::A1, 0), (Square::D4, 2), (Square::H8, 1), (Square::E5, 3)] {
        assert_eq!(search(square, direction), super::FACTORS[square.index()][direction]);
    }
}
