//! The parts of the page that measure without passing or failing: bench and slider backends.

use super::{Section, figure};
use crate::report::digest::{BenchGroup, Digest, SliderGroup, grouped};
use crate::report::figures::{NONE, bytes, count, duration_us, fixed, maybe, rate, short};
use crate::report::svg::{Axes, Bar, Series, bars, legend, lines};
use maud::{Markup, html};

pub(super) fn bench(digest: &Digest) -> Option<Section> {
    let groups = digest.bench_groups();
    if groups.is_empty() {
        return None;
    }
    let names: Vec<String> = groups.iter().map(|g| g.engine.to_owned()).collect();
    let positions = groups.iter().map(|g| g.positions).max().unwrap_or(0);
    let body = html! {
        div class="scroll" { table {
            thead { tr {
                th { "Engine" } th class="num" { "Positions" } th class="num" { "Signature" } th class="num" { "Nodes/s" } th class="num" { "Nodes/s by position, median (range)" }
                th class="num" { "EBF (95 %)" } th class="num" { "MBF" } th class="num" { "Full depth" } th class="num" { "Time" }
            } }
            tbody { @for g in &groups { (bench_line(g)) } }
        } }
        @if groups.iter().any(|g| g.by_depth.len() > 1) {
            @let steps: Vec<Series> = groups.iter().enumerate().map(|(i, g)| Series { name: g.engine.to_owned(), points: step_ratios(g), series: i, dots: true }).collect();
            @let caption = html! { "Branching factor by depth" small { "Nodes to finish a depth over nodes to finish the depth before it, summed over n = " (positions) " positions." } };
            (figure(caption, legend(&names), lines(&Axes { title: "Branching factor by depth".into(), x: "depth, plies".into(), y: "ratio to the depth before".into(), ..Axes::default() }, &steps)))
            @let totals: Vec<Series> = groups.iter().enumerate().map(|(i, g)| Series {
                name: g.engine.to_owned(), points: g.by_depth.iter().map(|&(d, n)| (f64::from(d), n as f64)).collect(), series: i, dots: true,
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

pub(super) fn studies(digest: &Digest) -> Option<Section> {
    let groups = digest.study_groups();
    if groups.is_empty() {
        return None;
    }
    let body = html! {
        @for g in &groups {
            h3 { (g.study) }
            div class="scroll" { table {
                thead { tr { @for factor in &g.factors { th { (factor) } } @for metric in &g.metrics { th class="num" { (metric) } } } }
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
        }
    };
    Some(Section { id: "study", title: "Studies", body })
}

pub(super) fn sliders(digest: &Digest) -> Option<Section> {
    let backends = digest.slider_backends();
    if backends.is_empty() {
        return None;
    }
    let verified = backends.iter().filter(|b| b.2 == "verified").count();
    let groups = digest.slider_groups();
    let metrics = grouped(&groups.iter().collect::<Vec<_>>(), |g| g.metric);
    let others: Vec<_> = backends.iter().filter(|b| b.2 != "verified").collect();
    let body = html! {
        p { (verified) " of " (backends.len()) " backends agree with the oracle and were timed; rounds are interleaved and each is compared with the fastest backend's time in the same round." }
        @if !others.is_empty() {
            ul { @for (backend, _, status) in others { li { b { (backend) } ": " @if *status == "failed" { b class="bad" { "failed verification" } ", not timed" } @else { (status) ", not timed" } } } }
        }
        @for (metric, figures) in &metrics {
            @let first = figures.iter().position(|g| g.piece == "queen").unwrap_or(0);
            (slider_figure(figures[first]))
            details {
                summary { (capital(metric)) ": ratios to the fastest" @if figures.len() > 1 { ", and the other pieces" } }
                (slider_table(figures[first]))
                @for (_, group) in figures.iter().enumerate().filter(|(index, _)| *index != first) { (slider_figure(group)) (slider_table(group)) }
            }
        }
    };
    Some(Section { id: "sliders", title: "Slider backends", body })
}

/// What one operation is, in the words of the metric.
fn operation(metric: &str) -> &'static str {
    match metric {
        "perft" | "search" => "node",
        _ => "lookup",
    }
}

/// Latencies are times; everything else is a rate.
fn as_time(metric: &str) -> bool {
    matches!(metric, "latency" | "cold")
}

/// The unit of a metric, and how it is had from nanoseconds per operation.
fn scale(metric: &str) -> (String, fn(f64) -> f64) {
    if as_time(metric) {
        (format!("ns per {}", operation(metric)), |ns| ns)
    } else {
        (format!("million {}s per second", operation(metric)), |ns| 1e3 / ns)
    }
}

fn slider_figure(group: &SliderGroup) -> Markup {
    let time = as_time(group.metric);
    let (unit, convert) = scale(group.metric);
    let drawn: Vec<Bar> = group
        .backends
        .iter()
        .map(|b| {
            let (one, other) = (convert(b.ns.min), convert(b.ns.max));
            Bar {
                label: b.backend.to_owned(),
                value: convert(b.ns.median),
                low: Some(one.min(other)),
                high: Some(one.max(other)),
                text: format!(
                    "{} ({}×)",
                    fixed(convert(b.ns.median), if time { 2 } else { 1 }),
                    maybe(b.ratio.map(|r| r.median), 2)
                ),
                series: 0,
            }
        })
        .collect();
    let piece = if group.piece == "-" { String::new() } else { format!(", {}", group.piece) };
    let better = if time { "less is better" } else { "more is better" };
    let caption = html! { (capital(group.metric)) (piece) small { "Median of n = " (group.rounds) " rounds; whiskers: least and greatest round; " (better) ". In brackets: speed relative to the fastest." } };
    figure(caption, html! {}, bars(&format!("{}{piece}", group.metric), &unit, &drawn, None))
}

fn slider_table(group: &SliderGroup) -> Markup {
    let (unit, convert) = scale(group.metric);
    html! {
            div class="scroll" { table {
                thead { tr { th { "Backend" } th class="num" { (unit) } th class="num" { "Speed relative to the fastest" } th class="num" { "Least … greatest round" } th class="num" { "Rounds" } th class="num" { "Tables" } } }
                tbody {
                    @for b in &group.backends {
                        tr {
                            th scope="row" { (b.backend) } td class="num" { (fixed(convert(b.ns.median), 2)) }
                            td class="num" { (maybe(b.ratio.map(|r| r.median), 3)) }
                            td class="num nowrap" { @if let Some(r) = b.ratio { (fixed(r.min, 3)) " … " (fixed(r.max, 3)) } @else { (NONE) } }
                            td class="num" { (b.ns.n) } td class="num nowrap" { (bytes(b.table_bytes)) }
                        }
                    }
                }
            } }
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
