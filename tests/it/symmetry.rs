//! The symmetry trial.

use gauntlet::record::{Row, Status};
use gauntlet::subject::{EngineSpec, Session};
use gauntlet::trial::Progress;
use gauntlet::trial::symmetry::{Plan, run};

#[test]
fn the_embedded_evaluation_is_symmetric() {
    let mut rows = Vec::new();
    let plan = Plan { concurrency: 2, ..Plan::default() };
    let summary = run(&plan, &Session::default(), &mut rows, &Progress::default()).unwrap();
    assert!(summary.positions >= 1000, "{} positions", summary.positions);
    assert_eq!(
        (summary.different, rows.len() as u64),
        (0, summary.positions),
        "{:?}",
        summary.first_different
    );
    assert_eq!(summary.verdict().status, Status::Pass);
    // Not all the same number: something was evaluated.
    let mut scores: Vec<&str> = rows
        .iter()
        .map(|row| match row {
            Row::Symmetry(row) => row.score.as_str(),
            other => panic!("not a symmetry row: {other:?}"),
        })
        .collect();
    scores.sort_unstable();
    scores.dedup();
    assert!(scores.len() > 200, "{} different scores", scores.len());
}

/// Noise drawn by position is not the same for the flipped one: the check must see it.
#[test]
fn an_asymmetric_evaluation_is_found() {
    let engine = EngineSpec::parse("embedded:eval-noise=20").unwrap();
    let plan = Plan { files: vec!["symmetry.csv".to_owned()], engine, ..Plan::default() };
    let summary = run(&plan, &Session::default(), &mut Vec::new(), &Progress::default()).unwrap();
    assert!(summary.different > 50, "{} of {}", summary.different, summary.positions);
    assert_eq!(summary.verdict().status, Status::Fail);
    assert!(summary.first_different.is_some());
}

#[test]
fn searches_are_compared_and_shown() {
    let plan = Plan { files: vec!["seeds.epd".to_owned()], depth: Some(2), ..Plan::default() };
    let mut rows = Vec::new();
    let summary = run(&plan, &Session::default(), &mut rows, &Progress::default()).unwrap();
    // Two of the 25 are finished games.
    assert_eq!((summary.positions, rows.len()), (23, 23));
    assert_eq!((summary.mode.as_str(), summary.verdict().status), ("depth 2", Status::Info));
    for row in rows {
        let Row::Symmetry(row) = row else { panic!("{row:?}") };
        assert!(row.best.is_some() && row.flipped_best.is_some());
        assert_eq!(row.different, row.score != row.flipped_score);
    }
}

#[test]
fn a_wrong_flipped_column_is_bad_input() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pairs.csv");
    let board = "8/8/8/4k3/8/8/4K3/7R w - - 0 1";
    let text =
        format!("fen,colour_flipped,left_right_mirrored,perft1,perft2,perft3\n{board},{board},,1,1,1\n");
    std::fs::write(&path, text).unwrap();
    let plan = Plan { files: vec![path.display().to_string()], ..Plan::default() };
    let error =
        run(&plan, &Session::default(), &mut Vec::new(), &Progress::default()).unwrap_err().to_string();
    assert!(error.contains("pairs.csv:2: colour_flipped"), "{error}");
}
