//! Studies: what a hash function's collisions must be, and how the verb reads, records and repeats them.

use gauntlet::record::{Row, StudyRow};
use gauntlet::trial::Progress;
use gauntlet::trial::hashing::{Factors, Keys, Limits, Source, run};
use std::collections::HashMap;

/// Expected collisions of 200,000 random keys and their standard deviation, at 16, 20, 24 and 28 bits: the exact formulas,
/// calculated with 60 digits outside this program.
const PERFECT: [(u32, f64, f64); 4] = [
    (16, 137_562.191_376, 50.047_483),
    (20, 17_916.434_475, 117.870_851),
    (24, 1_187.364_138, 34.185_389),
    (28, 74.486_933, 8.626_296),
];

fn rows(keys: Vec<Keys>, source: Source, positions: u64, draws: u64) -> HashMap<(u32, String, String), f64> {
    let factors = Factors { source: vec![source], bits: PERFECT.map(|(bits, ..)| bits).to_vec(), keys };
    let mut rows = Vec::new();
    let cells =
        run("test", &factors, &Limits { positions, draws }, 1, 2, &mut rows, &Progress::default()).unwrap();
    assert_eq!(cells, 4 * factors.keys.len() as u64);
    let figures = rows.into_iter().map(|row| {
        let Row::Study(StudyRow { levels, metric, value, .. }) = row else { panic!("{row:?}") };
        assert_eq!(levels[0], ("source".to_owned(), source.id().to_owned()));
        ((levels[1].1.parse().unwrap(), levels[2].1.clone(), metric), value)
    });
    figures.collect()
}

#[test]
fn a_random_function_collides_as_probability_says() {
    const DRAWS: u64 = 4;
    for source in [Source::Tree, Source::Games] {
        let found = rows(vec![Keys::Random], source, 200_000, DRAWS);
        for (bits, expected, deviation) in PERFECT {
            let figure = |metric: &str| found[&(bits, "random".to_owned(), metric.to_owned())];
            assert!((figure("expected") / expected - 1.0).abs() < 1e-6, "{bits}: {}", figure("expected"));
            assert!((figure("deviation") / deviation - 1.0).abs() < 1e-4, "{bits}: {}", figure("deviation"));
            for one in ["least", "greatest"] {
                let off = (figure(one) - expected) / deviation;
                assert!(
                    off.abs() < 5.0,
                    "{} {bits} bits: {one} is {off} standard deviations off",
                    source.id()
                );
            }
            let off = (figure("collisions") - expected) / (deviation / (DRAWS as f64).sqrt());
            assert!(off.abs() < 5.0, "{} {bits} bits: the mean is {off} standard errors off", source.id());
            assert_eq!(figure("ratio"), figure("collisions") / figure("expected"));
        }
    }
}

/// Zobrist and BCH keys are linear: equal differences of positions collide together, so single draws scatter more than those
/// of a random function; positions of random games differ in too many ways for that to show much.
#[test]
fn good_keys_are_close_to_a_random_function_and_bad_keys_are_not() {
    let games = rows(vec![Keys::Zobrist, Keys::Bch], Source::Games, 200_000, 4);
    for (bits, expected, deviation) in PERFECT {
        for keys in ["zobrist", "bch"] {
            let mean = games[&(bits, keys.to_owned(), "collisions".to_owned())];
            assert!((mean - expected).abs() < 5.0 * deviation, "{keys} {bits}: {mean} and {expected}");
        }
    }
    let tree = rows(vec![Keys::Separable], Source::Tree, 200_000, 2);
    let ratio = tree[&(28, "separable".to_owned(), "ratio".to_owned())];
    assert!(ratio > 10.0, "{ratio}");
}

#[test]
fn impossible_settings_are_refused_by_name() {
    let good = Factors { source: vec![Source::Tree], bits: vec![16], keys: vec![Keys::Bch] };
    let limits = Limits { positions: 100, draws: 1 };
    let refused = |factors: &Factors, limits: &Limits| {
        run("test", factors, limits, 1, 1, &mut Vec::new(), &Progress::default()).unwrap_err().to_string()
    };
    assert!(
        refused(&Factors { bits: vec![16, 65], ..good.clone() }, &limits).starts_with("factors.bits: 65")
    );
    assert!(
        refused(&Factors { bits: vec![], ..good.clone() }, &limits).starts_with("factors.bits: no level")
    );
    assert!(
        refused(&Factors { keys: vec![Keys::Bch; 2], ..good.clone() }, &limits)
            .starts_with("factors.keys: bch")
    );
    assert!(refused(&good, &Limits { draws: 0, ..limits.clone() }).starts_with("limits.draws: 0"));
    assert!(refused(&good, &Limits { positions: 1 << 40, ..limits }).starts_with("limits.positions: "));
}
