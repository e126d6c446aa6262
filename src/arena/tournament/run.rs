//! Runs a tournament: what is drawn is played by the pool, then the next is drawn. Decides nothing itself.

use super::course::{Drawn, of_pair};
use super::knockout::Bracket;
use super::plan::{Format, TournamentPlan};
use super::resume::Prefix;
use super::scorer::Scorer;
use super::standings;
use crate::arena::engines::with_hall;
use crate::arena::hall::Hall;
use crate::arena::ledger::{PlayedPair, Stop};
use crate::arena::observer::Observer;
use crate::arena::pool::{self, Broken, Pieces};
use crate::arena::run::{MatchError, mean, openings_or_start, watched};
use crate::arena::seat::Seat;
use crate::arena::stopping::Ended;
use crate::arena::validity::{self, Doubts, Observed, Surroundings};
use crate::arena::worker::Worker;
use crate::record::{Row, Sink, StandingRow, Status, Verdict};
use crate::subject::Session;
use crate::suite::Opening;

/// A finished, or broken off, tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct TournamentOutcome {
    /// Best first; empty before the first pair of games.
    pub standings: Vec<StandingRow>,
    pub games: u64,
    pub stop: Stop,
    /// Why the figures are not valid, if they are not.
    pub invalid: Option<String>,
    /// What else should be known before the figures are looked at.
    pub warnings: Vec<String>,
}

/// Plays a tournament, behind the pairs that were committed before it was broken off. Games and pairs go to `sink` as they are
/// committed, after each encounter its outcome, at the end standings and a verdict. No openings = the start position.
///
/// # Errors
/// A plan that makes no sense, an engine that cannot be started before the first game, a record that cannot be written. An
/// engine that fails later is no error but [`Stop::EngineFailed`].
pub fn run(
    prefix: Prefix<'_>,
    openings: &[Opening],
    session: &Session,
    sink: &mut dyn Sink,
    observer: &dyn Observer,
) -> Result<TournamentOutcome, MatchError> {
    let plan = prefix.course.plan;
    let engines: Vec<_> = plan.engines.iter().collect();
    with_hall(&plan.each, &engines, session, observer, |hall| run_with(prefix, openings, hall, sink))
}

/// The same with players from `hall`.
pub fn run_with(
    prefix: Prefix<'_>,
    openings: &[Opening],
    hall: &Hall<'_>,
    sink: &mut dyn Sink,
) -> Result<TournamentOutcome, MatchError> {
    let plan = prefix.course.plan;
    plan.check()?;
    let openings = &*openings_or_start(openings);
    let started = hall.clock.now();
    let pressure = || if plan.is_timed() { (hall.pressure)() } else { None };
    let pressure_before = pressure();
    let mut scorer = Scorer::new(prefix.course, &prefix.open, sink, hall.observer)?;
    let mut play = || play(plan, openings, hall, &mut scorer, sink);
    let (played, late) = if plan.is_timed() { watched(play) } else { (play(), None) };
    let is_over = played?;
    scorer.close(sink)?;
    let around = Surroundings {
        cores: hall.cores,
        pressure_before,
        pressure_after: pressure(),
        lateness: late.zip(mean(scorer.thought)),
    };
    let outcome = outcome(&scorer, is_over, &around);
    for standing in &outcome.standings {
        sink.row(Row::Standing(standing.clone()))?;
    }
    if outcome.stop != Stop::Interrupted {
        let time = hall.clock.now().saturating_sub(started);
        let time_ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        sink.row(Row::Verdict(verdict(plan, &outcome, time_ms)))?;
    }
    Ok(outcome)
}

/// True if the tournament came to its end.
fn play(
    plan: &TournamentPlan,
    openings: &[Opening],
    hall: &Hall<'_>,
    scorer: &mut Scorer<'_>,
    sink: &mut dyn Sink,
) -> Result<bool, MatchError> {
    let schedule = plan.each.schedule(openings.len());
    let mut is_first = true;
    while scorer.draw() {
        let drawn = scorer.course.drawn();
        let (first, end) = (scorer.next(), scorer.course.end());
        let workers = plan.each.concurrency.min(usize::try_from(end - first).unwrap_or(usize::MAX));
        let played = pool::run(
            Pieces { first, end, workers },
            hall.stop,
            |worker| {
                let table = Worker::new(openings, hall, worker);
                // An engine that is not there should be known before hours of games.
                for engine in (worker..plan.engines.len()).step_by(workers.max(1)).filter(|_| is_first) {
                    Seat::take(hall.start, engine)?;
                }
                Ok(table)
            },
            |worker: &mut Worker<'_>, pair, halt| {
                // The pool is given pairs of these encounters alone.
                let Some(Drawn { encounter, plan, .. }) = of_pair(&drawn, pair) else {
                    return PlayedPair::default();
                };
                worker.play_pair(plan, encounter.engines, &schedule.pair(pair), halt)
            },
            |index, pair| scorer.offer(index, pair, sink),
        );
        match played {
            Ok(()) => {}
            Err(Broken::Start(fault)) => return MatchError::of_start(fault).map_or(Ok(false), Err),
            Err(Broken::Take(error)) => return Err(MatchError::Store(error)),
        }
        if scorer.next() < end || scorer.failed.is_some() {
            return Ok(false);
        }
        is_first = false;
    }
    Ok(true)
}

fn outcome(scorer: &Scorer<'_>, is_over: bool, around: &Surroundings) -> TournamentOutcome {
    let course = &scorer.course;
    let plan = course.plan;
    let games = course.results.games();
    let scores = course.results.scores();
    let observed: Vec<Observed> = plan
        .engines
        .iter()
        .zip(&course.conduct)
        .zip(&scores)
        .map(|((engine, conduct), score)| Observed { engine, games: score.games, conduct: *conduct })
        .collect();
    let Doubts { invalid, mut warnings } =
        validity::doubts_of(&observed, games, plan.each.concurrency, around);
    if plan.format == Format::Knockout {
        for (round, engines) in Bracket::new(&plan.field(), &course.played.met).by_order {
            let [winner, loser] = engines.map(|engine| plan.engines[engine].name.as_str());
            warnings.push(format!(
                "round {round}: {winner} and {loser} were level after all play-offs; {winner} goes on, being named first"
            ));
        }
    }
    let standings = if games > 0 { standings::rows(course) } else { Vec::new() };
    let first =
        standings.iter().filter(|row| row.rank == 1).map(|row| row.engine.as_str()).collect::<Vec<_>>();
    if let (true, [winner, _, ..]) = (is_over, first.as_slice()) {
        warnings.push(format!("{} share the first place; {winner} was named first", first.join(", ")));
    }
    TournamentOutcome {
        games,
        stop: match (&scorer.failed, is_over) {
            (Some(why), _) => Stop::EngineFailed(why.clone()),
            (None, true) => Stop::Planned(Ended::AllPlayed),
            (None, false) => Stop::Interrupted,
        },
        invalid: (!invalid.is_empty()).then(|| invalid.join("; ")),
        warnings,
        standings,
    }
}

fn verdict(plan: &TournamentPlan, outcome: &TournamentOutcome, time_ms: u64) -> Verdict {
    let what = format!("{} of {} engines, {} games", plan.format.id(), plan.engines.len(), outcome.games);
    let winner = outcome.standings.first().filter(|_| matches!(outcome.stop, Stop::Planned(_)));
    let summary = match (&outcome.stop, &outcome.invalid, winner) {
        (Stop::EngineFailed(why), ..) => format!("{what}: broken off: {why}"),
        (_, Some(why), _) => format!("{what}: not valid: {why}"),
        (_, None, Some(winner)) => format!("{what}: {} wins", winner.engine),
        (_, None, None) => what,
    };
    let is_clear = outcome.invalid.is_none() && winner.is_some();
    let figures = winner
        .map(|winner| vec![("winner", winner.engine.clone()), ("points", winner.points().to_string())])
        .unwrap_or_default();
    Verdict {
        stage: "tournament".to_owned(),
        status: if is_clear { Status::Info } else { Status::Inconclusive },
        summary,
        checks: 0,
        failed: 0,
        figures: figures.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        meaning: String::new(),
        time_ms,
    }
}
