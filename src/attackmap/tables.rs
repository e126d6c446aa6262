//! ATKFR and ATKTO: 64 sets of squares attacked from each square, and 64 sets of squares that attack each square, the
//! transpose. A move changes what the pieces attack that came or went, and what sliders attack that looked at a square
//! which was vacated or filled; ATKTO itself says which sliders those are.
//!
//! Source: page "Attack and Defend Maps" of the seed documents, after Slate and Atkin, "Chess 4.5" (1977).

use super::{attacks, changed};
use crate::rules::Position;
use crate::sliders::Sliders;
use crate::types::{Bitboard, Role, Square};

/// Both tables, by square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttackMap {
    from: [Bitboard; 64],
    to: [Bitboard; 64],
}

impl AttackMap {
    /// From scratch.
    pub fn new<S: Sliders>(position: &Position, sliders: S) -> AttackMap {
        let mut map = AttackMap { from: [Bitboard::EMPTY; 64], to: [Bitboard::EMPTY; 64] };
        map.renew(position, position.occupied(), sliders);
        map
    }

    /// ATKFR: squares attacked by what stands on this square; empty for an empty square.
    #[inline(always)]
    pub fn from(&self, square: Square) -> Bitboard {
        self.from[square.index()]
    }

    /// ATKTO: squares of all pieces, of both sides, that attack this square.
    #[inline(always)]
    pub fn to(&self, square: Square) -> Bitboard {
        self.to[square.index()]
    }

    /// Check detection by attack table: pieces that give check to the side to move.
    #[inline(always)]
    pub fn checkers(&self, position: &Position) -> Bitboard {
        self.to(position.king(position.turn())) & position.by_color(!position.turn())
    }

    /// Brings the tables of `before` to `after`: one move played, or taken back, or any other difference.
    #[inline]
    pub fn update<S: Sliders>(&mut self, before: &Position, after: &Position, sliders: S) {
        let mut stale = changed(before, after);
        let moving_on_lines =
            after.by_role(Role::Bishop) | after.by_role(Role::Rook) | after.by_role(Role::Queen);
        for square in before.occupied() ^ after.occupied() {
            stale |= self.to(square) & moving_on_lines;
        }
        self.renew(after, stale, sliders);
    }

    /// Works out anew what is attacked from these squares.
    #[inline]
    fn renew<S: Sliders>(&mut self, position: &Position, squares: Bitboard, sliders: S) {
        let occupied = position.occupied();
        for square in squares {
            let now = position
                .piece_at(square)
                .map_or(Bitboard::EMPTY, |piece| attacks(piece, square, occupied, sliders));
            let difference = self.from(square) ^ now;
            self.from[square.index()] = now;
            for target in difference {
                self.to[target.index()] ^= Bitboard::from(square);
            }
        }
    }
}
