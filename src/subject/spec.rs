//! Engine SPECs: `embedded`, `embedded:lmr=off,nodes=2000`, `cmd=/usr/games/stockfish,option.Hash=32,tc=10+0.1`.
//! Text to values and back; starts nothing and reads no files (`@file.toml` is `cli`'s). Settings are separated by
//! commas, `\,` is a comma; an unknown key is refused with the nearest known one.

use super::limit::{PlayerLimit, TimeControl, milliseconds};
use crate::engine::{ParamError, Params};
use crate::uci::{CommandSpec, Protocol};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What is wrong with a SPEC. The message shows the SPEC and the key.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    #[error("engine `{spec}`: write `embedded`, `embedded:key=value,...` or `cmd=PATH,...`{hint}")]
    Form { spec: String, hint: String },
    #[error("engine `{spec}`: `{text}` is no key=value")]
    NoValue { spec: String, text: String },
    #[error("engine `{spec}`: unknown key `{key}`{}", nearest.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
    UnknownKey { spec: String, key: String, nearest: Option<String> },
    #[error("engine `{spec}`: {key}: {why}")]
    Unsupported { spec: String, key: String, why: String },
    #[error("engine `{spec}`: `{key}` is given twice")]
    Twice { spec: String, key: String },
    #[error("engine `{spec}`: {key}: `{value}` is not {expected}")]
    Value { spec: String, key: String, value: String, expected: String },
}

/// An engine and its limits, as a SPEC says them. Serialised as the SPEC text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EngineSpec {
    /// Unique in a match; in messages and records.
    pub name: String,
    pub kind: EngineKind,
    pub limit: PlayerLimit,
    pub hash_mib: Option<u32>,
    pub threads: Option<u32>,
    /// It thinks on its opponent's time.
    pub ponder: bool,
    /// Keys that the SPEC itself gave: `--each` leaves them alone. No part of what the engine is.
    given: Vec<String>,
}

/// Who plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineKind {
    /// The engine inside this program.
    Embedded { params: Params },
    /// A child process that speaks UCI or the xboard protocol.
    Command(CommandSpec),
}

impl PartialEq for EngineSpec {
    fn eq(&self, other: &EngineSpec) -> bool {
        let own = (&self.name, &self.kind, &self.limit, self.hash_mib, self.threads, self.ponder);
        own == (&other.name, &other.kind, &other.limit, other.hash_mib, other.threads, other.ponder)
    }
}

impl Eq for EngineSpec {}

/// Keys of both forms, of a command, and the prefixes of a command; what the embedded engine adds is in its own table.
const COMMON_KEYS: [&str; 9] =
    ["name", "tc", "movetime", "nodes", "depth", "margin", "nodestime", "hash", "threads"];
const COMMAND_KEYS: [&str; 5] = ["cmd", "arg", "dir", "proto", "ponder"];
const COMMAND_PREFIXES: [&str; 2] = ["env.", "option."];
/// Any of these says how long to search; `--each` gives its own only to engines that have none of them.
const LIMIT_KEYS: [&str; 4] = ["tc", "movetime", "nodes", "depth"];

impl EngineSpec {
    /// Threads that it searches with, as far as its settings tell; one, where they do not.
    pub fn threads_in_use(&self) -> usize {
        self.threads_set().unwrap_or(1)
    }

    /// Threads that it is told to search with: `threads=`, or the option of that name.
    pub fn threads_set(&self) -> Option<usize> {
        let by_option = || match &self.kind {
            EngineKind::Command(command) => command
                .options
                .iter()
                .rev()
                .find(|(name, _)| name.eq_ignore_ascii_case("Threads"))
                .and_then(|(_, value)| value.trim().parse().ok()),
            EngineKind::Embedded { .. } => None,
        };
        self.threads.or_else(by_option).map(|threads| threads.max(1) as usize)
    }

    /// The embedded engine as it is.
    pub fn embedded() -> EngineSpec {
        EngineSpec::new(EngineKind::Embedded { params: Params::default() })
    }

    fn new(kind: EngineKind) -> EngineSpec {
        let limit = PlayerLimit::default();
        let (hash_mib, threads, ponder, given) = (None, None, false, Vec::new());
        EngineSpec { name: String::new(), kind, limit, hash_mib, threads, ponder, given }.named()
    }

    /// Reads a SPEC.
    pub fn parse(text: &str) -> Result<EngineSpec, SpecError> {
        EngineSpec::parse_with_each(text, "")
    }

    /// Reads a SPEC and the settings for all engines (`--each`), of which the SPEC's own ones win.
    pub fn parse_with_each(text: &str, each: &str) -> Result<EngineSpec, SpecError> {
        let text = text.trim();
        let settings = match text.strip_prefix("embedded") {
            Some("") => Vec::new(),
            Some(rest) if rest.starts_with(':') => split_settings(text, &rest[1..])?,
            _ if text.contains('=') => split_settings(text, text)?,
            _ => {
                let hint =
                    if text.is_empty() { String::new() } else { format!("; did you mean `cmd={text}`?") };
                return Err(SpecError::Form { spec: text.to_owned(), hint });
            }
        };
        let mut spec = if text.starts_with("embedded") && (text.len() == 8 || text.as_bytes()[8] == b':') {
            EngineSpec::embedded()
        } else {
            match settings.iter().find(|(key, _)| *key == "cmd") {
                Some((_, cmd)) if !cmd.is_empty() => {
                    EngineSpec::new(EngineKind::Command(CommandSpec::new(cmd.as_str())))
                }
                _ => {
                    return Err(SpecError::Form {
                        spec: text.to_owned(),
                        hint: "; there is no cmd".to_owned(),
                    });
                }
            }
        };
        for (key, value) in &settings {
            let repeats = *key == "arg";
            if !repeats && spec.given.iter().any(|known| known == key) {
                return Err(SpecError::Twice { spec: text.to_owned(), key: (*key).to_owned() });
            }
            spec.set(text, key, value)?;
            spec.given.push((*key).to_owned());
        }
        spec.with_each(each).map(EngineSpec::named)
    }

    /// Adds settings meant for all engines: `nodes=2000,hash=32`. What the SPEC itself says stays; limits come in only
    /// where it says none. Techniques are for embedded engines, options and arguments for commands: each takes its own.
    pub fn with_each(mut self, each: &str) -> Result<EngineSpec, SpecError> {
        let has_limit = self.given.iter().any(|key| LIMIT_KEYS.contains(&key.as_str()));
        let mut probe = EngineSpec::embedded();
        for (key, value) in split_settings(each, each)? {
            let for_command =
                COMMAND_KEYS.contains(&key) || COMMAND_PREFIXES.iter().any(|prefix| key.starts_with(prefix));
            let is_common = COMMON_KEYS.contains(&key);
            if key == "name" || key == "cmd" {
                let expected = "for one engine only, so not for --each".to_owned();
                return Err(SpecError::Value { spec: each.to_owned(), key: key.to_owned(), value, expected });
            }
            if !for_command {
                // Whoever it is for, it has to be right.
                probe.set(each, key, &value)?;
            }
            let wanted = is_common || for_command == matches!(self.kind, EngineKind::Command(_));
            let is_given = self.given.iter().any(|known| known.eq_ignore_ascii_case(key));
            if wanted && !is_given && !(has_limit && LIMIT_KEYS.contains(&key)) {
                self.set(each, key, &value)?;
            }
        }
        Ok(self.named())
    }

    /// Where the SPEC gives no name, its limit becomes part of the default one: `embedded depth=3`.
    pub fn with_limit_in_name(mut self) -> EngineSpec {
        let limit = self.limit.to_string().replace(',', " ");
        if limit.is_empty() || self.given.iter().any(|key| key == "name") {
            return self;
        }
        self.name = format!("{} {limit}", self.name);
        self.given.push("name".to_owned());
        self.named()
    }

    /// The same engine under another name.
    pub fn renamed(&self, name: &str) -> EngineSpec {
        let mut spec = EngineSpec { name: name.to_owned(), ..self.clone() };
        spec.given.push("name".to_owned());
        spec.named()
    }

    /// Gives it its default name if it has none of its own.
    fn named(mut self) -> EngineSpec {
        if !self.given.iter().any(|key| key == "name") {
            self.name = match &self.kind {
                EngineKind::Embedded { params } => {
                    let changes = params.changes();
                    std::iter::once("embedded".to_owned())
                        .chain(changes.iter().map(|(id, value)| format!("{id}={value}")))
                        .collect::<Vec<_>>()
                        .join(" ")
                }
                EngineKind::Command(command) => CommandSpec::new(command.path.clone()).name,
            };
        }
        if let EngineKind::Command(command) = &mut self.kind {
            command.name.clone_from(&self.name);
        }
        self
    }

    fn set(&mut self, spec: &str, key: &str, value: &str) -> Result<(), SpecError> {
        let bad = |expected: &str| SpecError::Value {
            spec: spec.to_owned(),
            key: key.to_owned(),
            value: value.to_owned(),
            expected: expected.to_owned(),
        };
        let count = |most: u64| match value.parse::<u64>() {
            Ok(number) if (1..=most).contains(&number) => Ok(number),
            _ => Err(bad(&format!("a whole number from 1 to {most}"))),
        };
        match key {
            "name" if value.is_empty() || value.contains(char::is_control) => return Err(bad("a name")),
            "name" => self.name = value.to_owned(),
            "tc" => {
                self.limit.tc = Some(TimeControl::parse(value).ok_or_else(|| {
                    bad("[moves/]seconds[+seconds], periods separated by `:`, or *seconds for an hourglass")
                })?)
            }
            "movetime" => {
                let time = milliseconds(value).filter(|time| !time.is_zero());
                self.limit.movetime = Some(time.ok_or_else(|| bad("a number of milliseconds above 0"))?);
            }
            "margin" => {
                self.limit.margin = milliseconds(value).ok_or_else(|| bad("a number of milliseconds"))?
            }
            "nodestime" => self.limit.nodes_per_ms = Some(count(1_000_000_000)?),
            "nodes" => self.limit.nodes = Some(count(u64::MAX)?),
            "depth" => self.limit.depth = Some(count(1000)? as u32),
            "hash" => self.hash_mib = Some(count(1 << 20)? as u32),
            "threads" => self.threads = Some(count(1024)? as u32),
            "ponder" => self.set_ponder(spec, value)?,
            _ => match &mut self.kind {
                EngineKind::Embedded { params } => params.set(key, value).map_err(|error| match error {
                    ParamError::BadValue { range, .. } => bad(&format!("one of {range}")),
                    ParamError::Unsupported { why, .. } => {
                        SpecError::Unsupported { spec: spec.to_owned(), key: key.to_owned(), why }
                    }
                    ParamError::Unknown { .. } => {
                        unknown(spec, key, Params::table().iter().map(|info| info.id).chain(["preset"]))
                    }
                })?,
                EngineKind::Command(command) => set_command(command, spec, key, value)?,
            },
        }
        Ok(())
    }

    fn set_ponder(&mut self, spec: &str, value: &str) -> Result<(), SpecError> {
        let (spec, key) = (spec.to_owned(), "ponder".to_owned());
        self.ponder = match value {
            "on" | "true" => true,
            "off" | "false" => false,
            _ => {
                let expected = "on or off".to_owned();
                return Err(SpecError::Value { spec, key, value: value.to_owned(), expected });
            }
        };
        if self.ponder && self.is_embedded() {
            let why =
                "in this process it does not think on its opponent's time; as `cmd=gauntlet,arg=uci` it does";
            return Err(SpecError::Unsupported { spec, key, why: why.to_owned() });
        }
        Ok(())
    }

    /// The process that is this engine: of the embedded one `program uci`, its techniques as options.
    pub fn command(&self, program: &Path) -> CommandSpec {
        match &self.kind {
            EngineKind::Command(command) => command.clone(),
            EngineKind::Embedded { params } => CommandSpec {
                name: self.name.clone(),
                path: program.to_owned(),
                args: vec!["uci".to_owned()],
                options: params.changes().into_iter().map(|(id, value)| (id.to_owned(), value)).collect(),
                ..CommandSpec::default()
            },
        }
    }

    /// The same engine as a process of its own.
    pub fn as_child(&self, program: &Path) -> EngineSpec {
        EngineSpec { kind: EngineKind::Command(self.command(program)), ..self.clone() }
    }

    /// Whether it is the engine inside this program.
    pub fn is_embedded(&self) -> bool {
        matches!(self.kind, EngineKind::Embedded { .. })
    }
}

fn set_command(command: &mut CommandSpec, spec: &str, key: &str, value: &str) -> Result<(), SpecError> {
    let bad = |expected: &str| SpecError::Value {
        spec: spec.to_owned(),
        key: key.to_owned(),
        value: value.to_owned(),
        expected: expected.to_owned(),
    };
    let value_text = value.to_owned();
    match key {
        "cmd" => command.path = PathBuf::from(value),
        "arg" => command.args.push(value_text),
        "dir" => command.dir = Some(PathBuf::from(value)),
        "proto" => command.protocol = Protocol::from_id(value).ok_or_else(|| bad("uci or xboard"))?,
        _ => match key.split_once('.') {
            Some(("env", name)) if !name.is_empty() && !name.contains('=') => {
                command.env.push((name.to_owned(), value_text))
            }
            Some(("option", name)) if !name.trim().is_empty() => {
                command.options.push((name.trim().to_owned(), value_text))
            }
            _ => {
                let prefixes = ["env.NAME", "option.NAME"];
                return Err(unknown(spec, key, COMMAND_KEYS.into_iter().chain(prefixes)));
            }
        },
    }
    Ok(())
}

fn unknown<'a>(spec: &str, key: &str, known: impl Iterator<Item = &'a str>) -> SpecError {
    let likeness = |name: &str| strsim::jaro_winkler(name, key);
    let best = known.chain(COMMON_KEYS).max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let nearest = best.filter(|name| likeness(name) > 0.75).map(str::to_owned);
    SpecError::UnknownKey { spec: spec.to_owned(), key: key.to_owned(), nearest }
}

/// Splits at commas that no backslash precedes; keys are trimmed, values keep their inner text.
fn split_settings<'a>(spec: &str, text: &'a str) -> Result<Vec<(&'a str, String)>, SpecError> {
    let mut settings = Vec::new();
    let mut start = 0;
    let ends = text.match_indices(',').map(|(i, _)| i).filter(|&i| i == 0 || text.as_bytes()[i - 1] != b'\\');
    for end in ends.chain([text.len()]) {
        let part = &text[start..end];
        start = end + 1;
        if part.trim().is_empty() {
            // An empty text, or a comma at the end: nothing is meant, nothing is lost.
            continue;
        }
        match part.split_once('=') {
            Some((key, value)) if !key.trim().is_empty() => {
                settings.push((key.trim(), value.trim().replace("\\,", ",")))
            }
            _ => return Err(SpecError::NoValue { spec: spec.to_owned(), text: part.trim().to_owned() }),
        }
    }
    Ok(settings)
}

impl fmt::Display for EngineSpec {
    /// A SPEC text that reads back as the same engine.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut settings: Vec<(String, String)> = vec![("name".to_owned(), self.name.clone())];
        match &self.kind {
            EngineKind::Embedded { params } => {
                f.write_str("embedded:")?;
                settings.extend(params.changes().into_iter().map(|(id, value)| (id.to_owned(), value)));
            }
            EngineKind::Command(command) => {
                settings.insert(0, ("cmd".to_owned(), command.path.display().to_string()));
                if command.protocol != Protocol::default() {
                    settings.push(("proto".to_owned(), command.protocol.id().to_owned()));
                }
                settings.extend(command.args.iter().map(|arg| ("arg".to_owned(), arg.clone())));
                settings.extend(command.dir.iter().map(|dir| ("dir".to_owned(), dir.display().to_string())));
                settings.extend(command.env.iter().map(|(key, value)| (format!("env.{key}"), value.clone())));
                settings.extend(
                    command.options.iter().map(|(key, value)| (format!("option.{key}"), value.clone())),
                );
            }
        }
        settings.extend(self.hash_mib.map(|mib| ("hash".to_owned(), mib.to_string())));
        settings.extend(self.threads.map(|threads| ("threads".to_owned(), threads.to_string())));
        settings.extend(self.ponder.then(|| ("ponder".to_owned(), "on".to_owned())));
        let mut text: Vec<String> =
            settings.into_iter().map(|(key, value)| format!("{key}={}", value.replace(',', "\\,"))).collect();
        let limit = self.limit.to_string();
        if !limit.is_empty() {
            text.push(limit);
        }
        f.write_str(&text.join(","))
    }
}

impl From<EngineSpec> for String {
    fn from(spec: EngineSpec) -> String {
        spec.to_string()
    }
}

impl TryFrom<String> for EngineSpec {
    type Error = SpecError;

    fn try_from(text: String) -> Result<EngineSpec, SpecError> {
        EngineSpec::parse(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn command(spec: &EngineSpec) -> &CommandSpec {
        match &spec.kind {
            EngineKind::Command(command) => command,
            EngineKind::Embedded { .. } => panic!("not a command"),
        }
    }

    #[test]
    fn embedded_with_switches_and_limits() {
        let spec = EngineSpec::parse("embedded:name=weak,lmr=off,nodes=2000,hash=8").unwrap();
        assert_eq!((spec.name.as_str(), spec.limit.nodes, spec.hash_mib), ("weak", Some(2000), Some(8)));
        let EngineKind::Embedded { params } = &spec.kind else { panic!("not embedded") };
        assert_eq!(params.changes(), [("lmr", "off".to_owned())]);
        assert_eq!(EngineSpec::parse("embedded").unwrap(), EngineSpec::embedded());
        assert_eq!(EngineSpec::parse(" embedded: ").unwrap().name, "embedded");
        assert_eq!(EngineSpec::parse("embedded:lmr=off").unwrap().name, "embedded lmr=off");
    }

    #[test]
    fn commands() {
        let text = r"cmd=/opt/e x,name=N,arg=-a\,b,arg=c=d,dir=/tmp,env.K=V=W,option.Clear Hash=,option.LogFile=c:\best value\log.txt,proto=uci,tc=40/60+0.6,margin=50";
        let spec = EngineSpec::parse(text).unwrap();
        let e = command(&spec);
        assert_eq!(
            (e.name.as_str(), e.path.to_str(), e.dir.as_ref().and_then(|dir| dir.to_str())),
            ("N", Some("/opt/e x"), Some("/tmp"))
        );
        assert_eq!(e.args, ["-a,b", "c=d"]);
        assert_eq!(e.env, [("K".to_owned(), "V=W".to_owned())]);
        assert_eq!(e.options[0], ("Clear Hash".to_owned(), String::new()));
        assert_eq!(e.options[1], ("LogFile".to_owned(), r"c:\best value\log.txt".to_owned()));
        assert_eq!(spec.limit.tc.unwrap().to_string(), "40/60+0.6");
        assert_eq!(spec.limit.margin, Duration::from_millis(50));
        assert_eq!(EngineSpec::parse("cmd=/usr/games/stockfish").unwrap().name, "stockfish");
    }

    #[test]
    fn text_reads_back() {
        for text in [
            "embedded",
            "embedded:name=a b,lmr=off,null-move=off,depth=5,movetime=0.5",
            r"cmd=/x,name=y\,z,arg=1,arg=2,env.A=b,option.Hash=16,hash=4,threads=2,tc=1+0.01,nodes=7,margin=10",
            "cmd=/usr/games/phalanx,proto=xboard,movetime=100",
            "cmd=/x,tc=1+0.01,ponder=on",
        ] {
            let spec = EngineSpec::parse(text).unwrap();
            assert_eq!(EngineSpec::parse(&spec.to_string()).unwrap(), spec, "{text}");
            let json = serde_json::to_string(&spec).unwrap();
            assert_eq!(serde_json::from_str::<EngineSpec>(&json).unwrap(), spec);
        }
    }

    #[test]
    fn each_fills_in() {
        let each = "nodes=2000,hash=16,lmr=off,option.Hash=9,margin=5";
        let spec = EngineSpec::parse_with_each("embedded:hash=8", each).unwrap();
        assert_eq!(
            (spec.limit.nodes, spec.hash_mib, spec.name.as_str()),
            (Some(2000), Some(8), "embedded lmr=off")
        );
        let spec = EngineSpec::parse_with_each("embedded:lmr=on,depth=4", each).unwrap();
        assert_eq!((spec.limit.nodes, spec.limit.depth, spec.name.as_str()), (None, Some(4), "embedded"));
        assert_eq!(spec.limit.margin, Duration::from_millis(5));
        // For engines in processes of their own.
        let each_pondering = |spec| EngineSpec::parse_with_each(spec, "tc=1,ponder=on").unwrap().ponder;
        assert!(
            each_pondering("cmd=/x") && !each_pondering("cmd=/x,ponder=off") && !each_pondering("embedded")
        );
        let spec = EngineSpec::parse_with_each("cmd=/x,option.hash=7", each).unwrap();
        assert_eq!((command(&spec).options.len(), spec.limit.nodes), (1, Some(2000)));
        let spec = EngineSpec::parse("cmd=/x").unwrap().with_each("option.Hash=9,tc=1+0.1").unwrap();
        assert_eq!((command(&spec).options.len(), spec.limit.tc.is_some()), (1, true));
    }

    #[test]
    fn mistakes_are_named() {
        let message = |text: &str| EngineSpec::parse(text).unwrap_err().to_string();
        assert!(
            message("embedded:lmrr=off").contains("unknown key `lmrr`; did you mean `lmr`?"),
            "{}",
            message("embedded:lmrr=off")
        );
        assert!(message("embedded:node=5").contains("did you mean `nodes`?"));
        assert!(message("cmd=/x,argg=1").contains("did you mean `arg`?"));
        assert!(message("cmd=/x,optoin.Hash=1").contains("did you mean `option.NAME`?"));
        assert!(message("cmd=/x,lmr=off").contains("unknown key `lmr`"));
        assert!(message("/usr/games/stockfish").contains("did you mean `cmd=/usr/games/stockfish`?"));
        assert!(message("").contains("write `embedded`"));
        assert!(message("name=x").contains("there is no cmd"));
        assert!(message("cmd=").contains("there is no cmd"));
        assert!(message("embeddedd:lmr=off").contains("there is no cmd"));
        assert!(message("embedded:lmr").contains("`lmr` is no key=value"));
        assert!(message("embedded:depth=0").contains("depth: `0` is not a whole number from 1"));
        assert!(message("embedded:depth=1,depth=2").contains("`depth` is given twice"));
        assert!(message("embedded:tc=fast").contains("tc: `fast`"));
        assert!(message("embedded:lmr=maybe").contains("on/off"), "{}", message("embedded:lmr=maybe"));
        assert!(message("cmd=/x,ponder=yes").contains("ponder: `yes` is not on or off"));
        assert!(message("embedded:ponder=on").contains("as `cmd=gauntlet,arg=uci` it does"));
        assert!(message("cmd=/x,proto=ucci").contains("proto: `ucci` is not uci or xboard"));
        assert!(EngineSpec::parse_with_each("cmd=/x", "lmrr=off").is_err());
        assert!(EngineSpec::parse_with_each("cmd=/x", "name=y").is_err());
    }
}
