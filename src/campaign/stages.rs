//! The stages that are trials: each makes the plan of one and reads its summary.

use super::course::Course;
use super::sequence::{StageError, StageResult};
use crate::record::{Status, Verdict};
use crate::suite;
use crate::trial::{bench, perft, sliders, symmetry, tactics};

/// The generator (or the engine's own `go perft`) on suites with known counts.
pub(super) fn perft(course: &mut Course<'_>) -> StageResult {
    let (plan, sizes) = (course.plan, &course.sizes);
    let engine = (!plan.engine.is_embedded()).then(|| plan.engine.clone());
    let max_nodes = if engine.is_some() { Some(sizes.perft_foreign) } else { sizes.perft_nodes };
    // An engine is asked for standard positions only: many do not play Chess960.
    let suites = sizes.perft.iter().filter(|file| engine.is_none() || !file.contains("chess960"));
    let trial = perft::Plan {
        suites: suites.map(|&file| file.to_owned()).collect(),
        max_nodes,
        engine,
        concurrency: plan.concurrency,
        ..perft::Plan::default()
    };
    // UCI has no perft: an engine without it has failed nothing.
    Ok(Some(perft::run(&trial, course.session, course.sink, course.progress)?.verdict()))
}

/// Every slider backend against the oracle, then timed. None of a foreign engine's business.
pub(super) fn sliders(course: &mut Course<'_>) -> StageResult {
    if !course.plan.engine.is_embedded() {
        return Ok(None);
    }
    let trial = sliders::Plan {
        metrics: course.sizes.slider_metrics.iter().map(|&metric| metric.to_owned()).collect(),
        rounds: course.sizes.slider_rounds,
        random: course.sizes.slider_random,
        long_perft: course.sizes.long_slider_perft,
        seed: course.plan.seed,
        ..sliders::Plan::default()
    };
    Ok(Some(sliders::run(&trial, course.sink, course.progress)?.verdict()))
}

/// Static evaluations; for a foreign engine searches, which inform only.
pub(super) fn symmetry(course: &mut Course<'_>) -> StageResult {
    let is_embedded = course.plan.engine.is_embedded();
    let trial = symmetry::Plan {
        engine: course.plan.engine.clone(),
        depth: (!is_embedded).then_some(course.sizes.symmetry_depth),
        concurrency: course.plan.concurrency,
        seed: course.plan.seed,
        ..symmetry::Plan::default()
    };
    Ok(Some(symmetry::run(&trial, course.session, course.sink, course.progress)?.verdict()))
}

/// The bench: speed, branching factors, signature. The embedded engine's is run twice: the signature must not change. A
/// foreign engine may use several threads, or look at the clock, and is not blamed.
pub(super) fn bench(course: &mut Course<'_>) -> StageResult {
    let trial = bench::Plan {
        engine: course.plan.engine.clone(),
        depth: Some(course.sizes.bench_depth),
        ..bench::Plan::default()
    };
    let first = bench::run(&trial, course.session, course.sink, course.progress)?;
    if !course.plan.engine.is_embedded() {
        return Ok(Some(Verdict { checks: 0, ..first.verdict() }));
    }
    // Only one run is recorded: the rows of the second would be the same, or else the check says so.
    let second = bench::run(&trial, course.session, &mut Vec::new(), course.progress)?;
    Ok(Some(reproducible(first.verdict(), first.signature(), second.signature())))
}

/// One check: the same nodes twice.
fn reproducible(mut verdict: Verdict, first: u64, second: u64) -> Verdict {
    verdict.checks = 1;
    verdict.failed = u64::from(first != second);
    if first == second {
        verdict.status = if verdict.status == Status::Info { Status::Pass } else { verdict.status };
        verdict.summary.push_str(", the same twice");
    } else {
        verdict.status = Status::Fail;
        verdict.summary.push_str(&format!("; a second run had {second} nodes"));
    }
    verdict
}

/// Suites of test positions; each that names a least number of solutions is one check.
pub(super) fn tactics(course: &mut Course<'_>) -> StageResult {
    let mut whole: Option<Verdict> = None;
    for size in course.sizes.tactics {
        if suite::read(size.file).is_err() {
            continue;
        }
        let trial = tactics::Plan {
            files: vec![size.file.to_owned()],
            engines: vec![course.plan.engine.clone()],
            nodes: Some(size.nodes),
            concurrency: course.plan.concurrency,
            seed: course.plan.seed,
            ..tactics::Plan::default()
        };
        let summary = tactics::run(&trial, course.session, course.sink, course.progress)?;
        for verdict in summary.verdicts(size.min_solved) {
            let failed = verdict.status == Status::Fail;
            let part = Verdict {
                checks: u64::from(size.min_solved.is_some()),
                failed: u64::from(failed),
                figures: vec![(suite::file_name(size.file).to_owned(), solved(&verdict))],
                ..verdict
            };
            whole = Some(match whole {
                Some(whole) => joined(whole, part),
                None => part,
            });
        }
    }
    whole.map(Some).ok_or_else(|| StageError::Failed("no suite of test positions is here".to_owned()))
}

fn solved(verdict: &Verdict) -> String {
    verdict
        .figures
        .iter()
        .find(|(name, _)| name == "solved")
        .map_or_else(String::new, |(_, value)| value.clone())
}

/// One verdict out of two: the graver status, the sums, both texts.
fn joined(mut whole: Verdict, part: Verdict) -> Verdict {
    whole.status = match (whole.status, part.status) {
        (Status::Fail, _) | (_, Status::Fail) => Status::Fail,
        (Status::Inconclusive, _) | (_, Status::Inconclusive) => Status::Inconclusive,
        (Status::Pass, _) | (_, Status::Pass) => Status::Pass,
        (Status::Info, Status::Info) => Status::Info,
    };
    whole.checks += part.checks;
    whole.failed += part.failed;
    whole.figures.extend(part.figures);
    whole.summary = format!("{}; {}", whole.summary, part.summary);
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(status: Status, checks: u64, failed: u64) -> Verdict {
        let text = String::new;
        Verdict {
            stage: text(),
            status,
            summary: text(),
            checks,
            failed,
            figures: Vec::new(),
            meaning: String::new(),
            time_ms: 0,
        }
    }

    #[test]
    fn a_signature_that_changes_is_a_failed_check() {
        let same = reproducible(verdict(Status::Info, 40, 0), 7, 7);
        assert_eq!((same.status, same.checks, same.failed), (Status::Pass, 1, 0));
        let other = reproducible(verdict(Status::Info, 40, 0), 7, 8);
        assert_eq!((other.status, other.checks, other.failed), (Status::Fail, 1, 1));
    }

    #[test]
    fn joined_verdicts_keep_the_graver_status() {
        let whole = joined(verdict(Status::Info, 0, 0), verdict(Status::Pass, 1, 0));
        assert_eq!((whole.status, whole.checks), (Status::Pass, 1));
        let whole = joined(whole, verdict(Status::Fail, 1, 1));
        assert_eq!((whole.status, whole.checks, whole.failed), (Status::Fail, 2, 1));
    }
}
