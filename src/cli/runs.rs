//! The run folder of a measuring verb: made before the first measurement, rows written as they come, closed with CSV files,
//! games and the report. Without a folder (`--out none`) the rows are kept in memory all the same, for what is shown.

use super::Job;
use super::args::{Common, Format};
use super::config::plan_toml;
use super::exit::{Exit, Failure};
use super::output::{Summary, note};
use super::progress::{Reading, watch};
use crate::record::{Header, Row, RunFolder, Saved, Sink, StoreError, Tables};
use crate::report;
use crate::trial::{Progress, TrialError};
use serde::Serialize;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Where run folders are made unless told otherwise.
pub const DEFAULT_BASE: &str = "reports/runs";

/// A run that is being recorded.
#[derive(Debug)]
pub struct Recorder {
    folder: Option<RunFolder>,
    header: Header,
    rows: Vec<Row>,
}

/// A run that has ended: what the reports are drawn from.
#[derive(Debug)]
pub struct Recorded {
    pub saved: Saved,
    /// The folder, where there is one.
    pub folder: Option<PathBuf>,
}

impl Recorder {
    /// Makes the folder, unless `--out none`. `settings` are the verb's, resolved: with `common` they are the plan.
    pub fn begin<T: Serialize>(job: &Job, settings: &T) -> Result<Recorder, Failure> {
        let header = Header::begin(job.verb, job.argv.clone(), job.common.seed.unwrap_or_default());
        let common = Common {
            concurrency: u32::try_from(job.concurrency()).ok(),
            threads: u32::try_from(job.threads()).ok(),
            ..job.common.clone()
        };
        let plan = plan_toml(job.verb, &common, settings)?;
        let folder = match job.common.out.as_deref().unwrap_or(DEFAULT_BASE) {
            "none" => None,
            DEFAULT_BASE => Some(RunFolder::create(Path::new(DEFAULT_BASE), &header, &plan)?),
            given => Some(place(Path::new(given), &header, &plan)?),
        };
        Ok(Recorder { folder, header, rows: Vec::new() })
    }

    /// A line that is shown before any figure.
    pub fn warn(&mut self, job: &Job, line: impl Into<String>) {
        let line = line.into();
        job.output.warn(&line);
        self.header.warnings.push(line);
    }

    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Where the report will be.
    pub fn report_path(&self) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.path().join("report.html"))
    }

    /// Closes a run that cannot go on; one without a single row is taken away again.
    pub fn fail(self, failure: Failure) -> Failure {
        let path = self.folder.as_ref().map(|folder| folder.path().to_owned());
        let is_empty = self.rows.is_empty();
        let closed = self.finish(&failure.line(), false);
        match (path, closed) {
            (Some(path), Ok(_)) if is_empty => {
                // Nothing is lost if it stays.
                let _ = fs::remove_dir_all(path);
            }
            _ => {}
        }
        failure
    }

    /// Ends the run: CSV files, games and report are written, whether it was completed or broken off.
    pub fn finish(mut self, summary: &str, complete: bool) -> Result<Recorded, Failure> {
        self.header.summary = Some(summary.to_owned());
        self.header.complete = complete;
        self.header.finished = Some(crate::record::utc::now());
        let folder = self.folder.map(|folder| folder.finish(&self.header)).transpose()?;
        let path = folder.clone().unwrap_or_default();
        let recorded = Recorded { saved: Saved { path, header: self.header, rows: self.rows }, folder };
        if let Some(folder) = &recorded.folder {
            // The measurements are safe by now: a report that cannot be written does not undo them.
            if let Err(error) = report::files::write_saved(&recorded.saved, folder) {
                note(format_args!("warning: {error}"));
            }
        }
        Ok(recorded)
    }
}

impl Sink for Recorder {
    fn row(&mut self, row: Row) -> Result<(), StoreError> {
        if let Some(folder) = &mut self.folder {
            folder.row(row.clone())?;
        }
        self.rows.push(row);
        Ok(())
    }
}

/// `--out DIR`: a new or empty DIR becomes the run folder itself; in any other a run folder is made.
fn place(given: &Path, header: &Header, plan: &str) -> Result<RunFolder, StoreError> {
    let is_empty = match fs::read_dir(given) {
        Ok(mut entries) => entries.next().is_none(),
        Err(_) => !given.exists(),
    };
    if is_empty { RunFolder::create_at(given, header, plan) } else { RunFolder::create(given, header, plan) }
}

impl Recorded {
    /// The tables of this run for people.
    pub fn text(&self, job: &Job) -> String {
        report::text::summary(&self.saved.header, &self.saved.rows, job.output.width())
    }

    /// The last line and, where asked for, the document: JSON of everything, CSV of one kind of row.
    pub fn show(&self, job: &Job, summary: &Summary, kind: &str) -> Result<(), Failure> {
        self.show_all(job, &[], summary, kind, None)
    }

    /// The same with summary lines before the last.
    pub fn show_lines(
        &self,
        job: &Job,
        before: &[&Summary],
        last: &Summary,
        kind: &str,
    ) -> Result<(), Failure> {
        self.show_all(job, before, last, kind, None)
    }

    /// The same with something more in the JSON document, under a name of its own.
    pub fn show_with<T: Serialize>(
        &self,
        job: &Job,
        summary: &Summary,
        kind: &str,
        name: &str,
        more: &T,
    ) -> Result<(), Failure> {
        let more = serde_json::to_value(more).map_err(Failure::usage)?;
        self.show_all(job, &[], summary, kind, Some((name, more)))
    }

    fn show_all(
        &self,
        job: &Job,
        before: &[&Summary],
        last: &Summary,
        kind: &str,
        more: Option<(&str, Value)>,
    ) -> Result<(), Failure> {
        if job.output.format == Format::Csv {
            let text = self.csv(kind)?;
            job.output.csv(|| text)?;
        }
        job.output.json(|| {
            let mut document = json!({
                "summary": last.json(),
                "header": self.saved.header,
                "folder": self.folder,
                "rows": self.saved.rows,
            });
            if !before.is_empty() {
                document["before"] = before.iter().map(|line| line.json()).collect();
            }
            if let Some((name, more)) = more {
                document[name] = more;
            }
            document
        })?;
        for line in before {
            job.output.summary(line)?;
        }
        job.output.summary(last)
    }

    /// The table of one kind (`perft`, `games`, …), from the folder or, without one, by way of a temporary one.
    fn csv(&self, kind: &str) -> Result<String, Failure> {
        let name = format!("{kind}.csv");
        let read = |path: PathBuf| match fs::read_to_string(&path) {
            Ok(text) => Ok(text),
            // No rows of this kind.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
            Err(error) => Err(Failure::unreadable(path.display(), &error)),
        };
        if let Some(folder) = &self.folder {
            return read(folder.join(name));
        }
        let folder = std::env::temp_dir().join(format!("gauntlet-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|error| Failure::unreadable(folder.display(), &error))?;
        let mut tables = Tables::new(&folder);
        let written =
            self.saved.rows.iter().try_for_each(|row| tables.write(row)).and_then(|()| tables.finish());
        let text = written.map_err(Failure::from).and_then(|()| read(folder.join(name)));
        // Left behind it does no harm.
        let _ = fs::remove_dir_all(&folder);
        text
    }
}

/// Runs a trial under a progress bar. `Err` is what the verb should end with: the folder is closed by then, or, where not
/// one row came, gone.
pub fn measure<T>(
    job: &Job,
    mut recorder: Recorder,
    work: impl FnOnce(&mut dyn Sink, &Progress) -> Result<T, TrialError>,
) -> Result<(Recorder, T), Ended> {
    let progress = Progress::with_stop(job.signals.shared());
    let read = || Reading {
        stage: job.verb.to_owned(),
        done: progress.done(),
        total: progress.total(),
        note: String::new(),
    };
    let result = watch(&job.output, read, || work(&mut recorder, &progress));
    match result {
        Ok(done) => Ok((recorder, done)),
        Err(TrialError::Interrupted) => Err(broken_off(job, recorder)),
        Err(error) => Err(Ended::Failed(recorder.fail(trial_failure(&error)))),
    }
}

/// How a verb ends that could not do all it should.
#[derive(Debug)]
pub enum Ended {
    Interrupted(Exit),
    Failed(Failure),
}

impl Ended {
    pub fn into_result(self) -> Result<Exit, Failure> {
        match self {
            Ended::Interrupted(exit) => Ok(exit),
            Ended::Failed(failure) => Err(failure),
        }
    }
}

/// Bad input ends with 2, an engine that failed with 4.
fn trial_failure(error: &TrialError) -> Failure {
    match error {
        // It did not fail; it was asked for what UCI does not promise.
        TrialError::Subject(error) if error.is_no_perft() => Failure::usage(error),
        TrialError::Subject(error) => Failure::engine(error),
        other => Failure::usage(other),
    }
}

/// Closes a run that a signal broke off, with a word on where its results are.
pub fn broken_off(job: &Job, recorder: Recorder) -> Ended {
    match recorder.finish("interrupted", false) {
        Ok(Recorded { folder: Some(folder), .. }) => {
            note(format_args!("gauntlet: interrupted; the results so far are in {}", folder.display()));
        }
        Ok(_) => note("gauntlet: interrupted"),
        Err(failure) => return Ended::Failed(failure),
    }
    Ended::Interrupted(job.signals.caught().map_or(Exit::Inconclusive, Exit::Signal))
}
