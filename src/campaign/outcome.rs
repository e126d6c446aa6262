//! What the stages of a campaign say together.

use crate::record::{Status, Verdict};

/// The verdicts of all stages, in the order they ran.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub verdicts: Vec<Verdict>,
    /// Somebody asked to stop before the last stage had ended.
    pub interrupted: bool,
}

impl Outcome {
    /// Single checks of all stages.
    pub fn checks(&self) -> u64 {
        self.verdicts.iter().map(|verdict| verdict.checks).sum()
    }

    /// Those that failed.
    pub fn failed(&self) -> u64 {
        self.verdicts.iter().map(|verdict| verdict.failed).sum()
    }

    /// True if no stage failed, whatever the count of its checks says.
    pub fn passed(&self) -> bool {
        self.failed() == 0 && self.verdicts.iter().all(|verdict| verdict.status != Status::Fail)
    }
}

/// A stage that could not be carried out: one check, failed.
pub(super) fn could_not_run(stage: &str, why: impl ToString) -> Verdict {
    Verdict {
        stage: stage.to_owned(),
        status: Status::Fail,
        summary: format!("could not run: {}", why.to_string()),
        checks: 1,
        failed: 1,
        figures: Vec::new(),
        meaning: String::new(),
        time_ms: 0,
    }
}

/// A stage that does not apply to this engine: no check, and nothing against it.
pub(super) fn not_applicable(stage: &str, why: &str) -> Verdict {
    Verdict {
        stage: stage.to_owned(),
        status: Status::Info,
        summary: format!("not applicable: {why}"),
        checks: 0,
        failed: 0,
        figures: Vec::new(),
        meaning: String::new(),
        time_ms: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_that_could_not_run_fails_the_whole() {
        let ok = Verdict { status: Status::Pass, checks: 5, failed: 0, ..could_not_run("perft", "") };
        let mut outcome = Outcome { verdicts: vec![ok], interrupted: false };
        assert_eq!((outcome.checks(), outcome.failed(), outcome.passed()), (5, 0, true));
        outcome.verdicts.push(could_not_run("bench", "engine x: died"));
        assert_eq!((outcome.checks(), outcome.failed(), outcome.passed()), (6, 1, false));
    }
}
