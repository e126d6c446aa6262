//! What a gate is asked: which engine, against what, which stages, how much of each. Numbers and names only: files of openings
//! and baselines are read before.

use super::baseline::{self, Baseline, BaselineError, Names};
use crate::arena::plan::{MatchPlan, SprtPlan};
use crate::arena::schedule::Order;
use crate::campaign::scale::PERFT;
use crate::engine::SIGNATURE_DEPTH;
use crate::stats::Model;
use crate::subject::{EngineKind, EngineSpec, SpecError};
use crate::suite::{self, Opening};
use crate::trial::{TrialError, symmetry};
use crate::uci::Protocol;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

macro_rules! stages {
    ($($(#[doc = $doc:literal])* $id:literal $name:ident,)*) => {
        /// A stage of the gate; the ids are kebab-case. They run in this order, cheap and certain ones first.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Stage { $($(#[doc = $doc])* $name,)* }

        impl Stage {
            pub const ALL: &[Stage] = &[$(Stage::$name,)*];

            pub const fn id(self) -> &'static str {
                match self { $(Stage::$name => $id,)* }
            }
        }
    };
}

stages! {
    /// Protocol checks.
    "compliance" Compliance,
    /// Suites with known counts.
    "perft" Perft,
    /// Positions and their colour-flipped twins.
    "symmetry" Symmetry,
    /// Nodes of fixed searches: does the change alter what is searched?
    "signature" Signature,
    /// Processor time for the same searches.
    "speed" Speed,
    /// Branching factors and nodes to depth, to be known.
    "branching" Branching,
    /// Test positions at fixed nodes.
    "suites" Suites,
    /// Games, until a sequential test decides or its cap is reached.
    "sprt" Sprt,
}

impl Stage {
    pub fn from_id(id: &str) -> Option<Stage> {
        Stage::ALL.iter().copied().find(|stage| stage.id() == id)
    }
}

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

/// A record and a baseline know a file by its name alone.
fn given_once(key: &'static str, files: &[String]) -> Result<(), PlanError> {
    let mut names: Vec<&str> = files.iter().map(|file| suite::file_name(file)).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(twice) => Err(PlanError::Twice { key, name: twice[0].to_owned() }),
        None => Ok(()),
    }
}

/// Whether it speaks UCI, or can be made to.
pub(super) fn speaks_uci(engine: &EngineSpec) -> bool {
    !matches!(&engine.kind, EngineKind::Command(command) if command.protocol == Protocol::Xboard)
}

/// What is wrong with a plan.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error("gate: {key}: must be at least 1, not 0")]
    Zero { key: &'static str },
    #[error("gate: suites.alpha: {0} is no probability between 0 and 0.5")]
    Alpha(f64),
    #[error("gate: speed.threshold: {0} is not from 0 to below 100 percent")]
    Threshold(f64),
    #[error("gate: {key}: no file")]
    NoFile { key: &'static str },
    #[error("gate: {key}: two files of the name `{name}`: a file is known by its name, and given once")]
    Twice { key: &'static str, name: String },
    #[error("gate: suites.files: no position that has something to solve (bm, am or dm)")]
    NothingToSolve,
    #[error(transparent)]
    Symmetry(#[from] TrialError),
    #[error("gate: [gate.sprt]: {0}")]
    Limit(#[from] SpecError),
    #[error("gate: [gate.sprt]: {0}")]
    Games(#[from] crate::arena::plan::PlanError),
    #[error(transparent)]
    Baseline(#[from] BaselineError),
}

impl Plan {
    /// Whether all of it can be: files are there and can be read, numbers make sense, the baseline fits.
    ///
    /// # Errors
    /// The first thing that is wrong: bad input, before anything is measured.
    pub fn check(&self) -> Result<(), PlanError> {
        let sizes = &self.sizes;
        let numbers = [
            ("perft.max-nodes", sizes.perft_nodes),
            ("symmetry.depth", u64::from(sizes.symmetry_depth)),
            ("signature.depth", u64::from(sizes.signature_depth)),
            ("speed.depth", u64::from(sizes.speed_depth)),
            ("speed.rounds", u64::from(sizes.speed_rounds)),
            ("suites.nodes", sizes.suite_nodes),
            ("sprt.max-pairs", sizes.most_pairs),
        ];
        if let Some((key, _)) = numbers.into_iter().find(|(_, number)| *number == 0) {
            return Err(PlanError::Zero { key });
        }
        if !(sizes.suite_alpha > 0.0 && sizes.suite_alpha <= 0.5) {
            return Err(PlanError::Alpha(sizes.suite_alpha));
        }
        if !(0.0..1.0).contains(&sizes.speed_threshold) {
            return Err(PlanError::Threshold(100.0 * sizes.speed_threshold));
        }
        if self.stages.contains(&Stage::Perft) {
            if sizes.perft.is_empty() {
                return Err(PlanError::NoFile { key: "perft.files" });
            }
            given_once("perft.files", &sizes.perft)?;
            baseline::expected_counts(self).map_err(BaselineError::from)?;
        }
        if self.stages.contains(&Stage::Symmetry) {
            given_once("symmetry.files", &sizes.symmetry)?;
            self.symmetry(&self.new).check()?;
        }
        if self.stages.contains(&Stage::Suites) {
            if sizes.suites.is_empty() {
                return Err(PlanError::NoFile { key: "suites.files" });
            }
            given_once("suites.files", &sizes.suites)?;
            if Names::load(&sizes.suites).map_err(BaselineError::from)?.positions() == 0 {
                return Err(PlanError::NothingToSolve);
            }
        }
        if let Some(base) = self.base().filter(|_| self.stages.contains(&Stage::Sprt)) {
            self.games(base)?.stopping()?;
        }
        if let Against::File { name, baseline } = &self.against {
            baseline.fits(name, self)?;
        }
        Ok(())
    }
}
