//! `gauntlet tactics`: test positions with best moves, moves to avoid, or mates.

use crate::cli::Job;
use crate::cli::args::unset;
use crate::cli::exit::{Exit, Failure};
use crate::cli::figures::exact;
use crate::cli::output::{Summary, one_word};
use crate::cli::runs::{Recorder, measure};
use crate::record::{Row, Sink, Status};
use crate::trial::tactics::{self, Comparison, EngineSummary, Plan};
use clap::Args;
use serde::{Deserialize, Serialize};

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Tactics {
    /// EPD files, or names of embedded suites
    #[arg(value_name = "FILE")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The engine; may be given several times
    #[arg(long, value_name = "SPEC")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub engine: Vec<String>,
    /// Settings for every engine
    #[arg(long, value_name = "K=V,...")]
    pub each: Option<String>,
    /// Milliseconds for each position
    #[arg(long, value_name = "MS", group = "limit")]
    pub movetime: Option<u64>,
    /// Nodes for each position (default: 100000, unless another limit is given)
    #[arg(long, value_name = "N", group = "limit")]
    pub nodes: Option<u64>,
    /// Plies for each position
    #[arg(long, value_name = "N", group = "limit")]
    pub depth: Option<u32>,
    /// Milliseconds before an engine that does not answer is stopped (default: 10000)
    #[arg(long, value_name = "MS")]
    pub hang_timeout: Option<u64>,
    /// Fail if an engine solves fewer
    #[arg(long, value_name = "N")]
    pub min_solved: Option<u64>,
    /// Read castling rights as in Chess960
    #[arg(long)]
    #[serde(skip_serializing_if = "unset")]
    pub chess960: bool,
}

pub fn run(settings: &Tactics, job: &Job) -> Result<Exit, Failure> {
    if settings.files.is_empty() {
        return Err(Failure::usage("tactics: no FILE given"));
    }
    super::at_least_one("--movetime", settings.movetime)?;
    super::at_least_one("--nodes", settings.nodes)?;
    super::at_least_one("--depth", settings.depth)?;
    let each = settings.each.as_deref().unwrap_or_default();
    let plan = Plan {
        files: settings.files.clone(),
        chess960: settings.chess960.then_some(true),
        at_most: None,
        engines: settings.engine.iter().map(|engine| job.engine(engine, each)).collect::<Result<_, _>>()?,
        movetime_ms: settings.movetime,
        nodes: settings.nodes,
        depth: settings.depth,
        concurrency: job.concurrency(),
        seed: job.common.seed.unwrap_or_default(),
        hang_timeout_ms: settings.hang_timeout.unwrap_or(Plan::default().hang_timeout_ms),
    };
    let session = job.session()?;
    let resolved = Tactics { hang_timeout: Some(plan.hang_timeout_ms), ..settings.clone() };
    let recorder = Recorder::begin(job, &resolved)?;
    let done = measure(job, recorder, |sink, progress| tactics::run(&plan, &session, sink, progress));
    let (mut recorder, found) = match done {
        Ok(done) => done,
        Err(ended) => return ended.into_result(),
    };
    let verdicts = found.verdicts(settings.min_solved);
    let failed = verdicts.iter().any(|verdict| verdict.status == Status::Fail);
    for verdict in verdicts {
        recorder.row(Row::Verdict(verdict))?;
    }
    for warning in found.engines.iter().flat_map(|engine| &engine.warnings) {
        recorder.warn(job, warning.as_str());
    }
    let comparisons: Vec<Summary> = found.comparisons.iter().map(comparison).collect();
    let engines: Vec<Summary> = found.engines.iter().map(engine).collect();
    let Some((last, before)) = engines.split_last() else { return Err(Failure::usage("tactics: no engine")) };
    let recorded = recorder.finish(&last.to_string(), true)?;
    job.output.text(recorded.text(job))?;
    let lines: Vec<&Summary> = comparisons.iter().chain(before).collect();
    recorded.show_lines(job, &lines, last, "tactics")?;
    let doubtful: Vec<String> = found.engines.iter().filter_map(not_valid).collect();
    for line in &doubtful {
        job.output.warn(line);
    }
    Ok(if failed {
        Exit::Failed
    } else if doubtful.is_empty() {
        Exit::Ok
    } else {
        Exit::Inconclusive
    })
}

/// A score of searches that were not what was asked for says nothing of the engine.
fn not_valid(engine: &EngineSummary) -> Option<String> {
    let bad = engine.not_obeyed + engine.faults;
    let positions = engine.total + engine.shown;
    (bad * 10 > positions).then(|| {
        format!(
            "not valid: {}: {} of {} searches outside their limit, {} without a legal move",
            engine.engine, engine.not_obeyed, positions, engine.faults
        )
    })
}

fn comparison(found: &Comparison) -> Summary {
    // Which engine is a and which is b stands in the table above.
    Summary::new("compare")
        .with("only_a", found.only_a)
        .with("only_b", found.only_b)
        .with("p", exact(found.p))
}

fn engine(found: &EngineSummary) -> Summary {
    let points = match (found.points, found.max_points) {
        (Some(points), Some(most)) => format!("{points}/{most}"),
        _ => "n/a".to_owned(),
    };
    Summary::new("tactics")
        .with("engine", one_word(&found.engine))
        .with("solved", found.solved)
        .with("total", found.total)
        .with("points", points)
}
