//! One face for the embedded engine, a UCI engine and an xboard engine: start, clear, search, evaluate, count.
//! Scores are from the mover's view. Decides no flag fall and ranks nobody; it says what was found, how long that took
//! by our own clock, and whether the limit was kept.

use super::foreign::{self, search_uci, search_xboard};
use super::spec::{EngineKind, EngineSpec};
use crate::engine::{self, Engine, HashError};
use crate::notation::fen::{self, CastlingMode};
use crate::notation::{MoveError, uci_move};
use crate::rules::{self, Line, Position};
use crate::types::{Bound, Limit, Move, Score};
use crate::uci::perft::PerftAnswer;
use crate::uci::{Client, ClientError, Declined, Protocol, Session, XboardClient, codec};
use crate::with_backend;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use thiserror::Error;

/// How long a search under a node or depth limit may take before it is stopped, if nothing else is said.
pub const HANG_TIMEOUT: Duration = Duration::from_secs(10);

/// What went wrong. Every message names the engine.
#[derive(Debug, Error)]
pub enum SubjectError {
    #[error(transparent)]
    Client(#[from] ClientError),
    #[error("engine {engine}: {source}")]
    Position { engine: String, source: fen::FenError },
    #[error("engine {engine}: {source}")]
    Move { engine: String, source: MoveError },
    #[error("engine {engine}: {source}")]
    Hash { engine: String, source: HashError },
    #[error("engine {engine}: interrupted")]
    Interrupted { engine: String },
}

impl SubjectError {
    /// Whether the engine is gone and has to be started anew.
    pub fn is_fatal(&self) -> bool {
        match self {
            SubjectError::Client(error) => error.is_fatal(),
            SubjectError::Position { .. }
            | SubjectError::Move { .. }
            | SubjectError::Hash { .. }
            | SubjectError::Interrupted { .. } => false,
        }
    }

    /// Whether the stop flag of the session ended it.
    pub fn is_interrupt(&self) -> bool {
        matches!(
            self,
            SubjectError::Interrupted { .. } | SubjectError::Client(ClientError::Interrupted { .. })
        )
    }

    /// Whether the engine has no `go perft`, which is no part of UCI.
    pub fn is_no_perft(&self) -> bool {
        matches!(self, SubjectError::Client(ClientError::NoPerft { .. }))
    }

    /// Whether the engine, or its protocol, has no word for what was asked.
    pub fn is_unable(&self) -> bool {
        matches!(self, SubjectError::Client(ClientError::Unable { .. }))
    }

    /// Whether the engine did not answer in time and was killed (otherwise it died by itself).
    pub fn is_time_out(&self) -> bool {
        matches!(self, SubjectError::Client(ClientError::TimedOut { .. } | ClientError::PerftTimedOut { .. }))
    }
}

/// The principal variation: moves, or what a UCI engine wrote. Reading that text costs a legality check a move, so it is
/// left to those who want it.
#[derive(Clone, Copy, Debug)]
pub enum Pv<'a> {
    Moves(&'a [Move]),
    Text(&'a str),
}

impl Pv<'_> {
    pub fn is_empty(&self) -> bool {
        match self {
            Pv::Moves(moves) => moves.is_empty(),
            Pv::Text(text) => text.is_empty(),
        }
    }

    /// Its first move from this position; `None` if there is none, or none that is legal.
    pub fn first(&self, position: &Position) -> Option<Move> {
        match self {
            Pv::Moves(moves) => moves.first().copied(),
            Pv::Text(text) => uci_move::parse(text.split_whitespace().next()?, position).ok(),
        }
    }

    /// All its moves, up to the first illegal one.
    pub fn moves(&self, position: &Position) -> Vec<Move> {
        match self {
            Pv::Moves(moves) => moves.to_vec(),
            Pv::Text(text) => {
                let mut position = *position;
                let play = |text| {
                    let mv = uci_move::parse(text, &position).ok()?;
                    position.play_unchecked(mv);
                    Some(mv)
                };
                text.split_whitespace().map_while(play).collect()
            }
        }
    }
}

/// What is known in the middle of a search: an iteration of the embedded engine, or one `info` line.
#[derive(Clone, Copy, Debug)]
pub struct Info<'a> {
    pub depth: Option<u32>,
    pub seldepth: Option<u32>,
    pub score: Option<Score>,
    pub bound: Bound,
    pub nodes: Option<u64>,
    /// Nodes that made at least one move; embedded only.
    pub interior_nodes: Option<u64>,
    /// Since the start of the search, by our clock.
    pub time: Duration,
    /// Per mille.
    pub hashfull: Option<u32>,
    pub pv: Pv<'a>,
}

/// The end of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// A legal move, or none: the engine said nothing usable, or there is none.
    pub best: Option<Move>,
    /// A legal reply it expects.
    pub ponder: Option<Move>,
    /// What the engine said, for messages: `e2e5`, `(none)`; empty where the embedded one found a move.
    pub answer: String,
    pub score: Option<Score>,
    pub bound: Bound,
    /// Win, draw, loss in per mille, if the engine tells.
    pub wdl: Option<[u32; 3]>,
    pub depth: Option<u32>,
    pub seldepth: Option<u32>,
    pub nodes: Option<u64>,
    /// Nodes that made at least one move; embedded only.
    pub interior_nodes: Option<u64>,
    /// Per mille.
    pub hashfull: Option<u32>,
    /// By our clock, from before the request to the answer.
    pub time: Duration,
    /// By the engine's clock, if it tells.
    pub reported_time: Option<Duration>,
    /// It had thought on the opponent's time, which its nodes and its own clock include.
    pub pondered: bool,
    /// False if the engine had to be stopped, or if nodes or depth lie outside half to twice the limit: such a result is
    /// shown, not ranked.
    pub obeyed: bool,
    /// Why there is no move, if it is not for lack of one: xboard engines resign, and refuse.
    pub declined: Option<Declined>,
}

impl Found {
    /// The note of a search outside its limit.
    pub const NOT_OBEYED: &'static str = "limit not obeyed";

    /// Why there is no move: `no move (bestmove (none))`, `illegal move e2e5`.
    pub fn fault(&self) -> Option<String> {
        match (self.best, self.declined) {
            (Some(_), _) => None,
            (None, Some(Declined::Resigns)) => Some("no move (it resigns)".to_owned()),
            (None, Some(Declined::Refuses)) => Some(format!("no move (it refuses: {})", self.answer)),
            (None, None) if codec::is_move_text(&self.answer) => {
                Some(format!("illegal move {}", self.answer))
            }
            (None, None) => Some(format!("no move (bestmove {})", self.answer)),
        }
    }
}

/// An engine that is ready to be asked.
#[derive(Debug)]
pub struct Subject {
    name: String,
    player: Player,
    /// Set from outside: end the search now.
    stop: Arc<AtomicBool>,
    warnings: Vec<String>,
    /// It may think on the opponent's time.
    ponders: bool,
}

#[derive(Debug)]
enum Player {
    Embedded(Box<Engine>),
    Uci(Box<Client>),
    Xboard(Box<XboardClient>),
}

impl Subject {
    /// Starts an engine with default deadlines and without a traffic log.
    pub fn start(spec: &EngineSpec) -> Result<Subject, SubjectError> {
        Subject::start_with(spec, &Session::default())
    }

    /// Starts an engine; its options are checked and set, and it is ready.
    pub fn start_with(spec: &EngineSpec, session: &Session) -> Result<Subject, SubjectError> {
        let (mut warnings, mut ponders) = (Vec::new(), false);
        let player = match &spec.kind {
            EngineKind::Embedded { params } => {
                let mut engine = Engine::new(params.clone());
                if let Some(mib) = spec.hash_mib {
                    let refused = |source| SubjectError::Hash { engine: spec.name.clone(), source };
                    engine.set_hash_mib(mib as usize).map_err(refused)?;
                }
                if spec.threads.is_some_and(|threads| threads > 1) {
                    warnings.push(format!("engine {}: searches with one thread only", spec.name));
                }
                Player::Embedded(Box::new(engine))
            }
            EngineKind::Command(command) if command.protocol == Protocol::Xboard => {
                Player::Xboard(Box::new(foreign::start_xboard(spec, command, session, &mut warnings)?))
            }
            EngineKind::Command(command) => {
                let mut client = Client::spawn(command, session)?;
                for (option, value) in [("Hash", spec.hash_mib), ("Threads", spec.threads)] {
                    match value {
                        Some(value) if client.has_option(option) => {
                            client.set_option(option, &value.to_string())?
                        }
                        // One thread is what it has anyway.
                        Some(1) if option == "Threads" => {}
                        Some(_) => warnings
                            .push(format!("engine {}: has no option {option}; left as it is", spec.name)),
                        None => {}
                    }
                }
                if spec.ponder {
                    ponders = client.allow_pondering()?;
                    if !ponders {
                        let lack = "has no option Ponder; it thinks on its own time only";
                        warnings.push(format!("engine {}: {lack}", spec.name));
                    }
                }
                client.is_ready()?;
                Player::Uci(Box::new(client))
            }
        };
        let stop = session.stop.clone().unwrap_or_default();
        Ok(Subject { name: spec.name.clone(), player, stop, warnings, ponders })
    }

    /// The name the SPEC gives it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What a foreign engine calls itself.
    pub fn id_name(&self) -> Option<&str> {
        match &self.player {
            Player::Embedded(_) => None,
            Player::Uci(client) => client.id_name(),
            Player::Xboard(client) => client.my_name(),
        }
    }

    /// What could not be set as asked.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Threads that it searches with unless it is told otherwise, as far as its options say.
    pub fn threads_by_default(&self) -> Option<usize> {
        match &self.player {
            Player::Uci(client) => usize::try_from(client.spin_default("Threads")?).ok(),
            Player::Embedded(_) | Player::Xboard(_) => None,
        }
    }

    pub fn is_embedded(&self) -> bool {
        matches!(self.player, Player::Embedded(_))
    }

    /// The slider technique that the embedded engine searches with: the chosen one, or the fastest here.
    pub fn slider(&self) -> Option<&'static str> {
        match &self.player {
            Player::Embedded(engine) => Some(engine.params().backend().id()),
            Player::Uci(_) | Player::Xboard(_) => None,
        }
    }

    /// The number of a foreign engine's process, while it runs.
    pub fn process_id(&self) -> Option<u32> {
        match &self.player {
            Player::Embedded(_) => None,
            Player::Uci(client) => client.process_id(),
            Player::Xboard(client) => client.process_id(),
        }
    }

    /// False once a foreign engine died or was killed.
    pub fn is_alive(&self) -> bool {
        match &self.player {
            Player::Embedded(_) => true,
            Player::Uci(client) => client.is_alive(),
            Player::Xboard(client) => client.is_alive(),
        }
    }

    /// Clears everything it has learnt: hash, history, random state (from `seed`; a foreign engine gets
    /// `ucinewgame` or `new`).
    pub fn new_game(&mut self, seed: u64) -> Result<(), SubjectError> {
        match &mut self.player {
            Player::Embedded(engine) => engine.new_game(seed),
            Player::Uci(client) => client.new_game()?,
            Player::Xboard(client) => client.new_game()?,
        }
        Ok(())
    }

    /// Searches the position at the end of a line. At `deadline` the search is told to stop; a foreign engine that then says
    /// nothing for another second is killed (an error). Chess960 is switched on where the start position needs it.
    pub fn search(
        &mut self,
        line: &Line,
        limit: &Limit,
        deadline: Duration,
        on_info: &mut dyn FnMut(&Info<'_>),
    ) -> Result<Found, SubjectError> {
        let mut found = match &mut self.player {
            Player::Embedded(engine) => {
                if self.stop.load(Ordering::Relaxed) {
                    return Err(SubjectError::Interrupted { engine: self.name.clone() });
                }
                search_embedded(engine, line, limit, deadline, &self.stop, on_info)
            }
            Player::Uci(client) => search_uci(client, line, limit, deadline, on_info)?,
            Player::Xboard(client) => search_xboard(client, line, limit, deadline, on_info)?,
        };
        // Of the own engine it is known that it ends before its limit only where nothing is left to search.
        found.obeyed &= obeys(limit, &found, line.position(), self.is_embedded());
        Ok(found)
    }

    /// Whether it may be told to think on the opponent's time.
    pub fn ponders(&self) -> bool {
        self.ponders
    }

    /// Has it think about the end of `line`, whose last move is the one it expects; returns at once. The next search, of
    /// whatever position, sees to what becomes of that. Does nothing with engines that do not ponder.
    pub fn ponder(&mut self, line: &Line, limit: &Limit) -> Result<(), SubjectError> {
        match &mut self.player {
            Player::Uci(client) if self.ponders => Ok(client.ponder(line, limit)?),
            _ => Ok(()),
        }
    }

    /// Ends thinking on the opponent's time.
    pub fn stop_pondering(&mut self) -> Result<(), SubjectError> {
        match &mut self.player {
            Player::Uci(client) => Ok(client.stop_pondering()?),
            Player::Embedded(_) | Player::Xboard(_) => Ok(()),
        }
    }

    /// Static evaluation in centipawns, mover's view; `None` for foreign engines, which have no command for it.
    pub fn evaluate(&self, position: &Position) -> Option<i32> {
        match &self.player {
            Player::Embedded(engine) => Some(engine.evaluate(position)),
            Player::Uci(_) | Player::Xboard(_) => None,
        }
    }

    /// Perft behind `moves` (UCI form) from `fen`: root moves as the engine writes them, with their counts. A UCI engine has
    /// until `deadline`, and may know a total only. The embedded one counts on the calling thread until the session's stop
    /// flag is set.
    ///
    /// # Errors
    /// If the position or a move cannot be read, a UCI engine fails ([`Client::perft`](crate::uci::Client::perft)), or
    /// the user interrupts.
    pub fn perft(
        &mut self,
        fen: &str,
        moves: &[String],
        depth: u32,
        chess960: bool,
        deadline: Duration,
    ) -> Result<PerftAnswer, SubjectError> {
        match &mut self.player {
            Player::Uci(client) => Ok(client.perft(fen, moves, depth, chess960, deadline)?),
            Player::Xboard(client) => {
                let reason = "the xboard protocol has no such command".to_owned();
                Err(ClientError::NoPerft { engine: client.name().to_owned(), reason }.into())
            }
            Player::Embedded(engine) => {
                let mode = if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
                let mut position = fen::parse(fen, mode)
                    .map_err(|source| SubjectError::Position { engine: self.name.clone(), source })?;
                for text in moves {
                    let illegal = |source| SubjectError::Move { engine: self.name.clone(), source };
                    position.play_unchecked(uci_move::parse(text, &position).map_err(illegal)?);
                }
                let stop = || self.stop.load(Ordering::Relaxed);
                let start = Instant::now();
                let divide = with_backend!(engine.params().backend(), |sliders| {
                    rules::perft_divide_until(&position, depth, sliders, &stop)
                });
                let time = start.elapsed();
                let Some(divide) = divide else {
                    return Err(SubjectError::Interrupted { engine: self.name.clone() });
                };
                let text = |mv| uci_move::format(mv, chess960);
                let divide = divide.into_iter().map(|(mv, nodes)| (text(mv), nodes)).collect();
                Ok(PerftAnswer { divide, total: None, time })
            }
        }
    }

    /// Ends the engine: `quit`, then force. Dropping does the same.
    pub fn quit(&mut self) {
        match &mut self.player {
            Player::Embedded(_) => {}
            Player::Uci(client) => client.quit(),
            Player::Xboard(client) => client.quit(),
        }
    }
}

fn search_embedded(
    engine: &mut Engine,
    line: &Line,
    limit: &Limit,
    deadline: Duration,
    stop: &AtomicBool,
    on_info: &mut dyn FnMut(&Info<'_>),
) -> Found {
    let start = Instant::now();
    engine.set_position(line);
    let capped = Limit { time: Some(limit.time.unwrap_or(deadline).min(deadline)), ..*limit };
    let mut last_bound = Bound::Exact;
    let mut last_hashfull = 0;
    let result = engine.search(&capped, stop, &mut |info: &engine::Info<'_>| {
        last_bound = info.bound;
        last_hashfull = info.hashfull;
        on_info(&Info {
            depth: Some(info.depth),
            seldepth: Some(info.seldepth),
            score: Some(info.score),
            bound: info.bound,
            nodes: Some(info.nodes),
            interior_nodes: Some(info.interior_nodes),
            time: start.elapsed(),
            hashfull: Some(info.hashfull),
            pv: Pv::Moves(info.pv),
        });
    });
    let time = start.elapsed();
    // The engine leaves a little of the time it is given.
    let cut_off = limit.time.is_none_or(|own| own > deadline)
        && time >= deadline - (deadline / 20).min(Duration::from_millis(5));
    Found {
        best: result.best,
        ponder: result.ponder,
        answer: if result.best.is_some() { String::new() } else { "(none)".to_owned() },
        score: Some(result.score),
        bound: last_bound,
        wdl: None,
        depth: Some(result.depth),
        seldepth: Some(result.seldepth),
        nodes: Some(result.nodes),
        interior_nodes: Some(result.interior_nodes),
        hashfull: Some(last_hashfull),
        time,
        reported_time: Some(result.time),
        pondered: false,
        obeyed: !cut_off,
        declined: None,
    }
}

/// Engines count their iterations up to a greatest one, mostly 127 or so: whoever gets this far has searched all there is.
const DEEPEST: u32 = 100;

/// Whether nodes and depth lie within half to twice their limit. Stopping early is right where a mate is found, where
/// there is nothing to choose, where the search can go no deeper, or where another limit came first; `trusted` engines have
/// a good reason for it at any time. What is not reported is not judged.
fn obeys(limit: &Limit, found: &Found, position: &Position, trusted: bool) -> bool {
    let may_be_short = || {
        let several =
            [limit.time.is_some(), limit.clock.is_some(), limit.nodes.is_some(), limit.depth.is_some()];
        trusted
            || matches!(found.score, Some(Score::Mate(_)))
            || found.depth.is_some_and(|depth| depth >= DEEPEST)
            || several.iter().filter(|set| **set).count() > 1
            || position.legal_moves().len() <= 1
    };
    let within = |limit: Option<u64>, value: Option<u64>| match limit.zip(value) {
        Some((limit, value)) if value.saturating_mul(2) < limit => may_be_short(),
        Some((limit, value)) => value <= limit.saturating_mul(2),
        None => true,
    };
    within(limit.nodes, found.nodes) && within(limit.depth.map(u64::from), found.depth.map(u64::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(nodes: u64, depth: u32, score: Score) -> Found {
        Found {
            best: None,
            ponder: None,
            answer: "e2e5".to_owned(),
            score: Some(score),
            bound: Bound::Exact,
            wdl: None,
            depth: Some(depth),
            seldepth: None,
            nodes: Some(nodes),
            interior_nodes: None,
            hashfull: None,
            time: Duration::ZERO,
            reported_time: None,
            pondered: false,
            obeyed: true,
            declined: None,
        }
    }

    #[test]
    fn limits_kept_and_not_kept() {
        let start = Position::startpos();
        let cp = Score::Cp(0);
        let of = |limit: &Limit, found: &Found| obeys(limit, found, &start, false);
        let nodes = |nodes, score| of(&Limit::nodes(1000), &found(nodes, 9, score));
        assert!(nodes(500, cp) && nodes(1000, cp) && nodes(2000, cp));
        assert!(!nodes(499, cp) && !nodes(2001, cp));
        assert!(nodes(10, Score::Mate(2)) && !nodes(2001, Score::Mate(2)));
        // It can go no deeper; the own engine would not have stopped otherwise. More than twice is too much of anybody.
        assert!(of(&Limit::nodes(1000), &found(10, 127, cp)) && !of(&Limit::nodes(1000), &found(10, 99, cp)));
        let trusted = |nodes| obeys(&Limit::nodes(1000), &found(nodes, 9, cp), &start, true);
        assert!(trusted(10) && !trusted(2001));
        let depth = |depth| of(&Limit::depth(8), &found(1, depth, cp));
        assert!(depth(4) && depth(16) && !depth(3) && !depth(17));
        let both = Limit { time: Some(Duration::from_secs(1)), ..Limit::depth(8) };
        assert!(of(&both, &found(1, 3, cp)));
        let one_move = fen::parse("7k/8/8/8/8/8/r7/1r5K w - - 0 1", CastlingMode::Standard);
        // No move at all: it is mate.
        assert!(obeys(&Limit::depth(8), &found(1, 0, cp), &one_move.unwrap(), false));
    }

    /// Kings alone: the greatest depth is reached long before so many nodes, by the engine in this process and, as far as its
    /// depth tells, by one in another.
    #[test]
    fn a_search_that_can_go_no_deeper_keeps_its_limit() {
        let mut engine = Subject::start(&EngineSpec::embedded()).unwrap();
        let bare = fen::parse("7k/8/8/8/8/8/8/K7 w - - 0 1", CastlingMode::Standard).unwrap();
        let limit = Limit::nodes(1_000_000_000);
        let found = engine.search(&Line::new(bare), &limit, HANG_TIMEOUT, &mut |_| ()).unwrap();
        assert!(found.obeyed && found.nodes.unwrap() < 500_000_000, "{found:?}");
        assert!(obeys(&limit, &found, &bare, false), "{found:?}");
    }

    #[test]
    fn faults_are_told_apart() {
        let mut found = found(1, 1, Score::Cp(0));
        assert_eq!(found.fault().unwrap(), "illegal move e2e5");
        found.answer = "(none)".to_owned();
        assert_eq!(found.fault().unwrap(), "no move (bestmove (none))");
    }

    #[test]
    fn principal_variations_are_read_on_demand() {
        let start = Position::startpos();
        let pv = Pv::Text("e2e4 e7e5 e4e5 d7d5");
        assert_eq!(pv.moves(&start).len(), 2);
        assert_eq!(format!("{:?}", pv.first(&start).unwrap()), "e2e4");
        assert!(Pv::Text("").first(&start).is_none());
    }
}
