//! Making and unmaking moves in place, with a record of what cannot be told from the move.
//! Sources: pages "CPW-Engine Move(0x88)", "Make Move", "Irreversible Moves" and "Incremental Updates" of the seed documents.

use super::board::{Mailbox, piece, piece_key};
use super::encoding::{MailboxMove, kind};
use super::generate::castling_targets;
use super::geometry::{BLACK, NONE, PAWN, square};
use crate::types::{Role, zobrist};

/// What a move destroys.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    key: u64,
    halfmove: u32,
    fullmove: u32,
    ep: u8,
    castling: u8,
    /// Place in its list of the piece taken.
    place: u8,
}

impl Mailbox {
    /// Makes a move of this position's list, legal or not yet tested. To be undone with the record.
    #[inline]
    pub fn make(&mut self, mv: MailboxMove) -> Undo {
        let (us, from, to) = (self.turn, mv.from(), mv.to());
        let mut undo = Undo {
            key: self.key,
            halfmove: self.halfmove,
            fullmove: self.fullmove,
            ep: self.ep,
            castling: self.castling,
            place: 0,
        };
        let mut key = self.key ^ zobrist::black_to_move();
        if self.ep != NONE {
            key ^= zobrist::ep(square(self.ep));
            self.ep = NONE;
        }
        self.halfmove = self.halfmove.saturating_add(1);
        let bits = self.at(from);
        if mv.kind() == kind::CASTLE {
            let (king_to, rook_to) = castling_targets(from, to);
            let rook = self.at(to);
            key ^= piece_key(us, bits, from) ^ piece_key(us, bits, king_to);
            key ^= piece_key(us, rook, to) ^ piece_key(us, rook, rook_to);
            self.exchange(from, to, king_to, rook_to);
        } else {
            if mv.taken() != 0 {
                let at = if mv.kind() == kind::EN_PASSANT { to ^ 0x10 } else { to };
                key ^= piece_key(!us, mv.taken(), at);
                undo.place = self.take(!us, at);
                self.halfmove = 0;
            }
            let arrives = if mv.arrives() == 0 { bits } else { mv.arrives() | bits & BLACK };
            key ^= piece_key(us, bits, from) ^ piece_key(us, arrives, to);
            self.shift(us, arrives, from, to);
            if bits & PAWN != 0 {
                self.halfmove = 0;
            }
        }
        let ended = self.castling & (self.ends[from as usize & 0x7f] | self.ends[to as usize & 0x7f]);
        if ended != 0 {
            key ^= self.rights_key(ended);
            self.castling &= !ended;
        }
        self.turn = !us;
        self.fullmove = self.fullmove.saturating_add(u32::from(!us.is_white()));
        if mv.kind() == kind::DOUBLE_STEP {
            self.ep = to ^ 0x10;
            if self.ep_has_a_capture() {
                key ^= zobrist::ep(square(self.ep));
            } else {
                self.ep = NONE;
            }
        }
        self.key = key;
        undo
    }

    /// Takes back the move made last.
    #[inline]
    pub fn unmake(&mut self, mv: MailboxMove, undo: &Undo) {
        self.turn = !self.turn;
        let (us, from, to) = (self.turn, mv.from(), mv.to());
        if mv.kind() == kind::CASTLE {
            let (king_to, rook_to) = castling_targets(from, to);
            self.exchange(king_to, rook_to, from, to);
        } else {
            let bits = if mv.arrives() == 0 { self.at(to) } else { piece(us, Role::Pawn) };
            self.shift(us, bits, to, from);
            if mv.taken() != 0 {
                let at = if mv.kind() == kind::EN_PASSANT { to ^ 0x10 } else { to };
                self.put_back(!us, mv.taken() | us.pick(BLACK, 0), at, undo.place);
            }
        }
        self.castling = undo.castling;
        self.ep = undo.ep;
        self.halfmove = undo.halfmove;
        self.fullmove = undo.fullmove;
        self.key = undo.key;
    }

    /// King and rook go to their new squares at once: each may stand on the other's.
    fn exchange(&mut self, king: u8, rook: u8, king_to: u8, rook_to: u8) {
        let us = self.turn.index();
        let (king_bits, rook_bits) = (self.at(king), self.at(rook));
        let place = self.places[rook as usize & 0x7f];
        for square in [king, rook] {
            self.squares[square as usize & 0x7f] = 0;
            self.places[square as usize & 0x7f] = 0;
        }
        for (to, bits, place) in [(king_to, king_bits, 0), (rook_to, rook_bits, place)] {
            self.squares[to as usize & 0x7f] = bits;
            self.places[to as usize & 0x7f] = place;
            self.lists[us][place as usize & 63] = to;
        }
    }
}
