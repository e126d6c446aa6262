//! JUnit XML, which CI systems show as test results: a test case per protocol check, and one per verdict of a run that has
//! several stages. Drawn from rows alone, like every report.

use super::figures::is_noncharacter;
use crate::record::{ComplianceRow, Row, Status, Verdict};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

/// The document of a run. `name`: of the whole, as the CI system shows it.
pub fn document(name: &str, rows: &[Row]) -> String {
    let mut report = Report::new(name);
    let mut suites: Vec<TestSuite> = Vec::new();
    for row in rows {
        let (suite, case) = match row {
            Row::Compliance(row) => (format!("compliance {}", row.engine), of_check(row)),
            // What its checks say already.
            Row::Verdict(verdict) if verdict.stage == "compliance" => continue,
            Row::Verdict(verdict) => ("verdicts".to_owned(), of_verdict(verdict)),
            _ => continue,
        };
        match suites.iter_mut().find(|known| known.name.as_str() == suite) {
            Some(known) => {
                known.add_test_case(case);
            }
            None => {
                let mut new = TestSuite::new(suite);
                new.add_test_case(case);
                suites.push(new);
            }
        }
    }
    report.add_test_suites(suites);
    // It fails only for want of memory.
    allowed(&report)
}

/// The document without what no XML allows; the library leaves out control characters alone.
fn allowed(report: &Report) -> String {
    let mut text = report.to_string().unwrap_or_default();
    text.retain(|c| !is_noncharacter(c));
    text
}

/// The document of a gate: a suite for each stage, which holds its verdict. What the base engine did is no result of the new one, so
/// single checks do not stand in it.
pub fn by_stage(name: &str, rows: &[Row]) -> String {
    let mut report = Report::new(name);
    for row in rows {
        let Row::Verdict(verdict) = row else { continue };
        let mut suite = TestSuite::new(verdict.stage.as_str());
        suite.add_test_case(of_verdict(verdict));
        report.add_test_suite(suite);
    }
    allowed(&report)
}

fn of_check(row: &ComplianceRow) -> TestCase {
    let status = match row.result.as_str() {
        "fail" => failure(&row.found, &row.exchange.join("\n")),
        "skip" => skipped(&row.found),
        // A warning is not to turn a build red: it stands in the output.
        _ => TestCaseStatus::success(),
    };
    let mut case = TestCase::new(row.check.as_str(), status);
    case.set_classname(format!("compliance.{}", row.level)).set_time(Duration::from_micros(row.time_us));
    let found = if row.found.is_empty() { String::new() } else { format!("\n{}: {}", row.result, row.found) };
    case.set_system_out(format!("{}{found}", row.what));
    case
}

fn of_verdict(verdict: &Verdict) -> TestCase {
    let status = match verdict.status {
        Status::Fail => failure(&verdict.summary, &verdict.meaning),
        Status::Inconclusive => skipped(&verdict.summary),
        // Nothing was looked at: not needed, not applicable, not begun.
        Status::Info if verdict.checks == 0 && verdict.figures.is_empty() => skipped(&verdict.summary),
        Status::Pass | Status::Info => TestCaseStatus::success(),
    };
    let mut case = TestCase::new(verdict.stage.as_str(), status);
    case.set_classname("verdict").set_time(Duration::from_millis(verdict.time_ms));
    case.set_system_out(
        [verdict.summary.as_str(), verdict.meaning.as_str()].join("\n").trim_end().to_owned(),
    );
    case
}

fn failure(message: &str, more: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(message).set_description(more);
    status
}

fn skipped(message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(message);
    status
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As an engine may have left them on stderr.
    #[test]
    fn what_xml_has_no_word_for_is_left_out() {
        let verdict = Verdict { summary: "a\u{fffe}b\u{ffff}c\u{7}\u{0}d".to_owned(), ..Verdict::default() };
        for text in [document("n", &[Row::Verdict(verdict.clone())]), by_stage("n", &[Row::Verdict(verdict)])]
        {
            assert!(text.contains("abcd"), "{text}");
            assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text}");
        }
    }

    fn row(check: &str, result: &str, found: &str) -> Row {
        Row::Compliance(ComplianceRow {
            engine: "A & B".to_owned(),
            check: check.to_owned(),
            level: "must".to_owned(),
            result: result.to_owned(),
            what: "it is so".to_owned(),
            found: found.to_owned(),
            time_us: 1_500_000,
            exchange: vec!["> go <1>".to_owned(), "< bestmove \u{1}".to_owned()],
        })
    }

    #[test]
    fn cases_counts_and_escapes() {
        let verdict = Verdict {
            stage: "perft".to_owned(),
            status: Status::Fail,
            summary: "1 of 3 failed".to_owned(),
            checks: 3,
            failed: 1,
            figures: Vec::new(),
            meaning: String::new(),
            time_ms: 20,
        };
        let rows = [
            row("uciok", "pass", ""),
            row("quit", "fail", "still <running>"),
            row("ponder", "skip", "no Ponder"),
            Row::Verdict(verdict),
        ];
        let text = document("gauntlet compliance", &rows);
        for part in [
            r#"tests="4" skipped="1" failures="2" errors="0""#,
            r#"<testsuite name="compliance A &amp; B" tests="3" skipped="1" errors="0" failures="1""#,
            r#"message="still &lt;running&gt;""#,
            "&gt; go &lt;1&gt;",
            r#"classname="compliance.must""#,
            "<skipped",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains('\u{1}'), "no control characters in XML");
    }
}
