//! The stage that plays: a sequential test of whether the new engine is weaker, at fixed nodes unless told otherwise, with a cap on
//! pairs. H1 passes, H0 fails, the cap or the end of the time leaves it open, with what is known by then.

use super::judge::told;
use super::measure::Ground;
use super::plan::Stage;
use crate::arena::ledger::Stop;
use crate::arena::outcome::MatchOutcome;
use crate::arena::plan::MatchPlan;
use crate::campaign::play::{forfeits, openings, played, whole};
use crate::campaign::sequence::StageError;
use crate::record::{Status, Verdict};
use crate::stats::Decision;
use crate::subject::EngineSpec;
use std::borrow::Cow;

pub(super) fn sprt(ground: &mut Ground<'_>, base: &EngineSpec) -> Result<Verdict, StageError> {
    let (plan, sizes) = (ground.plan, &ground.plan.sizes);
    let limited = |engine: &EngineSpec| {
        engine.clone().with_each(&sizes.game_limit).map_err(|error| StageError::Failed(error.to_string()))
    };
    let book = match sizes.openings.as_slice() {
        [] => Cow::Owned(openings()?),
        given => Cow::Borrowed(given),
    };
    let plain = MatchPlan::new(limited(&plan.new)?, limited(base)?, sizes.most_pairs);
    let matched = MatchPlan {
        name: format!("{} v {}", plan.new.name, base.name),
        sprt: Some(sizes.sprt),
        order: sizes.order,
        start: sizes.start,
        plies: sizes.plies,
        concurrency: plan.concurrency,
        seed: plan.seed,
        ..plain
    };
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
    let (limit, own, bounds) = (new.limit.to_string(), forfeits(&outcome.conduct[0]), plan.sprt);
    let bounds = bounds
        .map_or_else(String::new, |sprt| format!("{} to {} Elo, {}", sprt.elo0, sprt.elo1, sprt.model.id()));
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
    let theirs = forfeits(&outcome.conduct[1]);
    for (engine, count) in [(new, own), (base, theirs)].into_iter().filter(|(_, count)| *count > 0) {
        summary += &format!("; {} forfeited {count} games", engine.name);
    }
    for warning in outcome.invalid.iter().chain(&outcome.warnings) {
        summary += &format!("; {warning}");
    }
    let elo0 = plan.sprt.map_or(0.0, |sprt| sprt.elo0);
    let (status, meaning) = match decision {
        _ if own > 0 => {
            (Status::Fail, "It loses games by its conduct: crashes, illegal moves or time.".to_owned())
        }
        _ if outcome.invalid.is_some() => (
            Status::Inconclusive,
            "The machine was too busy for games on a clock: play at fixed nodes.".to_owned(),
        ),
        Decision::H1 => (Status::Pass, format!("It is not weaker by {} Elo.", -elo0)),
        Decision::H0 => (Status::Fail, "It plays weaker than before: the change costs Elo.".to_owned()),
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
