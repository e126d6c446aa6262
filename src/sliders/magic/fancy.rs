//! Fancy magic bitboards: the relevant blockers times a magic factor, shifted right, index a table whose size is the
//! square's own. Source: page "Magic Bitboards" of the seed documents (Lasse Hansen, Pradu Kannan). Factors: our own
//! search, see `factors`. Tables: 107,648 attack sets, 841 KB, and an entry per square.
//! Unlike the page's pointers, offsets into one table padded to a power of two: a masked index needs no bounds check.

use super::entry::{Entry, attack_table, entries};
use super::factors::{BISHOP, ROOK};
use crate::sliders::pictures::{self, Picture};
use crate::sliders::relevant::Slider;
use crate::sliders::{Backend, Card, Needs, Sliders};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

const SIZE: usize = 1 << 17;
static ROOKS: [Entry; 64] = entries(Slider::Rook, &ROOK, 0);
static BISHOPS: [Entry; 64] = entries(Slider::Bishop, &BISHOP, 102_400);

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
        107_648 * 8 + size_of_val(&ROOKS) + size_of_val(&BISHOPS)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0[ROOKS[square.index()].index(occupied) & (SIZE - 1)]
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0[BISHOPS[square.index()].index(occupied) & (SIZE - 1)]
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
