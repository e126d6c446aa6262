//! The test followed observation by observation: the decision stands at the first crossing, whatever comes later.
//!
//! The optional moved bounds allow for the LLR's jumps past the bounds (Siegmund, Sequential Analysis, Cor. 8.33, as
//! fishtest uses it).

use super::{Bounds, Decision};

/// How far the extreme on one side has come, and by what jumps.
#[derive(Clone, Copy, Debug, Default)]
struct Extreme {
    reached: f64,
    squared_steps: f64,
}

impl Extreme {
    fn reach(&mut self, distance: f64) {
        if distance > self.reached {
            let step = distance - self.reached;
            self.squared_steps += step * step;
            self.reached = distance;
        }
    }

    /// Expected excess over the bound at the stop.
    fn overshoot(&self) -> f64 {
        if self.reached > 0.0 { self.squared_steps / (2.0 * self.reached) } else { 0.0 }
    }
}

/// A running test.
#[derive(Clone, Debug)]
pub struct Walk {
    bounds: Bounds,
    corrected: bool,
    up: Extreme,
    down: Extreme,
    decision: Decision,
}

impl Walk {
    /// With Wald's plain bounds.
    pub fn new(bounds: Bounds) -> Walk {
        Walk {
            bounds,
            corrected: false,
            up: Extreme::default(),
            down: Extreme::default(),
            decision: Decision::Undecided,
        }
    }

    /// With bounds moved inwards by the expected overshoot.
    pub fn with_overshoot_correction(bounds: Bounds) -> Walk {
        Walk { corrected: true, ..Walk::new(bounds) }
    }

    /// Takes the LLR after one more observation and says what is decided so far.
    pub fn observe(&mut self, llr: f64) -> Decision {
        if self.decision == Decision::Undecided {
            self.up.reach(llr);
            self.down.reach(-llr);
            self.decision = self.bounds().decide(llr);
        }
        self.decision
    }

    /// The bounds as they stand now.
    pub fn bounds(&self) -> Bounds {
        if !self.corrected {
            return self.bounds;
        }
        Bounds {
            lower: self.bounds.lower + self.down.overshoot(),
            upper: self.bounds.upper - self.up.overshoot(),
        }
    }

    pub const fn decision(&self) -> Decision {
        self.decision
    }
}
