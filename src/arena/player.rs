//! What the arena asks of a player: start a new game, search. Played by `subject`, and by scripts in tests.

use crate::rules::Line;
use crate::types::{Limit, Move, Score};
use std::time::Duration;

/// One engine at a board.
pub trait Player {
    /// Clears everything kept from earlier games; the seed decides whatever is random in this one.
    fn new_game(&mut self, seed: u64) -> Result<(), Fault>;

    /// Thinks about the end of `line`. At `deadline` the search is told to stop; what then says nothing for about a second
    /// more is hung.
    fn search(&mut self, line: &Line, limit: &Limit, deadline: Duration) -> Result<Reply, Fault>;

    /// Thinks on the opponent's time about the end of `line`, whose last move is the one that its answer expects; with the
    /// clocks as they are. Returns at once; the next search begins with it or ends it. Only asked of players whose answer
    /// says what they expect.
    fn ponder(&mut self, line: &Line, limit: &Limit) -> Result<(), Fault> {
        let _ = (line, limit);
        Ok(())
    }

    /// The game is over: nothing is left to think about.
    fn rest(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

/// An answer. Optional fields are what the engine did not tell.
#[derive(Clone, PartialEq, Debug)]
pub struct Reply {
    pub choice: Choice,
    /// The opponent's answer, legal behind the move, about which it will think in the meantime; none if it will not.
    pub expects: Option<Move>,
    /// It has thought on the opponent's time: its nodes, and what it says of its time, begin there.
    pub pondered: bool,
    pub score: Option<Score>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Per mille of wins, draws and losses that the engine expects, where it tells.
    pub wdl: Option<[u32; 3]>,
    /// From the request to the answer, where the player's own measurement leaves out what is not thinking.
    pub time: Option<Duration>,
    /// The same by the clock of an engine in another process.
    pub reported: Option<Duration>,
    /// False if nodes or depth lie outside half to twice the limit, or the search had to be stopped.
    pub obeyed: bool,
}

impl Default for Reply {
    /// No move, nothing told, the limit kept.
    fn default() -> Reply {
        Reply {
            choice: Choice::Nothing,
            expects: None,
            pondered: false,
            score: None,
            depth: None,
            nodes: None,
            wdl: None,
            time: None,
            reported: None,
            obeyed: true,
        }
    }
}

/// The move of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// A move; whether it is legal is looked at by the game.
    Move(Move),
    /// The engine said it has none (`bestmove`, `(none)`, `0000`).
    Nothing,
    /// Something that is no legal move, as written.
    Unreadable(String),
    /// It gives the game up.
    Resigns,
    /// It calls a legal move or position illegal, in these words, and does not go on.
    Refuses(String),
}

/// No answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The process ended or closed its output: one line that names the engine.
    Died(String),
    /// No answer in time; the process was killed.
    Hung(String),
    /// It cannot play this game at all, and no restart helps.
    Unable(String),
    /// Asked to stop from outside, while it was thinking or starting.
    Interrupted,
}

impl Fault {
    /// What went wrong, naming the engine; none for an interrupt, which is nobody's fault.
    pub fn blame(self) -> Option<String> {
        match self {
            Fault::Died(why) | Fault::Hung(why) | Fault::Unable(why) => Some(why),
            Fault::Interrupted => None,
        }
    }
}
