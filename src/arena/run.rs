//! Runs a match of two: joins schedule, pool, games and ledger. Decides nothing itself.

use super::affinity;
use super::game::{self, Table};
use super::latency::watch_lateness;
use super::ledger::{Ledger, PlayedPair};
use super::observer::Observer;
use super::outcome::MatchOutcome;
use super::plan::{MatchPlan, PlanError};
use super::player::{Fault, Player};
use super::pool::{self, Broken, Pieces};
use super::resume::Prefix;
use super::schedule::{Pairing, Schedule};
use super::seat::{Seat, Start};
use super::validity::{self, Surroundings};
use crate::record::{Latency, Row, Sink, StoreError};
use crate::rules::Position;
use crate::suite::{Opening, TablebaseError, Tablebases};
use crate::time::Clock;
use crate::types::Color;
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Why a match could not be played, or not be written down.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// An engine could not be started; no game was played.
    #[error("{0}")]
    Start(String),
    #[error(transparent)]
    Tablebases(#[from] TablebaseError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a match needs from outside.
pub struct Hall<'a> {
    pub start: &'a Start<'a>,
    pub clock: &'a dyn Clock,
    /// Those of the plan, opened.
    pub tablebases: Option<&'a Tablebases>,
    pub observer: &'a dyn Observer,
    pub cores: usize,
    /// How many tasks want a core just now; asked before and after a timed match, never during it.
    pub pressure: &'a (dyn Fn() -> Option<f64> + Sync),
    /// Once set, the match ends: complete pairs are kept, the rest is marked.
    pub stop: &'a AtomicBool,
}

impl std::fmt::Debug for Hall<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hall").field("stop", &self.stop).finish_non_exhaustive()
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
    let processors = plan.processors()?;
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
            |worker| {
                if let Some(size) = processors {
                    affinity::pin(worker, size);
                }
                Worker::new(plan, openings, schedule, hall)
            },
            |worker, pair, halt| worker.play_pair(pair, halt),
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
            if let Some(why) = fault.blame() {
                return Err(MatchError::Start(why));
            }
        }
        Err(Broken::Take(error)) => return Err(MatchError::Store(error)),
    }
    let stop = ledger.close(sink)?;
    let around = Surroundings {
        cores: hall.cores,
        pressure_before,
        pressure_after: pressure(),
        lateness: late.zip(ledger.mean_move_us()),
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

/// Plays while another thread looks how late it wakes.
fn watched<T>(play: impl FnOnce() -> T) -> (T, Option<Latency>) {
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

/// One thread's table: two engines that play one pair after the other.
struct Worker<'a> {
    plan: &'a MatchPlan,
    openings: &'a [Opening],
    schedule: Schedule,
    hall: &'a Hall<'a>,
    seats: [Seat<'a>; 2],
    /// An engine failed for good: this table plays no more, even if the news has not got round yet.
    closed: bool,
}

impl<'a> Worker<'a> {
    fn new(
        plan: &'a MatchPlan,
        openings: &'a [Opening],
        schedule: Schedule,
        hall: &'a Hall<'a>,
    ) -> Result<Worker<'a>, Fault> {
        let seats = [Seat::take(hall.start, 0)?, Seat::take(hall.start, 1)?];
        Ok(Worker { plan, openings, schedule, hall, seats, closed: false })
    }

    fn play_pair(&mut self, pair: u64, halt: &AtomicBool) -> PlayedPair {
        let pairing = self.schedule.pair(pair);
        let mut played = PlayedPair::default();
        for game in 0..2 {
            if self.closed || halt.load(Ordering::Relaxed) || self.hall.stop.load(Ordering::Relaxed) {
                break;
            }
            if let Err(fault) = self.play_game(&pairing, game, halt, &mut played) {
                played.failed = fault.blame();
                self.closed = true;
                break;
            }
        }
        played
    }

    /// Plays game 0 or 1 of a pair and puts it into `played`; an error ends the match.
    fn play_game(
        &mut self,
        pairing: &Pairing,
        game: usize,
        halt: &AtomicBool,
        played: &mut PlayedPair,
    ) -> Result<(), Fault> {
        let recover = self.plan.recover;
        let seeds = pairing.seeds[game];
        let [one, two] = &mut self.seats;
        let one: &mut dyn Player = one.ready(seeds[0], recover)?;
        let two: &mut dyn Player = two.ready(seeds[1], recover)?;
        // Engine 0 has White in game 0, Black in game 1.
        let white = Pairing::white(game);
        let (first, players) =
            if white == 0 { (Color::White, [one, two]) } else { (Color::Black, [two, one]) };
        let engines = [&self.plan.engines[white], &self.plan.engines[1 - white]];
        let table = Table {
            opening: &self.openings[pairing.opening as usize],
            plies: self.plan.plies,
            names: engines.map(|engine| engine.name.as_str()),
            limits: engines.map(|engine| &engine.limit),
            adjudication: self.plan.adjudication,
            tablebases: self.hall.tablebases,
            clock: self.hall.clock,
            hang_timeout: Duration::from_millis(self.plan.hang_timeout_ms),
            halts: [halt, self.hall.stop],
        };
        let finished = game::play(&table, players, first, pairing.pair, game as u32);
        if finished.played.is_finished() {
            self.hall.observer.game_finished(&finished.played.row);
        }
        played.games.push(finished.played);
        let [of_white, of_black] = finished.faults;
        let by_engine = if white == 0 { [of_white, of_black] } else { [of_black, of_white] };
        let mut result = Ok(());
        for (seat, fault) in self.seats.iter_mut().zip(by_engine) {
            result = result.and(seat.after_game(fault, recover));
        }
        result
    }
}
