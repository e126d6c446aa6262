//! What the stages of a run said, as Markdown: for the job summary of a CI system, or a comment on a change. Names come from engines
//! and files and may hold anything: here they cannot become markup, a link or a new row.

use super::digest::Digest;
use super::doubts;
use super::figures::duration_us;
use super::headline;
use crate::record::{Header, Status, Verdict};
use std::fmt::Write;

/// The whole document.
pub fn document(header: &Header, digest: &Digest) -> String {
    let head = headline(header, digest);
    let mut text = format!("## gauntlet {}: {}\n\n", plain(&header.verb), plain(&head.word));
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{}\n", plain(&head.sentence));
    for warning in doubts::warnings(header, digest) {
        let _ = writeln!(text, "> {}\n", plain(&warning));
    }
    if !digest.verdicts.is_empty() {
        text.push_str("| | Stage | Found | What it means | Time |\n|---|---|---|---|---:|\n");
    }
    for verdict in &digest.verdicts {
        let Verdict { stage, summary, meaning, time_ms, status, .. } = verdict;
        let time = duration_us(time_ms.saturating_mul(1000));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {time} |",
            word(*status),
            plain(stage),
            plain(summary),
            plain(meaning)
        );
    }
    if let Some(line) = &header.summary {
        let _ = writeln!(text, "\n{}", plain(line));
    }
    let _ = writeln!(
        text,
        "\ngauntlet {}, seed {}, {}",
        plain(&header.version),
        header.seed,
        plain(&header.started)
    );
    text
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Pass => "✅ pass",
        Status::Fail => "❌ **fail**",
        Status::Inconclusive => "⚠️ inconclusive",
        Status::Info => "ℹ️ measured",
    }
}

/// One line of text that means nothing to a reader of Markdown or HTML.
fn plain(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            // It would call a person.
            '@' => escaped.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '!' | '$' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Row;

    #[test]
    fn a_name_stays_a_name() {
        let hostile = "<b>x</b> | a\n| b `c` [d](http://e) @f =1+1 **g**";
        let verdict = Verdict {
            stage: hostile.to_owned(),
            status: Status::Fail,
            summary: hostile.to_owned(),
            meaning: hostile.to_owned(),
            checks: 1,
            failed: 1,
            ..Verdict::default()
        };
        let rows = [Row::Verdict(verdict)];
        let header = Header {
            verb: "gate".to_owned(),
            complete: true,
            summary: Some(format!("gate: FAIL {hostile}")),
            warnings: vec![hostile.to_owned()],
            ..Header::default()
        };
        let text = document(&header, &Digest::of(&rows));
        let table: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        // Heading, rule, one row of five cells.
        assert_eq!(table.len(), 3, "{text}");
        assert_eq!(table[2].replace("\\|", "").matches('|').count(), 6, "{}", table[2]);
        assert!(!text.contains("<b>") && !text.contains("@f") && !text.contains(" `c"), "{text}");
        // The brackets are there, each behind a stroke.
        assert!(!text.replace("\\]", "").contains(']'), "{text}");
        assert!(text.starts_with("## gauntlet gate: FAIL\n"), "{text}");
    }
}
