//! Runs over time: how signature, speed, branching factor, solved positions and Elo went from version to version, as charts and
//! as one table. Only figures that were measured in the same way make a series, and speeds of different machines are not joined by
//! a line.

use super::{STYLE, Told, figure, moment, page_around, run_name};
use crate::record::Header;
use crate::report::figures::count;
use crate::report::keys::{Key, Kind, keys};
use crate::report::svg::{Axes, Series, legend, lines};
use maud::{Markup, html};

/// Lines in one chart; more could not be told apart.
const MOST_LINES: usize = 6;

/// Letters of a label below a chart.
const MOST_OF_A_LABEL: usize = 16;

/// Kinds that are drawn.
const DRAWN: [Kind; 4] = [Kind::Nps, Kind::Ebf, Kind::Solved, Kind::Elo];

/// One figure through the runs that have it: run and key, in the order of time.
struct Trend<'a> {
    kind: Kind,
    of: &'a str,
    engine: &'a str,
    how: &'a [Setting],
    /// What of `how` tells it from another of the same name.
    apart: String,
    points: Vec<(usize, &'a Key)>,
}

impl Trend<'_> {
    fn name(&self) -> String {
        let parts = [self.engine, self.of, self.apart.as_str()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
    }

    fn is_called_as(&self, other: &Trend) -> bool {
        (self.kind, self.of, self.engine) == (other.kind, other.of, other.engine)
    }
}

/// A setting of the plan, by its name.
type Setting = (String, String);

/// Settings of verbs that do not change what a figure means: files, bars that are set to it, how many were measured. The engines have
/// names.
const NOT_OF_THE_FIGURE: [&str; 26] = [
    "pgn",
    "events",
    "final-positions",
    "live",
    "rating-interval",
    "resume",
    "junit",
    "summary",
    "baseline",
    "update-baseline",
    "stages",
    "always-play",
    "affinity",
    "recover",
    "pairs",
    "max-pairs",
    "rounds",
    "error-bar",
    "hang-timeout",
    "timeout",
    "min-solved",
    "threshold",
    "expect",
    "unclear",
    "strict",
    "divide",
];

/// Keys of a SPEC that say where an engine is and what it is called, not how it searches.
const OF_A_PROCESS: [&str; 4] = ["cmd", "dir", "name", "margin"];

/// How a figure of a run was measured: by which verb, with which settings, and what the SPECs of its engines say of their searches.
fn how(run: &Told, kind: Kind) -> Vec<Setting> {
    let verb = run.header.verb.as_str();
    let mut how = vec![("verb".to_owned(), verb.to_owned())];
    for (name, value) in &run.plan {
        let own = name.strip_prefix(verb).and_then(|rest| rest.strip_prefix('.')).unwrap_or(name);
        let last = own.rsplit('.').next().unwrap_or(own);
        let is_elsewhere = name.starts_with("common.") && last != "threads";
        // Of a gate, the stage that the figure is from.
        let is_of_another = verb == "gate" && own.contains('.') && !own.starts_with(stage_of(kind));
        // It decides how many positions are tried.
        let is_budget = last == "budget" && kind != Kind::Solved;
        if is_elsewhere || is_of_another || is_budget || NOT_OF_THE_FIGURE.contains(&last) {
            continue;
        }
        if !["engine", "new", "base", "against"].contains(&last) {
            how.push((own.to_owned(), value.clone()));
            continue;
        }
        let of_search = |part: &&str| {
            let key = part.split_once('=').map(|(key, _)| key);
            key.is_some_and(|key| !OF_A_PROCESS.contains(&key))
        };
        let parts = value.split([',', '"', ':', '[', ']']).map(str::trim);
        let parts: Vec<&str> = parts.filter(of_search).collect();
        if !parts.is_empty() {
            how.push((format!("{own} with"), parts.join(", ")));
        }
    }
    how
}

/// The table of the gate's settings that a figure of this kind depends on.
fn stage_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Signature | Kind::Nps | Kind::Ebf => "signature.",
        Kind::Solved => "suites.",
        Kind::Elo => "sprt.",
        Kind::Wrong | Kind::PerftSpeed | Kind::Rate => "perft.",
    }
}

/// Those of one name are told apart by the settings that are not the same in all of them.
fn tell_apart(trends: &mut [Trend]) {
    let value = |how: &[Setting], name: &str| how.iter().find(|s| s.0 == name).map(|s| s.1.clone());
    let apart: Vec<String> = trends
        .iter()
        .map(|trend| {
            // Other verbs have other settings altogether.
            let is_of_verb = |other: &&Trend| value(other.how, "verb") == value(trend.how, "verb");
            let others = trends.iter().filter(|other| other.is_called_as(trend));
            let (alike, apart): (Vec<&Trend>, Vec<&Trend>) = others.partition(is_of_verb);
            let differs = |name: &&str| alike.iter().any(|o| value(o.how, name) != value(trend.how, name));
            let names = alike.iter().flat_map(|other| other.how.iter().map(|s| s.0.as_str()));
            let mut names: Vec<&str> = names.filter(differs).collect();
            names.extend((!apart.is_empty()).then_some("verb"));
            names.sort_unstable();
            names.dedup();
            let told = |name: &str| match value(trend.how, name) {
                Some(value) => format!("{name} {}", value.trim_matches('"')),
                None => format!("no {name}"),
            };
            names.into_iter().map(told).collect::<Vec<_>>().join(", ")
        })
        .collect();
    trends.iter_mut().zip(apart).for_each(|(trend, apart)| trend.apart = apart);
}

/// The page of these runs; `folder`: where they were found, `skipped`: what there could not be read.
pub fn history(runs: &mut [Told], folder: &str, skipped: &[String]) -> String {
    runs.sort_by(|a, b| (&a.header.started, a.path).cmp(&(&b.header.started, b.path)));
    let of_runs: Vec<Vec<Key>> = runs.iter().map(|run| keys(&run.digest)).collect();
    let ways: Vec<[Vec<Setting>; Kind::ALL.len()]> =
        runs.iter().map(|run| Kind::ALL.map(|kind| how(run, kind))).collect();
    let mut trends: Vec<Trend> = Vec::new();
    for (run, key) in
        of_runs.iter().enumerate().flat_map(|(run, keys)| keys.iter().map(move |key| (run, key)))
    {
        // Slider rates by the dozen are for a report of two runs; of a part of the work only Elo means the same as of the whole.
        if key.kind == Kind::Rate || (!runs[run].header.complete && key.kind != Kind::Elo) {
            continue;
        }
        let (kind, of, engine) = (key.kind, key.of.as_str(), key.engine.as_str());
        let how = ways[run][kind as usize].as_slice();
        let trend = Trend { kind, of, engine, how, apart: String::new(), points: vec![(run, key)] };
        match trends.iter_mut().find(|other| other.is_called_as(&trend) && other.how == how) {
            Some(trend) => trend.points.push((run, key)),
            None => trends.push(trend),
        }
    }
    tell_apart(&mut trends);
    trends.sort_by_key(|trend| trend.kind);
    let broken: Vec<String> = runs.iter().filter(|run| !run.header.complete).map(run_name).collect();
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
        @if !skipped.is_empty() || !broken.is_empty() {
            aside class="warnings" aria-label="Warnings" {
                @if !skipped.is_empty() {
                    h2 { (of_many(skipped.len(), "folder")) " left out" }
                    ul { @for line in skipped { li { (line) } } }
                }
                @if !broken.is_empty() {
                    h2 { (of_many(broken.len(), "run")) " not finished: no figures but Elo" }
                    ul { @for name in &broken { li { (name) } } }
                }
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

/// What the user called the run; else the commit of this program where the versions differ, else the day.
fn label(header: &Header, all: &[&Header]) -> String {
    if let Some(label) = &header.label {
        return label.chars().take(MOST_OF_A_LABEL).collect();
    }
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
                            td class="wrap" data-sort=(run_name(&runs[*run])) { (run_name(&runs[*run])) @if let Some(label) = &header.label { " (" (label) ")" } }
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
