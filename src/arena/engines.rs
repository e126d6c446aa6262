//! `Subject` as a player, and the match between two of them.

use super::hall::Hall;
use super::observer::Observer;
use super::outcome::MatchOutcome;
use super::plan::MatchPlan;
use super::player::{Choice, Fault, Player, Reply};
use super::resume::Prefix;
use super::run::{MatchError, resume_with};
use crate::record::{Machine, Sink};
use crate::rules::Line;
use crate::subject::{Declined, EngineSpec, Session, Subject, SubjectError};
use crate::suite::{Opening, Tablebases};
use crate::time::RealClock;
use crate::types::Limit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Plays a match of two engines: games and pairs go to `sink` as they are committed, then the match row. No openings =
/// the start position. `session.stop` ends it early: complete pairs are kept, the rest is marked.
///
/// # Errors
/// A plan that makes no sense, an engine that cannot be started, a record that cannot be written. An engine that fails
/// later is no error but [`Stop::EngineFailed`](super::ledger::Stop::EngineFailed).
pub fn run(
    plan: &MatchPlan,
    openings: &[Opening],
    session: &Session,
    sink: &mut dyn Sink,
    observer: &dyn Observer,
) -> Result<MatchOutcome, MatchError> {
    resume(plan, openings, &Prefix::default(), session, sink, observer)
}

/// The same behind the pairs that were committed before the match was broken off.
///
/// # Errors
/// As for [`run`].
pub fn resume(
    plan: &MatchPlan,
    openings: &[Opening],
    prefix: &Prefix,
    session: &Session,
    sink: &mut dyn Sink,
    observer: &dyn Observer,
) -> Result<MatchOutcome, MatchError> {
    with_hall(plan, &[&plan.engines[0], &plan.engines[1]], session, observer, |hall| {
        resume_with(plan, openings, prefix, hall, sink)
    })
}

/// The hall in which these engines play, each by its number, furnished as the plan has it.
pub(super) fn with_hall<T>(
    plan: &MatchPlan,
    engines: &[&EngineSpec],
    session: &Session,
    observer: &dyn Observer,
    play: impl FnOnce(&Hall<'_>) -> Result<T, MatchError>,
) -> Result<T, MatchError> {
    let warned: Vec<AtomicBool> = engines.iter().map(|_| AtomicBool::new(false)).collect();
    let start = |engine: usize| -> Result<Box<dyn Player>, Fault> {
        let subject = Subject::start_with(engines[engine], session).map_err(fault)?;
        if !warned[engine].swap(true, Ordering::Relaxed) {
            subject.warnings().iter().for_each(|warning| observer.warning(warning));
        }
        Ok(Box::new(subject))
    };
    let never = AtomicBool::new(false);
    let stop = session.stop.as_deref().unwrap_or(&never);
    let clock = RealClock::new();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let tablebases = plan.syzygy.as_deref().map(Tablebases::open).transpose()?;
    play(&Hall {
        start: &start,
        clock: &clock,
        tablebases: tablebases.as_ref(),
        processors: plan.processors(engines.iter().copied())?,
        observer,
        cores,
        pressure: &Machine::pressure_now,
        stop,
    })
}

impl Player for Subject {
    fn new_game(&mut self, seed: u64) -> Result<(), Fault> {
        Subject::new_game(self, seed).map_err(fault)
    }

    fn search(&mut self, line: &Line, limit: &Limit, deadline: Duration) -> Result<Reply, Fault> {
        let found = Subject::search(self, line, limit, deadline, &mut |_| ()).map_err(fault)?;
        let choice = match (found.best, found.declined) {
            (Some(mv), _) => Choice::Move(mv),
            (None, Some(Declined::Resigns)) => Choice::Resigns,
            (None, Some(Declined::Refuses)) => Choice::Refuses(found.answer),
            (None, None) if is_move_like(&found.answer) => Choice::Unreadable(found.answer),
            (None, None) => Choice::Nothing,
        };
        Ok(Reply {
            choice,
            expects: found.ponder.filter(|_| self.ponders()),
            pondered: found.pondered,
            score: found.score,
            depth: found.depth,
            nodes: found.nodes,
            wdl: found.wdl,
            time: Some(found.time),
            // The clock of one that has pondered runs from before ours.
            reported: found.reported_time.filter(|_| !self.is_embedded() && !found.pondered),
            obeyed: found.obeyed,
        })
    }

    fn ponder(&mut self, line: &Line, limit: &Limit) -> Result<(), Fault> {
        Subject::ponder(self, line, limit).map_err(fault)
    }

    fn rest(&mut self) -> Result<(), Fault> {
        self.stop_pondering().map_err(fault)
    }
}

/// What the ways of saying "none" are not: `(none)`, `<none>`, `0000`, `NULL`, nothing at all.
fn is_move_like(answer: &str) -> bool {
    let word = answer.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    !word.is_empty() && word != "0000" && !["none", "null"].iter().any(|none| word.eq_ignore_ascii_case(none))
}

fn fault(error: SubjectError) -> Fault {
    let text = error.to_string();
    if error.is_interrupt() {
        Fault::Interrupted
    } else if error.is_time_out() {
        Fault::Hung(text)
    } else if error.is_fatal() {
        Fault::Died(text)
    } else {
        Fault::Unable(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answers of row BR-075 of `tests/data/cases.csv`.
    #[test]
    fn nothing_and_nonsense_are_told_apart() {
        for nothing in ["", "  ", "(none)", "<none>", "0000", "NULL"] {
            assert!(!is_move_like(nothing), "{nothing}");
        }
        for nonsense in ["a1a1", "e2e4e5", "e2", "O-O"] {
            assert!(is_move_like(nonsense), "{nonsense}");
        }
    }
}
