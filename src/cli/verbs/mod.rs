//! One file per verb: its flags, what it does with them, and what it shows.

pub mod bench;
mod boards;
pub mod check;
pub mod completions;
pub mod compliance;
pub mod games;
pub mod gate;
pub mod generators;
mod hypotheses;
pub mod init;
pub mod length;
pub mod list;
mod locate;
pub mod magics;
pub mod man;
pub mod moves;
pub mod perft;
pub mod rate;
pub mod report;
pub mod run;
pub mod sliders;
mod speed;
pub mod stats;
pub mod study;
pub mod symmetry;
pub mod tactics;
pub mod uci;
pub mod validate;

use super::Job;
use super::args::{Common, Verb};
use super::config::Layers;
use super::exit::{Exit, Failure};
use serde::Deserialize;

/// Runs the verb on its settings: flags over the layers below them.
pub fn dispatch(verb: &Verb, layers: &Layers, job: &Job) -> Result<Exit, Failure> {
    let section = verb.name();
    match verb {
        Verb::Run(flags) => run::run(&layers.resolve(section, flags)?, job),
        Verb::Perft(flags) => perft::run(&layers.resolve(section, flags)?, job),
        Verb::Tactics(flags) => tactics::run(&layers.resolve(section, flags)?, job),
        Verb::Symmetry(flags) => symmetry::run(&layers.resolve(section, flags)?, job),
        Verb::Bench(flags) => bench::run(&layers.resolve(section, flags)?, job),
        Verb::Compliance(flags) => compliance::run(&layers.resolve(section, flags)?, job),
        Verb::Sliders(flags) => sliders::run(&layers.resolve(section, flags)?, job),
        Verb::Magics(flags) => magics::run(&layers.resolve(section, flags)?, job),
        Verb::Match(flags) => games::run_match(&layers.resolve(section, flags)?, job),
        Verb::Sprt(flags) => games::run_sprt(&layers.resolve(section, flags)?, job),
        Verb::Stats(stats::Stats::Elo(flags)) => stats::elo(&layers.resolve(section, flags)?, job),
        Verb::Stats(stats::Stats::Llr(flags)) => stats::llr(&layers.resolve(section, flags)?, job),
        Verb::Stats(stats::Stats::Length(flags)) => length::run(&layers.resolve(section, flags)?, job),
        Verb::Stats(stats::Stats::Validate(flags)) => validate::run(&layers.resolve(section, flags)?, job),
        Verb::Rate(flags) => rate::run(&layers.resolve(section, flags)?, job),
        Verb::Gate(flags) => gate::run(&layers.resolve(section, flags)?, job),
        Verb::Study(flags) => study::run(&layers.resolve(section, flags)?, job),
        Verb::Report(flags) => report::run(&layers.resolve(section, flags)?, job),
        Verb::Uci(flags) => uci::run(&layers.resolve(section, flags)?, job),
        Verb::List(flags) => list::run(&layers.resolve(section, flags)?, job),
        Verb::Check(flags) => check::run(&layers.resolve(section, flags)?, job),
        Verb::Moves(flags) => moves::run(&layers.resolve(section, flags)?, job),
        Verb::Init(flags) => init::run(flags, job),
        Verb::Completions(flags) => completions::run(flags, job),
        Verb::Man(flags) => man::run(flags, job),
    }
}

/// Nothing can be searched to depth 0 or for 0 nodes: a number of this flag must be at least 1.
fn at_least_one<N: Into<u64> + Copy>(flag: &str, value: Option<N>) -> Result<(), Failure> {
    match value {
        Some(number) if number.into() == 0 => {
            Err(Failure::usage(format!("{flag}: must be at least 1, not 0")))
        }
        _ => Ok(()),
    }
}

/// A configuration file or a plan as a whole: read once per file to find values of the wrong kind where their line is known.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
#[allow(dead_code, reason = "only the reading matters")]
pub struct Settings {
    common: Common,
    run: run::Run,
    perft: perft::Perft,
    tactics: tactics::Tactics,
    symmetry: symmetry::Symmetry,
    bench: bench::Bench,
    compliance: compliance::Compliance,
    sliders: sliders::Sliders,
    magics: magics::Magics,
    r#match: games::Match,
    sprt: games::Sprt,
    stats: StatsSettings,
    rate: rate::Rate,
    gate: gate::Gate,
    study: study::Study,
    report: report::Report,
    uci: uci::Uci,
    list: list::List,
    check: check::Check,
    moves: moves::Moves,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
#[allow(dead_code, reason = "only the reading matters")]
struct StatsSettings {
    elo: stats::Elo,
    llr: stats::Llr,
    length: length::Length,
    validate: validate::Validate,
}
