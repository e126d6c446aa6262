//! Goes through the stages: measures the new engine, then what it is held against where that has not been measured or written down,
//! and has both judged. Knows who is asked for what; says nothing of what it means.

use super::baseline::{Facts, Names, Signature};
use super::budget::{Alarm, share};
use super::games;
use super::judge::{self, FEWEST, told};
use super::measure::{Ground, Measured, signature_of};
use super::plan::{Against, Plan, speaks_uci};
use super::stage::Stage;
use crate::campaign::Outcome;
use crate::campaign::sequence::{StageError, StageResult, Watch, through};
use crate::record::{Sink, Status, StoreError, Verdict};
use crate::stats::compare::FEWEST_PAIRS;
use crate::subject::{EngineSpec, Session};
use std::time::{Duration, Instant};

/// What is known so far.
#[derive(Default)]
struct Known {
    facts: Facts,
    new: Option<Searched>,
    base: Option<Searched>,
    /// Whether both search the same nodes; none until it is known.
    same: Option<bool>,
}

impl Known {
    /// Notes why there is nothing to keep of a stage.
    fn leave_out(&mut self, stage: Stage, why: &str) {
        self.facts.unmeasured.insert(stage.id().to_owned(), why.to_owned());
    }
}

/// A bench of an engine.
#[derive(Clone)]
struct Searched {
    signature: Signature,
    nps: Option<u64>,
    /// Why it is no signature.
    unfit: Option<String>,
}

/// Runs the stages of the plan; rows and verdicts go to the sink as they come. `session.stop` is the user's flag; the one of
/// `watch.progress` must be another: it ends single stages whose time is up. Returns the verdicts and the facts of the new engine.
///
/// # Errors
/// Only a record that cannot be written.
pub fn run(
    plan: &Plan,
    session: &Session,
    sink: &mut dyn Sink,
    watch: &Watch,
) -> Result<(Outcome, Facts), StoreError> {
    let alarm = Alarm::new(watch.progress.stop_flag(), session.stop.clone());
    let own = Session { stop: Some(watch.progress.stop_flag()), ..session.clone() };
    let mut known = Known::default();
    let begun = Instant::now();
    let stages: Vec<Stage> = Stage::ALL.iter().copied().filter(|stage| plan.stages.contains(stage)).collect();
    let names = stages.iter().map(|stage| stage.id());
    let outcome = alarm.watching(|| {
        through(names, sink, watch, &|| alarm.is_interrupted(), &mut |name, sink| {
            let Some(stage) = Stage::from_id(name) else { return Ok(None) };
            let left = plan.budget.map(|budget| budget.saturating_sub(begun.elapsed()));
            // Branching is read from searches that were made.
            let is_known = stage == Stage::Branching
                && known.new.is_some()
                && (known.base.is_some() || plan.base().is_none());
            if left == Some(Duration::ZERO) && !is_known && needed(plan, &known, stage).is_ok() {
                return Ok(Some(out_of_time(stage, "was not begun: the budget was used up")));
            }
            let later: Vec<Stage> = stages
                .iter()
                .copied()
                .filter(|&later| later > stage && needed(plan, &known, later).is_ok())
                .collect();
            let own_part = left.map(|left| share(left, stage, &later));
            alarm.set(own_part.map(|part| Instant::now() + part));
            let mut ground = Ground { plan, session: &own, progress: &watch.progress, alarm: &alarm, sink };
            match one(&mut ground, &mut known, stage, own_part) {
                Err(StageError::Interrupted | StageError::Failed(_)) if alarm.has_rung() => {
                    Ok(Some(out_of_time(stage, "was not finished: the time for this stage was up")))
                }
                // What only these two could have found is not known.
                Err(StageError::NotApplicable(why)) if is_comparison(plan, stage) => {
                    Ok(Some(not_compared(stage, &why)))
                }
                // The change has nothing to do with it.
                Err(StageError::Failed(why)) if !alarm.is_interrupted() && is_of_base(plan, &why) => {
                    Ok(Some(fault_of_base(stage, &why)))
                }
                // Nor if the base fails here, too.
                Err(StageError::Failed(why)) if !alarm.is_interrupted() && base_fails(&mut ground, stage) => {
                    Ok(Some(fault_of_both(stage, &why)))
                }
                result => result,
            }
        })
    })?;
    Ok((outcome, known.facts))
}

fn out_of_time(stage: Stage, what: &str) -> Verdict {
    let meaning = "Nothing is known from this stage: give the gate more time (--budget), or less to do.";
    // What only informs leaves nothing open.
    let status = if stage == Stage::Branching { Status::Info } else { Status::Inconclusive };
    Verdict { status, ..told(stage, format!("{} {what}", stage.id()), meaning) }
}

/// A stage without which it is not known whether the new engine plays as well as the base.
fn is_comparison(plan: &Plan, stage: Stage) -> bool {
    matches!(stage, Stage::Suites | Stage::Sprt) && plan.base().is_some()
}

fn not_compared(stage: Stage, why: &str) -> Verdict {
    let meaning = "Both were not compared here: nothing is known of their strength from this stage.";
    Verdict { status: Status::Inconclusive, ..told(stage, why, meaning) }
}

/// What goes wrong with an engine is told with its name in front.
fn is_of_base(plan: &Plan, why: &str) -> bool {
    plan.base().is_some_and(|base| why.starts_with(&format!("engine {}: ", base.name)))
}

fn fault_of_base(stage: Stage, why: &str) -> Verdict {
    let meaning = "It is the base that failed here, not the change: there is nothing to compare with until it is mended.";
    let summary = format!("the base could not be measured: {why}");
    Verdict { status: Status::Inconclusive, ..told(stage, summary, meaning) }
}

/// Whether the base cannot be measured either, in a stage in which the new engine has failed.
fn base_fails(ground: &mut Ground<'_>, stage: Stage) -> bool {
    let Some(base) = ground.plan.base() else { return false };
    let failure = match stage {
        Stage::Perft => ground.perft(base).err(),
        Stage::Symmetry => ground.symmetry(base).err(),
        Stage::Signature | Stage::Branching => ground.signature(base, false).err(),
        Stage::Compliance | Stage::Speed | Stage::Suites | Stage::Sprt => None,
    };
    matches!(failure, Some(StageError::Failed(_)))
}

fn fault_of_both(stage: Stage, why: &str) -> Verdict {
    let meaning = "The base fails here, too: the change is not to blame, and nothing can be compared until that is mended.";
    let summary = format!("neither engine could be measured: {why}");
    Verdict { status: Status::Inconclusive, ..told(stage, summary, meaning) }
}

/// Games in which only the nodes count: there the signature says that they would be the same.
fn is_told_by_signature(plan: &Plan, stage: Stage) -> bool {
    let is_timed = |base| plan.games(base).map_or(true, |games| games.is_timed());
    stage == Stage::Suites || !plan.base().is_some_and(is_timed)
}

/// Whether a stage has anything to do; if not, why.
fn needed(plan: &Plan, known: &Known, stage: Stage) -> Result<(), String> {
    let against_engine = plan.base().is_some();
    match stage {
        Stage::Sprt if !against_engine => {
            Err("not played: there is no base engine, and games are not kept in a baseline".to_owned())
        }
        Stage::Speed if !against_engine => {
            Err("not measured: speed is compared with a base engine in the same run, on the same machine"
                .to_owned())
        }
        Stage::Sprt | Stage::Suites
            if against_engine
                && known.same == Some(true)
                && !plan.always_play
                && is_told_by_signature(plan, stage) =>
        {
            Err("not needed: the signature is the same".to_owned())
        }
        Stage::Compliance if !speaks_uci(&plan.new) => {
            Err("not checked: the engine speaks the xboard protocol".to_owned())
        }
        Stage::Suites => match written(plan).and_then(|facts| facts.why_not(stage)) {
            Some(why) => Err(format!("not tried: {} has nothing to compare with: {why}", plan.other())),
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

/// One stage. `part`: the time it may take.
fn one(ground: &mut Ground<'_>, known: &mut Known, stage: Stage, part: Option<Duration>) -> StageResult {
    if let Err(why) = needed(ground.plan, known, stage) {
        if stage == Stage::Compliance {
            known.leave_out(stage, &why);
        }
        return Ok(Some(told(stage, why, "")));
    }
    let verdict = match stage {
        Stage::Compliance => compliance(ground, known)?,
        Stage::Perft => perft(ground, known)?,
        Stage::Symmetry => symmetry(ground, known)?,
        Stage::Signature => signature(ground, known)?,
        Stage::Branching => branching(ground, known)?,
        Stage::Suites => suites(ground, known, part)?,
        Stage::Speed => match ground.plan.base() {
            Some(base) => {
                let (depth, rounds) = speed_sizes(ground.plan, known, part);
                judge::speed(&ground.speed(base, depth, rounds)?, depth, ground.plan.sizes.unclear)
            }
            None => return Ok(None),
        },
        Stage::Sprt => match ground.plan.base() {
            Some(base) => games::sprt(ground, base)?,
            None => return Ok(None),
        },
    };
    Ok(Some(verdict))
}

/// What is written down of the other side.
fn written(plan: &Plan) -> Option<&Facts> {
    match &plan.against {
        Against::File { baseline, .. } => Some(&baseline.facts),
        Against::Engine(_) | Against::Nothing => None,
    }
}

fn compliance(ground: &mut Ground<'_>, known: &mut Known) -> Result<Verdict, StageError> {
    let plan = ground.plan;
    let new = ground.compliance(&plan.new, &[])?;
    let (made, mut found) = new.facts;
    // Some checks look at the clock: on a busy machine one may fail by chance, but hardly twice.
    let mut is_settled = new.is_whole;
    if !found.failed.is_empty() && is_settled {
        let again = ground.compliance(&plan.new, &found.failed)?;
        is_settled = again.is_whole;
        if is_settled {
            found = again.facts.1;
        }
    }
    let mut sins = written(plan).and_then(|facts| facts.compliance.as_ref()).cloned().unwrap_or_default();
    // The other engine is asked only for what the new one fails, and not when the time is up: it would seem to be without fault.
    if let Some(base) = plan.base().filter(|base| speaks_uci(base) && !found.failed.is_empty() && is_settled)
    {
        let asked = ground.compliance(base, &found.failed)?;
        is_settled = asked.is_whole;
        sins = asked.facts.1;
    }
    if matches!(plan.against, Against::Nothing) {
        sins = found.clone();
    }
    let verdict =
        judge::compliance(&plan.new.name, made, &found.failed, &sins.failed, plan.other(), is_settled);
    known.facts.compliance = new.is_whole.then_some(found);
    Ok(verdict)
}

fn perft(ground: &mut Ground<'_>, known: &mut Known) -> Result<Verdict, StageError> {
    let plan = ground.plan;
    match ground.perft(&plan.new)? {
        Ok(found) => {
            let verdict = judge::perft(&plan.new.name, &found);
            known.facts.perft = found.is_whole.then_some(found.facts.facts);
            Ok(verdict)
        }
        Err(why) => {
            known.leave_out(Stage::Perft, &why);
            let meaning = "Without it the generator is checked by the games only, where it forfeits.";
            Ok(told(Stage::Perft, why, meaning))
        }
    }
}

fn symmetry(ground: &mut Ground<'_>, known: &mut Known) -> Result<Verdict, StageError> {
    let plan = ground.plan;
    let new = ground.symmetry(&plan.new)?;
    let of_file = || {
        let facts = written(plan)?.symmetry.clone()?;
        Some(Measured { facts, is_whole: true })
    };
    let base = match plan.base().filter(|_| !plan.new.is_embedded()) {
        Some(base) => {
            let found = ground.symmetry(base)?;
            Some(Measured { facts: found.facts.facts, is_whole: found.is_whole })
        }
        None => of_file(),
    };
    let verdict = judge::symmetry(&plan.new.name, &new, base.as_ref().map(|base| (plan.other(), base)));
    known.facts.symmetry = new.is_whole.then_some(new.facts.facts);
    Ok(verdict)
}

/// Searches the fixed positions with both, unless that is done already; the other side's is none if there is nothing to compare with.
fn searched(ground: &mut Ground<'_>, known: &mut Known) -> Result<(Searched, Option<Searched>), StageError> {
    let (plan, depth) = (ground.plan, ground.plan.sizes.signature_depth);
    let mut bench = |engine: &EngineSpec| {
        let found = ground.signature(engine, true)?;
        let unfit = found.why_no_signature();
        Ok::<_, StageError>(Searched { signature: signature_of(depth, &found), nps: found.nps(), unfit })
    };
    let new = match known.new.take() {
        Some(new) => new,
        None => bench(&plan.new)?,
    };
    known.new = Some(new.clone());
    if let (Some(base), None) = (plan.base(), &known.base) {
        known.base = Some(bench(base)?);
    }
    let of_file = || {
        let facts = written(plan)?;
        let unfit = facts.why_not(Stage::Signature).map(str::to_owned);
        let signature = match &facts.signature {
            None if unfit.is_some() => Signature::default(),
            signature => signature.clone()?,
        };
        Some(Searched { signature, nps: None, unfit })
    };
    let base = known.base.clone().or_else(of_file);
    Ok((new, base))
}

fn signature(ground: &mut Ground<'_>, known: &mut Known) -> Result<Verdict, StageError> {
    let plan = ground.plan;
    let threads = plan.new.threads_in_use();
    if threads > 1 {
        let why = format!("it searches with {threads} threads");
        known.leave_out(Stage::Signature, &why);
        return Ok(judge::no_signature(&plan.new.name, &why, plan.sizes.expect));
    }
    let (new, base) = searched(ground, known)?;
    if let Some(why) = &new.unfit {
        known.leave_out(Stage::Signature, why);
    }
    let both = [(plan.new.name.as_str(), Some(&new)), (plan.other(), base.as_ref())];
    let unfit = both.into_iter().find_map(|(name, found)| Some((name, found?.unfit.as_ref()?)));
    if let Some((name, why)) = unfit {
        known.same = None;
        known.facts.signature = new.unfit.is_none().then(|| new.signature.clone());
        return Ok(judge::no_signature(name, why, plan.sizes.expect));
    }
    let own = new.signature.signature;
    let theirs = base.as_ref().map(|base| base.signature.signature);
    // Only where they differ it matters whether it is a fixed number at all.
    let again = match theirs {
        Some(theirs) if theirs != own => Some(ground.signature(&plan.new, false)?.signature()),
        _ => None,
    };
    let compared = theirs.map(|theirs| (plan.other(), theirs));
    let verdict = judge::signature(&plan.new.name, &new.signature, again, compared, plan.sizes.expect);
    known.same = theirs.map(|theirs| theirs == own);
    known.facts.signature = Some(new.signature);
    Ok(verdict)
}

fn branching(ground: &mut Ground<'_>, known: &mut Known) -> Result<Verdict, StageError> {
    let plan = ground.plan;
    let (new, base) = searched(ground, known)?;
    let base = base.as_ref().map(|base| (plan.other(), &base.signature));
    Ok(judge::branching(&plan.new.name, &new.signature, base))
}

fn suites(ground: &mut Ground<'_>, known: &mut Known, part: Option<Duration>) -> Result<Verdict, StageError> {
    let plan = ground.plan;
    let all =
        Names::load(&plan.sizes.suites).map_err(|error| StageError::Failed(error.to_string()))?.positions();
    let at_most = part.and_then(|part| affordable(plan, known, part)).unwrap_or(usize::MAX);
    // Should that be too many all the same, each has half of the time, and what both came to is compared.
    let (begun, base) = (Instant::now(), plan.base());
    if let (Some(part), Some(_)) = (part, base) {
        ground.alarm.set(Some(begun + part / 2));
    }
    let new = ground.suites(&plan.new, at_most)?;
    let base = match base {
        Some(base) => {
            ground.alarm.set(part.map(|part| begun + part));
            Some(ground.suites(base, at_most)?)
        }
        None => written(plan)
            .and_then(|facts| facts.suites.clone())
            .map(|facts| Measured { facts: facts.into(), is_whole: true }),
    };
    let compared = base.as_ref().map(|base| (plan.other(), base));
    let verdict = judge::suites(&plan.new.name, &new, compared, all, plan.sizes.suite_alpha);
    if new.is_whole && at_most == usize::MAX {
        match new.facts.facts.why_not_ranked() {
            Some(why) => known.leave_out(Stage::Suites, &why),
            None => known.facts.suites = Some(new.facts.facts),
        }
    }
    Ok(verdict)
}

/// Depth and rounds of the comparison of speed: as many as there is time for, if that can be told; where even the fewest do not fit,
/// a smaller depth. `signature` has counted the nodes of each.
fn speed_sizes(plan: &Plan, known: &Known, part: Option<Duration>) -> (u32, u32) {
    let (depth, rounds) = (plan.sizes.speed_depth, plan.sizes.speed_rounds);
    let seconds = |searched: &Option<Searched>, depth: u32| {
        let searched = searched.as_ref()?;
        let nodes = *searched.signature.nodes_by_depth.get(depth as usize - 1)?;
        Some(nodes as f64 / searched.nps? as f64)
    };
    let fitting = |depth: u32| {
        // A fifth is kept back, and a tenth of a second for each start.
        let round = seconds(&known.new, depth)? + seconds(&known.base, depth)? + 0.2;
        Some((0.8 * part?.as_secs_f64() / round) as u32)
    };
    let affordable =
        |depth: u32| Some((depth, rounds.min(fitting(depth).filter(|&n| n >= FEWEST_PAIRS as u32)?)));
    match fitting(depth) {
        None => (depth, rounds),
        Some(_) => (1..=depth).rev().find_map(affordable).unwrap_or((1, rounds.min(FEWEST_PAIRS as u32))),
    }
}

/// How many positions can be tried by all who have to in this time, by the measured speed; none if that is not known.
fn affordable(plan: &Plan, known: &Known, part: Duration) -> Option<usize> {
    let engines = [known.new.as_ref()].into_iter().chain(plan.base().map(|_| known.base.as_ref()));
    let seconds = engines
        .map(|searched| Some(plan.sizes.suite_nodes as f64 / searched?.nps? as f64))
        .sum::<Option<f64>>()
        .filter(|&seconds| seconds > 0.0)?;
    // A fifth is kept back: the speed is measured on other positions.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let positions = 0.8 * part.as_secs_f64() * plan.concurrency.min(cores) as f64 / seconds;
    Some((positions as usize).max(FEWEST))
}
