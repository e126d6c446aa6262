//! How far a tournament has come: what is drawn, what is played, who scored what. The same steps are gone through by a
//! tournament that is being played and by one that is read back from its rows.

use super::draw::draw;
use super::field::{Encounter, Met, Played};
use super::plan::{Format, TournamentPlan};
use crate::arena::plan::MatchPlan;
use crate::arena::tally::Conduct;
use crate::stats::rating::Results;
use std::collections::VecDeque;

/// An encounter that is drawn: a match of two whose first pair of games has this number.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pub encounter: Encounter,
    pub plan: MatchPlan,
    pub first_pair: u64,
}

/// The encounter that a pair belongs to; `drawn` as [`Course::drawn`] has it.
pub(super) fn of_pair(drawn: &[Drawn], pair: u64) -> Option<&Drawn> {
    let behind = drawn.partition_point(|drawn| drawn.first_pair <= pair);
    behind.checked_sub(1).map(|at| &drawn[at])
}

#[derive(Debug)]
pub(super) struct Course<'a> {
    pub plan: &'a TournamentPlan,
    pub played: Played,
    /// What is drawn and not over yet; the first is the one being committed.
    drawn: VecDeque<Drawn>,
    /// The number behind the last pair that is drawn.
    end: u64,
    /// Half points in the first of `drawn`.
    score: [u64; 2],
    pub results: Results,
    /// By engine.
    pub conduct: Vec<Conduct>,
}

impl<'a> Course<'a> {
    /// Before the first game.
    pub(super) fn new(plan: &'a TournamentPlan) -> Course<'a> {
        let engines = plan.engines.len();
        Course {
            plan,
            played: Played::default(),
            drawn: VecDeque::new(),
            end: 0,
            score: [0; 2],
            results: Results::new(engines),
            conduct: vec![Conduct::default(); engines],
        }
    }

    /// Draws what can be played next if everything that was drawn is over. False at the end.
    pub(super) fn draw(&mut self) -> bool {
        if !self.drawn.is_empty() {
            return true;
        }
        let field = self.plan.field();
        let next = draw(self.plan.format, &field, &self.played);
        for encounter in next.encounters {
            let plan = self.plan.encounter(&encounter);
            self.drawn.push_back(Drawn { encounter, plan, first_pair: self.end });
            self.end += encounter.pairs;
        }
        for bye in next.byes {
            // A bye in a knockout is worth the next round, not points.
            if self.plan.format == Format::Swiss {
                self.results.award(bye.engine, field.full_score());
            }
            self.played.byes.push(bye);
        }
        !self.drawn.is_empty()
    }

    /// The encounter whose pairs are committed now.
    pub(super) fn current(&self) -> Option<&Drawn> {
        self.drawn.front()
    }

    /// All that are drawn and not over.
    pub(super) fn drawn(&self) -> Vec<Drawn> {
        self.drawn.iter().cloned().collect()
    }

    /// The number behind the last pair that is drawn.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Books a committed pair of the current encounter: the first engine's half points in both games.
    pub(super) fn book(&mut self, half_points: [u32; 2]) {
        let Some(drawn) = self.drawn.front() else { return };
        let [one, two] = drawn.encounter.engines;
        let [as_white, as_black] = half_points;
        self.results.add_pair(one, two, [as_white, 2 - as_black.min(2)]);
        let points = u64::from(as_white + as_black);
        self.score = [self.score[0] + points, self.score[1] + 4 - points.min(4)];
    }

    /// The current encounter is over, or broken off: how its engines behaved.
    pub(super) fn book_conduct(&mut self, conduct: &[Conduct; 2]) {
        let Some(drawn) = self.drawn.front() else { return };
        for (engine, conduct) in drawn.encounter.engines.into_iter().zip(conduct) {
            self.conduct[engine].add(conduct);
        }
    }

    /// The current encounter is over.
    pub(super) fn close(&mut self) {
        if let Some(Drawn { encounter, .. }) = self.drawn.pop_front() {
            let half_points = std::mem::take(&mut self.score);
            self.played.met.push(Met { encounter, half_points });
        }
    }
}
