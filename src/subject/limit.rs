//! What a player may use for a move, and the text of it: `tc=40/60+0.6`, `movetime=100`, `nodes=5000`, `depth=8`.
//! The clock that is charged lives in `arena`; this file only says what was agreed.

use crate::types::Limit;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// `moves/base+increment`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TimeControl {
    /// Moves per period; none = the base is for the whole game.
    pub moves: Option<u32>,
    pub base: Duration,
    pub increment: Duration,
}

/// Longest time anybody may ask for.
const LONGEST: Duration = Duration::from_secs(1_000_000);

impl TimeControl {
    /// Reads `40/60+0.6`, `60+0.6`, `40/60`, `60`: moves, seconds, seconds.
    pub fn parse(text: &str) -> Option<TimeControl> {
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => (Some(moves.trim().parse().ok().filter(|&moves| moves > 0)?), time),
            None => (None, text),
        };
        let (base, increment) = match time.split_once('+') {
            Some((base, increment)) => (seconds(base)?, seconds(increment)?),
            None => (seconds(time)?, Duration::ZERO),
        };
        (base + increment > Duration::ZERO).then_some(TimeControl { moves, base, increment })
    }
}

impl fmt::Display for TimeControl {
    /// The text that [`TimeControl::parse`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// Not negative, and not beyond all measure.
fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.trim().parse().ok()?).ok().filter(|time| *time <= LONGEST)
}

/// Reads milliseconds, `100` or `0.5`.
pub(super) fn milliseconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.trim().parse::<f64>().ok()? / 1000.0)
        .ok()
        .filter(|time| *time <= LONGEST)
}

/// All limits of a player. Several may be set: the first one reached counts.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PlayerLimit {
    pub tc: Option<TimeControl>,
    /// For every move.
    pub movetime: Option<Duration>,
    /// For every move.
    pub nodes: Option<u64>,
    /// Plies, for every move.
    pub depth: Option<u32>,
    /// How much a clock or a fixed time may be overstepped before it is a loss.
    pub margin: Duration,
}

impl PlayerLimit {
    /// Whether nothing ends a search.
    pub fn is_none(&self) -> bool {
        self.tc.is_none() && self.movetime.is_none() && self.nodes.is_none() && self.depth.is_none()
    }

    /// What one search may use, the clock left out.
    pub fn search_limit(&self) -> Limit {
        Limit { time: self.movetime, depth: self.depth, nodes: self.nodes, ..Limit::default() }
    }
}

impl fmt::Display for PlayerLimit {
    /// As in a SPEC: `tc=40/60+0.6,margin=50`; empty without any limit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let parts = [
            self.tc.map(|tc| format!("tc={tc}")),
            self.movetime.map(|time| format!("movetime={}", ms(time))),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.depth.map(|depth| format!("depth={depth}")),
            (!self.margin.is_zero()).then(|| format!("margin={}", ms(self.margin))),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls() {
        let tc = TimeControl::parse("40/60+0.6").unwrap();
        assert_eq!(
            (tc.moves, tc.base, tc.increment),
            (Some(40), Duration::from_secs(60), Duration::from_millis(600))
        );
        for text in ["40/60+0.6", "1+0.01", "40/60", "0.5", "0+0.1"] {
            assert_eq!(TimeControl::parse(text).unwrap().to_string(), text);
        }
        for text in
            ["", "0", "0+0", "-1", "1+-1", "0/60", "x/60", "40/", "1+", "nan", "inf", "1e300", "40/60/2"]
        {
            assert_eq!(TimeControl::parse(text), None, "{text}");
        }
    }
}
