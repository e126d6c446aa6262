//! Opening books as lists: EPD or FEN lines, the games of a PGN, the lines of a Polyglot book. Their order is the arena's business.

use super::polyglot::{MOST_LINES, MOST_PLIES, Take, polyglot_openings};
use super::{SuiteError, data_lines, detect_mode, file_name, open, read};
use crate::notation::fen::CastlingMode;
use crate::notation::{epd, pgn};
use crate::rules::Position;
use crate::types::Move;

/// One opening: the moves are played from `start`.
#[derive(Clone, Debug)]
pub struct Opening {
    /// `id` of the line or name of the game's opening, else `file.epd #N`.
    pub name: String,
    /// Place in the file, from 1.
    pub number: usize,
    pub start: Position,
    pub moves: Vec<Move>,
    pub chess960: bool,
}

/// The openings of a file, and what had to be cut or left out.
#[derive(Clone, Debug, Default)]
pub struct Book {
    pub openings: Vec<Opening>,
    pub warnings: Vec<String>,
}

/// How a book is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpeningFormat {
    /// One EPD or FEN a line.
    Epd,
    Pgn,
    /// A binary book; its lines are found by walking.
    Polyglot,
}

impl OpeningFormat {
    /// `epd` (also `fen`), `pgn` or `polyglot` (also `bin`).
    #[must_use]
    pub fn from_id(id: &str) -> Option<OpeningFormat> {
        match id.to_ascii_lowercase().as_str() {
            "epd" | "fen" => Some(OpeningFormat::Epd),
            "pgn" => Some(OpeningFormat::Pgn),
            "polyglot" | "bin" => Some(OpeningFormat::Polyglot),
            _ => None,
        }
    }

    /// By the extension of the file name.
    #[must_use]
    pub fn from_path(path: &str) -> Option<OpeningFormat> {
        OpeningFormat::from_id(file_name(path).rsplit_once('.')?.1)
    }
}

/// Opens and reads a book. `format`: `None` = by the extension. `mode`: `None` = found out from the file.
///
/// # Errors
/// If the file cannot be read, its format is not known, a line is wrong, or nothing usable is in it. A game with an
/// illegal move is left out, with a warning that has its number.
pub fn openings(
    name: &str,
    format: Option<OpeningFormat>,
    mode: Option<CastlingMode>,
) -> Result<Book, SuiteError> {
    let format = format.or_else(|| OpeningFormat::from_path(name)).ok_or_else(|| {
        SuiteError::file(name, "not a known kind of book: give format=epd, pgn or polyglot")
    })?;
    let book = match format {
        OpeningFormat::Epd => from_epd(name, &open(name)?, mode)?,
        OpeningFormat::Pgn => from_pgn(name, &read(name)?),
        OpeningFormat::Polyglot => polyglot_openings(name, Take::All, MOST_PLIES, MOST_LINES)?,
    };
    if book.openings.is_empty() {
        let reason = book.warnings.first().map_or_else(String::new, |warning| format!("; {warning}"));
        return Err(SuiteError::file(name, format!("no openings in it{reason}")));
    }
    Ok(book)
}

fn from_epd(file: &str, text: &str, mode: Option<CastlingMode>) -> Result<Book, SuiteError> {
    let mode = detect_mode(text, mode);
    let mut book = Book::default();
    for (line, content) in data_lines(text) {
        let epd = epd::parse_line(content, mode).map_err(|error| SuiteError::line(file, line, error))?;
        let number = book.openings.len() + 1;
        if !epd.position.has_legal_move() {
            book.warnings.push(format!("{file}:{line}: the game is over in this position: left out"));
            continue;
        }
        book.openings.push(Opening {
            name: epd.id().unwrap_or_else(|| unnamed(file, number)),
            number,
            moves: Vec::new(),
            chess960: mode == CastlingMode::Chess960,
            start: epd.position,
        });
    }
    Ok(book)
}

pub(super) fn unnamed(file: &str, number: usize) -> String {
    format!("{} #{number}", file_name(file))
}

fn from_pgn(file: &str, bytes: &[u8]) -> Book {
    let mut book = Book::default();
    for (index, game) in pgn::Reader::new(bytes).enumerate() {
        let number = index + 1;
        let game = match game {
            Ok(game) => game,
            // Its later moves were written for another position: none of it is used.
            Err(error) => {
                book.warnings.push(format!("{file}: {error}: left out"));
                continue;
            }
        };
        book.warnings.extend(game.warnings.iter().map(|warning| format!("{file}: {warning}")));
        if !game.final_position().has_legal_move() {
            book.warnings.push(format!("{file}: game {number}: the game is over after its moves: left out"));
            continue;
        }
        let known = |name| game.tag(name).filter(|value| !value.is_empty() && *value != "?");
        let name = match (known("ECO"), known("Opening")) {
            (Some(eco), Some(opening)) => format!("{eco} {opening}"),
            (None, Some(opening)) => opening.to_owned(),
            _ => unnamed(file, number),
        };
        book.openings.push(Opening {
            name,
            number,
            chess960: game.is_chess960(),
            start: game.start,
            moves: game.moves.iter().map(|played| played.mv).collect(),
        });
    }
    book
}
