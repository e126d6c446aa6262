//! How well hash keys tell positions apart: collisions of several kinds of keys, cut to equal widths, over distinct positions,
//! beside what a perfect hash function would have.
//!
//! A collision is a position whose key an earlier position had already: n positions with k different keys have n - k. Sources:
//! page "BCH Hashing" of the seed documents (Warnock and Wendroff 1988 report fewer collisions than with random numbers).

mod keys;
mod packed;
mod positions;

pub use keys::Keys;

use super::{Progress, TrialError};
use crate::record::{Row, Sink, StudyRow};
use crate::stats::occupancy::{deviation_of_collisions, expected_collisions};
use crate::stats::rng::mix;
use serde::{Deserialize, Serialize};

/// Where the positions come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// The tree of the start position, breadth first: positions close to each other.
    Tree,
    /// Random games: positions far from each other.
    Games,
}

impl Source {
    pub const fn id(self) -> &'static str {
        match self {
            Source::Tree => "tree",
            Source::Games => "games",
        }
    }
}

/// What is varied. Every combination is a cell.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Factors {
    pub source: Vec<Source>,
    /// Lowest bits of the key that count.
    pub bits: Vec<u32>,
    pub keys: Vec<Keys>,
}

/// How much.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Limits {
    /// Distinct positions of each source.
    pub positions: u64,
    /// Sets of random numbers (for `bch`: assignments of its words) of each kind of keys.
    pub draws: u64,
}

/// 24 bytes each, four times over while they are collected and hashed.
const MOST_POSITIONS: u64 = 20_000_000;
const MOST_DRAWS: u64 = 1000;

/// Looks the settings over.
///
/// # Errors
/// The key that is wrong, and why.
pub fn check(factors: &Factors, limits: &Limits) -> Result<(), TrialError> {
    let ids = [
        ("source", factors.source.iter().map(|source| source.id().to_owned()).collect()),
        ("bits", factors.bits.iter().map(u32::to_string).collect()),
        ("keys", factors.keys.iter().map(|keys| keys.id().to_owned()).collect()),
    ];
    super::factors::check(&ids)?;
    if let Some((index, bits)) = factors.bits.iter().enumerate().find(|(_, bits)| !(1..=64).contains(*bits)) {
        return Err(TrialError::level("factors.bits", index, format!("{bits} is not from 1 to 64")));
    }
    if !(2..=MOST_POSITIONS).contains(&limits.positions) {
        let what = format!("{} is not from 2 to {MOST_POSITIONS}", limits.positions);
        return Err(TrialError::setting("limits.positions", what));
    }
    if !(1..=MOST_DRAWS).contains(&limits.draws) {
        let what = format!("{} is not from 1 to {MOST_DRAWS}", limits.draws);
        return Err(TrialError::setting("limits.draws", what));
    }
    Ok(())
}

/// Counts the collisions of every cell; returns the number of cells. Rows of a cell come together: `draws`, then `collisions` (the
/// mean over the draws), `least`, `greatest`, `expected` (of a perfect hash), `deviation` (its standard deviation for one
/// draw) and `ratio` (mean over expected).
///
/// # Errors
/// Settings that cannot be, a sink that cannot be written, the user's interrupt.
pub fn run(
    study: &str,
    factors: &Factors,
    limits: &Limits,
    seed: u64,
    threads: usize,
    sink: &mut dyn Sink,
    progress: &Progress,
) -> Result<u64, TrialError> {
    check(factors, limits)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| TrialError::Plan(format!("no threads: {error}")))?;
    let wanted = limits.positions as usize;
    // A position is a step for being found and one for each draw of its keys.
    let hashings = factors.keys.len() as u64 * limits.draws;
    progress.begin(factors.source.len() as u64 * limits.positions * (1 + hashings));
    let mut cell = 0;
    for &source in &factors.source {
        let positions = positions::distinct(source, wanted, seed, progress)?;
        let mut counts = Vec::new();
        for &keys in &factors.keys {
            let mut draws = Vec::new();
            for draw in 0..limits.draws {
                if progress.is_stopped() {
                    return Err(TrialError::Interrupted);
                }
                let seed = mix(seed ^ mix(draw << 8 | keys as u64));
                draws.push(pool.install(|| keys::collisions(keys, &positions, draw, seed, &factors.bits)));
                progress.advance(positions.len() as u64);
            }
            counts.push(draws);
        }
        for (width, &bits) in factors.bits.iter().enumerate() {
            for (&keys, draws) in factors.keys.iter().zip(&counts) {
                let levels = [
                    ("source", source.id().to_owned()),
                    ("bits", bits.to_string()),
                    ("keys", keys.id().to_owned()),
                ];
                let counts: Vec<u64> = draws.iter().map(|draw| draw[width]).collect();
                for (metric, value) in metrics(positions.len() as u64, bits, &counts) {
                    sink.row(Row::Study(StudyRow {
                        study: study.to_owned(),
                        cell,
                        levels: levels
                            .iter()
                            .map(|(name, level)| ((*name).to_owned(), level.clone()))
                            .collect(),
                        metric: metric.to_owned(),
                        value,
                    }))?;
                }
                cell += 1;
            }
        }
    }
    Ok(cell)
}

fn metrics(positions: u64, bits: u32, counts: &[u64]) -> [(&'static str, f64); 7] {
    let expected = expected_collisions(positions, bits);
    let mean = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    [
        ("draws", counts.len() as f64),
        ("collisions", mean),
        ("least", counts.iter().min().map_or(f64::NAN, |&n| n as f64)),
        ("greatest", counts.iter().max().map_or(f64::NAN, |&n| n as f64)),
        ("expected", expected),
        ("deviation", deviation_of_collisions(positions, bits)),
        ("ratio", mean / expected),
    ]
}
