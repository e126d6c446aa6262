//! Quiescence: captures and promotions until the position is quiet, every evasion when in check.
//!
//! Source: page "Quiescence Search" of the seed documents.

use super::{INFINITE, MATE, MATE_BOUND, MAX_PLY, Searcher, from_table, to_table};
use crate::engine::ordering::{Hints, Picker};
use crate::engine::see::{self, see_ge};
use crate::engine::tt::Stored;
use crate::rules::{self, MoveList, Position};
use crate::sliders::Sliders;
use crate::types::{Bound, Role};

/// Evasions are searched in full only so many plies below the horizon; repetition cannot end a chain of checks
/// earlier, because the other side must capture.
const MAX_CHECK_PLIES: i32 = 12;

impl<S: Sliders> Searcher<'_, S> {
    /// The value once captures are over, side to move's view. `below`: plies below the horizon.
    pub(super) fn quiescence(
        &mut self,
        pos: &Position,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        in_check: bool,
        below: i32,
    ) -> i32 {
        let params = self.params;
        self.seldepth = self.seldepth.max(ply);
        self.memory.pv.clear(ply);
        if self.is_draw(pos, in_check) {
            return 0;
        }
        if ply >= MAX_PLY {
            return if in_check { 0 } else { self.evaluate(pos) };
        }
        if !params.quiescence {
            return self.horizon(pos, in_check, ply);
        }
        let evade = in_check && params.quiescence_checks && below < MAX_CHECK_PLIES;

        let stored = if params.tt { self.table.probe(pos.key()) } else { None };
        if let Some(stored) = stored
            && beta - alpha == 1
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

        let mut best = -INFINITE;
        let mut eval = None;
        if !evade {
            let stand_pat = match stored {
                Some(stored) if stored.eval.is_some() => stored.eval.unwrap_or(0),
                _ => self.evaluate(pos),
            };
            eval = Some(stand_pat);
            best = stand_pat;
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }

        let mut moves = MoveList::new();
        if evade {
            rules::legal_moves(pos, self.sliders, &mut moves);
            if moves.is_empty() {
                return -MATE + ply as i32;
            }
        } else {
            rules::captures(pos, self.sliders, &mut moves);
        }
        let hints = Hints {
            table_move: stored.and_then(|stored| stored.mv),
            mvv_lva: params.mvv_lva,
            ..Hints::default()
        };
        let (history, turn) = (&self.memory.history, pos.turn());
        let mut picker =
            Picker::new(
                pos,
                moves,
                &hints,
                |mv| if params.history { history.butterfly(turn, mv) } else { 0 },
            );
        let mut best_move = None;
        let mut bound = Bound::Upper;
        let mut first = true;
        while let Some(picked) = picker.next(pos, self.sliders) {
            let mv = picked.mv;
            if !evade {
                if matches!(mv.promotion_role(), Some(role) if role != Role::Queen) {
                    continue;
                }
                if let Some(eval) = eval
                    && params.delta_pruning
                {
                    let most = eval + see::gain(pos, mv) + params.delta_margin;
                    if most <= alpha {
                        best = best.max(most);
                        continue;
                    }
                }
                if params.see_pruning && !see_ge(pos, mv, 0, self.sliders) {
                    continue;
                }
            } else if best > -MATE_BOUND && !picked.tactical && below > 0 {
                // One quiet evasion that is not mate is enough to know that we survive.
                continue;
            }
            if !self.enter() {
                return 0;
            }
            if first {
                self.interior_nodes += 1;
                first = false;
            }
            let mut child = *pos;
            child.play_unchecked(mv);
            self.memory.keys.push(child.key());
            let gives_check = child.checkers_with(self.sliders).any();
            let value = -self.quiescence(&child, -beta, -alpha, ply + 1, gives_check, below + 1);
            self.memory.keys.pop();
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(mv);
                    bound = Bound::Exact;
                    if value >= beta {
                        bound = Bound::Lower;
                        break;
                    }
                    self.memory.pv.set(ply, mv);
                }
            }
        }
        if params.tt {
            let entry = Stored { mv: best_move, value: to_table(best, ply), eval, depth: 0, bound };
            self.table.store(pos.key(), entry);
        }
        best
    }

    /// Without quiescence: the static evaluation, or mate.
    fn horizon(&mut self, pos: &Position, in_check: bool, ply: usize) -> i32 {
        if in_check {
            let mut moves = MoveList::new();
            rules::legal_moves(pos, self.sliders, &mut moves);
            if moves.is_empty() {
                return -MATE + ply as i32;
            }
        }
        self.evaluate(pos)
    }
}
