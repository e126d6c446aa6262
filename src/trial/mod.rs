//! Trials: each measures one thing once: a plan goes in, rows and a verdict come out.
//!
//! A trial knows neither terminals nor files: rows go to a [`Sink`](crate::record::Sink), progress into atomics that
//! somebody else may draw, and the user's interrupt comes back through them.

pub mod bench;
pub mod compliance;
pub mod exchange;
pub mod generators;
pub mod hashing;
pub mod locate;
pub mod perft;
pub mod rating;
pub mod sliders;
pub mod speed;
pub mod symmetry;
pub mod tactics;

pub(crate) mod factors;
mod pool;
mod random_game;

use crate::notation::fen::CastlingMode;
use crate::rules::{Line, Position};
use crate::subject::{EngineSpec, Found, Info, Session, Subject, SubjectError};
use crate::types::Limit;
use crate::uci::ClientError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How far a trial is; read by a ticker in another thread. The measuring side only adds to atomics.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    total: AtomicU64,
    stop: Arc<AtomicBool>,
}

impl Progress {
    /// Starts counting anew, up to `total` steps.
    pub fn begin(&self, total: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    pub fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::Relaxed);
    }

    #[must_use]
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    #[must_use]
    pub fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }

    /// Asks the trial to end soon; it returns [`TrialError::Interrupted`].
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Progress whose stop flag is this one, set from outside.
    #[must_use]
    pub fn with_stop(stop: Arc<AtomicBool>) -> Progress {
        Progress { stop, ..Progress::default() }
    }

    /// The flag itself, for an engine that polls it, or a signal handler that sets it.
    #[must_use]
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }
}

/// Why a trial could not be carried out. A failed check is no error.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// The plan cannot be: bad input.
    #[error("{0}")]
    Plan(String),
    /// A setting of a study that cannot be. `level`: which one of a list, from 0.
    #[error("{key}: {what}")]
    Setting { key: String, level: Option<usize>, what: String },
    #[error(transparent)]
    Suite(#[from] crate::suite::SuiteError),
    #[error(transparent)]
    Store(#[from] crate::record::StoreError),
    /// An engine failed, and the run cannot go on.
    #[error(transparent)]
    Subject(SubjectError),
    /// The same of an engine in a match: who, and what it did.
    #[error("{0}")]
    Engine(String),
    /// The rows so far are in the sink.
    #[error("interrupted")]
    Interrupted,
}

impl TrialError {
    /// A command that cannot be started at all.
    fn start(engine: String, path: String, source: std::io::Error) -> TrialError {
        TrialError::Subject(SubjectError::Client(ClientError::Start { engine, path, source }))
    }

    /// A setting that cannot be, and why.
    pub(crate) fn setting(key: impl Into<String>, what: impl Into<String>) -> TrialError {
        TrialError::Setting { key: key.into(), level: None, what: what.into() }
    }

    pub(crate) fn level(key: impl Into<String>, level: usize, what: impl Into<String>) -> TrialError {
        TrialError::Setting { key: key.into(), level: Some(level), what: what.into() }
    }
}

/// An interrupt that an engine's start or search came back with is the run's interrupt, not that engine's failure.
impl From<SubjectError> for TrialError {
    fn from(error: SubjectError) -> TrialError {
        if error.is_interrupt() { TrialError::Interrupted } else { TrialError::Subject(error) }
    }
}

/// Nodes (or any count) per second, rounded down; `None` where no time has passed.
///
/// The product is taken in 128 bits: `nodes * 1000` overflowed elsewhere and gave negative speeds.
#[must_use]
pub fn per_second(count: u64, time_us: u64) -> Option<u64> {
    let rate = u128::from(count) * 1_000_000 / u128::from(std::num::NonZeroU64::new(time_us)?.get());
    Some(u64::try_from(rate).unwrap_or(u64::MAX))
}

/// The backend of this id.
fn backend(id: &str) -> Result<crate::sliders::Backend, TrialError> {
    crate::sliders::Backend::from_id(id).ok_or_else(|| {
        let known: Vec<_> = crate::sliders::Backend::ALL.iter().map(|backend| backend.id()).collect();
        TrialError::Plan(format!("no slider backend `{id}`; there are {}", known.join(", ")))
    })
}

fn castling_mode(chess960: bool) -> CastlingMode {
    if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard }
}

/// The same for who must have it at work.
fn supported_backend(id: &str) -> Result<crate::sliders::Backend, TrialError> {
    let backend = backend(id)?;
    backend.unsupported().map_or(Ok(backend), |why| Err(TrialError::Plan(why)))
}

/// What engines of this run share: its time-outs and log, and our stop flag.
fn session(base: &Session, progress: &Progress) -> Session {
    Session { stop: Some(progress.stop_flag()), ..base.clone() }
}

/// When a search is cut short. Under a time limit that is the limit, the margin and a second. Under nodes or depth a
/// foreign engine has the hang time-out; the embedded one does not hang, and cutting it would spoil its signature.
fn search_deadline(spec: &EngineSpec, limit: &Limit, hang_timeout_ms: u64) -> Duration {
    match limit.time {
        Some(time) => time + spec.limit.margin + Duration::from_secs(1),
        None if spec.is_embedded() => Duration::from_secs(86_400),
        None => Duration::from_millis(hang_timeout_ms),
    }
}

/// Searches a position from a cleared engine. An interrupt, also one in the middle of a search that then still gives a
/// move, is [`TrialError::Interrupted`]: half a search is no result.
fn cleared_search(
    subject: &mut Subject,
    session: &Session,
    seed: u64,
    position: &Position,
    limit: &Limit,
    deadline: Duration,
    on_info: &mut dyn FnMut(&Info<'_>),
) -> Result<Found, TrialError> {
    let result =
        subject.new_game(seed).and_then(|()| subject.search(&Line::new(*position), limit, deadline, on_info));
    if session.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
        return Err(TrialError::Interrupted);
    }
    Ok(result?)
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

fn micros_since(start: Instant) -> u64 {
    micros(start.elapsed())
}

#[cfg(test)]
mod tests {
    use super::per_second;

    /// BR-108 of `tests/data/cases.csv`.
    #[test]
    fn speed_does_not_overflow_or_divide_by_zero() {
        assert_eq!(per_second(3_434_707, 1_903_000), Some(1_804_890));
        assert_eq!(per_second(5_000_000_000, 1_000_000), Some(5_000_000_000));
        assert_eq!(per_second(100, 0), None);
        assert_eq!(per_second(0, 0), None);
        assert_eq!(per_second(u64::MAX, 1), Some(u64::MAX));
    }
}
