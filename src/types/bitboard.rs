//! A set of squares in one machine word, bit *i* = square *i* (a1 = bit 0).
//! Source: page "Bitboards" of the seed documents.

use super::{Color, Square};
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr, Sub};

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    pub const EMPTY: Bitboard = Bitboard(0);
    pub const ALL: Bitboard = Bitboard(!0);
    pub const FILE_A: Bitboard = Bitboard(0x0101_0101_0101_0101);
    pub const FILE_H: Bitboard = Bitboard(0x8080_8080_8080_8080);
    pub const RANK_1: Bitboard = Bitboard(0xff);
    pub const RANK_8: Bitboard = Bitboard(0xff << 56);

    #[inline(always)]
    pub const fn square(square: Square) -> Bitboard {
        Bitboard(1 << square.index())
    }

    /// File 0 (a) to 7 (h).
    #[inline(always)]
    pub const fn file(file: u8) -> Bitboard {
        Bitboard(Bitboard::FILE_A.0 << (file & 7))
    }

    /// Rank 0 (first) to 7 (eighth).
    #[inline(always)]
    pub const fn rank(rank: u8) -> Bitboard {
        Bitboard(0xff << (8 * (rank & 7)))
    }

    /// The first rank of that side's view: rank 1 for White, rank 8 for Black.
    #[inline(always)]
    pub const fn back_rank(color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard::RANK_1,
            Color::Black => Bitboard::RANK_8,
        }
    }

    #[inline(always)]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if at least one square is set.
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    #[inline(always)]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    #[inline(always)]
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | 1 << square.index())
    }

    #[inline(always)]
    pub const fn without(self, square: Square) -> Bitboard {
        Bitboard(self.0 & !(1 << square.index()))
    }

    /// The lowest square, if any.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::new(self.0.trailing_zeros() as u8)) }
    }

    /// The lowest square; a1 for the empty set.
    #[inline(always)]
    pub const fn first_unchecked(self) -> Square {
        Square::new(self.0.trailing_zeros() as u8)
    }

    /// The highest square, if any.
    #[inline(always)]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::new(63 - self.0.leading_zeros() as u8)) }
    }

    /// Ranks mirrored: a1 ↔ a8.
    #[inline(always)]
    pub const fn flip(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }

    /// Files mirrored: a1 ↔ h1.
    #[inline(always)]
    pub const fn mirror(self) -> Bitboard {
        Bitboard(self.0.reverse_bits().swap_bytes())
    }

    /// Half a turn: a1 ↔ h8.
    #[inline(always)]
    pub const fn rotated(self) -> Bitboard {
        Bitboard(self.0.reverse_bits())
    }

    /// Mirrored along the diagonal a1-h8: files and ranks change places, h1 ↔ a8.
    ///
    /// ```
    /// use gauntlet::bitboard;
    /// let before = bitboard! {
    ///     X . . . . . . .
    ///     . . . . . . . .
    ///     X X . . X . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    /// };
    /// let after = bitboard! {
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . X . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . X . .
    ///     . . . . . X . X
    /// };
    /// assert_eq!(before.diagonal(), after);
    /// ```
    #[inline(always)]
    pub const fn diagonal(self) -> Bitboard {
        // Blocks of 4, 2 and 1 squares change places across the diagonal.
        let x = delta_swap(self.0, 0x0F0F_0F0F_0000_0000, 28);
        let x = delta_swap(x, 0x3333_0000_3333_0000, 14);
        Bitboard(delta_swap(x, 0x5500_5500_5500_5500, 7))
    }

    /// Mirrored along the diagonal h1-a8: a1 ↔ h8, while h1 and a8 stay.
    ///
    /// ```
    /// use gauntlet::bitboard;
    /// let before = bitboard! {
    ///     X . . . . . . .
    ///     . . . . . . . .
    ///     X X . . X . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    /// };
    /// let after = bitboard! {
    ///     X . X . . . . .
    ///     . . X . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . X . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    /// };
    /// assert_eq!(before.anti_diagonal(), after);
    /// ```
    #[inline(always)]
    pub const fn anti_diagonal(self) -> Bitboard {
        self.diagonal().rotated()
    }

    /// One step up the board (towards rank 8).
    #[inline(always)]
    pub const fn north(self) -> Bitboard {
        Bitboard(self.0 << 8)
    }

    /// One step down the board (towards rank 1).
    #[inline(always)]
    pub const fn south(self) -> Bitboard {
        Bitboard(self.0 >> 8)
    }

    /// One step towards file h.
    #[inline(always)]
    pub const fn east(self) -> Bitboard {
        Bitboard((self.0 & !Bitboard::FILE_H.0) << 1)
    }

    /// One step towards file a.
    #[inline(always)]
    pub const fn west(self) -> Bitboard {
        Bitboard((self.0 & !Bitboard::FILE_A.0) >> 1)
    }

    /// One step forwards as a pawn of this colour goes.
    #[inline(always)]
    pub const fn forward(self, color: Color) -> Bitboard {
        match color {
            Color::White => self.north(),
            Color::Black => self.south(),
        }
    }
}

/// Exchanges the bits under `mask` with those `shift` places below them.
const fn delta_swap(bits: u64, mask: u64, shift: u32) -> u64 {
    let changed = (bits ^ bits << shift) & mask;
    bits ^ changed ^ changed >> shift
}

impl fmt::Debug for Bitboard {
    /// Eight lines of `.` and `X`, rank 8 first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            for file in 0..8 {
                let mark = if self.has(Square::at(file, rank)) { 'X' } else { '.' };
                write!(f, "{}{}", mark, if file < 7 { " " } else { "\n" })?;
            }
        }
        Ok(())
    }
}

impl From<Square> for Bitboard {
    #[inline(always)]
    fn from(square: Square) -> Bitboard {
        Bitboard::square(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

macro_rules! bit_ops {
    ($($trait:ident $method:ident $assign:ident $assign_method:ident $op:tt),*) => { $(
        impl $trait for Bitboard {
            type Output = Bitboard;
            #[inline(always)]
            fn $method(self, other: Bitboard) -> Bitboard { Bitboard(self.0 $op other.0) }
        }
        impl $assign for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, other: Bitboard) { self.0 = self.0 $op other.0; }
        }
    )* };
}

bit_ops!(BitAnd bitand BitAndAssign bitand_assign &, BitOr bitor BitOrAssign bitor_assign |, BitXor bitxor BitXorAssign bitxor_assign ^);

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl Shl<u32> for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn shl(self, by: u32) -> Bitboard {
        Bitboard(self.0 << by)
    }
}

impl Shr<u32> for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn shr(self, by: u32) -> Bitboard {
        Bitboard(self.0 >> by)
    }
}

impl Sub for Bitboard {
    type Output = Bitboard;
    /// Set difference.
    #[inline(always)]
    fn sub(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }
}

/// Squares of a set, lowest first.
#[derive(Clone, Debug)]
pub struct BitboardIter(u64);

impl Iterator for BitboardIter {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::new(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for BitboardIter {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = BitboardIter;

    #[inline(always)]
    fn into_iter(self) -> BitboardIter {
        BitboardIter(self.0)
    }
}

/// A board picture as a [`Bitboard`](crate::types::Bitboard): rank 8 first, `X` set, `.` clear.
///
/// ```
/// use gauntlet::{bitboard, types::{Bitboard, Square}};
/// let corner = bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     X . . . . . . X
/// };
/// assert_eq!(corner, Bitboard::EMPTY.with(Square::A1).with(Square::H1));
/// ```
#[macro_export]
macro_rules! bitboard {
    ($($mark:tt)*) => {{
        let mut squares = 0u64;
        let mut index = 0;
        for mark in [$(stringify!($mark)),*] {
            // Pictures run from a8 to h1; bit numbers from a1.
            squares |= ((mark == "X") as u64) << (index ^ 56);
            index += 1;
        }
        assert_eq!(index, 64, "a board has 64 squares");
        $crate::types::Bitboard(squares)
    }};
}
