//! Games of random moves: where trials that need many different positions take them from. A pure function of the numbers drawn;
//! it must not know what the positions are for.

use crate::rules::Position;
use crate::stats::SplitMix64;

/// A game from some position on, every legal move equally likely.
#[derive(Clone, Copy, Debug)]
pub(super) struct RandomGame {
    position: Position,
    plies_left: u32,
}

impl RandomGame {
    pub fn new(start: Position, most_plies: u32) -> RandomGame {
        RandomGame { position: start, plies_left: most_plies }
    }

    /// The position after one more move; `None` at mate, stalemate, a dead position or the last ply.
    pub fn next(&mut self, random: &mut SplitMix64) -> Option<Position> {
        self.plies_left = self.plies_left.checked_sub(1)?;
        let moves = self.position.legal_moves();
        if moves.is_empty() || self.position.is_dead() {
            return None;
        }
        self.position.play_unchecked(moves[random.below(moves.len() as u64) as usize]);
        Some(self.position)
    }
}
