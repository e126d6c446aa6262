//! What a match tells while it runs. Called from the threads that play, so it must be quick: no terminal, no file.

use crate::record::{GameRow, MatchRow, PairRow};
use std::sync::atomic::{AtomicU64, Ordering};

/// Listens to a match. Every method has an empty default.
pub trait Observer: Sync {
    /// Something about an engine that people should know, once for each engine.
    fn warning(&self, text: &str) {
        let _ = text;
    }

    /// A game has ended (on the thread that played it, in order of finishing; it may yet be set aside).
    fn game_finished(&self, game: &GameRow) {
        let _ = game;
    }

    /// A pair has been committed (in index order, on the thread that called `run`).
    fn pair_committed(&self, pair: &PairRow) {
        let _ = pair;
    }

    /// An encounter of a tournament is over (on the thread that called `run`).
    fn encounter_finished(&self, encounter: &MatchRow) {
        let _ = encounter;
    }
}

/// Listens to nothing.
impl Observer for () {}

/// Counters for a progress display drawn by another thread.
#[derive(Debug, Default)]
pub struct Counters {
    pub games: AtomicU64,
    pub plies: AtomicU64,
    /// Plies that were thought about, and how long.
    pub searches: AtomicU64,
    pub search_us: AtomicU64,
    pub pairs: AtomicU64,
    pub wins: AtomicU64,
    pub draws: AtomicU64,
    pub losses: AtomicU64,
    /// Bits of the `f64` log-likelihood ratio; see [`Counters::llr`].
    llr_bits: AtomicU64,
}

impl Counters {
    /// The SPRT's log-likelihood ratio so far; 0 without one.
    pub fn llr(&self) -> f64 {
        f64::from_bits(self.llr_bits.load(Ordering::Relaxed))
    }
}

impl Observer for Counters {
    fn game_finished(&self, game: &GameRow) {
        self.games.fetch_add(1, Ordering::Relaxed);
        self.plies.fetch_add(game.plies.len() as u64, Ordering::Relaxed);
        let times = game.plies.iter().filter_map(|ply| ply.time_us);
        let (searches, time) = times.fold((0, 0), |(count, sum), time| (count + 1, sum + time));
        self.searches.fetch_add(searches, Ordering::Relaxed);
        self.search_us.fetch_add(time, Ordering::Relaxed);
    }

    fn pair_committed(&self, pair: &PairRow) {
        self.pairs.store(pair.pair + 1, Ordering::Relaxed);
        self.wins.store(pair.wins, Ordering::Relaxed);
        self.draws.store(pair.draws, Ordering::Relaxed);
        self.losses.store(pair.losses, Ordering::Relaxed);
        self.llr_bits.store(pair.llr.unwrap_or(0.0).to_bits(), Ordering::Relaxed);
    }
}
