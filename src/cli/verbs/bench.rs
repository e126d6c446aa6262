//! `gauntlet bench`: fixed positions searched to a fixed depth: signature, speed, branching factors.

use crate::cli::Job;
use crate::cli::exit::{Exit, Failure};
use crate::cli::figures::fixed_or_na;
use crate::cli::output::Summary;
use crate::cli::runs::{Recorder, measure};
use crate::record::{Row, Sink};
use crate::trial::bench::{self, Plan};
use clap::Args;
use serde::{Deserialize, Serialize};

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Bench {
    /// The engine (default: the embedded one)
    #[arg(long, value_name = "SPEC")]
    pub engine: Option<String>,
    /// Plies for each position (default: 9, unless --nodes is given)
    #[arg(long, value_name = "N", group = "limit")]
    pub depth: Option<u32>,
    /// Nodes for each position
    #[arg(long, value_name = "N", group = "limit")]
    pub nodes: Option<u64>,
    /// Compare the engine's speed with this one's, in rounds of fresh processes side by side
    #[arg(long, value_name = "SPEC")]
    pub against: Option<String>,
    /// Rounds of a comparison, a process of each engine in each (default 10; below 7 nothing is called faster or slower)
    #[arg(long, value_name = "N")]
    pub rounds: Option<u32>,
    /// Margin of a comparison: faster or slower is what lies beyond it as a whole, the same what lies within; with 0 nothing is
    /// the same (default 1)
    #[arg(long, value_name = "PERCENT")]
    pub threshold: Option<f64>,
}

pub fn run(settings: &Bench, job: &Job) -> Result<Exit, Failure> {
    super::at_least_one("--depth", settings.depth)?;
    super::at_least_one("--nodes", settings.nodes)?;
    if let Some(against) = &settings.against {
        return super::speed::run(settings, against, job);
    }
    for (flag, given) in
        [("--rounds", settings.rounds.is_some()), ("--threshold", settings.threshold.is_some())]
    {
        if given {
            return Err(Failure::usage(format!("{flag}: belongs to --against SPEC")));
        }
    }
    let plan = Plan {
        engine: job.engine(settings.engine.as_deref().unwrap_or("embedded"), "")?,
        depth: settings.depth,
        nodes: settings.nodes,
        ..Plan::default()
    };
    let session = job.session()?;
    let limit = plan.limit();
    let resolved = Bench { depth: limit.depth, nodes: limit.nodes, ..settings.clone() };
    let recorder = Recorder::begin(job, &resolved)?;
    let done = measure(job, recorder, |sink, progress| bench::run(&plan, &session, sink, progress));
    let (mut recorder, found) = match done {
        Ok(done) => done,
        Err(ended) => return ended.into_result(),
    };
    recorder.row(Row::Verdict(found.verdict()))?;
    for warning in &found.warnings {
        recorder.warn(job, warning.as_str());
    }
    let summary = Summary::new("bench")
        .with("signature", found.signature())
        .with("nodes", found.nodes)
        .with("nps", found.nps().map_or_else(|| "n/a".to_owned(), |nps| nps.to_string()))
        .with("ebf", fixed_or_na(found.ebf, 4))
        .with("mbf", fixed_or_na(found.mbf, 4));
    let recorded = recorder.finish(&summary.to_string(), true)?;
    job.output.text(recorded.text(job))?;
    recorded.show_with(job, &summary, "bench", "bench", &found)?;
    Ok(Exit::Ok)
}
