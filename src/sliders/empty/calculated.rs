//! The attacks of the empty board by calculation: shifts of a few constants in place of tables. They make the line
//! masks of the techniques at compile time, and the test holds them against the lookups.
//! Source: page "On an empty Board" of the seed documents (its "By Calculation" parts).

use crate::types::{Bitboard, Color, Square};

/// The diagonal a1-h8 and the anti-diagonal h1-a8.
const MAIN_DIAGONAL: u64 = 0x8040_2010_0804_0201;
const MAIN_ANTI_DIAGONAL: u64 = 0x0102_0408_1020_4080;

/// Up (positive) or down by this many ranks; what leaves the board is lost.
const fn shift_ranks(set: u64, ranks: i32) -> u64 {
    if ranks >= 0 { set << (8 * ranks) } else { set >> (-8 * ranks) }
}

/// The rest of the rank.
#[inline(always)]
pub const fn rank(square: Square) -> Bitboard {
    Bitboard((0xff << (square.index() & 56)) ^ 1 << square.index())
}

/// The rest of the file.
#[inline(always)]
pub const fn file(square: Square) -> Bitboard {
    Bitboard((Bitboard::FILE_A.0 << square.file()) ^ 1 << square.index())
}

/// The rest of the diagonal (a1-h8 and its parallels).
#[inline(always)]
pub const fn diagonal(square: Square) -> Bitboard {
    let ranks = square.rank() as i32 - square.file() as i32;
    Bitboard(shift_ranks(MAIN_DIAGONAL, ranks) ^ 1 << square.index())
}

/// The rest of the anti-diagonal (h1-a8 and its parallels).
#[inline(always)]
pub const fn anti_diagonal(square: Square) -> Bitboard {
    let ranks = square.rank() as i32 + square.file() as i32 - 7;
    Bitboard(shift_ranks(MAIN_ANTI_DIAGONAL, ranks) ^ 1 << square.index())
}

/// The line through `square` that the direction with this index in [`DIRECTIONS`](super::DIRECTIONS) follows.
#[inline(always)]
pub const fn line(direction: usize, square: Square) -> Bitboard {
    match direction & 3 {
        0 => file(square),
        1 => rank(square),
        2 => diagonal(square),
        _ => anti_diagonal(square),
    }
}

/// The ray in the direction with this index in [`DIRECTIONS`](super::DIRECTIONS): its line above or below the square.
#[inline(always)]
pub const fn ray(direction: usize, square: Square) -> Bitboard {
    let above = (!1u64) << square.index();
    let side = if direction & 4 == 0 { above } else { !above >> 1 };
    Bitboard(line(direction, square).0 & side)
}

/// Rook attacks on an empty board.
#[inline(always)]
pub const fn rook(square: Square) -> Bitboard {
    Bitboard(rank(square).0 | file(square).0)
}

/// Bishop attacks on an empty board.
#[inline(always)]
pub const fn bishop(square: Square) -> Bitboard {
    Bitboard(diagonal(square).0 | anti_diagonal(square).0)
}

/// Queen attacks on an empty board.
#[inline(always)]
pub const fn queen(square: Square) -> Bitboard {
    Bitboard(rook(square).0 | bishop(square).0)
}

/// Squares a king attacks.
#[inline(always)]
pub const fn king(square: Square) -> Bitboard {
    let king = Bitboard::square(square);
    let row = king.0 | king.east().0 | king.west().0;
    Bitboard((row | row << 8 | row >> 8) ^ king.0)
}

/// Squares a knight attacks.
#[inline(always)]
pub const fn knight(square: Square) -> Bitboard {
    let (east, west) = (Bitboard::square(square).east(), Bitboard::square(square).west());
    let (one, two) = (east.0 | west.0, east.east().0 | west.west().0);
    Bitboard(one << 16 | one >> 16 | two << 8 | two >> 8)
}

/// Squares a pawn of this colour attacks.
#[inline(always)]
pub const fn pawn(color: Color, square: Square) -> Bitboard {
    let forward = Bitboard::square(square).forward(color);
    Bitboard(forward.east().0 | forward.west().0)
}

#[cfg(test)]
mod tests {
    use super::super as lookup;
    use super::*;

    #[test]
    fn calculation_and_lookup_are_equal() {
        for square in Square::all() {
            for direction in 0..8 {
                assert_eq!(ray(direction, square), lookup::ray(direction, square), "{direction} {square}");
                let both = lookup::ray(direction, square) | lookup::ray(direction + 4, square);
                assert_eq!(line(direction, square), both, "{direction} {square}");
            }
            assert_eq!(rook(square), lookup::rook(square));
            assert_eq!(bishop(square), lookup::bishop(square));
            assert_eq!(queen(square), lookup::rook(square) | lookup::bishop(square));
            assert_eq!(king(square), lookup::king(square));
            assert_eq!(knight(square), lookup::knight(square));
            for color in [Color::White, Color::Black] {
                assert_eq!(pawn(color, square), lookup::pawn(color, square));
            }
        }
    }
}
