//! Static evaluation: middlegame and endgame scores of each term, blended by the material left.
//!
//! Every term is computed from its own side's view, so that a colour-flipped position has the same value for the side
//! to move. Must not know: search, hash table, clocks. Source: page "Evaluation" of the seed documents.

mod endgame;
mod king;
mod mobility;
mod passed;
mod pawns;
mod psqt;
mod taper;

pub use pawns::{PawnCache, PawnInfo};
pub use taper::Taper;

use super::params::{ParamGroup, Params};
use crate::rules::Position;
use crate::sliders::{Hyperbola, Sliders, compiled_for};
use crate::stats::rng::{GOLDEN_GAMMA, mix};
use crate::types::{Bitboard, Color, Role, Square};

/// Game phase of the starting position; 0 is an endgame without pieces.
const FULL_PHASE: i32 = 24;
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
/// Evaluations stay inside, far from mate scores.
const LIMIT: i32 = 15_000;

/// The evaluation made ready for one set of parameters.
#[derive(Clone, Debug)]
pub struct Evaluator {
    params: Params,
    /// Material and piece-square value by role and square seen from the owner's side.
    square: [[Taper; 64]; 6],
    noise_seed: u64,
}

/// What several terms of one position need.
struct Context<'a> {
    pos: &'a Position,
    params: &'a Params,
    pawn_attacks: [Bitboard; 2],
    king_zone: [Bitboard; 2],
}

impl Evaluator {
    pub fn new(params: &Params) -> Evaluator {
        let material = [
            Taper::new(params.pawn_mg, params.pawn_eg),
            Taper::new(params.knight_mg, params.knight_eg),
            Taper::new(params.bishop_mg, params.bishop_eg),
            Taper::new(params.rook_mg, params.rook_eg),
            Taper::new(params.queen_mg, params.queen_eg),
            Taper::ZERO,
        ];
        let value = |role: Role, square: Square| {
            let mut value = Taper::ZERO;
            if params.material {
                value += material[role.index()];
            }
            if params.psqt {
                let own = psqt::value(role, square);
                value += Taper::new(own.mg() * params.psqt_scale / 100, own.eg() * params.psqt_scale / 100);
            }
            value
        };
        let square = Role::ALL.map(|role| std::array::from_fn(|i| value(role, Square::new(i as u8))));
        Evaluator { params: params.clone(), square, noise_seed: 0 }
    }

    /// Fixes the random part of the evaluation (parameter `eval-noise`).
    pub fn set_seed(&mut self, seed: u64) {
        self.noise_seed = seed;
    }

    /// Centipawns from the side to move's view. `cache` only makes it quicker.
    pub fn evaluate<S: Sliders>(&self, pos: &Position, sliders: S, cache: Option<&mut PawnCache>) -> i32 {
        let params = &self.params;
        let pawns = match cache {
            Some(cache) => cache.probe(pos, params),
            None => PawnInfo::compute(pos, params),
        };
        let pawn_attacks = Color::ALL.map(|color| pawns::attacks(pos.pieces(color, Role::Pawn), color));
        let king_zone = Color::ALL.map(|color| king::zone(pos.king(color), color));
        let context = Context { pos, params, pawn_attacks, king_zone };

        let side = |color| compiled_for::<S, _>(|| self.side(&context, &pawns, sliders, color));
        let (white, black) = (side(Color::White), side(Color::Black));
        let total = pawns.score + white - black;

        let phase = phase(pos);
        let mut eg = total.eg();
        if params.draw_scale {
            eg = eg * endgame::scale(pos, eg) / endgame::FULL_SCALE;
        }
        let mut score = (total.mg() * phase + eg * (FULL_PHASE - phase)) / FULL_PHASE;
        if params.mop_up {
            score += endgame::mop_up(pos, Color::White) - endgame::mop_up(pos, Color::Black);
        }
        let mut own = if pos.turn().is_white() { score } else { -score };
        if params.tempo {
            own += params.tempo_cp;
        }
        if params.eval_noise > 0 {
            own += self.noise(pos.key());
        }
        own.clamp(-LIMIT, LIMIT)
    }

    /// One side's terms, from its own view.
    #[inline]
    fn side<S: Sliders>(&self, context: &Context, pawns: &PawnInfo, sliders: S, color: Color) -> Taper {
        let (pos, params) = (context.pos, context.params);
        let mut score = Taper::ZERO;
        for role in Role::ALL {
            let values = &self.square[role.index()];
            for square in pos.pieces(color, role) {
                score += values[color.pick(square, square.flip()).index()];
            }
        }
        if params.bishop_pair && pos.pieces(color, Role::Bishop).more_than_one() {
            score += Taper::new(params.bishop_pair_mg, params.bishop_pair_eg);
        }
        if params.mobility || params.king_attack || params.threats || params.rook_files {
            score += mobility::pieces(context, sliders, color);
        }
        if params.king_shelter {
            score += king::shelter(pos, params, color);
        }
        if params.passed_pawns {
            score += passed::score(pos, params, pawns.passed[color.index()], color);
        }
        score
    }

    /// -noise to +noise, fixed by the position and the seed.
    fn noise(&self, key: u64) -> i32 {
        let x = mix(key ^ self.noise_seed.wrapping_mul(GOLDEN_GAMMA));
        (x % (2 * self.params.eval_noise as u64 + 1)) as i32 - self.params.eval_noise
    }
}

/// 24 with all pieces on the board, 0 with none.
fn phase(pos: &Position) -> i32 {
    let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let sum: i32 = roles.iter().map(|&role| PHASE[role.index()] * pos.by_role(role).count() as i32).sum();
    sum.min(FULL_PHASE)
}

/// What each term that is switched on adds to the evaluation: the value with it less the value without it,
/// centipawns, side to move's view. The terms need not add up to the whole: scaling and rounding are shared.
pub fn explain(params: &Params, pos: &Position) -> Vec<(&'static str, i32)> {
    let value = |params: &Params| Evaluator::new(params).evaluate(pos, Hyperbola, None);
    let whole = value(params);
    let mut terms = Vec::new();
    for info in Params::table().iter().filter(|info| info.group == ParamGroup::Evaluation && info.is_switch())
    {
        let mut without = params.clone();
        if without.set(info.id, "off").is_ok() && without != *params {
            terms.push((info.id, whole - value(&without)));
        }
    }
    terms
}
