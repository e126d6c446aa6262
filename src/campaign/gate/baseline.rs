//! What is known of an engine that does not depend on the machine, and the file it is kept in: JSON, one line for each position and
//! each suite of counts, so that a diff shows what has changed.

use super::stage::Stage;
use crate::suite::{self, SuiteError};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Version of the format; raised when a field changes its meaning.
pub const SCHEMA: u32 = 1;

/// A baseline. What was not measured is absent.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Baseline {
    pub schema: u32,
    /// The name of its SPEC.
    pub engine: String,
    pub seed: u64,
    #[serde(flatten)]
    pub facts: Facts,
}

/// What the stages found.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Facts {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compliance: Option<Compliance>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub perft: Option<Perft>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symmetry: Option<Symmetry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<Signature>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suites: Option<Suites>,
    /// Stages that were made but have nothing to keep, and why: an engine without a signature.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub unmeasured: BTreeMap<String, String>,
}

impl Facts {
    /// Why there is nothing of this stage; none where it was not asked for, or is there.
    pub fn why_not(&self, stage: Stage) -> Option<&str> {
        self.unmeasured.get(stage.id()).map(String::as_str)
    }
}

/// Ids of the protocol checks that it fails.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Compliance {
    pub failed: Vec<String>,
}

/// What was counted, by suite.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Perft {
    pub max_nodes: u64,
    pub suites: BTreeMap<String, Counted>,
}

#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Counted {
    pub counts: u64,
    pub nodes: u64,
}

/// Positions that are not worth the same as their colour-flipped twins: suite and id.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Symmetry {
    /// `eval` or `depth N`.
    pub mode: String,
    pub positions: u64,
    pub different: Vec<String>,
}

/// Nodes of fixed searches.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Signature {
    pub depth: u32,
    pub signature: u64,
    /// At the end of depth 1, 2, …, summed over the positions.
    pub nodes_by_depth: Vec<u64>,
    pub ebf: Option<f64>,
}

/// How each test position ended, by suite and id.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Suites {
    pub nodes: u64,
    pub positions: BTreeMap<String, BTreeMap<String, Attempt>>,
}

impl Suites {
    /// Why no other engine can be compared with these; none if it can.
    pub(super) fn why_not_ranked(&self) -> Option<String> {
        let mut all = self.positions.values().flat_map(BTreeMap::values).peekable();
        let is_none = all.peek().is_some() && all.all(|attempt| *attempt == Attempt::NotRanked);
        is_none.then(|| format!("the engine kept to {} nodes in none of the positions", self.nodes))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Attempt {
    Solved,
    Failed,
    /// The engine did not keep to its limit, or gave no move.
    NotRanked,
}

/// What is wrong with a baseline; `file` is its name, `field` the place in it.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    #[error("{file}:{line}: {what}")]
    Syntax { file: String, line: usize, what: String },
    #[error("{file}: {field}: {what}")]
    Field { file: String, field: String, what: String },
    #[error(transparent)]
    Suite(#[from] SuiteError),
}

impl Baseline {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// What is no baseline, or one of another schema.
    pub fn parse(file: &str, text: &str) -> Result<Baseline, BaselineError> {
        let wrong = |error: serde_json::Error| BaselineError::Syntax {
            file: file.to_owned(),
            line: error.line().max(1),
            what: without_place(&error),
        };
        // First, so that a file of another time is not blamed for its fields.
        let head: Head = serde_json::from_str(text).map_err(wrong)?;
        if head.schema != SCHEMA {
            let what = format!("{} is not {SCHEMA}: make it anew with `gate --update-baseline`", head.schema);
            return Err(BaselineError::Field { file: file.to_owned(), field: "schema".to_owned(), what });
        }
        // `flatten` would let unknown keys pass, and forget the line.
        let whole: Whole = serde_json::from_str(text).map_err(wrong)?;
        let Whole { schema, engine, seed, compliance, perft, symmetry, signature, suites, unmeasured } =
            whole;
        let facts = Facts { compliance, perft, symmetry, signature, suites, unmeasured };
        match facts.nonsense() {
            Some((field, what)) => Err(BaselineError::Field { file: file.to_owned(), field, what }),
            None => Ok(Baseline { schema, engine, seed, facts }),
        }
    }

    /// The text of its file.
    ///
    /// # Errors
    /// Only for want of memory.
    pub fn text(&self) -> Result<String, serde_json::Error> {
        let mut text = String::new();
        write(&mut text, &serde_json::to_value(self)?, 0)?;
        text.push('\n');
        Ok(text)
    }
}

#[derive(Deserialize)]
struct Head {
    schema: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Whole {
    schema: u32,
    engine: String,
    seed: u64,
    compliance: Option<Compliance>,
    perft: Option<Perft>,
    symmetry: Option<Symmetry>,
    signature: Option<Signature>,
    suites: Option<Suites>,
    #[serde(default)]
    unmeasured: BTreeMap<String, String>,
}

impl Facts {
    /// The first figure that no engine can have given: the field, and what is wrong with it.
    fn nonsense(&self) -> Option<(String, String)> {
        let wrong = |field: &str, what: String| Some((field.to_owned(), what));
        let zero = "must be at least 1, not 0";
        for (id, why) in &self.unmeasured {
            let field = format!("unmeasured.{id}");
            let is_there = match Stage::from_id(id) {
                Some(Stage::Compliance) => self.compliance.is_some(),
                Some(Stage::Perft) => self.perft.is_some(),
                Some(Stage::Symmetry) => self.symmetry.is_some(),
                Some(Stage::Signature) => self.signature.is_some(),
                Some(Stage::Suites) => self.suites.is_some(),
                _ => return wrong(&field, "no stage of a baseline".to_owned()),
            };
            if is_there {
                return wrong(&field, format!("`{id}` is there all the same"));
            }
            if why.trim().is_empty() {
                return wrong(&field, "does not say why".to_owned());
            }
        }
        if self.perft.as_ref().is_some_and(|perft| perft.max_nodes == 0) {
            return wrong("perft.max-nodes", zero.to_owned());
        }
        if let Some((name, _)) =
            self.perft.iter().flat_map(|perft| &perft.suites).find(|(_, found)| found.counts == 0)
        {
            return wrong(&format!("perft.suites.{name}.counts"), zero.to_owned());
        }
        if let Some(symmetry) = &self.symmetry {
            let (different, all) = (symmetry.different.len() as u64, symmetry.positions);
            if different > all {
                return wrong("symmetry.different", format!("{different} of {all} positions"));
            }
        }
        if let Some((field, what)) = self.signature.as_ref().and_then(Signature::nonsense) {
            return wrong(&format!("signature.{field}"), what);
        }
        self.suites
            .as_ref()
            .filter(|suites| suites.nodes == 0)
            .and_then(|_| wrong("suites.nodes", zero.to_owned()))
    }
}

impl Signature {
    fn nonsense(&self) -> Option<(&'static str, String)> {
        let Signature { depth, signature, nodes_by_depth, ebf } = self;
        let last = nodes_by_depth.last().copied().unwrap_or(0);
        if *depth == 0 {
            return Some(("depth", "must be at least 1, not 0".to_owned()));
        }
        if *signature == 0 {
            return Some(("signature", "no search has 0 nodes".to_owned()));
        }
        if nodes_by_depth.len() > *depth as usize {
            return Some(("nodes-by-depth", format!("{} depths of {depth}", nodes_by_depth.len())));
        }
        if let Some(pair) = nodes_by_depth.windows(2).find(|pair| pair[1] < pair[0]) {
            return Some(("nodes-by-depth", format!("falls from {} to {}", pair[0], pair[1])));
        }
        if last > *signature {
            return Some((
                "nodes-by-depth",
                format!("ends with {last}, more than the signature {signature}"),
            ));
        }
        // A mean of ratios of counts that do not fall; JSON has no infinity.
        ebf.filter(|ebf| !(1.0..=last.max(1) as f64).contains(ebf))
            .map(|ebf| ("ebf", format!("{ebf} is no branching factor of these nodes")))
    }
}

/// serde_json's own text ends with the place, which stands in front already.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(what, _)| what.to_owned())
}

/// The positions of some suites that have something to solve: by suite their ids and lines.
#[derive(Debug, Default)]
pub(super) struct Names(pub BTreeMap<String, BTreeMap<String, usize>>);

impl Names {
    /// # Errors
    /// A suite that cannot be read, or two positions in one that have the same id: they are told apart by it.
    pub fn load(files: &[String]) -> Result<Names, SuiteError> {
        let mut names = Names::default();
        for file in files {
            let positions = suite::load_positions(file, None)?;
            let ids = names.0.entry(suite::file_name(file).to_owned()).or_default();
            for position in positions.into_iter().filter(|position| position.is_scored()) {
                let line = position.line;
                if let Some(first) = ids.insert(position.id.clone(), line) {
                    let what = format!("a position of the same id `{}` as in line {first}", position.id);
                    return Err(SuiteError::Line { file: file.clone(), line, what });
                }
            }
        }
        names.0.retain(|_, ids| !ids.is_empty());
        Ok(names)
    }

    pub fn positions(&self) -> u64 {
        self.0.values().map(|ids| ids.len() as u64).sum()
    }
}

/// JSON with a line for each entry; a few numbers with names, or a list of numbers, stand on one line.
fn write(text: &mut String, value: &Value, depth: usize) -> Result<(), serde_json::Error> {
    let (brackets, entries): ([char; 2], Vec<(Option<&String>, &Value)>) = match value {
        Value::Object(map) => (['{', '}'], map.iter().map(|(key, value)| (Some(key), value)).collect()),
        Value::Array(list) => (['[', ']'], list.iter().map(|value| (None, value)).collect()),
        scalar => {
            text.push_str(&scalar.to_string());
            return Ok(());
        }
    };
    let numbers = entries.iter().all(|(_, value)| value.is_number());
    let on_one_line = numbers && (value.is_array() || depth >= 3);
    let new_line = |text: &mut String, depth: usize| match on_one_line {
        true => {}
        false => {
            text.push('\n');
            text.extend(std::iter::repeat_n("  ", depth));
        }
    };
    text.push(brackets[0]);
    for (index, (key, value)) in entries.iter().enumerate() {
        text.push_str(match (index, on_one_line) {
            (0, _) => "",
            (_, true) => ", ",
            (_, false) => ",",
        });
        new_line(text, depth + 1);
        if let Some(key) = key {
            text.push_str(&serde_json::to_string(key)?);
            text.push_str(": ");
        }
        write(text, value, depth + 1)?;
    }
    if !entries.is_empty() {
        new_line(text, depth);
    }
    text.push(brackets[1]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_each_position_and_each_suite() {
        let facts = Facts {
            perft: Some(Perft {
                max_nodes: 9,
                suites: BTreeMap::from([("a.epd".to_owned(), Counted { counts: 2, nodes: 420 })]),
            }),
            signature: Some(Signature { depth: 2, signature: 7, nodes_by_depth: vec![3, 7], ebf: None }),
            suites: Some(Suites {
                nodes: 5,
                positions: BTreeMap::from([(
                    "b.epd".to_owned(),
                    BTreeMap::from([
                        ("x, \"y\"".to_owned(), Attempt::Solved),
                        ("z".to_owned(), Attempt::NotRanked),
                    ]),
                )]),
            }),
            ..Facts::default()
        };
        let baseline = Baseline { schema: SCHEMA, engine: "e".to_owned(), seed: 1, facts };
        let text = baseline.text().unwrap();
        for line in [
            "      \"a.epd\": {\"counts\": 2, \"nodes\": 420}",
            "    \"nodes-by-depth\": [3, 7],",
            "        \"x, \\\"y\\\"\": \"solved\",",
            "        \"z\": \"not-ranked\"",
        ] {
            assert!(text.lines().any(|known| known == line), "{line}\n{text}");
        }
        assert_eq!(Baseline::parse("f", &text).unwrap(), baseline);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let refused = |text: &str| Baseline::parse("b.json", text).unwrap_err().to_string();
        assert!(refused("{\n\"schema\": 1,\n").starts_with("b.json:"));
        assert_eq!(
            refused("{\"schema\": 1, \"engine\": \"e\", \"seed\": 1,\n\"sutes\": {}}"),
            "b.json:2: unknown field `sutes`, expected one of `schema`, `engine`, `seed`, `compliance`, `perft`, \
             `symmetry`, `signature`, `suites`, `unmeasured`"
        );
        assert!(refused("{\"schema\": 9}").starts_with("b.json: schema: 9 is not 1"));
        assert!(refused("[]").starts_with("b.json:1: "));
    }
}
