//! Two boards, one seen from each side, both played on: whoever is to move finds a board on which White is to move, so a
//! generator of White's moves is enough, and no flip is done after a move.
//!
//! Source: page "Color Flipping" of the seed documents ("Keeping two Boards", after Scharnagl). Both boards have keys of their own.

use super::movegen::MoveList;
use super::position::Position;
use crate::sliders::Sliders;
use crate::types::{Color, Move, Square};

/// A position and its colour flip, in step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TwoBoards {
    normal: Position,
    flipped: Position,
}

impl TwoBoards {
    pub fn new(position: &Position) -> TwoBoards {
        TwoBoards { normal: *position, flipped: position.flipped() }
    }

    /// The position as it is.
    pub fn normal(&self) -> &Position {
        &self.normal
    }

    /// The board on which White is to move, and whether it is the flipped one.
    pub fn white_to_move(&self) -> (&Position, bool) {
        if self.normal.turn() == Color::White { (&self.normal, false) } else { (&self.flipped, true) }
    }

    /// Plays a legal move of the board with White to move, on both boards.
    pub fn play_unchecked(&mut self, white_move: Move) {
        let image = white_move.mapped(Square::flip);
        let is_flipped = self.normal.turn() == Color::Black;
        let (on_normal, on_flipped) = if is_flipped { (image, white_move) } else { (white_move, image) };
        self.normal.play_unchecked(on_normal);
        self.flipped.play_unchecked(on_flipped);
    }

    /// Leaves at this depth; only White's moves are ever generated.
    pub fn perft<S: Sliders>(&self, depth: u32, sliders: S) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut moves = MoveList::new();
        super::legal_moves(self.white_to_move().0, sliders, &mut moves);
        if depth == 1 {
            return moves.len() as u64;
        }
        moves
            .iter()
            .map(|&mv| {
                let mut child = *self;
                child.play_unchecked(mv);
                child.perft(depth - 1, sliders)
            })
            .sum()
    }
}
