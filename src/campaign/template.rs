//! Texts with levels of factors put in: `embedded:depth={depth-1}`. In braces stands a factor, or a factor, one of `+ - * /` and a
//! number or a second factor. Whole numbers stay whole: what does not divide evenly is refused, not rounded.
//!
//! Must not know what the text means.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A level of a factor.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged, expecting = "a level is a number or a text")]
pub enum Level {
    Whole(i64),
    Real(f64),
    Text(String),
}

impl Level {
    fn parse(text: &str) -> Option<Level> {
        let real = || text.parse().ok().filter(|value: &f64| value.is_finite()).map(Level::Real);
        text.parse().ok().map(Level::Whole).or_else(real)
    }
}

impl fmt::Display for Level {
    /// Reals to twelve digits: what binary fractions add (0.30000000000000004) is not shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Level::Whole(value) => value.fmt(f),
            Level::Real(value) => format!("{value:.11e}").parse().unwrap_or(*value).fmt(f),
            Level::Text(text) => f.write_str(text),
        }
    }
}

/// The levels of one cell, by factor.
pub type Levels = Vec<(String, Level)>;

/// What is wrong with a template, or with what it makes of a cell.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TemplateError {
    #[error("`{{` and `}}` do not match")]
    Braces,
    #[error("`{{{text}}}`: no factor `{name}`; there are {known}")]
    Unknown { text: String, name: String, known: String },
    #[error("`{{{text}}}`: level `{level}` is no number")]
    NoNumber { text: String, level: String },
    #[error("`{{{text}}}`: {what} is no whole number")]
    Fraction { text: String, what: String },
    #[error("`{{{text}}}`: {what} is no number that can be had")]
    Range { text: String, what: String },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl Operation {
    fn of(sign: char) -> Option<Operation> {
        Some(match sign {
            '+' => Operation::Add,
            '-' => Operation::Subtract,
            '*' => Operation::Multiply,
            '/' => Operation::Divide,
            _ => return None,
        })
    }
}

#[derive(Clone, PartialEq, Debug)]
enum Operand {
    Number(Level),
    Factor(String),
}

#[derive(Clone, PartialEq, Debug)]
enum Part {
    Text(String),
    Factor {
        /// As it stands between the braces.
        text: String,
        name: String,
        change: Option<(char, Operation, Operand)>,
    },
}

/// A text with places for levels.
#[derive(Clone, PartialEq, Debug)]
pub struct Template {
    parts: Vec<Part>,
}

impl Template {
    /// Reads a text; in its braces may stand these factors.
    pub fn parse(text: &str, factors: &[&str]) -> Result<Template, TemplateError> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(open) = rest.find(['{', '}']) {
            let (before, from) = rest.split_at(open);
            let inner = from.strip_prefix('{').ok_or(TemplateError::Braces)?;
            let close = inner.find(['{', '}']).ok_or(TemplateError::Braces)?;
            let (inside, after) = inner.split_at(close);
            parts.push(Part::Text(before.to_owned()));
            parts.push(place(inside, factors)?);
            rest = after.strip_prefix('}').ok_or(TemplateError::Braces)?;
        }
        parts.push(Part::Text(rest.to_owned()));
        Ok(Template { parts })
    }

    /// The factors in it, in order, each as often as it is there.
    pub fn factors(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().flat_map(|part| match part {
            Part::Text(_) => Vec::new(),
            Part::Factor { name, change: Some((_, _, Operand::Factor(other))), .. } => {
                vec![name.as_str(), other.as_str()]
            }
            Part::Factor { name, .. } => vec![name.as_str()],
        })
    }

    /// The text of a cell, which has a level of every factor.
    pub fn fill(&self, levels: &Levels) -> Result<String, TemplateError> {
        self.parts.iter().map(|part| fill(part, levels)).collect()
    }
}

/// What stands in one pair of braces. A factor may have a `-` in its name, so the longest name that is one is taken.
fn place(text: &str, factors: &[&str]) -> Result<Part, TemplateError> {
    let known = |name: &str| factors.contains(&name);
    let whole = text.trim();
    let unknown = |name: &str| TemplateError::Unknown {
        text: text.to_owned(),
        name: name.trim().to_owned(),
        known: factors.join(", "),
    };
    if known(whole) {
        return Ok(Part::Factor { text: text.to_owned(), name: whole.to_owned(), change: None });
    }
    let split = whole.char_indices().rev().find_map(|(at, sign)| {
        let name = whole[..at].trim_end();
        Some((name, sign, Operation::of(sign)?, whole[at + 1..].trim())).filter(|_| known(name))
    });
    let Some((name, sign, operation, operand)) = split else {
        return Err(unknown(whole.split(['+', '-', '*', '/']).next().unwrap_or(whole)));
    };
    let operand = match Level::parse(operand) {
        Some(number) => Operand::Number(number),
        None if known(operand) => Operand::Factor(operand.to_owned()),
        None => return Err(unknown(operand)),
    };
    let change = Some((sign, operation, operand));
    Ok(Part::Factor { text: text.to_owned(), name: name.to_owned(), change })
}

fn fill(part: &Part, levels: &Levels) -> Result<String, TemplateError> {
    let (text, name, change) = match part {
        Part::Text(text) => return Ok(text.clone()),
        Part::Factor { text, name, change } => (text, name, change),
    };
    let level = |wanted: &str| {
        levels.iter().find(|(factor, _)| factor == wanted).map(|(_, level)| level).ok_or_else(|| {
            TemplateError::Unknown { text: text.clone(), name: wanted.to_owned(), known: String::new() }
        })
    };
    let own = level(name)?;
    let Some((sign, operation, operand)) = change else { return Ok(own.to_string()) };
    let other = match operand {
        Operand::Number(number) => number,
        Operand::Factor(other) => level(other)?,
    };
    Ok(changed(text, own, (*sign, *operation), other)?.to_string())
}

fn changed(
    text: &str,
    one: &Level,
    (sign, operation): (char, Operation),
    other: &Level,
) -> Result<Level, TemplateError> {
    let real = |level: &Level| match level {
        Level::Whole(value) => Ok(*value as f64),
        Level::Real(value) => Ok(*value),
        Level::Text(level) => Err(TemplateError::NoNumber { text: text.to_owned(), level: level.clone() }),
    };
    let what = || format!("{one}{sign}{other}");
    let range = || TemplateError::Range { text: text.to_owned(), what: what() };
    if let (Level::Whole(one), Level::Whole(other)) = (one, other) {
        let value = match operation {
            Operation::Add => one.checked_add(*other),
            Operation::Subtract => one.checked_sub(*other),
            Operation::Multiply => one.checked_mul(*other),
            Operation::Divide if one.checked_rem(*other).is_some_and(|rest| rest != 0) => {
                return Err(TemplateError::Fraction { text: text.to_owned(), what: what() });
            }
            Operation::Divide => one.checked_div(*other),
        };
        return value.map(Level::Whole).ok_or_else(range);
    }
    let (a, b) = (real(one)?, real(other)?);
    let value = match operation {
        Operation::Add => a + b,
        Operation::Subtract => a - b,
        Operation::Multiply => a * b,
        Operation::Divide => a / b,
    };
    Some(value).filter(|value| value.is_finite()).map(Level::Real).ok_or_else(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str) -> Result<String, String> {
        let factors = ["depth", "eval-noise", "time", "engine", "ahead"];
        let levels: Levels = [
            Level::Whole(5),
            Level::Whole(20),
            Level::Real(0.1),
            Level::Text("lmr=off,killers=off".to_owned()),
            Level::Whole(3),
        ]
        .into_iter()
        .zip(factors)
        .map(|(level, factor)| (factor.to_owned(), level))
        .collect();
        let template = Template::parse(text, &factors).map_err(|error| error.to_string())?;
        template.fill(&levels).map_err(|error| error.to_string())
    }

    #[test]
    fn levels_and_sums_are_put_in() {
        for (text, expected) in [
            ("embedded:depth={depth}", "embedded:depth=5"),
            ("{depth-1} {depth+1} {depth*3} {depth/5}", "4 6 15 1"),
            ("{ depth + 1 }", "6"),
            ("{depth+ahead}{depth*ahead}", "815"),
            // A name with a sign in it is that name, and may be counted with.
            ("{eval-noise}", "20"),
            ("{eval-noise-5}", "15"),
            ("{eval-noise/4}", "5"),
            ("{time}", "0.1"),
            // 0.30000000000000004 in binary fractions.
            ("{time*3}", "0.3"),
            ("{depth/2.0}", "2.5"),
            ("{depth*0.00000000001}", "0.00000000005"),
            ("embedded:{engine},nodes=1", "embedded:lmr=off,killers=off,nodes=1"),
            ("nothing", "nothing"),
            ("", ""),
        ] {
            assert_eq!(filled(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_put_in_is_named() {
        for (text, words) in [
            ("{depth", &["`{` and `}`"][..]),
            ("depth}", &["`{` and `}`"]),
            ("{depth{ahead}}", &["`{` and `}`"]),
            ("{dpeth}", &["{dpeth}", "no factor `dpeth`", "depth, eval-noise"]),
            ("{dpeth-1}", &["no factor `dpeth`"]),
            ("{}", &["no factor ``"]),
            ("{depth-x}", &["{depth-x}", "no factor `x`"]),
            ("{depth-}", &["no factor ``"]),
            ("{depth/2}", &["{depth/2}", "5/2 is no whole number"]),
            ("{depth/0}", &["5/0 is no number"]),
            ("{time/0}", &["0.1/0 is no number"]),
            ("{depth*9223372036854775807}", &["5*9223372036854775807"]),
            ("{engine+1}", &["{engine+1}", "`lmr=off,killers=off` is no number"]),
            ("{depth+engine}", &["`lmr=off,killers=off` is no number"]),
        ] {
            let error = filled(text).unwrap_err();
            assert!(words.iter().all(|word| error.contains(word)), "{text}: {error}");
        }
    }
}
