//! Whole tournaments of players that need no engine: the same at any concurrency and from any moment on, no more engines than
//! seats, standings that can be counted again from the games.

use super::players::{Mover, STARTPOS, opening};
use gauntlet::arena::adjudicate::Adjudication;
use gauntlet::arena::hall::Hall;
use gauntlet::arena::ledger::Stop;
use gauntlet::arena::plan::{MatchPlan, PlanError};
use gauntlet::arena::player::{Fault, Player, Reply};
use gauntlet::arena::run::MatchError;
use gauntlet::arena::tournament::{
    Format, MOST_PLAYOFFS, Prefix, TournamentError, TournamentOutcome, TournamentPlan, run_with,
};
use gauntlet::record::{GameRow, MatchRow, Row, StandingRow, Status};
use gauntlet::rules::Line;
use gauntlet::stats::rating::{Results, Settings, rate};
use gauntlet::subject::EngineSpec;
use gauntlet::suite::Opening;
use gauntlet::time::FakeClock;
use gauntlet::types::Limit;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

fn spec(number: usize) -> EngineSpec {
    EngineSpec::parse(&format!("embedded:name=E{number},nodes=1000")).unwrap()
}

fn plan(format: Format, engines: usize, pairs: u64, concurrency: usize) -> TournamentPlan {
    TournamentPlan {
        format,
        engines: (0..engines).map(spec).collect(),
        rounds: None,
        each: MatchPlan {
            concurrency,
            adjudication: Adjudication { maxmoves: Some(40), ..Adjudication::default() },
            ..MatchPlan::new(spec(0), spec(1), pairs)
        },
    }
}

/// The start position after one move, another one each time.
fn book() -> Vec<Opening> {
    let moves = ["e2e4", "d2d4", "c2c4", "g1f3", "b2b3", "g2g3", "f2f4", "b1c3", "a2a3"];
    moves
        .into_iter()
        .enumerate()
        .map(|(index, uci)| {
            let start = opening(STARTPOS);
            let mv = gauntlet::notation::uci_move::parse(uci, Line::new(start.start).position()).unwrap();
            Opening { name: format!("book {index}"), number: index + 1, moves: vec![mv], ..start }
        })
        .collect()
}

type Start = dyn Fn(usize) -> Result<Box<dyn Player>, Fault> + Sync;

/// Every other one takes what it can.
fn movers(engine: usize) -> Result<Box<dyn Player>, Fault> {
    Ok(Box::new(Mover::new(engine.is_multiple_of(2))))
}

/// Plays behind `before`; what is written.
fn resumed(
    plan: &TournamentPlan,
    start: &Start,
    before: &[Row],
) -> (Result<TournamentOutcome, MatchError>, Vec<Row>) {
    let mut prefix = Prefix::new(plan);
    let (mut kept, book) = (0, book());
    for (index, row) in before.iter().enumerate() {
        if prefix.take(&book, row).unwrap() {
            kept = index + 1;
        }
    }
    let mut rows = before[..kept].to_vec();
    let (clock, never) = (FakeClock::new(), AtomicBool::new(false));
    let hall = Hall {
        start: &start,
        clock: &clock,
        tablebases: None,
        processors: None,
        observer: &(),
        cores: 8,
        pressure: &|| None,
        stop: &never,
    };
    (run_with(prefix, &book, &hall, &mut rows), rows)
}

fn played(plan: &TournamentPlan) -> (TournamentOutcome, Vec<Row>) {
    let (outcome, rows) = resumed(plan, &movers, &[]);
    (outcome.unwrap(), rows)
}

fn games(rows: &[Row]) -> Vec<&GameRow> {
    rows.iter().filter_map(|row| if let Row::Game(game) = row { Some(game) } else { None }).collect()
}

fn encounters(rows: &[Row]) -> Vec<&MatchRow> {
    rows.iter().filter_map(|row| if let Row::Match(row) = row { Some(row) } else { None }).collect()
}

#[test]
fn a_tournament_is_the_same_at_any_concurrency_and_from_any_moment_on() {
    for (format, engines) in
        [(Format::RoundRobin, 4), (Format::Gauntlet, 4), (Format::Swiss, 5), (Format::Knockout, 5)]
    {
        let same = plan(format, engines, 2, 1);
        let (outcome, whole) = played(&same);
        assert!(matches!(outcome.stop, Stop::Planned(_)), "{format:?}");
        assert!(played(&plan(format, engines, 2, 4)).1 == whole, "{format:?}: concurrency tells");
        // Killed behind any row whatever.
        for cut in 0..=whole.len() {
            let (again, rows) = resumed(&plan(format, engines, 2, 2), &movers, &whole[..cut]);
            assert!(rows == whole, "{format:?}: cut behind row {cut} of {}", whole.len());
            assert_eq!(again.unwrap(), outcome, "{format:?}: {cut}");
        }
        // An encounter of others is none of this.
        let mut other = whole.clone();
        let outcome =
            other.iter_mut().find_map(|row| if let Row::Match(row) = row { Some(row) } else { None });
        outcome.unwrap().name = "round 7".to_owned();
        let (mut prefix, openings) = (Prefix::new(&same), book());
        let refused = other.iter().find_map(|row| prefix.take(&openings, row).err()).unwrap().to_string();
        assert!(refused.contains("`round 7: E"), "{refused}");
        // Nor are the games of another one.
        let other = plan(format, engines, 3, 1);
        let (mut prefix, book) = (Prefix::new(&other), book());
        assert!(whole.iter().any(|row| prefix.take(&book, row).is_err()), "{format:?}");
    }
}

#[test]
fn everybody_meets_whom_the_format_says_and_every_opening_is_played_twice() {
    for (format, expected) in [(Format::RoundRobin, 10), (Format::Gauntlet, 4), (Format::Swiss, 6)] {
        let (outcome, rows) = played(&plan(format, 5, 3, 2));
        assert_eq!(encounters(&rows).len(), expected, "{format:?}");
        assert_eq!(outcome.games, 6 * expected as u64);
        let games = games(&rows);
        assert_eq!(games.len(), 6 * expected);
        for pair in games.chunks(2) {
            assert_eq!((&pair[0].white, &pair[0].black), (&pair[1].black, &pair[1].white));
            assert_eq!((&pair[0].opening, pair[0].pair), (&pair[1].opening, pair[1].pair));
            assert!(pair[0].round.is_some() && pair[0].round == pair[1].round);
        }
        // The book goes on from encounter to encounter, and so do the numbers of the pairs.
        assert!(games.iter().step_by(2).map(|game| game.pair).eq(0..3 * expected as u64));
        assert_eq!(games[0].opening, "book 0");
        assert_eq!(games[6].opening, "book 3");
    }
}

/// Points, Sonneborn-Berger and ratings anew, from the games alone.
#[test]
fn the_standings_are_those_of_the_games() {
    for format in Format::ALL {
        let (outcome, rows) = played(&plan(format, 5, 3, 2));
        let index = |name: &str| name[1..].parse::<usize>().unwrap();
        let games = games(&rows);
        let mut half_points = [0u64; 5];
        let mut results = Results::new(5);
        let white = |game: &GameRow| match game.result.as_str() {
            "1-0" => 2,
            "0-1" => 0,
            _ => 1,
        };
        for pair in games.chunks(2) {
            for game in pair {
                half_points[index(&game.white)] += white(game);
                half_points[index(&game.black)] += 2 - white(game);
            }
            let points = [white(pair[0]) as u32, white(pair[1]) as u32];
            results.add_pair(index(&pair[0].white), index(&pair[0].black), points);
        }
        let byes: u64 = outcome.standings.iter().map(|row| row.byes).sum();
        assert_eq!(byes, if format == Format::Swiss { 3 } else { 0 }, "{format:?}");
        for row in &outcome.standings {
            assert!(row.byes <= 1, "{row:?}");
            half_points[index(&row.engine)] += 12 * row.byes;
        }
        let mut berger = [0.0; 5];
        for game in &games {
            let [one, two] = [index(&game.white), index(&game.black)];
            berger[one] += white(game) as f64 / 2.0 * half_points[two] as f64 / 2.0;
            berger[two] += (2 - white(game)) as f64 / 2.0 * half_points[one] as f64 / 2.0;
        }
        for row in &outcome.standings {
            let engine = index(&row.engine);
            assert_eq!(row.half_points, half_points[engine], "{format:?}: {row:?}");
            assert!((row.sonneborn_berger - berger[engine]).abs() < 1e-9, "{format:?}: {row:?}");
            assert_eq!(row.wins + row.draws + row.losses, row.games);
            assert_eq!(2 * row.wins + row.draws + 12 * row.byes, row.half_points);
        }
        for (number, group) in rate(&results, &Settings::default()).iter().enumerate() {
            for rating in &group.ratings {
                let row = outcome.standings.iter().find(|row| index(&row.engine) == rating.player).unwrap();
                assert_eq!(row.group as usize, number + 1);
                if group.ratings.len() > 1 {
                    assert_eq!(row.elo, Some(rating.rating), "{format:?}");
                    assert_eq!(row.elo_high, rating.error().map(|error| rating.rating + error));
                }
            }
        }
        ranks(format, &outcome.standings);
        assert!(rows.iter().filter(|row| matches!(row, Row::Standing(_))).count() == 5);
        assert!(matches!(rows.last(), Some(Row::Verdict(verdict)) if verdict.status == Status::Info
            && verdict.summary.contains(&format!("{} wins", outcome.standings[0].engine))));
    }
}

/// The points of everybody in a round, by the outcomes of its encounters.
fn of_round(rows: &[Row], round: u32) -> BTreeMap<&str, u64> {
    let mut points: BTreeMap<&str, u64> = BTreeMap::new();
    for row in encounters(rows).into_iter().filter(|row| row.round == Some(round)) {
        *points.entry(&row.first).or_default() += 2 * row.wins + row.draws;
        *points.entry(&row.second).or_default() += 2 * row.losses + row.draws;
    }
    points
}

#[test]
fn who_wins_goes_on_or_up() {
    let mut decided = 0;
    for seed in 0..12 {
        let mut swiss = plan(Format::Swiss, 4, 2, 2);
        swiss.each.seed = seed;
        let (_, rows) = played(&swiss);
        let points = of_round(&rows, 1);
        let second: Vec<_> = encounters(&rows).into_iter().filter(|row| row.round == Some(2)).collect();
        if points.values().all(|points| *points != 4) {
            decided += 1;
            for row in second {
                let above = |name: &str| points[name] > 4;
                assert_eq!(above(&row.first), above(&row.second), "seed {seed}: {points:?}");
            }
        }
        let mut knockout = plan(Format::Knockout, 7, 1, 2);
        knockout.each.seed = seed;
        let (outcome, rows) = played(&knockout);
        for row in &outcome.standings {
            for round in 1..=3 {
                let points = of_round(&rows, round);
                let Some(own) = points.get(row.engine.as_str()) else { continue };
                let met = encounters(&rows)
                    .into_iter()
                    .find(|met| met.round == Some(round) && [&met.first, &met.second].contains(&&row.engine));
                let met = met.unwrap();
                let other = if met.first == row.engine { &met.second } else { &met.first };
                let lost = row.lost_in_round == Some(round);
                let fewer = *own < points[other.as_str()];
                let behind = *own == points[other.as_str()] && row.engine > *other;
                assert_eq!(lost, fewer || behind, "seed {seed}, round {round}: {row:?}");
            }
        }
    }
    assert!(decided > 0, "no round of a Swiss was decided");
}

/// Best first; equal ranks for equal figures only.
fn ranks(format: Format, standings: &[StandingRow]) {
    let figure = |row: &StandingRow| match format {
        Format::Gauntlet => row.points() / row.games as f64,
        Format::Knockout => row.lost_in_round.map_or(f64::INFINITY, f64::from),
        _ => row.points(),
    };
    for (index, two) in standings.windows(2).enumerate() {
        assert!(figure(&two[0]) >= figure(&two[1]), "{format:?}: {standings:?}");
        assert!(two[1].rank == two[0].rank || two[1].rank == index as u64 + 2, "{standings:?}");
        assert!(figure(&two[0]) == figure(&two[1]) || two[0].rank != two[1].rank, "{standings:?}");
    }
    assert_eq!(standings[0].rank, 1);
}

/// A draw after the first move, always.
#[test]
fn a_knockout_of_draws_is_played_on_and_then_goes_by_the_order_of_the_engines() {
    let mut plan = plan(Format::Knockout, 4, 2, 2);
    plan.each.adjudication.maxmoves = Some(1);
    let (outcome, rows) = played(&plan);
    let names: Vec<&str> = outcome.standings.iter().map(|row| row.engine.as_str()).collect();
    assert_eq!(names, ["E0", "E1", "E2", "E3"]);
    let ranks: Vec<u64> = outcome.standings.iter().map(|row| row.rank).collect();
    assert_eq!(ranks, [1, 2, 3, 3]);
    assert_eq!(outcome.games, 3 * 2 * (2 + u64::from(MOST_PLAYOFFS)));
    let named = |wanted: &str| outcome.warnings.iter().any(|warning| warning.contains(wanted));
    assert!(named("round 1: E0 and E3") && named("round 1: E1 and E2") && named("round 2: E0 and E1"));
    assert_eq!(encounters(&rows).iter().filter(|row| row.name == "round 1, play-off 4").count(), 2);
}

#[test]
fn the_first_of_a_gauntlet_does_not_win_by_playing_most() {
    let start = |engine: usize| -> Result<Box<dyn Player>, Fault> { Ok(Box::new(Mover::new(engine != 0))) };
    let (outcome, _) = resumed(&plan(Format::Gauntlet, 6, 4, 2), &start, &[]);
    let standings = outcome.unwrap().standings;
    let weak = standings.iter().find(|row| row.engine == "E0").unwrap();
    assert_eq!(weak.games, 40);
    assert!(weak.points() > standings[0].points() && weak.rank > 1, "{standings:?}");
}

/// Counts the living.
struct Guest<'a> {
    mover: Mover,
    alive: &'a AtomicUsize,
}

impl Player for Guest<'_> {
    fn new_game(&mut self, seed: u64) -> Result<(), Fault> {
        self.mover.new_game(seed)
    }

    fn search(&mut self, line: &Line, limit: &Limit, deadline: Duration) -> Result<Reply, Fault> {
        self.mover.search(line, limit, deadline)
    }
}

impl Drop for Guest<'_> {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, Ordering::SeqCst);
    }
}

#[test]
fn there_are_no_more_engines_than_seats() {
    static ALIVE: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);
    static STARTED: AtomicUsize = AtomicUsize::new(0);
    let start = |engine: usize| -> Result<Box<dyn Player>, Fault> {
        STARTED.fetch_add(1, Ordering::SeqCst);
        MOST.fetch_max(ALIVE.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        Ok(Box::new(Guest { mover: Mover::new(engine == 0), alive: &ALIVE }))
    };
    let (outcome, _) = resumed(&plan(Format::RoundRobin, 6, 4, 2), &start, &[]);
    assert_eq!(outcome.unwrap().games, 15 * 8);
    assert_eq!(ALIVE.load(Ordering::SeqCst), 0);
    assert!(MOST.load(Ordering::SeqCst) <= 4, "{MOST:?}");
    // Once to see that it is there; then at most both of every encounter at both tables.
    assert!(STARTED.load(Ordering::SeqCst) <= 6 + 2 * 2 * 15, "{STARTED:?}");
}

/// Dies in its first search.
#[derive(Debug)]
struct Mortal;

impl Player for Mortal {
    fn new_game(&mut self, _seed: u64) -> Result<(), Fault> {
        Ok(())
    }

    fn search(&mut self, _line: &Line, _limit: &Limit, _deadline: Duration) -> Result<Reply, Fault> {
        Err(Fault::Died("E2: exit status 1".to_owned()))
    }
}

#[test]
fn an_engine_that_is_missing_or_dies_ends_it_and_is_named() {
    let missing = |engine: usize| match engine {
        3 => Err(Fault::Died("E3: no such file".to_owned())),
        engine => movers(engine),
    };
    let (outcome, rows) = resumed(&plan(Format::Knockout, 4, 1, 1), &missing, &[]);
    assert!(matches!(outcome, Err(MatchError::Start(why)) if why.contains("E3")));
    assert_eq!(rows, [], "no game is played");

    let mortal = |engine: usize| match engine {
        2 => Ok(Box::new(Mortal) as Box<dyn Player>),
        engine => movers(engine),
    };
    let mut plan = plan(Format::RoundRobin, 4, 2, 2);
    let (outcome, rows) = resumed(&plan, &mortal, &[]);
    assert!(matches!(outcome.unwrap().stop, Stop::EngineFailed(why) if why.contains("E2")));
    let Some(Row::Verdict(verdict)) = rows.last() else { panic!("{:?}", rows.last()) };
    assert_eq!(verdict.status, Status::Inconclusive);
    assert!(verdict.summary.contains("E2"), "{verdict:?}");
    // With recovery it loses every game.
    plan.each.recover = true;
    let (outcome, rows) = resumed(&plan, &mortal, &[]);
    let outcome = outcome.unwrap();
    assert!(matches!(outcome.stop, Stop::Planned(_)));
    let last = outcome.standings.last().unwrap();
    assert_eq!((last.engine.as_str(), last.losses, last.games), ("E2", 12, 12));
    assert_eq!((last.elo, last.group > 1), (None, true), "nothing can be said of one that only loses");
    let deaths: BTreeMap<&str, usize> = games(&rows).iter().fold(BTreeMap::new(), |mut deaths, game| {
        *deaths.entry(game.termination.as_str()).or_default() += 1;
        deaths
    });
    assert_eq!(deaths["abandoned"], 12);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |plan: TournamentPlan| plan.check().unwrap_err();
    let good = || plan(Format::Swiss, 4, 1, 1);
    assert_eq!(good().check(), Ok(()));
    assert_eq!(refused(plan(Format::Swiss, 1, 1, 1)), TournamentError::TooFew(1));
    assert_eq!(refused(TournamentPlan { rounds: Some(0), ..good() }), TournamentError::NoRounds);
    let knockout = TournamentPlan { rounds: Some(2), ..plan(Format::Knockout, 4, 1, 1) };
    assert_eq!(refused(knockout), TournamentError::RoundsOfKnockout);
    let many = TournamentPlan { rounds: Some(4), ..good() };
    assert_eq!(refused(many), TournamentError::TooManyRounds { engines: 4, most: 3 });
    let twins = TournamentPlan { engines: vec![spec(0), spec(1), spec(0)], ..good() };
    assert_eq!(refused(twins), PlanError::SameName("E0".into()).into());
    assert_eq!(refused(plan(Format::Swiss, 4, 0, 1)), PlanError::Zero("pairs").into());
}
