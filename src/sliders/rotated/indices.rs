//! Rotated indices: in place of rotated boards, the six-bit index of each of the 46 lines of the board is kept: 8 files,
//! 8 ranks, 15 diagonals and 15 anti-diagonals. A lookup is pure memory accesses; a square that becomes occupied or is
//! left changes four indices.
//! Source: page "Rotated Indices" of the seed documents (Alessandro Damiani).
//! Tables: attacks by line, square and index, 128 KB (those of `rotated`), and 512 bytes of line numbers and bits.
//! Needs nothing.

use super::super::line_tables::LineAttacks;
use super::super::pictures::{self, Picture};
use super::super::rotate::{boards, skew_down, skew_up};
use super::super::{Backend, Card, Needs, Reads, Sliders, Stateful, Unwatched};
use super::ATTACKS;
use crate::types::{Bitboard, Square};

const TABLE_BYTES: usize = size_of::<LineAttacks>() + size_of::<[[Place; 4]; 64]>();

/// A square's place in one of its lines.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Which of the 46 lines.
    line: u8,
    /// The square's bit in the line's index; 0 on the rim that the index leaves out.
    bit: u8,
}

/// First line of each kind: files, ranks, diagonals, anti-diagonals.
const FIRST: [usize; 4] = [0, 8, 16, 31];
/// The 46 lines, padded to what a masked number cannot leave.
const SIZE: usize = 64;

/// By square. The index counts ranks on files, and files on the others.
static PLACES: [[Place; 4]; 64] = {
    let mut table = [[Place { line: 0, bit: 0 }; 4]; 64];
    let mut i = 0;
    while i < 64 {
        let (file, rank) = (i & 7, i >> 3);
        let lines = [file, rank, 7 + rank - file, rank + file];
        let mut kind = 0;
        while kind < 4 {
            let step = if kind == 0 { rank } else { file };
            let bit = ((1 << step) >> 1 & 63) as u8;
            table[i][kind] = Place { line: (FIRST[kind] + lines[kind]) as u8, bit };
            kind += 1;
        }
        i += 1;
    }
    table
};

/// Where the skewed boards hold the diagonals from the main one upwards, and the anti-diagonals above the main one; the
/// others share their rows.
const UPPER: u64 = skew_down(triangle(0, 1));
const UPPER_ANTI: u64 = skew_up(triangle(8, -1));

/// The squares with `rank >= first + slope * file`.
const fn triangle(first: i32, slope: i32) -> u64 {
    let mut set = 0;
    let mut i = 0;
    while i < 64 {
        if i >> 3 >= first + slope * (i & 7) {
            set |= 1 << i;
        }
        i += 1;
    }
    set
}

/// All indices of a board: the bytes of the four boards whose rows are its lines, without the rim.
#[inline(always)]
fn indices(occupied: Bitboard) -> [u8; SIZE] {
    let inner = |board: u64| (board >> 1 & 0x3F3F_3F3F_3F3F_3F3F).to_le_bytes();
    let [files, ranks, diagonals, anti_diagonals] = boards(occupied);
    let mut indices = [0; SIZE];
    indices[..8].copy_from_slice(&inner(files));
    indices[8..16].copy_from_slice(&inner(ranks));
    // Row i holds the diagonals i - 8 (none for 0) and i, counted from the main one.
    indices[16..23].copy_from_slice(&inner(diagonals & !UPPER)[1..]);
    indices[23..31].copy_from_slice(&inner(diagonals & UPPER));
    // Row i holds the anti-diagonals i and i + 8 (none for 7), counted from the corner a1.
    indices[31..39].copy_from_slice(&inner(anti_diagonals & !UPPER_ANTI));
    indices[39..46].copy_from_slice(&inner(anti_diagonals & UPPER_ANTI)[..7]);
    indices
}

/// Rotated indices behind the stateless trait: the indices are made anew for each lookup.
#[derive(Clone, Copy, Debug)]
pub struct RotatedIndices(&'static LineAttacks);

/// The kept state: 46 indices.
#[derive(Clone, Copy, Debug)]
pub struct RotatedLines {
    indices: [u8; SIZE],
    attacks: &'static LineAttacks,
}

impl PartialEq for RotatedLines {
    fn eq(&self, other: &RotatedLines) -> bool {
        self.indices == other.indices
    }
}

impl RotatedLines {
    #[inline(always)]
    fn along<R: Reads>(&self, kind: usize, square: Square, reads: &mut R) -> Bitboard {
        let line = usize::from(reads.at(&PLACES[square.index()][kind]).line) & (SIZE - 1);
        self.attacks.get(kind, square, usize::from(self.indices[line]), reads)
    }
}

impl Stateful for RotatedLines {
    fn new(occupied: Bitboard) -> RotatedLines {
        RotatedLines { indices: indices(occupied), attacks: &ATTACKS }
    }

    #[inline(always)]
    fn toggle(&mut self, square: Square) {
        for place in PLACES[square.index()] {
            self.indices[usize::from(place.line) & (SIZE - 1)] ^= place.bit;
        }
    }

    #[inline(always)]
    fn rook(&self, square: Square) -> Bitboard {
        self.along(0, square, &mut Unwatched) | self.along(1, square, &mut Unwatched)
    }

    #[inline(always)]
    fn bishop(&self, square: Square) -> Bitboard {
        self.along(2, square, &mut Unwatched) | self.along(3, square, &mut Unwatched)
    }
}

impl Sliders for RotatedIndices {
    const BACKEND: Backend = Backend::RotatedIndices;
    const CARD: Card = Card {
        author: "Alessandro Damiani",
        idea: "the index of each of the 46 lines is kept; here made anew for each lookup",
        page: "Rotated Indices",
        needs: Needs::Nothing,
    };

    fn new() -> RotatedIndices {
        RotatedIndices(&ATTACKS)
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let kept = RotatedLines { indices: indices(occupied), attacks: self.0 };
        kept.along(0, square, reads) | kept.along(1, square, reads)
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let kept = RotatedLines { indices: indices(occupied), attacks: self.0 };
        kept.along(2, square, reads) | kept.along(3, square, reads)
    }

    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        RotatedLines { indices: indices(occupied), attacks: self.0 }.queen(square)
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let state = RotatedLines { indices: indices(occupied), attacks: self.0 };
        let line = |(kind, name): (usize, &str)| {
            let number = usize::from(PLACES[square.index()][kind].line) & (SIZE - 1);
            let kept = format!("Kept inner squares of the {name}, line {} of 46", number + 1);
            [
                pictures::index(&kept, usize::from(state.indices[number]), 64),
                Picture::of(
                    format!("Looked up: attacks on the {name}"),
                    state.along(kind, square, &mut Unwatched),
                ),
            ]
        };
        let lines = ["file", "rank", "diagonal", "anti-diagonal"].into_iter().enumerate().flat_map(line);
        pictures::with_attacks(lines, self, square, occupied)
    }
}
