//! `gauntlet symmetry`: an evaluation must not care which colour plays which side.

use crate::cli::Job;
use crate::cli::args::unset;
use crate::cli::exit::{Exit, Failure};
use clap::Args;
use serde::{Deserialize, Serialize};

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Symmetry {
    /// Files of positions (CSV with a `fen` column, or EPD); default: the embedded ones
    #[arg(value_name = "FILE")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The engine (default: the embedded one)
    #[arg(long, value_name = "SPEC")]
    pub engine: Option<String>,
    /// Compare static evaluations (the default for the embedded engine)
    #[arg(long, conflicts_with = "depth")]
    #[serde(skip_serializing_if = "unset")]
    pub eval: bool,
    /// Compare searches to this depth
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
}

pub fn run(_settings: &Symmetry, _job: &Job) -> Result<Exit, Failure> {
    Err(Failure::usage("not connected yet"))
}
