//! `gauntlet stats`: the statistics of a match from its counts.

use super::hypotheses::Hypotheses;
use crate::cli::Job;
use crate::cli::exit::{Exit, Failure};
use crate::cli::figures::{exact, exact_or_na, fixed_or_na};
use crate::cli::output::Summary;
use crate::stats::{Counts as Outcomes, EloEstimate};
use clap::{Args, Subcommand};
use serde::{Deserialize, Serialize};

#[derive(Subcommand, Clone, Debug)]
pub enum Stats {
    /// Elo, its intervals, likelihood of superiority, normalized Elo
    Elo(Elo),
    /// Log-likelihood ratio of two hypotheses, and the bounds of the test
    Llr(Llr),
    /// How many games a sequential test takes on average
    Length(super::length::Length),
    /// Play sequential tests on paper: error rates, lengths, order of commit
    Validate(super::validate::Validate),
}

/// The counts, from the first engine's view.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Counts {
    /// Games won, drawn, lost
    #[arg(long, allow_hyphen_values = true, value_name = "W,D,L", conflicts_with = "penta")]
    pub wdl: Option<String>,
    /// Pairs by points: 0, 1/2, 1, 3/2, 2
    #[arg(long, allow_hyphen_values = true, value_name = "LL,LD,M,WD,WW")]
    pub penta: Option<String>,
}

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Elo {
    #[command(flatten)]
    #[serde(flatten)]
    pub counts: Counts,
}

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Llr {
    #[command(flatten)]
    #[serde(flatten)]
    pub counts: Counts,
    #[command(flatten)]
    #[serde(flatten)]
    pub hypotheses: Hypotheses,
    /// normalized, logistic, bayeselo, bayeselo-direct or cutechess (the last three from --wdl only)
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
}

impl Counts {
    fn read(&self) -> Result<Outcomes, Failure> {
        match (&self.wdl, &self.penta) {
            (Some(text), None) => {
                let [wins, draws, losses] = counts("--wdl", text)?;
                Ok(Outcomes::from_wdl(wins, draws, losses))
            }
            (None, Some(text)) => Ok(Outcomes::Pentanomial(counts("--penta", text)?)),
            _ => Err(Failure::usage("counts are needed: --wdl W,D,L or --penta LL,LD,M,WD,WW")),
        }
    }
}

/// `N` counts with commas between them.
fn counts<const N: usize>(flag: &str, text: &str) -> Result<[u64; N], Failure> {
    let mut found = [0; N];
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.len() != N {
        return Err(Failure::usage(format!("{flag} {text}: {} counts where {N} are needed", parts.len())));
    }
    for (slot, part) in found.iter_mut().zip(&parts) {
        *slot =
            part.parse().map_err(|_| Failure::usage(format!("{flag} {text}: `{part}` is not a count")))?;
    }
    // More than any match, and small enough that no sum of them overflows.
    if found.iter().any(|&count| count > 1 << 52) {
        return Err(Failure::usage(format!("{flag} {text}: a count is too large")));
    }
    Ok(found)
}

/// Elo and its relatives.
pub fn elo(settings: &Elo, job: &Job) -> Result<Exit, Failure> {
    let outcomes = settings.counts.read()?;
    let estimate = EloEstimate::new(&outcomes);
    let figure = |f: fn(&EloEstimate) -> f64| exact_or_na(estimate.as_ref().map(f));
    let nelo_bound = |sign: f64| {
        exact_or_na(
            estimate.and_then(|e| Some(e.nelo? + sign * e.nelo_error?)).filter(|bound| bound.is_finite()),
        )
    };
    let summary = Summary::new("elo")
        .with("elo", figure(|e| e.elo))
        .with("low", figure(|e| e.low))
        .with("high", figure(|e| e.high))
        .with("glr_low", figure(|e| e.profile_low))
        .with("glr_high", figure(|e| e.profile_high))
        .with("los", figure(|e| e.los))
        .with("nelo", exact_or_na(estimate.and_then(|e| e.nelo)))
        .with("nelo_low", nelo_bound(-1.0))
        .with("nelo_high", nelo_bound(1.0));
    job.output.text(match &estimate {
        Some(estimate) => elo_text(&outcomes, estimate),
        None => "no games".to_owned(),
    })?;
    job.output.json(|| summary.json())?;
    job.output.csv(|| summary.csv())?;
    job.output.summary(&summary)?;
    Ok(Exit::Ok)
}

fn elo_text(outcomes: &Outcomes, estimate: &EloEstimate) -> String {
    let shown = estimate.interval();
    let one = |value: f64| fixed_or_na(Some(value), 1);
    let mut text = format!(
        "{} games, score {:.2} %, draw ratio {:.2} %\n",
        outcomes.games(),
        100.0 * estimate.score,
        100.0 * estimate.draw_ratio
    );
    text.push_str(&format!(
        "Elo   {} [{}, {}] 95 % ({}), LOS {:.2} %\n",
        one(estimate.elo),
        one(shown.low),
        one(shown.high),
        shown.kind.id(),
        100.0 * estimate.los
    ));
    text.push_str(&format!(
        "nElo  {} +/- {}",
        fixed_or_na(estimate.nelo, 1),
        fixed_or_na(estimate.nelo.and(estimate.nelo_error), 1)
    ));
    text
}

/// The log-likelihood ratio. A calculator: whatever the verdict, the calculation went well.
pub fn llr(settings: &Llr, job: &Job) -> Result<Exit, Failure> {
    let outcomes = settings.counts.read()?;
    let sprt = settings.hypotheses.test(settings.model.as_deref())?;
    let (llr, decision) = sprt.test(&outcomes).map_err(Failure::usage)?;
    let bounds = sprt.bounds();
    let summary = Summary::new("llr")
        .with("llr", exact(llr))
        .with("lower", exact(bounds.lower))
        .with("upper", exact(bounds.upper))
        .with("model", sprt.model().id())
        .with("verdict", decision.id());
    let unit = sprt.model().unit();
    job.output.text(format_args!(
        "H0: {} {unit} | H1: {} {unit} | alpha {} | beta {}",
        sprt.elo0(),
        sprt.elo1(),
        sprt.alpha(),
        sprt.beta()
    ))?;
    job.output.json(|| summary.json())?;
    job.output.csv(|| summary.csv())?;
    job.output.summary(&summary)?;
    Ok(Exit::Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_or_named() {
        assert_eq!(counts::<3>("--wdl", "1, 2,3").unwrap(), [1, 2, 3]);
        for (text, word) in
            [("1,2", "2 counts"), ("1,x,3", "`x`"), ("1,-2,3", "`-2`"), ("1,2,9999999999999999", "large")]
        {
            assert!(counts::<3>("--wdl", text).unwrap_err().line().contains(word), "{text}");
        }
    }
}
