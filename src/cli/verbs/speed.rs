//! `gauntlet bench --against SPEC`: the speed of one engine over another's, with a verdict.

use super::bench::Bench;
use crate::cli::Job;
use crate::cli::exit::{Exit, Failure};
use crate::cli::figures::exact_or_na;
use crate::cli::output::Summary;
use crate::cli::runs::{Recorder, measure};
use crate::record::{Row, Sink, Status};
use crate::trial::speed::{self, Plan};

/// Rounds beyond these take days.
const MOST_ROUNDS: u32 = 10_000;

/// `against` is `--against`.
pub fn run(settings: &Bench, against: &str, job: &Job) -> Result<Exit, Failure> {
    let rounds = settings.rounds.unwrap_or(Plan::default().rounds);
    if !(1..=MOST_ROUNDS).contains(&rounds) {
        return Err(Failure::usage(format!("--rounds: {rounds} is not from 1 to {MOST_ROUNDS}")));
    }
    let percent = settings.threshold.unwrap_or(100.0 * Plan::default().threshold);
    if !(0.0..100.0).contains(&percent) {
        return Err(Failure::usage(format!("--threshold: {percent} is not from 0 to below 100 percent")));
    }
    let plan = Plan {
        new: job.engine(settings.engine.as_deref().unwrap_or("embedded"), "")?,
        base: job.engine(against, "")?,
        program: std::env::current_exe().map_err(|error| Failure::unreadable("this program", &error))?,
        rounds,
        threshold: percent / 100.0,
        depth: settings.depth,
        nodes: settings.nodes,
        seed: job.common.seed.unwrap_or_default(),
        ..Plan::default()
    };
    let session = job.session()?;
    let limit = plan.limit();
    let resolved = Bench {
        depth: limit.depth,
        nodes: limit.nodes,
        rounds: Some(rounds),
        threshold: Some(percent),
        ..settings.clone()
    };
    let recorder = Recorder::begin(job, &resolved)?;
    let done = measure(job, recorder, |sink, progress| speed::run(&plan, &session, sink, progress));
    let (mut recorder, found) = match done {
        Ok(done) => done,
        Err(ended) => return ended.into_result(),
    };
    let verdict = found.verdict();
    let status = verdict.status;
    recorder.row(Row::Verdict(verdict))?;
    for warning in &found.warnings {
        recorder.warn(job, warning.as_str());
    }
    let ratio = &found.comparison;
    let summary = Summary::new("bench")
        .with("ratio", exact_or_na(ratio.ratio))
        .with("low", exact_or_na(ratio.low))
        .with("high", exact_or_na(ratio.high))
        .with("p", exact_or_na(ratio.p))
        .with("verdict", &ratio.verdict);
    let recorded = recorder.finish(&summary.to_string(), true)?;
    job.output.text(recorded.text(job))?;
    recorded.show_with(job, &summary, "speed", "speed", &found)?;
    Ok(match status {
        Status::Pass | Status::Info => Exit::Ok,
        Status::Fail => Exit::Failed,
        Status::Inconclusive => Exit::Inconclusive,
    })
}
