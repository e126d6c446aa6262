//! Who attacks what, by 0x88 differences: most pieces are ruled out by one lookup, the others by a walk along the line.
//! Source: pages "CPW-Engine Move(0x88)", "Direction" and "Check" of the seed documents.

use super::board::{Mailbox, piece};
use super::geometry::{BLACK, NONE, OFF, QUEEN, SLIDER, reach, step};
use crate::types::{Color, Role};

impl Mailbox {
    #[inline(always)]
    pub(super) fn at(&self, square: u8) -> u8 {
        self.squares[square as usize & 0x7f]
    }

    /// Whether a side attacks a square. A piece whose square was emptied without its list knowing does not count.
    #[inline]
    pub(super) fn is_attacked(&self, target: u8, by: Color) -> bool {
        let pieces = &self.lists[by.index()][..usize::from(self.counts[by.index()]).min(64)];
        pieces.iter().any(|&from| {
            let bits = self.at(from);
            reach(from, target) & bits != 0 && (bits & SLIDER == 0 || self.is_open(from, target))
        })
    }

    /// Whether nothing stands between two squares of one line.
    #[inline(always)]
    fn is_open(&self, from: u8, to: u8) -> bool {
        let step = step(from, to);
        let mut at = from.wrapping_add(step);
        while at != to {
            if self.at(at) != 0 {
                return false;
            }
            at = at.wrapping_add(step);
        }
        true
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn is_check(&self) -> bool {
        self.is_attacked(self.king(self.turn), !self.turn)
    }

    /// The step of the line on which the own piece on `from` shields its king from a slider; 0 if it does not.
    #[inline(always)]
    pub(super) fn pin(&self, king: u8, from: u8) -> u8 {
        if reach(king, from) & QUEEN == 0 || !self.is_open(king, from) {
            return 0;
        }
        let step = step(king, from);
        let mut at = from.wrapping_add(step);
        while at & OFF == 0 {
            let found = self.at(at);
            if found != 0 {
                let kind = reach(king, from) & SLIDER;
                let enemy = (found ^ self.at(from)) & BLACK != 0;
                return if enemy && found & kind != 0 { step } else { 0 };
            }
            at = at.wrapping_add(step);
        }
        0
    }

    /// Whether the king of the side to move would be safe after its pawn on `from` took en passant: two pawns leave one
    /// line at once, so the board is changed and looked at.
    pub(super) fn en_passant_is_safe(&mut self, from: u8) -> bool {
        let (ep, victim) = (self.ep, self.ep ^ 0x10);
        let (pawn, taken) = (self.at(from), self.at(victim));
        let mut set = |square: u8, bits: u8| self.squares[square as usize & 0x7f] = bits;
        set(from, 0);
        set(victim, 0);
        set(ep, pawn);
        let safe = !self.is_check();
        let mut set = |square: u8, bits: u8| self.squares[square as usize & 0x7f] = bits;
        set(from, pawn);
        set(victim, taken);
        set(ep, 0);
        safe
    }

    /// Squares of pawns of the side to move that stand ready to take en passant.
    pub(super) fn en_passant_takers(&self) -> impl Iterator<Item = u8> + use<> {
        let pawn = piece(self.turn, Role::Pawn);
        let victim = self.ep ^ 0x10;
        let beside = |square: u8| {
            if self.ep != NONE && square & OFF == 0 && self.at(square) == pawn { square } else { NONE }
        };
        [beside(victim.wrapping_sub(1)), beside(victim.wrapping_add(1))]
            .into_iter()
            .filter(|&square| square != NONE)
    }

    /// Whether the en-passant square is worth keeping: a capture there is legal.
    pub(super) fn ep_has_a_capture(&mut self) -> bool {
        self.en_passant_takers().any(|from| self.en_passant_is_safe(from))
    }
}
