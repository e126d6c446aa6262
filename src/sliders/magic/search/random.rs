//! The sparse random search: and-ed random words are tried until one keeps a square's attack sets apart.
//! Source: page "Looking for Magics" of the seed documents; the filter by the product of the full mask as in Tord
//! Romstad's and others' generators.

use super::line::{Cells, Line};
use crate::stats::SplitMix64;

/// A product of the full mask whose top byte has fewer bits than this never gave a factor.
const TOP_BYTE_BITS: u32 = 6;

/// The sequence of random words of a square.
pub(super) fn words(seed: u64, line: &Line) -> SplitMix64 {
    let slider = u64::from(line.slider == crate::sliders::relevant::Slider::Rook);
    SplitMix64::new(seed ^ (line.square.index() as u64) << 32 ^ slider << 48)
}

/// A word of which each bit is set with probability 1/8.
pub(super) fn sparse(words: &mut SplitMix64) -> u64 {
    words.next_u64() & words.next_u64() & words.next_u64()
}

/// The first factor in the square's sequence for which `index(factor, occupancy)` fits; `draw` makes a factor of the
/// words, or none if it is not worth trying. Counts its tries in `steps`.
pub(super) fn find(
    line: &Line,
    (seed, size): (u64, u32),
    cells: &mut Cells,
    steps: &mut u64,
    keep_going: &mut dyn FnMut(u64) -> bool,
    draw: impl Fn(&mut SplitMix64) -> Option<u64>,
    index: impl Fn(u64, u64) -> usize,
) -> Option<u64> {
    let mut words = words(seed, line);
    loop {
        *steps += 1;
        if *steps & 0xfff == 0 && !keep_going(*steps) {
            return None;
        }
        let Some(factor) = draw(&mut words) else { continue };
        if cells.fits(&line.sets, size as usize, |occupied| index(factor, occupied)) {
            return Some(factor);
        }
    }
}

/// A sparse word that passes the filter.
pub(super) fn promising(words: &mut SplitMix64, mask: u64) -> Option<u64> {
    let factor = sparse(words);
    let bits = (mask.wrapping_mul(factor) >> 56).count_ones();
    (bits >= TOP_BYTE_BITS).then_some(factor)
}
