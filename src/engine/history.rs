//! What quiet moves did elsewhere in the tree: killers, butterfly history, countermoves, continuation history.
//!
//! Source: pages "Killer Heuristic", "History Heuristic" and "Countermove Heuristic" of the seed documents.

use crate::types::{Color, Move, Role, Square};

/// Entries stay inside ±this.
pub const HISTORY_LIMIT: i32 = 16_384;

/// Index of a piece going to a square: 0 to 767.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    pub const COUNT: usize = 768;

    #[inline(always)]
    pub fn new(color: Color, role: Role, to: Square) -> PieceTo {
        PieceTo(((color.index() * 6 + role.index()) * 64 + to.index()) as u16)
    }

    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The tables of one engine.
#[derive(Clone, Debug)]
pub struct History {
    /// By colour, from and to.
    butterfly: Vec<i16>,
    /// By the previous move, then this move.
    continuation: Vec<i16>,
    /// By the previous move: whether anything was written behind it. Most rows of a short game stay as they are.
    written: Vec<bool>,
    /// By the previous move.
    countermoves: Vec<Option<Move>>,
}

#[inline(always)]
fn butterfly_index(color: Color, mv: Move) -> usize {
    color.index() << 12 | mv.from().index() << 6 | mv.to().index()
}

#[inline(always)]
fn nudge(entry: &mut i16, bonus: i32) {
    // The nearer the limit, the smaller the step: entries forget.
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
}

impl History {
    pub fn new() -> History {
        History {
            butterfly: vec![0; 2 * 4096],
            continuation: vec![0; PieceTo::COUNT * PieceTo::COUNT],
            written: vec![false; PieceTo::COUNT],
            countermoves: vec![None; PieceTo::COUNT],
        }
    }

    pub fn clear(&mut self) {
        self.butterfly.fill(0);
        let rows = self.continuation.chunks_exact_mut(PieceTo::COUNT).zip(&mut self.written);
        for (row, written) in rows.filter(|(_, written)| **written) {
            row.fill(0);
            *written = false;
        }
        self.countermoves.fill(None);
    }

    #[inline(always)]
    pub fn butterfly(&self, color: Color, mv: Move) -> i32 {
        i32::from(self.butterfly[butterfly_index(color, mv)])
    }

    #[inline(always)]
    pub fn continuation(&self, previous: PieceTo, current: PieceTo) -> i32 {
        i32::from(self.continuation[previous.index() * PieceTo::COUNT + current.index()])
    }

    #[inline(always)]
    pub fn countermove(&self, previous: PieceTo) -> Option<Move> {
        self.countermoves[previous.index()]
    }

    /// `bonus` positive for a move that cut, negative for one that did not; at most ±[`HISTORY_LIMIT`].
    #[inline(always)]
    pub fn update_butterfly(&mut self, color: Color, mv: Move, bonus: i32) {
        nudge(&mut self.butterfly[butterfly_index(color, mv)], bonus);
    }

    #[inline(always)]
    pub fn update_continuation(&mut self, previous: PieceTo, current: PieceTo, bonus: i32) {
        self.written[previous.index()] = true;
        nudge(&mut self.continuation[previous.index() * PieceTo::COUNT + current.index()], bonus);
    }

    #[inline(always)]
    pub fn set_countermove(&mut self, previous: PieceTo, mv: Move) {
        self.countermoves[previous.index()] = Some(mv);
    }
}

impl Default for History {
    fn default() -> History {
        History::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_inside_the_limit() {
        let mut history = History::new();
        let mv = Move::normal(Square::E2, Square::E4);
        for _ in 0..1000 {
            history.update_butterfly(Color::White, mv, 8000);
        }
        let high = history.butterfly(Color::White, mv);
        assert!(high > HISTORY_LIMIT * 9 / 10 && high <= HISTORY_LIMIT);
        history.update_butterfly(Color::White, mv, -8000);
        assert!(history.butterfly(Color::White, mv) < high - 8000);
        assert_eq!(history.butterfly(Color::Black, mv), 0);
        history.clear();
        assert_eq!(history.butterfly(Color::White, mv), 0);
    }

    #[test]
    fn a_cleared_history_is_as_new() {
        let mut history = History::new();
        let all = |n: usize| PieceTo((n % PieceTo::COUNT) as u16);
        for _ in 0..2 {
            for n in 0..2 * PieceTo::COUNT {
                history.update_continuation(all(n * 5), all(n), 100);
                history.set_countermove(all(n), Move::normal(Square::E2, Square::E4));
            }
            history.update_butterfly(Color::Black, Move::normal(Square::E7, Square::E5), 100);
            history.clear();
            let new = History::new();
            assert!(history.continuation == new.continuation && history.butterfly == new.butterfly);
            assert!(history.countermoves == new.countermoves && history.written == new.written);
        }
    }
}
