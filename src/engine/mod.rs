//! The embedded engine: iterative deepening alpha-beta with a tapered hand-written evaluation, every technique a switch.
//!
//! [`Params`] is the one table of switches and numbers, [`Engine`] a player without global state: several play in one
//! process. A search limited by depth or nodes is reproducible to the node. Must not know: UCI text, FEN, files.
//! Sources: the pages of the seed documents named in each file.

pub mod eval;
mod fastest;
mod history;
mod ordering;
mod params;
mod search;
pub mod see;
mod signature;
mod timeman;
mod tt;

pub use fastest::{Fastest, fastest};
pub use params::{ParamError, ParamGroup, ParamInfo, ParamKind, Params, Preset};
pub use search::{Info, MAX_DEPTH, SearchResult};
pub use signature::{POSITIONS, SIGNATURE_DEPTH, signature};
pub use tt::HashError;

use crate::rules::{Line, Position};
use crate::types::{Limit, Move};
use crate::with_backend;
use eval::Evaluator;
use search::{Memory, Reductions, Searcher};
use std::sync::atomic::AtomicBool;
use tt::Table;

/// One player. All of its state is here.
#[derive(Debug)]
pub struct Engine {
    params: Params,
    evaluator: Evaluator,
    reductions: Reductions,
    table: Table,
    memory: Memory,
    position: Position,
}

impl Engine {
    /// Size of the transposition table if nothing else is said, MiB.
    pub const DEFAULT_HASH_MIB: usize = 16;

    /// An engine with the starting position and a table of [`Engine::DEFAULT_HASH_MIB`].
    pub fn new(params: Params) -> Engine {
        Engine::with_table(params, Table::new(Engine::DEFAULT_HASH_MIB))
    }

    /// An engine with the smallest table there is, which leaves most of the caches to other tables.
    pub fn small(params: Params) -> Engine {
        Engine::with_table(params, Table::new(1))
    }

    fn with_table(params: Params, table: Table) -> Engine {
        Engine {
            evaluator: Evaluator::new(&params),
            reductions: Reductions::new(&params),
            table,
            memory: Memory::new(),
            position: Position::startpos(),
            params,
        }
    }

    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Other parameters, taken from the next search on. What was learnt so far is forgotten.
    pub fn set_params(&mut self, params: Params) {
        self.evaluator = Evaluator::new(&params);
        self.reductions = Reductions::new(&params);
        self.params = params;
        // What it keeps of pawns is by the old parameters.
        self.memory.forget_pawns();
        self.new_game(0);
    }

    /// Size of the transposition table, MiB, at least 1. Clears it. If there is no memory for it, nothing changes: the
    /// new table is made before the old one goes, so both must fit for a moment.
    pub fn set_hash_mib(&mut self, mib: usize) -> Result<(), HashError> {
        if mib != self.table.mib() {
            self.table = Table::try_new(mib)?;
        }
        self.table.clear();
        Ok(())
    }

    /// Size of the transposition table, MiB.
    pub fn hash_mib(&self) -> usize {
        self.table.mib()
    }

    /// Forgets everything learnt; the engine is as new. `seed` fixes whatever is random (`eval-noise`).
    pub fn new_game(&mut self, seed: u64) {
        self.table.clear();
        self.memory.clear();
        self.evaluator.set_seed(seed);
    }

    /// The position to search and the game that led to it (for repetitions).
    pub fn set_position(&mut self, line: &Line) {
        self.position = *line.position();
        self.memory.set_game(line.keys());
        self.memory.root_moves.clear();
    }

    /// The only moves to be considered in this position; none means all. Lasts until the next [`Engine::set_position`].
    pub fn set_search_moves(&mut self, moves: &[Move]) {
        self.memory.root_moves = moves.to_vec();
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Searches until the first limit is reached or `stop` is set. `on_info` is called after each iteration.
    /// `best` is `None` only if there is no legal move.
    pub fn search(
        &mut self,
        limit: &Limit,
        stop: &AtomicBool,
        on_info: &mut dyn FnMut(&Info),
    ) -> SearchResult {
        self.table.next_search();
        // A proof of mate may leave nothing out.
        let full_width;
        let params = if limit.mate.is_some() {
            full_width = self.params.full_width();
            &full_width
        } else {
            &self.params
        };
        with_backend!(self.params.backend(), |sliders| {
            Searcher::new(
                sliders,
                params,
                &self.evaluator,
                &self.reductions,
                &self.table,
                &mut self.memory,
                limit,
                stop,
                self.position.turn(),
            )
            .run(&self.position, on_info)
        })
    }

    /// Static evaluation, centipawns from the side to move's view.
    pub fn evaluate(&self, pos: &Position) -> i32 {
        with_backend!(self.params.backend(), |sliders| self.evaluator.evaluate(pos, sliders, None))
    }
}
