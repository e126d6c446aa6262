//! What came out of a match of two, as figures: from the committed pairs and the plan alone.

use super::ledger::Stop;
use super::plan::MatchPlan;
use super::stopping::{Ended, Stopping};
use super::tally::{Conduct, Tally};
use super::validity::Doubts;
use crate::record::{Latency, MatchRow, SprtOutcome};
use crate::stats::{Counts, Decision, EloEstimate, IntervalKind};

/// A finished, or broken off, match of two. All figures are the first engine's view.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchOutcome {
    pub tally: Tally,
    /// Logistic Elo from the pairs; none without one complete pair.
    pub elo: Option<EloEstimate>,
    pub sprt: Option<SprtOutcome>,
    pub stop: Stop,
    /// First engine, second engine.
    pub conduct: [Conduct; 2],
    /// Why the figures are not valid, if they are not.
    pub invalid: Option<String>,
    /// What else should be known before the figures are looked at.
    pub warnings: Vec<String>,
    row: MatchRow,
}

impl MatchOutcome {
    pub fn new(
        plan: &MatchPlan,
        stopping: &Stopping,
        tally: Tally,
        conduct: [Conduct; 2],
        stop: Stop,
        doubts: Doubts,
        latency: [Option<Latency>; 2],
    ) -> MatchOutcome {
        let elo = EloEstimate::new(&Counts::Pentanomial(tally.penta));
        let sprt = sprt_outcome(stopping, &tally, &stop);
        let invalid = (!doubts.invalid.is_empty()).then(|| doubts.invalid.join("; "));
        let interval = elo.as_ref().map(EloEstimate::interval);
        let row = MatchRow {
            name: plan.name.clone(),
            round: None,
            first: plan.engines[0].name.clone(),
            second: plan.engines[1].name.clone(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            penta: tally.penta,
            // Infinite for a one-sided match: that is a result, and the record has a word for it.
            elo: elo.as_ref().and_then(|elo| defined(elo.elo)),
            elo_low: interval.and_then(|interval| defined(interval.low)),
            elo_high: interval.and_then(|interval| defined(interval.high)),
            interval: interval.map_or(IntervalKind::Profile, |interval| interval.kind).id().to_owned(),
            los: elo.as_ref().map(|elo| elo.los),
            nelo: elo.as_ref().and_then(|elo| elo.nelo).and_then(defined),
            sprt: sprt.clone(),
            invalid: invalid.clone(),
            latency,
        };
        MatchOutcome { tally, elo, sprt, stop, conduct, invalid, warnings: doubts.warnings, row }
    }

    /// What the SPRT says; `Undecided` without one.
    pub fn decision(&self) -> Decision {
        match self.stop {
            Stop::Planned(Ended::Decided(decision)) => decision,
            _ => Decision::Undecided,
        }
    }

    /// The record's row.
    pub fn row(&self) -> MatchRow {
        self.row.clone()
    }
}

/// None for what is no number.
fn defined(value: f64) -> Option<f64> {
    Some(value).filter(|value| !value.is_nan())
}

fn sprt_outcome(stopping: &Stopping, tally: &Tally, stop: &Stop) -> Option<SprtOutcome> {
    let sprt = stopping.sprt?;
    let counts = stopping.counts(tally);
    let decision = match stop {
        Stop::Planned(Ended::Decided(decision)) => *decision,
        _ => Decision::Undecided,
    };
    let bounds = sprt.bounds();
    // Pairs that all came out alike say nothing of their spread, which the estimate stands on.
    let is_spread = counts.as_slice().iter().filter(|&&count| count > 0).count() > 1;
    let unbiased = sprt.unbiased_elo(&counts).filter(|_| is_spread);
    let llr = if tally.pairs() == 0 { 0.0 } else { sprt.llr(&counts).unwrap_or(0.0) };
    Some(SprtOutcome {
        verdict: decision.id().to_owned(),
        model: sprt.model().id().to_owned(),
        elo0: sprt.elo0(),
        elo1: sprt.elo1(),
        alpha: sprt.alpha(),
        beta: sprt.beta(),
        llr,
        lower: bounds.lower,
        upper: bounds.upper,
        unbiased: unbiased.and_then(|estimate| defined(estimate.elo)),
        unbiased_low: unbiased.and_then(|estimate| defined(estimate.low)),
        unbiased_high: unbiased.and_then(|estimate| defined(estimate.high)),
    })
}
