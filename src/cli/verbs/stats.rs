//! `gauntlet stats`: the statistics of a match from its counts.

use crate::cli::Job;
use crate::cli::exit::{Exit, Failure};
use clap::{Args, Subcommand};
use serde::{Deserialize, Serialize};

#[derive(Subcommand, Clone, Debug)]
pub enum Stats {
    /// Elo, its intervals, likelihood of superiority, normalized Elo
    Elo(Elo),
    /// Log-likelihood ratio of two hypotheses, and the bounds of the test
    Llr(Llr),
}

/// The counts, from the first engine's view.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Counts {
    /// Games won, drawn, lost
    #[arg(long, value_name = "W,D,L", conflicts_with = "penta")]
    pub wdl: Option<String>,
    /// Pairs by points: 0, 1/2, 1, 3/2, 2
    #[arg(long, value_name = "LL,LD,M,WD,WW")]
    pub penta: Option<String>,
}

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Elo {
    #[command(flatten)]
    #[serde(flatten)]
    pub counts: Counts,
}

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Llr {
    #[command(flatten)]
    #[serde(flatten)]
    pub counts: Counts,
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
    /// normalized, logistic, bayeselo, bayeselo-direct or cutechess (the last three from --wdl only)
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
}

pub fn elo(_settings: &Elo, _job: &Job) -> Result<Exit, Failure> {
    Err(Failure::usage("not connected yet"))
}

pub fn llr(_settings: &Llr, _job: &Job) -> Result<Exit, Failure> {
    Err(Failure::usage("not connected yet"))
}
