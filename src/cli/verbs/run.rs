//! `gauntlet run`: the whole gauntlet.

use crate::cli::Job;
use crate::cli::args::unset;
use crate::cli::exit::{Exit, Failure};
use clap::Args;
use serde::{Deserialize, Serialize};

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Run {
    /// A short look: under 20 seconds
    #[arg(long, conflicts_with = "full")]
    #[serde(skip_serializing_if = "unset")]
    pub quick: bool,
    /// Every suite and every metric, without a time limit
    #[arg(long)]
    #[serde(skip_serializing_if = "unset")]
    pub full: bool,
    /// The engine to test (default: the embedded one)
    #[arg(long, value_name = "SPEC")]
    pub engine: Option<String>,
}

pub fn run(_settings: &Run, _job: &Job) -> Result<Exit, Failure> {
    Err(Failure::usage("not connected yet"))
}
