//! Which move next: the table's move, winning captures, killers, countermove, quiet moves by history, losing captures.
//!
//! Moves are generated once and picked one by one, so that a cutoff saves the sorting of the rest; whether a capture
//! loses material is asked only when its turn comes. Source: page "Move Ordering" of the seed documents.

use super::see::{self, see_ge};
use crate::rules::{MoveList, Position};
use crate::sliders::Sliders;
use crate::types::{Move, MoveKind, Role};

const TABLE_MOVE: i32 = 1 << 30;
const CAPTURE: i32 = 1 << 26;
const KILLER: i32 = 1 << 24;
const COUNTERMOVE: i32 = 1 << 23;
const LOSING: i32 = -(1 << 26);

/// At most 218 moves are legal in any position.
const MAX_MOVES: usize = 256;

/// Captures, en passant included, and promotions: the moves that change the material.
#[inline(always)]
pub fn is_tactical(pos: &Position, mv: Move) -> bool {
    match mv.kind() {
        MoveKind::Normal => pos.occupied().has(mv.to()),
        MoveKind::Castle => false,
        MoveKind::EnPassant | MoveKind::Promotion => true,
    }
}

/// What the picker goes by.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints {
    pub table_move: Option<Move>,
    pub killers: [Option<Move>; 2],
    pub countermove: Option<Move>,
    pub mvv_lva: bool,
    /// Losing captures last.
    pub see: bool,
}

/// The moves of one node and their scores.
#[derive(Debug)]
pub struct Picker {
    moves: MoveList,
    scores: [i32; MAX_MOVES],
    next: usize,
    defer_losing: bool,
}

/// A move and what the picker knows of it.
#[derive(Clone, Copy, Debug)]
pub struct Picked {
    pub mv: Move,
    pub tactical: bool,
    /// A capture that loses material (only known where captures are ordered by exchange).
    pub losing: bool,
    /// A killer or the countermove.
    pub favoured: bool,
    /// History score of a quiet move.
    pub history: i32,
}

impl Picker {
    /// `quiet` gives the history score of a quiet move.
    #[inline]
    pub fn new(pos: &Position, moves: MoveList, hints: &Hints, quiet: impl Fn(Move) -> i32) -> Picker {
        let mut scores = [0; MAX_MOVES];
        for (mv, score) in moves.iter().zip(scores.iter_mut()) {
            let mv = *mv;
            *score = if Some(mv) == hints.table_move {
                TABLE_MOVE
            } else if is_tactical(pos, mv) {
                tactical_score(pos, mv, hints)
            } else if Some(mv) == hints.killers[0] {
                KILLER + 1
            } else if Some(mv) == hints.killers[1] {
                KILLER
            } else if Some(mv) == hints.countermove {
                COUNTERMOVE
            } else {
                quiet(mv)
            };
        }
        Picker { moves, scores, next: 0, defer_losing: hints.see }
    }

    /// The best of the moves left.
    #[inline]
    pub fn next<S: Sliders>(&mut self, pos: &Position, sliders: S) -> Option<Picked> {
        loop {
            let count = self.moves.len();
            if self.next >= count {
                return None;
            }
            let mut best = self.next;
            for i in self.next + 1..count {
                if self.scores[i] > self.scores[best] {
                    best = i;
                }
            }
            let (mv, score) = (self.moves[best], self.scores[best]);
            let capture = (CAPTURE..TABLE_MOVE).contains(&score);
            if capture && self.defer_losing && !see_ge(pos, mv, 0, sliders) {
                self.scores[best] = score - CAPTURE + LOSING;
                continue;
            }
            self.moves.swap(self.next, best);
            self.scores.swap(self.next, best);
            self.next += 1;
            let quiet = score > LOSING / 2 && score < COUNTERMOVE;
            return Some(Picked {
                mv,
                tactical: capture || score < LOSING / 2 || score == TABLE_MOVE && is_tactical(pos, mv),
                losing: score < LOSING / 2,
                favoured: (COUNTERMOVE..CAPTURE).contains(&score),
                history: if quiet { score } else { 0 },
            });
        }
    }
}

/// Most valuable victim first, least valuable attacker first among equals; under-promotions at the end.
fn tactical_score(pos: &Position, mv: Move, hints: &Hints) -> i32 {
    if matches!(mv.promotion_role(), Some(role) if role != Role::Queen) {
        return LOSING + see::gain(pos, mv);
    }
    if !hints.mvv_lva {
        return CAPTURE;
    }
    let attacker = pos.role_at(mv.from()).map_or(0, Role::index) as i32;
    CAPTURE + 16 * see::gain(pos, mv) - attacker
}
