//! `gauntlet uci`: the embedded engine for any GUI or match runner.

use crate::cli::Job;
use crate::cli::exit::{Exit, Failure};
use clap::Args;
use serde::{Deserialize, Serialize};

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Uci {
    /// Misbehave on purpose, for tests of what drives engines
    #[arg(long, value_name = "KIND", hide = true)]
    pub fault: Option<String>,
}

pub fn run(_settings: &Uci, _job: &Job) -> Result<Exit, Failure> {
    Err(Failure::usage("not connected yet"))
}
