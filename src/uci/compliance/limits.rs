//! Checks of limits: depth, nodes and time are kept. Time is judged by the best of several tries: a busy machine makes an
//! engine late once, not each time.

use super::candidate::{BLACK_TO_MOVE, Candidate, MIDDLEGAME, Place};
use super::talk::{Passed, Told, skip, wrong};
use super::{Check, must, note, should};
use crate::uci::codec::parse_info;
use std::time::Duration;

pub(super) const CHECKS: &[Check] = &[
    should("depth-kept", "`go depth 4` reports no depth above 4", depth),
    should(
        "nodes-kept",
        "`go nodes 50000` takes from half to twice as many nodes, as it reports them",
        nodes,
    ),
    must("movetime-kept", "`go movetime 300` is answered in time", |engine| {
        in_time(engine, MIDDLEGAME, "go movetime 300", Duration::from_millis(300), true)
    }),
    must("clock-kept", "with a second on its clock it answers before that has run out", |engine| {
        in_time(engine, MIDDLEGAME, "go wtime 1000 btime 1000", SECOND, false)?;
        in_time(engine, BLACK_TO_MOVE, "go wtime 1000 btime 1000", SECOND, false)
    }),
    must("clock-own", "it looks at its own clock, not at the other side's", |engine| {
        in_time(engine, MIDDLEGAME, "go wtime 1000 btime 3600000", SECOND, false)?;
        in_time(engine, BLACK_TO_MOVE, "go wtime 3600000 btime 1000", SECOND, false)
    }),
    should("stop-fast", "`stop` is answered within the margin", stop_fast),
    note(
        "repeatable",
        "after `ucinewgame`, the same search has the same move and the same nodes",
        repeatable,
    ),
];

const SECOND: Duration = Duration::from_secs(1);
const TRIES: usize = 3;

fn depth(engine: &mut Candidate) -> Told {
    let searched = engine.plays_under(&Place::new(MIDDLEGAME, &[]), "go depth 4", Duration::ZERO)?;
    let deepest = searched.infos().filter_map(|line| parse_info(line)?.depth).max();
    match deepest {
        None => skip("it reports no depth"),
        Some(deepest) if deepest > 4 => wrong(format!("it reports depth {deepest}")),
        Some(deepest) => Ok(Passed::With(format!("depth {deepest}"))),
    }
}

const NODES: u64 = 50_000;

fn nodes(engine: &mut Candidate) -> Told {
    engine.new_game()?;
    let go = format!("go nodes {NODES}");
    let searched = engine.plays_under(&Place::new(MIDDLEGAME, &[]), &go, Duration::from_secs(2))?;
    let most = searched.infos().filter_map(|line| parse_info(line)?.nodes).max();
    match most {
        None => skip("it reports no nodes"),
        Some(most) if (NODES / 2..=NODES * 2).contains(&most) => Ok(Passed::With(format!("{most} nodes"))),
        Some(most) => wrong(format!("it reports {most} nodes")),
    }
}

/// `with_margin`: a little later is in time. A clock has no margin but what is lost on the way.
fn in_time(engine: &mut Candidate, fen: &str, go: &str, limit: Duration, with_margin: bool) -> Told {
    let most = limit + if with_margin { engine.margin } else { Duration::from_millis(10) };
    let mut best = Duration::MAX;
    for _ in 0..TRIES {
        let searched = engine.plays_under(&Place::new(fen, &[]), go, limit)?;
        best = best.min(searched.time);
        if best <= most {
            return Ok(Passed::With(format!("{} ms", best.as_millis())));
        }
    }
    wrong(format!("`{go}` was answered after {} ms at best of {TRIES} tries", best.as_millis()))
}

fn stop_fast(engine: &mut Candidate) -> Told {
    let place = Place::new(MIDDLEGAME, &[]);
    let mut best = Duration::MAX;
    for _ in 0..TRIES {
        engine.is_searching(&place)?;
        engine.send("stop")?;
        best = best.min(engine.answer(&place, Duration::ZERO)?.time);
        if best <= engine.margin {
            return Ok(Passed::With(format!("{} ms", best.as_millis())));
        }
    }
    wrong(format!("the answer came {} ms after `stop` at best of {TRIES} tries", best.as_millis()))
}

fn repeatable(engine: &mut Candidate) -> Told {
    let mut seen: Option<(String, Option<u64>)> = None;
    for _ in 0..2 {
        engine.new_game()?;
        let searched =
            engine.plays_under(&Place::new(MIDDLEGAME, &[]), "go depth 6", Duration::from_secs(1))?;
        let nodes = searched.infos().filter_map(|line| parse_info(line)?.nodes).max();
        let now = (searched.best_text().to_owned(), nodes);
        match &seen {
            Some(before) if *before != now => {
                let text = |(mv, nodes): &(String, Option<u64>)| {
                    format!("{mv} ({} nodes)", nodes.map_or("?".to_owned(), |nodes| nodes.to_string()))
                };
                return wrong(format!("first {}, then {}", text(before), text(&now)));
            }
            _ => seen = Some(now),
        }
    }
    Ok(Passed::Well)
}
