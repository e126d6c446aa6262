//! One engine process at the other end of a transport, whatever it speaks: lines out, lines in, every one logged, every
//! wait with a deadline, and a sure end. Knows no words of either protocol but `quit`, which is the same in both.

use super::client::{ClientError, Session};
use super::transport::{Received, Transport};
use std::io;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// What an engine is asked for just now, in the words of messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stage {
    /// `while searching`.
    pub(super) during: &'static str,
    /// What is waited for: `bestmove`.
    pub(super) awaited: &'static str,
}

/// What came of listening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Heard {
    /// A line, before the deadline.
    InTime,
    /// A line, but behind the deadline: another one may follow at once, so a talker would never end.
    Late,
    /// Nothing until the deadline.
    Nothing,
}

/// How long an engine may take to go when a run is interrupted.
const INTERRUPT_GRACE: Duration = Duration::from_millis(300);
/// Longest single wait while a stop flag is to be looked at.
const STOP_SLICE: Duration = Duration::from_millis(100);

/// The connection. Dropping it ends the engine.
#[derive(Debug)]
pub(super) struct Channel {
    name: String,
    transport: Box<dyn Transport>,
    pub(super) session: Session,
    /// Killed or found dead.
    dead: bool,
    /// What ends a search in the engine's protocol, for an interrupt.
    stop_word: &'static str,
    /// The line received last.
    pub(super) line: String,
}

impl Channel {
    pub(super) fn new(
        name: &str,
        transport: Box<dyn Transport>,
        session: &Session,
        stop_word: &'static str,
    ) -> Channel {
        let (name, session) = (name.to_owned(), session.clone());
        Channel { name, transport, session, dead: false, stop_word, line: String::new() }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Sends lines, each with its end.
    pub(super) fn send(&mut self, text: &str, stage: Stage) -> Result<(), ClientError> {
        if self.dead {
            let cause = "it had ended before".to_owned();
            return Err(ClientError::Died { engine: self.name.clone(), during: stage.during, cause });
        }
        if let Some(log) = &self.session.log {
            log.write(&self.name, '>', text);
        }
        let limit = self.session.timeouts.sync;
        match self.transport.send(text, Instant::now() + limit) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                self.kill();
                let cause = format!("it read nothing for {:.3} s; killed", limit.as_secs_f64());
                Err(ClientError::Died { engine: self.name.clone(), during: stage.during, cause })
            }
            Err(error) => Err(self.died(stage, &format!("its input is closed: {error}"))),
        }
    }

    /// Waits for a line, which then stands in `line`.
    pub(super) fn hear(&mut self, deadline: Instant, stage: Stage) -> Result<Heard, ClientError> {
        loop {
            let mut until = deadline;
            if let Some(stop) = &self.session.stop {
                if stop.load(Ordering::Relaxed) {
                    return Err(self.interrupted());
                }
                until = until.min(Instant::now() + STOP_SLICE);
            }
            match self.transport.receive(&mut self.line, until) {
                Received::Line => {
                    if let Some(log) = &self.session.log {
                        log.write(&self.name, '<', &self.line);
                    }
                    return Ok(if Instant::now() < deadline { Heard::InTime } else { Heard::Late });
                }
                Received::End => return Err(self.died(stage, "")),
                Received::TimedOut if until < deadline => {}
                Received::TimedOut => return Ok(Heard::Nothing),
            }
        }
    }

    /// Whether something waits to be read.
    pub(super) fn has_unread(&mut self) -> bool {
        !self.dead && self.transport.has_unread()
    }

    /// See [`Transport::widen`].
    pub(super) fn widen(&mut self) {
        self.transport.widen();
    }

    fn interrupted(&mut self) -> ClientError {
        let deadline = Instant::now() + INTERRUPT_GRACE;
        if self.transport.send(&format!("{}\nquit\n", self.stop_word), deadline).is_ok() {
            while Instant::now() < deadline
                && self.transport.receive(&mut self.line, deadline) == Received::Line
            {}
        }
        self.kill();
        ClientError::Interrupted { engine: self.name.clone() }
    }

    fn died(&mut self, stage: Stage, cause: &str) -> ClientError {
        self.kill();
        let end = self.transport.post_mortem();
        let cause = match (cause.is_empty(), end.is_empty()) {
            (false, false) => format!("{cause}; {end}"),
            _ => format!("{cause}{end}"),
        };
        ClientError::Died { engine: self.name.clone(), during: stage.during, cause }
    }

    /// Kills the engine and tells why.
    pub(super) fn timed_out(&mut self, stage: Stage, after: Duration) -> ClientError {
        self.kill();
        ClientError::TimedOut { engine: self.name.clone(), awaited: stage.awaited, after }
    }

    /// A note of ours in the traffic log.
    pub(super) fn note(&self, text: &str) {
        if let Some(log) = &self.session.log {
            log.write(&self.name, '!', text);
        }
    }

    pub(super) fn process_id(&self) -> Option<u32> {
        self.transport.process_id()
    }

    /// False once it was killed or found dead; only a new one helps then.
    pub(super) fn is_alive(&self) -> bool {
        !self.dead
    }

    /// Ends the engine by force.
    pub(super) fn kill(&mut self) {
        if !self.dead {
            self.note("ended by force, or dead");
        }
        self.dead = true;
        self.transport.kill();
    }

    /// `quit`, a moment to go, then force. Dropping does the same.
    pub(super) fn quit(&mut self) {
        const END: Stage = Stage { during: "at the end", awaited: "end" };
        if self.dead {
            return;
        }
        let interrupted = self.session.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        let deadline = Instant::now() + self.session.timeouts.quit;
        if !interrupted && self.send("quit\n", END).is_ok() {
            while matches!(self.hear(deadline, END), Ok(Heard::InTime)) {}
        }
        self.kill();
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        self.quit();
    }
}
