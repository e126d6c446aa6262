//! Engines of the system: Stockfish, Glaurung and Toga II from Debian. A missing one is skipped with a message, unless
//! `GAUNTLET_REQUIRE_TOOLS=1` makes it a failure.

use super::*;
use gauntlet::subject::{EngineSpec, Subject, SubjectError};
use gauntlet::uci::ClientError;

/// The engine, started; none if it is not installed.
fn installed(name: &str, more: &str) -> Option<Subject> {
    let path = format!("/usr/games/{name}");
    if !std::path::Path::new(&path).exists() {
        assert!(std::env::var_os("GAUNTLET_REQUIRE_TOOLS").is_none_or(|v| v != "1"), "{path} is missing");
        eprintln_skip(&path);
        return None;
    }
    Some(Subject::start(&EngineSpec::parse(&format!("cmd={path}{more}")).unwrap()).unwrap())
}

/// A line on stderr, where the test runner shows it with `--nocapture`.
fn eprintln_skip(path: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "skipped: {path} is not installed");
}

#[test]
fn searches_under_every_limit() {
    for name in ["stockfish", "glaurung", "toga2"] {
        let Some(mut engine) = installed(name, ",hash=8") else { continue };
        for limit in
            [Limit::depth(6), Limit::nodes(50_000), Limit::time(std::time::Duration::from_millis(50))]
        {
            engine.new_game(0).unwrap();
            let mut heard = 0;
            let found = engine.search(&start(), &limit, DEADLINE, &mut |_| heard += 1).unwrap();
            assert!(
                found.best.is_some() && found.score.is_some() && found.depth.is_some() && heard > 0,
                "{name}: {found:?}"
            );
            assert!(found.time > std::time::Duration::ZERO, "{name}: {found:?}");
        }
    }
}

#[test]
fn stockfish_counts_and_glaurung_does_not() {
    if let Some(mut engine) = installed("stockfish", "") {
        // Known counts: start position to depth 4; Chess960 position 518 is the start position too.
        for (depth, nodes) in [(1, 20), (2, 400), (3, 8902), (4, 197_281)] {
            let table = engine.perft(gauntlet::uci::codec::START_FEN, &[], depth, false, DEADLINE).unwrap();
            assert_eq!((table.divide.len(), table.nodes(), table.total), (20, nodes, Some(nodes)));
        }
        let table = engine.perft("1k5r/6pp/8/8/8/8/8/1K5R w Hh - 0 1", &[], 1, true, DEADLINE).unwrap();
        assert!(table.divide.iter().any(|(mv, _)| mv == "b1h1"), "{table:?}");
    }
    if let Some(mut engine) = installed("glaurung", "") {
        let error = engine.perft(gauntlet::uci::codec::START_FEN, &[], 3, false, DEADLINE).unwrap_err();
        assert!(matches!(error, SubjectError::Client(ClientError::NoPerft { .. })), "{error}");
        assert!(engine.search(&start(), &Limit::depth(4), DEADLINE, &mut |_| {}).unwrap().best.is_some());
    }
}

#[test]
fn a_cleared_engine_repeats_itself() {
    for name in ["stockfish", "glaurung", "toga2"] {
        let Some(mut engine) = installed(name, ",hash=8,threads=1") else { continue };
        let mut ask = || {
            engine.new_game(0).unwrap();
            let found = engine.search(&start(), &Limit::depth(8), DEADLINE, &mut |_| {}).unwrap();
            (found.best, found.score, found.nodes)
        };
        assert_eq!(ask(), ask(), "{name}");
    }
}
