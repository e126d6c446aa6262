//! PEXT bitboards: the BMI2 instruction gathers the relevant blockers' bits into an index. 107,648 attack sets in one
//! table padded to a power of two, so that a masked index needs no bounds check.
//! Needs BMI2.

mod bmi2;
mod packed;
mod soft;
mod split;

use bmi2::Bmi2;
pub use packed::PextPacked;
pub use soft::PextSoft;
pub use split::PextSplit;

use super::pictures::{self, Picture};
use super::relevant::{Slider, mask, subsets};
use super::{Backend, Card, Needs, Reads, Sliders};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

const SIZE: usize = 1 << 17;
const TABLE_BYTES: usize = 107_648 * 8 + 2 * 64 * size_of::<Entry>();

#[derive(Clone, Copy, Debug)]
struct Entry {
    mask: u64,
    offset: usize,
}

struct Table {
    rook: [Entry; 64],
    bishop: [Entry; 64],
    attacks: [Bitboard; SIZE],
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({SIZE})")
    }
}

static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    let bmi2 = Bmi2::new();
    let mut attacks = vec![Bitboard::EMPTY; SIZE];
    let mut offset = 0;
    let mut fill = |slider: Slider| {
        let mut entries = [Entry { mask: 0, offset: 0 }; 64];
        for square in Square::all() {
            let mask = mask(slider, square);
            entries[square.index()] = Entry { mask: mask.0, offset };
            for occupied in subsets(mask) {
                attacks[offset + bmi2.extract(occupied.0, mask.0)] = slider.attacks(square, occupied);
            }
            offset += 1 << mask.count();
        }
        entries
    };
    let (rook, bishop) = (fill(Slider::Rook), fill(Slider::Bishop));
    let mut table = Box::new(Table { rook, bishop, attacks: [Bitboard::EMPTY; SIZE] });
    table.attacks.copy_from_slice(&attacks);
    table
});

/// PEXT bitboards.
#[derive(Clone, Copy, Debug)]
pub struct Pext {
    table: &'static Table,
    bmi2: Bmi2,
}

impl Pext {
    #[inline(always)]
    fn lookup<R: Reads>(self, entry: &Entry, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let entry = reads.at(entry);
        let index = entry.offset + self.bmi2.extract(occupied.0, entry.mask);
        *reads.at(&self.table.attacks[index & (SIZE - 1)])
    }
}

impl Sliders for Pext {
    const BACKEND: Backend = Backend::Pext;
    const CARD: Card = Card {
        author: "Intel (BMI2)",
        idea: "the blockers' bits, gathered by one instruction, index the table",
        page: "BMI2, PEXT Bitboards",
        needs: Needs::Bmi2,
    };

    fn new() -> Pext {
        Pext { bmi2: Bmi2::new(), table: &TABLE }
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        self.lookup(&self.table.rook[square.index()], occupied, reads)
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        self.lookup(&self.table.bishop[square.index()], occupied, reads)
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let steps = |slider| {
            let [mask, blockers] = pictures::relevant(slider, square, occupied);
            let size = 1 << mask.set.count();
            let index = pictures::index(
                "The blockers' bits gathered at the low end",
                self.bmi2.extract(occupied.0, mask.set.0),
                size,
            );
            [mask, blockers, index]
        };
        let both = steps(Slider::Rook).into_iter().chain(steps(Slider::Bishop));
        both.chain(pictures::attacks(self, square, occupied)).collect()
    }
}
