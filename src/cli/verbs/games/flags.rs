//! The flags of `match` and `sprt`.

use crate::cli::args::unset;
use crate::cli::verbs::hypotheses::Hypotheses;
use crate::report::files::Form;
use clap::Args;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The flags of both.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Games {
    /// An engine (`embedded:lmr=off`, `cmd=stockfish,tc=10+0.1`, `cmd=phalanx,proto=xboard`, ...); give it twice (or, to `match`,
    /// more often: a tournament)
    #[arg(long, value_name = "SPEC")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub engine: Vec<String>,
    /// Settings for every engine (`tc=1+0.01`, `nodes=2000`, ...)
    #[arg(long, value_name = "K=V,...")]
    pub each: Option<String>,
    /// file=F,format=epd|pgn|polyglot,order=sequential|random|replacement,plies=N,start=N
    #[arg(long, value_name = "K=V,...")]
    pub openings: Option<String>,
    /// Adjudicate draws: movenumber=N,movecount=N,score=CP
    #[arg(long, value_name = "K=V,...")]
    pub draw: Option<String>,
    /// Adjudicate losses: movecount=N,score=CP,twosided=true|false
    #[arg(long, value_name = "K=V,...")]
    pub resign: Option<String>,
    /// Call a game a draw after this many moves
    #[arg(long, value_name = "N")]
    pub maxmoves: Option<u32>,
    /// Adjudicate by the Syzygy tables in this folder
    #[arg(long, value_name = "DIR")]
    pub syzygy: Option<PathBuf>,
    /// Milliseconds before a silent engine counts as hung (default: 10000)
    #[arg(long, value_name = "MS")]
    pub hang_timeout: Option<u64>,
    /// Keep each game on processors of its own (Linux)
    #[arg(long)]
    #[serde(skip_serializing_if = "unset")]
    pub affinity: bool,
    /// Go on with a fresh process after an engine crashed; the game is lost for it
    #[arg(long)]
    #[serde(skip_serializing_if = "unset")]
    pub recover: bool,
    /// Write the games here too, one by one as they are committed
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Write the last position of each game here, as EPD
    #[arg(long, value_name = "FILE")]
    pub final_positions: Option<PathBuf>,
    /// Write every game (without its moves), pair and verdict here as it is committed, a line of JSON each
    #[arg(long, value_name = "FILE")]
    pub events: Option<PathBuf>,
    /// Print the standing to stderr about every N pairs (10 on a terminal, otherwise never; 0: never)
    #[arg(long, value_name = "N")]
    pub rating_interval: Option<u64>,
    /// Show the report while the games are played, at http://ADDR:PORT/ (PORT alone: to this machine only; 0: any free one)
    #[arg(long, value_name = "ADDR:PORT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live: Option<String>,
    /// Go on with the match of this run folder where it was broken off
    #[arg(long, value_name = "RUN")]
    pub resume: Option<PathBuf>,
}

impl Games {
    /// Files that grow with the games beside those of the run folder.
    pub fn files(&self, verb: &str) -> Vec<(Option<&Path>, Form)> {
        vec![
            (self.pgn.as_deref(), Form::pgn(verb)),
            (self.final_positions.as_deref(), Form::FinalPositions),
            (self.events.as_deref(), Form::Events),
        ]
    }

    /// As they stand in the plan of the run.
    pub fn recorded(&self) -> Games {
        Games { resume: None, live: None, ..self.clone() }
    }
}

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
#[command(after_help = "Examples:
  gauntlet match --engine embedded --engine cmd=./old --each tc=10+0.1 --pairs 100
  gauntlet match --engine cmd=./a --engine cmd=./b --engine cmd=./c --each nodes=9000 --pairs 10
  gauntlet match --engine cmd=./new --engine cmd=./old --each tc=10+0.1,ponder=on --pairs 100 --rating-interval 5
  gauntlet match --engine cmd=./new --engine cmd=./old --each tc=10+0.1 --pairs 500 --live 8080
  gauntlet match --tournament swiss --rounds 3 --pairs 2 --each nodes=1000 --engine ...

Two engines play one match in any format, --rounds times --pairs pairs. A bye in a Swiss counts as an encounter won in \
full. A drawn encounter of a knockout is played on by up to 4 pairs; then the engine named earlier goes on.")]
pub struct Match {
    #[command(flatten)]
    #[serde(flatten)]
    pub games: Games,
    /// Pairs of games; in a tournament: of every encounter; with --error-bar the most there may be
    #[arg(long, value_name = "N")]
    pub pairs: Option<u64>,
    /// Stop once half of the 95 % interval is no more than so many Elo (two engines)
    #[arg(long, value_name = "ELO")]
    pub error_bar: Option<f64>,
    /// Of three engines or more: roundrobin (unless told otherwise), gauntlet (the first against each other one), swiss, knockout
    #[arg(long, value_name = "FORMAT")]
    pub tournament: Option<String>,
    /// Rounds of a Swiss (as many as name a winner unless told otherwise), or how often everybody is met (once)
    #[arg(long, value_name = "N")]
    pub rounds: Option<u32>,
}

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Sprt {
    #[command(flatten)]
    #[serde(flatten)]
    pub games: Games,
    #[command(flatten)]
    #[serde(flatten)]
    pub hypotheses: Hypotheses,
    /// normalized, logistic or bayeselo
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Undecided after this many pairs
    #[arg(long, value_name = "N")]
    pub max_pairs: Option<u64>,
}
