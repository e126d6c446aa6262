//! A tournament that was broken off, read back from its rows: every encounter is drawn again and must be the one that stands
//! there.

use super::course::{Course, Drawn};
use super::plan::TournamentPlan;
use crate::arena::resume::{self, ResumeError};
use crate::record::{MatchRow, Row};
use crate::suite::Opening;

/// The committed beginning of a tournament.
#[derive(Debug)]
pub struct Prefix<'a> {
    pub(super) course: Course<'a>,
    /// Of the encounter that is not over.
    pub(super) open: resume::Prefix,
}

impl<'a> Prefix<'a> {
    /// Nothing is played yet. The plan must be one that passes its check.
    pub fn new(plan: &'a TournamentPlan) -> Prefix<'a> {
        Prefix { course: Course::new(plan), open: resume::Prefix::default() }
    }

    /// Takes the next row of the record; true behind a complete pair and behind an encounter. What stands after the last of
    /// these is to be played again.
    pub fn take(&mut self, openings: &[Opening], row: &Row) -> Result<bool, ResumeError> {
        let counted = match row {
            Row::Game(game) => !game.set_aside,
            Row::Pair(_) | Row::Match(_) => true,
            _ => false,
        };
        if !counted {
            return Ok(false);
        }
        let out_of_order = ResumeError::Order { pair: self.open.next() };
        if !self.course.draw() {
            return Err(out_of_order);
        }
        let Some(drawn) = self.course.current() else { return Err(out_of_order) };
        if let Row::Match(row) = row {
            if self.open.pairs.len() as u64 != drawn.plan.pairs {
                return Err(out_of_order);
            }
            is_of(drawn, row)?;
            self.course.book_conduct(&self.open.conduct);
            self.course.close();
            let next = self.open.next();
            self.open = resume::Prefix::starting_at(next);
            return Ok(true);
        }
        let committed = self.open.take(&drawn.plan, openings, row)?;
        if let (true, Some(half_points)) = (committed, self.open.pairs.last()) {
            self.course.book(*half_points);
        }
        Ok(committed)
    }
}

fn is_of(drawn: &Drawn, row: &MatchRow) -> Result<(), ResumeError> {
    let [first, second] = &drawn.plan.engines;
    let expected = format!("{}: {} v {}", drawn.plan.name, first.name, second.name);
    let found = format!("{}: {} v {}", row.name, row.first, row.second);
    match found == expected {
        true => Ok(()),
        false => {
            let pair = drawn.first_pair + drawn.plan.pairs - 1;
            Err(ResumeError::Other { pair, game: 1, what: "the encounter", found, expected })
        }
    }
}
