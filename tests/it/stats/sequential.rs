//! Tests that run: length expected, stops at the exact observation, the estimate afterwards.

use super::{Row, Table};
use gauntlet::stats::{Counts, Decision, Model, SplitMix64, Sprt, Walk};

fn sprt(row: &Row, model: Model) -> Sprt {
    let number = |column: &str| row.number(column);
    Sprt::new(number("elo0"), number("elo1"), number("alpha"), number("beta"), model).unwrap()
}

#[test]
fn expected_length_rows() {
    Table::open("expected_length.csv").check(|row, d| {
        let sprt = sprt(row, Model::from_id(row.text("model")).unwrap());
        let elo = row.number("true_elo");
        let length = sprt.expected_length(elo, row.optional("per_game_variance")).unwrap();
        // Near the middle of the bounds the reference itself has fewer digits.
        let middle = (elo - 0.5 * (sprt.elo0() + sprt.elo1())).abs() < 1e-3 * (sprt.elo1() - sprt.elo0());
        let relative = if middle { 1e-6 } else { 1e-9 };
        d.compare("pass", length.pass_probability, row.number("pass_probability_wald"), 1e-12, relative);
        d.compare("games", length.games, row.number("expected_games_wald"), 0.0, relative);
    });
}

#[test]
fn expected_length_is_smooth_and_bounded() {
    let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).unwrap();
    let games = |elo: f64| sprt.expected_length(elo, None).unwrap().games;
    let middle = games(2.5);
    for step in 1..200 {
        // Across the change from series to closed form, both sides.
        let distance = 1e-6 * f64::from(step);
        for elo in [2.5 - distance, 2.5 + distance] {
            assert!((games(elo) / middle - 1.0).abs() < 1e-6, "{elo}");
        }
    }
    assert!(games(9000.0) > 0.0 && games(-9000.0) > 0.0);
    assert!(sprt.expected_length(f64::NAN, None).is_none());
    let logistic = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Logistic).unwrap();
    assert!(
        logistic.expected_length(1.0, None).is_none() && logistic.expected_length(1.0, Some(0.0)).is_none()
    );
}

fn counts_of(numbers: &[u64]) -> Counts {
    match *numbers {
        [l, d, w] => Counts::Trinomial([l, d, w]),
        [a, b, c, d, e] => Counts::Pentanomial([a, b, c, d, e]),
        _ => panic!("{} counts", numbers.len()),
    }
}

#[test]
fn estimate_rows() {
    Table::open("sprt_estimate.csv").check(|row, d| {
        let numbers: Vec<u64> =
            row.text("counts_low_to_high").split(' ').map(|text| text.parse().unwrap()).collect();
        let sprt = sprt(row, Model::from_id(row.text("model")).unwrap());
        let got = sprt.unbiased_elo(&counts_of(&numbers)).unwrap();
        d.compare("llr_gauss", got.llr_gauss, row.number("llr_gauss"), 1e-8, 1e-9);
        d.compare("T", got.end_observations, row.number("T_used"), 1e-6, 1e-9);
        d.compare("y", got.end_llr, row.number("y_used"), 1e-8, 1e-9);
        for (got, own, fishtest) in [
            (got.elo, "elo_median_unbiased", "fishtest_elo"),
            (got.low, "elo_ci_lo", "fishtest_lo"),
            (got.high, "elo_ci_hi", "fishtest_hi"),
            (got.los, "los", "fishtest_los"),
        ] {
            d.compare(own, got, row.number(own), 1e-6, 0.0);
            // 1.3e-3 at worst, where fishtest switches to an approximation.
            d.compare(fishtest, got, row.number(fishtest), 1.4e-3, 0.0);
        }
    });
}

#[test]
fn estimate_is_defined_and_mirrors() {
    for model in [Model::Normalized, Model::Logistic] {
        for counts in
            [[0, 0, 1, 0, 0], [0, 0, 0, 0, 9], [3, 0, 0, 0, 0], [1, 200, 900, 260, 3], [0, 0, 5000, 0, 0]]
        {
            let counts = Counts::Pentanomial(counts);
            let ours = Sprt::new(-1.0, 4.0, 0.05, 0.05, model).unwrap().unbiased_elo(&counts).unwrap();
            let theirs =
                Sprt::new(-4.0, 1.0, 0.05, 0.05, model).unwrap().unbiased_elo(&counts.reversed()).unwrap();
            assert!(ours.low <= ours.elo && ours.elo <= ours.high, "{counts:?} {ours:?}");
            for (a, b) in [(ours.elo, theirs.elo), (ours.low, theirs.high), (ours.high, theirs.low)] {
                assert!(a == -b || (a + b).abs() < 1e-6 * (1.0 + a.abs()), "{counts:?} {ours:?} {theirs:?}");
            }
            assert!((ours.los + theirs.los - 1.0).abs() < 1e-9);
        }
    }
    let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).unwrap();
    assert_eq!(sprt.unbiased_elo(&Counts::Pentanomial([0; 5])), None);
}

/// Every sequence is run from its seed; checkpoints, both kinds of stop and their counts must be exact.
#[test]
fn sequence_rows() {
    let events = Table::open("sprt_seq_events.csv");
    let mut checked = 0;
    Table::open("sprt_seq_def.csv").check(|row, d| {
        let model =
            if row.text("model").ends_with("normalized") { Model::Normalized } else { Model::Logistic };
        let sprt = sprt(row, model);
        let probabilities: Vec<f64> =
            row.text("probs_low_to_high").split(' ').map(|text| text.parse().unwrap()).collect();
        let expected: Vec<Row> =
            events.rows.iter().map(Row).filter(|event| event.text("id") == row.text("id")).collect();
        let mut rng = SplitMix64::new(row.count("seed"));
        let mut counts = vec![0_u64; probabilities.len()];
        let mut plain = Walk::new(sprt.bounds());
        let mut moved = Walk::with_overshoot_correction(sprt.bounds());
        let mut next = 0;
        for n in 1..=row.count("max_observations") {
            counts[rng.category(&probabilities)] += 1;
            let llr = sprt.llr(&counts_of(&counts)).unwrap();
            let before = (plain.decision(), moved.decision());
            let after = (plain.observe(llr), moved.observe(llr));
            while expected.get(next).is_some_and(|event| event.count("n_observations") == n) {
                let event = &expected[next];
                next += 1;
                checked += 1;
                let what = format!("{} {n} {}", row.text("id"), event.text("event"));
                d.compare(&what, llr, event.number("llr"), 1e-7, 0.0);
                for (i, &count) in counts.iter().enumerate() {
                    assert_eq!(count, event.count(&format!("c{i}")), "{what}");
                }
                let (was, is, bounds) = match event.text("event") {
                    "stop_dynamic_overshoot" => (before.1, after.1, moved.bounds()),
                    _ => (before.0, after.0, plain.bounds()),
                };
                let decision = match event.text("decision") {
                    "H1" => Decision::H1,
                    "H0" => Decision::H0,
                    _ => Decision::Undecided,
                };
                assert_eq!((was, is), (Decision::Undecided, decision), "{what}");
                d.compare(&what, bounds.lower, event.number("lower"), 1e-9, 0.0);
                d.compare(&what, bounds.upper, event.number("upper"), 1e-9, 0.0);
            }
            if plain.decision() != Decision::Undecided {
                break;
            }
        }
        assert_eq!(next, expected.len(), "{}: events not reached", row.text("id"));
    });
    assert_eq!(checked, events.rows.len());
}
