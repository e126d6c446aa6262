//! Likelihood ratios of the BayesElo model: a win has probability `1 / (1 + 10^((d - e)/400))`, a loss
//! `1 / (1 + 10^((d + e)/400))`, with `d` the draw parameter.
//!
//! R. Coulom's model as fishtest, OpenBench and cutechess use it. All in logarithms: with few decided games `d` is large
//! and the plain powers overflow.

use super::likelihood;
use crate::stats::counts::Law;
use std::f64::consts::LN_10;

/// `ln(10) / 400`: natural logarithm of the odds per Elo.
const LN_ODDS: f64 = LN_10 / 400.0;

/// The draw parameter, as a natural logarithm of odds, of these frequencies of losses, draws and wins.
fn draw_odds([loss, draw, win]: [f64; 3]) -> f64 {
    // 1 - loss and 1 - win are summed from what is left, or they lose all digits near 1.
    0.5 * ((draw + win) / loss * ((draw + loss) / win)).ln()
}

/// `ln(1 + e^x)`.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// Logarithms of the probabilities of loss and win at a strength difference, all in natural odds.
fn ln_loss_and_win(strength: f64, draw: f64) -> (f64, f64) {
    (-softplus(draw + strength), -softplus(draw - strength))
}

/// The outcomes' points less the score expected at a BayesElo difference. From the probabilities themselves, so that
/// a score near 0 or 1 keeps its digits.
fn deviations(elo: f64, draw: f64) -> [f64; 3] {
    let (ln_loss, ln_win) = ln_loss_and_win(elo * LN_ODDS, draw);
    // A draw has probability win * loss * (10^(2d/400) - 1).
    let half_draw = 0.5 * (ln_win + ln_loss + 2.0 * draw).exp() * -(-2.0 * draw).exp_m1();
    let (won, lost) = (ln_win.exp() + half_draw, ln_loss.exp() + half_draw);
    [-won, 0.5 * (lost - won), lost]
}

/// Bounds in BayesElo turned into scores with the draw parameter of the (regularised) results, then the generalised test.
pub fn generalised(counts: &[u64; 3], elo0: f64, elo1: f64) -> f64 {
    let law = Law::regularised(counts);
    let draw = draw_odds(law.p);
    likelihood::llr_of_deviations(&law, &deviations(elo0, draw), &deviations(elo1, draw))
}

/// The hypotheses as mean scores, with the draw parameter of the (regularised) results.
pub fn scores(counts: &[u64; 3], elo0: f64, elo1: f64) -> (f64, f64) {
    let draw = draw_odds(Law::regularised(counts).p);
    (-deviations(elo0, draw)[0], -deviations(elo1, draw)[0])
}

/// The model's own likelihoods; 0 unless all three results have occurred.
pub fn direct(counts: &[u64; 3], elo0: f64, elo1: f64) -> f64 {
    match Law::plain(counts) {
        Some(law) if counts.iter().all(|&count| count > 0) => {
            model_llr(&law, draw_odds(law.p), elo0 * LN_ODDS, elo1 * LN_ODDS)
        }
        _ => 0.0,
    }
}

/// As cutechess: half a result of each kind added; the bounds are logistic and scaled to BayesElo.
pub fn cutechess(counts: &[u64; 3], elo0: f64, elo1: f64) -> f64 {
    let weights = counts.map(|count| count as f64 + 0.5);
    let total: f64 = weights.iter().sum();
    let law = Law { p: weights.map(|weight| weight / total), total };
    let draw = draw_odds(law.p);
    // 4x / (1 + x)² with x = e^-draw, divided by x above and below.
    let scale = 4.0 / ((0.5 * draw).exp() + (-0.5 * draw).exp()).powi(2);
    model_llr(&law, draw, elo0 * LN_ODDS / scale, elo1 * LN_ODDS / scale)
}

fn model_llr(law: &Law<3>, draw: f64, strength0: f64, strength1: f64) -> f64 {
    let (loss0, win0) = ln_loss_and_win(strength0, draw);
    let (loss1, win1) = ln_loss_and_win(strength1, draw);
    let [loss, draw, win] = law.p;
    // ln(draw) is ln(win) + ln(loss) and a term that does not depend on the strength.
    law.total * ((loss + draw) * (loss1 - loss0) + (win + draw) * (win1 - win0))
}
