//! Perft: counts leaves, of suites with known counts or of one position.
//! Source: pages "Perft" and "Perft Results" of the seed documents.
//!
//! The generator of this program counts with a chosen slider backend; a foreign engine counts with `go perft`.

use super::{Progress, TrialError, micros_since, per_second, pool::in_order, session};
use crate::notation::{fen, uci_move};
use crate::record::{PerftRow, Row, Sink, Status, Verdict};
use crate::rules::{self, MoveList, Position};
use crate::sliders::{Backend, Sliders};
use crate::subject::{EngineSpec, Session, Subject};
use crate::suite::{self, PerftCase};
use crate::types::Move;
use crate::with_backend;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// What to count, and how.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Plan {
    /// Suite files; empty = the single position `fen` at `depth`.
    pub suites: Vec<String>,
    pub fen: String,
    pub depth: u32,
    /// Count each root move by itself (single position).
    pub divide: bool,
    /// `None` = found out from each file; for a single position, standard castling.
    pub chess960: Option<bool>,
    /// Slider backend id.
    pub backend: String,
    /// Who counts, by its `go perft`; `None` = the generator of this program with `backend`.
    pub engine: Option<EngineSpec>,
    /// An engine may take so long for one count.
    pub timeout_ms: u64,
    /// Count the last ply by the length of the move list instead of making its moves.
    pub bulk: bool,
    /// Suite counts above this are left out.
    pub max_nodes: Option<u64>,
    /// Threads over the root moves of a single position.
    pub threads: usize,
    /// Counts of a suite made at once.
    pub concurrency: usize,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            suites: Vec::new(),
            fen: fen::format(&Position::startpos()),
            depth: 5,
            divide: false,
            chess960: None,
            backend: Backend::default_backend().id().to_owned(),
            engine: None,
            timeout_ms: 600_000,
            bulk: true,
            max_nodes: None,
            threads: 1,
            concurrency: 1,
        }
    }
}

/// What a perft run found.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    pub positions: u64,
    pub counts: u64,
    pub wrong: u64,
    /// All leaves counted.
    pub nodes: u64,
    /// Sum of the times of all counts.
    pub count_us: u64,
    /// Wall clock of the whole, engine starts included.
    pub time_us: u64,
    /// Root moves of a single position, where a divide was asked for.
    pub divide: Vec<(String, u64)>,
    /// The first wrong count, for people.
    pub first_wrong: Option<String>,
}

impl Summary {
    /// Million nodes per second of the time spent counting (of one worker, where there are several).
    #[must_use]
    pub fn mnps(&self) -> Option<f64> {
        per_second(self.nodes, self.count_us).map(|nps| nps as f64 / 1e6)
    }

    fn add(&mut self, row: &PerftRow) {
        self.counts += 1;
        self.nodes += row.nodes;
        self.count_us += row.time_us;
        if let Some(expected) = row.expected
            && expected != row.nodes
        {
            self.wrong += 1;
            self.first_wrong.get_or_insert_with(|| {
                format!("{} {} depth {}: {} instead of {expected}", row.suite, row.id, row.depth, row.nodes)
            });
        }
    }

    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let speed = self.mnps().map_or_else(|| "n/a".to_owned(), |mnps| format!("{mnps:.1}"));
        let mut summary = format!(
            "{} of {} counts right in {} positions, {:.1} million nodes, {speed} million a second",
            self.counts - self.wrong,
            self.counts,
            self.positions,
            self.nodes as f64 / 1e6
        );
        if let Some(wrong) = &self.first_wrong {
            summary += "; first wrong: ";
            summary += wrong;
        }
        Verdict {
            stage: "perft".to_owned(),
            status: if self.wrong == 0 { Status::Pass } else { Status::Fail },
            summary,
            checks: self.counts,
            failed: self.wrong,
            figures: vec![("nodes".to_owned(), self.nodes.to_string()), ("Mnodes/s".to_owned(), speed)],
            time_ms: self.time_us / 1000,
        }
    }
}

/// Who counts.
enum Counter {
    Generator {
        backend: Backend,
        bulk: bool,
        /// For the root moves of one position; none = the calling thread alone.
        threads: Option<rayon::ThreadPool>,
    },
    Engine {
        subject: Box<Subject>,
        timeout: Duration,
    },
}

impl Counter {
    fn start(plan: &Plan, session: &Session) -> Result<Counter, TrialError> {
        if let Some(spec) = &plan.engine {
            let subject = Box::new(Subject::start_with(spec, session)?);
            return Ok(Counter::Engine { subject, timeout: Duration::from_millis(plan.timeout_ms) });
        }
        let backend = super::backend(&plan.backend)?;
        let shared = plan.suites.is_empty() && plan.threads > 1;
        let threads = shared
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(plan.threads).build())
            .transpose()
            .map_err(|error| TrialError::Plan(format!("{} threads: {error}", plan.threads)))?;
        Ok(Counter::Generator { backend, bulk: plan.bulk, threads })
    }

    fn name(&self) -> &str {
        match self {
            Counter::Generator { backend, .. } => backend.id(),
            Counter::Engine { subject, .. } => subject.name(),
        }
    }

    /// The number of leaves, and their division by root move if the counter makes one anyway.
    fn count(
        &mut self,
        case: &Case<'_>,
        depth: u32,
        progress: &Progress,
    ) -> Result<(u64, Divide), TrialError> {
        match self {
            Counter::Generator { backend, bulk, threads } => {
                let how = How { bulk: *bulk, threads: threads.as_ref(), progress };
                let nodes = with_backend!(*backend, |sliders| how.count(case.position, depth, sliders))?;
                Ok((nodes, Vec::new()))
            }
            // Nobody needs to be asked; engines differ in what `go perft 0` means to them.
            Counter::Engine { .. } if depth == 0 => Ok((1, Vec::new())),
            Counter::Engine { subject, timeout } => {
                let divide = subject.perft(case.fen, depth, case.chess960, *timeout)?;
                Ok((divide.iter().map(|&(_, nodes)| nodes).sum(), divide))
            }
        }
    }

    fn divide(
        &mut self,
        case: &Case<'_>,
        depth: u32,
        progress: &Progress,
    ) -> Result<(u64, Divide), TrialError> {
        match self {
            Counter::Generator { backend, bulk, threads } => {
                let how = How { bulk: *bulk, threads: threads.as_ref(), progress };
                let divided = with_backend!(*backend, |sliders| how.divide(case.position, depth, sliders))?;
                let divide: Divide = divided
                    .into_iter()
                    .map(|(mv, nodes)| (uci_move::format(mv, case.position, case.chess960), nodes))
                    .collect();
                Ok((divide.iter().map(|&(_, nodes)| nodes).sum(), divide))
            }
            Counter::Engine { .. } => self.count(case, depth, progress),
        }
    }
}

/// How the generator counts.
#[derive(Clone, Copy)]
struct How<'a> {
    bulk: bool,
    threads: Option<&'a rayon::ThreadPool>,
    progress: &'a Progress,
}

/// A count is taken in pieces of this many plies, so that an interrupt is seen within about a second. Threads need larger
/// ones to be kept busy.
const PIECE: u32 = 5;
const SHARED_PIECE: u32 = 6;

impl How<'_> {
    fn count<S: Sliders>(self, position: &Position, depth: u32, sliders: S) -> Result<u64, TrialError> {
        if self.progress.is_stopped() {
            return Err(TrialError::Interrupted);
        }
        match self.threads.filter(|_| self.bulk) {
            Some(pool) if depth <= SHARED_PIECE => {
                Ok(pool.install(|| rules::perft_parallel(position, depth, sliders)))
            }
            None if depth <= PIECE && self.bulk => Ok(rules::perft(position, depth, sliders)),
            None if depth <= PIECE => Ok(rules::perft_make(position, depth, sliders)),
            _ => Ok(self.divide(position, depth, sliders)?.iter().map(|&(_, nodes)| nodes).sum()),
        }
    }

    /// The leaves below each root move.
    fn divide<S: Sliders>(
        self,
        position: &Position,
        depth: u32,
        sliders: S,
    ) -> Result<Vec<(Move, u64)>, TrialError> {
        let mut moves = MoveList::new();
        rules::legal_moves(position, sliders, &mut moves);
        let count = |&mv: &Move| {
            let mut child = *position;
            child.play_unchecked(mv);
            Ok((mv, self.count(&child, depth.saturating_sub(1), sliders)?))
        };
        moves.iter().map(count).collect()
    }
}

/// Root moves in UCI form and the leaves below them.
type Divide = Vec<(String, u64)>;

/// A position to count, as read and as written.
struct Case<'a> {
    position: &'a Position,
    fen: &'a str,
    chess960: bool,
}

/// Counts all positions of the plan.
///
/// # Errors
/// Bad input, an engine that fails or cannot count, a sink that cannot be written, the user's interrupt. A wrong count
/// is no error.
pub fn run(
    plan: &Plan,
    base: &Session,
    sink: &mut dyn Sink,
    progress: &Progress,
) -> Result<Summary, TrialError> {
    let session = session(base, progress);
    let start = Instant::now();
    let mut summary = if plan.suites.is_empty() {
        single(plan, &session, sink, progress)?
    } else {
        suites(plan, &session, sink, progress)?
    };
    summary.time_us = micros_since(start);
    Ok(summary)
}

fn suites(
    plan: &Plan,
    session: &Session,
    sink: &mut dyn Sink,
    progress: &Progress,
) -> Result<Summary, TrialError> {
    let mode = plan.chess960.map(super::castling_mode);
    let suites: Vec<(&str, Vec<PerftCase>)> = plan
        .suites
        .iter()
        .map(|name| Ok((suite::file_name(name), suite::load_perft(name, mode)?)))
        .collect::<Result<_, TrialError>>()?;
    let wanted = |nodes: u64| plan.max_nodes.is_none_or(|max| nodes <= max);
    let mut jobs: Vec<(&str, &PerftCase, u32, u64)> = Vec::new();
    for (name, cases) in &suites {
        for case in cases {
            let counts = case.counts.iter().filter(|&&(_, nodes)| wanted(nodes));
            jobs.extend(counts.map(|&(depth, nodes)| (*name, case, depth, nodes)));
        }
    }
    let positions = suites.iter().map(|(_, cases)| cases.len() as u64).sum();
    let mut summary = Summary { positions, ..Summary::default() };
    progress.begin(jobs.len() as u64);
    in_order(
        &jobs,
        plan.concurrency,
        progress,
        || Counter::start(plan, session),
        |counter, &(name, test, depth, expected)| {
            let case = Case { position: &test.position, fen: &test.fen, chess960: test.chess960 };
            let start = Instant::now();
            let (nodes, _) = counter.count(&case, depth, progress)?;
            let time_us = micros_since(start);
            let divide =
                if nodes == expected { Vec::new() } else { counter.divide(&case, depth, progress)?.1 };
            Ok(PerftRow {
                suite: name.to_owned(),
                id: test.id.clone(),
                fen: test.fen.clone(),
                depth,
                counter: counter.name().to_owned(),
                nodes,
                expected: Some(expected),
                time_us,
                divide,
            })
        },
        |row| {
            summary.add(&row);
            Ok(sink.row(Row::Perft(row))?)
        },
    )?;
    Ok(summary)
}

fn single(
    plan: &Plan,
    session: &Session,
    sink: &mut dyn Sink,
    progress: &Progress,
) -> Result<Summary, TrialError> {
    let chess960 = plan.chess960.unwrap_or(false);
    let position = fen::parse(&plan.fen, super::castling_mode(chess960))
        .map_err(|error| TrialError::Plan(error.to_string()))?;
    let case = Case { position: &position, fen: &plan.fen, chess960 };
    progress.begin(1);
    let mut counter = Counter::start(plan, session)?;
    let start = Instant::now();
    let (nodes, divide) = if plan.divide && plan.depth > 0 {
        counter.divide(&case, plan.depth, progress)?
    } else {
        (counter.count(&case, plan.depth, progress)?.0, Vec::new())
    };
    let row = PerftRow {
        suite: "-".to_owned(),
        id: "-".to_owned(),
        fen: plan.fen.clone(),
        depth: plan.depth,
        counter: counter.name().to_owned(),
        nodes,
        expected: None,
        time_us: micros_since(start),
        divide: divide.clone(),
    };
    progress.advance(1);
    let mut summary = Summary { positions: 1, divide, ..Summary::default() };
    summary.add(&row);
    sink.row(Row::Perft(row))?;
    Ok(summary)
}
