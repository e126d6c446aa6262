//! Magic factors that carry more than the factor. Source: page "Magic Bitboards" of the seed documents.
//!
//! - `magic-shift-in-factor` (Grant Osborne): the upper six bits of the factor are the shift.
//!
//! Tables: 107,648 attack sets, 841 KB, and 24 bytes per square. Factors: our own search.

use super::entry::{attack_table, relevant};
use super::factors::{BISHOP_SHIFT, ROOK_SHIFT};
use crate::sliders::pictures::{self, Picture};
use crate::sliders::relevant::Slider;
use crate::sliders::{Backend, Card, Needs, Sliders};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

const SIZE: usize = 1 << 17;

#[derive(Clone, Copy, Debug)]
struct Entry {
    mask: u64,
    factor: u64,
    offset: u64,
}

const fn entries(slider: Slider, factors: &[u64; 64], mut offset: u64) -> [Entry; 64] {
    let mut table = [Entry { mask: 0, factor: 0, offset: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        let mask = relevant(slider, square);
        table[square] = Entry { mask, factor: factors[square], offset };
        offset += 1 << mask.count_ones();
        square += 1;
    }
    table
}

static ROOKS: [Entry; 64] = entries(Slider::Rook, &ROOK_SHIFT, 0);
static BISHOPS: [Entry; 64] = entries(Slider::Bishop, &BISHOP_SHIFT, 102_400);

impl Entry {
    #[inline(always)]
    fn index(self, occupied: Bitboard) -> usize {
        let hash = (occupied.0 & self.mask).wrapping_mul(self.factor) >> (self.factor >> 58);
        (self.offset + hash) as usize & (SIZE - 1)
    }
}

static TABLE: LazyLock<Box<[Bitboard; SIZE]>> = LazyLock::new(|| {
    attack_table(|slider, square, occupied| match slider {
        Slider::Rook => ROOKS[square.index()].index(occupied),
        Slider::Bishop => BISHOPS[square.index()].index(occupied),
    })
});

/// Fancy magic bitboards, the shift in the upper bits of the factor.
#[derive(Clone, Copy, Debug)]
pub struct MagicShiftInFactor(&'static [Bitboard; SIZE]);

impl Sliders for MagicShiftInFactor {
    const BACKEND: Backend = Backend::MagicShiftInFactor;
    const CARD: Card = Card {
        author: "Grant Osborne",
        idea: "the upper six bits of the factor are the shift",
        page: "Magic Bitboards",
        needs: Needs::Nothing,
    };

    fn new() -> MagicShiftInFactor {
        MagicShiftInFactor(&TABLE)
    }

    fn table_bytes(self) -> usize {
        107_648 * 8 + size_of_val(&ROOKS) + size_of_val(&BISHOPS)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0[ROOKS[square.index()].index(occupied)]
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0[BISHOPS[square.index()].index(occupied)]
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        pictures::magic(self, square, occupied, |slider| {
            let entry = match slider {
                Slider::Rook => ROOKS[square.index()],
                Slider::Bishop => BISHOPS[square.index()],
            };
            (entry.factor, (entry.factor >> 58) as u32)
        })
    }
}
