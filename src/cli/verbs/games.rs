//! `gauntlet match` and `gauntlet sprt`: games in pairs with colours swapped.

use super::stats::Hypotheses;
use crate::arena::adjudicate::{Adjudication, DrawRule, ResignRule};
use crate::arena::engines;
use crate::arena::ledger::Stop;
use crate::arena::observer::{Counters, Observer};
use crate::arena::outcome::MatchOutcome;
use crate::arena::plan::{MatchPlan, SprtPlan};
use crate::arena::resume::Prefix;
use crate::arena::run::{MatchError, openings_or_start};
use crate::arena::schedule::Order;
use crate::cli::Job;
use crate::cli::args::unset;
use crate::cli::config::first_difference;
use crate::cli::exit::{Exit, Failure};
use crate::cli::figures::{exact, exact_or_na};
use crate::cli::output::Summary;
use crate::cli::pairs::Pairs;
use crate::cli::progress::{Reading, watch};
use crate::cli::runs::{self, Recorder};
use crate::record::{Cost, GameRow, Meter, PairRow, RunFolder, StoreError};
use crate::report::files::Form;
use crate::stats::Decision;
use crate::suite::{self, Book, OpeningFormat, Take};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The flags of both.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Games {
    /// An engine; give it twice
    #[arg(long, value_name = "SPEC")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub engine: Vec<String>,
    /// Settings for every engine (`tc=1+0.01`, `nodes=2000`, ...)
    #[arg(long, value_name = "K=V,...")]
    pub each: Option<String>,
    /// file=F,format=epd|pgn|polyglot,order=sequential|random|replacement,plies=N,start=N
    #[arg(long, value_name = "K=V,...")]
    pub openings: Option<String>,
    /// Adjudicate draws: movenumber=N,movecount=N,score=CP
    #[arg(long, value_name = "K=V,...")]
    pub draw: Option<String>,
    /// Adjudicate losses: movecount=N,score=CP,twosided=true|false
    #[arg(long, value_name = "K=V,...")]
    pub resign: Option<String>,
    /// Call a game a draw after this many moves
    #[arg(long, value_name = "N")]
    pub maxmoves: Option<u32>,
    /// Adjudicate by the Syzygy tables in this folder
    #[arg(long, value_name = "DIR")]
    pub syzygy: Option<PathBuf>,
    /// Milliseconds before a silent engine counts as hung
    #[arg(long, value_name = "MS")]
    pub hang_timeout: Option<u64>,
    /// Keep each game on processors of its own (Linux)
    #[arg(long)]
    #[serde(skip_serializing_if = "unset")]
    pub affinity: bool,
    /// Go on with a fresh process after an engine crashed; the game is lost for it
    #[arg(long)]
    #[serde(skip_serializing_if = "unset")]
    pub recover: bool,
    /// Write the games here too, one by one as they are committed
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Write the last position of each game here, as EPD
    #[arg(long, value_name = "FILE")]
    pub final_positions: Option<PathBuf>,
    /// Write every game (without its moves), pair and verdict here as it is committed, a line of JSON each
    #[arg(long, value_name = "FILE")]
    pub events: Option<PathBuf>,
    /// Go on with the match of this run folder where it was broken off
    #[arg(long, value_name = "RUN")]
    pub resume: Option<PathBuf>,
}

impl Games {
    /// Files that grow with the games beside those of the run folder.
    fn files(&self, verb: &str) -> Vec<(PathBuf, Form)> {
        let wanted = [
            (&self.pgn, Form::pgn(verb)),
            (&self.final_positions, Form::FinalPositions),
            (&self.events, Form::Events),
        ];
        wanted.into_iter().filter_map(|(path, form)| Some((path.clone()?, form))).collect()
    }

    /// As they stand in the plan of the run.
    fn recorded(&self) -> Games {
        Games { resume: None, ..self.clone() }
    }
}

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Match {
    #[command(flatten)]
    #[serde(flatten)]
    pub games: Games,
    /// Pairs of games; with --error-bar the most there may be
    #[arg(long, value_name = "N")]
    pub pairs: Option<u64>,
    /// Stop once half of the 95 % interval is no more than so many Elo
    #[arg(long, value_name = "ELO")]
    pub error_bar: Option<f64>,
}

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Sprt {
    #[command(flatten)]
    #[serde(flatten)]
    pub games: Games,
    #[command(flatten)]
    #[serde(flatten)]
    pub hypotheses: Hypotheses,
    /// normalized, logistic or bayeselo
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Undecided after this many pairs
    #[arg(long, value_name = "N")]
    pub max_pairs: Option<u64>,
}

/// A match is a measurement: whatever the score, it ends with 0.
pub fn run_match(settings: &Match, job: &Job) -> Result<Exit, Failure> {
    let pairs = match (settings.pairs, settings.error_bar) {
        (Some(pairs), _) => pairs,
        (None, Some(_)) => MOST_PAIRS,
        (None, None) => return Err(Failure::usage("match: --pairs is missing")),
    };
    let (mut plan, book) = plan(&settings.games, job, pairs)?;
    plan.error_bar = settings.error_bar;
    plan.stopping().map_err(Failure::usage)?;
    let recorded = Match { games: settings.games.recorded(), ..settings.clone() };
    let Played { recorder, outcome } = match play(&plan, &book, &recorded, &settings.games, job)? {
        Ok(played) => played,
        Err(exit) => return Ok(exit),
    };
    let summary = score(Summary::new("match"), &outcome);
    end(recorder, &outcome, &summary, job, Exit::Ok)
}

/// Exit 0 with H1, 1 with H0, 3 undecided.
pub fn run_sprt(settings: &Sprt, job: &Job) -> Result<Exit, Failure> {
    let test = settings.hypotheses.test(settings.model.as_deref())?;
    let (mut plan, book) = plan(&settings.games, job, settings.max_pairs.unwrap_or(MOST_PAIRS))?;
    plan.sprt = Some(SprtPlan {
        elo0: test.elo0(),
        elo1: test.elo1(),
        alpha: test.alpha(),
        beta: test.beta(),
        model: test.model(),
    });
    let recorded = Sprt { games: settings.games.recorded(), ..settings.clone() };
    let Played { recorder, outcome } = match play(&plan, &book, &recorded, &settings.games, job)? {
        Ok(played) => played,
        Err(exit) => return Ok(exit),
    };
    let decision = outcome.decision();
    let (llr, unbiased) = outcome.sprt.as_ref().map_or((0.0, None), |sprt| (sprt.llr, sprt.unbiased));
    let elo = outcome.elo.as_ref();
    let summary = Summary::new("sprt")
        .with("verdict", decision.id())
        .with("llr", exact(llr))
        .with("lower", exact(test.bounds().lower))
        .with("upper", exact(test.bounds().upper))
        .with("model", test.model().id())
        .with("pairs", outcome.tally.pairs())
        .with("penta", penta(&outcome))
        .with("elo", exact_or_na(elo.map(|elo| elo.elo)))
        .with("low", exact_or_na(elo.map(|elo| elo.interval().low)))
        .with("high", exact_or_na(elo.map(|elo| elo.interval().high)))
        .with("interval", elo.map_or("n/a", |elo| elo.interval().kind.id()))
        .with("unbiased", exact_or_na(unbiased));
    let exit = match decision {
        Decision::H1 => Exit::Ok,
        Decision::H0 => Exit::Failed,
        Decision::Undecided => Exit::Inconclusive,
    };
    end(recorder, &outcome, &summary, job, exit)
}

/// Pairs without a limit of their own: more than anybody waits for.
const MOST_PAIRS: u64 = crate::arena::plan::MOST_PAIRS;

fn score(summary: Summary, outcome: &MatchOutcome) -> Summary {
    let elo = outcome.elo.as_ref();
    summary
        .with("games", outcome.tally.games())
        .with("wins", outcome.tally.wins)
        .with("losses", outcome.tally.losses)
        .with("draws", outcome.tally.draws)
        .with("penta", penta(outcome))
        .with("elo", exact_or_na(elo.map(|elo| elo.elo)))
        .with("low", exact_or_na(elo.map(|elo| elo.interval().low)))
        .with("high", exact_or_na(elo.map(|elo| elo.interval().high)))
        .with("interval", elo.map_or("n/a", |elo| elo.interval().kind.id()))
        .with("los", exact_or_na(elo.map(|elo| elo.los)))
}

fn penta(outcome: &MatchOutcome) -> String {
    let [ll, ld, level, wd, ww] = outcome.tally.penta;
    format!("[{ll},{ld},{level},{wd},{ww}]")
}

fn plan(games: &Games, job: &Job, pairs: u64) -> Result<(MatchPlan, Book), Failure> {
    let [first, second] = games.engine.as_slice() else {
        return Err(Failure::usage(format!(
            "{}: two engines are needed, {} given",
            job.verb,
            games.engine.len()
        )));
    };
    let each = games.each.as_deref().unwrap_or_default();
    let Chosen { book, order, plies, start } = openings(games, pairs, job.common.seed.unwrap_or_default())?;
    let plain = MatchPlan::new(job.engine(first, each)?, job.engine(second, each)?, pairs);
    let plan = MatchPlan {
        hang_timeout_ms: games.hang_timeout.unwrap_or(plain.hang_timeout_ms),
        order,
        start,
        plies,
        adjudication: Adjudication { draw: draw(games)?, resign: resign(games)?, maxmoves: games.maxmoves },
        syzygy: games.syzygy.clone(),
        concurrency: job.concurrency(),
        affinity: games.affinity,
        recover: games.recover,
        seed: job.common.seed.unwrap_or_default(),
        ..plain
    };
    plan.stopping().map_err(Failure::usage)?;
    plan.processors().map_err(Failure::usage)?;
    Ok((plan, book))
}

/// The openings and how they are taken.
struct Chosen {
    book: Book,
    order: Order,
    plies: Option<u32>,
    start: u64,
}

/// `pairs` and `seed` say how many lines are drawn from a Polyglot book, and which.
fn openings(games: &Games, pairs: u64, seed: u64) -> Result<Chosen, Failure> {
    const KEYS: [&str; 5] = ["file", "format", "order", "plies", "start"];
    let keys = Pairs::parse("--openings", games.openings.as_deref().unwrap_or_default(), &KEYS)?;
    let mut order = match keys.text("order") {
        None | Some("sequential") => Order::Sequential,
        Some("random") => Order::Random,
        Some("replacement") => Order::Replacement,
        Some(other) => {
            let known = "sequential, random or replacement";
            return Err(Failure::usage(format!("--openings: order: `{other}` is not {known}")));
        }
    };
    let plies = keys.value("plies")?;
    let start = keys.value("start")?.unwrap_or(1);
    if start == 0 {
        return Err(Failure::usage("--openings: start: the first opening is number 1"));
    }
    let format = match keys.text("format") {
        Some(id) => Some(OpeningFormat::from_id(id).ok_or_else(|| {
            Failure::usage(format!("--openings: format: `{id}` is not epd, pgn or polyglot"))
        })?),
        None => None,
    };
    let book = match keys.text("file") {
        // Which lines and in which order is decided as they are drawn; they are then played as they come.
        Some(file) if format.or_else(|| OpeningFormat::from_path(file)) == Some(OpeningFormat::Polyglot) => {
            let take = match std::mem::take(&mut order) {
                Order::Sequential => Take::All,
                Order::Random => Take::Drawn { seed },
                Order::Replacement => Take::Repeating { seed },
            };
            let lines = usize::try_from(pairs.saturating_add(start - 1)).unwrap_or(usize::MAX);
            suite::polyglot_openings(file, take, plies.unwrap_or(suite::MOST_PLIES), lines)
                .map_err(Failure::usage)?
        }
        Some(file) => suite::openings(file, format, None).map_err(Failure::usage)?,
        None if games.openings.is_some() => return Err(Failure::usage("--openings: `file` is missing")),
        // The start position.
        None => Book::default(),
    };
    let count = book.openings.len() as u64;
    if start > count.max(1) {
        return Err(Failure::usage(format!(
            "--openings: start: there are only {count} openings, no number {start}"
        )));
    }
    Ok(Chosen { book, order, plies, start })
}

fn draw(games: &Games) -> Result<Option<DrawRule>, Failure> {
    let Some(text) = &games.draw else { return Ok(None) };
    let pairs = Pairs::parse("--draw", text, &["movenumber", "movecount", "score"])?;
    let movenumber = pairs.value("movenumber")?.unwrap_or(1);
    Ok(Some(DrawRule { movenumber, movecount: pairs.needed("movecount")?, score: pairs.needed("score")? }))
}

fn resign(games: &Games) -> Result<Option<ResignRule>, Failure> {
    let Some(text) = &games.resign else { return Ok(None) };
    let pairs = Pairs::parse("--resign", text, &["movecount", "score", "twosided"])?;
    let twosided = pairs.value("twosided")?.unwrap_or(false);
    Ok(Some(ResignRule { movecount: pairs.needed("movecount")?, score: pairs.needed("score")?, twosided }))
}

/// Counts for the progress line, and keeps what is said about the engines until nobody plays any more.
#[derive(Debug, Default)]
struct Listener {
    counters: Counters,
    warnings: Mutex<Vec<String>>,
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
}

struct Played {
    recorder: Recorder,
    outcome: MatchOutcome,
}

/// Plays the match under a progress bar. The inner `Err` is the exit of a match that a signal ended.
fn play<T: Serialize>(
    plan: &MatchPlan,
    book: &Book,
    settings: &T,
    games: &Games,
    job: &Job,
) -> Result<Result<Played, Exit>, Failure> {
    let session = job.session()?;
    // Now, not after hours of games: a file that cannot be written. One that is to be gone on with keeps what it has until the
    // run is known to be of this plan.
    for (path, _) in games.files(job.verb).iter().filter(|_| games.resume.is_none()) {
        std::fs::File::create(path).map_err(|error| Failure::unreadable(path.display(), &error))?;
    }
    let (mut recorder, prefix) = match &games.resume {
        Some(run) => resume(run, plan, book, settings, games, job)?,
        None => {
            let mut recorder = Recorder::begin(job, settings)?;
            games.files(job.verb).into_iter().for_each(|(path, form)| recorder.grow(path, form));
            (recorder, Prefix::default())
        }
    };
    for warning in &book.warnings {
        recorder.warn(job, warning.as_str());
    }
    let listener = Listener::default();
    let read = || reading(&listener.counters, plan, job.verb);
    #[cfg(target_os = "linux")]
    crate::cli::pages::let_go_of_code();
    let meter = Meter::begin();
    let openings = &book.openings;
    let result = watch(&job.output, read, || {
        engines::resume(plan, openings, &prefix, &session, &mut recorder, &listener)
    });
    recorder.set_cost(cost(&meter, &listener.counters, plan));
    for warning in listener.warnings.into_inner().unwrap_or_else(PoisonError::into_inner) {
        recorder.warn(job, warning);
    }
    let outcome = match result {
        Ok(outcome) => outcome,
        Err(error @ MatchError::Start(_)) => return Err(recorder.fail(Failure::engine(error))),
        Err(error) => return Err(recorder.fail(Failure::usage(error))),
    };
    for warning in &outcome.warnings {
        recorder.warn(job, warning.as_str());
    }
    if matches!(outcome.stop, Stop::Interrupted) {
        return runs::broken_off(job, recorder).into_result().map(Err);
    }
    if book.openings.is_empty() && plan.pairs > 1 {
        let repeat = "engines at fixed nodes or depth then repeat one game";
        recorder.warn(job, format!("without --openings every game begins at the initial position; {repeat}"));
    }
    Ok(Ok(Played { recorder, outcome }))
}

fn reading(counters: &Counters, plan: &MatchPlan, stage: &str) -> Reading {
    use std::sync::atomic::Ordering::Relaxed;
    let score = [&counters.wins, &counters.draws, &counters.losses].map(|count| count.load(Relaxed));
    let mut note = format!("pairs  +{} ={} -{}", score[0], score[1], score[2]);
    if plan.sprt.is_some() {
        note.push_str(&format!("  LLR {:+.2}", counters.llr()));
    }
    // How many pairs it will take is not known: no bar.
    let total = if plan.sprt.is_some() || plan.error_bar.is_some() { 0 } else { plan.pairs };
    Reading { stage: stage.to_owned(), done: counters.pairs.load(Relaxed), total, note }
}

/// Settings that say how a match is shown or spread over the machine, not what is played.
const NOT_OF_THE_MATCH: [&str; 11] = [
    "affinity",
    "out",
    "quiet",
    "format",
    "log",
    "threads",
    "concurrency",
    "pgn",
    "final-positions",
    "events",
    "resume",
];

/// Opens the folder of a match that was broken off, if it is one of this plan.
fn resume<T: Serialize>(
    run: &Path,
    plan: &MatchPlan,
    book: &Book,
    settings: &T,
    games: &Games,
    job: &Job,
) -> Result<(Recorder, Prefix), Failure> {
    let path = RunFolder::plan_path(run);
    let there =
        std::fs::read_to_string(&path).map_err(|error| Failure::unreadable(path.display(), &error))?;
    let here = runs::plan_of(job, settings)?;
    if let Some((key, there, here)) = first_difference(job.verb, &there, &here, &NOT_OF_THE_MATCH) {
        return Err(Failure::usage(format!(
            "{}: not a run of this plan: `{key}` is {there} there, {here} here",
            run.display()
        )));
    }
    let openings = openings_or_start(&book.openings);
    let mut prefix = Prefix::default();
    let recorder = Recorder::resume(job, run, games.files(job.verb), &mut |row| {
        let taken = prefix.take(plan, &openings, row);
        taken.map_err(|error| StoreError { path: run.to_owned(), what: error.to_string() })
    })?;
    Ok((recorder, prefix))
}

fn cost(meter: &Meter, counters: &Counters, plan: &MatchPlan) -> Cost {
    use std::sync::atomic::Ordering::Relaxed;
    Cost {
        games: counters.games.load(Relaxed),
        plies: counters.searches.load(Relaxed),
        search_us: counters.search_us.load(Relaxed),
        workers: plan.concurrency as u64,
        embedded: plan.engines.iter().map(|engine| u32::from(engine.is_embedded())).sum(),
        ..meter.cost()
    }
}

/// An engine that failed ends with 4, figures that are not valid with 3, whatever they say.
fn end(
    recorder: Recorder,
    outcome: &MatchOutcome,
    summary: &Summary,
    job: &Job,
    exit: Exit,
) -> Result<Exit, Failure> {
    let failed = if let Stop::EngineFailed(why) = &outcome.stop { Some(why) } else { None };
    let recorded = recorder.finish(&summary.to_string(), failed.is_none())?;
    job.output.text(recorded.text(job))?;
    recorded.show(job, summary, "games")?;
    match (failed, &outcome.invalid) {
        (Some(why), _) => Err(Failure::engine(why)),
        (None, Some(why)) => {
            job.output.warn(format_args!("not valid: {why}"));
            Ok(Exit::Inconclusive)
        }
        (None, None) => Ok(exit),
    }
}
