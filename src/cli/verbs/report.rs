//! `gauntlet report`: redraws the report of finished runs from their rows; nothing is measured.

use crate::cli::Job;
use crate::cli::args::Format;
use crate::cli::exit::{Exit, Failure};
use crate::cli::runs::{self, Rows};
use crate::record::{Header, utc};
use crate::report::contest::Gathered;
use crate::report::digest::Digest;
use crate::report::html::{self, Told};
use crate::report::{self, files};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Report {
    /// Run folders; the report of several shows them side by side
    #[arg(value_name = "RUN")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<PathBuf>,
}

pub fn run(settings: &Report, job: &Job) -> Result<Exit, Failure> {
    if job.common.format == Some(Format::Csv) {
        return Err(Failure::usage("report: --format csv: a run folder has a CSV file for each kind of row"));
    }
    if settings.runs.is_empty() {
        return Err(Failure::usage("report: no RUN folder given"));
    }
    let read = |path: &PathBuf| files::read(path).map_err(Failure::usage);
    let runs: Vec<(&PathBuf, (Header, Gathered))> =
        settings.runs.iter().map(|path| Ok((path, read(path)?))).collect::<Result<_, Failure>>()?;
    let page = match runs.as_slice() {
        [(path, (header, gathered))] => files::write_page(header, gathered, path).map_err(Failure::usage)?,
        several => {
            let page = folder(job)?.join("report.html");
            let told: Vec<Told> = several
                .iter()
                .map(|(path, (header, gathered))| files::told(header, gathered, path))
                .collect::<Result<_, _>>()
                .map_err(Failure::usage)?;
            fs::write(&page, html::page(&told))
                .map_err(|error| Failure::unreadable(page.display(), &error))?;
            page
        }
    };
    for (_, (header, gathered)) in &runs {
        job.output.text(report::text::of(header, &Digest::gathered(gathered), job.output.width()))?;
    }
    job.output.json(|| {
        let runs = runs.iter().map(|(path, (header, _))| RunDocument {
            folder: path,
            header,
            rows: Rows { folder: Some(path), rows: &[] },
        });
        Document { report: &page, runs: runs.collect() }
    })?;
    job.output.summary(format_args!("report: {}", page.display()))?;
    Ok(Exit::Ok)
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

/// A report of several runs belongs to none of their folders: it gets one of its own.
fn folder(job: &Job) -> Result<PathBuf, Failure> {
    let folder = match job.common.out.as_deref() {
        Some(given) if given != "none" && given != runs::DEFAULT_BASE => PathBuf::from(given),
        _ => Path::new(runs::DEFAULT_BASE).join(format!("{}-report", utc::compact(SystemTime::now()))),
    };
    fs::create_dir_all(&folder).map_err(|error| Failure::unreadable(folder.display(), &error))?;
    Ok(folder)
}
