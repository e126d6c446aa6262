//! Extended Position Description: four FEN fields, then operations `opcode operand …;`.
//! Source: page "Extended Position Description" of the seed documents (section 16.2 of the PGN standard).
//!
//! Also read, because public files have them: full six-field FENs, perft counts (`;D1 20 ;D2 400`), a missing last
//! semicolon, stray ones, `\"` inside strings, moves in coordinates or lenient SAN. Unknown opcodes are kept.

use super::fen::{self, CastlingMode, FenError};
use super::text::{excerpt, trimmed};
use super::{MoveError, san};
use crate::rules::{Position, PositionError};
use crate::types::Move;
use thiserror::Error;

/// One operand of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A legal move: of the position (`bm`, `am`, `pm`, `sm`), or of the line so far (`pv`).
    Move(Move),
    /// A quoted string, without its quotes.
    Text(String),
    /// Anything else, as it stands.
    Word(String),
}

impl Operand {
    /// The text of a string or a word.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Operand::Move(_) => None,
            Operand::Text(text) | Operand::Word(text) => Some(text),
        }
    }
}

/// A position and what is said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// With the counters of `hmvc` and `fmvn`, or of a six-field FEN.
    pub position: Position,
    /// Opcodes and operands in the order of the record, `hmvc` and `fmvn` included.
    pub operations: Vec<(String, Vec<Operand>)>,
}

/// Why an EPD record could not be read; the message names the field.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EpdError {
    #[error("EPD: {0} fields where 4 are needed before the operations")]
    FieldCount(usize),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error(
        "EPD opcode: {0:?} does not begin with a letter or holds other characters than letters, digits and _"
    )]
    Opcode(String),
    #[error("EPD {opcode}: the quote is not closed")]
    Quote { opcode: String },
    #[error("EPD {opcode}: an operand is missing")]
    MissingOperand { opcode: String },
    #[error("EPD {opcode}: {text:?} is not a number in range")]
    Number { opcode: String, text: String },
    #[error("EPD {opcode}: {error}")]
    Move { opcode: String, error: MoveError },
}

/// Reads one record.
pub fn parse_line(text: &str, mode: CastlingMode) -> Result<Epd, EpdError> {
    let mut cursor = Cursor { rest: trimmed(text) };
    let mut fields = [""; 4];
    for (index, field) in fields.iter_mut().enumerate() {
        *field = cursor.word();
        if field.is_empty() {
            return Err(EpdError::FieldCount(index));
        }
    }
    let mut setup = fen::parse_epd_fields(fields, mode)?;
    // No opcode begins with a digit, so a number here is the half-move clock of a six-field FEN.
    if cursor.at_number() {
        setup.halfmove = fen::parse_halfmove(cursor.word())?;
        setup.fullmove = fen::parse_fullmove(cursor.word())?;
    }
    let raw = cursor.operations()?;
    for (opcode, operands) in &raw {
        match opcode.as_str() {
            "hmvc" => setup.halfmove = number(opcode, operands)?,
            "fmvn" => setup.fullmove = number(opcode, operands)?.max(1),
            "dm" => drop(number(opcode, operands)?),
            _ => {}
        }
    }
    let position = Position::from_setup(&setup).map_err(|error: PositionError| FenError::Position(error))?;
    let operations = raw
        .into_iter()
        .map(|(opcode, operands)| {
            let operands = with_moves(&opcode, operands, &position)?;
            Ok((opcode, operands))
        })
        .collect::<Result<_, EpdError>>()?;
    Ok(Epd { position, operations })
}

/// The records of a whole file with their line numbers (from 1); blank lines and `#` comment lines are skipped.
pub fn records(text: &str, mode: CastlingMode) -> impl Iterator<Item = (usize, Result<Epd, EpdError>)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, trimmed(line)))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(move |(number, line)| (number, parse_line(line, mode)))
}

fn number(opcode: &str, operands: &[Operand]) -> Result<u32, EpdError> {
    let text = match operands {
        [] => return Err(EpdError::MissingOperand { opcode: opcode.to_owned() }),
        [operand] => operand.as_str().unwrap_or(""),
        [_, second, ..] => second.as_str().unwrap_or(""),
    };
    match text.parse() {
        Ok(number) if operands.len() == 1 && !text.starts_with('+') => Ok(number),
        _ => Err(EpdError::Number { opcode: opcode.to_owned(), text: excerpt(text) }),
    }
}

/// Reads the operands of the move opcodes as moves; other operations stay as they are.
fn with_moves(opcode: &str, operands: Vec<Operand>, position: &Position) -> Result<Vec<Operand>, EpdError> {
    let is_line = opcode == "pv";
    if !is_line && !matches!(opcode, "bm" | "am" | "pm" | "sm") {
        return Ok(operands);
    }
    let mut current = *position;
    let mut moves = Vec::with_capacity(operands.len());
    for operand in &operands {
        let word = without_move_number(operand.as_str().unwrap_or("").trim_end_matches(','));
        // A move number alone, or a check sign that stands apart (`Qd1 +`), belongs to its neighbour.
        if word.is_empty() || (!moves.is_empty() && word.chars().all(|c| "+#!?".contains(c))) {
            continue;
        }
        let mv = san::parse(word, &current)
            .map_err(|error| EpdError::Move { opcode: opcode.to_owned(), error })?;
        if is_line {
            current.play_unchecked(mv);
        }
        let operand = Operand::Move(mv);
        if is_line || !moves.contains(&operand) {
            moves.push(operand);
        }
    }
    // An empty `pv` is harmless; an empty set of moves would be a position that nobody can solve.
    if moves.is_empty() && !is_line {
        return Err(EpdError::MissingOperand { opcode: opcode.to_owned() });
    }
    Ok(moves)
}

/// `12.Nf3` → `Nf3`, `12...` → empty.
fn without_move_number(word: &str) -> &str {
    let after_digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if after_digits.starts_with('.') { after_digits.trim_start_matches('.') } else { word }
}

/// What is left of a record.
struct Cursor<'a> {
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches(|c: char| c.is_ascii_whitespace());
    }

    /// Everything up to the next blank or semicolon; empty at the end and before a semicolon.
    fn word(&mut self) -> &'a str {
        self.skip_blanks();
        let end = self.rest.find(|c: char| c.is_ascii_whitespace() || c == ';').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn at_number(&mut self) -> bool {
        self.skip_blanks();
        self.rest.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+')
    }

    /// All operations to the end of the record; empty ones (stray semicolons) are skipped.
    fn operations(&mut self) -> Result<Vec<(String, Vec<Operand>)>, EpdError> {
        let mut operations = Vec::new();
        loop {
            self.rest = self.rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ';');
            if self.rest.is_empty() {
                return Ok(operations);
            }
            let opcode = self.word();
            let is_name = opcode.starts_with(|c: char| c.is_ascii_alphabetic())
                && opcode.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if !is_name {
                return Err(EpdError::Opcode(excerpt(opcode)));
            }
            operations.push((opcode.to_owned(), self.operands(opcode)?));
        }
    }

    /// The operands up to the semicolon; those inside quotes do not count.
    fn operands(&mut self, opcode: &str) -> Result<Vec<Operand>, EpdError> {
        let mut operands = Vec::new();
        loop {
            self.skip_blanks();
            match self.rest.chars().next() {
                None => return Ok(operands),
                Some(';') => {
                    self.rest = &self.rest[1..];
                    return Ok(operands);
                }
                Some('"') => {
                    let unclosed = || EpdError::Quote { opcode: excerpt(opcode) };
                    operands.push(Operand::Text(self.quoted().ok_or_else(unclosed)?));
                }
                Some(_) => operands.push(Operand::Word(self.word().to_owned())),
            }
        }
    }

    /// The string between quotes; `\"` and `\\` stand for the second character.
    fn quoted(&mut self) -> Option<String> {
        let mut text = String::new();
        let mut chars = self.rest.char_indices().skip(1).peekable();
        while let Some((index, letter)) = chars.next() {
            match (letter, chars.peek()) {
                ('"', _) => {
                    self.rest = &self.rest[index + 1..];
                    return Some(text);
                }
                ('\\', Some(&(_, escaped @ ('"' | '\\')))) => {
                    text.push(escaped);
                    chars.next();
                }
                _ => text.push(letter),
            }
        }
        None
    }
}

impl Epd {
    /// A position without operations.
    pub fn new(position: Position) -> Epd {
        Epd { position, operations: Vec::new() }
    }

    /// The operands of the first operation with this opcode.
    pub fn operands(&self, opcode: &str) -> Option<&[Operand]> {
        self.operations.iter().find(|(name, _)| name == opcode).map(|(_, operands)| operands.as_slice())
    }

    /// All moves of all operations with this opcode.
    pub fn moves(&self, opcode: &str) -> Vec<Move> {
        let operands = self.operations.iter().filter(|(name, _)| name == opcode).flat_map(|(_, list)| list);
        operands
            .filter_map(|operand| match operand {
                Operand::Move(mv) => Some(*mv),
                _ => None,
            })
            .collect()
    }

    /// `bm`: any of these solves the position.
    pub fn best_moves(&self) -> Vec<Move> {
        self.moves("bm")
    }

    /// `am`: none of these may be played.
    pub fn avoid_moves(&self) -> Vec<Move> {
        self.moves("am")
    }

    /// `pv`: a line, played one after the other.
    pub fn variation(&self) -> Vec<Move> {
        self.moves("pv")
    }

    /// The strings and words of an operation, joined by blanks.
    pub fn text(&self, opcode: &str) -> Option<String> {
        let words: Vec<&str> = self.operands(opcode)?.iter().filter_map(Operand::as_str).collect();
        Some(words.join(" "))
    }

    /// The only operand of an operation as a number; `None` if it is missing or not a number.
    pub fn number(&self, opcode: &str) -> Option<i64> {
        match self.operands(opcode)? {
            [operand] => operand.as_str()?.parse().ok(),
            _ => None,
        }
    }

    /// `id`, with or without quotes.
    pub fn id(&self) -> Option<String> {
        self.text("id")
    }

    /// `dm`: moves to mate.
    pub fn direct_mate(&self) -> Option<u32> {
        self.number("dm").and_then(|moves| u32::try_from(moves).ok())
    }

    /// Points for each move out of a comment such as `c0 "f5=10, Be5+=2"` (Strategic Test Suite). `None` if the
    /// operation is missing or is a free comment.
    pub fn move_scores(&self, opcode: &str) -> Option<Vec<(Move, u32)>> {
        let text = self.text(opcode)?;
        text.split(',')
            .map(|item| {
                // The last `=`: promotions have one of their own.
                let (mv, points) = item.trim().rsplit_once('=')?;
                Some((san::parse(mv, &self.position).ok()?, points.trim().parse().ok()?))
            })
            .collect()
    }
}

/// Writes a record with moves in SAN. Counters other than 0 1 become `hmvc` and `fmvn`.
pub fn format(epd: &Epd) -> String {
    let mut text = fen::format_epd_fields(&epd.position);
    let counters = [("hmvc", epd.position.halfmove_clock(), 0), ("fmvn", epd.position.fullmove_number(), 1)];
    for (opcode, value, usual) in counters {
        if value != usual && epd.operands(opcode).is_none() {
            text.push_str(&format!(" {opcode} {value};"));
        }
    }
    for (opcode, operands) in &epd.operations {
        text.push(' ');
        text.push_str(opcode);
        let mut current = epd.position;
        for operand in operands {
            text.push(' ');
            match operand {
                Operand::Move(mv) => {
                    text.push_str(&san::format(*mv, &current));
                    // An illegal line is possible only in a record built by hand; it is then written as it can be.
                    if opcode == "pv" && current.is_legal(*mv) {
                        current.play_unchecked(*mv);
                    }
                }
                Operand::Text(string) => push_quoted(&mut text, string),
                Operand::Word(word) => text.push_str(word),
            }
        }
        text.push(';');
    }
    text
}

/// A record is one line, so control characters become blanks.
fn push_quoted(text: &mut String, string: &str) {
    text.push('"');
    for letter in string.chars() {
        match letter {
            '"' | '\\' => text.extend(['\\', letter]),
            _ if letter.is_control() => text.push(' '),
            _ => text.push(letter),
        }
    }
    text.push('"');
}
