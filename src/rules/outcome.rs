//! How a game ends by the rules, without clocks or judges.

use crate::types::Color;

/// The end of a game by the rules of chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Checkmate {
        winner: Color,
    },
    Stalemate,
    /// No series of moves leads to mate.
    DeadPosition,
    /// Ends the game only where draws are claimed for the players, as match runners do.
    FiftyMoves,
    SeventyFiveMoves,
    /// Third occurrence; ends the game only where draws are claimed.
    Threefold,
    Fivefold,
}

impl Outcome {
    /// None = draw.
    pub fn winner(self) -> Option<Color> {
        match self {
            Outcome::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }

    /// For people and for PGN comments.
    pub fn reason(self) -> &'static str {
        match self {
            Outcome::Checkmate { winner: Color::White } => "white mates",
            Outcome::Checkmate { winner: Color::Black } => "black mates",
            Outcome::Stalemate => "draw by stalemate",
            Outcome::DeadPosition => "draw by insufficient mating material",
            Outcome::FiftyMoves => "draw by fifty moves rule",
            Outcome::SeventyFiveMoves => "draw by seventy-five moves rule",
            Outcome::Threefold => "draw by threefold repetition",
            Outcome::Fivefold => "draw by fivefold repetition",
        }
    }
}
