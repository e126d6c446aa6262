//! Elo, score and normalised Elo: one scale into another.
//!
//! Logistic Elo is the logit of the score; normalised Elo is the score's distance from 1/2 in standard deviations of one
//! game, times a constant that makes the two agree where a game's standard deviation is 1/2
//! (M. Van den Bergh, "Normalized Elo").

use std::f64::consts::LN_10;

/// `800 / ln 10`: normalised Elo per standard deviation of one game.
pub const NORMALIZED_SCALE: f64 = 347.435_585_522_601_46;

/// The 97.5 % quantile of the normal law: half-width of a 95 % interval in standard errors.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// Expected score of a player `elo` stronger than the other: `1 / (1 + 10^(-elo/400))`.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo * LN_10 / 400.0).exp())
}

/// The rating difference that gives this score; infinite at and beyond 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}
