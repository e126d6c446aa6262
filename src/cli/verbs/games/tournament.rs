//! `gauntlet match` with three engines or more: a tournament.

use super::flags::Match;
use super::playing::{self, Ended, Listener, Shown, Stage};
use super::settings;
use crate::arena::ledger::Stop;
use crate::arena::run::openings_or_start;
use crate::arena::tournament::{self, Format, Prefix, TournamentOutcome, TournamentPlan};
use crate::cli::Job;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{Summary, one_word};
use crate::cli::progress::Reading;
use crate::cli::runs::Recorder;
use crate::suite::Book;
use std::sync::atomic::Ordering::Relaxed;

/// The format, with `--rounds` looked at as far as two engines go.
pub(super) fn format(settings: &Match) -> Result<Format, Failure> {
    let format = match settings.tournament.as_deref() {
        None => Format::default(),
        Some(id) => Format::from_id(id).ok_or_else(|| {
            let known = Format::ALL.map(Format::id).join(", ");
            Failure::usage(format!("--tournament: `{id}` is not one of {known}"))
        })?,
    };
    match settings.rounds {
        Some(0) => Err(Failure::usage("--rounds: must be at least 1, not 0")),
        Some(_) if format == Format::Knockout => {
            Err(Failure::usage("--rounds: a knockout has as many rounds as its bracket"))
        }
        _ => Ok(format),
    }
}

/// A tournament is a measurement, too: it ends with 0 whoever wins.
pub(super) fn run(settings: &Match, format: Format, pairs: u64, job: &Job) -> Result<Exit, Failure> {
    let (plan, book) = plan(settings, format, pairs, job)?;
    let recorded = Match { games: settings.games.recorded(), ..settings.clone() };
    let openings = openings_or_start(&book.openings);
    let mut prefix = Prefix::new(&plan);
    let planned = format.encounters(plan.engines.len(), settings.rounds).saturating_mul(pairs);
    let shown = Shown { planned: Some(planned), test: None };
    let (recorder, session) =
        playing::recorder(&recorded, &settings.games, shown, job, &mut |row| prefix.take(&openings, row))?;
    let repeats = pairs > 1 || settings.rounds.is_some_and(|rounds| rounds > 1);
    let concurrency = job.concurrency();
    let interval = settings.games.rating_interval;
    let stage = Stage { job, book: &book, engines: &plan.engines, concurrency, repeats, interval };
    let work = |recorder: &mut Recorder, listener: &Listener| {
        tournament::run(prefix, &book.openings, &session, recorder, listener)
    };
    let read = |listener: &Listener| Reading {
        stage: plan.format.id().to_owned(),
        done: listener.counters.pairs.load(Relaxed),
        total: planned,
        note: listener.last_encounter(),
        told: None,
    };
    let played = playing::play(&stage, recorder, Listener::default(), read, work, ended)?;
    let (recorder, outcome) = match played {
        Ok(played) => played,
        Err(exit) => return Ok(exit),
    };
    // Broken off, it has a table and no winner.
    let winner = outcome.standings.first().filter(|_| matches!(outcome.stop, Stop::Planned(_)));
    let summary = Summary::new("match")
        .with("engines", plan.engines.len())
        .with("games", outcome.games)
        .with("winner", winner.map_or("n/a".to_owned(), |winner| one_word(&winner.engine)))
        .with("points", winner.map_or("n/a".to_owned(), |winner| winner.points().to_string()));
    playing::end(recorder, &ended(&outcome), &summary, "standings", job, Exit::Ok)
}

fn ended(outcome: &TournamentOutcome) -> Ended<'_> {
    let TournamentOutcome { stop, warnings, invalid, .. } = outcome;
    Ended { stop, warnings, invalid: invalid.as_deref() }
}

fn plan(settings: &Match, format: Format, pairs: u64, job: &Job) -> Result<(TournamentPlan, Book), Failure> {
    let engines = settings::engines(&settings.games, job)?;
    let rounds = settings.rounds;
    let playoffs = if format == Format::Knockout { u64::from(tournament::MOST_PLAYOFFS) } else { 0 };
    let all = format.encounters(engines.len(), rounds).saturating_mul(pairs.saturating_add(playoffs));
    let (each, book) = settings::of_first_two(&settings.games, job, &engines, pairs, all)?;
    let plan = TournamentPlan { format, engines, rounds, each };
    plan.check().map_err(Failure::usage)?;
    Ok((plan, book))
}
