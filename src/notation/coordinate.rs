//! Pure coordinate notation: `e2e4`, `e7e8q`, castling as the king's walk `e1g1`.
//! Source: page "Algebraic Chess Notation" of the seed documents.
//!
//! Early programs wrote `E2-E4`, `e4xd5` and `O-O`: all of that is read.

use super::san::{castle_towards, castling_side, without_suffixes};
use super::{MoveError, uci_move};
use crate::rules::Position;
use crate::types::Move;

/// Reads a move with or without a hyphen or `x`, in either case, with or without `=`.
pub(super) fn parse(text: &str, position: &Position) -> Result<Move, MoveError> {
    let text = text.trim();
    MoveError::check_null(text)?;
    let body = without_suffixes(text);
    if let Some(east) = castling_side(body) {
        return castle_towards(position, east).ok_or_else(|| MoveError::illegal(text));
    }
    let split = || {
        let (from, rest) = body.split_at_checked(2)?;
        let (to, promotion) = rest.strip_prefix(['-', 'x', 'X', ':']).unwrap_or(rest).split_at_checked(2)?;
        let promotion = promotion.strip_prefix(['=', '(', '/']).unwrap_or(promotion);
        let promotion = promotion.strip_suffix(')').unwrap_or(promotion);
        uci_move::split(&format!("{from}{to}{promotion}").to_ascii_lowercase())
    };
    let (from, to, promotion) = split().ok_or_else(|| MoveError::syntax(text))?;
    uci_move::find(position, from, to, promotion, text)
}

/// `None` where the squares would read as another move.
pub(super) fn format(mv: Move, position: &Position) -> Option<String> {
    let (from, to) = uci_move::walk(mv, position)?;
    let promotion = mv.promotion_role().map_or_else(String::new, |role| role.letter().to_string());
    Some(format!("{from}{to}{promotion}"))
}
