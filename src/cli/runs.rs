//! The run folder of a measuring verb: made before the first measurement, rows, CSV files and games written as they come,
//! closed with the report. In memory stays what the report is drawn from; without a folder (`--out none`) also the rows
//! themselves, if they are to be shown as one document.

use super::args::{Common, Format};
use super::config::plan_toml;
use super::exit::{Exit, Failure};
use super::live::{Bound, Server};
use super::output::{Summary, note};
use super::progress::{Reading, watch};
use super::written::Opened;
use super::{Job, Unwritten};
use crate::record::{
    Cost, Header, Row, RunFolder, Saved, Sink, SprtOutcome, Status, StoreError, Tables, Verdict, utc,
};
use crate::report::contest::Gathered;
use crate::report::digest::Digest;
use crate::report::files::{Form, Growing};
use crate::report::html::{self, Told};
use crate::report::live::Playing;
use crate::report::standing::Score;
use crate::report::{self, files};
use crate::trial::{Progress, TrialError};
use serde::ser::{Error as _, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::cell::RefCell;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Where run folders are made unless told otherwise.
pub const DEFAULT_BASE: &str = "reports/runs";

/// A run that is being recorded.
#[derive(Debug)]
pub struct Recorder {
    folder: Option<RunFolder>,
    header: Header,
    gathered: Gathered,
    /// Every row, where there is no folder to read them from and a document is wanted.
    rows: Option<Vec<Row>>,
    /// The games of the folder.
    games: Option<Growing>,
    /// Files that grow beside the folder's own.
    growing: Vec<Growing>,
    /// Files that are written when the run has ended, however it ends.
    beside: Vec<Opened<Beside>>,
    unwritten: Unwritten,
    /// How the games stand, for those who look on.
    score: Arc<Mutex<Score>>,
    /// Shows the run while it goes on.
    live: Option<Server>,
    /// Each verdict is told when it comes.
    tells: bool,
    /// The folder was there before: it is not taken away again, whatever happens.
    resumed: bool,
}

/// What is drawn from a whole run and stands beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Beside {
    /// JUnit XML under this name: checks and verdicts.
    Junit(String),
    /// The same with a suite for each stage.
    JunitByStage(String),
    /// What the stages said, for a CI system to show.
    Markdown,
}

/// A run that has ended: what the reports are drawn from.
#[derive(Debug)]
pub struct Recorded {
    header: Header,
    gathered: Gathered,
    rows: Vec<Row>,
    /// The folder, where there is one.
    pub folder: Option<PathBuf>,
}

impl Recorder {
    /// Makes the folder, unless `--out none`. `settings` are the verb's, resolved: with `common` they are the plan.
    pub fn begin<T: Serialize>(job: &Job, settings: &T) -> Result<Recorder, Failure> {
        let header = begun(job);
        let plan = plan_of(job, settings)?;
        let folder = match job.common.out.as_deref().unwrap_or(DEFAULT_BASE) {
            "none" => None,
            DEFAULT_BASE => Some(RunFolder::create(Path::new(DEFAULT_BASE), &header, &plan)?),
            given => Some(place(Path::new(given), &header, &plan)?),
        };
        let is_document = matches!(job.output.format, Format::Json | Format::Csv);
        let rows = (folder.is_none() && is_document).then(Vec::new);
        let games = folder.as_ref().map(|folder| games_of(folder.path(), job.verb));
        Ok(Recorder {
            folder,
            header,
            gathered: Gathered::new(job.common.seed.unwrap_or_default()),
            rows,
            games,
            growing: Vec::new(),
            beside: Vec::new(),
            unwritten: Arc::clone(&job.unwritten),
            score: Arc::default(),
            live: None,
            tells: false,
            resumed: false,
        })
    }

    /// Goes on with a run that was broken off. `keeps` sees its rows as [`RunFolder::reopen`] has it. `more`: files that get
    /// all rows, beside the folder's own.
    pub fn resume(
        job: &Job,
        path: &Path,
        more: Vec<Opened<Form>>,
        keeps: &mut dyn FnMut(&Row) -> Result<bool, StoreError>,
    ) -> Result<Recorder, StoreError> {
        // Broken off in its first moment, it has a plan and nothing else.
        let mut header = match path.join("header.json").exists() {
            true => Header::read(path)?,
            false => begun(job),
        };
        let mut games = games_of(path, &header.verb);
        let mut growing = grown(more);
        let (mut gathered, mut score) = (Gathered::new(header.seed), Score::default());
        let folder = RunFolder::reopen(path, keeps, &mut |row| {
            gathered.add(row);
            score.add(row);
            growing.iter_mut().chain([&mut games]).for_each(|file| file.add(row));
        })?;
        header.resumed.push(utc::now());
        header.label = job.common.label.clone().or(header.label);
        (header.finished, header.summary, header.complete) = (None, None, false);
        folder.write_header(&header)?;
        let score = Arc::new(Mutex::new(score));
        let live = None;
        Ok(Recorder {
            folder: Some(folder),
            header,
            gathered,
            rows: None,
            games: Some(games),
            growing,
            beside: Vec::new(),
            unwritten: Arc::clone(&job.unwritten),
            score,
            live,
            tells: false,
            resumed: true,
        })
    }

    /// Has rows written to these files, too.
    pub fn grow(&mut self, files: Vec<Opened<Form>>) {
        self.growing.extend(grown(files));
    }

    /// Has these files written at the end.
    pub fn write_beside(&mut self, files: Vec<Opened<Beside>>) {
        self.beside.extend(files);
    }

    /// Has a line on stderr for each stage that is over, where no bar shows how far the run is: in the log of a CI system.
    pub fn tell_stages(&mut self, job: &Job) {
        self.tells = !job.output.quiet && !job.output.progress();
    }

    /// What playing cost goes into the header.
    pub fn set_cost(&mut self, cost: Cost) {
        self.header.cost = Some(cost);
    }

    /// A line that is shown before any figure.
    pub fn warn(&mut self, job: &Job, line: impl Into<String>) {
        let line = line.into();
        job.output.warn(&line);
        // A run that is taken up again may have said so before.
        if !self.header.warnings.contains(&line) {
            self.header.warnings.push(line);
            self.live.iter().for_each(|live| live.header(&self.header));
        }
    }

    /// How the games stand, while they are played.
    pub fn score(&self) -> Arc<Mutex<Score>> {
        Arc::clone(&self.score)
    }

    /// Shows the run to those who look on, from now until it is closed.
    pub fn serve(
        &mut self,
        bound: Bound,
        planned: Option<u64>,
        test: Option<SprtOutcome>,
    ) -> Result<(), Failure> {
        let path = self.folder.as_ref().map(|folder| folder.path().to_owned()).unwrap_or_default();
        let mut playing = Playing::new(self.header.clone(), path, planned, test);
        if let Some(folder) = self.folder.as_ref().filter(|_| self.resumed) {
            Saved::stream(folder.path(), &mut |row| {
                playing.add(&row);
                Ok(())
            })?;
        }
        self.live = Some(Server::start(bound, playing)?);
        Ok(())
    }

    /// The rows, those of games left out.
    pub fn rows(&self) -> &[Row] {
        self.gathered.rows()
    }

    /// Where the report will be.
    pub fn report_path(&self) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.path().join("report.html"))
    }

    /// Closes a run that cannot go on; one without a single row is taken away again.
    pub fn fail(self, failure: Failure) -> Failure {
        let path = self.folder.as_ref().map(|folder| folder.path().to_owned());
        let is_empty = self.gathered.is_empty() && !self.resumed;
        let closed = self.end(&failure.line(), Some(Status::Fail));
        match (path, closed) {
            (Some(path), Ok(_)) if is_empty => {
                // Nothing is lost if it stays.
                let _ = fs::remove_dir_all(path);
            }
            _ => {}
        }
        failure
    }

    /// Ends the run: the report is written, whether it was completed or broken off.
    pub fn finish(self, summary: &str, complete: bool) -> Result<Recorded, Failure> {
        self.end(summary, (!complete).then_some(Status::Inconclusive))
    }

    /// `broken`: it ends before its time, and what that is in the eyes of a CI system.
    fn end(mut self, summary: &str, broken: Option<Status>) -> Result<Recorded, Failure> {
        self.header.summary = Some(summary.to_owned());
        self.header.complete = broken.is_none();
        self.header.finished = Some(crate::record::utc::now());
        // What stands elsewhere is written though the folder cannot be closed.
        let folder = self.folder.map(|folder| folder.finish(&self.header)).transpose();
        // The measurements are safe by now: games or a report that cannot be written do not undo them.
        if let Some(Err(error)) = self.games.map(Growing::finish) {
            note(format_args!("warning: {error}"));
        }
        let mut unwritten: Vec<String> = self
            .growing
            .into_iter()
            .filter_map(|file| file.finish().err())
            .map(|error| error.to_string())
            .collect();
        for (path, mut file, what) in self.beside {
            let text = beside(&what, &self.header, &self.gathered, broken);
            let written = file.write_all(text.as_bytes());
            unwritten.extend(written.err().map(|error| format!("{}: {error}", path.display())));
        }
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner).extend(unwritten);
        let folder = folder?;
        if let Some(folder) = &folder
            && let Err(error) = files::write_page(&self.header, &self.gathered, folder)
        {
            note(format_args!("warning: {error}"));
        }
        if let Some(live) = self.live.take() {
            let page = match &folder {
                Some(folder) => fs::read_to_string(folder.join("report.html")).ok(),
                None => {
                    let digest = Digest::gathered(&self.gathered);
                    Some(html::page(&[Told {
                        path: Path::new(""),
                        header: &self.header,
                        digest,
                        games: Vec::new(),
                        plan: Vec::new(),
                        is_beside: false,
                    }]))
                }
            };
            live.end(&self.header, page);
        }
        let rows = self.rows.unwrap_or_default();
        Ok(Recorded { header: self.header, gathered: self.gathered, rows, folder })
    }
}

fn begun(job: &Job) -> Header {
    let header = Header::begin(job.verb, job.argv.clone(), job.common.seed.unwrap_or_default());
    Header { label: job.common.label.clone(), ..header }
}

/// The plan of a run: its settings, resolved.
pub fn plan_of<T: Serialize>(job: &Job, settings: &T) -> Result<String, Failure> {
    let common = Common {
        concurrency: u32::try_from(job.concurrency()).ok(),
        threads: u32::try_from(job.threads()).ok(),
        ..job.common.clone()
    };
    plan_toml(job.verb, &common, settings)
}

impl Sink for Recorder {
    fn row(&mut self, row: Row) -> Result<(), StoreError> {
        if let Some(folder) = &mut self.folder {
            folder.append(&row)?;
        }
        self.growing.iter_mut().chain(&mut self.games).for_each(|file| file.add(&row));
        self.live.iter().for_each(|live| live.row(&row));
        if let Row::Verdict(Verdict { stage, status, summary, time_ms, .. }) = &row
            && self.tells
        {
            let seconds = *time_ms as f64 / 1000.0;
            note(format_args!(
                "{}: {stage}: {} after {seconds:.1} s: {summary}",
                self.header.verb,
                status.word()
            ));
        }
        self.gathered.add(&row);
        if matches!(row, Row::Game(_) | Row::Pair(_) | Row::Match(_)) {
            self.score.lock().unwrap_or_else(PoisonError::into_inner).add(&row);
        }
        if let Some(rows) = &mut self.rows {
            rows.push(row);
        }
        Ok(())
    }
}

fn grown(files: Vec<Opened<Form>>) -> Vec<Growing> {
    files.into_iter().map(|(path, file, form)| Growing::opened(path, form, file)).collect()
}

fn games_of(folder: &Path, verb: &str) -> Growing {
    Growing::new(folder.join("games.pgn"), Form::pgn(verb))
}

/// The text of a file beside the run. `broken`: the run has ended before its time, which is a row of its own in JUnit XML.
fn beside(what: &Beside, header: &Header, gathered: &Gathered, broken: Option<Status>) -> String {
    let ending = broken.map(|status| {
        let failed = u64::from(status == Status::Fail);
        Row::Verdict(Verdict {
            stage: format!("end of {}", header.verb),
            status,
            summary: header.summary.clone().unwrap_or_default(),
            checks: failed,
            failed,
            ..Verdict::default()
        })
    });
    let rows = || -> Vec<Row> { gathered.rows().iter().cloned().chain(ending).collect() };
    match what {
        Beside::Junit(name) => report::junit::document(name, &rows()),
        Beside::JunitByStage(name) => report::junit::by_stage(name, &rows()),
        Beside::Markdown => report::markdown::document(header, &Digest::gathered(gathered)),
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
        report::text::of(&self.header, &Digest::gathered(&self.gathered), job.output.width())
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
        job.output.json(|| Document {
            summary: last.json(),
            header: &self.header,
            folder: self.folder.as_deref(),
            rows: Rows { folder: self.folder.as_deref(), rows: &self.rows },
            before: before.iter().map(|line| line.json()).collect(),
            more: more.map(|(name, more)| (name.to_owned(), more)).into_iter().collect(),
        })?;
        // The lines of some verbs name it themselves.
        if let Some(folder) = self.folder.as_deref().filter(|_| last.json().get("report").is_none()) {
            job.output.text(format_args!("report: {}", folder.join("report.html").display()))?;
        }
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
        let written = self.rows.iter().try_for_each(|row| tables.write(row)).and_then(|()| tables.finish());
        let text = written.map_err(Failure::from).and_then(|()| read(folder.join(name)));
        // Left behind it does no harm.
        let _ = fs::remove_dir_all(&folder);
        text
    }
}

/// `--format json`.
#[derive(Serialize)]
struct Document<'a> {
    summary: Value,
    header: &'a Header,
    folder: Option<&'a Path>,
    rows: Rows<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    before: Vec<Value>,
    #[serde(flatten)]
    more: serde_json::Map<String, Value>,
}

/// Every row, read from the folder one by one where there is one: those of a long match are too many to be kept.
#[derive(Debug)]
pub struct Rows<'a> {
    pub folder: Option<&'a Path>,
    /// Those of a run without a folder.
    pub rows: &'a [Row],
}

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(folder) = self.folder else { return self.rows.serialize(serializer) };
        let sequence = RefCell::new(serializer.serialize_seq(None)?);
        Saved::stream(folder, &mut |row| {
            let written = sequence.borrow_mut().serialize_element(&row);
            written.map_err(|error| StoreError { path: "stdout".into(), what: error.to_string() })
        })
        .map_err(S::Error::custom)?;
        sequence.into_inner().end()
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
        ..Reading::default()
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
        // It did not fail; it was asked for what its protocol does not promise.
        TrialError::Subject(error) if error.is_no_perft() || error.is_unable() => Failure::usage(error),
        TrialError::Subject(error) => Failure::engine(error),
        TrialError::Engine(why) => Failure::engine(why),
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
