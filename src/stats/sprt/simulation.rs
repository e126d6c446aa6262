//! Tests played out on paper: outcomes drawn from a law, the ratio tested after every one of them.
//!
//! What the error rates and lengths of a test really are, overshoot and regularisation included. Must not know who asks.

use super::tracker::Tracker;
use super::{Decision, Sprt};
use crate::stats::rng::{SplitMix64, mix};
use crate::stats::summary;
use std::sync::atomic::{AtomicBool, Ordering};

/// No test of these laws is as long; one that is ends undecided.
const MOST_OBSERVATIONS: u64 = 50_000_000;

/// The end of one test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    pub decision: Decision,
    /// Pairs, or games.
    pub observations: u64,
}

/// Plays run number `run` of those with this seed: any run can be played by itself, on any thread. `law`: probabilities of the
/// outcomes from worst to best. None if the test has no such form, or once `stop` is set.
pub fn play<const N: usize>(
    sprt: Sprt,
    law: &[f64; N],
    seed: u64,
    run: u64,
    stop: &AtomicBool,
) -> Option<Played> {
    let mut tracker = Tracker::<N>::new(sprt)?;
    let mut rng = SplitMix64::new(mix(seed).wrapping_add(mix(run.wrapping_add(1))));
    for observations in 1..=MOST_OBSERVATIONS {
        let decision = tracker.observe(rng.category(law));
        if decision != Decision::Undecided {
            return Some(Played { decision, observations });
        }
        if observations % 4096 == 0 && stop.load(Ordering::Relaxed) {
            return None;
        }
    }
    Some(Played { decision: Decision::Undecided, observations: MOST_OBSERVATIONS })
}

/// What many runs come to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Operating {
    pub runs: u64,
    /// Share of runs that ended in H1.
    pub pass_rate: f64,
    /// Observations.
    pub mean: f64,
    pub median: f64,
    pub undecided: u64,
}

impl Operating {
    /// None of fewer than two runs.
    pub fn new(played: &[Played]) -> Option<Operating> {
        let lengths: Vec<f64> = played.iter().map(|run| run.observations as f64).collect();
        if played.len() < 2 {
            return None;
        }
        let n = played.len() as f64;
        let count = |decision| played.iter().filter(|run| run.decision == decision).count();
        let pass_rate = count(Decision::H1) as f64 / n;
        Some(Operating {
            runs: played.len() as u64,
            pass_rate,
            mean: summary::mean(&lengths)?,
            median: summary::median(&lengths)?,
            undecided: count(Decision::Undecided) as u64,
        })
    }
}
