//! Results of a match as counts, and the law of outcomes they estimate.
//!
//! Must not know where the results come from. Pairs (two games from one opening, colours swapped) are one observation:
//! their games are correlated, so the variance has to come from the pairs (pentanomial counts).

use serde::{Deserialize, Serialize};

/// Counts of outcomes, the first engine's view, from worst to best.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Counts {
    /// Games: losses, draws, wins.
    Trinomial([u64; 3]),
    /// Pairs: LL, LD, DD+WL, WD, WW.
    Pentanomial([u64; 5]),
}

impl Counts {
    /// From wins, draws and losses, in the order people write them.
    pub const fn from_wdl(wins: u64, draws: u64, losses: u64) -> Counts {
        Counts::Trinomial([losses, draws, wins])
    }

    /// The counts, from worst to best.
    pub fn as_slice(&self) -> &[u64] {
        match self {
            Counts::Trinomial(counts) => counts,
            Counts::Pentanomial(counts) => counts,
        }
    }

    /// Games or pairs counted.
    pub fn observations(&self) -> u64 {
        self.as_slice().iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        match self {
            Counts::Trinomial(_) => self.observations(),
            Counts::Pentanomial(_) => self.observations().saturating_mul(2),
        }
    }

    /// Games per observation: 1 or 2.
    pub const fn games_per_observation(&self) -> f64 {
        match self {
            Counts::Trinomial(_) => 1.0,
            Counts::Pentanomial(_) => 2.0,
        }
    }

    /// The same results seen by the other engine.
    #[must_use]
    pub fn reversed(mut self) -> Counts {
        match &mut self {
            Counts::Trinomial(counts) => counts.reverse(),
            Counts::Pentanomial(counts) => counts.reverse(),
        }
        self
    }
}

/// What zero counts become where a method needs every outcome to be possible (fishtest's regularisation).
pub(super) const REGULARISED_ZERO: f64 = 1e-3;

/// Frequencies of `N` outcomes worth `0, 1/(N-1), …, 1` points, and how many observations they stand on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Law<const N: usize> {
    /// Frequencies; they sum to 1.
    pub p: [f64; N],
    /// Observations.
    pub total: f64,
}

impl<const N: usize> Law<N> {
    /// The plain frequencies; none without observations.
    pub fn plain(counts: &[u64; N]) -> Option<Law<N>> {
        let total: f64 = counts.iter().map(|&c| c as f64).sum();
        (total > 0.0).then(|| Law { p: counts.map(|c| c as f64 / total), total })
    }

    /// Frequencies with zero counts replaced by 0.001.
    pub fn regularised(counts: &[u64; N]) -> Law<N> {
        Law::weighted(counts.map(|c| if c == 0 { REGULARISED_ZERO } else { c as f64 }))
    }

    /// From weights, at least one of them positive.
    fn weighted(weights: [f64; N]) -> Law<N> {
        let total: f64 = weights.iter().sum();
        Law { p: weights.map(|w| w / total), total }
    }

    /// Points of outcome `i`.
    pub fn value(i: usize) -> f64 {
        i as f64 / (N - 1) as f64
    }

    /// All points, in order.
    pub fn values() -> [f64; N] {
        std::array::from_fn(Self::value)
    }

    /// Mean score, in [0, 1].
    pub fn mean(&self) -> f64 {
        self.expect(|a| a)
    }

    /// Population variance of the score (divisor: the number of observations).
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        self.expect(|a| (a - mean) * (a - mean))
    }

    /// Mean of a function of the score.
    pub fn expect(&self, f: impl Fn(f64) -> f64) -> f64 {
        self.p.iter().enumerate().map(|(i, p)| p * f(Self::value(i))).sum()
    }
}
