//! The search for factors with a fixed shift whose tables overlap: every square keeps several factors, annealed for different
//! wishes (a short spread, few cells), and the packing takes the one that lies best.

use super::Run;
use super::climb::{Climber, Outside};
use super::line::Line;
use super::pack::{Pack, Shape};
use crate::stats::SplitMix64;

/// Factors kept for each square.
const KEPT: usize = 6;
/// Orders tried for each packing.
const ORDERS: u32 = 12;

/// A packing: factor, and offset to add to the index (wrapping), by square; entries of the table.
#[derive(Clone, Debug)]
struct Packed {
    squares: Vec<(u64, u32)>,
    entries: u32,
}

/// Packs the squares in this order, each with its best lying shape.
fn pack(pools: &[Vec<Shape>], order: &[(u32, usize)]) -> Packed {
    let mut pack = Pack::new();
    let mut squares = vec![(0, 0); pools.len()];
    for &(_, i) in order {
        let mut best: Option<((u32, u32, u32), &Shape, u32)> = None;
        for shape in &pools[i] {
            let at = pack.fit(shape);
            // Short table first, then few cells.
            let rank = (pack.len.max(at + shape.span), shape.used, at);
            if best.is_none_or(|(least, ..)| rank < least) {
                best = Some((rank, shape, at));
            }
        }
        let Some((_, shape, at)) = best else { continue };
        pack.put(shape, at);
        squares[i] = (shape.factor, at.wrapping_sub(shape.low));
    }
    Packed { squares, entries: pack.len }
}

/// A walk's wish for a square, and whether it is granted: a factor whose indices spread less than those known.
struct Wish {
    window: u32,
    hot: f64,
    weight: f64,
}

impl Wish {
    fn draw(words: &mut SplitMix64, pool: &[Shape], size: u32, top: u32) -> Wish {
        let roomy = size + size / 4;
        let window = match pool.iter().map(|shape| shape.ring).min() {
            None => roomy.min(top),
            Some(least) => (least - least / (8 << words.below(4)) - 1).min(roomy),
        };
        let hot = f64::from(size) * [0.2, 0.1, 0.05, 0.02][words.below(4) as usize];
        let weight = [0.0, 0.0, 0.1, 0.5][words.below(4) as usize];
        Wish { window, hot, weight }
    }
}

/// Goes on until told to stop.
pub(super) fn search(run: &mut Run<'_>, outside: Outside) {
    let lines = Line::all();
    let mut climbers: Vec<Climber> =
        lines.iter().map(|line| Climber::new(line, outside, run.found.seed, line.fixed_shift())).collect();
    let mut pools: Vec<Vec<Shape>> = vec![Vec::new(); lines.len()];
    let mut words = SplitMix64::new(run.found.seed);
    let mut least = u32::MAX;
    for round in 0u64.. {
        let effort = 30_000 << (round / 8).min(4);
        for (i, line) in lines.iter().enumerate() {
            if !(run.keep_going)(run.found.steps) {
                return;
            }
            let size = line.sets.len() as u32;
            // Squares that are still far from their size come first.
            let fair = pools[i].iter().any(|shape| shape.ring <= size + size / 4);
            if fair && words.below(8) != 0 && round % 4 != 3 {
                continue;
            }
            let top = 1 << (64 - line.fixed_shift());
            let Wish { window, hot, weight } = Wish::draw(&mut words, &pools[i], size, top);
            let low = match (outside, words.below(2)) {
                (Outside::Empty, 0) => 0,
                (Outside::Empty, _) => top - words.below(u64::from(window)) as u32,
                (Outside::Occupied, _) => words.below(u64::from(top)) as u32,
            };
            let from = match words.below(2) {
                0 if !pools[i].is_empty() => pools[i][words.below(pools[i].len() as u64) as usize].factor,
                _ => climbers[i].draw(line.mask, window),
            };
            run.found.steps += effort;
            let Some(factor) = climbers[i].anneal(from, (low, window), effort, hot, weight) else { continue };
            let used = climbers[i].used(factor);
            let shape = Shape::new(factor, &used, top);
            let pool = &mut pools[i];
            if pool.iter().all(|known| known.factor != factor) {
                pool.push(shape);
                pool.sort_by_key(|shape| (shape.ring + shape.used / 2, shape.factor));
                pool.truncate(KEPT);
            }
        }
        if pools.iter().all(|pool| !pool.is_empty()) {
            pack_all(run, &lines, &climbers, &pools, &mut words, &mut least);
        }
    }
}

/// Packs in several orders, and enters what is shorter than the least so far.
fn pack_all(
    run: &mut Run<'_>,
    lines: &[Line],
    climbers: &[Climber],
    pools: &[Vec<Shape>],
    words: &mut SplitMix64,
    least: &mut u32,
) {
    for attempt in 0..ORDERS {
        let mut order: Vec<(u32, usize)> = (0..lines.len())
            .map(|i| {
                let used = pools[i][0].used;
                (used + if attempt == 0 { 0 } else { words.below(u64::from(used / 3) + 1) as u32 }, i)
            })
            .collect();
        order.sort_by_key(|&(key, i)| (std::cmp::Reverse(key), i));
        let packed = pack(pools, &order);
        if packed.entries < *least {
            *least = packed.entries;
            for (i, line) in lines.iter().enumerate() {
                let (factor, offset) = packed.squares[i];
                let used = climbers[i].used(factor);
                let bits = used[used.len() - 1].ilog2() + 1;
                run.enter(line, factor, offset, bits, used);
            }
            run.report(packed.entries);
        }
    }
}
