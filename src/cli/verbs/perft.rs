//! `gauntlet perft`: counts of move paths, of one position or of suites with known counts.

use crate::cli::Job;
use crate::cli::args::unset;
use crate::cli::exit::{Exit, Failure};
use clap::Args;
use serde::{Deserialize, Serialize};

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Perft {
    /// The position (default: the initial one)
    #[arg(long, value_name = "FEN", conflicts_with = "suite")]
    pub fen: Option<String>,
    /// Plies
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// The count behind each root move
    #[arg(long)]
    #[serde(skip_serializing_if = "unset")]
    pub divide: bool,
    /// Slider backend (see `gauntlet list backends`)
    #[arg(long, value_name = "ID")]
    pub backend: Option<String>,
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
}

pub fn run(_settings: &Perft, _job: &Job) -> Result<Exit, Failure> {
    Err(Failure::usage("not connected yet"))
}
