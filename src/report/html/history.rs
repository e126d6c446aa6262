//! Runs over time: how signature, speed, branching factor, solved positions and Elo went from version to version, as charts and
//! as one table. Speeds of different machines are not joined by a line.

use super::{STYLE, Told, figure, moment, page_around, run_name};
use crate::record::Header;
use crate::report::figures::count;
use crate::report::keys::{Key, Kind, keys};
use crate::report::svg::{Axes, Series, legend, lines};
use maud::{Markup, html};

/// Lines in one chart; more could not be told apart.
const MOST_LINES: usize = 6;

/// Kinds that are drawn.
const DRAWN: [Kind; 4] = [Kind::Nps, Kind::Ebf, Kind::Solved, Kind::Elo];

/// One figure through the runs that have it: run and key, in the order of time.
struct Trend<'a> {
    kind: Kind,
    of: &'a str,
    engine: &'a str,
    points: Vec<(usize, &'a Key)>,
}

impl Trend<'_> {
    fn name(&self) -> String {
        match (self.of.is_empty(), self.engine.is_empty()) {
            (true, _) => self.engine.to_owned(),
            (_, true) => self.of.to_owned(),
            _ => format!("{} · {}", self.of, self.engine),
        }
    }
}

/// The page of these runs; `folder`: where they were found, `skipped`: what there could not be read.
pub fn history(runs: &mut [Told], folder: &str, skipped: &[String]) -> String {
    runs.sort_by(|a, b| (&a.header.started, a.path).cmp(&(&b.header.started, b.path)));
    let of_runs: Vec<Vec<Key>> = runs.iter().map(|run| keys(&run.digest)).collect();
    let mut trends: Vec<Trend> = Vec::new();
    for (run, key) in
        of_runs.iter().enumerate().flat_map(|(run, keys)| keys.iter().map(move |key| (run, key)))
    {
        // Slider rates by the dozen are for a report of two runs.
        if key.kind == Kind::Rate {
            continue;
        }
        match trends.iter_mut().find(|t| t.kind == key.kind && t.of == key.of && t.engine == key.engine) {
            Some(trend) => trend.points.push((run, key)),
            None => trends.push(Trend {
                kind: key.kind,
                of: &key.of,
                engine: &key.engine,
                points: vec![(run, key)],
            }),
        }
    }
    trends.sort_by_key(|trend| trend.kind);
    let headers: Vec<&Header> = runs.iter().map(|run| run.header).collect();
    let changes: usize = trends.iter().filter(|t| t.kind == Kind::Signature).map(changes).sum();
    let body = html! {
        header class="verdict info" id="verdict" {
            p class="kicker" { "Gauntlet · " strong { "history" } " · " (folder) }
            h1 { (count(runs.len() as u64)) @if runs.len() == 1 { " run" } @else { " runs" } }
            p class="sentence" {
                @if let (Some(first), Some(last)) = (headers.first(), headers.last()) {
                    "From " (moment(&first.started)) " to " (moment(&last.started)) " UTC, "
                }
                (of_many(distinct(&headers, |h| h.version.clone()), "version")) ", " (of_many(distinct(&headers, machine), "machine"))
                "; signatures changed " (of_many(changes, "time")) "."
            }
        }
        @if !skipped.is_empty() {
            aside class="warnings" aria-label="Warnings" {
                h2 { (of_many(skipped.len(), "folder")) " left out" }
                ul { @for line in skipped { li { (line) } } }
            }
        }
        @for kind in DRAWN {
            @let of_kind: Vec<&Trend> = trends.iter().filter(|t| t.kind == kind && t.points.len() > 1).collect();
            @if !of_kind.is_empty() { section { h2 { (kind.title()) } (chart(kind, &of_kind, &headers)) } }
        }
        section id="figures" {
            h2 { "All figures" }
            (table(&trends, runs))
        }
    };
    page_around(&format!("{} runs · Gauntlet history", runs.len()), STYLE, "", html! { article { (body) } })
}

fn of_many(number: usize, what: &str) -> String {
    format!("{} {what}{}", count(number as u64), if number == 1 { "" } else { "s" })
}

fn machine(header: &Header) -> String {
    format!("{}, {} cores", header.machine.cpu, header.machine.cores)
}

fn distinct(headers: &[&Header], of: impl Fn(&Header) -> String) -> usize {
    let mut all: Vec<String> = headers.iter().map(|header| of(header)).collect();
    all.sort_unstable();
    all.dedup();
    all.len()
}

fn changes(trend: &Trend) -> usize {
    trend.points.windows(2).filter(|pair| pair[0].1.value != pair[1].1.value).count()
}

fn chart(kind: Kind, trends: &[&Trend], headers: &[&Header]) -> Markup {
    let mut longest: Vec<&&Trend> = trends.iter().collect();
    longest.sort_by_key(|trend| std::cmp::Reverse(trend.points.len()));
    longest.truncate(MOST_LINES);
    let names: Vec<String> = longest.iter().map(|trend| trend.name()).collect();
    // Only the runs that have such a figure take room.
    let mut places: Vec<usize> = longest.iter().flat_map(|t| t.points.iter().map(|p| p.0)).collect();
    places.sort_unstable();
    places.dedup();
    let x = |run: usize| places.iter().position(|&place| place == run).unwrap_or(0) as f64;
    let mut drawn = Vec::new();
    for (index, trend) in longest.iter().enumerate() {
        let parted = |a: &(usize, &Key), b: &(usize, &Key)| {
            !kind.is_speed() || machine(headers[a.0]) == machine(headers[b.0])
        };
        for part in trend.points.chunk_by(parted) {
            drawn.push(Series {
                name: names[index].clone(),
                points: part.iter().map(|(run, key)| (x(*run), key.value)).collect(),
                series: index,
                dots: true,
                apart: false,
                ends: part
                    .iter()
                    .map(|(_, key)| (key.low.unwrap_or(f64::NAN), key.high.unwrap_or(f64::NAN)))
                    .collect(),
            });
        }
    }
    let breaks: Vec<f64> = places
        .windows(2)
        .filter(|pair| machine(headers[pair[0]]) != machine(headers[pair[1]]))
        .map(|pair| x(pair[1]) - 0.5)
        .collect();
    let caption = html! {
        (kind.title()) " over time"
        small {
            @if let [name] = names.as_slice() { "Of " (name) ". " }
            "Whiskers: 95 % interval, where there is one; n and intervals are in the table below."
            @if !breaks.is_empty() { " Upright dashes: the machine changed" @if kind.is_speed() { "; speeds across them cannot be compared" } "." }
            @if trends.len() > longest.len() { " The " (longest.len()) " longest of " (trends.len()) " series." }
        }
    };
    let axes = Axes {
        title: format!("{} over time", kind.title()),
        x: "runs, in the order of time".to_owned(),
        y: kind.title().to_lowercase(),
        marks: places.iter().map(|&run| (x(run), label(headers[run], headers))).collect(),
        breaks,
        levels: if kind == Kind::Elo { vec![(0.0, "0".to_owned())] } else { Vec::new() },
        ..Axes::default()
    };
    figure(caption, legend(&names), lines(&axes, &drawn))
}

/// The commit where the versions differ, else the day.
fn label(header: &Header, all: &[&Header]) -> String {
    let commit = header
        .version
        .split_once('(')
        .map(|(_, rest)| rest.trim_end_matches(')').chars().take(7).collect::<String>());
    match commit {
        Some(commit) if all.iter().any(|other| other.version != header.version) => commit,
        _ => header.started.get(5..16).unwrap_or("?").replace('T', " "),
    }
}

fn table(trends: &[Trend], runs: &[Told]) -> Markup {
    html! {
        p class="with-script muted" { "A click on a heading sorts." }
        div class="scroll" { table class="sortable" {
            caption { "All figures of all runs" }
            thead { tr {
                th scope="col" { "Figure" } th scope="col" { "Of" } th scope="col" { "Started (UTC)" } th scope="col" { "Version" } th scope="col" { "Run" }
                th scope="col" class="num" { "Value (95 % interval), n" } th scope="col" class="num" { "Change" } th scope="col" { "Machine" }
            } }
            tbody {
                @for trend in trends {
                    @for (index, (run, key)) in trend.points.iter().enumerate() {
                        @let header = runs[*run].header;
                        @let before = index.checked_sub(1).map(|at| trend.points[at]);
                        @let moved = before.is_some_and(|(at, _)| machine(runs[at].header) != machine(header));
                        tr {
                            th scope="row" data-sort=(trend.kind.title()) { (trend.kind.title()) }
                            td class="wrap" data-sort=(trend.name()) { (trend.name()) }
                            td class="nowrap" data-sort=(header.started) { (moment(&header.started)) }
                            td data-sort=(header.version) { (header.version) }
                            td class="wrap" data-sort=(run_name(&runs[*run])) { (run_name(&runs[*run])) }
                            td class="num nowrap" data-sort=(format!("{:.6}", key.value)) { (key.text()) }
                            @match before {
                                Some((_, before)) if !(moved && trend.kind.is_speed()) => {
                                    @let change = trend.kind.change(before.value, key.value);
                                    td class=(if change == "changed" { "num bad" } else { "num" }) data-sort=(format!("{:.6}", key.value - before.value)) { (change) }
                                }
                                _ => td class="num" {},
                            }
                            td class="wrap" data-sort=(machine(header)) { (machine(header)) @if moved { " " b { "(another one)" } } }
                        }
                    }
                }
            }
        } }
        @if trends.is_empty() { p { "No run here has a figure that can be followed." } }
    }
}
