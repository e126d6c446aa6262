//! Moves as the UCI protocol writes them: `e2e4`, `a7a8q`, castling as `e1g1` or (Chess960) `e1h1`.
//! Source: page "UCI" of the seed documents.

use super::MoveError;
use crate::rules::Position;
use crate::types::{Move, Role, Square};
use std::fmt::{self, Write};

/// Reads a UCI move and finds it among the legal ones. Castling may be written king to its target (`e1g1`) or king
/// takes rook (`e1h1`), whatever the variant; the promotion letter may be upper case. `0000` is an error: it is no move.
pub fn parse(text: &str, position: &Position) -> Result<Move, MoveError> {
    MoveError::check_null(text)?;
    let syntax = || MoveError::syntax(text);
    let (from, to, promotion) = split(text).ok_or_else(syntax)?;
    find(position, from, to, promotion, text)
}

/// Writes a move. `chess960`: castling as king takes rook, which only an engine told `UCI_Chess960 true` understands;
/// otherwise as the king's two-square step.
pub fn format(mv: Move, chess960: bool) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write(&mut text, mv, chess960);
    text
}

/// The same at the end of a text.
///
/// # Errors
/// Those of the text.
pub fn write(text: &mut impl Write, mv: Move, chess960: bool) -> fmt::Result {
    if mv.is_castle() && !chess960 {
        return write!(text, "{}{}", mv.from(), king_target(mv));
    }
    // Debug of `Move` is UCI with castling as king takes rook.
    write!(text, "{mv:?}")
}

/// Where the king lands: the g- or the c-file.
pub(super) fn king_target(castle: Move) -> Square {
    let file = if castle.to().file() > castle.from().file() { 6 } else { 2 };
    Square::at(file, castle.from().rank())
}

/// From- and to-square of a move where castling is written as the king's walk. `None` if these squares read as another
/// move, as they do in Chess960 where the king castles to the next square, or stays.
pub(super) fn walk(mv: Move, position: &Position) -> Option<(Square, Square)> {
    if !mv.is_castle() {
        return Some((mv.from(), mv.to()));
    }
    let to = king_target(mv);
    (find(position, mv.from(), to, None, "") == Ok(mv)).then_some((mv.from(), to))
}

/// From, to and promotion of a coordinate move, whatever the position.
pub(super) fn split(text: &str) -> Option<(Square, Square, Option<Role>)> {
    let from = text.get(..2)?.parse().ok()?;
    let to = text.get(2..4)?.parse().ok()?;
    let promotion = match text.get(4..)? {
        "" => None,
        letter => Some(promotion_role(letter)?),
    };
    Some((from, to, promotion))
}

fn promotion_role(text: &str) -> Option<Role> {
    let mut letters = text.chars();
    let role = Role::from_letter(letters.next()?)?;
    (letters.next().is_none() && Role::PROMOTIONS.contains(&role)).then_some(role)
}

/// The legal move between these squares. `text` is the move as written, for the error.
pub(super) fn find(
    position: &Position,
    from: Square,
    to: Square,
    promotion: Option<Role>,
    text: &str,
) -> Result<Move, MoveError> {
    let mut lacks_promotion = false;
    for &mv in position.legal_moves().iter().filter(|mv| mv.from() == from) {
        if mv.is_castle() {
            // A king step of one square is never castling, so the king's target names it only from further away.
            let by_target = king_target(mv) == to && from.distance(to) > 1;
            if promotion.is_none() && (mv.to() == to || by_target) {
                return Ok(mv);
            }
        } else if mv.to() == to {
            if mv.promotion_role() == promotion {
                return Ok(mv);
            }
            lacks_promotion |= promotion.is_none();
        }
    }
    Err(if lacks_promotion { MoveError::missing_promotion(text) } else { MoveError::illegal(text) })
}
