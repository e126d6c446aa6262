//! Error rates by simulation, short: the long form is `gauntlet stats validate`.

use gauntlet::campaign::validate::{check, scenarios, select};
use gauntlet::stats::sprt::simulation::{Operating, play};
use gauntlet::stats::{Model, Sprt};
use gauntlet::trial::{Progress, TrialError};
use std::sync::atomic::AtomicBool;

fn short(id: &str, runs: u64) -> gauntlet::campaign::validate::Finding {
    let selected = select(Some(id)).unwrap();
    check(&selected[0], runs, 1, &Progress::default()).unwrap()
}

/// The file inside the program is the reference's.
#[test]
fn the_scenarios_are_the_references() {
    let read =
        |path: &str| std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    assert_eq!(
        read("src/campaign/validate/scenarios.csv"),
        read("tests/data/stats/sprt_operating_characteristics.csv")
    );
    // 56 rows, 8 of them no targets; two books, one test, two models, less slots where the normalized test is too long.
    let correlated =
        read("src/campaign/validate/scenarios.csv").matches("per_pair_on_correlated_games").count();
    assert_eq!(scenarios().unwrap().len(), 56 - correlated + 6);
}

#[test]
fn errors_and_lengths_are_as_promised() {
    for id in [
        "penta_logistic/balanced_drawheavy/0/5/H0",
        "penta_logistic/uho/0/5/H1",
        "tri_logistic/balanced_drawheavy/0/5/mid",
        "penta_normalized/uho/0/5/H1",
    ] {
        let finding = short(id, 400);
        assert_eq!(finding.faults, [""; 0], "{finding:?}");
        assert_eq!((finding.runs, finding.error_rate.is_none()), (400, id.ends_with("mid")));
    }
}

/// The ledger's order keeps the rate of errors; a test of what has arrived does not, and is seen not to.
#[test]
fn order_of_commit_keeps_the_error_rate() {
    for slots in [256, 1024] {
        let finding = short(&format!("penta_logistic/balanced_drawheavy/0/5/H0/{slots}-slots"), 400);
        assert_eq!(finding.faults, [""; 0], "{finding:?}");
        assert!(finding.arrival_error_rate.unwrap() > 0.08, "{finding:?}");
    }
}

/// A test with bounds for 20 % errors makes them: the simulation sees it.
#[test]
fn a_test_that_errs_is_seen() {
    let law = [0.005625, 0.1275, 0.73375, 0.1275, 0.005625];
    let loose = Sprt::new(0.0, 5.0, 0.2, 0.2, Model::Logistic).unwrap();
    let stop = AtomicBool::new(false);
    let played: Vec<_> = (0..400).map(|run| play(loose, &law, 1, run, &stop).unwrap()).collect();
    let found = Operating::new(&played).unwrap();
    assert!(found.pass_rate > 0.15 && found.mean < 1500.0, "{found:?}");
    // Any run can be played again by itself.
    assert_eq!(play(loose, &law, 1, 250, &stop), Some(played[250]));
    assert_ne!(play(loose, &law, 2, 250, &stop), Some(played[250]));
}

#[test]
fn an_interrupt_ends_it() {
    let progress = Progress::default();
    progress.stop();
    let scenario = &select(None).unwrap()[0];
    assert!(matches!(check(scenario, 100, 1, &progress), Err(TrialError::Interrupted)));
}
