//! Sequential probability ratio test: which of two hypotheses about the Elo difference the results support, and when to stop.
//!
//! Must not know how games are made or in which order they finish: the caller gives the counts of **complete** observations
//! in a fixed order. Definitions: reference README; the generalised test is M. Van den Bergh's (fishtest, `vdbergh.github.io`).

mod approximate;
mod bayeselo;
mod bounds;
mod estimate;
mod length;
mod likelihood;
mod normalized;
pub mod simulation;
mod tracker;
mod walk;

pub use approximate::{llr_gauss, llr_log_ratio, llr_normalized_closed_form};
pub use bounds::{Bounds, Decision, SprtError};
pub use estimate::UnbiasedElo;
pub use length::Length;
pub use likelihood::llr_unregularised;
pub use tracker::Tracker;
pub use walk::Walk;

use super::counts::{Counts, Law};
use serde::{Deserialize, Serialize};

/// What the bounds of a test are expressed in, and how the likelihoods are computed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Normalised Elo: the effort to tell two engines apart does not depend on book and draw rate.
    #[default]
    Normalized,
    /// Logistic Elo.
    Logistic,
    /// BayesElo, its draw parameter taken from the results, then the generalised test. Trinomial only.
    #[serde(rename = "bayeselo")]
    BayesElo,
    /// BayesElo with the likelihoods of that model itself (older fishtest, OpenBench). Trinomial only.
    #[serde(rename = "bayeselo-direct")]
    BayesEloDirect,
    /// As cutechess: half a result of each kind added, logistic bounds scaled to BayesElo. Trinomial only.
    Cutechess,
}

impl Model {
    pub const ALL: [Model; 5] =
        [Model::Normalized, Model::Logistic, Model::BayesElo, Model::BayesEloDirect, Model::Cutechess];

    /// The permanent id, as on the command line.
    pub const fn id(self) -> &'static str {
        match self {
            Model::Normalized => "normalized",
            Model::Logistic => "logistic",
            Model::BayesElo => "bayeselo",
            Model::BayesEloDirect => "bayeselo-direct",
            Model::Cutechess => "cutechess",
        }
    }

    /// What its hypotheses are counted in.
    pub const fn unit(self) -> &'static str {
        match self {
            Model::Normalized => "nElo",
            Model::BayesElo | Model::BayesEloDirect => "BayesElo",
            Model::Logistic | Model::Cutechess => "Elo",
        }
    }

    pub fn from_id(id: &str) -> Option<Model> {
        Model::ALL.into_iter().find(|model| model.id() == id)
    }

    /// Whether the model has no pentanomial form.
    pub const fn trinomial_only(self) -> bool {
        matches!(self, Model::BayesElo | Model::BayesEloDirect | Model::Cutechess)
    }
}

/// A test of H0 "the difference is `elo0`" against H1 "it is `elo1`", in the units of the model.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
    bounds: Bounds,
}

impl Sprt {
    /// Hypotheses further out than this are refused: no score could tell them from a certain win.
    pub const MAX_ELO: f64 = 10_000.0;

    /// `alpha`: chance to accept H1 where H0 holds; `beta`: to accept H0 where H1 holds.
    ///
    /// # Errors
    /// `elo0 >= elo1`, a hypothesis not finite or beyond ±10,000, error rates outside (0, 1) or with a sum of 1 or more.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Sprt, SprtError> {
        let bounds = Bounds::new(alpha, beta)?;
        for elo in [elo0, elo1] {
            if elo.is_nan() || elo.abs() > Self::MAX_ELO {
                return Err(SprtError::Hypothesis { elo });
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        Ok(Sprt { elo0, elo1, alpha, beta, model, bounds })
    }

    pub const fn elo0(&self) -> f64 {
        self.elo0
    }

    pub const fn elo1(&self) -> f64 {
        self.elo1
    }

    pub const fn alpha(&self) -> f64 {
        self.alpha
    }

    pub const fn beta(&self) -> f64 {
        self.beta
    }

    pub const fn model(&self) -> Model {
        self.model
    }

    pub const fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Log-likelihood ratio of H1 to H0. Always finite; equal counts give the same bits.
    ///
    /// # Errors
    /// Pentanomial counts under a model that has only a trinomial form.
    pub fn llr(&self, counts: &Counts) -> Result<f64, SprtError> {
        match (self.model, counts) {
            (Model::Normalized, Counts::Trinomial(c)) => Ok(self.normalized(c)),
            (Model::Normalized, Counts::Pentanomial(c)) => Ok(self.normalized(c)),
            (Model::Logistic, Counts::Trinomial(c)) => Ok(self.logistic(c)),
            (Model::Logistic, Counts::Pentanomial(c)) => Ok(self.logistic(c)),
            (Model::BayesElo, Counts::Trinomial(c)) => Ok(bayeselo::generalised(c, self.elo0, self.elo1)),
            (Model::BayesEloDirect, Counts::Trinomial(c)) => Ok(bayeselo::direct(c, self.elo0, self.elo1)),
            (Model::Cutechess, Counts::Trinomial(c)) => Ok(bayeselo::cutechess(c, self.elo0, self.elo1)),
            (model, Counts::Pentanomial(_)) => Err(SprtError::TrinomialOnly { model: model.id() }),
        }
    }

    /// The log-likelihood ratio and what it decides.
    ///
    /// # Errors
    /// As [`Sprt::llr`].
    pub fn test(&self, counts: &Counts) -> Result<(f64, Decision), SprtError> {
        let llr = self.llr(counts)?;
        Ok((llr, self.bounds.decide(llr)))
    }

    fn logistic<const N: usize>(&self, counts: &[u64; N]) -> f64 {
        likelihood::llr(&Law::regularised(counts), self.elo0, self.elo1)
    }

    fn normalized<const N: usize>(&self, counts: &[u64; N]) -> f64 {
        normalized::llr(&Law::regularised(counts), self.elo0, self.elo1)
    }
}
