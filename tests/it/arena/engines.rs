//! Matches of real engines: the embedded one against itself, and programs that are no engines.

use gauntlet::arena::engines::run;
use gauntlet::arena::plan::{MatchPlan, SprtPlan};
use gauntlet::record::Row;
use gauntlet::stats::Model;
use gauntlet::subject::{EngineSpec, Session};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn spec(text: &str) -> EngineSpec {
    EngineSpec::parse(text).unwrap()
}

/// What must not depend on who played when: all but times, and but what was set aside.
fn counted(rows: Vec<Row>) -> Vec<Row> {
    rows.into_iter()
        .filter_map(|row| match row {
            Row::Game(game) if game.set_aside => None,
            Row::Game(mut game) => {
                game.started.clear();
                game.duration_us = 0;
                game.plies.iter_mut().for_each(|ply| ply.time_us = None);
                Some(Row::Game(game))
            }
            other => Some(other),
        })
        .collect()
}

#[test]
fn node_limited_matches_are_the_same_at_any_concurrency() {
    let book = gauntlet::suite::openings("openings/tiny.epd", None, None).unwrap().openings;
    let played: Vec<_> = [1, 2, 3]
        .into_iter()
        .map(|concurrency| {
            let plan = MatchPlan {
                concurrency,
                order: gauntlet::arena::schedule::Order::Random,
                sprt: Some(SprtPlan {
                    elo0: 0.0,
                    elo1: 100.0,
                    alpha: 0.1,
                    beta: 0.1,
                    model: Model::Normalized,
                }),
                ..MatchPlan::new(
                    spec("embedded:name=base,nodes=300"),
                    spec("embedded:name=weak,nodes=60"),
                    40,
                )
            };
            let mut rows = Vec::new();
            let outcome = run(&plan, &book, &Session::default(), &mut rows, &()).unwrap();
            assert_eq!(
                outcome.conduct.map(|c| (c.time_losses, c.illegal_moves, c.disobeyed)),
                [(0, 0, 0); 2]
            );
            let sprt = outcome.row().sprt.unwrap();
            (sprt.verdict.clone(), sprt.llr.to_bits(), counted(rows))
        })
        .collect();
    assert!(played[0].2.len() > 4, "{}", played[0].2.len());
    assert_eq!(played[0], played[1]);
    assert_eq!(played[0], played[2]);
}

/// Row BR-088 of `tests/data/cases.csv`.
#[test]
fn br_088_programs_that_are_no_engines() {
    for program in ["/bin/false", "/no/such/engine"] {
        let plan =
            MatchPlan::new(spec(&format!("cmd={program},name=X,nodes=100")), spec("embedded:nodes=100"), 2);
        let mut rows = Vec::new();
        let error = run(&plan, &[], &Session::default(), &mut rows, &()).unwrap_err().to_string();
        assert!(error.contains("engine X"), "{error}");
        assert_eq!(error.lines().count(), 1);
        assert!(rows.is_empty());
    }
}

#[test]
fn a_plan_is_text_and_back() {
    let plan = MatchPlan {
        sprt: Some(SprtPlan { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Logistic }),
        plies: Some(8),
        ..MatchPlan::new(spec("embedded:lmr=off,nodes=10"), spec("cmd=/x,tc=40/60+0.6,margin=50"), 100)
    };
    let text = toml::to_string(&plan).unwrap();
    assert_eq!(toml::from_str::<MatchPlan>(&text).unwrap(), plan, "{text}");
    let twins = MatchPlan::new(spec("embedded:nodes=10"), spec("embedded:nodes=10"), 1);
    assert_eq!(twins.engines[1].name, "embedded 2");
    let text = toml::to_string(&twins).unwrap();
    assert_eq!(toml::from_str::<MatchPlan>(&text).unwrap().engines[1].name, "embedded 2");
}

#[test]
fn a_set_stop_flag_ends_it_before_it_begins() {
    let stop = Arc::new(AtomicBool::new(false));
    stop.store(true, Ordering::Relaxed);
    let session = Session { stop: Some(stop), ..Session::default() };
    let plan = MatchPlan::new(spec("embedded:nodes=100"), spec("embedded:nodes=100"), 1_000);
    let mut rows = Vec::new();
    let outcome = run(&plan, &[], &session, &mut rows, &()).unwrap();
    assert_eq!(outcome.tally.games(), 0);
    assert!(outcome.row().elo.is_none());
}
