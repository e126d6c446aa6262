//! The positions of the suites at a glance: a square for each, by the nodes after which the solution stood; a cross where it
//! was not found. A column of squares means the same positions for each engine, so what one solves and another does not is seen.

use super::figure;
use crate::record::TacticsRow;
use crate::report::figures::{count, short};
use crate::report::grouped::grouped;
use crate::report::svg::n;
use maud::{Markup, html};

/// Positions in a row, and in all: the rest is in the tables.
const PER_ROW: usize = 50;
const MOST: usize = 3_000;

const SIDE: f64 = 13.0;
const LABEL: f64 = 46.0;

/// Upper ends of the classes of nodes, in powers of ten from 100.
const CLASSES: usize = 5;

fn class(row: &TacticsRow) -> usize {
    row.solved_nodes.map_or(2, |nodes| (nodes.max(1).ilog10() as usize).saturating_sub(1).min(CLASSES - 1))
}

pub(super) fn map(rows: &[&TacticsRow], engines: &[String]) -> Markup {
    let scored: Vec<&TacticsRow> =
        rows.iter().copied().filter(|row| row.solved.is_some()).take(MOST).collect();
    if scored.len() < 2 {
        return html! {};
    }
    let left_out = rows.iter().filter(|row| row.solved.is_some()).count() - scored.len();
    let caption = html! {
        "Each position"
        small {
            "n = " (count(scored.len() as u64)) " searches; a cross: not solved; the stronger the colour, the more nodes until the solution stood."
            @if engines.len() > 1 { " Rows in a block: " (engines.join(", ")) "." }
            @if left_out > 0 { " " (count(left_out as u64)) " more are in tactics.csv." }
        }
    };
    let key = html! {
        ul class="legend" {
            @for class in 0..CLASSES {
                li { span class=(format!("key heat-key h{class}")) {} @if class + 1 == CLASSES { "more nodes" } @else { "< " (short(10f64.powi(class as i32 + 2))) } }
            }
            li { span class="cross" { "×" } " not solved" }
        }
    };
    let body = html! {
        @for (suite, rows) in grouped(&scored, |row| row.suite.as_str()) {
            p class="heat-name" { (suite) }
            div class="scroll" { (suite_map(suite, &rows, engines)) }
        }
    };
    html! { (figure(caption, key, body)) }
}

fn suite_map(suite: &str, rows: &[&TacticsRow], engines: &[String]) -> Markup {
    let by_engine: Vec<(&String, Vec<&&TacticsRow>)> = engines
        .iter()
        .map(|engine| (engine, rows.iter().filter(|row| row.engine == *engine).collect::<Vec<_>>()))
        .filter(|(_, rows)| !rows.is_empty())
        .collect();
    let columns = by_engine.iter().map(|(_, rows)| rows.len()).max().unwrap_or(0);
    let block = SIDE * by_engine.len() as f64 + 5.0;
    let blocks = columns.div_ceil(PER_ROW);
    let (width, height) = (LABEL + SIDE * PER_ROW.min(columns) as f64, block * blocks as f64);
    let solved = |rows: &[&&TacticsRow]| rows.iter().filter(|row| row.solved == Some(true)).count();
    let words: Vec<String> = by_engine
        .iter()
        .map(|(engine, rows)| format!("{engine}: {} of {}", solved(rows), rows.len()))
        .collect();
    html! {
        svg class="heat-map" viewBox=(format!("0 0 {} {}", n(width), n(height))) width=(n(width)) role="img" aria-label=(format!("{suite}, solved by {}", words.join("; "))) {
            @for at in 0..blocks {
                text class="tick" x=(n(LABEL - 6.0)) y=(n(block * at as f64 + SIDE - 3.0)) text-anchor="end" { (at * PER_ROW + 1) }
            }
            @for (line, (engine, rows)) in by_engine.iter().enumerate() {
                @for (index, row) in rows.iter().enumerate() {
                    @let (x, y) = (LABEL + SIDE * (index % PER_ROW) as f64, block * (index / PER_ROW) as f64 + SIDE * line as f64);
                    g {
                        title { (row.id) @if by_engine.len() > 1 { ", " (engine) } }
                        @if row.solved == Some(true) {
                            rect class=(format!("h{}", class(row))) x=(n(x)) y=(n(y)) width=(n(SIDE - 1.5)) height=(n(SIDE - 1.5)) rx="1.5" {}
                        } @else {
                            rect class="blank" x=(n(x)) y=(n(y)) width=(n(SIDE - 1.5)) height=(n(SIDE - 1.5)) rx="1.5" {}
                            path class="cross-mark" d=(format!("M{0} {1}l{2} {2}m0 -{2}l-{2} {2}", n(x + 2.5), n(y + 2.5), n(SIDE - 6.5))) {}
                        }
                    }
                }
            }
        }
    }
}
