//! Wald's bounds, the decision they give, and what makes a test impossible to set up.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a test cannot be set up or applied.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum SprtError {
    #[error("{name} = {value} is not an error rate: it must lie between 0 and 1")]
    ErrorRate { name: &'static str, value: f64 },
    #[error("alpha + beta = {sum} must be less than 1")]
    ErrorRates { sum: f64 },
    #[error("hypothesis {elo} Elo is not a number between -10000 and 10000")]
    Hypothesis { elo: f64 },
    #[error("elo0 = {elo0} must be less than elo1 = {elo1}")]
    Order { elo0: f64, elo1: f64 },
    #[error(
        "model {model} has no pentanomial form: give wins, draws and losses, or use normalized or logistic"
    )]
    TrinomialOnly { model: &'static str },
}

/// Where a test stops.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds {
    /// `ln(beta / (1 - alpha))`: at or below it H0 is accepted.
    pub lower: f64,
    /// `ln((1 - beta) / alpha)`: at or above it H1 is accepted.
    pub upper: f64,
}

impl Bounds {
    /// # Errors
    /// A rate outside (0, 1), or a sum of 1 or more (the bounds would cross).
    pub fn new(alpha: f64, beta: f64) -> Result<Bounds, SprtError> {
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 1.0) {
                return Err(SprtError::ErrorRate { name, value });
            }
        }
        if alpha + beta >= 1.0 {
            return Err(SprtError::ErrorRates { sum: alpha + beta });
        }
        Ok(Bounds { lower: (beta / (1.0 - alpha)).ln(), upper: ((1.0 - beta) / alpha).ln() })
    }

    /// What this log-likelihood ratio decides.
    pub fn decide(&self, llr: f64) -> Decision {
        if llr >= self.upper {
            Decision::H1
        } else if llr <= self.lower {
            Decision::H0
        } else {
            Decision::Undecided
        }
    }
}

/// What a test says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Decision {
    /// The difference is `elo1` or more: the patch passes.
    H1,
    /// It is `elo0` or less: the patch fails.
    H0,
    #[default]
    #[serde(rename = "undecided")]
    Undecided,
}

impl Decision {
    /// `H1`, `H0` or `undecided`.
    pub const fn id(self) -> &'static str {
        match self {
            Decision::H1 => "H1",
            Decision::H0 => "H0",
            Decision::Undecided => "undecided",
        }
    }
}
