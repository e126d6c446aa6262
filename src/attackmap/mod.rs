//! Attack and defend maps: for each square what is attacked from it and what attacks it, kept as moves are played.
//!
//! Three ways of holding it: [`AttackMap`], two tables of squares (ATKFR and ATKTO of Chess 4.5); [`PieceSets`], sets of piece
//! numbers; [`AttackBytes`], a byte per square and side with a table that settles exchanges. All of them take two positions,
//! before and after, so taking a move back is the same call with the positions exchanged. Must not know search or evaluation.
//! Source: page "Attack and Defend Maps" of the seed documents.

mod attack_byte;
mod piece_sets;
mod tables;

pub use attack_byte::{AttackBytes, Batteries, EXCHANGE_VALUES, SeeTable, attack_byte};
pub use piece_sets::PieceSets;
pub use tables::AttackMap;

use crate::rules::Position;
use crate::sliders::{Sliders, empty};
use crate::types::{Bitboard, Color, Piece, Role, Square};

/// Squares a piece attacks from `square`, own pieces included (they are defended).
#[inline]
fn attacks<S: Sliders>(piece: Piece, square: Square, occupied: Bitboard, sliders: S) -> Bitboard {
    match piece.role {
        Role::Pawn => empty::pawn(piece.color, square),
        Role::Knight => empty::knight(square),
        Role::Bishop => sliders.bishop(square, occupied),
        Role::Rook => sliders.rook(square, occupied),
        Role::Queen => sliders.queen(square, occupied),
        Role::King => empty::king(square),
    }
}

/// Squares on which not the same stands before and after.
#[inline]
fn changed(before: &Position, after: &Position) -> Bitboard {
    let by_color = Color::ALL.map(|color| before.by_color(color) ^ after.by_color(color));
    Role::ALL
        .iter()
        .fold(by_color[0] | by_color[1], |all, &role| all | (before.by_role(role) ^ after.by_role(role)))
}
