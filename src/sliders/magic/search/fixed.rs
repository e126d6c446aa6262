//! The search for factors with a fixed shift whose tables overlap. Walks for single squares fill a pool of shapes for each,
//! those with few cells close together. The packing is an order of the squares, each at the lowest place where its shape
//! fits; it is varied, in the order or in the shapes, as long as the table becomes no longer. Our own.

use super::climb::{Climber, Outside, Walk, Wish, used};
use super::line::{Cells, Line};
use super::pack::{Pack, Shape};
use super::random::{find, promising, sparse};
use super::spread::Spread;
use super::{Known, KnownError, Run};
use crate::sliders::relevant::Slider;
use crate::stats::SplitMix64;
use std::rc::Rc;

/// More than any table has entries.
const LARGEST: u32 = 1 << 19;
/// Shapes kept for each square.
const KEPT: usize = 64;
/// There is a try to improve the packing for so many occupancies of a square that has had a walk.
const SETS: usize = 64;

/// A shape and what it costs by itself.
type Candidate = (f64, Rc<Shape>);

/// The table as it stands: the squares take, in this order, the lowest place where their shapes fit.
#[derive(Clone)]
struct Table {
    order: Vec<usize>,
    /// By line.
    shapes: Vec<Rc<Shape>>,
    places: Vec<u32>,
    entries: u32,
}

impl Table {
    /// The longest first.
    fn new(pools: &[Vec<Candidate>]) -> Table {
        let shapes: Vec<_> = pools.iter().map(|pool| Rc::clone(&pool[0].1)).collect();
        let mut order: Vec<usize> = (0..shapes.len()).collect();
        order.sort_by_key(|&i| (std::cmp::Reverse(shapes[i].span), i));
        let mut table = Table { order, places: vec![0; shapes.len()], shapes, entries: 0 };
        table.pack(LARGEST);
        table
    }

    /// As it was left, if no two squares take one cell; else packed anew, from the lowest square to the highest.
    fn again(shapes: Vec<Rc<Shape>>, places: Vec<u32>) -> Table {
        let mut order: Vec<usize> = (0..shapes.len()).collect();
        order.sort_by_key(|&i| places[i]);
        let mut table = Table { order, places, shapes, entries: 0 };
        let mut pack = Pack::new();
        for (shape, &at) in table.shapes.iter().zip(&table.places) {
            if at >= LARGEST / 2 || !pack.is_free(shape, at) {
                table.pack(LARGEST);
                return table;
            }
            pack.put(shape, at);
            table.entries = table.entries.max(at + shape.span);
        }
        table
    }

    /// Whether all squares find room in a table of `limit` entries.
    fn pack(&mut self, limit: u32) -> bool {
        let mut pack = Pack::new();
        self.entries = 0;
        for &i in &self.order {
            let shape = &self.shapes[i];
            let Some(at) = pack.fit(shape, limit) else { return false };
            pack.put(shape, at);
            self.places[i] = at;
            self.entries = self.entries.max(at + shape.span);
        }
        true
    }

    /// Tries another order, or other shapes, one of them the square's; keeps what makes the table no longer.
    fn vary(&mut self, square: usize, pools: &[Vec<Candidate>], words: &mut SplitMix64) {
        let mut next = self.clone();
        let squares = self.order.len() as u64;
        if words.below(2) == 0 {
            let i = if words.below(2) == 0 { square } else { words.below(squares) as usize };
            next.shapes[i] = Rc::clone(&pools[i][pick(words, pools[i].len())].1);
        }
        if words.below(32) == 0 {
            let mut keys: Vec<(f64, usize)> = Vec::with_capacity(self.order.len());
            for (i, shape) in next.shapes.iter().enumerate() {
                keys.push((f64::from(shape.span) * (1.0 + 0.2 * words.uniform()), i));
            }
            keys.sort_by(|a, b| b.0.total_cmp(&a.0));
            next.order = keys.into_iter().map(|(_, i)| i).collect();
        }
        for _ in 0..words.below(4) {
            let from = words.below(squares) as usize;
            let i = next.order.remove(from);
            let to = match words.below(2) {
                0 => words.below(squares) as usize,
                _ => (from + words.below(17) as usize).saturating_sub(8).min(next.order.len()),
            };
            next.order.insert(to, i);
        }
        if next.pack(self.entries) {
            *self = next;
        }
    }
}

/// The number of a square in [`Line::all`].
fn number(known: &Known) -> usize {
    known.square.index() + if known.rook { 0 } else { 64 }
}

/// Whether every known factor keeps different attacks apart.
pub(super) fn check(known: &[Known], outside: Outside) -> Result<(), KnownError> {
    let mut cells = Cells::new(1 << 12);
    for (index, one) in known.iter().enumerate() {
        let line = Line::new(if one.rook { Slider::Rook } else { Slider::Bishop }, one.square);
        let fixed = outside.squares(line.mask);
        let hash =
            |occupied: u64| ((occupied | fixed).wrapping_mul(one.factor) >> line.fixed_shift()) as usize;
        if !cells.fits(&line.sets, 1 << 12, hash) {
            return Err(KnownError::Clash { number: index, rook: one.rook, square: one.square });
        }
    }
    Ok(())
}

/// Goes on until told to stop, from the table of these factors if they are those of all squares.
pub(super) fn search(run: &mut Run<'_>, outside: Outside, known: &[Known]) {
    let lines = Line::all();
    let mut climbers: Vec<Climber> =
        lines.iter().map(|line| Climber::new(line, outside, run.found.seed, line.fixed_shift())).collect();
    let mut pools: Vec<Vec<Candidate>> = vec![Vec::new(); lines.len()];
    let shape =
        |i: usize, factor| Shape::new(factor, &used(&lines[i], outside.squares(lines[i].mask), factor));
    let mut left: Vec<Option<(Rc<Shape>, u32)>> = vec![None; lines.len()];
    for one in known {
        let i = number(one);
        let shape = shape(i, one.factor);
        left[i] = Some((Rc::new(shape.clone()), one.offset.wrapping_add(shape.low)));
        offer(&mut pools[i], shape);
    }
    let mut cells = Cells::new(1 << 12);
    for (i, (line, climber)) in lines.iter().zip(&climbers).enumerate() {
        if left[i].is_none() {
            let Some(factor) = begin(run, line, climber, &mut cells) else { return };
            offer(&mut pools[i], shape(i, factor));
        }
    }
    let (shapes, places): (Vec<_>, Vec<_>) = left.into_iter().flatten().unzip();
    let is_begun = shapes.len() == lines.len();
    let mut table = if is_begun { Table::again(shapes, places) } else { Table::new(&pools) };
    let mut words = SplitMix64::new(run.found.seed);
    let mut best = u32::MAX;
    for turn in 0.. {
        if !(run.keep_going)(run.found.steps) {
            return;
        }
        let i = if turn < lines.len() { turn } else { neediest(&mut words, &lines, &pools) };
        let (walk, start) = draw(&mut words, &lines, i, &pools, &mut climbers[i]);
        run.found.steps += walk.steps;
        let fixed = climbers[i].fixed;
        climbers[i].anneal(start, &walk, |factor, cost| {
            let pool = &mut pools[i];
            if pool.len() < KEPT || cost < pool[KEPT - 1].0 {
                offer(pool, Shape::new(factor, &used(&lines[i], fixed, factor)));
            }
            true
        });
        // Once all have had one, if there is no table yet.
        let tries = if turn < lines.len() - 1 && !is_begun { 0 } else { 1 + lines[i].sets.len() / SETS };
        if turn == lines.len() - 1 && !is_begun {
            table = Table::new(&pools);
        }
        for _ in 0..tries {
            run.found.steps += 1;
            table.vary(i, &pools, &mut words);
        }
        if table.entries < best {
            best = table.entries;
            enter(run, &lines, &table, outside);
            run.report(best);
        }
    }
}

/// A factor to begin with: of the closest spread that random factors reach.
fn begin(run: &mut Run<'_>, line: &Line, climber: &Climber, cells: &mut Cells) -> Option<u64> {
    const TRIES: u64 = 2_000_000;
    let shift = line.fixed_shift();
    let (size, top) = (line.sets.len() as u32, 1 << (64 - shift));
    for window in [size, size + size / 4, size * 2] {
        let forbidden = climber.forbidden(line.mask, window);
        let (start, keep_going) = (run.found.steps, &mut *run.keep_going);
        let mut more = |steps: u64| steps - start < TRIES && keep_going(steps);
        let found = find(
            line,
            (run.found.seed, window.min(top)),
            cells,
            &mut run.found.steps,
            &mut more,
            |words| Some(sparse(words) & !forbidden),
            |factor, occupied| {
                let base = climber.fixed.wrapping_mul(factor) >> shift;
                (((occupied | climber.fixed).wrapping_mul(factor) >> shift).wrapping_sub(base)) as usize
            },
        );
        if found.is_some() {
            return found;
        }
    }
    find(
        line,
        (run.found.seed, top),
        cells,
        &mut run.found.steps,
        run.keep_going,
        |words| promising(words, line.mask),
        |factor, occupied| ((occupied | climber.fixed).wrapping_mul(factor) >> shift) as usize,
    )
}

/// A square, the likelier the further its best shape is from half its occupancies.
fn neediest(words: &mut SplitMix64, lines: &[Line], pools: &[Vec<Candidate>]) -> usize {
    let need =
        |(line, pool): (&Line, &Vec<Candidate>)| (pool[0].0 / line.sets.len() as f64 - 0.5).max(0.1).powi(2);
    let needs: Vec<f64> = lines.iter().zip(pools).map(need).collect();
    let mut left = words.uniform() * needs.iter().sum::<f64>();
    let taken = |need: &f64| {
        left -= need;
        left < 0.0
    };
    needs.iter().position(taken).unwrap_or(lines.len() - 1)
}

/// Enters the table as it stands.
fn enter(run: &mut Run<'_>, lines: &[Line], table: &Table, outside: Outside) {
    for ((line, shape), at) in lines.iter().zip(&table.shapes).zip(&table.places) {
        let used = used(line, outside.squares(line.mask), shape.factor);
        let bits = used[used.len() - 1].ilog2() + 1;
        run.enter(line, shape.factor, at.wrapping_sub(shape.low), bits, used);
    }
}

/// A walk for a square, and where it starts: from nothing, from what is known, or from what a neighbour has.
fn draw(
    words: &mut SplitMix64,
    lines: &[Line],
    i: usize,
    pools: &[Vec<Candidate>],
    climber: &mut Climber,
) -> (Walk, u64) {
    let line = &lines[i];
    let size = line.sets.len() as f64;
    let top = 1 << (64 - line.fixed_shift());
    let mut one_of = |choices: [f64; 4]| choices[words.below(4) as usize];
    let window = ((size * one_of([1.25, 1.5, 1.5, 2.0])) as u32).min(top);
    let mut walk = Walk {
        steps: if size > 1024.0 { 120_000 } else { 60_000 },
        hot: size * one_of([0.1, 0.15, 0.2, 0.3]),
        cold: 0.02,
        price: one_of([8.0, 8.0, 16.0, 16.0]),
        window,
        down: 0,
        wish: Wish::Close,
    };
    if is_full(line) {
        // The corners, and the bishops of the centre, have no room for clashes.
        walk.steps *= 2;
        walk.hot = size * one_of([0.05, 0.15, 0.25, 0.25]);
        walk.price = one_of([4.0, 16.0, 32.0, 32.0]);
    }
    walk.cold *= walk.hot;
    // Most walks let every blocker count upwards.
    if words.below(4) == 0 {
        walk.down = words.below(u64::from(window)) as u32;
    }
    let start = match words.below(8) {
        0 => {
            walk.hot *= 0.2;
            walk.cold *= 0.2;
            pools[i][pick(words, pools[i].len())].1.factor
        }
        1 | 2 => {
            walk.hot *= 0.3;
            walk.cold *= 0.3;
            let step = [1, 8][words.below(2) as usize];
            let back = words.below(2) == 0;
            let half = i & !63;
            let other = half | (if back { i.wrapping_sub(step) } else { i + step }) & 63;
            let pool = &pools[other];
            let factor = pool[pick(words, pool.len())].1.factor;
            // The same blockers, a file or a rank further.
            if back { factor.rotate_right(step as u32) } else { factor.rotate_left(step as u32) }
        }
        _ => {
            let forbidden = climber.forbidden(line.mask, window);
            climber.draw(forbidden)
        }
    };
    (walk, start)
}

/// Whether there are as many occupancies as indices.
fn is_full(line: &Line) -> bool {
    line.sets.len() == 1 << (64 - line.fixed_shift())
}

/// A place in a pool, more often one of the first.
fn pick(words: &mut SplitMix64, len: usize) -> usize {
    let below = words.below(len as u64) + 1;
    words.below(below) as usize
}

/// Adds a shape to a pool that lacks it, in the order of the costs.
fn offer(pool: &mut Vec<Candidate>, shape: Shape) {
    let cost = Spread::new(&shape.words).cost();
    let place = pool.partition_point(|&(least, _)| least < cost);
    let same = |(least, known): &&Candidate| *least == cost && known.words == shape.words;
    if pool[place..].iter().take_while(|(least, _)| *least == cost).find(same).is_none() {
        pool.insert(place, (cost, Rc::new(shape)));
        pool.truncate(KEPT);
    }
}
