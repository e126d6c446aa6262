//! How games end: one list of endings, the words for each, and what it is worth.
//!
//! The words of `reason` are for people, those of `termination` are PGN's. `*` is worth nothing and never counted.

use super::adjudicate::Adjudged;
use super::tally::Conduct;
use crate::record::GameRow;
use crate::rules::Outcome;
use crate::types::Color;
use std::borrow::Cow;

/// How a game ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Ending {
    /// By the rules of chess.
    Rules(Outcome),
    Adjudged(Adjudged),
    /// The engine itself gave up.
    Resigned {
        loser: Color,
    },
    /// The flag fell; a draw if the other side has nothing but its king.
    Time {
        loser: Color,
        bare_king: bool,
    },
    /// No answer by the deadline although no clock runs.
    Hung {
        loser: Color,
    },
    /// The process died.
    Disconnected {
        loser: Color,
        detail: String,
    },
    /// A move against the rules, or unreadable, as written.
    Illegal {
        loser: Color,
        written: String,
    },
    /// It calls a legal move or position illegal, in these words.
    Refused {
        loser: Color,
        said: String,
    },
    /// No move at all in a position that has some.
    NoMove {
        loser: Color,
    },
    /// Broken off from outside.
    Unfinished,
}

impl Ending {
    /// The winner of a decided game.
    pub fn winner(&self) -> Option<Color> {
        match *self {
            Ending::Rules(outcome) => outcome.winner(),
            Ending::Adjudged(Adjudged::Resigned { loser })
            | Ending::Time { loser, bare_king: false }
            | Ending::Hung { loser }
            | Ending::Disconnected { loser, .. }
            | Ending::Resigned { loser }
            | Ending::Illegal { loser, .. }
            | Ending::Refused { loser, .. }
            | Ending::NoMove { loser } => Some(!loser),
            Ending::Adjudged(Adjudged::Known { winner }) => winner,
            Ending::Adjudged(_) | Ending::Time { .. } | Ending::Unfinished => None,
        }
    }

    /// Half points of a side: 2, 1, 0; none for an unfinished game.
    pub fn half_points(&self, color: Color) -> Option<u32> {
        match self.winner() {
            Some(winner) => Some(if winner == color { 2 } else { 0 }),
            None if *self == Ending::Unfinished => None,
            None => Some(1),
        }
    }

    /// PGN's Result.
    pub fn result(&self) -> &'static str {
        match self.half_points(Color::White) {
            Some(2) => "1-0",
            Some(1) => "1/2-1/2",
            Some(_) => "0-1",
            None => "*",
        }
    }

    /// PGN's Termination.
    pub fn termination(&self) -> &'static str {
        match self {
            Ending::Rules(_) | Ending::Resigned { .. } => "normal",
            Ending::Adjudged(_) => "adjudication",
            Ending::Time { .. } => "time forfeit",
            Ending::Hung { .. } | Ending::Disconnected { .. } => "abandoned",
            Ending::Illegal { .. } | Ending::Refused { .. } | Ending::NoMove { .. } => "rules infraction",
            Ending::Unfinished => "unterminated",
        }
    }

    /// For people.
    pub fn reason(&self) -> Cow<'static, str> {
        let text = match self {
            Ending::Rules(outcome) => return outcome.reason().into(),
            Ending::Adjudged(Adjudged::Resigned { loser }) => {
                format!("{} wins by adjudication", (!*loser).name())
            }
            Ending::Adjudged(Adjudged::Known { winner: Some(winner) }) => {
                format!("{} wins by adjudication: tablebases", winner.name())
            }
            Ending::Adjudged(Adjudged::Known { winner: None }) => {
                return "draw by adjudication: tablebases".into();
            }
            Ending::Adjudged(Adjudged::Drawn) => return "draw by adjudication".into(),
            Ending::Adjudged(Adjudged::TooLong) => return "draw by adjudication: longest game length".into(),
            Ending::Resigned { loser } => format!("{} resigns", loser.name()),
            Ending::Refused { loser, said } => format!("{} refuses a legal move: {said}", loser.name()),
            Ending::Time { bare_king: true, .. } => return "draw: timeout v. bare king".into(),
            Ending::Time { loser, .. } => format!("{} loses on time", loser.name()),
            Ending::Hung { loser } => format!("{} hangs: no answer in time", loser.name()),
            Ending::Disconnected { loser, detail } if detail.is_empty() => {
                format!("{} disconnects", loser.name())
            }
            Ending::Disconnected { loser, detail } => format!("{} disconnects: {detail}", loser.name()),
            Ending::Illegal { loser, written } => {
                format!("{} makes an illegal move: {written}", loser.name())
            }
            Ending::NoMove { loser } => format!("{} gives no move", loser.name()),
            Ending::Unfinished => return "unfinished".into(),
        };
        text.into()
    }
}

/// A game that was played, with what the ledger needs to know of it.
#[derive(Clone, Debug)]
pub struct Played {
    pub row: GameRow,
    pub ending: Ending,
    /// Which colour the first engine had.
    pub first: Color,
    /// By colour: searches, and those that did not keep to their limit.
    pub searches: [u64; 2],
    pub disobeyed: [u64; 2],
}

impl Played {
    /// The first engine's half points.
    pub fn first_half_points(&self) -> Option<u32> {
        self.ending.half_points(self.first)
    }

    /// False for games broken off from outside.
    pub fn is_finished(&self) -> bool {
        self.ending != Ending::Unfinished
    }

    /// Adds what happened to the engines' conduct (first, second).
    pub fn book(&self, conduct: &mut [Conduct; 2]) {
        let engine = |color: Color| usize::from(color != self.first);
        for color in Color::ALL {
            let entry = &mut conduct[engine(color)];
            entry.searches += self.searches[color.index()];
            entry.disobeyed += self.disobeyed[color.index()];
        }
        match self.ending {
            Ending::Time { loser, .. } | Ending::Hung { loser } => conduct[engine(loser)].time_losses += 1,
            Ending::Disconnected { loser, .. } => conduct[engine(loser)].disconnects += 1,
            Ending::Illegal { loser, .. } | Ending::Refused { loser, .. } | Ending::NoMove { loser } => {
                conduct[engine(loser)].illegal_moves += 1
            }
            Ending::Rules(_) | Ending::Adjudged(_) | Ending::Resigned { .. } | Ending::Unfinished => {}
        }
    }
}
