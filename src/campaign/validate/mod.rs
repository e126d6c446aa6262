//! The sequential test against its promises, by simulation: error rates, lengths, and the order in which pairs are taken.
//!
//! The scenarios stand in `scenarios.csv`, made by another program: laws of outcomes with the rates and lengths it found. Left out
//! are those that are no target: games of a pair tested as if they were independent, which shows only why pairs are needed.
//! Every run depends on seed, scenario and its number alone, not on how many threads there are.

mod slots;

pub use slots::Slotted;

use crate::stats::sprt::simulation::{self, Operating, Played};
use crate::stats::{Decision, Model, Sprt};
use crate::trial::{Progress, TrialError};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;

const SCENARIOS: &str = include_str!("scenarios.csv");

/// Runs for which the limits are made.
pub const RUNS: u64 = 4000;
/// Highest rate of errors, beside two standard errors.
const MOST_ERRORS: f64 = 0.055;
/// How far mean and median may be from the reference, with [`RUNS`] runs.
const MEAN_WITHIN: f64 = 0.06;
const MEDIAN_WITHIN: f64 = 0.08;
/// In order of arrival the rate of errors must be higher than this, or the simulation could not see a fault.
const FEWEST_ARRIVAL_ERRORS: f64 = 0.08;
/// Hypotheses this far apart, at least, make the tests short enough for every day.
const SHORT: f64 = 4.0;

/// A line of the file.
#[derive(Clone, Debug, Deserialize)]
struct Line {
    model: String,
    scenario: String,
    evaluated: String,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    truth: String,
    mean_games: f64,
    median_games: f64,
    probs: String,
}

/// The law of an observation, from the first engine's worst to its best.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Outcomes {
    Games([f64; 3]),
    Pairs([f64; 5]),
}

/// A law of outcomes, a test, and what is known of it.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// `model/book/elo0/elo1/truth`, with `/slots` behind for the order of commit.
    pub id: String,
    sprt: Sprt,
    outcomes: Outcomes,
    truth: String,
    reference_mean: f64,
    reference_median: f64,
    /// Pairs under way at once; none: one after the other.
    slots: Option<u64>,
}

impl Scenario {
    /// Of the selection that is made where nothing is said: pairs, hypotheses four Elo apart or more.
    fn is_short(&self) -> bool {
        let pairs = matches!(self.outcomes, Outcomes::Pairs(_));
        let logistic = self.sprt.model() == Model::Logistic;
        pairs && self.sprt.elo1() - self.sprt.elo0() >= SHORT && (self.slots.is_none() || logistic)
    }
}

/// All of them.
///
/// # Errors
/// If the embedded file is not what it should be.
pub fn scenarios() -> Result<Vec<Scenario>, TrialError> {
    let mut found = Vec::new();
    for line in csv::Reader::from_reader(SCENARIOS.as_bytes()).deserialize() {
        let line: Line = line.map_err(|error| TrialError::Plan(format!("scenarios.csv: {error}")))?;
        if line.evaluated == "per_pair_on_correlated_games" {
            continue;
        }
        found.push(scenario(&line).ok_or_else(|| {
            TrialError::Plan(format!("scenarios.csv: a line of {} cannot be simulated", line.model))
        })?);
    }
    let null = |scenario: &&Scenario| {
        matches!(scenario.outcomes, Outcomes::Pairs(_))
            && scenario.truth == "H0"
            && (scenario.sprt.elo0(), scenario.sprt.elo1()) == (0.0, 5.0)
    };
    let nulls: Vec<Scenario> = found.iter().filter(null).cloned().collect();
    for scenario in nulls {
        for slots in slots::SLOTS {
            // With fewer slots the lead of quick wins is too small to be seen against tests so long.
            if scenario.sprt.model() == Model::Logistic || slots == 1024 {
                let id = format!("{}/{slots}-slots", scenario.id);
                found.push(Scenario { id, slots: Some(slots), ..scenario.clone() });
            }
        }
    }
    Ok(found)
}

fn scenario(line: &Line) -> Option<Scenario> {
    let probabilities: Vec<f64> = line.probs.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
    let outcomes = match *probabilities.as_slice() {
        [l, d, w] => Outcomes::Games([l, d, w]),
        [a, b, c, d, e] => Outcomes::Pairs([a, b, c, d, e]),
        _ => return None,
    };
    let model = if line.model.ends_with("normalized") { Model::Normalized } else { Model::Logistic };
    let sprt = Sprt::new(line.elo0, line.elo1, line.alpha, line.beta, model).ok()?;
    let Line { model, scenario, elo0, elo1, truth, .. } = line;
    Some(Scenario {
        id: format!("{model}/{scenario}/{elo0}/{elo1}/{truth}"),
        sprt,
        outcomes,
        truth: truth.clone(),
        reference_mean: line.mean_games,
        reference_median: line.median_games,
        slots: None,
    })
}

/// The scenarios meant: none for those of every day, `all`, or one by its id.
///
/// # Errors
/// If there is none of this id.
pub fn select(which: Option<&str>) -> Result<Vec<Scenario>, TrialError> {
    let all = scenarios()?;
    match which {
        None => Ok(all.into_iter().filter(Scenario::is_short).collect()),
        Some("all") => Ok(all),
        Some(id) => match all.iter().find(|scenario| scenario.id == id) {
            Some(scenario) => Ok(vec![scenario.clone()]),
            None => {
                let ids: Vec<&str> = all.iter().map(|scenario| scenario.id.as_str()).collect();
                Err(TrialError::Plan(format!("no scenario `{id}`; there are all, {}", ids.join(", "))))
            }
        },
    }
}

/// What was found of a scenario. Lengths in games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Finding {
    pub scenario: String,
    pub runs: u64,
    /// Wrong decisions: passes at H0, fails at H1; none between the hypotheses.
    pub error_rate: Option<f64>,
    pub error_limit: Option<f64>,
    /// The same decided in order of arrival, which must be seen to be worse.
    pub arrival_error_rate: Option<f64>,
    pub mean: Option<f64>,
    pub reference_mean: Option<f64>,
    pub median: Option<f64>,
    pub reference_median: Option<f64>,
    /// What does not hold; empty if all does.
    pub faults: Vec<String>,
}

/// Plays `runs` tests of a scenario on the threads of the current rayon pool.
///
/// # Errors
/// [`TrialError::Interrupted`].
pub fn check(scenario: &Scenario, runs: u64, seed: u64, progress: &Progress) -> Result<Finding, TrialError> {
    let stop = progress.stop_flag();
    match (scenario.slots, scenario.outcomes) {
        (Some(slots), Outcomes::Pairs(law)) => {
            let played =
                in_parallel(runs, progress, |run| slots::play(scenario.sprt, &law, slots, seed, run, &stop))?;
            Ok(judge_slots(scenario, &played))
        }
        (_, Outcomes::Pairs(law)) => {
            judge(scenario, &plays(scenario, &law, runs, seed, progress, &stop)?, 2.0)
        }
        (_, Outcomes::Games(law)) => {
            judge(scenario, &plays(scenario, &law, runs, seed, progress, &stop)?, 1.0)
        }
    }
}

fn plays<const N: usize>(
    scenario: &Scenario,
    law: &[f64; N],
    runs: u64,
    seed: u64,
    progress: &Progress,
    stop: &AtomicBool,
) -> Result<Vec<Played>, TrialError> {
    in_parallel(runs, progress, |run| simulation::play(scenario.sprt, law, seed, run, stop))
}

fn in_parallel<T: Send>(
    runs: u64,
    progress: &Progress,
    play: impl Fn(u64) -> Option<T> + Sync,
) -> Result<Vec<T>, TrialError> {
    let one = |run| {
        let played = if progress.is_stopped() { None } else { play(run) };
        progress.advance(1);
        played
    };
    let played: Option<Vec<T>> = (0..runs).into_par_iter().map(one).collect();
    played.ok_or(TrialError::Interrupted)
}

fn judge(scenario: &Scenario, played: &[Played], games: f64) -> Result<Finding, TrialError> {
    let found = Operating::new(played).ok_or_else(|| TrialError::Plan("fewer than two runs".to_owned()))?;
    let mut faults = Vec::new();
    let error_rate = match scenario.truth.as_str() {
        "H0" => Some(found.pass_rate),
        "H1" => Some(1.0 - found.pass_rate),
        _ => None,
    };
    let error_limit = error_rate.map(|rate| limit(rate, found.runs));
    if let Some((rate, limit)) = error_rate.zip(error_limit).filter(|(rate, limit)| rate > limit) {
        faults.push(format!("error rate {:.2} % is above {:.2} %", 100.0 * rate, 100.0 * limit));
    }
    // The limits allow for the spread of so many runs; fewer spread more.
    let wider = (RUNS as f64 / found.runs as f64).sqrt().max(1.0);
    let (mean, median) = (games * found.mean, games * found.median);
    for (what, value, reference, within) in [
        ("mean", mean, scenario.reference_mean, MEAN_WITHIN),
        ("median", median, scenario.reference_median, MEDIAN_WITHIN),
    ] {
        let ratio = value / reference;
        if (ratio - 1.0).abs() > within * wider {
            faults.push(format!("{what} length is {ratio:.3} of the reference's"));
        }
    }
    if found.undecided > 0 {
        faults.push(format!("{} tests did not end", found.undecided));
    }
    Ok(Finding {
        scenario: scenario.id.clone(),
        runs: found.runs,
        error_rate,
        error_limit,
        arrival_error_rate: None,
        mean: Some(mean),
        reference_mean: Some(scenario.reference_mean),
        median: Some(median),
        reference_median: Some(scenario.reference_median),
        faults,
    })
}

fn judge_slots(scenario: &Scenario, played: &[Slotted]) -> Finding {
    let runs = played.len() as u64;
    let share = |decision: fn(&Slotted) -> Decision| {
        played.iter().filter(|run| decision(run) == Decision::H1).count() as f64 / runs.max(1) as f64
    };
    let (ordered, arrival) = (share(|run| run.ordered), share(|run| run.arrival));
    let limit = limit(ordered, runs);
    let mut faults = Vec::new();
    if ordered > limit {
        faults.push(format!("error rate {:.2} % is above {:.2} %", 100.0 * ordered, 100.0 * limit));
    }
    if arrival <= FEWEST_ARRIVAL_ERRORS {
        faults.push(format!(
            "in order of arrival only {:.2} % errors: no fault would be seen",
            100.0 * arrival
        ));
    }
    Finding {
        scenario: scenario.id.clone(),
        runs,
        error_rate: Some(ordered),
        error_limit: Some(limit),
        arrival_error_rate: Some(arrival),
        mean: None,
        reference_mean: None,
        median: None,
        reference_median: None,
        faults,
    }
}

fn limit(rate: f64, runs: u64) -> f64 {
    MOST_ERRORS + 2.0 * (rate * (1.0 - rate) / runs.max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_selections() {
        let all = scenarios().unwrap();
        let ids: std::collections::BTreeSet<&str> = all.iter().map(|scenario| scenario.id.as_str()).collect();
        assert_eq!(ids.len(), all.len(), "every id is one scenario");
        assert!(!ids.iter().any(|id| id.contains("correlated")));
        let short = select(None).unwrap();
        assert!(short.iter().all(|scenario| scenario.id.starts_with("penta_")));
        // Per book: two models at H0 and H1 of two tests, the normalized one between them (balanced: of both tests).
        assert_eq!(short.iter().filter(|scenario| scenario.slots.is_none()).count(), 10 + 9);
        assert_eq!(short.iter().filter(|scenario| scenario.slots.is_some()).count(), 4);
        assert_eq!(select(Some(&all[3].id)).unwrap()[0].id, all[3].id);
        assert!(select(Some("x")).unwrap_err().to_string().contains("`x`; there are all, penta_"));
    }

    /// Each limit is seen to fail.
    #[test]
    fn what_does_not_hold_is_named() {
        let all = scenarios().unwrap();
        let scenario = &all[0];
        assert_eq!((scenario.truth.as_str(), scenario.reference_mean), ("H0", 3938.8));
        let runs = |passes: usize, observations: u64| -> Vec<Played> {
            let decision = |run| if run < passes { Decision::H1 } else { Decision::H0 };
            (0..4000)
                .map(|run| Played {
                    decision: decision(run),
                    // Half of them shorter, so that mean and median are the reference's.
                    observations: if run % 2 == 0 { observations } else { observations * 6 / 10 },
                })
                .collect()
        };
        let faults = |played: &[Played]| judge(scenario, played, 2.0).unwrap().faults;
        let good = runs(200, 2460);
        assert_eq!(
            faults(&good).iter().filter(|fault| fault.contains("rate") || fault.contains("mean")).count(),
            0
        );
        assert!(faults(&runs(260, 2460)).iter().any(|fault| fault.contains("error rate")));
        assert!(faults(&runs(200, 2800)).iter().any(|fault| fault.contains("mean length")));
        let slots = |ordered: usize, arrival: usize| -> Vec<String> {
            let decide = |run, passes| if run < passes { Decision::H1 } else { Decision::H0 };
            let played: Vec<Slotted> = (0..1000)
                .map(|run| Slotted { ordered: decide(run, ordered), arrival: decide(run, arrival) })
                .collect();
            judge_slots(scenario, &played).faults
        };
        assert_eq!(slots(50, 90), [""; 0]);
        assert!(slots(80, 90)[0].contains("error rate") && slots(50, 80)[0].contains("order of arrival"));
    }
}
