//! Our own binary as a foreign engine: `gauntlet uci`, sound and with every fault, through the face that everybody uses.

use super::*;
use gauntlet::subject::{EngineSpec, Found, Info, Subject, SubjectError};
use gauntlet::types::{ClockLimit, Score};
use std::time::Instant;

fn spec(more: &str) -> EngineSpec {
    EngineSpec::parse(&format!("cmd={},name=Own,arg=uci{more}", env!("CARGO_BIN_EXE_gauntlet"))).unwrap()
}

fn faulty(kind: &str) -> Result<Subject, SubjectError> {
    Subject::start(&spec(&format!(",arg=--fault,arg={kind}")))
}

fn search(subject: &mut Subject, limit: &Limit) -> Result<Found, SubjectError> {
    subject.search(&start(), limit, DEADLINE, &mut |_| {})
}

#[test]
fn served_and_embedded_find_the_same() {
    let mut own = Subject::start(&spec(",hash=8,option.lmr=false")).unwrap();
    let mut embedded = Subject::start(&EngineSpec::parse("embedded:hash=8,lmr=off").unwrap()).unwrap();
    for limit in [Limit::nodes(3000), Limit::depth(6)] {
        let mut depths = Vec::new();
        let ask = |subject: &mut Subject| {
            subject.new_game(7).unwrap();
            let mut line = Vec::new();
            let mut note = |info: &Info<'_>| line = info.pv.moves(start().position());
            let found = subject.search(&start(), &limit, DEADLINE, &mut note).unwrap();
            assert!(!line.is_empty());
            (found, line)
        };
        let ((a, line_a), (b, line_b)) = (ask(&mut own), ask(&mut embedded));
        assert_eq!(
            (a.best, a.ponder, a.score, a.depth, a.nodes, line_a),
            (b.best, b.ponder, b.score, b.depth, b.nodes, line_b)
        );
        assert!(a.obeyed && b.obeyed && a.best.is_some());
        own.new_game(7).unwrap();
        own.search(&start(), &limit, DEADLINE, &mut |info| depths.extend(info.depth)).unwrap();
        assert!(depths.is_sorted() && depths.len() > 2, "{depths:?}");
    }
    assert!(
        embedded.evaluate(&Position::startpos()).is_some() && own.evaluate(&Position::startpos()).is_none()
    );
    let counts = |subject: &mut Subject| {
        subject.perft(gauntlet::uci::codec::START_FEN, &[], 3, false, DEADLINE).unwrap()
    };
    let (mut a, mut b) = (counts(&mut own).divide, counts(&mut embedded).divide);
    a.sort();
    b.sort();
    assert_eq!(a, b);
    // Perft 3 of the start position.
    assert_eq!(a.iter().map(|(_, nodes)| nodes).sum::<u64>(), 8902);
}

#[test]
fn wrong_options_are_refused() {
    let message = |more: &str| Subject::start(&spec(more)).unwrap_err().to_string();
    assert_eq!(message(",option.FooBar=11"), "engine Own: no option `FooBar`");
    assert!(
        message(",option.Hash=-16")
            .starts_with("engine Own: option Hash: `-16` is not a whole number from 1")
    );
    let own = Subject::start(&spec(",threads=2")).unwrap();
    assert_eq!(own.warnings(), ["engine Own: has no option Threads; left as it is"]);
}

#[test]
fn crashes() {
    let error = faulty("crash-at-start").unwrap_err();
    assert!(
        error.is_fatal() && error.to_string().starts_with("engine Own: died before it said uciok"),
        "{error}"
    );
    let mut subject = faulty("crash@2").unwrap();
    search(&mut subject, &Limit::nodes(100)).unwrap();
    let began = Instant::now();
    let error = search(&mut subject, &Limit::nodes(100)).unwrap_err();
    assert!(error.is_fatal() && !error.is_time_out() && !subject.is_alive());
    assert!(error.to_string().contains("died while searching (exit status: "), "{error}");
    assert!(began.elapsed() < Duration::from_secs(2));
}

#[test]
fn hangs() {
    let mut subject = faulty("hang").unwrap();
    let error =
        subject.search(&start(), &Limit::depth(3), Duration::from_millis(100), &mut |_| {}).unwrap_err();
    assert!(error.is_time_out() && error.is_fatal(), "{error}");
}

#[test]
fn answers_that_are_no_moves() {
    let fault = |kind| search(&mut faulty(kind).unwrap(), &Limit::nodes(100)).unwrap().fault();
    assert_eq!(fault("illegal").unwrap(), "illegal move a1h7");
    assert_eq!(fault("null-move").unwrap(), "no move (bestmove 0000)");
    assert_eq!(fault("empty-bestmove").unwrap(), "no move (bestmove )");
}

#[test]
fn noise_around_good_answers() {
    let clean = search(&mut Subject::start(&spec("")).unwrap(), &Limit::nodes(1000)).unwrap();
    for kind in ["garbage", "flood", "banner", "ignore-quit", "late", "no-score"] {
        let mut subject = faulty(kind).unwrap();
        let found = search(&mut subject, &Limit::nodes(1000)).unwrap();
        assert_eq!(found.best, clean.best, "{kind}");
        assert_eq!(found.score.is_none(), kind == "no-score");
        assert_eq!(found.time > Duration::from_millis(300), kind == "late", "{kind}: {:?}", found.time);
        let began = Instant::now();
        drop(subject);
        assert!(began.elapsed() < Duration::from_secs(3));
    }
}

#[test]
fn a_slow_start_is_waited_for() {
    let began = Instant::now();
    let mut subject = faulty("slow-start").unwrap();
    assert!(began.elapsed() >= Duration::from_secs(3));
    assert!(search(&mut subject, &Limit::nodes(100)).unwrap().time < Duration::from_secs(1));
}

#[test]
fn limits_that_are_not_obeyed() {
    let mut subject = faulty("overstep").unwrap();
    let found = search(&mut subject, &Limit::nodes(20_000)).unwrap();
    assert!(!found.obeyed && found.best.is_some());
    let found = search(&mut subject, &Limit::time(Duration::from_millis(100))).unwrap();
    assert!(found.time > Duration::from_millis(150));
    let clock = ClockLimit { remaining: [Duration::from_millis(100); 2], ..ClockLimit::default() };
    let found = search(&mut subject, &Limit { clock: Some(clock), ..Limit::default() }).unwrap();
    assert!(found.time > Duration::from_millis(110));
    // A search without a limit is stopped at the deadline, embedded or not.
    for spec in [spec(""), EngineSpec::embedded()] {
        let mut subject = Subject::start(&spec).unwrap();
        let found =
            subject.search(&start(), &Limit::depth(100), Duration::from_millis(200), &mut |_| {}).unwrap();
        assert!(!found.obeyed && found.best.is_some() && found.time < Duration::from_secs(2));
    }
}

/// Both forms of castling, according to what the start position needs.
#[test]
fn chess960_is_switched_on_where_it_is_needed() {
    use gauntlet::notation::{fen, uci_move};
    let mut own = Subject::start(&spec("")).unwrap();
    for (start, castle) in
        [("4k2r/6pp/8/8/8/8/8/4K2R w Kk - 0 1", "e1g1"), ("1k5r/6pp/8/8/8/8/8/1K5R w Hh - 0 1", "b1h1")]
    {
        let mut line = Line::new(fen::parse(start, fen::CastlingMode::Chess960).unwrap());
        line.play(uci_move::parse(castle, line.position()).unwrap()).unwrap();
        own.new_game(0).unwrap();
        let found = own.search(&line, &Limit::nodes(500), DEADLINE, &mut |_| {}).unwrap();
        let mut twin = Subject::start(&EngineSpec::embedded()).unwrap();
        let expected = twin.search(&line, &Limit::nodes(500), DEADLINE, &mut |_| {}).unwrap();
        let told = |found: &gauntlet::subject::Found| (found.best, found.score, found.nodes);
        assert_eq!(told(&found), told(&expected), "{start}");
        assert!(found.best.is_some() && !matches!(found.score, Some(Score::Mate(0))));
    }
}
