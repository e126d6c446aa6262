//! Fancy magic bitboards: the relevant blockers times a magic factor, shifted right, index a table whose size is the
//! square's own. Source: page "Magic Bitboards" of the seed documents (Lasse Hansen, Pradu Kannan). Factors: our own search,
//! see `magic_factors`. Tables: 107,648 attack sets, 841 KB, and an entry per square.

use super::magic_factors::{BISHOP, ROOK};
use super::relevant::{Slider, mask, subsets};
use super::{Backend, Card, Needs, Sliders};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

const SIZE: usize = 1 << 17;
const TABLE_BYTES: usize = 107_648 * 8 + 2 * 64 * size_of::<Entry>();

#[derive(Clone, Copy, Debug)]
struct Entry {
    mask: u64,
    factor: u64,
    offset: u32,
    shift: u32,
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

impl Entry {
    #[inline(always)]
    fn index(self, occupied: Bitboard) -> usize {
        let hash = (occupied.0 & self.mask).wrapping_mul(self.factor) >> self.shift;
        (self.offset as usize + hash as usize) & (SIZE - 1)
    }
}

static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    let mut attacks = vec![Bitboard::EMPTY; SIZE];
    let mut offset = 0;
    let mut fill = |slider: Slider, factors: &[u64; 64]| {
        let mut entries = [Entry { mask: 0, factor: 0, offset: 0, shift: 0 }; 64];
        for square in Square::all() {
            let mask = mask(slider, square);
            let entry =
                Entry { mask: mask.0, factor: factors[square.index()], offset, shift: 64 - mask.count() };
            for occupied in subsets(mask) {
                attacks[entry.index(occupied)] = slider.attacks(square, occupied);
            }
            entries[square.index()] = entry;
            offset += 1 << mask.count();
        }
        entries
    };
    let (rook, bishop) = (fill(Slider::Rook, &ROOK), fill(Slider::Bishop, &BISHOP));
    let mut table = Box::new(Table { rook, bishop, attacks: [Bitboard::EMPTY; SIZE] });
    table.attacks.copy_from_slice(&attacks);
    table
});

/// Fancy magic bitboards.
#[derive(Clone, Copy, Debug)]
pub struct MagicFancy(&'static Table);

impl Sliders for MagicFancy {
    const BACKEND: Backend = Backend::MagicFancy;
    const CARD: Card = Card {
        author: "Lasse Hansen, Pradu Kannan",
        idea: "perfect hashing by multiplication, a table of its own size per square",
        page: "Magic Bitboards",
        needs: Needs::Nothing,
    };

    fn new() -> MagicFancy {
        MagicFancy(&TABLE)
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0.attacks[self.0.rook[square.index()].index(occupied)]
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0.attacks[self.0.bishop[square.index()].index(occupied)]
    }
}
