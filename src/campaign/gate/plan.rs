//! What a gate is asked: which engine, against what, which stages, how much of each. Numbers and names only: files of openings
//! and baselines are read before.

use super::baseline::Baseline;
use super::stage::Stage;
use crate::arena::plan::{MatchPlan, SprtPlan};
use crate::arena::schedule::Order;
use crate::campaign::scale::PERFT;
use crate::engine::SIGNATURE_DEPTH;
use crate::stats::Model;
use crate::subject::{EngineKind, EngineSpec, SpecError};
use crate::suite::{self, Opening};
use crate::trial::symmetry;
use crate::uci::Protocol;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// What the new engine is held against.
#[derive(Clone, Debug)]
pub enum Against {
    /// Another engine, measured in the same run.
    Engine(Box<EngineSpec>),
    /// What was written down of an earlier one; `name` is the file's.
    File { name: String, baseline: Box<Baseline> },
    /// Nothing: it is measured to be written down.
    Nothing,
}

/// Whether the signature is to stay as it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expect {
    #[default]
    Any,
    Same,
    Different,
}

/// What a speed is that cannot be told from the base's, nor from a change of the size of the threshold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unclear {
    /// Told, and let pass.
    #[default]
    Info,
    Inconclusive,
}

/// The new engine, what it is held against, and how much of everything.
#[derive(Clone, Debug)]
pub struct Plan {
    pub new: EngineSpec,
    pub against: Against,
    /// This program, which serves the embedded engine where its protocol is checked.
    pub program: PathBuf,
    pub stages: Vec<Stage>,
    /// Test positions and games also where the signature is the same.
    pub always_play: bool,
    pub budget: Option<Duration>,
    pub sizes: Sizes,
    pub seed: u64,
    /// Tasks at once.
    pub concurrency: usize,
}

/// How much of each stage.
#[derive(Clone, Debug)]
pub struct Sizes {
    /// A failed `should` of the protocol counts as failed, too.
    pub strict: bool,
    pub perft: Vec<String>,
    /// Counts above this are left out.
    pub perft_nodes: u64,
    /// Empty: those of `symmetry`.
    pub symmetry: Vec<String>,
    /// Plies for an engine that can only be searched.
    pub symmetry_depth: u32,
    pub signature_depth: u32,
    pub expect: Expect,
    pub speed_depth: u32,
    pub speed_rounds: u32,
    /// Within this margin of 1 a ratio of speeds counts as none: 0.01 = 1 %.
    pub speed_threshold: f64,
    pub unclear: Unclear,
    pub suites: Vec<String>,
    /// Nodes for each position.
    pub suite_nodes: u64,
    /// Of the one-sided McNemar test.
    pub suite_alpha: f64,
    /// Limit of both sides, as in a SPEC (`nodes=5000`), for those that bring none.
    pub game_limit: String,
    pub most_pairs: u64,
    pub sprt: SprtPlan,
    pub openings: Vec<Opening>,
    pub order: Order,
    pub start: u64,
    pub plies: Option<u32>,
}

/// Those that are there: the published crate leaves out the first.
const SUITES: [&str; 4] =
    ["positions/wac.epd", "positions/iq4.epd", "positions/bratko-kopec.epd", "positions/kaufman.epd"];

impl Sizes {
    /// Enough to notice a blunder, within a few minutes on two cores.
    pub fn usual(new: &EngineSpec) -> Sizes {
        let embedded = new.is_embedded();
        // An engine in another process is asked for standard positions only: many do not play Chess960.
        let perft = PERFT.iter().filter(|file| embedded || !file.contains("chess960"));
        let suites = SUITES.iter().filter(|file| suite::read(file).is_ok());
        let owned = |file: &&str| (*file).to_owned();
        Sizes {
            strict: false,
            perft: perft.map(owned).collect(),
            perft_nodes: if embedded { 500_000 } else { 100_000 },
            symmetry: Vec::new(),
            symmetry_depth: 4,
            signature_depth: SIGNATURE_DEPTH,
            expect: Expect::Any,
            speed_depth: SIGNATURE_DEPTH,
            speed_rounds: 20,
            speed_threshold: 0.01,
            unclear: Unclear::Info,
            suites: suites.map(owned).collect(),
            suite_nodes: 20_000,
            suite_alpha: 0.05,
            // Some engines have no move to give after a few hundred nodes.
            game_limit: format!("nodes={}", if embedded { 2000 } else { 4000 }),
            // An SPRT of 10 Elo takes 3,200 on average where nothing has changed.
            most_pairs: 5000,
            sprt: SprtPlan { elo0: -10.0, elo1: 0.0, alpha: 0.05, beta: 0.05, model: Model::Normalized },
            openings: Vec::new(),
            order: Order::Random,
            start: 1,
            plies: None,
        }
    }
}

impl Plan {
    /// The engine it is held against, where it is one.
    pub fn base(&self) -> Option<&EngineSpec> {
        match &self.against {
            Against::Engine(base) => Some(base),
            Against::File { .. } | Against::Nothing => None,
        }
    }

    /// The games against a base engine.
    ///
    /// # Errors
    /// A limit that one of the engines cannot have.
    pub fn games(&self, base: &EngineSpec) -> Result<MatchPlan, SpecError> {
        let sizes = &self.sizes;
        let limited = |engine: &EngineSpec| engine.clone().with_each(&sizes.game_limit);
        Ok(MatchPlan {
            name: format!("{} v {}", self.new.name, base.name),
            sprt: Some(sizes.sprt),
            order: sizes.order,
            start: sizes.start,
            plies: sizes.plies,
            concurrency: self.concurrency,
            seed: self.seed,
            // A crash is a lost game: whether the base has as many is seen by going on.
            recover: true,
            ..MatchPlan::new(limited(&self.new)?, limited(base)?, sizes.most_pairs)
        })
    }

    /// Positions and their twins: static evaluations where the new engine is the embedded one, else searches, of whichever engine.
    pub(super) fn symmetry(&self, engine: &EngineSpec) -> symmetry::Plan {
        symmetry::Plan {
            files: self.sizes.symmetry.clone(),
            engine: engine.clone(),
            depth: (!self.new.is_embedded()).then_some(self.sizes.symmetry_depth),
            concurrency: self.concurrency,
            seed: self.seed,
            ..symmetry::Plan::default()
        }
    }

    /// What a message calls the other side.
    pub fn other(&self) -> &str {
        match &self.against {
            Against::Engine(base) => &base.name,
            Against::File { .. } => "the baseline",
            Against::Nothing => "this one",
        }
    }

    /// Two engines of one name cannot be told apart in a record: the other one becomes `NAME (base)`.
    pub fn with_distinct_names(mut self) -> Plan {
        if let Against::Engine(base) = &mut self.against
            && base.name == self.new.name
        {
            **base = base.renamed(&format!("{} (base)", base.name));
        }
        self
    }
}

/// Whether it speaks UCI, or can be made to.
pub(super) fn speaks_uci(engine: &EngineSpec) -> bool {
    !matches!(&engine.kind, EngineKind::Command(command) if command.protocol == Protocol::Xboard)
}
