//! An engine as a child process on Unix: its own process group, one `poll` over its pipes, no threads. What the engine
//! writes while we do not listen waits in the pipe, so a flood costs the engine time and us no memory.
//! The only file of this room that names Unix.

use super::process::CommandSpec;
use super::transport::{Ended, LineBuffer, Received, Tail, Transport};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus};
use std::time::{Duration, Instant};

/// Longest wait between two looks at whether a process has ended.
const END_SLICE: Duration = Duration::from_millis(5);
/// How long a child of an engine may outlive it.
const GRACE: Duration = Duration::from_millis(100);

/// Bytes that wait for us while an engine thinks on its opponent's time: what Linux gives to everybody.
#[cfg(target_os = "linux")]
const WIDE: usize = 1 << 20;

/// A running engine. Killed with its process group and reaped when dropped.
#[derive(Debug)]
pub struct PolledProcess {
    child: Child,
    stdin: ChildStdin,
    /// `None` once it has ended.
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    lines: LineBuffer,
    last_words: Tail,
    chunk: Box<[u8]>,
    status: Option<ExitStatus>,
}

impl PolledProcess {
    pub fn start(spec: &CommandSpec) -> io::Result<PolledProcess> {
        let mut child = spec.command().process_group(0).spawn()?;
        let (Some(stdin), stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(ErrorKind::BrokenPipe.into());
        };
        // Only our end: an engine that does not read must not block us.
        rustix::io::ioctl_fionbio(&stdin, true)?;
        Ok(PolledProcess {
            child,
            stdin,
            stdout,
            stderr,
            lines: LineBuffer::default(),
            last_words: Tail::default(),
            chunk: vec![0; 32 * 1024].into_boxed_slice(),
            status: None,
        })
    }

    /// Waits until something can be read (and kept) or, where asked for, written. False at the deadline.
    fn wait(&mut self, for_writing: bool, deadline: Instant) -> io::Result<bool> {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout =
            Timespec { tv_sec: left.as_secs().min(1 << 30) as i64, tv_nsec: left.subsec_nanos().into() };
        // The order of the streams, and how many of them there are, differ from call to call; on the stack, as this is
        // done at every move.
        let input = PollFd::new(&self.stdin, PollFlags::OUT);
        let mut fds = [input.clone(), input.clone(), input];
        let mut count = usize::from(for_writing);
        let mut places = [None; 2];
        let streams = [self.stdout.as_ref().map(AsFd::as_fd), self.stderr.as_ref().map(AsFd::as_fd)];
        for (stream, place) in streams.into_iter().zip(&mut places) {
            if let Some(stream) = stream {
                fds[count] = PollFd::from_borrowed_fd(stream, PollFlags::IN);
                *place = Some(count);
                count += 1;
            }
        }
        match poll(&mut fds[..count], Some(&timeout)) {
            Ok(0) => return Ok(false),
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok(true),
            Err(error) => return Err(error.into()),
        }
        let [out, err] = places.map(|place| place.is_some_and(|place| !fds[place].revents().is_empty()));
        if out && let Some(stream) = &mut self.stdout {
            match read_some(stream, &mut self.chunk) {
                0 => self.stdout = None,
                n => self.lines.push(&self.chunk[..n]),
            }
        }
        if err && let Some(stream) = &mut self.stderr {
            match read_some(stream, &mut self.chunk) {
                0 => self.stderr = None,
                n => self.last_words.push(&self.chunk[..n]),
            }
        }
        Ok(true)
    }
}

/// Bytes read; 0 is the end (an error ends the stream as well).
fn read_some(stream: &mut impl Read, chunk: &mut [u8]) -> usize {
    loop {
        match stream.read(chunk) {
            Ok(n) => return n,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return 0,
        }
    }
}

impl Transport for PolledProcess {
    fn send(&mut self, text: &str, deadline: Instant) -> io::Result<()> {
        let mut left = text.as_bytes();
        while !left.is_empty() {
            match self.stdin.write(left) {
                Ok(n) => left = &left[n..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // The pipe is full. Its owner may be stuck writing to us: read while waiting.
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    let ready = self.wait(true, deadline)?;
                    if !ready || Instant::now() >= deadline {
                        return Err(ErrorKind::TimedOut.into());
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn receive(&mut self, line: &mut String, deadline: Instant) -> Received {
        loop {
            if self.lines.next_line(line) {
                return Received::Line;
            }
            if self.stdout.is_none() {
                return Received::End;
            }
            match self.wait(false, deadline) {
                Ok(true) if Instant::now() < deadline => {}
                // What has come in at the last moment still counts.
                Ok(_) if self.lines.next_line(line) => return Received::Line,
                Ok(_) if self.stdout.is_some() => return Received::TimedOut,
                Ok(_) | Err(_) => return Received::End,
            }
        }
    }

    fn has_unread(&mut self) -> bool {
        let in_the_pipe = |stream: &ChildStdout| rustix::io::ioctl_fionread(stream).unwrap_or(0) > 0;
        !self.lines.is_empty() || self.stdout.as_ref().is_some_and(in_the_pipe)
    }

    fn widen(&mut self) {
        // Refused to users with many pipes: then it has what every pipe has.
        #[cfg(target_os = "linux")]
        if let Some(stream) = &self.stdout {
            let _ = rustix::pipe::fcntl_setpipe_size(stream, WIDE);
        }
    }

    fn kill(&mut self) {
        if self.status.is_some() {
            return;
        }
        // What it said last, if it went of its own will; a few pipes full are enough.
        for _ in 0..8 {
            if self.stdout.is_some()
                || self.stderr.is_none()
                || !self.wait(false, Instant::now()).unwrap_or(false)
            {
                break;
            }
        }
        // First the group, then the leader: until it is reaped its number cannot belong to anybody else.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        self.status = self.child.wait().ok();
        self.stdout = None;
        self.stderr = None;
    }

    fn close_input(&mut self) {
        // Something that can be written to takes its place.
        if let Ok(nowhere) = OpenOptions::new().write(true).open("/dev/null") {
            self.stdin = ChildStdin::from(OwnedFd::from(nowhere));
        }
    }

    fn wait_for_end(&mut self, deadline: Instant) -> Option<Ended> {
        while self.status.is_none() {
            self.status = self.child.try_wait().ok()?;
            if self.status.is_some() {
                break;
            }
            let now = Instant::now();
            if now >= deadline {
                return None;
            }
            // Its end shows as that of its streams, unless a child of its own holds them; without streams this is a pause.
            self.wait(false, deadline.min(now + END_SLICE)).ok()?;
            self.lines = LineBuffer::default();
        }
        let status = self.status?;
        // Its own number is free again, but as the group's it cannot be given to anybody while a member lives.
        let group = Pid::from_child(&self.child);
        let is_there = || test_kill_process_group(group).is_ok();
        // Who was told to go in the same moment may be on the way.
        let grace = Instant::now() + GRACE;
        while is_there() && Instant::now() < grace {
            std::thread::sleep(END_SLICE);
        }
        let left_behind = is_there();
        if left_behind {
            let _ = kill_process_group(group, Signal::KILL);
        }
        while self.stderr.is_some() && !left_behind && self.wait(false, Instant::now()).unwrap_or(false) {}
        Some(Ended { success: status.success(), status: status.to_string(), left_behind })
    }

    fn process_id(&self) -> Option<u32> {
        self.status.is_none().then(|| self.child.id())
    }

    fn last_words(&self) -> String {
        self.last_words.last_line()
    }

    fn post_mortem(&self) -> String {
        let status = self.status.map(|status| status.to_string()).unwrap_or_default();
        match self.last_words.last_line() {
            words if words.is_empty() => status,
            words => format!("{status}; last on stderr: {words}"),
        }
    }
}

impl Drop for PolledProcess {
    fn drop(&mut self) {
        self.kill();
    }
}
