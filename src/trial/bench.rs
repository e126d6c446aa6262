//! Bench: fixed positions to a fixed depth or number of nodes: signature, speed, branching factors.
//!
//! Every position starts from a cleared engine. The signature of a single-threaded engine, the sum of all nodes, depends
//! on neither machine nor load; the speed does. Source: pages "Branching Factor" and "Nodes per Second".

use super::{
    Progress, TrialError, cleared_search, micros, micros_since, per_second, search_deadline, session,
};
use crate::engine::{POSITIONS, SIGNATURE_DEPTH};
use crate::notation::fen::{self, CastlingMode};
use crate::notation::uci_move;
use crate::record::{BenchRow, Row, Sink, Status, Verdict};
use crate::rules::Position;
use crate::stats::branching::{Branching, effective, mean_branching};
use crate::subject::{EngineSpec, Found, HANG_TIMEOUT, Info, Session, Subject};
use crate::types::{Bound, Limit, Score};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// Which engine, how deep.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Plan {
    pub engine: EngineSpec,
    /// Without depth and nodes: the depth of the signature.
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// FENs; empty = the fixed positions of the signature.
    pub positions: Vec<String>,
    pub hang_timeout_ms: u64,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            engine: EngineSpec::embedded(),
            depth: None,
            nodes: None,
            positions: Vec::new(),
            hang_timeout_ms: u64::try_from(HANG_TIMEOUT.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

impl Plan {
    /// What ends each search.
    pub fn limit(&self) -> Limit {
        if self.depth.is_none() && self.nodes.is_none() {
            return Limit::depth(SIGNATURE_DEPTH);
        }
        Limit { depth: self.depth, nodes: self.nodes, ..Limit::default() }
    }
}

/// What a bench found.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    pub engine: String,
    pub positions: u64,
    /// Sum of the nodes of all searches.
    pub nodes: u64,
    /// Interior nodes (those that made a move); none for UCI engines.
    pub interior_nodes: Option<u64>,
    /// Sum of the times of all searches, by our clock.
    pub search_us: u64,
    /// Nodes summed over all positions at the end of depth 1, 2, … up to the last depth that all of them completed.
    pub nodes_by_depth: Vec<u64>,
    /// Geometric mean of the ratios of `nodes_by_depth`, from depth 2 on.
    pub ebf: Option<f64>,
    /// The other definitions in use: last ratio, over two plies, slope of the logarithms, root of the last.
    pub ebf_last: Option<f64>,
    pub ebf_two_ply: Option<f64>,
    pub ebf_regression: Option<f64>,
    pub ebf_root: Option<f64>,
    /// All nodes per interior node.
    pub mbf: Option<f64>,
    /// The slider technique of the embedded engine.
    pub slider: Option<String>,
    /// Searches outside half to twice their limit.
    pub not_obeyed: u64,
    /// Searches of which the engine told no nodes.
    pub silent: u64,
    pub warnings: Vec<String>,
    pub time_us: u64,
}

impl Summary {
    /// The same as the nodes: one number that changes with any change of play.
    #[must_use]
    pub fn signature(&self) -> u64 {
        self.nodes
    }

    /// Why the sum of the nodes is no signature; none where it is one.
    #[must_use]
    pub fn why_no_signature(&self) -> Option<String> {
        match (self.silent, self.not_obeyed) {
            (0, 0) if self.counts_fall() => {
                Some("its counts of nodes fall from one depth to the next".to_owned())
            }
            (0, 0) => None,
            (0, outside) => Some(format!("{outside} searches outside their limit")),
            (silent, _) => {
                Some(format!("it does not tell its nodes in {silent} of {} searches", self.positions))
            }
        }
    }

    /// A search to a greater depth holds all of the smaller ones.
    fn counts_fall(&self) -> bool {
        !self.nodes_by_depth.is_sorted() || self.nodes_by_depth.last().is_some_and(|&last| last > self.nodes)
    }

    /// Nodes per second, rounded down; none if no time passed.
    #[must_use]
    pub fn nps(&self) -> Option<u64> {
        per_second(self.nodes, self.search_us)
    }

    /// Informs, unless searches were not what was asked for.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let number =
            |value: Option<f64>| value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.3}"));
        let nps = self.nps().map_or_else(|| "n/a".to_owned(), |nps| nps.to_string());
        let mut summary =
            format!("{}: signature {}, {nps} nodes/s, EBF {}", self.engine, self.nodes, number(self.ebf));
        if let Some(slider) = &self.slider {
            summary += &format!(", slider technique {slider}");
        }
        if self.not_obeyed > 0 {
            summary += &format!("; {} searches outside their limit", self.not_obeyed);
        }
        if self.silent > 0 {
            summary += &format!("; no nodes told in {} of {} searches", self.silent, self.positions);
        }
        Verdict {
            stage: "bench".to_owned(),
            status: if self.not_obeyed > 0 { Status::Inconclusive } else { Status::Info },
            summary,
            checks: self.positions,
            failed: 0,
            figures: vec![
                ("signature".to_owned(), self.nodes.to_string()),
                ("nodes/s".to_owned(), nps),
                ("EBF".to_owned(), number(self.ebf)),
                ("MBF".to_owned(), number(self.mbf)),
            ],
            meaning: String::new(),
            time_ms: self.time_us / 1000,
        }
    }
}

/// Searches all positions, one after the other.
///
/// # Errors
/// A FEN that cannot be read, an engine that fails, a sink that cannot be written, the user's interrupt.
pub fn run(
    plan: &Plan,
    base: &Session,
    sink: &mut dyn Sink,
    progress: &Progress,
) -> Result<Summary, TrialError> {
    let begun = Instant::now();
    let positions = positions(plan)?;
    let limit = plan.limit();
    let deadline = search_deadline(&plan.engine, &limit, plan.hang_timeout_ms);
    progress.begin(positions.len() as u64);
    let session = session(base, progress);
    let mut subject = Subject::start_with(&plan.engine, &session)?;
    let mut summary = Summary {
        engine: plan.engine.name.clone(),
        positions: positions.len() as u64,
        interior_nodes: subject.is_embedded().then_some(0),
        slider: subject.slider().map(str::to_owned),
        warnings: subject.warnings().to_vec(),
        ..Summary::default()
    };
    let threads = plan.engine.threads_set().or_else(|| subject.threads_by_default());
    if let Some(threads) = threads.filter(|&threads| threads > 1) {
        let what = "the nodes, and with them the signature, differ from one run to the next (threads=1)";
        summary.warnings.push(format!("{} searches with {threads} threads: {what}", summary.engine));
    }
    // Per position: nodes at the end of depth 1, 2, …
    let mut by_depth: Vec<Vec<Option<u64>>> = Vec::new();
    for (number, (fen, position)) in (0_u32..).zip(&positions) {
        let mut iterations: Vec<BenchRow> = Vec::new();
        let blank =
            BenchRow { engine: plan.engine.name.clone(), position: number, fen: fen.clone(), ..empty_row() };
        let found = cleared_search(&mut subject, &session, 0, position, &limit, deadline, &mut |info| {
            note_iteration(&mut iterations, info, position, &blank);
        })?;
        finish(&mut iterations, &found, position, &blank);
        by_depth.push(full_depths(&iterations, &found));
        // Whatever an engine says: it must not end the run.
        summary.nodes = summary.nodes.saturating_add(found.nodes.unwrap_or(0));
        summary.search_us += micros(found.time);
        summary.not_obeyed += u64::from(!found.obeyed);
        summary.silent += u64::from(found.nodes.unwrap_or(0) == 0);
        summary.interior_nodes = summary.interior_nodes.zip(found.interior_nodes).map(|(sum, own)| sum + own);
        for row in iterations {
            sink.row(Row::Bench(row))?;
        }
        progress.advance(1);
    }
    summary.nodes_by_depth = sum_by_depth(&by_depth);
    let nodes: Vec<f64> = summary.nodes_by_depth.iter().map(|&nodes| nodes as f64).collect();
    let branching = Branching::new(&nodes);
    summary.ebf = effective(&nodes);
    summary.ebf_last = branching.ratio_last;
    summary.ebf_two_ply = branching.geometric_mean_two_ply;
    summary.ebf_regression = branching.regression;
    summary.ebf_root = branching.nth_root;
    summary.mbf = summary.interior_nodes.and_then(|interior| mean_branching(summary.nodes, interior));
    summary.time_us = micros_since(begun);
    Ok(summary)
}

/// The positions of a plan, each with its FEN.
pub(super) fn positions(plan: &Plan) -> Result<Vec<(String, Position)>, TrialError> {
    let fens: Vec<String> = if plan.positions.is_empty() {
        POSITIONS.iter().map(|&fen| fen.to_owned()).collect()
    } else {
        plan.positions.clone()
    };
    fens.into_iter()
        .map(|fen| {
            let position = fen::parse(&fen, CastlingMode::Chess960)
                .map_err(|error| TrialError::Plan(format!("{fen}: {error}")))?;
            Ok((fen, position))
        })
        .collect()
}

fn empty_row() -> BenchRow {
    BenchRow {
        engine: String::new(),
        position: 0,
        fen: String::new(),
        depth: 0,
        nodes: 0,
        interior_nodes: None,
        time_us: 0,
        score: None,
        best: None,
        last: false,
        broken_off: false,
    }
}

/// Keeps the last exact report of each depth. A UCI engine reports a depth several times (bounds, other moves).
fn note_iteration(iterations: &mut Vec<BenchRow>, info: &Info<'_>, position: &Position, blank: &BenchRow) {
    let (Some(depth), Some(nodes)) = (info.depth, info.nodes) else { return };
    if info.bound != Bound::Exact || info.pv.is_empty() {
        return;
    }
    let row = BenchRow {
        depth,
        nodes,
        interior_nodes: info.interior_nodes,
        time_us: micros(info.time),
        score: info.score.map(|score: Score| score.to_string()),
        best: info.pv.first(position).map(|mv| text(mv, position)),
        ..blank.clone()
    };
    match iterations.last_mut() {
        Some(last) if last.depth == depth => *last = row,
        // A depth below the last one is a new attempt of an engine that counts in its own way: not an iteration.
        Some(last) if last.depth > depth => {}
        _ => iterations.push(row),
    }
}

/// Flags the last row. What was searched after the last iteration is a row of its own, one depth further: the iteration
/// that the limit broke off.
fn finish(iterations: &mut Vec<BenchRow>, found: &Found, position: &Position, blank: &BenchRow) {
    let nodes = found.nodes.unwrap_or(0);
    match iterations.last_mut() {
        // The end of the last iteration is the end of the search; a count just before it was told a little early.
        Some(last) if last.nodes == nodes || found.nodes.is_none() => last.last = true,
        last => {
            let depth = last.map_or(1, |last| last.depth + 1);
            iterations.push(BenchRow {
                depth,
                nodes,
                interior_nodes: found.interior_nodes,
                time_us: micros(found.time),
                score: found.score.map(|score| score.to_string()),
                best: found.best.map(|mv| text(mv, position)),
                last: true,
                broken_off: true,
                ..blank.clone()
            });
        }
    }
}

fn text(mv: crate::types::Move, position: &Position) -> String {
    uci_move::format(mv, fen::needs_chess960(position))
}

/// Nodes at the end of depth 1, 2, … of one position, up to the first depth that was not reported: what an engine calls its
/// depth may be any number.
fn full_depths(iterations: &[BenchRow], found: &Found) -> Vec<Option<u64>> {
    // Only what the search itself calls complete: the row of a broken iteration lies beyond it.
    let deepest = found.depth.unwrap_or(0);
    (1..=deepest)
        .map(|depth| iterations.iter().find(|row| row.depth == depth).map(|row| row.nodes))
        .take_while(Option::is_some)
        .collect()
}

/// Sums over all positions, up to the last depth that all of them have; depths that some engine did not report end it.
fn sum_by_depth(by_depth: &[Vec<Option<u64>>]) -> Vec<u64> {
    let deepest = by_depth.iter().map(Vec::len).min().unwrap_or(0);
    let sum =
        |depth: usize| by_depth.iter().try_fold(0_u64, |sum, list| Some(sum.saturating_add(list[depth]?)));
    (0..deepest).map_while(sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_end_at_the_last_depth_of_all() {
        let some = |values: &[u64]| values.iter().copied().map(Some).collect::<Vec<_>>();
        assert_eq!(sum_by_depth(&[some(&[20, 60, 300]), some(&[10, 40])]), [30, 100]);
        assert_eq!(sum_by_depth(&[vec![Some(1), None, Some(9)], some(&[1, 2, 3])]), [2]);
        assert!(sum_by_depth(&[]).is_empty());
    }
}
