//! Percentile bootstrap: the interval of any statistic by drawing from the sample again and again.
//!
//! Source: Efron 1979. A fixed seed makes it reproducible.

use super::rng::SplitMix64;
use super::summary::{quantile, sorted};

/// The central 95 % of `statistic` over `resamples` samples drawn with replacement. None if there are no values, or the
/// statistic is undefined for a resample.
pub fn interval(
    values: &[f64],
    resamples: usize,
    seed: u64,
    statistic: impl Fn(&[f64]) -> Option<f64>,
) -> Option<(f64, f64)> {
    if values.is_empty() {
        return None;
    }
    let mut rng = SplitMix64::new(seed);
    let mut drawn = vec![0.0; values.len()];
    let mut found = Vec::with_capacity(resamples);
    for _ in 0..resamples {
        for slot in &mut drawn {
            *slot = values[rng.below(values.len() as u64) as usize];
        }
        found.push(statistic(&drawn)?);
    }
    let found = sorted(&found);
    Some((quantile(&found, 0.025)?, quantile(&found, 0.975)?))
}
