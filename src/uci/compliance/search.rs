//! Checks of the course of a search: `go` in its forms, `stop`, pondering, one answer each, and silence after it.

use super::candidate::{BLACK_TO_MOVE, Candidate, MIDDLEGAME, Place, written_legally};
use super::talk::{Fault, Passed, Told, skip, wrong};
use super::{Check, must, note, should};
use crate::uci::codec::{self, START_FEN, Words};
use std::time::{Duration, Instant};

pub(super) const CHECKS: &[Check] = &[
    must("go-depth", "`go depth` is answered with a legal move", |engine| {
        goes(engine, "go depth 4", MIDDLEGAME)
    }),
    must("go-nodes", "`go nodes` is answered with a legal move", |engine| {
        goes(engine, "go nodes 5000", MIDDLEGAME)
    }),
    must("go-movetime", "`go movetime` is answered with a legal move", |engine| {
        goes(engine, "go movetime 100", MIDDLEGAME)
    }),
    must("go-wtime", "`go wtime 100` is answered with a legal move", |engine| {
        goes(engine, "go wtime 100", START_FEN)
    }),
    must("go-btime", "`go btime 100` is answered with a legal move", |engine| {
        goes(engine, "go btime 100", BLACK_TO_MOVE)
    }),
    must("go-increment", "`go` with both clocks and increments is answered with a legal move", |engine| {
        goes(engine, "go wtime 100 winc 100 btime 100 binc 100", START_FEN)?;
        goes(engine, "go btime 100 binc 100 wtime 100 winc 100", BLACK_TO_MOVE)
    }),
    must(
        "go-movestogo",
        "`go` with moves to the next time control is answered with a legal move",
        |engine| {
            goes(engine, "go wtime 500 btime 500 movestogo 5", MIDDLEGAME)?;
            goes(engine, "go wtime 200 btime 200 movestogo 1", BLACK_TO_MOVE)
        },
    ),
    must("go-increment-only", "with next to no time left and an increment it still answers", |engine| {
        goes(engine, "go wtime 1 btime 1 winc 200 binc 200", MIDDLEGAME)
    }),
    must("stop", "`go infinite` ends with a legal move after `stop`", stop),
    should("stop-at-once", "`stop` right behind `go infinite` is not lost", |engine| {
        let place = Place::new(MIDDLEGAME, &[]);
        engine.begin_search(&place, "go infinite")?;
        stopped(engine, &place)
    }),
    should(
        "infinite-waits",
        "`go infinite` is not answered before `stop`, even if there is nothing to think about",
        waits,
    ),
    must(
        "isready-while-searching",
        "`isready` is answered in the middle of a search, which goes on",
        ready_meanwhile,
    ),
    must("stop-idle", "`stop` without a search brings no `bestmove`", stop_idle),
    must("one-bestmove", "each `go` is answered with exactly one `bestmove`", one_each),
    should("silent-after-bestmove", "nothing follows a `bestmove` until it is spoken to", silent_after),
    should("searchmoves", "`go searchmoves` plays one of these moves", searchmoves),
    must("ponder", "`go ponder` waits for `ponderhit` or `stop`, and answers then", ponder),
    should("ponder-move", "the move behind `bestmove … ponder` is legal after the best move", ponder_move),
    note("go-mate", "`go mate 1` finds a mate in one", |engine| {
        let place = Place::new("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", &[]);
        let searched = engine.plays_under(&place, "go mate 1", Duration::ZERO)?;
        if searched.best_text() == "a1a8" { Ok(Passed::Well) } else { wrong(searched.answer.clone()) }
    }),
];

/// A search under these limits, which take half a second at most.
fn goes(engine: &mut Candidate, go: &str, fen: &str) -> Told {
    engine.plays_under(&Place::new(fen, &[]), go, Duration::from_millis(500)).map(|_| Passed::Well)
}

/// How long to see that nothing comes. What comes later is not found, so that a busy machine finds no fault where there is none.
const A_WHILE: Duration = Duration::from_millis(150);

/// No `bestmove` for a while.
fn no_answer(engine: &mut Candidate, before: &str) -> Result<(), Fault> {
    let begun = Instant::now();
    while let Some(left) = A_WHILE.checked_sub(begun.elapsed()) {
        if let Some(line) = engine.talk().next(left)?
            && Words::new(&line).next() == Some("bestmove")
        {
            return wrong(format!("`{}` before `{before}`", line.trim()));
        }
    }
    Ok(())
}

fn stop(engine: &mut Candidate) -> Told {
    let place = Place::new(MIDDLEGAME, &[]);
    engine.begin_search(&place, "go infinite")?;
    no_answer(engine, "stop")?;
    stopped(engine, &place)
}

fn stopped(engine: &mut Candidate, place: &Place) -> Told {
    engine.send("stop")?;
    engine.answer(place, Duration::ZERO)?.legal_best()?;
    Ok(Passed::Well)
}

fn waits(engine: &mut Candidate) -> Told {
    // One legal move: done at once.
    let place = Place::new("8/8/4pp2/2Ppb3/4K3/2p3q1/2k5/8 w - d6 0 2", &[]);
    engine.begin_search(&place, "go infinite")?;
    no_answer(engine, "stop")?;
    stopped(engine, &place)
}

fn ready_meanwhile(engine: &mut Candidate) -> Told {
    let place = Place::new(MIDDLEGAME, &[]);
    engine.begin_search(&place, "go infinite")?;
    let said = engine.ready()?;
    if let Some(line) = said.iter().find(|line| Words::new(line).next() == Some("bestmove")) {
        return wrong(format!("`isready` ended the search: `{}`", line.trim()));
    }
    no_answer(engine, "stop")?;
    stopped(engine, &place)
}

fn stop_idle(engine: &mut Candidate) -> Told {
    engine.ready()?;
    engine.send("stop")?;
    let mut said = engine.ready()?;
    // Also after a search, where there is a move to say again.
    engine.plays(&Place::start())?;
    engine.send("stop")?;
    said.extend(engine.ready()?);
    match said.iter().find(|line| Words::new(line).next() == Some("bestmove")) {
        Some(line) => wrong(format!("it says `{}`", line.trim())),
        None => Ok(Passed::Well),
    }
}

fn one_each(engine: &mut Candidate) -> Told {
    for fen in [MIDDLEGAME, BLACK_TO_MOVE, START_FEN] {
        engine.plays(&Place::new(fen, &[]))?;
        let said = engine.ready()?;
        if let Some(line) = said.iter().find(|line| Words::new(line).next() == Some("bestmove")) {
            return wrong(format!("a second answer: `{}`", line.trim()));
        }
    }
    Ok(Passed::Well)
}

fn silent_after(engine: &mut Candidate) -> Told {
    for fen in [MIDDLEGAME, BLACK_TO_MOVE] {
        engine.plays(&Place::new(fen, &[]))?;
        let said = engine.ready()?;
        if let Some(line) = said.iter().find(|line| !line.trim().is_empty()) {
            return wrong(format!("it says `{}`", line.trim()));
        }
    }
    Ok(Passed::Well)
}

fn searchmoves(engine: &mut Candidate) -> Told {
    for wanted in [["a2a3", "h2h3"], ["a2a4", "h2h4"]] {
        engine.new_game()?;
        let go = format!("go depth 4 searchmoves {}", wanted.join(" "));
        let searched = engine.plays_under(&Place::start(), &go, Duration::ZERO)?;
        if !wanted.contains(&searched.best_text()) {
            return wrong(format!("asked for {}, it plays {}", wanted.join(" or "), searched.best_text()));
        }
    }
    Ok(Passed::Well)
}

fn ponder(engine: &mut Candidate) -> Told {
    if engine.option("Ponder").is_none() {
        return Candidate::no_option("Ponder");
    }
    engine.spend();
    engine.send("setoption name Ponder value true")?;
    engine.ready()?;
    let place = Place::new(START_FEN, &["e2e4", "e7e5"]);
    for release in ["ponderhit", "stop"] {
        engine.begin_search(&place, "go ponder wtime 1000 btime 1000 winc 100 binc 100")?;
        no_answer(engine, release)?;
        engine.send(release)?;
        engine.answer(&place, Duration::from_secs(1))?.legal_best()?;
    }
    Ok(Passed::Well)
}

fn ponder_move(engine: &mut Candidate) -> Told {
    let mut seen = 0;
    for fen in [START_FEN, MIDDLEGAME, BLACK_TO_MOVE] {
        let searched = engine.plays_under(&Place::new(fen, &[]), "go depth 5", Duration::ZERO)?;
        let mut after = searched.place.position;
        after.play_unchecked(searched.legal_best()?);
        let mut words = Words::new(&searched.answer).skip_while(|word| *word != "ponder").skip(1);
        let Some(text) = words.next().filter(|text| !matches!(*text, "(none)" | "0000")) else { continue };
        seen += 1;
        if written_legally(&after, text, false).is_none() {
            return wrong(format!("`{}`: {text} is not legal then", searched.answer.trim()));
        }
    }
    if seen == 0 { skip("it names no move to ponder on") } else { Ok(Passed::Well) }
}

/// Whether a line is an answer, for other themes.
pub(super) fn is_answer(line: &str) -> bool {
    codec::parse_bestmove(line).is_some()
}
