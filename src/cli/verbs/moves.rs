//! `gauntlet moves`: moves from one notation into another.

use crate::cli::Job;
use crate::cli::args::unset;
use crate::cli::exit::{Exit, Failure};
use crate::cli::table::Table;
use crate::notation::fen::{self, CastlingMode};
use crate::notation::{Notation, eco};
use crate::rules::Position;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Moves {
    /// The position the moves start from (default: the initial one)
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Notation of the moves given
    #[arg(long, value_name = "NOTATION", value_parser = notations())]
    pub from: Option<Notation>,
    /// Notation of the moves wanted
    #[arg(long, value_name = "NOTATION", value_parser = notations())]
    pub to: Option<Notation>,
    /// Castling is king takes rook
    #[arg(long)]
    #[serde(skip_serializing_if = "unset")]
    pub chess960: bool,
    /// The moves, each played after the one before
    #[arg(value_name = "MOVE")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
}

/// The ids of the notations, offered in help and completions.
fn notations() -> impl TypedValueParser<Value = Notation> {
    PossibleValuesParser::new(Notation::ALL.map(Notation::id))
        .try_map(|id| Notation::from_id(&id).ok_or("not a notation"))
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
    let from = settings.from.unwrap_or(Notation::San);
    let to = settings.to.unwrap_or(Notation::Uci);
    let (start, mut played) = (position, Vec::new());
    let mut written = Vec::new();
    for (index, text) in settings.moves.iter().enumerate() {
        let failed = |error| {
            Failure::usage(format!("move {} `{text}` after {}: {error}", index + 1, fen::format(&position)))
        };
        let mv = from.parse(text, &position).map_err(failed)?;
        written.push(to.format(mv, &position, mode).map_err(failed)?);
        position.play_unchecked(mv);
        played.push(mv);
    }
    job.output.json(|| {
        let opening = if settings.chess960 { None } else { eco::table().classify(&start, &played) };
        let opening = opening.map(|found| json!({ "eco": found.by_position.code, "name": found.by_position.name }));
        json!({ "from": from, "to": to, "moves": written, "final_fen": fen::format(&position), "opening": opening })
    })?;
    job.output.csv(|| table(settings, &written))?;
    job.output.answer(written.join(" "))?;
    Ok(Exit::Ok)
}

/// The moves as given and as wanted, with their numbers from 1.
fn table(settings: &Moves, written: &[String]) -> String {
    let mut table = Table::new(&["number", "given", "written"]);
    for (index, (given, written)) in settings.moves.iter().zip(written).enumerate() {
        table.row(vec![(index + 1).to_string(), given.clone(), written.clone()]);
    }
    table.csv()
}
