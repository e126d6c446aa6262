//! Finds the first position in which a foreign engine's move generator is wrong: its `go perft` is compared move by move,
//! and the search goes down where a count differs, until a list of moves does. Source: page "Perft", section "Divide".
//!
//! An engine is always asked from the start position with the moves that lead on, as in a game: what it keeps from move to
//! move (en-passant squares, rights, keys) is part of the question.

mod kind;
mod list;

pub use kind::Kind;

use super::{Progress, TrialError, micros_since, session};
use crate::notation::fen;
use crate::record::{PerftRow, Row, Sink, Status, Verdict};
use crate::rules::{self, Position};
use crate::sliders::Hyperbola;
use crate::subject::{EngineSpec, Session, Subject};
use crate::types::{Move, Role, Square};
use list::Comparison;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Where to look, and how deep.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Plan {
    pub engine: EngineSpec,
    pub fen: String,
    pub depth: u32,
    pub chess960: bool,
    /// An engine may take so long for one count.
    pub timeout_ms: u64,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            engine: EngineSpec::embedded(),
            fen: fen::format(&Position::startpos()),
            depth: 5,
            chess960: false,
            timeout_ms: 600_000,
        }
    }
}

/// An engine that has `go perft` answers depth 1 in less.
const FIRST_ANSWER: Duration = Duration::from_secs(10);
/// Of several wrong counts in one position so many are followed: one is enough, unless it is right when asked for alone.
const MOST_BRANCHES: usize = 4;
/// However inconsistent an engine is, this ends it.
const MOST_QUESTIONS: u32 = 2_000;

/// A position in which the engine is wrong.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Fault {
    /// With the en-passant square if a pawn has just passed, also where no capture there is legal.
    pub fen: String,
    /// Moves from the start position, in UCI form.
    pub path: Vec<String>,
    /// Legal moves that it does not list; `?` where it does not say.
    pub missing: Vec<String>,
    /// What it lists beyond them, as written.
    pub extra: Vec<String>,
    pub kind: Kind,
    /// What was seen, in a sentence.
    pub note: String,
}

/// What a search for a fault found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    pub engine: String,
    pub fault: Option<Fault>,
    /// `go perft` asked.
    pub questions: u32,
    pub time_us: u64,
}

impl Summary {
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let summary = match &self.fault {
            None => format!("{}: no fault found", self.engine),
            Some(fault) => format!("{}: {}: {} | {}", self.engine, fault.kind.id(), fault.note, fault.fen),
        };
        Verdict {
            stage: "locate".to_owned(),
            status: if self.fault.is_none() { Status::Pass } else { Status::Fail },
            summary,
            checks: u64::from(self.questions),
            failed: u64::from(self.fault.is_some()),
            figures: Vec::new(),
            time_ms: self.time_us / 1000,
        }
    }
}

/// Looks for the fault. `None` in the summary: the counts are right down to the depth.
///
/// # Errors
/// Bad input, an engine that fails or has no `go perft`, a sink that cannot be written, the user's interrupt.
pub fn run(
    plan: &Plan,
    base: &Session,
    sink: &mut dyn Sink,
    progress: &Progress,
) -> Result<Summary, TrialError> {
    let session = session(base, progress);
    let start = Instant::now();
    let mode = super::castling_mode(plan.chess960);
    let bad = |error: fen::FenError| TrialError::Plan(error.to_string());
    let position = fen::parse(&plan.fen, mode).map_err(bad)?;
    let passed = fen::parse_setup(&plan.fen, mode).map_err(bad)?.ep;
    let mut subject = Subject::start_with(&plan.engine, &session)?;
    let engine = subject.name().to_owned();
    let chess960 = plan.chess960 || fen::needs_chess960(&position);
    let root = list::fen_with_passed(&position, passed);
    progress.begin(u64::from(plan.depth));
    let mut first = true;
    let mut ask = |path: &[String], position: &Position, depth: u32| {
        if progress.is_stopped() {
            return Err(TrialError::Interrupted);
        }
        let begun = Instant::now();
        let limit = Duration::from_millis(plan.timeout_ms);
        let limit = if std::mem::take(&mut first) { limit.min(FIRST_ANSWER) } else { limit };
        let answer = subject.perft(&root, path, depth, chess960, limit)?;
        let expected = rules::perft(position, depth, Hyperbola);
        let wrong = answer.nodes() != expected;
        sink.row(Row::Perft(PerftRow {
            suite: "locate".to_owned(),
            id: if path.is_empty() { "-".to_owned() } else { path.join(" ") },
            fen: fen::format(position),
            depth,
            counter: engine.clone(),
            nodes: answer.nodes(),
            expected: Some(expected),
            time_us: micros_since(begun),
            divide: if wrong { answer.divide.clone() } else { Vec::new() },
        }))?;
        Ok(Answer { divide: answer.divide, total: answer.total })
    };
    let mut search = Search { ask: &mut ask, chess960, path: Vec::new(), questions: 0 };
    let fault = search.first_fault(&position, passed, plan.depth)?;
    let questions = search.questions;
    progress.advance(u64::from(plan.depth));
    Ok(Summary { engine, fault, questions, time_us: micros_since(start) })
}

/// What the engine said, without how it was asked.
#[derive(Clone, PartialEq, Debug, Default)]
struct Answer {
    divide: Vec<(String, u64)>,
    total: Option<u64>,
}

/// Asks for the count behind a path, in the position it leads to, to a depth.
type Ask<'a> = dyn FnMut(&[String], &Position, u32) -> Result<Answer, TrialError> + 'a;

struct Search<'a> {
    ask: &'a mut Ask<'a>,
    chess960: bool,
    path: Vec<String>,
    questions: u32,
}

/// A position on the way.
#[derive(Clone, Copy)]
struct Place {
    position: Position,
    /// The square that a pawn has just passed.
    passed: Option<Square>,
}

impl Place {
    fn after(&self, mv: Move) -> Place {
        let mut position = self.position;
        position.play_unchecked(mv);
        let (from, to) = (mv.from(), mv.to());
        let is_double =
            self.position.role_at(from) == Some(Role::Pawn) && from.rank().abs_diff(to.rank()) == 2;
        Place { position, passed: is_double.then(|| Square::at(from.file(), (from.rank() + to.rank()) / 2)) }
    }
}

impl Search<'_> {
    /// The shallow list first: it tells an engine without `go perft` within seconds, and a wrong list at once.
    fn first_fault(
        &mut self,
        position: &Position,
        passed: Option<Square>,
        depth: u32,
    ) -> Result<Option<Fault>, TrialError> {
        let place = Place { position: *position, passed };
        if depth == 0 {
            return Ok(None);
        }
        match self.look(&place, 1)? {
            None if depth > 1 => self.look(&place, depth),
            found => Ok(found),
        }
    }

    fn ask(&mut self, place: &Place, depth: u32) -> Result<Answer, TrialError> {
        self.questions += 1;
        (self.ask)(&self.path, &place.position, depth)
    }

    /// The fault behind this position, if the engine's counts to this depth show one.
    fn look(&mut self, place: &Place, depth: u32) -> Result<Option<Fault>, TrialError> {
        let answer = self.ask(place, depth)?;
        if answer.divide.is_empty() && (answer.total.unwrap_or(0) > 0 || !place.position.has_legal_move()) {
            return self.look_by_totals(place, depth, answer.total.unwrap_or(0));
        }
        let compared = Comparison::new(place, &answer.divide, depth);
        if compared.is_list_wrong() {
            return Ok(Some(self.wrong_list(place, &compared)));
        }
        let mut count_fault = None;
        for &(mv, theirs, ours) in compared.wrong_counts.iter().take(MOST_BRANCHES) {
            let below = self.below(place, mv, depth)?;
            match below {
                Some(fault) if fault.kind != Kind::Count => return Ok(Some(fault)),
                Some(fault) => count_fault = count_fault.or(Some(fault)),
                None => {
                    let name = list::uci(mv, &place.position, self.chess960);
                    let note = format!(
                        "its list is right and so is its count behind {name} when asked for alone, but here it counts \
                         {theirs} to depth {depth} instead of {ours}"
                    );
                    count_fault = count_fault.or_else(|| Some(self.count_fault(place, note)));
                }
            }
        }
        Ok(count_fault)
    }

    /// Looks behind a move. Too many questions, and nothing more is found.
    fn below(&mut self, place: &Place, mv: Move, depth: u32) -> Result<Option<Fault>, TrialError> {
        if self.questions >= MOST_QUESTIONS {
            return Ok(None);
        }
        self.path.push(list::uci(mv, &place.position, self.chess960));
        let found = self.look(&place.after(mv), depth - 1);
        self.path.pop();
        found
    }

    /// The engine prints no moves: its total for each move is asked for.
    fn look_by_totals(&mut self, place: &Place, depth: u32, total: u64) -> Result<Option<Fault>, TrialError> {
        let ours = rules::perft(&place.position, depth, Hyperbola);
        if total == ours {
            return Ok(None);
        }
        let moves = place.position.legal_moves();
        let count = if depth == 1 { total } else { self.ask(place, 1)?.total.unwrap_or(0) };
        if count != moves.len() as u64 {
            // The counts of further depths narrow down which move it is.
            let mut totals = vec![(1, count)];
            for deeper in 2..=3 {
                totals.push((deeper, self.ask(place, deeper)?.total.unwrap_or(0)));
            }
            return Ok(Some(self.wrong_total(place, &totals)));
        }
        for &mv in moves.iter().filter(|_| depth > 1) {
            if let Some(fault) = self.below(place, mv, depth)? {
                return Ok(Some(fault));
            }
        }
        let note = format!(
            "it counts {total} to depth {depth} instead of {ours}, but is right behind every move when asked for it alone"
        );
        Ok(Some(self.count_fault(place, note)))
    }

    fn wrong_list(&self, place: &Place, compared: &Comparison) -> Fault {
        let texts =
            |moves: &[Move]| moves.iter().map(|&mv| list::uci(mv, &place.position, self.chess960)).collect();
        let mut extra: Vec<String> = compared.extra.iter().map(|(name, _)| name.clone()).collect();
        extra.extend(compared.twice.iter().map(|&mv| list::uci(mv, &place.position, self.chess960)));
        let kind = compared.kind(place);
        let mut note = format!(
            "it lists {} moves where there are {}",
            compared.listed,
            place.position.legal_moves().len()
        );
        if !compared.twice.is_empty() {
            note += ", one of them twice";
        }
        Fault { missing: texts(&compared.missing), extra, ..self.fault(place, kind, note) }
    }

    fn wrong_total(&self, place: &Place, totals: &[(u32, u64)]) -> Fault {
        let moves = place.position.legal_moves();
        let count = totals.first().map_or(0, |&(_, count)| count);
        let note = format!("it prints totals only: {count} moves where there are {}", moves.len());
        let candidates = list::candidates(&place.position, totals);
        let kind = kind::together(candidates.iter().map(|&mv| kind::of_missing(&place.position, mv, &[mv])));
        let kind = if kind == Kind::Mixed { Kind::Unknown } else { kind };
        let unknown = || vec!["?".to_owned()];
        let (missing, extra) = match candidates[..] {
            [only] => (vec![list::uci(only, &place.position, self.chess960)], Vec::new()),
            _ if count < moves.len() as u64 => (unknown(), Vec::new()),
            _ => (Vec::new(), unknown()),
        };
        Fault { missing, extra, ..self.fault(place, kind, note) }
    }

    fn count_fault(&self, place: &Place, note: String) -> Fault {
        self.fault(place, Kind::Count, note)
    }

    fn fault(&self, place: &Place, kind: Kind, note: String) -> Fault {
        Fault {
            fen: list::fen_with_passed(&place.position, place.passed),
            path: self.path.clone(),
            missing: Vec::new(),
            extra: Vec::new(),
            kind,
            note,
        }
    }
}

#[cfg(test)]
mod tests;
