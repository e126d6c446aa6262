//! What a player may use for a move: time control, fixed time, nodes, depth. (Stand-in until `subject` lands.)

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// `moves/base+increment`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TimeControl {
    /// Moves per period; none = the base is for the whole game.
    pub moves: Option<u32>,
    pub base: Duration,
    pub increment: Duration,
}

/// All limits of a player.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PlayerLimit {
    pub tc: Option<TimeControl>,
    pub movetime: Option<Duration>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    pub margin: Duration,
}
