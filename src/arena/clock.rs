//! The chess clock of one player. [`GameClock::charge`] alone decides every flag fall, whatever the kind of limit.
//!
//! It does not measure: the game loop hands in the time a move took. It knows no engines and no moves.
//! Clock bugs of other runners (negative `wtime`, a fixed time per move that piles up, a flag that falls after the
//! increment was added) are rows of `tests/data/cases.csv` and tests here.

use crate::subject::PlayerLimit;
use crate::types::{ClockLimit, Limit};
use std::time::Duration;

/// What the clock says after a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flag {
    /// The move came in time.
    Up,
    /// More than the remaining time plus the margin was used: the game is lost on time.
    Fallen,
}

/// One player's clock in one game.
#[derive(Clone, Debug)]
pub struct GameClock {
    limit: PlayerLimit,
    /// Of the time control; zero if there is none.
    remaining: Duration,
    /// Which period of the time control runs, from 0.
    period: usize,
    /// Moves to the next one, if there is one.
    moves_left: Option<u32>,
}

impl GameClock {
    /// The clock at the start of a game. With a base of zero the first move already has its increment: `0+0.1` means a
    /// tenth of a second for every move, not a game lost before it began.
    pub fn new(limit: &PlayerLimit) -> GameClock {
        let control = limit.tc;
        GameClock {
            limit: limit.clone(),
            remaining: control
                .map_or(Duration::ZERO, |tc| if tc.base.is_zero() { tc.increment } else { tc.base }),
            period: 0,
            moves_left: control.and_then(|tc| tc.moves),
        }
    }

    /// What the clock shows; none for players without a time control.
    pub fn remaining(&self) -> Option<Duration> {
        self.limit.tc.map(|_| self.remaining)
    }

    /// What one move may take before the flag falls, the margin included; none = no clock.
    pub fn allowance(&self) -> Option<Duration> {
        let budget = match (self.remaining(), self.limit.movetime) {
            (Some(remaining), Some(movetime)) => remaining.min(movetime),
            (Some(time), None) | (None, Some(time)) => time,
            (None, None) => return None,
        };
        Some(budget.saturating_add(self.limit.margin))
    }

    /// The same in wall time, for waiting: none where nodes are charged.
    pub fn patience(&self) -> Option<Duration> {
        self.allowance().filter(|_| self.limit.nodes_per_ms.is_none())
    }

    /// What a move is charged that took this time and, if the engine tells, these nodes.
    pub fn price(&self, time: Duration, nodes: Option<u64>) -> Duration {
        match self.limit.nodes_per_ms.zip(nodes) {
            Some((rate, nodes)) => {
                let micros = u128::from(nodes) * 1000 / u128::from(rate.max(1));
                Duration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX))
            }
            None => time,
        }
    }

    /// In an hourglass, what the other side has used comes in here.
    pub fn receive(&mut self, used: Duration) {
        if self.limit.tc.is_some_and(|tc| tc.hourglass) {
            self.remaining = self.remaining.saturating_add(used);
        }
    }

    /// Books the time of one move and says whether the flag fell.
    ///
    /// The order matters: first the flag (the margin forgives, but gives no time: the clock stops at zero), then the next
    /// period of the time control, then the increment. A fixed time per move is fresh every move.
    #[must_use]
    pub fn charge(&mut self, used: Duration) -> Flag {
        if self.allowance().is_some_and(|allowance| used > allowance) {
            self.remaining = self.remaining.saturating_sub(used);
            return Flag::Fallen;
        }
        if let Some(tc) = self.limit.tc {
            // Of the period in which the move was made.
            let increment = tc.period(self.period).increment;
            self.remaining = self.remaining.saturating_sub(used);
            if let Some(left) = &mut self.moves_left {
                *left = left.saturating_sub(1);
                if *left == 0 {
                    self.period = self.period.saturating_add(1);
                    let next = tc.period(self.period);
                    self.remaining = self.remaining.saturating_add(next.base);
                    self.moves_left = next.moves;
                }
            }
            self.remaining = self.remaining.saturating_add(increment);
        }
        Flag::Up
    }

    /// What the mover is told before its move. `opponent` is the other side's clock; a side without a time control is
    /// shown with the mover's own time. `mover` is the mover's colour index.
    pub fn search_limit(&self, opponent: &GameClock, mover: usize) -> Limit {
        let clock = self.limit.tc.map(|tc| {
            let own = (self.remaining, tc.period(self.period).increment);
            let other = opponent
                .limit
                .tc
                .map_or(own, |theirs| (opponent.remaining, theirs.period(opponent.period).increment));
            let (white, black) = if mover == 0 { (own, other) } else { (other, own) };
            ClockLimit {
                remaining: [white.0, black.0],
                increment: [white.1, black.1],
                moves_to_go: self.moves_left,
            }
        });
        Limit {
            time: self.limit.movetime,
            depth: self.limit.depth,
            nodes: self.limit.nodes,
            mate: None,
            clock,
        }
    }
}
