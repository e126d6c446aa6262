//! The search: what it is asked, what it answers, and what one search call carries with it.
//!
//! [`Searcher`] is generic over the slider technique; [`driver`] deepens iteratively, [`alphabeta`] searches a tree,
//! [`quiescence`] its captures, [`reductions`] holds the formulas. Must not know: UCI text.

mod alphabeta;
mod driver;
mod quiescence;
mod reductions;

pub use reductions::Reductions;

use super::eval::{Evaluator, PawnCache};
use super::history::{History, PieceTo};
use super::params::Params;
use super::timeman;
use super::tt::Table;
use crate::rules::{self, MoveList, Position};
use crate::sliders::Sliders;
use crate::types::{Bound, Color, Limit, Move, Score};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Largest nominal depth.
pub const MAX_DEPTH: u32 = 120;
/// Longest line; deeper nodes are evaluated statically.
pub(super) const MAX_PLY: usize = 128;
/// A forced mate at the root; mate in n plies is `MATE - n`.
pub(super) const MATE: i32 = 32_000;
/// Scores beyond this are mates.
pub(super) const MATE_BOUND: i32 = MATE - 2 * MAX_PLY as i32;
pub(super) const INFINITE: i32 = 32_500;
/// The clock and the stop flag are looked at every so many nodes.
const CHECK_INTERVAL: u64 = 512;

/// What an iteration has found.
#[derive(Clone, Copy, Debug)]
pub struct Info<'a> {
    pub depth: u32,
    pub seldepth: u32,
    /// Side to move's view.
    pub score: Score,
    pub bound: Bound,
    /// From the start of the search to now.
    pub nodes: u64,
    /// Nodes that made at least one move.
    pub interior_nodes: u64,
    pub time: Duration,
    /// Nodes per second.
    pub nps: u64,
    /// Per mille of the transposition table used by this search.
    pub hashfull: u32,
    pub pv: &'a [Move],
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// `None` only if there is no legal move.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// Side to move's view.
    pub score: Score,
    /// The last full iteration.
    pub depth: u32,
    pub seldepth: u32,
    pub nodes: u64,
    /// Nodes that made at least one move.
    pub interior_nodes: u64,
    pub time: Duration,
    pub pv: Vec<Move>,
}

/// What the search keeps for one ply of the current line.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    /// Static evaluation; `None` in check.
    eval: Option<i32>,
    killers: [Option<Move>; 2],
    /// The move that was made here, as a piece on its target; `None` for a null move.
    moved: Option<PieceTo>,
}

/// What stays between searches of one game, and the work space of a search.
#[derive(Debug)]
pub struct Memory {
    history: History,
    pawns: PawnCache,
    frames: Vec<Frame>,
    pv: Pv,
    /// Keys of the game and of the current line, the current node's last.
    keys: Vec<u64>,
    /// How many of them belong to the game, the root included.
    game_keys: usize,
    /// Index of the first key since the last null move of the line; 0 without one. A null move is no move: positions on
    /// its two sides are no repetition of each other.
    since_null: usize,
    /// The only moves of the root; empty = all.
    pub(in crate::engine) root_moves: Vec<Move>,
}

impl Memory {
    pub fn new() -> Memory {
        let mut memory = Memory {
            history: History::new(),
            pawns: PawnCache::new(),
            frames: vec![Frame::default(); MAX_PLY + 4],
            pv: Pv::new(),
            keys: Vec::new(),
            game_keys: 0,
            since_null: 0,
            root_moves: Vec::new(),
        };
        memory.set_game(&[Position::startpos().key()]);
        memory
    }

    /// Forgets what was learnt; the game stays.
    pub fn clear(&mut self) {
        self.history.clear();
        self.frames.fill(Frame::default());
    }

    /// Forgets what was computed by other parameters.
    pub fn forget_pawns(&mut self) {
        self.pawns = PawnCache::new();
    }

    /// Keys of the game so far, the position to search last.
    pub fn set_game(&mut self, keys: &[u64]) {
        self.keys.clear();
        self.keys.reserve(keys.len() + MAX_PLY + 8);
        self.keys.extend_from_slice(keys);
        self.game_keys = keys.len();
        self.since_null = 0;
    }
}

/// Principal variations by ply (triangular table).
#[derive(Debug)]
struct Pv {
    moves: Vec<[Option<Move>; MAX_PLY + 2]>,
    len: [usize; MAX_PLY + 2],
}

impl Pv {
    fn new() -> Pv {
        Pv { moves: vec![[None; MAX_PLY + 2]; MAX_PLY + 2], len: [0; MAX_PLY + 2] }
    }

    #[inline(always)]
    fn clear(&mut self, ply: usize) {
        self.len[ply] = 0;
    }

    /// The line at `ply` becomes this move and the line below.
    fn set(&mut self, ply: usize, mv: Move) {
        let below = self.len[ply + 1].min(MAX_PLY - ply);
        let (upper, lower) = self.moves.split_at_mut(ply + 1);
        upper[ply][0] = Some(mv);
        upper[ply][1..=below].copy_from_slice(&lower[0][..below]);
        self.len[ply] = below + 1;
    }

    fn root(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[0][..self.len[0]].iter().copied().flatten()
    }
}

/// One search call.
pub(super) struct Searcher<'a, S: Sliders> {
    sliders: S,
    params: &'a Params,
    evaluator: &'a Evaluator,
    reductions: &'a Reductions,
    table: &'a Table,
    memory: &'a mut Memory,
    limit: &'a Limit,
    plan: timeman::Plan,
    stop: &'a AtomicBool,
    start: Instant,
    node_limit: u64,
    /// When to look at the clock next.
    next_check: u64,
    nodes: u64,
    interior_nodes: u64,
    seldepth: usize,
    /// Unwinding: results are worthless from here on.
    stopped: bool,
    root_depth: i32,
    /// Value of the best root move of this iteration; goes with the line at ply 0.
    root_value: i32,
}

impl<'a, S: Sliders> Searcher<'a, S> {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn new(
        sliders: S,
        params: &'a Params,
        evaluator: &'a Evaluator,
        reductions: &'a Reductions,
        table: &'a Table,
        memory: &'a mut Memory,
        limit: &'a Limit,
        stop: &'a AtomicBool,
        turn: Color,
    ) -> Searcher<'a, S> {
        Searcher {
            sliders,
            params,
            evaluator,
            reductions,
            table,
            memory,
            limit,
            plan: timeman::plan(limit, turn, params),
            stop,
            start: Instant::now(),
            node_limit: limit.nodes.unwrap_or(u64::MAX),
            next_check: CHECK_INTERVAL,
            nodes: 0,
            interior_nodes: 0,
            seldepth: 0,
            stopped: false,
            root_depth: 0,
            root_value: 0,
        }
    }

    /// Counts a node about to be entered; false if the search has to stop before it.
    #[inline(always)]
    fn enter(&mut self) -> bool {
        if self.nodes >= self.node_limit || self.stopped {
            self.stopped = true;
            return false;
        }
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.check_clock();
        }
        !self.stopped
    }

    #[cold]
    fn check_clock(&mut self) {
        self.next_check = self.nodes + CHECK_INTERVAL;
        let late = self.plan.hard.is_some_and(|hard| self.start.elapsed() >= hard);
        if late || self.stop.load(Ordering::Relaxed) {
            self.stopped = true;
        }
    }

    /// The moves of the root: all legal ones, or those asked for. Not inlined: a list of its own would lie on the stack of
    /// every node.
    #[inline(never)]
    fn root_moves(&self, root: &Position, moves: &mut MoveList) {
        let mut legal = MoveList::new();
        rules::legal_moves(root, self.sliders, &mut legal);
        let wanted = |mv: &&Move| !self.is_restricted() || self.memory.root_moves.contains(mv);
        legal.iter().filter(wanted).for_each(|&mv| moves.push(mv));
    }

    fn is_restricted(&self) -> bool {
        !self.memory.root_moves.is_empty()
    }

    #[inline(always)]
    fn evaluate(&mut self, pos: &Position) -> i32 {
        self.evaluator.evaluate(pos, self.sliders, Some(&mut self.memory.pawns))
    }

    /// The position after a null move, entered in the line, and what [`Searcher::take_back_pass`] has to be given.
    fn pass(&mut self, pos: &Position) -> (Position, usize) {
        let mut child = *pos;
        child.play_null();
        let before = self.memory.since_null;
        self.memory.since_null = self.memory.keys.len();
        self.memory.keys.push(child.key());
        (child, before)
    }

    fn take_back_pass(&mut self, before: usize) {
        self.memory.keys.pop();
        self.memory.since_null = before;
    }

    /// Draw by the fifty-move rule (mate is looked at elsewhere), by repetition, or for want of material. A position
    /// that occurred in this search counts at its first return, one of the game before at its second.
    fn is_draw(&self, pos: &Position, in_check: bool) -> bool {
        let clock = pos.halfmove_clock() as usize;
        if clock >= 100 {
            let mut moves = crate::rules::MoveList::new();
            if in_check {
                crate::rules::legal_moves(pos, self.sliders, &mut moves);
            }
            return !in_check || !moves.is_empty();
        }
        if pos.occupied().count() <= 5 && pos.is_dead() {
            return true;
        }
        if clock < 4 {
            return false;
        }
        let keys = &self.memory.keys;
        let last = keys.len() - 1;
        let key = pos.key();
        let mut before = false;
        // Only positions with the same side to move, at least four plies back.
        for back in (4..=clock.min(last - self.memory.since_null)).step_by(2) {
            if keys[last - back] == key {
                if last - back >= self.memory.game_keys - 1 || before {
                    return true;
                }
                before = true;
            }
        }
        false
    }
}

/// As the table stores it: mates counted from the node.
#[inline(always)]
fn to_table(value: i32, ply: usize) -> i32 {
    match value {
        v if v >= MATE_BOUND => v + ply as i32,
        v if v <= -MATE_BOUND => v - ply as i32,
        v => v,
    }
}

/// The inverse of [`to_table`].
#[inline(always)]
fn from_table(value: i32, ply: usize) -> i32 {
    match value {
        v if v >= MATE_BOUND => v - ply as i32,
        v if v <= -MATE_BOUND => v + ply as i32,
        v => v,
    }
}

/// As people speak of it: mates in full moves.
fn to_score(value: i32) -> Score {
    match value {
        v if v >= MATE_BOUND => Score::Mate((MATE - v + 1) / 2),
        v if v <= -MATE_BOUND => Score::Mate(-((MATE + v) / 2)),
        v => Score::Cp(v),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliders::Hyperbola;
    use crate::types::Square;

    #[test]
    fn mate_scores_are_full_moves() {
        assert_eq!(to_score(MATE - 1), Score::Mate(1));
        assert_eq!(to_score(MATE - 3), Score::Mate(2));
        assert_eq!(to_score(-MATE), Score::Mate(0));
        assert_eq!(to_score(-MATE + 2), Score::Mate(-1));
        assert_eq!(to_score(-MATE + 4), Score::Mate(-2));
        assert_eq!(to_score(-77), Score::Cp(-77));
    }

    /// Runs `check` on a searcher at the root of a game of one position.
    pub(super) fn with_searcher<T>(
        params: &Params,
        pos: &Position,
        check: impl FnOnce(&mut Searcher<Hyperbola>) -> T,
    ) -> T {
        let (table, stop, limit) = (Table::new(1), AtomicBool::new(false), Limit::default());
        let (evaluator, reductions) = (Evaluator::new(params), Reductions::new(params));
        let mut memory = Memory::new();
        memory.set_game(&[pos.key()]);
        check(&mut Searcher::new(
            Hyperbola,
            params,
            &evaluator,
            &reductions,
            &table,
            &mut memory,
            &limit,
            &stop,
            pos.turn(),
        ))
    }

    fn shuffle(pos: &Position, from: Square, to: Square) -> Position {
        let mut after = *pos;
        after.play(Move::normal(from, to)).expect("a legal move");
        after
    }

    #[test]
    fn positions_on_both_sides_of_a_null_move_are_no_repetition() {
        let root = Position::startpos();
        with_searcher(&Params::default(), &root, |searcher| {
            // White passes, Black goes out, White passes, Black comes back.
            let (black, none) = searcher.pass(&root);
            let out = shuffle(&black, Square::G8, Square::F6);
            searcher.memory.keys.push(out.key());
            let (black, first) = searcher.pass(&out);
            let back = shuffle(&black, Square::F6, Square::G8);
            searcher.memory.keys.push(back.key());
            assert_eq!((back.key(), back.halfmove_clock()), (root.key(), 4));
            assert!(!searcher.is_draw(&back, false));
            searcher.memory.keys.pop();
            searcher.take_back_pass(first);
            searcher.memory.keys.pop();
            searcher.take_back_pass(none);
            assert_eq!((searcher.memory.keys.len(), searcher.memory.since_null), (1, 0));
            // The same place reached by moves of both sides is one.
            let steps = [
                (Square::G1, Square::F3),
                (Square::G8, Square::F6),
                (Square::F3, Square::G1),
                (Square::F6, Square::G8),
            ];
            let mut pos = root;
            for (from, to) in steps {
                assert!(!searcher.is_draw(&pos, false));
                pos = shuffle(&pos, from, to);
                searcher.memory.keys.push(pos.key());
            }
            assert!(searcher.is_draw(&pos, false));
        });
    }

    #[test]
    fn the_table_counts_mates_from_the_node() {
        for value in [MATE - 9, -MATE + 8, 0, 250] {
            assert_eq!(from_table(to_table(value, 5), 5), value);
        }
        assert_eq!(to_table(MATE - 9, 5), MATE - 4);
    }
}
