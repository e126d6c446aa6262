//! `gauntlet bench`: fixed positions searched to a fixed depth: signature, speed, branching factors.

use crate::cli::Job;
use crate::cli::exit::{Exit, Failure};
use clap::Args;
use serde::{Deserialize, Serialize};

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Bench {
    /// The engine (default: the embedded one)
    #[arg(long, value_name = "SPEC")]
    pub engine: Option<String>,
    /// Plies for each position
    #[arg(long, value_name = "N", group = "limit")]
    pub depth: Option<u32>,
    /// Nodes for each position
    #[arg(long, value_name = "N", group = "limit")]
    pub nodes: Option<u64>,
}

pub fn run(_settings: &Bench, _job: &Job) -> Result<Exit, Failure> {
    Err(Failure::usage("not connected yet"))
}
