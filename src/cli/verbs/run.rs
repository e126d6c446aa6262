//! `gauntlet run`: the whole gauntlet.

use crate::campaign::{self, Plan, Scale, Watch};
use crate::cli::Job;
use crate::cli::args::unset;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Summary;
use crate::cli::progress::{Reading, watch};
use crate::cli::runs::{self, Beside, Recorder};
use crate::cli::written;
use crate::subject::{PlayerLimit, Subject};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Run {
    /// A short look: under 20 seconds
    #[arg(long, conflicts_with = "full")]
    #[serde(skip_serializing_if = "unset")]
    pub quick: bool,
    /// Every suite and every metric, without a time limit
    #[arg(long)]
    #[serde(skip_serializing_if = "unset")]
    pub full: bool,
    /// The engine to test (default: the embedded one)
    #[arg(long, value_name = "SPEC")]
    pub engine: Option<String>,
    /// Write the verdicts as JUnit XML, too
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
}

pub fn run(settings: &Run, job: &Job) -> Result<Exit, Failure> {
    let scale = match (settings.quick, settings.full) {
        (true, _) => Scale::Quick,
        (_, true) => Scale::Full,
        _ => Scale::Normal,
    };
    // Every stage has a limit of its own, and none a clock to ponder by.
    let mut engine = job.engine(settings.engine.as_deref().unwrap_or("embedded"), "")?;
    (engine.limit, engine.ponder) = (PlayerLimit::default(), false);
    let plan =
        Plan { scale, engine, seed: job.common.seed.unwrap_or_default(), concurrency: job.concurrency() };
    let junit = Beside::Junit("gauntlet run".to_owned());
    let beside = written::open(vec![(settings.junit.as_deref(), junit)])?;
    let session = job.session()?;
    let mut recorder = Recorder::begin(job, settings)?;
    recorder.write_beside(beside);
    recorder.tell_stages(job);
    // An engine that does not even start would fail every stage in the same way.
    match Subject::start_with(&plan.engine, &session) {
        Ok(mut subject) => subject.quit(),
        Err(error) if error.is_interrupt() => return runs::broken_off(job, recorder).into_result(),
        Err(error) => return Err(recorder.fail(Failure::engine(error))),
    }
    let state = Watch::with_stop(job.signals.shared());
    let read = || Reading {
        stage: state.stage().to_owned(),
        done: state.progress.done(),
        total: state.progress.total(),
        ..Reading::default()
    };
    let result = watch(&job.output, read, || campaign::run(&plan, &session, &mut recorder, &state));
    let outcome = match result {
        Ok(outcome) => outcome,
        Err(error) => return Err(recorder.fail(Failure::from(error))),
    };
    if outcome.interrupted {
        return runs::broken_off(job, recorder).into_result();
    }
    let report = recorder.report_path().map_or_else(|| "none".to_owned(), |path| path.display().to_string());
    let summary = Summary::new("run")
        .word(if outcome.passed() { "PASS" } else { "FAIL" })
        .with("checks", outcome.checks())
        .with("failed", outcome.failed())
        .with("report", report);
    let recorded = recorder.finish(&summary.to_string(), true)?;
    job.output.text(recorded.text(job))?;
    recorded.show(job, &summary, "verdicts")?;
    Ok(Exit::failed_if(!outcome.passed()))
}
