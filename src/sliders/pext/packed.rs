//! Packed PEXT: a slider attacks at most 14 squares, so an attack set is a 16-bit word whose bits PDEP deals out to the
//! squares of the empty-board attacks. PEXT in, PDEP out. Known from public engines that had to keep tables small; not in
//! the seed documents. Tables: 107,648 words of 16 bits, 215 KB (a quarter of `pext`), and one cache line per square that
//! serves rook and bishop, 4 KB. Needs BMI2.

use super::Bmi2;
use crate::sliders::pictures::{self, Picture};
use crate::sliders::relevant::{Slider, mask, subsets};
use crate::sliders::{Backend, Card, Needs, Reads, Sliders};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

const SIZE: usize = 1 << 17;
const TABLE_BYTES: usize = 107_648 * 2 + 64 * size_of::<Entry>();

#[derive(Clone, Copy, Default, Debug)]
struct Lines {
    /// Squares whose occupancy matters.
    mask: u64,
    /// Attacks on the empty board.
    full: u64,
    offset: u64,
}

#[derive(Clone, Copy, Default, Debug)]
#[repr(align(64))]
struct Entry {
    rook: Lines,
    bishop: Lines,
}

struct Table {
    entries: [Entry; 64],
    words: [u16; SIZE],
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({SIZE})")
    }
}

static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    let mut table = Box::new(Table { entries: [Entry::default(); 64], words: [0; SIZE] });
    let (bmi2, mut offset) = (Bmi2::new(), 0);
    for slider in [Slider::Rook, Slider::Bishop] {
        for square in Square::all() {
            let mask = mask(slider, square);
            let full = slider.attacks(square, Bitboard::EMPTY).0;
            for occupied in subsets(mask) {
                let attacks = slider.attacks(square, occupied);
                table.words[offset + bmi2.extract(occupied.0, mask.0)] = bmi2.extract(attacks.0, full) as u16;
            }
            let lines = Lines { mask: mask.0, full, offset: offset as u64 };
            match slider {
                Slider::Rook => table.entries[square.index()].rook = lines,
                Slider::Bishop => table.entries[square.index()].bishop = lines,
            }
            offset += 1 << mask.count();
        }
    }
    table
});

/// PEXT to 16-bit attack sets, PDEP back to the board.
#[derive(Clone, Copy, Debug)]
pub struct PextPacked {
    table: &'static Table,
    bmi2: Bmi2,
}

impl PextPacked {
    #[inline(always)]
    fn lookup<R: Reads>(self, lines: &Lines, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let lines = reads.at(lines);
        let index = lines.offset as usize + self.bmi2.extract(occupied.0, lines.mask);
        Bitboard(self.bmi2.deposit(u64::from(*reads.at(&self.table.words[index & (SIZE - 1)])), lines.full))
    }
}

impl Sliders for PextPacked {
    const BACKEND: Backend = Backend::PextPacked;
    const CARD: Card = Card {
        author: "public engines",
        idea: "PEXT indexes 16-bit attack sets, PDEP deals them out",
        page: "BMI2, PEXT Bitboards (16-bit table)",
        needs: Needs::Bmi2,
    };

    fn new() -> PextPacked {
        PextPacked { bmi2: Bmi2::new(), table: &TABLE }
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        self.lookup(&self.table.entries[square.index()].rook, occupied, reads)
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        self.lookup(&self.table.entries[square.index()].bishop, occupied, reads)
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        pictures::looked_up(self, square, occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliders::empty;

    #[test]
    fn sixteen_bits_hold_every_attack_set() {
        for square in Square::all() {
            assert!(empty::rook(square).count() <= 14 && empty::bishop(square).count() <= 13);
        }
    }
}
