//! Maps of the board that lay lines into ranks: the a1-h8 mirror does it for files, a skew for diagonals, which turns
//! every file by as many ranks as its number. Eight rows hold fifteen diagonals then, two in a row, and the squares of
//! both keep their file.

use crate::types::{Bitboard, Square};

/// Odd files; files c, d, g, h; files e to h: the bits of the file's number.
const FILE_BITS: [u64; 3] = [0xAAAA_AAAA_AAAA_AAAA, 0xCCCC_CCCC_CCCC_CCCC, 0xF0F0_F0F0_F0F0_F0F0];

/// Each file turned up by its number of ranks, around the edge: anti-diagonals become rows. Undoes [`skew_down`].
#[inline(always)]
pub(super) const fn skew_up(set: u64) -> u64 {
    let set = set ^ FILE_BITS[0] & (set ^ set.rotate_left(8));
    let set = set ^ FILE_BITS[1] & (set ^ set.rotate_left(16));
    set ^ FILE_BITS[2] & (set ^ set.rotate_left(32))
}

/// Each file turned down by its number of ranks, around the edge: diagonals become rows. Undoes [`skew_up`].
#[inline(always)]
pub(super) const fn skew_down(set: u64) -> u64 {
    let set = set ^ FILE_BITS[0] & (set ^ set.rotate_right(8));
    let set = set ^ FILE_BITS[1] & (set ^ set.rotate_right(16));
    set ^ FILE_BITS[2] & (set ^ set.rotate_right(32))
}

/// Where [`Bitboard::diagonal`], nothing, [`skew_down`] and [`skew_up`] put a square: its place in the boards whose rows
/// are files, ranks, diagonals and anti-diagonals.
pub(super) const fn places(square: Square) -> [Square; 4] {
    let (file, rank) = (square.file(), square.rank());
    [Square::at(rank, file), square, Square::at(file, rank.wrapping_sub(file)), Square::at(file, rank + file)]
}

/// The four boards, in the order of [`places`].
#[inline(always)]
pub(super) const fn boards(set: Bitboard) -> [u64; 4] {
    [set.diagonal().0, set.0, skew_down(set.0), skew_up(set.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_made_of_places_and_skews_undo_each_other() {
        for square in Square::all() {
            let bit = Bitboard::square(square);
            assert_eq!(boards(bit), places(square).map(|place| 1 << place.index()));
            assert_eq!(skew_up(skew_down(bit.0)), bit.0);
            assert_eq!(skew_down(skew_up(bit.0)), bit.0);
        }
    }
}
