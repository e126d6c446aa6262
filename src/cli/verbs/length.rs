//! `gauntlet stats length`: how long a sequential test will take.

use super::hypotheses::Hypotheses;
use crate::cli::Job;
use crate::cli::exit::{Exit, Failure};
use crate::cli::figures::exact;
use crate::cli::output::Summary;
use crate::stats::counts::Law;
use crate::stats::scale::{NORMALIZED_SCALE, elo_of_score};
use crate::stats::{Model, Sprt};
use clap::Args;
use serde::{Deserialize, Serialize};

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
#[command(
    after_help = "By Wald's approximation, which leaves out the overshoot at the stop. `--elo` is in the unit of the model."
)]
pub struct Length {
    #[command(flatten)]
    #[serde(flatten)]
    pub hypotheses: Hypotheses,
    /// normalized or logistic
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// The true difference; without it that of --probs
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub elo: Option<f64>,
    /// Probabilities of the pairs by points
    #[arg(long, value_name = "LL,LD,M,WD,WW", conflicts_with = "variance")]
    pub probs: Option<String>,
    /// Variance of a game's score: twice that of a pair's mean score (1/4 at most)
    #[arg(long, value_name = "V")]
    pub variance: Option<f64>,
}

pub fn run(settings: &Length, job: &Job) -> Result<Exit, Failure> {
    let sprt = settings.hypotheses.test(settings.model.as_deref())?;
    if sprt.model().trinomial_only() {
        return Err(Failure::usage(format!(
            "--model {}: its bounds depend on the results; normalized and logistic have a length",
            sprt.model().id()
        )));
    }
    let law = settings.probs.as_deref().map(probabilities).transpose()?;
    if let Some(variance) = settings.variance.filter(|&v| !(v > 0.0 && v <= 0.25)) {
        return Err(Failure::usage(format!("--variance {variance}: not above 0 and at most 0.25")));
    }
    let variance = settings.variance.or_else(|| law.map(|law| 2.0 * law.variance()));
    let elo = match (settings.elo, law) {
        (Some(elo), _) => elo,
        (None, Some(law)) => difference(&sprt, &law),
        (None, None) => return Err(Failure::usage("the true difference is needed: --elo E or --probs")),
    };
    if elo.is_nan() || elo.abs() > Sprt::MAX_ELO {
        return Err(Failure::usage(format!("--elo {elo}: not a number between -10000 and 10000")));
    }
    let Some(length) = sprt.expected_length(elo, variance) else {
        return Err(Failure::usage(
            "--model logistic: the variance of a game's score is needed: --variance V or --probs (not all of one kind)",
        ));
    };
    let summary = Summary::new("length").with("games", exact(length.games));
    let document = Summary::new("length")
        .with("games", exact(length.games))
        .with("pass", exact(length.pass_probability))
        .with("elo", exact(elo))
        .with("model", sprt.model().id());
    job.output.text(format_args!(
        "H0: {} Elo {} | H1: {} | true {:.2} | {:.0} games on average, {:.1} % end in H1",
        sprt.model().id(),
        sprt.elo0(),
        sprt.elo1(),
        elo,
        length.games,
        100.0 * length.pass_probability
    ))?;
    job.output.json(|| document.json())?;
    job.output.csv(|| document.csv())?;
    job.output.summary(&summary)?;
    Ok(Exit::Ok)
}

/// The law's own difference in the unit of the test.
fn difference(sprt: &Sprt, law: &Law<5>) -> f64 {
    match sprt.model() {
        Model::Normalized => NORMALIZED_SCALE * (law.mean() - 0.5) / (2.0 * law.variance()).sqrt(),
        _ => elo_of_score(law.mean()),
    }
}

/// Five probabilities that make 1, up to rounding.
fn probabilities(text: &str) -> Result<Law<5>, Failure> {
    let parts: Vec<f64> = text
        .split(',')
        .map(|part| part.trim().parse().ok().filter(|p| (0.0..=1.0).contains(p)))
        .collect::<Option<_>>()
        .ok_or_else(|| Failure::usage(format!("--probs {text}: not probabilities")))?;
    let Ok(p) = <[f64; 5]>::try_from(parts.as_slice()) else {
        return Err(Failure::usage(format!("--probs {text}: {} numbers where 5 are needed", parts.len())));
    };
    let sum: f64 = p.iter().sum();
    if (sum - 1.0).abs() > 1e-3 {
        return Err(Failure::usage(format!("--probs {text}: their sum is {sum}, not 1")));
    }
    Ok(Law { p: p.map(|p| p / sum), total: 1.0 })
}
