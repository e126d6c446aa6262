//! `gauntlet check`: reads positions, EPD or PGN and tells what was read.

use crate::cli::Job;
use crate::cli::args::unset;
use crate::cli::exit::{Exit, Failure, one_line};
use crate::cli::output::Summary;
use crate::cli::table::Table;
use crate::notation::fen::{self, CastlingMode};
use crate::notation::{decode, epd, pgn, san};
use crate::rules::{Line, Position};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

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

/// What was read, or why it could not be.
#[derive(Debug, Serialize)]
struct Item {
    kind: &'static str,
    /// Where it stands: a file, or `--fen`.
    source: String,
    /// From 1; the number of the FEN on the command line.
    line: usize,
    #[serde(flatten)]
    found: Found,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Found {
    Position {
        fen: String,
        legal_moves: usize,
        check: bool,
        outcome: Option<&'static str>,
        operations: Vec<Value>,
    },
    Game {
        plies: usize,
        result: &'static str,
        final_fen: String,
        outcome: Option<&'static str>,
        warnings: Vec<String>,
    },
    Error {
        error: String,
    },
}

/// Counts what it is told and shows it at once, or keeps it for a document.
struct Findings<'a> {
    job: &'a Job,
    items: usize,
    errors: usize,
    kept: Vec<Item>,
}

impl Findings<'_> {
    fn add(&mut self, kind: &'static str, source: &str, line: usize, found: Found) -> Result<(), Failure> {
        self.items += 1;
        self.errors += usize::from(matches!(found, Found::Error { .. }));
        let item = Item { kind, source: source.to_owned(), line, found };
        self.job.output.text(item.text())?;
        if self.job.output.format != crate::cli::args::Format::Text {
            self.kept.push(item);
        }
        Ok(())
    }

    fn interrupted(&self) -> bool {
        self.job.signals.flag().load(Ordering::Relaxed)
    }
}

pub fn run(settings: &Check, job: &Job) -> Result<Exit, Failure> {
    if settings.fen.is_empty() && settings.epd.is_empty() && settings.pgn.is_empty() {
        return Err(Failure::usage("check: nothing to read; give --fen, --epd or --pgn"));
    }
    let mode = if settings.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    let mut findings = Findings { job, items: 0, errors: 0, kept: Vec::new() };
    for (index, text) in settings.fen.iter().enumerate() {
        let found = match fen::parse(text, mode) {
            Ok(position) => position_found(&position, Vec::new()),
            Err(error) => Found::Error { error: error.to_string() },
        };
        findings.add("fen", "--fen", index + 1, found)?;
    }
    for path in &settings.epd {
        read_epd(path, mode, &mut findings)?;
    }
    for path in &settings.pgn {
        read_pgn(path, &mut findings)?;
    }
    let summary = Summary::new("check").with("items", findings.items).with("errors", findings.errors);
    job.output.json(|| json!({ "items": findings.kept, "summary": summary.json() }))?;
    job.output.csv(|| csv_table(&findings.kept))?;
    job.output.summary(&summary)?;
    Ok(Exit::failed_if(findings.errors > 0))
}

fn read_epd(path: &Path, mode: CastlingMode, findings: &mut Findings) -> Result<(), Failure> {
    let source = path.display().to_string();
    let text = decode(&std::fs::read(path).map_err(|error| Failure::unreadable(&source, &error))?);
    for (line, record) in epd::records(&text, mode) {
        if findings.interrupted() {
            break;
        }
        let found = match record {
            Ok(record) => {
                let operations =
                    record.operations.iter().map(|operation| operation_json(operation, &record.position));
                position_found(&record.position, operations.collect())
            }
            Err(error) => Found::Error { error: error.to_string() },
        };
        findings.add("epd", &source, line, found)?;
    }
    Ok(())
}

fn read_pgn(path: &Path, findings: &mut Findings) -> Result<(), Failure> {
    let source = path.display().to_string();
    let unreadable = |error: std::io::Error| Failure::unreadable(&source, &error);
    if path.is_dir() {
        return Err(Failure::usage(format!("{source}: is a folder, not a file")));
    }
    let file = File::open(path).map_err(unreadable)?;
    for game in pgn::Reader::new(BufReader::new(file)) {
        if findings.interrupted() {
            break;
        }
        let (line, found) = match game {
            Ok(game) => (game.line, game_found(&game)),
            Err(error) => (error.line, Found::Error { error: error.kind.to_string() }),
        };
        findings.add("pgn", &source, line, found)?;
    }
    Ok(())
}

fn position_found(position: &Position, operations: Vec<Value>) -> Found {
    Found::Position {
        fen: fen::format(position),
        legal_moves: position.legal_moves().len(),
        check: position.is_check(),
        outcome: Line::new(*position).outcome(true).map(|outcome| outcome.reason()),
        operations,
    }
}

fn operation_json((opcode, operands): &(String, Vec<epd::Operand>), position: &Position) -> Value {
    // A principal variation's moves belong to later positions: they stay in coordinates.
    let text = |operand: &epd::Operand| match operand {
        epd::Operand::Move(mv) if position.is_legal(*mv) => san::format(*mv, position),
        epd::Operand::Move(mv) => format!("{mv:?}"),
        epd::Operand::Text(text) | epd::Operand::Word(text) => text.clone(),
    };
    json!([opcode, operands.iter().map(text).collect::<Vec<_>>()])
}

fn game_found(game: &pgn::Game) -> Found {
    let mut line = Line::new(game.start);
    for played in &game.moves {
        if line.play(played.mv).is_err() {
            break;
        }
    }
    Found::Game {
        plies: game.moves.len(),
        result: game.result.as_str(),
        final_fen: fen::format(line.position()),
        outcome: line.outcome(true).map(|outcome| outcome.reason()),
        warnings: game.warnings.iter().map(ToString::to_string).collect(),
    }
}

impl Item {
    /// `source:line: …`, warnings on lines of their own.
    fn text(&self) -> String {
        let place = format!("{}:{}:", self.source, self.line);
        match &self.found {
            Found::Position { fen, legal_moves, outcome, .. } => {
                let end = outcome.map_or_else(String::new, |reason| format!(", {reason}"));
                format!("{place} {fen} | legal moves {legal_moves}{end}")
            }
            Found::Game { plies, result, final_fen, outcome, warnings } => {
                let end = outcome.map_or_else(String::new, |reason| format!(", {reason}"));
                let warnings: String =
                    warnings.iter().map(|text| format!("\n{}: warning: {text}", self.source)).collect();
                format!("{place} {plies} plies, {result}{end} | {final_fen}{warnings}")
            }
            Found::Error { error } => format!("{place} error: {}", one_line(error)),
        }
    }
}

fn csv_table(items: &[Item]) -> String {
    let mut table =
        Table::new(&["kind", "source", "line", "fen", "legal_moves", "plies", "result", "outcome", "error"]);
    for Item { kind, source, line, found } in items {
        let [fen, legal_moves, plies, result, outcome, error] = match found {
            Found::Position { fen, legal_moves, outcome, .. } => [
                fen.clone(),
                legal_moves.to_string(),
                String::new(),
                String::new(),
                text(outcome),
                String::new(),
            ],
            Found::Game { plies, result, final_fen, outcome, .. } => {
                let result = (*result).to_owned();
                [final_fen.clone(), String::new(), plies.to_string(), result, text(outcome), String::new()]
            }
            Found::Error { error } => {
                let none = String::new;
                [none(), none(), none(), none(), none(), one_line(error)]
            }
        };
        let place = [(*kind).to_owned(), source.clone(), line.to_string()];
        table.row(place.into_iter().chain([fen, legal_moves, plies, result, outcome, error]).collect());
    }
    table.csv()
}

fn text(outcome: &Option<&'static str>) -> String {
    outcome.unwrap_or_default().to_owned()
}
