//! `gauntlet uci`: the embedded engine for any GUI or match runner.

use crate::cli::Job;
use crate::cli::exit::{Exit, Failure};
use crate::engine::Params;
use crate::uci::server::{Fault, serve};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::io;

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Uci {
    /// Misbehave on purpose, for tests of what drives engines
    #[arg(long, value_name = "KIND", hide = true)]
    pub fault: Option<String>,
}

pub fn run(settings: &Uci, _job: &Job) -> Result<Exit, Failure> {
    let unknown = |id: &String| Failure::usage(format!("--fault: unknown kind `{id}`"));
    let fault =
        settings.fault.as_ref().map(|id| Fault::from_id(id).ok_or_else(|| unknown(id))).transpose()?;
    let served = serve(io::stdin().lock(), io::stdout(), Params::default(), fault);
    served.map_err(|error| match error.kind() {
        // A GUI that has gone away is no fault.
        io::ErrorKind::BrokenPipe => Failure::from(error),
        _ => Failure::engine(error),
    })?;
    Ok(Exit::Ok)
}
