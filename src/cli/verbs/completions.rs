//! `gauntlet completions`: what a shell needs to complete verbs and flags.

use crate::cli::Job;
use crate::cli::args;
use crate::cli::exit::{Exit, Failure};
use clap::Args;
use clap_complete::Shell;

#[derive(Args, Clone, Debug)]
pub struct Completions {
    /// Whose
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

pub fn run(settings: &Completions, job: &Job) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(settings.shell, &mut args::command(), "gauntlet", &mut script);
    job.output.whole(&script)?;
    Ok(Exit::Ok)
}
