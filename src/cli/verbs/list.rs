//! `gauntlet list`: what there is to choose from.

use crate::cli::Job;
use crate::cli::exit::{Exit, Failure};
use crate::cli::table::Table;
use crate::sliders::Backend;
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

pub fn run(settings: &List, job: &Job) -> Result<Exit, Failure> {
    let Some(what) = settings.what else {
        return Err(Failure::usage("list: say what: backends, techniques, terms or suites"));
    };
    let table = match what {
        What::Backends => backends(),
        What::Techniques | What::Terms | What::Suites => return Err(Failure::usage("not connected yet")),
    };
    job.output.json(|| table.json())?;
    job.output.csv(|| table.csv())?;
    job.output.answer(table.text())?;
    Ok(Exit::Ok)
}

fn backends() -> Table {
    let mut table = Table::new(&["id", "supported", "default", "table_bytes", "about"]);
    let yes = |condition: bool| if condition { "yes" } else { "no" }.to_owned();
    for &backend in Backend::ALL {
        table.row(vec![
            backend.id().to_owned(),
            yes(backend.is_supported()),
            yes(backend == Backend::default_backend()),
            backend.table_bytes().to_string(),
            backend.about().to_owned(),
        ]);
    }
    table
}
