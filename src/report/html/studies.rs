//! The part of the page about studies: a table of each, and a chart of those whose cells are matches.

use super::{Section, figure};
use crate::record::StudyRow;
use crate::report::digest::Digest;
use crate::report::figures::{self, count, interval, signed};
use crate::report::study::{Strength, StrengthSeries, StudyGroup};
use crate::report::svg::{Axes, Bar, Series, error_bars, legend, lines};
use maud::{Markup, html};

/// Levels that span more than this factor are drawn by their logarithms.
const WIDE: f64 = 7.0;

pub(super) fn studies(digest: &Digest) -> Option<Section> {
    let groups = digest.study_groups();
    if groups.is_empty() {
        return None;
    }
    let body = html! {
        @for g in &groups {
            h3 { (g.study) }
            (chart(g))
            div class="scroll" { table { caption { "Cells of the study" }
                thead { tr { @for factor in &g.factors { th scope="col" { (factor) } } @for metric in &g.metrics { th scope="col" class="num" { (metric) } } } }
                tbody {
                    @for line in g.lines() {
                        tr {
                            @for (index, cell) in line.iter().enumerate() {
                                @if index < g.factors.len() { td { (cell) } } @else { td class="num" { (cell) } }
                            }
                        }
                    }
                }
            } }
            (overall(&g.overall))
        }
    };
    Some(Section { id: "study", title: "Studies", body })
}

/// What was found over all cells, as a table of its own.
fn overall(rows: &[&StudyRow]) -> Markup {
    html! {
        @if !rows.is_empty() {
            div class="scroll" { table { caption { "Over all cells" }
                thead { tr { th scope="col" { "Over all cells" } @for row in rows { th scope="col" class="num" { (row.metric) } } } }
                tbody { tr { th scope="row" { "technology curve" } @for row in rows { td class="num" { (figures::figure(row.value)) } } } }
            } }
        }
    }
}

fn chart(group: &StudyGroup) -> Markup {
    let series = group.strengths();
    if series.is_empty() {
        return html! {};
    }
    let cells = || series.iter().flat_map(|one| &one.cells);
    let (least, most) =
        cells().map(|c| c.games).fold((f64::INFINITY, 0.0f64), |(l, m), g| (l.min(g), m.max(g)));
    let games = if least == most {
        figures::figure(most)
    } else {
        format!("{} to {}", figures::figure(least), figures::figure(most))
    };
    let caption = html! {
        "Elo of the first over the second"
        small { "Whiskers: 95 % interval; n = " (games) " games a cell, in pairs with colours swapped. Dashed: equal strength." }
    };
    match group.numeric_factor() {
        Some(factor) => {
            let names: Vec<String> = series.iter().map(|one| one.name.clone()).collect();
            figure(caption, legend(&names), over_numbers(factor, &series))
        }
        None => {
            let mut bars: Vec<Bar> = cells().map(bar).collect();
            // What costs most stands at the top; a score of nothing or of everything has an end without a middle.
            bars.sort_by(|a, b| place(a).total_cmp(&place(b)));
            figure(caption, html! {}, error_bars("Elo by cell", "Elo difference", &bars))
        }
    }
}

fn over_numbers(factor: &str, series: &[StrengthSeries]) -> Markup {
    let mut levels: Vec<f64> =
        series.iter().flat_map(|one| &one.cells).filter_map(|cell| cell.over).collect();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    let (least, most) = (levels.first().copied().unwrap_or(0.0), levels.last().copied().unwrap_or(0.0));
    let by_logarithm = least > 0.0 && most / least > WIDE;
    let place = |level: f64| if by_logarithm { level.log2() } else { level };
    let drawn: Vec<Series> = series
        .iter()
        .enumerate()
        .map(|(index, one)| {
            let cells: Vec<&Strength> = one.cells.iter().filter(|cell| cell.elo.is_finite()).collect();
            Series {
                name: one.name.clone(),
                points: cells.iter().filter_map(|cell| Some((place(cell.over?), cell.elo))).collect(),
                series: index,
                dots: true,
                apart: false,
                ends: cells.iter().map(|cell| (cell.low, cell.high)).collect(),
            }
        })
        .collect();
    let axes = Axes {
        title: format!("Elo over {factor}"),
        x: if by_logarithm { format!("{factor}, logarithmic") } else { factor.to_owned() },
        y: "Elo difference".to_owned(),
        levels: vec![(0.0, "0".to_owned())],
        marks: levels.iter().map(|&level| (place(level), label(level))).collect(),
        ..Axes::default()
    };
    lines(&axes, &drawn)
}

fn label(level: f64) -> String {
    if level.fract() == 0.0 && (0.0..1e15).contains(&level) { count(level as u64) } else { level.to_string() }
}

/// Where a bar stands among the others.
fn place(bar: &Bar) -> f64 {
    let ends = [Some(bar.value), bar.low, bar.high];
    ends.into_iter().flatten().find(|end| end.is_finite()).unwrap_or(0.0)
}

fn bar(cell: &Strength) -> Bar {
    let text = if cell.elo.is_finite() {
        signed(cell.elo, 0)
    } else {
        interval(Some(cell.low).filter(|v| v.is_finite()), Some(cell.high).filter(|v| v.is_finite()), 0)
    };
    Bar {
        label: cell.label.clone(),
        value: cell.elo,
        low: Some(cell.low),
        high: Some(cell.high),
        text: format!("{text} (n = {})", figures::figure(cell.games)),
        series: 0,
    }
}
