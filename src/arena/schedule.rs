//! Which pair is what: pair *i* is a pure function of the plan and *i*, so that any worker may play it and no order of
//! finishing can change it. A pair is one opening played twice with colours swapped; the first engine begins with White.
//!
//! Knows numbers only, no openings and no engines. Random order is a keyed permutation without memory: a Feistel network
//! over the next power of four, walked until it lands inside (Black and Rogaway, "Ciphers with arbitrary finite domains",
//! 2002).

use crate::stats::SplitMix64;
use serde::{Deserialize, Serialize};

/// In which order openings are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// As in the file, from `start` on, then again from the top.
    #[default]
    Sequential,
    /// Each opening once in an order drawn by the seed, then all again in another order.
    Random,
    /// Each pair draws one of all openings.
    Replacement,
}

/// What decides the pairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    pub order: Order,
    pub seed: u64,
    /// Openings skipped at the beginning of the order; 0 = none.
    pub skip: u64,
    /// How many openings there are; 0 counts as one (the start position).
    pub openings: u64,
}

/// One pair of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    pub pair: u64,
    /// Index into the openings.
    pub opening: u64,
    /// Seeds: `seeds[game][engine]`.
    pub seeds: [[u64; 2]; 2],
}

impl Pairing {
    /// Which engine (0 or 1) has White in game 0 or 1.
    pub const fn white(game: usize) -> usize {
        game & 1
    }
}

impl Schedule {
    /// Pair `pair`, from 0.
    pub fn pair(&self, pair: u64) -> Pairing {
        let seed = |game, engine| mix(&[self.seed, pair, game, engine]);
        Pairing {
            pair,
            opening: self.opening(pair),
            seeds: [[seed(0, 0), seed(0, 1)], [seed(1, 0), seed(1, 1)]],
        }
    }

    fn opening(&self, pair: u64) -> u64 {
        let count = self.openings.max(1);
        let place = pair.wrapping_add(self.skip);
        match self.order {
            Order::Sequential => place % count,
            Order::Random => permute(place % count, count, mix(&[self.seed, place / count, 0x6f72_6465])),
            // The high half of a product maps 64 random bits to 0..count without a visible bias.
            Order::Replacement => {
                ((u128::from(mix(&[self.seed, place, 0x6472_6177])) * u128::from(count)) >> 64) as u64
            }
        }
    }
}

/// One number out of several: a step of SplitMix64 after each of them.
fn mix(parts: &[u64]) -> u64 {
    parts.iter().fold(0, |state, part| SplitMix64::new(state ^ part).next_u64())
}

/// Where `place` of `0..count` goes in the permutation of that set chosen by `key`.
fn permute(place: u64, count: u64, key: u64) -> u64 {
    if count < 2 {
        return 0;
    }
    // Two halves of equal width; the network's domain is less than four times `count`, so few steps are needed.
    let half = (64 - (count - 1).leading_zeros()).div_ceil(2);
    let mask = (1u64 << half) - 1;
    let mut value = place;
    loop {
        for round in 0..4 {
            let (left, right) = (value >> half, value & mask);
            value = right << half | (left ^ mix(&[key, round, right]) & mask);
        }
        if value < count {
            return value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(order: Order, seed: u64, skip: u64, openings: u64, pairs: u64) -> Vec<u64> {
        let schedule = Schedule { order, seed, skip, openings };
        (0..pairs).map(|pair| schedule.pair(pair).opening).collect()
    }

    #[test]
    fn sequential_starts_where_told_and_wraps_round() {
        assert_eq!(order(Order::Sequential, 1, 0, 8, 9), [0, 1, 2, 3, 4, 5, 6, 7, 0]);
        assert_eq!(order(Order::Sequential, 1, 6, 8, 4), [6, 7, 0, 1]);
        assert_eq!(order(Order::Sequential, 1, 0, 0, 3), [0, 0, 0]);
    }

    #[test]
    fn random_takes_every_opening_once_a_round() {
        for count in [1, 2, 3, 4, 5, 16, 17, 25, 1000, 10_000] {
            let taken = order(Order::Random, 7, 0, count, 2 * count);
            for round in taken.chunks(count as usize) {
                let mut sorted = round.to_vec();
                sorted.sort_unstable();
                assert!(sorted.iter().copied().eq(0..count), "{count}: {round:?}");
            }
            if count >= 16 {
                assert_ne!(taken[..count as usize], taken[count as usize..], "each round has its own order");
            }
        }
        assert_ne!(order(Order::Random, 1, 0, 25, 25), order(Order::Random, 2, 0, 25, 25));
        assert_eq!(order(Order::Random, 1, 5, 25, 20), order(Order::Random, 1, 0, 25, 25)[5..]);
    }

    /// Over many seeds each opening comes first equally often (chi-squared, 24 degrees of freedom: 99.9 % below 51.18).
    #[test]
    fn random_orders_have_no_favourite() {
        for kind in [Order::Random, Order::Replacement] {
            let mut first = [0u32; 25];
            for seed in 0..5000 {
                first[Schedule { order: kind, seed, skip: 0, openings: 25 }.pair(0).opening as usize] += 1;
            }
            let chi2: f64 = first.iter().map(|&n| (f64::from(n) - 200.0).powi(2) / 200.0).sum();
            assert!(chi2 < 51.18, "{kind:?}: {chi2}");
        }
    }

    #[test]
    fn every_player_of_every_game_has_its_own_seed() {
        let schedule = Schedule { order: Order::Sequential, seed: 1, skip: 0, openings: 1 };
        let mut seeds: Vec<u64> = (0..500).flat_map(|pair| schedule.pair(pair).seeds.concat()).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 2000);
    }
}
