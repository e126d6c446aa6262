//! Hyperbola with mapped ranks: a byte swap reverses files and diagonals but no rank, so the rank is spread onto the main
//! diagonal by a multiplication, treated there, and gathered back by another.
//! Source: page "Hyperbola Quintessence" of the seed documents (Tim Cooijmans, after Gerd Isenberg and Aleks Peshkov).
//! Tables: the lines of `hyperbola`, 2 KB, and 192 bytes for the eight places on the diagonal. Needs nothing.

use super::super::pictures::{self, Picture};
use super::super::{Backend, Card, Needs, Reads, Sliders, Unwatched};
use super::{LINES, Lines, along};
use crate::types::{Bitboard, Square};

const TABLE_BYTES: usize = size_of::<[Lines; 64]>() + size_of::<[Place; 8]>();
const FILE_A: u64 = Bitboard::FILE_A.0;
const DIAGONAL: u64 = 0x8040_2010_0804_0201;

/// Where a file's square lies on the main diagonal, the same with bytes swapped, and the diagonal without it.
#[derive(Clone, Copy, Debug)]
struct Place {
    bit: u64,
    image: u64,
    line: u64,
}

static PLACES: [Place; 8] = {
    let mut places = [Place { bit: 0, image: 0, line: 0 }; 8];
    let mut file = 0;
    while file < 8 {
        let bit = 1u64 << (9 * file);
        places[file] = Place { bit, image: bit.swap_bytes(), line: DIAGONAL ^ bit };
        file += 1;
    }
    places
};

/// o^(o-2r), the rank on the main diagonal.
#[derive(Clone, Copy, Debug)]
pub struct HyperbolaRankmap;

/// Attacks along a rank; all bytes of the first product hold the rank, the mask leaves square i of the i-th.
#[inline(always)]
fn rank<R: Reads>(square: Square, occupied: u64, reads: &mut R) -> u64 {
    let (shift, place) = (square.index() & 56, reads.at(&PLACES[square.file() as usize]));
    let forward = (occupied >> shift & 0xff).wrapping_mul(FILE_A) & place.line;
    let backward = forward.swap_bytes().wrapping_sub(place.image);
    let both = forward.wrapping_sub(place.bit) ^ backward.swap_bytes();
    (both & place.line).wrapping_mul(FILE_A) >> 56 << shift
}

impl Sliders for HyperbolaRankmap {
    const BACKEND: Backend = Backend::HyperbolaRankmap;
    const CARD: Card = Card {
        author: "Tim Cooijmans",
        idea: "o^(o-2r) with a byte swap, ranks mapped to the main diagonal and back",
        page: "Hyperbola Quintessence",
        needs: Needs::Nothing,
    };

    fn new() -> HyperbolaRankmap {
        HyperbolaRankmap
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let lines = reads.at(&LINES[square.index()]);
        Bitboard(rank(square, occupied.0, reads) | along(lines.bit, lines.file, occupied.0))
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let lines = reads.at(&LINES[square.index()]);
        Bitboard(
            along(lines.bit, lines.diagonal, occupied.0) | along(lines.bit, lines.anti_diagonal, occupied.0),
        )
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let (shift, place) = (square.index() & 56, &PLACES[square.file() as usize]);
        let spread = (occupied.0 >> shift & 0xff).wrapping_mul(FILE_A);
        let forward = spread & place.line;
        // On the main diagonal this is the whole technique: the line is one like any other.
        let mapped = along(place.bit, place.line, spread);
        let steps = [
            Picture::of("The slider's rank", occupied & Bitboard::rank(square.rank())),
            Picture::word("Times a1-a8: a copy on every rank", spread),
            Picture::word("The main diagonal of it without the slider: o", forward),
            Picture::word(
                "o − r: borrowed from the first blocker to the right",
                forward.wrapping_sub(place.bit),
            ),
            Picture::word(
                "o′ − r′ with bytes swapped, swapped back: the same to the left",
                forward.swap_bytes().wrapping_sub(place.image).swap_bytes(),
            ),
            Picture::word("Where both differ, on the diagonal", mapped),
            Picture::of(
                "Times a1-a8 again, shifted: attacks on the rank",
                Bitboard(rank(square, occupied.0, &mut Unwatched)),
            ),
        ];
        pictures::with_attacks(steps, self, square, occupied)
    }
}
