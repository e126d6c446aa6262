//! Checks of what an engine tells of its search: that it does, that it is well written, that its lines can be played.

use super::candidate::{BLACK_TO_MOVE, Candidate, MIDDLEGAME, Place, Searched, written_legally};
use super::search::is_answer;
use super::talk::{Fault, Passed, Told, skip, wrong};
use super::{Check, must, note, should};
use crate::types::Bound;
use crate::uci::codec::{Info, START_FEN, Words, is_move_text, parse_info};
use std::time::Duration;

pub(super) const CHECKS: &[Check] = &[
    must("info-printed", "it tells of its search in `info` lines", |engine| {
        if sample(engine)?.infos().next().is_some() { Ok(Passed::Well) } else { wrong("no `info` line") }
    }),
    must(
        "info-written",
        "`info` lines are well written: numbers behind their words, cp or mate behind `score`",
        written,
    ),
    must("info-depth", "`info` lines tell the depth", |engine| {
        has(engine, "depth", |info| info.depth.is_some())
    }),
    must("info-score", "`info` lines tell the score", |engine| {
        has(engine, "score", |info| info.score.is_some())
    }),
    must("info-nodes", "`info` lines tell the nodes", |engine| {
        has(engine, "nodes", |info| info.nodes.is_some())
    }),
    must("info-time", "`info` lines tell the time", |engine| {
        has(engine, "time", |info| info.time_ms.is_some())
    }),
    should("info-nps", "`info` lines tell nodes per second", |engine| {
        has(engine, "nps", |info| info.nps.is_some())
    }),
    must("info-pv", "`info` lines tell the line of play, and it is not empty", |engine| {
        has(engine, "pv", |info| !info.pv.is_empty())
    }),
    must("pv-legal", "every line of play can be played", pv_legal),
    should("bestmove-of-pv", "the best move is the first of the last line of play", best_of_pv),
    note("info-grows", "depth, nodes and time of a search never go down", grows),
    should("search-words", "during a search it says nothing but `info` and `bestmove`", words),
    should("search-brief", "a short search brings less than 200 kB", brief),
];

/// Numbers follow these.
const NUMBERS: [&str; 13] = [
    "depth",
    "seldepth",
    "time",
    "nodes",
    "multipv",
    "cp",
    "mate",
    "currmovenumber",
    "hashfull",
    "nps",
    "tbhits",
    "sbhits",
    "cpuload",
];

fn sample(engine: &mut Candidate) -> Result<Searched, Fault> {
    engine.plays_under(&Place::new(MIDDLEGAME, &[]), "go movetime 250", Duration::from_millis(250))
}

fn has(engine: &mut Candidate, what: &str, wanted: fn(&Info<'_>) -> bool) -> Told {
    let searched = sample(engine)?;
    if searched.infos().filter_map(parse_info).any(|info| wanted(&info)) {
        return Ok(Passed::Well);
    }
    wrong(format!("none of {} `info` lines has {what}", searched.infos().count()))
}

fn written(engine: &mut Candidate) -> Told {
    for searched in several(engine)? {
        for line in searched.infos() {
            if let Some(what) = badly_written(line) {
                return wrong(format!("{what}: `{}`", line.trim()));
            }
        }
    }
    Ok(Passed::Well)
}

/// Quiet positions and sharp ones.
fn several(engine: &mut Candidate) -> Result<Vec<Searched>, Fault> {
    let mut all = Vec::new();
    for fen in [
        START_FEN,
        MIDDLEGAME,
        BLACK_TO_MOVE,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
    ] {
        all.push(engine.plays_under(&Place::new(fen, &[]), "go depth 5", Duration::from_secs(1))?);
    }
    Ok(all)
}

/// What is wrong with an `info` line, if anything. Unknown words are no fault.
fn badly_written(line: &str) -> Option<String> {
    let mut words = Words::new(line).skip(1).peekable();
    while let Some(word) = words.next() {
        let next = words.peek().copied();
        match word {
            "string" => return None,
            "score" if !matches!(next, Some("cp" | "mate" | "lowerbound" | "upperbound")) => {
                return Some("neither cp nor mate behind `score`".to_owned());
            }
            "pv" if !next.is_some_and(is_move_text) => return Some("no move behind `pv`".to_owned()),
            "currmove" if !next.is_some_and(is_move_text) => {
                return Some("no move behind `currmove`".to_owned());
            }
            _ if NUMBERS.contains(&word) && next.is_none_or(|text| text.parse::<i64>().is_err()) => {
                return Some(format!("no number behind `{word}`"));
            }
            _ => {}
        }
    }
    None
}

fn pv_legal(engine: &mut Candidate) -> Told {
    let mut count = 0;
    for searched in several(engine)? {
        for line in searched.infos() {
            let Some(info) = parse_info(line).filter(|info| !info.pv.is_empty()) else { continue };
            count += 1;
            let mut position = searched.place.position;
            for text in Words::new(info.pv) {
                let Some(mv) = written_legally(&position, text, searched.place.chess960) else {
                    return wrong(format!("{text} is not legal in its place: `{}`", line.trim()));
                };
                position.play_unchecked(mv);
            }
        }
    }
    if count == 0 { skip("there is none") } else { Ok(Passed::With(format!("{count} lines"))) }
}

fn best_of_pv(engine: &mut Candidate) -> Told {
    let mut count = 0;
    for searched in several(engine)? {
        let of_first = |line: &str| {
            let info = parse_info(line)?;
            (info.multipv.unwrap_or(1) == 1 && !info.pv.is_empty() && info.bound == Bound::Exact)
                .then(|| Words::new(info.pv).next().unwrap_or_default().to_owned())
        };
        let last = searched.infos().rev().find_map(of_first);
        if let Some(first) = last {
            count += 1;
            if first != searched.best_text() {
                return wrong(format!("the line begins with {first}, it plays {}", searched.best_text()));
            }
        }
    }
    if count == 0 { skip("it tells no line of play") } else { Ok(Passed::Well) }
}

/// A number of an `info` line.
type Figure = fn(&Info<'_>) -> Option<u64>;

fn grows(engine: &mut Candidate) -> Told {
    let searched = sample(engine)?;
    let figures: [(&str, Figure); 3] = [
        ("depth", |info| info.depth.filter(|_| info.multipv.unwrap_or(1) == 1).map(u64::from)),
        ("nodes", |info| info.nodes),
        ("time", |info| info.time_ms),
    ];
    for (what, of) in figures {
        let mut last = 0;
        for line in searched.infos() {
            if let Some(value) = parse_info(line).as_ref().and_then(of) {
                if value < last {
                    return wrong(format!("{what} goes down from {last}: `{}`", line.trim()));
                }
                last = value;
            }
        }
    }
    Ok(Passed::Well)
}

fn words(engine: &mut Candidate) -> Told {
    for searched in several(engine)? {
        let strange = searched.lines.iter().find(|line| {
            let first = Words::new(line).next();
            first.is_some() && first != Some("info") && !is_answer(line)
        });
        if let Some(line) = strange {
            return wrong(format!("it says `{}`", line.trim()));
        }
    }
    Ok(Passed::Well)
}

/// A runner has to read all of it.
const BRIEF: usize = 200_000;

fn brief(engine: &mut Candidate) -> Told {
    let searched = engine.plays(&Place::start())?;
    let found = format!("{} bytes", searched.bytes);
    if searched.bytes > BRIEF { wrong(found) } else { Ok(Passed::With(found)) }
}

#[cfg(test)]
mod tests {
    use super::badly_written;

    #[test]
    fn info_lines_well_and_badly_written() {
        for good in [
            "info depth 3 seldepth 4 score cp -12 lowerbound nodes 5 nps 6 time 7 pv e2e4 e7e5",
            "info string depth x score y",
            "info currmove e2e4 currmovenumber 1 ebf 1.75",
            "info score mate -3 wdl 0 1 999",
        ] {
            assert_eq!(badly_written(good), None, "{good}");
        }
        for bad in
            ["info depth", "info score 12", "info nodes many", "info depth 3 pv", "info score cp pv e2e4"]
        {
            assert!(badly_written(bad).is_some(), "{bad}");
        }
    }
}
