//! Obstruction difference: on each line the nearest blocker above is the lowest bit of the upper part, the nearest below
//! the highest bit of the lower part; the bits between both, ends included, are one subtraction away.
//! Source: page "Obstruction Difference" of the seed documents (Michael Hoffmann, Gerd Isenberg).
//! Tables: four lines of (lower, upper) masks per square, 4 KB.

use super::pictures::{self, Picture};
use super::{Backend, Card, Needs, Reads, Sliders, empty};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

const TABLE_BYTES: usize = size_of::<[[Line; 4]; 64]>();

/// The squares of one line below and above the slider.
#[derive(Clone, Copy, Debug)]
struct Line {
    lower: u64,
    upper: u64,
}

/// Lines in the order file, rank, diagonal, anti-diagonal.
type Table = [[Line; 4]; 64];

static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    let mut table = Box::new([[Line { lower: 0, upper: 0 }; 4]; 64]);
    for square in Square::all() {
        for direction in 0..4 {
            table[square.index()][direction] =
                Line { lower: empty::ray(direction + 4, square).0, upper: empty::ray(direction, square).0 };
        }
    }
    table
});

/// 2·LS1B − MS1B per line.
#[derive(Clone, Copy, Debug)]
pub struct ObstructionDifference(&'static Table);

#[inline(always)]
fn along(line: Line, occupied: u64) -> u64 {
    let upper = line.upper & occupied;
    // With no blocker below, a1 stands in: every lower part ends at or above it.
    let nearest_below = (1 << 63) >> ((line.lower & occupied) | 1).leading_zeros();
    // The borrow runs from the lower blocker up to the lowest bit of `upper`, and through the top where there is none.
    (upper ^ upper.wrapping_sub(nearest_below)) & (line.lower | line.upper)
}

impl Sliders for ObstructionDifference {
    const BACKEND: Backend = Backend::ObstructionDifference;
    const CARD: Card = Card {
        author: "Michael Hoffmann",
        idea: "2·LS1B of the upper blockers minus MS1B of the lower ones, per line",
        page: "Obstruction Difference",
        needs: Needs::Nothing,
    };

    fn new() -> ObstructionDifference {
        ObstructionDifference(&TABLE)
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let lines = &self.0[square.index()];
        Bitboard(along(*reads.at(&lines[0]), occupied.0) | along(*reads.at(&lines[1]), occupied.0))
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let lines = &self.0[square.index()];
        Bitboard(along(*reads.at(&lines[2]), occupied.0) | along(*reads.at(&lines[3]), occupied.0))
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let line = self.0[square.index()][2];
        let (upper, lower) = (line.upper & occupied.0, line.lower & occupied.0);
        let nearest_below = (1 << 63) >> (lower | 1).leading_zeros();
        let difference = upper.wrapping_sub(nearest_below);
        let mut all = vec![
            Picture::of("The diagonal above the slider", Bitboard(line.upper)),
            Picture::of("Blockers above", Bitboard(upper)),
            Picture::of("The diagonal below the slider", Bitboard(line.lower)),
            Picture::of("The highest blocker below (a1 where there is none)", Bitboard(nearest_below)),
            Picture::of(
                "Blockers above minus that one: the borrow sets every bit from it up to the lowest blocker above",
                Bitboard(difference),
            ),
            Picture::of("Where that differs from the blockers above", Bitboard(upper ^ difference)),
            Picture::of("On the diagonal alone: its attacks", Bitboard(along(line, occupied.0))),
        ];
        all.extend(pictures::attacks(self, square, occupied));
        all
    }
}
