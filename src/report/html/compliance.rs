//! The part of the page on protocol compliance: a line per check, the conversation behind each that did not pass.

use super::Section;
use crate::record::ComplianceRow;
use crate::report::digest::Digest;
use crate::report::figures::duration_us;
use crate::report::grouped::grouped;
use maud::{Markup, html};

pub(super) fn compliance(digest: &Digest) -> Option<Section> {
    if digest.compliance.is_empty() {
        return None;
    }
    let engines = grouped(&digest.compliance, |row| row.engine.as_str());
    let body = html! {
        @for (engine, rows) in &engines {
            @let with = |result: &str| rows.iter().filter(|row| row.result == result).count();
            @if engines.len() > 1 { h3 { (engine) } }
            p {
                (with("pass")) " of " (rows.len()) " checks passed"
                @if with("fail") > 0 { ", " b class="bad" { (with("fail")) " failed" } }
                @if with("warn") > 0 { ", " (with("warn")) " failed that should pass (not counted)" }
                @if with("note") > 0 { ", " (with("note")) " for information" }
                @if with("skip") > 0 { ", " (with("skip")) " do not apply" }
                "."
            }
            @for row in rows.iter().filter(|row| !["pass", "skip"].contains(&row.result.as_str())) { (failed(row)) }
            details {
                summary { "All " (rows.len()) " checks" }
                div class="scroll" { table { caption { "Checks of the protocol" }
                    thead { tr { th scope="col" { "Check" } th scope="col" { "Level" } th scope="col" { "Result" } th scope="col" { "What is right" } th scope="col" { "Found" } th scope="col" class="num" { "Time" } } }
                    tbody {
                        @for row in rows {
                            tr {
                                th scope="row" { (row.check) } td { (row.level) }
                                td { span class=(format!("chip {}", class_of(&row.result))) { (row.result) } }
                                td class="wrap" { (row.what) } td class="wrap" { (row.found) }
                                td class="num nowrap" { (duration_us(row.time_us)) }
                            }
                        }
                    }
                } }
            }
        }
    };
    Some(Section { id: "compliance", title: "Protocol compliance", body })
}

fn failed(row: &ComplianceRow) -> Markup {
    html! {
        details open[row.result == "fail"] {
            summary { span class=(format!("chip {}", class_of(&row.result))) { (row.result) } " " b { (row.check) } ": " (row.what) }
            p { (row.found) }
            @if !row.exchange.is_empty() { pre { (row.exchange.join("\n")) } }
        }
    }
}

fn class_of(result: &str) -> &'static str {
    match result {
        "pass" => "good",
        "fail" => "bad",
        "warn" => "warn",
        _ => "info",
    }
}
