//! All backends at a glance: the sortable table, speed against the size of the tables, and the heat map.

use super::{Entry, Metric, capital, in_unit, is_time, short_unit, times, unit, value};
use crate::record::{LinesRow, SlidersRow};
use crate::report::figures::{NONE, bytes, count, fixed};
use crate::report::html::figure;
use crate::report::scatter::{Point, scatter};
use maud::{Markup, html};

/// A row per backend. `data-sort` is what the script sorts by: a cell without it goes last, whatever the direction.
pub fn table(entries: &[Entry], metrics: &[Metric]) -> Markup {
    let misses = Misses::new(metrics);
    // Records of older versions have none.
    let lines = entries.iter().any(|entry| queen_lines(entry).is_some());
    let empty_loops = metrics.iter().any(|m| m.main().empty_ns.is_some());
    html! {
        @if let Some(first) = metrics.first() {
            p class="muted" {
                "Each metric: the median of the rounds, then speed relative to " (first.main().reference) " and the rank. Lookups are of queens. "
                @if lines { "Lines: the 64-byte cache lines of its tables that a lookup reads, in the mean, of those that all lookups together read. " }
                @if misses.is_some() { "Misses: what a lookup costs beyond its latency once the caches near the core are evicted, in units of one read of a 1 MiB table; reads that wait together, and lines that the lookups just before have fetched, do not count. " }
                span class="with-script" { "A click on a heading sorts." }
            }
        }
        div class="scroll" { table class="sortable overview-table" { caption { "All techniques" }
            thead { tr {
                th scope="col" { "Backend" } th scope="col" class="num" { "Tables" } @if lines { th scope="col" class="num" { "Lines " small { "touched" } } } @if misses.is_some() { th scope="col" class="num" { "Misses " small { "cold" } } } th scope="col" { "Needs" }
                @for metric in metrics {
                    // What is best comes first at the first click.
                    th scope="col" class="num" data-first=[(!is_time(metric.name)).then_some("descending")] { (capital(metric.name)) " " small { (short_unit(metric.name)) } }
                }
            } }
            tbody { @for entry in entries { (row(entry, metrics, lines, misses.as_ref())) } }
            @if empty_loops {
                tfoot { tr {
                    th scope="row" { "Empty loop" small { "taken off" } } td {} @if lines { td {} } @if misses.is_some() { td {} } td {}
                    @for metric in metrics {
                        td class="num" { @if let Some(ns) = metric.main().empty_ns { (fixed(ns, 2)) " ns" } }
                    }
                } }
            }
        } }
    }
}

/// How many cache misses a lookup waits for, by what evicted caches cost it.
struct Misses<'a> {
    latency: &'a Metric<'a>,
    cold: &'a Metric<'a>,
    /// What the eviction costs a lookup that reads one line, ns.
    one: f64,
}

impl<'a> Misses<'a> {
    fn new(metrics: &'a [Metric<'a>]) -> Option<Misses<'a>> {
        let [latency, cold] = SlidersRow::MISSES.map(|name| metrics.iter().find(|m| m.name == name));
        let (latency, cold) = (latency?, cold?);
        let one = cold.main().one_line_ns? - latency.main().one_line_ns?;
        (one > 0.0).then_some(Misses { latency, cold, one })
    }

    fn of(&self, backend: &str) -> Option<f64> {
        let beyond = self.cold.of(backend)?.ns.median - self.latency.of(backend)?.ns.median;
        Some(beyond.max(0.0) / self.one)
    }
}

fn queen_lines<'a>(entry: &Entry<'a>) -> Option<&'a LinesRow> {
    entry.technique?.lines.iter().find(|lines| lines.piece == "queen")
}

fn row(entry: &Entry, metrics: &[Metric], lines: bool, misses: Option<&Misses>) -> Markup {
    html! {
        tr {
            th scope="row" data-sort=(entry.backend) {
                @if let Some(anchor) = &entry.anchor { a href=(format!("#{anchor}")) { (entry.backend) } } @else { (entry.backend) }
                @if entry.status != "verified" { small class=(if entry.status == "failed" { "failed" } else { "" }) { (entry.status) } }
            }
            td class="num nowrap" data-sort=(entry.table_bytes) { (bytes(entry.table_bytes)) }
            @if lines {
                @match queen_lines(entry) {
                    Some(lines) => td class="num nowrap" data-sort=(format!("{:.4}", lines.per_lookup)) {
                        (fixed(lines.per_lookup, 1)) small { "of " (count(lines.distinct)) }
                    },
                    None => td class="num none" { (NONE) },
                }
            }
            @if let Some(misses) = misses {
                @match misses.of(entry.backend) {
                    Some(misses) => td class="num" data-sort=(format!("{misses:.3}")) { (fixed(misses, 1)) },
                    None => td class="num none" { (NONE) },
                }
            }
            @let needs = entry.technique.map_or(NONE, |t| &t.needs);
            td data-sort=(needs) { (needs) }
            @for metric in metrics {
                @if let Some(found) = metric.of(entry.backend) {
                    td class="num" data-sort=(format!("{:.6}", in_unit(metric.name, found.ns.median))) {
                        (value(metric.name, found.ns.median))
                        small { (times(found.ranked.speed)) " #" (found.ranked.rank) }
                    }
                } @else { td class="num none" { (NONE) } }
            }
        }
    }
}

/// The first metric against the size of the tables.
pub fn size_and_speed(entries: &[Entry], metrics: &[Metric]) -> Markup {
    let Some(metric) = metrics.first() else { return html! {} };
    let points: Vec<Point> = entries
        .iter()
        .filter_map(|entry| {
            let found = metric.of(entry.backend)?;
            let about = format!(
                "{}, {} {}",
                bytes(entry.table_bytes),
                value(metric.name, found.ns.median),
                short_unit(metric.name)
            );
            Some(Point {
                name: entry.backend.to_owned(),
                bytes: entry.table_bytes,
                value: in_unit(metric.name, found.ns.median),
                about,
            })
        })
        .collect();
    if points.is_empty() {
        return html! {};
    }
    let title = "Speed against the size of the tables";
    let (drawing, numbered) = scatter(title, &unit(metric.name), &points);
    let caption = html! {
        (title)
        small { (capital(metric.name)) ", median of n = " (metric.main().rounds) " rounds" @if is_time(metric.name) { "; less is better" } "." @if numbered { " The numbers are told below." } }
    };
    html! {
        (figure(caption, html! {}, drawing))
        @if numbered {
            ol class="point-key" { @for point in &points { li { b { (point.name) } " " span class="muted" { (point.about) } } } }
        }
    }
}

/// Each metric as a share of its best.
pub fn heat_map(entries: &[Entry], metrics: &[Metric]) -> Markup {
    let timed: Vec<&Entry> =
        entries.iter().filter(|e| metrics.iter().any(|m| m.of(e.backend).is_some())).collect();
    if timed.is_empty() {
        return html! {};
    }
    let best = |metric: &Metric| {
        metric.main().backends.iter().map(|b| b.ranked.speed).filter(|s| s.is_finite()).fold(0.0, f64::max)
    };
    let columns: Vec<(&Metric, f64)> = metrics.iter().map(|metric| (metric, best(metric))).collect();
    let table = html! {
        table class="heat" { caption { "Share of the speed of the fastest" }
            thead { tr { th scope="col" { "Backend" } @for metric in metrics { th scope="col" class="num" { (capital(metric.name)) } } } }
            tbody {
                @for entry in timed {
                    tr {
                        th scope="row" { (entry.backend) }
                        @for (metric, best) in &columns { (heat_cell(metric.of(entry.backend).map(|f| f.ranked.speed / best))) }
                    }
                }
            }
        }
    };
    let reference = metrics.first().map_or(SlidersRow::REFERENCE, |m| m.main().reference);
    let caption = html! {
        "Where each backend is strong"
        small { "Speed in percent of the fastest of the column (medians of ratios to " (reference) " in the same round)." }
    };
    figure(caption, html! {}, table)
}

fn heat_cell(share: Option<f64>) -> Markup {
    let Some(share) = share.filter(|share| share.is_finite()) else {
        return html! { td class="num none" { (NONE) } };
    };
    let percent = 100.0 * share;
    let text = if percent < 9.95 { fixed(percent, 1) } else { fixed(percent, 0) };
    html! {
        // The colour goes no further than print stays readable on it.
        td class=(if share >= 1.0 { "num best" } else { "num" }) style=(format!("--heat:{}%", fixed(0.5 * percent.clamp(0.0, 100.0), 0))) { (text) }
    }
}
