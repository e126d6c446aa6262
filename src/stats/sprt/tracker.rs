//! The log-likelihood ratio followed from one observation to the next: what [`Sprt::llr`] gives, some twenty times as fast.
//!
//! One observation hardly moves the laws that maximise the two likelihoods, so each starts from the last one and takes as many Newton
//! steps, and rounds of substitution, as the remaining error asks for: usually one. The ratio is stationary at both laws, so
//! that its own error is of a higher order. For simulations; a match is decided by `Sprt::llr` itself.

use super::{Decision, Model, Sprt, normalized};
use crate::stats::counts::{Counts, Law, REGULARISED_ZERO};
use crate::stats::elo::deviations;
use crate::stats::solve;

/// Largest error of the ratio that ends the refinement, by its own estimate.
const ENOUGH: f64 = 1e-10;
/// Nearer to a bound than this the plain, slow function decides.
const DOUBTFUL: f64 = 1e-4;
/// Of fewer observations than this the laws still jump, and may jump to another of several maxima.
const FEW: f64 = 64.0;
const MOST_ROUNDS: u32 = 30;

/// One hypothesis and the law that fits it best so far.
#[derive(Clone, Debug)]
struct Hypothesis<const N: usize> {
    /// Logistic: the outcomes' points less the mean.
    deviations: [f64; N],
    /// Normalized: the wanted distance of the mean from 1/2 in standard deviations of an observation.
    distance: Option<f64>,
    theta: f64,
    mean: f64,
    sigma: f64,
}

/// A running test: counts and the ratio they give.
#[derive(Clone, Debug)]
pub struct Tracker<const N: usize> {
    sprt: Sprt,
    counts: [u64; N],
    weights: [f64; N],
    total: f64,
    hypotheses: [Hypothesis<N>; 2],
}

impl<const N: usize> Tracker<N> {
    /// None for models other than normalized and logistic, and for anything but games and pairs.
    pub fn new(sprt: Sprt) -> Option<Tracker<N>> {
        if !matches!(sprt.model(), Model::Normalized | Model::Logistic) || !matches!(N, 3 | 5) {
            return None;
        }
        let uniform = Law { p: [1.0 / N as f64; N], total: 1.0 };
        let hypothesis = |elo: f64| {
            let distance = (sprt.model() == Model::Normalized).then(|| normalized::distance::<N>(elo));
            // Of no distance the condition is a mean of 1/2, whatever the deviation.
            let distance = distance.filter(|&t| t != 0.0);
            let deviations = if sprt.model() == Model::Logistic {
                deviations(elo)
            } else {
                Law::<N>::values().map(|a| a - 0.5)
            };
            Hypothesis { deviations, distance, theta: 0.0, mean: 0.5, sigma: uniform.variance().sqrt() }
        };
        Some(Tracker {
            hypotheses: [hypothesis(sprt.elo0()), hypothesis(sprt.elo1())],
            sprt,
            counts: [0; N],
            weights: [REGULARISED_ZERO; N],
            total: REGULARISED_ZERO * N as f64,
        })
    }

    /// Observations so far.
    pub fn counts(&self) -> &[u64; N] {
        &self.counts
    }

    /// Takes one more observation, outcome `0..N` from worst to best, and gives the ratio.
    pub fn add(&mut self, outcome: usize) -> f64 {
        let outcome = outcome.min(N - 1);
        let before = self.weights[outcome];
        self.counts[outcome] += 1;
        self.weights[outcome] = self.counts[outcome] as f64;
        self.total += self.weights[outcome] - before;
        if self.total < FEW {
            return self.plain();
        }
        let [h0, h1] = &mut self.hypotheses;
        let (Some(h0), Some(h1)) =
            (h0.follow(&self.weights, self.total), h1.follow(&self.weights, self.total))
        else {
            return self.plain();
        };
        let mut sum = 0.0;
        for ((&weight, h0), h1) in self.weights.iter().zip(&h0).zip(&h1) {
            sum += weight * (h0 / h1).ln();
        }
        if sum.is_finite() { sum } else { self.plain() }
    }

    /// The same, and what is decided: by the plain function wherever that could make a difference.
    pub fn observe(&mut self, outcome: usize) -> Decision {
        let llr = self.add(outcome);
        let bounds = self.sprt.bounds();
        let doubtful = (llr - bounds.upper).abs() < DOUBTFUL || (llr - bounds.lower).abs() < DOUBTFUL;
        bounds.decide(if doubtful { self.plain() } else { llr })
    }

    fn plain(&self) -> f64 {
        let counts = if N == 3 {
            Counts::Trinomial(std::array::from_fn(|i| self.counts[i]))
        } else {
            Counts::Pentanomial(std::array::from_fn(|i| self.counts[i]))
        };
        self.sprt.llr(&counts).unwrap_or(0.0)
    }
}

impl<const N: usize> Hypothesis<N> {
    /// The factors `1 + theta v_i` by which the best law divides the frequencies; none if they do not settle.
    fn follow(&mut self, weights: &[f64; N], total: f64) -> Option<[f64; N]> {
        let Some(t) = self.distance else {
            let v = self.deviations;
            return self.tilt(weights, total, &v);
        };
        for _ in 0..MOST_ROUNDS {
            let (mean, sigma) = (self.mean, self.sigma);
            let phi = Law::<N>::values().map(|a| {
                let z = (mean - a) / sigma;
                a - 0.5 - 0.5 * t * sigma * (1.0 + z * z)
            });
            let factors = self.tilt(weights, total, &phi)?;
            let (mut first, mut second) = (0.0, 0.0);
            for i in 0..N {
                let q = weights[i] / (total * factors[i]);
                let a = Law::<N>::value(i) - 0.5;
                first += q * a;
                second += q * a * a;
            }
            let variance = second - first * first;
            if variance.is_nan() || variance <= 0.0 {
                return None;
            }
            self.mean = 0.5 + first;
            self.sigma = variance.sqrt();
            // The condition used is tangent to the one meant: its error is of the second order in what has changed.
            let change = ((self.sigma - sigma).powi(2) + (self.mean - mean).powi(2)) / sigma;
            if total * (self.theta * t).abs() * change < ENOUGH {
                return Some(factors);
            }
        }
        // From afar next time.
        (self.theta, self.mean, self.sigma) = (0.0, 0.5, 0.3);
        None
    }

    /// The factors of the law nearest to the frequencies with mean 0 of `v`.
    fn tilt(&mut self, weights: &[f64; N], total: f64, v: &[f64; N]) -> Option<[f64; N]> {
        let rarest = weights.iter().copied().fold(1.0, f64::min);
        for _ in 0..8 {
            let (mut f, mut df) = (0.0, 0.0);
            for i in 0..N {
                let ratio = v[i] / (1.0 + self.theta * v[i]);
                f += weights[i] * ratio;
                df += weights[i] * ratio * ratio;
            }
            let step = f / df;
            self.theta += step;
            let factors = v.map(|v| 1.0 + self.theta * v);
            if !factors.iter().all(|&factor| factor > 0.0) {
                break;
            }
            // What the step gained, in units of the rarest outcome, squared: Newton's bound on what is still to gain where the
            // sum of logarithms is self-concordant, which the weight of the rarest scales.
            if (f * step).powi(2) < ENOUGH * rarest {
                return Some(factors);
            }
        }
        self.theta = solve::tilt(&weights.map(|weight| weight / total), v)?;
        let factors = v.map(|v| 1.0 + self.theta * v);
        factors.iter().all(|&factor| factor > 0.0).then_some(factors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::SplitMix64;

    fn largest_difference<const N: usize>(sprt: Sprt, law: &[f64; N], seed: u64) -> f64 {
        let mut tracker = Tracker::<N>::new(sprt).unwrap();
        let mut rng = SplitMix64::new(seed);
        let mut worst = 0.0_f64;
        for _ in 0..3000 {
            let llr = tracker.add(rng.category(law));
            let plain = tracker.plain();
            worst = worst.max((llr - plain).abs() / (1.0 + plain.abs()));
        }
        assert_eq!(tracker.counts().iter().sum::<u64>(), 3000);
        worst
    }

    #[test]
    fn the_plain_function_is_followed() {
        let pairs = [
            [0.0056, 0.1275, 0.7338, 0.1275, 0.0056],
            [0.005, 0.25, 0.491, 0.249, 0.005],
            [0.0, 0.01, 0.2, 0.5, 0.29],
            [0.2; 5],
            [0.0, 0.0, 1.0, 0.0, 0.0],
        ];
        let games = [[0.24, 0.52, 0.24], [0.0, 0.9, 0.1], [0.05, 0.05, 0.9]];
        for model in [Model::Normalized, Model::Logistic] {
            for (elo0, elo1) in [(0.0, 5.0), (-3.0, 1.0), (0.0, 50.0), (-1.75, 0.25)] {
                let sprt = Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap();
                for (seed, law) in pairs.iter().enumerate() {
                    let worst = largest_difference(sprt, law, seed as u64);
                    assert!(worst < 1e-5, "{model:?} {elo0} {elo1} {law:?}: {worst}");
                }
                for (seed, law) in games.iter().enumerate() {
                    let worst = largest_difference(sprt, law, seed as u64);
                    assert!(worst < 1e-5, "{model:?} {elo0} {elo1} {law:?}: {worst}");
                }
            }
        }
        let bayeselo = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::BayesElo).unwrap();
        assert!(Tracker::<3>::new(bayeselo).is_none());
    }
}
