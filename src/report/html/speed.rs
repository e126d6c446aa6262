//! The part of the page that compares the speeds of two engines: every round as a dot, all of them as a ratio with its interval.

use super::{Section, figure};
use crate::record::{ComparisonRow, SpeedRow};
use crate::report::digest::{Digest, SpeedGroup};
use crate::report::figures::{NONE, Spread, count, ends, fixed, maybe, short};
use crate::report::grouped::grouped;
use crate::report::svg::{Axes, Series, lines};
use maud::{Markup, html};

pub(super) fn speed(digest: &Digest) -> Option<Section> {
    let groups = digest.speed_groups();
    if groups.is_empty() {
        return None;
    }
    let found: Vec<&ComparisonRow> =
        digest.comparisons.iter().copied().filter(|c| c.metric.starts_with(ComparisonRow::SPEED)).collect();
    let body = html! {
        @if !found.is_empty() {
            div class="scroll" { table {
                thead { tr {
                    th { "Speed of " (found[0].first) " over " (found[0].second) } th class="num" { "Rounds" } th class="num" { "Ratio" } th class="num" { "95 % interval" }
                    th class="num" { "p" } th class="num" { "Margin" } th class="num" { "Would have been found" } th { "Verdict" }
                } }
                tbody { @for row in &found { (comparison(row)) } }
            } }
        }
        (ratios(digest, &groups, &found))
        div class="scroll" { table {
            thead { tr { th { "Engine" } th class="num" { "Processes" } th class="num" { "Nodes each" } th class="num" { "Nodes/s of processor time, median (range)" } th class="num" { "Nodes/s of the wall clock" } } }
            tbody {
                @for g in &groups {
                    tr {
                        th scope="row" class="wrap" { (g.engine) } td class="num" { (count(g.processes)) }
                        td class="num" { (g.nodes.map_or("differ".to_owned(), count)) }
                        td class="num nowrap" { (rate(g.by_cpu)) } td class="num nowrap" { (rate(g.by_wall)) }
                    }
                }
            }
        } }
    };
    Some(Section { id: "speed", title: "Speed", body })
}

fn comparison(row: &ComparisonRow) -> Markup {
    let share = |value: Option<f64>| value.map_or(NONE.to_owned(), |v| fixed(100.0 * v, 2) + " %");
    html! {
        tr {
            th scope="row" { @if row.metric == ComparisonRow::SPEED_WALL { "by the wall clock" } @else { "judged" } }
            td class="num" { (count(row.pairs)) } td class="num" { (maybe(row.ratio, 4)) } td class="num nowrap" { (ends(row.low, row.high, 4)) }
            td class="num" { (maybe(row.p, 4)) } td class="num nowrap" { (share(row.threshold)) } td class="num nowrap" { (share(row.detectable)) }
            td { (row.verdict) }
        }
    }
}

fn rate(spread: Option<Spread>) -> String {
    spread.map_or(NONE.to_owned(), |s| format!("{} ({} … {})", short(s.median), short(s.min), short(s.max)))
}

/// Round and ratio of speeds, by processor time where all rows have it.
fn by_round(rows: &[&SpeedRow], first: &str, second: &str) -> Vec<(f64, f64)> {
    let by_cpu = rows.iter().all(|row| row.cpu_us.is_some_and(|us| us > 0));
    let speed = |row: &SpeedRow| {
        let us = if by_cpu { row.cpu_us.unwrap_or_default() } else { row.wall_us };
        row.nodes as f64 / us as f64
    };
    grouped(rows, |row| row.round)
        .into_iter()
        .filter_map(|(round, rows)| {
            let of = |name| rows.iter().find(|row| row.engine == name).map(|row| speed(row));
            Some((f64::from(round), of(first)? / of(second)?))
        })
        .collect()
}

fn ratios(digest: &Digest, groups: &[SpeedGroup], found: &[&ComparisonRow]) -> Markup {
    let [one, other, ..] = groups else { return html! {} };
    let judged = found.iter().find(|row| row.metric == ComparisonRow::SPEED);
    let (first, second) = judged.map_or((one.engine, other.engine), |row| (&row.first, &row.second));
    let points = by_round(&digest.speed, first, second);
    let rounds = points.last().map_or(0.0, |last| last.0);
    let step = (rounds / 20.0).ceil().max(1.0);
    let marks = (1..).map(|at| f64::from(at) * step).take_while(|&at| at <= rounds);
    let mut axes = Axes {
        title: "Ratio of speeds by round".into(),
        x: "round".into(),
        y: "ratio of speeds".into(),
        levels: vec![(1.0, "equal".into())],
        marks: marks.map(|at| (at, fixed(at, 0))).collect(),
        ..Axes::default()
    };
    let mut drawn =
        vec![Series { name: "rounds".into(), points, dots: true, apart: true, ..Series::default() }];
    if let Some(row) = judged {
        if let Some(margin) = row.threshold.filter(|margin| *margin > 0.0) {
            axes.levels.extend([1.0 - margin, 1.0 + margin].map(|at| (at, String::new())));
        }
        if let Some(ratio) = row.ratio {
            // A round's width to the right of the last one.
            let at = rounds + step;
            axes.marks.push((at, "all".into()));
            drawn.push(Series {
                name: "all rounds".into(),
                points: vec![(at, ratio)],
                series: 1,
                dots: true,
                apart: true,
                ends: row.low.zip(row.high).into_iter().collect(),
            });
        }
    }
    let caption = html! { "Ratio of speeds by round" small { (first) " over " (second) ": above 1 the former is faster. n = " (rounds) " rounds, a fresh process of each engine in each. At the right all of them: the ratio and its 95 % interval; dashed: equal speed and the margin." } };
    figure(caption, html! {}, lines(&axes, &drawn))
}
