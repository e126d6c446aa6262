//! Schemes whose squares know nothing of each other: the sparse random search; for fancy magics then annealing towards one
//! index bit less, square by square.

use super::climb::{Climber, Outside, Walk, Wish};
use super::line::{Cells, Line};
use super::random::{find, promising, sparse};
use super::{Run, Scheme};
use crate::sliders::relevant::Slider;
use crate::stats::SplitMix64;

/// The hash of a scheme.
fn index(scheme: Scheme, bits: u32, factor: u64, occupied: u64) -> usize {
    if scheme == Scheme::ThirtyTwo {
        let low = (occupied as u32).wrapping_mul(factor as u32);
        let high = ((occupied >> 32) as u32).wrapping_mul((factor >> 32) as u32);
        return ((low ^ high) >> (32 - bits)) as usize;
    }
    (occupied.wrapping_mul(factor) >> (64 - bits)) as usize
}

/// Index bits without luck.
fn width(scheme: Scheme, line: &Line) -> u32 {
    match (scheme, line.slider) {
        (Scheme::Plain, Slider::Rook) => 12,
        (Scheme::Plain, Slider::Bishop) => 9,
        _ => line.bits(),
    }
}

/// A factor for each square, one behind the other in the table; as many as there was time for.
pub(super) fn first(run: &mut Run<'_>, lines: &[Line]) {
    let mut cells = Cells::new(1 << 12);
    let mut offset = 0;
    for line in lines {
        let (scheme, mask, bits) = (run.found.scheme, line.mask, width(run.found.scheme, line));
        let (seed, steps, keep_going) = (run.found.seed, &mut run.found.steps, &mut *run.keep_going);
        let factor = match scheme {
            Scheme::ThirtyTwo => find(
                line,
                (seed, 1 << bits),
                &mut cells,
                steps,
                keep_going,
                |words| Some(words.next_u64() & words.next_u64()),
                |factor, occupied| index(Scheme::ThirtyTwo, bits, factor, occupied),
            ),
            Scheme::ShiftInFactor => find(
                line,
                (seed, 1 << bits),
                &mut cells,
                steps,
                keep_going,
                |words| Some(sparse(words) & (u64::MAX >> 6) | u64::from(64 - bits) << 58),
                |factor, occupied| (occupied.wrapping_mul(factor) >> (64 - bits)) as usize,
            ),
            _ => find(
                line,
                (seed, 1 << bits),
                &mut cells,
                steps,
                keep_going,
                |words| promising(words, mask),
                |factor, occupied| (occupied.wrapping_mul(factor) >> (64 - bits)) as usize,
            ),
        };
        let Some(factor) = factor else { return };
        let indices = line.sets.iter().map(|&(set, _)| index(scheme, bits, factor, set) as u32).collect();
        run.enter(line, factor, offset, bits, indices);
        offset += 1 << bits;
        run.report(offset);
    }
}

pub(super) fn search(run: &mut Run<'_>) {
    let lines = Line::all();
    first(run, &lines);
    if run.found.scheme == Scheme::Fancy && run.found.is_complete() {
        improve(run, &lines);
    }
}

/// Factors with an index bit less, until told to stop.
fn improve(run: &mut Run<'_>, lines: &[Line]) {
    const EFFORT: u64 = 50_000;
    let mut words = SplitMix64::new(run.found.seed);
    let mut bits: Vec<u32> = lines.iter().map(Line::bits).collect();
    loop {
        for (i, line) in lines.iter().enumerate() {
            if !(run.keep_going)(run.found.steps) {
                return;
            }
            let less = bits[i] - 1;
            // No table is smaller than the number of attack sets.
            if (1 << less) < line.attacks.len() {
                continue;
            }
            let mut climber = Climber::new(line, Outside::Empty, words.next_u64(), 64 - less);
            let start = words.next_u64() & words.next_u64();
            let hot = line.sets.len() as f64 * [0.05, 0.1, 0.15, 0.2][words.below(4) as usize];
            let price = [4.0, 8.0, 16.0, 32.0][words.below(4) as usize];
            run.found.steps += EFFORT;
            let walk = Walk {
                steps: EFFORT,
                hot,
                cold: 0.02 * hot,
                price,
                window: 1 << less,
                down: 0,
                wish: Wish::Few,
            };
            let mut found = None;
            climber.anneal(start, &walk, |factor, _| {
                found = Some(factor);
                false
            });
            let Some(factor) = found else { continue };
            bits[i] = less;
            let indices =
                line.sets.iter().map(|&(set, _)| index(Scheme::Fancy, less, factor, set) as u32).collect();
            run.enter(line, factor, 0, less, indices);
            let mut end = 0;
            for slot in &mut run.found.squares {
                slot.offset = end;
                end += 1 << slot.index_bits;
            }
            run.report(end);
        }
    }
}
