//! `gauntlet perft --locate`: the first position in which a foreign engine's move generator is wrong.

use super::perft::Perft;
use crate::cli::Job;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Summary;
use crate::cli::runs::{Recorder, measure};
use crate::record::{Row, Sink};
use crate::trial::locate::{self, Plan};

pub fn run(settings: &Perft, job: &Job) -> Result<Exit, Failure> {
    let Some(engine) = settings.engine.as_deref() else {
        return Err(Failure::usage("perft: --locate needs --engine, the one whose fault is looked for"));
    };
    let default = Plan::default();
    let plan = Plan {
        engine: job.engine(engine, "")?,
        fen: settings.fen.clone().unwrap_or(default.fen),
        depth: settings.depth.unwrap_or(default.depth),
        chess960: settings.chess960,
        threads: job.threads(),
        ..default
    };
    let session = job.session()?;
    let resolved = Perft { fen: Some(plan.fen.clone()), depth: Some(plan.depth), ..settings.clone() };
    let recorder = Recorder::begin(job, &resolved)?;
    let work = |sink: &mut dyn Sink, progress: &_| locate::run(&plan, &session, sink, progress);
    let (mut recorder, found) = match measure(job, recorder, work) {
        Ok(done) => done,
        Err(ended) => return ended.into_result(),
    };
    recorder.row(Row::Verdict(found.verdict()))?;
    let mut summary = Summary::new("locate");
    match &found.fault {
        None => {
            let depth = plan.depth;
            let questions = found.questions;
            job.output.text(format_args!(
                "{}: right to depth {depth}, {questions} times `go perft`",
                found.engine
            ))?;
            summary = summary.word("none");
        }
        Some(fault) => {
            job.output.text(format_args!("{}: {}: {}", found.engine, fault.kind.id(), fault.kind.about()))?;
            job.output.text(format_args!("  {}", fault.note))?;
            for (name, moves) in [("path", &fault.path), ("missing", &fault.missing), ("extra", &fault.extra)]
            {
                if !moves.is_empty() {
                    job.output.text(format_args!("  {name:8}{}", moves.join(" ")))?;
                }
            }
            job.output.text(format_args!("  {:8}{}", "fen", fault.fen))?;
            summary = summary
                .with_text("fen", &fault.fen)
                .with_text("path", fault.path.join(" "))
                .with_text("missing", fault.missing.join(" "))
                .with_text("extra", fault.extra.join(" "))
                .with("kind", fault.kind.id());
        }
    }
    let recorded = recorder.finish(&summary.to_string(), true)?;
    recorded.show_with(job, &summary, "perft", "locate", &found)?;
    Ok(Exit::failed_if(found.fault.is_some()))
}
