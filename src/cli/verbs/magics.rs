//! `gauntlet magics`: looks for magic factors, anew or from an earlier result, and shows what was found for each square.

use crate::cli::Job;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Summary;
use crate::cli::progress::{Reading, watch};
use crate::cli::table::Table;
use crate::file;
use crate::sliders::magic::search::{Found, Known, KnownError, Scheme, search, search_from};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
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
    /// Go on from an earlier result: a file that `magics --format csv` wrote (fixed-fancy, black)
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
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
    let (seed, entries) = (job.common.seed.unwrap_or_default(), AtomicU32::new(0));
    let on_progress = |found: &Found| entries.store(found.entries, Ordering::Relaxed);
    let read = || Reading {
        stage: scheme.id().to_owned(),
        done: start.elapsed().as_secs(),
        total: seconds.as_secs(),
        note: format!("s, {} entries", entries.load(Ordering::Relaxed)),
        told: None,
    };
    let found = match &settings.from {
        None => watch(&job.output, read, || search(scheme, seed, keep_going, on_progress)),
        Some(path) => {
            let known = earlier(path)?;
            watch(&job.output, read, || search_from(&known, scheme, seed, keep_going, on_progress))
                .map_err(|error| of_file(path, &error))?
        }
    };
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

/// The columns of an earlier result that are needed.
#[derive(Deserialize)]
struct Earlier {
    piece: String,
    square: String,
    factor: String,
    offset: String,
}

/// The header line is the first.
const FIRST_LINE: u64 = 2;

/// Reads the CSV of an earlier result.
fn earlier(path: &Path) -> Result<Vec<Known>, Failure> {
    let table = file::whole(path, file::SETTINGS);
    let table = table.map_err(|error| Failure::unreadable(path.display(), &error))?;
    let mut known: Vec<Known> = Vec::new();
    for (row, line) in csv::Reader::from_reader(table.as_slice()).into_deserialize().zip(FIRST_LINE..) {
        let at = |what: String| Failure::usage(format!("{}:{line}: {what}", path.display()));
        let row: Earlier = row.map_err(|error| match error.kind() {
            csv::ErrorKind::Deserialize { err, .. } => at(err.to_string()),
            _ => at(error.to_string()),
        })?;
        let rook = match row.piece.as_str() {
            "rook" => true,
            "bishop" => false,
            other => return Err(at(format!("piece: neither rook nor bishop but `{other}`"))),
        };
        let square = row.square.parse().map_err(|_| at(format!("square: `{}` is none", row.square)))?;
        let digits = row.factor.strip_prefix("0x").unwrap_or(&row.factor);
        let factor = u64::from_str_radix(digits, 16)
            .map_err(|_| at(format!("factor: `{}` is no hexadecimal number", row.factor)))?;
        let offset = row.offset.parse().map_err(|_| at(format!("offset: `{}` is no number", row.offset)))?;
        if known.iter().any(|other| (other.rook, other.square) == (rook, square)) {
            return Err(at(format!("square: a second {} on {square}", row.piece)));
        }
        known.push(Known { rook, square, factor, offset });
    }
    Ok(known)
}

fn of_file(path: &Path, error: &KnownError) -> Failure {
    match error {
        KnownError::Scheme(_) => Failure::usage(format!("--from: {error}")),
        KnownError::Clash { number, .. } => {
            Failure::usage(format!("{}:{}: factor: {error}", path.display(), FIRST_LINE + *number as u64))
        }
    }
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
