//! The main search: alpha-beta with a principal variation, numbered steps, each behind its switch.
//!
//! Fail-soft: a value outside the window is a bound. Source: pages "Alpha-Beta", "Principal Variation Search",
//! "Null Move Pruning", "Futility Pruning", "Late Move Reductions" and "Extensions" of the seed documents.

use super::{INFINITE, MATE, MATE_BOUND, MAX_PLY, Searcher, from_table, to_table};
use crate::engine::history::PieceTo;
use crate::engine::ordering::{Hints, Picked, Picker};
use crate::engine::see::see_ge;
use crate::engine::tt::Stored;
use crate::rules::{self, MoveList, Position};
use crate::sliders::Sliders;
use crate::types::{Bound, Move, Role};

/// Quiet moves remembered for a penalty when a later one cuts.
const MAX_TRIED: usize = 64;

/// Quiet moves that were searched without a cutoff.
struct Tried {
    moves: [Option<(Move, PieceTo)>; MAX_TRIED],
    len: usize,
}

impl Tried {
    fn new() -> Tried {
        Tried { moves: [None; MAX_TRIED], len: 0 }
    }

    #[inline(always)]
    fn push(&mut self, mv: Move, piece_to: PieceTo) {
        if self.len < MAX_TRIED {
            self.moves[self.len] = Some((mv, piece_to));
            self.len += 1;
        }
    }
}

impl<S: Sliders> Searcher<'_, S> {
    /// The value of a node, its side to move's view. `pv`: on the principal variation. The caller has counted the
    /// node; the root counts as no node.
    pub(super) fn alphabeta(
        &mut self,
        pos: &Position,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        pv: bool,
    ) -> i32 {
        let params = self.params;
        let root = ply == 0;
        self.memory.pv.clear(ply);
        let in_check = pos.checkers_with(self.sliders).any();

        // 1. Check extension, limited so that a line cannot grow for ever.
        if params.check_extension && in_check && !root && (ply as i32) < 2 * self.root_depth {
            depth += 1;
        }

        // 2. Horizon.
        if depth <= 0 {
            return self.quiescence(pos, alpha, beta, ply, in_check, 0);
        }
        self.seldepth = self.seldepth.max(ply);

        if !root {
            // 3. Draws and the longest line.
            if self.is_draw(pos, in_check) {
                return 0;
            }
            if ply >= MAX_PLY {
                return if in_check { 0 } else { self.evaluate(pos) };
            }
            // 4. Mate distance: nothing here can be better than a mate already found.
            if params.mate_distance {
                alpha = alpha.max(-MATE + ply as i32);
                beta = beta.min(MATE - ply as i32 - 1);
                if alpha >= beta {
                    return alpha;
                }
            }
        }

        // 5. Transposition table. Near the fifty-move limit stored values mislead.
        let stored = if params.tt { self.table.probe(pos.key()) } else { None };
        let table_move = stored.and_then(|stored| stored.mv);
        if let Some(stored) = stored
            && !pv
            && stored.depth >= depth
            && pos.halfmove_clock() < 90
        {
            let value = from_table(stored.value, ply);
            let usable = match stored.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if usable {
                return value;
            }
        }

        // 6. Static evaluation, and whether it has risen since our last move.
        let raw_eval = match stored {
            _ if in_check => None,
            Some(stored) if stored.eval.is_some() => stored.eval,
            _ => Some(self.evaluate(pos)),
        };
        self.memory.frames[ply].eval = raw_eval;
        let improving = match raw_eval {
            Some(eval) if ply >= 2 => self.memory.frames[ply - 2].eval.is_none_or(|before| eval > before),
            _ => false,
        };
        // Killers serve cousins; those of an earlier part of the tree are forgotten.
        self.memory.frames[ply + 2].killers = [None; 2];

        // 7. Pruning of the whole node.
        if !pv
            && let Some(eval) = raw_eval
            && let Some(value) = self.prune_node(pos, alpha, beta, depth, ply, eval, improving, stored)
        {
            return value;
        }
        if self.stopped {
            return 0;
        }

        // 8. Internal reduction: without a stored move the order is poor, and a shallower search will do.
        if params.internal_reduction
            && table_move.is_none()
            && depth >= params.internal_reduction_depth
            && !root
        {
            depth -= 1;
        }

        // 9. The moves.
        let mut moves = MoveList::new();
        if root && self.is_restricted() {
            self.root_moves(pos, &mut moves);
        } else {
            rules::legal_moves(pos, self.sliders, &mut moves);
        }
        if moves.is_empty() {
            return if in_check { -MATE + ply as i32 } else { 0 };
        }
        let mut picker = self.picker(pos, moves, table_move, ply);
        let mut tried = Tried::new();
        let (mut best, mut best_move) = (-INFINITE, None);
        let mut bound = Bound::Upper;
        let mut number = 0;
        while let Some(picked) = picker.next(pos, self.sliders) {
            let mv = picked.mv;
            number += 1;

            // 10. Pruning of the move, once something is known to survive.
            if !root && best > -MATE_BOUND && !in_check {
                let reduced = depth - self.late_reduction(depth, number) / 100;
                if self.prune_move(pos, &picked, alpha, depth, reduced, number, raw_eval, improving) {
                    continue;
                }
            }

            // 11. Make the move.
            let role = pos.role_at(mv.from()).unwrap_or(Role::King);
            let piece_to = PieceTo::new(pos.turn(), role, mv.to());
            if !self.enter() {
                return 0;
            }
            if number == 1 {
                self.interior_nodes += 1;
            }
            let mut child = *pos;
            child.play_unchecked(mv);
            self.memory.frames[ply].moved = Some(piece_to);
            self.memory.keys.push(child.key());

            let value =
                self.search_move(&child, alpha, beta, depth, ply, pv, number, &picked, in_check, improving);

            self.memory.keys.pop();
            if self.stopped {
                return 0;
            }

            // 12. Better than before?
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    bound = Bound::Exact;
                    if pv {
                        self.memory.pv.set(ply, mv);
                        if root {
                            self.root_value = value;
                        }
                    }
                    alpha = value;
                    if value >= beta {
                        bound = Bound::Lower;
                        if !picked.tactical {
                            self.reward(pos, mv, piece_to, depth, ply, &tried);
                        }
                        break;
                    }
                }
            }
            if !picked.tactical {
                tried.push(mv, piece_to);
            }
        }

        // The best of some moves is not the value of the position.
        if params.tt && !(root && self.is_restricted()) {
            let value = to_table(best, ply);
            let entry = Stored { mv: best_move, value, eval: raw_eval, depth, bound };
            self.table.store(pos.key(), entry);
        }
        best
    }

    /// Reverse futility, razoring and null move: the value to return at once, if any. Not in check.
    #[allow(clippy::too_many_arguments)]
    fn prune_node(
        &mut self,
        pos: &Position,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        eval: i32,
        improving: bool,
        stored: Option<Stored>,
    ) -> Option<i32> {
        let params = self.params;
        // Far above beta: the opponent will not get it back in so few plies.
        if params.reverse_futility && depth <= params.reverse_futility_depth && beta.abs() < MATE_BOUND {
            let margin = params.reverse_futility_margin * (depth - i32::from(improving));
            if eval - margin >= beta {
                return Some(eval);
            }
        }
        // Far below alpha: only captures could help.
        if params.razoring
            && depth <= params.razoring_depth
            && eval + params.razoring_margin * depth <= alpha
            && alpha.abs() < MATE_BOUND
        {
            let value = self.quiescence(pos, alpha, beta, ply, false, 0);
            if value <= alpha || self.stopped {
                return Some(value);
            }
        }
        // Even passing keeps us above beta. Not twice in a row, not with pawns alone (zugzwang), and not where a search
        // has found, however shallow, that moving does not keep us there.
        let own = pos.by_color(pos.turn());
        let pieces = own - pos.by_role(Role::Pawn) - pos.by_role(Role::King);
        let after_null = ply > 0 && self.memory.frames[ply - 1].moved.is_none();
        let known_below =
            stored.is_some_and(|stored| stored.bound != Bound::Lower && from_table(stored.value, ply) < beta);
        if params.null_move
            && depth >= params.null_move_depth
            && eval >= beta + params.null_move_margin
            && !known_below
            && beta.abs() < MATE_BOUND
            && pieces.any()
            && !after_null
        {
            if !self.enter() {
                return Some(0);
            }
            self.memory.frames[ply].moved = None;
            let (child, before) = self.pass(pos);
            let reduced = depth - params.null_move_reduction(depth, eval - beta);
            let value = -self.alphabeta(&child, -beta, -beta + 1, reduced, ply + 1, false);
            self.take_back_pass(before);
            if self.stopped {
                return Some(0);
            }
            if value >= beta {
                // A mate found after passing is not proven.
                return Some(if value >= MATE_BOUND { beta } else { value });
            }
        }
        None
    }

    /// True if this move is not worth a search so near the horizon.
    #[allow(clippy::too_many_arguments)]
    #[inline]
    fn prune_move(
        &self,
        pos: &Position,
        picked: &Picked,
        alpha: i32,
        depth: i32,
        reduced: i32,
        number: usize,
        eval: Option<i32>,
        improving: bool,
    ) -> bool {
        let params = self.params;
        if picked.tactical {
            return params.see_pruning
                && depth <= 6
                && number > 1
                && !see_ge(pos, picked.mv, -params.see_capture_margin * depth, self.sliders);
        }
        if picked.favoured {
            return false;
        }
        if params.late_move_pruning && depth <= 6 && number > params.late_move_count(depth, improving) {
            return true;
        }
        let reduced = reduced.max(1);
        if params.futility
            && reduced <= params.futility_depth
            && alpha.abs() < MATE_BOUND
            && eval
                .is_some_and(|eval| eval + params.futility_base + params.futility_margin * reduced <= alpha)
        {
            return true;
        }
        params.see_pruning
            && depth <= 6
            && !see_ge(pos, picked.mv, -params.see_quiet_margin * reduced, self.sliders)
    }

    /// Hundredths of a ply that a quiet move with this number is reduced before anything is known of it.
    #[inline(always)]
    fn late_reduction(&self, depth: i32, number: usize) -> i32 {
        if self.params.lmr { self.reductions.late_move(depth, number) } else { 0 }
    }

    /// The value of a move that has been made, our view: reduced, null-window and full searches as needed.
    #[allow(clippy::too_many_arguments)]
    #[inline]
    fn search_move(
        &mut self,
        child: &Position,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        pv: bool,
        number: usize,
        picked: &Picked,
        in_check: bool,
        improving: bool,
    ) -> i32 {
        let params = self.params;
        let full = depth - 1;
        if number == 1 {
            return -self.alphabeta(child, -beta, -alpha, full, ply + 1, pv);
        }
        let narrow_beta = if params.pvs { alpha + 1 } else { beta };
        let mut value = alpha + 1;
        let mut searched = false;
        if params.lmr && depth >= params.lmr_depth && number > params.lmr_moves as usize && !in_check {
            let mut hundredths = self.reductions.late_move(depth, number);
            if picked.tactical {
                hundredths = if picked.losing { hundredths / 2 } else { 0 };
            } else {
                hundredths -= 100 * picked.history / params.lmr_history_divisor;
                hundredths -= 100 * i32::from(picked.favoured);
                hundredths += 100 * i32::from(!improving) - 50;
            }
            hundredths -= 100 * i32::from(pv);
            let reduction = (hundredths / 100).clamp(0, (full - 1).max(0));
            if reduction > 0 && !child.checkers_with(self.sliders).any() {
                value = -self.alphabeta(child, -narrow_beta, -alpha, full - reduction, ply + 1, false);
                searched = true;
                if value <= alpha || self.stopped {
                    return value;
                }
            }
        }
        if params.pvs {
            value = -self.alphabeta(child, -narrow_beta, -alpha, full, ply + 1, false);
            if value <= alpha || value >= beta || !pv || self.stopped {
                return value;
            }
        } else if !searched && !pv {
            return -self.alphabeta(child, -beta, -alpha, full, ply + 1, false);
        }
        let _ = value;
        -self.alphabeta(child, -beta, -alpha, full, ply + 1, pv)
    }

    fn picker(&self, pos: &Position, moves: MoveList, table_move: Option<Move>, ply: usize) -> Picker {
        let params = self.params;
        let previous = self.previous(ply, 1);
        let before = self.previous(ply, 2);
        let hints = Hints {
            table_move,
            killers: if params.killers { self.memory.frames[ply].killers } else { [None; 2] },
            countermove: match previous {
                Some(previous) if params.countermove => self.memory.history.countermove(previous),
                _ => None,
            },
            mvv_lva: params.mvv_lva,
            see: params.see_ordering,
        };
        let turn = pos.turn();
        let history = &self.memory.history;
        Picker::new(pos, moves, &hints, |mv| {
            let mut score = if params.history { history.butterfly(turn, mv) } else { 0 };
            if params.continuation_history {
                let role = pos.role_at(mv.from()).unwrap_or(Role::King);
                let piece_to = PieceTo::new(turn, role, mv.to());
                score += previous.map_or(0, |previous| history.continuation(previous, piece_to));
                score += before.map_or(0, |before| history.continuation(before, piece_to));
            }
            score
        })
    }

    /// The move made this many plies ago, if it was no null move.
    #[inline(always)]
    fn previous(&self, ply: usize, back: usize) -> Option<PieceTo> {
        if ply >= back { self.memory.frames[ply - back].moved } else { None }
    }

    /// A quiet move has cut: remember it, and hold it against the quiet moves tried before it.
    fn reward(&mut self, pos: &Position, mv: Move, piece_to: PieceTo, depth: i32, ply: usize, tried: &Tried) {
        let params = self.params;
        let (previous, before) = (self.previous(ply, 1), self.previous(ply, 2));
        let killers = &mut self.memory.frames[ply].killers;
        if killers[0] != Some(mv) {
            killers[1] = killers[0];
            killers[0] = Some(mv);
        }
        let history = &mut self.memory.history;
        if let Some(previous) = previous {
            history.set_countermove(previous, mv);
        }
        let bonus = params.history_bonus(depth);
        let losers = tried.moves[..tried.len].iter().flatten().map(|&(mv, piece_to)| (mv, piece_to, -bonus));
        for (mv, piece_to, bonus) in std::iter::once((mv, piece_to, bonus)).chain(losers) {
            if params.history {
                history.update_butterfly(pos.turn(), mv, bonus);
            }
            if params.continuation_history {
                for earlier in [previous, before].into_iter().flatten() {
                    history.update_continuation(earlier, piece_to, bonus);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::with_searcher;
    use super::*;
    use crate::engine::Params;

    #[test]
    fn a_null_move_needs_depth_and_no_bound_against_it() {
        let params = Params { reverse_futility: false, razoring: false, ..Params::default() };
        let pos = Position::startpos();
        let beta = -300;
        let entry = |bound, value| Some(Stored { mv: None, value, eval: None, depth: 1, bound });
        let try_null = |depth, stored| {
            with_searcher(&params, &pos, |searcher| {
                searcher.prune_node(&pos, beta - 1, beta, depth, 0, 0, false, stored)
            })
        };
        assert!(try_null(4, None).is_some_and(|value| value >= beta));
        assert!(try_null(4, entry(Bound::Lower, beta - 50)).is_some());
        assert!(try_null(4, entry(Bound::Upper, beta)).is_some());
        assert_eq!(try_null(4, entry(Bound::Upper, beta - 1)), None);
        assert_eq!(try_null(4, entry(Bound::Exact, beta - 1)), None);
        assert_eq!(try_null(params.null_move_depth - 1, None), None);
    }
}
