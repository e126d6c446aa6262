//! The command line as typed: the verbs and the flags all of them share. Each verb's own flags stand in its file under
//! `verbs/`. Nothing is resolved here (see `config.rs`): an absent flag is `None`, `false` or empty, and every struct can be
//! read from and written to TOML under the flags' own names.

use super::{defaults, examples, verbs};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

#[derive(Parser, Debug)]
#[command(
    name = "gauntlet",
    version,
    about = "Puts chess engines through tests and measures them",
    long_about = "Puts chess engines through tests and measures them: the embedded engine, or any UCI engine. \
                  Start with `gauntlet run`.",
    after_help = "Exit codes: 0 passed; 1 a check failed; 2 usage or bad input; 3 inconclusive; 4 an engine failed; \
                  130/143 interrupted; 70 a bug of ours.",
    max_term_width = 110
)]
pub struct Cli {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub verb: Verb,
}

/// The flags every verb has.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
#[command(next_help_heading = "Common flags")]
pub struct Common {
    /// The run folder: DIR if it is new or empty, else a new one in it; `none` leaves nothing behind
    #[arg(long, global = true, value_name = "DIR|none")]
    pub out: Option<String>,
    /// What stdout is: text for people, or one document
    #[arg(long, global = true, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// The summary line only
    #[arg(long, global = true)]
    #[serde(skip_serializing_if = "unset")]
    pub quiet: bool,
    /// Seed of everything random
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub seed: Option<u64>,
    /// What this run is called in reports: a version, a commit of the engine
    #[arg(long, global = true, value_name = "TEXT", value_parser = label)]
    #[serde(skip)]
    pub label: Option<String>,
    /// Threads inside one task (0: all cores)
    #[arg(long, global = true, value_name = "N")]
    pub threads: Option<u32>,
    /// Tasks at once (0: all cores)
    #[arg(long, global = true, value_name = "N")]
    pub concurrency: Option<u32>,
    /// Settings layered over ./gauntlet.toml
    #[arg(long, global = true, value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    /// Repeat a recorded run: the plan.toml of its folder
    #[arg(long, global = true, value_name = "FILE")]
    #[serde(skip)]
    pub plan: Option<PathBuf>,
    /// Engine traffic in both directions, time-stamped
    #[arg(long, global = true, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

/// A name that can be seen, on one line.
fn label(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("it is empty".to_owned()),
        text if text.chars().any(char::is_control) => Err("a control character is in it".to_owned()),
        text if text.chars().count() > MOST_OF_A_LABEL => {
            Err(format!("more than {MOST_OF_A_LABEL} characters"))
        }
        text => Ok(text.to_owned()),
    }
}

const MOST_OF_A_LABEL: usize = 80;

/// The parser. A negative number is a value everywhere, so that the error names the flag it was given to.
pub fn command() -> clap::Command {
    fn open(command: clap::Command) -> clap::Command {
        command.allow_negative_numbers(true).mut_subcommands(open)
    }
    open(examples::added(with_defaults(Cli::command(), "common", &defaults::all())))
}

/// Says of each flag what it is unless it is given. `path`: the table of the defaults that the flags of this command are in.
fn with_defaults(command: clap::Command, path: &str, all: &toml::Table) -> clap::Command {
    let with_default = |arg: clap::Arg, table: &toml::Table| {
        let Some(value) = table.get(&arg.get_id().as_str().replace('_', "-")) else { return arg };
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        if help.contains("default") { arg } else { arg.help(format!("{help} (default: {})", shown(value))) }
    };
    let command = match defaults::find(all, path) {
        Some(table) => command.mut_args(|arg| with_default(arg, table)),
        None => command,
    };
    command.mut_subcommands(|inner| {
        let name = inner.get_name().to_owned();
        let path = if path == "common" { name } else { format!("{path}.{name}") };
        with_defaults(inner, &path, all)
    })
}

/// As one would type it.
fn shown(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Array(list) => list.iter().map(shown).collect::<Vec<_>>().join(","),
        toml::Value::Float(number) => number.to_string(),
        other => other.to_string(),
    }
}

/// What stdout is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    #[default]
    Text,
    Json,
    Csv,
}

#[derive(Subcommand, Debug)]
pub enum Verb {
    /// The whole gauntlet: perft, test positions, symmetry, bench, sliders, self-play, SPRT; leaves a report
    Run(verbs::run::Run),
    /// Count move paths: one position, or suites with known counts
    Perft(verbs::perft::Perft),
    /// Solve test positions
    Tactics(verbs::tactics::Tactics),
    /// Compare positions with their colour-flipped twins
    Symmetry(verbs::symmetry::Symmetry),
    /// Search fixed positions: signature, speed, branching factors; or compare the speeds of two engines
    #[command(after_help = "\
        The last line of a comparison: ratio 2 = twice as fast as the other engine, with its 95 % interval; exit code 0 for faster \
        or the same, 1 for slower, 3 where the interval spans an end of the margin or there are fewer than 7 rounds.")]
    Bench(verbs::bench::Bench),
    /// Check whether an engine keeps to the UCI protocol
    Compliance(verbs::compliance::Compliance),
    /// Verify and time the slider attack backends
    Sliders(verbs::sliders::Sliders),
    /// Look for magic factors of a scheme
    Magics(verbs::magics::Magics),
    /// Play a match of two engines, or a tournament of more, in pairs of games
    Match(verbs::games::Match),
    /// Play until a sequential test decides
    Sprt(verbs::games::Sprt),
    /// Match statistics from counts
    #[command(subcommand)]
    Stats(verbs::stats::Stats),
    /// Rate all players of PGN files together; cross tables and tie-breaks
    Rate(verbs::rate::Rate),
    /// Run a declarative experiment: factors, levels, one trial or match per cell
    #[command(after_help = "Examples:\n  gauntlet study suites/studies/hash-collisions.toml\n  \
        gauntlet study technology-curve.toml --concurrency 2\n  \
        gauntlet study my-ladder.toml --seed 7 --out reports/ladder")]
    Study(verbs::study::Study),
    /// May this change go in? A new engine against a base, or a baseline, stage by stage
    Gate(verbs::gate::Gate),
    /// Redraw the report of finished runs
    Report(verbs::report::Report),
    /// Serve the embedded engine on stdin and stdout
    Uci(verbs::uci::Uci),
    /// Show what there is: backends, techniques, terms, suites, generators
    List(verbs::list::List),
    /// Read positions, EPD or PGN and tell what was read
    Check(verbs::check::Check),
    /// Translate moves between notations
    Moves(verbs::moves::Moves),
    /// Write a commented gauntlet.toml for an engine
    Init(verbs::init::Init),
    /// Print what a shell needs to complete verbs and flags
    Completions(verbs::completions::Completions),
    /// Print a manual page, or write all of them
    Man(verbs::man::Man),
}

impl Verb {
    /// The run folder that is to be gone on with.
    pub fn resume(&self) -> Option<&Path> {
        match self {
            Verb::Match(games) => games.games.resume.as_deref(),
            Verb::Sprt(games) => games.games.resume.as_deref(),
            _ => None,
        }
    }

    /// The verb's name, which is also its table in a configuration file (`stats.elo`: a table in a table).
    pub fn name(&self) -> &'static str {
        match self {
            Verb::Run(_) => "run",
            Verb::Perft(_) => "perft",
            Verb::Tactics(_) => "tactics",
            Verb::Symmetry(_) => "symmetry",
            Verb::Bench(_) => "bench",
            Verb::Compliance(_) => "compliance",
            Verb::Sliders(_) => "sliders",
            Verb::Magics(_) => "magics",
            Verb::Match(_) => "match",
            Verb::Sprt(_) => "sprt",
            Verb::Stats(verbs::stats::Stats::Elo(_)) => "stats.elo",
            Verb::Stats(verbs::stats::Stats::Llr(_)) => "stats.llr",
            Verb::Stats(verbs::stats::Stats::Length(_)) => "stats.length",
            Verb::Stats(verbs::stats::Stats::Validate(_)) => "stats.validate",
            Verb::Rate(_) => "rate",
            Verb::Study(_) => "study",
            Verb::Gate(_) => "gate",
            Verb::Report(_) => "report",
            Verb::Uci(_) => "uci",
            Verb::List(_) => "list",
            Verb::Check(_) => "check",
            Verb::Moves(_) => "moves",
            Verb::Init(_) => "init",
            Verb::Completions(_) => "completions",
            Verb::Man(_) => "man",
        }
    }

    /// Whether it reads settings files. Those that do not work beside a broken one, too.
    pub fn has_settings(&self) -> bool {
        !matches!(self, Verb::Init(_) | Verb::Completions(_) | Verb::Man(_))
    }
}

/// For `skip_serializing_if`: a switch that was not given leaves the layer below it alone.
#[allow(clippy::trivially_copy_pass_by_ref)]
pub fn unset(switch: &bool) -> bool {
    !switch
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn help_says_what_a_flag_is_unless_it_is_given() {
        let mut all = command();
        all.build();
        let mut help = |path: &[&str]| {
            let verb = path.iter().fold(&mut all, |verb, name| verb.find_subcommand_mut(name).unwrap());
            verb.render_help().to_string().split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let hang = format!("(default: {})", crate::subject::HANG_TIMEOUT.as_millis());
        let depth = format!("(default: {}, unless --nodes", crate::engine::SIGNATURE_DEPTH);
        let nodes = format!("(default: {}, unless", crate::trial::tactics::DEFAULT_NODES);
        for (path, words) in [
            (
                &["sprt"][..],
                &["--elo1 <ELO> ", "(default: 5)", "(default: 0.05)", "(default: normalized)"][..],
            ),
            (&["stats", "length"], &["(default: 0.05)"]),
            (&["perft"], &["Seed of everything random (default: 1)", "(default: reports/runs)"]),
            (&["moves"], &["(default: san)", "(default: uci)"]),
            (&["sliders"], &["(default: throughput)"]),
            (&["match"], &[&hang]),
            (&["bench"], &[&depth]),
            (&["tactics"], &[&nodes, &hang]),
        ] {
            let text = help(path);
            for word in words {
                assert!(text.contains(word), "{path:?}: `{word}` is not in {text}");
            }
        }
    }
}
