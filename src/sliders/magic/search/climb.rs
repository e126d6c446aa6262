//! Annealing of one factor: single bits, carries and whole shifts of the factor are changed at random, and a worse one is
//! kept with a probability that falls as the temperature does. The cost is a price for each clash and each index outside a
//! window, and how far the cells lie apart, so that the walk may cross factors that do not work. Our own; the records of
//! page "Magic Bitboards" were reached by other ways that the page does not describe.

use super::line::Line;
use super::spread::Spread;
use crate::stats::SplitMix64;
use crate::types::Bitboard;

/// How the blockers become a number to multiply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outside {
    /// Irrelevant squares count as empty.
    Empty,
    /// Irrelevant squares count as occupied (black magics).
    Occupied,
}

impl Outside {
    /// What is set on every board.
    pub(super) fn squares(self, mask: u64) -> u64 {
        match self {
            Outside::Empty => 0,
            Outside::Occupied => !mask,
        }
    }
}

/// A square for the annealing: its occupancies in random order, so that clashes show early.
#[derive(Debug)]
pub(super) struct Climber {
    sets: Vec<(u64, u8)>,
    /// What is set on every board.
    pub(super) fixed: u64,
    shift: u32,
    /// Bits of the factor that the walk leaves alone.
    pub(super) frozen: u64,
    stamp: u32,
    cells: Vec<u32>,
    words: SplitMix64,
}

/// How a walk is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    pub(super) steps: u64,
    /// Temperature at the start, and at the end.
    pub(super) hot: f64,
    pub(super) cold: f64,
    /// Of a clash, and of an index outside the window.
    pub(super) price: f64,
    /// Indices are to be one of so many, from so far below the index of the empty board on.
    pub(super) window: u32,
    pub(super) down: u32,
    pub(super) wish: Wish,
}

/// What a factor is to have beside no clash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wish {
    Nothing,
    /// Few cells.
    Few,
    /// Few cells, close together.
    Close,
}

/// What a factor costs: for its clashes, and for its cells.
#[derive(Clone, Copy, Debug)]
struct Cost {
    clashes: u32,
    cells: f64,
}

impl Cost {
    fn total(self, walk: &Walk) -> f64 {
        walk.price * f64::from(self.clashes) + self.cells
    }
}

impl Climber {
    pub(super) fn new(line: &Line, outside: Outside, seed: u64, shift: u32) -> Climber {
        let mut words = super::random::words(seed, line);
        let fixed = outside.squares(line.mask);
        let mut sets: Vec<(u64, u8)> = line.sets.iter().map(|&(set, number)| (set | fixed, number)).collect();
        words.shuffle(&mut sets);
        // The window is left first by few blockers or nearly all.
        let last = line.bits() - 1;
        sets.sort_by_key(|&(set, _)| (1..last).contains(&(set & line.mask).count_ones()));
        Climber { sets, fixed, shift, frozen: 0, stamp: 0, cells: vec![0; 1 << 12], words }
    }

    /// Stops early beyond the limit, with cells that are taken to cost `floor` at least.
    fn cost(&mut self, factor: u64, walk: &Walk, floor: f64, limit: f64) -> Option<Cost> {
        self.stamp += 1;
        if self.stamp == 1 << 24 {
            self.cells.fill(0);
            self.stamp = 1;
        }
        let stamp = self.stamp << 8;
        let cells: &mut [u32; 1 << 12] = self.cells.as_mut_slice().try_into().ok()?;
        // The window may wrap: what lies in the middle is then a hole for other squares.
        let last = u32::MAX >> (self.shift - 32);
        let low = ((self.fixed.wrapping_mul(factor) >> self.shift) as u32).wrapping_sub(walk.down);
        let (mut used, mut clashes) = (0, 0);
        for sets in self.sets.chunks(32) {
            for &(set, number) in sets {
                let index = (set.wrapping_mul(factor) >> self.shift) as u32 & 0xfff;
                let mark = stamp | u32::from(number);
                let cell = &mut cells[index as usize];
                let free = *cell < stamp;
                let outside = index.wrapping_sub(low) & last >= walk.window;
                clashes += u32::from((!free && *cell != mark) | outside);
                used += u32::from(free);
                *cell = if free { mark } else { *cell };
            }
            if walk.price * f64::from(clashes) + floor > limit {
                return None;
            }
        }
        let cells = match walk.wish {
            Wish::Nothing => 0.0,
            Wish::Few => f64::from(used),
            Wish::Close => Spread::of_stamps(&cells[..1 << (64 - self.shift)], stamp).cost(),
        };
        let cost = Cost { clashes, cells };
        (cost.total(walk) <= limit).then_some(cost)
    }

    /// A neighbour of a factor.
    fn step(&mut self, factor: u64) -> u64 {
        let word = self.words.next_u64();
        let (a, b) = (1u64 << (word & 63), 1u64 << (word >> 6 & 63));
        match word >> 12 & 31 {
            0..=7 => factor ^ a,
            8..=11 => factor ^ a ^ b,
            12..=15 => factor.wrapping_add(a),
            16..=19 => factor.wrapping_sub(a),
            20..=21 => factor.wrapping_add(a).wrapping_sub(b),
            22 => factor << 1 | word >> 20 & 1,
            23 => factor >> 1 | word >> 20 << 63,
            24..=25 => factor.wrapping_add(a.wrapping_mul(3)),
            26..=27 => factor.wrapping_sub(a.wrapping_mul(3)),
            28 => factor.wrapping_add(a).wrapping_add(b),
            29..=30 => factor ^ a.wrapping_mul(3),
            _ => {
                let some = ((1u64 << (word >> 20 & 15)) - 1) << (word & 63);
                factor & !some | self.words.next_u64() & some
            }
        }
    }

    /// The bits of a factor that would lift a single blocker to an index of `window` or more.
    pub(super) fn forbidden(&self, mask: u64, window: u32) -> u64 {
        let bits = self.shift + window.ilog2();
        let high = if bits < 64 { u64::MAX << bits } else { 0 };
        Bitboard(mask).into_iter().fold(0, |forbidden, square| forbidden | high >> square.index())
    }

    /// A random factor without these bits.
    pub(super) fn draw(&mut self, forbidden: u64) -> u64 {
        let mut factor = self.words.next_u64();
        if self.words.next_u64() & 1 == 0 {
            factor &= self.words.next_u64();
        }
        factor & !forbidden
    }

    /// Walks from `start`; tells `visit` of every factor on the way that has neither a clash nor an index outside the window,
    /// with its cost, until that says to stop.
    pub(super) fn anneal(&mut self, start: u64, walk: &Walk, mut visit: impl FnMut(u64, f64) -> bool) {
        /// The cells of a neighbour worth a look cost so much of what they do here at least: a guess, for speed.
        const FLOOR: f64 = 0.8;
        let mut factor = start;
        let Some(mut cost) = self.cost(start, walk, 0.0, f64::INFINITY) else { return };
        for i in 0..walk.steps {
            let temperature = walk.hot * (walk.cold / walk.hot).powf(i as f64 / walk.steps as f64);
            let next = self.step(factor) & !self.frozen | start & self.frozen;
            let limit = cost.total(walk) - temperature * self.words.uniform().max(1e-12).ln();
            let Some(new) = self.cost(next, walk, FLOOR * cost.cells, limit) else { continue };
            (factor, cost) = (next, new);
            if new.clashes == 0 && !visit(factor, cost.cells) {
                return;
            }
        }
    }
}

/// The indices that a factor uses with a fixed shift, in rising order.
pub(super) fn used(line: &Line, fixed: u64, factor: u64) -> Vec<u32> {
    let mut words = [0u64; 64];
    for &(set, _) in &line.sets {
        let index = (set | fixed).wrapping_mul(factor) >> line.fixed_shift();
        words[index as usize / 64 % 64] |= 1 << (index % 64);
    }
    let indices = |(i, &word): (usize, &u64)| {
        Bitboard(word).into_iter().map(move |bit| i as u32 * 64 + bit.index() as u32)
    };
    words.iter().enumerate().flat_map(indices).collect()
}
