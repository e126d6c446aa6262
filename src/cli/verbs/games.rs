//! `gauntlet match` and `gauntlet sprt`: games in pairs with colours swapped.

mod flags;
mod playing;
mod settings;
mod tournament;

use crate::arena::engines;
use crate::arena::observer::Counters;
use crate::arena::outcome::MatchOutcome;
use crate::arena::plan::{MatchPlan, SprtPlan};
use crate::arena::resume::Prefix;
use crate::arena::run::openings_or_start;
use crate::cli::Job;
use crate::cli::exit::{Exit, Failure};
use crate::cli::figures::{exact, exact_or_na};
use crate::cli::output::Summary;
use crate::cli::progress::Reading;
use crate::cli::runs::Recorder;
use crate::record::SprtOutcome;
use crate::stats::{Bounds, Decision};
use crate::suite::Book;
pub use flags::{Games, Match, Sprt};
use playing::{Ended, Listener, Shown, Stage};
use serde::Serialize;

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
