//! Sherwin bitboards: every row of the board is looked up by itself and gives some bits of an index; the bits of all rows,
//! or-ed, index the attack sets. Source: page "Sherwin Bitboards" of the seed documents (Michael Sherwin; code of the
//! engine Elephant, which maps files from the right; here a1 is bit 0).
//! Different here: the row tables forget irrelevant squares themselves, so that nothing is masked; they hold 16-bit
//! numbers within the square's own sets, to which an offset is added (32-bit ones tempt the compiler into slow gathers);
//! and of the two outer rows a rook needs only its own.
//! Tables: rooks 64 squares × 7 rows × 256, 224 KB; bishops 64 × 6 × 64, 48 KB; 107,648 sets, 841 KB. Needs nothing.

use super::pictures::{self, Picture};
use super::relevant::{Slider, mask, subsets};
use super::{Backend, Card, Needs, Reads, Sliders, Unwatched};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

const SIZE: usize = 1 << 17;
const TABLE_BYTES: usize = 107_648 * 8 + 64 * (size_of::<RookRows>() + size_of::<BishopRows>());

/// Rows 2 to 7 by their whole byte, then the slider's own row, which may be an outer one.
#[derive(Clone, Copy, Debug)]
struct RookRows {
    rows: [[u16; 256]; 7],
    offset: u32,
}

/// Rows 2 to 7 by their six inner squares.
#[derive(Clone, Copy, Debug)]
struct BishopRows {
    rows: [[u16; 64]; 6],
    offset: u32,
}

struct Table {
    rook: [RookRows; 64],
    bishop: [BishopRows; 64],
    attacks: [Bitboard; SIZE],
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({SIZE})")
    }
}

/// The index bits that `occupied` has: as many as the mask has squares, in their order.
fn index_bits(mask: Bitboard, occupied: Bitboard) -> u16 {
    mask.into_iter().enumerate().filter(|&(_, square)| occupied.has(square)).map(|(i, _)| 1 << i).sum()
}

impl RookRows {
    fn new(square: Square, offset: u32) -> RookRows {
        let mask = mask(Slider::Rook, square);
        let rows = std::array::from_fn(|row| {
            let rank = if row < 6 { row + 1 } else { square.rank() as usize };
            std::array::from_fn(|byte| index_bits(mask, Bitboard((byte as u64) << (8 * rank))))
        });
        RookRows { rows, offset }
    }

    #[inline(always)]
    fn index<R: Reads>(&self, square: Square, occupied: u64, reads: &mut R) -> usize {
        let own = (occupied >> (square.index() & 56)) as usize & 255;
        let mut index = *reads.at(&self.rows[6][own]);
        for row in 0..6 {
            index |= *reads.at(&self.rows[row][(occupied >> (8 * row + 8)) as usize & 255]);
        }
        (*reads.at(&self.offset) as usize + index as usize) & (SIZE - 1)
    }
}

impl BishopRows {
    fn new(square: Square, offset: u32) -> BishopRows {
        let mask = mask(Slider::Bishop, square);
        let rows = std::array::from_fn(|row| {
            std::array::from_fn(|inner| index_bits(mask, Bitboard((inner as u64) << (8 * row + 9))))
        });
        BishopRows { rows, offset }
    }

    #[inline(always)]
    fn index<R: Reads>(&self, occupied: u64, reads: &mut R) -> usize {
        let mut index = 0;
        for row in 0..6 {
            index |= *reads.at(&self.rows[row][(occupied >> (8 * row + 9)) as usize & 63]);
        }
        (*reads.at(&self.offset) as usize + index as usize) & (SIZE - 1)
    }
}

static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    let mut table = Box::new(Table {
        rook: [RookRows { rows: [[0; 256]; 7], offset: 0 }; 64],
        bishop: [BishopRows { rows: [[0; 64]; 6], offset: 0 }; 64],
        attacks: [Bitboard::EMPTY; SIZE],
    });
    let mut offset = 0;
    for square in Square::all() {
        let relevant = mask(Slider::Rook, square);
        let rows = RookRows::new(square, offset);
        for occupied in subsets(relevant) {
            table.attacks[rows.index(square, occupied.0, &mut Unwatched)] =
                Slider::Rook.attacks(square, occupied);
        }
        table.rook[square.index()] = rows;
        offset += 1 << relevant.count();
        let relevant = mask(Slider::Bishop, square);
        let rows = BishopRows::new(square, offset);
        for occupied in subsets(relevant) {
            table.attacks[rows.index(occupied.0, &mut Unwatched)] = Slider::Bishop.attacks(square, occupied);
        }
        table.bishop[square.index()] = rows;
        offset += 1 << relevant.count();
    }
    table
});

/// Row lookups or-ed to an index.
#[derive(Clone, Copy, Debug)]
pub struct Sherwin(&'static Table);

impl Sliders for Sherwin {
    const BACKEND: Backend = Backend::Sherwin;
    const CARD: Card = Card {
        author: "Michael Sherwin",
        idea: "each row looked up by itself, the results or-ed to an index",
        page: "Sherwin Bitboards",
        needs: Needs::Nothing,
    };

    fn new() -> Sherwin {
        Sherwin(&TABLE)
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let index = self.0.rook[square.index()].index(square, occupied.0, reads);
        *reads.at(&self.0.attacks[index])
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let index = self.0.bishop[square.index()].index(occupied.0, reads);
        *reads.at(&self.0.attacks[index])
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let [mask, blockers] = pictures::relevant(Slider::Rook, square, occupied);
        let size = 1 << mask.set.count();
        let table = &self.0.rook[square.index()];
        let row = |row: usize, rank: u8, name: &str| {
            let byte = (occupied.0 >> (8 * rank)) as usize & 255;
            [
                Picture::of(format!("{name}, as it is"), occupied & Bitboard::rank(rank)),
                Picture::word("The index bits that the table has for it", u64::from(table.rows[row][byte])),
            ]
        };
        let rows = [row(5, 6, "The seventh row"), row(6, square.rank(), "The slider's own row")];
        let place = table.index(square, occupied.0, &mut Unwatched) - table.offset as usize;
        let all = pictures::index("Bits of all rows, or-ed", place, size);
        let steps = [mask, blockers].into_iter().chain(rows.into_iter().flatten()).chain([all]);
        pictures::with_attacks(steps, self, square, occupied)
    }
}
