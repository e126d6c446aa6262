//! `gauntlet report`: redraws the report of a finished run from its rows.

use crate::cli::Job;
use crate::cli::exit::{Exit, Failure};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Report {
    /// Run folders
    #[arg(value_name = "RUN")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<PathBuf>,
}

pub fn run(_settings: &Report, _job: &Job) -> Result<Exit, Failure> {
    Err(Failure::usage("not connected yet"))
}
