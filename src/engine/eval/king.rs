//! King safety: the pawn shelter in front of the king, the enemy pawns storming it, and the pieces aiming at it.
//!
//! Source: page "King Safety" of the seed documents.

use super::Taper;
use super::pawns::relative_rank;
use crate::engine::params::Params;
use crate::rules::Position;
use crate::sliders::empty;
use crate::types::{Bitboard, Color, Role, Square};

/// The king's neighbours and the squares one step further ahead.
pub(super) fn zone(king: Square, color: Color) -> Bitboard {
    let near = empty::king(king).with(king);
    near | near.forward(color)
}

/// Shelter of the king of this colour (a penalty, so never above zero), middlegame only.
pub(super) fn shelter(pos: &Position, params: &Params, color: Color) -> Taper {
    let king = pos.king(color);
    let own = pos.pieces(color, Role::Pawn);
    let enemy = pos.pieces(!color, Role::Pawn);
    let king_rank = relative_rank(king, color);
    let centre = king.file().clamp(1, 6);
    let mut penalty = 0;
    for file in centre - 1..=centre + 1 {
        let on_file = Bitboard::file(file);
        match nearest(own & on_file, color, king_rank) {
            Some(rank) => penalty += params.shelter_step * (rank as i32 - king_rank as i32 - 1).clamp(0, 3),
            None => penalty += params.shelter_missing,
        }
        if let Some(rank) = nearest(enemy & on_file, color, king_rank) {
            penalty += params.storm_step * (5 - (rank as i32 - king_rank as i32)).clamp(0, 4);
        }
    }
    Taper::new(-penalty, 0)
}

/// Own-view rank of the pawn on this file that is nearest to the king, none behind it.
fn nearest(pawns: Bitboard, color: Color, king_rank: usize) -> Option<usize> {
    pawns.into_iter().map(|square| relative_rank(square, color)).filter(|&rank| rank >= king_rank).min()
}

/// Attacks gathered while the pieces are looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KingAttack {
    attackers: i32,
    units: i32,
}

impl KingAttack {
    /// Weight of one attacked square of the zone by role of the attacker.
    const UNITS: [i32; 6] = [0, 4, 4, 6, 9, 0];

    #[inline]
    pub(super) fn add(&mut self, role: Role, attacked: Bitboard) {
        if attacked.any() {
            self.attackers += 1;
            self.units += KingAttack::UNITS[role.index()] * attacked.count() as i32;
        }
    }

    /// What the attack is worth: nothing for a lone attacker, then growing with the square of its weight.
    pub(super) fn score(self, params: &Params, has_queen: bool) -> Taper {
        if self.attackers < 2 {
            return Taper::ZERO;
        }
        let units = self.units + 4 * self.attackers;
        let danger = (units * units / 24).min(500);
        let danger = if has_queen { danger } else { danger / 3 } * params.king_attack_scale / 100;
        Taper::new(danger, danger / 8)
    }
}
