//! A raw conversation with an engine: lines out, lines in, all of it kept for whoever has to see what went wrong. Knows
//! the deadline of the check it serves and no chess.

use crate::uci::TrafficLog;
use crate::uci::codec::Words;
use crate::uci::transport::{Ended, Received, Transport};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why a check did not pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// The engine said or did something wrong.
    Wrong(String),
    /// What had to come did not.
    Silent(String),
    /// The engine ended.
    Died(String),
    /// The user wants to stop.
    Interrupted,
}

/// How a check came out, if nothing was wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Passed {
    Well,
    /// With a word on what was found.
    With(String),
    /// It does not apply, and why.
    Skipped(String),
}

pub(super) type Told = Result<Passed, Fault>;

/// Something wrong.
pub(super) fn wrong<T>(what: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Wrong(what.into()))
}

/// Not applicable.
pub(super) fn skip(why: impl Into<String>) -> Told {
    Ok(Passed::Skipped(why.into()))
}

/// Lines of a conversation shown: so many from its start, and in all.
const FIRST: usize = 12;
const MOST: usize = 48;
/// Characters of a line shown.
const WIDEST: usize = 300;
/// Longest single wait while a stop flag is to be looked at.
const STOP_SLICE: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub(super) struct Talk {
    name: String,
    transport: Box<dyn Transport>,
    log: Option<TrafficLog>,
    stop: Option<Arc<AtomicBool>>,
    exchange: Vec<String>,
    dropped: usize,
    /// Of the check as a whole.
    deadline: Instant,
    line: String,
}

impl Talk {
    pub fn new(
        name: &str,
        transport: Box<dyn Transport>,
        log: Option<TrafficLog>,
        stop: Option<Arc<AtomicBool>>,
    ) -> Talk {
        Talk {
            name: name.to_owned(),
            transport,
            log,
            stop,
            exchange: Vec::new(),
            dropped: 0,
            deadline: Instant::now(),
            line: String::new(),
        }
    }

    /// A new check begins, which may take so long.
    pub fn begin(&mut self, most: Duration) {
        self.exchange.clear();
        self.dropped = 0;
        self.deadline = Instant::now() + most;
    }

    /// The conversation since [`Talk::begin`].
    pub fn exchange(&self) -> Vec<String> {
        let mut lines = self.exchange.clone();
        if self.dropped > 0 {
            lines.insert(FIRST, format!("… {} lines left out", self.dropped));
        }
        lines
    }

    fn note(&mut self, mark: char, text: &str) {
        if let Some(log) = &self.log {
            log.write(&self.name, mark, text);
        }
        let shown: String = text.chars().take(WIDEST).flat_map(char::escape_debug).collect();
        let shown = shown.replace("\\\"", "\"").replace("\\'", "'");
        let cut = if text.chars().count() > WIDEST { " …" } else { "" };
        self.exchange.push(format!("{mark} {shown}{cut}"));
        if self.exchange.len() > MOST {
            self.exchange.remove(FIRST);
            self.dropped += 1;
        }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> Result<(), Fault> {
        self.send_ending(line, "\n")
    }

    /// Sends a line with another end than usual.
    pub fn send_ending(&mut self, line: &str, end: &str) -> Result<(), Fault> {
        self.note('>', &format!("{line}{}", end.trim_end_matches('\n')));
        match self.transport.send(&format!("{line}{end}"), self.deadline) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                Err(Fault::Silent("it does not read its input any more".to_owned()))
            }
            Err(_) => Err(self.died()),
        }
    }

    /// The next line, without a carriage return at its end; none after so long.
    pub fn next(&mut self, patience: Duration) -> Result<Option<String>, Fault> {
        let until = self.deadline.min(Instant::now() + patience);
        loop {
            if self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(Fault::Interrupted);
            }
            let slice = until.min(Instant::now() + STOP_SLICE);
            match self.transport.receive(&mut self.line, slice) {
                Received::Line => {
                    let line = std::mem::take(&mut self.line);
                    self.note('<', &line);
                    return Ok(Some(line));
                }
                Received::End => return Err(self.died()),
                Received::TimedOut if slice < until => {}
                Received::TimedOut => return Ok(None),
            }
        }
    }

    /// Everything up to the line with this first word, which is given back; the others go to `others`.
    pub fn until(
        &mut self,
        word: &str,
        patience: Duration,
        others: &mut dyn FnMut(String),
    ) -> Result<String, Fault> {
        let begun = Instant::now();
        loop {
            let left = patience.saturating_sub(begun.elapsed());
            // One that never stops talking comes to its end as well.
            let line = if left.is_zero() { None } else { self.next(left)? };
            match line {
                Some(line) if Words::new(&line).next() == Some(word) => return Ok(line),
                Some(line) => others(line),
                None => {
                    let after = begun.elapsed().as_secs_f64();
                    return Err(Fault::Silent(format!("no `{word}` after {after:.1} s")));
                }
            }
        }
    }

    fn died(&mut self) -> Fault {
        self.transport.kill();
        let how = self.transport.post_mortem();
        self.note('!', "its output ended");
        Fault::Died(format!(
            "the engine ended{}",
            if how.is_empty() { String::new() } else { format!(" ({how})") }
        ))
    }

    /// Closes its input.
    pub fn close_input(&mut self) {
        self.note('>', "(end of input)");
        self.transport.close_input();
    }

    /// Waits for its end.
    pub fn wait_for_end(&mut self, patience: Duration) -> Option<Ended> {
        let ended = self.transport.wait_for_end(Instant::now() + patience);
        match &ended {
            Some(ended) => self.note('!', &format!("ended: {}", ended.status)),
            None => self.note('!', "still running"),
        }
        ended
    }

    /// The last line on its stderr.
    pub fn last_words(&self) -> String {
        self.transport.last_words()
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        self.transport.kill();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::transport::{ScriptedTransport, Step};

    fn talk(script: impl FnMut(&str) -> Vec<Step> + Send + 'static) -> Talk {
        let mut talk = Talk::new("Fake", Box::new(ScriptedTransport::new(script)), None, None);
        talk.begin(Duration::from_secs(5));
        talk
    }

    #[test]
    fn a_long_conversation_is_thinned_out_in_the_middle() {
        let mut talk = talk(|_| (0..500).map(|n| Step::say(format!("info string {n}"))).collect());
        talk.send("go").unwrap();
        for _ in 0..500 {
            talk.next(Duration::from_secs(1)).unwrap().unwrap();
        }
        let shown = talk.exchange();
        assert_eq!(shown.len(), MOST + 1);
        assert_eq!((shown[0].as_str(), shown[FIRST].as_str()), ("> go", "… 453 lines left out"));
        assert_eq!(shown.last().unwrap(), "< info string 499");
    }

    #[test]
    fn silence_and_an_end_are_told_apart() {
        let mut silent = talk(|_| Vec::new());
        silent.send("isready").unwrap();
        let fault = silent.until("readyok", Duration::from_millis(1), &mut |_| {}).unwrap_err();
        assert!(matches!(&fault, Fault::Silent(what) if what.contains("readyok")), "{fault:?}");
        let mut dying = talk(|_| vec![Step::say("x"), Step::Exit]);
        dying.send("isready").unwrap();
        let fault = dying.until("readyok", Duration::from_secs(1), &mut |_| {}).unwrap_err();
        assert!(matches!(fault, Fault::Died(_)), "{fault:?}");
        assert_eq!(dying.exchange(), ["> isready", "< x", "! its output ended"]);
    }
}
