//! Whole matches of players that need no engine: the same at any concurrency, crashes, hangs, missing engines, stops.

use super::players::{Act, Mover, STARTPOS, Script, opening};
use gauntlet::arena::adjudicate::Adjudication;
use gauntlet::arena::hall::Hall;
use gauntlet::arena::ledger::Stop;
use gauntlet::arena::observer::{Counters, Observer};
use gauntlet::arena::outcome::MatchOutcome;
use gauntlet::arena::plan::{MatchPlan, PlanError, SprtPlan};
use gauntlet::arena::player::{Fault, Player, Reply};
use gauntlet::arena::run::{MatchError, run_with};
use gauntlet::arena::schedule::Order;
use gauntlet::record::{GameRow, PairRow, Row};
use gauntlet::rules::Line;
use gauntlet::stats::{Decision, Model};
use gauntlet::subject::EngineSpec;
use gauntlet::suite::Opening;
use gauntlet::time::FakeClock;
use gauntlet::types::Limit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

fn spec(name: &str) -> EngineSpec {
    EngineSpec::parse(&format!("embedded:name={name},nodes=1000")).unwrap()
}

fn plan(pairs: u64, concurrency: usize) -> MatchPlan {
    MatchPlan {
        concurrency,
        order: Order::Random,
        // Random movers shuffle about for long.
        adjudication: Adjudication { maxmoves: Some(60), ..Adjudication::default() },
        ..MatchPlan::new(spec("A"), spec("B"), pairs)
    }
}

fn book() -> Vec<Opening> {
    ["d2d4 d7d5", "e2e4 e7e5", "c2c4", "g1f3 g8f6 g2g3"]
        .into_iter()
        .enumerate()
        .map(|(index, moves)| {
            let mut opening = opening(STARTPOS);
            let mut line = Line::new(opening.start);
            for uci in moves.split(' ') {
                let mv = gauntlet::notation::uci_move::parse(uci, line.position()).unwrap();
                line.play(mv).unwrap();
                opening.moves.push(mv);
            }
            Opening { name: format!("book {index}"), number: index + 1, ..opening }
        })
        .collect()
}

type Outcome = (Result<MatchOutcome, MatchError>, Vec<Row>);

fn run(
    plan: &MatchPlan,
    start: impl Fn(usize) -> Result<Box<dyn Player>, Fault> + Sync,
    observer: &dyn Observer,
    stop: &AtomicBool,
) -> Outcome {
    let mut rows = Vec::new();
    let clock = FakeClock::new();
    let hall = Hall {
        start: &start,
        clock: &clock,
        tablebases: None,
        processors: None,
        observer,
        cores: 8,
        pressure: &|| Some(99.0),
        stop,
    };
    (run_with(plan, &book(), &hall, &mut rows), rows)
}

/// The greedy mover against the random one.
fn movers(engine: usize) -> Result<Box<dyn Player>, Fault> {
    Ok(Box::new(Mover::new(engine == 0)))
}

fn games(rows: &[Row]) -> Vec<&GameRow> {
    rows.iter().filter_map(|row| if let Row::Game(game) = row { Some(game) } else { None }).collect()
}

fn pairs(rows: &[Row]) -> Vec<&PairRow> {
    rows.iter().filter_map(|row| if let Row::Pair(pair) = row { Some(pair) } else { None }).collect()
}

#[test]
fn the_same_match_at_any_concurrency() {
    let sprt = SprtPlan { elo0: 0.0, elo1: 60.0, alpha: 0.05, beta: 0.05, model: Model::Normalized };
    let results: Vec<_> = [1, 2, 5]
        .into_iter()
        .map(|concurrency| {
            let plan = MatchPlan { sprt: Some(sprt), ..plan(2_000, concurrency) };
            let (outcome, rows) = run(&plan, movers, &(), &AtomicBool::new(false));
            let outcome = outcome.unwrap();
            assert_eq!(outcome.decision(), Decision::H1);
            let aside = games(&rows).iter().filter(|game| game.set_aside).count();
            assert!(aside <= 4 * concurrency, "{aside} games set aside at concurrency {concurrency}");
            let counted: Vec<Row> =
                rows.into_iter().filter(|row| !matches!(row, Row::Game(game) if game.set_aside)).collect();
            (outcome.row().sprt.unwrap().llr.to_bits(), counted)
        })
        .collect();
    assert!(results[0].1.len() > 30);
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0], results[2]);
}

#[test]
fn a_pair_is_one_opening_with_colours_swapped() {
    let (outcome, rows) = run(&plan(8, 2), movers, &(), &AtomicBool::new(false));
    let games = games(&rows);
    assert_eq!(games.len(), 16);
    let mut openings = Vec::new();
    for pair in games.chunks(2) {
        assert_eq!((pair[0].game, pair[1].game), (0, 1));
        assert_eq!((pair[0].white.as_str(), pair[0].black.as_str()), ("A", "B"));
        assert_eq!((pair[1].white.as_str(), pair[1].black.as_str()), ("B", "A"));
        assert_eq!(pair[0].opening, pair[1].opening);
        assert!(pair[0].plies[0].time_us.is_none(), "book moves have no time");
        openings.push(pair[0].opening.clone());
    }
    for round in openings.chunks_mut(4) {
        round.sort();
        assert_eq!(round, ["book 0", "book 1", "book 2", "book 3"]);
    }
    let outcome = outcome.unwrap();
    let last = pairs(&rows).last().copied().unwrap().clone();
    assert_eq!(
        (last.wins, last.draws, last.losses),
        (outcome.tally.wins, outcome.tally.draws, outcome.tally.losses)
    );
    let wins = games.iter().filter(|g| g.result == if g.game == 0 { "1-0" } else { "0-1" }).count();
    assert_eq!(wins as u64, outcome.tally.wins);
    assert!(
        matches!(rows.last(), Some(Row::Match(row)) if row.wins == outcome.tally.wins && row.elo.is_some())
    );
}

#[test]
fn br_088_an_engine_that_cannot_start_is_named_and_nothing_is_played() {
    let start = |engine| {
        if engine == 0 { movers(0) } else { Err(Fault::Unable("engine B: /bin/false ended".to_owned())) }
    };
    let (outcome, rows) = run(&plan(2, 2), start, &(), &AtomicBool::new(false));
    assert_eq!(outcome.unwrap_err().to_string(), "engine B: /bin/false ended");
    assert!(rows.is_empty());
}

/// SIGINT while an engine starts, at the beginning or again after a crash, is no failure of that engine.
#[test]
fn an_interrupt_while_an_engine_starts_is_an_interrupt() {
    let start = |engine| if engine == 0 { movers(0) } else { Err(Fault::Interrupted) };
    let (outcome, rows) = run(&plan(2, 2), start, &(), &AtomicBool::new(false));
    assert_eq!(outcome.unwrap().stop, Stop::Interrupted);
    assert!(games(&rows).is_empty());

    let (alive, started) = (Arc::new(AtomicUsize::new(1)), AtomicUsize::new(0));
    let start = |engine| match engine {
        0 => movers(0),
        _ if started.fetch_add(1, Ordering::SeqCst) > 0 => Err(Fault::Interrupted),
        _ => Ok(Box::new(Mortal { alive: alive.clone() }) as Box<dyn Player>),
    };
    let plan = MatchPlan { recover: true, ..plan(2, 1) };
    let (outcome, rows) = run(&plan, start, &(), &AtomicBool::new(false));
    assert_eq!(outcome.unwrap().stop, Stop::Interrupted);
    assert_eq!(games(&rows).len(), 1, "what was played is kept");
}

/// Dies in its first game of each life.
#[derive(Debug)]
struct Mortal {
    alive: Arc<AtomicUsize>,
}

impl Player for Mortal {
    fn new_game(&mut self, _seed: u64) -> Result<(), Fault> {
        Ok(())
    }

    fn search(&mut self, _line: &Line, _limit: &Limit, _deadline: Duration) -> Result<Reply, Fault> {
        Err(Fault::Died("exit status 1".to_owned()))
    }
}

impl Drop for Mortal {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, Ordering::SeqCst);
    }
}

#[test]
fn br_084_107_crashes_with_recovery_go_on_and_never_more_engines_than_asked() {
    let (alive, most, started) = (Arc::new(AtomicUsize::new(0)), AtomicUsize::new(0), AtomicUsize::new(0));
    let start = |_| {
        started.fetch_add(1, Ordering::SeqCst);
        most.fetch_max(alive.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        Ok(Box::new(Mortal { alive: alive.clone() }) as Box<dyn Player>)
    };
    let plan = MatchPlan { recover: true, ..plan(10, 2) };
    let (outcome, rows) = run(&plan, start, &(), &AtomicBool::new(false));
    let outcome = outcome.unwrap();
    // White dies in each game, so each engine loses one game of each pair.
    assert_eq!(outcome.tally.penta, [0, 0, 10, 0, 0]);
    assert_eq!(outcome.conduct.map(|c| c.disconnects), [10, 10]);
    assert!(games(&rows).iter().all(|game| game.reason.ends_with("disconnects: exit status 1")));
    assert!(most.load(Ordering::SeqCst) <= 4);
    assert_eq!(alive.load(Ordering::SeqCst), 0);
    assert!(started.load(Ordering::SeqCst) >= 20);
}

#[test]
fn br_084_without_recovery_a_crash_ends_the_match_and_says_so() {
    let alive = Arc::new(AtomicUsize::new(1));
    let start = |engine| match engine {
        0 => movers(0),
        _ => Ok(Box::new(Mortal { alive: alive.clone() }) as Box<dyn Player>),
    };
    let (outcome, rows) = run(&plan(10, 1), start, &(), &AtomicBool::new(false));
    let outcome = outcome.unwrap();
    assert_eq!(outcome.stop, Stop::EngineFailed("exit status 1".to_owned()));
    assert_eq!(outcome.tally.games(), 0);
    let games = games(&rows);
    assert_eq!((games.len(), games[0].set_aside, games[0].result.as_str()), (1, true, "1-0"));
}

#[test]
fn a_hung_engine_is_started_anew_and_the_match_goes_on() {
    let started = AtomicUsize::new(0);
    let clock = Arc::new(FakeClock::new());
    let start = |engine| match engine {
        0 => movers(0),
        _ => {
            started.fetch_add(1, Ordering::SeqCst);
            Ok(Box::new(Script::new(vec![Act::Hang], clock.clone())) as Box<dyn Player>)
        }
    };
    let (outcome, _) = run(&plan(3, 1), start, &(), &AtomicBool::new(false));
    let outcome = outcome.unwrap();
    assert_eq!(outcome.tally.penta, [0, 0, 0, 0, 3]);
    assert_eq!(outcome.conduct[1].time_losses, 6);
    // All won: the Elo is infinite, in the record as well.
    let row = outcome.row();
    assert_eq!((row.elo, row.elo_high), (Some(f64::INFINITY), Some(f64::INFINITY)));
    assert!(row.elo_low.is_some_and(f64::is_finite));
    assert_eq!(started.load(Ordering::SeqCst), 6);
    assert_eq!(outcome.row().interval, "profile");
}

/// The machine of these tests is always overloaded: that spoils timed matches and no others.
#[test]
fn a_timed_match_on_an_overloaded_machine_says_so() {
    let timed = |name| EngineSpec::parse(&format!("embedded:name={name},tc=1+0.01")).unwrap();
    let timed = MatchPlan { engines: [timed("A"), timed("B")], ..plan(2, 1) };
    let (outcome, rows) = run(&timed, movers, &(), &AtomicBool::new(false));
    assert!(outcome.unwrap().invalid.unwrap().contains("overloaded"));
    assert!(matches!(rows.last(), Some(Row::Match(row)) if row.invalid.is_some()));
    let (outcome, _) = run(&plan(2, 1), movers, &(), &AtomicBool::new(false));
    assert_eq!(outcome.unwrap().invalid, None);
}

/// Asks to stop after so many pairs.
struct StopAfter<'a>(u64, &'a AtomicBool);

impl Observer for StopAfter<'_> {
    fn pair_committed(&self, pair: &PairRow) {
        if pair.pair + 1 == self.0 {
            self.1.store(true, Ordering::SeqCst);
        }
    }
}

#[test]
fn br_086_a_stop_from_outside_keeps_what_is_complete() {
    let stop = AtomicBool::new(false);
    let (outcome, rows) = run(&plan(1_000_000, 2), movers, &StopAfter(3, &stop), &stop);
    let outcome = outcome.unwrap();
    assert_eq!(outcome.stop, Stop::Interrupted);
    assert_eq!(outcome.decision(), Decision::Undecided);
    let pairs = pairs(&rows);
    assert!((3..20).contains(&pairs.len()), "{} pairs", pairs.len());
    assert!(pairs.iter().enumerate().all(|(index, pair)| pair.pair == index as u64));
    for game in games(&rows) {
        assert_eq!(game.set_aside, game.pair >= pairs.len() as u64);
        assert!(game.set_aside || game.result != "*");
    }
    assert_eq!(outcome.tally.games(), 2 * pairs.len() as u64);
}

#[test]
fn counters_follow_the_match() {
    let counters = Counters::default();
    let (outcome, rows) = run(&plan(5, 2), movers, &counters, &AtomicBool::new(false));
    assert_eq!(counters.games.load(Ordering::Relaxed), 10);
    assert_eq!(counters.pairs.load(Ordering::Relaxed), 5);
    assert_eq!(counters.wins.load(Ordering::Relaxed), outcome.unwrap().tally.wins);
    let plies: usize = games(&rows).iter().map(|game| game.plies.len()).sum();
    assert_eq!(counters.plies.load(Ordering::Relaxed), plies as u64);
}

#[test]
fn plans_that_make_no_sense_are_refused() {
    let refused = |plan: MatchPlan| match run(&plan, movers, &(), &AtomicBool::new(false)) {
        (Err(MatchError::Plan(error)), rows) if rows.is_empty() => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(plan(0, 1)), PlanError::Zero("pairs"));
    assert_eq!(refused(plan(1, 0)), PlanError::Zero("concurrency"));
    let unlimited = EngineSpec::parse("embedded:name=C").unwrap();
    assert_eq!(
        refused(MatchPlan { engines: [spec("A"), unlimited], ..plan(1, 1) }),
        PlanError::NoLimit("C".to_owned())
    );
    assert_eq!(refused(MatchPlan { start: 0, ..plan(1, 1) }), PlanError::Zero("start"));
    assert_eq!(
        refused(MatchPlan { engines: [spec("A"), spec("A")], ..plan(1, 1) }),
        PlanError::SameName("A".to_owned())
    );
    let sprt = SprtPlan { elo0: 5.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
    assert!(matches!(refused(MatchPlan { sprt: Some(sprt), ..plan(1, 1) }), PlanError::Sprt(_)));
}
