//! Ending a game before the rules do: draw by agreement of the scores, resignation, a longest length.
//!
//! Knows scores and move numbers, not the board: what the rules of chess say is asked first, by the game loop, and
//! outranks everything here. Move numbers are the game's own (those of its start FEN), so the same book as EPD and as
//! PGN adjudicates alike. A missing score breaks every run of scores.

use crate::types::{Color, Score};
use serde::{Deserialize, Serialize};

/// Draw once `movecount` moves of each side in a row were within ±`score` cp, from move `movenumber` on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    pub movenumber: u32,
    pub movecount: u32,
    pub score: i32,
}

/// A side loses once its own last `movecount` scores were all at `-score` cp or worse. With `twosided` the other side's
/// last `movecount` scores must have been at `+score` or better as well.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    pub movecount: u32,
    pub score: i32,
    #[serde(default)]
    pub twosided: bool,
}

/// The rules in force; all none = games are played to their end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// Draw once this many full moves of the game's own numbering have been played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maxmoves: Option<u32>,
}

/// How a game was adjudicated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Adjudged {
    Resigned {
        loser: Color,
    },
    /// By tablebases: none wins a draw.
    Known {
        winner: Option<Color>,
    },
    Drawn,
    TooLong,
}

/// The state of the rules in one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    /// Plies in a row with a score near zero.
    quiet: u32,
    /// Each side's own scores in a row that say it is lost, and that say it is won.
    lost: [u32; 2],
    won: [u32; 2],
}

impl Adjudicator {
    pub fn new(rules: Adjudication) -> Adjudicator {
        Adjudicator { rules, quiet: 0, lost: [0; 2], won: [0; 2] }
    }

    /// Takes note of one ply: who moved, the mover's own view of it, and how many full moves are complete after it in the
    /// game's own numbering (the FEN's full-move number after the ply, less one).
    pub fn note(&mut self, mover: Color, score: Option<Score>, complete_moves: u32) -> Option<Adjudged> {
        let cp = score.map(Score::as_cp);
        let side = mover.index();
        if let Some(rule) = self.rules.resign {
            count(&mut self.lost[side], cp.is_some_and(|cp| cp <= -rule.score));
            count(&mut self.won[side], cp.is_some_and(|cp| cp >= rule.score));
            for loser in [mover, !mover] {
                let given_up = self.lost[loser.index()] >= rule.movecount;
                let agreed = !rule.twosided || self.won[(!loser).index()] >= rule.movecount;
                if given_up && agreed {
                    return Some(Adjudged::Resigned { loser });
                }
            }
        }
        if let Some(rule) = self.rules.draw {
            count(&mut self.quiet, cp.is_some_and(|cp| cp.abs() <= rule.score));
            if complete_moves >= rule.movenumber && self.quiet >= rule.movecount.saturating_mul(2) {
                return Some(Adjudged::Drawn);
            }
        }
        if self.rules.maxmoves.is_some_and(|most| complete_moves >= most) {
            return Some(Adjudged::TooLong);
        }
        None
    }
}

fn count(run: &mut u32, holds: bool) {
    *run = if holds { run.saturating_add(1) } else { 0 };
}
