//! Magic bitboards with shared attacks: the attack sets of several squares lie in one cell, and an intersection with the
//! attacks on the empty board picks out the own one. Source: page "Magic Bitboards" of the seed documents (Lasse Hansen).
//! Tables: 65,536 cells, 512 KB, and 32 bytes per square.
//! The page shares whole tables, of two diagonally adjacent rooks, or of four bishops. Here each cell looks after itself:
//! it may serve any squares whose sets agree where both could attack, so that bishops lie in the rooks' tables and cost
//! nothing. The offsets are what first-fit packing finds, see `search::share`; the factors are the fancy ones.

use super::entry::{boxed, each_set, relevant};
use super::factors::{BISHOP, ROOK, SHARED};
use crate::sliders::pictures::{self, Picture};
use crate::sliders::relevant::Slider;
use crate::sliders::{Backend, Card, Needs, Reads, Sliders, empty};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

const SIZE: usize = 1 << 16;

#[derive(Clone, Copy, Debug)]
struct Entry {
    mask: u64,
    factor: u64,
    reach: u64,
    offset: u32,
    shift: u32,
}

const fn entries(slider: Slider, factors: &[u64; 64], offsets: &[u16; 64]) -> [Entry; 64] {
    let mut table = [Entry { mask: 0, factor: 0, reach: 0, offset: 0, shift: 0 }; 64];
    let mut i = 0;
    while i < 64 {
        let mask = relevant(slider, i);
        let square = Square::new(i as u8);
        let reach = match slider {
            Slider::Rook => empty::rook(square).0,
            Slider::Bishop => empty::bishop(square).0,
        };
        let shift = 64 - mask.count_ones();
        table[i] = Entry { mask, factor: factors[i], reach, offset: offsets[i] as u32, shift };
        i += 1;
    }
    table
}

static ROOKS: [Entry; 64] = entries(Slider::Rook, &ROOK, &SHARED[0]);
static BISHOPS: [Entry; 64] = entries(Slider::Bishop, &BISHOP, &SHARED[1]);

impl Entry {
    #[inline(always)]
    fn index(self, occupied: Bitboard) -> usize {
        let hash = (occupied.0 & self.mask).wrapping_mul(self.factor) >> self.shift;
        (self.offset as usize + hash as usize) & (SIZE - 1)
    }
}

static TABLE: LazyLock<Box<[Bitboard; SIZE]>> = LazyLock::new(|| {
    let mut table = boxed(Bitboard::EMPTY);
    for (slider, entries) in [(Slider::Rook, &ROOKS), (Slider::Bishop, &BISHOPS)] {
        each_set(slider, |square, occupied, attacks| {
            table[entries[square.index()].index(occupied)] |= attacks
        });
    }
    table
});

/// Magic bitboards with shared attacks.
#[derive(Clone, Copy, Debug)]
pub struct MagicShared(&'static [Bitboard; SIZE]);

impl Sliders for MagicShared {
    const BACKEND: Backend = Backend::MagicShared;
    const CARD: Card = Card {
        author: "Lasse Hansen",
        idea: "squares share cells; the empty board's attacks pick out the own set",
        page: "Magic Bitboards",
        needs: Needs::Nothing,
    };

    fn new() -> MagicShared {
        MagicShared(&TABLE)
    }

    fn table_bytes(self) -> usize {
        SIZE * 8 + size_of_val(&ROOKS) + size_of_val(&BISHOPS)
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let entry = reads.at(&ROOKS[square.index()]);
        *reads.at(&self.0[entry.index(occupied)]) & Bitboard(entry.reach)
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let entry = reads.at(&BISHOPS[square.index()]);
        *reads.at(&self.0[entry.index(occupied)]) & Bitboard(entry.reach)
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        pictures::looked_up(self, square, occupied)
    }
}
