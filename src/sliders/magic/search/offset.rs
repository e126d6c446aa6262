//! The search for factors whose low bits say where their table lies: a place is drawn among those still free, its number is
//! frozen into the factor, and the rest of the factor is annealed.

use super::Run;
use super::climb::{Climber, Outside};
use super::line::Line;
use super::pack::{Pack, Shape};
use crate::stats::SplitMix64;

/// Low bits of the factor that hold the place.
pub(in super::super) const PLACE_BITS: u32 = 12;
/// Entries from one place to the next.
pub(in super::super) const UNIT: u32 = 32;

/// A place and a factor for every square, largest squares first.
pub(super) fn search(run: &mut Run<'_>) {
    const EFFORT: u64 = 20_000;
    let lines = Line::all();
    let mut words = SplitMix64::new(run.found.seed);
    let mut pack = Pack::new();
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(lines[i].sets.len()), i));
    let frozen = (1 << PLACE_BITS) - 1;
    for i in order {
        let line = &lines[i];
        let mut climber = Climber::new(line, Outside::Empty, run.found.seed, line.fixed_shift());
        climber.frozen = frozen;
        let size = line.sets.len() as u32;
        let cells = 1 << (64 - line.fixed_shift());
        let window = (size + size / 4).min(cells);
        loop {
            if !(run.keep_going)(run.found.steps) {
                return;
            }
            let place = words.below(1 << PLACE_BITS) as u32;
            if !pack.has_room(place * UNIT, size) {
                continue;
            }
            run.found.steps += EFFORT;
            let start = climber.draw(line.mask, window) & !frozen | u64::from(place);
            let hot = f64::from(size) * [0.2, 0.1, 0.05, 0.02][words.below(4) as usize];
            let Some(factor) = climber.anneal(start, (0, window), EFFORT, hot, 0.0) else { continue };
            let used = climber.used(factor);
            let shape = Shape::new(factor, &used, cells);
            let at = place * UNIT + shape.low;
            if pack.is_free(&shape, at) {
                pack.put(&shape, at);
                run.enter(line, factor, place * UNIT, line.bits(), used);
                run.report(pack.len);
                break;
            }
        }
    }
}
