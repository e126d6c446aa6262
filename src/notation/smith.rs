//! Smith notation: from- and to-square, then what makes the move reversible: the captured piece in lower case, `E` for en
//! passant, `c` and `C` for short and long castling; then the promotion in upper case. `e4g5p`, `f7g8nQ`, `e1g1c`, `e5d6E`.
//! Source: page "Algebraic Chess Notation" of the seed documents, and Smith's description there referred to.
//!
//! The page writes captures in upper and promotions in lower case; both spellings are read, as the position tells which
//! letter is which. A missing capture letter is forgiven, a wrong one is not.

use super::san::castle_towards;
use super::{MoveError, uci_move};
use crate::rules::Position;
use crate::types::{Move, MoveKind, Role, Square};

/// Reads a move; castling by the king's walk or king takes rook.
pub(super) fn parse(text: &str, position: &Position) -> Result<Move, MoveError> {
    let text = text.trim();
    MoveError::check_null(text)?;
    let syntax = || MoveError::syntax(text);
    let (squares, letters) = text.split_at_checked(4).ok_or_else(syntax)?;
    let (from, to, _) = uci_move::split(squares).ok_or_else(syntax)?;
    match letters.as_bytes() {
        [] => uci_move::find(position, from, to, None, text),
        [side @ (b'c' | b'C')] => {
            castle(position, from, to, *side == b'c').ok_or_else(|| MoveError::illegal(text))
        }
        [one] => ordinary(position, (from, to), &[*one as char], text),
        [first, second] => ordinary(position, (from, to), &[*first as char, *second as char], text),
        _ => Err(syntax()),
    }
}

fn castle(position: &Position, from: Square, to: Square, east: bool) -> Option<Move> {
    let castle = castle_towards(position, east)?;
    (castle.from() == from && (to == castle.to() || to == uci_move::king_target(castle))).then_some(castle)
}

/// A move with one or two letters behind its squares.
fn ordinary(
    position: &Position,
    (from, to): (Square, Square),
    letters: &[char],
    text: &str,
) -> Result<Move, MoveError> {
    let fits = |mv: &&Move| mv.from() == from && mv.to() == to && !mv.is_castle();
    let legal = position.legal_moves();
    let candidates: Vec<Move> = legal.iter().filter(fits).copied().collect();
    let Some(&first) = candidates.first() else { return Err(MoveError::illegal(text)) };
    let captured = captured(first, position);
    let promotes = first.kind() == MoveKind::Promotion;
    let (capture, promotion) = match *letters {
        [capture, promotion] => (Some(capture), Some(promotion)),
        // One letter for a pawn that takes and promotes: a capital that is not the piece taken tells the promotion.
        [letter] if promotes && captured.is_none_or(|role| !names(letter, role) && letter.is_uppercase()) => {
            (None, Some(letter))
        }
        [letter] => (Some(letter), None),
        _ => (None, None),
    };
    if let Some(letter) = capture {
        let en_passant = first.kind() == MoveKind::EnPassant && letter.eq_ignore_ascii_case(&'e');
        if !en_passant && !captured.is_some_and(|role| names(letter, role)) {
            return Err(MoveError::capture(text));
        }
    }
    match promotion {
        Some(letter) => {
            let role = Role::from_letter(letter).ok_or_else(|| MoveError::syntax(text))?;
            let found = candidates.into_iter().find(|mv| mv.promotion_role() == Some(role));
            found.ok_or_else(|| MoveError::illegal(text))
        }
        None if promotes => Err(MoveError::missing_promotion(text)),
        None => Ok(first),
    }
}

fn names(letter: char, role: Role) -> bool {
    letter.to_ascii_lowercase() == role.letter()
}

fn captured(mv: Move, position: &Position) -> Option<Role> {
    if mv.kind() == MoveKind::EnPassant { Some(Role::Pawn) } else { position.role_at(mv.to()) }
}

/// Writes a legal move.
pub(super) fn format(mv: Move, position: &Position) -> String {
    if mv.is_castle() {
        let side = if mv.to().file() > mv.from().file() { 'c' } else { 'C' };
        return format!("{}{}{side}", mv.from(), uci_move::king_target(mv));
    }
    let mut text = format!("{}{}", mv.from(), mv.to());
    match captured(mv, position) {
        Some(_) if mv.kind() == MoveKind::EnPassant => text.push('E'),
        Some(role) => text.push(role.letter()),
        None => {}
    }
    text.extend(mv.promotion_role().map(Role::upper_letter));
    text
}
