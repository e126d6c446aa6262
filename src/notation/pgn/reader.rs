//! Reads games one after the other from any `BufRead`, with constant memory. A game with an error is reported with
//! its number, line and move, and reading goes on with the next one.

use super::builder::{Builder, MOST_PLIES};
use super::lexer::{Lexer, Token};
use super::{Game, GameResult};
use crate::notation::MoveError;
use crate::notation::fen::FenError;
use crate::types::Color;
use std::io::{self, BufRead};
use thiserror::Error;

/// Why a game could not be read.
#[derive(Debug, Error)]
#[error("game {game}, line {line}: {kind}")]
pub struct PgnError {
    /// Number of the game in the input, from 1.
    pub game: usize,
    /// Line of the input, from 1.
    pub line: usize,
    pub kind: PgnErrorKind,
}

/// What is wrong with a game.
#[derive(Debug, Error)]
pub enum PgnErrorKind {
    #[error("move {number}{}: {error}", if *.turn == Color::White { "." } else { "..." })]
    Move { number: u32, turn: Color, error: MoveError },
    #[error("FEN tag: {0}")]
    Fen(#[from] FenError),
    #[error("tag {0:?} is not readable, and the game depends on it")]
    Tag(String),
    #[error("{0:?} has no place in a game")]
    Unexpected(String),
    #[error("a comment is not closed")]
    UnclosedComment,
    #[error("a variation is not closed")]
    UnclosedVariation,
    #[error("more than {MOST_PLIES} half-moves")]
    TooLong,
    #[error("the text looks like UTF-16; PGN is ASCII, ISO 8859-1 or UTF-8")]
    Encoding,
    #[error("reading failed: {0}")]
    Io(#[from] io::Error),
}

/// A stream of games.
#[derive(Debug)]
pub struct Reader<R> {
    lexer: Lexer<R>,
    /// The token that ended the last game and begins the next.
    held: Option<(Token, usize)>,
    games: usize,
    /// The last game had an error in its middle; what is left of it must be skipped.
    skipping: bool,
    finished: bool,
}

impl<R: BufRead> Reader<R> {
    pub fn new(source: R) -> Reader<R> {
        Reader { lexer: Lexer::new(source), held: None, games: 0, skipping: false, finished: false }
    }

    fn next_token(&mut self) -> io::Result<(Token, usize)> {
        match self.held.take() {
            Some(held) => Ok(held),
            None => self.lexer.next(),
        }
    }

    /// Goes on to the tag or behind the result that ends the broken game.
    fn skip_game(&mut self) -> io::Result<()> {
        let mut depth = 0usize;
        loop {
            let (token, line) = self.next_token()?;
            match token {
                // What is wrong with the rest of a broken game is no news.
                Token::End | Token::UnclosedComment => {
                    self.held = Some((Token::End, line));
                    return Ok(());
                }
                Token::Tag(_) | Token::BadTag { name: Some(_), .. } => {
                    self.held = Some((token, line));
                    return Ok(());
                }
                Token::OpenVariation => depth += 1,
                Token::CloseVariation => depth = depth.saturating_sub(1),
                Token::Word(word) if depth == 0 && GameResult::from_text(&word).is_some() => return Ok(()),
                _ => {}
            }
        }
    }

    /// The next game; `None` at the end. An error carries the line and what is wrong.
    fn read_game(&mut self) -> Result<Option<Game>, (usize, PgnErrorKind)> {
        if self.skipping {
            self.skipping = false;
            self.skip_game().map_err(|error| (0, error.into()))?;
        }
        let mut builder = Builder::new();
        loop {
            let (token, line) = self.next_token().map_err(|error| (builder.last_line, error.into()))?;
            builder.last_line = line;
            if builder.game.line == 0 {
                builder.game.line = line;
            }
            match token {
                Token::End => {
                    self.finished = true;
                    return if builder.is_empty() { Ok(None) } else { builder.finish(None).map(Some) };
                }
                Token::UnclosedComment => {
                    self.finished = true;
                    return Err((line, PgnErrorKind::UnclosedComment));
                }
                Token::WrongEncoding => {
                    self.finished = true;
                    return Err((line, PgnErrorKind::Encoding));
                }
                Token::Tag(_) | Token::BadTag { name: Some(_), .. } if builder.has_body => {
                    self.held = Some((token, line));
                    return builder.finish(None).map(Some);
                }
                Token::Tag(ref tag) if builder.is_next_game(tag) => {
                    self.held = Some((token, line));
                    return builder.finish(None).map(Some);
                }
                token => match builder.take(token) {
                    Ok(None) => {}
                    Ok(Some(result)) => return builder.finish(Some(result)).map(Some),
                    Err(kind) => {
                        self.skipping = true;
                        return Err((line, kind));
                    }
                },
            }
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Game, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.finished {
            return None;
        }
        match self.read_game() {
            Ok(None) => None,
            Ok(Some(game)) => {
                self.games += 1;
                Some(Ok(game))
            }
            Err((line, kind)) => {
                self.games += 1;
                self.finished |= matches!(kind, PgnErrorKind::Io(_));
                Some(Err(PgnError { game: self.games, line, kind }))
            }
        }
    }
}
