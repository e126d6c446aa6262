//! Perft: counts leaves, of suites with known counts or of one position.
//! Source: pages "Perft" and "Perft Results" of the seed documents.
//!
//! One of the generators of this program counts, or a foreign engine with `go perft`.

use super::generators::{Generator, Node};
use super::{Progress, TrialError, micros, micros_since, per_second, pool::in_order, session};
use crate::notation::{fen, uci_move};
use crate::record::{PerftRow, Row, Sink, Status, Verdict};
use crate::rules::{MAX_PERFT_DEPTH, PerftTable, Position};
use crate::sliders::Backend;
use crate::subject::{EngineSpec, Session, Subject};
use crate::suite::{self, PerftCase};
use crate::types::Move;
use rayon::prelude::*;
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
    /// Generator id.
    pub generator: String,
    /// Slider backend id. Any other than the default one goes with the `legal` generator alone.
    pub backend: String,
    /// Who counts, by its `go perft`; `None` = `generator`.
    pub engine: Option<EngineSpec>,
    /// An engine may take so long for one count.
    pub timeout_ms: u64,
    /// Count the last ply by the length of the move list instead of making its moves.
    pub bulk: bool,
    /// MiB of a table of counts already made, for a single position and the generator `legal`.
    pub hash_mib: Option<usize>,
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
            generator: Generator::Legal.id().to_owned(),
            backend: Backend::default_backend().id().to_owned(),
            engine: None,
            timeout_ms: 600_000,
            bulk: true,
            hash_mib: None,
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
        // Whatever an engine answers.
        self.nodes = self.nodes.saturating_add(row.nodes);
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
            meaning: String::new(),
            time_ms: self.time_us / 1000,
        }
    }
}

/// Who counts.
enum Counter {
    Generator {
        generator: Generator,
        backend: Backend,
        bulk: bool,
        /// For the root moves of one position; none = the calling thread alone.
        threads: Option<rayon::ThreadPool>,
        table: Option<PerftTable>,
    },
    Engine {
        subject: Box<Subject>,
        timeout: Duration,
    },
}

impl Plan {
    /// The table of counts, where one is asked for and can be used.
    fn table(&self, generator: Generator) -> Result<Option<PerftTable>, TrialError> {
        let Some(mib) = self.hash_mib else { return Ok(None) };
        if generator != Generator::Legal || !self.bulk || !self.suites.is_empty() {
            let only = "a hash table is for one position, the generator `legal` and bulk counting only";
            return Err(TrialError::Plan(only.to_owned()));
        }
        if mib == 0 {
            return Err(TrialError::Plan("hash: at least 1 MiB, not 0".to_owned()));
        }
        PerftTable::new(mib).map(Some).map_err(|_| TrialError::Plan(format!("hash: no memory for {mib} MiB")))
    }

    /// Threads for the root moves of a single position; none = the calling thread alone.
    pub(super) fn pool(&self) -> Result<Option<rayon::ThreadPool>, TrialError> {
        pool(if self.suites.is_empty() { self.threads } else { 1 })
    }
}

/// So many threads for the root moves of a position; none = the calling thread alone.
pub(super) fn pool(threads: usize) -> Result<Option<rayon::ThreadPool>, TrialError> {
    (threads > 1)
        .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build())
        .transpose()
        .map_err(|error| TrialError::Plan(format!("{threads} threads: {error}")))
}

impl Counter {
    fn start(plan: &Plan, session: &Session) -> Result<Counter, TrialError> {
        if let Some(spec) = &plan.engine {
            let subject = Box::new(Subject::start_with(spec, session)?);
            return Ok(Counter::Engine { subject, timeout: Duration::from_millis(plan.timeout_ms) });
        }
        let (generator, backend) =
            (Generator::named(&plan.generator)?, super::supported_backend(&plan.backend)?);
        if generator != Generator::Legal && backend != Backend::default_backend() {
            return Err(TrialError::Plan(format!(
                "the slider backend can be chosen for the generator `legal` only, not for `{}`",
                generator.id()
            )));
        }
        if !plan.bulk && !generator.makes_leaves() {
            return Err(TrialError::Plan(format!("`{}` counts in bulk by its nature", generator.id())));
        }
        let (threads, table) = (plan.pool()?, plan.table(generator)?);
        Ok(Counter::Generator { generator, backend, bulk: plan.bulk, threads, table })
    }

    fn name(&self) -> &str {
        match self {
            Counter::Generator { generator, .. } => generator.id(),
            Counter::Engine { subject, .. } => subject.name(),
        }
    }

    /// The number of leaves, and their division by root move if the counter makes one anyway.
    fn count(&mut self, case: &PerftCase, depth: u32, progress: &Progress) -> Result<Counted, TrialError> {
        let start = Instant::now();
        match self {
            Counter::Generator { generator, backend, bulk, threads, table } => {
                let (threads, table) = (threads.as_ref(), table.as_ref());
                let how = How { bulk: *bulk, threads, table, progress };
                let node = Node::new(*generator, *backend, &case.position);
                let nodes = how.count(&node, depth)?;
                Ok(Counted { nodes, time_us: micros_since(start), ..Counted::default() })
            }
            // Nobody needs to be asked; engines differ in what `go perft 0` means to them.
            Counter::Engine { .. } if depth == 0 => Ok(Counted { nodes: 1, ..Counted::default() }),
            Counter::Engine { subject, timeout } => {
                let answer = subject.perft(&case.fen, &[], depth, case.chess960, *timeout)?;
                Ok(Counted {
                    nodes: answer.nodes(),
                    contradiction: answer.contradiction(),
                    time_us: micros(answer.time),
                    divide: answer.divide,
                })
            }
        }
    }

    fn divide(&mut self, case: &PerftCase, depth: u32, progress: &Progress) -> Result<Counted, TrialError> {
        let start = Instant::now();
        match self {
            Counter::Generator { generator, backend, bulk, threads, table } => {
                let (threads, table) = (threads.as_ref(), table.as_ref());
                let how = How { bulk: *bulk, threads, table, progress };
                let divide = how.divide(&Node::new(*generator, *backend, &case.position), case, depth)?;
                let nodes = divide.iter().map(|&(_, nodes)| nodes).sum();
                Ok(Counted { nodes, divide, time_us: micros_since(start), contradiction: None })
            }
            Counter::Engine { .. } => self.count(case, depth, progress),
        }
    }
}

/// What one count came to.
#[derive(Default)]
struct Counted {
    nodes: u64,
    divide: Divide,
    /// The total that an engine printed under a table that does not add up to it.
    contradiction: Option<u64>,
    time_us: u64,
}

/// How a generator counts.
#[derive(Clone, Copy)]
pub(super) struct How<'a> {
    pub bulk: bool,
    pub threads: Option<&'a rayon::ThreadPool>,
    /// Only where the generator counts in bulk and has a way to use it.
    pub table: Option<&'a PerftTable>,
    pub progress: &'a Progress,
}

/// A count is taken in pieces of this many plies, so that an interrupt is seen within about a second.
const PIECE: u32 = 5;
/// The same where a leaf takes longer, because it is made or because the generator is not the fastest.
const SLOW_PIECE: u32 = 4;

impl How<'_> {
    pub fn count(self, node: &Node, depth: u32) -> Result<u64, TrialError> {
        if self.progress.is_stopped() {
            return Err(TrialError::Interrupted);
        }
        let piece = if self.bulk && node.is_fast() { PIECE } else { SLOW_PIECE };
        match self.threads {
            None if depth <= piece => Ok(node.count(depth, self.bulk, self.table)),
            None => node.children().iter().map(|(_, child)| self.count(child, depth - 1)).sum(),
            // Smaller pieces, so that no thread is left with the last large one.
            Some(_) if depth < piece => Ok(node.count(depth, self.bulk, self.table)),
            Some(pool) => {
                let children = node.children();
                pool.install(|| children.par_iter().map(|(_, child)| self.count(child, depth - 1)).sum())
            }
        }
    }

    /// The leaves below each root move.
    pub fn by_move(self, node: &Node, depth: u32) -> Result<Vec<(Move, u64)>, TrialError> {
        let count = |(mv, child): (_, Node)| Ok((mv, self.count(&child, depth.saturating_sub(1))?));
        node.children().into_iter().map(count).collect()
    }

    /// The same with the moves in UCI form.
    pub fn divide(self, node: &Node, case: &PerftCase, depth: u32) -> Result<Divide, TrialError> {
        let name = |mv| uci_move::format(mv, case.chess960);
        Ok(self.by_move(node, depth)?.into_iter().map(|(mv, nodes)| (name(mv), nodes)).collect())
    }
}

/// Root moves in UCI form and the leaves below them.
pub(super) type Divide = Vec<(String, u64)>;

/// What a plan says to count: suites by file name, or one position.
pub(super) struct Cases {
    suites: Vec<(String, Vec<PerftCase>)>,
}

/// One count to take.
pub(super) struct Job<'a> {
    pub suite: &'a str,
    pub case: &'a PerftCase,
    pub depth: u32,
    pub expected: Option<u64>,
}

impl Cases {
    pub fn load(plan: &Plan) -> Result<Cases, TrialError> {
        check_depth(plan.depth)?;
        if plan.suites.is_empty() {
            let chess960 = plan.chess960.unwrap_or(false);
            let position = fen::parse(&plan.fen, super::castling_mode(chess960))
                .map_err(|error| TrialError::Plan(error.to_string()))?;
            let case = PerftCase {
                id: "-".to_owned(),
                line: 1,
                fen: plan.fen.clone(),
                position,
                chess960,
                counts: Vec::new(),
            };
            return Ok(Cases { suites: vec![("-".to_owned(), vec![case])] });
        }
        let mode = plan.chess960.map(super::castling_mode);
        let load = |name: &String| Ok((suite::file_name(name).to_owned(), suite::load_perft(name, mode)?));
        Ok(Cases { suites: plan.suites.iter().map(load).collect::<Result<_, TrialError>>()? })
    }

    pub fn positions(&self) -> u64 {
        self.suites.iter().map(|(_, cases)| cases.len() as u64).sum()
    }

    /// Known counts that are not above the plan's limit; of a single position the one count asked for.
    pub fn jobs(&self, plan: &Plan) -> Vec<Job<'_>> {
        let mut jobs = Vec::new();
        for (suite, cases) in &self.suites {
            for case in cases {
                let job = |depth, expected| Job { suite, case, depth, expected };
                if plan.suites.is_empty() {
                    jobs.push(job(plan.depth, None));
                }
                let wanted = |nodes: u64| plan.max_nodes.is_none_or(|max| nodes <= max);
                let counts = case.counts.iter().filter(|&&(_, nodes)| wanted(nodes));
                jobs.extend(counts.map(|&(depth, nodes)| job(depth, Some(nodes))));
            }
        }
        jobs
    }
}

/// Walks go down by recursion: what nobody can count anyway is refused before it overflows the stack.
pub(super) fn check_depth(depth: u32) -> Result<(), TrialError> {
    match depth > MAX_PERFT_DEPTH {
        true => Err(TrialError::Plan(format!("depth: {depth} is more than {MAX_PERFT_DEPTH}"))),
        false => Ok(()),
    }
}

impl Job<'_> {
    /// The record of what a counter said. A table that its own total contradicts is wrong, whichever of the two is not.
    fn counted_row(&self, counter: &str, counted: Counted) -> PerftRow {
        let Counted { nodes, divide, contradiction, time_us } = counted;
        let wrong = contradiction.filter(|&total| self.expected != Some(total));
        let row = self.row(counter, wrong.unwrap_or(nodes), time_us, divide);
        PerftRow { expected: self.expected.or(wrong.map(|_| nodes)), ..row }
    }

    /// The record of this count.
    pub fn row(&self, counter: &str, nodes: u64, time_us: u64, divide: Divide) -> PerftRow {
        PerftRow {
            suite: self.suite.to_owned(),
            id: self.case.id.clone(),
            fen: self.case.fen.clone(),
            depth: self.depth,
            counter: counter.to_owned(),
            nodes,
            expected: self.expected,
            time_us,
            divide,
        }
    }
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
    let cases = Cases::load(plan)?;
    let jobs = cases.jobs(plan);
    let mut summary = Summary { positions: cases.positions(), ..Summary::default() };
    progress.begin(jobs.len() as u64);
    if plan.suites.is_empty() {
        // On this thread: what a single count asks for are root moves, and threads for them.
        let mut counter = Counter::start(plan, &session)?;
        for job in &jobs {
            let counted = if plan.divide && plan.depth > 0 {
                counter.divide(job.case, job.depth, progress)?
            } else {
                let counted = counter.count(job.case, job.depth, progress)?;
                let divide = if counted.contradiction.is_some() { counted.divide } else { Vec::new() };
                Counted { divide, ..counted }
            };
            let row = job.counted_row(counter.name(), counted);
            progress.advance(1);
            summary.add(&row);
            summary.divide = if plan.divide { row.divide.clone() } else { Vec::new() };
            sink.row(Row::Perft(row))?;
        }
    } else {
        in_order(
            &jobs,
            plan.concurrency,
            progress,
            || Counter::start(plan, &session),
            |counter, job| {
                let counted = counter.count(job.case, job.depth, progress)?;
                let is_right = job.expected == Some(counted.nodes) && counted.contradiction.is_none();
                let divide = match counter {
                    _ if is_right => Vec::new(),
                    Counter::Generator { .. } => counter.divide(job.case, job.depth, progress)?.divide,
                    Counter::Engine { .. } => counted.divide,
                };
                Ok(job.counted_row(counter.name(), Counted { divide, ..counted }))
            },
            |row| {
                summary.add(&row);
                Ok(sink.row(Row::Perft(row))?)
            },
        )?;
    }
    summary.time_us = micros_since(start);
    Ok(summary)
}
