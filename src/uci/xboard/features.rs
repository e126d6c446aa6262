//! What an engine asks for by `feature` lines: read, answered by `accepted` or `rejected`, and kept. What it does not say
//! has the value that the protocol gives it, which is that of version 1.
//! Source: the "Chess Engine Communication Protocol", section 9.

use crate::uci::options::{EngineOption, OptionKind};
use std::fmt::Write;

/// The features of one engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Features {
    /// Any feature was named: version 2 is spoken.
    pub(super) heard: bool,
    /// `Some(false)` asks for patience, `Some(true)` ends the list.
    pub(super) done: Option<bool>,
    pub(super) name: Option<String>,
    pub(super) ping: bool,
    pub(super) setboard: bool,
    pub(super) usermove: bool,
    pub(super) san: bool,
    pub(super) time: bool,
    pub(super) reuse: bool,
    pub(super) nps: bool,
    pub(super) memory: bool,
    pub(super) smp: bool,
    /// Variants it plays; none = it does not say.
    pub(super) variants: Option<String>,
    pub(super) options: Vec<EngineOption>,
}

impl Default for Features {
    fn default() -> Features {
        Features {
            heard: false,
            done: None,
            name: None,
            ping: false,
            setboard: false,
            usermove: false,
            san: false,
            time: true,
            reuse: true,
            nps: false,
            memory: false,
            smp: false,
            variants: None,
            options: Vec::new(),
        }
    }
}

impl Features {
    /// Takes in the rest of a `feature` line; the answer has one line for each feature.
    pub(super) fn take(&mut self, text: &str) -> String {
        let mut answer = String::new();
        let mut rest = text.trim();
        while let Some((key, value, after)) = next_pair(rest) {
            rest = after;
            self.heard = true;
            let word = if self.set(key, value) { "accepted" } else { "rejected" };
            // Writing to a String cannot fail.
            let _ = writeln!(answer, "{word} {key}");
        }
        answer
    }

    /// Whether we keep to it.
    fn set(&mut self, key: &str, value: &str) -> bool {
        let on = value != "0";
        match key {
            "ping" => self.ping = on,
            "setboard" => self.setboard = on,
            "usermove" => self.usermove = on,
            "san" => self.san = on,
            "time" => self.time = on,
            "reuse" => self.reuse = on,
            "nps" => self.nps = on,
            "memory" => self.memory = on,
            "smp" => self.smp = on,
            "done" => self.done = Some(on),
            "myname" => self.name = Some(value.to_owned()),
            "variants" => self.variants = Some(value.to_owned()),
            "option" => match parse_option(value) {
                Some(option) => self.options.push(option),
                None => return false,
            },
            // Never sent: signals, `white` and `black`, draw offers, `analyze`. Lines that begin with `#` are read over.
            "sigint" | "sigterm" | "colors" | "draw" | "analyze" | "debug" => {}
            _ => return false,
        }
        true
    }

    /// Whether it names this variant.
    pub(super) fn plays(&self, variant: &str) -> bool {
        let named = self.variants.as_deref().unwrap_or_default();
        named.split(',').any(|name| name.trim() == variant)
    }
}

/// `key=value` or `key="some value"` at the start of a text, and what follows.
fn next_pair(text: &str) -> Option<(&str, &str, &str)> {
    let (key, rest) = text.split_once('=')?;
    // Whatever stands before the key is lost.
    let key = key.split_whitespace().last()?;
    let (value, rest) = match rest.strip_prefix('"') {
        Some(rest) => rest.split_once('"').unwrap_or((rest, "")),
        None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
    };
    Some((key, value, rest))
}

/// `NAME -spin 16 1 1024`, `NAME -check 1`, `NAME -combo A /// *B`, `NAME -button`, `NAME -string text`.
fn parse_option(text: &str) -> Option<EngineOption> {
    let (name, rest) = text.split_once(" -")?;
    let (kind, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut numbers = rest.split_whitespace().map(|word| word.parse().ok());
    let mut number = || numbers.next().flatten();
    let kind = match kind {
        "spin" | "slider" => OptionKind::Spin { default: number(), min: number(), max: number() },
        "check" => OptionKind::Check { default: Some(rest.trim() == "1") },
        "button" | "save" | "reset" => OptionKind::Button,
        "combo" => {
            let values = rest.split("///").map(str::trim);
            let default = values.clone().find_map(|value| value.strip_prefix('*'));
            let plain = |value: &str| value.strip_prefix('*').unwrap_or(value).to_owned();
            OptionKind::Combo { default: default.map(str::to_owned), values: values.map(plain).collect() }
        }
        "string" | "file" | "path" => OptionKind::Text { default: Some(rest.to_owned()) },
        _ => return None,
    };
    Some(EngineOption { name: name.trim().to_owned(), kind })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_hoichess_and_phalanx() {
        let mut features = Features::default();
        let answer = features
            .take(r#"myname="HoiChess 0.22" variants="normal" ping=1 setboard=1 sigint=0 name=1 smp=1"#);
        assert_eq!(
            answer,
            "accepted myname\naccepted variants\naccepted ping\naccepted setboard\naccepted sigint\nrejected name\naccepted smp\n"
        );
        assert_eq!(features.name.as_deref(), Some("HoiChess 0.22"));
        assert!(features.ping && features.setboard && features.smp && !features.usermove && features.time);
        assert!(features.plays("normal") && !features.plays("fischerandom"));
        features.take(r#"usermove=1 option="Randomizer (0-50) -slider 0 0 50" ping=0 done=1"#);
        assert!(features.usermove && !features.ping);
        assert_eq!(features.done, Some(true));
        assert_eq!(features.options[0].name, "Randomizer (0-50)");
        assert_eq!(
            features.options[0].kind,
            OptionKind::Spin { default: Some(0), min: Some(0), max: Some(50) }
        );
    }

    #[test]
    fn options_of_every_type() {
        let kind = |text| parse_option(text).unwrap().kind;
        assert_eq!(kind("Resign -check 1"), OptionKind::Check { default: Some(true) });
        assert_eq!(kind("Clear Hash -button"), OptionKind::Button);
        assert_eq!(kind("Book -file /a b"), OptionKind::Text { default: Some("/a b".to_owned()) });
        assert_eq!(
            kind("Style -combo Solid /// *Wild"),
            OptionKind::Combo {
                default: Some("Wild".to_owned()),
                values: vec!["Solid".to_owned(), "Wild".to_owned()]
            }
        );
        assert_eq!(parse_option("Nothing"), None);
    }

    #[test]
    fn nonsense_is_read_over() {
        let mut features = Features::default();
        assert_eq!(features.take(""), "");
        assert_eq!(features.take("= =1 ping"), "");
        assert_eq!(features.take(r#"x ping=1 myname="no end"#), "accepted ping\naccepted myname\n");
        assert_eq!(features.name.as_deref(), Some("no end"));
    }
}
