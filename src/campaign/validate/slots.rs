//! Pairs played many at once, with lengths that depend on the result: quick wins and slow losses, or the other way round.
//!
//! The order of commit is the ledger's own: what it decides is set against a test that takes pairs as they arrive.

use crate::arena::adjudicate::Adjudged;
use crate::arena::ending::{Ending, Played};
use crate::arena::ledger::{Ledger, PlayedPair, Stop};
use crate::arena::pool::AHEAD;
use crate::arena::stopping::{Ended, Stopping};
use crate::record::{GameRow, Row, Sink, StoreError};
use crate::stats::rng::mix;
use crate::stats::sprt::Tracker;
use crate::stats::{Decision, SplitMix64, Sprt};
use crate::types::Color;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Pairs under way at once.
pub(super) const SLOTS: [u64; 2] = [256, 1024];
/// The shortest pair that is level, and by how much the longest is longer.
const SHORTEST: f64 = 0.75;
const SPREAD: f64 = 0.5;
/// By how much a pair is shorter for each half point above level.
const SHORTER: f64 = 0.1;
/// No test is as long.
const MOST_PAIRS: u64 = 10_000_000;

/// What the two ways decide on one course of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slotted {
    /// By the ledger, in the order of the schedule.
    pub ordered: Decision,
    /// As pairs arrive.
    pub arrival: Decision,
}

/// Plays one test in both ways. None once `stop` is set, or if the test has no such form.
pub(super) fn play(
    sprt: Sprt,
    law: &[f64; 5],
    slots: u64,
    seed: u64,
    run: u64,
    stop: &AtomicBool,
) -> Option<Slotted> {
    let mut rng = SplitMix64::new(mix(seed ^ slots).wrapping_add(mix(run.wrapping_add(1))));
    let mut ledger = Ledger::new(Stopping { max_pairs: MOST_PAIRS, sprt: Some(sprt), error_bar: None });
    let mut by_arrival = Tracker::<5>::new(sprt)?;
    let (mut ordered, mut arrival) = (None, Decision::Undecided);
    // When, which pair, which result. Times are positive: their bits are in their order.
    let mut under_way: BinaryHeap<Reverse<(u64, u64, usize)>> = BinaryHeap::new();
    let (mut now, mut started, mut next) = (0.0_f64, 0, 0);
    loop {
        // The pool's own rule; after the ledger's decision only arrival counts.
        let window = if ordered.is_none() { next + AHEAD * slots } else { u64::MAX };
        while (under_way.len() as u64) < slots && started < window {
            let result = rng.category(law);
            let base = SHORTEST + SPREAD * rng.uniform();
            let end = now + base * (1.0 - SHORTER * (result as f64 - 2.0));
            under_way.push(Reverse((end.to_bits(), started, result)));
            started += 1;
        }
        let Reverse((end, index, result)) = under_way.pop()?;
        now = f64::from_bits(end);
        if arrival == Decision::Undecided {
            arrival = by_arrival.observe(result);
        }
        if ordered.is_none() {
            let taken = ledger.offer(index, pair(result), &mut Nowhere, &()).ok()?;
            next = taken.next;
            if taken.stop {
                ordered = match ledger.close(&mut Nowhere).ok()? {
                    Stop::Planned(Ended::Decided(decision)) => Some(decision),
                    _ => Some(Decision::Undecided),
                };
            }
        }
        if let Some(ordered) = ordered.filter(|_| arrival != Decision::Undecided) {
            return Some(Slotted { ordered, arrival });
        }
        if index % 1024 == 0 && (stop.load(Ordering::Relaxed) || index > MOST_PAIRS) {
            return None;
        }
    }
}

/// A pair with this many half points for the first engine, as the pool hands it over.
fn pair(half_points: usize) -> PlayedPair {
    let first_game = half_points.min(2);
    let games = [(Color::White, first_game), (Color::Black, half_points - first_game)];
    let game = |(first, points): (Color, usize)| {
        let ending = match points {
            0 => Ending::Adjudged(Adjudged::Resigned { loser: first }),
            1 => Ending::Adjudged(Adjudged::Drawn),
            _ => Ending::Adjudged(Adjudged::Resigned { loser: !first }),
        };
        Played { row: GameRow::default(), ending, first, searches: [0; 2], disobeyed: [0; 2] }
    };
    PlayedPair { games: games.into_iter().map(game).collect(), failed: None }
}

/// Takes rows and keeps none.
struct Nowhere;

impl Sink for Nowhere {
    fn row(&mut self, _row: Row) -> Result<(), StoreError> {
        Ok(())
    }
}
