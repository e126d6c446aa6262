//! The line between client and engine: a trait, the buffer that cuts an engine's output into lines of bounded length,
//! and the scripted fake for tests. Knows no UCI words.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::time::Instant;

/// What came of waiting for a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Received {
    /// A line stands in the caller's buffer, without its end.
    Line,
    /// The engine closed its output: no line will come any more.
    End,
    TimedOut,
}

/// How a process ended of its own will.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    pub success: bool,
    /// For messages: `exit status: 0`, `signal: 11 (SIGSEGV)`.
    pub status: String,
    /// A process that it had started was still there. Always false where that cannot be found out.
    pub left_behind: bool,
}

/// A connection to one engine.
pub trait Transport: Send + fmt::Debug {
    /// Sends text, line ends included. An engine that does not read is an error at the deadline, one that closed its
    /// input is one at once.
    fn send(&mut self, text: &str, deadline: Instant) -> io::Result<()>;

    /// Waits for the next line of the engine's output until the deadline. `line` is overwritten.
    fn receive(&mut self, line: &mut String, deadline: Instant) -> Received;

    /// Whether something waits to be read, without waiting for it.
    fn has_unread(&mut self) -> bool;

    /// Ends the engine and all it started, by force, and leaves nothing behind. May be called again.
    fn kill(&mut self);

    /// For messages, after the end: exit status, last words on stderr. Empty if not known.
    fn post_mortem(&self) -> String;

    /// Makes room for more that waits unread, where that can be had.
    fn widen(&mut self) {}

    /// Closes the engine's input; what is sent from here on goes nowhere.
    fn close_input(&mut self) {}

    /// Waits until the process has ended of its own will, dropping what it still says; `None` if it runs on at the deadline.
    /// What it left running is ended.
    fn wait_for_end(&mut self, _deadline: Instant) -> Option<Ended> {
        None
    }

    /// The number of the process, while it runs.
    fn process_id(&self) -> Option<u32> {
        None
    }

    /// The last line it wrote to stderr, as far as that has been read.
    fn last_words(&self) -> String {
        String::new()
    }
}

/// Longest line kept; longer ones are dropped whole.
pub const MAX_LINE: usize = 64 * 1024;
/// Most that waits unread while we are busy sending; older lines are dropped beyond it.
const MAX_WAITING: usize = 1024 * 1024;

/// Cuts bytes into lines. Never holds more than about `MAX_WAITING` bytes.
#[derive(Debug, Default)]
pub struct LineBuffer {
    bytes: Vec<u8>,
    /// Where the next line starts, and up to where no line end was found yet.
    start: usize,
    scanned: usize,
    /// In the middle of a line that is too long.
    skipping: bool,
}

impl LineBuffer {
    pub fn push(&mut self, chunk: &[u8]) {
        if self.start > 0 {
            self.bytes.drain(..self.start);
            self.scanned -= self.start;
            self.start = 0;
        }
        if self.bytes.len() + chunk.len() > MAX_WAITING {
            // Nobody wants what is that old. The line in progress is lost with it.
            self.bytes.clear();
            self.scanned = 0;
            self.skipping = true;
        }
        self.bytes.extend_from_slice(chunk);
    }

    /// Whether nothing is kept, not even half a line.
    pub fn is_empty(&self) -> bool {
        self.start == self.bytes.len()
    }

    /// Moves the next whole line into `line`; bytes that are not UTF-8 become replacement characters.
    pub fn next_line(&mut self, line: &mut String) -> bool {
        loop {
            let Some(offset) = self.bytes[self.scanned..].iter().position(|&byte| byte == b'\n') else {
                self.scanned = self.bytes.len();
                if self.scanned - self.start > MAX_LINE {
                    self.skipping = true;
                }
                if self.skipping {
                    self.start = self.scanned;
                }
                return false;
            };
            let end = self.scanned + offset;
            let raw = &self.bytes[self.start..end];
            let usable = !self.skipping && raw.len() <= MAX_LINE;
            if usable {
                line.clear();
                match std::str::from_utf8(raw) {
                    Ok(text) => line.push_str(text),
                    Err(_) => line.push_str(&String::from_utf8_lossy(raw)),
                }
            }
            self.skipping = false;
            self.start = end + 1;
            self.scanned = self.start;
            if usable {
                return true;
            }
        }
    }
}

/// The last bytes an engine wrote to stderr, for messages.
#[derive(Debug, Default)]
pub struct Tail(VecDeque<u8>);

impl Tail {
    const KEPT: usize = 2048;

    pub fn push(&mut self, chunk: &[u8]) {
        let chunk = &chunk[chunk.len().saturating_sub(Tail::KEPT)..];
        self.0.extend(chunk);
        let surplus = self.0.len().saturating_sub(Tail::KEPT);
        self.0.drain(..surplus);
    }

    /// The last line that is not empty, cut to a readable length.
    pub fn last_line(&self) -> String {
        let bytes: Vec<u8> = self.0.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        line.chars().filter(|c| !c.is_control()).take(200).collect()
    }
}

/// One step of a scripted engine's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    Say(String),
    /// Closes its output.
    Exit,
}

impl Step {
    pub fn say(line: impl Into<String>) -> Step {
        Step::Say(line.into())
    }
}

/// From a received line to what is said then.
type Script = Box<dyn FnMut(&str) -> Vec<Step> + Send>;

/// An engine that is a function from a received line to what it says. Time does not pass: waiting for a line that is
/// not there is a time-out at once.
pub struct ScriptedTransport {
    script: Script,
    waiting: VecDeque<Step>,
    /// Everything that was sent, line by line; shared, so that a test can look while the client owns this.
    pub sent: std::sync::Arc<std::sync::Mutex<Vec<String>>>,
    closed: bool,
}

impl ScriptedTransport {
    pub fn new(script: impl FnMut(&str) -> Vec<Step> + Send + 'static) -> ScriptedTransport {
        ScriptedTransport {
            script: Box::new(script),
            waiting: VecDeque::new(),
            sent: Default::default(),
            closed: false,
        }
    }
}

impl fmt::Debug for ScriptedTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptedTransport")
            .field("waiting", &self.waiting)
            .field("closed", &self.closed)
            .finish_non_exhaustive()
    }
}

impl Transport for ScriptedTransport {
    fn send(&mut self, text: &str, _deadline: Instant) -> io::Result<()> {
        if self.closed {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        for line in text.lines() {
            if let Ok(mut sent) = self.sent.lock() {
                sent.push(line.to_owned());
            }
            self.waiting.extend((self.script)(line));
        }
        Ok(())
    }

    fn receive(&mut self, line: &mut String, _deadline: Instant) -> Received {
        if self.closed {
            return Received::End;
        }
        match self.waiting.pop_front() {
            Some(Step::Say(text)) => {
                *line = text;
                Received::Line
            }
            Some(Step::Exit) => {
                self.closed = true;
                Received::End
            }
            None => Received::TimedOut,
        }
    }

    fn has_unread(&mut self) -> bool {
        !self.waiting.is_empty()
    }

    fn kill(&mut self) {
        self.closed = true;
    }

    fn post_mortem(&self) -> String {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(buffer: &mut LineBuffer) -> Vec<String> {
        let mut line = String::new();
        std::iter::from_fn(|| buffer.next_line(&mut line).then(|| line.clone())).collect()
    }

    #[test]
    fn half_lines_are_joined() {
        let mut buffer = LineBuffer::default();
        buffer.push(b"uci");
        assert!(lines(&mut buffer).is_empty());
        buffer.push(b"ok\r\nread");
        assert_eq!(lines(&mut buffer), ["uciok\r"]);
        buffer.push(b"yok\n\nx\xff\n");
        assert_eq!(lines(&mut buffer), ["readyok", "", "x\u{fffd}"]);
    }

    #[test]
    fn long_lines_are_dropped_and_memory_is_bounded() {
        let mut buffer = LineBuffer::default();
        let chunk = vec![b'x'; 10_000];
        for _ in 0..1000 {
            buffer.push(&chunk);
            assert!(lines(&mut buffer).is_empty());
            assert!(buffer.bytes.len() <= MAX_LINE + 2 * chunk.len());
        }
        buffer.push(b"\nreadyok\n");
        assert_eq!(lines(&mut buffer), ["readyok"]);
        // Nobody reads: old lines go, whole new ones stay.
        for _ in 0..1000 {
            buffer.push(&chunk);
            buffer.push(b"\n");
            assert!(buffer.bytes.len() <= MAX_WAITING);
        }
        let kept = lines(&mut buffer);
        assert!(!kept.is_empty() && kept.iter().all(|line| line.len() == chunk.len()));
    }

    #[test]
    fn tail_keeps_the_last_words() {
        let mut tail = Tail::default();
        for i in 0..10_000 {
            tail.push(format!("line {i}\n").as_bytes());
        }
        assert_eq!(tail.last_line(), "line 9999");
        assert!(tail.0.len() <= Tail::KEPT);
    }
}
