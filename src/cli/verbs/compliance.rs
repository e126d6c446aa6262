//! `gauntlet compliance`: whether an engine keeps to the UCI protocol.

use crate::cli::Job;
use crate::cli::args::{Format, unset};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{Summary, quoted};
use crate::cli::runs::{Beside, Recorder, measure};
use crate::cli::written;
use crate::record::{Row, Sink};
use crate::trial::compliance::{self, Plan};
use crate::uci::compliance::checks;
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fmt::Write;
use std::path::PathBuf;

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
#[command(after_help = "Examples:
  gauntlet compliance --engine cmd=./my-engine
  gauntlet compliance --engine cmd=./my-engine,option.Hash=64 --strict --junit compliance.xml
  gauntlet compliance --engine cmd=./my-engine --check quit,stop --log traffic.log
  gauntlet compliance --list

A failed `must` fails the run (exit 1); a failed `should` is a warning, unless --strict; `info` informs.")]
pub struct Compliance {
    /// The engine (default: the embedded one, as `gauntlet uci` serves it)
    #[arg(long, value_name = "SPEC")]
    pub engine: Option<String>,
    /// Only these checks, by their ids
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub check: Vec<String>,
    /// What should be counts as what must be
    #[arg(long)]
    #[serde(skip_serializing_if = "unset")]
    pub strict: bool,
    /// How long to wait for an answer that takes no thinking, ms (default 5000)
    #[arg(long, value_name = "MS")]
    pub timeout: Option<u64>,
    /// How much later than its time per move an engine may answer, ms (default 250)
    #[arg(long, value_name = "MS")]
    pub margin: Option<u64>,
    /// Write the results as JUnit XML, too
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Show the checks and do nothing
    #[arg(long)]
    #[serde(skip_serializing_if = "unset")]
    pub list: bool,
}

pub fn run(settings: &Compliance, job: &Job) -> Result<Exit, Failure> {
    if settings.list {
        return list(job);
    }
    super::at_least_one("--timeout", settings.timeout)?;
    let base = Plan::default();
    let plan = Plan {
        engine: job.engine(settings.engine.as_deref().unwrap_or("embedded"), "")?,
        program: std::env::current_exe().map_err(|error| Failure::unreadable("this program", &error))?,
        checks: settings.check.clone(),
        strict: settings.strict,
        timeout_ms: settings.timeout.unwrap_or(base.timeout_ms),
        margin_ms: settings.margin.unwrap_or(base.margin_ms),
    };
    let resolved =
        Compliance { timeout: Some(plan.timeout_ms), margin: Some(plan.margin_ms), ..settings.clone() };
    let name = format!("gauntlet compliance {}", plan.engine.name);
    let beside = written::open(vec![(settings.junit.as_deref(), Beside::Junit(name))])?;
    let session = job.session()?;
    let mut recorder = Recorder::begin(job, &resolved)?;
    recorder.write_beside(beside);
    let done = measure(job, recorder, |sink, progress| compliance::run(&plan, &session, sink, progress));
    let (mut recorder, found) = match done {
        Ok(done) => done,
        Err(ended) => return ended.into_result(),
    };
    recorder.row(Row::Verdict(found.verdict()))?;
    let summary = Summary::new("compliance")
        .with("checks", found.checks)
        .with("failed", found.failed)
        .with("warnings", found.warnings)
        .with("notes", found.notes)
        .with("skipped", found.skipped);
    let recorded = recorder.finish(&summary.to_string(), true)?;
    job.output.text(recorded.text(job))?;
    recorded.show(job, &summary, "compliance")?;
    // All that was asked for does not apply to this engine.
    Ok(if found.checks == 0 { Exit::Inconclusive } else { Exit::failed_if(found.failed > 0) })
}

fn list(job: &Job) -> Result<Exit, Failure> {
    let mut text = String::new();
    let mut table = "check,level,what\n".to_owned();
    for check in checks() {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{:29} {:6}  {}", check.id, check.level.id(), check.what);
        let _ = writeln!(table, "{},{},{}", check.id, check.level.id(), quoted(check.what));
    }
    job.output.answer(text.trim_end())?;
    job.output.csv(|| table)?;
    job.output.json(|| {
        let all = checks().map(|c| json!({"check": c.id, "level": c.level.id(), "what": c.what}));
        all.collect::<Vec<_>>()
    })?;
    if job.output.format == Format::Text && !job.output.quiet {
        job.output.summary(format_args!("compliance: checks={}", checks().count()))?;
    }
    Ok(Exit::Ok)
}
