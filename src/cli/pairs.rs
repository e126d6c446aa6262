//! Flags whose value is a list of `key=value`: `--openings`, `--draw`, `--resign`. It knows no verb.

use super::config::nearest;
use super::exit::Failure;
use std::str::FromStr;

/// The settings of one such flag: known keys only, each given once.
#[derive(Debug)]
pub struct Pairs<'a> {
    flag: &'static str,
    known: Vec<String>,
    given: Vec<(&'a str, &'a str)>,
}

impl<'a> Pairs<'a> {
    /// Splits `k=v,k=v`; keys not among `known` and keys given twice are refused.
    pub fn parse(flag: &'static str, text: &'a str, known: &[&str]) -> Result<Pairs<'a>, Failure> {
        let known: Vec<String> = known.iter().map(|&key| key.to_owned()).collect();
        let mut given: Vec<(&str, &str)> = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (key, value) = part.split_once('=').ok_or_else(|| {
                let instead = match known.iter().any(|key| key == "file") {
                    true => format!("write file={part}"),
                    false => format!("keys are {}", known.join(", ")),
                };
                Failure::usage(format!("{flag}: `{part}` is no key=value; {instead}"))
            })?;
            let (key, value) = (key.trim(), value.trim());
            if !known.iter().any(|name| name == key) {
                let hint =
                    nearest(key, &known).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                return Err(Failure::usage(format!("{flag}: unknown key `{key}`{hint}")));
            }
            if given.iter().any(|(earlier, _)| *earlier == key) {
                return Err(Failure::usage(format!("{flag}: `{key}` is given twice")));
            }
            given.push((key, value));
        }
        Ok(Pairs { flag, known, given })
    }

    /// The value of a key, if it is there.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        debug_assert!(self.known.iter().any(|name| name == key), "{key} is looked for but not allowed");
        self.given.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
    }

    /// The value of a key as a number or `true`/`false`, if it is there.
    pub fn value<T: FromStr>(&self, key: &str) -> Result<Option<T>, Failure> {
        let Some(text) = self.text(key) else { return Ok(None) };
        let wrong = |_| Failure::usage(format!("{}: {key}: `{text}` is not a value it can have", self.flag));
        text.parse().map(Some).map_err(wrong)
    }

    /// The same for a key that must be there.
    pub fn needed<T: FromStr>(&self, key: &str) -> Result<T, Failure> {
        self.value(key)?.ok_or_else(|| Failure::usage(format!("{}: `{key}` is missing", self.flag)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_values() {
        let pairs =
            Pairs::parse("--draw", "movecount=5, score=10", &["movenumber", "movecount", "score"]).unwrap();
        assert_eq!(pairs.needed::<u32>("movecount").unwrap(), 5);
        assert_eq!(pairs.value::<u32>("movenumber").unwrap(), None);
        assert!(pairs.needed::<u32>("movenumber").unwrap_err().line().contains("`movenumber` is missing"));
    }

    #[test]
    fn mistakes_are_named() {
        let line = |text: &str| Pairs::parse("--draw", text, &["movecount", "score"]).unwrap_err().line();
        assert!(line("movecont=5").contains("did you mean `movecount`?"));
        assert!(line("score").contains("`score` is no key=value"));
        assert!(line("score=1,score=2").contains("twice"));
        let pairs = Pairs::parse("--draw", "score=ten", &["score"]).unwrap();
        assert!(pairs.value::<i32>("score").unwrap_err().line().contains("`ten`"));
    }
}
