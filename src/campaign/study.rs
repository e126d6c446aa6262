//! Studies: declarative experiments, factors × levels. A study says which trial it is made of, what is varied and how much is
//! measured; running it leaves one tidy [`StudyRow`](crate::record::StudyRow) per cell and metric.
//!
//! A new kind of study is a variant here, with the factors and limits its trial defines. Reading files is not done here.

use super::contest::{self, Contest, Done, Terms};
use crate::record::Sink;
use crate::trial::{Progress, TrialError, exchange, hashing};
use serde::{Deserialize, Serialize};

/// What every study file holds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Design<F, L> {
    /// Letters, digits and `-`: it stands in the last line and in every row.
    pub name: String,
    /// One sentence: what is to be found out.
    #[serde(default)]
    pub about: String,
    /// The id of the kind of trial.
    pub trial: String,
    pub factors: F,
    pub limits: L,
}

/// A study, by its kind of trial.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Study {
    AttackByte(Design<exchange::Factors, exchange::Limits>),
    HashCollisions(Design<hashing::Factors, hashing::Limits>),
    Match(Contest),
}

impl Study {
    /// The kinds of trial a study may be made of.
    pub const TRIALS: &'static [&'static str] = &["attack-byte", "hash-collisions", "match"];

    pub fn name(&self) -> &str {
        match self {
            Study::AttackByte(design) => &design.name,
            Study::HashCollisions(design) => &design.name,
            Study::Match(contest) => &contest.name,
        }
    }

    /// Looks the study over before anything is measured.
    ///
    /// # Errors
    /// The key that is wrong, and why.
    pub fn check(&self) -> Result<(), TrialError> {
        let name = self.name();
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            return Err(TrialError::setting(
                "name",
                format!("{name:?} is not made of letters, digits and `-`"),
            ));
        }
        match self {
            Study::AttackByte(design) => exchange::check(&design.factors, &design.limits),
            Study::HashCollisions(design) => hashing::check(&design.factors, &design.limits),
            Study::Match(contest) => contest::check(contest),
        }
    }

    /// Runs every cell. `threads`: how many may work inside one cell; `terms` are for studies made of matches.
    ///
    /// # Errors
    /// As [`Study::check`]; a sink that cannot be written; the user's interrupt.
    pub fn run(
        &self,
        seed: u64,
        threads: usize,
        terms: &Terms,
        sink: &mut dyn Sink,
        progress: &Progress,
    ) -> Result<Done, TrialError> {
        self.check()?;
        let cells = match self {
            Study::AttackByte(design) => {
                exchange::run(&design.name, &design.factors, &design.limits, seed, sink, progress)
            }
            Study::HashCollisions(design) => {
                hashing::run(&design.name, &design.factors, &design.limits, seed, threads, sink, progress)
            }
            Study::Match(contest) => return contest::run(contest, terms, seed, sink, progress),
        }?;
        Ok(Done { cells, ..Done::default() })
    }
}
