//! Check detection by the last move: it gives check from the square where it arrives, or opens a line from the squares it leaves.
//! Cheaper than looking from the king in all directions where most moves can give no check at all.
//!
//! Source: page "Check" of the seed documents ("By last Move"). The other two ways: on the fly,
//! [`Position::checkers`]; by attack table, [`AttackMap::checkers`](crate::attackmap::AttackMap::checkers).

use super::castling::castling_targets;
use super::position::Position;
use crate::sliders::{Sliders, empty};
use crate::types::{Bitboard, Move, MoveKind, Role, Square};

/// The pieces that give check in `after`, where `mv` led from a legal position in which `mv.from()` belonged to the side that
/// has now moved.
#[inline]
pub fn checkers_by_last_move<S: Sliders>(mv: Move, after: &Position, sliders: S) -> Bitboard {
    let us = !after.turn();
    let king = after.king(after.turn());
    let occupied = after.occupied();
    let left = Bitboard::from(mv.from());
    let (arrived, left) = match mv.kind() {
        MoveKind::Normal | MoveKind::Promotion => (mv.to(), left),
        // Two pawns leave a rank at once.
        MoveKind::EnPassant => (mv.to(), left.with(Square::at(mv.to().file(), mv.from().rank()))),
        MoveKind::Castle => (castling_targets(mv.from(), mv.to()).1, left.with(mv.to())),
    };
    let looks_at_king = match after.role_at(arrived) {
        Some(Role::Pawn) => empty::pawn(!us, king),
        Some(Role::Knight) => empty::knight(king),
        Some(Role::Bishop) => sliders.bishop(king, occupied),
        Some(Role::Rook) => sliders.rook(king, occupied),
        Some(Role::Queen) => sliders.queen(king, occupied),
        Some(Role::King) | None => Bitboard::EMPTY,
    };
    let mut checkers = looks_at_king & Bitboard::from(arrived);
    for square in left {
        let line = empty::line(king, square);
        if line.is_empty() {
            continue;
        }
        let queens = after.pieces(us, Role::Queen);
        // The enemy king stood in no check before, so whatever attacks it on this line has just been uncovered.
        checkers |= line
            & if king.file() == square.file() || king.rank() == square.rank() {
                let movers = after.pieces(us, Role::Rook) | queens;
                if (movers & line).is_empty() {
                    continue;
                }
                sliders.rook(king, occupied) & movers
            } else {
                let movers = after.pieces(us, Role::Bishop) | queens;
                if (movers & line).is_empty() {
                    continue;
                }
                sliders.bishop(king, occupied) & movers
            };
    }
    checkers
}
