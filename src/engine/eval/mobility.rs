//! What the pieces can reach: mobility, attacks on the king's surroundings, rook files, threats.
//!
//! One pass, because all of them need the same attack sets. Source: page "Mobility" of the seed documents.

use super::king::KingAttack;
use super::{Context, Taper};
use crate::sliders::{Sliders, empty};
use crate::types::{Bitboard, Color, Role};

/// Per role: squares a piece has on average (its zero), then the worth of one square more in centipawns × 4.
const USUAL: [i32; 6] = [0, 4, 6, 6, 12, 0];
const PER_SQUARE: [(i32, i32); 6] = [(0, 0), (18, 18), (20, 20), (10, 20), (6, 14), (0, 0)];

/// The terms of this side's knights, bishops, rooks and queens.
pub(super) fn pieces<S: Sliders>(context: &Context, sliders: S, color: Color) -> Taper {
    let (pos, params) = (context.pos, context.params);
    let enemy = !color;
    let occupied = pos.occupied();
    let own_pawns = pos.pieces(color, Role::Pawn);
    let enemy_pawns = pos.pieces(enemy, Role::Pawn);
    let blocked = own_pawns & occupied.forward(enemy);
    // Not counted: squares an enemy pawn guards, and those of the own king and of own pawns that cannot move.
    let area = !(context.pawn_attacks[enemy.index()] | blocked | Bitboard::square(pos.king(color)));
    let zone = context.king_zone[enemy.index()];
    let bishop_through = occupied - pos.pieces(color, Role::Queen);
    let rook_through = bishop_through - pos.pieces(color, Role::Rook);
    let majors = pos.pieces(enemy, Role::Rook) | pos.pieces(enemy, Role::Queen);

    let mut score = Taper::ZERO;
    let mut attack = KingAttack::default();
    let mut mobility = Taper::ZERO;
    let mut minor_attacks = Bitboard::EMPTY;
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        let (mg, eg) = PER_SQUARE[role.index()];
        for square in pos.pieces(color, role) {
            let reach = match role {
                Role::Knight => empty::knight(square),
                Role::Bishop => sliders.bishop(square, bishop_through),
                Role::Rook => sliders.rook(square, rook_through),
                _ => sliders.queen(square, occupied),
            };
            if matches!(role, Role::Knight | Role::Bishop) {
                minor_attacks |= reach;
            }
            let squares = (reach & area).count() as i32 - USUAL[role.index()];
            mobility += Taper::new(mg, eg) * squares;
            attack.add(role, reach & zone);
        }
    }
    if params.mobility {
        let scale = params.mobility_scale;
        score += Taper::new(mobility.mg() * scale / 400, mobility.eg() * scale / 400);
    }
    if params.king_attack {
        score += attack.score(params, pos.pieces(color, Role::Queen).any());
    }
    if params.threats {
        let targets = pos.by_color(enemy) - enemy_pawns;
        let by_pawn = (context.pawn_attacks[color.index()] & targets).count() as i32;
        let by_minor = (minor_attacks & majors).count() as i32;
        score += Taper::new(params.threat_pawn, params.threat_pawn) * by_pawn;
        score += Taper::new(params.threat_minor, params.threat_minor) * by_minor;
    }
    if params.rook_files {
        for square in pos.pieces(color, Role::Rook) {
            let file = Bitboard::file(square.file());
            if (file & own_pawns).is_empty() {
                let open = (file & enemy_pawns).is_empty();
                let worth = if open { params.rook_open } else { params.rook_half_open };
                score += Taper::new(worth, worth / 3);
            }
        }
    }
    score
}
