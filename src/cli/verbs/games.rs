//! `gauntlet match` and `gauntlet sprt`: games in pairs with colours swapped.

mod playing;
mod settings;
mod tournament;

use super::stats::Hypotheses;
use crate::arena::engines;
use crate::arena::observer::Counters;
use crate::arena::outcome::MatchOutcome;
use crate::arena::plan::{MatchPlan, SprtPlan};
use crate::arena::resume::Prefix;
use crate::arena::run::openings_or_start;
use crate::cli::Job;
use crate::cli::args::unset;
use crate::cli::exit::{Exit, Failure};
use crate::cli::figures::{exact, exact_or_na};
use crate::cli::output::Summary;
use crate::cli::progress::Reading;
use crate::cli::runs::Recorder;
use crate::cli::written::Wanted;
use crate::record::SprtOutcome;
use crate::report::files::Form;
use crate::stats::{Bounds, Decision};
use crate::suite::Book;
use clap::Args;
use playing::{Ended, Listener, Shown, Stage};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The flags of both.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Games {
    /// An engine (`embedded:lmr=off`, `cmd=stockfish,tc=10+0.1`, `cmd=phalanx,proto=xboard`, ...); give it twice (or, to `match`,
    /// more often: a tournament)
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
    /// Print the standing to stderr about every N pairs (10 on a terminal, otherwise never; 0: never)
    #[arg(long, value_name = "N")]
    pub rating_interval: Option<u64>,
    /// Show the report while the games are played, at http://ADDR:PORT/ (PORT alone: to this machine only; 0: any free one)
    #[arg(long, value_name = "ADDR:PORT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live: Option<String>,
    /// Go on with the match of this run folder where it was broken off
    #[arg(long, value_name = "RUN")]
    pub resume: Option<PathBuf>,
}

impl Games {
    /// Files that grow with the games beside those of the run folder.
    fn files(&self, verb: &str) -> Vec<Wanted<'_, Form>> {
        vec![
            ("--pgn", self.pgn.as_deref(), Form::pgn(verb)),
            ("--final-positions", self.final_positions.as_deref(), Form::FinalPositions),
            ("--events", self.events.as_deref(), Form::Events),
        ]
    }

    /// The file that the openings come from.
    fn book(&self) -> Option<(&'static str, &Path)> {
        let mut keys = self.openings.as_deref()?.split(',');
        keys.find_map(|key| Some(("--openings", Path::new(key.trim().strip_prefix("file=")?))))
    }

    /// As they stand in the plan of the run.
    fn recorded(&self) -> Games {
        Games { resume: None, live: None, ..self.clone() }
    }
}

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
#[command(after_help = "Examples:
  gauntlet match --engine embedded --engine cmd=./old --each tc=10+0.1 --pairs 100
  gauntlet match --engine cmd=./a --engine cmd=./b --engine cmd=./c --each nodes=9000 --pairs 10
  gauntlet match --engine cmd=./new --engine cmd=./old --each tc=10+0.1,ponder=on --pairs 100 --rating-interval 5
  gauntlet match --engine cmd=./new --engine cmd=./old --each tc=10+0.1 --pairs 500 --live 8080
  gauntlet match --tournament swiss --rounds 3 --pairs 2 --each nodes=1000 --engine ...

Two engines play one match in any format, --rounds times --pairs pairs. A bye in a Swiss counts as an encounter won in \
full. A drawn encounter of a knockout is played on by up to 4 pairs; then the engine named earlier goes on.")]
pub struct Match {
    #[command(flatten)]
    #[serde(flatten)]
    pub games: Games,
    /// Pairs of games; in a tournament: of every encounter; with --error-bar the most there may be
    #[arg(long, value_name = "N")]
    pub pairs: Option<u64>,
    /// Stop once half of the 95 % interval is no more than so many Elo (two engines)
    #[arg(long, value_name = "ELO")]
    pub error_bar: Option<f64>,
    /// Of three engines or more: roundrobin (unless told otherwise), gauntlet (the first against each other one), swiss, knockout
    #[arg(long, value_name = "FORMAT")]
    pub tournament: Option<String>,
    /// Rounds of a Swiss (as many as name a winner unless told otherwise), or how often everybody is met (once)
    #[arg(long, value_name = "N")]
    pub rounds: Option<u32>,
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
    let format = tournament::format(settings)?;
    if settings.games.engine.len() > 2 {
        if settings.error_bar.is_some() {
            return Err(Failure::usage(
                "--error-bar: a tournament of more than two engines has no single error bar",
            ));
        }
        return tournament::run(settings, format, pairs, job);
    }
    let pairs = pairs.saturating_mul(u64::from(settings.rounds.unwrap_or(1)));
    let (mut plan, book) = settings::of_two(&settings.games, job, pairs)?;
    plan.error_bar = settings.error_bar;
    plan.stopping().map_err(Failure::usage)?;
    let recorded = Match { games: settings.games.recorded(), ..settings.clone() };
    let (recorder, outcome) = match play(&plan, &book, &recorded, &settings.games, job)? {
        Ok(played) => played,
        Err(exit) => return Ok(exit),
    };
    let summary = score(Summary::new("match"), &outcome);
    playing::end(recorder, &ended(&outcome), &summary, "games", job, Exit::Ok)
}

/// Exit 0 with H1, 1 with H0, 3 undecided.
pub fn run_sprt(settings: &Sprt, job: &Job) -> Result<Exit, Failure> {
    let test = settings.hypotheses.test(settings.model.as_deref())?;
    let (mut plan, book) = settings::of_two(&settings.games, job, settings.max_pairs.unwrap_or(MOST_PAIRS))?;
    plan.sprt = Some(SprtPlan {
        elo0: test.elo0(),
        elo1: test.elo1(),
        alpha: test.alpha(),
        beta: test.beta(),
        model: test.model(),
    });
    let recorded = Sprt { games: settings.games.recorded(), ..settings.clone() };
    let (recorder, outcome) = match play(&plan, &book, &recorded, &settings.games, job)? {
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
    playing::end(recorder, &ended(&outcome), &summary, "games", job, exit)
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

/// Plays the match of two; the inner `Err` is the exit of one that a signal ended.
fn play<T: Serialize>(
    plan: &MatchPlan,
    book: &Book,
    settings: &T,
    games: &Games,
    job: &Job,
) -> Result<Result<(Recorder, MatchOutcome), Exit>, Failure> {
    #[cfg(target_os = "linux")]
    crate::cli::pages::let_go_of_code();
    let openings = openings_or_start(&book.openings);
    let mut prefix = Prefix::default();
    let shown = Shown { planned: planned(plan), test: plan.sprt.as_ref().and_then(told) };
    let (recorder, session) =
        playing::recorder(settings, games, shown, job, &mut |row| prefix.take(plan, &openings, row))?;
    let (engines, concurrency, repeats) = (&plan.engines, plan.concurrency, plan.pairs > 1);
    let stage = Stage { job, book, engines, concurrency, repeats, interval: games.rating_interval };
    let read = |listener: &Listener| reading(&listener.counters, plan, job.verb);
    let work = |recorder: &mut Recorder, listener: &Listener| {
        engines::resume(plan, &book.openings, &prefix, &session, recorder, listener)
    };
    playing::play(&stage, recorder, Listener::default(), read, work, ended)
}

fn ended(outcome: &MatchOutcome) -> Ended<'_> {
    let MatchOutcome { stop, warnings, invalid, .. } = outcome;
    Ended { stop, warnings, invalid: invalid.as_deref() }
}

fn reading(counters: &Counters, plan: &MatchPlan, stage: &str) -> Reading {
    use std::sync::atomic::Ordering::Relaxed;
    let score = [&counters.wins, &counters.draws, &counters.losses].map(|count| count.load(Relaxed));
    let mut note = format!("pairs  +{} ={} -{}", score[0], score[1], score[2]);
    if plan.sprt.is_some() {
        note.push_str(&format!("  LLR {:+.2}", counters.llr()));
    }
    // Where it is not known how many pairs it will take: no bar.
    let total = planned(plan).unwrap_or(0);
    Reading { stage: stage.to_owned(), done: counters.pairs.load(Relaxed), total, note, told: None }
}

/// How many pairs it will take; not known where the results decide.
fn planned(plan: &MatchPlan) -> Option<u64> {
    (plan.sprt.is_none() && plan.error_bar.is_none()).then_some(plan.pairs)
}

/// The test, before its first pair.
fn told(plan: &SprtPlan) -> Option<SprtOutcome> {
    let SprtPlan { elo0, elo1, alpha, beta, model } = *plan;
    let bounds = Bounds::new(alpha, beta).ok()?;
    Some(SprtOutcome {
        model: model.id().to_owned(),
        elo0,
        elo1,
        alpha,
        beta,
        lower: bounds.lower,
        upper: bounds.upper,
        ..SprtOutcome::default()
    })
}
