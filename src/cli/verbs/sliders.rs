//! `gauntlet sliders`: slider attack backends, verified against the oracle and then timed.

use crate::cli::Job;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Summary;
use crate::cli::runs::{Recorder, measure};
use crate::record::{Row, Sink};
use crate::trial::sliders::{self, Plan};
use clap::Args;
use serde::{Deserialize, Serialize};

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Sliders {
    /// `all`, or ids (see `gauntlet list backends`)
    #[arg(long, value_name = "ID,...", value_delimiter = ',')]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub backends: Vec<String>,
    /// `all`, or some of throughput, random, latency, cold, walk, batch, batch-api, perft, search
    #[arg(long, value_name = "ID,...", value_delimiter = ',')]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub metric: Vec<String>,
    /// Interleaved rounds of timing
    #[arg(long, value_name = "N")]
    pub rounds: Option<u32>,
    /// Random occupancies that each backend is verified on, beside all relevant ones; below ten million its perft is short too
    #[arg(long, value_name = "N")]
    pub random: Option<u64>,
}

pub fn run(settings: &Sliders, job: &Job) -> Result<Exit, Failure> {
    super::at_least_one("--rounds", settings.rounds)?;
    let default = Plan::default();
    let plan = Plan {
        backends: settings.backends.clone(),
        metrics: settings.metric.clone(),
        rounds: settings.rounds.unwrap_or(default.rounds),
        long_perft: settings.random.is_none_or(|random| random >= default.random),
        random: settings.random.unwrap_or(default.random),
        seed: job.common.seed.unwrap_or_default(),
        ..default
    };
    let resolved = Sliders { rounds: Some(plan.rounds), random: Some(plan.random), ..settings.clone() };
    let recorder = Recorder::begin(job, &resolved)?;
    let (mut recorder, found) =
        match measure(job, recorder, |sink, progress| sliders::run(&plan, sink, progress)) {
            Ok(done) => done,
            Err(ended) => return ended.into_result(),
        };
    recorder.row(Row::Verdict(found.verdict()))?;
    let summary = Summary::new("sliders")
        .with("backends", found.backends)
        .with("verified", found.verified)
        .with("failed", found.failed)
        .with("unsupported", found.unsupported)
        .with("fastest", found.fastest.as_deref().unwrap_or("n/a"));
    let recorded = recorder.finish(&summary.to_string(), true)?;
    job.output.text(recorded.text(job))?;
    recorded.show_with(job, &summary, "sliders", "figures", &found.figures)?;
    Ok(Exit::failed_if(found.failed > 0))
}
