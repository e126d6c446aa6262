//! A connection: asks once, gets its answer, or events until it goes. Never waited for: what it does not take at once is kept as
//! one answer, or one event, and who takes nothing for a while is let go.

use super::http::{self, Asked, Refusal, Wanted};
use super::site::{Bytes, Site};
use rustix::event::PollFlags;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// To ask, from the beginning on; to take something of what there is to be read.
const PATIENCE: Duration = Duration::from_secs(10);

/// The same when the run is over.
const HASTE: Duration = Duration::from_millis(300);

/// A silent connection may be a dead one; proxies cut silent ones, too.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// To read the answer, after it was sent, before the connection is closed over what has not been read.
const LINGER: Duration = Duration::from_secs(1);

/// What is read of one connection, in all; a request is much shorter.
const MOST_READ: usize = 16 << 20;

#[derive(Debug, PartialEq)]
enum Stage {
    Asking(Vec<u8>),
    /// Has been told of this version.
    Following(u64),
    /// Has its answer, or is getting it.
    Answered,
    Lingering,
    Gone,
}

#[derive(Debug)]
pub struct Visitor {
    pub stream: TcpStream,
    stage: Stage,
    to_write: VecDeque<Bytes>,
    /// Bytes of the first of them that are written.
    written: usize,
    read: usize,
    is_read: bool,
    /// When it last did what it is expected to.
    moved: Instant,
    is_local: bool,
}

impl Visitor {
    pub fn new(stream: TcpStream, is_local: bool, now: Instant) -> Visitor {
        let stage =
            if stream.set_nonblocking(true).is_ok() { Stage::Asking(Vec::new()) } else { Stage::Gone };
        // Events are small and should not wait for more.
        let _ = stream.set_nodelay(true);
        Visitor {
            stream,
            stage,
            to_write: VecDeque::new(),
            written: 0,
            read: 0,
            is_read: false,
            moved: now,
            is_local,
        }
    }

    /// One too many.
    pub fn turn_away(&mut self, now: Instant) {
        self.answer(vec![http::refusal(Refusal::TooMany).into()], Stage::Answered, now);
    }

    pub fn is_gone(&self) -> bool {
        self.stage == Stage::Gone
    }

    pub fn leave(&mut self) {
        self.stage = Stage::Gone;
    }

    pub fn is_following(&self) -> bool {
        matches!(self.stage, Stage::Following(_))
    }

    /// Whether there is something it has yet to take, and it does.
    pub fn is_owed(&self, now: Instant) -> bool {
        !self.is_gone() && !self.to_write.is_empty() && now.saturating_duration_since(self.moved) < HASTE
    }

    /// What it waits for.
    pub fn interest(&self) -> PollFlags {
        let mut flags = PollFlags::empty();
        flags.set(PollFlags::IN, !self.is_read);
        flags.set(PollFlags::OUT, !self.to_write.is_empty());
        flags
    }

    /// Reads and writes what is possible now.
    pub fn step(&mut self, site: &mut Site, now: Instant) {
        if self.take_in(site, now).is_err() || self.give(site, now).is_err() {
            self.leave();
        }
    }

    fn take_in(&mut self, site: &mut Site, now: Instant) -> io::Result<()> {
        let mut chunk = [0; 8192];
        while !self.is_read && !self.is_gone() {
            let count = match self.stream.read(&mut chunk) {
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            self.is_read = count == 0;
            self.read += count;
            if self.read > MOST_READ {
                self.leave();
            }
            if let Stage::Asking(bytes) = &mut self.stage {
                bytes.extend_from_slice(&chunk[..count]);
                match http::asked(bytes, self.is_local) {
                    Asked::Partly if self.is_read => self.leave(),
                    Asked::Partly => {}
                    Asked::Refused(why) => self.answer(vec![http::refusal(why).into()], Stage::Answered, now),
                    Asked::For { wanted, only_head } => self.serve(&wanted, only_head, site, now),
                }
            }
        }
        Ok(())
    }

    fn serve(&mut self, wanted: &Wanted, only_head: bool, site: &mut Site, now: Instant) {
        site.freshen(now);
        let (kind, body) = match wanted {
            Wanted::Page => ("text/html; charset=utf-8", Some(site.page())),
            Wanted::State => ("application/json", Some(site.state())),
            Wanted::Events(_) => ("text/event-stream", None),
        };
        let head = http::head("200 OK", kind, body.as_ref().map(|body| body.len())).into_bytes().into();
        match (wanted, body) {
            (Wanted::Events(mark), _) if !only_head => {
                let retry: Bytes = (*b"retry: 2000\n\n").into();
                self.answer(vec![head, retry], Stage::Following(site.version_of(mark.as_deref())), now);
            }
            (_, Some(body)) if !only_head => self.answer(vec![head, body], Stage::Answered, now),
            _ => self.answer(vec![head], Stage::Answered, now),
        }
    }

    fn answer(&mut self, parts: Vec<Bytes>, stage: Stage, now: Instant) {
        self.stage = stage;
        parts.into_iter().for_each(|part| self.push(part, now));
    }

    fn push(&mut self, bytes: Bytes, now: Instant) {
        if self.to_write.is_empty() {
            self.moved = now;
        }
        self.to_write.push_back(bytes);
    }

    fn give(&mut self, site: &mut Site, now: Instant) -> io::Result<()> {
        // Who is slow gets the changes since the last event it took in one.
        if let Stage::Following(seen) = self.stage
            && self.to_write.is_empty()
        {
            if seen < site.version() {
                self.push(site.changes(seen), now);
                self.stage = if site.is_over() { Stage::Answered } else { Stage::Following(site.version()) };
            } else if now.saturating_duration_since(self.moved) >= HEARTBEAT {
                self.push((*b":\n\n").into(), now);
            }
        }
        while let Some(first) = self.to_write.front() {
            match self.stream.write(&first[self.written..]) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => {
                    self.moved = now;
                    self.written += count;
                    if self.written == first.len() {
                        self.to_write.pop_front();
                        self.written = 0;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let still = now.saturating_duration_since(self.moved);
        match self.stage {
            Stage::Answered if self.to_write.is_empty() => {
                // What it still sends is read: a connection that is closed over it loses the answer, too.
                self.stream.shutdown(Shutdown::Write)?;
                self.stage = Stage::Lingering;
            }
            Stage::Lingering if self.is_read || still >= LINGER => self.leave(),
            Stage::Asking(_) if still >= PATIENCE => self.leave(),
            _ if !self.to_write.is_empty() && still >= PATIENCE => self.leave(),
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::live::{End, Feed};
    use crate::record::{GameRow, Header, Row};
    use crate::report::live::Playing;
    use std::net::TcpListener;
    use std::path::PathBuf;

    /// Both ends of a connection, and the moment it was made: each test counts its seconds from there.
    fn pair() -> (TcpStream, Visitor, Instant) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let browser = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        browser.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let now = Instant::now();
        (browser, Visitor::new(listener.accept().unwrap().0, true, now), now)
    }

    fn site() -> Site {
        Site::new(Playing::new(Header::default(), PathBuf::new(), None, None))
    }

    fn game(feed: &Feed) {
        feed.lock().unwrap().rows.push(Row::Game(GameRow::default()));
    }

    /// What was asked has been read: the loopback may need a moment.
    fn ask(browser: &mut TcpStream, visitor: &mut Visitor, site: &mut Site, now: Instant, request: &[u8]) {
        browser.write_all(request).unwrap();
        for _ in 0..2000 {
            visitor.step(site, now);
            if !matches!(visitor.stage, Stage::Asking(_)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("{:?}", visitor.stage);
    }

    const EVENTS: &[u8] = b"GET /events HTTP/1.1\r\n\r\n";
    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn who_never_reads_is_dropped_after_its_patience() {
        let (mut browser, mut visitor, start) = pair();
        let (mut site, feed) = (site(), Feed::default());
        ask(&mut browser, &mut visitor, &mut site, start, EVENTS);
        // An event a second, until the buffers of the system hold no more.
        let mut now = start;
        while visitor.to_write.is_empty() {
            now += SECOND;
            game(&feed);
            site.look(&feed);
            site.freshen(now);
            visitor.step(&mut site, now);
            assert!(!visitor.is_gone() && now < start + 1_000_000 * SECOND);
        }
        visitor.step(&mut site, now + PATIENCE - SECOND);
        assert!(!visitor.is_gone());
        // One event is kept for it, not all of them.
        assert_eq!(visitor.to_write.len(), 1);
        visitor.step(&mut site, now + PATIENCE);
        assert!(visitor.is_gone());
    }

    #[test]
    fn who_does_not_ask_is_dropped() {
        let (mut browser, mut visitor, start) = pair();
        let mut site = site();
        // A byte now and then is no excuse.
        for second in 0..PATIENCE.as_secs() as u32 {
            browser.write_all(b"G").unwrap();
            visitor.step(&mut site, start + second * SECOND);
            assert!(!visitor.is_gone());
        }
        visitor.step(&mut site, start + PATIENCE);
        assert!(visitor.is_gone());
    }

    #[test]
    fn who_waits_for_nothing_new_hears_a_heartbeat() {
        let (mut browser, mut visitor, start) = pair();
        let mut site = site();
        ask(&mut browser, &mut visitor, &mut site, start, EVENTS);
        visitor.step(&mut site, start);
        let mut heard = vec![0; 1 << 20];
        let mut hear = |browser: &mut TcpStream| {
            let count = browser.read(&mut heard).unwrap();
            String::from_utf8_lossy(&heard[..count]).into_owned()
        };
        let mut first = hear(&mut browser);
        while !first.ends_with("\n\n") || !first.contains("event: update") {
            first += &hear(&mut browser);
        }
        visitor.step(&mut site, start + HEARTBEAT - SECOND);
        browser.set_nonblocking(true).unwrap();
        assert!(browser.read(&mut [0; 8]).is_err());
        browser.set_nonblocking(false).unwrap();
        visitor.step(&mut site, start + HEARTBEAT);
        assert_eq!(hear(&mut browser), ":\n\n");
        // And again; it is not dropped for reading nothing else.
        visitor.step(&mut site, start + 2 * HEARTBEAT);
        assert_eq!(hear(&mut browser), ":\n\n");
        assert!(visitor.is_following());
    }

    #[test]
    fn the_end_is_told_and_then_the_connection_is_closed() {
        let (mut browser, mut visitor, start) = pair();
        let (mut site, feed) = (site(), Feed::default());
        ask(&mut browser, &mut visitor, &mut site, start, EVENTS);
        visitor.step(&mut site, start);
        feed.lock().unwrap().end = Some(End { page: Some("the report".to_owned()) });
        site.look(&feed);
        site.freshen(start);
        visitor.step(&mut site, start);
        assert!(visitor.stage == Stage::Lingering && !visitor.is_owed(start));
        let mut all = String::new();
        browser.read_to_string(&mut all).unwrap();
        assert!(all.contains("event: done") && all.contains("the report"), "{all}");
        visitor.step(&mut site, start + LINGER);
        assert!(visitor.is_gone());
    }
}
