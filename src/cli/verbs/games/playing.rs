//! What matches and tournaments have in common while they run: the record, begun or taken up again, progress, signals, cost.

use super::flags::Games;
use crate::arena::ledger::Stop;
use crate::arena::observer::{Counters, Observer};
use crate::arena::resume::ResumeError;
use crate::arena::run::MatchError;
use crate::cli::Job;
use crate::cli::args::Format;
use crate::cli::config::first_difference;
use crate::cli::exit::{Exit, Failure};
use crate::cli::live::Bound;
use crate::cli::output::{Output, Summary};
use crate::cli::progress::{Reading, watch_telling};
use crate::cli::runs::{self, Recorder};
use crate::cli::written::{self, Opened};
use crate::file;
use crate::record::{Cost, GameRow, MatchRow, Meter, PairRow, Row, RunFolder, SprtOutcome, StoreError};
use crate::report;
use crate::report::files::Form;
use crate::report::standing::Score;
use crate::subject::{EngineSpec, Session};
use crate::suite::Book;
use serde::Serialize;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};

/// Counts for the progress line, and keeps what is said about the engines until nobody plays any more.
#[derive(Debug, Default)]
pub(super) struct Listener {
    pub counters: Counters,
    warnings: Mutex<Vec<String>>,
    /// The last encounter of a tournament that is over.
    last: Mutex<String>,
}

impl Listener {
    /// What the progress line says of a tournament.
    pub(super) fn last_encounter(&self) -> String {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Observer for Listener {
    fn warning(&self, text: &str) {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
    }

    fn game_finished(&self, game: &GameRow) {
        self.counters.game_finished(game);
    }

    fn pair_committed(&self, pair: &PairRow) {
        self.counters.pair_committed(pair);
    }

    fn encounter_finished(&self, m: &MatchRow) {
        let text = format!("{}: {} +{} ={} -{} {}", m.name, m.first, m.wins, m.draws, m.losses, m.second);
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }
}

/// What is played, as far as the record and its warnings are concerned.
#[derive(Debug)]
pub(super) struct Stage<'a> {
    pub job: &'a Job,
    pub book: &'a Book,
    pub engines: &'a [EngineSpec],
    pub concurrency: usize,
    /// Some two engines play more than one pair.
    pub repeats: bool,
    /// Pairs between two standings that are printed; none: as it is usual.
    pub interval: Option<u64>,
}

/// What those who look on are told before the first pair.
#[derive(Debug)]
pub(super) struct Shown {
    /// Pairs there will be, where that is known.
    pub planned: Option<u64>,
    pub test: Option<SprtOutcome>,
}

/// How it ended, as far as the exit code is concerned.
#[derive(Debug)]
pub(super) struct Ended<'a> {
    pub stop: &'a Stop,
    pub warnings: &'a [String],
    pub invalid: Option<&'a str>,
}

/// The record and what the engines share: a new one, or the one to be gone on with, whose rows `take` sees as [`RunFolder::reopen`] has it.
pub(super) fn recorder<T: Serialize>(
    settings: &T,
    games: &Games,
    shown: Shown,
    job: &Job,
    take: &mut dyn FnMut(&Row) -> Result<bool, ResumeError>,
) -> Result<(Recorder, Session), Failure> {
    // Now, too: an address that somebody else has.
    let bound = games.live.as_deref().map(Bound::new).transpose()?;
    let (mut recorder, session) = begin(settings, games, job, take)?;
    if let Some(bound) = bound
        && let Err(failure) = recorder.serve(bound, shown.planned, shown.test)
    {
        return Err(recorder.fail(failure));
    }
    Ok((recorder, session))
}

fn begin<T: Serialize>(
    settings: &T,
    games: &Games,
    job: &Job,
    take: &mut dyn FnMut(&Row) -> Result<bool, ResumeError>,
) -> Result<(Recorder, Session), Failure> {
    // What is there of a run that is to be gone on with is read.
    for entry in games.resume.iter().filter_map(|run| std::fs::read_dir(run).ok()).flatten().flatten() {
        file::reads(&entry.path()).map_err(|error| Failure::unreadable(entry.path().display(), &error))?;
    }
    let files = written::open(games.files(job.verb))?;
    let session = job.session()?;
    if let Some(run) = &games.resume {
        return Ok((resume(run, settings, files, job, take)?, session));
    }
    let mut recorder = Recorder::begin(job, settings)?;
    recorder.grow(files);
    Ok((recorder, session))
}

/// Plays under a progress bar. The inner `Err` is the exit of a match that a signal ended.
pub(super) fn play<O>(
    stage: &Stage<'_>,
    mut recorder: Recorder,
    listener: Listener,
    read: impl Fn(&Listener) -> Reading + Sync,
    work: impl FnOnce(&mut Recorder, &Listener) -> Result<O, MatchError>,
    ended: impl Fn(&O) -> Ended<'_>,
) -> Result<Result<(Recorder, O), Exit>, Failure> {
    let Stage { job, book, .. } = *stage;
    for warning in &book.warnings {
        recorder.warn(job, warning.as_str());
    }
    #[cfg(target_os = "linux")]
    crate::cli::pages::let_go_of_code();
    let meter = Meter::begin();
    let live = Live::new(stage, &recorder);
    let read = || {
        let reading = read(&listener);
        Reading { told: live.look(reading.done), ..reading }
    };
    let always = stage.interval.is_some() && live.every > 0;
    let result = watch_telling(&job.output, always, read, || work(&mut recorder, &listener));
    recorder.set_cost(cost(&meter, &listener.counters, stage));
    for warning in listener.warnings.into_inner().unwrap_or_else(PoisonError::into_inner) {
        recorder.warn(job, warning);
    }
    let outcome = match result {
        Ok(outcome) => outcome,
        Err(error @ MatchError::Start(_)) => return Err(recorder.fail(Failure::engine(error))),
        Err(error) => return Err(recorder.fail(Failure::usage(error))),
    };
    let Ended { stop, warnings, .. } = ended(&outcome);
    for warning in warnings {
        recorder.warn(job, warning.as_str());
    }
    if matches!(stop, Stop::Interrupted) {
        return runs::broken_off(job, recorder).into_result().map(Err);
    }
    if book.openings.is_empty() && stage.repeats {
        let repeat = "engines at fixed nodes or depth then repeat one game";
        recorder.warn(job, format!("without --openings every game begins at the initial position; {repeat}"));
    }
    Ok(Ok((recorder, outcome)))
}

/// Pairs between two standings, unless told otherwise.
const INTERVAL: u64 = 10;

/// The standing that is printed now and then; drawn by the thread that shows progress.
struct Live {
    score: Arc<Mutex<Score>>,
    output: Output,
    /// 0: never.
    every: u64,
    next: AtomicU64,
}

impl Live {
    fn new(stage: &Stage<'_>, recorder: &Recorder) -> Live {
        let output = stage.job.output;
        let wanted = output.format == Format::Text && !output.quiet;
        let every = if wanted { stage.interval.unwrap_or(INTERVAL) } else { 0 };
        Live { score: recorder.score(), output, every, next: AtomicU64::new(every) }
    }

    /// The standing, if it is due after so many pairs.
    fn look(&self, pairs: u64) -> Option<String> {
        if self.every == 0 || pairs < self.next.load(Relaxed) {
            return None;
        }
        self.next.store(pairs - pairs % self.every + self.every, Relaxed);
        // A copy: drawing it takes longer than who plays should wait.
        let score = self.score.lock().unwrap_or_else(PoisonError::into_inner).clone();
        report::text::so_far(&score, self.output.width())
    }
}

/// Settings that say how a match is shown or spread over the machine, not what is played.
const NOT_OF_THE_MATCH: [&str; 13] = [
    "out",
    "quiet",
    "format",
    "log",
    "threads",
    "concurrency",
    "affinity",
    "pgn",
    "final-positions",
    "events",
    "live",
    "rating-interval",
    "resume",
];

/// Opens the folder of a match that was broken off, if it is one of this plan.
fn resume<T: Serialize>(
    run: &Path,
    settings: &T,
    files: Vec<Opened<Form>>,
    job: &Job,
    take: &mut dyn FnMut(&Row) -> Result<bool, ResumeError>,
) -> Result<Recorder, Failure> {
    let path = RunFolder::plan_path(run);
    let there = file::settings(&path).map_err(|error| Failure::unreadable(path.display(), &error))?;
    let here = runs::plan_of(job, settings)?;
    if let Some((key, there, here)) = first_difference(job.verb, &there, &here, &NOT_OF_THE_MATCH) {
        return Err(Failure::usage(format!(
            "{}: not a run of this plan: `{key}` is {there} there, {here} here",
            run.display()
        )));
    }
    let recorder = Recorder::resume(job, run, files, &mut |row| {
        take(row).map_err(|error| StoreError { path: run.to_owned(), what: error.to_string() })
    })?;
    Ok(recorder)
}

fn cost(meter: &Meter, counters: &Counters, stage: &Stage<'_>) -> Cost {
    Cost {
        games: counters.games.load(Relaxed),
        plies: counters.searches.load(Relaxed),
        search_us: counters.search_us.load(Relaxed),
        workers: stage.concurrency as u64,
        embedded: stage.engines.iter().map(|engine| u32::from(engine.is_embedded())).sum(),
        ..meter.cost()
    }
}

/// An engine that failed ends with 4, figures that are not valid with 3, whatever they say. `kind`: the rows that
/// `--format csv` shows.
pub(super) fn end(
    recorder: Recorder,
    ended: &Ended<'_>,
    summary: &Summary,
    kind: &str,
    job: &Job,
    exit: Exit,
) -> Result<Exit, Failure> {
    let failed = if let Stop::EngineFailed(why) = ended.stop { Some(why) } else { None };
    let recorded = recorder.finish(&summary.to_string(), failed.is_none())?;
    job.output.text(recorded.text(job))?;
    recorded.show(job, summary, kind)?;
    match (failed, ended.invalid) {
        (Some(why), _) => Err(Failure::engine(why)),
        (None, Some(why)) => {
            job.output.warn(format_args!("not valid: {why}"));
            Ok(Exit::Inconclusive)
        }
        (None, None) => Ok(exit),
    }
}
