//! The generalised likelihood ratio for two hypotheses about normalised Elo: the score's distance from 1/2 in standard
//! deviations.
//!
//! With `b = a - 1/2` the hypothesis is `E b = c sqrt(E b²)`, `c = t / sqrt(1 + t²)`. For a fixed scale `s` in place of the
//! root, `E [b - c b² / (2s) - c s / 2] = 0` is one linear condition, solved by a tilt; the law sought has
//! `s² = E b²`. Usually a few rounds of putting the new `s` in find it. Where they do not (hypotheses hundreds of Elo out
//! on one-sided results) the cost as a function of `s` is searched: its wanted stationary point is where `E b² - s²`
//! passes from above to below 0. If the observed |t| is beyond the hypothesis the problem is convex and there is one such
//! point, to be bracketed; otherwise the cheapest of several is taken.

use crate::stats::counts::Law;
use crate::stats::scale::NORMALIZED_SCALE;
use crate::stats::solve::{cost_at, tilt};

/// Rounds of plain substitution before the search takes over.
const ROUNDS: u32 = 100;
/// When substitution has settled. The cost is stationary in `s`: its own error is of the order of the square.
const SETTLED: f64 = 1e-12;
/// Scales looked at by the search where there may be several stationary points.
const GRID: u32 = 200;

/// LLR of normalised Elo `elo1` against `elo0`; every frequency must be positive.
pub fn llr<const N: usize>(law: &Law<N>, elo0: f64, elo1: f64) -> f64 {
    let games_per_observation = if N == 5 { 2.0_f64 } else { 1.0 };
    let per_elo = games_per_observation.sqrt() / NORMALIZED_SCALE;
    law.total * (cost(&law.p, elo0 * per_elo) - cost(&law.p, elo1 * per_elo))
}

/// What the log-likelihood per observation loses if `(mean - 1/2) / sigma` has to be `t`.
fn cost<const N: usize>(p: &[f64; N], t: f64) -> f64 {
    let problem = Problem { p: *p, b: Law::<N>::values().map(|a| a - 0.5), c: t / (1.0 + t * t).sqrt() };
    problem.substitute().unwrap_or_else(|| problem.search())
}

struct Problem<const N: usize> {
    p: [f64; N],
    b: [f64; N],
    c: f64,
}

/// The nearest law at one scale.
#[derive(Clone, Copy)]
struct AtScale {
    cost: f64,
    /// `E b²` of that law, less `s²`.
    excess: f64,
    /// Sign of the multiplier: which side of the condition the results lie on.
    theta: f64,
}

impl<const N: usize> Problem<N> {
    fn at(&self, s: f64) -> Option<AtScale> {
        let phi = self.b.map(|b| b - self.c * b * b / (2.0 * s) - self.c * s / 2.0);
        let theta = tilt(&self.p, &phi)?;
        let mut square = 0.0;
        for ((&p, &b), &phi) in self.p.iter().zip(&self.b).zip(&phi) {
            square += p / (1.0 + theta * phi).max(p) * b * b;
        }
        Some(AtScale { cost: cost_at(&self.p, &phi, theta), excess: square - s * s, theta })
    }

    /// Substitution from the uniform law; none if it fails or does not settle.
    fn substitute(&self) -> Option<f64> {
        let mut s = (self.b.iter().map(|b| b * b).sum::<f64>() / N as f64).sqrt();
        for _ in 0..ROUNDS {
            let here = self.at(s)?;
            let next = (here.excess + s * s).sqrt();
            if (next - s).abs() <= SETTLED {
                return Some(here.cost);
            }
            s = next;
        }
        None
    }

    /// Search over the scale.
    fn search(&self) -> f64 {
        let mean: f64 = (0..N).map(|i| self.p[i] * self.b[i]).sum();
        let square: f64 = (0..N).map(|i| self.p[i] * self.b[i] * self.b[i]).sum();
        let observed = mean / square.sqrt();
        let beyond = if self.c > 0.0 { observed > self.c } else { observed < self.c };
        if beyond { self.search_convex(square.sqrt()) } else { self.search_grid() }
    }

    /// The condition binds around `inside`; away from it the cost falls to 0 on both sides.
    fn search_convex(&self, inside: f64) -> f64 {
        let binding = |s: f64| self.at(s).filter(|here| here.theta * self.c > 0.0);
        let Some(start) = binding(inside) else { return 0.0 };
        let upwards = start.excess > 0.0;
        let (mut low, mut high) = if upwards { (inside, 0.5) } else { (0.0, inside) };
        let mut best = start.cost;
        for _ in 0..100 {
            let s = 0.5 * (low + high);
            if s <= low || s >= high {
                break;
            }
            let here = binding(s);
            best = here.map_or(best, |here| best.max(here.cost));
            if here.map_or(!upwards, |here| here.excess > 0.0) {
                low = s;
            } else {
                high = s;
            }
        }
        best
    }

    fn search_grid(&self) -> f64 {
        let scale = |k: u32| 0.5 * f64::from(k) / f64::from(GRID);
        let mut best = f64::INFINITY;
        let mut before: Option<(f64, AtScale)> = None;
        for k in 1..=GRID {
            let s = scale(k);
            let here = self.at(s);
            if let Some(here) = here {
                best = best.min(here.cost);
                // Left of the feasible scales the cost is infinite: it falls from there.
                let falling = before.is_none_or(|(_, before)| before.excess > 0.0);
                if falling && here.excess <= 0.0 {
                    let (mut low, mut high) = (before.map_or(scale(k - 1), |before| before.0), s);
                    for _ in 0..60 {
                        let middle = 0.5 * (low + high);
                        match self.at(middle) {
                            Some(at) if at.excess <= 0.0 => {
                                high = middle;
                                best = best.min(at.cost);
                            }
                            Some(at) => {
                                low = middle;
                                best = best.min(at.cost);
                            }
                            None => low = middle,
                        }
                    }
                }
            }
            before = here.map(|here| (s, here));
        }
        best
    }
}
