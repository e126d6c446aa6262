//! The generalised likelihood ratio for two hypotheses about normalised Elo: the score's distance from 1/2 in standard
//! deviations, `t`.
//!
//! The condition is not linear in the law, but it is once mean and deviation are given; usually a few rounds of putting
//! those of the law just found in give the answer (reference README). Where they do not (one-sided results, hypotheses
//! hundreds of Elo out) a search takes over. With `b = a - 1/2` the hypothesis reads `E b = c sqrt(E b²)`,
//! `c = t / sqrt(1 + t²)`; for a fixed scale `s` in place of the root, `E [b - c b² / (2s) - c s / 2] = 0` is one linear
//! condition, and the law sought has `s² = E b²`: the cost is stationary in `s` there, and `E b² - s²` passes from above to
//! below 0. If the observed `t` lies beyond the hypothesis the problem is convex and there is one such point, to be
//! bracketed; otherwise the cheapest of several is taken.

use crate::stats::counts::Law;
use crate::stats::scale::NORMALIZED_SCALE;
use crate::stats::solve::{cost_at, tilt, tilt_cost};

/// Rounds of plain substitution before the search takes over.
const ROUNDS: u32 = 100;
/// Largest change of a probability when substitution has settled. The cost is stationary there: its own error is of the
/// order of the square.
const SETTLED: f64 = 1e-12;
/// Scales looked at by the search where there may be several stationary points.
const GRID: u32 = 200;

/// LLR of normalised Elo `elo1` against `elo0`; every frequency must be positive.
pub fn llr<const N: usize>(law: &Law<N>, elo0: f64, elo1: f64) -> f64 {
    law.total * (cost(&law.p, distance::<N>(elo0)) - cost(&law.p, distance::<N>(elo1)))
}

/// Normalised Elo as distance of an observation's mean score from 1/2 in its standard deviations.
pub(super) fn distance<const N: usize>(elo: f64) -> f64 {
    let games_per_observation = if N == 5 { 2.0_f64 } else { 1.0 };
    let per_elo = games_per_observation.sqrt() / NORMALIZED_SCALE;
    elo * per_elo
}

/// What the log-likelihood per observation loses if `(mean - 1/2) / sigma` has to be `t`.
fn cost<const N: usize>(p: &[f64; N], t: f64) -> f64 {
    substitute(p, t).unwrap_or_else(|| Search::new(p, t).cost())
}

/// Substitution from the uniform law; none if it fails or does not settle.
fn substitute<const N: usize>(p: &[f64; N], t: f64) -> Option<f64> {
    let mut q = [1.0 / N as f64; N];
    let values = Law::<N>::values();
    for _ in 0..ROUNDS {
        let mean: f64 = q.iter().zip(&values).map(|(q, a)| q * a).sum();
        let variance: f64 = q.iter().zip(&values).map(|(q, a)| q * (a - mean) * (a - mean)).sum();
        let sigma = variance.sqrt();
        let phi = values.map(|a| a - 0.5 - 0.5 * t * sigma * (1.0 + (mean - a) * (mean - a) / variance));
        let theta = tilt(p, &phi)?;
        let mut change = 0.0_f64;
        for ((q, &p), &phi) in q.iter_mut().zip(p).zip(&phi) {
            let next = p / (1.0 + theta * phi).max(p);
            change = change.max((next - *q).abs());
            *q = next;
        }
        if change < SETTLED {
            return Some(cost_at(p, &phi, theta));
        }
    }
    None
}

struct Search<const N: usize> {
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

impl<const N: usize> Search<N> {
    fn new(p: &[f64; N], t: f64) -> Search<N> {
        Search { p: *p, b: Law::<N>::values().map(|a| a - 0.5), c: t / (1.0 + t * t).sqrt() }
    }

    fn at(&self, s: f64) -> Option<AtScale> {
        let phi = self.b.map(|b| b - self.c * b * b / (2.0 * s) - self.c * s / 2.0);
        let theta = tilt(&self.p, &phi)?;
        let mut square = 0.0;
        for ((&p, &b), &phi) in self.p.iter().zip(&self.b).zip(&phi) {
            square += p / (1.0 + theta * phi).max(p) * b * b;
        }
        Some(AtScale { cost: cost_at(&self.p, &phi, theta), excess: square - s * s, theta })
    }

    fn cost(&self) -> f64 {
        if self.c == 0.0 {
            return tilt_cost(&self.p, &self.b);
        }
        if self.is_convex() { self.convex() } else { self.cheapest() }
    }

    /// Whether the observed `t` lies beyond the hypothesis.
    fn is_convex(&self) -> bool {
        let observed = self.mean() / self.scale();
        if self.c > 0.0 { observed > self.c } else { observed < self.c }
    }

    fn mean(&self) -> f64 {
        self.p.iter().zip(&self.b).map(|(p, b)| p * b).sum()
    }

    fn scale(&self) -> f64 {
        self.p.iter().zip(&self.b).map(|(p, b)| p * b * b).sum::<f64>().sqrt()
    }

    /// The condition binds around the observed scale; away from it the cost falls to 0 on both sides.
    fn convex(&self) -> f64 {
        let inside = self.scale();
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

    /// The least cost over all scales.
    fn cheapest(&self) -> f64 {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Two ways to one answer: equal where the problem is convex, and never dearer by search where it is not.
    #[test]
    fn search_agrees_with_substitution() {
        let mut state = 1_u64;
        let mut settled = 0;
        for _ in 0..300 {
            let counts: [u64; 5] = std::array::from_fn(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) % 10_u64.pow((state >> 60) as u32 % 4)
            });
            let law = Law::regularised(&counts);
            for t in [-6.0, -2.0, -0.5, -0.1, -0.01, 0.0, 0.02, 0.2, 1.0, 3.0] {
                let search = Search::new(&law.p, t);
                let (found, n) = (search.cost(), law.total);
                assert!(found.is_finite());
                let Some(substituted) = substitute(&law.p, t) else { continue };
                settled += 1;
                let tolerance = 1e-9 * (1.0 + n * substituted);
                assert!(n * found <= n * substituted + tolerance, "{counts:?} {t}: {found} {substituted}");
                if t == 0.0 || search.is_convex() {
                    assert!((n * (found - substituted)).abs() <= tolerance, "{counts:?} {t}");
                }
            }
        }
        assert!(settled > 1000, "{settled}");
    }
}
