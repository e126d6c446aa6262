//! Closed forms that come near the exact log-likelihood ratio: for planning and for the Brownian model of `estimate`.
//!
//! Never used to decide a test: with one-sided results they are far off.

use crate::stats::counts::{Counts, Law};
use crate::stats::scale::NORMALIZED_SCALE;

/// Regularised mean, variance and number of observations.
pub(super) fn moments(counts: &Counts) -> (f64, f64, f64) {
    fn of<const N: usize>(law: Law<N>) -> (f64, f64, f64) {
        (law.mean(), law.variance(), law.total)
    }
    match counts {
        Counts::Trinomial(c) => of(Law::regularised(c)),
        Counts::Pentanomial(c) => of(Law::regularised(c)),
    }
}

/// `N (s1 - s0) (2 s - s0 - s1) / (2 var)`: normal results of known variance, means `score0` and `score1`.
pub fn llr_gauss(counts: &Counts, score0: f64, score1: f64) -> f64 {
    let (mean, variance, n) = moments(counts);
    n * (score1 - score0) * (2.0 * mean - score0 - score1) / (2.0 * variance)
}

/// `N/2 ln [(var + (s - s0)²) / (var + (s - s1)²)]`: normal results of unknown variance.
pub fn llr_log_ratio(counts: &Counts, score0: f64, score1: f64) -> f64 {
    let (mean, variance, n) = moments(counts);
    let about = |score: f64| variance + (mean - score) * (mean - score);
    0.5 * n * (about(score0) / about(score1)).ln()
}

/// The same for normalised Elo: `g/2 ln [(1 + (nt - nt0)²) / (1 + (nt - nt1)²)]` over `g` games.
pub fn llr_normalized_closed_form(counts: &Counts, elo0: f64, elo1: f64) -> f64 {
    let (mean, variance, n) = moments(counts);
    let games = n * counts.games_per_observation();
    let nt = (mean - 0.5) / (variance * counts.games_per_observation()).sqrt();
    let about = |elo: f64| 1.0 + (nt - elo / NORMALIZED_SCALE).powi(2);
    0.5 * games * (about(elo0) / about(elo1)).ln()
}
