//! The compact move of 16 bits: four of kind, six of from square, six of to square.
//!
//! Unlike the page's, `to` of a castling move is the square of the own rook, as everywhere in this program; for a
//! game of orthodox chess that is no more than another name. Decoding needs no board. Source: page "Encoding Moves" of the
//! seed documents, section "From-To Based".

use super::{captured, promotion_code, promotion_role};
use crate::geometry::butterfly::{self, Relation};
use crate::rules::Position;
use crate::types::{Color, Move, MoveKind, Role, Square};

/// The kinds of move, as numbered by the page. 6 and 7 are unused. Bit 2 is set for captures, bit 3 for promotions, whose role
/// stands in bits 0 and 1.
pub const QUIET: u16 = 0;
pub const DOUBLE_PUSH: u16 = 1;
pub const KING_CASTLE: u16 = 2;
pub const QUEEN_CASTLE: u16 = 3;
pub const CAPTURE: u16 = 4;
pub const EN_PASSANT: u16 = 5;
pub const PROMOTION: u16 = 8;

/// Codes that a move can have: quiet moves and captures between any two squares of a piece's move, double pushes,
/// castling with the king on b to g and the rook on either side of it (Chess960), en passant, promotions, and those that capture.
pub const CODES: u32 = 2 * 1792 + 16 + 2 * 42 + 28 + 4 * 16 + 4 * 28;

/// The code of a legal move.
pub fn encode(position: &Position, mv: Move) -> u16 {
    kind(position, mv) << 12 | (butterfly::index(mv.from(), mv.to()) as u16)
}

fn kind(position: &Position, mv: Move) -> u16 {
    let (from, to) = (mv.from(), mv.to());
    let capture = if captured(position, mv).is_some() { CAPTURE } else { QUIET };
    match mv.kind() {
        MoveKind::Castle if to.file() > from.file() => KING_CASTLE,
        MoveKind::Castle => QUEEN_CASTLE,
        MoveKind::EnPassant => EN_PASSANT,
        MoveKind::Promotion => {
            PROMOTION | capture | promotion_code(mv.promotion_role().unwrap_or(Role::Queen))
        }
        MoveKind::Normal => {
            let pawn = position.role_at(from) == Some(Role::Pawn);
            if pawn && from.rank().abs_diff(to.rank()) == 2 { DOUBLE_PUSH } else { capture }
        }
    }
}

/// The from square of a code.
#[inline(always)]
pub const fn from(code: u16) -> Square {
    Square::new((code >> 6 & 63) as u8)
}

/// The to square of a code.
#[inline(always)]
pub const fn to(code: u16) -> Square {
    Square::new((code & 63) as u8)
}

/// Whether the code is one of a capture, en passant and capturing promotions included.
#[inline(always)]
pub const fn is_capture(code: u16) -> bool {
    code >> 12 & CAPTURE != 0
}

/// Whether the code is one of a promotion.
#[inline(always)]
pub const fn is_promotion(code: u16) -> bool {
    code >> 12 & PROMOTION != 0
}

/// The index of a from-to board.
#[inline(always)]
pub const fn butterfly_index(code: u16) -> usize {
    (code & 0xfff) as usize
}

/// The move of a code; `None` for a number that is no code of any move.
pub fn decode(code: u16) -> Option<Move> {
    let (from, to) = (from(code), to(code));
    let kind = code >> 12;
    let straight = from.file() == to.file();
    let sideways = from.file().abs_diff(to.file()) == 1;
    // Pawn steps: (from rank, to rank) of White, of Black.
    let steps = |white: (u8, u8), black: (u8, u8)| [white, black].contains(&(from.rank(), to.rank()));
    match kind {
        QUIET | CAPTURE => (butterfly::relation(from, to) != Relation::None).then(|| Move::normal(from, to)),
        DOUBLE_PUSH => (straight && steps((1, 3), (6, 4))).then(|| Move::normal(from, to)),
        KING_CASTLE | QUEEN_CASTLE => {
            let ranks = Color::ALL.map(|color| color.pick(0, 7));
            let placed = from.rank() == to.rank() && ranks.contains(&from.rank());
            let side = if kind == KING_CASTLE { from.file() < to.file() } else { from.file() > to.file() };
            (placed && side && (1..=6).contains(&from.file())).then(|| Move::castle(from, to))
        }
        EN_PASSANT => (sideways && steps((4, 5), (3, 2))).then(|| Move::en_passant(from, to)),
        _ if is_promotion(code) => {
            let step = if is_capture(code) { sideways } else { straight };
            (step && steps((6, 7), (1, 0))).then(|| Move::promotion(from, to, promotion_role(kind)))
        }
        _ => None,
    }
}
