//! The parts of the page about games: the ladder of matches, single matches and SPRTs, the list of games.

use super::{Section, Told, figure};
use crate::record::{MatchRow, SprtOutcome};
use crate::report::chosen::is_abnormal;
use crate::report::contest::{Contest, Games};
use crate::report::digest::Digest;
use crate::report::figures::{NONE, count, fixed, interval, maybe_signed, signed};
use crate::report::svg::{Axes, Bar, Series, columns, error_bars, legend, lines};
use crate::report::thinking::{ENDS, Histogram, Thinking};
use crate::stats::Model;
use maud::{Markup, html};

/// Points of an LLR path beyond which it is thinned: more cannot be seen.
const MOST_POINTS: usize = 500;

fn games_of(row: &MatchRow) -> u64 {
    row.wins + row.draws + row.losses
}

fn title_of(row: &MatchRow) -> String {
    match (row.round, row.name.is_empty()) {
        (_, true) => format!("{} v {}", row.first, row.second),
        (Some(_), _) => format!("{}: {} v {}", row.name, row.first, row.second),
        _ => row.name.clone(),
    }
}

/// Named matches that are no SPRT, compared in one plot.
pub(super) fn ladder(digest: &Digest) -> Option<Section> {
    let steps: Vec<&MatchRow> = digest
        .contests
        .iter()
        .filter_map(|c| c.outcome.as_ref())
        .filter(|m| m.sprt.is_none() && !m.name.is_empty() && m.round.is_none())
        .collect();
    if steps.is_empty() {
        return None;
    }
    let drawn: Vec<Bar> = steps
        .iter()
        .map(|m| Bar {
            label: title_of(m),
            value: m.elo.unwrap_or(f64::NAN),
            // A one-sided match has one end only; the other one is infinite.
            low: m.elo_low.or(m.elo_high.map(|_| f64::NEG_INFINITY)),
            high: m.elo_high.or(m.elo_low.map(|_| f64::INFINITY)),
            text: format!("{} (n = {})", elo_text(m), games_of(m)),
            series: 0,
        })
        .collect();
    let caption = html! { "Elo of the first over the second" small { "Whiskers: 95 % interval; n = games, played in pairs with colours swapped." } };
    // The matches of a study are drawn there, over its factors.
    let of_study = !digest.studies.is_empty() && digest.verdicts.is_empty();
    let body = html! {
        @if !of_study { (figure(caption, html! {}, error_bars("Elo by match", "Elo difference", &drawn))) }
        (match_table(&steps))
    };
    Some(Section { id: "ladder", title: if of_study { "Matches" } else { "Self-play ladder" }, body })
}

/// The estimate, or the end of its interval if a one-sided result has no finite one.
fn elo_text(m: &MatchRow) -> String {
    match m.elo {
        Some(elo) if elo.is_finite() => signed(elo, 0),
        _ => interval(m.elo_low.filter(|v| v.is_finite()), m.elo_high.filter(|v| v.is_finite()), 0),
    }
}

pub(super) fn match_table(matches: &[&MatchRow]) -> Markup {
    html! {
        div class="scroll" { table { caption { "Matches" }
            thead { tr {
                th scope="col" { "Match" } th scope="col" class="num" { "Games" } th scope="col" class="num" { "+ = −" } th scope="col" class="num" { "Pairs LL LD M WD WW" } th scope="col" class="num" { "Elo" }
                th scope="col" class="num" { "95 % interval" } th scope="col" class="num" { "LOS" } th scope="col" class="num" { "nElo" }
            } }
            tbody {
                @for m in matches {
                    tr {
                        th scope="row" class="wrap" { (title_of(m)) @if let Some(why) = &m.invalid { " " b class="bad" { "not valid: " (why) } } }
                        td class="num" { (count(games_of(m))) } td class="num nowrap" { (m.wins) " " (m.draws) " " (m.losses) }
                        td class="num nowrap" { (m.penta.map(|n| n.to_string()).join(" ")) }
                        td class="num" { (maybe_signed(m.elo, 1)) } td class="num nowrap" { (interval(m.elo_low, m.elo_high, 1)) }
                        td class="num nowrap" { @if let Some(los) = m.los { (fixed(los * 100.0, 1)) " %" } @else { (NONE) } }
                        td class="num" { (maybe_signed(m.nelo, 1)) }
                    }
                }
            }
        } }
    }
}

/// SPRTs, plain matches, and a match that was broken off.
pub(super) fn matches(digest: &Digest) -> Option<Section> {
    let contests: Vec<&Contest> = digest
        .contests
        .iter()
        .filter(|c| !c.is_encounter())
        .filter(|c| c.outcome.as_ref().is_none_or(|m| m.sprt.is_some() || m.name.is_empty()))
        .collect();
    if contests.is_empty() {
        return None;
    }
    let sprt = contests.iter().any(|c| c.has_llr || c.outcome.as_ref().is_some_and(|m| m.sprt.is_some()));
    let body = html! { @for contest in contests { (contest_part(contest)) } };
    Some(Section { id: "match", title: if sprt { "SPRT" } else { "Match" }, body })
}

fn contest_part(contest: &Contest) -> Markup {
    let outcome = contest.outcome.as_ref();
    let last = contest.last_pair.as_ref();
    let sprt = outcome.and_then(|m| m.sprt.as_ref());
    let penta = outcome.map(|m| m.penta).or(last.map(|p| p.penta)).unwrap_or_default();
    let pairs: u64 = penta.iter().sum();
    html! {
        @if let Some(m) = outcome {
            h3 { (m.first) " against " (m.second) @if !m.name.is_empty() { " · " (m.name) } }
            @if let Some(why) = &m.invalid { p { b class="bad" { "Not valid: " (why) } } }
            @if let Some(s) = sprt { (sprt_words(m, s)) }
            (match_table(&[m]))
        } @else {
            h3 { "Match broken off" }
            p { @if let Some(last) = last { "After " (count(last.pair + 1)) " pairs: " (last.wins) " wins, " (last.draws) " draws, " (last.losses) " losses for the first engine." } @else { (contest.games.total()) " games, no complete pair." } }
        }
        @if contest.has_llr {
            @let path = thinned(&contest.path);
            @let levels = sprt.map_or(Vec::new(), |s| vec![(s.upper, format!("H1 {}", signed(s.upper, 2))), (s.lower, format!("H0 {}", signed(s.lower, 2)))]);
            @let line = Series { name: "log-likelihood ratio".into(), points: path, ..Series::default() };
            @let caption = html! { "Log-likelihood ratio after each pair" small { "n = " (count(contest.pairs)) " pairs, in the order of the schedule. The test stops where the path leaves the dashed bounds." } };
            (figure(caption, html! {}, lines(&Axes { title: "LLR path".into(), x: "pairs of games".into(), y: "LLR".into(), levels, ..Axes::default() }, &[line])))
        }
        @if pairs > 0 {
            @let caption = html! { "Results of the pairs" small { "n = " (count(pairs)) " pairs, first engine's points in two games with one opening and colours swapped." } };
            @let names = ["0 (LL)", "½ (LD)", "1 (DD, WL)", "1½ (WD)", "2 (WW)"];
            @let counts: Vec<(String, u64)> = names.iter().map(|n| (*n).to_owned()).zip(penta).collect();
            (figure(caption, html! {}, columns("Results of the pairs", "points of the first engine in a pair", &counts)))
        }
    }
}

fn sprt_words(m: &MatchRow, s: &SprtOutcome) -> Markup {
    let class = match s.verdict.as_str() {
        "H1" => "good",
        "H0" => "bad",
        _ => "warn",
    };
    let unit = Model::from_id(&s.model).map_or("Elo", Model::unit);
    html! {
        p { span class=(format!("chip {class}")) { (s.verdict) } " "
            @match s.verdict.as_str() {
                "H1" => { (m.first) " is stronger: the hypothesis of " b { (signed(s.elo1, 1)) } " " (unit) " was accepted against " b { (signed(s.elo0, 1)) } "." }
                "H0" => { (m.first) " is not stronger: the hypothesis of " b { (signed(s.elo0, 1)) } " " (unit) " was accepted against " b { (signed(s.elo1, 1)) } "." }
                _ => { "No bound was reached between " (signed(s.elo0, 1)) " and " (signed(s.elo1, 1)) " " (unit) "." }
            }
        }
        dl class="facts" {
            dt { "LLR" } dd { (fixed(s.llr, 3)) " (bounds " (fixed(s.lower, 3)) " and " (fixed(s.upper, 3)) ", model " (s.model) ", α = " (fixed(s.alpha, 3)) ", β = " (fixed(s.beta, 3)) ")" }
            dt { "Elo, plain" } dd { (maybe_signed(m.elo, 1)) " (95 %: " (interval(m.elo_low, m.elo_high, 1)) ", " (m.interval) "); biased upwards or downwards by the stopping rule" }
            dt { "Elo, median-unbiased" } dd { (maybe_signed(s.unbiased, 1)) " (95 %: " (interval(s.unbiased_low, s.unbiased_high, 1)) ")" }
        }
    }
}

/// The path at no more than [`MOST_POINTS`] points: of each stretch its lowest, its highest and its last.
fn thinned(all: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if all.len() <= MOST_POINTS {
        return all.to_vec();
    }
    let stretch = all.len().div_ceil(MOST_POINTS / 3);
    let mut kept = Vec::new();
    for part in all.chunks(stretch) {
        let by_height = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let mut points: Vec<(f64, f64)> =
            [part.iter().min_by(by_height), part.iter().max_by(by_height), part.last()]
                .into_iter()
                .flatten()
                .copied()
                .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points.dedup();
        kept.extend(points);
    }
    kept
}

/// Games of the run that count.
pub(super) fn counted(digest: &Digest) -> u64 {
    digest.contests.iter().map(|contest| contest.games.counted).sum()
}

/// `viewer`: where they can be stepped through.
pub(super) fn games(run: &Told, viewer: Markup) -> Option<Section> {
    let digest = &run.digest;
    let games = Games::of_all(&digest.contests);
    if games.is_empty() {
        return None;
    }
    let Games { counted, aside, plies, mut endings, .. } = games.clone();
    let odd = endings.iter().filter(|e| is_abnormal(&e.termination));
    let forfeits: u64 = odd.map(|e| e.games).sum();
    endings.sort_by_key(|ending| std::cmp::Reverse(ending.games));
    let body = html! {
        p {
            (count(counted)) " games, " (fixed(plies as f64 / counted.max(1) as f64, 1)) " plies on average. All moves with scores, depths and times: "
            (run.pgn()) " (also games.csv and plies.csv)."
            @if aside > 0 { " " (aside) " more were still being played when a test had stopped; they are not counted." }
        }
        @if forfeits > 0 { p { b class="bad" { (forfeits) " games did not end by the rules of chess or by adjudication." } } }
        div class="scroll" { table { caption { "How games ended" }
            thead { tr { th scope="col" { "How games ended" } th scope="col" { "Termination" } th scope="col" class="num" { "Games" } } }
            tbody { @for e in endings.iter().take(30) { tr { td class="wrap" { (e.reason) } td { (e.termination) } td class="num" { (count(e.games)) } } } }
        } }
        (thinking(&digest.thinking))
        (viewer)
    };
    Some(Section { id: "games", title: "Games", body })
}

/// Time per move and latency of each engine, as shares of its moves.
fn thinking(engines: &[Thinking]) -> Markup {
    let names: Vec<String> = engines.iter().map(|one| one.engine.clone()).collect();
    let plot = |title: &str, small: &str, of: fn(&Thinking) -> &Histogram| {
        let taken: Vec<usize> =
            engines.iter().flat_map(|one| (0..=ENDS.len()).filter(|&class| of(one)[class] > 0)).collect();
        let (Some(&least), Some(&most)) = (taken.iter().min(), taken.iter().max()) else { return html! {} };
        let range = least.saturating_sub(1)..=(most + 1).min(ENDS.len());
        let moves: u64 = engines.iter().map(|one| of(one).iter().sum::<u64>()).sum();
        let drawn: Vec<Series> = engines
            .iter()
            .enumerate()
            .filter(|(_, one)| of(one).iter().any(|&moves| moves > 0))
            .map(|(index, one)| {
                let all: u64 = of(one).iter().sum();
                let share = |class: usize| 100.0 * of(one)[class] as f64 / all as f64;
                let points = range.clone().map(|class| (class as f64, share(class))).collect();
                Series { name: one.engine.clone(), points, series: index, dots: true, ..Series::default() }
            })
            .collect();
        let mark = |class: usize| match ENDS.get(class) {
            Some(&end) => (class as f64, format!("< {}", round_time(end))),
            None => (class as f64, "more".to_owned()),
        };
        let axes = Axes {
            title: title.to_owned(),
            x: "classes of time".to_owned(),
            y: "moves, %".to_owned(),
            marks: range.clone().map(mark).collect(),
            height: 220.0,
            ..Axes::default()
        };
        let caption = html! { (title) small { (small) " n = " (count(moves)) " moves." } };
        figure(caption, legend(&names), lines(&axes, &drawn))
    };
    html! {
        (plot("Time taken for a move", "Share of an engine's moves by the time measured, in classes of 1, 2 and 5; moves of the opening left out.", |one| &one.time))
        (plot("Latency", "Time measured less the time the engine reported, of engines in processes of their own.", |one| &one.latency))
    }
}

fn round_time(us: u64) -> String {
    match us {
        0..1_000 => format!("{us} µs"),
        1_000..1_000_000 => format!("{} ms", us / 1_000),
        _ => format!("{} s", us / 1_000_000),
    }
}
