//! `gauntlet study`: a declarative experiment, read from a file.

use crate::arena::adjudicate::Adjudication;
use crate::campaign::{Contest, Design, Study as Plan, Terms};
use crate::cli::Job;
use crate::cli::config::{self, syntax};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Summary;
use crate::cli::rules::{self, Chosen};
use crate::cli::runs::{Recorder, measure};
use crate::cli::spec;
use crate::suite;
use crate::trial::TrialError;
use clap::Args;
use serde::{Deserialize, Serialize};
use toml::{Spanned, Table};

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Study {
    /// The study: a file on disk, or one of `suites/studies/`
    #[arg(value_name = "FILE.toml", conflicts_with = "plan")]
    pub file: Option<String>,
    /// The study itself, in the plan of a recorded run.
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub design: Option<Table>,
}

pub fn run(settings: &Study, job: &Job) -> Result<Exit, Failure> {
    let Readied { plan, terms, warnings } = match (&settings.design, &settings.file) {
        (Some(design), file) => {
            let text = toml::to_string(design).map_err(Failure::usage)?;
            read(&format!("plan of {}", file.as_deref().unwrap_or("a study")), &text, job)?
        }
        (None, Some(file)) => read(file, &suite::open(file).map_err(Failure::usage)?, job)?,
        (None, None) => {
            return Err(Failure::usage("study: no FILE given; try suites/studies/hash-collisions.toml"));
        }
    };
    let resolved =
        Study { design: Some(Table::try_from(&plan).map_err(Failure::usage)?), ..settings.clone() };
    let seed = job.common.seed.unwrap_or_default();
    let recorder = Recorder::begin(job, &resolved)?;
    let threads = job.threads();
    let measured = measure(job, recorder, |sink, progress| plan.run(seed, threads, &terms, sink, progress));
    let (mut recorder, done) = match measured {
        Ok(done) => done,
        Err(ended) => return ended.into_result(),
    };
    for warning in done.warnings.iter().chain(&warnings) {
        recorder.warn(job, warning.as_str());
    }
    let report = recorder.report_path().map_or_else(|| "none".to_owned(), |path| path.display().to_string());
    let summary = Summary::new("study").word(plan.name()).with("cells", done.cells).with("report", report);
    let recorded = recorder.finish(&summary.to_string(), true)?;
    job.output.text(recorded.text(job))?;
    recorded.show(job, &summary, "study")?;
    for why in &done.invalid {
        job.output.warn(format_args!("not valid: {why}"));
    }
    Ok(if done.invalid.is_empty() { Exit::Ok } else { Exit::Inconclusive })
}

/// A study that can be run.
struct Readied {
    plan: Plan,
    /// For one made of matches.
    terms: Terms,
    warnings: Vec<String>,
}

/// The kind of trial says how the rest is to be read.
#[derive(Deserialize)]
struct Head {
    trial: Spanned<String>,
}

fn read(name: &str, text: &str, job: &Job) -> Result<Readied, Failure> {
    let at = |error: toml::de::Error| match error.span() {
        Some(_) => syntax(name, text, &error),
        // What is missing altogether has no place of its own.
        None => Failure::usage(format!("{name}:1: {}", error.message())),
    };
    let head: Head = toml::from_str(text).map_err(at)?;
    let plan = match head.trial.get_ref().as_str() {
        "attack-byte" => Plan::AttackByte(toml::from_str::<Design<_, _>>(text).map_err(at)?),
        "hash-collisions" => Plan::HashCollisions(toml::from_str::<Design<_, _>>(text).map_err(at)?),
        "match" => {
            let mut contest = toml::from_str::<Contest>(text).map_err(at)?;
            for engine in [&mut contest.pairing.first, &mut contest.pairing.second] {
                *engine = spec::expand(engine)?;
            }
            Plan::Match(contest)
        }
        other => {
            return Err(Failure::usage(format!(
                "{name}:{}: trial: no kind of study `{other}`; there are {}",
                config::line(text, &head.trial.span()),
                Plan::TRIALS.join(", ")
            )));
        }
    };
    plan.check().map_err(|error| match line_of(text, &error) {
        Some(line) => Failure::usage(format!("{name}:{line}: {error}")),
        None => Failure::usage(format!("{name}: {error}")),
    })?;
    let (terms, warnings) = match &plan {
        Plan::Match(contest) => terms(name, text, contest, job)?,
        _ => (Terms::default(), Vec::new()),
    };
    Ok(Readied { plan, terms, warnings })
}

/// What stands as texts in a study made of matches.
fn terms(name: &str, text: &str, contest: &Contest, job: &Job) -> Result<(Terms, Vec<String>), Failure> {
    let at = |key: &'static str| {
        let place = match config::line_of(text, key.split('.'), None) {
            Some(line) => format!("{name}:{line}: "),
            None => format!("{name}: "),
        };
        move |failure: Failure| Failure {
            message: match failure.message.strip_prefix(key) {
                Some(rest) => format!("{place}{key}{rest}"),
                None => format!("{place}{key}: {}", failure.message),
            },
            ..failure
        }
    };
    let (play, limits) = (&contest.pairing, &contest.limits);
    let (openings, draw, resign) = ("match.openings", "limits.draw", "limits.resign");
    let seed = job.common.seed.unwrap_or_default();
    let Chosen { book, order, plies, start } =
        rules::openings(openings, play.openings.as_deref(), limits.pairs(), seed).map_err(at(openings))?;
    let mut warnings = book.warnings;
    if book.openings.is_empty() && limits.pairs() > 1 {
        let repeat = "engines at fixed nodes or depth then repeat one game";
        warnings.push(format!(
            "without `openings` in [match] every game begins at the initial position; {repeat}"
        ));
    }
    let terms = Terms {
        openings: book.openings,
        order,
        start,
        plies,
        adjudication: Adjudication {
            draw: rules::draw(draw, limits.draw.as_deref()).map_err(at(draw))?,
            resign: rules::resign(resign, limits.resign.as_deref()).map_err(at(resign))?,
            maxmoves: limits.maxmoves,
        },
        concurrency: job.concurrency(),
        session: job.session()?,
    };
    Ok((terms, warnings))
}

/// The line of the setting that cannot be.
fn line_of(text: &str, error: &TrialError) -> Option<usize> {
    let TrialError::Setting { key, level, .. } = error else { return None };
    config::line_of(text, key.split('.'), *level)
}
