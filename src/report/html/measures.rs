//! The part of the page that measures the search itself: bench.

use super::{Section, figure};
use crate::report::digest::{BenchGroup, Digest};
use crate::report::figures::{NONE, count, duration_us, fixed, maybe, rate, short};
use crate::report::svg::{Axes, Series, legend, lines};
use maud::{Markup, html};

pub(super) fn bench(digest: &Digest) -> Option<Section> {
    let groups = digest.bench_groups();
    if groups.is_empty() {
        return None;
    }
    let names: Vec<String> = groups.iter().map(|g| g.engine.to_owned()).collect();
    let positions = groups.iter().map(|g| g.positions).max().unwrap_or(0);
    let body = html! {
        div class="scroll" { table { caption { "Bench by engine" }
            thead { tr {
                th scope="col" { "Engine" } th scope="col" class="num" { "Positions" } th scope="col" class="num" { "Signature" } th scope="col" class="num" { "Nodes/s" } th scope="col" class="num" { "Nodes/s by position, median (range)" }
                th scope="col" class="num" { "EBF (95 %)" } th scope="col" class="num" { "MBF" } th scope="col" class="num" { "Full depth" } th scope="col" class="num" { "Time" }
            } }
            tbody { @for g in &groups { (bench_line(g)) } }
        } }
        @if groups.iter().any(|g| g.by_depth.len() > 1) {
            @let steps: Vec<Series> = groups.iter().enumerate().map(|(i, g)| Series { name: g.engine.to_owned(), points: step_ratios(g), series: i, dots: true, ..Series::default() }).collect();
            @let caption = html! { "Branching factor by depth" small { "Nodes to finish a depth over nodes to finish the depth before it, summed over n = " (positions) " positions." } };
            (figure(caption, legend(&names), lines(&Axes { title: "Branching factor by depth".into(), x: "depth, plies".into(), y: "ratio to the depth before".into(), ..Axes::default() }, &steps)))
            @let totals: Vec<Series> = groups.iter().enumerate().map(|(i, g)| Series {
                name: g.engine.to_owned(), points: g.by_depth.iter().map(|&(d, n)| (f64::from(d), n as f64)).collect(), series: i, dots: true, ..Series::default()
            }).collect();
            @let caption = html! { "Nodes to finish each depth" small { "Summed over n = " (positions) " positions; only depths that all of them finished. Logarithmic scale: a straight line is a constant branching factor." } };
            (figure(caption, legend(&names), lines(&Axes { title: "Nodes by depth".into(), x: "depth, plies".into(), y: "nodes".into(), log_y: true, ..Axes::default() }, &totals)))
        }
    };
    Some(Section { id: "bench", title: "Bench", body })
}

fn bench_line(g: &BenchGroup) -> Markup {
    html! {
        tr {
            th scope="row" class="wrap" { (g.engine) } td class="num" { (count(g.positions)) } td class="num" { (count(g.signature)) }
            td class="num" { (rate(g.signature, g.time_us).map_or(NONE.to_owned(), short)) }
            td class="num nowrap" {
                @if let Some(s) = g.nps_spread { (short(s.median)) " (" (short(s.min)) " … " (short(s.max)) ")" } @else { (NONE) }
            }
            td class="num nowrap" {
                (maybe(g.ebf, 3))
                @if let Some((low, high)) = g.ebf_interval { " (" (fixed(low, 2)) " … " (fixed(high, 2)) ")" }
            }
            td class="num" { (maybe(g.mbf, 3)) }
            td class="num" { (g.by_depth.last().map_or(NONE.to_owned(), |d| d.0.to_string())) }
            td class="num nowrap" { (duration_us(g.time_us)) }
        }
    }
}

/// Depth, nodes over the nodes of the depth before; from depth 2 on.
fn step_ratios(group: &BenchGroup) -> Vec<(f64, f64)> {
    group
        .by_depth
        .windows(2)
        .map(|pair| (f64::from(pair[1].0), pair[1].1 as f64 / pair[0].1 as f64))
        .collect()
}
