//! Speed of one engine against another's: rounds of fresh processes, side by side, and a verdict on their ratio.
//!
//! A process is one sample, however long it runs: where its code and tables came to lie stays as it is. So each round starts both
//! engines anew, in an order that the seed draws (each order equally often), and they search the same positions in turns, one at a
//! time, so that what slows the machine for a while slows both. Counted is the processor time of the searches alone; the clock on
//! the wall stands beside it. Rule and intervals: `stats::compare`. Page "Nodes per Second".

use super::{Progress, TrialError, bench, micros, micros_since, per_second, search_deadline, session};
use crate::record::{ComparisonRow, Row, Sink, SpeedRow, Status, Verdict};
use crate::rules::{Line, Position};
use crate::stats::SplitMix64;
use crate::stats::compare::{Change, FEWEST_PAIRS, PairedComparison};
use crate::subject::{EngineKind, EngineSpec, Session, Subject};
use crate::time::cpu;
use crate::types::Limit;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Wall time that one question and its answer may take beside the search, and the share of a search that the machine may use
/// otherwise, before it is told that others had the processor.
const TALK: Duration = Duration::from_micros(300);
const MOST_WAITED: f64 = 0.15;

/// Nodes per second beyond these are no measurement: a hundred times what the fastest machines do.
const MOST_NODES_PER_SECOND: u64 = 10_000_000_000;

/// Two engines, and how they are compared.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Plan {
    /// Whose speed is told, over that of `base`.
    pub new: EngineSpec,
    pub base: EngineSpec,
    /// This program: the embedded engine searches in processes of its own, too.
    pub program: PathBuf,
    pub rounds: u32,
    /// Within this margin of 1 a ratio counts as none: 0.01 = 1 %.
    pub threshold: f64,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// FENs; empty = the fixed positions of the signature.
    pub positions: Vec<String>,
    pub seed: u64,
    pub hang_timeout_ms: u64,
}

impl Default for Plan {
    fn default() -> Plan {
        let bench = bench::Plan::default();
        Plan {
            new: bench.engine.clone(),
            base: bench.engine,
            program: PathBuf::new(),
            rounds: 10,
            threshold: 0.01,
            depth: bench.depth,
            nodes: bench.nodes,
            positions: bench.positions,
            seed: 0,
            hang_timeout_ms: bench.hang_timeout_ms,
        }
    }
}

impl Plan {
    /// What is searched, as of a bench.
    fn bench(&self) -> bench::Plan {
        bench::Plan {
            engine: self.new.clone(),
            depth: self.depth,
            nodes: self.nodes,
            positions: self.positions.clone(),
            hang_timeout_ms: self.hang_timeout_ms,
        }
    }

    /// What ends each search.
    pub fn limit(&self) -> Limit {
        self.bench().limit()
    }

    fn threads(&self) -> usize {
        [&self.new, &self.base].map(EngineSpec::threads_in_use).into_iter().max().unwrap_or(1)
    }

    /// New and base as processes, with names that tell them apart.
    fn engines(&self) -> [EngineSpec; 2] {
        let mut engines = [&self.new, &self.base].map(|spec| process(spec, &self.program));
        if engines[0].name == engines[1].name {
            for (engine, role) in engines.iter_mut().zip(["new", "base"]) {
                *engine = engine.renamed(&format!("{} ({role})", engine.name));
            }
        }
        engines
    }
}

/// The engine as a process. What the embedded one would find out by itself, the fastest slider technique, is settled here: all
/// its processes have the same.
fn process(spec: &EngineSpec, program: &Path) -> EngineSpec {
    let mut child = spec.as_child(program);
    if let (EngineKind::Embedded { params }, EngineKind::Command(command)) = (&spec.kind, &mut child.kind)
        && params.slider.is_none()
    {
        command.options.push(("slider".to_owned(), params.backend().id().to_owned()));
    }
    child
}

/// What was found.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    pub new: String,
    pub base: String,
    pub rounds: u32,
    pub positions: u64,
    /// Nodes of the counted searches of a process, where all processes of the engine agree.
    pub nodes: [Option<u64>; 2],
    /// Both searched the same: the ratio is one of times. Else of nodes per second.
    pub same_nodes: bool,
    /// The ratio is judged by processor time, else by the clock on the wall.
    pub by_cpu: bool,
    /// Nodes per second of new and base, medians of the rounds.
    pub nps: Option<[f64; 2]>,
    pub comparison: ComparisonRow,
    /// The same by the clock on the wall.
    pub wall: ComparisonRow,
    /// Where it is unclear: rounds that would tell in four of five runs, if the ratio is what it seems to be.
    pub rounds_needed: Option<u64>,
    pub warnings: Vec<String>,
    pub time_us: u64,
}

impl Summary {
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let found = &self.comparison;
        let number = |value: Option<f64>| value.map_or("n/a".to_owned(), |value| format!("{value:.4}"));
        let percent = |share: f64| format!("{:.2} %", 100.0 * share);
        let basis = match (self.same_nodes, self.by_cpu) {
            (true, true) => "processor time for the same nodes",
            (true, false) => "time for the same nodes",
            (false, true) => "nodes per second of processor time; the nodes differ",
            (false, false) => "nodes per second; the nodes differ",
        };
        let interval = match (found.low, found.high) {
            (Some(low), Some(high)) => format!("95 % interval {low:.4} … {high:.4}, "),
            _ => "no interval below 6 rounds, ".to_owned(),
        };
        let mut summary = format!(
            "{}: {} runs at {} times the speed of {} ({interval}n = {} rounds; {basis})",
            found.verdict,
            self.new,
            number(found.ratio),
            self.base,
            found.pairs
        );
        if let Some(least) = found.detectable {
            summary += &format!("; a change of {} is found in four of five such runs", percent(least));
        }
        if let Some(rounds) = self.rounds_needed.filter(|_| found.verdict == "unclear") {
            summary += &format!("; some {rounds} rounds would tell");
        }
        Verdict {
            stage: "speed".to_owned(),
            status: match found.verdict.as_str() {
                "faster" | "same" => Status::Pass,
                "slower" => Status::Fail,
                _ => Status::Inconclusive,
            },
            summary,
            checks: 1,
            failed: u64::from(found.verdict == "slower"),
            figures: vec![
                ("ratio".to_owned(), number(found.ratio)),
                ("p".to_owned(), number(found.p)),
                ("threshold".to_owned(), percent(found.threshold.unwrap_or_default())),
                ("ratio by the wall clock".to_owned(), number(self.wall.ratio)),
            ],
            meaning: String::new(),
            time_ms: self.time_us / 1000,
        }
    }
}

/// Plays all rounds. Both rows of a round are written when it is over.
///
/// # Errors
/// A FEN that cannot be read, an engine that fails or tells no nodes, a sink that cannot be written, the user's interrupt.
pub fn run(
    plan: &Plan,
    base: &Session,
    sink: &mut dyn Sink,
    progress: &Progress,
) -> Result<Summary, TrialError> {
    let begun = Instant::now();
    let positions: Vec<Position> =
        bench::positions(&plan.bench())?.into_iter().map(|(_, position)| position).collect();
    let limit = plan.limit();
    let session = session(base, progress);
    let engines = plan.engines();
    let mut summary = Summary {
        new: engines[0].name.clone(),
        base: engines[1].name.clone(),
        rounds: plan.rounds,
        positions: positions.len() as u64,
        ..Summary::default()
    };
    progress.begin(u64::from(plan.rounds) * positions.len() as u64);
    let mut rounds: Vec<[SpeedRow; 2]> = Vec::new();
    let mut disobeyed = [0; 2];
    for (round, new_first) in (1..).zip(orders(plan.rounds, plan.seed)) {
        let mut table = Table { engines: &engines, limit, session: &session, plan };
        let rows =
            table.round(round, new_first, &positions, progress, &mut disobeyed, &mut summary.warnings)?;
        for row in &rows {
            sink.row(Row::Speed(row.clone()))?;
        }
        rounds.push(rows);
    }
    for (engine, count) in engines.iter().zip(disobeyed).filter(|(_, count)| *count > 0) {
        summary.warnings.push(format!("engine {}: {count} searches outside their limit", engine.name));
    }
    judge(&mut summary, &rounds, plan.threshold, plan.threads());
    for row in [&summary.comparison, &summary.wall] {
        sink.row(Row::Comparison(row.clone()))?;
    }
    summary.time_us = micros_since(begun);
    Ok(summary)
}

/// The verdict of rounds of a run that was broken off: rows of new and base of each. None of fewer than a verdict needs.
pub fn of_rounds(plan: &Plan, rounds: &[[SpeedRow; 2]]) -> Option<Summary> {
    if rounds.len() < FEWEST_PAIRS {
        return None;
    }
    let [new, base] = plan.engines();
    let mut summary = Summary {
        new: new.name,
        base: base.name,
        rounds: rounds.len() as u32,
        warnings: vec![format!("broken off after {} of {} rounds", rounds.len(), plan.rounds)],
        ..Summary::default()
    };
    judge(&mut summary, rounds, plan.threshold, plan.threads());
    Some(summary)
}

/// Whether the new engine is first, round by round: each order as often as the other (of an odd number one once more), shuffled.
fn orders(rounds: u32, seed: u64) -> Vec<bool> {
    let mut rng = SplitMix64::new(seed);
    let flip = rng.below(2) == 1;
    let mut orders: Vec<bool> = (0..rounds).map(|round| (round % 2 == 0) != flip).collect();
    rng.shuffle(&mut orders);
    orders
}

/// What all rounds have in common.
struct Table<'a> {
    engines: &'a [EngineSpec; 2],
    limit: Limit,
    session: &'a Session,
    plan: &'a Plan,
}

impl Table<'_> {
    /// A process of each engine; rows of new and base.
    fn round(
        &mut self,
        round: u32,
        new_first: bool,
        positions: &[Position],
        progress: &Progress,
        disobeyed: &mut [u64; 2],
        warnings: &mut Vec<String>,
    ) -> Result<[SpeedRow; 2], TrialError> {
        let order = if new_first { [0, 1] } else { [1, 0] };
        let mut started = Vec::with_capacity(2);
        for side in order {
            let mut subject = Subject::start_with(&self.engines[side], self.session)?;
            for warning in subject.warnings() {
                if !warnings.contains(warning) {
                    warnings.push(warning.clone());
                }
            }
            // The first search of a process also loads pages of code and tables.
            if let Some(position) = positions.first() {
                self.search(&mut subject, side, position)?;
            }
            let row = SpeedRow {
                round,
                engine: self.engines[side].name.clone(),
                place: started.len() as u32 + 1,
                cpu_us: Some(0),
                ..SpeedRow::default()
            };
            started.push((side, subject, row, Duration::ZERO));
        }
        let mut fell = [false; 2];
        for (index, position) in positions.iter().enumerate() {
            for turn in 0..2 {
                let (side, subject, row, wall) = &mut started[(index + turn) % 2];
                let found = self.search(subject, *side, position)?;
                row.searches += 1;
                row.nodes = row.nodes.saturating_add(found.nodes);
                fell[*side] |= found.fell;
                row.cpu_us = row.cpu_us.zip(found.cpu).map(|(sum, own)| sum + micros(own));
                *wall += found.wall;
                row.wall_us = micros(*wall);
                disobeyed[*side] += u64::from(!found.obeyed);
            }
            progress.advance(1);
        }
        for (side, _, row, _) in &mut started {
            check(row)?;
            if fell[*side] {
                row.nodes = 0;
            }
        }
        started.sort_by_key(|(side, ..)| *side);
        let mut rows = started.into_iter().map(|(_, _, row, _)| row);
        match (rows.next(), rows.next()) {
            (Some(new), Some(base)) => Ok([new, base]),
            _ => Err(TrialError::Plan("no engines".to_owned())),
        }
    }

    fn search(
        &self,
        subject: &mut Subject,
        side: usize,
        position: &Position,
    ) -> Result<Searched, TrialError> {
        let used = |subject: &Subject| subject.process_id().and_then(cpu::of_tree);
        let deadline = search_deadline(&self.engines[side], &self.limit, self.plan.hang_timeout_ms);
        subject.new_game(0)?;
        let before = used(subject);
        let (mut most, mut fell) = (0, false);
        let found = subject.search(&Line::new(*position), &self.limit, deadline, &mut |info| {
            fell |= info.nodes.is_some_and(|nodes| nodes < most);
            most = most.max(info.nodes.unwrap_or(0));
        })?;
        let after = used(subject);
        if self.session.stop.as_ref().is_some_and(|stop| stop.load(std::sync::atomic::Ordering::Relaxed)) {
            return Err(TrialError::Interrupted);
        }
        let nodes = found.nodes.filter(|&nodes| nodes > 0).ok_or_else(|| {
            TrialError::Plan(format!(
                "engine {}: does not tell how many nodes it searched: its speed cannot be compared",
                self.engines[side].name
            ))
        })?;
        let cpu = before.zip(after).map(|(before, after)| after.saturating_sub(before));
        // Threads tell what they know of each other, which may be a little behind.
        let fell = fell && self.engines[side].threads_in_use() == 1;
        Ok(Searched { nodes, fell, cpu, wall: found.time, obeyed: found.obeyed })
    }
}

struct Searched {
    nodes: u64,
    /// It told of fewer nodes than before: which of its counts is one of the search is not known.
    fell: bool,
    cpu: Option<Duration>,
    wall: Duration,
    obeyed: bool,
}

/// Whether an engine can have searched so many nodes.
fn check(row: &SpeedRow) -> Result<(), TrialError> {
    let time = row.wall_us.max(row.cpu_us.unwrap_or(0)).max(1);
    if per_second(row.nodes, time).is_none_or(|rate| rate <= MOST_NODES_PER_SECOND) {
        return Ok(());
    }
    Err(TrialError::Engine(format!(
        "engine {}: tells of {} nodes in {:.3} s: no engine searches so many",
        row.engine,
        row.nodes,
        time as f64 / 1e6
    )))
}

/// Ratio, interval and verdict of the rounds.
fn judge(summary: &mut Summary, rounds: &[[SpeedRow; 2]], threshold: f64, threads: usize) {
    let of = |side: usize| rounds.iter().map(move |rows| &rows[side]);
    summary.nodes = [0, 1].map(|side| {
        let first = of(side).next()?.nodes;
        (first > 0 && of(side).all(|row| row.nodes == first)).then_some(first)
    });
    summary.same_nodes = summary.nodes[0].is_some() && summary.nodes[0] == summary.nodes[1];
    for (side, name) in [&summary.new, &summary.base].into_iter().enumerate() {
        if of(side).any(|row| row.nodes == 0) {
            let what = "its counts of nodes fall within a search: its speed is not known";
            summary.warnings.push(format!("engine {name}: {what}"));
        } else if summary.nodes[side].is_none() && rounds.len() > 1 {
            summary.warnings.push(format!("engine {name}: searches other nodes each time"));
        }
    }
    // Several threads are there to be done sooner, not to use less.
    let known = rounds.iter().flatten().all(|row| row.cpu_us.is_some_and(|us| us > 0));
    summary.by_cpu = known && threads == 1;
    if !known {
        summary.warnings.push("no processor time is told: judged by the clock on the wall".to_owned());
    } else if threads > 1 {
        summary.warnings.push(format!("{threads} threads: judged by the clock on the wall"));
    }
    let rates = |side: usize, by_cpu: bool| -> Vec<f64> {
        let time = |row: &SpeedRow| if by_cpu { row.cpu_us.unwrap_or_default() } else { row.wall_us };
        of(side).map(|row| row.nodes as f64 * 1e6 / time(row) as f64).collect()
    };
    let compared = |by_cpu| PairedComparison::new(&rates(1, by_cpu), &rates(0, by_cpu));
    let wall = compared(false);
    let judged = if summary.by_cpu { compared(true) } else { wall.clone() };
    summary.nps = [0, 1]
        .map(|side| crate::stats::summary::median(&rates(side, summary.by_cpu)))
        .into_iter()
        .collect::<Option<Vec<f64>>>()
        .and_then(|both| both.try_into().ok());
    let verdict = match judged.as_ref().map(|judged| judged.decide(threshold)) {
        Some(Change::Faster) => "faster",
        Some(Change::Slower) => "slower",
        Some(Change::Same) => "same",
        Some(Change::Unclear { pairs_needed }) => {
            summary.rounds_needed = pairs_needed;
            "unclear"
        }
        None => "unclear",
    };
    let row = |metric: &str, found: Option<&PairedComparison>| ComparisonRow {
        metric: metric.to_owned(),
        first: summary.new.clone(),
        second: summary.base.clone(),
        pairs: rounds.len() as u64,
        ratio: found.map(|found| found.hodges_lehmann_ratio),
        low: found.and_then(|found| found.rank_interval).map(|ends| ends.0),
        high: found.and_then(|found| found.rank_interval).map(|ends| ends.1),
        p: found.map(|found| found.wilcoxon.p_two_sided),
        ..ComparisonRow::default()
    };
    summary.comparison = ComparisonRow {
        threshold: Some(threshold),
        detectable: judged.as_ref().and_then(|found| found.least_found(threshold)),
        verdict: verdict.to_owned(),
        ..row(ComparisonRow::SPEED, judged.as_ref())
    };
    summary.wall = row(ComparisonRow::SPEED_WALL, wall.as_ref());
    if known && threads == 1 {
        summary.warnings.extend(waited(rounds));
    }
}

/// A word on processor time that others had.
fn waited(rounds: &[[SpeedRow; 2]]) -> Option<String> {
    let sum = |of: fn(&SpeedRow) -> u64| rounds.iter().flatten().map(of).sum::<u64>() as f64;
    let talk = sum(|row| row.searches) * TALK.as_micros() as f64;
    let (wall, cpu) = (sum(|row| row.wall_us) - talk, sum(|row| row.cpu_us.unwrap_or_default()));
    (wall > cpu * (1.0 + MOST_WAITED)).then(|| {
        format!(
            "the searches took {:.2} times their processor time: others had the processor; the ratio by processor time \
             stands it better than the one by the wall clock",
            wall / cpu
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_orders_are_as_frequent_and_the_seed_decides() {
        for rounds in [1, 2, 7, 10, 31] {
            let drawn = orders(rounds, 5);
            let first = drawn.iter().filter(|first| **first).count() as u32;
            assert!(drawn.len() as u32 == rounds && (first * 2).abs_diff(rounds) <= 1, "{drawn:?}");
            assert_eq!(drawn, orders(rounds, 5));
        }
        let all: Vec<_> = (0..20).map(|seed| orders(10, seed)).collect();
        assert!(all.iter().any(|one| *one != all[0]));
        assert!((0..40).any(|seed| orders(1, seed)[0]) && (0..40).any(|seed| !orders(1, seed)[0]));
    }

    /// Rounds of these times in µs, of new and base.
    fn rounds(times: &[[u64; 2]], nodes: [u64; 2], wall: u64) -> Vec<[SpeedRow; 2]> {
        let row = |of: &[u64; 2], side: usize| SpeedRow {
            searches: 1,
            nodes: nodes[side],
            cpu_us: Some(of[side]),
            wall_us: of[side] * wall,
            ..SpeedRow::default()
        };
        times.iter().map(|of| [row(of, 0), row(of, 1)]).collect()
    }

    fn judged(times: &[[u64; 2]], nodes: [u64; 2], wall: u64, threads: usize) -> Summary {
        let mut summary = Summary { new: "N".into(), base: "B".into(), ..Summary::default() };
        judge(&mut summary, &rounds(times, nodes, wall), 0.01, threads);
        summary
    }

    #[test]
    fn rounds_before_an_early_end_are_judged_if_they_are_enough() {
        let times: Vec<[u64; 2]> =
            (0..FEWEST_PAIRS as u64).map(|i| [110_000 + 100 * i, 100_000 + 90 * i]).collect();
        let all = rounds(&times, [500, 500], 1);
        let found = of_rounds(&Plan::default(), &all).unwrap();
        assert_eq!((found.comparison.verdict.as_str(), found.rounds), ("slower", FEWEST_PAIRS as u32));
        assert!(found.warnings[0].contains("of 10 rounds"), "{:?}", found.warnings);
        assert!(of_rounds(&Plan::default(), &all[1..]).is_none());
    }

    #[test]
    fn the_ratio_is_of_speeds_and_the_verdict_of_the_interval() {
        let times: Vec<[u64; 2]> = (0..10).map(|i| [110_000 + 100 * i, 100_000 + 90 * i]).collect();
        let found = judged(&times, [500, 500], 1, 1);
        assert!((found.comparison.ratio.unwrap() - 1.0 / 1.1).abs() < 1e-3, "{found:?}");
        assert_eq!(
            (found.comparison.verdict.as_str(), found.same_nodes, found.by_cpu),
            ("slower", true, true)
        );
        assert_eq!(found.verdict().status, Status::Fail);
        assert!(found.warnings.is_empty(), "{:?}", found.warnings);
        // Twice the nodes in that time: faster, and it says what was compared.
        let found = judged(&times, [1000, 500], 1, 1);
        assert_eq!((found.comparison.verdict.as_str(), found.same_nodes), ("faster", false));
        assert!(found.verdict().summary.contains("the nodes differ"));
        let same = judged(&[[100_000, 100_001]; 8], [5, 5], 1, 1);
        assert_eq!((same.comparison.verdict.as_str(), same.verdict().status), ("same", Status::Pass));
        let few = judged(&times[..5], [5, 5], 1, 1);
        assert_eq!((few.comparison.verdict.as_str(), few.comparison.low), ("unclear", None));
        assert_eq!(few.comparison.detectable, None);
    }

    #[test]
    fn what_others_had_of_the_processor_is_told() {
        let found = judged(&[[100_000, 100_000]; 6], [5, 5], 2, 1);
        assert!(found.warnings[0].contains("times their processor time"), "{:?}", found.warnings);
        // Threads share the work: their processor time says nothing of when it is done.
        let threads = judged(&[[100_000, 100_000]; 6], [5, 5], 2, 4);
        assert!(!threads.by_cpu && threads.warnings[0].contains("4 threads"), "{:?}", threads.warnings);
        let unknown = judged(&[[0, 100_000]; 6], [5, 5], 1, 1);
        assert!(!unknown.by_cpu && unknown.comparison.verdict == "unclear", "{unknown:?}");
    }
}
