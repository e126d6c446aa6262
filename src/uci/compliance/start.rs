//! Checks of the beginning: `uci`, who it is, `isready`, `ucinewgame`.

use super::candidate::{Candidate, keep};
use super::talk::{Passed, Told, skip, wrong};
use super::{Check, must, note, should};
use crate::uci::codec::Words;
use std::time::Duration;

pub(super) const CHECKS: &[Check] = &[
    must("uciok", "`uci` is answered with `uciok`", |engine| {
        // Nobody gets here without it.
        engine.greeting();
        Ok(Passed::Well)
    }),
    must("id-name", "it says its name: `id name …` before `uciok`", |engine| identity(engine, "name")),
    must("id-author", "it says its author: `id author …` before `uciok`", |engine| {
        identity(engine, "author")
    }),
    should("greeting-words", "up to `uciok` it says nothing but `id`, `option`, `info` and the like", words),
    note("uciok-fast", "`uciok` comes within a second of the start", fast),
    must("isready", "`isready` is answered with `readyok`", |engine| engine.ready().map(|_| Passed::Well)),
    must("isready-each", "each `isready` is answered with one `readyok`", each),
    must("ucinewgame", "it is ready again after `ucinewgame`", |engine| {
        engine.new_game().map(|()| Passed::Well)
    }),
    should("uci-again", "a second `uci` is answered like the first", again),
];

/// What may stand in front of `uciok`.
const GREETING: [&str; 5] = ["id", "option", "info", "copyprotection", "registration"];

fn identity(engine: &mut Candidate, what: &str) -> Told {
    for line in &engine.greeting().lines {
        let mut words = Words::new(line);
        if words.next() == Some("id") && words.next() == Some(what) {
            return match words.rest() {
                "" => wrong(format!("`id {what}` without a text")),
                text => Ok(Passed::With(text.to_owned())),
            };
        }
    }
    wrong(format!("no `id {what}`"))
}

fn words(engine: &mut Candidate) -> Told {
    let greeting = engine.greeting();
    let strange = greeting.lines.iter().find(|line| {
        let first = Words::new(line).next();
        first.is_some_and(|word| !GREETING.contains(&word))
    });
    match strange {
        Some(line) => wrong(format!("it says `{}`", line.trim())),
        None => Ok(Passed::Well),
    }
}

fn fast(engine: &mut Candidate) -> Told {
    let time = engine.greeting().time;
    let found = format!("{:.2} s", time.as_secs_f64());
    if time > Duration::from_secs(1) { wrong(found) } else { Ok(Passed::With(found)) }
}

fn each(engine: &mut Candidate) -> Told {
    engine.ready()?;
    // If one of them had two answers, the last question would be answered too early, and its own answer be left over.
    for _ in 0..3 {
        engine.send("isready")?;
    }
    for _ in 0..3 {
        engine.readyok()?;
    }
    match engine.talk().next(Duration::from_millis(20))? {
        Some(line) => wrong(format!("after the last `readyok` it says `{}`", line.trim())),
        None => Ok(Passed::Well),
    }
}

fn again(engine: &mut Candidate) -> Told {
    let first = engine.greeting.lines.clone();
    engine.send("uci")?;
    let mut second = Vec::new();
    let patience = engine.patience;
    engine.talk().until("uciok", patience, &mut |line| keep(&mut second, line))?;
    let told = |lines: &[String]| {
        let of_name = |line: &&String| matches!(Words::new(line).next(), Some("id" | "option"));
        lines.iter().filter(of_name).map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    let (first, second) = (told(&first), told(&second));
    match first.iter().find(|line| !second.contains(line)) {
        // Some show the present value as the default.
        Some(line) if second.len() == first.len() => skip(format!("`{line}` is told otherwise now")),
        Some(line) => wrong(format!("the second time it does not say `{line}`")),
        None => Ok(Passed::Well),
    }
}
