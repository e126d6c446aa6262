//! `gauntlet list`: what there is to choose from.

use crate::cli::Job;
use crate::cli::exit::{Exit, Failure};
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct List {
    /// What to list
    #[arg(value_name = "WHAT")]
    pub what: Option<What>,
}

/// What can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// Slider attack backends
    Backends,
    /// Switches and numbers of the embedded engine's search
    Techniques,
    /// Switches and numbers of its evaluation
    Terms,
    /// Embedded suites
    Suites,
}

pub fn run(_settings: &List, _job: &Job) -> Result<Exit, Failure> {
    Err(Failure::usage("not connected yet"))
}
