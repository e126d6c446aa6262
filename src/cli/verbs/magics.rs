//! `gauntlet magics`: looks for magic factors anew, and shows what was found for each square.

use crate::cli::Job;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Summary;
use crate::cli::table::Table;
use crate::sliders::magic::search::{Found, Scheme, search};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Magics {
    /// What the factors are for
    #[arg(long, value_name = "ID", value_parser = schemes())]
    pub scheme: Option<String>,
    /// End after so many seconds; a scheme with nothing left to improve ends sooner
    #[arg(long, value_name = "S")]
    pub seconds: Option<u64>,
}

/// The ids of the schemes, offered in help and completions.
fn schemes() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(Scheme::ALL.map(Scheme::id))
}

/// Steps between two looks at the clock.
const STEPS: u64 = 1 << 12;

pub fn run(settings: &Magics, job: &Job) -> Result<Exit, Failure> {
    super::at_least_one("--seconds", settings.seconds)?;
    let id = settings.scheme.as_deref().unwrap_or(Scheme::Fancy.id());
    let scheme = Scheme::from_id(id).ok_or_else(|| {
        let known = Scheme::ALL.map(Scheme::id).join(", ");
        Failure::usage(format!("--scheme: no scheme `{id}`; there are {known}"))
    })?;
    let (start, seconds) = (Instant::now(), Duration::from_secs(settings.seconds.unwrap_or(10)));
    let stop = job.signals.flag();
    let mut next_look = 0;
    let mut over = false;
    let keep_going = |steps: u64| {
        if !over && steps >= next_look {
            next_look = steps + STEPS;
            over = start.elapsed() >= seconds || stop.load(Ordering::Relaxed);
        }
        !over
    };
    let found = search(scheme, job.common.seed.unwrap_or_default(), keep_going, |_| ());
    let table = squares(&found);
    job.output.text(table.text())?;
    let record = scheme.record().map_or(String::new(), |entries| format!(" (smallest known: {entries})"));
    job.output.text(format_args!(
        "\n{} of 128 squares in {} factors, {:.2} s of processor time, seed {}{record}",
        found.squares.len(),
        found.steps,
        found.cpu.as_secs_f64(),
        found.seed,
    ))?;
    let summary = Summary::new("magics")
        .with("scheme", scheme.id())
        .with("entries", found.entries)
        .with("bytes", found.bytes());
    job.output.csv(|| table.csv())?;
    job.output.json(|| {
        json!({
            "scheme": scheme.id(), "seed": found.seed, "factors_tried": found.steps, "entries": found.entries,
            "bytes": found.bytes(), "cpu_s": found.cpu.as_secs_f64(), "complete": found.is_complete(),
            "squares": table.json(),
        })
    })?;
    job.output.summary(&summary)?;
    if let Some(signal) = job.signals.caught() {
        return Ok(Exit::Signal(signal));
    }
    // A table with holes is no result.
    Ok(if found.is_complete() || scheme == Scheme::WishingDream { Exit::Ok } else { Exit::Inconclusive })
}

fn squares(found: &Found) -> Table {
    let mut table = Table::new(&[
        "piece",
        "square",
        "factor",
        "offset",
        "relevant_bits",
        "index_bits",
        "entries",
        "used",
        "step",
        "cpu_s",
    ]);
    for slot in &found.squares {
        table.row(vec![
            if slot.rook { "rook" } else { "bishop" }.to_owned(),
            slot.square.to_string(),
            format!("{:#018x}", slot.factor),
            slot.offset.to_string(),
            slot.relevant_bits.to_string(),
            slot.index_bits.to_string(),
            slot.entries.to_string(),
            slot.used.to_string(),
            slot.step.to_string(),
            format!("{:.3}", slot.cpu.as_secs_f64()),
        ]);
    }
    table
}
