//! The "wishing dream" of page "Magic Bitboards": one table for all rooks and one for all bishops, without offsets, the piece
//! itself in the mask. 13 and 11 index bits would do for 4,900 and 1,428 attack sets if every square used as few cells as
//! it has sets. The attempt: squares one after the other, largest first, annealed against the cells that are taken.
//! Outcome with seed 20,261,130 and 300 s of processor time: the bishops lie in a table of 65,536 entries after 17 s and in
//! none of half that size; the rooks were not all placed in any table that was tried, from 2^20 entries on.

use super::Run;
use super::line::Line;
use crate::stats::SplitMix64;

/// What an attempt reached.
#[derive(Clone, Debug)]
struct Dream {
    /// By line; 0 where none was found.
    factors: Vec<u64>,
    placed: usize,
}

/// Tries to place all these lines in one table of `bits` index bits; `walks` walks for each square at most.
fn attempt(
    lines: &[Line],
    bits: u32,
    walks: u32,
    words: &mut SplitMix64,
    steps: &mut u64,
    keep_going: &mut dyn FnMut(u64) -> bool,
) -> Dream {
    const EFFORT: u64 = 4_000;
    let shift = 64 - bits;
    // Number of the attack set in each cell, from 1 on, over all squares; and the try that wrote it.
    let mut taken = vec![0u16; 1 << bits];
    let mut own = vec![(0u32, 0u16); 1 << bits];
    let mut attempt = 0;
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(lines[i].sets.len()), i));
    let mut dream = Dream { factors: vec![0; lines.len()], placed: 0 };
    let mut first_set = 1;
    for i in order {
        let line = &lines[i];
        let piece = 1 << line.square.index();
        let mut clashes = |factor: u64, limit: u32| {
            attempt += 1;
            let mut count = 0;
            for &(set, number) in &line.sets {
                let at = ((set | piece).wrapping_mul(factor) >> shift) as usize;
                let mark = (attempt, first_set + u16::from(number));
                let free = own[at].0 != attempt;
                count += u32::from(taken[at] != 0 || (!free && own[at] != mark));
                own[at] = if free { mark } else { own[at] };
                if count > limit {
                    break;
                }
            }
            count
        };
        let mut found = None;
        'walks: for _ in 0..walks {
            let mut factor = words.next_u64() & words.next_u64();
            let mut cost = clashes(factor, u32::MAX);
            for step in 0..EFFORT {
                if cost == 0 {
                    found = Some(factor);
                    break 'walks;
                }
                let heat = line.sets.len() as f64 * 0.05 * (1.0 - step as f64 / EFFORT as f64) + 0.1;
                let word = words.next_u64();
                let (a, b) = (1u64 << (word & 63), 1u64 << (word >> 6 & 63));
                let next = match word >> 12 & 3 {
                    0 | 1 => factor ^ a,
                    2 => factor ^ a ^ b,
                    _ => factor.wrapping_add(a),
                };
                let limit = (f64::from(cost) - heat * words.uniform().max(1e-12).ln()) as u32;
                let new = clashes(next, limit);
                if new <= limit {
                    (factor, cost) = (next, new);
                }
            }
            *steps += EFFORT;
            if !keep_going(*steps) {
                return dream;
            }
        }
        let Some(factor) = found else { return dream };
        for &(set, number) in &line.sets {
            taken[((set | piece).wrapping_mul(factor) >> shift) as usize] = first_set + u16::from(number);
        }
        first_set += line.attacks.len() as u16;
        dream.factors[i] = factor;
        dream.placed += 1;
    }
    dream
}

/// Looks for a size of table that works for the rooks, and one for the bishops, and halves it while that succeeds.
pub(super) fn search(run: &mut Run<'_>) {
    const WALKS: u32 = 60;
    const LARGEST: u32 = 26;
    let mut words = SplitMix64::new(run.found.seed);
    let all = Line::all();
    let mut bits = [20, 15];
    let mut reached: [Option<Dream>; 2] = [None, None];
    loop {
        for half in [0, 1] {
            if !(run.keep_going)(run.found.steps) {
                return;
            }
            let lines = &all[half * 64..half * 64 + 64];
            let dream = attempt(lines, bits[half], WALKS, &mut words, &mut run.found.steps, run.keep_going);
            if dream.placed < lines.len() {
                if !(run.keep_going)(run.found.steps) {
                    return;
                }
                // Nothing yet: a larger table.
                bits[half] += u32::from(reached[half].is_none() && bits[half] < LARGEST);
                continue;
            }
            for (line, &factor) in lines.iter().zip(&dream.factors) {
                let piece = 1 << line.square.index();
                let index =
                    |&(set, _): &(u64, u8)| ((set | piece).wrapping_mul(factor) >> (64 - bits[half])) as u32;
                run.enter(line, factor, 0, bits[half], line.sets.iter().map(index).collect());
            }
            reached[half] = Some(dream);
            bits[half] -= 1;
            let tables =
                [0, 1].into_iter().filter(|&half| reached[half].is_some()).map(|half| 2 << bits[half]);
            run.report(tables.sum());
        }
    }
}
