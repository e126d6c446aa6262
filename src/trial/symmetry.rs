//! Colour-flip symmetry: a position and its flip (ranks mirrored, colours swapped) must be worth the same to the side to
//! move. Static evaluations must agree exactly; searches are compared and shown.
//! Source: page "Color Flipping" of the seed documents.

use super::{Progress, TrialError, cleared_search, micros_since, pool::in_order, search_deadline, session};
use crate::notation::{fen, uci_move};
use crate::record::{Row, Sink, Status, SymmetryRow, Verdict};
use crate::rules::Position;
use crate::subject::{EngineSpec, HANG_TIMEOUT, Session, Subject};
use crate::suite;
use crate::types::{Limit, Score, Square};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// Which positions, which engine, evaluation or search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Plan {
    /// CSV files of pairs, or EPD files; empty = the embedded pairs, and, for evaluations, all embedded positions.
    pub files: Vec<String>,
    /// `None` = found out from each file.
    pub chess960: Option<bool>,
    pub engine: EngineSpec,
    /// Compare searches to this depth; `None` = compare static evaluations (embedded engine only).
    pub depth: Option<u32>,
    pub concurrency: usize,
    pub hang_timeout_ms: u64,
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            files: Vec::new(),
            chess960: None,
            engine: EngineSpec::embedded(),
            depth: None,
            concurrency: 1,
            hang_timeout_ms: u64::try_from(HANG_TIMEOUT.as_millis()).unwrap_or(u64::MAX),
            seed: 1,
        }
    }
}

const PAIRS: &str = "suites/symmetry/symmetry.csv";

impl Plan {
    fn resolved_files(&self) -> Vec<String> {
        if !self.files.is_empty() {
            return self.files.clone();
        }
        let mut files = vec![PAIRS.to_owned()];
        if self.depth.is_none() {
            let paths = suite::embedded().into_iter().map(|(path, _)| path);
            files.extend(paths.filter(|path| path.starts_with("positions/") && path.ends_with(".epd")));
        }
        files
    }

    /// Whether the files can be read and have something to compare in them.
    ///
    /// # Errors
    /// The first thing that is wrong: bad input.
    pub fn check(&self) -> Result<(), TrialError> {
        load(self).map(drop)
    }

    fn mode(&self) -> String {
        self.depth.map_or_else(|| "eval".to_owned(), |depth| format!("depth {depth}"))
    }
}

/// What a symmetry run found.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    pub engine: String,
    /// `eval` or `depth N`.
    pub mode: String,
    pub positions: u64,
    pub different: u64,
    pub first_different: Option<String>,
    pub warnings: Vec<String>,
    pub time_us: u64,
}

impl Summary {
    /// Different evaluations are a fault; different searches inform: ties between moves are broken by their order, which
    /// is not mirrored in every engine.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let is_check = self.mode == "eval";
        let mut summary = format!(
            "{}: {} of {} positions differ ({})",
            self.engine, self.different, self.positions, self.mode
        );
        if let Some(first) = &self.first_different {
            summary += &format!("; first: {first}");
        }
        Verdict {
            stage: "symmetry".to_owned(),
            status: match (is_check, self.different) {
                (false, _) => Status::Info,
                (true, 0) => Status::Pass,
                (true, _) => Status::Fail,
            },
            summary,
            checks: self.positions,
            failed: if is_check { self.different } else { 0 },
            figures: vec![("different".to_owned(), self.different.to_string())],
            meaning: String::new(),
            time_ms: self.time_us / 1000,
        }
    }
}

/// A position and its flip, from a file.
struct Pair {
    suite: String,
    id: String,
    position: Position,
    flipped: Position,
    chess960: bool,
    number: u64,
}

/// Compares every position with its flip.
///
/// # Errors
/// Bad input (a CSV whose flipped column is no flip, evaluations of a UCI engine), an engine that fails, a sink that
/// cannot be written, the user's interrupt. A difference is no error.
pub fn run(
    plan: &Plan,
    base: &Session,
    sink: &mut dyn Sink,
    progress: &Progress,
) -> Result<Summary, TrialError> {
    if plan.depth.is_none() && !plan.engine.is_embedded() {
        return Err(TrialError::Plan(format!(
            "engine {}: UCI has no command for static evaluations; compare searches with a depth",
            plan.engine.name
        )));
    }
    let begun = Instant::now();
    let pairs = load(plan)?;
    progress.begin(pairs.len() as u64);
    let session = session(base, progress);
    let mode = plan.mode();
    let mut summary = Summary { engine: plan.engine.name.clone(), mode: mode.clone(), ..Summary::default() };
    in_order(
        &pairs,
        plan.concurrency,
        progress,
        || Ok(Subject::start_with(&plan.engine, &session)?),
        |subject, pair| compare(plan, &session, &mode, subject, pair),
        |row| {
            summary.positions += 1;
            if row.different {
                summary.different += 1;
                summary.first_different.get_or_insert_with(|| {
                    format!("{} {}: {} and {}", row.suite, row.id, row.score, row.flipped_score)
                });
            }
            Ok(sink.row(Row::Symmetry(row))?)
        },
    )?;
    summary.time_us = micros_since(begun);
    Ok(summary)
}

fn load(plan: &Plan) -> Result<Vec<Pair>, TrialError> {
    let mode = plan.chess960.map(super::castling_mode);
    let mut pairs = Vec::new();
    for file in plan.resolved_files() {
        let name = suite::file_name(&file).to_owned();
        let mut add = |id: String, position: Position, flipped: Position, chess960: bool| {
            // A finished game has nothing to search.
            if plan.depth.is_none() || position.has_legal_move() {
                let number = pairs.len() as u64;
                pairs.push(Pair { suite: name.clone(), id, position, flipped, chess960, number });
            }
        };
        if file.ends_with(".csv") {
            for case in suite::load_symmetry(&file)? {
                if case.flipped != case.position.flipped() {
                    return Err(TrialError::Plan(format!(
                        "{file}:{}: colour_flipped is not the flipped position",
                        case.line
                    )));
                }
                add(format!("line {}", case.line), case.position, case.flipped, false);
            }
        } else {
            for test in suite::load_positions(&file, mode)? {
                add(test.id, test.position, test.position.flipped(), test.chess960);
            }
        }
    }
    if pairs.is_empty() {
        let files = plan.resolved_files().join(", ");
        return Err(TrialError::Plan(format!("{files}: no position to search: every game is over")));
    }
    Ok(pairs)
}

fn compare(
    plan: &Plan,
    session: &Session,
    mode: &str,
    subject: &mut Subject,
    pair: &Pair,
) -> Result<SymmetryRow, TrialError> {
    let write = |position| if pair.chess960 { fen::format_shredder(position) } else { fen::format(position) };
    let mut row = SymmetryRow {
        suite: pair.suite.clone(),
        id: pair.id.clone(),
        fen: write(&pair.position),
        flipped_fen: write(&pair.flipped),
        engine: plan.engine.name.clone(),
        mode: mode.to_owned(),
        score: String::new(),
        flipped_score: String::new(),
        best: None,
        flipped_best: None,
        different: false,
    };
    if let Some(depth) = plan.depth {
        let limit = Limit::depth(depth);
        let deadline = search_deadline(&plan.engine, &limit, plan.hang_timeout_ms);
        let seed = plan.seed.wrapping_add(pair.number);
        let mut search =
            |position| cleared_search(subject, session, seed, position, &limit, deadline, &mut |_| {});
        let (found, flipped) = (search(&pair.position)?, search(&pair.flipped)?);
        row.score = found.score.map_or_else(String::new, score_text);
        row.flipped_score = flipped.score.map_or_else(String::new, score_text);
        row.best = found.best.map(|mv| uci_move::format(mv, pair.chess960));
        row.flipped_best = flipped.best.map(|mv| uci_move::format(mv.mapped(Square::flip), pair.chess960));
    } else if let (Some(cp), Some(flipped)) =
        (subject.evaluate(&pair.position), subject.evaluate(&pair.flipped))
    {
        row.score = score_text(Score::Cp(cp));
        row.flipped_score = score_text(Score::Cp(flipped));
    }
    row.different = row.score != row.flipped_score;
    Ok(row)
}

/// Centipawns as a plain number, mates as `+M3`.
fn score_text(score: Score) -> String {
    match score {
        Score::Cp(cp) => cp.to_string(),
        mate @ Score::Mate(_) => mate.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Move;

    #[test]
    fn flipping_moves_fits_flipping_positions() {
        for (_, bytes) in suite::embedded().into_iter().filter(|(path, _)| path.ends_with("edge.epd")) {
            let text = String::from_utf8_lossy(bytes);
            for case in suite::perft_cases("edge", &text, None).unwrap() {
                let mut flipped: Vec<Move> =
                    case.position.legal_moves().iter().map(|&mv| mv.mapped(Square::flip)).collect();
                let mut moves: Vec<Move> = case.position.flipped().legal_moves().to_vec();
                flipped.sort_by_key(|mv| mv.bits());
                moves.sort_by_key(|mv| mv.bits());
                assert_eq!(flipped, moves, "{}", case.fen);
            }
        }
    }

    #[test]
    fn uci_engines_cannot_be_asked_for_evaluations() {
        let plan = Plan { engine: EngineSpec::parse("cmd=/nowhere").unwrap(), ..Plan::default() };
        let error = run(&plan, &Session::default(), &mut Vec::new(), &Progress::default()).unwrap_err();
        assert!(matches!(error, TrialError::Plan(_)), "{error}");
    }
}
