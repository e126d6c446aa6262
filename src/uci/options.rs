//! Engine options: what an `option` line declares, and the `setoption` line for a value checked against it.
//! Knows no particular engine. Source: the UCI protocol description; rows BR-081 and BR-082 of `tests/data/cases.csv`.

use super::codec::Words;
use thiserror::Error;

/// One option an engine declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineOption {
    /// As the engine spells it; may hold blanks.
    pub name: String,
    pub kind: OptionKind,
}

/// The five types of UCI, and what follows them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    Check { default: Option<bool> },
    Spin { default: Option<i64>, min: Option<i64>, max: Option<i64> },
    Combo { default: Option<String>, values: Vec<String> },
    Button,
    Text { default: Option<String> },
}

/// Why a value cannot be sent. The caller adds the engine's name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OptionError {
    #[error("no option `{name}`{}", nearest.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
    Unknown { name: String, nearest: Option<String> },
    #[error("option {name}: `{value}` is not {expected}")]
    Value { name: String, value: String, expected: String },
}

/// Reads an `option` line; `None` if it is not one, has no name or an unknown type.
pub fn parse_option(line: &str) -> Option<EngineOption> {
    let mut words = Words::new(line);
    if words.next() != Some("option") || words.next() != Some("name") {
        return None;
    }
    let mut name = Vec::new();
    loop {
        match words.next()? {
            "type" if !name.is_empty() => break,
            word => name.push(word),
        }
    }
    let kind = match words.next()? {
        "check" => OptionKind::Check {
            default: labelled(words.rest(), "default").and_then(|text| text.parse().ok()),
        },
        "spin" => {
            let value = |key| labelled(words.rest(), key).and_then(|text| text.parse().ok());
            OptionKind::Spin { default: value("default"), min: value("min"), max: value("max") }
        }
        "combo" => combo(words.rest()),
        "button" => OptionKind::Button,
        // A string's default runs to the end of the line and may hold any word.
        "string" => OptionKind::Text {
            default: words.next().filter(|word| *word == "default").map(|_| words.rest().to_owned()),
        },
        _ => return None,
    };
    Some(EngineOption { name: name.join(" "), kind })
}

/// The word after a key.
fn labelled<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let mut words = Words::new(text);
    words.find(|word| *word == key)?;
    words.next()
}

/// `default A B var A B var C`: values may hold blanks.
fn combo(text: &str) -> OptionKind {
    let (mut default, mut values) = (None, Vec::new());
    let mut is_value = false;
    // A value may be called `default`: the word is a key once, and not right behind a key.
    let (mut seen_default, mut behind_key) = (false, false);
    let mut current: Vec<&str> = Vec::new();
    for word in Words::new(text).chain(["var"]) {
        let is_default = word == "default" && !seen_default && !behind_key;
        behind_key = is_default || word == "var";
        if !behind_key {
            current.push(word);
            continue;
        }
        seen_default |= is_default;
        if !current.is_empty() {
            let value = current.join(" ");
            if is_value {
                values.push(value)
            } else {
                default = Some(value)
            }
            current.clear();
        }
        is_value = word == "var";
    }
    OptionKind::Combo { default, values }
}

/// The option of this name; case and outer blanks do not count.
pub fn find<'a>(options: &'a [EngineOption], name: &str) -> Option<&'a EngineOption> {
    let name = name.trim();
    options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
}

/// The `setoption` line (no line end) for a value, checked against what the engine declared. A button takes no value
/// (or an empty one).
pub fn setoption(options: &[EngineOption], name: &str, value: &str) -> Result<String, OptionError> {
    let (option, value) = check(options, name, value)?;
    let name = &option.name;
    Ok(match value {
        None => format!("setoption name {name}"),
        // UCI's own sign for an empty string.
        Some(value) if value.is_empty() => format!("setoption name {name} value <empty>"),
        Some(value) => format!("setoption name {name} value {value}"),
    })
}

/// The option of this name and the value as the engine spells it, `true` or `false` for a check; no value for a button.
pub(super) fn check<'a>(
    options: &'a [EngineOption],
    name: &str,
    value: &str,
) -> Result<(&'a EngineOption, Option<String>), OptionError> {
    let Some(option) = find(options, name) else {
        return Err(OptionError::Unknown { name: name.trim().to_owned(), nearest: nearest(options, name) });
    };
    let bad = |expected: String| OptionError::Value {
        name: option.name.clone(),
        value: value.to_owned(),
        expected,
    };
    if value.contains(['\n', '\r']) {
        return Err(bad("one line".to_owned()));
    }
    let checked = match &option.kind {
        OptionKind::Button if value.trim().is_empty() => return Ok((option, None)),
        OptionKind::Button => return Err(bad("empty, as a button wants".to_owned())),
        OptionKind::Check { .. } => match value.trim().to_ascii_lowercase().as_str() {
            "true" | "on" => "true".to_owned(),
            "false" | "off" => "false".to_owned(),
            _ => return Err(bad("true or false".to_owned())),
        },
        OptionKind::Spin { min, max, .. } => {
            let (low, high) = (min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
            match value.trim().parse::<i64>() {
                Ok(number) if (low..=high).contains(&number) => number.to_string(),
                _ => return Err(bad(format!("a whole number from {low} to {high}"))),
            }
        }
        OptionKind::Combo { values, .. } => {
            match values.iter().find(|known| known.eq_ignore_ascii_case(value.trim())) {
                Some(known) => known.clone(),
                None => return Err(bad(format!("one of {}", values.join(", ")))),
            }
        }
        OptionKind::Text { .. } => value.to_owned(),
    };
    Ok((option, Some(checked)))
}

/// The declared name most like this one, if any is near.
fn nearest(options: &[EngineOption], name: &str) -> Option<String> {
    let name = name.trim().to_ascii_lowercase();
    let distance = |option: &EngineOption| strsim::jaro_winkler(&option.name.to_ascii_lowercase(), &name);
    let best = options.iter().max_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    (distance(best) > 0.8).then(|| best.name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Vec<EngineOption> {
        [
            "option name Hash type spin default 16 min 1 max 33554432",
            "option name Clear Hash type button",
            "option name LogFile type string default",
            "option name EvalFileSmall type string default nn-baff1ede1f90.nnue",
            "option name Style type combo default Very Solid var Very Solid var Normal var Risky",
            "option name UCI_Chess960 type check default false",
        ]
        .iter()
        .map(|line| parse_option(line).unwrap())
        .collect()
    }

    #[test]
    fn declarations() {
        let options = options();
        assert_eq!(
            options[0].kind,
            OptionKind::Spin { default: Some(16), min: Some(1), max: Some(33_554_432) }
        );
        assert_eq!((options[1].name.as_str(), &options[1].kind), ("Clear Hash", &OptionKind::Button));
        assert_eq!(options[2].kind, OptionKind::Text { default: Some(String::new()) });
        let values = ["Very Solid", "Normal", "Risky"].map(str::to_owned).to_vec();
        assert_eq!(options[4].kind, OptionKind::Combo { default: Some("Very Solid".to_owned()), values });
        assert_eq!(options[5].kind, OptionKind::Check { default: Some(false) });
        let values = ["default", "plain"].map(str::to_owned).to_vec();
        for line in [
            "option name preset type combo default default var default var plain",
            "option name preset type combo var default var plain default default",
        ] {
            let kind = OptionKind::Combo { default: Some("default".to_owned()), values: values.clone() };
            assert_eq!(parse_option(line).unwrap().kind, kind, "{line}");
        }
        for line in [
            "option",
            "option name",
            "option name X",
            "option name X type",
            "option name X type slider",
            "options name X type button",
        ] {
            assert_eq!(parse_option(line), None, "{line}");
        }
    }

    /// BR-081.
    #[test]
    fn setoption_text() {
        let options = options();
        assert_eq!(setoption(&options, "clear hash", "").unwrap(), "setoption name Clear Hash");
        let path = r"c:\best value for money\log.txt";
        assert_eq!(
            setoption(&options, "LogFile", path).unwrap(),
            format!("setoption name LogFile value {path}")
        );
        assert_eq!(setoption(&options, "logfile", "").unwrap(), "setoption name LogFile value <empty>");
        assert_eq!(
            setoption(&options, "STYLE", "very solid").unwrap(),
            "setoption name Style value Very Solid"
        );
        assert_eq!(
            setoption(&options, "uci_chess960", "TRUE").unwrap(),
            "setoption name UCI_Chess960 value true"
        );
    }

    /// BR-082.
    #[test]
    fn values_are_checked() {
        let options = options();
        let value = "nn-37f18f62d772.nnue";
        assert_eq!(
            setoption(&options, "EvalFileSmall", value).unwrap(),
            format!("setoption name EvalFileSmall value {value}")
        );
        assert_eq!(setoption(&options, " Hash", "128").unwrap(), "setoption name Hash value 128");
        let message = |name, value| setoption(&options, name, value).unwrap_err().to_string();
        assert_eq!(message("Hash", "-16"), "option Hash: `-16` is not a whole number from 1 to 33554432");
        assert_eq!(message("FooBar", "11"), "no option `FooBar`");
        assert_eq!(message("Hsah", "11"), "no option `Hsah`; did you mean `Hash`?");
        assert!(message("UCI_Chess960", "maybe").contains("true or false"));
        assert!(message("Style", "wild").contains("one of Very Solid, Normal, Risky"));
        assert!(message("LogFile", "a\nquit").contains("one line"));
        assert!(message("Clear Hash", "now").contains("button"));
    }
}
