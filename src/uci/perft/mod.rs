//! `go perft N` of a foreign engine. No part of UCI, but many engines have it, and each prints its own table: a move and
//! a count per line, usually with a total; some only the total. Engines that lack it begin to search, or say nothing.

mod table;

pub use table::{PerftLine, is_move_name, parse_perft_line};

use super::client::{Client, ClientError, Phase};
use super::codec::{self, Words};
use std::time::{Duration, Instant};

/// How long to wait for more where nothing says that the answer is complete, or for `readyok` where it is.
const QUIET_AFTER_TABLE: Duration = Duration::from_secs(2);
/// The same behind a total without a table.
const QUIET_AFTER_TOTAL: Duration = Duration::from_millis(300);

/// What an engine said to `go perft`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PerftAnswer {
    /// Root moves and the leaves behind them, in the engine's order and spelling; empty if it prints only a total.
    pub divide: Vec<(String, u64)>,
    /// The total it printed last, if any; but one that the table adds up to stays, whatever other totals follow.
    pub total: Option<u64>,
    /// From the question to the last line of the table or total: how long the count took, without the wait that shows that
    /// nothing follows.
    pub time: Duration,
}

impl PerftAnswer {
    /// The sum of the table, or the total where there is no table.
    pub fn nodes(&self) -> u64 {
        match self.total {
            Some(total) if self.divide.is_empty() => total,
            _ => self.sum(),
        }
    }

    /// The total, where there is a table that does not add up to it.
    pub fn contradiction(&self) -> Option<u64> {
        self.total.filter(|&total| !self.divide.is_empty() && total != self.sum())
    }

    fn sum(&self) -> u64 {
        self.divide.iter().fold(0, |sum, (_, nodes)| sum.saturating_add(*nodes))
    }
}

impl Client {
    /// Counts behind `moves` (UCI form) from `fen`. `depth` is in plies, `deadline` for the whole count.
    ///
    /// # Errors
    /// If the engine has no `go perft` or no Chess960, is too late, dies, or the user interrupts.
    pub fn perft(
        &mut self,
        fen: &str,
        moves: &[String],
        depth: u32,
        chess960: bool,
        deadline: Duration,
    ) -> Result<PerftAnswer, ClientError> {
        self.set_chess960(chess960)?;
        self.position.forget();
        let position = codec::format_position(fen, moves.iter().map(String::as_str));
        self.synchronise(&format!("{position}\nisready\n"), self.timeouts().sync)?;
        let start = Instant::now();
        let end = start + deadline.min(Duration::from_secs(365 * 86_400));
        // An engine that counts before it reads on says `readyok` when it is done.
        self.send(&format!("go perft {depth}\nisready\n"), Phase::Perft)?;
        let mut answer = PerftAnswer::default();
        let mut ready = false;
        loop {
            let has_table = !answer.divide.is_empty();
            let complete = answer.total == Some(answer.nodes()) && (has_table || answer.total == Some(0));
            if complete && ready {
                return Ok(answer);
            }
            let quiet = match (has_table, answer.total) {
                (true, _) if ready || complete => Some(QUIET_AFTER_TABLE),
                (false, Some(_)) if ready => Some(QUIET_AFTER_TOTAL),
                _ => None,
            };
            let until = quiet.map_or(end, |quiet| end.min(Instant::now() + quiet));
            if !self.receive(until, Phase::Perft)? {
                if until < end || complete {
                    return Ok(answer);
                }
                return Err(self.unfinished(&answer, start.elapsed()));
            }
            match parse_perft_line(self.line()) {
                PerftLine::Move(mv, nodes) => {
                    answer.divide.push((mv, nodes));
                    answer.time = start.elapsed();
                }
                PerftLine::Total(nodes) => {
                    if !has_table || answer.total != Some(answer.sum()) {
                        answer.total = Some(nodes);
                    }
                    answer.time = start.elapsed();
                }
                // Some close the count with a `bestmove`, as a search.
                PerftLine::Search if has_table || answer.total.is_some() => {
                    if codec::parse_bestmove(self.line()).is_some() {
                        self.synchronise("isready\n", self.timeouts().sync)?;
                        return Ok(answer);
                    }
                }
                PerftLine::Search => return Err(self.no_perft("it searches instead")),
                PerftLine::Other if Words::new(self.line()).next() == Some("readyok") => {
                    // It counts before it reads on, and has said all it has to say.
                    if !has_table && answer.total.is_some() {
                        return Ok(answer);
                    }
                    ready = true;
                }
                PerftLine::Other => {}
            }
        }
    }

    /// Nothing more came up to the deadline. An engine that said nothing at all and is ready for more has no `go perft`; any
    /// other is still counting, and is killed.
    fn unfinished(&mut self, answer: &PerftAnswer, after: Duration) -> ClientError {
        let rows = answer.divide.len();
        if rows == 0 && answer.total.is_none() {
            match self.no_perft("nothing to be read as a table in time") {
                ClientError::TimedOut { .. } => {}
                other => return other,
            }
        }
        self.kill();
        ClientError::PerftTimedOut { engine: self.name().to_owned(), rows, after }
    }

    /// Stops whatever it is doing instead.
    fn no_perft(&mut self, reason: &str) -> ClientError {
        let stop = self.timeouts().stop;
        match self.synchronise("stop\nisready\n", stop) {
            Ok(()) => ClientError::NoPerft { engine: self.name().to_owned(), reason: reason.to_owned() },
            Err(error) => error,
        }
    }
}
