//! `gauntlet stats validate`: the sequential test against its promises, by simulation.

use crate::campaign::validate::{self, Finding, RUNS};
use crate::cli::Job;
use crate::cli::exit::{Exit, Failure};
use crate::cli::figures::fixed_or_na;
use crate::cli::output::Summary;
use crate::cli::progress::{Reading, watch};
use crate::cli::table::Table;
use crate::trial::{Progress, TrialError};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
#[command(
    after_help = "Without --scenario: pairs, hypotheses 4 Elo apart or more. Errors must stay within 5.5 % and two standard \
                        errors, mean lengths within 6 % and medians within 8 % of the reference (wider below 4000 runs). \
                        `…-slots`: so many pairs at once, wins quicker than losses; the ledger's order must keep the rate of errors, order \
                        of arrival must be seen to exceed 8 %."
)]
pub struct Validate {
    /// One scenario by its id, or all
    #[arg(long, value_name = "ID|all")]
    pub scenario: Option<String>,
    /// Tests to play of each
    #[arg(long, value_name = "N")]
    pub runs: Option<u64>,
}

/// More would be hours.
const MOST_RUNS: u64 = 10_000_000;

pub fn run(settings: &Validate, job: &Job) -> Result<Exit, Failure> {
    let runs = settings.runs.unwrap_or(RUNS);
    if !(2..=MOST_RUNS).contains(&runs) {
        return Err(Failure::usage(format!("--runs {runs}: not between 2 and {MOST_RUNS}")));
    }
    let scenarios = validate::select(settings.scenario.as_deref()).map_err(Failure::usage)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(job.concurrency())
        .build()
        .map_err(|error| Failure::usage(format!("--concurrency: {error}")))?;
    let progress = Progress::with_stop(job.signals.shared());
    progress.begin(runs * scenarios.len() as u64);
    let reading = || Reading {
        stage: "validate".to_owned(),
        done: progress.done(),
        total: progress.total(),
        note: "tests".to_owned(),
        told: None,
    };
    let seed = job.common.seed.unwrap_or_default();
    let mut findings = Vec::new();
    let done = watch(&job.output, reading, || {
        for scenario in &scenarios {
            findings.push(pool.install(|| validate::check(scenario, runs, seed, &progress))?);
        }
        Ok(())
    });
    match done {
        Ok(()) | Err(TrialError::Interrupted) => {}
        Err(error) => return Err(Failure::usage(error)),
    }
    let failed = findings.iter().filter(|finding| !finding.faults.is_empty()).count();
    let summary = Summary::new("validate").with("scenarios", findings.len()).with("failed", failed);
    let table = table(&findings);
    job.output.text(table.text())?;
    job.output.json(|| json!({ "findings": findings, "seed": seed, "summary": summary.json() }))?;
    job.output.csv(|| table.csv())?;
    job.output.summary(&summary)?;
    Ok(Exit::failed_if(failed > 0))
}

fn table(findings: &[Finding]) -> Table {
    let mut table = Table::new(&[
        "scenario",
        "runs",
        "errors_percent",
        "limit_percent",
        "by_arrival_percent",
        "mean_games",
        "mean_of_reference",
        "median_games",
        "median_of_reference",
        "verdict",
    ]);
    for finding in findings {
        let percent = |rate: Option<f64>| fixed_or_na(rate.map(|rate| 100.0 * rate), 2);
        let ratio = |value: Option<f64>, reference: Option<f64>| {
            fixed_or_na(value.zip(reference).map(|(value, reference)| value / reference), 3)
        };
        table.row(vec![
            finding.scenario.clone(),
            finding.runs.to_string(),
            percent(finding.error_rate),
            percent(finding.error_limit),
            percent(finding.arrival_error_rate),
            fixed_or_na(finding.mean, 1),
            ratio(finding.mean, finding.reference_mean),
            fixed_or_na(finding.median, 1),
            ratio(finding.median, finding.reference_median),
            if finding.faults.is_empty() { "ok".to_owned() } else { finding.faults.join("; ") },
        ]);
    }
    table
}
