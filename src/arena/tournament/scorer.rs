//! Takes played pairs in any order and hands them, in index order, to the ledger of the encounter they belong to. When an
//! encounter is over its outcome is written, and the next one begins.

use super::course::{Course, of_pair};
use crate::arena::ledger::{Ledger, PlayedPair};
use crate::arena::observer::Observer;
use crate::arena::outcome::MatchOutcome;
use crate::arena::pool::Taken;
use crate::arena::resume;
use crate::arena::stopping::Stopping;
use crate::arena::validity::Doubts;
use crate::record::{Row, Sink, StoreError};
use std::collections::BTreeMap;

pub(super) struct Scorer<'a> {
    pub course: Course<'a>,
    /// Of the current encounter; none before one is drawn.
    ledger: Option<Ledger>,
    waiting: BTreeMap<u64, PlayedPair>,
    /// An engine failed for good: what happened.
    pub failed: Option<String>,
    /// Moves of the games committed here, and the µs they took.
    pub thought: (u64, u64),
    observer: &'a dyn Observer,
}

impl std::fmt::Debug for Scorer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scorer").field("course", &self.course).finish_non_exhaustive()
    }
}

impl<'a> Scorer<'a> {
    /// Behind what was committed before.
    pub(super) fn new(
        course: Course<'a>,
        open: &resume::Prefix,
        sink: &mut dyn Sink,
        observer: &'a dyn Observer,
    ) -> Result<Scorer<'a>, StoreError> {
        let mut scorer = Scorer {
            course,
            ledger: None,
            waiting: BTreeMap::new(),
            failed: None,
            thought: (0, 0),
            observer,
        };
        if !open.pairs.is_empty() {
            scorer.begin();
            if let Some(ledger) = &mut scorer.ledger
                && !ledger.replay(open, observer)
            {
                scorer.end(sink)?;
            }
        }
        Ok(scorer)
    }

    /// Draws what can be played next; false at the end of the tournament.
    pub(super) fn draw(&mut self) -> bool {
        let is_drawn = self.course.draw();
        if self.ledger.is_none() {
            self.begin();
        }
        is_drawn
    }

    /// The lowest pair that is not committed.
    pub(super) fn next(&self) -> u64 {
        self.ledger.as_ref().map_or(self.course.end(), Ledger::next)
    }

    fn begin(&mut self) {
        self.ledger = self.course.current().map(|drawn| {
            Ledger::starting_at(
                Stopping { max_pairs: drawn.plan.pairs, sprt: None, error_bar: None },
                drawn.first_pair,
            )
        });
    }

    /// Takes in a pair and commits what is complete up to there.
    pub(super) fn offer(
        &mut self,
        index: u64,
        pair: PlayedPair,
        sink: &mut dyn Sink,
    ) -> Result<Taken, StoreError> {
        if self.failed.is_none() {
            self.failed.clone_from(&pair.failed);
        }
        self.waiting.insert(index, pair);
        while let (Some(ledger), Some(entry)) = (&mut self.ledger, self.waiting.first_entry()) {
            let next = ledger.next();
            let (true, Some(half_points)) = (*entry.key() == next, entry.get().half_points()) else { break };
            let round = self.course.current().map(|drawn| drawn.encounter.round);
            let mut pair = entry.remove();
            pair.games.iter_mut().for_each(|game| game.row.round = round);
            let taken = ledger.offer(next, pair, sink, self.observer)?;
            self.course.book(half_points);
            if taken.stop {
                self.end(sink)?;
            }
        }
        Ok(Taken { next: self.next(), stop: self.failed.is_some() })
    }

    /// The current encounter is over: its outcome is written.
    fn end(&mut self, sink: &mut dyn Sink) -> Result<(), StoreError> {
        if let (Some(mut ledger), Some(drawn)) = (self.ledger.take(), self.course.current()) {
            let stop = ledger.close(sink)?;
            let stopping = Stopping { max_pairs: drawn.plan.pairs, sprt: None, error_bar: None };
            let (tally, conduct) = (*ledger.tally(), *ledger.conduct());
            // Whether its figures are valid is said of the tournament as a whole.
            let doubts = Doubts::default();
            let outcome =
                MatchOutcome::new(&drawn.plan, &stopping, tally, conduct, stop, doubts, ledger.latency());
            let mut row = outcome.row();
            row.round = Some(drawn.encounter.round);
            self.observer.encounter_finished(&row);
            sink.row(Row::Match(row))?;
            self.leave(&ledger);
            self.course.close();
        }
        self.begin();
        Ok(())
    }

    /// Sums up what a ledger knows.
    fn leave(&mut self, ledger: &Ledger) {
        self.course.book_conduct(ledger.conduct());
        let (moves, us) = ledger.thought();
        self.thought = (self.thought.0 + moves, self.thought.1 + us);
    }

    /// Writes what is left over, marked.
    pub(super) fn close(&mut self, sink: &mut dyn Sink) -> Result<(), StoreError> {
        let drawn = self.course.drawn();
        for (index, pair) in std::mem::take(&mut self.waiting) {
            let round = of_pair(&drawn, index).map(|drawn| drawn.encounter.round);
            for game in pair.games {
                let mut row = game.row;
                row.set_aside = true;
                row.round = round;
                sink.row(Row::Game(row))?;
            }
        }
        if let Some(ledger) = self.ledger.take() {
            self.leave(&ledger);
        }
        Ok(())
    }
}
