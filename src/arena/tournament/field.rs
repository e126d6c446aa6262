//! A tournament as the draw sees it: its field, who met whom, who comes next. Engines are numbers in the order they were named.

/// The tournament as the draw sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    pub engines: usize,
    /// Pairs of games of an encounter.
    pub pairs: u64,
    /// Of a Swiss: its rounds. Else how often everybody is met.
    pub rounds: u32,
    /// Draws the lots of a Swiss.
    pub seed: u64,
}

/// Two engines that meet; the first has White in the first game of each pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encounter {
    /// From 1.
    pub round: u32,
    /// Number of the play-off in this round, from 1; 0 = none.
    pub playoff: u32,
    pub engines: [usize; 2],
    pub pairs: u64,
}

/// An encounter that was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Met {
    pub encounter: Encounter,
    /// The first engine's and the second's.
    pub half_points: [u64; 2],
}

/// A round in which an engine has no opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bye {
    pub round: u32,
    pub engine: usize,
}

/// What was played so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Played {
    pub met: Vec<Met>,
    pub byes: Vec<Bye>,
}

/// What can be played now without further results, in the order of its pairs of games. No encounter = the end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Draw {
    pub encounters: Vec<Encounter>,
    pub byes: Vec<Bye>,
}

impl Field {
    /// An encounter of this field.
    pub(super) fn encounter(&self, round: u32, engines: [usize; 2]) -> Encounter {
        Encounter { round, playoff: 0, engines, pairs: self.pairs }
    }

    /// Half points of somebody who wins every game of an encounter.
    pub const fn full_score(&self) -> u64 {
        4 * self.pairs
    }
}
