//! What makes a match not valid, and what is only worth a warning.

use gauntlet::arena::plan::MatchPlan;
use gauntlet::arena::tally::Conduct;
use gauntlet::arena::validity::{Doubts, Observed, Surroundings, doubts, doubts_of};
use gauntlet::record::Latency;
use gauntlet::subject::EngineSpec;

const QUIET: Surroundings =
    Surroundings { cores: 2, pressure_before: Some(0.5), pressure_after: Some(2.5), lateness: None };

fn plan(limit: &str, concurrency: usize) -> MatchPlan {
    let spec = |name: &str| EngineSpec::parse(&format!("embedded:name={name},{limit}")).unwrap();
    MatchPlan { concurrency, ..MatchPlan::new(spec("A"), spec("B"), 20) }
}

fn lost_on_time(one: u64, two: u64) -> [Conduct; 2] {
    [one, two].map(|time_losses| Conduct { time_losses, searches: 1000, ..Conduct::default() })
}

/// How many of each kind, and that a word is in the first.
fn check(found: &Doubts, invalid: usize, warnings: usize, word: &str) {
    assert_eq!((found.invalid.len(), found.warnings.len()), (invalid, warnings), "{found:?}");
    assert!(
        found.invalid.iter().chain(&found.warnings).next().is_none_or(|line| line.contains(word)),
        "{found:?}"
    );
}

#[test]
fn two_games_at_once_on_two_cores_are_no_overload() {
    check(&doubts(&plan("tc=1+0.01", 2), 40, &lost_on_time(0, 0), &QUIET), 0, 0, "");
    check(&doubts(&plan("tc=1+0.01", 3), 40, &lost_on_time(0, 0), &QUIET), 0, 1, "3 games at once");
    check(&doubts(&plan("tc=1+0.01,threads=2", 2), 40, &lost_on_time(0, 0), &QUIET), 0, 1, "2 threads");
    // One that ponders thinks on a second core all the time.
    let spec = |ponder: &str| EngineSpec::parse(&format!("cmd=/x,name=X,tc=1+0.01{ponder}")).unwrap();
    for second in ["", ",ponder=on"] {
        let mut plan = plan("tc=1+0.01", 2);
        plan.engines = [spec(",ponder=on"), spec(second)];
        plan.engines[1].name.push('2');
        check(&doubts(&plan, 40, &lost_on_time(0, 0), &QUIET), 0, 1, "2 games at once with 2 threads");
        plan.concurrency = 1;
        check(&doubts(&plan, 40, &lost_on_time(0, 0), &QUIET), 0, 0, "");
    }
}

#[test]
fn forfeits_are_told_with_who_and_how() {
    let conduct = |illegal_moves, disconnects| Conduct {
        illegal_moves,
        disconnects,
        searches: 1000,
        ..Conduct::default()
    };
    let found = doubts(&plan("nodes=500", 1), 20, &[conduct(0, 0), conduct(8, 2)], &QUIET);
    check(
        &found,
        0,
        1,
        "B forfeited 8 of 20 games by an illegal or missing move and 2 of 20 games by a crash",
    );
    let found = doubts(&plan("nodes=500", 1), 20, &[conduct(1, 0), conduct(0, 3)], &QUIET);
    check(&found, 0, 2, "A forfeited 1 of 20 games by an illegal or missing move");
    assert!(found.warnings[1].ends_with("B forfeited 3 of 20 games by a crash"), "{found:?}");
}

#[test]
fn a_machine_with_other_work_spoils_timed_matches_only() {
    let at = |before, after| Surroundings {
        cores: 2,
        pressure_before: Some(before),
        pressure_after: Some(after),
        lateness: None,
    };
    let none = lost_on_time(0, 0);
    check(&doubts(&plan("tc=1+0.01", 1), 40, &none, &at(9.0, 1.0)), 1, 0, "9.0 other tasks on 2 cores");
    check(&doubts(&plan("movetime=50", 1), 40, &none, &at(9.0, 1.0)), 1, 0, "overloaded");
    check(&doubts(&plan("tc=1+0.01", 1), 40, &none, &at(4.0, 1.0)), 0, 1, "at the start");
    check(&doubts(&plan("tc=1+0.01", 1), 40, &none, &at(0.0, 9.0)), 0, 1, "at the end");
    check(&doubts(&plan("nodes=500", 1), 40, &none, &at(9.0, 9.0)), 0, 0, "");
    let unknown = Surroundings { cores: 2, pressure_before: None, pressure_after: None, lateness: None };
    check(&doubts(&plan("tc=1+0.01", 2), 40, &none, &unknown), 0, 0, "");
}

#[test]
fn losses_on_time_of_one_engine_are_its_own_of_both_the_machines() {
    let plan = plan("tc=1+0.01", 2);
    check(&doubts(&plan, 40, &lost_on_time(0, 12), &QUIET), 0, 1, "B lost 12 of 40 games on time");
    check(&doubts(&plan, 40, &lost_on_time(1, 12), &QUIET), 0, 2, "A lost 1 of 40");
    check(&doubts(&plan, 40, &lost_on_time(2, 12), &QUIET), 1, 0, "both engines");
    check(&doubts(&plan, 2000, &lost_on_time(0, 9), &QUIET), 0, 0, "");
    check(&doubts(&plan, 2000, &lost_on_time(0, 10), &QUIET), 0, 1, "B lost 10");
}

#[test]
fn searches_outside_their_limit_are_always_told() {
    let conduct =
        |disobeyed| [Conduct { searches: 100, disobeyed, ..Conduct::default() }, Conduct::default()];
    let plan = plan("nodes=500", 2);
    check(&doubts(&plan, 40, &conduct(0), &QUIET), 0, 0, "");
    check(&doubts(&plan, 40, &conduct(1), &QUIET), 0, 1, "A in 1 of 100");
    check(&doubts(&plan, 40, &conduct(10), &QUIET), 0, 1, "A in 10 of 100");
    check(&doubts(&plan, 40, &conduct(11), &QUIET), 1, 0, "A in 11 of 100");
}

/// Late awakenings spoil a match only where they are long for its moves.
#[test]
fn a_program_that_wakes_late_makes_fast_games_not_valid() {
    let late = |p95_us, mean_us| Surroundings {
        lateness: Some((
            Latency { samples: 100, p50_us: 60, p95_us, p99_us: p95_us, max_us: 90_000 },
            mean_us,
        )),
        ..QUIET
    };
    let invalid =
        |around: &Surroundings| doubts(&plan("tc=1+0.01", 2), 100, &lost_on_time(0, 0), around).invalid;
    assert_eq!(invalid(&late(9_000, 10_000)), [""; 0]);
    assert_eq!(invalid(&late(15_000, 100_000)), [""; 0]);
    assert_eq!(invalid(&late(15_000, 20_000)).len(), 1);
    assert!(
        invalid(&late(15_000, 20_000))[0].contains("15.0 ms late"),
        "{:?}",
        invalid(&late(15_000, 20_000))
    );
}

/// In a tournament one slow engine is one slow engine; several are the machine.
#[test]
fn of_many_engines_two_that_lose_on_time_are_too_many() {
    let two = plan("tc=1+0.01", 1).engines;
    let found = |losses: [u64; 3]| {
        let observed: Vec<Observed> = losses
            .into_iter()
            .enumerate()
            .map(|(index, time_losses)| Observed {
                engine: &two[index % 2],
                games: 40,
                conduct: Conduct { time_losses, searches: 1000, ..Conduct::default() },
            })
            .collect();
        doubts_of(&observed, 60, 1, &QUIET)
    };
    check(&found([0, 12, 0]), 0, 1, "B lost 12 of 40 games on time");
    check(&found([0, 12, 1]), 0, 2, "B lost 12 of 40");
    check(&found([3, 12, 0]), 1, 0, "2 engines lose on time (A 3, B 12 of 60 games)");
}
