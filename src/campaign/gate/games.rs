//! The stage that plays: a sequential test of whether the new engine is weaker, at fixed nodes unless told otherwise, with a cap on
//! pairs. H1 passes, H0 fails, the cap or the end of the time leaves it open, with what is known by then.

use super::judge::told;
use super::measure::Ground;
use super::stage::Stage;
use crate::arena::ledger::Stop;
use crate::arena::outcome::MatchOutcome;
use crate::arena::plan::{MatchPlan, SprtPlan};
use crate::arena::tally::Conduct;
use crate::campaign::play::{forfeits, openings, played, whole};
use crate::campaign::sequence::StageError;
use crate::record::{Status, Verdict};
use crate::stats::Decision;
use crate::stats::compare::mcnemar_fewer;
use crate::subject::EngineSpec;
use std::borrow::Cow;

pub(super) fn sprt(ground: &mut Ground<'_>, base: &EngineSpec) -> Result<Verdict, StageError> {
    let (plan, sizes) = (ground.plan, &ground.plan.sizes);
    let book = match sizes.openings.as_slice() {
        [] => Cow::Owned(openings()?),
        given => Cow::Borrowed(given),
    };
    let matched = plan.games(base).map_err(|error| StageError::Failed(error.to_string()))?;
    ground.progress.begin(sizes.most_pairs);
    let outcome = played(&matched, &book, ground.session, ground.progress, &mut *ground.sink)?;
    match &outcome.stop {
        Stop::Interrupted if !ground.alarm.has_rung() => Err(StageError::Interrupted),
        Stop::EngineFailed(why) => Err(StageError::Failed(why.clone())),
        _ => Ok(judged(&matched, &outcome)),
    }
}

fn judged(plan: &MatchPlan, outcome: &MatchOutcome) -> Verdict {
    let [new, base] = &plan.engines;
    let (pairs, decision) = (outcome.tally.pairs(), outcome.decision());
    let (llr, lower, upper) =
        outcome.sprt.as_ref().map_or((0.0, 0.0, 0.0), |sprt| (sprt.llr, sprt.lower, sprt.upper));
    let interval = outcome.elo.as_ref().map(|elo| elo.interval());
    let elo = outcome.elo.as_ref().map_or(f64::NAN, |elo| elo.elo);
    let [low, high] = [interval.map_or(f64::NAN, |i| i.low), interval.map_or(f64::NAN, |i| i.high)];
    let (limit, bounds) = (new.limit.to_string(), plan.sprt);
    let bounds = bounds
        .map_or_else(String::new, |sprt| format!("{} to {} {}", sprt.elo0, sprt.elo1, sprt.model.unit()));
    let mut summary = format!(
        "{}: {} after {pairs} pairs at {limit} ({bounds}), LLR {llr:.2} in ({lower:.2}, {upper:.2}), Elo {} [{}, {}]",
        plan.name,
        decision.id(),
        whole(elo),
        whole(low),
        whole(high)
    );
    if matches!(outcome.stop, Stop::Interrupted) {
        summary += "; the time was up";
    }
    // Other forfeits are among the warnings.
    for (engine, conduct) in [(new, &outcome.conduct[0]), (base, &outcome.conduct[1])] {
        if conduct.time_losses > 0 && !plan.is_timed() {
            summary += &format!("; {} forfeited {} games on time", engine.name, conduct.time_losses);
        }
    }
    for warning in outcome.invalid.iter().chain(&outcome.warnings) {
        summary += &format!("; {warning}");
    }
    let (status, meaning) = match decision {
        _ if is_at_fault(&outcome.conduct, plan.is_timed(), outcome.invalid.is_some()) => (
            Status::Fail,
            "It loses games by its conduct, and more of them than the base: crashes, illegal moves or time."
                .to_owned(),
        ),
        _ if outcome.invalid.is_some() => {
            let why = if plan.is_timed() {
                "These games are no measure of strength. Where the machine was too busy for a clock, play at fixed nodes."
            } else {
                "These games are no measure of strength: an engine that does not keep to its limit is another one."
            };
            (Status::Inconclusive, why.to_owned())
        }
        Decision::H1 => (Status::Pass, in_words(plan.sprt.as_ref(), true)),
        Decision::H0 => (Status::Fail, in_words(plan.sprt.as_ref(), false)),
        Decision::Undecided => {
            let more = "The games do not decide it: allow more of them (max-pairs), or more time (--budget).";
            (Status::Inconclusive, more.to_owned())
        }
    };
    let penta = outcome.tally.penta.map(|count| count.to_string()).join(",");
    Verdict {
        status,
        checks: 1,
        failed: u64::from(status == Status::Fail),
        figures: vec![
            ("LLR".to_owned(), format!("{llr:.2}")),
            ("pairs".to_owned(), pairs.to_string()),
            ("Elo".to_owned(), format!("{} [{}, {}]", whole(elo), whole(low), whole(high))),
            ("LL,LD,M,WD,WW".to_owned(), penta),
        ],
        ..told(Stage::Sprt, summary, meaning)
    }
}

/// A crash or an illegal move where the base has none is the change's, whatever the machine does. Of losses on time it takes more than the
/// base has, and more than one, in a match that is valid. Without a clock a loss on time is an engine that hangs, which is as bad as a crash.
fn is_at_fault(conduct: &[Conduct; 2], is_timed: bool, is_invalid: bool) -> bool {
    let grave = |conduct: &Conduct| {
        conduct.disconnects + conduct.illegal_moves + if is_timed { 0 } else { conduct.time_losses }
    };
    let [own, theirs] = conduct;
    let (all, of_base) = (forfeits(own), forfeits(theirs));
    match (grave(own), grave(theirs)) {
        (1.., 0) => true,
        // Both do it: more often than chance allows for, if they did it alike.
        (1.., 1..) => !is_invalid && mcnemar_fewer(of_base, all) < 0.05 && all > of_base,
        _ => !is_invalid && all >= 2 && all > of_base,
    }
}

/// What the test has accepted: its upper hypothesis or its lower one.
fn in_words(test: Option<&SprtPlan>, is_upper: bool) -> String {
    let Some(SprtPlan { elo0, elo1, model, .. }) = test else { return String::new() };
    let unit = model.unit();
    match is_upper {
        true if *elo0 < 0.0 => format!("It is not weaker by {} {unit}.", -elo0),
        true => "A gain is shown.".to_owned(),
        false if *elo1 > 0.0 => format!("No gain of {elo1} {unit} is shown."),
        false => "It plays weaker than before: the change costs Elo.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Model;

    #[test]
    fn the_verdict_in_words_fits_the_bounds() {
        let said = |elo0: f64, elo1: f64, model: Model, is_upper: bool| {
            in_words(Some(&SprtPlan { elo0, elo1, alpha: 0.05, beta: 0.05, model }), is_upper)
        };
        assert_eq!(said(-10.0, 0.0, Model::Normalized, true), "It is not weaker by 10 nElo.");
        assert_eq!(said(-5.0, 0.0, Model::Logistic, true), "It is not weaker by 5 Elo.");
        assert_eq!(said(0.0, 5.0, Model::Normalized, true), "A gain is shown.");
        assert_eq!(said(0.0, 5.0, Model::Normalized, false), "No gain of 5 nElo is shown.");
        assert!(said(-10.0, 0.0, Model::Normalized, false).starts_with("It plays weaker"));
    }

    #[test]
    fn only_what_the_base_does_not_do_as_well_is_a_fault() {
        let of = |time_losses, disconnects, illegal_moves| Conduct {
            time_losses,
            disconnects,
            illegal_moves,
            ..Conduct::default()
        };
        let at_fault = |own, theirs, is_timed| is_at_fault(&[own, theirs], is_timed, false);
        for (own, theirs, is_timed, is_fault) in [
            (of(0, 0, 0), of(0, 0, 0), true, false),
            (of(1, 0, 0), of(0, 0, 0), true, false),
            (of(2, 0, 0), of(0, 0, 0), true, true),
            (of(2, 0, 0), of(2, 0, 0), true, false),
            (of(5, 0, 0), of(1, 0, 0), true, true),
            (of(1, 0, 0), of(0, 0, 0), false, true),
            (of(0, 1, 0), of(0, 0, 0), true, true),
            (of(0, 0, 1), of(3, 0, 0), true, true),
            (of(0, 0, 1), of(0, 0, 1), true, false),
            // By hand: nine or ten of ten are 11 in 1024 cases, three or four of four 5 in 16.
            (of(0, 9, 0), of(0, 1, 0), true, true),
            (of(0, 3, 0), of(0, 1, 0), true, false),
            (of(0, 0, 0), of(0, 7, 0), true, false),
        ] {
            assert_eq!(at_fault(own, theirs, is_timed), is_fault, "{own:?} {theirs:?} {is_timed}");
        }
        // A busy machine loses games on time for whom it likes, but makes no illegal move.
        assert!(!is_at_fault(&[of(9, 0, 0), of(2, 0, 0)], true, true));
        assert!(is_at_fault(&[of(9, 0, 1), of(2, 0, 0)], true, true));
    }
}
