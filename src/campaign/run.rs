//! `run`: one stage after the other. A stage that cannot be carried out is a failed check; the others go on.

use super::Outcome;
use super::outcome::{could_not_run, not_applicable};
use super::scale::{Scale, Sizes};
use super::{play, stages};
use crate::record::{Row, Sink, StoreError, Verdict};
use crate::subject::{EngineSpec, Session};
use crate::trial::{Progress, TrialError};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// What is put through the gauntlet, and how thoroughly.
#[derive(Clone, Debug)]
pub struct Plan {
    pub scale: Scale,
    /// Its limit, if it has one, is not used: every stage has its own.
    pub engine: EngineSpec,
    pub seed: u64,
    /// Tasks at once.
    pub concurrency: usize,
}

/// How far a campaign is; read by a ticker in another thread.
#[derive(Debug, Default)]
pub struct Watch {
    stage: Mutex<&'static str>,
    pub progress: Progress,
}

impl Watch {
    /// One whose progress is stopped by this flag.
    pub fn with_stop(stop: Arc<AtomicBool>) -> Watch {
        Watch { progress: Progress::with_stop(stop), ..Watch::default() }
    }

    /// The name of the running stage.
    pub fn stage(&self) -> &'static str {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, stage: &'static str) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
        self.progress.begin(0);
    }
}

/// What every stage works with.
pub(super) struct Course<'a> {
    pub plan: &'a Plan,
    pub sizes: Sizes,
    pub session: &'a Session,
    pub progress: &'a Progress,
    pub sink: &'a mut dyn Sink,
}

/// Why a stage gave no verdict.
pub(super) enum StageError {
    /// The record cannot be written: nothing more makes sense.
    Store(StoreError),
    Interrupted,
    /// The engine, or its protocol, has no word for what this stage asks.
    NotApplicable(String),
    /// This stage is lost, the others are not.
    Failed(String),
}

impl From<TrialError> for StageError {
    fn from(error: TrialError) -> StageError {
        match error {
            TrialError::Store(error) => StageError::Store(error),
            TrialError::Interrupted => StageError::Interrupted,
            TrialError::Subject(error) if error.is_unable() || error.is_no_perft() => {
                StageError::NotApplicable(error.to_string())
            }
            other => StageError::Failed(other.to_string()),
        }
    }
}

impl From<StoreError> for StageError {
    fn from(error: StoreError) -> StageError {
        StageError::Store(error)
    }
}

/// The verdict of a stage; none where there is nothing to do for this engine.
pub(super) type StageResult = Result<Option<Verdict>, StageError>;

type Stage = fn(&mut Course<'_>) -> StageResult;

/// Cheap and certain ones first, so that a broken engine is known early.
const STAGES: [(&str, Stage); 7] = [
    ("perft", stages::perft),
    ("sliders", stages::sliders),
    ("symmetry", stages::symmetry),
    ("bench", stages::bench),
    ("tactics", stages::tactics),
    ("ladder", play::ladder),
    ("sprt", play::sprt),
];

/// Runs all stages; rows and verdicts go to the sink as they come. `session.stop` and the flag of `watch.progress` should be
/// the same one: once set, the running stage ends and no other begins.
///
/// # Errors
/// Only a record that cannot be written.
pub fn run(
    plan: &Plan,
    session: &Session,
    sink: &mut dyn Sink,
    watch: &Watch,
) -> Result<Outcome, StoreError> {
    let mut outcome = Outcome::default();
    for (name, stage) in STAGES {
        if watch.progress.is_stopped() {
            outcome.interrupted = true;
            break;
        }
        watch.begin(name);
        let start = Instant::now();
        let mut course =
            Course { plan, sizes: plan.scale.sizes(), session, progress: &watch.progress, sink: &mut *sink };
        let mut verdict = match stage(&mut course) {
            Ok(Some(verdict)) => verdict,
            Ok(None) => continue,
            Err(StageError::Store(error)) => return Err(error),
            // Whatever else went wrong in a stage that was told to stop: it says nothing about the engine.
            Err(StageError::Failed(_) | StageError::NotApplicable(_)) if watch.progress.is_stopped() => {
                outcome.interrupted = true;
                break;
            }
            Err(StageError::Interrupted) => {
                outcome.interrupted = true;
                break;
            }
            Err(StageError::NotApplicable(why)) => not_applicable(name, &why),
            Err(StageError::Failed(why)) => could_not_run(name, why),
        };
        verdict.time_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        sink.row(Row::Verdict(verdict.clone()))?;
        outcome.verdicts.push(verdict);
    }
    Ok(outcome)
}
