//! `gauntlet perft --generator all` and `--random N`: the generators beside each other, for speed and for differences.

use super::perft::{Perft, show_wrong};
use crate::cli::Job;
use crate::cli::exit::{Exit, Failure};
use crate::cli::figures::fixed_or_na;
use crate::cli::output::Summary;
use crate::cli::runs::{Recorder, measure};
use crate::cli::table::Table;
use crate::record::{Row, Sink, Status, Verdict};
use crate::trial::generators::compare::{self, Comparison};
use crate::trial::generators::differential;
use crate::trial::perft::Plan;
use std::time::Instant;

/// What `--generator` takes besides the ids.
pub const ALL: &str = "all";

/// Every generator takes the plan's counts. `settings`: resolved.
pub fn all(settings: &Perft, plan: &Plan, job: &Job) -> Result<Exit, Failure> {
    let single = plan.suites.is_empty();
    if plan.divide {
        return Err(Failure::usage("perft: --divide shows one generator's counts, not all"));
    }
    if settings.backend.as_deref().is_some_and(|id| id != Plan::default().backend) {
        return Err(Failure::usage("perft: --generator all compares on the default slider backend"));
    }
    let rounds = settings.rounds.unwrap_or(if single { 5 } else { 3 });
    if rounds == 0 {
        return Err(Failure::usage("perft: --rounds must be at least 1"));
    }
    let start = Instant::now();
    let recorder = Recorder::begin(job, &Perft { rounds: Some(rounds), ..settings.clone() })?;
    let (mut recorder, found) =
        match measure(job, recorder, |sink, progress| compare::run(plan, rounds, sink, progress)) {
            Ok(done) => done,
            Err(ended) => return ended.into_result(),
        };
    let table = table(&found);
    job.output.text(table.text())?;
    show_wrong(job, recorder.rows())?;
    let legal = found.legal();
    let nodes = legal.map_or(0, |line| line.nodes);
    let mnps = fixed_or_na(legal.and_then(compare::Line::mnps), 1);
    let summary = if single {
        let milliseconds = legal.map_or(0, |line| (line.time_us / 1000.0) as u64);
        Summary::new("perft").with("nodes", nodes).with("ms", milliseconds)
    } else {
        Summary::new("perft")
            .with("positions", found.positions)
            .with("counts", found.counts())
            .with("wrong", found.wrong())
            .with("nodes", nodes)
    };
    let summary = summary.with("mnps", mnps);
    let counts = (found.counts(), found.wrong());
    recorder.row(Row::Verdict(verdict(
        counts,
        format!("{} generators compared", found.lines.len()),
        start,
    )))?;
    recorder.finish(&summary.to_string(), true)?.show_with(
        job,
        &summary,
        "perft",
        "generators",
        &table.json(),
    )?;
    Ok(Exit::failed_if(found.wrong() > 0))
}

fn table(found: &Comparison) -> Table {
    let mut table = Table::new(&["generator", "counts", "wrong", "nodes", "ms", "mnps", "ratio"]);
    for line in &found.lines {
        table.row(vec![
            line.generator.id().to_owned(),
            line.counts.to_string(),
            line.wrong.to_string(),
            line.nodes.to_string(),
            format!("{:.1}", line.time_us / 1000.0),
            fixed_or_na(line.mnps(), 1),
            fixed_or_na(line.ratio, 3),
        ]);
    }
    table
}

fn verdict((checks, failed): (u64, u64), what: String, start: Instant) -> Verdict {
    Verdict {
        stage: "generators".to_owned(),
        status: if failed == 0 { Status::Pass } else { Status::Fail },
        summary: format!("{what}, {failed} of {checks} checks failed"),
        checks,
        failed,
        figures: Vec::new(),
        meaning: String::new(),
        time_ms: u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
    }
}

/// All generators on random positions, drawn from the seed.
pub fn random(settings: &Perft, count: u64, job: &Job) -> Result<Exit, Failure> {
    if settings.generator.as_deref().is_some_and(|generator| generator != ALL) {
        return Err(Failure::usage("perft: --random compares all generators"));
    }
    let seed = job.common.seed.unwrap_or_default();
    let start = Instant::now();
    let recorder = Recorder::begin(job, settings)?;
    let (mut recorder, found) =
        match measure(job, recorder, |_, progress| differential::run(count, seed, progress)) {
            Ok(done) => done,
            Err(ended) => return ended.into_result(),
        };
    for difference in &found.differences {
        job.output.text(format_args!("differs: {difference}"))?;
    }
    job.output.text(format_args!(
        "{} positions and {} set-ups that are none: {} moves compared, with the keys and counters after each",
        found.positions, found.refused, found.moves
    ))?;
    let what = match found.differences.first() {
        Some(first) => format!("{} positions, the first difference: {first}", found.positions),
        None => format!("{} positions, {} moves", found.positions, found.moves),
    };
    recorder.row(Row::Verdict(verdict((found.checks, found.wrong), what, start)))?;
    let seconds = start.elapsed().as_secs_f64();
    let summary = Summary::new("perft")
        .with("positions", found.positions)
        .with("counts", found.checks)
        .with("wrong", found.wrong)
        .with("nodes", found.nodes)
        .with("mnps", fixed_or_na((seconds > 0.0).then(|| found.nodes as f64 / 1e6 / seconds), 1));
    recorder.finish(&summary.to_string(), true)?.show(job, &summary, "perft")?;
    Ok(Exit::failed_if(found.wrong > 0))
}
