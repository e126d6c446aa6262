//! `gauntlet report`: redraws the report of finished runs from their rows; nothing is measured.

use crate::cli::Job;
use crate::cli::args::Format;
use crate::cli::exit::{Exit, Failure};
use crate::cli::runs::{self, Rows};
use crate::file;
use crate::record::{Header, RunFolder};
use crate::report::contest::Gathered;
use crate::report::digest::Digest;
use crate::report::html::{self, Told};
use crate::report::{self, files};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Report {
    /// Run folders; the report of several shows them side by side
    #[arg(value_name = "RUN")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<PathBuf>,

    /// All runs in this folder and below, in the order of time: how speed, branching factor, signature, solved positions and
    /// Elo went from version to version
    #[arg(long, value_name = "DIR", conflicts_with = "runs")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<PathBuf>,
}

pub fn run(settings: &Report, job: &Job) -> Result<Exit, Failure> {
    if job.common.format == Some(Format::Csv) {
        return Err(Failure::usage("report: --format csv: a run folder has a CSV file for each kind of row"));
    }
    if let Some(below) = &settings.history {
        return history(below, job);
    }
    if settings.runs.is_empty() {
        return Err(Failure::usage("report: no RUN folder given (or --history DIR)"));
    }
    let read = |path: &PathBuf| if is_elsewhere(job) { files::look(path) } else { files::read(path) };
    let read = |path: &PathBuf| read(path).map_err(Failure::usage);
    let runs: Vec<(&PathBuf, (Header, Gathered))> =
        settings.runs.iter().map(|path| Ok((path, read(path)?))).collect::<Result<_, Failure>>()?;
    let page = match runs.as_slice() {
        _ if leaves_nothing(job) => PathBuf::from("none"),
        [(path, (header, gathered))] if !is_elsewhere(job) => {
            files::write_page(header, gathered, path).map_err(Failure::usage)?
        }
        several => {
            let page = folder(job)?.join("report.html");
            let told: Vec<Told> = several
                .iter()
                .map(|(path, (header, gathered))| {
                    let told = files::told(header, gathered, path).map_err(Failure::usage)?;
                    Ok(Told { plan: settings_of(path), is_beside: false, ..told })
                })
                .collect::<Result<_, Failure>>()?;
            fs::write(&page, html::page(&told))
                .map_err(|error| Failure::unreadable(page.display(), &error))?;
            page
        }
    };
    for (_, (header, gathered)) in &runs {
        job.output.text(report::text::of(header, &Digest::gathered(gathered), job.output.width()))?;
    }
    answer(job, &page, &runs)
}

/// The document, where it is asked for, and the last line.
fn answer(job: &Job, page: &Path, runs: &[(&PathBuf, (Header, Gathered))]) -> Result<Exit, Failure> {
    job.output.json(|| {
        let runs = runs.iter().map(|(path, (header, _))| RunDocument {
            folder: path,
            header,
            rows: Rows { folder: Some(path), rows: &[] },
        });
        Document { report: page, runs: runs.collect() }
    })?;
    job.output.summary(format_args!("report: {}", page.display()))?;
    Ok(Exit::Ok)
}

/// Folders below `--history DIR` are looked into this deep.
const DEPTH: usize = 5;

fn history(below: &Path, job: &Job) -> Result<Exit, Failure> {
    let mut found = Vec::new();
    run_folders(below, DEPTH, &mut found).map_err(|error| Failure::unreadable(below.display(), &error))?;
    found.sort();
    let mut skipped = Vec::new();
    let mut runs: Vec<(&PathBuf, (Header, Gathered))> = Vec::new();
    for path in &found {
        match files::look(path) {
            Ok(run) => runs.push((path, run)),
            Err(error) => {
                job.output.warn(format_args!("left out: {error}"));
                skipped.push(error.to_string());
            }
        }
    }
    if runs.is_empty() {
        return Err(Failure::usage(format!("report: --history {}: no run folder there", below.display())));
    }
    let mut told: Vec<Told> = runs
        .iter()
        .map(|(path, (header, gathered))| Told {
            path,
            header,
            digest: Digest::gathered(gathered),
            games: Vec::new(),
            plan: settings_of(path),
            is_beside: false,
        })
        .collect();
    let text = html::history(&mut told, &below.display().to_string(), &skipped);
    if leaves_nothing(job) {
        return answer(job, Path::new("none"), &runs);
    }
    let page = folder(job)?.join("report.html");
    fs::write(&page, text).map_err(|error| Failure::unreadable(page.display(), &error))?;
    answer(job, &page, &runs)
}

/// Folders with the header of a run; what lies in them belongs to the run.
fn run_folders(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if folder.join("header.json").is_file() || folder.join("rows.jsonl").is_file() {
        found.push(folder.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if depth > 0 && entry.file_type()?.is_dir() {
            // One that may not be entered holds nothing for us.
            let _ = run_folders(&entry.path(), depth - 1, found);
        }
    }
    Ok(())
}

/// The settings in the plan of a run, by their names; none if it has no plan that can be read.
fn settings_of(run: &Path) -> Vec<(String, String)> {
    let mut flat = Vec::new();
    let text = file::settings(&RunFolder::plan_path(run)).unwrap_or_default();
    if let Ok(plan) = text.parse::<toml::Table>() {
        flatten("", &plan, &mut flat);
    }
    flat
}

fn flatten(prefix: &str, table: &toml::Table, flat: &mut Vec<(String, String)>) {
    for (name, value) in table {
        match value {
            toml::Value::Table(inner) => flatten(&format!("{prefix}{name}."), inner, flat),
            other => flat.push((format!("{prefix}{name}"), other.to_string())),
        }
    }
}

/// `--format json`.
#[derive(Serialize)]
struct Document<'a> {
    report: &'a Path,
    runs: Vec<RunDocument<'a>>,
}

#[derive(Serialize)]
struct RunDocument<'a> {
    folder: &'a Path,
    header: &'a Header,
    rows: Rows<'a>,
}

fn leaves_nothing(job: &Job) -> bool {
    job.common.out.as_deref() == Some("none")
}

/// Whether the report is to be anywhere but beside its run, or nowhere.
fn is_elsewhere(job: &Job) -> bool {
    job.common.out.as_deref().is_some_and(|out| out != runs::DEFAULT_BASE)
}

/// A report of several runs belongs to none of their folders: it gets one of its own, as a run does.
fn folder(job: &Job) -> Result<PathBuf, Failure> {
    let given = Path::new(job.common.out.as_deref().unwrap_or(runs::DEFAULT_BASE));
    let failed = |error| Failure::unreadable(given.display(), &error);
    fs::create_dir_all(given).map_err(failed)?;
    let is_empty = fs::read_dir(given).map_err(failed)?.next().is_none();
    match is_empty && given != Path::new(runs::DEFAULT_BASE) {
        true => Ok(given.to_owned()),
        false => RunFolder::fresh(given, "report").map_err(Failure::usage),
    }
}
