//! SBAMG (subtraction based attack mask generation): on each line three times the nearest blocker below the slider is
//! subtracted from the occupancy, once to remove it and twice to borrow the nearest blocker above; what changed is
//! attacked. The lowest square of each line counts as occupied, so there is always a blocker below.
//! Source: page "SBAMG" of the seed documents (Syed Fahad, Gerd Isenberg).
//! Tables: the line and its outer squares, four per square, 4 KB. Needs nothing.
//! Other than on the page, the mask of the lower squares is not in the table but made from the square, and only the lower
//! outer square is set: above, the borrow may run through the top.

use super::empty::calculated;
use super::pictures::{self, Picture};
use super::{Backend, Card, Needs, Reads, Sliders};
use crate::types::{Bitboard, Square};

const TABLE_BYTES: usize = size_of::<[[Line; 4]; 64]>();

/// A line without the slider, and the squares of it that count as occupied.
#[derive(Clone, Copy, Debug)]
struct Line {
    squares: u64,
    outer: u64,
}

/// Lines in the order file, rank, diagonal, anti-diagonal.
const fn line_table() -> [[Line; 4]; 64] {
    let mut table = [[Line { squares: 0, outer: 0 }; 4]; 64];
    let mut i = 0;
    while i < 64 {
        let square = Square::new(i as u8);
        let mut direction = 0;
        while direction < 4 {
            let below = calculated::ray(direction + 4, square).0;
            let squares = calculated::line(direction, square).0;
            // a1 stands in where the line ends at the slider.
            table[i][direction] = Line { squares, outer: below & below.wrapping_neg() | 1 };
            direction += 1;
        }
        i += 1;
    }
    table
}

static LINES: [[Line; 4]; 64] = line_table();

/// o^(o-3cbn).
#[derive(Clone, Copy, Debug)]
pub struct Sbamg;

#[inline(always)]
fn along(line: Line, below: u64, occupied: u64) -> u64 {
    let occupied = occupied & line.squares | line.outer;
    let thrice = 3 << (63 - (occupied & below | 1).leading_zeros());
    (occupied ^ occupied.wrapping_sub(thrice)) & line.squares
}

impl Sliders for Sbamg {
    const BACKEND: Backend = Backend::Sbamg;
    const CARD: Card = Card {
        author: "Syed Fahad, Gerd Isenberg",
        idea: "o^(o-3cbn): three times the nearest blocker below, subtracted, per line",
        page: "SBAMG",
        needs: Needs::Nothing,
    };

    fn new() -> Sbamg {
        Sbamg
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let (lines, below) = (&LINES[square.index()], (1 << square.index()) - 1);
        Bitboard(
            along(*reads.at(&lines[0]), below, occupied.0) | along(*reads.at(&lines[1]), below, occupied.0),
        )
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let (lines, below) = (&LINES[square.index()], (1 << square.index()) - 1);
        Bitboard(
            along(*reads.at(&lines[2]), below, occupied.0) | along(*reads.at(&lines[3]), below, occupied.0),
        )
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let (line, below) = (LINES[square.index()][2], (1 << square.index()) - 1);
        let blockers = occupied.0 & line.squares | line.outer;
        let nearest = 1 << (63 - (blockers & below | 1).leading_zeros());
        let steps = [
            Picture::of("The diagonal without the slider", Bitboard(line.squares)),
            Picture::of("o: blockers on it; its lowest square always counts as one", Bitboard(blockers)),
            Picture::of("b: the nearest of them below the slider", Bitboard(nearest)),
            Picture::of(
                "o − 3b: b is gone, and the borrow for 2b runs up to the nearest blocker above",
                Bitboard(blockers.wrapping_sub(3 * nearest)),
            ),
            Picture::of(
                "Where that differs from o, on the diagonal: its attacks",
                Bitboard(along(line, below, occupied.0)),
            ),
        ];
        pictures::with_attacks(steps, self, square, occupied)
    }
}
