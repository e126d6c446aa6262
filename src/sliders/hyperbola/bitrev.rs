//! Hyperbola with a bit reversal: half a turn of the board reverses every line, ranks as well, so that no rank table is
//! needed. Source: page "Hyperbola Quintessence" of the seed documents (its Java part, Gerd Isenberg).
//! Tables: four line masks per square, 2 KB. Needs nothing; the reversal is a handful of shifts where the processor has
//! no instruction for it.
//! Other than on the page, not each line is turned: the board is turned once, the lines through the turned square are
//! looked up, and the union of their results is turned back, two reversals for all four lines.

use super::super::lines::{LINES, Lines};
use super::super::{Backend, Card, Needs, Reads, Sliders, Unwatched};
use crate::sliders::empty;
use crate::sliders::pictures::{self, Picture};
use crate::types::{Bitboard, Square};

const TABLE_BYTES: usize = size_of::<[Lines; 64]>();

/// o^(o-2r) with half a turn.
#[derive(Clone, Copy, Debug)]
pub struct HyperbolaBitrev;

/// The masked lines of the board, each less the slider. Lines meet at the slider only, so their sets are disjoint.
#[inline(always)]
fn half<R: Reads, const N: usize>(
    square: usize,
    occupied: u64,
    choose: impl Fn(&Lines) -> [u64; N],
    reads: &mut R,
) -> u64 {
    let mut set = 0;
    for line in choose(reads.at(&LINES[square])) {
        set |= (occupied & line).wrapping_sub(1 << square) & line;
    }
    set
}

#[inline(always)]
fn along<R: Reads, const N: usize>(
    square: Square,
    occupied: Bitboard,
    choose: impl Fn(&Lines) -> [u64; N],
    reads: &mut R,
) -> Bitboard {
    let forward = half(square.index(), occupied.0, &choose, reads);
    let backward = half(square.index() ^ 63, occupied.0.reverse_bits(), &choose, reads);
    Bitboard(forward ^ backward.reverse_bits())
}

impl Sliders for HyperbolaBitrev {
    const BACKEND: Backend = Backend::HyperbolaBitrev;
    const CARD: Card = Card {
        author: "Gerd Isenberg",
        idea: "o^(o-2r) on all four lines with half a turn of the board",
        page: "Hyperbola Quintessence",
        needs: Needs::Nothing,
    };

    fn new() -> HyperbolaBitrev {
        HyperbolaBitrev
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        along(square, occupied, |lines| [lines.file, lines.rank], reads)
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        along(square, occupied, |lines| [lines.diagonal, lines.anti_diagonal], reads)
    }

    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        along(
            square,
            occupied,
            |lines| [lines.file, lines.rank, lines.diagonal, lines.anti_diagonal],
            &mut Unwatched,
        )
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let line = empty::ray(1, square) | empty::ray(5, square);
        let how = "with its bits reversed: the board turned half round";
        let steps = pictures::quintessence(line, square, occupied, u64::reverse_bits, how);
        pictures::with_attacks(steps, self, square, occupied)
    }
}
