//! Whether an engine keeps to the UCI protocol: the checks of `uci::compliance` on the engine of a SPEC, as rows and a verdict.
//! The embedded engine is checked as what others see of it: this program's own `uci` verb, in a process of its own.

use super::{Progress, TrialError, micros, micros_since, session};
use crate::engine::Engine;
use crate::record::{ComplianceRow, Row, Sink, Status, Verdict};
use crate::subject::{EngineSpec, Session};
use crate::uci::compliance::{self, Level, Outcome, Settings, StartError};
use crate::uci::{CommandSpec, compliance::checks};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Which engine, which checks, how strictly.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Plan {
    pub engine: EngineSpec,
    /// This program, which serves the embedded engine.
    pub program: PathBuf,
    /// Ids of the wanted checks; empty = all.
    pub checks: Vec<String>,
    /// A failed `should` counts as failed, too.
    pub strict: bool,
    /// For an answer that takes no thinking.
    pub timeout_ms: u64,
    /// What a time limit may be passed by.
    pub margin_ms: u64,
}

impl Default for Plan {
    fn default() -> Plan {
        let Settings { patience, margin, .. } = Settings::default();
        Plan {
            engine: EngineSpec::embedded(),
            program: PathBuf::new(),
            checks: Vec::new(),
            strict: false,
            timeout_ms: micros(patience) / 1000,
            margin_ms: micros(margin) / 1000,
        }
    }
}

/// What the checks found.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    pub engine: String,
    /// Checks that were made: those that passed and those that did not.
    pub checks: u64,
    /// Those that count as failed.
    pub failed: u64,
    /// Failed checks of level `should`, where they do not count.
    pub warnings: u64,
    /// Failed checks that only inform.
    pub notes: u64,
    pub skipped: u64,
    /// Ids of the failed ones that count.
    pub failing: Vec<String>,
    pub time_us: u64,
}

impl Summary {
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let mut summary = format!("{}: {} of {} checks failed", self.engine, self.failed, self.checks);
        if !self.failing.is_empty() {
            summary += &format!(": {}", self.failing.join(", "));
        }
        let figures = [("warnings", self.warnings), ("notes", self.notes), ("skipped", self.skipped)];
        Verdict {
            stage: "compliance".to_owned(),
            status: match (self.failed, self.checks) {
                (0, 0) => Status::Inconclusive,
                (0, _) => Status::Pass,
                _ => Status::Fail,
            },
            summary,
            checks: self.checks,
            failed: self.failed,
            figures: figures.map(|(name, count)| (name.to_owned(), count.to_string())).to_vec(),
            time_ms: self.time_us / 1000,
        }
    }

    fn add(&mut self, row: &ComplianceRow) {
        self.checks += u64::from(row.result != "skip");
        match row.result.as_str() {
            "fail" => {
                self.failed += 1;
                self.failing.push(row.check.clone());
            }
            "warn" => self.warnings += 1,
            "note" => self.notes += 1,
            "skip" => self.skipped += 1,
            _ => {}
        }
    }
}

/// Makes the checks; one row each.
///
/// # Errors
/// Bad input (an id that is none, an option the engine does not have), a command that cannot be started, a sink that cannot
/// be written, the user's interrupt. A failed check is no error.
pub fn run(
    plan: &Plan,
    base: &Session,
    sink: &mut dyn Sink,
    progress: &Progress,
) -> Result<Summary, TrialError> {
    let begun = Instant::now();
    let settings = Settings {
        patience: Duration::from_millis(plan.timeout_ms.max(1)),
        margin: Duration::from_millis(plan.margin_ms),
        only: plan.checks.clone(),
    };
    known(&plan.checks)?;
    progress.begin(checks().filter(|check| settings.wants(check)).count() as u64);
    let command = command(plan);
    let session = session(base, progress);
    let mut summary = Summary { engine: plan.engine.name.clone(), ..Summary::default() };
    let mut written = Ok(());
    let done = compliance::run(&command, &settings, &session, &mut |outcome| {
        let row = row(&plan.engine.name, outcome, plan.strict);
        summary.add(&row);
        written = sink.row(Row::Compliance(row));
        progress.advance(1);
        written.is_ok() && !progress.is_stopped()
    });
    written?;
    done.map_err(|error| match error {
        StartError::Interrupted { .. } => TrialError::Interrupted,
        StartError::Start { engine, path, source } => TrialError::start(engine, path, source),
        StartError::Option { .. } => TrialError::Plan(error.to_string()),
    })?;
    if progress.is_stopped() {
        return Err(TrialError::Interrupted);
    }
    summary.time_us = micros_since(begun);
    Ok(summary)
}

/// All of these are ids of checks.
fn known(ids: &[String]) -> Result<(), TrialError> {
    for id in ids {
        if !checks().any(|check| check.id == id) {
            let likeness = |check: &&compliance::Check| strsim::jaro_winkler(check.id, id);
            let nearest = checks().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
            let hint = nearest.map(|check| format!("; did you mean `{}`?", check.id)).unwrap_or_default();
            return Err(TrialError::Plan(format!("no check `{id}`{hint} (`--list` shows all)")));
        }
    }
    Ok(())
}

/// The process to be checked, with the options of the SPEC.
fn command(plan: &Plan) -> CommandSpec {
    let spec = &plan.engine;
    let mut command = spec.command(&plan.program);
    // What it has anyway is not said.
    let hash = spec.hash_mib.filter(|&mib| !(spec.is_embedded() && mib as usize == Engine::DEFAULT_HASH_MIB));
    command.options.extend(hash.map(|mib| ("Hash".to_owned(), mib.to_string())));
    let threads = spec.threads.filter(|&threads| threads > 1);
    command.options.extend(threads.map(|threads| ("Threads".to_owned(), threads.to_string())));
    command
}

fn row(engine: &str, outcome: Outcome, strict: bool) -> ComplianceRow {
    let result = match (outcome.verdict, outcome.level) {
        (compliance::Verdict::Passed, _) => "pass",
        (compliance::Verdict::Skipped, _) => "skip",
        (compliance::Verdict::Failed, Level::Must) => "fail",
        (compliance::Verdict::Failed, Level::Should) if strict => "fail",
        (compliance::Verdict::Failed, Level::Should) => "warn",
        (compliance::Verdict::Failed, Level::Info) => "note",
    };
    ComplianceRow {
        engine: engine.to_owned(),
        check: outcome.id.to_owned(),
        level: outcome.level.id().to_owned(),
        result: result.to_owned(),
        what: outcome.what.to_owned(),
        found: outcome.found,
        time_us: micros(outcome.time),
        // The lines of what is right are of no interest.
        exchange: if ["pass", "skip"].contains(&result) { Vec::new() } else { outcome.exchange },
    }
}
