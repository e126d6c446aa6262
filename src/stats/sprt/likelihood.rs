//! The generalised likelihood ratio for two hypotheses about the mean score.
//!
//! The law nearest to the observed frequencies with mean `s` is an exponential tilt of them; the ratio is the difference
//! of two tilting costs (M. Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a
//! distribution").

use crate::stats::counts::{Counts, Law};
use crate::stats::elo::deviations;
use crate::stats::solve::tilt_cost;

/// LLR of logistic Elo `elo1` against `elo0`.
pub fn llr<const N: usize>(law: &Law<N>, elo0: f64, elo1: f64) -> f64 {
    llr_of_deviations(law, &deviations(elo0), &deviations(elo1))
}

/// LLR of two mean scores, each given as every outcome's points less that score.
pub fn llr_of_deviations<const N: usize>(law: &Law<N>, h0: &[f64; N], h1: &[f64; N]) -> f64 {
    law.total * (tilt_cost(&law.p, h0) - tilt_cost(&law.p, h1))
}

/// LLR of logistic Elo `elo1` against `elo0` on the plain frequencies. None without observations.
pub fn llr_unregularised(counts: &Counts, elo0: f64, elo1: f64) -> Option<f64> {
    match counts {
        Counts::Trinomial(c) => Some(llr(&Law::plain(c)?, elo0, elo1)),
        Counts::Pentanomial(c) => Some(llr(&Law::plain(c)?, elo0, elo1)),
    }
}
