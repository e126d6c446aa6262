//! The search for factors with a fixed shift whose tables overlap: every square keeps several factors, annealed for different
//! wishes (a short spread, few cells), and the packing takes the one that lies best.

use super::Run;
use super::climb::{Climber, Outside, used};
use super::line::{Cells, Line};
use super::pack::{Pack, Shape};
use super::random::{find, promising};
use crate::stats::SplitMix64;

/// Factors kept for each square, close together.
const KEPT: usize = 5;
/// And factors with few cells, far apart.
const SPARSE: usize = 5;
/// Orders tried for each packing.
const ORDERS: u32 = 32;

/// A packing: factor, and offset to add to the index (wrapping), by square; entries of the table.
#[derive(Clone, Debug)]
struct Packed {
    squares: Vec<(u64, u32)>,
    entries: u32,
}

/// Packs the squares in this order, each with its best lying shape.
fn pack(pools: &[Vec<Shape>], order: &[usize]) -> Packed {
    let mut pack = Pack::new();
    let mut squares = vec![(0, 0); pools.len()];
    for &i in order {
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

/// The shortest table so far and the order that led to it.
struct Best {
    outside: Outside,
    entries: u32,
    order: Vec<usize>,
}

/// A walk's wish for a square, and whether it is granted: a factor whose indices spread less than those known.
struct Wish {
    window: u32,
    hot: f64,
    weight: f64,
}

impl Wish {
    fn draw(words: &mut SplitMix64, pool: &[Shape], size: u32, roomy: u32, top: u32) -> Wish {
        if words.below(4) == 0 {
            let hot = f64::from(size) * [0.1, 0.05, 0.02, 0.01][words.below(4) as usize];
            return Wish { window: top, hot, weight: 1.0 };
        }
        let window = match pool.iter().map(|shape| shape.ring).min() {
            None => roomy.min(top),
            Some(least) => (least - least / (8 << words.below(4)) - 1).min(roomy.min(top)),
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
    // A factor for each square to begin with, of whatever spread.
    let mut cells = Cells::new(1 << 12);
    for (line, pool) in lines.iter().zip(&mut pools) {
        let (fixed, shift) = (outside.squares(line.mask), line.fixed_shift());
        let factor = find(
            line,
            (run.found.seed, 64 - shift),
            &mut cells,
            &mut run.found.steps,
            run.keep_going,
            |words| promising(words, line.mask),
            |factor, occupied| ((occupied | fixed).wrapping_mul(factor) >> shift) as usize,
        );
        let Some(factor) = factor else { return };
        let used = used(line, fixed, factor);
        pool.push(Shape::new(factor, &used, 1 << (64 - shift)));
    }
    let mut words = SplitMix64::new(run.found.seed);
    let mut best = Best { outside, entries: u32::MAX, order: Vec::new() };
    for round in 0u64.. {
        let effort = 30_000 << (round / 12).min(3);
        for (i, line) in lines.iter().enumerate() {
            if !(run.keep_going)(run.found.steps) {
                return;
            }
            let size = line.sets.len() as u32;
            // What was not to be had so far may be had in a wider window.
            let roomy = size + size / 4 + size * (round as u32 / 3) / 8;
            // Squares that are still far from their size come first.
            let fair = pools[i].iter().any(|shape| shape.ring <= size + size / 4);
            if fair && words.below(8) != 0 && round % 4 != 3 {
                continue;
            }
            let top = 1 << (64 - line.fixed_shift());
            let Wish { window, hot, weight } = Wish::draw(&mut words, &pools[i], size, roomy, top);
            let from = match words.below(2) {
                0 if !pools[i].is_empty() => pools[i][words.below(pools[i].len() as u64) as usize].factor,
                _ => {
                    let forbidden = climbers[i].forbidden(line.mask, window);
                    climbers[i].draw(forbidden)
                }
            };
            // Most walks let every blocker count upwards.
            let down = if words.below(4) == 0 { words.below(u64::from(window)) as u32 } else { 0 };
            let low = climbers[i].base(from).wrapping_sub(down);
            run.found.steps += effort;
            let Some(factor) = climbers[i].anneal(from, (low, window), effort, hot, weight) else { continue };
            let used = used(line, climbers[i].fixed, factor);
            let shape = Shape::new(factor, &used, top);
            let pool = &mut pools[i];
            if pool.iter().all(|known| known.factor != factor) {
                pool.push(shape);
                // The closest first; behind them those with the fewest cells.
                pool.sort_by_key(|shape| (shape.ring + shape.used / 2, shape.factor));
                let rest = KEPT.min(pool.len());
                pool[rest..].sort_by_key(|shape| (shape.used, shape.ring, shape.factor));
                pool.truncate(KEPT + SPARSE);
            }
        }
        if pools.iter().all(|pool| !pool.is_empty()) {
            pack_all(run, &lines, &pools, &mut words, &mut best);
        }
    }
}

/// Packs in several orders, and enters what is shorter than the least so far.
fn pack_all(
    run: &mut Run<'_>,
    lines: &[Line],
    pools: &[Vec<Shape>],
    words: &mut SplitMix64,
    best: &mut Best,
) {
    for attempt in 0..ORDERS {
        let mut order = best.order.clone();
        if attempt % 2 == 0 || order.is_empty() {
            let mut keys: Vec<(u32, usize)> = Vec::with_capacity(lines.len());
            for (i, pool) in pools.iter().enumerate() {
                let noise =
                    if attempt == 0 { 0 } else { words.below(u64::from(pool[0].used / 3) + 1) as u32 };
                keys.push((pool[0].used + noise, i));
            }
            keys.sort_by_key(|&(key, i)| (std::cmp::Reverse(key), i));
            order = keys.into_iter().map(|(_, i)| i).collect();
        } else {
            for _ in 0..=words.below(4) {
                let from = words.below(order.len() as u64) as usize;
                let i = order.remove(from);
                order.insert((from + words.below(17) as usize).saturating_sub(8).min(order.len()), i);
            }
        }
        let packed = pack(pools, &order);
        if packed.entries <= best.entries {
            best.order = order;
        }
        if packed.entries < best.entries {
            best.entries = packed.entries;
            for (line, &(factor, offset)) in lines.iter().zip(&packed.squares) {
                let used = used(line, best.outside.squares(line.mask), factor);
                let bits = used[used.len() - 1].ilog2() + 1;
                run.enter(line, factor, offset, bits, used);
            }
            run.report(packed.entries);
        }
    }
}
