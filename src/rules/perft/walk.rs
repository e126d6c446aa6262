//! What the other ways to walk a tree ask of the one generator, and how they start: the side to move becomes a type.
//! Must not know how any of them walks.

use crate::rules::board::{Board, Mover};
use crate::rules::movegen::{Count, MoveList, Targets, generate_for, list_moves};
use crate::sliders::{Sliders, compiled_for};

/// The legal moves of these targets.
pub(super) fn moves<M: Mover, S: Sliders>(board: &Board, sliders: S, targets: Targets) -> MoveList {
    let mut list = MoveList::new();
    list_moves::<M, S>(board, sliders, targets, &mut list);
    list
}

/// Their number, without making one.
pub(super) fn number<M: Mover, S: Sliders>(board: &Board, sliders: S, targets: Targets) -> u64 {
    let mut count = Count::default();
    compiled_for::<S, _>(|| generate_for::<M, S, _>(board, sliders, targets, &mut count));
    count.0
}

/// Calls a function that is generic in the side to move and the sliders, with the side that is to move.
macro_rules! for_the_side_to_move {
    ($position:expr, $function:ident::<$sliders:ty $(, $constant:tt)*>($($argument:expr),*)) => {
        match $position.turn() {
            $crate::types::Color::White => {
                $function::<$crate::rules::board::WhiteMoves, $sliders $(, $constant)*>($($argument),*)
            }
            $crate::types::Color::Black => {
                $function::<$crate::rules::board::BlackMoves, $sliders $(, $constant)*>($($argument),*)
            }
        }
    };
}

pub(super) use for_the_side_to_move;
