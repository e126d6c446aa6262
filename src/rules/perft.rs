//! Perft: the number of legal move sequences of a given length. With bulk counting the last move is counted, not made.

use super::board::{BlackMoves, Board, Mover, WhiteMoves};
use super::movegen::{Count, MoveList, Targets, generate_for, legal_moves};
use super::position::Position;
use crate::sliders::Sliders;
use crate::types::{Color, Move};
use rayon::prelude::*;

fn count<M: Mover, S: Sliders>(board: &Board, depth: u32, sliders: S) -> u64 {
    if depth <= 1 {
        let mut count = Count::default();
        generate_for::<M, S, Count>(board, sliders, Targets::All, &mut count);
        return count.0;
    }
    let mut moves = MoveList::new();
    generate_for::<M, S, MoveList>(board, sliders, Targets::All, &mut moves);
    let mut nodes = 0;
    for &mv in moves.iter() {
        let mut child = *board;
        child.play::<M>(mv);
        nodes += count::<M::Other, S>(&child, depth - 1, sliders);
    }
    nodes
}

/// Makes every move to the last one; the child's hash of squares is consumed so that the work cannot be left out.
fn count_making<S: Sliders>(position: &Position, depth: u32, sliders: S, seen: &mut u64) -> u64 {
    if depth == 0 {
        *seen ^= position.key();
        return 1;
    }
    let mut moves = MoveList::new();
    legal_moves(position, sliders, &mut moves);
    let mut nodes = 0;
    for &mv in moves.iter() {
        let mut child = *position;
        child.play_unchecked(mv);
        nodes += count_making(&child, depth - 1, sliders, seen);
    }
    nodes
}

/// Leaf count at this depth (plies); depth 0 is 1. One thread, bulk counting.
pub fn perft<S: Sliders>(position: &Position, depth: u32, sliders: S) -> u64 {
    if depth == 0 {
        return 1;
    }
    match position.turn() {
        Color::White => count::<WhiteMoves, S>(position.board(), depth, sliders),
        Color::Black => count::<BlackMoves, S>(position.board(), depth, sliders),
    }
}

/// The same without bulk counting: every move is made, keys and counters included.
pub fn perft_make<S: Sliders>(position: &Position, depth: u32, sliders: S) -> u64 {
    let mut seen = 0;
    let nodes = count_making(position, depth, sliders, &mut seen);
    std::hint::black_box(seen);
    nodes
}

/// The leaf count below each root move, in generation order. Empty at depth 0.
pub fn perft_divide<S: Sliders>(position: &Position, depth: u32, sliders: S) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let mut moves = MoveList::new();
    legal_moves(position, sliders, &mut moves);
    moves
        .par_iter()
        .map(|&mv| {
            let mut child = *position;
            child.play_unchecked(mv);
            (mv, perft(&child, depth - 1, sliders))
        })
        .collect()
}

/// [`perft`] over the threads of the current rayon pool: two plies are shared out.
pub fn perft_parallel<S: Sliders>(position: &Position, depth: u32, sliders: S) -> u64 {
    if depth < 3 {
        return perft(position, depth, sliders);
    }
    let mut roots = Vec::new();
    let mut moves = MoveList::new();
    legal_moves(position, sliders, &mut moves);
    for &mv in moves.iter() {
        let mut child = *position;
        child.play_unchecked(mv);
        let mut replies = MoveList::new();
        legal_moves(&child, sliders, &mut replies);
        for &reply in replies.iter() {
            let mut grandchild = child;
            grandchild.play_unchecked(reply);
            roots.push(grandchild);
        }
    }
    roots.par_iter().map(|root| perft(root, depth - 2, sliders)).sum()
}
