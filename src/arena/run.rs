//! Runs a match of two: joins schedule, pool, games and ledger. Decides nothing itself.

use super::hall::Hall;
use super::latency::watch_lateness;
use super::ledger::Ledger;
use super::outcome::MatchOutcome;
use super::plan::{MatchPlan, PlanError};
use super::player::Fault;
use super::pool::{self, Broken, Pieces};
use super::resume::Prefix;
use super::tournament::TournamentError;
use super::validity::{self, Surroundings};
use super::worker::Worker;
use crate::record::{Latency, Row, Sink, StoreError};
use crate::rules::Position;
use crate::suite::{Opening, TablebaseError};
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

/// Why a match could not be played, or not be written down.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    /// An engine could not be started; no game was played.
    #[error("{0}")]
    Start(String),
    /// A SPEC asks for what its engine does not have: an option, a limit of nodes. No game was played.
    #[error("{0}")]
    Unfit(String),
    #[error(transparent)]
    Tablebases(#[from] TablebaseError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl MatchError {
    /// What a fault at the start of an engine is; none for an interrupt: nobody is to blame.
    pub(super) fn of_start(fault: Fault) -> Option<MatchError> {
        match fault {
            Fault::Unable(why) => Some(MatchError::Unfit(why)),
            Fault::Died(why) | Fault::Hung(why) => Some(MatchError::Start(why)),
            Fault::Interrupted => None,
        }
    }
}

/// Plays the match with players from `hall`. No openings = the start position. Writes games and pairs as they are
/// committed, and the match row at the end.
pub fn run_with(
    plan: &MatchPlan,
    openings: &[Opening],
    hall: &Hall<'_>,
    sink: &mut dyn Sink,
) -> Result<MatchOutcome, MatchError> {
    resume_with(plan, openings, &Prefix::default(), hall, sink)
}

/// What is played from: the start position if there are no openings.
pub fn openings_or_start(openings: &[Opening]) -> Cow<'_, [Opening]> {
    if !openings.is_empty() {
        return Cow::Borrowed(openings);
    }
    Cow::Owned(vec![Opening {
        name: "start position".to_owned(),
        number: 1,
        start: Position::startpos(),
        moves: Vec::new(),
        chess960: false,
    }])
}

/// The same behind the pairs that were committed before: only the others are played and written.
pub fn resume_with(
    plan: &MatchPlan,
    openings: &[Opening],
    prefix: &Prefix,
    hall: &Hall<'_>,
    sink: &mut dyn Sink,
) -> Result<MatchOutcome, MatchError> {
    let stopping = plan.stopping()?;
    let openings = &*openings_or_start(openings);
    let schedule = plan.schedule(openings.len());
    let mut ledger = Ledger::new(stopping);
    let to_play = ledger.replay(prefix, hall.observer);
    let pressure = || if plan.is_timed() { (hall.pressure)() } else { None };
    let pressure_before = pressure();
    let pieces = Pieces { first: ledger.next(), end: plan.pairs, workers: plan.concurrency };
    let mut play = || {
        pool::run(
            pieces,
            hall.stop,
            |worker| Worker::with_engines(openings, hall, worker, [0, 1]),
            |worker, pair, halt| worker.play_pair(plan, [0, 1], &schedule.pair(pair), halt),
            |index, pair| ledger.offer(index, pair, sink, hall.observer),
        )
    };
    let (played, late) = match (to_play, plan.is_timed()) {
        (false, _) => (Ok(()), None),
        (true, false) => (play(), None),
        (true, true) => watched(play),
    };
    match played {
        Ok(()) => {}
        Err(Broken::Start(fault)) => {
            // An interrupt while the engines start ends the match like any other: nothing is played, nobody to blame.
            if let Some(error) = MatchError::of_start(fault) {
                return Err(error);
            }
        }
        Err(Broken::Take(error)) => return Err(MatchError::Store(error)),
    }
    let stop = ledger.close(sink)?;
    let around = Surroundings {
        cores: hall.cores,
        pressure_before,
        pressure_after: pressure(),
        lateness: late.zip(mean(ledger.thought())),
    };
    let doubts = validity::doubts(plan, ledger.tally().games(), ledger.conduct(), &around);
    let outcome = MatchOutcome::new(
        plan,
        &stopping,
        *ledger.tally(),
        *ledger.conduct(),
        stop,
        doubts,
        ledger.latency(),
    );
    sink.row(Row::Match(outcome.row()))?;
    Ok(outcome)
}

/// µs that a move took on average: of how many, and of their sum.
pub(super) fn mean((moves, us): (u64, u64)) -> Option<u64> {
    us.checked_div(moves)
}

/// Plays while another thread looks how late it wakes.
pub(super) fn watched<T>(play: impl FnOnce() -> T) -> (T, Option<Latency>) {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| watch_lateness(&done));
        // Also when the games panic: the scope waits for the watch.
        let end = SetOnDrop(&done);
        let played = play();
        drop(end);
        (played, watch.join().ok().and_then(|late| late.latency()))
    })
}

struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
