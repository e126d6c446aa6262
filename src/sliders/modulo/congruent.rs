//! Congruent modulo bitboards: a line shifted to the corner has its squares 7, 8 or 9 bits apart, and modulo 257, 258 or 514
//! all its occupancies leave different remainders, which index the attacks. The compiler turns the division by a constant
//! into a multiplication. Source: page "Congruent Modulo Bitboards" of the seed documents (Trevor Fenner, Mark Levene 2008).
//! Different here: diagonals take modulo 257 as well, where nine bits further is the factor -2, so that the occupancies of
//! eight squares are the numbers -170 to 85 of base -2 (514 is needed for none); 257 being odd, neither diagonal has to be
//! shifted to the corner. Only inner squares are taken, so that fewer entries are touched. Files have one table per rank
//! and are shifted; ranks, which need no hashing, are a first-rank lookup.
//! Tables: 2 × 64 × 257 and 8 × 258 sets, 273 KB (the page's 515 KB), ranks 512 bytes, two masks per square.

use super::{on_line, spread};
use crate::sliders::pictures::{self, Picture};
use crate::sliders::relevant::{Slider, mask, subsets};
use crate::sliders::{Backend, Card, Needs, Reads, Sliders, empty};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

const TABLE_BYTES: usize = size_of::<Table>();
const FILE: u64 = 0x0001_0101_0101_0100;

/// Diagonal or anti-diagonals of all squares, by remainder.
type Diagonals = [Sets; 64];

#[derive(Clone, Copy, Debug)]
struct Sets {
    /// The inner squares of the line, the slider not in them.
    mask: u64,
    attacks: [u64; 257],
}

#[derive(Debug)]
struct Table {
    rank: [[u8; 64]; 8],
    /// Attacks on file a, by the slider's rank, then by the remainder.
    file: [[u64; 258]; 8],
    diagonal: Diagonals,
    anti: Diagonals,
}

fn files() -> [[u64; 258]; 8] {
    let mut table = [[0; 258]; 8];
    for (rank, sets) in table.iter_mut().enumerate() {
        for occupied in subsets(Bitboard(FILE)) {
            let places = occupied.into_iter().map(|square| 1 << square.rank()).sum();
            sets[(occupied.0 % 258) as usize] = spread(on_line(rank, places), 8);
        }
    }
    table
}

fn diagonals(direction: usize) -> Diagonals {
    std::array::from_fn(|square| {
        let square = Square::new(square as u8);
        let (ahead, behind) = (empty::ray(direction, square), empty::ray(direction + 4, square));
        let mask = mask(Slider::Bishop, square) & (ahead | behind);
        let mut attacks = [0; 257];
        for occupied in subsets(mask) {
            attacks[(occupied.0 % 257) as usize] =
                (Slider::Bishop.attacks(square, occupied) & (ahead | behind)).0;
        }
        Sets { mask: mask.0, attacks }
    })
}

static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    Box::new(Table {
        rank: std::array::from_fn(|file| std::array::from_fn(|inner| on_line(file, (inner << 1) as u8))),
        file: files(),
        diagonal: diagonals(2),
        anti: diagonals(3),
    })
});

/// Remainders of lines as indices.
#[derive(Clone, Copy, Debug)]
pub struct CongruentModulo(&'static Table);

impl Sliders for CongruentModulo {
    const BACKEND: Backend = Backend::CongruentModulo;
    const CARD: Card = Card {
        author: "Trevor Fenner, Mark Levene",
        idea: "perfect hashing of files modulo 258, of diagonals modulo 257",
        page: "Congruent Modulo Bitboards",
        needs: Needs::Nothing,
    };

    fn new() -> CongruentModulo {
        CongruentModulo(&TABLE)
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let (file, start) = (square.file(), square.index() & 56);
        let column = (occupied.0 >> file & FILE) % 258;
        let row = occupied.0 >> start >> 1 & 63;
        let on_rank = u64::from(*reads.at(&self.0.rank[file as usize][row as usize])) << start;
        Bitboard(reads.at(&self.0.file[square.rank() as usize][column as usize]) << file | on_rank)
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let mut along = |sets: &Sets| {
            let mask = *reads.at(&sets.mask);
            *reads.at(&sets.attacks[((occupied.0 & mask) % 257) as usize])
        };
        let at = square.index();
        Bitboard(along(&self.0.diagonal[at]) | along(&self.0.anti[at]))
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        pictures::line_by_line(self, square, occupied)
    }
}
