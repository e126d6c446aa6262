//! Worker threads that play numbered pieces of work, and the one thread that takes them in.
//!
//! Knows nothing of chess. What it promises: no piece is started before every worker is ready; piece *i* is started only
//! while *i* < next uncommitted + 2 × workers, so at most that many finished ones are left over at the stop; a worker
//! that fails or panics ends the run instead of hanging it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How often the taking thread looks whether it was asked to stop.
const TICK: Duration = Duration::from_millis(50);

/// Pieces started ahead of the next uncommitted one, per worker.
pub const AHEAD: u64 = 2;

/// What to do, and how many at once.
#[derive(Clone, Copy, Debug)]
pub struct Pieces {
    /// The first piece and the one after the last.
    pub first: u64,
    pub end: u64,
    pub workers: usize,
}

/// What the taking side says after each finished piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// The lowest piece that is not committed yet.
    pub next: u64,
    /// No more pieces, and break off what is running.
    pub stop: bool,
}

/// Why nothing more was played before the end.
#[derive(Debug)]
pub enum Broken<S, T> {
    /// A worker could not be made ready.
    Start(S),
    /// Taking a result failed.
    Take(T),
}

enum Message<P, S> {
    Ready,
    Failed(S),
    Done(u64, P),
}

/// Plays `pieces`. `start(worker)` makes a worker's own state on its thread, `play(state, piece, halt)` does one piece (and
/// should return soon once `halt` is set), `take(piece, result)` runs on the calling thread in order of arrival.
/// A set `stop` ends the run as soon as the pieces in flight have returned.
pub fn run<W, P: Send, S: Send, T>(
    pieces: Pieces,
    stop: &AtomicBool,
    start: impl Fn(usize) -> Result<W, S> + Sync,
    play: impl Fn(&mut W, u64, &AtomicBool) -> P + Sync,
    mut take: impl FnMut(u64, P) -> Result<Taken, T>,
) -> Result<(), Broken<S, T>> {
    let workers = pieces.workers.clamp(1, pieces.end.saturating_sub(pieces.first).clamp(1, 4096) as usize);
    let gate = Gate::new(pieces, workers as u64);
    let (sender, messages) = mpsc::channel();
    thread::scope(|scope| {
        for worker in 0..workers {
            let (sender, gate, start, play) = (sender.clone(), &gate, &start, &play);
            scope.spawn(move || {
                let _guard = CloseOnPanic(gate);
                let mut state = match start(worker) {
                    Ok(state) => state,
                    Err(error) => {
                        let _ = sender.send(Message::Failed(error));
                        return;
                    }
                };
                let _ = sender.send(Message::Ready);
                while let Some(piece) = gate.claim() {
                    if sender.send(Message::Done(piece, play(&mut state, piece, &gate.halt))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);

        let _guard = CloseOnPanic(&gate);
        let mut ready = 0;
        let mut result = Ok(());
        // Ends when every worker has dropped its sender, so results in flight at the stop are still taken in.
        loop {
            match messages.recv_timeout(TICK) {
                Ok(Message::Ready) => {
                    ready += 1;
                    if ready == workers {
                        gate.open();
                    }
                }
                Ok(Message::Failed(error)) => {
                    gate.close();
                    if result.is_ok() {
                        result = Err(Broken::Start(error));
                    }
                }
                Ok(Message::Done(piece, done)) => match take(piece, done) {
                    Ok(taken) => gate.advance(taken),
                    Err(error) => {
                        gate.close();
                        if result.is_ok() {
                            result = Err(Broken::Take(error));
                        }
                    }
                },
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if stop.load(Ordering::Relaxed) {
                gate.close();
            }
        }
        result
    })
}

/// Decides which piece may be started.
#[derive(Debug)]
struct Gate {
    state: Mutex<GateState>,
    changed: Condvar,
    /// Set with `closed`; for the pieces that are running.
    halt: AtomicBool,
    window: u64,
}

#[derive(Debug)]
struct GateState {
    opened: bool,
    closed: bool,
    /// The next piece to hand out, the lowest uncommitted one, and the one after the last.
    next: u64,
    uncommitted: u64,
    end: u64,
}

impl Gate {
    fn new(pieces: Pieces, workers: u64) -> Gate {
        let state = GateState {
            opened: false,
            closed: false,
            next: pieces.first,
            uncommitted: pieces.first,
            end: pieces.end,
        };
        Gate {
            state: Mutex::new(state),
            changed: Condvar::new(),
            halt: AtomicBool::new(false),
            window: AHEAD * workers,
        }
    }

    /// A panic elsewhere leaves the few numbers in here whole, so a poisoned lock is no reason to panic too.
    fn lock(&self) -> MutexGuard<'_, GateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next piece, once it may be started; none when there is no more to do.
    fn claim(&self) -> Option<u64> {
        let mut state = self.lock();
        loop {
            if state.closed || (state.opened && state.next >= state.end) {
                return None;
            }
            if state.opened && state.next < state.uncommitted.saturating_add(self.window) {
                state.next += 1;
                return Some(state.next - 1);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn open(&self) {
        self.lock().opened = true;
        self.changed.notify_all();
    }

    fn advance(&self, taken: Taken) {
        self.lock().uncommitted = taken.next;
        if taken.stop {
            self.close();
        } else {
            self.changed.notify_all();
        }
    }

    fn close(&self) {
        self.lock().closed = true;
        self.halt.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }
}

/// Without it the others would wait for ever: for the piece that the panicking worker took, or for the taking thread.
struct CloseOnPanic<'a>(&'a Gate);

impl Drop for CloseOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    const PIECES: Pieces = Pieces { first: 0, end: 200, workers: 4 };

    fn never() -> AtomicBool {
        AtomicBool::new(false)
    }

    #[test]
    fn every_piece_is_played_once_and_no_more_at_a_time_than_asked() {
        let (playing, most) = (AtomicU64::new(0), AtomicU64::new(0));
        let mut taken = Vec::new();
        let mut started = [false; 200];
        run(
            PIECES,
            &never(),
            |_| Ok::<_, ()>(()),
            |_, piece, _| {
                most.fetch_max(playing.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                thread::yield_now();
                playing.fetch_sub(1, Ordering::SeqCst);
                piece
            },
            |piece, done| {
                assert_eq!(piece, done);
                started[piece as usize] = true;
                taken.push(piece);
                let next = started.iter().position(|&s| !s).unwrap_or(200) as u64;
                Ok::<_, ()>(Taken { next, stop: false })
            },
        )
        .unwrap();
        taken.sort_unstable();
        assert!(taken.iter().copied().eq(0..200));
        assert!(most.load(Ordering::SeqCst) <= 4);
    }

    /// Piece 0 waits until the others can get no further: they stop at the edge of the window.
    #[test]
    fn the_window_holds_back_the_fast_ones() {
        let finished = AtomicU64::new(0);
        let mut next = 0;
        let mut early = Vec::new();
        run(
            PIECES,
            &never(),
            |_| Ok::<_, ()>(()),
            |_, piece, _| {
                if piece == 0 {
                    // 4 workers: pieces 1 to 7 may be played while 0 is not committed.
                    while finished.load(Ordering::SeqCst) < 7 {
                        thread::yield_now();
                    }
                } else {
                    finished.fetch_add(1, Ordering::SeqCst);
                }
            },
            |piece, ()| {
                if next == 0 && piece != 0 {
                    early.push(piece);
                }
                next = if piece == 0 { 200 } else { next };
                Ok::<_, ()>(Taken { next, stop: false })
            },
        )
        .unwrap();
        early.sort_unstable();
        assert_eq!(early, [1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn a_stop_ends_it_and_tells_the_running_ones() {
        let mut count = 0;
        run(
            PIECES,
            &never(),
            |_| Ok::<_, ()>(()),
            |_, piece, halt| {
                // Would never return if it were not told.
                while piece > 5 && !halt.load(Ordering::Relaxed) {
                    thread::yield_now();
                }
            },
            |_, ()| {
                count += 1;
                Ok::<_, ()>(Taken { next: count, stop: count == 6 })
            },
        )
        .unwrap();
        assert!((6..=10).contains(&count), "six and what was running: {count}");

        let asked = AtomicBool::new(true);
        let done = run(
            PIECES,
            &asked,
            |_| Ok::<_, ()>(()),
            |_, _, _| (),
            |_, ()| Ok::<_, ()>(Taken { next: 0, stop: false }),
        );
        assert!(done.is_ok());
    }

    #[test]
    fn one_worker_that_cannot_start_means_no_games_at_all() {
        let played = AtomicU64::new(0);
        let result = run(
            PIECES,
            &never(),
            |worker| if worker == 3 { Err("no such file") } else { Ok(()) },
            |_, _, _| played.fetch_add(1, Ordering::SeqCst),
            |_, _| Ok::<_, ()>(Taken { next: 0, stop: false }),
        );
        assert!(matches!(result, Err(Broken::Start("no such file"))));
        assert_eq!(played.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn a_panic_ends_the_run() {
        let result = std::panic::catch_unwind(|| {
            run(
                PIECES,
                &never(),
                |_| Ok::<_, ()>(()),
                |_, piece, _| assert_ne!(piece, 3, "on purpose"),
                |_, ()| Ok::<_, ()>(Taken { next: 0, stop: false }),
            )
        });
        assert!(result.is_err());
    }
}
