//! Pure numbers: Elo from results, sequential tests, comparison of timings, branching factors, random numbers.
//!
//! Knows counts and samples, nothing of chess, engines or files. Definitions and reference vectors: `tests/data/stats/README.md`.
//! Counts are always the first engine's, low to high. What is undefined is `None`, what is infinite is
//! `f64::INFINITY`; no function returns NaN for finite input.

pub mod bootstrap;
pub mod branching;
pub mod compare;
pub mod counts;
pub mod curve;
pub mod distribution;
pub mod elo;
pub mod occupancy;
pub mod rank;
pub mod ranking;
pub mod rating;
pub mod rng;
pub mod scale;
pub mod solve;
pub mod sprt;
pub mod summary;

pub use branching::Branching;
pub use counts::Counts;
pub use elo::{EloEstimate, Interval, IntervalKind};
pub use rng::SplitMix64;
pub use sprt::{Bounds, Decision, Model, Sprt, SprtError, Walk};
pub use summary::Summary;
