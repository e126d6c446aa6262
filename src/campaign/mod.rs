//! Campaigns: plans made of trials and matches. `run` is the whole gauntlet: perft, test positions, symmetry, bench, slider
//! backends, a ladder of self-play and a sequential test; each stage leaves rows and one [`Verdict`](crate::record::Verdict).
//!
//! It measures nothing itself, and knows neither terminals nor files nor how anything is shown.

mod contest;
mod course;
pub mod gate;
mod outcome;
mod play;
mod run;
mod scale;
mod sequence;
mod stages;
mod study;
mod template;
pub mod validate;

pub use contest::{Contest, Curve, Done, Limits, Pairing, Terms};
pub use course::Plan;
pub use outcome::Outcome;
pub use run::run;
pub use scale::Scale;
pub use sequence::Watch;
pub use study::{Design, Study};
pub use template::Level;
