//! How long a test will take: Wald's approximations, which leave out the overshoot at the stop.
//!
//! Source: A. Wald, Sequential Analysis (1947); reference README for the units.

use super::{Bounds, Model, Sprt};
use crate::stats::scale::{NORMALIZED_SCALE, score_of_elo};

/// What to expect of a test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Length {
    /// Chance to end in H1.
    pub pass_probability: f64,
    /// Mean number of games.
    pub games: f64,
}

impl Sprt {
    /// If the true difference is `elo` (in the model's unit). `per_game_variance` is that of a game's score: twice the variance of a
    /// pair's mean score; normalised Elo does not need it. None for the models whose bounds
    /// depend on the results, without a positive variance where it is needed, or for an `elo` that is not a number.
    pub fn expected_length(&self, elo: f64, per_game_variance: Option<f64>) -> Option<Length> {
        let effect = |elo: f64| match self.model() {
            Model::Normalized => Some(elo / NORMALIZED_SCALE),
            Model::Logistic => {
                let variance = per_game_variance.filter(|&v| v > 0.0 && v.is_finite())?;
                Some((score_of_elo(elo) - 0.5) / variance.sqrt())
            }
            _ => None,
        };
        if !elo.is_finite() {
            return None;
        }
        let (d0, d1, d) = (effect(self.elo0())?, effect(self.elo1())?, effect(elo)?);
        let variance = (d1 - d0) * (d1 - d0);
        let drift = (d - 0.5 * (d0 + d1)) * (d1 - d0);
        (variance > 0.0).then(|| wald(self.bounds(), drift, variance))
    }
}

/// A random walk of this drift and variance per game between the bounds.
fn wald(bounds: Bounds, drift: f64, variance: f64) -> Length {
    let (a, b) = (bounds.lower, bounds.upper);
    let h = 2.0 * drift / variance;
    if h.abs() * (b - a) < 1e-4 {
        // Between the hypotheses numerator and denominator both vanish: their series.
        let squares = a * a + a * b + b * b;
        let denominator = 1.0 - h * (a + b) / 2.0 + h * h * squares / 6.0;
        let pass = -a / (b - a) * (1.0 - h * a / 2.0 + h * h * a * a / 6.0) / denominator;
        let games = -a * b / variance * (1.0 - h * (a + b) / 3.0 + h * h * squares / 12.0) / denominator;
        return Length { pass_probability: pass, games };
    }
    // Arranged so that no exponential has a positive argument.
    let pass = if h > 0.0 {
        (h * a).exp_m1() / (h * (a - b)).exp_m1()
    } else {
        (h * b).exp() * (-h * a).exp_m1() / (h * (b - a)).exp_m1()
    };
    Length { pass_probability: pass, games: (a + pass * (b - a)) / drift }
}
