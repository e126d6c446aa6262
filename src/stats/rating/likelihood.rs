//! The law of one game given the difference in strength, and what a fit needs of it.
//!
//! Two models. `Half`: a draw is half a win and half a loss, as Elo, Bradley and Terry (1952) and Ordo have it. `Davidson`:
//! draws are a result of their own, `P(draw) = nu sqrt(P(win) P(loss))` (R. Davidson, "On extending the Bradley-Terry model to
//! accommodate ties in paired comparison experiments", 1970). Strengths are natural logarithms of odds here.

use serde::{Deserialize, Serialize};

/// What a draw is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawModel {
    /// Half a win.
    #[default]
    Half,
    /// A third result, more likely the closer the players are.
    Davidson,
}

impl DrawModel {
    pub const ALL: [DrawModel; 2] = [DrawModel::Half, DrawModel::Davidson];

    /// `half` or `davidson`.
    pub const fn id(self) -> &'static str {
        match self {
            DrawModel::Half => "half",
            DrawModel::Davidson => "davidson",
        }
    }

    pub fn from_id(id: &str) -> Option<DrawModel> {
        DrawModel::ALL.into_iter().find(|model| model.id() == id)
    }
}

/// Means, variances and covariance of White's points (1, 1/2, 0) and of "it is a draw".
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments {
    pub points: f64,
    pub points_variance: f64,
    pub draw: f64,
    pub draw_variance: f64,
    pub covariance: f64,
}

/// `ln(1 + e^x)`.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// Of a game in which White is stronger by `x`; `draw` is `ln nu`, none for the model `Half`.
pub(super) fn moments(x: f64, draw: Option<f64>) -> Moments {
    let Some(draw) = draw else {
        let points = (-softplus(-x)).exp();
        let variance = (-softplus(-x) - softplus(x)).exp();
        return Moments { points, points_variance: variance, draw: 0.0, draw_variance: 0.0, covariance: 0.0 };
    };
    let (loss, drawn, win) = davidson(x, draw);
    let points = win + 0.5 * drawn;
    // Win against loss, and draws against either: no cancellation.
    let points_variance = win * loss + 0.25 * drawn * (win + loss);
    Moments {
        points,
        points_variance,
        draw: drawn,
        draw_variance: drawn * (win + loss),
        covariance: 0.5 * drawn * (loss - win),
    }
}

fn davidson(x: f64, draw: f64) -> (f64, f64, f64) {
    let ln_total = ln_total(x, draw);
    ((-ln_total).exp(), (draw + 0.5 * x - ln_total).exp(), (x - ln_total).exp())
}

/// `ln(1 + e^x + e^(draw + x/2))`.
fn ln_total(x: f64, draw: f64) -> f64 {
    let top = x.max(0.0).max(draw + 0.5 * x);
    top + ((-top).exp() + (x - top).exp() + (draw + 0.5 * x - top).exp()).ln()
}

/// Log-likelihood of games by White's half points.
pub(super) fn log_likelihood(games: &[f64; 3], x: f64, draw: Option<f64>) -> f64 {
    let [losses, draws, wins] = *games;
    match draw {
        None => -(wins + 0.5 * draws) * softplus(-x) - (losses + 0.5 * draws) * softplus(x),
        Some(draw) => wins * x + draws * (draw + 0.5 * x) - (losses + draws + wins) * ln_total(x, draw),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Means and variances are the first two derivatives of the likelihood, whichever the model.
    #[test]
    fn moments_are_derivatives() {
        let h = 1e-4;
        for draw in [None, Some(-1.0), Some(0.7), Some(4.0)] {
            for x in [-5.0, -0.3, 0.0, 1.2, 8.0] {
                let m = moments(x, draw);
                let f = |x: f64| -log_likelihood(&[1.0, 0.0, 0.0], x, draw);
                assert!(((f(x + h) - f(x - h)) / (2.0 * h) - m.points).abs() < 1e-7, "{draw:?} {x}");
                let second = (f(x + h) - 2.0 * f(x) + f(x - h)) / (h * h);
                assert!((second - m.points_variance).abs() < 1e-6, "{draw:?} {x}");
                let Some(draw) = draw else { continue };
                let g = |draw: f64| -log_likelihood(&[1.0, 0.0, 0.0], x, Some(draw));
                assert!(((g(draw + h) - g(draw - h)) / (2.0 * h) - m.draw).abs() < 1e-7);
                let second = (g(draw + h) - 2.0 * g(draw) + g(draw - h)) / (h * h);
                assert!((second - m.draw_variance).abs() < 1e-6);
                let mixed =
                    (moments(x, Some(draw + h)).points - moments(x, Some(draw - h)).points) / (2.0 * h);
                assert!((mixed - m.covariance).abs() < 1e-7);
            }
        }
    }
}
