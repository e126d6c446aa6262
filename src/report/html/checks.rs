//! The parts of the page that can pass or fail position by position: perft, test positions, symmetry.

use super::{Section, figure, heat};
use crate::record::{ComparisonRow, PerftRow, SymmetryRow, TacticsRow};
use crate::report::board::{self, Arrow};
use crate::report::digest::{Digest, TacticsGroup};
use crate::report::figures::{
    NONE, count, duration_us, ends, fixed, maybe, percent, rate, score_text, short, wilson,
};
use crate::report::grouped::grouped;
use crate::report::readable;
use crate::report::svg::{Bar, bars, legend};
use maud::{Markup, html};

/// No more boards than this on a page; no more lines than this in a list of failures.
const MOST_BOARDS: usize = 24;
const MOST_PAIRS: usize = 12;
const MOST_LINES: usize = 400;

pub(super) fn perft(digest: &Digest) -> Option<Section> {
    let groups = digest.perft_groups();
    if groups.is_empty() {
        return None;
    }
    let wrong: Vec<&PerftRow> = groups.iter().flat_map(|g| g.wrong.iter().copied()).collect();
    let checked: usize = groups.iter().map(|g| g.checked).sum();
    let body = html! {
        p {
            @if checked == 0 { "Leaf counts of the move generator; no expected values were given." }
            @else if wrong.is_empty() { "All " (count(checked as u64)) " counts agree with the suites." }
            @else { b class="bad" { (wrong.len()) " of " (count(checked as u64)) " counts are wrong." } }
        }
        div class="scroll" { table { caption { "Perft by suite" }
            thead { tr {
                th scope="col" { "Suite" } th scope="col" { "Counted by" } th scope="col" class="num" { "Positions" } th scope="col" class="num" { "Counts" } th scope="col" class="num" { "Wrong" }
                th scope="col" class="num" { "Deepest" } th scope="col" class="num" { "Nodes" } th scope="col" class="num" { "Time" } th scope="col" class="num" { "Nodes/s" }
            } }
            tbody {
                @for g in &groups {
                    tr {
                        th scope="row" { (g.suite) } td class="wrap" { (g.counter) }
                        td class="num" { (count(g.positions as u64)) } td class="num" { (count(g.counts as u64)) }
                        td class=(if g.wrong.is_empty() { "num" } else { "num bad" }) { @if g.checked == 0 { (NONE) } @else { (count(g.wrong.len() as u64)) } }
                        td class="num" { (g.deepest) } td class="num" { (count(g.nodes)) }
                        td class="num nowrap" { (duration_us(g.time_us)) }
                        td class="num" { (rate(g.nodes, g.time_us).map_or(NONE.to_owned(), short)) }
                    }
                }
            }
        } }
        @if !wrong.is_empty() {
            h3 { "Wrong counts" }
            div class="boards" { @for row in wrong.iter().take(MOST_BOARDS) { (wrong_count(row)) } }
            @if wrong.len() > MOST_BOARDS { p class="muted" { "The first " (MOST_BOARDS) " of " (wrong.len()) "; all are in perft.csv." } }
        }
        @let single: Vec<&&PerftRow> = digest.perft.iter().filter(|r| !r.divide.is_empty() && r.expected.is_none_or(|e| e == r.nodes)).take(8).collect();
        @for row in single { (divide(row)) }
    };
    Some(Section { id: "perft", title: "Perft", body })
}

fn wrong_count(row: &PerftRow) -> Markup {
    let expected = row.expected.unwrap_or(0);
    let off = i128::from(row.nodes) - i128::from(expected);
    html! {
        div class="card" {
            h4 { (row.suite) " · " (row.id) }
            (board::board(&row.fen, &[], &format!("Position {}", row.id)))
            p { "Depth " (row.depth) ": counted " b class="bad" { (count(row.nodes)) } ", expected " b { (count(expected)) }
                " (" (if off > 0 { "+" } else { "−" }) (count(u64::try_from(off.unsigned_abs()).unwrap_or(u64::MAX))) ")" }
            p class="muted" { (row.counter) " · " (board::to_move(&row.fen)) }
            p { code { (row.fen) } }
            @if !row.divide.is_empty() { (divide(row)) }
        }
    }
}

fn divide(row: &PerftRow) -> Markup {
    html! {
        details {
            summary { "Nodes by root move, depth " (row.depth) ": " (row.divide.len()) " moves" @if row.expected.is_none() { " · " (row.fen) } }
            table { caption { "Nodes by root move" } tbody { @for (uci, nodes) in row.divide.iter().take(MOST_LINES) { tr { td { (uci) } td class="num" { (count(*nodes)) } } } } }
        }
    }
}

pub(super) fn tactics(digest: &Digest) -> Option<Section> {
    let groups = digest.tactics_groups();
    if groups.is_empty() {
        return None;
    }
    let engines: Vec<String> =
        grouped(&digest.tactics, |r| r.engine.as_str()).iter().map(|(e, _)| (*e).to_owned()).collect();
    let failed: Vec<&TacticsRow> =
        digest.tactics.iter().copied().filter(|r| r.solved == Some(false)).collect();
    let (points, remarks) = (groups.iter().any(|g| g.points.is_some()), groups.iter().any(|g| g.noted > 0));
    let shown = groups.iter().map(|g| g.positions as u64 - g.scored).sum::<u64>();
    let body = html! {
        (solves_plot(&groups, &engines))
        (heat::map(&digest.tactics, &engines))
        div class="scroll" { table { caption { "Test positions by suite and engine" }
            thead { tr {
                th scope="col" { "Suite" } th scope="col" { "Engine" } th scope="col" class="num" { "Solved" } th scope="col" class="num" { "Share (95 % interval)" }
                @if points { th scope="col" class="num" { "Points" } }
                th scope="col" class="num" { "Solved in (median)" } th scope="col" class="num" { "at node" } th scope="col" class="num" { "at depth" } th scope="col" class="num" { "Nodes" } th scope="col" class="num" { "Time" }
                @if remarks { th scope="col" class="num" { "Remarks" } }
            } }
            tbody {
                @for g in &groups {
                    tr {
                        th scope="row" { (g.suite) } td class="wrap" { (g.engine) }
                        td class="num nowrap" { @if g.scored == 0 { "shown only (" (g.positions) ")" } @else { (g.solved) " of " (g.scored) } }
                        td class="num nowrap" { (share(g)) }
                        @if points { td class="num nowrap" { @if let Some((had, most)) = g.points { (count(had)) " of " (count(most)) } @else { (NONE) } } }
                        td class="num nowrap" { (g.time_to_solve.map_or(NONE.to_owned(), |s| duration_us(s.median as u64))) }
                        td class="num" { (g.nodes_to_solve.map_or(NONE.to_owned(), |s| short(s.median))) } td class="num" { (g.depth_to_solve.map_or(NONE.to_owned(), |s| fixed(s.median, 1).replace(".0", ""))) }
                        td class="num" { (short(g.nodes as f64)) } td class="num nowrap" { (duration_us(g.time_us)) }
                        @if remarks { td class=(if g.noted > 0 { "num bad" } else { "num" }) { (g.noted) } }
                    }
                }
            }
        } }
        (comparisons(digest))
        @if shown > 0 { p class="muted" { (count(shown)) " positions without an expected move were shown to the engine and not scored." } }
        @if !failed.is_empty() {
            h3 { (count(failed.len() as u64)) @if failed.len() == 1 { " position" } @else { " positions" } " not solved" }
            p class="muted key-line" {
                span { span class="swatch best" {} "expected" } " " span { span class="swatch played" {} "played" } " "
                @if failed.iter().any(|r| !r.avoid.is_empty()) { span { span class="swatch avoid" {} "to be avoided" } }
            }
            div class="boards" { @for row in failed.iter().take(MOST_BOARDS) { (failed_position(row)) } }
            @if failed.len() > MOST_BOARDS { (failed_list(&failed)) }
        }
    };
    Some(Section { id: "positions", title: "Test positions", body })
}

/// Engines beside each other: what only one of them solved, and what both needed where both solved.
fn comparisons(digest: &Digest) -> Markup {
    let found = |metric: &'static str| digest.comparisons.iter().filter(move |c| c.metric == metric);
    let ratios = [
        (ComparisonRow::NODES_TO_SOLUTION, "nodes until the final move stood"),
        (ComparisonRow::TIME_TO_SOLUTION, "time until the final move stood"),
    ];
    html! {
        @if found(ComparisonRow::SOLVED).next().is_some() {
            h3 { "Engines compared" }
            div class="scroll" { table {
                thead { tr { th { "First" } th { "Second" } th { "Compared" } th class="num" { "Positions" } th class="num" { "First : second" } th class="num" { "95 % interval" } th class="num" { "p" } } }
                tbody {
                    @for c in found(ComparisonRow::SOLVED) {
                        @let [first, second] = c.only.unwrap_or_default();
                        tr { th scope="row" class="wrap" { (c.first) } td class="wrap" { (c.second) } td { "solved by one only" } td class="num" { (count(c.pairs)) } td class="num nowrap" { (first) " : " (second) } td class="num" { (NONE) } td class="num" { (maybe(c.p, 4)) } }
                    }
                    @for (metric, what) in ratios {
                        @for c in found(metric) {
                            tr { th scope="row" class="wrap" { (c.first) } td class="wrap" { (c.second) } td { (what) } td class="num" { (count(c.pairs)) } td class="num" { (maybe(c.ratio, 3)) } td class="num nowrap" { (ends(c.low, c.high, 3)) } td class="num" { (maybe(c.p, 4)) } }
                        }
                    }
                }
            } }
            p class="muted" { "Solved by one only: McNemar's exact test. Nodes and time: of the positions that both solved, geometric mean of the ratios with Student's interval, Wilcoxon's p." }
        }
    }
}

/// `77.3 % (72.3 … 81.7)`.
fn share(group: &TacticsGroup) -> String {
    let share = percent(group.solved, group.scored);
    match wilson(group.solved, group.scored) {
        Some((low, high)) => format!("{share} ({} … {})", fixed(low * 100.0, 1), fixed(high * 100.0, 1)),
        None => share,
    }
}

fn solves_plot(groups: &[TacticsGroup], engines: &[String]) -> Markup {
    let drawn: Vec<Bar> = groups
        .iter()
        .filter(|g| g.scored > 0)
        .map(|g| {
            let interval = wilson(g.solved, g.scored);
            Bar {
                label: g.suite.to_owned(),
                value: 100.0 * g.solved as f64 / g.scored as f64,
                low: interval.map(|i| i.0 * 100.0),
                high: interval.map(|i| i.1 * 100.0),
                text: format!("{} / {}", g.solved, g.scored),
                series: engines.iter().position(|e| e == g.engine).unwrap_or(0),
            }
        })
        .collect();
    if drawn.is_empty() {
        return html! {};
    }
    let caption = html! { "Share of positions solved, by suite" small { "Whiskers: 95 % Wilson interval. At the right: solved of scored." } };
    figure(
        caption,
        legend(engines),
        bars("Share of positions solved by suite", "solved, %", &drawn, Some(100.0)),
    )
}

fn in_san(row: &TacticsRow, moves: &[String]) -> Vec<String> {
    moves.iter().map(|uci| readable(&row.fen, uci)).collect()
}

fn played(row: &TacticsRow, none: &str) -> String {
    row.played.as_ref().map_or(none.to_owned(), |uci| readable(&row.fen, uci))
}

/// What was asked for: `Qxh7 or Nf5`, `not Rd1`, `mate in 3`.
fn wanted(row: &TacticsRow) -> String {
    let mut parts = Vec::new();
    if !row.best.is_empty() {
        parts.push(in_san(row, &row.best).join(" or "));
    }
    if !row.avoid.is_empty() {
        parts.push(format!("not {}", in_san(row, &row.avoid).join(" or ")));
    }
    if let Some(moves) = row.mate_in {
        parts.push(format!("mate in {moves}"));
    }
    if parts.is_empty() { NONE.to_owned() } else { parts.join("; ") }
}

fn failed_position(row: &TacticsRow) -> Markup {
    let arrows: Vec<(&str, Arrow)> = (row.best.iter().map(|m| (m.as_str(), Arrow::Best)))
        .chain(row.avoid.iter().map(|m| (m.as_str(), Arrow::Avoid)))
        .chain(row.played.iter().map(|m| (m.as_str(), Arrow::Played)))
        .collect();
    html! {
        div class="card" {
            h4 { (row.suite) " · " (row.id) }
            (board::board(&row.fen, &arrows, &format!("Position {}: expected {}", row.id, wanted(row))))
            p { (board::to_move(&row.fen)) ". Expected " b { (wanted(row)) } ", played " b class="bad" { (played(row, "nothing usable")) } }
            p class="muted" {
                (row.engine)
                @if let Some(score) = &row.score { " · " (score_text(score)) }
                @if let Some(depth) = row.depth { " · depth " (depth) }
                @if let Some(nodes) = row.nodes { " · " (short(nodes as f64)) " nodes" }
                @if let Some(note) = &row.note { " · " b class="bad" { (note) } }
            }
        }
    }
}

fn failed_list(failed: &[&TacticsRow]) -> Markup {
    html! {
        details {
            summary { "The list of " (count(failed.len() as u64)) " positions not solved" }
            div class="scroll" { table { caption { "Positions not solved" }
                thead { tr { th scope="col" { "Suite" } th scope="col" { "Position" } th scope="col" { "Engine" } th scope="col" { "Expected" } th scope="col" { "Played" } th scope="col" { "Score" } th scope="col" class="num" { "Depth" } } }
                tbody {
                    @for row in failed.iter().take(MOST_LINES) {
                        tr {
                            td { (row.suite) } td { (row.id) } td { (row.engine) } td { (wanted(row)) } td { (played(row, NONE)) }
                            td { (row.score.as_deref().map_or(NONE.to_owned(), score_text)) } td class="num" { (row.depth.map_or(NONE.to_owned(), |d| d.to_string())) }
                        }
                    }
                }
            } }
            @if failed.len() > MOST_LINES { p class="muted" { "The first " (MOST_LINES) "; all are in tactics.csv." } }
        }
    }
}

pub(super) fn symmetry(digest: &Digest) -> Option<Section> {
    let groups = digest.symmetry_groups();
    if groups.is_empty() {
        return None;
    }
    let different: Vec<&SymmetryRow> = groups.iter().flat_map(|g| g.different.iter().copied()).collect();
    let body = html! {
        p { "Each position was given to the engine as it is and with colours and ranks swapped; scores are seen from the side to move, so they should be equal." }
        div class="scroll" { table { caption { "Symmetry by engine" }
            thead { tr { th scope="col" { "Engine" } th scope="col" { "Compared" } th scope="col" class="num" { "Positions" } th scope="col" class="num" { "Different" } th scope="col" class="num" { "Share" } } }
            tbody {
                @for g in &groups {
                    tr {
                        th scope="row" class="wrap" { (g.engine) } td { @if g.mode == "eval" { "static evaluation" } @else { "search, " (g.mode) } }
                        td class="num" { (count(g.positions)) }
                        td class=(if g.different.is_empty() { "num" } else { "num bad" }) { (count(g.different.len() as u64)) }
                        td class="num" { (percent(g.different.len() as u64, g.positions)) }
                    }
                }
            }
        } }
        @if !different.is_empty() {
            h3 { "Positions that differ" }
            div class="boards pairs" {
                @for row in different.iter().take(MOST_PAIRS) {
                    div class="card" {
                        h4 { (row.suite) " · " (row.id) }
                        div class="pair" {
                            // The second move is recorded flipped back, so both are moves of the first position.
                            @let fen_of_best = &row.fen;
                            @for (fen, score, best) in [(&row.fen, &row.score, &row.best), (&row.flipped_fen, &row.flipped_score, &row.flipped_best)] {
                                div {
                                    (board::board(fen, &[], &format!("Position {}", row.id)))
                                    p { (board::to_move(fen)) ": " b { (score_text(score)) } @if let Some(best) = best { ", " (readable(fen_of_best, best)) } }
                                }
                            }
                        }
                        p class="muted" { (row.engine) " · " (row.mode) @if row.flipped_best.is_some() { " · the second move is flipped back" } }
                    }
                }
            }
            @if different.len() > MOST_PAIRS { p class="muted" { "The first " (MOST_PAIRS) " of " (different.len()) "; all are in symmetry.csv." } }
        }
    };
    Some(Section { id: "symmetry", title: "Colour-flip symmetry", body })
}
