//! Split PEXT: each of the four lines of a square has its own six-bit index, so that the tables hold 64 sets per line and
//! square instead of up to 4,096 per square. Described in public discussions (Daniel Inführ 2020, Thomas Jahn 2022, Mike
//! Sherwin 2022); not in the seed documents. Ranks need no PEXT: their six inner bits stand together.
//! Tables: 4 × 64 × 64 sets, 128 KB (a line of n inner squares uses 2^n of them), and three masks per square. Needs BMI2.

use super::Bmi2;
use crate::sliders::pictures::{self, Picture};
use crate::sliders::{Backend, Card, Needs, Reads, Sliders, empty, relevant};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

const TABLE_BYTES: usize = size_of::<Table>();

/// All of one square: a lookup makes one address, and the odd stride spreads the squares over the cache's sets.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Inner squares of file, diagonal and anti-diagonal.
    masks: [u64; 3],
    /// By direction in the order of [`empty::DIRECTIONS`]: file, rank, diagonal, anti-diagonal.
    sets: [[Bitboard; 64]; 4],
}

type Table = [Row; 64];

/// The line's squares without the slider and without the ends.
fn inner(direction: usize, square: Square) -> Bitboard {
    let (ahead, behind) = (empty::ray(direction, square), empty::ray(direction + 4, square));
    let mut set = ahead | behind;
    for end in [ahead.last(), behind.first()].into_iter().flatten() {
        set = set.without(end);
    }
    set
}

static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    let bmi2 = Bmi2::new();
    let mut table = Box::new([Row { masks: [0; 3], sets: [[Bitboard::EMPTY; 64]; 4] }; 64]);
    for square in Square::all() {
        let row = &mut table[square.index()];
        row.masks = [0, 2, 3].map(|direction| inner(direction, square).0);
        for direction in 0..4 {
            let whole = empty::ray(direction, square) | empty::ray(direction + 4, square);
            // The rank is indexed by its six inner squares, the slider's own among them: it changes nothing.
            let mask = if direction == 1 {
                Bitboard(0x7e << (square.index() & 56))
            } else {
                inner(direction, square)
            };
            for occupied in relevant::subsets(mask) {
                let slider = if direction < 2 { relevant::Slider::Rook } else { relevant::Slider::Bishop };
                let attacks = slider.attacks(square, occupied) & whole;
                row.sets[direction][bmi2.extract(occupied.0, mask.0)] = attacks;
            }
        }
    }
    table
});

/// One PEXT per line.
#[derive(Clone, Copy, Debug)]
pub struct PextSplit {
    table: &'static Table,
    bmi2: Bmi2,
}

impl Sliders for PextSplit {
    const BACKEND: Backend = Backend::PextSplit;
    const CARD: Card = Card {
        author: "Daniel Inführ, Thomas Jahn, Mike Sherwin",
        idea: "one six-bit PEXT index per line, four small tables",
        page: "public discussions (split PEXT)",
        needs: Needs::Bmi2,
    };

    fn new() -> PextSplit {
        PextSplit { bmi2: Bmi2::new(), table: &TABLE }
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let row = &self.table[square.index()];
        let file = self.bmi2.extract(occupied.0, *reads.at(&row.masks[0])) & 63;
        let rank = (occupied.0 >> (square.index() & 56) >> 1) as usize & 63;
        *reads.at(&row.sets[0][file]) | *reads.at(&row.sets[1][rank])
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let row = &self.table[square.index()];
        let diagonal = self.bmi2.extract(occupied.0, *reads.at(&row.masks[1])) & 63;
        let anti = self.bmi2.extract(occupied.0, *reads.at(&row.masks[2])) & 63;
        *reads.at(&row.sets[2][diagonal]) | *reads.at(&row.sets[3][anti])
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        pictures::line_by_line(self, square, occupied)
    }
}
