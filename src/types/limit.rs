//! What ends a search.

use std::time::Duration;

/// What ends a search; several may be set, the first one reached counts. All `None` = search until stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limit {
    /// Fixed time for this move (UCI `movetime`).
    pub time: Option<Duration>,
    /// Plies of nominal depth.
    pub depth: Option<u32>,
    /// Nodes; the embedded engine stops at exactly this number.
    pub nodes: Option<u64>,
    /// Look for a mate in this many moves.
    pub mate: Option<u32>,
    /// Both clocks; the engine divides its own time.
    pub clock: Option<ClockLimit>,
}

/// Both clocks before a move. Indexed by `Color::index()`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockLimit {
    pub remaining: [Duration; 2],
    pub increment: [Duration; 2],
    /// Moves to the next time control; `None` = the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

impl Limit {
    pub fn depth(depth: u32) -> Limit {
        Limit { depth: Some(depth), ..Limit::default() }
    }

    pub fn nodes(nodes: u64) -> Limit {
        Limit { nodes: Some(nodes), ..Limit::default() }
    }

    pub fn time(time: Duration) -> Limit {
        Limit { time: Some(time), ..Limit::default() }
    }
}
