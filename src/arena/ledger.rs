//! The ledger: takes played pairs in any order, commits complete pairs in index order, and decides on that prefix alone.
//!
//! Rows go to the `Sink` as pairs are committed. What is finished beyond the stop, and what was broken off, is written at
//! the end with `set_aside = true` and counted nowhere. Never in order of arrival: short games finish first, and where
//! length depends on the result a decision on what happens to be there passes worthless changes too often
//! (fishtest issue 373 and chess-tuning-tools issue 128: pairs by schedule, not by finishing order).

use super::ending::Played;
use super::latency::{Histogram, book_latency};
use super::observer::Observer;
use super::pool::Taken;
use super::resume::Prefix;
use super::stopping::{Ended, Stopping};
use super::tally::{Conduct, Tally};
use crate::record::{Latency, PairRow, Row, Sink, StoreError};
use crate::types::Color;
use std::collections::BTreeMap;

/// Why a match ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Stop {
    /// All pairs of the plan are played, or the SPRT decided.
    Planned(Ended),
    /// Asked to stop from outside.
    Interrupted,
    /// An engine failed and the plan says not to go on: what happened.
    EngineFailed(String),
}

/// What was played of one pair.
#[derive(Debug, Default)]
pub struct PlayedPair {
    /// Two unless the pair was broken off.
    pub games: Vec<Played>,
    /// An engine failed for good: the pair is not complete and no other will be.
    pub failed: Option<String>,
}

impl PlayedPair {
    /// The first engine's half points of both games; none if the pair is not complete.
    pub(super) fn half_points(&self) -> Option<[u32; 2]> {
        match (self.failed.is_some(), self.games.as_slice()) {
            (false, [one, two]) => Some([one.first_half_points()?, two.first_half_points()?]),
            _ => None,
        }
    }
}

/// The state of a match.
#[derive(Debug)]
pub struct Ledger {
    stopping: Stopping,
    /// The lowest pair that is not committed.
    next: u64,
    waiting: BTreeMap<u64, PlayedPair>,
    tally: Tally,
    llr: Option<f64>,
    ended: Option<Ended>,
    failed: Option<String>,
    conduct: [Conduct; 2],
    /// By engine.
    latency: [Histogram; 2],
    /// Moves of committed games, and the time they took.
    thought: (u64, u64),
}

impl Ledger {
    pub fn new(stopping: Stopping) -> Ledger {
        Ledger::starting_at(stopping, 0)
    }

    /// Of a match whose first pair has this number.
    pub fn starting_at(stopping: Stopping, first: u64) -> Ledger {
        Ledger {
            stopping,
            next: first,
            waiting: BTreeMap::new(),
            tally: Tally::default(),
            llr: None,
            ended: None,
            failed: None,
            conduct: [Conduct::default(); 2],
            latency: Default::default(),
            thought: (0, 0),
        }
    }

    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Log-likelihood ratio of the committed prefix; none without an SPRT or before the first pair.
    pub fn llr(&self) -> Option<f64> {
        self.llr
    }

    /// Moves of the games committed here, and the µs they took together.
    pub fn thought(&self) -> (u64, u64) {
        self.thought
    }

    /// Measured less reported time, by engine.
    pub fn latency(&self) -> [Option<Latency>; 2] {
        [&self.latency[0], &self.latency[1]].map(Histogram::latency)
    }

    /// By engine: first, second.
    pub fn conduct(&self) -> &[Conduct; 2] {
        &self.conduct
    }

    /// Takes in pair `index` and commits what is complete up to there.
    pub fn offer(
        &mut self,
        index: u64,
        pair: PlayedPair,
        sink: &mut dyn Sink,
        observer: &dyn Observer,
    ) -> Result<Taken, StoreError> {
        if self.failed.is_none() {
            self.failed.clone_from(&pair.failed);
        }
        self.waiting.insert(index, pair);
        while self.ended.is_none() {
            let Some(entry) = self.waiting.first_entry().filter(|entry| *entry.key() == self.next) else {
                break;
            };
            let Some(half_points) = entry.get().half_points() else { break };
            let pair = entry.remove();
            self.commit(pair, half_points, sink, observer)?;
        }
        Ok(Taken { next: self.next, stop: self.ended.is_some() || self.failed.is_some() })
    }

    /// Takes in what was committed before the match was broken off. False if it had ended by then.
    pub fn replay(&mut self, prefix: &Prefix, observer: &dyn Observer) -> bool {
        for half_points in &prefix.pairs {
            let row = self.count(*half_points);
            observer.pair_committed(&row);
        }
        self.conduct = prefix.conduct;
        self.latency = prefix.latency.clone();
        self.ended.is_none()
    }

    /// The lowest pair that is not committed.
    pub fn next(&self) -> u64 {
        self.next
    }

    fn commit(
        &mut self,
        pair: PlayedPair,
        half_points: [u32; 2],
        sink: &mut dyn Sink,
        observer: &dyn Observer,
    ) -> Result<(), StoreError> {
        for game in pair.games {
            game.book(&mut self.conduct);
            for us in game.row.plies.iter().filter_map(|ply| ply.time_us) {
                self.thought = (self.thought.0 + 1, self.thought.1 + us);
            }
            book_latency(&game.row, usize::from(game.first == Color::Black), &mut self.latency);
            sink.row(Row::Game(game.row))?;
        }
        let row = self.count(half_points);
        observer.pair_committed(&row);
        sink.row(Row::Pair(row))
    }

    fn count(&mut self, half_points: [u32; 2]) -> PairRow {
        let sum = self.tally.add(half_points);
        let judged = self.stopping.judge(&self.tally);
        self.llr = judged.llr;
        self.ended = judged.ended;
        let Tally { wins, draws, losses, penta } = self.tally;
        let row = PairRow { pair: self.next, half_points: sum, wins, draws, losses, penta, llr: self.llr };
        self.next += 1;
        row
    }

    /// Writes what is left over, marked, and says why the match ended.
    pub fn close(&mut self, sink: &mut dyn Sink) -> Result<Stop, StoreError> {
        for (_, pair) in std::mem::take(&mut self.waiting) {
            for game in pair.games {
                let mut row = game.row;
                row.set_aside = true;
                sink.row(Row::Game(row))?;
            }
        }
        Ok(match (self.ended, self.failed.take()) {
            (Some(ended), _) => Stop::Planned(ended),
            (None, Some(failed)) => Stop::EngineFailed(failed),
            (None, None) => Stop::Interrupted,
        })
    }
}
