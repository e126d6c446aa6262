//! What facts of two engines mean: pure functions from facts to verdicts, each with a sentence for the author of the change. They
//! measure nothing.

use super::baseline::{Attempt, Signature, Symmetry};
use super::measure::{Counts, Measured, Pairs, Tried};
use super::plan::{Expect, Unclear};
use super::stage::Stage;
use crate::record::{Status, Verdict};
use crate::stats::compare::{fisher_more, mcnemar_fewer};
use crate::trial::speed;
use std::collections::BTreeSet;

/// Named lost positions, known sins and the like: no more than this.
const MOST_NAMED: usize = 8;

/// No fewer test positions than this, where there are so many: a handful decides nothing.
pub(super) const FEWEST: usize = 20;

/// A verdict that informs; the functions here change what is different.
pub(super) fn told(stage: Stage, summary: impl Into<String>, meaning: impl Into<String>) -> Verdict {
    Verdict {
        stage: stage.id().to_owned(),
        summary: summary.into(),
        meaning: meaning.into(),
        ..Verdict::default()
    }
}

/// Failed, passed, or, where only a part could be measured and nothing in it failed, open.
fn checked(checks: u64, failed: u64, is_whole: bool, mut verdict: Verdict) -> Verdict {
    (verdict.checks, verdict.failed) = (checks, failed);
    verdict.status = match (failed, is_whole) {
        (0, true) => Status::Pass,
        (0, false) => Status::Inconclusive,
        _ => Status::Fail,
    };
    if !is_whole {
        verdict.summary += "; the time for this stage was up before its end";
    }
    verdict
}

fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let shown: Vec<&str> = names.iter().take(MOST_NAMED).map(AsRef::as_ref).collect();
    match names.len().saturating_sub(MOST_NAMED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// `failed`: of the new engine; `known`: of the other one. `is_settled`: all checks were made, those that failed were made again, and
/// the other engine was asked for them; else a failed one may be an accident, or an old one.
pub(super) fn compliance(
    engine: &str,
    made: u64,
    failed: &[String],
    known: &[String],
    other: &str,
    is_settled: bool,
) -> Verdict {
    let is_known = |id: &&String| known.contains(id);
    let (old, new): (Vec<&String>, Vec<&String>) = failed.iter().partition(is_known);
    let mut summary = match new.as_slice() {
        [] => format!("{engine}: no new fault in {made} protocol checks"),
        new if !is_settled => format!(
            "{engine}: {} of {made} protocol checks fail, which was not looked at again: {}",
            new.len(),
            listed(new)
        ),
        new => format!("{engine}: {} of {made} protocol checks newly fail: {}", new.len(), listed(new)),
    };
    if !old.is_empty() {
        summary += &format!("; failed by {other} as well: {}", listed(&old));
    }
    let meaning = match new.as_slice() {
        _ if !is_settled => "There was no time for all checks, or to see whether a failed one fails twice and is new: give the gate more (--budget).".to_owned(),
        [] => "Interfaces and match runners find the protocol as it was.".to_owned(),
        new => format!(
            "An interface or a match runner may stumble over this. `gauntlet compliance --engine SPEC --check {}` shows the conversation.",
            new.iter().map(|id| id.as_str()).collect::<Vec<_>>().join(",")
        ),
    };
    let failed = if is_settled { new.len() as u64 } else { 0 };
    let mut verdict = checked(made, failed, is_settled, told(Stage::Compliance, summary, meaning));
    verdict.figures.push(("newly failed".to_owned(), failed.to_string()));
    verdict.figures.push(("failed before".to_owned(), old.len().to_string()));
    verdict
}

pub(super) fn perft(engine: &str, found: &Measured<Counts>) -> Verdict {
    let counts = &found.facts;
    let mut summary = format!(
        "{engine}: {} of {} counts right, {:.1} million nodes",
        counts.counts - counts.wrong,
        counts.counts,
        counts.nodes as f64 / 1e6
    );
    let mut meaning = "The move generator agrees with the known counts.".to_owned();
    if let Some((what, fen, depth)) = &counts.first_wrong {
        summary += &format!("; first wrong: {what}");
        meaning = format!(
            "The move generator breaks a rule: no figure below can be trusted. `gauntlet perft --locate --engine SPEC --fen \"{fen}\" --depth {depth}` names the move."
        );
    }
    let verdict = checked(counts.counts, counts.wrong, found.is_whole, told(Stage::Perft, summary, meaning));
    Verdict { figures: vec![("nodes".to_owned(), counts.nodes.to_string())], ..verdict }
}

/// Of the embedded engine any difference is a fault; of another one more than the other side has (`base`: its facts).
pub(super) fn symmetry(
    engine: &str,
    new: &Measured<Pairs>,
    base: Option<(&str, &Measured<Symmetry>)>,
) -> Verdict {
    let (facts, mode) = (&new.facts.facts, &new.facts.facts.mode);
    let different = facts.different.len() as u64;
    let mut summary = format!("{engine}: {different} of {} positions differ ({mode})", facts.positions);
    if let Some(first) = &new.facts.first {
        summary += &format!("; first: {first}");
    }
    let figures = vec![("different".to_owned(), different.to_string())];
    let favours = "One colour is favoured: a term of the evaluation is read from the wrong side, or a table is not mirrored.";
    if mode == "eval" {
        let meaning = if different == 0 { "The evaluation favours neither colour." } else { favours };
        let verdict = told(Stage::Symmetry, summary, meaning);
        return Verdict { figures, ..checked(facts.positions, different, new.is_whole, verdict) };
    }
    let Some((other, base)) = base else {
        let meaning = "Searches may differ a little without a fault; what counts is whether there are more than before.";
        return Verdict { figures, ..told(Stage::Symmetry, summary, meaning) };
    };
    let before = base.facts.different.len() as u64;
    summary += &format!("; {before} of {} in {other}", base.facts.positions);
    let is_whole = new.is_whole && base.is_whole;
    if is_whole && facts.positions != base.facts.positions {
        let meaning =
            "These are not the same positions: make the baseline anew with `gate --update-baseline`.";
        let status = Status::Inconclusive;
        return Verdict { figures, status, ..told(Stage::Symmetry, summary, meaning) };
    }
    let only = |one: &Symmetry, other: &Symmetry| {
        let known: BTreeSet<&String> = other.different.iter().collect();
        one.different.iter().filter(|name| !known.contains(name)).count() as u64
    };
    let (ours, theirs) = (only(facts, &base.facts), only(&base.facts, facts));
    let p = mcnemar_fewer(theirs, ours);
    summary += &format!("; only {engine} {ours}, only {other} {theirs}, p = {p:.3}");
    // A search without any such position is symmetric by its making, and should stay so.
    let more = is_whole && ours > theirs && (before == 0 || p < SYMMETRY_ALPHA);
    let meaning = if more {
        favours
    } else if different > before {
        "More depend on the colour than before, but no more than chance allows for."
    } else {
        "No more positions than before depend on the colour."
    };
    Verdict { figures, ..checked(1, u64::from(more), is_whole, told(Stage::Symmetry, summary, meaning)) }
}

/// Any change of a search moves some positions to one side or the other: of a hundred harmless ones at most one fails by this.
const SYMMETRY_ALPHA: f64 = 0.01;

/// One of both has none: whether the change is functional is not known.
pub(super) fn no_signature(name: &str, why: &str, expect: Expect) -> Verdict {
    let meaning =
        "Whether the change alters what is searched cannot be told: test positions and games are needed.";
    let status = if expect == Expect::Any { Status::Info } else { Status::Inconclusive };
    Verdict { status, ..told(Stage::Signature, format!("{name}: no signature: {why}"), meaning) }
}

/// The signatures of both; `again`: of a second run of the new engine, made where they differ.
pub(super) fn signature(
    engine: &str,
    new: &Signature,
    again: Option<u64>,
    base: Option<(&str, u64)>,
    expect: Expect,
) -> Verdict {
    let own = new.signature;
    let figures = vec![("signature".to_owned(), own.to_string())];
    let Some((other, theirs)) = base else {
        return Verdict { figures, ..told(Stage::Signature, format!("{engine}: signature {own}"), "") };
    };
    let figures = [figures, vec![("signature before".to_owned(), theirs.to_string())]].concat();
    let same = own == theirs;
    let wavers = again.filter(|&again| again != own);
    let (mut summary, mut meaning) = if same {
        let text = format!("{engine}: signature {own}, the same as {other}: no functional change");
        (text, "What is searched has not changed: no games are needed.".to_owned())
    } else if let Some(again) = wavers {
        let text = format!("{engine}: signature {own}, a second time {again}; {theirs} of {other}");
        (text, "The engine does not search the same nodes twice: the signature tells nothing.".to_owned())
    } else {
        let text = format!("{engine}: signature {own}, not {theirs} as {other}: functional change");
        (text, "What is searched has changed: only games tell what that is worth.".to_owned())
    };
    let (checks, failed) = match expect {
        Expect::Any => (0, false),
        Expect::Same => (1, !same && wavers.is_none()),
        Expect::Different => (1, same),
    };
    if failed {
        summary += if same { "; a different one was expected" } else { "; the same was expected" };
        meaning = if same {
            "The change was meant to alter the search and does not: it has no effect.".to_owned()
        } else {
            "The change was meant to leave the search alone and does not: it does more than it says."
                .to_owned()
        };
    }
    let verdict = told(Stage::Signature, summary, meaning);
    let mut verdict = if checks == 0 { verdict } else { checked(checks, u64::from(failed), true, verdict) };
    // A number that changes by itself has not changed with the engine.
    if wavers.is_some() && expect == Expect::Same {
        verdict.status = Status::Inconclusive;
    }
    Verdict { figures, ..verdict }
}

/// Slower is a fault where both search the same; what cannot be told is what the plan makes of it. Of other trees nodes per second
/// say little, so there it informs.
pub(super) fn speed(found: &speed::Summary, depth: u32, unclear: Unclear) -> Verdict {
    let mut verdict = found.verdict();
    verdict.figures.push(("depth".to_owned(), depth.to_string()));
    for warning in &found.warnings {
        verdict.summary += &format!("; {warning}");
    }
    let meaning = match found.comparison.verdict.as_str() {
        "faster" => "The same searches take less processor time.",
        "same" => "The same searches take as much processor time, within the threshold.",
        "slower" => "The change costs speed, which games at fixed nodes do not see.",
        _ => {
            "The rounds do not tell a change of the size of the threshold from none: more rounds, or a quieter machine, would."
        }
    };
    if verdict.status == Status::Inconclusive && unclear == Unclear::Info {
        verdict.status = Status::Info;
    }
    let is_known = found.nodes.iter().all(Option::is_some);
    if is_known && !found.same_nodes {
        let meaning = "The change alters what is searched: these are nodes per second on other trees, where a node may cost more and be worth it. Games on a clock tell.";
        return Verdict {
            status: Status::Info,
            meaning: meaning.to_owned(),
            checks: 0,
            failed: 0,
            ..verdict
        };
    }
    Verdict { meaning: meaning.to_owned(), ..verdict }
}

/// Branching factors and nodes to the last depth that both finished. Informs only.
pub(super) fn branching(engine: &str, new: &Signature, base: Option<(&str, &Signature)>) -> Verdict {
    let number = |ebf: Option<f64>| ebf.map_or_else(|| "n/a".to_owned(), |ebf| format!("{ebf:.3}"));
    let mut summary = format!("{engine}: EBF {}", number(new.ebf));
    let mut figures = vec![("EBF".to_owned(), number(new.ebf))];
    let mut meaning = String::new();
    if let Some((other, base)) = base {
        summary += &format!(", {} of {other}", number(base.ebf));
        figures.push(("EBF before".to_owned(), number(base.ebf)));
        let depth = new.nodes_by_depth.len().min(base.nodes_by_depth.len());
        if let (Some(&own), Some(&theirs)) =
            (new.nodes_by_depth[..depth].last(), base.nodes_by_depth[..depth].last())
            && theirs > 0
        {
            let percent = 100.0 * (own as f64 / theirs as f64 - 1.0);
            summary += &format!("; {own} nodes to depth {depth}, {theirs} of {other} ({percent:+.1} %)");
            figures.push((format!("nodes to depth {depth}"), format!("{percent:+.1} %")));
        }
        if new.signature != base.signature {
            meaning =
                "Fewer nodes to the same depth are no gain by themselves: what depth means may have changed."
                    .to_owned();
        }
    }
    Verdict { figures, ..told(Stage::Branching, summary, meaning) }
}

const BREAKS_DOWN: &str =
    "It dies or falls silent in a search, where the base does not: a match runner forfeits such games.";

/// One in a hundred of those who break down alike would be said to do so more often.
const BREAKDOWN_ALPHA: f64 = 0.01;

/// It breaks down where the base does not, or more often than chance allows for if both did it alike.
fn breaks_down(new: &Tried, base: &Tried) -> bool {
    match (new.broken, base.broken) {
        (0, _) => false,
        (1.., 0) => true,
        (1.., 1..) => fisher_more([new.broken, new.asked], [base.broken, base.asked]) < BREAKDOWN_ALPHA,
    }
}

/// Positions on which the other engine is ranked, by McNemar's exact test, one-sided: the chance that equal engines differ so much against the
/// new one.
pub(super) fn suites(
    engine: &str,
    new: &Measured<Tried>,
    base: Option<(&str, &Measured<Tried>)>,
    all: u64,
    alpha: f64,
) -> Verdict {
    let tried = || new.facts.facts.positions.values().flatten();
    let own = tried().filter(|(_, solved)| **solved == Attempt::Solved).count();
    let nodes = new.facts.facts.nodes;
    let broken = |name: &str, tried: &Tried| {
        let first =
            tried.first_broken.as_ref().map_or_else(String::new, |first| format!(" (first: {first})"));
        let gave_up = if tried.gave_up { ", the last ones in a row: it was asked no more" } else { "" };
        format!("; {name} broke down in {} searches{first}{gave_up}", tried.broken)
    };
    let Some((other, base)) = base else {
        let mut summary = format!("{engine}: {own} of {} solved at {nodes} nodes", tried().count());
        if new.facts.broken == 0 {
            return told(Stage::Suites, summary, "");
        }
        summary += &broken(engine, &new.facts);
        return checked(1, 1, new.is_whole, told(Stage::Suites, summary, BREAKS_DOWN));
    };
    let (mut both, mut won, mut lost, mut theirs, mut ours) = (0_u64, Vec::new(), Vec::new(), 0_u64, 0_u64);
    for (suite, positions) in &new.facts.facts.positions {
        for (id, own) in positions {
            let before = base.facts.facts.positions.get(suite).and_then(|positions| positions.get(id));
            let name = || format!("{suite} {id}");
            match (own, before) {
                (_, None | Some(Attempt::NotRanked)) => continue,
                (Attempt::Solved, Some(Attempt::Failed)) => won.push(name()),
                // No move, or one at another limit, where the other engine has a move at this one: not solved.
                (Attempt::Failed | Attempt::NotRanked, Some(Attempt::Solved)) => lost.push(name()),
                _ => {}
            }
            both += 1;
            ours += u64::from(*own == Attempt::Solved);
            theirs += u64::from(before == Some(&Attempt::Solved));
        }
    }
    let p = mcnemar_fewer(won.len() as u64, lost.len() as u64);
    let mut summary = format!("{engine}: {ours} of {both} solved at {nodes} nodes, {theirs} by {other}");
    if both < all {
        summary += &format!(" ({all} positions in all)");
    }
    summary += &format!("; only {engine} {}, only {other} {}, p = {p:.3}", won.len(), lost.len());
    if !lost.is_empty() {
        summary += &format!("; lost: {}", listed(&lost));
    }
    for (name, side) in [(engine, &new.facts), (other, &base.facts)] {
        if side.broken > 0 {
            summary += &broken(name, side);
        }
    }
    let breaks_down = breaks_down(&new.facts, &base.facts);
    let fewer = p < alpha && lost.len() > won.len();
    let fails = fewer || breaks_down;
    let is_whole = new.is_whole && base.is_whole;
    let is_few = both < all.min(FEWEST as u64);
    if is_few && !fails {
        summary += "; too few to tell";
    }
    let meaning = if breaks_down {
        BREAKS_DOWN.to_owned()
    } else if !fails && base.facts.broken > 0 {
        "An engine that breaks down in the middle of a suite is no measure: mend the base first, or both."
            .to_owned()
    } else if !fails && (is_few || !is_whole) {
        "Too little was tried to say that no fewer are solved: give the gate more time (--budget), or fewer positions."
            .to_owned()
    } else if fails {
        format!(
            "Equal engines would come out so uneven in {:.1} % of all cases at most: fewer are solved than before.",
            100.0 * p
        )
    } else if lost.len() > won.len() {
        "Fewer are solved, but no more than chance allows for.".to_owned()
    } else {
        "No fewer are solved than before.".to_owned()
    };
    // A loss that chance does not explain is one, however few were tried; that there is none takes more.
    let mut verdict = checked(1, u64::from(fails), is_whole, told(Stage::Suites, summary, meaning));
    // A base that breaks down is no measure.
    if verdict.status == Status::Pass && (is_few || both == 0 || base.facts.broken > 0) {
        verdict.status = Status::Inconclusive;
    }
    let mut figures = vec![
        ("solved".to_owned(), format!("{ours}/{both}")),
        ("solved before".to_owned(), format!("{theirs}/{both}")),
    ];
    figures.push(("p".to_owned(), format!("{p:.4}")));
    Verdict { figures, ..verdict }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::gate::baseline::Suites;
    use std::collections::BTreeMap;

    fn solved(list: &[bool]) -> Measured<Tried> {
        let of = |solved: &bool| if *solved { Attempt::Solved } else { Attempt::Failed };
        let ids = list.iter().enumerate().map(|(index, solved)| (format!("{index:02}"), of(solved)));
        let positions = BTreeMap::from([("s".to_owned(), ids.collect())]);
        Measured { facts: Suites { nodes: 1, positions }.into(), is_whole: true }
    }

    /// By hand: five of five against the new engine happen by chance in 1 of 32 cases, four of four in 1 of 16.
    #[test]
    fn suites_by_an_exact_test_and_not_by_a_difference_of_counts() {
        let judged = |lost: usize, won: usize| {
            let new: Vec<bool> = (0..20).map(|i| i >= lost && i < 10 || i >= 10 && i < 10 + won).collect();
            let base: Vec<bool> = (0..20).map(|i| i < 10).collect();
            suites("n", &solved(&new), Some(("b", &solved(&base))), 20, 0.05)
        };
        for (lost, won, status) in [
            (5, 0, Status::Fail),
            (4, 0, Status::Pass),
            // 6 of 7: 8 in 128. 7 of 8: 9 in 256.
            (6, 1, Status::Pass),
            (7, 1, Status::Fail),
            (0, 9, Status::Pass),
            (0, 0, Status::Pass),
        ] {
            let verdict = judged(lost, won);
            assert_eq!(verdict.status, status, "{lost} lost, {won} won: {}", verdict.summary);
            assert_eq!(verdict.failed, u64::from(status == Status::Fail));
        }
        assert!(judged(5, 0).summary.contains("p = 0.031; lost: s 00, s 01,"), "{}", judged(5, 0).summary);
    }

    #[test]
    fn nothing_in_common_decides_nothing() {
        let verdict = suites("n", &solved(&[]), Some(("b", &solved(&[true]))), 1, 0.05);
        assert_eq!(verdict.status, Status::Inconclusive);
        let unranked = unranked(9);
        let verdict = suites("n", &solved(&[true; 9]), Some(("b", &unranked)), 9, 0.05);
        assert_eq!(verdict.status, Status::Inconclusive);
    }

    /// Crashes count for themselves, whatever was solved.
    #[test]
    fn who_breaks_down_where_the_base_does_not_fails() {
        let side = |broken: u64| {
            let mut found = solved(&[true; 20]);
            (found.facts.asked, found.facts.broken) = (20, broken);
            found.facts.first_broken = (broken > 0).then(|| "s 07: died while searching".to_owned());
            found
        };
        for (new, base, status) in [
            (0, 0, Status::Pass),
            (1, 0, Status::Fail),
            (0, 1, Status::Inconclusive),
            (3, 2, Status::Inconclusive),
            // Fisher's p: 0.0098 and 0.0218.
            (8, 1, Status::Fail),
            (7, 1, Status::Inconclusive),
            (1, 8, Status::Inconclusive),
        ] {
            let verdict = suites("n", &side(new), Some(("b", &side(base))), 20, 0.05);
            assert_eq!(verdict.status, status, "{new} {base}: {}", verdict.summary);
            for (name, broken) in [("n", new), ("b", base)] {
                let told =
                    format!("{name} broke down in {broken} searches (first: s 07: died while searching)");
                assert_eq!(verdict.summary.contains(&told), broken > 0, "{}", verdict.summary);
            }
        }
        // Who is given up was asked little: four of four against one of twenty are enough.
        let mut given_up = side(4);
        (given_up.facts.asked, given_up.facts.gave_up) = (4, true);
        let verdict = suites("n", &given_up, Some(("b", &side(1))), 20, 0.05);
        assert_eq!(verdict.status, Status::Fail, "{}", verdict.summary);
        assert!(verdict.summary.contains("it was asked no more"), "{}", verdict.summary);
        assert_eq!(suites("n", &side(1), None, 20, 0.05).status, Status::Fail);
        assert_eq!(suites("n", &side(0), None, 20, 0.05).status, Status::Info);
        // A verdict that is certain is not called too little.
        let few = suites("n", &solved(&[false; 6]), Some(("b", &solved(&[true; 6]))), 24, 0.05);
        assert!(!few.summary.contains("too few"), "{}", few.summary);
    }

    fn unranked(count: usize) -> Measured<Tried> {
        let mut unranked = solved(&vec![true; count]);
        unranked
            .facts
            .facts
            .positions
            .get_mut("s")
            .unwrap()
            .values_mut()
            .for_each(|s| *s = Attempt::NotRanked);
        unranked
    }

    /// Nine of nine that the base solves: 1 in 512.
    #[test]
    fn no_move_is_not_solved() {
        let verdict = suites("n", &unranked(9), Some(("b", &solved(&[true; 9]))), 9, 0.05);
        assert_eq!(verdict.status, Status::Fail, "{}", verdict.summary);
        assert!(verdict.summary.contains("0 of 9 solved"), "{}", verdict.summary);
    }

    #[test]
    fn a_handful_of_many_positions_passes_nothing() {
        let status = |tried: usize, all: u64, is_whole: bool| {
            let new = Measured { is_whole, ..solved(&vec![true; tried]) };
            suites("n", &new, Some(("b", &solved(&vec![true; tried]))), all, 0.05).status
        };
        assert_eq!(status(1, 24, true), Status::Inconclusive);
        assert_eq!(status(19, 24, true), Status::Inconclusive);
        assert_eq!(status(20, 24, true), Status::Pass);
        assert_eq!(status(20, 24, false), Status::Inconclusive);
        // All that there are.
        assert_eq!(status(4, 4, true), Status::Pass);
        // A loss that chance does not explain is one.
        let lost = suites("n", &solved(&[false; 6]), Some(("b", &solved(&[true; 6]))), 24, 0.05);
        assert_eq!(lost.status, Status::Fail);
    }

    #[test]
    fn protocol_faults_are_new_only_where_the_base_was_asked() {
        let failed = ["id".to_owned()];
        let judged = |is_settled| compliance("n", 50, &failed, &[], "b", is_settled);
        assert_eq!(judged(true).status, Status::Fail);
        assert_eq!((judged(false).status, judged(false).failed), (Status::Inconclusive, 0));
    }

    #[test]
    fn nodes_of_other_trees_only_inform() {
        let found = |same_nodes: bool| speed::Summary {
            nodes: [Some(5), Some(if same_nodes { 5 } else { 6 })],
            same_nodes,
            comparison: crate::record::ComparisonRow { verdict: "slower".to_owned(), ..Default::default() },
            ..speed::Summary::default()
        };
        assert_eq!(speed(&found(true), 9, Unclear::Info).status, Status::Fail);
        let other = speed(&found(false), 9, Unclear::Info);
        assert_eq!((other.status, other.failed), (Status::Info, 0));
        assert!(other.meaning.contains("other trees"), "{}", other.meaning);
    }

    /// Seven of seven: 1 in 128; six of six: 1 in 64.
    #[test]
    fn searches_may_differ_as_often_as_before_but_for_chance() {
        let found = |mode: &str, different: std::ops::Range<usize>, is_whole: bool| Measured {
            facts: Symmetry {
                mode: mode.to_owned(),
                positions: 150,
                different: different.map(|i| i.to_string()).collect(),
            },
            is_whole,
        };
        let judged = |mode, new, before, is_whole| {
            let new = found(mode, new, is_whole);
            let new = Measured { facts: Pairs { facts: new.facts, first: None }, is_whole };
            symmetry("n", &new, Some(("b", &found(mode, before, true)))).status
        };
        assert_eq!(judged("depth 3", 0..3, 0..3, true), Status::Pass);
        assert_eq!(judged("depth 3", 0..7, 0..1, true), Status::Pass);
        assert_eq!(judged("depth 3", 0..8, 0..1, true), Status::Fail);
        assert_eq!(judged("depth 3", 0..8, 0..1, false), Status::Inconclusive);
        assert_eq!(judged("depth 3", 0..1, 0..0, true), Status::Fail);
        // 44 and 42 of which half are the same.
        assert_eq!(judged("depth 3", 0..44, 22..64, true), Status::Pass);
        assert_eq!(judged("depth 3", 0..44, 40..60, true), Status::Fail);
        assert_eq!(judged("eval", 0..1, 0..3, true), Status::Fail);
        assert_eq!(judged("eval", 0..1, 0..3, false), Status::Fail);
        assert_eq!(judged("eval", 0..0, 0..3, false), Status::Inconclusive);
    }

    #[test]
    fn a_number_that_is_none_is_told() {
        let new = Signature { depth: 3, signature: 10, ..Signature::default() };
        let said = |again, base, expect| signature("n", &new, again, Some(("b", base)), expect);
        assert!(said(Some(11), 12, Expect::Any).summary.contains("a second time 11"));
        assert!(said(Some(10), 12, Expect::Any).summary.contains("functional change"));
        assert_eq!(said(Some(10), 12, Expect::Any).status, Status::Info);
        assert_eq!(said(Some(10), 12, Expect::Same).status, Status::Fail);
        assert_eq!(said(Some(11), 12, Expect::Same).status, Status::Inconclusive);
        assert_eq!(said(None, 10, Expect::Same).status, Status::Pass);
        assert_eq!(said(None, 10, Expect::Different).status, Status::Fail);
    }
}
