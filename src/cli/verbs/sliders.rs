//! `gauntlet sliders`: slider attack backends, verified against the oracle and then timed.

use crate::cli::Job;
use crate::cli::exit::{Exit, Failure};
use clap::Args;
use serde::{Deserialize, Serialize};

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Sliders {
    /// `all`, or ids (see `gauntlet list backends`)
    #[arg(long, value_name = "ID,...", value_delimiter = ',')]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub backends: Vec<String>,
    /// `all`, or some of throughput, latency, perft, search
    #[arg(long, value_name = "ID,...", value_delimiter = ',')]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub metric: Vec<String>,
    /// Interleaved rounds of timing
    #[arg(long, value_name = "N")]
    pub rounds: Option<u32>,
}

pub fn run(_settings: &Sliders, _job: &Job) -> Result<Exit, Failure> {
    Err(Failure::usage("not connected yet"))
}
