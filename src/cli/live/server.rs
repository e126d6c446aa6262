//! The thread that serves: one loop over all connections, none of which can hold it up.

use super::site::Site;
use super::visitor::Visitor;
use super::{Bound, Feed};
use crate::report::live::Playing;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Resource, getrlimit};
use std::io;
use std::time::{Duration, Instant};

/// How often it looks what has been played, if nobody asks for anything.
const TICK: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// More are turned away.
const MOST_VISITORS: usize = 256;

/// Of the files that may be open: each connection is one, and engines have to be started while others look on.
const SHARE_OF_FILES: u64 = 4;

/// For those who look on to take the end of it.
const FAREWELL: Duration = Duration::from_secs(1);

/// After a connection that could not be accepted: no file is free, and trying at once would find none.
const PAUSE: Duration = Duration::from_millis(200);

/// Serves until the run is over.
pub fn serve(bound: &Bound, playing: Playing, feed: &Feed) {
    let mut site = Site::new(playing);
    let mut visitors: Vec<Visitor> = Vec::new();
    let mut accepts_from = Instant::now();
    let mut ends: Option<Instant> = None;
    let is_local = bound.address.ip().is_loopback();
    loop {
        wait(bound, &mut visitors, Instant::now() >= accepts_from);
        let now = Instant::now();
        if now >= accepts_from && !accept(bound, &mut visitors, is_local, now) {
            accepts_from = now + PAUSE;
        }
        site.look(feed);
        if visitors.iter().any(Visitor::is_following) {
            site.freshen(now);
        }
        for visitor in &mut visitors {
            visitor.step(&mut site, now);
        }
        visitors.retain(|visitor| !visitor.is_gone());
        if site.is_over() {
            let end = *ends.get_or_insert(now + FAREWELL);
            if now >= end || !visitors.iter().any(|visitor| visitor.is_owed(now)) {
                return;
            }
        }
    }
}

/// Until a connection can do something, or a moment has passed.
fn wait(bound: &Bound, visitors: &mut [Visitor], accepts: bool) {
    let mut polled = Vec::with_capacity(visitors.len() + 1);
    polled.extend(visitors.iter().map(|visitor| PollFd::new(&visitor.stream, visitor.interest())));
    if accepts {
        polled.push(PollFd::new(&bound.listener, PollFlags::IN));
    }
    // Interrupted by a signal it is called again, soon enough.
    let _ = poll(&mut polled, Some(&TICK));
    let broken: Vec<bool> = polled
        .iter()
        .map(|entry| entry.revents().intersects(PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL))
        .collect();
    drop(polled);
    visitors.iter_mut().zip(broken).filter(|(_, broken)| *broken).for_each(|(visitor, _)| visitor.leave());
}

fn most_visitors() -> usize {
    // None is no limit.
    let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    usize::try_from(files / SHARE_OF_FILES).map_or(MOST_VISITORS, |share| share.clamp(1, MOST_VISITORS))
}

/// Takes in all who are there; false if that failed.
fn accept(bound: &Bound, visitors: &mut Vec<Visitor>, is_local: bool, now: Instant) -> bool {
    let most = most_visitors();
    // Not all of a flood at once.
    for _ in 0..MOST_VISITORS {
        match bound.listener.accept() {
            Ok((stream, _)) => {
                let mut visitor = Visitor::new(stream, is_local, now);
                if visitors.len() >= most {
                    visitor.turn_away(now);
                }
                // Those who are turned away are still told so.
                if visitors.len() < most + most / 2 {
                    visitors.push(visitor);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return true,
            // It went before it was taken.
            Err(error)
                if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::ConnectionAborted) => {}
            Err(_) => return false,
        }
    }
    true
}
