//! Pondering: between its own move and the opponent's answer an engine thinks about the position behind the answer that it
//! expects. What becomes of it is seen by the next search, which sends `ponderhit` if that answer was played.
//!
//! Nobody listens while it ponders: what it says waits in its pipe. A `bestmove` that comes before `ponderhit` or `stop` is
//! against the protocol; as in cutechess it is dropped, and the engine is asked anew with the clock running.
//! Source: the UCI protocol description (`go ponder`, `ponderhit`, option `Ponder`).

use super::client::{Client, ClientError, Phase};
use super::codec;
use super::search::Summary;
use crate::rules::Line;
use crate::types::Limit;
use std::time::{Duration, Instant};

/// How long the lines of an engine are read that never come to an end.
const READING: Duration = Duration::from_millis(50);

impl Client {
    /// Sets the option `Ponder`, and has its output wait while it thinks. False, and nothing done, where it has no such
    /// option.
    pub fn allow_pondering(&mut self) -> Result<bool, ClientError> {
        let able = self.has_option("Ponder");
        if able {
            self.set_option("Ponder", "true")?;
            self.widen();
        }
        Ok(able)
    }

    /// Has it think about the end of `line`, whose last move is the expected one; with the clocks that it would have if that
    /// took no time. Returns at once.
    pub fn ponder(&mut self, line: &Line, limit: &Limit) -> Result<(), ClientError> {
        self.settle()?;
        self.position.update(line, self.is_chess960());
        self.ask("go ponder", limit)?;
        self.pondering = true;
        Ok(())
    }

    /// Ends pondering, if it does that, and drops the answer. What it was asked is of no interest any more.
    pub fn stop_pondering(&mut self) -> Result<(), ClientError> {
        if !std::mem::take(&mut self.pondering) || self.answered(&mut Summary::default())? {
            return Ok(());
        }
        self.doubt();
        let start = Instant::now();
        let until = start + self.timeouts().stop;
        self.send("stop\n", Phase::Ponder)?;
        loop {
            if !self.receive(until, Phase::Ponder)? {
                return Err(self.timed_out(Phase::Ponder, start.elapsed()));
            }
            if codec::parse_bestmove(self.line()).is_some() {
                return Ok(());
            }
        }
    }

    /// Whether it ponders on the end of `line`, and goes on with it; otherwise it has stopped. `summary` takes in what it
    /// found out so far.
    pub(super) fn meets(&mut self, line: &Line, summary: &mut Summary) -> Result<bool, ClientError> {
        if !self.position.is_of(line) {
            return self.stop_pondering().map(|()| false);
        }
        let answered = self.answered(summary)?;
        self.pondering = false;
        if answered {
            *summary = Summary::default();
        }
        Ok(!answered)
    }

    /// Reads what it has said so far; true if it has answered before it was asked to.
    fn answered(&mut self, summary: &mut Summary) -> Result<bool, ClientError> {
        let until = Instant::now() + READING;
        while self.receive_waiting(until, Phase::Ponder)? {
            if let Some(info) = codec::parse_info(self.line()) {
                if info.string.is_none() {
                    summary.add(&info);
                }
            } else if codec::parse_bestmove(self.line()).is_some() {
                self.doubt();
                return Ok(true);
            }
        }
        Ok(false)
    }
}
