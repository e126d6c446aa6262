//! Magic bitboards by way of bytes: the hash looks up the number of an attack set among the square's own (at most 144),
//! and that the set: 4,900 different ones of rooks and 1,428 of bishops. Source: page "Magic Bitboards" of the seed
//! documents (Robert Houdart). Tables: 105 KB of bytes, 49 KB of sets, and 24 bytes per square.
//! The page's sample is on the plain layout (288 KB of bytes); this one on the fancy.

use super::entry::{Entry, boxed, each_set, entries};
use super::factors::{BISHOP, ROOK};
use crate::sliders::pictures::{self, Picture};
use crate::sliders::relevant::Slider;
use crate::sliders::{Backend, Card, Needs, Reads, Sliders};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

const NUMBERS: usize = 1 << 17;
const ROOK_SETS: usize = 4_900;
const SETS: usize = ROOK_SETS + 1_428;
/// Padded, so that a masked index needs no bounds check.
const PADDED: usize = 1 << 13;

static ROOKS: [Entry; 64] = entries(Slider::Rook, &ROOK, 0);
static BISHOPS: [Entry; 64] = entries(Slider::Bishop, &BISHOP, 102_400);

#[derive(Debug)]
struct Table {
    /// Where the sets of a square begin: rooks, then bishops.
    first: [u16; 128],
    sets: [Bitboard; PADDED],
    numbers: Box<[u8; NUMBERS]>,
}

static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    let mut table = Box::new(Table { first: [0; 128], sets: [Bitboard::EMPTY; PADDED], numbers: boxed(0) });
    let mut end = 0;
    for (slider, entries, base) in [(Slider::Rook, &ROOKS, 0), (Slider::Bishop, &BISHOPS, 64)] {
        let mut current = None;
        each_set(slider, |square, occupied, attacks| {
            if current != Some(square) {
                current = Some(square);
                table.first[base + square.index()] = end as u16;
            }
            let first = table.first[base + square.index()] as usize;
            let known = table.sets[first..end].iter().position(|&set| set == attacks);
            let number = known.unwrap_or(end - first);
            if known.is_none() {
                table.sets[end] = attacks;
                end += 1;
            }
            table.numbers[entries[square.index()].index(occupied)] = number as u8;
        });
    }
    debug_assert_eq!(end, SETS);
    table
});

/// Magic bitboards with byte lookup.
#[derive(Clone, Copy, Debug)]
pub struct MagicByte {
    table: &'static Table,
    numbers: &'static [u8; NUMBERS],
}

impl MagicByte {
    #[inline(always)]
    fn set<R: Reads>(self, entry: &Entry, square: usize, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let index = reads.at(entry).index(occupied);
        let number = *reads.at(&self.numbers[index & (NUMBERS - 1)]);
        let first = *reads.at(&self.table.first[square]);
        *reads.at(&self.table.sets[(first as usize + number as usize) & (PADDED - 1)])
    }
}

impl Sliders for MagicByte {
    const BACKEND: Backend = Backend::MagicByte;
    const CARD: Card = Card {
        author: "Robert Houdart",
        idea: "the hash looks up a byte, the number of the attack set in a list without doubles",
        page: "Magic Bitboards",
        needs: Needs::Nothing,
    };

    fn new() -> MagicByte {
        MagicByte { table: &TABLE, numbers: &TABLE.numbers }
    }

    fn table_bytes(self) -> usize {
        107_648 + SETS * 8 + 128 * 2 + size_of_val(&ROOKS) + size_of_val(&BISHOPS)
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        self.set(&ROOKS[square.index()], square.index(), occupied, reads)
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        self.set(&BISHOPS[square.index()], 64 + square.index(), occupied, reads)
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        pictures::looked_up(self, square, occupied)
    }
}
