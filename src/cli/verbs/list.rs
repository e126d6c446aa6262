//! `gauntlet list`: what there is to choose from.

use super::boards;
use crate::cli::Job;
use crate::cli::exit::{Exit, Failure};
use crate::cli::table::Table;
use crate::engine::{ParamGroup, ParamKind, Params, fastest};
use crate::sliders::Backend;
use crate::suite::{self, MANIFEST, Manifest};
use crate::trial::generators::Generator;
use crate::trial::locate::Kind;
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
    /// Move generators
    Generators,
    /// Ways to write a move as a number, with their sizes
    Encodings,
    /// All moves there are, by piece and kind, with their first numbers
    Enumeration,
    /// How many moves each piece has from each square of the empty board
    Influence,
    /// The directions of moves: increments and angles
    Directions,
    /// The from-to board: which entries are moves
    Butterfly,
    /// Kinds of fault that `perft --locate` tells apart
    Faults,
}

pub fn run(settings: &List, job: &Job) -> Result<Exit, Failure> {
    let Some(what) = settings.what else {
        let names: Vec<String> = What::value_variants()
            .iter()
            .filter_map(|what| what.to_possible_value())
            .map(|value| value.get_name().to_owned())
            .collect();
        return Err(Failure::usage(format!("list: say what: {}", names.join(", "))));
    };
    let table = match what {
        What::Backends => backends(),
        What::Techniques => parameters(&[ParamGroup::Search, ParamGroup::Time, ParamGroup::Engine]),
        What::Terms => parameters(&[ParamGroup::Evaluation]),
        What::Suites => suites()?,
        What::Generators => generators(),
        What::Encodings => boards::encodings(),
        What::Enumeration => boards::enumeration(),
        What::Influence => boards::influence(),
        What::Directions => boards::directions(),
        What::Butterfly => boards::butterfly(),
        What::Faults => faults(),
    };
    job.output.json(|| table.json())?;
    job.output.csv(|| table.csv())?;
    job.output.answer(match what {
        What::Influence => boards::influence_boards(),
        What::Butterfly => boards::butterfly_plot(),
        _ => table.text(),
    })?;
    Ok(Exit::Ok)
}

fn faults() -> Table {
    let mut table = Table::new(&["id", "about"]);
    for kind in Kind::ALL {
        table.row(vec![kind.id().to_owned(), kind.about().to_owned()]);
    }
    table
}

fn backends() -> Table {
    let mut table =
        Table::new(&["id", "supported", "default", "table_bytes", "needs", "author", "idea", "page"]);
    let yes = |condition: bool| if condition { "yes" } else { "no" }.to_owned();
    for &backend in Backend::ALL {
        let card = backend.card();
        table.row(vec![
            backend.id().to_owned(),
            yes(backend.is_supported()),
            yes(backend == fastest().backend),
            backend.table_bytes().map_or_else(|| String::from("-"), |bytes| bytes.to_string()),
            card.needs.name().to_owned(),
            card.author.to_owned(),
            card.idea.to_owned(),
            card.page.to_owned(),
        ]);
    }
    table
}

fn generators() -> Table {
    let mut table = Table::new(&["id", "about"]);
    for generator in Generator::ALL {
        table.row(vec![generator.id().to_owned(), generator.about().to_owned()]);
    }
    table
}

fn parameters(groups: &[ParamGroup]) -> Table {
    let mut table = Table::new(&["id", "group", "default", "range", "about"]);
    for info in Params::table().iter().filter(|info| groups.contains(&info.group)) {
        // The techniques for sliders have a list of their own.
        let range = match info.kind {
            ParamKind::Choice => format!("{}, or an id of `list backends`", info.default),
            _ => info.range(),
        };
        let cells = [info.id, info.group.name(), info.default, &range, info.doc];
        table.row(cells.map(str::to_owned).to_vec());
    }
    table
}

/// The embedded files, with what the manifest says of them.
fn suites() -> Result<Table, Failure> {
    let manifest: Manifest = toml::from_str(MANIFEST).map_err(|error| Failure::usage(error.message()))?;
    let mut table = Table::new(&["path", "records", "licence", "title"]);
    for (path, _) in suite::embedded() {
        let about = manifest.file.iter().find(|file| file.path == path);
        let of = |f: fn(&suite::ManifestFile) -> String| about.map(f).unwrap_or_default();
        table.row(vec![
            path.clone(),
            of(|file| file.records.to_string()),
            of(|file| file.licence.clone()),
            of(|file| file.title.clone()),
        ]);
    }
    Ok(table)
}
