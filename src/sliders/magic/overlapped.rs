//! Magic bitboards with a fixed shift whose squares overlap in one table: 12 index bits for every rook, 9 for every bishop,
//! but the factors keep the indices of a square close together, and a square's unused cells belong to others.
//! Source: page "Magic Bitboards" of the seed documents.
//!
//! - `magic-fixed-fancy` (Onno Garms, Volker Annuss): irrelevant squares count as empty.
//! - `magic-black` (Volker Annuss): irrelevant squares count as occupied, so that the lowest index need not be zero.
//!
//! Factors and offsets: our own search (`search::fixed`: annealing, then packing); the tables' sizes stand beside the constants in `placed`.

use super::entry::{attack_table, relevant};
use super::placed::{BLACK, BLACK_ENTRIES, FIXED, FIXED_ENTRIES, Placed};
use crate::sliders::pictures::{self, Picture};
use crate::sliders::relevant::Slider;
use crate::sliders::{Backend, Card, Needs, Reads, Sliders};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

/// Padded in memory, so that a masked index needs no bounds check.
const FIXED_SIZE: usize = FIXED_ENTRIES.next_power_of_two();
const BLACK_SIZE: usize = BLACK_ENTRIES.next_power_of_two();
const ROOK_SHIFT: u32 = 52;
const BISHOP_SHIFT: u32 = 55;

#[derive(Clone, Copy, Debug)]
struct Entry {
    mask: u64,
    factor: u64,
    offset: u64,
}

/// With the relevant squares as mask, or their complement.
const fn entries(slider: Slider, placed: &[Placed; 64], complement: bool) -> [Entry; 64] {
    let mut table = [Entry { mask: 0, factor: 0, offset: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        let mask = relevant(slider, square) ^ if complement { u64::MAX } else { 0 };
        table[square] = Entry { mask, factor: placed[square].0, offset: placed[square].1 as u64 };
        square += 1;
    }
    table
}

static FIXED_ROOKS: [Entry; 64] = entries(Slider::Rook, &FIXED[0], false);
static FIXED_BISHOPS: [Entry; 64] = entries(Slider::Bishop, &FIXED[1], false);
static BLACK_ROOKS: [Entry; 64] = entries(Slider::Rook, &BLACK[0], true);
static BLACK_BISHOPS: [Entry; 64] = entries(Slider::Bishop, &BLACK[1], true);

impl Entry {
    #[inline(always)]
    fn index<const SHIFT: u32>(&self, key: u64) -> usize {
        (key.wrapping_mul(self.factor) >> SHIFT).wrapping_add(self.offset) as usize
    }

    #[inline(always)]
    fn fixed<const SHIFT: u32>(&self, occupied: Bitboard) -> usize {
        self.index::<SHIFT>(occupied.0 & self.mask) & (FIXED_SIZE - 1)
    }

    #[inline(always)]
    fn black<const SHIFT: u32>(&self, occupied: Bitboard) -> usize {
        self.index::<SHIFT>(occupied.0 | self.mask) & (BLACK_SIZE - 1)
    }
}

static FIXED_TABLE: LazyLock<Box<[Bitboard; FIXED_SIZE]>> = LazyLock::new(|| {
    attack_table(|slider, square, occupied| match slider {
        Slider::Rook => FIXED_ROOKS[square.index()].fixed::<ROOK_SHIFT>(occupied),
        Slider::Bishop => FIXED_BISHOPS[square.index()].fixed::<BISHOP_SHIFT>(occupied),
    })
});

static BLACK_TABLE: LazyLock<Box<[Bitboard; BLACK_SIZE]>> = LazyLock::new(|| {
    attack_table(|slider, square, occupied| match slider {
        Slider::Rook => BLACK_ROOKS[square.index()].black::<ROOK_SHIFT>(occupied),
        Slider::Bishop => BLACK_BISHOPS[square.index()].black::<BISHOP_SHIFT>(occupied),
    })
});

/// The steps from the blockers, shown already, to the entry.
fn placed(shown: [Picture; 2], key: u64, factor: u64, shift: u32, entry: usize, size: usize) -> Vec<Picture> {
    let place = pictures::index("Plus the square's offset in the table of all", entry, size);
    shown.into_iter().chain(pictures::hashed(key, factor, shift)).chain([place]).collect()
}

/// Overlapping tables with a fixed shift.
#[derive(Clone, Copy, Debug)]
pub struct MagicFixedFancy(&'static [Bitboard; FIXED_SIZE]);

impl Sliders for MagicFixedFancy {
    const BACKEND: Backend = Backend::MagicFixedFancy;
    const CARD: Card = Card {
        author: "Onno Garms, Volker Annuss",
        idea: "a fixed shift, the squares' tables overlapping in one",
        page: "Magic Bitboards",
        needs: Needs::Nothing,
    };

    fn new() -> MagicFixedFancy {
        MagicFixedFancy(&FIXED_TABLE)
    }

    fn table_bytes(self) -> usize {
        FIXED_ENTRIES * 8 + size_of_val(&FIXED_ROOKS) + size_of_val(&FIXED_BISHOPS)
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let entry = reads.at(&FIXED_ROOKS[square.index()]);
        *reads.at(&self.0[entry.fixed::<ROOK_SHIFT>(occupied)])
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let entry = reads.at(&FIXED_BISHOPS[square.index()]);
        *reads.at(&self.0[entry.fixed::<BISHOP_SHIFT>(occupied)])
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let (rook, bishop) = (&FIXED_ROOKS[square.index()], &FIXED_BISHOPS[square.index()]);
        let (rooks, bishops) = (rook.fixed::<ROOK_SHIFT>(occupied), bishop.fixed::<BISHOP_SHIFT>(occupied));
        let steps = |slider, fixed: &Entry, shift, entry| {
            let shown = pictures::relevant(slider, square, occupied);
            placed(shown, occupied.0 & fixed.mask, fixed.factor, shift, entry, FIXED_ENTRIES)
        };
        let rook = steps(Slider::Rook, rook, ROOK_SHIFT, rooks);
        let bishop = steps(Slider::Bishop, bishop, BISHOP_SHIFT, bishops);
        pictures::with_attacks(rook.into_iter().chain(bishop), self, square, occupied)
    }
}

/// Black magic bitboards.
#[derive(Clone, Copy, Debug)]
pub struct MagicBlack(&'static [Bitboard; BLACK_SIZE]);

impl Sliders for MagicBlack {
    const BACKEND: Backend = Backend::MagicBlack;
    const CARD: Card = Card {
        author: "Volker Annuss",
        idea: "irrelevant squares are set instead of cleared; fixed shift, overlapping tables",
        page: "Magic Bitboards",
        needs: Needs::Nothing,
    };

    fn new() -> MagicBlack {
        MagicBlack(&BLACK_TABLE)
    }

    fn table_bytes(self) -> usize {
        BLACK_ENTRIES * 8 + size_of_val(&BLACK_ROOKS) + size_of_val(&BLACK_BISHOPS)
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let entry = reads.at(&BLACK_ROOKS[square.index()]);
        *reads.at(&self.0[entry.black::<ROOK_SHIFT>(occupied)])
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let entry = reads.at(&BLACK_BISHOPS[square.index()]);
        *reads.at(&self.0[entry.black::<BISHOP_SHIFT>(occupied)])
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let (rook, bishop) = (&BLACK_ROOKS[square.index()], &BLACK_BISHOPS[square.index()]);
        let (rooks, bishops) = (rook.black::<ROOK_SHIFT>(occupied), bishop.black::<BISHOP_SHIFT>(occupied));
        let steps = |slider, black: &Entry, shift, entry| {
            let [mask, _] = pictures::relevant(slider, square, occupied);
            let key = occupied.0 | black.mask;
            let blockers = Picture::of("Blockers: every square that does not matter is set", Bitboard(key));
            placed([mask, blockers], key, black.factor, shift, entry, BLACK_ENTRIES)
        };
        let rook = steps(Slider::Rook, rook, ROOK_SHIFT, rooks);
        let bishop = steps(Slider::Bishop, bishop, BISHOP_SHIFT, bishops);
        pictures::with_attacks(rook.into_iter().chain(bishop), self, square, occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliders::magic::entry::each_set;
    use std::collections::BTreeMap;

    /// Lays the table out anew, every entry with the attack set that it must hold.
    fn check(entries: usize, placed: &[[Placed; 64]; 2], index: impl Fn(Slider, Square, Bitboard) -> usize) {
        let mut cells: BTreeMap<usize, Bitboard> = BTreeMap::new();
        for (slider, placed) in [Slider::Rook, Slider::Bishop].into_iter().zip(placed) {
            let mut own: Vec<Vec<usize>> = vec![Vec::new(); 64];
            each_set(slider, |square, occupied, attacks| {
                let at = index(slider, square, occupied);
                assert_eq!(*cells.entry(at).or_insert(attacks), attacks, "{slider:?} {square} {occupied:?}");
                own[square.index()].push(at);
            });
            for (square, mut own) in Square::all().zip(own) {
                own.sort_unstable();
                own.dedup();
                assert_eq!(own.len(), usize::from(placed[square.index()].2), "{slider:?} {square}");
            }
        }
        assert_eq!(cells.first_key_value().map(|(&at, _)| at), Some(0));
        assert_eq!(cells.last_key_value().map(|(&at, _)| at + 1), Some(entries));
    }

    #[test]
    fn no_two_attack_sets_share_an_entry_and_the_tables_are_as_long_as_they_say() {
        check(FIXED_ENTRIES, &FIXED, |slider, square, occupied| match slider {
            Slider::Rook => FIXED_ROOKS[square.index()].fixed::<ROOK_SHIFT>(occupied),
            Slider::Bishop => FIXED_BISHOPS[square.index()].fixed::<BISHOP_SHIFT>(occupied),
        });
        check(BLACK_ENTRIES, &BLACK, |slider, square, occupied| match slider {
            Slider::Rook => BLACK_ROOKS[square.index()].black::<ROOK_SHIFT>(occupied),
            Slider::Bishop => BLACK_BISHOPS[square.index()].black::<BISHOP_SHIFT>(occupied),
        });
    }
}
