//! A move of this board in 32 bits: it carries what is taken and what arrives, so that making it looks nothing up.
//! Must not know positions. Source: page "Encoding Moves" of the seed documents (what the CPW-Engine's `smove` keeps).

use super::geometry::{KNIGHT, square};
use crate::types::{Move, Role};
use std::fmt;

/// What a move does beyond taking and arriving.
pub(super) mod kind {
    pub const PLAIN: u32 = 0;
    pub const DOUBLE_STEP: u32 = 1;
    pub const EN_PASSANT: u32 = 2;
    pub const CASTLE: u32 = 3;
    pub const PROMOTION: u32 = 4;
}

/// Bits 0-6 from, 7-13 to (0x88 numbers; castling: the rook's square), 14-16 kind, 17-23 the piece taken (without its
/// colour), 24-30 the piece that arrives, if it is another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MailboxMove(u32);

impl MailboxMove {
    #[inline(always)]
    pub(super) fn new(from: u8, to: u8, kind: u32, taken: u8) -> MailboxMove {
        let taken = u32::from(taken & 0x7f);
        MailboxMove(u32::from(from) | u32::from(to) << 7 | kind << 14 | taken << 17)
    }

    #[inline(always)]
    pub(super) fn becoming(self, piece: u8) -> MailboxMove {
        MailboxMove(self.0 | u32::from(piece & 0x7f) << 24)
    }

    #[inline(always)]
    pub(super) const fn from(self) -> u8 {
        (self.0 & 0x7f) as u8
    }

    #[inline(always)]
    pub(super) const fn to(self) -> u8 {
        (self.0 >> 7 & 0x7f) as u8
    }

    #[inline(always)]
    pub(super) const fn kind(self) -> u32 {
        self.0 >> 14 & 7
    }

    /// The piece taken, without its colour; 0 for none.
    #[inline(always)]
    pub(super) const fn taken(self) -> u8 {
        (self.0 >> 17 & 0x7f) as u8
    }

    /// What a pawn becomes; 0 for no promotion.
    #[inline(always)]
    pub(super) const fn arrives(self) -> u8 {
        (self.0 >> 24 & 0x7f) as u8
    }

    /// The same move in the form of everybody else.
    pub fn to_move(self) -> Move {
        let (from, to) = (square(self.from()), square(self.to()));
        match self.kind() {
            kind::EN_PASSANT => Move::en_passant(from, to),
            kind::CASTLE => Move::castle(from, to),
            kind::PROMOTION => {
                let above_knight = (self.arrives() / KNIGHT).trailing_zeros();
                let role = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen][above_knight as usize & 3];
                Move::promotion(from, to, role)
            }
            _ => Move::normal(from, to),
        }
    }
}

impl fmt::Debug for MailboxMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_move(), f)
    }
}
