//! `gauntlet perft`: counts of move paths, of one position or of suites with known counts.

use super::generators;
use crate::cli::Job;
use crate::cli::args::unset;
use crate::cli::exit::{Exit, Failure};
use crate::cli::figures::fixed_or_na;
use crate::cli::output::Summary;
use crate::cli::runs::{Recorder, measure};
use crate::record::{Row, Sink};
use crate::rules::MAX_PERFT_DEPTH;
use crate::trial::perft::{self, Plan};
use clap::{Args, ValueEnum};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Perft {
    /// The position (default: the initial one)
    #[arg(long, value_name = "FEN", conflicts_with = "suite")]
    pub fen: Option<String>,
    /// Plies
    #[arg(long, value_name = "N", conflicts_with = "suite", value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_PERFT_DEPTH)))]
    #[serde(deserialize_with = "depth")]
    pub depth: Option<u32>,
    /// The count behind each root move
    #[arg(long, conflicts_with = "suite")]
    #[serde(skip_serializing_if = "unset")]
    pub divide: bool,
    /// Count the last ply without making its moves
    #[arg(long, value_name = "on|off", conflicts_with = "engine")]
    pub bulk: Option<Bulk>,
    /// Keep counts already made in a table of so many MiB (one position, generator `legal`)
    #[arg(long, value_name = "MIB", conflicts_with_all = ["suite", "engine"])]
    pub hash: Option<usize>,
    /// Slider backend of the `legal` generator (see `gauntlet list backends`)
    #[arg(long, value_name = "ID", conflicts_with = "engine")]
    pub backend: Option<String>,
    /// Who counts (see `gauntlet list generators`); `all` compares their counts and speed
    #[arg(long, value_name = "ID|all", conflicts_with = "engine")]
    pub generator: Option<String>,
    /// With `--generator all`: so many turns for each, of which the medians are shown (default: 5; 3 for suites)
    #[arg(long, value_name = "N")]
    pub rounds: Option<u32>,
    /// Compare all generators on so many random positions: moves, keys, unmaking, counts
    #[arg(
        long,
        value_name = "N",
        conflicts_with_all = ["fen", "depth", "divide", "bulk", "hash", "backend", "engine", "chess960", "suite", "max_nodes", "rounds"]
    )]
    pub random: Option<u64>,
    /// Let this engine count, by its `go perft`
    #[arg(long, value_name = "SPEC")]
    pub engine: Option<String>,
    /// Read castling rights as in Chess960
    #[arg(long)]
    #[serde(skip_serializing_if = "unset")]
    pub chess960: bool,
    /// Suites with known counts: files, or names of embedded ones
    #[arg(long, value_name = "FILE", num_args = 1..)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suite: Vec<String>,
    /// Leave out counts above this
    #[arg(long, value_name = "N")]
    pub max_nodes: Option<u64>,
    /// Find the first position in which the engine's move generator is wrong, and say what is wrong with it (kinds: `gauntlet
    /// list faults`)
    #[arg(long, requires = "engine", conflicts_with_all = ["suite", "divide", "bulk", "backend", "max_nodes", "rounds"])]
    #[serde(skip_serializing_if = "unset")]
    pub locate: bool,
}

/// How the last ply is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bulk {
    On,
    Off,
}

/// A depth out of a file, where its line is still known.
fn depth<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let depth = Option::<u32>::deserialize(deserializer)?;
    match depth.filter(|&depth| depth > MAX_PERFT_DEPTH) {
        Some(depth) => Err(D::Error::custom(format_args!("depth: {depth} is more than {MAX_PERFT_DEPTH}"))),
        None => Ok(depth),
    }
}

/// Settings that would do nothing without another one. Not left to the parser, which sees no files and names only what is
/// missing.
fn check(settings: &Perft) -> Result<(), Failure> {
    let refuse = |what: &str| Err(Failure::usage(format!("perft: {what}")));
    if settings.rounds.is_some() && settings.generator.as_deref() != Some(generators::ALL) {
        return refuse("--rounds is for --generator all only");
    }
    if settings.max_nodes.is_some() && settings.suite.is_empty() {
        return refuse("--max-nodes is for --suite only");
    }
    Ok(())
}

pub fn run(settings: &Perft, job: &Job) -> Result<Exit, Failure> {
    check(settings)?;
    if settings.locate {
        return super::locate::run(settings, job);
    }
    if let Some(count) = settings.random {
        return generators::random(settings, count, job);
    }
    let plan = plan(settings, job)?;
    if settings.generator.as_deref() == Some(generators::ALL) {
        return generators::all(&resolved(settings, &plan), &plan, job);
    }
    let session = job.session()?;
    let recorder = Recorder::begin(job, &resolved(settings, &plan))?;
    let (mut recorder, found) =
        match measure(job, recorder, |sink, progress| perft::run(&plan, &session, sink, progress)) {
            Ok(done) => done,
            Err(ended) => return ended.into_result(),
        };
    let mnps = fixed_or_na(found.mnps(), 1);
    let summary = if plan.suites.is_empty() {
        let milliseconds = found.count_us / 1000;
        Summary::new("perft").with("nodes", found.nodes).with("ms", milliseconds).with("mnps", mnps)
    } else {
        recorder.row(Row::Verdict(found.verdict()))?;
        Summary::new("perft")
            .with("positions", found.positions)
            .with("counts", found.counts)
            .with("wrong", found.wrong)
            .with("nodes", found.nodes)
            .with("mnps", mnps)
    };
    for (uci, nodes) in &found.divide {
        job.output.text(format_args!("{uci}: {nodes}"))?;
    }
    show_wrong(job, recorder.rows())?;
    recorder.finish(&summary.to_string(), true)?.show(job, &summary, "perft")?;
    Ok(Exit::failed_if(found.wrong > 0))
}

/// The counts that are not as expected, one a line.
pub(super) fn show_wrong(job: &Job, rows: &[Row]) -> Result<(), Failure> {
    for row in rows {
        if let Row::Perft(row) = row
            && let Some(expected) = row.expected.filter(|&expected| expected != row.nodes)
        {
            let place = format!("{} {} depth {}", row.suite, row.id, row.depth);
            let who = &row.counter;
            job.output.text(format_args!(
                "wrong: {place}: {who} {} instead of {expected} | {}",
                row.nodes, row.fen
            ))?;
        }
    }
    Ok(())
}

/// The settings with what the plan filled in.
fn resolved(settings: &Perft, plan: &Plan) -> Perft {
    let single = plan.suites.is_empty();
    let own = plan.engine.is_none();
    Perft {
        fen: single.then(|| plan.fen.clone()),
        depth: single.then_some(plan.depth),
        bulk: own.then_some(if plan.bulk { Bulk::On } else { Bulk::Off }),
        backend: own.then(|| plan.backend.clone()),
        generator: own.then(|| settings.generator.clone().unwrap_or_else(|| plan.generator.clone())),
        ..settings.clone()
    }
}

fn plan(settings: &Perft, job: &Job) -> Result<Plan, Failure> {
    let default = Plan::default();
    let generator = settings.generator.as_deref().unwrap_or(&default.generator);
    if settings.hash.is_some() && generator == generators::ALL {
        return Err(Failure::usage("perft: --hash is for the generator `legal` only"));
    }
    Ok(Plan {
        generator: generator.to_owned(),
        suites: settings.suite.clone(),
        fen: settings.fen.clone().unwrap_or(default.fen),
        depth: settings.depth.unwrap_or(default.depth),
        divide: settings.divide,
        chess960: settings.chess960.then_some(true),
        backend: settings.backend.clone().unwrap_or(default.backend),
        bulk: settings.bulk != Some(Bulk::Off),
        hash_mib: settings.hash,
        max_nodes: settings.max_nodes,
        threads: job.threads(),
        concurrency: job.concurrency(),
        engine: settings.engine.as_deref().map(|engine| job.engine(engine, "")).transpose()?,
        ..default
    })
}
