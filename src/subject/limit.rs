//! What a player may use for a move, and the text of it: `tc=40/60+0.6`, `movetime=100`, `nodes=5000`, `depth=8`.
//! The clock that is charged lives in `arena`; this file only says what was agreed.

use crate::types::Limit;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// `moves/base+increment`: one period, or a whole game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Period {
    /// Moves in it; none = the base is for the rest of the game.
    pub moves: Option<u32>,
    pub base: Duration,
    pub increment: Duration,
}

/// Periods beyond the first.
pub const MOST_LATER: usize = 3;

/// `40/60:20/30+0.5`: one period after the other, the last one again and again if it has moves. `*60`: an hourglass, where
/// the time that one side uses is the other's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TimeControl {
    /// Moves of the first period; none = it is the only one.
    pub moves: Option<u32>,
    pub base: Duration,
    pub increment: Duration,
    #[serde(default)]
    pub later: [Option<Period>; MOST_LATER],
    #[serde(default)]
    pub hourglass: bool,
}

/// Longest time anybody may ask for.
const LONGEST: Duration = Duration::from_secs(1_000_000);

impl TimeControl {
    /// Reads `40/60+0.6`, `60+0.6`, `40/60`, `60`: moves, seconds, seconds; periods are separated by `:`, and a period behind
    /// one without moves would never come. An hourglass (`*60`) has one period and no increment.
    pub fn parse(text: &str) -> Option<TimeControl> {
        if let Some(base) = text.trim().strip_prefix('*') {
            let base = seconds(base).filter(|base| !base.is_zero())?;
            return Some(TimeControl { base, hourglass: true, ..TimeControl::default() });
        }
        let mut periods = text.split(':');
        let first = Period::parse(periods.next()?)?;
        let mut control = TimeControl {
            moves: first.moves,
            base: first.base,
            increment: first.increment,
            ..TimeControl::default()
        };
        let (mut last, mut places) = (first, control.later.iter_mut());
        for text in periods {
            last.moves?;
            last = Period::parse(text)?;
            *places.next()? = Some(last);
        }
        Some(control)
    }

    /// Period `number`, from 0; the last one stands for all that follow it.
    pub fn period(&self, number: usize) -> Period {
        let first = Period { moves: self.moves, base: self.base, increment: self.increment };
        self.later.iter().take(number).flatten().last().copied().unwrap_or(first)
    }
}

impl Period {
    fn parse(text: &str) -> Option<Period> {
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => (Some(moves.trim().parse().ok().filter(|&moves| moves > 0)?), time),
            None => (None, text),
        };
        let (base, increment) = match time.split_once('+') {
            Some((base, increment)) => (seconds(base)?, seconds(increment)?),
            None => (seconds(time)?, Duration::ZERO),
        };
        (base + increment > Duration::ZERO).then_some(Period { moves, base, increment })
    }
}

impl fmt::Display for TimeControl {
    /// The text that [`TimeControl::parse`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.hourglass {
            f.write_str("*")?;
        }
        self.period(0).fmt(f)?;
        self.later.iter().flatten().try_for_each(|period| write!(f, ":{period}"))
    }
}

impl fmt::Display for Period {
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
    /// Clocks and fixed times are charged by the nodes that the engine reports, so many to a millisecond, so that the machine
    /// decides nothing; what it does not report is charged by time.
    #[serde(default)]
    pub nodes_per_ms: Option<u64>,
}

impl PlayerLimit {
    /// Whether the wall clock decides anything.
    pub fn is_timed(&self) -> bool {
        (self.tc.is_some() || self.movetime.is_some()) && self.nodes_per_ms.is_none()
    }

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
            self.nodes_per_ms.map(|nodes| format!("nodestime={nodes}")),
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
        for text in ["40/60+0.6", "1+0.01", "40/60", "0.5", "0+0.1", "40/60:20/30+0.5", "2/1:3/4:5+6", "*60"]
        {
            assert_eq!(TimeControl::parse(text).unwrap().to_string(), text);
        }
        for text in [
            "",
            "0",
            "0+0",
            "-1",
            "1+-1",
            "0/60",
            "x/60",
            "40/",
            "1+",
            "nan",
            "inf",
            "1e300",
            "40/60/2",
            "1:30",
            "40/60:",
            ":40/60",
            "40/60:30:20",
            "1/1:1/1:1/1:1/1:1",
            "*",
            "*0",
            "*40/60",
            "*60+1",
            "60*",
        ] {
            assert_eq!(TimeControl::parse(text), None, "{text}");
        }
    }
}
