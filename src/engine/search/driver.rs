//! Iterative deepening with aspiration windows; decides when to stop and what to answer.
//!
//! Source: pages "Iterative Deepening" and "Aspiration Windows" of the seed documents.

use super::{INFINITE, Info, MATE, MATE_BOUND, MAX_DEPTH, SearchResult, Searcher, to_score};
use crate::rules::{MoveList, Position};
use crate::sliders::Sliders;
use crate::types::{Bound, Move};
use std::time::Duration;

/// Results inside a window that failed are reported only in searches longer than this.
const QUIET_TIME: Duration = Duration::from_secs(2);

impl<S: Sliders> Searcher<'_, S> {
    /// The whole search of one position.
    pub(in crate::engine) fn run(mut self, root: &Position, on_info: &mut dyn FnMut(&Info)) -> SearchResult {
        let mut moves = MoveList::new();
        self.root_moves(root, &mut moves);
        let game_keys = self.memory.game_keys;
        self.memory.keys.truncate(game_keys);
        self.memory.since_null = 0;
        for frame in &mut self.memory.frames {
            *frame = super::Frame::default();
        }

        let mut answer = Answer { pv: moves.first().copied().into_iter().collect(), value: 0, depth: 0 };
        if moves.is_empty() {
            let in_check = root.checkers_with(self.sliders).any();
            answer.value = if in_check { -MATE } else { 0 };
            return self.finish(answer);
        }
        let mut last_depth = self.limit.depth.unwrap_or(MAX_DEPTH);
        if let Some(moves) = self.limit.mate {
            // A mate in n moves takes 2n - 1 plies; one more sees that the king has no answer.
            last_depth = last_depth.min(moves.saturating_mul(2));
        }
        let last_depth = last_depth.clamp(1, MAX_DEPTH);
        let mut stable = 0u32;
        for depth in 1..=last_depth {
            let before = answer.pv.first().copied();
            let value = self.iteration(root, depth as i32, answer.value, &mut answer, on_info);
            if self.stopped {
                break;
            }
            answer.depth = depth;
            answer.value = value;
            on_info(&self.info(depth, value, Bound::Exact, &answer.pv));
            stable = if answer.pv.first().copied() == before { stable + 1 } else { 0 };
            if self.is_enough(value, depth, stable, moves.len()) {
                break;
            }
        }
        self.finish(answer)
    }

    /// One depth: the window is widened until the value lies inside. Leaves the best line in `answer`.
    fn iteration(
        &mut self,
        root: &Position,
        depth: i32,
        previous: i32,
        answer: &mut Answer,
        on_info: &mut dyn FnMut(&Info),
    ) -> i32 {
        let params = self.params;
        self.root_depth = depth;
        self.seldepth = 0;
        let mut width = params.aspiration_window;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        let narrow = params.aspiration && depth >= params.aspiration_depth && previous.abs() < MATE_BOUND;
        if narrow {
            alpha = (previous - width).max(-INFINITE);
            beta = (previous + width).min(INFINITE);
        }
        loop {
            let value = self.alphabeta(root, alpha, beta, depth, 0, true);
            // Even of an unfinished search a move that beat the previous best one is worth having.
            if self.memory.pv.len[0] > 0 {
                answer.pv.clear();
                answer.pv.extend(self.memory.pv.root());
                answer.value = self.root_value;
            }
            if self.stopped {
                return answer.value;
            }
            let bound = if value <= alpha && alpha > -INFINITE {
                beta = (alpha + beta) / 2;
                alpha = (value - width).max(-INFINITE);
                Bound::Upper
            } else if value >= beta && beta < INFINITE {
                beta = (value + width).min(INFINITE);
                Bound::Lower
            } else {
                return value;
            };
            if self.start.elapsed() > QUIET_TIME {
                on_info(&self.info(depth as u32, value, bound, &answer.pv));
            }
            width += width / 2 + 5;
            if width > 800 || value.abs() >= MATE_BOUND {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// True if another iteration is not wanted.
    fn is_enough(&self, value: i32, depth: u32, stable: u32, legal_moves: usize) -> bool {
        if let Some(mate) = self.limit.mate
            && value > MATE - 2 * mate.min(MAX_DEPTH) as i32
        {
            return true;
        }
        let Some(soft) = self.plan.soft else { return false };
        // A lone answer, or a mate that deeper search cannot shorten, needs no more of the clock.
        if legal_moves == 1 || value.abs() >= MATE_BOUND && depth as i32 > MATE - value.abs() {
            return true;
        }
        let share = match stable {
            0 => 110,
            1 => 90,
            2..=4 => 70,
            _ => 55,
        };
        self.start.elapsed() >= soft * share / 100
    }

    fn info<'p>(&self, depth: u32, value: i32, bound: Bound, pv: &'p [Move]) -> Info<'p> {
        let time = self.start.elapsed();
        Info {
            depth,
            seldepth: self.seldepth as u32,
            score: to_score(value),
            bound,
            nodes: self.nodes,
            interior_nodes: self.interior_nodes,
            time,
            nps: (self.nodes as f64 / time.as_secs_f64().max(1e-6)) as u64,
            hashfull: self.table.hashfull(),
            pv,
        }
    }

    fn finish(self, answer: Answer) -> SearchResult {
        SearchResult {
            best: answer.pv.first().copied(),
            ponder: answer.pv.get(1).copied(),
            score: to_score(answer.value),
            depth: answer.depth,
            seldepth: self.seldepth as u32,
            nodes: self.nodes,
            interior_nodes: self.interior_nodes,
            time: self.start.elapsed(),
            pv: answer.pv,
        }
    }
}

/// The best line so far.
struct Answer {
    pv: Vec<Move>,
    value: i32,
    depth: u32,
}
