//! The end of the page: what ran where, how to repeat it, and what each figure means.

use super::{Section, Told, moment};
use crate::report::digest::Digest;
use crate::report::figures::{NONE, maybe};
use crate::report::text::cost_line;
use maud::html;

pub(super) fn run_facts(run: &Told) -> Section {
    let header = run.header;
    let machine = &header.machine;
    let or_none = |text: &str| if text.is_empty() { NONE.to_owned() } else { text.to_owned() };
    let body = html! {
        dl class="facts" {
            dt { "Repeat exactly" } dd { code { (command(&["gauntlet".to_owned(), header.verb.clone(), "--plan".to_owned(), run.path.join("plan.toml").to_string_lossy().into_owned()])) } }
            @if let Some(label) = &header.label { dt { "Label" } dd { (label) } }
            dt { "Seed" } dd { (header.seed) }
            dt { "Version" } dd { "gauntlet " (or_none(&header.version)) @if !header.rustc.is_empty() { ", " (header.rustc) } ", record format " (header.schema) }
            dt { "Processor" } dd { (or_none(&machine.cpu)) ", " (machine.cores) @if machine.cores == 1 { " core" } @else { " cores" } }
            dt { "Built for" } dd { (or_none(&machine.features.join(" "))) }
            dt { "System" } dd { (or_none(&machine.os)) }
            dt { "Load at the start" } dd { (maybe(machine.load, 2)) }
            dt { "Started" } dd { (moment(&header.started)) " UTC" }
            dt { "Finished" } dd { @if let Some(end) = &header.finished { (moment(end)) " UTC" } @else { (NONE) } }
            @for again in &header.resumed { dt { "Resumed" } dd { (moment(again)) " UTC" } }
            @if let Some(cost) = &header.cost { dt { "Cost of playing" } dd { (cost_line(cost).trim_start_matches("harness: ")) } }
            dt { "Files" } dd { "header.json, plan.toml, rows.jsonl (every row as it was made) and one CSV file per kind of row, in " code { (run.path.display()) } }
        }
    };
    Section { id: "run", title: "This run", body }
}

/// As one would type it into a POSIX shell.
pub(super) fn command(argv: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    let quoted = |word: &String| {
        if !word.is_empty() && word.chars().all(plain) {
            word.clone()
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    };
    if argv.is_empty() { NONE.to_owned() } else { argv.iter().map(quoted).collect::<Vec<_>>().join(" ") }
}

pub(super) fn how_to_read(digest: &Digest) -> Section {
    let mut words: Vec<(&str, &str)> = Vec::new();
    if !digest.perft.is_empty() {
        words.push(("Perft", "The number of legal move sequences of a given length from a position. It is exact: one wrong count is a bug in the rules."));
    }
    if !digest.tactics.is_empty() {
        words.push(("Solved", "The engine's final move is one the suite names as best, is none it says to avoid, or mates in the given number of moves."));
        words.push(("Wilson interval", "The range of true solving rates that fit the count at 95 %; two engines whose ranges overlap widely are not told apart by this suite."));
        words.push(("Points", "Suites that grade moves give up to ten points a position; the sum stands beside the greatest possible one."));
    }
    if !digest.symmetry.is_empty() {
        words.push(("Symmetry", "A position and its twin with colours and ranks swapped are the same game, so the evaluation must be equal for the side to move."));
    }
    if !digest.bench.is_empty() {
        words.push(("Signature", "The sum of nodes over fixed positions at fixed limits. The same program gives the same number on every machine; a changed number means changed search behaviour."));
        words.push(("EBF", "Effective branching factor: geometric mean of the ratios of summed nodes from depth 2 to the last depth that all positions finished. The interval is a jackknife over positions."));
        words.push(("MBF", "Mean branching factor: all nodes over interior nodes (those that made a move). Only engines that tell their interior nodes have one."));
        words.push((
            "Nodes/s",
            "Nodes over wall-clock time. Comparable only for one machine and one way of counting nodes.",
        ));
    }
    if !digest.speed.is_empty() {
        words.push(("Speed ratio", "Speed of the first engine over that of the second, 2 = twice as fast: the median of the means of all pairs of logarithms of the rounds' ratios (Hodges and Lehmann), with the 95 % interval that belongs to Wilcoxon's signed-rank test. A process is one sample; those of a round ran side by side."));
        words.push(("Faster, slower, same", "The whole interval lies above, below or within the margin around 1; for the first two p is also at most 0.025, so that of forty comparisons of equal engines at most one is called different. If it spans an end of the margin the answer is unclear, and more rounds are needed."));
        words.push(("Processor time", "User and system time of the engine's process over its searches: what others used of the machine meanwhile does not count."));
    }
    if !digest.sliders.is_empty() {
        words.push((
            "Throughput, random",
            "Independent lookups one at a time, on the sliders of games and on random occupancies.",
        ));
        words.push(("Latency, cold", "Lookups that each wait for the one before, with warm caches and after the caches were filled with other things."));
        words.push(("Batch", "Many lookups that the compiler may do side by side."));
        words.push(("Empty loop", "The same loop without a lookup; its time is taken off."));
        words.push(("Rank", "Backends whose interval overlaps that of the fastest of a rank share it; the next rank counts them all."));
        words.push(("Relative speed", "Time of the reference backend (pext where it was timed, else the fastest) over this backend's time in the same round, the empty loop taken off both; the median over the rounds and its 95 % bootstrap interval are shown."));
    }
    if !digest.contests.is_empty() {
        words.push(("Elo", "Difference of strength implied by the score: 400·log₁₀(s / (1 − s)). The 95 % interval comes from the pairs of games, not from single games."));
        words.push(("nElo", "Normalized Elo: the mean of a game's result over its spread, scaled; it does not depend on how drawish the openings are."));
        words.push(("LOS", "Likelihood of superiority: the probability that the first engine is the stronger one, given these results alone."));
        words.push(("Pairs", "Each opening is played twice with colours swapped. LL, LD, M, WD, WW: the first engine's 0, ½, 1, 1½ or 2 points of the two games."));
        words.push(("SPRT", "Sequential probability ratio test of Elo = elo0 (H0) against Elo = elo1 (H1): it stops when the log-likelihood ratio (LLR) crosses a bound, with error rates of about α and β."));
        words.push(("Median-unbiased", "A test stopped at a bound overstates what it found; this estimate is as often too high as too low."));
    }
    if !digest.standings.is_empty() {
        words.push(("Elo of standings", "All engines rated together so that the points their ratings predict are the points scored; the mean of a group is 0. The interval comes from the spread between pairs of games where an engine has 30 of them, else from single games."));
        words.push(("SB", "Sonneborn-Berger: the points of every opponent beaten and half those of every one drawn with, game by game."));
    }
    words.push((NONE, "The figure is not known or not defined for these data."));
    let body = html! { dl class="words" { @for (word, meaning) in words { div { dt { (word) } dd { (meaning) } } } } };
    Section { id: "reading", title: "How to read the figures", body }
}
