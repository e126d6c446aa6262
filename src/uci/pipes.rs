//! An engine as a child process where there is no `poll`: one thread reads each of its streams, a bounded channel
//! brings the lines. Only the process itself is killed, not what it started. Compiled where it is needed, and for tests.

use super::process::CommandSpec;
use super::transport::{Ended, LineBuffer, Received, Tail, Transport};
use std::io::{self, ErrorKind, Read, Write};
use std::process::{Child, ChildStdin, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Lines that may wait unread; then the engine waits.
const WAITING_LINES: usize = 1024;

/// A running engine. Killed and reaped when dropped; its reader threads end with its pipes.
#[derive(Debug)]
pub struct ThreadedProcess {
    child: Child,
    /// `None` once it has been closed.
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    /// A line that was taken to see whether there is one.
    waiting: Option<String>,
    last_words: Arc<Mutex<Tail>>,
    status: Option<ExitStatus>,
}

impl ThreadedProcess {
    pub fn start(spec: &CommandSpec) -> io::Result<ThreadedProcess> {
        let mut child = spec.command().spawn()?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(ErrorKind::BrokenPipe.into());
        };
        let (sender, lines) = sync_channel(WAITING_LINES);
        let last_words = Arc::new(Mutex::new(Tail::default()));
        let tail = Arc::clone(&last_words);
        thread::Builder::new().name("engine output".to_owned()).spawn(move || read_lines(stdout, &sender))?;
        thread::Builder::new().name("engine errors".to_owned()).spawn(move || read_tail(stderr, &tail))?;
        Ok(ThreadedProcess { child, stdin: Some(stdin), lines, waiting: None, last_words, status: None })
    }
}

fn read_lines(mut stream: impl Read, sender: &SyncSender<String>) {
    let mut buffer = LineBuffer::default();
    let mut chunk = vec![0; 32 * 1024];
    while let Some(n) = read_some(&mut stream, &mut chunk) {
        buffer.push(&chunk[..n]);
        let mut line = String::new();
        while buffer.next_line(&mut line) {
            if sender.send(std::mem::take(&mut line)).is_err() {
                return;
            }
        }
    }
}

fn read_tail(mut stream: impl Read, tail: &Mutex<Tail>) {
    let mut chunk = vec![0; 32 * 1024];
    while let Some(n) = read_some(&mut stream, &mut chunk) {
        if let Ok(mut tail) = tail.lock() {
            tail.push(&chunk[..n]);
        }
    }
}

fn read_some(stream: &mut impl Read, chunk: &mut [u8]) -> Option<usize> {
    loop {
        match stream.read(chunk) {
            Ok(0) => return None,
            Ok(n) => return Some(n),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

impl Transport for ThreadedProcess {
    fn send(&mut self, text: &str, _deadline: Instant) -> io::Result<()> {
        self.stdin.as_mut().map_or(Ok(()), |stdin| stdin.write_all(text.as_bytes()))
    }

    fn receive(&mut self, line: &mut String, deadline: Instant) -> Received {
        if let Some(text) = self.waiting.take() {
            *line = text;
            return Received::Line;
        }
        match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(text) => {
                *line = text;
                Received::Line
            }
            Err(RecvTimeoutError::Timeout) => Received::TimedOut,
            Err(RecvTimeoutError::Disconnected) => Received::End,
        }
    }

    fn has_unread(&mut self) -> bool {
        if self.waiting.is_none() {
            self.waiting = self.lines.try_recv().ok();
        }
        self.waiting.is_some()
    }

    fn kill(&mut self) {
        if self.status.is_none() {
            let _ = self.child.kill();
            self.status = self.child.wait().ok();
        }
    }

    fn close_input(&mut self) {
        self.stdin = None;
    }

    fn wait_for_end(&mut self, deadline: Instant) -> Option<Ended> {
        while self.status.is_none() {
            self.status = self.child.try_wait().ok()?;
            let now = Instant::now();
            if self.status.is_none() && now >= deadline {
                return None;
            }
            if self.status.is_none() {
                // Dropped lines make room in the channel; a closed one means that the end is near.
                let pause = deadline.min(now + Duration::from_millis(5)).saturating_duration_since(now);
                if self.lines.recv_timeout(pause) == Err(RecvTimeoutError::Disconnected) {
                    thread::sleep(pause);
                }
            }
        }
        let status = self.status?;
        Some(Ended { success: status.success(), status: status.to_string(), left_behind: false })
    }

    fn last_words(&self) -> String {
        self.last_words.lock().map(|tail| tail.last_line()).unwrap_or_default()
    }

    fn post_mortem(&self) -> String {
        let status = self.status.map(|status| status.to_string()).unwrap_or_default();
        let words = self.last_words.lock().map(|tail| tail.last_line()).unwrap_or_default();
        if words.is_empty() { status } else { format!("{status}; last on stderr: {words}") }
    }
}

impl Drop for ThreadedProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn start(script: &str) -> ThreadedProcess {
        let args = vec!["-c".to_owned(), script.to_owned()];
        ThreadedProcess::start(&CommandSpec { args, ..CommandSpec::new("/bin/sh") }).unwrap()
    }

    #[test]
    fn lines_end_and_deadline() {
        let mut process =
            start("echo oops >&2; read l; echo got $l; yes x | head -c 3000000; exec >&-; read l; exit 3");
        let mut line = String::new();
        let far = || Instant::now() + Duration::from_secs(20);
        assert_eq!(
            process.receive(&mut line, Instant::now() + Duration::from_millis(20)),
            Received::TimedOut
        );
        process.send("hello\n", far()).unwrap();
        assert_eq!((process.receive(&mut line, far()), line.as_str()), (Received::Line, "got hello"));
        while process.receive(&mut line, far()) == Received::Line {
            assert_eq!(line, "x");
        }
        assert_eq!(process.receive(&mut line, far()), Received::End);
        process.kill();
        assert!(process.post_mortem().contains("oops"), "{}", process.post_mortem());
    }
}
