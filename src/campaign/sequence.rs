//! One stage after the other, a verdict each. A stage that cannot be carried out is a failed check; the others go on. What the
//! stages are is for whoever calls.

use super::Outcome;
use super::outcome::{could_not_run, not_applicable};
use crate::record::{Row, Sink, StoreError, Verdict};
use crate::trial::{Progress, TrialError};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

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

/// Why a stage gave no verdict.
#[derive(Debug)]
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

/// Runs the stages in this order; rows and verdicts go to the sink as they come. Once `is_stopped`, the running stage should end,
/// and no other begins.
///
/// # Errors
/// Only a record that cannot be written.
pub(super) fn through(
    stages: impl IntoIterator<Item = &'static str>,
    sink: &mut dyn Sink,
    watch: &Watch,
    is_stopped: &dyn Fn() -> bool,
    stage: &mut dyn FnMut(&'static str, &mut dyn Sink) -> StageResult,
) -> Result<Outcome, StoreError> {
    let mut outcome = Outcome::default();
    for name in stages {
        if is_stopped() {
            outcome.interrupted = true;
            break;
        }
        watch.begin(name);
        let start = Instant::now();
        let mut verdict = match stage(name, sink) {
            Ok(Some(verdict)) => verdict,
            Ok(None) => continue,
            Err(StageError::Store(error)) => return Err(error),
            // Whatever else went wrong in a stage that was told to stop: it says nothing about the engine.
            Err(StageError::Failed(_) | StageError::NotApplicable(_)) if is_stopped() => {
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
