//! Finds the first position in which a foreign engine's move generator is wrong: its `go perft` is compared move by move,
//! and the search goes down where a count differs, until a list of moves does. Source: page "Perft", section "Divide".
//!
//! An engine is always asked from the start position with the moves that lead on, as in a game: what it keeps from move to
//! move (en-passant squares, rights, keys) is part of the question.

mod kind;
mod list;

pub use kind::Kind;

use super::generators::{Generator, Node};
use super::perft::{How, check_depth, pool};
use super::{Progress, TrialError, micros, micros_since, session};
use crate::notation::{fen, uci_move};
use crate::record::{PerftRow, Row, Sink, Status, Verdict};
use crate::rules::Position;
use crate::sliders::Backend;
use crate::subject::{EngineSpec, Session, Subject};
use crate::types::{Move, Square};
use crate::uci::perft::PerftAnswer;
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
    /// Threads for our own counts.
    pub threads: usize,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            engine: EngineSpec::embedded(),
            fen: fen::format(&Position::startpos()),
            depth: 5,
            chess960: false,
            timeout_ms: 600_000,
            threads: 1,
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
            meaning: String::new(),
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
    check_depth(plan.depth)?;
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
    let threads = pool(plan.threads)?;
    let how = How { bulk: true, threads: threads.as_ref(), table: None, progress };
    let mut count = |position: &Position, depth: u32| {
        how.by_move(&Node::new(Generator::Legal, Backend::default_backend(), position), depth)
    };
    let mut ask = |question: &Question<'_>| {
        let &Question { path, position, depth, expected } = question;
        let limit = Duration::from_millis(plan.timeout_ms);
        let limit = if std::mem::take(&mut first) { limit.min(FIRST_ANSWER) } else { limit };
        let answer = subject.perft(&root, path, depth, chess960, limit)?;
        let nodes = answer.contradiction().filter(|&total| total != expected).unwrap_or(answer.nodes());
        sink.row(Row::Perft(PerftRow {
            suite: "locate".to_owned(),
            id: if path.is_empty() { "-".to_owned() } else { path.join(" ") },
            fen: fen::format(position),
            depth,
            counter: engine.clone(),
            nodes,
            expected: Some(expected),
            time_us: micros(answer.time),
            divide: if nodes == expected { Vec::new() } else { answer.divide.clone() },
        }))?;
        Ok(answer)
    };
    let mut search = Search { ask: &mut ask, count: &mut count, chess960, path: Vec::new(), questions: 0 };
    let fault = search.first_fault(&position, passed, plan.depth)?;
    let questions = search.questions;
    progress.advance(u64::from(plan.depth));
    Ok(Summary { engine, fault, questions, time_us: micros_since(start) })
}

/// What the engine is asked: the count behind a path, in the position it leads to, to a depth. Ours goes into the record.
#[derive(Clone, Copy, Debug)]
struct Question<'a> {
    path: &'a [String],
    position: &'a Position,
    depth: u32,
    expected: u64,
}

type Ask<'a> = dyn FnMut(&Question<'_>) -> Result<PerftAnswer, TrialError> + 'a;
/// Our own count behind each move of a position.
type Count<'a> = dyn FnMut(&Position, u32) -> Result<Vec<(Move, u64)>, TrialError> + 'a;

/// A question answered, beside what the answer must be: the count behind every legal move, and their sum.
#[derive(Debug)]
struct Compared {
    answer: PerftAnswer,
    ours: Vec<(Move, u64)>,
    expected: u64,
}

/// What looking behind a move found.
enum Below {
    Fault(Box<Fault>),
    /// Its counts are right when asked for alone.
    Right,
    /// Too many questions by then.
    NotAsked,
}

struct Search<'a> {
    ask: &'a mut Ask<'a>,
    count: &'a mut Count<'a>,
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
        Place { position, passed: self.position.passed_square(mv) }
    }
}

impl Compared {
    fn total(&self) -> u64 {
        self.answer.total.unwrap_or(0)
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

    fn ask(&mut self, place: &Place, depth: u32) -> Result<Compared, TrialError> {
        self.questions += 1;
        let position = &place.position;
        let ours = (self.count)(position, depth)?;
        let expected = ours.iter().map(|&(_, nodes)| nodes).sum();
        let answer = (self.ask)(&Question { path: &self.path, position, depth, expected })?;
        Ok(Compared { answer, ours, expected })
    }

    /// The fault behind this position, if the engine's counts to this depth show one.
    fn look(&mut self, place: &Place, depth: u32) -> Result<Option<Fault>, TrialError> {
        let asked = self.ask(place, depth)?;
        let answer = &asked.answer;
        if answer.divide.is_empty() && (asked.total() > 0 || asked.ours.is_empty()) {
            return self.look_by_totals(place, depth, asked);
        }
        let compared = Comparison::new(place, &answer.divide, &asked.ours, depth);
        if compared.is_list_wrong() {
            return Ok(Some(self.wrong_list(place, &compared)));
        }
        let mut count_fault = None;
        for &(mv, theirs, ours) in compared.wrong_counts.iter().take(MOST_BRANCHES) {
            let name = uci_move::format(mv, self.chess960);
            let counts = format!("it counts {theirs} behind {name} to depth {depth} instead of {ours}");
            let note = match self.below(place, mv, depth)? {
                Below::Fault(fault) if fault.kind != Kind::Count => return Ok(Some(*fault)),
                Below::Fault(fault) => {
                    count_fault = count_fault.or(Some(*fault));
                    continue;
                }
                Below::Right => {
                    format!("its list is right and so is this count when asked for alone, but here {counts}")
                }
                Below::NotAsked => {
                    format!(
                        "its list is right, but {counts}; why was not looked into after {MOST_QUESTIONS} questions"
                    )
                }
            };
            count_fault = count_fault.or_else(|| Some(self.count_fault(place, note)));
        }
        if let (None, Some(total)) = (&count_fault, asked.answer.contradiction()) {
            let note = format!(
                "its list is right, but to depth {depth} it prints a total of {total} instead of {}",
                asked.expected
            );
            return Ok(Some(self.count_fault(place, note)));
        }
        Ok(count_fault)
    }

    /// Looks behind a move.
    fn below(&mut self, place: &Place, mv: Move, depth: u32) -> Result<Below, TrialError> {
        if self.questions >= MOST_QUESTIONS {
            return Ok(Below::NotAsked);
        }
        self.path.push(uci_move::format(mv, self.chess960));
        let found = self.look(&place.after(mv), depth - 1);
        self.path.pop();
        Ok(found?.map_or(Below::Right, |fault| Below::Fault(Box::new(fault))))
    }

    /// The engine prints no moves: its total for each move is asked for.
    fn look_by_totals(
        &mut self,
        place: &Place,
        depth: u32,
        asked: Compared,
    ) -> Result<Option<Fault>, TrialError> {
        let (total, ours) = (asked.total(), asked.expected);
        if total == ours {
            return Ok(None);
        }
        let moves = place.position.legal_moves();
        let shallow = if depth == 1 { asked } else { self.ask(place, 1)? };
        if shallow.total() != moves.len() as u64 {
            // The counts of further depths narrow down which move it is.
            let mut answers = vec![shallow];
            for deeper in 2..=3 {
                answers.push(self.ask(place, deeper)?);
            }
            return Ok(Some(self.wrong_total(place, &answers)));
        }
        let mut looked_behind = "but is right behind every move when asked for it alone".to_owned();
        for &mv in moves.iter().filter(|_| depth > 1) {
            match self.below(place, mv, depth)? {
                Below::Fault(fault) => return Ok(Some(*fault)),
                Below::Right => {}
                Below::NotAsked => {
                    looked_behind =
                        format!("and behind which move was not found within {MOST_QUESTIONS} questions");
                    break;
                }
            }
        }
        let note = format!("it counts {total} to depth {depth} instead of {ours}, {looked_behind}");
        Ok(Some(self.count_fault(place, note)))
    }

    fn wrong_list(&self, place: &Place, compared: &Comparison) -> Fault {
        let texts = |moves: &[Move]| moves.iter().map(|&mv| uci_move::format(mv, self.chess960)).collect();
        let mut extra: Vec<String> = compared.extra.iter().map(|(name, _)| name.clone()).collect();
        extra.extend(compared.twice.iter().map(|&mv| uci_move::format(mv, self.chess960)));
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

    /// `answers`: to depth 1 and on.
    fn wrong_total(&self, place: &Place, answers: &[Compared]) -> Fault {
        let moves = place.position.legal_moves();
        let count = answers.first().map_or(0, Compared::total);
        let note = format!("it prints totals only: {count} moves where there are {}", moves.len());
        let candidates = list::candidates(&moves, answers);
        let kind = kind::together(candidates.iter().map(|&mv| kind::of_missing(&place.position, mv, &[mv])));
        let kind = if kind == Kind::Mixed { Kind::Unknown } else { kind };
        let unknown = || vec!["?".to_owned()];
        let (missing, extra) = match candidates[..] {
            [only] => (vec![uci_move::format(only, self.chess960)], Vec::new()),
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
