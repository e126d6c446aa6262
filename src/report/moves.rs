//! Moves as people read them: UCI form in records, SAN on the page where the move is legal in its position.

use crate::notation::fen::{self, CastlingMode};
use crate::notation::{san, uci_move};

/// The move in SAN; as it stands if the position or the move cannot be read.
pub fn readable(fen: &str, uci: &str) -> String {
    let san = || {
        // Chess960 reads standard positions too; rows of single positions do not say which it is.
        let position = fen::parse(fen, CastlingMode::Standard)
            .or_else(|_| fen::parse(fen, CastlingMode::Chess960))
            .ok()?;
        let mv = uci_move::parse(uci, &position).ok()?;
        Some(san::format(mv, &position))
    };
    san().unwrap_or_else(|| uci.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legal_moves_in_san_and_others_as_they_are() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(readable(start, "g1f3"), "Nf3");
        for odd in ["e2e5", "<b>", ""] {
            assert_eq!(readable(start, odd), odd);
        }
        assert_eq!(readable("no position", "g1f3"), "g1f3");
    }
}
