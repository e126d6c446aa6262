//! The flags of every verb that has a sequential test.

use crate::cli::exit::Failure;
use crate::stats::{Model, Sprt};
use clap::Args;
use serde::{Deserialize, Serialize};

/// What a sequential test decides between, and how often it may be wrong; the same flags wherever there is one.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Hypotheses {
    /// H0, in the unit of the model (normalized: nElo)
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub elo0: Option<f64>,
    /// H1, in the same
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub elo1: Option<f64>,
    /// Highest rate of wrong H1
    #[arg(long, value_name = "P")]
    pub alpha: Option<f64>,
    /// Highest rate of wrong H0
    #[arg(long, value_name = "P")]
    pub beta: Option<f64>,
}

impl Hypotheses {
    /// The test that the flags describe; `default.toml` holds what is not given.
    pub fn test(&self, model: Option<&str>) -> Result<Sprt, Failure> {
        let need = |value: Option<f64>, flag: &str| {
            value.ok_or_else(|| Failure::usage(format!("{flag} is missing")))
        };
        let id = model.unwrap_or(Model::default().id());
        let model = Model::from_id(id).ok_or_else(|| {
            let known: Vec<&str> = Model::ALL.iter().map(|model| model.id()).collect();
            Failure::usage(format!("--model {id}: not one of {}", known.join(", ")))
        })?;
        Sprt::new(
            need(self.elo0, "--elo0")?,
            need(self.elo1, "--elo1")?,
            need(self.alpha, "--alpha")?,
            need(self.beta, "--beta")?,
            model,
        )
        .map_err(Failure::usage)
    }
}
