//! Corrections for few pieces: scores scaled down where a win is unlikely, and a bare king driven to the edge.
//!
//! Source: pages "Draw Evaluation" and "Mop-up Evaluation" of the seed documents.

use crate::rules::Position;
use crate::types::{Bitboard, Color, Role};

/// [`scale`] that changes nothing.
pub(super) const FULL_SCALE: i32 = 64;
const DARK_SQUARES: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);

/// Rough worth of the pieces, pawns not counted: minor 3, rook 5, queen 9.
fn piece_points(pos: &Position, color: Color) -> i32 {
    let count = |role| pos.pieces(color, role).count() as i32;
    3 * (count(Role::Knight) + count(Role::Bishop)) + 5 * count(Role::Rook) + 9 * count(Role::Queen)
}

/// How much of the endgame score to keep, of 64. `eg` is White's view and says which side is better.
pub(super) fn scale(pos: &Position, eg: i32) -> i32 {
    let strong = if eg >= 0 { Color::White } else { Color::Black };
    let pawns = pos.pieces(strong, Role::Pawn);
    if pawns.is_empty() {
        let lead = piece_points(pos, strong) - piece_points(pos, !strong);
        let no_mate_alone = piece_points(pos, strong) < 5 || only_knights(pos, strong);
        if no_mate_alone {
            return 4;
        }
        if lead <= 3 {
            return 14;
        }
        return FULL_SCALE;
    }
    if opposite_bishops(pos) {
        let bare = piece_points(pos, Color::White) == 3 && piece_points(pos, Color::Black) == 3;
        return if bare { 30 } else { 50 };
    }
    FULL_SCALE
}

/// Two knights against a bare king cannot force mate.
fn only_knights(pos: &Position, color: Color) -> bool {
    piece_points(pos, color) == 6 && pos.pieces(color, Role::Knight).count() == 2
}

fn opposite_bishops(pos: &Position) -> bool {
    let bishops = pos.by_role(Role::Bishop);
    pos.pieces(Color::White, Role::Bishop).count() == 1
        && pos.pieces(Color::Black, Role::Bishop).count() == 1
        && (bishops & DARK_SQUARES).count() == 1
}

/// Bonus of this side against a bare king: that king near the edge, the own king near it.
pub(super) fn mop_up(pos: &Position, color: Color) -> i32 {
    if pos.by_color(!color).more_than_one() || piece_points(pos, color) < 5 || only_knights(pos, color) {
        return 0;
    }
    let (own, bare) = (pos.king(color), pos.king(!color));
    let edge = |x: u8| i32::from(x.min(7 - x));
    let mut from_corner = edge(bare.file()) + edge(bare.rank());
    let mates_in_one_colour = piece_points(pos, color) == 6 && pos.pieces(color, Role::Bishop).count() == 1;
    if mates_in_one_colour && pos.pieces(color, Role::Pawn).is_empty() {
        // Bishop and knight mate only in a corner of the bishop's colour.
        let dark = (pos.pieces(color, Role::Bishop) & DARK_SQUARES).any();
        let (file, rank) = (i32::from(bare.file()), i32::from(bare.rank()));
        let to = |f: i32, r: i32| (file - f).abs().max((rank - r).abs());
        let near = if dark { to(0, 0).min(to(7, 7)) } else { to(0, 7).min(to(7, 0)) };
        from_corner += 2 * near;
    }
    200 + 10 * (6 - from_corner) + 6 * (7 - i32::from(own.distance(bare)))
}
