//! When a match of two ends: after so many pairs, when its sequential test decides, or when its score is known well enough. Asked once per committed pair, so
//! the answer depends on the plan and the pairs in index order only, and the first crossing is final.

use super::tally::Tally;
use crate::stats::{Counts, Decision, EloEstimate, Sprt};

/// The rule of a match.
#[derive(Clone, Copy, Debug)]
pub struct Stopping {
    /// The match ends after this many pairs at the latest.
    pub max_pairs: u64,
    pub sprt: Option<Sprt>,
    /// Half of the 95 % interval that is wanted, in Elo.
    pub error_bar: Option<f64>,
}

/// What the rule says after a pair.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Judgement {
    /// Log-likelihood ratio; none without an SPRT.
    pub llr: Option<f64>,
    /// None = go on.
    pub ended: Option<Ended>,
}

/// Why the match is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The last pair of the plan was played; an SPRT is undecided.
    AllPlayed,
    /// The SPRT crossed a bound.
    Decided(Decision),
    /// The interval is as narrow as was wanted.
    Measured,
}

impl Stopping {
    /// Pairs are the observations wherever the model knows them; games for the models that are trinomial only.
    pub fn counts(&self, tally: &Tally) -> Counts {
        match self.sprt {
            Some(sprt) if sprt.model().trinomial_only() => {
                Counts::from_wdl(tally.wins, tally.draws, tally.losses)
            }
            _ => Counts::Pentanomial(tally.penta),
        }
    }

    /// That of a one-sided match is never narrow: one end of it is infinite.
    fn is_measured(&self, tally: &Tally) -> bool {
        let estimate = || EloEstimate::new(&Counts::Pentanomial(tally.penta));
        self.error_bar.is_some_and(|bar| {
            estimate().map(|elo| elo.interval()).is_some_and(|found| (found.high - found.low) / 2.0 <= bar)
        })
    }

    pub fn judge(&self, tally: &Tally) -> Judgement {
        let tested = self.sprt.and_then(|sprt| sprt.test(&self.counts(tally)).ok());
        let decided =
            tested.map(|(_, decision)| decision).filter(|decision| *decision != Decision::Undecided);
        let ended = match decided {
            Some(decision) => Some(Ended::Decided(decision)),
            None if self.is_measured(tally) => Some(Ended::Measured),
            None if tally.pairs() >= self.max_pairs => Some(Ended::AllPlayed),
            None => None,
        };
        Judgement { llr: tested.map(|(llr, _)| llr), ended }
    }
}
