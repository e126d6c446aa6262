//! The search for factors whose low bits say where their table lies: a place is drawn among those still free, its number is
//! frozen into the factor, and the rest of the factor is annealed.

use super::Run;
use super::climb::{Climber, Outside, Walk, Wish, used};
use super::line::{Cells, Line};
use super::pack::{Pack, Shape};
use super::random::promising;
use crate::stats::SplitMix64;

/// Low bits of the factor that hold the place.
pub(in super::super) const PLACE_BITS: u32 = 12;
/// Entries from one place to the next.
pub(in super::super) const UNIT: u32 = 64;

/// A place and a factor for every square, largest squares first.
pub(super) fn search(run: &mut Run<'_>) {
    const EFFORT: u64 = 20_000;
    /// Walks before the window is widened.
    const PATIENCE: u32 = 80;
    /// A place is drawn from the lowest so many.
    const CHOICE: usize = 12;
    let lines = Line::all();
    let mut words = SplitMix64::new(run.found.seed);
    let mut pack = Pack::new();
    let mut end = 0;
    let mut trial = Cells::new(1 << 12);
    let frozen = (1 << PLACE_BITS) - 1;
    let mut climbers: Vec<Climber> = lines
        .iter()
        .map(|line| Climber::new(line, Outside::Empty, run.found.seed, line.fixed_shift()))
        .collect();
    // Corners, and bishops of the centre, first. What place a square may have depends on its blockers: the pickiest choose first.
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|&i| {
        let forbidden = climbers[i].forbidden(lines[i].mask, lines[i].sets.len() as u32) & frozen;
        let size = lines[i].sets.len();
        let full = size == 1 << (64 - lines[i].fixed_shift());
        (std::cmp::Reverse((full, forbidden.count_ones(), size)), i)
    });
    for i in order {
        let line = &lines[i];
        let climber = &mut climbers[i];
        climber.frozen = frozen;
        let size = line.sets.len() as u32;
        let cells = 1 << (64 - line.fixed_shift());
        for failures in 0.. {
            if !(run.keep_going)(run.found.steps) {
                return;
            }
            // What was not to be had so far may be had in a wider window.
            let window = match failures / PATIENCE {
                0 => size + size / 4,
                1 => size * 2,
                _ => cells,
            };
            let window = if window * 2 > cells { cells } else { window };
            let forbidden = climber.forbidden(line.mask, window);
            let fits =
                |&place: &u32| u64::from(place) & forbidden == 0 && pack.has_room(place * UNIT, window);
            let mut lowest: Vec<u32> = (0..1 << PLACE_BITS).filter(fits).collect();
            if size == cells {
                // These need sparse factors, and leave the low places to the picky.
                lowest.sort_by_key(|&place| (place.count_ones(), std::cmp::Reverse(place)));
            }
            lowest.truncate(if size == cells { 8 * CHOICE } else { CHOICE });
            run.found.steps += EFFORT;
            let Some(&place) = lowest.get(words.below(lowest.len() as u64) as usize) else { continue };
            let place_bits = u64::from(place);
            let factor = if window == cells {
                // Random factors do where every index will do.
                (0..EFFORT).find_map(|_| {
                    let factor = promising(&mut words, line.mask)? & !frozen | place_bits;
                    let index =
                        |occupied: u64| (occupied.wrapping_mul(factor) >> line.fixed_shift()) as usize;
                    trial.fits(&line.sets, cells as usize, index).then_some(factor)
                })
            } else {
                let start = climber.draw(forbidden) & !frozen | place_bits;
                let hot = f64::from(size) * [0.2, 0.1, 0.05, 0.02][words.below(4) as usize];
                let walk =
                    Walk { steps: EFFORT, hot, cold: 0.1, price: 4.0, window, down: 0, wish: Wish::Nothing };
                let mut found = None;
                climber.anneal(start, &walk, |factor, _| {
                    found = Some(factor);
                    false
                });
                found
            };
            let Some(factor) = factor else { continue };
            let used = used(line, 0, factor);
            let shape = Shape::new(factor, &used);
            let at = place * UNIT + shape.low;
            if pack.is_free(&shape, at) {
                pack.put(&shape, at);
                end = end.max(at + shape.span);
                run.enter(line, factor, place * UNIT, line.bits(), used);
                run.report(end);
                break;
            }
        }
    }
}
