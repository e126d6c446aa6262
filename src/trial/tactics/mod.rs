//! Tactics: test positions with best moves, moves to avoid or mates, for one or several engines.
//!
//! Every position starts from a cleared engine, seeded by the position's number, so the result does not depend on which
//! worker had it. Positions without `bm`, `am` or `dm` are shown, not scored. A position may be lost by the engine's death:
//! it is started anew, and only repeated deaths end the run.

mod score;
mod versus;

use super::{
    Progress, TrialError, cleared_search, micros, micros_since, pool::in_order, search_deadline, session,
};
use crate::notation::{fen, uci_move};
use crate::record::{Row, Sink, Status, TacticsRow, Verdict};
use crate::subject::{EngineSpec, Found, HANG_TIMEOUT, Session, Subject};
use crate::suite::{self, TestPosition};
use crate::types::{Bound, Limit, Move};
use score::Tracker;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

pub use versus::{Comparison, Needed, Solution, compare};

/// Which positions, which engines, how long.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Plan {
    /// EPD files, or names of embedded suites.
    pub files: Vec<String>,
    /// `None` = found out from each file.
    pub chess960: Option<bool>,
    /// So many of the positions, evenly spread; `None` = all.
    pub at_most: Option<usize>,
    pub engines: Vec<EngineSpec>,
    /// Limits of one search; those given here go before those of a SPEC. Without any: [`DEFAULT_NODES`].
    pub movetime_ms: Option<u64>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    /// Positions tried at once, each worker with an engine of its own.
    pub concurrency: usize,
    /// A foreign engine under a node or depth limit is stopped after this.
    pub hang_timeout_ms: u64,
    pub seed: u64,
}

/// The limit if nobody names one.
pub const DEFAULT_NODES: u64 = 100_000;

/// An engine that dies so many times in a row, in one worker, is given up.
const DEATHS: u32 = 3;

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            files: Vec::new(),
            chess960: None,
            at_most: None,
            engines: vec![EngineSpec::embedded()],
            movetime_ms: None,
            nodes: None,
            depth: None,
            concurrency: 1,
            hang_timeout_ms: u64::try_from(HANG_TIMEOUT.as_millis()).unwrap_or(u64::MAX),
            seed: 1,
        }
    }
}

impl Plan {
    fn limit(&self, spec: &EngineSpec) -> Limit {
        let own = Limit {
            time: self.movetime_ms.map(Duration::from_millis),
            nodes: self.nodes,
            depth: self.depth,
            ..Limit::default()
        };
        if own != Limit::default() {
            return own;
        }
        let of_spec = spec.limit.search_limit();
        if of_spec == Limit::default() { Limit::nodes(DEFAULT_NODES) } else { of_spec }
    }
}

/// What one engine achieved.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct EngineSummary {
    pub engine: String,
    pub solved: u64,
    /// Positions that are scored; those whose search was not ranked count as unsolved.
    pub total: u64,
    pub shown: u64,
    /// Of the positions with a table of points; both none where there is no such position.
    pub points: Option<u64>,
    pub max_points: Option<u64>,
    /// Searches outside half to twice their limit.
    pub not_obeyed: u64,
    /// Positions on which the engine died, hung or made no legal move.
    pub faults: u64,
    pub nodes: u64,
    /// Sum over the positions.
    pub search_us: u64,
    /// What could not be set as asked, the first fault.
    pub warnings: Vec<String>,
}

/// What all engines achieved.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    pub engines: Vec<EngineSummary>,
    /// Every pair, in the order of the engines.
    pub comparisons: Vec<Comparison>,
    pub time_us: u64,
}

impl Summary {
    /// One verdict an engine. `min_solved` makes it a check; otherwise it informs.
    #[must_use]
    pub fn verdicts(&self, min_solved: Option<u64>) -> Vec<Verdict> {
        self.engines.iter().map(|engine| engine.verdict(min_solved)).collect()
    }
}

impl EngineSummary {
    fn verdict(&self, min_solved: Option<u64>) -> Verdict {
        let status = match min_solved {
            None => Status::Info,
            Some(wanted) if self.solved >= wanted => Status::Pass,
            Some(_) => Status::Fail,
        };
        let mut summary = format!("{}: {} of {} solved", self.engine, self.solved, self.total);
        if let Some(wanted) = min_solved {
            summary += &format!(", wanted {wanted}");
        }
        if let (Some(points), Some(max)) = (self.points, self.max_points) {
            summary += &format!(", {points} of {max} points");
        }
        if self.not_obeyed > 0 {
            summary += &format!(", {} searches outside their limit, not ranked", self.not_obeyed);
        }
        if self.faults > 0 {
            summary += &format!(", {} positions without an answer", self.faults);
        }
        Verdict {
            stage: "tactics".to_owned(),
            status,
            summary,
            checks: self.total,
            failed: if status == Status::Fail { self.total - self.solved } else { 0 },
            figures: vec![("solved".to_owned(), format!("{}/{}", self.solved, self.total))],
            meaning: String::new(),
            time_ms: self.search_us / 1000,
        }
    }

    fn add(&mut self, row: &TacticsRow) {
        if row.is_scored() {
            self.total += 1;
            self.solved += u64::from(row.solved == Some(true));
        } else {
            self.shown += 1;
        }
        if let (Some(points), Some(max)) = (row.points, row.max_points) {
            *self.points.get_or_insert(0) += u64::from(points);
            *self.max_points.get_or_insert(0) += u64::from(max);
        }
        self.nodes += row.nodes.unwrap_or(0);
        self.search_us += row.time_us;
        match row.note.as_deref() {
            None | Some(GAME_OVER) => {}
            Some(Found::NOT_OBEYED) => self.not_obeyed += 1,
            Some(note) => {
                if self.faults == 0 {
                    self.warnings.push(format!("{}, {}: {note}", row.suite, row.id));
                }
                self.faults += 1;
            }
        }
    }
}

/// Note of a position without a legal move; no engine is asked.
const GAME_OVER: &str = "game over";

/// One position of one file.
struct Job<'a> {
    suite: &'a str,
    position: &'a TestPosition,
    number: u64,
}

/// A worker's engine, and how often it died in a row.
struct Worker {
    subject: Option<Subject>,
    deaths: u32,
}

/// Gives every position to every engine, one engine after the other.
///
/// # Errors
/// Bad input, an engine that cannot be started or keeps dying, a sink that cannot be written, the user's interrupt.
pub fn run(
    plan: &Plan,
    base: &Session,
    sink: &mut dyn Sink,
    progress: &Progress,
) -> Result<Summary, TrialError> {
    if plan.files.is_empty() {
        return Err(TrialError::Plan("no file of test positions is named".to_owned()));
    }
    let begun = Instant::now();
    let mode = plan.chess960.map(super::castling_mode);
    let suites = plan
        .files
        .iter()
        .map(|name| Ok((suite::file_name(name), suite::load_positions(name, mode)?)))
        .collect::<Result<Vec<_>, TrialError>>()?;
    let positions =
        suites.iter().flat_map(|(suite, list)| list.iter().map(move |position| (*suite, position)));
    let jobs: Vec<Job<'_>> =
        positions.zip(0..).map(|((suite, position), number)| Job { suite, position, number }).collect();
    let jobs = spread(jobs, plan.at_most);
    progress.begin((jobs.len() * plan.engines.len()) as u64);

    let session = session(base, progress);
    let mut summary = Summary::default();
    let mut rows_by_engine: Vec<Vec<Solution>> = Vec::new();
    for spec in &plan.engines {
        let mut engine = EngineSummary { engine: spec.name.clone(), ..EngineSummary::default() };
        let mut solved = Vec::with_capacity(jobs.len());
        let limit = plan.limit(spec);
        let first = Subject::start_with(spec, &session)?;
        engine.warnings.extend_from_slice(first.warnings());
        // The first worker takes this one over.
        let first = std::sync::Mutex::new(Some(first));
        in_order(
            &jobs,
            plan.concurrency,
            progress,
            || {
                let ready = first.lock().ok().and_then(|mut first| first.take());
                let subject = match ready {
                    Some(subject) => subject,
                    None => Subject::start_with(spec, &session)?,
                };
                Ok(Worker { subject: Some(subject), deaths: 0 })
            },
            |worker, job| worker.try_position(plan, spec, &limit, &session, job),
            |row| {
                engine.add(&row);
                solved.push(Solution { solved: row.solved, nodes: row.solved_nodes, time_us: row.solved_us });
                Ok(sink.row(Row::Tactics(row))?)
            },
        )?;
        summary.engines.push(engine);
        rows_by_engine.push(solved);
    }
    summary.comparisons = compare(&summary.engines, &rows_by_engine);
    for row in summary.comparisons.iter().flat_map(Comparison::rows) {
        sink.row(Row::Comparison(row))?;
    }
    summary.time_us = micros_since(begun);
    Ok(summary)
}

/// So many of them, evenly spread.
fn spread<T>(all: Vec<T>, at_most: Option<usize>) -> Vec<T> {
    let (len, wanted) = (all.len(), at_most.unwrap_or(usize::MAX));
    if wanted >= len {
        return all;
    }
    // The n-th is taken where the count of those wanted so far passes a whole number.
    let is_taken = |index: usize| (index + 1) * wanted / len > index * wanted / len;
    all.into_iter().enumerate().filter(|(index, _)| is_taken(*index)).map(|(_, item)| item).collect()
}

impl Worker {
    fn try_position(
        &mut self,
        plan: &Plan,
        spec: &EngineSpec,
        limit: &Limit,
        session: &Session,
        job: &Job<'_>,
    ) -> Result<TacticsRow, TrialError> {
        let mut row = empty_row(job, spec);
        if !job.position.position.has_legal_move() {
            row.note = Some(GAME_OVER.to_owned());
            row.solved = row.solved.map(|_| false);
            return Ok(row);
        }
        let subject = match &mut self.subject {
            Some(subject) => subject,
            none => none.insert(Subject::start_with(spec, session)?),
        };
        let begun = Instant::now();
        let mut tracker = Tracker::new(job.position);
        let seed = plan.seed.wrapping_add(job.number);
        let position = &job.position.position;
        let deadline = search_deadline(spec, limit, plan.hang_timeout_ms);
        let result = cleared_search(subject, session, seed, position, limit, deadline, &mut |info| {
            if info.bound != Bound::Upper
                && let Some(mv) = info.pv.first(position)
            {
                tracker.see(mv, info);
            }
        });
        match result {
            Ok(found) => {
                self.deaths = 0;
                fill(&mut row, job.position, &found, &tracker);
                Ok(row)
            }
            // It will be no different at the next position.
            Err(TrialError::Subject(error)) if error.is_unable() => Err(error.into()),
            Err(TrialError::Subject(error)) => {
                row.time_us = micros_since(begun);
                row.note = Some(error.to_string());
                if error.is_fatal() {
                    self.subject = None;
                    self.deaths += 1;
                    if self.deaths >= DEATHS {
                        return Err(error.into());
                    }
                }
                Ok(row)
            }
            Err(error) => Err(error),
        }
    }
}

/// The row before the engine has said anything: unsolved, if there is something to solve.
fn empty_row(job: &Job<'_>, spec: &EngineSpec) -> TacticsRow {
    let test = job.position;
    let uci = |moves: &[Move]| -> Vec<String> {
        moves.iter().map(|&mv| uci_move::format(mv, test.chess960)).collect()
    };
    TacticsRow {
        suite: job.suite.to_owned(),
        id: test.id.clone(),
        fen: if test.chess960 { fen::format_shredder(&test.position) } else { fen::format(&test.position) },
        engine: spec.name.clone(),
        best: uci(&test.best),
        avoid: uci(&test.avoid),
        mate_in: test.mate_in,
        played: None,
        solved: test.is_scored().then_some(false),
        points: test.points_of(None),
        max_points: test.max_points(),
        depth: None,
        score: None,
        nodes: None,
        time_us: 0,
        solved_nodes: None,
        solved_us: None,
        solved_depth: None,
        note: None,
    }
}

fn fill(row: &mut TacticsRow, test: &TestPosition, found: &Found, tracker: &Tracker<'_>) {
    row.played = found.best.map(|mv| uci_move::format(mv, test.chess960));
    row.depth = found.depth;
    row.score = found.score.map(|score| score.to_string());
    row.nodes = found.nodes;
    row.time_us = micros(found.time);
    row.points = test.points_of(found.best);
    row.solved = score::solved(test, found.best, found.score);
    if row.solved == Some(true) {
        let (depth, nodes, time) = tracker.since(found);
        row.solved_nodes = nodes;
        row.solved_us = Some(micros(time));
        row.solved_depth = depth;
    }
    if let Some(fault) = found.fault() {
        row.note = Some(fault);
    } else if !found.obeyed {
        // Shown, but not ranked: a deeper or a shallower search than was asked for proves nothing.
        row.note = Some(Found::NOT_OBEYED.to_owned());
        row.solved = None;
        row.points = test.points_of(None);
    }
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn a_part_is_spread_evenly() {
        let all: Vec<usize> = (0..10).collect();
        assert_eq!(spread(all.clone(), Some(5)), [1, 3, 5, 7, 9]);
        assert_eq!(spread(all.clone(), Some(3)), [3, 6, 9]);
        assert_eq!(spread(all.clone(), Some(0)), [0; 0]);
        assert_eq!(spread(all.clone(), Some(10)), all);
        assert_eq!(spread(all.clone(), None), all);
        for wanted in 0..=10 {
            assert_eq!(spread(all.clone(), Some(wanted)).len(), wanted);
        }
    }
}
