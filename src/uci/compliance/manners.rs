//! Checks of manners: what is not understood is passed over, blanks and line ends do not matter, and the process goes when
//! it is told to or nobody speaks to it any more.

use super::candidate::{Candidate, MIDDLEGAME, Place};
use super::talk::{Passed, Told, wrong};
use super::{Check, must, note, should};
use std::time::Duration;

pub(super) const CHECKS: &[Check] = &[
    must("unknown-command", "an unknown command is passed over", |engine| {
        ignores(engine, &["xyzzy", "dance around the table", "bestmove e2e4"])
    }),
    must("empty-line", "empty lines are passed over", |engine| ignores(engine, &["", "   ", "\t"])),
    must("garbage-line", "a line of bytes without meaning is passed over", |engine| {
        ignores(engine, &["\u{1}\u{2}\u{7f} \u{e9}\u{4e00}", "%s%n%x \\ \" '"])
    }),
    should("long-line", "a line of 20,000 characters without meaning is passed over", |engine| {
        ignores(engine, &["x".repeat(20_000).as_str()])
    }),
    should("half-commands", "commands that lack what belongs to them are passed over", |engine| {
        ignores(engine, &["setoption", "setoption name", "position", "position fen", "ponderhit"])
    }),
    should("blanks", "more blanks than one between words do not matter", blanks),
    should("crlf", "lines may end as on Windows, with a carriage return", crlf),
    note("leading-words", "unknown words before a command are passed over: `now isready`", |engine| {
        engine.patience = engine.patience.min(Duration::from_millis(500));
        engine.send("now isready")?;
        engine.readyok().map(|_| Passed::Well)
    }),
    should("debug", "`debug on` and `debug off` are taken", |engine| {
        engine.spend();
        ignores(engine, &["debug on", "debug off"])
    }),
    must("quit", "`quit` ends the process within 2 s", |engine| {
        engine.ready()?;
        engine.send("quit")?;
        engine.ends().map(|ended| Passed::With(ended.status))
    }),
    must("quit-while-searching", "`quit` in the middle of a search ends the process within 2 s", |engine| {
        engine.is_searching(&Place::new(MIDDLEGAME, &[]))?;
        engine.send("quit")?;
        engine.ends().map(|ended| Passed::With(ended.status))
    }),
    should("end-of-input", "the end of its input ends the process within 2 s", |engine| {
        engine.ready()?;
        engine.talk().close_input();
        engine.ends().map(|ended| Passed::With(ended.status))
    }),
    should(
        "end-of-input-while-searching",
        "the end of its input ends a search and the process within 2 s",
        |engine| {
            engine.is_searching(&Place::new(MIDDLEGAME, &[]))?;
            engine.talk().close_input();
            engine.ends().map(|ended| Passed::With(ended.status))
        },
    ),
    should("nothing-left", "after `quit` none of the processes it started is left", |engine| {
        engine.plays(&Place::start())?;
        engine.send("quit")?;
        let ended = engine.ends()?;
        if ended.left_behind { wrong("a process of its group was still running") } else { Ok(Passed::Well) }
    }),
    note("exit-status", "it ends with success after `quit`", |engine| {
        engine.ready()?;
        engine.send("quit")?;
        let ended = engine.ends()?;
        if ended.success { Ok(Passed::Well) } else { wrong(ended.status) }
    }),
    note("stderr-silent", "it writes nothing to stderr", |engine| {
        engine.plays(&Place::start())?;
        engine.send("quit")?;
        engine.ends()?;
        match engine.talk().last_words() {
            words if words.is_empty() => Ok(Passed::Well),
            words => wrong(format!("the last line there: {words}")),
        }
    }),
    note("plain-line-ends", "its own lines end without a carriage return", |engine| {
        engine.ready()?;
        let has = engine.exchange().iter().any(|line| line.ends_with("\\r"));
        if has { wrong("they end with one") } else { Ok(Passed::Well) }
    }),
];

fn ignores(engine: &mut Candidate, lines: &[&str]) -> Told {
    for line in lines {
        engine.send(line)?;
        engine.ready()?;
    }
    engine.plays(&Place::start()).map(|_| Passed::Well)
}

fn blanks(engine: &mut Candidate) -> Told {
    let mut place = Place::new(MIDDLEGAME, &["f1e2", "e7e5"]);
    place.line = format!("  {}  ", place.line.replace(' ', "  ").replace("  moves  ", " \t moves\t"));
    engine.send("  isready  ")?;
    engine.readyok()?;
    engine.plays_under(&place, "go   depth \t 3 ", Duration::ZERO).map(|_| Passed::Well)
}

fn crlf(engine: &mut Candidate) -> Told {
    let place = Place::new(MIDDLEGAME, &["f1e2", "e7e5"]);
    engine.talk().send_ending("isready", "\r\n")?;
    engine.readyok()?;
    engine.talk().send_ending(&place.line, "\r\n")?;
    engine.talk().send_ending("go depth 3", "\r\n")?;
    engine.answer(&place, Duration::ZERO)?.legal_best()?;
    Ok(Passed::Well)
}
