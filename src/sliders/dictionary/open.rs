//! Hashing dictionaries with open addressing and double hashing (Knuth, algorithm 6.4 D), half full: the first slot and the
//! step are bits of one multiplication by the golden ratio; keys are compared. Source: page "Hashing Dictionaries".
//! Different here: ends of lines and the slider's own square are masked out of the keys. A multiplier sought so that no two
//! keys meet would make magic bitboards of it; this one is not.
//! Tables: 6,784 keys in 13,568 slots of 16 bytes, 212 KB, and four masks per square. Needs nothing.

use super::line;
use crate::sliders::pictures::{self, Picture};
use crate::sliders::{Backend, Card, Needs, Reads, Sliders};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

const SIZE: usize = 1 << 14;
/// 2^64 over the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

#[derive(Clone, Copy, Default, Debug)]
struct Line {
    mask: u64,
    /// First slot of this line.
    start: u32,
    /// 64 less the bits of a slot number.
    shift: u32,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    key: u64,
    attacks: u64,
}

struct Table {
    lines: [[Line; 4]; 64],
    slots: [Slot; SIZE],
    used: usize,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({})", self.used)
    }
}

/// No key has all squares.
const FREE: Slot = Slot { key: u64::MAX, attacks: 0 };

impl Line {
    /// The slots to try, in order, without end.
    #[inline(always)]
    fn probe(self, key: u64) -> impl Iterator<Item = usize> {
        let hash = key.wrapping_mul(FACTOR);
        let last = u64::MAX >> self.shift;
        // Odd steps visit every slot of a table whose size is a power of two.
        let step = hash >> 20 | 1;
        let mut slot = hash >> self.shift;
        std::iter::from_fn(move || {
            let found = (self.start as usize + slot as usize) & (SIZE - 1);
            slot = slot.wrapping_add(step) & last;
            Some(found)
        })
    }
}

static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    let mut table = Box::new(Table { lines: [[Line::default(); 4]; 64], slots: [FREE; SIZE], used: 0 });
    for square in Square::all() {
        for direction in 0..4 {
            let (mask, sets) = line(direction, square);
            let line = Line { mask: mask.0, start: table.used as u32, shift: 63 - mask.count() };
            for (occupied, attacks) in sets {
                let free = line.probe(occupied.0).find(|&slot| table.slots[slot].key == FREE.key);
                if let Some(slot) = free {
                    table.slots[slot] = Slot { key: occupied.0, attacks: attacks.0 };
                }
            }
            table.used += 2 << mask.count();
            table.lines[square.index()][direction] = line;
        }
    }
    assert!(table.used <= SIZE, "{} slots", table.used);
    table
});

/// Lines looked up in one open-addressing table.
#[derive(Clone, Copy, Debug)]
pub struct HashDictionaryOpen(&'static Table);

impl HashDictionaryOpen {
    #[inline(always)]
    fn along<R: Reads>(self, line: &Line, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let line = reads.at(line);
        let key = occupied.0 & line.mask;
        // The key is there: all subsets of the mask are.
        for slot in line.probe(key) {
            let slot = reads.at(&self.0.slots[slot]);
            if slot.key == key {
                return Bitboard(slot.attacks);
            }
        }
        Bitboard::EMPTY
    }
}

impl Sliders for HashDictionaryOpen {
    const BACKEND: Backend = Backend::HashDictionaryOpen;
    const CARD: Card = Card {
        author: "Sam Tannous; Donald Knuth",
        idea: "masked lines as keys of an open-addressing table with double hashing",
        page: "Hashing Dictionaries",
        needs: Needs::Nothing,
    };

    fn new() -> HashDictionaryOpen {
        HashDictionaryOpen(&TABLE)
    }

    fn table_bytes(self) -> usize {
        self.0.used * size_of::<Slot>() + size_of_val(&self.0.lines)
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let lines = &self.0.lines[square.index()];
        self.along(&lines[0], occupied, reads) | self.along(&lines[1], occupied, reads)
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let lines = &self.0.lines[square.index()];
        self.along(&lines[2], occupied, reads) | self.along(&lines[3], occupied, reads)
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        pictures::looked_up(self, square, occupied)
    }
}
