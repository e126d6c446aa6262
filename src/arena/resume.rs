//! A match that was broken off, read back from its rows: which pairs are committed, checked against the plan, so that the
//! rest can be played as if nothing had happened. Knows rows and plan, no files.

use super::latency::{Histogram, book_latency};
use super::plan::MatchPlan;
use super::schedule::{Pairing, Schedule};
use super::tally::Conduct;
use crate::notation::{fen, uci_move};
use crate::record::{GameRow, Row};
use crate::suite::Opening;

/// The record is not one of this plan.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ResumeError {
    #[error("not a run of this plan: pair {pair}, game {game}: {what} is `{found}` there, `{expected}` here")]
    Other { pair: u64, game: u32, what: &'static str, found: String, expected: String },
    #[error("the rows are out of order at pair {pair}")]
    Order { pair: u64 },
}

/// The complete pairs at the beginning of a match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Prefix {
    /// Number of the first pair.
    pub first: u64,
    /// The first engine's half points in the two games of each.
    pub pairs: Vec<[u32; 2]>,
    pub conduct: [Conduct; 2],
    /// Measured less reported times.
    pub latency: [Histogram; 2],
    /// Games of the pair that is not complete yet.
    open: Vec<(u32, [Conduct; 2], [Histogram; 2])>,
}

impl Prefix {
    /// Of a match whose first pair has this number.
    pub fn starting_at(first: u64) -> Prefix {
        Prefix { first, ..Prefix::default() }
    }

    /// Number of the first pair that is not complete.
    pub fn next(&self) -> u64 {
        self.first + self.pairs.len() as u64
    }

    /// Takes the next row of the record; true behind a complete pair. What stands after the last of these is to be played
    /// again: half a pair, and games that were set aside.
    pub fn take(&mut self, plan: &MatchPlan, openings: &[Opening], row: &Row) -> Result<bool, ResumeError> {
        match row {
            Row::Game(game) if !game.set_aside => {
                self.game(plan, openings, game)?;
                Ok(false)
            }
            Row::Pair(pair) => {
                let number = self.next();
                let open = std::mem::take(&mut self.open);
                let ([(one, ..), (two, ..)], true) = (open.as_slice(), pair.pair == number) else {
                    return Err(ResumeError::Order { pair: pair.pair });
                };
                if one + two != pair.half_points {
                    return Err(ResumeError::Order { pair: pair.pair });
                }
                self.pairs.push([*one, *two]);
                for (_, conduct, latency) in open {
                    for (sum, one) in self.conduct.iter_mut().zip(conduct) {
                        sum.add(&one);
                    }
                    for (sum, one) in self.latency.iter_mut().zip(latency) {
                        sum.merge(&one);
                    }
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn game(&mut self, plan: &MatchPlan, openings: &[Opening], game: &GameRow) -> Result<(), ResumeError> {
        let (pair, number) = (self.next(), self.open.len() as u32);
        if (game.pair, game.game) != (pair, number) || number > 1 {
            return Err(ResumeError::Order { pair: game.pair });
        }
        let schedule: Schedule = plan.schedule(openings.len());
        let white = Pairing::white(number as usize);
        let differ = |what, found: &str, expected: &str| match found == expected {
            true => Ok(()),
            false => {
                let (found, expected) = (found.to_owned(), expected.to_owned());
                Err(ResumeError::Other { pair, game: number, what, found, expected })
            }
        };
        differ("White", &game.white, &plan.engines[white].name)?;
        differ("Black", &game.black, &plan.engines[1 - white].name)?;
        if let Some(opening) = openings.get(schedule.pair(pair).opening as usize) {
            differ("the opening", &game.opening, &opening.name)?;
            differ("the start position", &game.start_fen, &fen::format(&opening.start))?;
            let most = plan.plies.map_or(usize::MAX, |plies| plies as usize);
            for (mv, ply) in opening.moves.iter().take(most).zip(&game.plies) {
                differ("a move of the opening", &ply.uci, &uci_move::format(*mv, opening.chess960))?;
            }
        }
        let half_points = match (game.result.as_str(), white) {
            ("1/2-1/2", _) => 1,
            ("1-0", 0) | ("0-1", 1) => 2,
            ("1-0" | "0-1", _) => 0,
            _ => return Err(ResumeError::Order { pair }),
        };
        let [of_white, of_black] = Conduct::of(game);
        let conduct = if white == 0 { [of_white, of_black] } else { [of_black, of_white] };
        let mut latency = <[Histogram; 2]>::default();
        book_latency(game, white, &mut latency);
        self.open.push((half_points, conduct, latency));
        Ok(())
    }
}
