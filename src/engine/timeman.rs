//! How long to think: from a [`Limit`] to a planned and a latest time.
//!
//! Cautious on purpose: a lost point on time is dearer than a few Elo of thinking. A reserve is never touched, and
//! with little time left the plan shrinks towards a part of the increment.
//! Source: page "Time Management" of the seed documents.

use super::params::Params;
use crate::types::{Color, Limit};
use std::time::Duration;

/// When to stop, measured from the start of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    /// No new iteration after this; stretched while the best move changes.
    pub soft: Option<Duration>,
    /// Stop in the middle of an iteration.
    pub hard: Option<Duration>,
}

/// Never plan less than this.
const LEAST: Duration = Duration::from_millis(1);

/// The plan for one move of this side.
pub fn plan(limit: &Limit, turn: Color, params: &Params) -> Plan {
    let mut plan = Plan::default();
    if let Some(clock) = &limit.clock {
        let remaining = clock.remaining[turn.index()];
        let increment = clock.increment[turn.index()];
        let overhead = Duration::from_millis(params.move_overhead as u64);
        let reserve = overhead.min(remaining / 3);
        let usable = remaining - reserve;
        let moves = match clock.moves_to_go {
            // One more than are left: the last move before the control must not use everything.
            Some(moves) => moves.saturating_add(1).clamp(2, params.moves_left as u32),
            None => params.moves_left as u32,
        };
        let planned = usable / moves + increment * params.increment_share as u32 / 100;
        let soft = planned.min(usable / 2).max(LEAST);
        let hard = (soft * params.hard_factor as u32 / 100).min(usable / 3).max(LEAST);
        plan = Plan { soft: Some(soft.min(hard)), hard: Some(hard) };
    }
    if let Some(time) = limit.time {
        let hard = time.saturating_sub((time / 20).min(Duration::from_millis(3))).max(LEAST);
        plan.hard = Some(plan.hard.map_or(hard, |other| other.min(hard)));
    }
    plan
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::ClockLimit;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Limit {
        let clock =
            ClockLimit { remaining: [ms(remaining), ms(9)], increment: [ms(increment), ms(0)], moves_to_go };
        Limit { clock: Some(clock), ..Limit::default() }
    }

    #[test]
    fn the_plan_never_reaches_the_reserve() {
        let params = Params::default();
        for remaining in [1, 5, 20, 50, 100, 300, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 1000, 10_000] {
                for moves in [None, Some(1), Some(2), Some(40)] {
                    let plan = plan(&clock(remaining, increment, moves), Color::White, &params);
                    let (soft, hard) = (plan.soft.expect("a plan"), plan.hard.expect("a plan"));
                    assert!(soft <= hard && hard >= LEAST);
                    assert!(hard <= LEAST || hard + ms(80).min(ms(remaining) / 3) <= ms(remaining));
                }
            }
        }
    }

    #[test]
    fn the_clock_settles_above_the_reserve_with_an_increment_of_ten_milliseconds() {
        let params = Params::default();
        let mut remaining = ms(1000);
        for _ in 0..500 {
            // Every move takes its latest time and half a millisecond more.
            let plan = plan(&clock(remaining.as_millis() as u64, 10, None), Color::White, &params);
            remaining =
                remaining.checked_sub(plan.hard.expect("a plan") + ms(1) / 2).expect("time left") + ms(10);
            assert!(remaining >= ms(40), "{remaining:?}");
        }
    }

    #[test]
    fn fixed_time_and_no_time() {
        let params = Params::default();
        assert_eq!(plan(&Limit::nodes(100), Color::White, &params), Plan::default());
        let fixed = plan(&Limit::time(ms(100)), Color::White, &params);
        assert_eq!(fixed, Plan { soft: None, hard: Some(ms(97)) });
    }
}
