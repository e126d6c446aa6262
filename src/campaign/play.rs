//! The stages that play: a ladder of depths against each other, and a sequential test. An engine plays itself, so the one
//! thing that can be wrong is conduct: time, illegal moves, a process that dies.

use super::course::Course;
use super::sequence::{StageError, StageResult};
use crate::arena::ledger::Stop;
use crate::arena::observer::Observer;
use crate::arena::outcome::MatchOutcome;
use crate::arena::plan::{MatchPlan, SprtPlan};
use crate::arena::run::MatchError;
use crate::arena::schedule::Order;
use crate::arena::tally::Conduct;
use crate::record::{PairRow, Sink, Status, Verdict};
use crate::stats::{Decision, Model};
use crate::subject::{EngineKind, EngineSpec, PlayerLimit, Session};
use crate::suite::{self, Opening, OpeningFormat};
use crate::trial::Progress;

const BOOK: &str = "openings/noob_3moves_sample.epd";

/// Counts committed pairs.
struct Pairs<'a>(&'a Progress);

impl Observer for Pairs<'_> {
    fn pair_committed(&self, _pair: &PairRow) {
        self.0.advance(1);
    }
}

/// Each depth against the one below it: what a ply is worth.
pub(super) fn ladder(course: &mut Course<'_>) -> StageResult {
    let openings = openings()?;
    let (depths, pairs) = (course.sizes.ladder, course.sizes.ladder_pairs);
    course.progress.begin(pairs * depths.len() as u64);
    let mut verdict = Judge::new("ladder");
    for &depth in depths {
        let player =
            |depth: u32| with_limit(&course.plan.engine, &format!("depth {depth}"), depth_limit(depth));
        let mut plan = match_plan(course, player(depth), player(depth - 1), pairs);
        plan.name = format!("depth {depth} v depth {}", depth - 1);
        let outcome = play(course, &plan, &openings)?;
        verdict.take(&plan, &outcome);
        let (elo, low, high) = outcome.elo.as_ref().map_or((f64::NAN, f64::NAN, f64::NAN), |elo| {
            let interval = elo.interval();
            (elo.elo, interval.low, interval.high)
        });
        verdict.figures.push((
            format!("Elo of ply {depth}"),
            format!("{} [{}, {}]", whole(elo), whole(low), whole(high)),
        ));
    }
    Ok(Some(verdict.finish(format!("{} matches of {pairs} pairs", depths.len()), Status::Pass)))
}

/// The engine against a weaker self, until the test decides.
pub(super) fn sprt(course: &mut Course<'_>) -> StageResult {
    let openings = openings()?;
    let nodes = course.sizes.sprt_nodes;
    let engine = &course.plan.engine;
    let (first, second) = match course.sizes.sprt_rival.filter(|_| engine.is_embedded()) {
        Some(setting) => {
            let weaker =
                engine.clone().with_each(setting).map_err(|error| StageError::Failed(error.to_string()))?;
            (with_limit(engine, "base", nodes_limit(nodes)), with_limit(&weaker, setting, nodes_limit(nodes)))
        }
        None => {
            // Some engines have no move to give after a few hundred nodes.
            let nodes = if engine.is_embedded() { nodes } else { nodes.max(4000) };
            let player = |nodes: u64| with_limit(engine, &format!("{nodes} nodes"), nodes_limit(nodes));
            (player(nodes), player(nodes / 2))
        }
    };
    let mut plan = match_plan(course, first, second, course.sizes.sprt_pairs);
    plan.name = format!("{} v {}", plan.engines[0].name, plan.engines[1].name);
    plan.sprt = Some(SprtPlan {
        elo0: 0.0,
        elo1: course.sizes.sprt_elo1,
        alpha: 0.05,
        beta: 0.05,
        model: Model::Normalized,
    });
    course.progress.begin(0);
    let outcome = play(course, &plan, &openings)?;
    let mut verdict = Judge::new("sprt");
    verdict.take(&plan, &outcome);
    let llr = outcome.sprt.as_ref().map_or(0.0, |sprt| sprt.llr);
    verdict.figures.push(("LLR".to_owned(), format!("{llr:.2}")));
    verdict.figures.push(("pairs".to_owned(), outcome.tally.pairs().to_string()));
    let decision = outcome.decision();
    let status = if decision == Decision::Undecided { Status::Inconclusive } else { Status::Pass };
    let summary =
        format!("{}: {} after {} pairs, LLR {llr:.2}", plan.name, decision.id(), outcome.tally.pairs());
    Ok(Some(verdict.finish(summary, status)))
}

/// Elo without decimals; a one-sided match has infinite ends, one without a pair none.
pub(super) fn whole(elo: f64) -> String {
    match elo {
        elo if elo.is_nan() => "n/a".to_owned(),
        elo if elo.is_infinite() => if elo > 0.0 { "∞" } else { "−∞" }.to_owned(),
        elo => format!("{elo:.0}"),
    }
}

/// Collects how the engines behaved: one check for each match.
struct Judge {
    stage: &'static str,
    checks: u64,
    faults: Vec<String>,
    /// Worth knowing, but no fault.
    notes: Vec<String>,
    figures: Vec<(String, String)>,
}

impl Judge {
    fn new(stage: &'static str) -> Judge {
        Judge { stage, checks: 0, faults: Vec::new(), notes: Vec::new(), figures: Vec::new() }
    }

    fn take(&mut self, plan: &MatchPlan, outcome: &MatchOutcome) {
        self.checks += 1;
        let forfeits: u64 = outcome.conduct.iter().map(forfeits).sum();
        if forfeits > 0 {
            self.faults.push(format!("{}: {forfeits} games forfeited", plan.name));
        } else if let Some(why) = &outcome.invalid {
            self.faults.push(format!("{}: {why}", plan.name));
        }
        self.notes.extend(outcome.warnings.iter().map(|warning| format!("{}: {warning}", plan.name)));
    }

    fn finish(self, what: String, status: Status) -> Verdict {
        let failed = self.faults.len() as u64;
        let what = [&[what], self.notes.as_slice()].concat().join("; ");
        let summary = if failed == 0 {
            format!("{what}, no forfeit")
        } else {
            format!("{what}; {}", self.faults.join("; "))
        };
        Verdict {
            stage: self.stage.to_owned(),
            status: if failed == 0 { status } else { Status::Fail },
            summary,
            checks: self.checks,
            failed,
            figures: self.figures,
            meaning: String::new(),
            time_ms: 0,
        }
    }
}

pub(super) fn forfeits(conduct: &Conduct) -> u64 {
    conduct.time_losses + conduct.disconnects + conduct.illegal_moves
}

fn play(course: &mut Course<'_>, plan: &MatchPlan, openings: &[Opening]) -> Result<MatchOutcome, StageError> {
    let outcome = played(plan, openings, course.session, course.progress, &mut *course.sink)?;
    match &outcome.stop {
        Stop::Planned(_) => Ok(outcome),
        Stop::Interrupted => Err(StageError::Interrupted),
        Stop::EngineFailed(why) => Err(StageError::Failed(why.clone())),
    }
}

/// A match, however it ended.
pub(super) fn played(
    plan: &MatchPlan,
    openings: &[Opening],
    session: &Session,
    progress: &Progress,
    sink: &mut dyn Sink,
) -> Result<MatchOutcome, StageError> {
    let played = crate::arena::engines::run(plan, openings, session, sink, &Pairs(progress));
    played.map_err(|error| match error {
        MatchError::Store(error) => StageError::Store(error),
        MatchError::Unfit(why) => StageError::NotApplicable(why),
        other => StageError::Failed(other.to_string()),
    })
}

/// A small book that is there wherever the program is.
pub(super) fn openings() -> Result<Vec<Opening>, StageError> {
    let book = suite::openings(BOOK, Some(OpeningFormat::Epd), None)
        .map_err(|error| StageError::Failed(error.to_string()))?;
    Ok(book.openings)
}

fn match_plan(course: &Course<'_>, first: EngineSpec, second: EngineSpec, pairs: u64) -> MatchPlan {
    MatchPlan {
        order: Order::Random,
        concurrency: course.plan.concurrency,
        seed: course.plan.seed,
        ..MatchPlan::new(first, second, pairs)
    }
}

/// The engine under another name and with a limit of ours.
fn with_limit(engine: &EngineSpec, name: &str, limit: PlayerLimit) -> EngineSpec {
    let mut engine = engine.clone();
    engine.name = name.to_owned();
    engine.limit = limit;
    // Without a clock there is no time to be won by it.
    engine.ponder = false;
    if let EngineKind::Command(command) = &mut engine.kind {
        command.name = name.to_owned();
    }
    engine
}

fn depth_limit(depth: u32) -> PlayerLimit {
    PlayerLimit { depth: Some(depth), ..PlayerLimit::default() }
}

fn nodes_limit(nodes: u64) -> PlayerLimit {
    PlayerLimit { nodes: Some(nodes), ..PlayerLimit::default() }
}
