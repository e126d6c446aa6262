//! Packing for shared tables: two squares may use one cell if their attack sets agree on the squares that both could
//! attack. Source of the idea: "Sharing Attacks" on page "Magic Bitboards" (Lasse Hansen), which shares whole tables of
//! two rooks or four bishops; here every cell looks after itself, so any squares may meet, rooks and bishops too.

use super::line::Line;
use super::{Run, single};
use crate::sliders::{empty, relevant::Slider};
use crate::stats::SplitMix64;
use std::cmp::Reverse;

/// All squares that a slider may attack.
fn reach(line: &Line) -> u64 {
    match line.slider {
        Slider::Rook => empty::rook(line.square).0,
        Slider::Bishop => empty::bishop(line.square).0,
    }
}

/// A shared table while it fills.
#[derive(Debug, Default)]
struct Shared {
    /// What is attacked, and on which squares of the board a cell is spoken for.
    cells: Vec<(u64, u64)>,
}

impl Shared {
    /// Puts the square's (index, attacks) at the lowest offset where they agree with what is there.
    fn place(&mut self, reach: u64, used: &[(u32, u64)]) -> u32 {
        let clash =
            |offset: u32, &(index, attacks): &(u32, u64)| match self.cells.get((offset + index) as usize) {
                Some(&(value, taken)) => (value ^ attacks) & taken & reach != 0,
                None => false,
            };
        let mut last = 0;
        let offset = (0..)
            .find(|&offset| {
                // The cell that clashed last is the likeliest to clash again.
                if clash(offset, &used[last]) {
                    return false;
                }
                match used.iter().position(|cell| clash(offset, cell)) {
                    Some(at) => {
                        last = at;
                        false
                    }
                    None => true,
                }
            })
            .unwrap_or_default();
        for &(index, attacks) in used {
            let at = (offset + index) as usize;
            if self.cells.len() <= at {
                self.cells.resize(at + 1, (0, 0));
            }
            self.cells[at].0 |= attacks;
            self.cells[at].1 |= reach;
        }
        offset
    }
}

/// Fancy factors first, then packings in other and other orders until told to stop.
pub(super) fn search(run: &mut Run<'_>) {
    let lines = Line::all();
    single::first(run, &lines);
    if !run.found.is_complete() {
        return;
    }
    let used: Vec<Vec<(u32, u64)>> = lines
        .iter()
        .zip(&run.found.squares)
        .map(|(line, slot)| {
            let cell = |&(set, number): &(u64, u8)| {
                let index = set.wrapping_mul(slot.factor) >> (64 - slot.index_bits);
                (index as u32, line.attacks[number as usize].0)
            };
            let mut used: Vec<(u32, u64)> = line.sets.iter().map(cell).collect();
            used.sort_unstable();
            used.dedup();
            used
        })
        .collect();
    let mut words = SplitMix64::new(run.found.seed);
    let mut order: Vec<usize> = (0..lines.len()).collect();
    let mut least = u32::MAX;
    let mut first = true;
    while first || (run.keep_going)(run.found.steps) {
        if !std::mem::replace(&mut first, false) {
            words.shuffle(&mut order);
        }
        order.sort_by_key(|&i| Reverse(lines[i].sets.len()));
        let mut shared = Shared::default();
        let mut offsets = vec![0; lines.len()];
        for &i in &order {
            offsets[i] = shared.place(reach(&lines[i]), &used[i]);
        }
        // A step for each place of a cell that was looked at, at least.
        run.found.steps += used.iter().map(Vec::len).sum::<usize>() as u64;
        let entries = shared.cells.len() as u32;
        if entries < least {
            least = entries;
            for (slot, offset) in run.found.squares.iter_mut().zip(offsets) {
                slot.offset = offset;
            }
            run.report(entries);
        }
    }
}
