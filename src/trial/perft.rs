//! Perft: counts leaves, of suites with known counts or of one position.
//! Source: pages "Perft" and "Perft Results" of the seed documents.
//!
//! The embedded counter is `rules::perft` with a chosen slider backend; a foreign engine counts with `go perft`.

use super::{Progress, TrialError, micros_since, per_second, pool::in_order};
use crate::notation::fen::{self, CastlingMode};
use crate::notation::uci_move;
use crate::record::{PerftRow, Row, Sink, Status, Verdict};
use crate::rules::{self, MoveList, Position};
use crate::sliders::Backend;
use crate::suite::{self, PerftCase};
use crate::types::Move;
use crate::with_backend;
use serde::{Deserialize, Serialize};
use std::time::Instant;

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
    /// Wall clock of the whole.
    pub time_us: u64,
    /// Root moves of a single position, where a divide was asked for.
    pub divide: Vec<(String, u64)>,
    /// The first wrong count, for people.
    pub first_wrong: Option<String>,
}

impl Summary {
    /// Million nodes per second of wall clock.
    #[must_use]
    pub fn mnps(&self) -> Option<f64> {
        per_second(self.nodes, self.time_us).map(|nps| nps as f64 / 1e6)
    }

    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let speed = self.mnps().map_or_else(|| "n/a".to_owned(), |mnps| format!("{mnps:.1}"));
        let mut summary = format!(
            "{} of {} counts right in {} positions, {} nodes, {speed} million a second",
            self.counts - self.wrong,
            self.counts,
            self.positions,
            self.nodes
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
#[derive(Clone, Copy, Debug)]
struct Embedded {
    backend: Backend,
    bulk: bool,
}

impl Embedded {
    fn of(plan: &Plan) -> Result<Embedded, TrialError> {
        let backend = super::backend(&plan.backend)?;
        Ok(Embedded { backend, bulk: plan.bulk })
    }

    fn count(self, position: &Position, depth: u32) -> u64 {
        with_backend!(self.backend, |sliders| if self.bulk {
            rules::perft(position, depth, sliders)
        } else {
            rules::perft_make(position, depth, sliders)
        })
    }

    fn divide(self, position: &Position, depth: u32) -> Vec<(Move, u64)> {
        with_backend!(self.backend, |sliders| {
            let mut moves = MoveList::new();
            rules::legal_moves(position, sliders, &mut moves);
            moves
                .iter()
                .map(|&mv| {
                    let mut child = *position;
                    child.play_unchecked(mv);
                    (mv, self.count(&child, depth.saturating_sub(1)))
                })
                .collect()
        })
    }
}

/// Counts with the embedded generator.
///
/// # Errors
/// Bad input, a sink that cannot be written, or the user's interrupt. A wrong count is no error.
pub fn run(plan: &Plan, sink: &mut dyn Sink, progress: &Progress) -> Result<Summary, TrialError> {
    let counter = Embedded::of(plan)?;
    let start = Instant::now();
    let mut summary = if plan.suites.is_empty() {
        single(plan, counter, sink, progress)?
    } else {
        let mode = plan.chess960.map(castling_mode);
        let suites = plan
            .suites
            .iter()
            .map(|name| Ok((suite::file_name(name), suite::load_perft(name, mode)?)))
            .collect::<Result<Vec<_>, TrialError>>()?;
        run_suites(plan, &suites, counter, sink, progress)?
    };
    summary.time_us = micros_since(start);
    Ok(summary)
}

fn castling_mode(chess960: bool) -> CastlingMode {
    if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard }
}

fn named(divide: Vec<(Move, u64)>, position: &Position, chess960: bool) -> Vec<(String, u64)> {
    divide.into_iter().map(|(mv, nodes)| (uci_move::format(mv, position, chess960), nodes)).collect()
}

fn run_suites(
    plan: &Plan,
    suites: &[(&str, Vec<PerftCase>)],
    counter: Embedded,
    sink: &mut dyn Sink,
    progress: &Progress,
) -> Result<Summary, TrialError> {
    let wanted = |nodes: u64| plan.max_nodes.is_none_or(|max| nodes <= max);
    let mut jobs = Vec::new();
    for (name, cases) in suites {
        for case in cases {
            jobs.extend(
                case.counts.iter().filter(|c| wanted(c.1)).map(|&(depth, nodes)| (*name, case, depth, nodes)),
            );
        }
    }
    let mut summary =
        Summary { positions: suites.iter().map(|(_, cases)| cases.len() as u64).sum(), ..Summary::default() };
    progress.begin(jobs.len() as u64);
    in_order(
        &jobs,
        plan.concurrency,
        progress,
        || Ok(()),
        |(), &(name, case, depth, expected)| {
            let start = Instant::now();
            let nodes = counter.count(&case.position, depth);
            let time_us = micros_since(start);
            let divide = if nodes == expected {
                Vec::new()
            } else {
                named(counter.divide(&case.position, depth), &case.position, case.chess960)
            };
            Ok(PerftRow {
                suite: name.to_owned(),
                id: case.id.clone(),
                fen: case.fen.clone(),
                depth,
                counter: counter.backend.id().to_owned(),
                nodes,
                expected: Some(expected),
                time_us,
                divide,
            })
        },
        |row| {
            summary.counts += 1;
            summary.nodes += row.nodes;
            if row.expected != Some(row.nodes) {
                summary.wrong += 1;
                summary.first_wrong.get_or_insert_with(|| {
                    let expected = row.expected.unwrap_or_default();
                    format!(
                        "{} {} depth {}: {} instead of {expected}",
                        row.suite, row.id, row.depth, row.nodes
                    )
                });
            }
            Ok(sink.row(Row::Perft(row))?)
        },
    )?;
    Ok(summary)
}

fn single(
    plan: &Plan,
    counter: Embedded,
    sink: &mut dyn Sink,
    progress: &Progress,
) -> Result<Summary, TrialError> {
    let chess960 = plan.chess960.unwrap_or(false);
    let position = fen::parse(&plan.fen, castling_mode(chess960))
        .map_err(|error| TrialError::Plan(error.to_string()))?;
    progress.begin(1);
    let start = Instant::now();
    let (nodes, divide) = if plan.divide && plan.depth > 0 {
        let divide = counter.divide(&position, plan.depth);
        (divide.iter().map(|&(_, nodes)| nodes).sum(), divide)
    } else if plan.threads > 1 && plan.depth > 1 && plan.bulk {
        (
            with_backend!(counter.backend, |sliders| rules::perft_parallel(&position, plan.depth, sliders)),
            Vec::new(),
        )
    } else {
        (counter.count(&position, plan.depth), Vec::new())
    };
    let time_us = micros_since(start);
    let divide = named(divide, &position, chess960);
    progress.advance(1);
    sink.row(Row::Perft(PerftRow {
        suite: "-".to_owned(),
        id: "-".to_owned(),
        fen: plan.fen.clone(),
        depth: plan.depth,
        counter: counter.backend.id().to_owned(),
        nodes,
        expected: None,
        time_us,
        divide: divide.clone(),
    }))?;
    Ok(Summary { positions: 1, counts: 1, nodes, divide, ..Summary::default() })
}
