//! `gauntlet symmetry`: an evaluation must not care which colour plays which side.

use crate::cli::Job;
use crate::cli::args::unset;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Summary;
use crate::cli::runs::{Recorder, measure};
use crate::record::{Row, Sink, Status};
use crate::trial::symmetry::{self, Plan};
use clap::Args;
use serde::{Deserialize, Serialize};

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Symmetry {
    /// Files of positions (CSV with a `fen` column, or EPD); default: the embedded ones
    #[arg(value_name = "FILE")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The engine (default: the embedded one)
    #[arg(long, value_name = "SPEC")]
    pub engine: Option<String>,
    /// Compare static evaluations (the default for the embedded engine)
    #[arg(long, conflicts_with = "depth")]
    #[serde(skip_serializing_if = "unset")]
    pub eval: bool,
    /// Compare searches to this depth
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
}

pub fn run(settings: &Symmetry, job: &Job) -> Result<Exit, Failure> {
    super::at_least_one("--depth", settings.depth)?;
    let engine = job.engine(settings.engine.as_deref().unwrap_or("embedded"), "")?;
    let plan = Plan {
        files: settings.files.clone(),
        engine,
        // `--eval` overrules a depth from a settings file.
        depth: settings.depth.filter(|_| !settings.eval),
        concurrency: job.concurrency(),
        seed: job.common.seed.unwrap_or_default(),
        ..Plan::default()
    };
    let session = job.session()?;
    let resolved = Symmetry { depth: plan.depth, ..settings.clone() };
    let recorder = Recorder::begin(job, &resolved)?;
    let done = measure(job, recorder, |sink, progress| symmetry::run(&plan, &session, sink, progress));
    let (mut recorder, found) = match done {
        Ok(done) => done,
        Err(ended) => return ended.into_result(),
    };
    let verdict = found.verdict();
    let failed = verdict.status == Status::Fail;
    recorder.row(Row::Verdict(verdict))?;
    for warning in &found.warnings {
        recorder.warn(job, warning.as_str());
    }
    let summary =
        Summary::new("symmetry").with("positions", found.positions).with("different", found.different);
    let recorded = recorder.finish(&summary.to_string(), true)?;
    job.output.text(recorded.text(job))?;
    recorded.show(job, &summary, "symmetry")?;
    Ok(Exit::failed_if(failed))
}
