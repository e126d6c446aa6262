//! `gauntlet gate`: may this change go in? The new engine against a base engine or a baseline, stage by stage.

use crate::arena::plan::SprtPlan;
use crate::arena::schedule::Order;
use crate::campaign::gate::{self, Against, Baseline, Expect, Plan, SCHEMA, Sizes, Stage, Unclear};
use crate::campaign::{Outcome, Watch};
use crate::cli::Job;
use crate::cli::args::unset;
use crate::cli::config::nearest;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Summary;
use crate::cli::progress::{Reading, watch};
use crate::cli::rules;
use crate::cli::runs::{self, Beside, Recorder};
use crate::cli::written;
use crate::file;
use crate::record::Status;
use crate::stats::{Model, Sprt};
use crate::subject::{EngineSpec, Session, Subject};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
#[command(after_help = "Examples:
  gauntlet gate --new cmd=./my-engine --base cmd=./my-engine-main
  gauntlet gate --new cmd=./my-engine --base cmd=./my-engine-main --budget 5m --junit gate.xml --summary gate.md
  gauntlet gate --new cmd=./my-engine --baseline my-engine.json
  gauntlet gate --new cmd=./my-engine --baseline my-engine.json --update-baseline
  gauntlet gate --config gate.toml

Stages, in this order: compliance, perft, symmetry, signature, speed, branching, suites, sprt. Their settings stand in a \
configuration file, in [gate] and in a table for each stage: [gate.sprt], [gate.suites], … (README.md, \"Gate your CI\").
Exit codes: 0 PASS, 1 FAIL, 3 INCONCLUSIVE, 4 an engine could not be started, 2 bad input.")]
pub struct Gate {
    /// The engine with the change
    #[arg(long, value_name = "SPEC")]
    pub new: Option<String>,
    /// The engine without it, measured in the same run
    #[arg(long, value_name = "SPEC", conflicts_with = "baseline")]
    pub base: Option<String>,
    /// What was written down of an earlier engine, instead of a base engine
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Measure the new engine and write the baseline
    #[arg(long)]
    #[serde(skip_serializing_if = "unset")]
    pub update_baseline: bool,
    /// The time that the whole may take: 300s, 5m, 1h
    #[arg(long, value_name = "TIME")]
    pub budget: Option<String>,
    /// Only these stages
    #[arg(long, value_name = "STAGE", value_delimiter = ',')]
    pub stages: Option<Vec<String>>,
    /// Test positions and games also where the signature is the same
    #[arg(long)]
    #[serde(skip_serializing_if = "unset")]
    pub always_play: bool,
    /// Write the verdicts as JUnit XML, too
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write them as Markdown, too: for the job summary of a CI system
    #[arg(long, value_name = "FILE")]
    pub summary: Option<PathBuf>,
    #[arg(skip)]
    pub compliance: OfCompliance,
    #[arg(skip)]
    pub perft: OfPerft,
    #[arg(skip)]
    pub symmetry: OfSymmetry,
    #[arg(skip)]
    pub signature: OfSignature,
    #[arg(skip)]
    pub speed: OfSpeed,
    #[arg(skip)]
    pub suites: OfSuites,
    #[arg(skip)]
    pub sprt: OfSprt,
}

/// The settings of a stage, a table within `[gate]`; the names of its keys beside it.
macro_rules! table {
    ($name:ident { $($field:ident: $kind:ty,)* }) => {
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case", default)]
        pub struct $name { $(pub $field: Option<$kind>,)* }

        impl $name {
            fn keys() -> Vec<String> {
                [$(stringify!($field),)*].map(|field| field.replace('_', "-")).to_vec()
            }
        }
    };
}

table! { OfCompliance { strict: bool, } }
table! { OfPerft { files: Vec<String>, max_nodes: u64, } }
table! { OfSymmetry { files: Vec<String>, depth: u32, } }
table! { OfSignature { depth: u32, expect: Expect, } }
table! { OfSpeed { depth: u32, rounds: u32, threshold: f64, unclear: Unclear, } }
table! { OfSuites { files: Vec<String>, nodes: u64, alpha: f64, } }
table! {
    OfSprt {
        elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model, nodes: u64, tc: String, max_pairs: u64, openings: String,
    }
}

/// The tables within `[gate]` and their keys.
pub fn tables() -> Vec<(&'static str, Vec<String>)> {
    vec![
        ("compliance", OfCompliance::keys()),
        ("perft", OfPerft::keys()),
        ("symmetry", OfSymmetry::keys()),
        ("signature", OfSignature::keys()),
        ("speed", OfSpeed::keys()),
        ("suites", OfSuites::keys()),
        ("sprt", OfSprt::keys()),
    ]
}

pub fn run(settings: &Gate, job: &Job) -> Result<Exit, Failure> {
    let readied = ready(settings, job)?;
    let plan = &readied.plan;
    // Until the end.
    let _claim = settings
        .baseline
        .as_deref()
        .filter(|_| settings.update_baseline)
        .map(written::try_replace)
        .transpose()?;
    let by_stage = Beside::JunitByStage("gauntlet gate".to_owned());
    let beside = written::open(vec![
        (settings.junit.as_deref(), by_stage),
        (settings.summary.as_deref(), Beside::Markdown),
    ])?;
    let session = job.session()?;
    let mut recorder = Recorder::begin(job, &readied.resolved)?;
    recorder.write_beside(beside);
    recorder.tell_stages(job);
    for warning in &readied.warnings {
        recorder.warn(job, warning.as_str());
    }
    // One that does not even start would fail every stage in the same way.
    for engine in std::iter::once(&plan.new).chain(plan.base()) {
        match started(engine, &session) {
            Ok(()) => {}
            Err(None) => return runs::broken_off(job, recorder).into_result(),
            Err(Some(failure)) => return Err(recorder.fail(failure)),
        }
    }
    // Its flag ends single stages; the user's is the session's.
    let state = Watch::default();
    let read = || Reading {
        stage: state.stage().to_owned(),
        done: state.progress.done(),
        total: state.progress.total(),
        ..Reading::default()
    };
    let done = watch(&job.output, read, || gate::run(plan, &session, &mut recorder, &state));
    let (outcome, facts) = match done {
        Ok(done) => done,
        Err(error) => return Err(recorder.fail(Failure::from(error))),
    };
    if outcome.interrupted {
        return runs::broken_off(job, recorder).into_result();
    }
    let (word, exit) = ending(&outcome);
    let mut kept = None;
    if let (Against::Nothing, Some(path)) = (&plan.against, &settings.baseline) {
        let baseline = Baseline { schema: SCHEMA, engine: plan.new.name.clone(), seed: plan.seed, facts };
        // One that holds faults of the rules, or only half of the facts, would let them pass from then on.
        if exit != Exit::Ok {
            let why = "not written: a stage failed or was not finished";
            recorder.warn(job, format!("{}: {why}", path.display()));
        } else if let Err(failure) = write(path, &baseline) {
            return Err(recorder.fail(failure));
        } else {
            kept = Some(path);
        }
    }
    let summary =
        Summary::new("gate").word(word).with("checks", outcome.checks()).with("failed", outcome.failed());
    let recorded = recorder.finish(&summary.to_string(), true)?;
    job.output.text(recorded.text(job))?;
    if let Some(path) = kept {
        job.output.text(format_args!("baseline: {}", path.display()))?;
    }
    let more = json!({
        "new": plan.new,
        "base": plan.base(),
        "baseline": settings.baseline,
        "stages": outcome.verdicts,
    });
    recorded.show_with(job, &summary, "verdicts", "gate", &more)?;
    Ok(exit)
}

fn ending(outcome: &Outcome) -> (&'static str, Exit) {
    if !outcome.passed() {
        ("FAIL", Exit::Failed)
    } else if outcome.verdicts.iter().any(|verdict| verdict.status == Status::Inconclusive) {
        ("INCONCLUSIVE", Exit::Inconclusive)
    } else {
        ("PASS", Exit::Ok)
    }
}

/// An error of none: the user has had enough.
fn started(engine: &EngineSpec, session: &Session) -> Result<(), Option<Failure>> {
    match Subject::start_with(engine, session) {
        Ok(mut subject) => {
            subject.quit();
            Ok(())
        }
        Err(error) if error.is_interrupt() => Err(None),
        Err(error) => Err(Some(Failure::engine(error))),
    }
}

fn write(path: &Path, baseline: &Baseline) -> Result<(), Failure> {
    let text = baseline.text().map_err(Failure::usage)?;
    written::replace(path, &text)
}

/// What was asked for, with all that was left open filled in.
struct Readied {
    plan: Plan,
    resolved: Gate,
    warnings: Vec<String>,
}

fn ready(settings: &Gate, job: &Job) -> Result<Readied, Failure> {
    let new = settings.new.as_deref().ok_or_else(|| {
        Failure::usage("gate: no engine: give --new SPEC, or `new` in [gate] of a configuration file")
    })?;
    let new = job.engine(new, "")?;
    let (mut sizes, resolved, warnings) = sizes(settings, &new, job)?;
    let stages = stages(settings.stages.as_deref())?;
    let against = match (&settings.base, &settings.baseline) {
        (_, None) if settings.update_baseline => {
            return Err(Failure::usage("gate: --update-baseline: --baseline FILE says where to"));
        }
        (Some(base), None) => Against::Engine(Box::new(job.engine(base, "")?)),
        (_, Some(_)) if settings.update_baseline => Against::Nothing,
        (None, Some(path)) => {
            let name = path.display().to_string();
            let text = file::settings(path).map_err(|error| match error.kind() {
                ErrorKind::NotFound => {
                    Failure::usage(format!("{name}: there is no such file: --update-baseline writes it"))
                }
                _ => Failure::unreadable(&name, &error),
            })?;
            let baseline = Box::new(Baseline::parse(&name, &text).map_err(Failure::usage)?);
            Against::File { name, baseline }
        }
        _ => {
            return Err(Failure::usage("gate: nothing to compare with: give --base SPEC or --baseline FILE"));
        }
    };
    if matches!(against, Against::Nothing) {
        sizes.expect = Expect::Any;
    }
    let stages = match against {
        // Nothing of it is kept.
        Against::Nothing => {
            let is_kept = |stage: &Stage| !matches!(stage, Stage::Sprt | Stage::Speed);
            let kept: Vec<Stage> = stages.into_iter().filter(is_kept).collect();
            if kept.is_empty() {
                let what = "--update-baseline: nothing of speed and games is kept in a baseline";
                return Err(Failure::usage(format!("gate: stages: {what}")));
            }
            kept
        }
        _ => stages,
    };
    let plan = Plan {
        new,
        against,
        program: std::env::current_exe().map_err(|error| Failure::unreadable("this program", &error))?,
        stages,
        always_play: settings.always_play,
        // What is to be written down is measured whole.
        budget: settings.budget.as_deref().filter(|_| !settings.update_baseline).map(budget).transpose()?,
        sizes,
        seed: job.common.seed.unwrap_or_default(),
        concurrency: job.concurrency(),
    }
    .with_distinct_names();
    plan.check().map_err(Failure::usage)?;
    Ok(Readied { plan, resolved, warnings })
}

/// All of them, unless some are named.
fn stages(ids: Option<&[String]>) -> Result<Vec<Stage>, Failure> {
    let Some(ids) = ids else { return Ok(Stage::ALL.to_vec()) };
    let known: Vec<String> = Stage::ALL.iter().map(|stage| stage.id().to_owned()).collect();
    if ids.iter().all(|id| id.trim().is_empty()) {
        let all = known.join(", ");
        return Err(Failure::usage(format!("gate: stages: none is named; there are {all}")));
    }
    let stage = |id: &String| {
        let hint = nearest(id, &known).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        Stage::from_id(id)
            .ok_or_else(|| Failure::usage(format!("gate: stages: there is no stage `{id}`{hint}")))
    };
    ids.iter().map(stage).collect()
}

/// A clock has an end, too.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

/// `300s`, `5m`, `1h`, `1.5m`.
fn budget(text: &str) -> Result<Duration, Failure> {
    let wrong = || Failure::usage(format!("gate: budget: `{text}` is no time: write 300s, 5m or 1h"));
    let unit = text.trim().chars().last().ok_or_else(wrong)?;
    let number: f64 =
        text.trim().strip_suffix(unit).unwrap_or_default().trim().parse().map_err(|_| wrong())?;
    let seconds = match unit {
        's' => number,
        'm' => 60.0 * number,
        'h' => 3600.0 * number,
        _ => return Err(wrong()),
    };
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero()).ok_or_else(wrong)?;
    if time > LONGEST {
        return Err(Failure::usage(format!("gate: budget: `{text}` is more than a year")));
    }
    Ok(time)
}

/// The settings over the usual sizes, and the settings as they then are: what the plan of the run holds.
fn sizes(settings: &Gate, new: &EngineSpec, job: &Job) -> Result<(Sizes, Gate, Vec<String>), Failure> {
    let usual = Sizes::usual(new);
    let Gate { compliance, perft, symmetry, signature, speed, suites, sprt, .. } = settings;
    let limit = match (sprt.nodes, &sprt.tc) {
        (Some(_), Some(_)) => {
            return Err(Failure::usage("gate: [gate.sprt]: `nodes` cannot be used with `tc`"));
        }
        (Some(nodes), None) => format!("nodes={nodes}"),
        (None, Some(tc)) => format!("tc={tc}"),
        (None, None) => usual.game_limit.clone(),
    };
    let test = SprtPlan {
        elo0: sprt.elo0.unwrap_or(usual.sprt.elo0),
        elo1: sprt.elo1.unwrap_or(usual.sprt.elo1),
        alpha: sprt.alpha.unwrap_or(usual.sprt.alpha),
        beta: sprt.beta.unwrap_or(usual.sprt.beta),
        model: sprt.model.unwrap_or(usual.sprt.model),
    };
    Sprt::new(test.elo0, test.elo1, test.alpha, test.beta, test.model)
        .map_err(|error| Failure::usage(format!("gate: [gate.sprt]: {error}")))?;
    new.clone().with_each(&limit).map_err(|error| Failure::usage(format!("gate: [gate.sprt]: {error}")))?;
    let most_pairs = sprt.max_pairs.unwrap_or(usual.most_pairs);
    let (mut openings, mut order, mut start, mut plies, mut warnings) =
        (Vec::new(), Order::Random, 1, None, Vec::new());
    if let Some(text) = &sprt.openings {
        let seed = job.common.seed.unwrap_or_default();
        let chosen = rules::openings("gate: [gate.sprt]: openings", Some(text), most_pairs, seed)?;
        (openings, order, start, plies, warnings) =
            (chosen.book.openings, chosen.order, chosen.start, chosen.plies, chosen.book.warnings);
    }
    let sizes = Sizes {
        strict: compliance.strict.unwrap_or(usual.strict),
        perft: perft.files.clone().unwrap_or(usual.perft),
        perft_nodes: perft.max_nodes.unwrap_or(usual.perft_nodes),
        symmetry: symmetry.files.clone().unwrap_or(usual.symmetry),
        symmetry_depth: symmetry.depth.unwrap_or(usual.symmetry_depth),
        signature_depth: signature.depth.unwrap_or(usual.signature_depth),
        expect: signature.expect.unwrap_or(usual.expect),
        speed_depth: speed.depth.unwrap_or(usual.speed_depth),
        speed_rounds: speed.rounds.unwrap_or(usual.speed_rounds),
        speed_threshold: speed.threshold.map_or(usual.speed_threshold, |percent| percent / 100.0),
        unclear: speed.unclear.unwrap_or(usual.unclear),
        suites: suites.files.clone().unwrap_or(usual.suites),
        suite_nodes: suites.nodes.unwrap_or(usual.suite_nodes),
        suite_alpha: suites.alpha.unwrap_or(usual.suite_alpha),
        game_limit: limit,
        most_pairs,
        sprt: test,
        openings,
        order,
        start,
        plies,
    };
    let resolved = Gate {
        compliance: OfCompliance { strict: Some(sizes.strict) },
        perft: OfPerft { files: Some(sizes.perft.clone()), max_nodes: Some(sizes.perft_nodes) },
        symmetry: OfSymmetry {
            files: Some(sizes.symmetry.clone()).filter(|files| !files.is_empty()),
            depth: Some(sizes.symmetry_depth),
        },
        signature: OfSignature { depth: Some(sizes.signature_depth), expect: Some(sizes.expect) },
        speed: OfSpeed {
            depth: Some(sizes.speed_depth),
            rounds: Some(sizes.speed_rounds),
            threshold: Some(100.0 * sizes.speed_threshold),
            unclear: Some(sizes.unclear),
        },
        suites: OfSuites {
            files: Some(sizes.suites.clone()),
            nodes: Some(sizes.suite_nodes),
            alpha: Some(sizes.suite_alpha),
        },
        sprt: OfSprt {
            elo0: Some(test.elo0),
            elo1: Some(test.elo1),
            alpha: Some(test.alpha),
            beta: Some(test.beta),
            model: Some(test.model),
            nodes: sizes.game_limit.strip_prefix("nodes=").and_then(|nodes| nodes.parse().ok()),
            tc: sizes.game_limit.strip_prefix("tc=").map(str::to_owned),
            max_pairs: Some(most_pairs),
            openings: sprt.openings.clone(),
        },
        ..settings.clone()
    };
    Ok((sizes, resolved, warnings))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        assert_eq!(budget("300s").unwrap(), Duration::from_secs(300));
        assert_eq!(budget("5m").unwrap(), Duration::from_secs(300));
        assert_eq!(budget(" 1.5 h").unwrap(), Duration::from_secs(5400));
        assert_eq!(budget("8760h").unwrap(), LONGEST);
        for wrong in ["8761h", "1.8e19s", "", "5", "5ss", "5sm", "m", "0s", "-1m", "5d", "infh", "nans"] {
            assert!(budget(wrong).unwrap_err().line().contains("budget"), "{wrong}");
        }
    }
}
