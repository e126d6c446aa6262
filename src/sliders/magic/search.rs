//! The search for magic factors: one entry point, [`search`], for every scheme.
//!
//! Nothing here reads a clock for its decisions: the caller's `keep_going` ends the search, so that a seed and a number
//! of steps give the same factors everywhere. Source: page "Looking for Magics" of the seed documents.

mod line;
mod random;
mod share;

use super::entry::relevant;
use crate::sliders::relevant::Slider;
use crate::types::Square;
use line::{Cells, Line};

/// What the factors are for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scheme {
    Fancy,
    ThirtyTwo,
    ShiftInFactor,
    OffsetInFactor,
}

/// What a search found for one square.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Slot {
    pub rook: bool,
    pub square: Square,
    pub factor: u64,
    pub offset: u32,
    pub relevant_bits: u32,
    pub index_bits: u32,
    pub entries: u32,
    pub steps: u64,
}

/// What a search found.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    pub scheme: Scheme,
    pub seed: u64,
    pub steps: u64,
    pub entries: u32,
    pub squares: Vec<Slot>,
}

pub fn search(
    scheme: Scheme,
    seed: u64,
    keep_going: &mut dyn FnMut(u64) -> bool,
    on_progress: &mut dyn FnMut(&Found),
) -> Found {
    let mut found = Found { scheme, seed, steps: 0, entries: 0, squares: Vec::new() };
    let mut cells = Cells::new(1 << 12);
    for line in Line::all() {
        let (mask, bits) = (line.mask, line.bits());
        let before = found.steps;
        let mut entries = 1 << bits;
        let mut offset = found.entries;
        let factor = match scheme {
            Scheme::Fancy => random::find(
                &line,
                seed,
                &mut cells,
                &mut found.steps,
                keep_going,
                |words| random::promising(words, mask),
                |factor, occupied| (occupied.wrapping_mul(factor) >> (64 - bits)) as usize,
            ),
            Scheme::ShiftInFactor => random::find(
                &line,
                seed,
                &mut cells,
                &mut found.steps,
                keep_going,
                |words| {
                    let factor = random::sparse(words) & (u64::MAX >> 6) | u64::from(64 - bits) << 58;
                    ((mask.wrapping_mul(factor) >> 56).count_ones() >= 5).then_some(factor)
                },
                |factor, occupied| (occupied.wrapping_mul(factor) >> (64 - bits)) as usize,
            ),
            Scheme::ThirtyTwo => random::find(
                &line,
                seed,
                &mut cells,
                &mut found.steps,
                keep_going,
                |words| Some(words.next_u64() & words.next_u64()),
                |factor, occupied| {
                    let low = (occupied as u32).wrapping_mul(factor as u32);
                    let high = ((occupied >> 32) as u32).wrapping_mul((factor >> 32) as u32);
                    ((low ^ high) >> (32 - bits)) as usize
                },
            ),
            Scheme::OffsetInFactor => {
                offset = found.entries.next_multiple_of(32);
                let rook = line.slider == Slider::Rook;
                let shift = if rook { 52 } else { 55 };
                let limit = 1u64 << bits;
                // Bits of a factor that lift a single square's product over the limit.
                let mut allowed = u64::MAX;
                for s in crate::types::Bitboard(mask) {
                    for p in shift + bits..64 {
                        let s = s.index() as u32;
                        if p >= s {
                            allowed &= !(1u64 << (p - s));
                        }
                    }
                }
                allowed &= !0xfff;
                let low = u64::from(offset / 32);
                random::find(
                    &line,
                    seed,
                    &mut cells,
                    &mut found.steps,
                    keep_going,
                    |words| {
                        let factor = words.next_u64() & words.next_u64() & allowed | low;
                        let top = mask.wrapping_mul(factor) >> shift;
                        let total = u128::from(factor) * u128::from(mask);
                        let _ = total;
                        (top < limit && top >= limit * 3 / 4).then_some(factor)
                    },
                    |factor, occupied| (occupied.wrapping_mul(factor) >> shift) as usize,
                )
            }
        };
        let Some(factor) = factor else { break };
        if scheme == Scheme::OffsetInFactor {
            let shift = if line.slider == Slider::Rook { 52 } else { 55 };
            entries =
                line.sets.iter().map(|&(o, _)| o.wrapping_mul(factor) >> shift).max().unwrap_or(0) as u32 + 1;
        }
        debug_assert_eq!(mask, relevant(line.slider, line.square.index()));
        found.entries = offset + entries;
        found.squares.push(Slot {
            rook: line.slider == Slider::Rook,
            square: line.square,
            factor,
            offset,
            relevant_bits: bits,
            index_bits: bits,
            entries,
            steps: found.steps - before,
        });
        on_progress(&found);
    }
    found
}

pub fn try_share(found: &Found) -> (Vec<u32>, usize) {
    let lines = Line::all();
    let mut order: Vec<usize> = (0..128).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(found.squares[i].entries));
    let mut shared = share::Shared::default();
    let mut offsets = vec![0; 128];
    for i in order {
        let line = &lines[i];
        let slot = &found.squares[i];
        let shift = 64 - line.bits();
        let mut used: Vec<(u32, u64)> = line
            .sets
            .iter()
            .map(|&(o, n)| ((o.wrapping_mul(slot.factor) >> shift) as u32, line.attacks[n as usize].0))
            .collect();
        used.sort();
        used.dedup();
        offsets[i] = shared.place(share::reach(line.slider, line), &used);
    }
    (offsets, shared.len())
}
