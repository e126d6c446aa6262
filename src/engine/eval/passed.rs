//! Passed pawns: worth by rank, less when blocked, in the endgame by the kings' distance to the square in front.
//!
//! Source: page "Passed Pawn" of the seed documents.

use super::Taper;
use super::pawns::{front_fill, relative_rank};
use crate::engine::params::Params;
use crate::rules::Position;
use crate::types::{Bitboard, Color};

/// By own-view rank, centipawns on top of the piece-square tables.
const MG: [i32; 8] = [0, 2, 4, 8, 24, 48, 80, 0];
const EG: [i32; 8] = [0, 6, 10, 26, 52, 96, 150, 0];

pub(super) fn score(pos: &Position, params: &Params, passed: Bitboard, color: Color) -> Taper {
    let mut score = Taper::ZERO;
    for square in passed {
        let rank = relative_rank(square, color);
        let mut mg = MG[rank] * params.passed_mg / 100;
        let mut eg = EG[rank] * params.passed_eg / 100;
        let path = front_fill(Bitboard::square(square), color);
        let stop = Bitboard::square(square).forward(color);
        if (stop & pos.occupied()).any() {
            mg = mg * 2 / 3;
            eg = eg * 2 / 3;
        } else if (path & pos.by_color(!color)).is_empty() {
            eg += EG[rank] / 6;
        }
        if rank >= 3
            && let Some(stop) = stop.first()
        {
            let own = i32::from(pos.king(color).distance(stop));
            let enemy = i32::from(pos.king(!color).distance(stop));
            eg += (2 * enemy.min(5) - own.min(5)) * params.passed_king * (rank as i32 - 2) / 2;
        }
        score += Taper::new(mg, eg);
    }
    score
}
