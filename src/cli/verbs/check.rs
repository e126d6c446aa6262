//! `gauntlet check`: reads positions, EPD or PGN and tells what was read.

use crate::cli::Job;
use crate::cli::args::unset;
use crate::cli::exit::{Exit, Failure};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Check {
    /// A position; may be given several times
    #[arg(long, value_name = "FEN")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fen: Vec<String>,
    /// A file of EPD lines
    #[arg(long, value_name = "FILE")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub epd: Vec<PathBuf>,
    /// A file of PGN games
    #[arg(long, value_name = "FILE")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pgn: Vec<PathBuf>,
    /// Read castling rights as in Chess960
    #[arg(long)]
    #[serde(skip_serializing_if = "unset")]
    pub chess960: bool,
}

pub fn run(_settings: &Check, _job: &Job) -> Result<Exit, Failure> {
    Err(Failure::usage("not connected yet"))
}
