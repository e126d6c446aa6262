//! Annealing of one factor for a fixed shift: single bits, carries and whole shifts of the factor are changed at random, and a
//! worse one is kept with a probability that falls as the temperature does. The cost is a price for each clash and each
//! index outside a window, and the cells used, so that the walk may cross factors that do not work. Our own; the records of page "Magic Bitboards"
//! were reached by other ways that the page does not describe.

use super::line::Line;
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

/// What a factor costs.
#[derive(Clone, Copy, Debug)]
struct Cost {
    total: f64,
    clashes: u32,
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

    /// `weight` times the cells used, and a price for each clash and each index outside the window; stops early beyond the
    /// limit.
    fn cost(&mut self, factor: u64, window: (u32, u32), weight: f64, limit: f64) -> Option<Cost> {
        const PRICE: f64 = 4.0;
        self.stamp += 1;
        if self.stamp == 1 << 24 {
            self.cells.fill(0);
            self.stamp = 1;
        }
        let stamp = self.stamp << 8;
        let cells: &mut [u32; 1 << 12] = self.cells.as_mut_slice().try_into().ok()?;
        // The window may wrap: what lies in the middle is then a hole for other squares.
        let last = u32::MAX >> (self.shift - 32);
        let (mut used, mut clashes) = (0, 0);
        let mut total = 0.0;
        for sets in self.sets.chunks(32) {
            for &(set, number) in sets {
                let index = (set.wrapping_mul(factor) >> self.shift) as u32 & 0xfff;
                let outside = index.wrapping_sub(window.0) & last >= window.1;
                let mark = stamp | u32::from(number);
                let cell = &mut cells[index as usize];
                let free = *cell < stamp;
                clashes += u32::from((!free && *cell != mark) | outside);
                used += u32::from(free);
                *cell = if free { mark } else { *cell };
            }
            total = weight * f64::from(used) + PRICE * f64::from(clashes);
            if total > limit {
                return None;
            }
        }
        Some(Cost { total, clashes })
    }

    /// A neighbour of a factor.
    fn step(&mut self, factor: u64) -> u64 {
        let word = self.words.next_u64();
        let (a, b) = (1 << (word & 63), 1 << (word >> 6 & 63));
        match word >> 12 & 15 {
            0..=5 => factor ^ a,
            6..=8 => factor ^ a ^ b,
            9..=10 => factor.wrapping_add(a),
            11..=12 => factor.wrapping_sub(a),
            13 => factor.wrapping_add(a).wrapping_sub(b),
            14 => factor << 1 | word >> 20 & 1,
            _ => factor >> 1 | word >> 20 << 63,
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

    /// Walks `steps` steps from `start`; the factor with the fewest cells, of those without a clash and with all indices in
    /// the window, on the way.
    pub(super) fn anneal(
        &mut self,
        start: u64,
        mut window: (u32, u32),
        steps: u64,
        hot: f64,
        weight: f64,
    ) -> Option<u64> {
        let mut factor = start;
        let mut cost = self.cost(start, window, weight, f64::INFINITY)?.total;
        let mut best: Option<(f64, u64)> = None;
        for i in 0..steps {
            let rest = 1.0 - i as f64 / steps as f64;
            let temperature = hot * rest * rest + 0.1;
            let (mut next, mut at) = (factor, window);
            if self.frozen == 0 && self.words.next_u64() & 7 == 0 {
                at.0 = at.0.wrapping_add(self.words.next_u64() as u32 & 63).wrapping_sub(32);
            } else {
                next = self.step(factor) & !self.frozen | start & self.frozen;
            }
            let limit = cost - temperature * self.words.uniform().max(1e-12).ln();
            let Some(new) = self.cost(next, at, weight, limit) else { continue };
            (factor, cost, window) = (next, new.total, at);
            if new.clashes == 0 && best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, next));
                if weight == 0.0 {
                    break;
                }
            }
        }
        best.map(|(_, factor)| factor)
    }

    /// The index of the empty board.
    pub(super) fn base(&self, factor: u64) -> u32 {
        (self.fixed.wrapping_mul(factor) >> self.shift) as u32
    }
}

/// The indices that a factor uses with a fixed shift, in rising order.
pub(super) fn used(line: &Line, fixed: u64, factor: u64) -> Vec<u32> {
    let index = |&(set, _): &(u64, u8)| ((set | fixed).wrapping_mul(factor) >> line.fixed_shift()) as u32;
    let mut used: Vec<u32> = line.sets.iter().map(index).collect();
    used.sort_unstable();
    used.dedup();
    used
}
