//! Plain magic bitboards: 4096 attack sets for each rook square and 512 for each bishop square, so that the shift is a
//! constant and the square and the hash are the index. Source: page "Magic Bitboards" of the seed documents (Lasse
//! Hansen). Tables: 2 MB and 256 KB, and 16 bytes per square.
//! The factors are the fancy ones: where the upper n bits of a product keep different attacks apart, its upper 12 do.

use super::entry::{Entry, attack_table, entries};
use super::factors::{BISHOP, ROOK};
use crate::sliders::pictures::{self, Picture};
use crate::sliders::relevant::Slider;
use crate::sliders::{Backend, Card, Needs, Reads, Sliders, Unwatched};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

const BISHOP_BASE: usize = 64 << 12;
const SIZE: usize = BISHOP_BASE + (64 << 9);

#[derive(Clone, Copy, Debug)]
struct Hash {
    mask: u64,
    factor: u64,
}

const fn hashes(entries: [Entry; 64]) -> [Hash; 64] {
    let mut table = [Hash { mask: 0, factor: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = Hash { mask: entries[square].mask, factor: entries[square].factor };
        square += 1;
    }
    table
}

static ROOKS: [Hash; 64] = hashes(entries(Slider::Rook, &ROOK, 0));
static BISHOPS: [Hash; 64] = hashes(entries(Slider::Bishop, &BISHOP, 0));

#[inline(always)]
fn rook_index<R: Reads>(square: Square, occupied: Bitboard, reads: &mut R) -> usize {
    let Hash { mask, factor } = *reads.at(&ROOKS[square.index()]);
    square.index() << 12 | ((occupied.0 & mask).wrapping_mul(factor) >> 52) as usize
}

#[inline(always)]
fn bishop_index<R: Reads>(square: Square, occupied: Bitboard, reads: &mut R) -> usize {
    let Hash { mask, factor } = *reads.at(&BISHOPS[square.index()]);
    BISHOP_BASE + (square.index() << 9 | ((occupied.0 & mask).wrapping_mul(factor) >> 55) as usize)
}

static TABLE: LazyLock<Box<[Bitboard; SIZE]>> = LazyLock::new(|| {
    attack_table(|slider, square, occupied| match slider {
        Slider::Rook => rook_index(square, occupied, &mut Unwatched),
        Slider::Bishop => bishop_index(square, occupied, &mut Unwatched),
    })
});

/// Plain magic bitboards.
#[derive(Clone, Copy, Debug)]
pub struct MagicPlain(&'static [Bitboard; SIZE]);

impl Sliders for MagicPlain {
    const BACKEND: Backend = Backend::MagicPlain;
    const CARD: Card = Card {
        author: "Lasse Hansen",
        idea: "perfect hashing by multiplication, tables of one size and a fixed shift",
        page: "Magic Bitboards",
        needs: Needs::Nothing,
    };

    fn new() -> MagicPlain {
        MagicPlain(&TABLE)
    }

    fn table_bytes(self) -> usize {
        SIZE * 8 + size_of_val(&ROOKS) + size_of_val(&BISHOPS)
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let index = rook_index(square, occupied, reads);
        *reads.at(&self.0[index])
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let index = bishop_index(square, occupied, reads);
        *reads.at(&self.0[index])
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        pictures::magic(self, square, occupied, |slider| match slider {
            Slider::Rook => (ROOKS[square.index()].factor, 52),
            Slider::Bishop => (BISHOPS[square.index()].factor, 55),
        })
    }
}
