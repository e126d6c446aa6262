//! Casting out 255: modulo 256 - 1 the eight bytes of a number add up, so that a diagonal, which has one square in each
//! file, falls onto one rank; its six inner bits index attacks stored in all ranks at once, of which the line's own mask
//! keeps what is on it. Source: page "Congruent Modulo Bitboards" of the seed documents (Gerd Isenberg).
//! Different here: the page leaves files to other methods, since their squares would add up in one column. A file on the
//! a-file falls onto a rank by casting out 127: eight bits further is one bit further modulo 2^7 - 1. Ranks need no division.
//! Tables: 8 files × 64 sets, 4 KB, the same for files, 4 KB, and four words per square, 2 KB. Needs nothing.

use super::{on_line, spread};
use crate::sliders::pictures::{self, Picture};
use crate::sliders::{Backend, Card, Needs, Reads, Sliders, empty};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

const TABLE_BYTES: usize = size_of::<Table>();
const INNER_FILE: u64 = 0x0001_0101_0101_0100;

#[derive(Debug)]
struct Table {
    /// Diagonal, anti-diagonal and rank of each square, itself not in them.
    lines: [[u64; 3]; 64],
    /// By the slider's file and the six inner bits: a rank's attacks in all ranks.
    ranks: [[u64; 64]; 8],
    /// By the slider's rank and the six inner bits: attacks on the a-file.
    files: [[u64; 64]; 8],
}

static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    let mut table = Box::new(Table { lines: [[0; 3]; 64], ranks: [[0; 64]; 8], files: [[0; 64]; 8] });
    for square in Square::all() {
        table.lines[square.index()] =
            [2, 3, 1].map(|direction| (empty::ray(direction, square) | empty::ray(direction + 4, square)).0);
    }
    for place in 0..8 {
        for inner in 0..64 {
            let attacks = on_line(place, (inner << 1) as u8);
            table.ranks[place][inner] = u64::from(attacks) * Bitboard::FILE_A.0;
            table.files[place][inner] = spread(attacks, 8);
        }
    }
    table
});

/// Diagonals modulo 255.
#[derive(Clone, Copy, Debug)]
pub struct CastingOut255(&'static Table);

impl Sliders for CastingOut255 {
    const BACKEND: Backend = Backend::CastingOut255;
    const CARD: Card = Card {
        author: "Gerd Isenberg",
        idea: "a masked diagonal modulo 255 is its projection on a rank; post-masked shared attacks",
        page: "Congruent Modulo Bitboards",
        needs: Needs::Nothing,
    };

    fn new() -> CastingOut255 {
        CastingOut255(&TABLE)
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let (file, rank) = (square.file() as usize, square.rank() as usize);
        let column = (occupied.0 >> file & INNER_FILE) % 127;
        let on_file = *reads.at(&self.0.files[rank][(column >> 1) as usize & 63]) << file;
        let row = occupied.0 >> (square.index() & 56) >> 1;
        let on_rank =
            reads.at(&self.0.ranks[file][row as usize & 63]) & reads.at(&self.0.lines[square.index()][2]);
        Bitboard(on_file | on_rank)
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let attacks = &self.0.ranks[square.file() as usize];
        let lines = &self.0.lines[square.index()];
        let mut along = |line: &u64| {
            let line = *reads.at(line);
            reads.at(&attacks[(((occupied.0 & line) % 255) >> 1) as usize & 63]) & line
        };
        Bitboard(along(&lines[0]) | along(&lines[1]))
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        pictures::line_by_line(self, square, occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliders::relevant::subsets;

    #[test]
    fn a_file_modulo_127_is_its_projection() {
        for set in subsets(Bitboard(INNER_FILE)) {
            let expected: u64 = set.into_iter().map(|square| 1 << square.rank()).sum();
            assert_eq!(set.0 % 127, expected);
        }
    }
}
