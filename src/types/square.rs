//! A square of the board, numbered a1 = 0, b1 = 1, … h8 = 63 (little-endian rank-file mapping).

use std::fmt::{self, Write as _};
use std::str::FromStr;

/// One of the 64 squares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

macro_rules! name_squares {
    ($($name:ident = $index:expr),* $(,)?) => {
        impl Square { $( #[doc(hidden)] pub const $name: Square = Square($index); )* }
    };
}

name_squares! {
    A1 = 0, B1 = 1, C1 = 2, D1 = 3, E1 = 4, F1 = 5, G1 = 6, H1 = 7,
    A2 = 8, B2 = 9, C2 = 10, D2 = 11, E2 = 12, F2 = 13, G2 = 14, H2 = 15,
    A3 = 16, B3 = 17, C3 = 18, D3 = 19, E3 = 20, F3 = 21, G3 = 22, H3 = 23,
    A4 = 24, B4 = 25, C4 = 26, D4 = 27, E4 = 28, F4 = 29, G4 = 30, H4 = 31,
    A5 = 32, B5 = 33, C5 = 34, D5 = 35, E5 = 36, F5 = 37, G5 = 38, H5 = 39,
    A6 = 40, B6 = 41, C6 = 42, D6 = 43, E6 = 44, F6 = 45, G6 = 46, H6 = 47,
    A7 = 48, B7 = 49, C7 = 50, D7 = 51, E7 = 52, F7 = 53, G7 = 54, H7 = 55,
    A8 = 56, B8 = 57, C8 = 58, D8 = 59, E8 = 60, F8 = 61, G8 = 62, H8 = 63,
}

impl Square {
    /// The square with this index, 0 to 63; the two upper bits are ignored.
    #[inline(always)]
    pub const fn new(index: u8) -> Square {
        Square(index & 63)
    }

    /// The square on this file and rank, each 0 to 7.
    #[inline(always)]
    pub const fn at(file: u8, rank: u8) -> Square {
        Square(((rank & 7) << 3) | (file & 7))
    }

    /// 0 to 63.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// 0 (file a) to 7 (file h).
    #[inline(always)]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 (rank 1) to 7 (rank 8).
    #[inline(always)]
    pub const fn rank(self) -> u8 {
        (self.0 >> 3) & 7
    }

    /// The same file, ranks mirrored (a1 ↔ a8).
    #[inline(always)]
    pub const fn flip(self) -> Square {
        Square(self.0 ^ 56)
    }

    /// The same rank, files mirrored (a1 ↔ h1).
    #[inline(always)]
    pub const fn mirror(self) -> Square {
        Square(self.0 ^ 7)
    }

    /// Mirrored along the diagonal a1-h8: file and rank change places (h1 ↔ a8).
    #[inline(always)]
    pub const fn diagonal(self) -> Square {
        Square::at(self.rank(), self.file())
    }

    /// Mirrored along the diagonal h1-a8 (a1 ↔ h8).
    #[inline(always)]
    pub const fn anti_diagonal(self) -> Square {
        Square::at(7 - self.rank(), 7 - self.file())
    }

    /// All squares from a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..64).map(Square)
    }

    /// King-move distance, 0 to 7.
    pub fn distance(self, other: Square) -> u8 {
        self.file().abs_diff(other.file()).max(self.rank().abs_diff(other.rank()))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char((b'a' + self.file()) as char)?;
        f.write_char((b'1' + self.rank()) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ();

    fn from_str(text: &str) -> Result<Square, ()> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Square::at(file - b'a', rank - b'1')),
            _ => Err(()),
        }
    }
}
