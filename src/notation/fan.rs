//! Figurine Algebraic Notation: SAN with pictures for letters, `♘f3`, `♞xe4`, `e8=♕`, in the mover's colour.
//! Source: page "Algebraic Chess Notation" of the seed documents; the symbols are Unicode's U+2654 to U+265F.
//!
//! Read are figurines of either colour (many books print one set for both sides) and letters.

use super::MoveError;
use super::san::{self, Origin};
use crate::rules::Position;
use crate::types::{Color, Move, Role};

/// King to pawn, as Unicode orders them; white ones at U+2654, black ones behind them.
const ORDER: [Role; 6] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
const WHITE_KING: u32 = 0x2654;

/// Reads a move with figurines or letters.
pub(super) fn parse(text: &str, position: &Position) -> Result<Move, MoveError> {
    // Variation selectors only say whether a symbol is to be shown as text or as a coloured picture.
    let shown = text.chars().filter(|letter| !matches!(letter, '\u{fe0e}' | '\u{fe0f}'));
    let spelled: String = shown.map(|letter| letter_of(letter).unwrap_or(letter)).collect();
    san::read(&spelled, text, position, Origin::Shortest)
}

/// `None` if the move is not legal.
pub(super) fn format(mv: Move, position: &Position) -> Option<String> {
    let spelled = san::spell(mv, position, Origin::Shortest)?;
    Some(spelled.chars().map(|letter| figurine(letter, position.turn())).collect())
}

fn letter_of(figurine: char) -> Option<char> {
    let place = u32::from(figurine).checked_sub(WHITE_KING)?;
    let role = (place < 12).then(|| ORDER[place as usize % 6])?;
    Some(role.upper_letter())
}

/// Only pieces are capital letters in SAN, but for the rings of castling.
fn figurine(letter: char, color: Color) -> char {
    let place = ORDER.iter().position(|role| role.upper_letter() == letter);
    let symbol = place.and_then(|place| char::from_u32(WHITE_KING + color.pick(0, 6) + place as u32));
    symbol.unwrap_or(letter)
}
