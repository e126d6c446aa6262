//! `gauntlet tactics`: test positions with best moves, moves to avoid, or mates.

use crate::cli::Job;
use crate::cli::args::unset;
use crate::cli::exit::{Exit, Failure};
use clap::Args;
use serde::{Deserialize, Serialize};

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Tactics {
    /// EPD files, or names of embedded suites
    #[arg(value_name = "FILE")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The engine; may be given several times
    #[arg(long, value_name = "SPEC")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub engine: Vec<String>,
    /// Settings for every engine
    #[arg(long, value_name = "K=V,...")]
    pub each: Option<String>,
    /// Milliseconds for each position
    #[arg(long, value_name = "MS", group = "limit")]
    pub movetime: Option<u64>,
    /// Nodes for each position
    #[arg(long, value_name = "N", group = "limit")]
    pub nodes: Option<u64>,
    /// Plies for each position
    #[arg(long, value_name = "N", group = "limit")]
    pub depth: Option<u32>,
    /// Fail if an engine solves fewer
    #[arg(long, value_name = "N")]
    pub min_solved: Option<u64>,
    /// Read castling rights as in Chess960
    #[arg(long)]
    #[serde(skip_serializing_if = "unset")]
    pub chess960: bool,
}

pub fn run(_settings: &Tactics, _job: &Job) -> Result<Exit, Failure> {
    Err(Failure::usage("not connected yet"))
}
