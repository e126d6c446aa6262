//! Perft: the number of legal move sequences of a given length. With bulk counting the last move is counted, not made.

mod hashed;
mod make_unmake;
mod monochrome;
mod pseudo_legal;
mod staged;
mod two_ply;
mod until;
mod walk;

pub use hashed::{PerftTable, perft_hashed};
pub use make_unmake::{perft_copied, perft_in_place};
pub use monochrome::perft_monochrome;
pub use pseudo_legal::perft_pseudo_legal;
pub use staged::perft_staged;
pub use two_ply::perft_two_ply;
pub use until::{perft_divide_until, perft_until};

use crate::rules::board::{BlackMoves, Board, Mover, PieceSet, WhiteMoves};
use crate::rules::movegen::{Count, MoveSink, Targets, generate_told, leaper_checks, origin};
use crate::rules::position::Position;
use crate::sliders::{Sliders, compiled_for, empty};
use crate::types::{Bitboard, Color, Move, Role, Square};
use std::marker::PhantomData;

/// No count is taken beyond this: a tree of so many plies is a slip of the pen, and walks go down by recursion.
pub const MAX_PERFT_DEPTH: u32 = 100;

fn count<M: Mover, S: Sliders, L: Below>(
    board: &Board,
    leapers: Bitboard,
    depth: u32,
    last: L,
    sliders: S,
) -> u64 {
    compiled_for::<S, _>(|| {
        if depth == L::DEPTH {
            return last.count::<M, S>(board, leapers, sliders);
        }
        if depth == L::DEPTH + 1 {
            return visit::<M, S, L>(board, leapers, last, sliders);
        }
        visit::<M, S, Deeper<L>>(board, leapers, Deeper { depth: depth - 1, last }, sliders)
    })
}

#[inline(always)]
fn visit<M: Mover, S: Sliders, B: Below>(board: &Board, leapers: Bitboard, below: B, sliders: S) -> u64 {
    let mut visit = Visit::<M, S, B> { board, below, sliders, nodes: 0, side: PhantomData };
    generate_told::<M, S, _>(board, leapers, sliders, Targets::All, &mut visit);
    visit.nodes
}

/// What is done with each child.
trait Below: Copy {
    /// Plies below the child.
    const DEPTH: u32 = 0;
    fn count<M: Mover, S: Sliders>(self, child: &Board, leapers: Bitboard, sliders: S) -> u64;
}

/// The child is one ply above the leaves: its moves are counted, not made.
#[derive(Clone, Copy)]
struct Horizon;

impl Below for Horizon {
    const DEPTH: u32 = 1;

    /// Inlined at each kind of move, where most of the child is known to the compiler.
    #[inline(always)]
    fn count<M: Mover, S: Sliders>(self, child: &Board, leapers: Bitboard, sliders: S) -> u64 {
        horizon::<M, S>(child, leapers, sliders)
    }
}

#[inline(always)]
fn horizon<M: Mover, S: Sliders>(board: &Board, leapers: Bitboard, sliders: S) -> u64 {
    let mut count = Count::default();
    generate_told::<M, S, Count>(board, leapers, sliders, Targets::All, &mut count);
    count.0
}

/// The child is a leaf, made in full: the compiler must believe that somebody looks at it.
#[derive(Clone, Copy)]
struct Made;

impl Below for Made {
    #[inline(always)]
    fn count<M: Mover, S: Sliders>(self, child: &Board, _: Bitboard, _: S) -> u64 {
        std::hint::black_box(child);
        1
    }
}

/// The child has so many plies below it, the last of them for `last`.
#[derive(Clone, Copy)]
struct Deeper<L> {
    depth: u32,
    last: L,
}

impl<L: Below> Below for Deeper<L> {
    #[inline(always)]
    fn count<M: Mover, S: Sliders>(self, child: &Board, leapers: Bitboard, sliders: S) -> u64 {
        count::<M, S, L>(child, leapers, self.depth, self.last, sliders)
    }
}

/// Plays each move as the generator finds it and counts below; no list in between.
struct Visit<'a, M, S, B> {
    board: &'a Board,
    below: B,
    sliders: S,
    nodes: u64,
    side: PhantomData<M>,
}

impl<M: Mover, S: Sliders, B: Below> MoveSink for Visit<'_, M, S, B> {
    #[inline(always)]
    fn piece<P: PieceSet>(&mut self, from: Square, to: Bitboard) {
        let them = &self.board.sides[M::THEM];
        let king = them.king.first_unchecked();
        let leapers = |to: Square| match P::IS_KNIGHT {
            true => empty::knight(king) & to.into(),
            false => Bitboard::EMPTY,
        };
        for to in to - them.all {
            let mut child = *self.board;
            child.move_quietly::<M, P>(from, to);
            self.nodes += self.below.count::<M::Other, S>(&child, leapers(to), self.sliders);
        }
        for to in to & them.all {
            let mut child = *self.board;
            child.move_piece::<M, P>(from, to);
            self.nodes += self.below.count::<M::Other, S>(&child, leapers(to), self.sliders);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        let king = self.board.sides[M::THEM].king.first_unchecked();
        for to in to {
            let mut child = *self.board;
            child.move_pawn::<M>(to, step);
            let leapers = empty::pawn(M::Other::COLOR, king) & to.into();
            self.nodes += self.below.count::<M::Other, S>(&child, leapers, self.sliders);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, step: i8) {
        for to in to {
            for role in Role::PROMOTIONS {
                let mv = Move::promotion(origin(to, step), to, role);
                self.nodes += other::<M, S, B>(self.board, mv, self.below, self.sliders);
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.nodes += other::<M, S, B>(self.board, Move::en_passant(from, to), self.below, self.sliders);
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) {
        self.nodes += other::<M, S, B>(self.board, Move::castle(king, rook), self.below, self.sliders);
    }
}

/// The rare kinds of move, by the general way.
#[inline(never)]
fn other<M: Mover, S: Sliders, B: Below>(board: &Board, mv: Move, below: B, sliders: S) -> u64 {
    let mut child = *board;
    child.play::<M>(mv);
    let leapers = leaper_checks::<M::Other>(&child);
    compiled_for::<S, _>(|| below.count::<M::Other, S>(&child, leapers, sliders))
}

fn count_from<S: Sliders, L: Below>(position: &Position, depth: u32, last: L, sliders: S) -> u64 {
    let board = position.board();
    match position.turn() {
        Color::White => {
            count::<WhiteMoves, S, L>(board, leaper_checks::<WhiteMoves>(board), depth, last, sliders)
        }
        Color::Black => {
            count::<BlackMoves, S, L>(board, leaper_checks::<BlackMoves>(board), depth, last, sliders)
        }
    }
}

/// Leaf count at this depth (plies); depth 0 is 1. One thread, bulk counting. Of its fastest form there are only those
/// of the backends that are the default somewhere, which keeps the build short: the others count by [`perft_copied`].
pub fn perft<S: Sliders>(position: &Position, depth: u32, sliders: S) -> u64 {
    if depth == 0 {
        1
    } else if const { S::BACKEND.may_be_default() } {
        count_from(position, depth, Horizon, sliders)
    } else {
        perft_copied(position, depth, sliders, true)
    }
}

/// The same without bulk counting: the board after every move is made and handed out.
pub fn perft_make<S: Sliders>(position: &Position, depth: u32, sliders: S) -> u64 {
    count_from(position, depth, Made, sliders)
}

/// The leaf count below each root move, in generation order. Empty at depth 0. One thread.
pub fn perft_divide<S: Sliders>(position: &Position, depth: u32, sliders: S) -> Vec<(Move, u64)> {
    perft_divide_until(position, depth, sliders, &|| false).unwrap_or_default()
}
