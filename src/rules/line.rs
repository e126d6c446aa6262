//! A position reached by moves: what repetition and the move-count rules need to know.

use super::outcome::Outcome;
use super::position::{IllegalMove, Position};
use crate::types::Move;

/// A start position and the moves played from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    start: Position,
    moves: Vec<Move>,
    position: Position,
    /// Keys of all positions, the start first, the current one last.
    keys: Vec<u64>,
}

impl Line {
    pub fn new(start: Position) -> Line {
        Line { start, moves: Vec::new(), position: start, keys: vec![start.key()] }
    }

    pub fn start(&self) -> &Position {
        &self.start
    }

    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position after all moves.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Keys of all positions of the line, the start first, the current one last.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Plays a move, or leaves all as it is if the move is not legal.
    ///
    /// # Errors
    /// If it is not legal.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.position.is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays a move that is known to be legal.
    pub fn play_unchecked(&mut self, mv: Move) {
        self.position.play_unchecked(mv);
        self.moves.push(mv);
        self.keys.push(self.position.key());
    }

    /// How often the current position has occurred, this time included; the start position of the line counts.
    pub fn occurrences(&self) -> usize {
        let reversible = self.position.halfmove_clock() as usize;
        self.keys
            .iter()
            .rev()
            .take(reversible.saturating_add(1))
            .filter(|&&key| key == self.position.key())
            .count()
    }

    /// Whether the game is over here. `claim`: also by draws that a player would have to claim (threefold, fifty moves), as
    /// match runners do. Mate outranks every count.
    pub fn outcome(&self, claim: bool) -> Option<Outcome> {
        let position = &self.position;
        if !position.has_legal_move() {
            return Some(if position.is_check() {
                Outcome::Checkmate { winner: !position.turn() }
            } else {
                Outcome::Stalemate
            });
        }
        if position.is_dead() {
            return Some(Outcome::DeadPosition);
        }
        let occurrences = self.occurrences();
        match position.halfmove_clock() {
            _ if occurrences >= 5 => Some(Outcome::Fivefold),
            150.. => Some(Outcome::SeventyFiveMoves),
            _ if claim && occurrences >= 3 => Some(Outcome::Threefold),
            100.. if claim => Some(Outcome::FiftyMoves),
            _ => None,
        }
    }
}
