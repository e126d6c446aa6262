//! One self-contained HTML page of one or several saved runs: no network, light and dark, print and phone. A small
//! script sorts tables, opens what a link leads to and steps through games; without it everything else can be read as well.
//! Everything a record gives is escaped by `maud`; drawings come from [`svg`](super::svg) and [`board`](mod@super::board).

mod checks;
mod compare;
mod compliance;
mod games;
mod heat;
mod history;
mod measures;
mod reading;
mod sliders;
mod speed;
mod studies;
mod tournament;
mod viewer;

use super::digest::Digest;
use super::doubts;
use super::figures::{NONE, count, duration_us, is_noncharacter};
use super::{Headline, board, headline};
use crate::record::{GameRow, Header, Row, Saved, Status};
use crate::report::contest::Gathered;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::path::Path;

pub(super) const STYLE: &str =
    concat!(include_str!("colors.css"), include_str!("plot.css"), include_str!("page.css"));

/// Sorts the tables marked `sortable`, opens the card that a link leads to, and lets keys scroll what is wider than its frame.
const SCRIPT: &str = include_str!("page.js");

/// A page stays below this many bytes: what the rest of it leaves is for games.
pub const MOST_BYTES: usize = 1_950_000;

pub use history::history;

/// A part of the page: its id (unique within a run), its title, its content.
pub(super) struct Section {
    pub id: &'static str,
    pub title: &'static str,
    pub body: Markup,
}

/// A run as the page needs it.
#[derive(Debug)]
pub struct Told<'a> {
    pub path: &'a Path,
    pub header: &'a Header,
    pub digest: Digest<'a>,
    /// Those that are shown move by move, the most interesting first.
    pub games: Vec<GameRow>,
    /// Settings by name, where they are known.
    pub plan: Vec<(String, String)>,
    /// The page lies in the run's folder, beside its other files.
    pub is_beside: bool,
}

impl Told<'_> {
    /// The file of all games.
    fn pgn(&self) -> Markup {
        html! { @if self.is_beside { a href="games.pgn" { "games.pgn" } } @else { "games.pgn" } }
    }
}

/// The page of records that are in memory as a whole.
pub fn render(runs: &[Saved]) -> String {
    let runs: Vec<Told> = runs
        .iter()
        .map(|run| {
            let mut gathered = Gathered::new(run.header.seed);
            run.rows.iter().for_each(|row| gathered.add(row));
            let games: Vec<&GameRow> = run
                .rows
                .iter()
                .filter_map(|row| match row {
                    Row::Game(game) => Some(game),
                    _ => None,
                })
                .collect();
            let chosen = gathered.chosen();
            let chosen = chosen.iter().filter_map(|&place| games.get(usize::try_from(place).ok()?));
            Told {
                path: &run.path,
                header: &run.header,
                digest: Digest::of(&run.rows),
                games: chosen.map(|game| (*game).clone()).collect(),
                plan: Vec::new(),
                is_beside: runs.len() == 1,
            }
        })
        .collect();
    page(&runs)
}

/// The page of one run, or of several beneath each other with an overview on top. Of the games it holds as many as leave it
/// small enough.
pub fn page(runs: &[Told]) -> String {
    let with_games = runs.iter().filter(|run| !run.games.is_empty()).count();
    if with_games == 0 {
        return page_with(runs, 0);
    }
    let rest = page_with(runs, 0).len() + viewer::STYLE.len() + viewer::SCRIPT.len();
    page_with(runs, MOST_BYTES.saturating_sub(rest) / with_games)
}

/// `room`: bytes for the games of each run.
fn page_with(runs: &[Told], room: usize) -> String {
    let heads: Vec<Headline> = runs.iter().map(|run| headline(run.header, &run.digest)).collect();
    let title = match (runs, heads.as_slice()) {
        ([run], [head]) => format!("{}: {} · Gauntlet report", run.header.verb, head.word),
        _ => format!("{} runs · Gauntlet report", runs.len()),
    };
    let sliders_shown = runs.iter().any(|run| sliders::is_shown(&run.digest));
    let games_shown = room > 0;
    let styles =
        [if sliders_shown { sliders::STYLE } else { "" }, if games_shown { viewer::STYLE } else { "" }];
    let content = html! {
        @if runs.len() > 1 { (overview(runs, &heads)) }
        @for (index, (run, head)) in runs.iter().zip(&heads).enumerate() {
            (run_article(run, head, room, &if runs.len() > 1 { format!("r{}-", index + 1) } else { String::new() }))
        }
    };
    page_around(
        &title,
        &format!("{STYLE}{}", styles.concat()),
        if games_shown { viewer::SCRIPT } else { "" },
        content,
    )
}

/// What every page begins with.
pub(super) fn head(title: &str, style: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            // Without this, browsers ask the server (or disk) for /favicon.ico.
            link rel="icon" href="data:,";
            title { (title) }
            style { (PreEscaped(style)) }
        }
    }
}

/// The page with this content; `script`: what it needs beyond [`SCRIPT`].
fn page_around(title: &str, style: &str, script: &str, content: Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head(title, style))
            body {
                a class="skip" href="#content" { "Skip to the content" }
                (board::symbols())
                main id="content" tabindex="-1" { (content) }
                script { (PreEscaped(SCRIPT)) (PreEscaped(script)) }
            }
        }
    };
    page.into_string().replace(is_no_text, "\u{fffd}")
}

/// Characters that neither HTML nor XML allows, whatever a name or an answer of an engine holds.
fn is_no_text(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t' | '\r')) || is_noncharacter(c)
}

fn overview(runs: &[Told], heads: &[Headline]) -> Markup {
    html! {
        div class="overview" {
            h1 { "Gauntlet report: " (runs.len()) " runs" }
            div class="scroll" { table class="folding" {
                caption { "Runs of this report" }
                thead { tr { th scope="col" { "Run" } th scope="col" { "Verb" } th scope="col" { "Started (UTC)" } th scope="col" { "Result" } th scope="col" { "In words" } } }
                tbody {
                    @for (index, (run, head)) in runs.iter().zip(heads).enumerate() {
                        tr {
                            td { a href=(format!("#r{}-verdict", index + 1)) { (called(run)) } }
                            td { (run.header.verb) }
                            td class="nowrap" { (moment(&run.header.started)) }
                            td { span class=(format!("chip {}", class_of(head.status))) { (head.word) } }
                            td class="whole" { (head.sentence) }
                        }
                    }
                }
            } }
            (compare::side_by_side(runs))
        }
    }
}

/// What the page says of a run, part by part, each with its name. `room`: bytes for its games.
pub(super) fn parts(run: &Told, head: &Headline, room: usize, prefix: &str) -> Vec<(&'static str, Markup)> {
    let digest = &run.digest;
    let sections: Vec<Section> = [
        checks::perft(digest),
        checks::tactics(digest),
        checks::symmetry(digest),
        compliance::compliance(digest),
        measures::bench(digest),
        speed::speed(digest),
        studies::studies(digest),
        tournament::tournament(digest),
        games::ladder(digest),
        games::matches(digest),
        games::games(run, viewer::viewer(run, games::counted(digest), room, prefix)),
        // Many pages of their own.
        sliders::sliders(digest, prefix),
        Some(reading::run_facts(run)),
        Some(reading::how_to_read(digest)),
    ]
    .into_iter()
    .flatten()
    .collect();
    // Landmarks of a page have different names.
    let of = if prefix.is_empty() {
        String::new()
    } else {
        format!(" of run {}", prefix.trim_matches(['r', '-']))
    };
    let contents = html! {
        nav aria-label=(format!("Contents{of}")) {
            @for section in &sections { a href=(format!("#{prefix}{}", section.id)) { (section.title) } }
        }
    };
    let before = [
        ("verdict", top(run, head, prefix)),
        ("contents", contents),
        ("warnings", warnings(run.header, digest, &of)),
        ("stages", stages(digest)),
    ];
    let shown = sections.into_iter().map(|Section { id, title, body }| {
        (id, html! { section id=(format!("{prefix}{id}")) { h2 { (title) } (body) } })
    });
    before.into_iter().chain(shown).collect()
}

fn run_article(run: &Told, head: &Headline, room: usize, prefix: &str) -> Markup {
    html! { article { @for (_, part) in parts(run, head, room, prefix) { (part) } } }
}

/// The verdict, before anything else.
fn top(run: &Told, head: &Headline, prefix: &str) -> Markup {
    let header = run.header;
    html! {
        header class=(format!("verdict {}", class_of(head.status))) id=(format!("{prefix}verdict")) {
            p class="kicker" {
                "Gauntlet · " strong { (header.verb) } " · " @if let Some(label) = &header.label { (label) " · " } (moment(&header.started)) " UTC"
                @if let Some(took) = took(header) { " · took " (took) }
                " · " (run_name(run))
            }
            h1 { (head.word) }
            p class="sentence" { (head.sentence) }
            @if let Some(line) = &header.summary { p class="lastline" { code { (line) } } }
            @if !header.argv.is_empty() { p class="lastline" { "Made by " code { (reading::command(&header.argv)) } } }
        }
    }
}

/// `of`: whose warnings, where a page has several runs.
fn warnings(header: &Header, digest: &Digest, of: &str) -> Markup {
    let all = doubts::warnings(header, digest);
    html! {
        @if !all.is_empty() {
            aside class="warnings" aria-label=(format!("Warnings{of}")) {
                h2 { @if all.len() == 1 { "Warning" } @else { (all.len()) " warnings" } }
                ul { @for warning in &all { li { (warning) } } }
            }
        }
    }
}

/// Figures beside a verdict; a stage with many has a section of its own.
const MOST_FIGURES: usize = 8;

/// One line per verdict.
fn stages(digest: &Digest) -> Markup {
    html! {
        @if !digest.verdicts.is_empty() {
            section class="stages" {
                div class="scroll" { table class="folding" { caption { "Stages of the run" }
                    thead { tr { th scope="col" { "Stage" } th scope="col" { "Result" } th scope="col" { "Found" } th scope="col" class="num" { "Checks" } th scope="col" class="num" { "Failed" } th scope="col" class="num" { "Time" } } }
                    tbody {
                        @for verdict in &digest.verdicts {
                            tr {
                                th scope="row" { (verdict.stage) }
                                td { span class=(format!("chip {}", class_of(verdict.status))) { (word_of(verdict.status)) } }
                                td class="found whole" {
                                    (verdict.summary)
                                    @if !verdict.meaning.is_empty() { p class="meaning" { (verdict.meaning) } }
                                    @if !verdict.figures.is_empty() {
                                        div class="figures" {
                                            @for (name, value) in verdict.figures.iter().take(MOST_FIGURES) { span { (name) " " b { (value) } } " " }
                                            @if verdict.figures.len() > MOST_FIGURES { span { (verdict.figures.len() - MOST_FIGURES) " more in figures.csv" } }
                                        }
                                    }
                                }
                                td class="num" data-label="checks" { (count(verdict.checks)) }
                                td class=(if verdict.failed > 0 { "num bad" } else { "num" }) data-label="failed" { (count(verdict.failed)) }
                                td class="num nowrap" data-label="time" { (duration_us(verdict.time_ms.saturating_mul(1_000))) }
                            }
                        }
                    }
                } }
            }
        }
    }
}

/// A drawing with what it shows and how many stand behind it.
pub(super) fn figure(caption: impl maud::Render, legend: Markup, drawing: Markup) -> Markup {
    html! {
        figure {
            figcaption { (caption) }
            (legend)
            div class="scroll" { (drawing) }
        }
    }
}

pub(super) fn class_of(status: Status) -> &'static str {
    match status {
        Status::Pass => "good",
        Status::Fail => "bad",
        Status::Inconclusive => "warn",
        Status::Info => "info",
    }
}

fn word_of(status: Status) -> String {
    status.word().to_lowercase()
}

/// What the user calls a run, else the name of its folder.
fn called(run: &Told) -> String {
    run.header.label.clone().unwrap_or_else(|| run_name(run))
}

fn run_name(run: &Told) -> String {
    run.path.file_name().map_or_else(|| NONE.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// `2026-11-30 00:47:51` of an RFC 3339 time; anything else as it is.
fn moment(text: &str) -> String {
    text.strip_suffix('Z').map_or(text.to_owned(), |t| t.replacen('T', " ", 1))
}

/// The time between start and finish, from the texts of the header.
fn took(header: &Header) -> Option<String> {
    let start = crate::record::utc::parse(&header.started)?;
    let end = crate::record::utc::parse(header.finished.as_deref()?)?;
    let seconds = end.checked_sub(start)?;
    Some(if seconds == 0 {
        "less than a second".to_owned()
    } else {
        duration_us(seconds.saturating_mul(1_000_000))
    })
}
