//! The part of the page that compares slider backends: an overview, speed against size, a heat map, bars and ranks by metric, and
//! a card per technique. A metric that was taken by piece is represented by its queens.

mod cards;
mod overview;
mod published;

use super::{Section, figure};
use crate::record::TechniqueRow;
use crate::report::digest::{Digest, SliderFigure, SliderGroup};
use crate::report::figures::{bytes, fixed};
use crate::report::grouped::grouped;
use crate::report::svg::{Bar, bars};
use maud::{Markup, html};

/// More backends than this: only the first chart stands open.
const MANY: usize = 15;

pub(super) const STYLE: &str = include_str!("sliders.css");

/// One backend of the run.
struct Entry<'a> {
    backend: &'a str,
    table_bytes: u64,
    /// `verified`, or why it was not timed.
    status: &'a str,
    technique: Option<&'a TechniqueRow>,
    /// The id of its card in the page.
    anchor: Option<String>,
}

/// One metric: its groups by piece.
struct Metric<'a> {
    name: &'a str,
    groups: Vec<&'a SliderGroup<'a>>,
}

impl<'a> Metric<'a> {
    /// The group that stands for the metric.
    fn main(&self) -> &'a SliderGroup<'a> {
        self.groups.iter().find(|g| g.piece == "queen").unwrap_or(&self.groups[0])
    }

    fn of(&self, backend: &str) -> Option<&'a SliderFigure<'a>> {
        figure_of(self.main(), backend)
    }
}

fn figure_of<'a>(group: &'a SliderGroup<'a>, backend: &str) -> Option<&'a SliderFigure<'a>> {
    group.backends.iter().find(|b| b.backend == backend)
}

/// Whether a page of this needs [`STYLE`].
pub(super) fn is_shown(digest: &Digest) -> bool {
    !digest.sliders.is_empty() || !digest.techniques.is_empty()
}

/// `prefix`: of all ids of this run in the page.
pub(super) fn sliders(digest: &Digest, prefix: &str) -> Option<Section> {
    if !is_shown(digest) {
        return None;
    }
    let groups = digest.slider_groups();
    let metrics: Vec<Metric> = grouped(&groups.iter().collect::<Vec<_>>(), |g| g.metric)
        .into_iter()
        .map(|(name, groups)| Metric { name, groups })
        .collect();
    let entries = entries(digest, &metrics, prefix);
    let verified = entries.iter().filter(|e| e.status == "verified").count();
    let others: Vec<&Entry> = entries.iter().filter(|e| e.status != "verified").collect();
    let body = html! {
        p { (verified) " of " (entries.len()) " backends agree with the oracle and were timed; rounds are interleaved, and each time is compared with that of another backend in the same round. Backends whose intervals overlap share a rank." }
        @if !others.is_empty() {
            ul { @for entry in others { li { b { (entry.backend) } ": " (why_not_timed(entry.status)) } } }
        }
        (overview::table(&entries, &metrics))
        (overview::size_and_speed(&entries, &metrics))
        (overview::heat_map(&entries, &metrics))
        (published::table(&metrics))
        @for (index, metric) in metrics.iter().enumerate() {
            @let main = metric.main();
            @let open = index == 0 || main.backends.len() <= MANY;
            @if open { (bar_chart(main)) }
            details {
                summary { (capital(metric.name)) @if open { ": ranks and ratios" } @else { ": chart, ranks and ratios" } @if metric.groups.len() > 1 { ", and the other pieces" } }
                @if !open { (bar_chart(main)) }
                (rank_table(main))
                @for group in metric.groups.iter().filter(|g| g.piece != main.piece) { (bar_chart(group)) (rank_table(group)) }
            }
        }
        (cards::cards(&entries, &metrics))
    };
    Some(Section { id: "sliders", title: "Slider backends", body })
}

/// The backends, fastest of the first metric first, those without a time last.
fn entries<'a>(digest: &Digest<'a>, metrics: &[Metric], prefix: &str) -> Vec<Entry<'a>> {
    let technique = |backend: &str| digest.techniques.iter().copied().find(|t| t.backend == backend);
    let mut entries: Vec<Entry<'a>> = digest
        .slider_backends()
        .into_iter()
        .map(|(backend, table_bytes, status)| Entry {
            backend,
            table_bytes,
            status,
            technique: technique(backend),
            anchor: None,
        })
        .collect();
    // A run that was broken off early has backends without a row of their own.
    for row in &digest.techniques {
        if !entries.iter().any(|e| e.backend == row.backend) {
            let (backend, table_bytes) = (row.backend.as_str(), row.table_bytes);
            entries.push(Entry {
                backend,
                table_bytes,
                status: "not verified",
                technique: Some(row),
                anchor: None,
            });
        }
    }
    if let Some(first) = metrics.first() {
        let order = &first.main().backends;
        entries.sort_by_key(|e| order.iter().position(|b| b.backend == e.backend).unwrap_or(order.len()));
    }
    for (index, entry) in entries.iter_mut().enumerate() {
        // Records may hold any name; ids must not.
        let plain = !entry.backend.is_empty()
            && entry.backend.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        let name = if plain { entry.backend.to_owned() } else { format!("no.{}", index + 1) };
        entry.anchor = entry.technique.map(|_| format!("{prefix}technique-{name}"));
    }
    entries
}

fn why_not_timed(status: &str) -> Markup {
    html! { @if status == "failed" { b class="bad" { "failed verification" } ", not timed" } @else { (status) ", not timed" } }
}

/// What one operation is, in the words of the metric.
fn operation(metric: &str) -> &'static str {
    match metric {
        "perft" | "search" => "node",
        _ => "lookup",
    }
}

/// Latencies are times; everything else is a rate.
fn is_time(metric: &str) -> bool {
    matches!(metric, "latency" | "cold")
}

/// Nanoseconds per operation in the unit of the metric.
fn in_unit(metric: &str, ns: f64) -> f64 {
    if is_time(metric) { ns } else { 1e3 / ns }
}

fn unit(metric: &str) -> String {
    if is_time(metric) {
        format!("ns per {}", operation(metric))
    } else {
        format!("million {}s per second", operation(metric))
    }
}

/// For the narrow columns.
fn short_unit(metric: &str) -> &'static str {
    if is_time(metric) { "ns" } else { "M/s" }
}

/// Three digits or so, in the unit of the metric.
fn value(metric: &str, ns: f64) -> String {
    let value = in_unit(metric, ns);
    let decimals = match value {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    fixed(value, decimals)
}

/// A relative speed; slow ones with one more digit.
fn times(speed: f64) -> String {
    fixed(speed, if speed < 0.095 { 3 } else { 2 }) + "×"
}

fn bar_chart(group: &SliderGroup) -> Markup {
    let (metric, unit) = (group.metric, unit(group.metric));
    let bar = |b: &SliderFigure| {
        let (one, other) = (in_unit(metric, b.ns.min), in_unit(metric, b.ns.max));
        Bar {
            label: b.backend.to_owned(),
            value: in_unit(metric, b.ns.median),
            low: Some(one.min(other)),
            high: Some(one.max(other)),
            text: format!("{} ({})", value(metric, b.ns.median), times(b.ranked.speed)),
            series: 0,
        }
    };
    let drawn: Vec<Bar> = group.backends.iter().map(bar).collect();
    let piece = if group.piece == "-" { String::new() } else { format!(", {}", group.piece) };
    let better = if is_time(metric) { "less is better" } else { "more is better" };
    let caption = html! {
        (capital(metric)) (piece)
        small { "Median of n = " (group.rounds) " rounds; whiskers: least and greatest round; " (better) ". In brackets: speed relative to " (group.reference) "." }
    };
    figure(caption, html! {}, bars(&format!("{metric}{piece}"), &unit, &drawn, None))
}

fn rank_table(group: &SliderGroup) -> Markup {
    let piece = if group.piece == "-" { String::new() } else { format!(" ({})", group.piece) };
    html! {
        div class="scroll" { table { caption { "Ranks" }
            thead { tr { th scope="col" class="num" { "Rank" } th scope="col" { "Backend" (piece) } th scope="col" class="num" { (unit(group.metric)) } th scope="col" class="num" { "Speed relative to " (group.reference) } th scope="col" class="num" { "95 % interval" } th scope="col" class="num" { "Rounds" } th scope="col" class="num" { "Tables" } } }
            tbody {
                @for b in &group.backends {
                    tr {
                        td class="num" { (b.ranked.rank) } th scope="row" { (b.backend) } td class="num" { (fixed(in_unit(group.metric, b.ns.median), 2)) }
                        td class="num" { (fixed(b.ranked.speed, 3)) }
                        td class="num nowrap" { (fixed(b.ranked.low, 3)) " … " (fixed(b.ranked.high, 3)) }
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
