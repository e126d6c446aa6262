//! All generators on the same counts: which are right, and how fast each is beside the legal one. They take turns in every
//! round, another one first each time, and the figures are medians over the rounds.

use super::{Generator, Node};
use crate::record::{PerftRow, Row, Sink};
use crate::sliders::Backend;
use crate::stats::summary::median;
use crate::trial::perft::{Cases, How, Plan};
use crate::trial::{Progress, TrialError, micros_since};
use std::time::Instant;

/// One generator's part.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    pub generator: Generator,
    pub counts: u64,
    pub wrong: u64,
    pub nodes: u64,
    /// Median over the rounds of the time for all counts.
    pub time_us: f64,
    /// Median over the rounds of the legal generator's time divided by this one's.
    pub ratio: Option<f64>,
}

/// What the comparison found, the legal generator first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Comparison {
    pub positions: u64,
    pub rounds: u32,
    pub lines: Vec<Line>,
}

impl Line {
    /// Million nodes per second.
    #[must_use]
    pub fn mnps(&self) -> Option<f64> {
        (self.time_us > 0.0).then(|| self.nodes as f64 / self.time_us)
    }
}

impl Comparison {
    /// Counts that were not as expected, of all generators.
    #[must_use]
    pub fn wrong(&self) -> u64 {
        self.lines.iter().map(|line| line.wrong).sum()
    }

    #[must_use]
    pub fn counts(&self) -> u64 {
        self.lines.iter().map(|line| line.counts).sum()
    }

    /// The legal generator's part.
    #[must_use]
    pub fn legal(&self) -> Option<&Line> {
        self.lines.first()
    }
}

/// Counts the plan's positions with every generator, in so many rounds. What a count must be says the suite, or, for a
/// single position, the legal generator.
///
/// # Errors
/// Bad input, a sink that cannot be written, the user's interrupt. A wrong count is no error.
pub fn run(
    plan: &Plan,
    rounds: u32,
    sink: &mut dyn Sink,
    progress: &Progress,
) -> Result<Comparison, TrialError> {
    let cases = Cases::load(plan)?;
    let jobs = cases.jobs(plan);
    let pool = plan.pool()?;
    let how = How { bulk: plan.bulk, threads: pool.as_ref(), table: None, progress };
    let generators: Vec<Generator> =
        Generator::ALL.iter().copied().filter(|generator| plan.bulk || generator.makes_leaves()).collect();
    let nodes: Vec<Vec<Node>> = generators
        .iter()
        .map(|&generator| {
            jobs.iter()
                .map(|job| Node::new(generator, Backend::default_backend(), &job.case.position))
                .collect()
        })
        .collect();
    let rounds = rounds.max(1);
    progress.begin(u64::from(rounds) * (nodes.len() * jobs.len()) as u64);
    // By generator, by job: what was counted, and the time of each round.
    let mut counted = vec![vec![(0, Vec::new()); jobs.len()]; nodes.len()];
    for round in 0..rounds as usize {
        for turn in 0..nodes.len() {
            let generator = (round + turn) % nodes.len();
            for (index, job) in jobs.iter().enumerate() {
                let start = Instant::now();
                let found = how.count(&nodes[generator][index], job.depth)?;
                counted[generator][index].1.push(micros_since(start) as f64);
                counted[generator][index].0 = found;
                progress.advance(1);
            }
        }
    }
    let times = |generator: usize| -> Vec<f64> {
        (0..rounds as usize).map(|round| counted[generator].iter().map(|(_, us)| us[round]).sum()).collect()
    };
    let legal_times = times(0);
    let mut comparison = Comparison { positions: cases.positions(), rounds, lines: Vec::new() };
    for (place, &generator) in generators.iter().enumerate() {
        let times = times(place);
        let ratios: Vec<f64> = legal_times
            .iter()
            .zip(&times)
            .filter(|&(_, &us)| us > 0.0)
            .map(|(legal, us)| legal / us)
            .collect();
        let mut line = Line {
            generator,
            counts: 0,
            wrong: 0,
            nodes: 0,
            time_us: median(&times).unwrap_or_default(),
            ratio: median(&ratios),
        };
        for (index, job) in jobs.iter().enumerate() {
            let (found, us) = &counted[place][index];
            let expected = job.expected.or((place > 0).then_some(counted[0][index].0));
            let is_wrong = expected.is_some_and(|expected| expected != *found);
            line.counts += 1;
            line.nodes += found;
            line.wrong += u64::from(is_wrong);
            let divide = match is_wrong {
                true => how.divide(&nodes[place][index], job.case, job.depth)?,
                false => Vec::new(),
            };
            let time_us = median(us).unwrap_or_default() as u64;
            sink.row(Row::Perft(PerftRow { expected, ..job.row(generator.id(), *found, time_us, divide) }))?;
        }
        comparison.lines.push(line);
    }
    Ok(comparison)
}
