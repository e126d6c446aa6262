//! `gauntlet moves`: moves from one notation into another.

use crate::cli::Job;
use crate::cli::args::unset;
use crate::cli::exit::{Exit, Failure};
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Moves {
    /// The position the moves start from (default: the initial one)
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Notation of the moves given
    #[arg(long, value_name = "NOTATION")]
    pub from: Option<MoveNotation>,
    /// Notation of the moves wanted
    #[arg(long, value_name = "NOTATION")]
    pub to: Option<MoveNotation>,
    /// Castling is king takes rook
    #[arg(long)]
    #[serde(skip_serializing_if = "unset")]
    pub chess960: bool,
    /// The moves, each played after the one before
    #[arg(value_name = "MOVE")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
}

/// How a move is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MoveNotation {
    San,
    Uci,
}

pub fn run(_settings: &Moves, _job: &Job) -> Result<Exit, Failure> {
    Err(Failure::usage("not connected yet"))
}
