//! The tactics trial: what counts as solved, the same rows from any number of workers, engines that fail.

use gauntlet::record::{Row, Status, TacticsRow};
use gauntlet::subject::{EngineSpec, Session};
use gauntlet::trial::tactics::{Plan, Summary, run};
use gauntlet::trial::{Progress, TrialError};

fn tactics(plan: &Plan) -> (Summary, Vec<TacticsRow>) {
    let mut rows = Vec::new();
    let summary = run(plan, &Session::default(), &mut rows, &Progress::default()).unwrap();
    let compared = rows.iter().filter(|row| matches!(row, Row::Comparison(_))).count();
    assert_eq!(compared, summary.comparisons.iter().map(|found| found.rows().len()).sum::<usize>());
    let rows = rows.into_iter().filter_map(|row| match row {
        Row::Tactics(row) => Some(row),
        Row::Comparison(_) => None,
        other => panic!("not a tactics row: {other:?}"),
    });
    (summary, rows.collect())
}

fn seeds() -> Plan {
    Plan { files: vec!["seeds.epd".to_owned()], nodes: Some(5000), ..Plan::default() }
}

#[test]
fn mates_are_found_and_studies_are_shown() {
    let (summary, rows) = tactics(&seeds());
    let row = |id: &str| rows.iter().find(|row| row.id == id).unwrap();
    let coko = row("Coko #1");
    assert_eq!((coko.solved, coko.score.as_deref(), coko.mate_in), (Some(true), Some("+M1"), Some(1)));
    assert!(coko.best.contains(&coko.played.clone().unwrap()), "{coko:?}");
    assert!(coko.solved_nodes.unwrap() <= coko.nodes.unwrap() && coko.solved_us.unwrap() <= coko.time_us);
    let szen = row("Chunker #1");
    assert_eq!((szen.solved, szen.solved_nodes, szen.played.is_some()), (None, None, true));
    // Fool's mate: nobody is asked for a move.
    let mated = row("Alexandre Linhares #1");
    assert_eq!((mated.played.as_deref(), mated.note.as_deref()), (None, Some("game over")));
    let engine = &summary.engines[0];
    assert_eq!((engine.total, engine.shown, rows.len()), (8, 17, 25));
    assert_eq!(engine.solved, rows.iter().filter(|row| row.solved == Some(true)).count() as u64);
    assert_eq!((engine.points, engine.max_points, engine.faults, engine.not_obeyed), (None, None, 0, 0));
    assert!(rows.iter().all(|row| row.nodes.is_none_or(|nodes| nodes <= 5000)));
}

#[test]
fn rows_do_not_depend_on_the_number_of_workers() {
    let plan = Plan { files: vec!["bratko-kopec.epd".to_owned()], nodes: Some(2000), ..Plan::default() };
    let rows = |concurrency| {
        let rows = tactics(&Plan { concurrency, ..plan.clone() }).1;
        rows.into_iter()
            .map(|row| (row.id, row.played, row.nodes, row.score, row.solved, row.solved_nodes))
            .collect::<Vec<_>>()
    };
    assert_eq!(rows(1), rows(3));
}

#[test]
fn points_by_the_table_of_moves() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("points.epd");
    let first = "7k/8/6K1/8/8/8/8/R7 w - - bm Ra8#; c0 \"Ra8#=10, Ra7=2\"; id \"mate\";";
    std::fs::write(&path, format!("{first}\n{}\n", first.replace("Ra8#=10, Ra7=2", "Ra7=7, Rb1=3"))).unwrap();
    let plan = Plan { files: vec![path.display().to_string()], depth: Some(3), ..Plan::default() };
    let engine = &tactics(&plan).0.engines[0];
    // Ra8# is worth 10 in the first table and nothing in the second.
    assert_eq!((engine.solved, engine.points, engine.max_points), (2, Some(10), Some(17)));
}

#[test]
fn two_engines_are_compared_on_the_same_positions() {
    let spec = |text: &str| EngineSpec::parse(text).unwrap();
    let plan = Plan {
        files: vec!["mates.epd".to_owned()],
        engines: vec![spec("embedded:name=deep,depth=5"), spec("embedded:name=shallow,depth=1")],
        concurrency: 2,
        ..Plan::default()
    };
    let (summary, rows) = tactics(&plan);
    let (deep, shallow) = rows.split_at(rows.len() / 2);
    let only = |a: &[TacticsRow], b: &[TacticsRow]| {
        a.iter().zip(b).filter(|(a, b)| a.solved == Some(true) && b.solved == Some(false)).count() as u64
    };
    let comparison = &summary.comparisons[0];
    assert_eq!((comparison.a.as_str(), comparison.b.as_str()), ("deep", "shallow"));
    assert_eq!((comparison.only_a, comparison.only_b), (only(deep, shallow), only(shallow, deep)));
    assert!(comparison.only_a > comparison.only_b + 20 && comparison.p < 0.001, "{comparison:?}");
    // What both needed, from the rows alone.
    let both: Vec<f64> = deep
        .iter()
        .zip(shallow)
        .filter(|(a, b)| a.solved == Some(true) && b.solved == Some(true))
        .map(|(a, b)| (a.solved_nodes.unwrap() as f64 / b.solved_nodes.unwrap() as f64).ln())
        .collect();
    let nodes = comparison.nodes.unwrap();
    assert_eq!((comparison.both, nodes.positions), (both.len() as u64, both.len() as u64));
    assert!((nodes.ratio.ln() - both.iter().sum::<f64>() / both.len() as f64).abs() < 1e-9, "{nodes:?}");
    assert!(nodes.low.unwrap() < nodes.ratio && nodes.ratio < nodes.high.unwrap());
    assert!(deep.iter().filter(|row| row.solved == Some(true)).all(|row| row.solved_depth <= row.depth));
    let verdicts = summary.verdicts(Some(summary.engines[0].solved));
    assert_eq!((verdicts[0].status, verdicts[1].status), (Status::Pass, Status::Fail));
}

#[test]
fn bad_input_is_one_line() {
    let error = |plan: Plan| {
        run(&plan, &Session::default(), &mut Vec::new(), &Progress::default()).unwrap_err().to_string()
    };
    for message in [
        error(Plan::default()),
        error(Plan { files: vec!["nothing.epd".to_owned()], ..Plan::default() }),
        error(Plan { engines: vec![EngineSpec::parse("cmd=/no/such/engine").unwrap()], ..seeds() }),
    ] {
        assert!(!message.contains('\n') && message.len() > 10, "{message}");
    }
}

/// A UCI engine in a few lines of shell: `search` is what it does at `go`.
#[cfg(unix)]
fn scripted(folder: &std::path::Path, search: &str) -> EngineSpec {
    let path = folder.join("engine.sh");
    let script = format!(
        "while read -r word rest; do case \"$word\" in\n\
         uci) echo 'id name scripted'; echo uciok;;\n\
         isready) echo readyok;;\n\
         go) {search};;\n\
         quit) exit 0;;\n\
         esac; done\n"
    );
    std::fs::write(&path, script).unwrap();
    EngineSpec::parse(&format!("cmd=/bin/sh,name=scripted,arg={}", path.display())).unwrap()
}

#[cfg(unix)]
fn two_openings(folder: &std::path::Path) -> String {
    let path = folder.join("start.epd");
    let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;";
    std::fs::write(&path, format!("{line}\n{line}\n")).unwrap();
    path.display().to_string()
}

/// A search that ends at once under a node limit proves nothing: marked, never ranked.
#[cfg(unix)]
#[test]
fn a_limit_that_is_not_obeyed() {
    let folder = tempfile::tempdir().unwrap();
    let engine =
        scripted(folder.path(), "echo 'info depth 1 nodes 20 score cp 10 pv e2e4'; echo 'bestmove e2e4'");
    let plan = Plan {
        files: vec![two_openings(folder.path())],
        engines: vec![engine],
        nodes: Some(10_000),
        ..Plan::default()
    };
    let (summary, rows) = tactics(&plan);
    assert!(rows.iter().all(|row| row.solved.is_none() && row.note.as_deref() == Some("limit not obeyed")));
    assert!(rows.iter().all(|row| row.played.as_deref() == Some("e2e4")));
    let engine = &summary.engines[0];
    assert_eq!((engine.solved, engine.total, engine.not_obeyed), (0, 2, 2));
}

#[cfg(unix)]
#[test]
fn an_engine_that_dies_once_in_a_while_is_started_anew() {
    let folder = tempfile::tempdir().unwrap();
    let flag = folder.path().join("died");
    let search =
        format!("if [ -e {0} ]; then echo 'bestmove e2e4'; else : > {0}; exit 3; fi", flag.display());
    let plan = Plan {
        files: vec![two_openings(folder.path())],
        engines: vec![scripted(folder.path(), &search)],
        nodes: Some(10_000),
        ..Plan::default()
    };
    let (summary, rows) = tactics(&plan);
    assert!(rows[0].note.as_deref().is_some_and(|note| note.contains("scripted")), "{:?}", rows[0]);
    assert_eq!((rows[0].solved, rows[1].solved), (Some(false), Some(true)));
    assert_eq!((summary.engines[0].faults, summary.engines[0].solved), (1, 1));
    assert_eq!(summary.engines[0].warnings.len(), 1);
}

#[cfg(unix)]
#[test]
fn an_engine_that_keeps_dying_ends_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan {
        files: vec![two_openings(folder.path()), two_openings(folder.path())],
        engines: vec![scripted(folder.path(), "exit 3")],
        nodes: Some(10_000),
        ..Plan::default()
    };
    let mut rows = Vec::new();
    let error = run(&plan, &Session::default(), &mut rows, &Progress::default()).unwrap_err();
    assert!(matches!(error, TrialError::Subject(_)) && error.to_string().contains("scripted"), "{error}");
    assert_eq!(rows.len(), 2, "what came before is kept");
}
