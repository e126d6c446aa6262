//! `gauntlet match` and `gauntlet sprt`: games in pairs with colours swapped.

use crate::cli::Job;
use crate::cli::exit::{Exit, Failure};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The flags of both.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Games {
    /// An engine; give it twice or more
    #[arg(long, value_name = "SPEC")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub engine: Vec<String>,
    /// Settings for every engine (`tc=1+0.01`, `nodes=2000`, ...)
    #[arg(long, value_name = "K=V,...")]
    pub each: Option<String>,
    /// file=F,format=epd|pgn,order=sequential|random|replacement,plies=N,start=N
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
    /// Milliseconds before a silent engine counts as hung
    #[arg(long, value_name = "MS")]
    pub hang_timeout: Option<u64>,
    /// Write the games here too
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
}

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Match {
    #[command(flatten)]
    #[serde(flatten)]
    pub games: Games,
    /// Pairs of games (for each two engines)
    #[arg(long, value_name = "N")]
    pub pairs: Option<u64>,
}

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Sprt {
    #[command(flatten)]
    #[serde(flatten)]
    pub games: Games,
    /// Elo of H0
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub elo0: Option<f64>,
    /// Elo of H1
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub elo1: Option<f64>,
    /// Highest rate of wrong H1
    #[arg(long, value_name = "P")]
    pub alpha: Option<f64>,
    /// Highest rate of wrong H0
    #[arg(long, value_name = "P")]
    pub beta: Option<f64>,
    /// normalized, logistic or bayeselo
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Undecided after this many pairs
    #[arg(long, value_name = "N")]
    pub max_pairs: Option<u64>,
}

pub fn run_match(_settings: &Match, _job: &Job) -> Result<Exit, Failure> {
    Err(Failure::usage("not connected yet"))
}

pub fn run_sprt(_settings: &Sprt, _job: &Job) -> Result<Exit, Failure> {
    Err(Failure::usage("not connected yet"))
}
