//! `gauntlet check`: reads positions, EPD or PGN and tells what was read.

use crate::cli::Job;
use crate::cli::args::{Format, unset};
use crate::cli::exit::{Exit, Failure, one_line};
use crate::cli::output::{Summary, quoted};
use crate::notation::fen::{self, CastlingMode};
use crate::notation::pgn::{PgnError, PgnErrorKind};
use crate::notation::{decode, eco, epd, pgn, san};
use crate::rules::{Line, Position};
use crate::types::Move;
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

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
        #[serde(skip_serializing_if = "Option::is_none")]
        opening: Option<Openings>,
    },
    Game {
        plies: usize,
        result: &'static str,
        final_fen: String,
        outcome: Option<&'static str>,
        opening: Option<Opening>,
        warnings: Vec<String>,
    },
    Error {
        error: String,
    },
}

/// What is read at once.
const BUFFER: usize = 1 << 17;
/// A record is a line, and no line is longer.
const LONGEST_LINE: u64 = 1 << 24;
/// Of one file's errors so many are shown as text; all are counted, and JSON and CSV have them all.
const SHOWN_ERRORS: usize = 100;
/// Text is written in pieces of about this size.
const PIECE: usize = 1 << 16;

/// What opening a game is.
#[derive(Clone, Copy, Debug, Serialize)]
struct Opening {
    /// By the last named position.
    eco: &'static str,
    name: &'static str,
    /// After how many plies it stood on the board.
    plies: usize,
    /// By the longest named line the game begins with.
    eco_by_moves: Option<&'static str>,
    name_by_moves: Option<&'static str>,
}

/// What opening a position may be of.
#[derive(Debug, Serialize)]
struct Openings {
    /// Of the line that ends in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'static str>,
    /// Codes of all lines after which few plies more can lead to it: the answer depends on the way.
    eco: Vec<&'static str>,
    /// How many plies more, at most.
    within_plies: u32,
    /// False if not all orders of moves were searched: there may be more codes.
    complete: bool,
}

/// How far the openings of a single position are looked for.
const ECO_PLIES: u32 = 8;

/// Counts what it is told and shows it: nothing is kept, so that a file of any size can be read.
struct Findings<'a> {
    job: &'a Job,
    items: usize,
    errors: usize,
    /// Errors of this source so far.
    source_errors: usize,
    /// Written, but not yet out.
    text: String,
}

impl Findings<'_> {
    fn begin(&mut self) {
        match self.job.output.format {
            Format::Json => self.text.push_str("{\n  \"items\": ["),
            Format::Csv => self.text.push_str(&csv_line(&COLUMNS.map(str::to_owned))),
            Format::Text => {}
        }
    }

    fn add(&mut self, kind: &'static str, source: &str, line: usize, found: Found) -> Result<(), Failure> {
        let is_error = matches!(found, Found::Error { .. });
        self.items += 1;
        self.errors += usize::from(is_error);
        self.source_errors += usize::from(is_error);
        let item = Item { kind, source: source.to_owned(), line, found };
        match self.job.output.format {
            Format::Json => {
                self.text.push_str(if self.items == 1 { "\n    " } else { ",\n    " });
                self.text.push_str(&serde_json::to_string(&item).map_err(Failure::usage)?);
            }
            Format::Csv => self.text.push_str(&csv_line(&item.cells())),
            Format::Text if is_error && self.source_errors > SHOWN_ERRORS => {}
            Format::Text => {
                self.text.push_str(&item.text());
                self.text.push('\n');
            }
        }
        if self.text.len() >= PIECE { self.flush() } else { Ok(()) }
    }

    fn end_of_source(&mut self, source: &str) {
        let more = std::mem::take(&mut self.source_errors).saturating_sub(SHOWN_ERRORS);
        if more > 0 && self.job.output.format == Format::Text {
            self.text.push_str(&format!("{source}: {more} more errors\n"));
        }
    }

    /// Ends the document; `failure`: why nothing more was read.
    fn end(&mut self, summary: &Summary, failure: Option<&Failure>) -> Result<(), Failure> {
        if self.job.output.format == Format::Json {
            let end = if self.items == 0 { "" } else { "\n  " };
            self.text.push_str(&format!("{end}],\n"));
            if let Some(failure) = failure {
                self.text.push_str(&format!("  \"failure\": {},\n", Value::from(failure.line())));
            }
            self.text.push_str(&format!("  \"summary\": {}\n}}\n", summary.json()));
        }
        self.flush()
    }

    fn flush(&mut self) -> Result<(), Failure> {
        let text = std::mem::take(&mut self.text);
        self.job.output.piece(&text)
    }

    fn interrupted(&self) -> bool {
        self.job.signals.flag().load(Ordering::Relaxed)
    }
}

pub fn run(settings: &Check, job: &Job) -> Result<Exit, Failure> {
    if settings.fen.is_empty() && settings.epd.is_empty() && settings.pgn.is_empty() {
        return Err(Failure::usage("check: nothing to read; give --fen, --epd or --pgn"));
    }
    // A file that cannot be opened is told before anything else is said.
    let files = |paths: &[PathBuf]| paths.iter().map(|path| open(path)).collect::<Result<Vec<_>, _>>();
    let (records, games) = (files(&settings.epd)?, files(&settings.pgn)?);
    let mode = if settings.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    let mut findings = Findings { job, items: 0, errors: 0, source_errors: 0, text: String::new() };
    findings.begin();
    let read = read_all(settings, records, games, mode, &mut findings);
    let summary = Summary::new("check").with("items", findings.items).with("errors", findings.errors);
    // The document is complete whatever has happened.
    findings.end(&summary, read.as_ref().err())?;
    read?;
    job.output.summary(&summary)?;
    Ok(Exit::failed_if(findings.errors > 0))
}

type Named = (String, File);

fn read_all(
    settings: &Check,
    records: Vec<Named>,
    games: Vec<Named>,
    mode: CastlingMode,
    findings: &mut Findings,
) -> Result<(), Failure> {
    for (index, text) in settings.fen.iter().enumerate() {
        if findings.interrupted() {
            break;
        }
        let found = match fen::parse(text, mode) {
            Ok(position) => {
                let openings = openings(&position, findings.job.signals.flag());
                position_found(&position, Vec::new(), openings)
            }
            Err(error) => Found::Error { error: error.to_string() },
        };
        findings.add("fen", "--fen", index + 1, found)?;
    }
    findings.end_of_source("--fen");
    for (source, file) in records {
        read_epd(&source, file, mode, findings)?;
        findings.end_of_source(&source);
    }
    for (source, file) in games {
        read_pgn(&source, file, findings)?;
        findings.end_of_source(&source);
    }
    Ok(())
}

/// The file and how it is called in messages.
fn open(path: &Path) -> Result<Named, Failure> {
    let source = path.display().to_string();
    if path.is_dir() {
        return Err(Failure::usage(format!("{source}: is a folder, not a file")));
    }
    match File::open(path) {
        Ok(file) => Ok((source, file)),
        Err(error) => Err(Failure::unreadable(&source, &error)),
    }
}

/// Line by line; a line end inside a record is the end of it.
fn read_epd(source: &str, file: File, mode: CastlingMode, findings: &mut Findings) -> Result<(), Failure> {
    let mut reader = BufReader::with_capacity(BUFFER, file);
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        let length = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        if length.map_err(|error| Failure::unreadable(source, &error))? == 0 || findings.interrupted() {
            break;
        }
        if bytes.len() as u64 == LONGEST_LINE {
            let error = format!("a line of more than {LONGEST_LINE} bytes; the rest of the file is not read");
            findings.add("epd", source, number, Found::Error { error })?;
            break;
        }
        // One line at most: `records` knows which lines are none.
        for (_, record) in epd::records(decode(&bytes).trim_end_matches(['\n', '\r']), mode) {
            let found = match record {
                Ok(record) => {
                    let operations =
                        record.operations.iter().map(|operation| operation_json(operation, &record.position));
                    position_found(&record.position, operations.collect(), None)
                }
                Err(error) => Found::Error { error: error.to_string() },
            };
            findings.add("epd", source, number, found)?;
        }
    }
    Ok(())
}

fn read_pgn(source: &str, file: File, findings: &mut Findings) -> Result<(), Failure> {
    for game in pgn::Reader::new(BufReader::with_capacity(BUFFER, file)) {
        if findings.interrupted() {
            break;
        }
        let (line, found) = match game {
            Ok(game) => (game.line, game_found(&game)),
            Err(PgnError { kind: PgnErrorKind::Io(error), .. }) => {
                return Err(Failure::unreadable(source, &error));
            }
            Err(error) => (error.line, Found::Error { error: error.kind.to_string() }),
        };
        findings.add("pgn", source, line, found)?;
    }
    Ok(())
}

/// Only for positions given one by one: the search may take the better part of a second.
fn openings(position: &Position, stop: &AtomicBool) -> Option<Openings> {
    if *position == Position::startpos() {
        return None;
    }
    let eco::Reaching { lines, complete, .. } = eco::table().reaching(position, ECO_PLIES, stop);
    let mut codes: Vec<_> = lines.iter().map(|line| line.code).collect();
    codes.dedup();
    let name = eco::table().at(position).map(|named| named.name);
    let says_something = !codes.is_empty() || !complete;
    says_something.then_some(Openings { name, eco: codes, within_plies: ECO_PLIES, complete })
}

fn position_found(position: &Position, operations: Vec<Value>, opening: Option<Openings>) -> Found {
    Found::Position {
        fen: fen::format(position),
        legal_moves: position.legal_moves().len(),
        check: position.is_check(),
        outcome: Line::new(*position).outcome(true).map(|outcome| outcome.reason()),
        operations,
        opening,
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
    // The reader has looked at each of them.
    for played in &game.moves {
        line.play_unchecked(played.mv);
    }
    Found::Game {
        plies: game.moves.len(),
        result: game.result.as_str(),
        final_fen: fen::format(line.position()),
        outcome: line.outcome(true).map(|outcome| outcome.reason()),
        opening: game_opening(game, line.moves()),
        warnings: game.warnings.iter().map(ToString::to_string).collect(),
    }
}

fn game_opening(game: &pgn::Game, moves: &[Move]) -> Option<Opening> {
    if game.is_chess960() {
        return None;
    }
    let found = eco::table().classify(&game.start, moves)?;
    Some(Opening {
        eco: found.by_position.code,
        name: found.by_position.name,
        plies: found.plies,
        eco_by_moves: found.by_moves.map(|named| named.code),
        name_by_moves: found.by_moves.map(|named| named.name),
    })
}

impl Opening {
    /// Code and name; the code by order of moves where it is another one.
    fn text(self) -> String {
        match self.eco_by_moves {
            Some(code) if code != self.eco => {
                format!("{} {} (by order of moves {code})", self.eco, self.name)
            }
            _ => format!("{} {}", self.eco, self.name),
        }
    }
}

impl Openings {
    fn text(&self) -> String {
        let name = self.name.map_or_else(String::new, |name| format!(" {name};"));
        let codes = if self.eco.is_empty() { "not found".to_owned() } else { self.eco.join(" ") };
        let more = if self.complete { "" } else { " (not all orders of moves were searched)" };
        format!(" | ECO{name} {codes}{more}")
    }
}

impl Item {
    /// `source:line: …`, warnings on lines of their own.
    fn text(&self) -> String {
        let place = format!("{}:{}:", self.source, self.line);
        match &self.found {
            Found::Position { fen, legal_moves, outcome, opening, .. } => {
                let opening = opening.as_ref().map_or_else(String::new, Openings::text);
                let end = outcome.map_or_else(String::new, |reason| format!(", {reason}"));
                format!("{place} {fen} | legal moves {legal_moves}{end}{opening}")
            }
            Found::Game { plies, result, final_fen, outcome, opening, warnings } => {
                let opening = opening.map_or_else(String::new, |opening| format!(" | {}", opening.text()));
                let end = outcome.map_or_else(String::new, |reason| format!(", {reason}"));
                let warnings: String =
                    warnings.iter().map(|text| format!("\n{}: warning: {text}", self.source)).collect();
                format!("{place} {plies} plies, {result}{end} | {final_fen}{opening}{warnings}")
            }
            Found::Error { error } => format!("{place} error: {}", one_line(error)),
        }
    }

    /// The cells of a CSV line.
    fn cells(&self) -> [String; COLUMNS.len()] {
        let none = String::new;
        let [fen, legal_moves, plies, result, outcome, eco, name, error, warnings] = match &self.found {
            Found::Position { fen, legal_moves, outcome, opening, .. } => {
                let eco = opening.as_ref().map_or_else(none, |opening| opening.eco.join(" "));
                let name = opening.as_ref().and_then(|opening| opening.name).unwrap_or_default().to_owned();
                [
                    fen.clone(),
                    legal_moves.to_string(),
                    none(),
                    none(),
                    text(outcome),
                    eco,
                    name,
                    none(),
                    none(),
                ]
            }
            Found::Game { plies, result, final_fen, outcome, opening, warnings } => {
                let [eco, name] =
                    opening.map_or(["", ""], |found| [found.eco, found.name]).map(str::to_owned);
                let result = (*result).to_owned();
                let warnings = warnings.iter().map(|text| one_line(text)).collect::<Vec<_>>().join("; ");
                let plies = plies.to_string();
                [final_fen.clone(), none(), plies, result, text(outcome), eco, name, none(), warnings]
            }
            Found::Error { error } => std::array::from_fn(|i| if i == 7 { one_line(error) } else { none() }),
        };
        let place = (self.kind.to_owned(), self.source.clone(), self.line.to_string());
        [place.0, place.1, place.2, fen, legal_moves, plies, result, outcome, eco, name, error, warnings]
    }
}

const COLUMNS: [&str; 12] = [
    "kind",
    "source",
    "line",
    "fen",
    "legal_moves",
    "plies",
    "result",
    "outcome",
    "eco",
    "opening",
    "error",
    "warnings",
];

fn csv_line(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
    cells.join(",") + "\n"
}

fn text(outcome: &Option<&'static str>) -> String {
    outcome.unwrap_or_default().to_owned()
}
