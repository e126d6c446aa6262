//! What the files of this family share: the hash of a square, computed by the compiler, and the filling of tables.

use crate::sliders::relevant::{Slider, mask, subsets};
use crate::types::{Bitboard, Square};

/// The hash of one square: `(occupied & mask) * factor >> shift`, from `offset` on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) mask: u64,
    pub(super) factor: u64,
    pub(super) offset: u32,
    pub(super) shift: u32,
}

impl Entry {
    /// The index with a shift of the square's own.
    #[inline(always)]
    pub(super) fn index(self, occupied: Bitboard) -> usize {
        let hash = (occupied.0 & self.mask).wrapping_mul(self.factor) >> self.shift;
        self.offset as usize + hash as usize
    }
}

/// The relevant occupancy, as `relevant::mask`, for the compiler.
pub(super) const fn relevant(slider: Slider, square: usize) -> u64 {
    let steps: [(i8, i8); 4] = match slider {
        Slider::Rook => [(0, 1), (1, 0), (0, -1), (-1, 0)],
        Slider::Bishop => [(1, 1), (1, -1), (-1, -1), (-1, 1)],
    };
    let mut set = 0;
    let mut i = 0;
    while i < 4 {
        let (df, dr) = steps[i];
        let (mut file, mut rank) = ((square & 7) as i8 + df, (square >> 3) as i8 + dr);
        while file + df >= 0 && file + df < 8 && rank + dr >= 0 && rank + dr < 8 {
            set |= 1 << (rank * 8 + file);
            file += df;
            rank += dr;
        }
        i += 1;
    }
    set
}

/// Entries with as many index bits as there are relevant squares, one table behind the other from `offset` on.
pub(super) const fn entries(slider: Slider, factors: &[u64; 64], mut offset: u32) -> [Entry; 64] {
    let mut table = [Entry { mask: 0, factor: 0, offset: 0, shift: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        let mask = relevant(slider, square);
        let bits = mask.count_ones();
        table[square] = Entry { mask, factor: factors[square], offset, shift: 64 - bits };
        offset += 1 << bits;
        square += 1;
    }
    table
}

/// An array on the heap, filled with one value.
pub(super) fn boxed<T: Copy, const N: usize>(value: T) -> Box<[T; N]> {
    let Ok(array) = vec![value; N].into_boxed_slice().try_into() else { unreachable!("the length is N") };
    array
}

/// Calls `put` with every relevant occupancy of every square and its attacks.
pub(super) fn each_set(slider: Slider, mut put: impl FnMut(Square, Bitboard, Bitboard)) {
    for square in Square::all() {
        for occupied in subsets(mask(slider, square)) {
            put(square, occupied, slider.attacks(square, occupied));
        }
    }
}

/// A table of attacks, each at the index that the technique computes for it.
pub(super) fn attack_table<const N: usize>(
    index: impl Fn(Slider, Square, Bitboard) -> usize,
) -> Box<[Bitboard; N]> {
    let mut table = boxed(Bitboard::EMPTY);
    for slider in [Slider::Rook, Slider::Bishop] {
        each_set(slider, |square, occupied, attacks| table[index(slider, square, occupied)] = attacks);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_masks_are_the_relevant_squares() {
        for square in Square::all() {
            for slider in [Slider::Rook, Slider::Bishop] {
                assert_eq!(relevant(slider, square.index()), mask(slider, square).0, "{slider:?} {square}");
            }
        }
    }
}
