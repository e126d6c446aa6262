//! A move in 16 bits: from, to, kind, promotion. Castling is stored as "king takes own rook", which names it
//! without doubt in Chess960 too.

use super::{Role, Square};
use std::fmt::{self, Write as _};
use std::num::NonZeroU16;

/// What kind of move it is, beyond from and to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// Anything that is not one of the others, captures and double pawn steps included.
    Normal = 0,
    /// `to` is the square of the own rook.
    Castle = 1,
    /// `to` is the square behind the captured pawn.
    EnPassant = 2,
    Promotion = 3,
}

/// A move: bits 0-5 from, 6-11 to, 12-13 kind, 14-15 promotion role (knight 0 … queen 3).
/// Never zero (no move goes from a1 to a1), so `Option<Move>` has two bytes as well.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    #[inline(always)]
    const fn pack(from: Square, to: Square, kind: MoveKind, promotion: u16) -> Move {
        let bits = from.index() as u16 | (to.index() as u16) << 6 | (kind as u16) << 12 | promotion << 14;
        // `from == to` is no move; the fallback keeps this branch free of panics.
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            None => Move(NonZeroU16::MAX),
        }
    }

    #[inline(always)]
    pub const fn normal(from: Square, to: Square) -> Move {
        Move::pack(from, to, MoveKind::Normal, 0)
    }

    #[inline(always)]
    pub const fn castle(king: Square, rook: Square) -> Move {
        Move::pack(king, rook, MoveKind::Castle, 0)
    }

    #[inline(always)]
    pub const fn en_passant(from: Square, to: Square) -> Move {
        Move::pack(from, to, MoveKind::EnPassant, 0)
    }

    /// `role` is one of [`Role::PROMOTIONS`].
    #[inline(always)]
    pub const fn promotion(from: Square, to: Square, role: Role) -> Move {
        Move::pack(from, to, MoveKind::Promotion, (role as u16).wrapping_sub(1) & 3)
    }

    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::new((self.0.get() & 63) as u8)
    }

    /// Where the piece goes; for castling, where the own rook stands.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::new((self.0.get() >> 6 & 63) as u8)
    }

    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        match self.0.get() >> 12 & 3 {
            0 => MoveKind::Normal,
            1 => MoveKind::Castle,
            2 => MoveKind::EnPassant,
            _ => MoveKind::Promotion,
        }
    }

    /// What the pawn becomes, if it is a promotion.
    #[inline(always)]
    pub const fn promotion_role(self) -> Option<Role> {
        if !matches!(self.kind(), MoveKind::Promotion) {
            return None;
        }
        Some(match self.0.get() >> 14 {
            0 => Role::Knight,
            1 => Role::Bishop,
            2 => Role::Rook,
            _ => Role::Queen,
        })
    }

    #[inline(always)]
    pub const fn is_castle(self) -> bool {
        matches!(self.kind(), MoveKind::Castle)
    }

    /// The same move on a board whose squares went where `image` says.
    pub fn mapped(self, image: impl Fn(Square) -> Square) -> Move {
        let (from, to) = (image(self.from()), image(self.to()));
        match (self.kind(), self.promotion_role()) {
            (_, Some(role)) => Move::promotion(from, to, role),
            (MoveKind::Castle, _) => Move::castle(from, to),
            (MoveKind::EnPassant, _) => Move::en_passant(from, to),
            _ => Move::normal(from, to),
        }
    }

    /// The 16 bits, never zero.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The inverse of [`Move::bits`]; zero is no move.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }
}

impl fmt::Debug for Move {
    /// As UCI in Chess960: castling is king takes rook.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the machinery of `write!`: every move of a game and of a variation passes through here.
        fmt::Display::fmt(&self.from(), f)?;
        fmt::Display::fmt(&self.to(), f)?;
        match self.promotion_role() {
            Some(role) => f.write_char(role.letter()),
            None => Ok(()),
        }
    }
}
