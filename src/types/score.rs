//! Scores as UCI speaks of them.

use std::fmt;

/// A score: centipawns, or a mate distance in full moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Moves to mate; negative: the side is being mated (0: is mated now).
    Mate(i32),
}

impl Score {
    /// The same score seen from the other side.
    #[must_use]
    pub const fn negated(self) -> Score {
        match self {
            Score::Cp(cp) => Score::Cp(-cp),
            Score::Mate(moves) => Score::Mate(-moves),
        }
    }

    /// On one scale for comparisons: mates lie beyond ±100,000 cp, quicker ones further out. `Mate(0)` is lost.
    pub const fn as_cp(self) -> i32 {
        match self {
            Score::Cp(cp) => cp,
            Score::Mate(moves) if moves > 0 => 200_000 - moves,
            Score::Mate(moves) => -200_000 - moves,
        }
    }
}

impl fmt::Display for Score {
    /// `+0.31`, `-1.20`, `+M5`, `-M2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Score::Cp(cp) => write!(f, "{:+.2}", f64::from(cp) / 100.0),
            Score::Mate(moves) if moves > 0 => write!(f, "+M{moves}"),
            Score::Mate(moves) => write!(f, "-M{}", -i64::from(moves)),
        }
    }
}

/// Whether a search value is exact or a bound.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Bound {
    #[default]
    Exact,
    Lower,
    Upper,
}
