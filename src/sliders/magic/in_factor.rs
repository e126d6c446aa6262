//! Magic factors that carry more than the factor. Source: page "Magic Bitboards" of the seed documents.
//!
//! - `magic-shift-in-factor` (Grant Osborne): the upper six bits of the factor are the shift.
//! - `magic-offset-in-factor` (Eugene Kotlov): the lower bits of the factor are the offset. The shift is fixed, so that
//!   16 bytes per square are all.
//!
//! Tables: 107,648 attack sets, 841 KB, and 24 bytes per square; with the offset in the
//! factor 1.9 MB and 16 bytes: high squares' products begin with the factor's low bits, so that a place suits few factors.
//! Factors: our own search. The page speaks of 16 bits for the offset. Here 12 bits count steps of 64 entries: fewer bits
//! leave the factor more freedom.

use super::entry::{attack_table, relevant};
use super::factors::{BISHOP_SHIFT, ROOK_SHIFT};
use super::placed::{OFFSET, OFFSET_ENTRIES};
use super::search::{PLACE_BITS, UNIT};
use crate::sliders::pictures::{self, Picture};
use crate::sliders::relevant::Slider;
use crate::sliders::{Backend, Card, Needs, Reads, Sliders};
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
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let entry = reads.at(&ROOKS[square.index()]);
        *reads.at(&self.0[entry.index(occupied)])
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let entry = reads.at(&BISHOPS[square.index()]);
        *reads.at(&self.0[entry.index(occupied)])
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let steps = |(slider, entry): (Slider, Entry)| {
            let [mask, blockers] = pictures::relevant(slider, square, occupied);
            let shift = entry.factor >> 58;
            let [factor, product, index] = pictures::hashed(blockers.set.0, entry.factor, shift as u32);
            let own = format!("Its upper six bits, the shift: {shift}");
            [mask, blockers, factor, Picture::word(own, shift), product, index]
        };
        let both = [(Slider::Rook, ROOKS[square.index()]), (Slider::Bishop, BISHOPS[square.index()])];
        pictures::with_attacks(both.into_iter().flat_map(steps), self, square, occupied)
    }
}

/// Places times their unit, the upper ones unused.
const OFFSET_SIZE: usize = 1 << 18;
const _: () = assert!(OFFSET_ENTRIES <= OFFSET_SIZE && OFFSET_SIZE == (UNIT as usize) << PLACE_BITS);

/// Mask and factor, which is all there is.
#[derive(Clone, Copy, Debug)]
struct Short {
    mask: u64,
    factor: u64,
}

const fn shorts(slider: Slider, factors: &[u64; 64]) -> [Short; 64] {
    let mut table = [Short { mask: 0, factor: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = Short { mask: relevant(slider, square), factor: factors[square] };
        square += 1;
    }
    table
}

static SHORT_ROOKS: [Short; 64] = shorts(Slider::Rook, &OFFSET[0]);
static SHORT_BISHOPS: [Short; 64] = shorts(Slider::Bishop, &OFFSET[1]);

impl Short {
    #[inline(always)]
    fn index<const SHIFT: u32>(self, occupied: Bitboard) -> usize {
        let hash = (occupied.0 & self.mask).wrapping_mul(self.factor) >> SHIFT;
        let offset = (self.factor & ((1 << PLACE_BITS) - 1)) * UNIT as u64;
        (offset + hash) as usize & (OFFSET_SIZE - 1)
    }
}

static OFFSET_TABLE: LazyLock<Box<[Bitboard; OFFSET_SIZE]>> = LazyLock::new(|| {
    attack_table(|slider, square, occupied| match slider {
        Slider::Rook => SHORT_ROOKS[square.index()].index::<52>(occupied),
        Slider::Bishop => SHORT_BISHOPS[square.index()].index::<55>(occupied),
    })
});

/// Overlapping magic bitboards, the offset in the lower bits of the factor.
#[derive(Clone, Copy, Debug)]
pub struct MagicOffsetInFactor(&'static [Bitboard; OFFSET_SIZE]);

impl Sliders for MagicOffsetInFactor {
    const BACKEND: Backend = Backend::MagicOffsetInFactor;
    const CARD: Card = Card {
        author: "Eugene Kotlov",
        idea: "a fixed shift, and the lower bits of the factor are the offset",
        page: "Magic Bitboards",
        needs: Needs::Nothing,
    };

    fn new() -> MagicOffsetInFactor {
        MagicOffsetInFactor(&OFFSET_TABLE)
    }

    fn table_bytes(self) -> usize {
        OFFSET_ENTRIES * 8 + size_of_val(&SHORT_ROOKS) + size_of_val(&SHORT_BISHOPS)
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let entry = reads.at(&SHORT_ROOKS[square.index()]);
        *reads.at(&self.0[entry.index::<52>(occupied)])
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let entry = reads.at(&SHORT_BISHOPS[square.index()]);
        *reads.at(&self.0[entry.index::<55>(occupied)])
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let steps = |slider, factor, shift, entry| {
            let blockers = pictures::relevant(slider, square, occupied);
            let hashed = pictures::hashed(blockers[1].set.0, factor, shift);
            let caption = format!("Plus {UNIT} × the factor's lower {PLACE_BITS} bits");
            let placed = pictures::index(&caption, entry, OFFSET_ENTRIES);
            blockers.into_iter().chain(hashed).chain([placed])
        };
        let (rook, bishop) = (SHORT_ROOKS[square.index()], SHORT_BISHOPS[square.index()]);
        let rook = steps(Slider::Rook, rook.factor, 52, rook.index::<52>(occupied));
        let bishop = steps(Slider::Bishop, bishop.factor, 55, bishop.index::<55>(occupied));
        pictures::with_attacks(rook.chain(bishop), self, square, occupied)
    }
}
