//! The header of a run: what ran, where, on what.

use serde::{Deserialize, Serialize};

/// Version of the record format; raised when a field changes its meaning.
pub const SCHEMA: u32 = 1;

/// `header.json`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Header {
    pub schema: u32,
    /// `run`, `perft`, `match`, …
    pub verb: String,
    /// Program version and, where known, the git commit it was built from.
    pub version: String,
    pub argv: Vec<String>,
    pub seed: u64,
    /// UTC, RFC 3339.
    pub started: String,
    pub finished: Option<String>,
    /// False until the run has ended as planned.
    pub complete: bool,
    /// The last line of stdout, once there is one.
    pub summary: Option<String>,
    pub machine: Machine,
    /// Shown before any figure: overload, time losses, tiny samples, …
    pub warnings: Vec<String>,
}

/// The machine of a run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Machine {
    pub os: String,
    pub cpu: String,
    pub cores: u32,
    /// Instruction sets the program was built for that matter here (bmi2, avx2, …).
    pub features: Vec<String>,
    /// Load average over one minute at the start.
    pub load: Option<f64>,
}
