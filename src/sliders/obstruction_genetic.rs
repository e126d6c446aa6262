//! "Genetic" obstruction difference: the obstruction difference of [`ObstructionDifference`](super::ObstructionDifference)
//! in the shape that a search over expression trees found: the occupied squares are split once into those above and those
//! below the slider, every line needs one mask only, the slider's own square stands in all four lines and goes out by
//! exclusive or of two of them. Source: Daniel Inführ (Chess_Movegen, 2022), not in the seed documents.
//! Tables: four lines of each square, 2 KB (Inführ's has the two halves too, 3 KB; here they are shifts). Needs nothing
//! (fast with LZCNT, BMI1).

use super::pictures::{self, Picture};
use super::{Backend, Card, Needs, Reads, Sliders, empty};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

const TABLE_BYTES: usize = size_of::<Table>();

/// File, rank, diagonal, anti-diagonal through a square, the square in them.
type Table = [[u64; 4]; 64];

static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    let line = |square: Square, direction: usize| {
        (empty::ray(direction, square) | empty::ray(direction + 4, square)).with(square).0
    };
    let mut table = Box::new([[0; 4]; 64]);
    for square in Square::all() {
        table[square.index()] = std::array::from_fn(|direction| line(square, direction));
    }
    table
});

/// Obstruction difference with one mask per line.
#[derive(Clone, Copy, Debug)]
pub struct ObstructionGenetic(&'static Table);

#[derive(Clone, Copy)]
struct Halves {
    below: u64,
    above: u64,
}

impl Halves {
    #[inline(always)]
    fn new(square: Square, occupied: Bitboard) -> Halves {
        // a1 stands in for a missing blocker below; as the slider's own square it does no harm either.
        let below = (1u64 << square.index()) - 1;
        Halves { below: occupied.0 & below, above: occupied.0 & (!1u64 << square.index()) }
    }

    #[inline(always)]
    fn along(self, line: u64) -> u64 {
        let above = self.above & line;
        let nearest_below = (1 << 63) >> (self.below & line | 1).leading_zeros();
        (above ^ above.wrapping_sub(nearest_below)) & line
    }
}

impl Sliders for ObstructionGenetic {
    const BACKEND: Backend = Backend::ObstructionGenetic;
    const CARD: Card = Card {
        author: "Daniel Inführ",
        idea: "obstruction difference as a program search shortened it: one mask per line, own square cancelled",
        page: "Chess_Movegen; Obstruction Difference",
        needs: Needs::Nothing,
    };

    fn new() -> ObstructionGenetic {
        ObstructionGenetic(&TABLE)
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let halves = Halves::new(square, occupied);
        let lines = &self.0[square.index()];
        Bitboard(halves.along(*reads.at(&lines[0])) ^ halves.along(*reads.at(&lines[1])))
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let halves = Halves::new(square, occupied);
        let lines = &self.0[square.index()];
        Bitboard(halves.along(*reads.at(&lines[2])) ^ halves.along(*reads.at(&lines[3])))
    }

    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        let halves = Halves::new(square, occupied);
        let lines = &self.0[square.index()];
        Bitboard(lines.iter().fold(0, |set, &line| set ^ halves.along(line)))
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let halves = Halves::new(square, occupied);
        let [_, _, diagonal, anti_diagonal] = self.0[square.index()];
        let (upper, lower) = (halves.above & diagonal, halves.below & diagonal);
        let [upper, nearest, difference, _] = pictures::obstruction("Blockers", upper, lower, diagonal);
        let steps = [
            Picture::of("Occupied above the slider, for all lines", Bitboard(halves.above)),
            Picture::of("Occupied below it", Bitboard(halves.below)),
            Picture::of("The diagonal, with the slider's own square", Bitboard(diagonal)),
            upper,
            nearest,
            difference,
            Picture::of(
                "Where that differs, on the diagonal: its attacks and the own square",
                Bitboard(halves.along(diagonal)),
            ),
            Picture::of(
                "The same of the anti-diagonal; ⊕ of both takes the own square out",
                Bitboard(halves.along(anti_diagonal)),
            ),
        ];
        pictures::with_attacks(steps, self, square, occupied)
    }
}
