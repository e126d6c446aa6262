//! Counts that somebody may break off: taken in pieces, with a look at the stop flag between them. On the calling thread.
//! Must not know whose flag it is.

use super::perft;
use crate::rules::movegen::MoveList;
use crate::rules::position::{Position, legal_moves};
use crate::sliders::Sliders;
use crate::types::Move;

/// Plies of a piece: it takes a second or so in the richest middlegame.
const PIECE: u32 = 5;

/// Leaf count at this depth; `None` once `stop` says so, within about a second.
pub fn perft_until<S: Sliders>(
    position: &Position,
    depth: u32,
    sliders: S,
    stop: &dyn Fn() -> bool,
) -> Option<u64> {
    if stop() {
        return None;
    }
    if depth <= PIECE {
        return Some(perft(position, depth, sliders));
    }
    perft_divide_until(position, depth, sliders, stop)
        .map(|divide| divide.iter().fold(0, |sum: u64, &(_, nodes)| sum.saturating_add(nodes)))
}

/// The leaf count below each root move, in generation order; empty at depth 0. `None` as with [`perft_until`].
pub fn perft_divide_until<S: Sliders>(
    position: &Position,
    depth: u32,
    sliders: S,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<(Move, u64)>> {
    if depth == 0 {
        return Some(Vec::new());
    }
    let mut moves = MoveList::new();
    legal_moves(position, sliders, &mut moves);
    let below = |&mv: &Move| {
        let mut child = *position;
        child.play_unchecked(mv);
        Some((mv, perft_until(&child, depth - 1, sliders, stop)?))
    };
    moves.iter().map(below).collect()
}
