//! Elo after a sequential test: the plain estimate is biased by stopping when it looks good.
//!
//! The LLR is taken for a Brownian motion between the two bounds. The estimate is the Elo under which a path that ends
//! "lower" than the one seen has probability 1/2, its interval the ones with 0.975 and 0.025; paths are ordered as in fishtest:
//! absorbed at the lower bound, then by height, then absorbed at the upper bound. Probabilities by the method of images.

use super::approximate::moments;
use super::{Bounds, Model, Sprt, bayeselo};
use crate::stats::counts::Counts;
use crate::stats::distribution::scaled_erfc;
use crate::stats::scale::{NORMALIZED_SCALE, score_of_elo};
use crate::stats::solve;
use statrs::function::erf::erfc;
use std::f64::consts::SQRT_2;

/// Elo (logistic) corrected for sequential stopping.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct UnbiasedElo {
    /// Median-unbiased estimate.
    pub elo: f64,
    /// 95 % interval; an end is infinite where no Elo is far enough out.
    pub low: f64,
    pub high: f64,
    /// Likelihood of superiority.
    pub los: f64,
    /// The Brownian log-likelihood ratio, and where and when (in observations) the path is taken to have ended.
    pub llr_gauss: f64,
    pub end_llr: f64,
    pub end_observations: f64,
}

/// Elo searched on each side.
const FAR: f64 = 8000.0;

impl Sprt {
    /// The estimate at the stop, or at any moment before. None without observations.
    pub fn unbiased_elo(&self, counts: &Counts) -> Option<UnbiasedElo> {
        if counts.observations() == 0 {
            return None;
        }
        let (mean, variance, n) = moments(counts);
        let (s0, s1) = self.hypothesis_scores(counts, variance)?;
        let bounds = self.bounds();
        let llr_gauss = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        // Had the path been continuous, it would have stopped at the bound.
        let end = llr_gauss.clamp(bounds.lower, bounds.upper);
        let observations = if end == llr_gauss { n } else { n * end / llr_gauss };
        let path = Path { bounds, end, spread: (s1 - s0) * (s1 - s0) / variance * observations };
        let lower_than = |elo: f64| path.lower_than((score_of_elo(elo) - 0.5 * (s0 + s1)) / (s1 - s0));
        let solve = |probability: f64| {
            let f = |elo: f64| lower_than(elo) - probability;
            let side = if f(0.0) > 0.0 { 1.0 } else { -1.0 };
            let (mut near, mut far) = (0.0, side);
            while (f(far) > 0.0) == (side > 0.0) {
                if far.abs() > FAR {
                    return side * f64::INFINITY;
                }
                (near, far) = (far, 2.0 * far);
            }
            solve::root(f, near, far).unwrap_or(far)
        };
        Some(UnbiasedElo {
            elo: solve(0.5),
            low: solve(0.975),
            high: solve(0.025),
            los: lower_than(0.0),
            llr_gauss,
            end_llr: end,
            end_observations: observations,
        })
    }

    /// The hypotheses as mean scores, in the light of these results.
    fn hypothesis_scores(&self, counts: &Counts, variance: f64) -> Option<(f64, f64)> {
        let (elo0, elo1) = (self.elo0(), self.elo1());
        let scores = match (self.model(), counts) {
            (Model::Normalized, _) => {
                let per_elo = (variance * counts.games_per_observation()).sqrt() / NORMALIZED_SCALE;
                (0.5 + elo0 * per_elo, 0.5 + elo1 * per_elo)
            }
            (Model::Logistic | Model::Cutechess, _) => (score_of_elo(elo0), score_of_elo(elo1)),
            (Model::BayesElo | Model::BayesEloDirect, Counts::Trinomial(c)) => {
                bayeselo::scores(c, elo0, elo1)
            }
            (_, Counts::Pentanomial(_)) => return None,
        };
        (scores.0 < scores.1).then_some(scores)
    }
}

/// A Brownian path from 0 between absorbing bounds, ended at `end` with total variance `spread`.
struct Path {
    bounds: Bounds,
    end: f64,
    spread: f64,
}

impl Path {
    /// Probability of a lower outcome, with `tilt` the drift per variance.
    fn lower_than(&self, tilt: f64) -> f64 {
        let (a, width) = (self.bounds.lower, self.bounds.upper - self.bounds.lower);
        // Images further out than this weigh less than 1e-17.
        let images = (8.0 * self.spread.sqrt() / width).ceil().min(1e6) as i64 + 2;
        let mut sum = 0.0;
        for k in -images..=images {
            let shift = 2.0 * k as f64 * width;
            sum += self.alive_mass(tilt, shift) - self.alive_mass(tilt, 2.0 * a + shift);
            sum += self.absorbed_mass(tilt, shift - a);
        }
        sum.clamp(0.0, 1.0)
    }

    /// Mass of the image starting at `x` that ends between the lower bound and `end`.
    fn alive_mass(&self, tilt: f64, x: f64) -> f64 {
        let deviation = self.spread.sqrt();
        let place = |z: f64| (z - x - tilt * self.spread) / deviation;
        let (from, to) = (place(self.bounds.lower), place(self.end));
        // exp(tilt x) times a normal tail beyond u, both in one exponent: that one is never positive.
        let tail = |u: f64| 0.5 * (tilt * x - 0.5 * u * u).exp() * scaled_erfc(u.abs() / SQRT_2);
        if from >= 0.0 {
            tail(from) - tail(to)
        } else if to <= 0.0 {
            tail(to) - tail(from)
        } else {
            (tilt * x).exp() - tail(from) - tail(to)
        }
    }

    /// Signed mass that the image at distance `b` beyond the lower bound sends through it in time.
    fn absorbed_mass(&self, tilt: f64, b: f64) -> f64 {
        let (v, nu, distance) = (self.spread, tilt.abs(), b.abs());
        let root = (2.0 * v).sqrt();
        let weight = tilt * self.bounds.lower;
        let early = (weight - nu * distance).exp() * erfc((distance - nu * v) / root);
        let late =
            (weight - (b * b + nu * nu * v * v) / (2.0 * v)).exp() * scaled_erfc((distance + nu * v) / root);
        0.5 * (early + late) * b.signum()
    }
}
