//! Leorik's way: on each line one mask reaches from bit 0 up to the nearest blocker above (it included), another from bit 0
//! to just below the nearest blocker beneath; where they differ is what the slider sees. Ranks and files are shifted
//! constants, diagonals come from a table. Source: the engine Leorik (Thomas Jahn), not in the seed documents.
//! Tables: two diagonals of each square, 1 KB. Needs nothing (fast with LZCNT, BMI1).

use super::pictures::{self, Picture};
use super::{Backend, Card, Needs, Reads, Sliders, empty};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

const TABLE_BYTES: usize = size_of::<Table>();

/// Diagonal and anti-diagonal, the square itself not in them.
type Table = [[u64; 2]; 64];

static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    let mut table = Box::new([[0; 2]; 64]);
    for square in Square::all() {
        table[square.index()] =
            [2, 3].map(|direction| (empty::ray(direction, square) | empty::ray(direction + 4, square)).0);
    }
    table
});

/// Masks up to the nearest blockers, compared.
#[derive(Clone, Copy, Debug)]
pub struct Leorik(&'static Table);

/// `line` is without the slider's own square, `below` are all squares beneath it.
#[inline(always)]
fn along(line: u64, occupied: u64, below: u64) -> u64 {
    let blockers = occupied & line;
    let above = blockers & !below;
    let up_to_above = above ^ above.wrapping_sub(1);
    // Bit 0 stands in for a missing blocker beneath: nothing is below it.
    let under_beneath = (u64::MAX >> 1) >> (blockers & below | 1).leading_zeros();
    (up_to_above ^ under_beneath) & line
}

impl Sliders for Leorik {
    const BACKEND: Backend = Backend::Leorik;
    const CARD: Card = Card {
        author: "Thomas Jahn",
        idea: "a mask up to the blocker above against one up to the blocker below, per line",
        page: "Leorik",
        needs: Needs::Nothing,
    };

    fn new() -> Leorik {
        Leorik(&TABLE)
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let own = 1u64 << square.index();
        let file = Bitboard::FILE_A.0 << (square.index() & 7) & !own;
        let rank = Bitboard::RANK_1.0 << (square.index() & 56) & !own;
        Bitboard(along(file, occupied.0, own - 1) | along(rank, occupied.0, own - 1))
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let below = (1u64 << square.index()) - 1;
        let [diagonal, anti] = *reads.at(&self.0[square.index()]);
        Bitboard(along(diagonal, occupied.0, below) | along(anti, occupied.0, below))
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let ([line, _], below) = (self.0[square.index()], (1u64 << square.index()) - 1);
        let blockers = occupied.0 & line;
        let (above, beneath) = (blockers & !below, blockers & below);
        let steps = [
            Picture::of("The diagonal without the slider", Bitboard(line)),
            Picture::of("Blockers on it", Bitboard(blockers)),
            Picture::of(
                "A mask from a1 up to the nearest blocker above",
                Bitboard(above ^ above.wrapping_sub(1)),
            ),
            Picture::of(
                "Another from a1 to just under the nearest blocker below",
                Bitboard((u64::MAX >> 1) >> (beneath | 1).leading_zeros()),
            ),
            Picture::of(
                "Where the masks differ, on the diagonal: its attacks",
                Bitboard(along(line, occupied.0, below)),
            ),
        ];
        pictures::with_attacks(steps, self, square, occupied)
    }
}
