//! Pseudo-legal moves from the piece list, and the test that makes legal ones of them: nothing is made where a look at
//! the line between king and piece will do.
//! Sources: pages "Move Generation", "Legal Move", "Castling" and "CPW-Engine Move(0x88)" of the seed documents.

use super::board::Mailbox;
use super::encoding::{MailboxMove, kind};
use super::geometry::{
    BISHOP, BLACK, DIAGONALS, JUMPS, KING, KNIGHT, LINES, OFF, PAWN, QUEEN, RAYS, ROOK, step,
};
use crate::types::Move;

impl Mailbox {
    /// Hands out all moves that are legal but for what becomes of the own king; castling only out of and through safety.
    #[inline(always)]
    pub(super) fn pseudo_legal(&self, in_check: bool, mut sink: impl FnMut(MailboxMove)) {
        let us = self.turn;
        let own = us.pick(0, BLACK);
        let pieces = &self.lists[us.index()][..usize::from(self.counts[us.index()]).min(64)];
        for &from in pieces {
            match self.at(from) & !BLACK {
                KNIGHT => self.steps(from, own, &JUMPS, &mut sink),
                KING => self.steps(from, own, &RAYS, &mut sink),
                BISHOP => self.rays(from, own, &DIAGONALS, &mut sink),
                ROOK => self.rays(from, own, &LINES, &mut sink),
                QUEEN => self.rays(from, own, &RAYS, &mut sink),
                bits if bits & PAWN != 0 => self.pawn(from, own, &mut sink),
                _ => {}
            }
        }
        for from in self.en_passant_takers() {
            sink(MailboxMove::new(from, self.ep, kind::EN_PASSANT, self.at(self.ep ^ 0x10)));
        }
        if !in_check && self.castling != 0 {
            self.castles(&mut sink);
        }
    }

    #[inline(always)]
    fn steps(&self, from: u8, own: u8, steps: &[u8], sink: &mut impl FnMut(MailboxMove)) {
        for &step in steps {
            let to = from.wrapping_add(step);
            if to & OFF == 0 {
                let found = self.at(to);
                if found == 0 || found & BLACK != own {
                    sink(MailboxMove::new(from, to, kind::PLAIN, found));
                }
            }
        }
    }

    #[inline(always)]
    fn rays(&self, from: u8, own: u8, steps: &[u8], sink: &mut impl FnMut(MailboxMove)) {
        for &step in steps {
            let mut to = from.wrapping_add(step);
            while to & OFF == 0 {
                let found = self.at(to);
                if found != 0 {
                    if found & BLACK != own {
                        sink(MailboxMove::new(from, to, kind::PLAIN, found));
                    }
                    break;
                }
                sink(MailboxMove::new(from, to, kind::PLAIN, 0));
                to = to.wrapping_add(step);
            }
        }
    }

    #[inline(always)]
    fn pawn(&self, from: u8, own: u8, sink: &mut impl FnMut(MailboxMove)) {
        let (up, home, last) = if own == 0 { (0x10, 0x10, 0x70) } else { (0xf0, 0x60, 0x00) };
        let mut arrive = |to: u8, taken: u8| {
            if to & 0xf0 == last {
                for becomes in [QUEEN, ROOK, BISHOP, KNIGHT] {
                    sink(MailboxMove::new(from, to, kind::PROMOTION, taken).becoming(becomes));
                }
            } else {
                sink(MailboxMove::new(from, to, kind::PLAIN, taken));
            }
        };
        let ahead = from.wrapping_add(up);
        for to in [ahead.wrapping_sub(1), ahead.wrapping_add(1)] {
            if to & OFF == 0 {
                let found = self.at(to);
                if found != 0 && found & BLACK != own {
                    arrive(to, found);
                }
            }
        }
        if self.at(ahead) == 0 {
            arrive(ahead, 0);
            let two = ahead.wrapping_add(up);
            if from & 0xf0 == home && self.at(two) == 0 {
                sink(MailboxMove::new(from, two, kind::DOUBLE_STEP, 0));
            }
        }
    }

    /// Castling with nothing in the way of king and rook and no attack on the king's way. Whether the rook was a shield is
    /// left to the test of legality.
    fn castles(&self, sink: &mut impl FnMut(MailboxMove)) {
        let (us, king) = (self.turn, self.king(self.turn));
        for side in 0..2 {
            let index = 2 * us.index() + side;
            if self.castling >> index & 1 == 0 {
                continue;
            }
            let rook = self.rooks[index];
            let (king_to, rook_to) = castling_targets(king, rook);
            let free =
                |from: u8, to: u8| way(from, to).all(|at| at == king || at == rook || self.at(at) == 0);
            if free(king, king_to)
                && free(rook, rook_to)
                && !way(king, king_to).any(|at| self.is_attacked(at, !us))
            {
                sink(MailboxMove::new(king, rook, kind::CASTLE, 0));
            }
        }
    }

    /// Whether a pseudo-legal move leaves the own king safe. `in_check`: as [`Mailbox::is_check`] says.
    #[inline(always)]
    pub(super) fn is_legal(&mut self, mv: MailboxMove, in_check: bool) -> bool {
        let (king, from) = (self.king(self.turn), mv.from());
        match mv.kind() {
            kind::EN_PASSANT => self.en_passant_is_safe(from),
            kind::CASTLE => self.is_safe_after(mv),
            _ if from == king => {
                // Off its square, so that it does not hide behind itself.
                let bits = self.at(king);
                self.squares[king as usize & 0x7f] = 0;
                let safe = !self.is_attacked(mv.to(), !self.turn);
                self.squares[king as usize & 0x7f] = bits;
                safe
            }
            _ if in_check => self.is_safe_after(mv),
            _ => {
                let pin = self.pin(king, from);
                pin == 0 || step(king, mv.to()) == pin
            }
        }
    }

    #[inline(never)]
    fn is_safe_after(&mut self, mv: MailboxMove) -> bool {
        let undo = self.make(mv);
        let safe = !self.is_attacked(self.king(!self.turn), self.turn);
        self.unmake(mv, &undo);
        safe
    }

    /// Appends the legal moves.
    pub fn legal(&mut self, moves: &mut Vec<MailboxMove>) {
        let in_check = self.is_check();
        let first = moves.len();
        self.pseudo_legal(in_check, |mv| moves.push(mv));
        let mut kept = first;
        for index in first..moves.len() {
            let mv = moves[index];
            if self.is_legal(mv, in_check) {
                moves[kept] = mv;
                kept += 1;
            }
        }
        moves.truncate(kept);
    }

    /// The legal moves in the form of everybody else. For comparisons, not for hot code.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.clone().legal(&mut moves);
        moves.into_iter().map(MailboxMove::to_move).collect()
    }
}

/// (square of the king, square of the rook) after castling.
#[inline(always)]
pub(super) fn castling_targets(king: u8, rook: u8) -> (u8, u8) {
    let rank = king & 0xf0;
    if rook > king { (rank + 6, rank + 5) } else { (rank + 2, rank + 3) }
}

/// The squares from one to another of the same rank, the first left out, the last not.
fn way(from: u8, to: u8) -> impl Iterator<Item = u8> {
    let (low, high) = if from < to { (from + 1, to + 1) } else { (to, from) };
    low..high
}
