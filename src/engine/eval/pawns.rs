//! Pawn structure: doubled, isolated, backward, connected and passed pawns, and a small cache of the result by pawn key.
//!
//! Must not know: pieces other than pawns. Source: pages "Pawn Structure" and "Passed Pawn" of the seed documents.

use super::Taper;
use crate::engine::params::Params;
use crate::rules::Position;
use crate::types::{Bitboard, Color, Role, Square};

/// What the pawns alone say.
#[derive(Clone, Copy, Debug, Default)]
pub struct PawnInfo {
    /// White's structure minus Black's; passed pawns not yet valued.
    pub score: Taper,
    /// Passed pawns of each side.
    pub passed: [Bitboard; 2],
}

/// Squares in front of the given ones, as a pawn of this colour sees it, without them.
pub(super) fn front_fill(squares: Bitboard, color: Color) -> Bitboard {
    let mut b = squares.forward(color);
    for by in [8, 16, 32] {
        b |= if color.is_white() { b << by } else { b >> by };
    }
    b
}

/// Squares attacked by these pawns.
pub(super) fn attacks(pawns: Bitboard, color: Color) -> Bitboard {
    let ahead = pawns.forward(color);
    ahead.east() | ahead.west()
}

fn beside(squares: Bitboard) -> Bitboard {
    squares.east() | squares.west()
}

/// 0 (own first rank) to 7.
pub(super) fn relative_rank(square: Square, color: Color) -> usize {
    usize::from(color.pick(square.rank(), 7 - square.rank()))
}

impl PawnInfo {
    /// Looks at the pawns afresh.
    pub fn compute(pos: &Position, params: &Params) -> PawnInfo {
        let mut info = PawnInfo::default();
        for color in Color::ALL {
            let side = info.side(pos, params, color);
            if color.is_white() {
                info.score += side;
            } else {
                info.score -= side;
            }
        }
        info
    }

    fn side(&mut self, pos: &Position, params: &Params, color: Color) -> Taper {
        let own = pos.pieces(color, Role::Pawn);
        let enemy = pos.pieces(!color, Role::Pawn);
        let enemy_front = front_fill(enemy, !color);
        let behind_own = front_fill(own, !color);
        let stoppable = enemy_front | beside(enemy_front);
        // Of two passed pawns on one file only the front one counts.
        self.passed[color.index()] = own - stoppable - behind_own;

        let mut score = Taper::ZERO;
        if params.doubled_pawns {
            let doubled = (own & behind_own).count() as i32;
            score -= Taper::new(params.doubled_mg, params.doubled_eg) * doubled;
        }
        let files = own | front_fill(own, Color::White) | front_fill(own, Color::Black);
        let isolated = own - beside(files);
        if params.isolated_pawns {
            score -= Taper::new(params.isolated_mg, params.isolated_eg) * isolated.count() as i32;
        }
        if params.backward_pawns {
            // The stop square is guarded by an enemy pawn, and no own pawn can ever guard it.
            let guardable = {
                let front = own | front_fill(own, color);
                attacks(front, color)
            };
            let weak_stops = own.forward(color) & attacks(enemy, !color) & !guardable;
            let backward = weak_stops.forward(!color) - isolated;
            score -= Taper::new(params.backward_mg, params.backward_eg) * backward.count() as i32;
        }
        if params.connected_pawns {
            let connected = own & (beside(own) | attacks(own, color));
            for square in connected {
                let rank = relative_rank(square, color) as i32;
                score += Taper::new(params.connected_mg, params.connected_eg * (rank - 1) / 2) * rank.max(1);
            }
        }
        score
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    info: PawnInfo,
}

/// Results by pawn key; 4,096 slots, always replaced. They depend on the parameters alone, so a new game keeps them.
#[derive(Clone, Debug)]
pub struct PawnCache {
    slots: Vec<Slot>,
}

impl PawnCache {
    const SIZE: usize = 4096;

    pub fn new() -> PawnCache {
        PawnCache { slots: vec![Slot { key: !0, info: PawnInfo::default() }; PawnCache::SIZE] }
    }

    /// From the cache, or computed and kept.
    pub fn probe(&mut self, pos: &Position, params: &Params) -> PawnInfo {
        let key = pos.pawn_key();
        let slot = &mut self.slots[key as usize % PawnCache::SIZE];
        if slot.key != key {
            *slot = Slot { key, info: PawnInfo::compute(pos, params) };
        }
        slot.info
    }
}

impl Default for PawnCache {
    fn default() -> PawnCache {
        PawnCache::new()
    }
}
