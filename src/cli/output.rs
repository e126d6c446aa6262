//! What goes to stdout and what to stderr. Results are stdout's, everything else is stderr's; the last line of a verb is
//! its summary, `verb: key=value …`. A closed pipe comes back as an error that ends the program with success.
//! It must not know any verb.

use super::args::Format;
use super::exit::Failure;
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Write};

/// The last line of a verb: `head: [words] key=value …`.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    head: String,
    words: Vec<String>,
    fields: Vec<(&'static str, String)>,
}

impl Summary {
    /// `head` is the verb's name as it stands before the colon.
    pub fn new(head: &str) -> Summary {
        Summary { head: head.to_owned(), ..Summary::default() }
    }

    /// A word without a key (`PASS`).
    #[must_use]
    pub fn word(mut self, word: impl fmt::Display) -> Summary {
        self.words.push(word.to_string());
        self
    }

    #[must_use]
    pub fn with(mut self, key: &'static str, value: impl fmt::Display) -> Summary {
        self.fields.push((key, value.to_string()));
        self
    }

    /// A field that may hold blanks: it stands in quotes, in JSON without.
    #[must_use]
    pub fn with_text(self, key: &'static str, value: impl fmt::Display) -> Summary {
        self.with(key, format_args!("\"{}\"", value.to_string().replace('"', "'")))
    }

    /// The fields as a JSON object; numbers as numbers, everything else (`inf`, `n/a`, names) as text.
    pub fn json(&self) -> Value {
        let mut object = Map::new();
        if let Some(word) = self.words.first() {
            object.insert("result".to_owned(), Value::from(word.as_str()));
        }
        for (key, value) in &self.fields {
            object.insert((*key).to_owned(), number_or_text(value));
        }
        Value::Object(object)
    }

    /// The fields as two CSV lines: names and values.
    pub fn csv(&self) -> String {
        let names: Vec<&str> = self.fields.iter().map(|(key, _)| *key).collect();
        let values: Vec<String> = self.fields.iter().map(|(_, value)| quoted(value)).collect();
        format!("{}\n{}\n", names.join(","), values.join(","))
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.head)?;
        for word in &self.words {
            write!(f, " {word}")?;
        }
        for (key, value) in &self.fields {
            write!(f, " {key}={value}")?;
        }
        Ok(())
    }
}

/// By `str::parse`, which gives back the very number that was written; `inf` and `nan` are no JSON numbers and stay text.
pub fn number_or_text(value: &str) -> Value {
    if let Some(text) = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return Value::from(text);
    }
    if let Ok(number) = value.parse::<i64>() {
        return Value::from(number);
    }
    if let Some(number) = value.parse().ok().filter(|number: &f64| number.is_finite()) {
        return Value::from(number);
    }
    match serde_json::from_str(value) {
        Ok(list @ Value::Array(_)) => list,
        _ => Value::from(value),
    }
}

/// A CSV cell, in quotes where it needs them (RFC 4180).
pub fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Where a verb speaks.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    pub format: Format,
    pub quiet: bool,
}

impl Output {
    /// Tables and sentences for people: stdout, only in text form and if not quiet.
    pub fn text(&self, text: impl fmt::Display) -> Result<(), Failure> {
        if self.format == Format::Text && !self.quiet {
            write_stdout(&text.to_string())?;
        }
        Ok(())
    }

    /// The JSON document: stdout, only where asked for.
    pub fn json<T: Serialize>(&self, document: impl FnOnce() -> T) -> Result<(), Failure> {
        if self.format == Format::Json {
            // Not as one text: the rows of a long match do not fit into memory.
            let mut stdout = BufWriter::new(io::stdout().lock());
            serde_json::to_writer_pretty(&mut stdout, &document()).map_err(io::Error::from)?;
            stdout.write_all(b"\n")?;
            stdout.flush()?;
        }
        Ok(())
    }

    /// The CSV document: stdout, only where asked for.
    pub fn csv(&self, document: impl FnOnce() -> String) -> Result<(), Failure> {
        if self.format == Format::Csv {
            write_stdout(document().trim_end_matches('\n'))?;
        }
        Ok(())
    }

    /// A document that is no text for people, in any form of output, quiet or not: stdout, as it is.
    pub fn whole(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes)?;
        stdout.flush()?;
        Ok(())
    }

    /// A piece of a long document or of many lines, with its line ends: stdout, in any form; as text only if not quiet.
    pub fn piece(&self, text: &str) -> Result<(), Failure> {
        if self.format != Format::Text || !self.quiet {
            let mut stdout = io::stdout().lock();
            stdout.write_all(text.as_bytes())?;
            stdout.flush()?;
        }
        Ok(())
    }

    /// The last line: stdout, or stderr where stdout is a document.
    pub fn summary(&self, line: impl fmt::Display) -> Result<(), Failure> {
        if self.format == Format::Text {
            write_stdout(&line.to_string())?;
        } else {
            note(line);
        }
        Ok(())
    }

    /// The answer itself, where a verb's answer is one line of text (`moves`, `list`): stdout, quiet or not.
    pub fn answer(&self, text: impl fmt::Display) -> Result<(), Failure> {
        if self.format == Format::Text {
            write_stdout(&text.to_string())?;
        }
        Ok(())
    }

    /// A warning: stderr, unless quiet.
    pub fn warn(&self, line: impl fmt::Display) {
        if !self.quiet {
            note(format_args!("warning: {line}"));
        }
    }

    /// Columns of the terminal that stdout is; none for a file or a pipe.
    pub fn width(&self) -> Option<u16> {
        // The table crate already knows how to ask every system.
        comfy_table::Table::new().set_content_arrangement(comfy_table::ContentArrangement::Dynamic).width()
    }

    /// Whether a progress bar may be drawn.
    pub fn progress(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }
}

/// One line on stderr. If even that is closed there is nobody left to tell.
pub fn note(line: impl fmt::Display) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

fn write_stdout(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.write_all(b"\n")?;
    stdout.flush()?;
    Ok(())
}

/// A name in a line of `key=value`: blanks would end it.
pub fn one_word(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_head_words_fields() {
        let summary = Summary::new("run").word("PASS").with("checks", 12).with("report", "a/b.html");
        assert_eq!(summary.to_string(), "run: PASS checks=12 report=a/b.html");
        assert_eq!(summary.json(), serde_json::json!({"result": "PASS", "checks": 12, "report": "a/b.html"}));
    }

    #[test]
    fn what_is_no_number_stays_text() {
        let summary = Summary::new("elo").with("elo", "inf").with("los", "n/a").with("penta", "[1,2,3,4,5]");
        assert_eq!(summary.json(), serde_json::json!({"elo": "inf", "los": "n/a", "penta": [1, 2, 3, 4, 5]}));
    }
}
