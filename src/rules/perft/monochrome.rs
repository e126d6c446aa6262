//! Perft in which it is always White's move: after each move the board is turned round and the colours swapped, so that
//! only one half of the code is needed. Source: page "Color Flipping" of the seed documents (monochrome).

use super::walk::{moves, number};
use crate::rules::board::{Board, WhiteMoves};
use crate::rules::movegen::Targets;
use crate::rules::position::Position;
use crate::sliders::Sliders;
use std::hint::black_box;

fn count<S: Sliders>(board: &Board, depth: u32, sliders: S, bulk: bool) -> u64 {
    match depth {
        0 => {
            black_box(board);
            return 1;
        }
        1 if bulk => return number::<WhiteMoves, S>(board, sliders, Targets::All),
        _ => {}
    }
    let mut nodes = 0;
    for &mv in moves::<WhiteMoves, S>(board, sliders, Targets::All).iter() {
        let mut child = *board;
        child.play::<WhiteMoves>(mv);
        nodes += count(&child.flipped(), depth - 1, sliders, bulk);
    }
    nodes
}

/// Leaf count by White's half of the generator alone, `depth` plies deep. `bulk`: the last move is counted, not made.
pub fn perft_monochrome<S: Sliders>(position: &Position, depth: u32, sliders: S, bulk: bool) -> u64 {
    let board = *position.board();
    let board = if position.turn().is_white() { board } else { board.flipped() };
    count(&board, depth, sliders, bulk)
}
