//! Perft: the number of legal move sequences of a given length. With bulk counting the last move is counted, not made.

mod make_unmake;
mod monochrome;
mod pseudo_legal;
mod staged;
mod walk;

pub use make_unmake::{perft_copied, perft_in_place};
pub use monochrome::perft_monochrome;
pub use pseudo_legal::perft_pseudo_legal;
pub use staged::perft_staged;

use crate::rules::board::{BlackMoves, Board, Mover, WhiteMoves};
use crate::rules::movegen::{Count, MoveList, MoveSink, Targets, generate_for, origin};
use crate::rules::position::{Position, legal_moves};
use crate::sliders::Sliders;
use crate::types::{Bitboard, Color, Move, Role, Square};
use rayon::prelude::*;
use std::marker::PhantomData;

fn count<M: Mover, S: Sliders>(board: &Board, depth: u32, sliders: S) -> u64 {
    if depth <= 1 {
        return horizon::<M, S>(board, sliders);
    }
    let mut visit = Visit::<M, S> { board, depth, sliders, nodes: 0, side: PhantomData };
    generate_for::<M, S, _>(board, sliders, Targets::All, &mut visit);
    visit.nodes
}

#[inline(always)]
fn horizon<M: Mover, S: Sliders>(board: &Board, sliders: S) -> u64 {
    let mut count = Count::default();
    generate_for::<M, S, Count>(board, sliders, Targets::All, &mut count);
    count.0
}

/// Plays each move as the generator finds it and counts below; no list in between.
struct Visit<'a, M, S> {
    board: &'a Board,
    depth: u32,
    sliders: S,
    nodes: u64,
    side: PhantomData<M>,
}

impl<M: Mover, S: Sliders> Visit<'_, M, S> {
    #[inline(always)]
    fn below(&mut self, child: &Board) {
        self.nodes += if self.depth == 2 {
            leaf::<M::Other, S>(child, self.sliders)
        } else {
            count::<M::Other, S>(child, self.depth - 1, self.sliders)
        };
    }
}

/// The horizon as a function of its own, so that it is compiled once per side and not at every kind of move.
#[inline(never)]
fn leaf<M: Mover, S: Sliders>(board: &Board, sliders: S) -> u64 {
    horizon::<M, S>(board, sliders)
}

impl<M: Mover, S: Sliders> MoveSink for Visit<'_, M, S> {
    #[inline(always)]
    fn piece(&mut self, from: Square, to: Bitboard) {
        for to in to {
            let mut child = *self.board;
            child.move_piece::<M>(from, to);
            self.below(&child);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        for to in to {
            let mut child = *self.board;
            child.move_pawn::<M>(origin(to, step), to);
            self.below(&child);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, step: i8) {
        for to in to {
            for role in Role::PROMOTIONS {
                self.other(Move::promotion(origin(to, step), to, role));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.other(Move::en_passant(from, to));
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) {
        self.other(Move::castle(king, rook));
    }
}

impl<M: Mover, S: Sliders> Visit<'_, M, S> {
    /// The rare kinds of move, by the general way.
    #[inline(never)]
    fn other(&mut self, mv: Move) {
        let mut child = *self.board;
        child.play::<M>(mv);
        self.below(&child);
    }
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
