//! `gauntlet report`: redraws the report of finished runs from their rows; nothing is measured.

use crate::cli::Job;
use crate::cli::args::Format;
use crate::cli::exit::{Exit, Failure};
use crate::cli::runs;
use crate::record::{Saved, utc};
use crate::report;
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
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
    let saved = settings.runs.iter().map(|run| Saved::read(run)).collect::<Result<Vec<_>, _>>()?;
    let page = match saved.as_slice() {
        [only] => report::files::write_saved(only, &only.path).map_err(Failure::usage)?,
        several => {
            let page = folder(job)?.join("report.html");
            fs::write(&page, report::html::render(several))
                .map_err(|error| Failure::unreadable(page.display(), &error))?;
            page
        }
    };
    for run in &saved {
        job.output.text(report::text::summary(&run.header, &run.rows, job.output.width()))?;
    }
    job.output.json(|| {
        let rows = |run: &Saved| json!({ "folder": run.path, "header": run.header, "rows": run.rows });
        json!({ "report": page, "runs": saved.iter().map(rows).collect::<Vec<_>>() })
    })?;
    job.output.summary(format_args!("report: {}", page.display()))?;
    Ok(Exit::Ok)
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
