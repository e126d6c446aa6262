//! The price of one cache line: a lookup that reads one number from a table of the size of the large ones, at a place that the
//! square and the occupancy decide, and nothing else. What others cost beyond their latency once the caches are evicted, in units of
//! this, is how many misses they wait for.

use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

/// 1 MiB.
const NUMBERS: usize = 1 << 17;

/// Written to, so that its pages are its own.
static TABLE: LazyLock<Vec<u64>> = LazyLock::new(|| (1..=NUMBERS as u64).collect());

/// The reader.
pub fn reader() -> impl Fn(Square, Bitboard) -> Bitboard {
    let table: &'static [u64] = &TABLE;
    move |square, occupied| {
        // Multiplicative hashing with the golden ratio.
        let hash = (occupied.0 ^ (square.index() as u64) << 58).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Bitboard(table[(hash >> 47) as usize & (NUMBERS - 1)])
    }
}
