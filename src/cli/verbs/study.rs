//! `gauntlet study`: a declarative experiment, read from a file.

use crate::campaign::{Design, Study as Plan};
use crate::cli::Job;
use crate::cli::config::{self, syntax};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Summary;
use crate::cli::runs::{Recorder, measure};
use crate::suite;
use crate::trial::TrialError;
use clap::Args;
use serde::{Deserialize, Serialize};
use toml::{Spanned, Table};

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Study {
    /// The study: a file on disk, or one of `suites/studies/`
    #[arg(value_name = "FILE.toml", conflicts_with = "plan")]
    pub file: Option<String>,
    /// The study itself, in the plan of a recorded run.
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub design: Option<Table>,
}

pub fn run(settings: &Study, job: &Job) -> Result<Exit, Failure> {
    let plan = match (&settings.design, &settings.file) {
        (Some(design), file) => {
            let text = toml::to_string(design).map_err(Failure::usage)?;
            read(&format!("plan of {}", file.as_deref().unwrap_or("a study")), &text)?
        }
        (None, Some(file)) => read(file, &suite::open(file).map_err(Failure::usage)?)?,
        (None, None) => {
            return Err(Failure::usage("study: no FILE given; try suites/studies/hash-collisions.toml"));
        }
    };
    let resolved =
        Study { design: Some(Table::try_from(&plan).map_err(Failure::usage)?), ..settings.clone() };
    let seed = job.common.seed.unwrap_or_default();
    let recorder = Recorder::begin(job, &resolved)?;
    let (recorder, cells) =
        match measure(job, recorder, |sink, progress| plan.run(seed, job.threads(), sink, progress)) {
            Ok(done) => done,
            Err(ended) => return ended.into_result(),
        };
    let report = recorder.report_path().map_or_else(|| "none".to_owned(), |path| path.display().to_string());
    let summary = Summary::new("study").word(plan.name()).with("cells", cells).with("report", report);
    let recorded = recorder.finish(&summary.to_string(), true)?;
    job.output.text(recorded.text(job))?;
    recorded.show(job, &summary, "study")?;
    Ok(Exit::Ok)
}

/// The kind of trial says how the rest is to be read.
#[derive(Deserialize)]
struct Head {
    trial: Spanned<String>,
}

fn read(name: &str, text: &str) -> Result<Plan, Failure> {
    let at = |error: toml::de::Error| match error.span() {
        Some(_) => syntax(name, text, &error),
        // What is missing altogether has no place of its own.
        None => Failure::usage(format!("{name}:1: {}", error.message())),
    };
    let head: Head = toml::from_str(text).map_err(at)?;
    let plan = match head.trial.get_ref().as_str() {
        "attack-byte" => Plan::AttackByte(toml::from_str::<Design<_, _>>(text).map_err(at)?),
        "hash-collisions" => Plan::HashCollisions(toml::from_str::<Design<_, _>>(text).map_err(at)?),
        other => {
            return Err(Failure::usage(format!(
                "{name}:{}: trial: no kind of study `{other}`; there are {}",
                config::line(text, &head.trial.span()),
                Plan::TRIALS.join(", ")
            )));
        }
    };
    plan.check().map_err(|error| match line_of(text, &error) {
        Some(line) => Failure::usage(format!("{name}:{line}: {error}")),
        None => Failure::usage(format!("{name}: {error}")),
    })?;
    Ok(plan)
}

/// The line of the setting that cannot be.
fn line_of(text: &str, error: &TrialError) -> Option<usize> {
    let TrialError::Setting { key, level, .. } = error else { return None };
    config::line_of(text, key.split('.'), *level)
}
