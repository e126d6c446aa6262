//! Fancy magic bitboards: the relevant blockers times a magic factor, shifted right, index a table whose size is the
//! square's own. Source: page "Magic Bitboards" of the seed documents (Lasse Hansen, Pradu Kannan). Factors: our own
//! search, see `factors`; some squares do with fewer index bits than relevant squares. Tables: see [`ENTRIES`], and an entry
//! per square.
//! Unlike the page's pointers, offsets into one table padded to a power of two: a masked index needs no bounds check.

use super::entry::{Entry, attack_table, entries};
use super::factors::{BISHOP, DENSE, ROOK};
use crate::sliders::pictures::{self, Picture};
use crate::sliders::relevant::Slider;
use crate::sliders::{Backend, Card, Needs, Reads, Sliders};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

const SIZE: usize = 1 << 17;
static ROOKS: [Entry; 64] = dense(Slider::Rook, 0).0;
static BISHOPS: [Entry; 64] = dense(Slider::Bishop, dense(Slider::Rook, 0).1).0;
/// Attack sets in the table.
const ENTRIES: usize = dense(Slider::Bishop, dense(Slider::Rook, 0).1).1 as usize;

/// The entries from `offset` on, and where they end.
const fn dense(slider: Slider, mut offset: u32) -> ([Entry; 64], u32) {
    let rook = matches!(slider, Slider::Rook);
    let mut table = entries(slider, if rook { &ROOK } else { &BISHOP }, 0);
    let mut i = 0;
    while i < DENSE.len() {
        let (of_rook, square, factor, bits, _) = DENSE[i];
        if of_rook == rook {
            table[square].factor = factor;
            table[square].shift = 64 - bits;
        }
        i += 1;
    }
    let mut square = 0;
    while square < 64 {
        table[square].offset = offset;
        offset += 1 << (64 - table[square].shift);
        square += 1;
    }
    (table, offset)
}

static TABLE: LazyLock<Box<[Bitboard; SIZE]>> = LazyLock::new(|| {
    attack_table(|slider, square, occupied| match slider {
        Slider::Rook => ROOKS[square.index()].index(occupied),
        Slider::Bishop => BISHOPS[square.index()].index(occupied),
    })
});

/// Fancy magic bitboards.
#[derive(Clone, Copy, Debug)]
pub struct MagicFancy(&'static [Bitboard; SIZE]);

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
        ENTRIES * 8 + size_of_val(&ROOKS) + size_of_val(&BISHOPS)
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let entry = reads.at(&ROOKS[square.index()]);
        *reads.at(&self.0[entry.index(occupied) & (SIZE - 1)])
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let entry = reads.at(&BISHOPS[square.index()]);
        *reads.at(&self.0[entry.index(occupied) & (SIZE - 1)])
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        pictures::magic(self, square, occupied, |slider| {
            let entry = match slider {
                Slider::Rook => ROOKS[square.index()],
                Slider::Bishop => BISHOPS[square.index()],
            };
            (entry.factor, entry.shift)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliders::magic::entry::each_set;

    #[test]
    fn the_squares_with_fewer_bits_make_the_table_shorter_and_every_index_is_the_squares_own() {
        assert_eq!(ENTRIES, 106_832);
        for (slider, table) in [(Slider::Rook, &ROOKS), (Slider::Bishop, &BISHOPS)] {
            each_set(slider, |square, occupied, attacks| {
                let entry = table[square.index()];
                let own = entry.offset as usize..entry.offset as usize + (1 << (64 - entry.shift));
                let at = entry.index(occupied);
                assert!(own.contains(&at), "{slider:?} {square}");
                assert_eq!(TABLE[at], attacks, "{slider:?} {square} {occupied:?}");
            });
        }
    }
}
