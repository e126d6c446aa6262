//! `run`: one stage after the other. A stage that cannot be carried out is a failed check; the others go on.

use super::Outcome;
use super::course::{Course, Plan};
use super::sequence::{StageResult, Watch, through};
use super::{play, stages};
use crate::record::{Sink, StoreError};
use crate::subject::Session;

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
    let is_stopped = || watch.progress.is_stopped();
    let names = STAGES.iter().map(|&(name, _)| name);
    through(names, sink, watch, &is_stopped, &mut |name, sink| {
        let Some((_, stage)) = STAGES.iter().find(|(known, _)| *known == name) else { return Ok(None) };
        let sizes = plan.scale.sizes();
        stage(&mut Course { plan, sizes, session, progress: &watch.progress, sink })
    })
}
