//! Campaigns: plans made of trials and matches. `run` is the whole gauntlet: perft, test positions, symmetry, bench, slider
//! backends, a ladder of self-play and a sequential test; each stage leaves rows and one [`Verdict`](crate::record::Verdict).
//!
//! It measures nothing itself, and knows neither terminals nor files nor how anything is shown.

mod outcome;
mod play;
mod run;
mod scale;
mod stages;
mod study;
pub mod validate;

pub use outcome::Outcome;
pub use run::{Plan, Watch, run};
pub use scale::Scale;
pub use study::{Design, Study};
