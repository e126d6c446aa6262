//! `gauntlet moves`: moves from one notation into another.

use crate::cli::Job;
use crate::cli::args::unset;
use crate::cli::exit::{Exit, Failure};
use crate::notation::fen::{self, CastlingMode};
use crate::notation::{MoveError, san, uci_move};
use crate::rules::Position;
use crate::types::Move;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use serde_json::json;

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

impl MoveNotation {
    fn parse(self, text: &str, position: &Position) -> Result<Move, MoveError> {
        match self {
            MoveNotation::San => san::parse(text, position),
            MoveNotation::Uci => uci_move::parse(text, position),
        }
    }

    fn format(self, mv: Move, position: &Position, chess960: bool) -> String {
        match self {
            MoveNotation::San => san::format(mv, position),
            MoveNotation::Uci => uci_move::format(mv, position, chess960),
        }
    }
}

pub fn run(settings: &Moves, job: &Job) -> Result<Exit, Failure> {
    if settings.moves.is_empty() {
        return Err(Failure::usage("moves: no MOVE given"));
    }
    let mode = if settings.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    let mut position = match &settings.fen {
        Some(text) => fen::parse(text, mode).map_err(|error| Failure::usage(format!("--fen: {error}")))?,
        None => Position::startpos(),
    };
    let from = settings.from.unwrap_or(MoveNotation::San);
    let to = settings.to.unwrap_or(MoveNotation::Uci);
    let mut written = Vec::new();
    for (index, text) in settings.moves.iter().enumerate() {
        let mv = from.parse(text, &position).map_err(|error| {
            Failure::usage(format!("move {} after {}: {error}", index + 1, fen::format(&position)))
        })?;
        written.push(to.format(mv, &position, settings.chess960));
        position.play_unchecked(mv);
    }
    let line = written.join(" ");
    job.output.json(|| json!({ "moves": written, "final_fen": fen::format(&position) }))?;
    job.output.csv(|| format!("move\n{}\n", written.join("\n")))?;
    job.output.answer(line)?;
    Ok(Exit::Ok)
}
