//! Whether an engine keeps to the UCI protocol: a list of named checks, and the runner that puts an engine through them.
//! Each check is a short conversation in plain lines, judged by the rules of chess; it ends in time whatever the engine
//! does. Must not know how results are recorded or shown.
//! Source: the UCI protocol description (Huber and Meyer-Kahlen, 2006); the documentation of fastchess for what it checks.

mod candidate;
mod info;
mod limits;
mod manners;
mod options;
mod positions;
mod runner;
mod search;
mod start;
mod talk;

pub use runner::{StartError, run};

use candidate::Candidate;
use std::time::Duration;
use talk::Told;

/// What it means if a check fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// The protocol demands it, or no runner can work without it.
    Must,
    /// Good manners that runners lean on: a warning, unless one is strict.
    Should,
    /// Worth knowing; neither good nor bad.
    Info,
}

impl Level {
    pub const fn id(self) -> &'static str {
        match self {
            Level::Must => "must",
            Level::Should => "should",
            Level::Info => "info",
        }
    }
}

/// One thing that is right of an engine.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Kebab-case and permanent: it stands in saved records.
    pub id: &'static str,
    pub level: Level,
    /// What is right, as a plain sentence.
    pub what: &'static str,
    run: fn(&mut Candidate) -> Told,
}

const fn must(id: &'static str, what: &'static str, run: fn(&mut Candidate) -> Told) -> Check {
    Check { id, level: Level::Must, what, run }
}

const fn should(id: &'static str, what: &'static str, run: fn(&mut Candidate) -> Told) -> Check {
    Check { id, level: Level::Should, what, run }
}

const fn note(id: &'static str, what: &'static str, run: fn(&mut Candidate) -> Told) -> Check {
    Check { id, level: Level::Info, what, run }
}

/// All checks in the order in which they are made.
pub fn checks() -> impl Iterator<Item = &'static Check> {
    let themes = [
        start::CHECKS,
        options::CHECKS,
        positions::CHECKS,
        search::CHECKS,
        limits::CHECKS,
        info::CHECKS,
        manners::CHECKS,
    ];
    themes.into_iter().flatten()
}

/// How patient the runner is, and which checks it makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// For an answer that takes no thinking, and beyond the limit for one that does.
    pub patience: Duration,
    /// What a time limit may be passed by: starting threads, the pipe, a busy machine.
    pub margin: Duration,
    /// Ids of the wanted checks; empty = all.
    pub only: Vec<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { patience: Duration::from_secs(5), margin: Duration::from_millis(250), only: Vec::new() }
    }
}

impl Settings {
    /// Whether this check is to be made.
    pub fn wants(&self, check: &Check) -> bool {
        self.only.is_empty() || self.only.iter().any(|id| id == check.id)
    }
}

/// How a check ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Passed,
    Failed,
    /// It does not apply to this engine, or could not be made.
    Skipped,
}

/// A check that has been made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    pub id: &'static str,
    pub level: Level,
    pub what: &'static str,
    pub verdict: Verdict,
    /// What was found, or why it was skipped; may be empty for a check that passed.
    pub found: String,
    /// The lines of the conversation, `> ` to the engine and `< ` from it; long ones are cut, many are thinned out.
    pub exchange: Vec<String>,
    pub time: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_kebab_case_and_differ() {
        let mut ids: Vec<&str> = checks().map(|check| check.id).collect();
        assert!(ids.len() >= 60, "{}", ids.len());
        for check in checks() {
            let kebab = check.id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
            assert!(kebab && !check.what.is_empty(), "{}", check.id);
        }
        ids.sort_unstable();
        let count = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }
}
