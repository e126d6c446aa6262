//! Engine SPECs as the command line takes them: text, or `@file.toml`, which is turned into that text. What a SPEC
//! means is `subject`'s business; this file only knows TOML and the commas between settings.
//!
//! A file holds the same keys as the text: `cmd = "/usr/games/stockfish"` (or none for the embedded engine), `args = ["-x"]`,
//! `[env]` and `[option]` tables, and any other key as it is.

use super::exit::Failure;
use crate::file;
use std::path::Path;
use toml::{Table, Value};

/// The SPEC itself: `@file.toml` is replaced by what the file says; settings after it (`@file.toml,nodes=1000`) are kept.
pub fn expand(spec: &str) -> Result<String, Failure> {
    let Some(rest) = spec.strip_prefix('@') else { return Ok(spec.to_owned()) };
    let (file, more) = rest.split_once(',').map_or((rest, None), |(file, more)| (file, Some(more)));
    let text = file::settings(Path::new(file)).map_err(|error| Failure::unreadable(file, &error))?;
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let line =
            error.span().map_or(1, |span| text.bytes().take(span.start).filter(|&b| b == b'\n').count() + 1);
        Failure::usage(format!("{file}:{line}: {}", error.message()))
    })?;
    let mut spec = from_table(file, &table)?;
    if let Some(more) = more {
        spec.push(if spec == "embedded" { ':' } else { ',' });
        spec.push_str(more);
    }
    Ok(spec)
}

fn from_table(file: &str, table: &Table) -> Result<String, Failure> {
    let mut settings = Vec::new();
    for (key, value) in table {
        match (key.as_str(), value) {
            ("cmd", _) => {}
            ("args", Value::Array(values)) => {
                for value in values {
                    settings.push(setting("arg", scalar(file, key, value)?));
                }
            }
            ("env" | "option", Value::Table(values)) => {
                for (name, value) in values {
                    settings.push(setting(&format!("{key}.{name}"), scalar(file, key, value)?));
                }
            }
            _ => settings.push(setting(key, scalar(file, key, value)?)),
        }
    }
    Ok(match table.get("cmd") {
        Some(cmd) => {
            settings.insert(0, setting("cmd", scalar(file, "cmd", cmd)?));
            settings.join(",")
        }
        None if settings.is_empty() => "embedded".to_owned(),
        None => format!("embedded:{}", settings.join(",")),
    })
}

fn setting(key: &str, value: String) -> String {
    format!("{key}={}", value.replace(',', "\\,"))
}

/// Switches are written `on` and `off` in a SPEC.
fn scalar(file: &str, key: &str, value: &Value) -> Result<String, Failure> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(number.to_string()),
        Value::Boolean(true) => Ok("on".to_owned()),
        Value::Boolean(false) => Ok("off".to_owned()),
        _ => Err(Failure::usage(format!("{file}: `{key}`: a text, a number or true/false is wanted"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_becomes_the_text_it_stands_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("e.toml");
        let at = format!("@{}", path.display());
        std::fs::write(&path, "name = \"weak\"\nlmr = false\ndepth = 4\n").unwrap();
        assert_eq!(expand(&at).unwrap(), "embedded:depth=4,lmr=off,name=weak");
        std::fs::write(&path, "cmd = \"/bin/e\"\nargs = [\"a,b\", \"c\"]\n[option]\nHash = 16\n").unwrap();
        assert_eq!(
            expand(&format!("{at},nodes=5")).unwrap(),
            "cmd=/bin/e,arg=a\\,b,arg=c,option.Hash=16,nodes=5"
        );
        std::fs::write(&path, "").unwrap();
        assert_eq!(expand(&format!("{at},nodes=5")).unwrap(), "embedded:nodes=5");
    }

    #[test]
    fn a_wrong_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("e.toml");
        let at = format!("@{}", path.display());
        assert!(expand(&at).unwrap_err().line().contains("e.toml"));
        std::fs::write(&path, "name = \"a\"\nlmr = \n").unwrap();
        assert!(expand(&at).unwrap_err().line().contains("e.toml:2:"));
        std::fs::write(&path, "name = [1]\n").unwrap();
        assert!(expand(&at).unwrap_err().line().contains("`name`"));
    }
}
