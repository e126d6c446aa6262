//! A match as data: everything that decides its games and their evaluation. The same plan gives the same match wherever
//! time does not decide (node and depth limits).
//!
//! Reads no files: openings are handed to `run` as a list, the plan only says in which order they are taken.

use super::adjudicate::Adjudication;
use super::affinity;
use super::schedule::{Order, Schedule};
use super::stopping::Stopping;
use crate::stats::{Model, Sprt, SprtError};
use crate::subject::{EngineKind, EngineSpec, HANG_TIMEOUT};
use crate::uci::Protocol;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Pairs an SPRT may take if the plan does not say; enough that a stop there is a rarity.
pub const MOST_PAIRS: u64 = 1_000_000;

/// A match of two engines.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MatchPlan {
    /// Shown in tables; may be empty.
    #[serde(default)]
    pub name: String,
    /// The first one is under test: scores are its.
    pub engines: [EngineSpec; 2],
    /// Pairs to play; for an SPRT the most it may take.
    pub pairs: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtPlan>,
    /// End once half of the 95 % interval is no more than so many Elo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_bar: Option<f64>,
    #[serde(default)]
    pub order: Order,
    /// Number of the first opening, from 1, in that order.
    #[serde(default = "one")]
    pub start: u64,
    /// Play at most this many plies of each opening's moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
    #[serde(default)]
    pub adjudication: Adjudication,
    /// A folder of Syzygy tables that decide positions of few men.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub syzygy: Option<PathBuf>,
    /// Games at once.
    pub concurrency: usize,
    /// Each game has processors of its own: as many as the engine with the most threads has of them.
    #[serde(default)]
    pub affinity: bool,
    /// When a search under a node or depth limit is told to stop.
    #[serde(default = "hang_timeout_ms")]
    pub hang_timeout_ms: u64,
    pub seed: u64,
    /// Go on with a fresh process after a crash; otherwise the match ends there. Hung engines are always restarted.
    #[serde(default)]
    pub recover: bool,
}

/// The sequential test of a match.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtPlan {
    pub elo0: f64,
    pub elo1: f64,
    pub alpha: f64,
    pub beta: f64,
    pub model: Model,
}

/// What is wrong with a plan.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum PlanError {
    #[error("two engines have the same name `{0}`: give one of them another (name=...)")]
    SameName(String),
    #[error("engine {0} has no limit: give it tc, movetime, nodes or depth")]
    NoLimit(String),
    #[error("engine {engine}: ponder=on {why}")]
    Ponder { engine: String, why: &'static str },
    #[error("{0} must be at least 1")]
    Zero(&'static str),
    #[error("{0} must not be negative")]
    Negative(&'static str),
    #[error(
        "affinity: {wanted} processors are needed (games at once x threads that think in a game), {there} can be had"
    )]
    Processors { wanted: usize, there: usize },
    #[error("error-bar must be a number above 0, not {0}")]
    ErrorBar(f64),
    #[error(transparent)]
    Sprt(#[from] SprtError),
}

fn one() -> u64 {
    1
}

fn hang_timeout_ms() -> u64 {
    HANG_TIMEOUT.as_millis() as u64
}

impl MatchPlan {
    /// A plan with one game at a time, seed 1, openings in sequence and no adjudication. Two engines of one name become
    /// `NAME` and `NAME 2`.
    pub fn new(first: EngineSpec, mut second: EngineSpec, pairs: u64) -> MatchPlan {
        if first.name == second.name {
            second.name.push_str(" 2");
        }
        MatchPlan {
            name: String::new(),
            engines: [first, second],
            pairs,
            sprt: None,
            error_bar: None,
            order: Order::Sequential,
            start: 1,
            plies: None,
            adjudication: Adjudication::default(),
            syzygy: None,
            concurrency: 1,
            affinity: false,
            hang_timeout_ms: hang_timeout_ms(),
            seed: 1,
            recover: false,
        }
    }

    /// Whether time decides anything: then the machine does, too.
    pub fn is_timed(&self) -> bool {
        self.engines.iter().any(|engine| engine.limit.is_timed())
    }

    /// Checks the numbers and makes the stopping rule.
    pub fn stopping(&self) -> Result<Stopping, PlanError> {
        let [first, second] = &self.engines;
        if first.name == second.name {
            return Err(PlanError::SameName(first.name.clone()));
        }
        self.engines.iter().try_for_each(check_engine)?;
        let draw = self.adjudication.draw;
        let resign = self.adjudication.resign;
        let counts = [
            ("pairs", self.pairs),
            ("concurrency", self.concurrency as u64),
            ("start", self.start),
            ("hang-timeout", self.hang_timeout_ms),
            ("draw: movecount", draw.map_or(1, |rule| u64::from(rule.movecount))),
            ("resign: movecount", resign.map_or(1, |rule| u64::from(rule.movecount))),
            ("maxmoves", self.adjudication.maxmoves.map_or(1, u64::from)),
        ];
        if let Some((name, _)) = counts.into_iter().find(|(_, count)| *count == 0) {
            return Err(PlanError::Zero(name));
        }
        if draw.is_some_and(|rule| rule.score < 0) {
            return Err(PlanError::Negative("draw: score"));
        }
        if resign.is_some_and(|rule| rule.score < 0) {
            return Err(PlanError::Negative("resign: score"));
        }
        let sprt = self.sprt.map(|s| Sprt::new(s.elo0, s.elo1, s.alpha, s.beta, s.model)).transpose()?;
        if let Some(bar) = self.error_bar.filter(|bar| !(bar.is_finite() && *bar > 0.0)) {
            return Err(PlanError::ErrorBar(bar));
        }
        Ok(Stopping { max_pairs: self.pairs, sprt, error_bar: self.error_bar })
    }

    /// Processors for each game of these engines, where each game is to have its own.
    ///
    /// # Errors
    /// If there are too few.
    pub fn processors<'a>(
        &self,
        engines: impl IntoIterator<Item = &'a EngineSpec>,
    ) -> Result<Option<usize>, PlanError> {
        if !self.affinity {
            return Ok(None);
        }
        let threads = threads_of_a_game(engines);
        let (wanted, there) = (self.concurrency.saturating_mul(threads), affinity::processors());
        if wanted > there { Err(PlanError::Processors { wanted, there }) } else { Ok(Some(threads)) }
    }

    /// The schedule over this many openings.
    pub fn schedule(&self, openings: usize) -> Schedule {
        Schedule {
            order: self.order,
            seed: self.seed,
            skip: self.start.saturating_sub(1),
            openings: openings as u64,
        }
    }
}

/// Whether there is something that ends each of its searches, and a clock to ponder by.
pub(in crate::arena) fn check_engine(engine: &EngineSpec) -> Result<(), PlanError> {
    let limit = &engine.limit;
    if limit.is_none() {
        return Err(PlanError::NoLimit(engine.name.clone()));
    }
    let refused = |why| Err(PlanError::Ponder { engine: engine.name.clone(), why });
    let other = limit.movetime.is_some() || limit.nodes.is_some() || limit.depth.is_some();
    match &engine.kind {
        _ if !engine.ponder => Ok(()),
        EngineKind::Command(command) if command.protocol == Protocol::Xboard => {
            refused("is for UCI engines; xboard engines are told to think on their own time only")
        }
        _ if limit.tc.is_none() || other || limit.nodes_per_ms.is_some() => refused(
            "needs a clock (tc=) and no other limit: where every search is the same there is no time to be won",
        ),
        _ => Ok(()),
    }
}

/// Threads that think at once in a game of any two of these engines: one side's, and the other's if it ponders.
pub(super) fn threads_of_a_game<'a>(engines: impl IntoIterator<Item = &'a EngineSpec>) -> usize {
    let engines: Vec<&EngineSpec> = engines.into_iter().collect();
    let mut most = 1;
    for (one, mover) in engines.iter().enumerate() {
        let meanwhile = engines.iter().enumerate().filter(|(other, engine)| *other != one && engine.ponder);
        let meanwhile = meanwhile.map(|(_, engine)| engine.threads_in_use()).max().unwrap_or(0);
        most = most.max(mover.threads_in_use() + meanwhile);
    }
    most
}
