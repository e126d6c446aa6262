//! One thread's table: two engines sit at it and play one pair after the other. In a tournament others take their seats as
//! the draw has it; who stays for the next pair is not started anew, who leaves is gone before the next one comes, so there
//! are never more than two engines to a worker: their hash tables fill memory, and some take processor time even when idle.

use super::affinity;
use super::game::{self, Table};
use super::hall::Hall;
use super::ledger::PlayedPair;
use super::plan::MatchPlan;
use super::player::{Fault, Player};
use super::schedule::Pairing;
use super::seat::Seat;
use crate::suite::Opening;
use crate::types::Color;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A worker of the pool.
#[derive(Debug)]
pub struct Worker<'a> {
    openings: &'a [Opening],
    hall: &'a Hall<'a>,
    /// Two, or none before the first pair.
    seats: Vec<Seat<'a>>,
    /// An engine failed for good: this table plays no more, even if the news has not got round yet.
    closed: bool,
}

impl<'a> Worker<'a> {
    /// An empty table, the calling thread's. `number` says which processors it has, where each has its own.
    pub fn new(openings: &'a [Opening], hall: &'a Hall<'a>, number: usize) -> Worker<'a> {
        if let Some(size) = hall.processors {
            affinity::pin(number, size);
        }
        Worker { openings, hall, seats: Vec::with_capacity(2), closed: false }
    }

    /// With these two started.
    pub fn with_engines(
        openings: &'a [Opening],
        hall: &'a Hall<'a>,
        number: usize,
        engines: [usize; 2],
    ) -> Result<Worker<'a>, Fault> {
        let mut worker = Worker::new(openings, hall, number);
        worker.seat(engines)?;
        Ok(worker)
    }

    /// Has these two take their seats, in this order.
    pub fn seat(&mut self, engines: [usize; 2]) -> Result<(), Fault> {
        if self.seats.iter().map(Seat::engine).eq(engines) {
            return Ok(());
        }
        let mut staying = std::mem::take(&mut self.seats);
        staying.retain(|seat| engines.contains(&seat.engine()));
        for engine in engines {
            let seat = match staying.iter().position(|seat| seat.engine() == engine) {
                Some(at) => staying.swap_remove(at),
                None => Seat::take(self.hall.start, engine)?,
            };
            self.seats.push(seat);
        }
        Ok(())
    }

    /// Plays both games of a pair; `engines` are the numbers of the plan's two.
    pub fn play_pair(
        &mut self,
        plan: &MatchPlan,
        engines: [usize; 2],
        pairing: &Pairing,
        halt: &AtomicBool,
    ) -> PlayedPair {
        let mut played = PlayedPair::default();
        for game in 0..2 {
            if self.closed || halt.load(Ordering::Relaxed) || self.hall.stop.load(Ordering::Relaxed) {
                break;
            }
            let seated = self.seat(engines);
            let game = seated.and_then(|()| self.play_game(plan, pairing, game, halt, &mut played));
            if let Err(fault) = game {
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
        plan: &MatchPlan,
        pairing: &Pairing,
        game: usize,
        halt: &AtomicBool,
        played: &mut PlayedPair,
    ) -> Result<(), Fault> {
        let recover = plan.recover;
        let seeds = pairing.seeds[game];
        let [one, two] = self.seats.as_mut_slice() else {
            return Err(Fault::Unable("an empty table".to_owned()));
        };
        let one: &mut dyn Player = one.ready(seeds[0], recover)?;
        let two: &mut dyn Player = two.ready(seeds[1], recover)?;
        // Engine 0 has White in game 0, Black in game 1.
        let white = Pairing::white(game);
        let (first, players) =
            if white == 0 { (Color::White, [one, two]) } else { (Color::Black, [two, one]) };
        let engines = [&plan.engines[white], &plan.engines[1 - white]];
        let table = Table {
            opening: &self.openings[pairing.opening as usize],
            plies: plan.plies,
            names: engines.map(|engine| engine.name.as_str()),
            limits: engines.map(|engine| &engine.limit),
            adjudication: plan.adjudication,
            tablebases: self.hall.tablebases,
            clock: self.hall.clock,
            hang_timeout: Duration::from_millis(plan.hang_timeout_ms),
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
