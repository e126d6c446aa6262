//! The bench trial: signature, rows, branching factors.

use gauntlet::engine::{Params, signature};
use gauntlet::notation::fen::{self, CastlingMode};
use gauntlet::record::{BenchRow, Row, Status};
use gauntlet::subject::{EngineSpec, Session};
use gauntlet::trial::Progress;
use gauntlet::trial::bench::{Plan, Summary, run};

fn bench(plan: &Plan) -> (Summary, Vec<BenchRow>) {
    let mut rows = Vec::new();
    let summary = run(plan, &Session::default(), &mut rows, &Progress::default()).unwrap();
    let rows = rows.into_iter().map(|row| match row {
        Row::Bench(row) => row,
        other => panic!("not a bench row: {other:?}"),
    });
    (summary, rows.collect())
}

#[test]
fn the_signature_is_the_engines_own() {
    let (summary, rows) = bench(&Plan { depth: Some(5), ..Plan::default() });
    let positions: Vec<_> = gauntlet::engine::POSITIONS
        .iter()
        .map(|fen| fen::parse(fen, CastlingMode::Standard).unwrap())
        .collect();
    assert_eq!(summary.signature(), signature(&Params::default(), &positions, 5));
    assert_eq!(summary.positions, positions.len() as u64);

    // The last row of each position adds up to it, and every position has one.
    let last: Vec<&BenchRow> = rows.iter().filter(|row| row.last).collect();
    assert_eq!(last.len(), positions.len());
    assert_eq!(last.iter().map(|row| row.nodes).sum::<u64>(), summary.nodes);

    // Five depths; the geometric mean of the three ratios from depth 2 on, from sums over the rows.
    let nodes = |depth| rows.iter().filter(|row| row.depth == depth).map(|row| row.nodes).sum::<u64>();
    assert_eq!(summary.nodes_by_depth, [1, 2, 3, 4, 5].map(nodes));
    let product: f64 = (3..=5).map(|depth| nodes(depth) as f64 / nodes(depth - 1) as f64).product();
    assert!((summary.ebf.unwrap() - product.powf(1.0 / 3.0)).abs() < 1e-9, "{:?}", summary.ebf);
    let mbf = summary.nodes as f64 / summary.interior_nodes.unwrap() as f64;
    assert!((summary.mbf.unwrap() - mbf).abs() < 1e-9 && mbf > 1.0);
    assert_eq!(summary.verdict().status, Status::Info);
}

#[test]
fn a_node_limit_is_kept_to_the_node() {
    let plan = Plan { nodes: Some(1234), ..Plan::default() };
    let (summary, rows) = bench(&plan);
    assert!(rows.iter().filter(|row| row.last).all(|row| row.nodes <= 1234));
    assert!(summary.nodes > summary.positions * 1000, "{} nodes", summary.nodes);
    // Rows of one position: deeper and deeper, with more and more nodes.
    for pair in rows.windows(2).filter(|pair| pair[0].position == pair[1].position) {
        assert!(pair[1].depth > pair[0].depth && pair[1].nodes >= pair[0].nodes && !pair[0].last, "{pair:?}");
    }
    assert_eq!(bench(&plan).0.nodes, summary.nodes);
}

#[test]
fn a_switch_changes_the_signature() {
    let plan =
        |spec: &str| Plan { engine: EngineSpec::parse(spec).unwrap(), depth: Some(4), ..Plan::default() };
    let nodes = |spec: &str| bench(&plan(spec)).0.nodes;
    assert_ne!(nodes("embedded"), nodes("embedded:null-move=off,lmr=off,killers=off"));
    assert_eq!(nodes("embedded:slider=hyperbola"), nodes("embedded:slider=magic-fancy"));
}

#[test]
fn bad_input_names_the_position() {
    let plan = Plan { positions: vec!["8/8/8/8/8/8/8/8 w - - 0 1".to_owned()], ..Plan::default() };
    let error =
        run(&plan, &Session::default(), &mut Vec::new(), &Progress::default()).unwrap_err().to_string();
    assert!(error.starts_with("8/8/8/8/8/8/8/8 w - - 0 1: ") && !error.contains('\n'), "{error}");
}
