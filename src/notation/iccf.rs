//! Numeric notation of the International Correspondence Chess Federation: `5254`, `5171`, `67682`: file and rank of both
//! squares as digits, and for a promotion 1 queen, 2 rook, 3 bishop, 4 knight.
//! Source: page "Algebraic Chess Notation" of the seed documents; examples from the federation's guide to the notation.

use super::{MoveError, uci_move};
use crate::rules::Position;
use crate::types::{Move, Role, Square};

/// Reads four digits, five for a promotion; a hyphen between the squares is let pass.
pub(super) fn parse(text: &str, position: &Position) -> Result<Move, MoveError> {
    let text = text.trim();
    MoveError::check_null(text)?;
    let (from, to, promotion) = split(text.as_bytes()).ok_or_else(|| MoveError::syntax(text))?;
    uci_move::find(position, from, to, promotion, text)
}

fn split(text: &[u8]) -> Option<(Square, Square, Option<Role>)> {
    let [a, b, rest @ ..] = text else { return None };
    let [c, d, rest @ ..] = rest.strip_prefix(b"-").unwrap_or(rest) else { return None };
    let promotion = match rest {
        [] => None,
        [digit] => Some(*Role::PROMOTIONS.get(usize::from(digit.checked_sub(b'1')?))?),
        _ => return None,
    };
    Some((square(*a, *b)?, square(*c, *d)?, promotion))
}

fn square(file: u8, rank: u8) -> Option<Square> {
    let digit = |byte: u8| matches!(byte, b'1'..=b'8').then(|| byte - b'1');
    Some(Square::at(digit(file)?, digit(rank)?))
}

/// `None` where the squares would read as another move.
pub(super) fn format(mv: Move, position: &Position) -> Option<String> {
    let (from, to) = uci_move::walk(mv, position)?;
    let mut text: String = [from.file(), from.rank(), to.file(), to.rank()]
        .map(|index| char::from(b'1' + index))
        .iter()
        .collect();
    if let Some(place) = mv.promotion_role().and_then(|role| Role::PROMOTIONS.iter().position(|&r| r == role))
    {
        text.push(char::from(b'1' + place as u8));
    }
    Some(text)
}
