//! Results of games out of PGN: who played whom, what came of it, and which two games share an opening.
//!
//! A stream: what is kept goes by players and by pairs of players. Games that cannot be read, or that name no two players, are told
//! of and left out; so are unfinished ones. Must not know how ratings are made of the results.

mod pairing;

use crate::notation::fen;
use crate::notation::pgn::{self, Game, GameResult, PgnError, PgnErrorKind};
use crate::rules::Position;
use crate::stats::rating::Results;
use pairing::{Met, Pairing};
use std::collections::HashMap;
use std::io::{self, BufRead};
use std::sync::atomic::{AtomicBool, Ordering};

/// Why a game is not counted, and where it stands.
#[derive(Debug, thiserror::Error)]
#[error("{line}: {kind}")]
pub struct Fault {
    /// Line of the input, from 1.
    pub line: usize,
    pub kind: FaultKind,
}

/// What is wrong with a game.
#[derive(Debug, thiserror::Error)]
pub enum FaultKind {
    #[error("{0}")]
    Pgn(PgnErrorKind),
    #[error("tag {0} is missing: nobody to rate")]
    Nobody(&'static str),
    #[error("{0:?} plays against itself")]
    Itself(String),
}

/// Games so far.
#[derive(Debug, Default)]
pub struct Tournament {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    results: Results,
    pairing: Pairing,
    /// Games without a result (`*`); they count for nothing.
    pub unfinished: u64,
}

impl Tournament {
    /// Reads games to the end of the input, or until `stop` is set. Pairs do not reach from one input into the next.
    ///
    /// # Errors
    /// Only if reading itself fails: a game that is wrong goes to `fault`.
    pub fn read(
        &mut self,
        source: impl BufRead,
        stop: &AtomicBool,
        fault: &mut dyn FnMut(Fault),
    ) -> io::Result<()> {
        let mut read = Ok(());
        for game in pgn::Reader::new(source) {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            match game {
                Ok(game) => {
                    let line = game.line;
                    if let Err(kind) = self.add(&game) {
                        fault(Fault { line, kind });
                    }
                }
                Err(PgnError { kind: PgnErrorKind::Io(error), .. }) => {
                    read = Err(error);
                    break;
                }
                Err(PgnError { line, kind, .. }) => fault(Fault { line, kind: FaultKind::Pgn(kind) }),
            }
        }
        self.pairing.finish(&mut self.results);
        read
    }

    /// By number of player.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub fn results(&self) -> &Results {
        &self.results
    }

    pub fn number(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    fn add(&mut self, game: &Game) -> Result<(), FaultKind> {
        let (white, black) = (player(game, "White")?, player(game, "Black")?);
        if white == black {
            return Err(FaultKind::Itself(white.to_owned()));
        }
        let half_points = match game.result {
            GameResult::WhiteWins => 2,
            GameResult::Draw => 1,
            GameResult::BlackWins => 0,
            GameResult::Unknown => {
                self.unfinished += 1;
                return Ok(());
            }
        };
        let met = Met {
            white: self.player(white),
            black: self.player(black),
            half_points,
            round: game.tag("Round").and_then(round),
            start: (game.start != Position::startpos()).then(|| fen::format(&game.start)),
        };
        self.pairing.take(met, &mut self.results);
        Ok(())
    }

    fn player(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.results.add_player();
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

fn player<'a>(game: &'a Game, tag: &'static str) -> Result<&'a str, FaultKind> {
    let name = game.tag(tag).map(str::trim).filter(|name| !name.is_empty() && *name != "?");
    name.ok_or(FaultKind::Nobody(tag))
}

/// The round without the number of the game in it: `12` of `12.2`. None if it is not known.
fn round(tag: &str) -> Option<&str> {
    let round = tag.trim().split('.').next().unwrap_or_default();
    (!matches!(round, "" | "?" | "-")).then_some(round)
}
