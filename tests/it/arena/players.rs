//! Players for tests: one that follows a script, one that moves at random, and the tables they sit at.

use gauntlet::arena::adjudicate::Adjudication;
use gauntlet::arena::game::{Finished, Table, play};
use gauntlet::arena::player::{Choice, Fault, Player, Reply};
use gauntlet::notation::{fen, uci_move};
use gauntlet::rules::Line;
use gauntlet::subject::PlayerLimit;
use gauntlet::suite::Opening;
use gauntlet::time::FakeClock;
use gauntlet::types::{Color, Limit, Role, Score};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub const STARTPOS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

pub fn opening(text: &str) -> Opening {
    let start = fen::parse(text, fen::CastlingMode::Standard).unwrap();
    Opening { name: "test".to_owned(), number: 1, start, moves: Vec::new(), chess960: false }
}

/// One answer of a script.
#[derive(Clone, Copy, Debug)]
pub enum Act {
    /// A move in UCI form; if it is none on this board, it is handed on as written.
    Move(&'static str),
    /// The same with a score.
    Scored(&'static str, Score),
    /// The same, but the limit was not kept.
    Disobeying(&'static str),
    /// The same after so many milliseconds.
    After(u64, &'static str),
    Nothing,
    Die,
    /// No answer: time passes up to the deadline and a second beyond, when it is killed.
    Hang,
}

/// Gives its answers one after the other; what it was asked stays readable.
#[derive(Debug)]
pub struct Script {
    pub acts: Vec<Act>,
    pub asked: Vec<Limit>,
    clock: Arc<FakeClock>,
}

impl Script {
    pub fn new(acts: Vec<Act>, clock: Arc<FakeClock>) -> Script {
        Script { acts, asked: Vec::new(), clock }
    }
}

impl Player for Script {
    fn new_game(&mut self, _seed: u64) -> Result<(), Fault> {
        Ok(())
    }

    fn search(&mut self, line: &Line, limit: &Limit, deadline: Duration) -> Result<Reply, Fault> {
        let act = self.acts[self.asked.len()];
        self.asked.push(*limit);
        let reply = |text: &str| Reply {
            choice: match uci_move::parse(text, line.position()) {
                Ok(mv) => Choice::Move(mv),
                Err(_) => Choice::Unreadable(text.to_owned()),
            },
            ..Reply::default()
        };
        Ok(match act {
            Act::Move(text) => reply(text),
            Act::Scored(text, score) => Reply { score: Some(score), ..reply(text) },
            Act::Disobeying(text) => Reply { obeyed: false, ..reply(text) },
            Act::After(ms, text) => {
                self.clock.advance(Duration::from_millis(ms));
                reply(text)
            }
            Act::Nothing => Reply::default(),
            Act::Die => return Err(Fault::Died("exit status 1".to_owned())),
            Act::Hang => {
                self.clock.advance(deadline + Duration::from_secs(1));
                return Err(Fault::Hung("no bestmove".to_owned()));
            }
        })
    }
}

/// A game of two scripts.
#[derive(Debug, Default)]
pub struct Scene {
    pub fen: &'static str,
    pub white: Vec<Act>,
    pub black: Vec<Act>,
    pub limit: PlayerLimit,
    pub adjudication: Adjudication,
}

impl Scene {
    /// From a position, with moves of both sides in turn.
    pub fn moves(fen: &'static str, moves: &'static str) -> Scene {
        let mut scene = Scene { fen, ..Scene::default() };
        let mut whites_turn = fen.contains(" w ");
        for uci in moves.split_whitespace() {
            let side = if whites_turn { &mut scene.white } else { &mut scene.black };
            side.push(Act::Move(uci));
            whites_turn = !whites_turn;
        }
        scene
    }

    /// Plays it: the game, and what White and Black were asked.
    pub fn play(self) -> (Finished, [Vec<Limit>; 2]) {
        let clock = Arc::new(FakeClock::new());
        let go = AtomicBool::new(false);
        let opening = opening(self.fen);
        let script = |acts| Script::new(acts, clock.clone());
        let (mut white, mut black) = (script(self.white), script(self.black));
        let table = Table {
            tablebases: None,
            opening: &opening,
            plies: None,
            names: ["W", "B"],
            limits: [&self.limit, &self.limit],
            adjudication: self.adjudication,
            clock: &*clock,
            hang_timeout: Duration::from_secs(10),
            halts: [&go, &go],
        };
        let finished = play(&table, [&mut white, &mut black], Color::White, 0, 0);
        (finished, [white.asked, black.asked])
    }

    /// Result, reason and termination, and the number of plies.
    pub fn end(self) -> (String, String, String, usize) {
        let row = self.play().0.played.row;
        (row.result, row.reason, row.termination, row.plies.len())
    }
}

/// Moves at random, by its seed; if `greedy`, takes the most valuable piece it can first.
#[derive(Debug)]
pub struct Mover {
    pub greedy: bool,
    state: u64,
}

impl Mover {
    pub fn new(greedy: bool) -> Mover {
        Mover { greedy, state: 0 }
    }
}

impl Player for Mover {
    fn new_game(&mut self, seed: u64) -> Result<(), Fault> {
        self.state = seed | 1;
        Ok(())
    }

    fn search(&mut self, line: &Line, _limit: &Limit, _deadline: Duration) -> Result<Reply, Fault> {
        // xorshift64 (Marsaglia 2003).
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        let position = line.position();
        let moves = position.legal_moves();
        let random = moves[(self.state % moves.len() as u64) as usize];
        let prize = |role: Option<Role>| role.map_or(0, |role| role.index() + 1);
        let best = moves
            .iter()
            .copied()
            .filter(|mv| !mv.is_castle())
            .max_by_key(|mv| prize(position.role_at(mv.to())));
        let choice = match best {
            Some(mv) if self.greedy && position.role_at(mv.to()).is_some() => mv,
            _ => random,
        };
        Ok(Reply { choice: Choice::Move(choice), ..Reply::default() })
    }
}
