//! Portable Game Notation: games in, games out. Variations are skipped, comments and NAGs kept.
//! Source: page "Portable Game Notation" of the seed documents (the 1994 standard).
//!
//! [`Reader`] is a stream: it holds one game at a time, whatever the size of the file. [`write_game`] writes the
//! export form. Neither knows files, only `BufRead` and `Write`.

mod builder;
mod lexer;
mod reader;
mod tag;
mod writer;

pub use reader::{PgnError, PgnErrorKind, Reader};
pub use writer::{movetext, write_game};

use crate::rules::Position;
use crate::types::{Color, Move};
use std::fmt;

/// A game's result, as in the `Result` tag.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: unfinished or not known.
    #[default]
    Unknown,
}

impl GameResult {
    /// Reads one of the four PGN results.
    pub fn from_text(text: &str) -> Option<GameResult> {
        Some(match text {
            "1-0" => GameResult::WhiteWins,
            "0-1" => GameResult::BlackWins,
            "1/2-1/2" => GameResult::Draw,
            "*" => GameResult::Unknown,
            _ => return None,
        })
    }

    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }

    pub const fn winner(self) -> Option<Color> {
        match self {
            GameResult::WhiteWins => Some(Color::White),
            GameResult::BlackWins => Some(Color::Black),
            _ => None,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A move of a game with what is said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnMove {
    pub mv: Move,
    /// All comments behind the move, joined by blanks; empty if there is none.
    pub comment: String,
    /// Numeric annotation glyphs; `!` is 1, `?` 2, `!!` 3, `??` 4, `!?` 5, `?!` 6.
    pub nags: Vec<u8>,
}

impl PgnMove {
    /// A move without comment.
    pub fn new(mv: Move) -> PgnMove {
        PgnMove { mv, comment: String::new(), nags: Vec::new() }
    }
}

/// Something a reader forgave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// Line of the input, from 1.
    pub line: usize,
    pub text: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}

/// One game. Its moves are legal one after the other from `start`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Names and values (without escapes), in the order of the file; each name once.
    pub tags: Vec<(String, String)>,
    pub start: Position,
    /// Comment in front of the first move.
    pub comment: String,
    pub moves: Vec<PgnMove>,
    pub result: GameResult,
    /// What the reader forgave; not written.
    pub warnings: Vec<Warning>,
    /// Line of the input on which the game begins, from 1; 0 for a game not read from text.
    pub line: usize,
}

impl Game {
    /// A game without tags, moves or result.
    pub fn new(start: Position) -> Game {
        Game {
            tags: Vec::new(),
            start,
            comment: String::new(),
            moves: Vec::new(),
            result: GameResult::Unknown,
            warnings: Vec::new(),
            line: 0,
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag, in its old place if there is one.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => *old = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }

    /// True if the `Variant` tag says Chess960, in one of its many spellings.
    pub fn is_chess960(&self) -> bool {
        self.tag("Variant").is_some_and(|variant| tag::variant(variant) == tag::Variant::Chess960)
    }

    /// The position after the last move (after the last legal one, in a game built by hand).
    pub fn final_position(&self) -> Position {
        let mut position = self.start;
        for played in &self.moves {
            if position.play(played.mv).is_err() {
                break;
            }
        }
        position
    }
}
