//! Magic bitboards for 32-bit machines: each half of the blockers times a factor of its own, the products xor-ed, the upper
//! bits of the 32 index the square's table. Source: page "Magic Bitboards" of the seed documents (Grant Osborne).
//! Tables: 107,648 attack sets, 841 KB, and 24 bytes per square. Factors: our own search, `Scheme::ThirtyTwo`.
//! The page lets bishops xor the halves and multiply once. For the bishop of h3 no such factor of 5 bits turned up in 900
//! million tries, so bishops multiply twice as well.

use super::entry::{Entry, attack_table, entries};
use super::factors::{BISHOP_32, ROOK_32};
use crate::sliders::pictures::{self, Picture};
use crate::sliders::relevant::Slider;
use crate::sliders::{Backend, Card, Needs, Reads, Sliders};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

const SIZE: usize = 1 << 17;
static ROOKS: [Entry; 64] = halves(entries(Slider::Rook, &ROOK_32, 0));
static BISHOPS: [Entry; 64] = halves(entries(Slider::Bishop, &BISHOP_32, 102_400));

const fn halves(mut table: [Entry; 64]) -> [Entry; 64] {
    let mut square = 0;
    while square < 64 {
        table[square].shift -= 32;
        square += 1;
    }
    table
}

#[inline(always)]
fn index(entry: Entry, occupied: Bitboard) -> usize {
    let blockers = occupied.0 & entry.mask;
    let low = (blockers as u32).wrapping_mul(entry.factor as u32);
    let high = ((blockers >> 32) as u32).wrapping_mul((entry.factor >> 32) as u32);
    (entry.offset as usize + ((low ^ high) >> (entry.shift & 31)) as usize) & (SIZE - 1)
}

static TABLE: LazyLock<Box<[Bitboard; SIZE]>> = LazyLock::new(|| {
    attack_table(|slider, square, occupied| match slider {
        Slider::Rook => index(ROOKS[square.index()], occupied),
        Slider::Bishop => index(BISHOPS[square.index()], occupied),
    })
});

/// Magic bitboards with 32-bit multiplications.
#[derive(Clone, Copy, Debug)]
pub struct Magic32Bit(&'static [Bitboard; SIZE]);

impl Sliders for Magic32Bit {
    const BACKEND: Backend = Backend::Magic32Bit;
    const CARD: Card = Card {
        author: "Grant Osborne",
        idea: "two 32-bit multiplications, one for each half of the board",
        page: "Magic Bitboards",
        needs: Needs::Nothing,
    };

    fn new() -> Magic32Bit {
        Magic32Bit(&TABLE)
    }

    fn table_bytes(self) -> usize {
        107_648 * 8 + size_of_val(&ROOKS) + size_of_val(&BISHOPS)
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let entry = *reads.at(&ROOKS[square.index()]);
        *reads.at(&self.0[index(entry, occupied)])
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let entry = *reads.at(&BISHOPS[square.index()]);
        *reads.at(&self.0[index(entry, occupied)])
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let steps = |slider| {
            let [mask, blockers] = pictures::relevant(slider, square, occupied);
            let entry = match slider {
                Slider::Rook => ROOKS[square.index()],
                Slider::Bishop => BISHOPS[square.index()],
            };
            let low = (blockers.set.0 as u32).wrapping_mul(entry.factor as u32);
            let high = ((blockers.set.0 >> 32) as u32).wrapping_mul((entry.factor >> 32) as u32);
            let hash = ((low ^ high) >> (entry.shift & 31)) as usize;
            let size = 1 << mask.set.count();
            [
                mask,
                blockers,
                Picture::word("A 32-bit factor for each half of the board", entry.factor),
                Picture::word("The products of both halves", u64::from(high) << 32 | u64::from(low)),
                Picture::word("Their exclusive or", u64::from(low ^ high)),
                pictures::index("Its topmost bits, shifted down", hash, size),
            ]
        };
        let both = [Slider::Rook, Slider::Bishop].into_iter().flat_map(steps);
        pictures::with_attacks(both, self, square, occupied)
    }
}
