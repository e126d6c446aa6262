//! Several runs side by side: the figures that they have in common in one table, a column for each run, and what differs in
//! their settings.

use super::{Told, called};
use crate::report::figures::{NONE, count};
use crate::report::keys::{Kind, Line, aligned, keys};
use maud::{Markup, html};
use std::collections::{BTreeMap, BTreeSet};

/// Lines of one kind beyond which they are folded.
const MANY: usize = 24;

/// `None` if there is nothing to compare.
pub(super) fn side_by_side(runs: &[Told]) -> Markup {
    let lines = aligned(&runs.iter().map(|run| keys(&run.digest)).collect::<Vec<_>>());
    // What only one run has is compared with nothing; it stands in that run's own part.
    let shared: Vec<&Line> = lines.iter().filter(|line| line.keys.iter().flatten().count() > 1).collect();
    html! {
        section id="side-by-side" {
            h2 { "Side by side" }
            @if shared.is_empty() {
                p { "These runs have no figures in common." }
            } @else {
                p { "Beside each figure its 95 % interval where it has one (of sliders: slowest and fastest round) and n; below it what changed from the first run that has it. A difference within overlapping intervals is none that was shown." }
                (machines(runs))
                @for kind in Kind::ALL {
                    @let of_kind: Vec<&&Line> = shared.iter().filter(|line| line.kind == kind).collect();
                    @if of_kind.len() > MANY {
                        details { summary { (kind.title()) ": " (count(of_kind.len() as u64)) " lines" } (table(kind, &of_kind, runs)) }
                    } @else if !of_kind.is_empty() {
                        h3 { (kind.title()) }
                        (table(kind, &of_kind, runs))
                    }
                }
            }
            (settings(runs))
        }
    }
}

fn machine(run: &Told) -> (String, u32) {
    (run.header.machine.cpu.clone(), run.header.machine.cores)
}

fn machines(runs: &[Told]) -> Markup {
    let all: BTreeSet<(String, u32)> = runs.iter().map(machine).collect();
    html! {
        @if all.len() > 1 {
            p { b class="bad" { "These runs were made on different machines: their speeds cannot be compared." } }
        }
    }
}

fn headings(runs: &[Told]) -> Markup {
    html! { @for (index, run) in runs.iter().enumerate() { th scope="col" class="num" { (index + 1) ": " (called(run)) } } }
}

fn table(kind: Kind, lines: &[&&Line], runs: &[Told]) -> Markup {
    html! {
        div class="scroll" { table class="side" {
            caption { (kind.title()) " of each run" }
            thead { tr { th scope="col" { "Figure" } (headings(runs)) } }
            tbody {
                @for line in lines {
                    tr {
                        th scope="row" class="wrap" {
                            (line.of) @if !line.of.is_empty() && !line.engine.is_empty() { " · " } (line.engine)
                            @if line.of.is_empty() && line.engine.is_empty() { (kind.title()) }
                        }
                        @let first = line.keys.iter().position(Option::is_some);
                        @for (index, key) in line.keys.iter().enumerate() {
                            td class="num" {
                                @if let Some(key) = key {
                                    span class="nowrap" { (key.text()) }
                                    @if line.engine.is_empty() && !key.engine.is_empty() { br; small class="muted" { (key.engine) } }
                                    @if let Some(base) = first.filter(|&at| at != index).and_then(|at| line.keys[at].as_ref()) {
                                        @if !kind.is_speed() || machine(&runs[index]) == machine(&runs[first.unwrap_or(0)]) {
                                            br; b { (kind.change(base.value, key.value)) }
                                        }
                                    }
                                } @else { (NONE) }
                            }
                        }
                    }
                }
            }
        } }
    }
}

/// Where a run was put is no setting of what it measured.
const NO_SETTING: &str = "common.out";

/// Settings that are not the same in all runs.
fn settings(runs: &[Told]) -> Markup {
    // Without the verb in front: those of a match stand beside those of a sequential test.
    let own = |run: &Told, name: &str| -> String {
        let rest = name.strip_prefix(&run.header.verb).and_then(|rest| rest.strip_prefix('.'));
        rest.unwrap_or(name).to_owned()
    };
    let plans: Vec<BTreeMap<String, &String>> = runs
        .iter()
        .map(|run| run.plan.iter().map(|(name, value)| (own(run, name), value)).collect())
        .collect();
    let names: BTreeSet<&String> = plans.iter().flat_map(BTreeMap::keys).collect();
    // None: there is no plan to be read.
    let of = |plan: &BTreeMap<String, &String>, name: &String| -> Option<Option<String>> {
        (!plan.is_empty()).then(|| plan.get(name).map(|value| (*value).clone()))
    };
    let differ = |values: &[Option<Option<String>>]| {
        let mut own = values.iter().flatten();
        own.next().is_some_and(|first| own.any(|value| value != first))
    };
    let different: Vec<(&String, Vec<Option<Option<String>>>)> = names
        .into_iter()
        .filter(|name| *name != NO_SETTING)
        .map(|name| (name, plans.iter().map(|plan| of(plan, name)).collect::<Vec<_>>()))
        .filter(|(_, values)| differ(values))
        .collect();
    html! {
        @if runs.iter().all(|run| run.plan.is_empty()) {
        } @else if different.is_empty() {
            p { "Their settings are the same." }
        } @else {
            h3 { "Settings that differ" }
            div class="scroll" { table class="side" {
                caption { "Settings that differ" }
                thead { tr { th scope="col" { "Setting" } (headings(runs)) } }
                tbody {
                    @for (name, values) in different {
                        tr {
                            th scope="row" { code { (name) } }
                            @for value in values {
                                td class="num wrap" {
                                    @match value {
                                        Some(Some(value)) => code { (value) },
                                        Some(None) => "not set",
                                        None => "–",
                                    }
                                }
                            }
                        }
                    }
                }
            } }
        }
    }
}
