//! Pairs by schedule, not by finishing order; one decision, on the committed prefix.

use gauntlet::arena::adjudicate::Adjudged;
use gauntlet::arena::ending::{Ending, Played};
use gauntlet::arena::ledger::{Ledger, PlayedPair, Stop};
use gauntlet::arena::stopping::{Ended, Stopping};
use gauntlet::record::{GameRow, Row};
use gauntlet::stats::{Decision, Model, Sprt};
use gauntlet::types::Color;

/// A pair by the first engine's results in it: `W`, `D`, `L`, `*`.
fn pair(index: u64, results: &str) -> PlayedPair {
    let game = |(game, result): (usize, char)| {
        let first = if game == 0 { Color::White } else { Color::Black };
        let ending = match result {
            'W' => Ending::Adjudged(Adjudged::Resigned { loser: !first }),
            'L' => Ending::Adjudged(Adjudged::Resigned { loser: first }),
            'D' => Ending::Adjudged(Adjudged::Drawn),
            _ => Ending::Unfinished,
        };
        let row = GameRow {
            pair: index,
            game: game as u32,
            result: ending.result().to_owned(),
            ..GameRow::default()
        };
        Played { row, ending, first, searches: [0; 2], disobeyed: [0; 2] }
    };
    PlayedPair { games: results.chars().enumerate().map(game).collect(), failed: None }
}

fn to_the_end(pairs: u64) -> Ledger {
    Ledger::new(Stopping { max_pairs: pairs, sprt: None, error_bar: None })
}

#[test]
fn br_102_pairs_are_those_of_the_schedule() {
    let mut ledger = to_the_end(2);
    let mut rows: Vec<Row> = Vec::new();
    // Games 3 and 4 are finished first.
    let taken = ledger.offer(1, pair(1, "WL"), &mut rows, &()).unwrap();
    assert_eq!((taken.next, taken.stop, ledger.tally().pairs(), rows.len()), (0, false, 0, 0));
    let taken = ledger.offer(0, pair(0, "WL"), &mut rows, &()).unwrap();
    assert_eq!((taken.next, taken.stop), (2, true));
    assert_eq!(ledger.tally().penta, [0, 0, 2, 0, 0]);
    let order: Vec<_> = rows
        .iter()
        .map(|row| match row {
            Row::Game(game) => (game.pair, Some(game.game)),
            Row::Pair(pair) => (pair.pair, None),
            _ => panic!("unexpected {row:?}"),
        })
        .collect();
    assert_eq!(order, [(0, Some(0)), (0, Some(1)), (0, None), (1, Some(0)), (1, Some(1)), (1, None)]);
}

#[test]
fn half_a_pair_is_not_counted() {
    let mut ledger = to_the_end(2);
    let mut rows: Vec<Row> = Vec::new();
    for (index, results) in [(0, "WL"), (1, "W")] {
        ledger.offer(index, pair(index, results), &mut rows, &()).unwrap();
    }
    assert_eq!((ledger.tally().penta, ledger.tally().games()), ([0, 0, 1, 0, 0], 2));
    assert_eq!(ledger.close(&mut rows).unwrap(), Stop::Interrupted);
    assert!(matches!(rows.last(), Some(Row::Game(game)) if game.set_aside && game.result == "1-0"));

    let mut ledger = to_the_end(1);
    ledger.offer(0, pair(0, "W*"), &mut rows, &()).unwrap();
    assert_eq!(ledger.tally().games(), 0, "an unfinished game is never scored");
}

#[test]
fn all_kinds_of_pairs_are_counted_low_to_high() {
    let mut ledger = to_the_end(100);
    let mut rows: Vec<Row> = Vec::new();
    let kinds = ["LL", "LD", "DL", "DD", "WL", "LW", "WD", "DW", "WW"];
    for (index, results) in kinds.into_iter().enumerate() {
        ledger.offer(index as u64, pair(index as u64, results), &mut rows, &()).unwrap();
    }
    let tally = ledger.tally();
    assert_eq!((tally.wins, tally.draws, tally.losses), (6, 6, 6));
    assert_eq!(tally.penta, [1, 2, 3, 2, 1]);
}

/// The first crossing decides; what came beyond it is kept, marked and counted nowhere, whatever it says.
#[test]
fn the_first_crossing_in_index_order_is_final() {
    let sprt = Sprt::new(0.0, 50.0, 0.05, 0.05, Model::Normalized).unwrap();
    let mut verdicts = Vec::new();
    for late in ["WW", "LL"] {
        let mut ledger = Ledger::new(Stopping { max_pairs: 10_000, sprt: Some(sprt), error_bar: None });
        let mut rows: Vec<Row> = Vec::new();
        let result = |index: u64| if index.is_multiple_of(3) { "WD" } else { "DD" };
        // Pairs beyond any crossing arrive before everything else.
        for index in 5_000..5_008 {
            ledger.offer(index, pair(index, late), &mut rows, &()).unwrap();
        }
        let mut stopped_at = None;
        for index in 0..5_000 {
            if ledger.offer(index, pair(index, result(index)), &mut rows, &()).unwrap().stop {
                stopped_at = Some(index);
                break;
            }
        }
        assert_eq!(ledger.close(&mut rows).unwrap(), Stop::Planned(Ended::Decided(Decision::H1)));
        let aside = rows.iter().filter(|row| matches!(row, Row::Game(game) if game.set_aside)).count();
        assert_eq!(aside, 16);
        assert!(ledger.llr().unwrap() >= sprt.bounds().upper);
        verdicts.push((stopped_at, *ledger.tally(), ledger.llr().map(f64::to_bits)));
    }
    assert_eq!(verdicts[0], verdicts[1]);
    assert!(verdicts[0].0.is_some());
}

#[test]
fn all_draws_end_an_sprt_too() {
    let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).unwrap();
    let mut ledger = Ledger::new(Stopping { max_pairs: 100_000, sprt: Some(sprt), error_bar: None });
    let mut rows: Vec<Row> = Vec::new();
    let ended =
        (0..100_000).find(|&index| ledger.offer(index, pair(index, "DD"), &mut rows, &()).unwrap().stop);
    assert!(ended.is_some());
    assert!(ledger.llr().unwrap().is_finite());
}
