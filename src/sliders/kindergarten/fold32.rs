//! Kindergarten in 32 bits: the two halves of a masked line are laid over each other and one 32-bit multiplication
//! gathers the inner six squares. Ranks and diagonals have one square per file, so halves meet without loss and the factor
//! of the b-file piles them up. A file would collide; it is folded by the odd distance 29, which puts its upper half
//! between the ranks of the lower one, and a factor with every sixth bit set arranges the squares in some order that only
//! the table has to know.
//! Source: page "Kindergarten Bitboards" of the seed documents (Gerd Isenberg; the file's fold by Zach Wegner).
//! Tables: attacks by square, line and index, 128 KB, and 2 KB of masks. Needs nothing.
//! Other than on the page, the masks hold the inner squares only, so no outer bit reaches the index; and the upper half
//! of a file is cut off before it is moved. The page's `occ >> 29` moves the square on the fourth rank as well, onto bit
//! 0, 1 or 2 for the files f to h: with all six inner squares occupied the sum overflows to the index of none.

use super::super::line_tables::{LineAttacks, inner_line};
use super::super::{Backend, Card, Needs, Reads, Sliders};
use crate::sliders::pictures::{self, Picture};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

const TABLE_BYTES: usize = size_of::<Table>();
/// The b-file of four ranks.
const UP_FACTOR: u32 = 0x0202_0202;
/// Bits 0, 6, 12, 18 and 24.
const FILE_FACTOR: u32 = 1 | 1 << 6 | 1 << 12 | 1 << 18 | 1 << 24;

/// Lines in the order file, rank, diagonal, anti-diagonal.
#[derive(Debug)]
struct Table {
    masks: [[u64; 4]; 64],
    attacks: LineAttacks,
}

static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    let mut masks = [[0; 4]; 64];
    for square in Square::all() {
        masks[square.index()] = std::array::from_fn(|line| inner_line(line, square).0);
    }
    Box::new(Table { masks, attacks: LineAttacks::new(index) })
});

/// The six-bit index of a masked line.
#[inline(always)]
fn index(line: usize, masked: u64) -> usize {
    let (back, factor) = if line == 0 { (3, FILE_FACTOR) } else { (0, UP_FACTOR) };
    let folded = masked as u32 | ((masked >> 32) as u32) << back;
    (folded.wrapping_mul(factor) >> 26) as usize
}

/// Folded multiplication.
#[derive(Clone, Copy, Debug)]
pub struct KindergartenFold32(&'static Table);

impl KindergartenFold32 {
    #[inline(always)]
    fn along<R: Reads>(self, line: usize, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let masked = occupied.0 & reads.at(&self.0.masks[square.index()][line]);
        self.0.attacks.get(line, square, index(line, masked), reads)
    }
}

impl Sliders for KindergartenFold32 {
    const BACKEND: Backend = Backend::KindergartenFold32;
    const CARD: Card = Card {
        author: "Zach Wegner, Gerd Isenberg",
        idea: "the line folded to 32 bits, one 32-bit multiplication, a table per square and line",
        page: "Kindergarten Bitboards",
        needs: Needs::Nothing,
    };

    fn new() -> KindergartenFold32 {
        KindergartenFold32(&TABLE)
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        self.along(0, square, occupied, reads) | self.along(1, square, occupied, reads)
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        self.along(2, square, occupied, reads) | self.along(3, square, occupied, reads)
    }

    // The sets are disjoint. Four or-ed lookups the compiler would make one gather, which is slower.
    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.rook(square, occupied) ^ self.bishop(square, occupied)
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
    fn every_occupancy_of_a_line_has_its_own_index() {
        for square in Square::all() {
            for line in 0..4 {
                let mask = inner_line(line, square);
                let mut seen = [false; 64];
                for occupied in subsets(mask) {
                    let index = index(line, occupied.0);
                    assert!(!seen[index], "{square} line {line} {occupied:?}");
                    seen[index] = true;
                }
            }
        }
    }
}
