//! Dense kindergarten: one 512-byte first-rank table answers for all four lines. A second multiplication spreads the
//! answer: by the a-file over all ranks for diagonals, by the diagonal a1-h8 onto the h-file for files.
//! Source: page "Kindergarten Bitboards" of the seed documents (its "Shared Rank Lookup", Gerd Isenberg).
//! Tables: 512 bytes and 2 KB of masks. Needs nothing.
//! The file's index and answer are both in reversed order (factor c2-h7), which the spreading turns back.

use super::super::lines::{FIRST_RANK, LINES, Lines};
use super::super::{Backend, Card, Needs, Reads, Sliders};
use super::{FILE_A, FILE_B};
use crate::sliders::pictures::{self, Picture};
use crate::types::{Bitboard, Square};

const TABLE_BYTES: usize = size_of::<[[u8; 8]; 64]>() + size_of::<[Lines; 64]>();
/// c2-h7 and a1-h8.
const FILE_FACTOR: u64 = 0x0080_4020_1008_0400;
const DIAGONAL: u64 = 0x8040_2010_0804_0201;

/// One first-rank table for all lines.
#[derive(Clone, Copy, Debug)]
pub struct KindergartenDense;

/// First-rank attacks by the inner occupancy and the slider's place.
#[inline(always)]
fn attacks<R: Reads>(inner: u64, place: u8, reads: &mut R) -> u64 {
    u64::from(*reads.at(&FIRST_RANK[(inner & 63) as usize][(place & 7) as usize]))
}

#[inline(always)]
fn file<R: Reads>(square: Square, occupied: u64, reads: &mut R) -> u64 {
    let reversed = (occupied >> square.file() & FILE_A).wrapping_mul(FILE_FACTOR) >> 58;
    let spread = attacks(reversed, 7 - square.rank(), reads).wrapping_mul(DIAGONAL);
    (spread & Bitboard::FILE_H.0) >> (7 - square.file())
}

#[inline(always)]
fn rank<R: Reads>(square: Square, occupied: u64, reads: &mut R) -> u64 {
    let shift = square.index() & 56;
    attacks(occupied >> shift >> 1, square.file(), reads) << shift
}

#[inline(always)]
fn diagonal<R: Reads>(square: Square, line: &u64, occupied: u64, reads: &mut R) -> u64 {
    let line = *reads.at(line);
    let inner = (occupied & line).wrapping_mul(FILE_B) >> 58;
    attacks(inner, square.file(), reads).wrapping_mul(FILE_A) & line
}

impl Sliders for KindergartenDense {
    const BACKEND: Backend = Backend::KindergartenDense;
    const CARD: Card = Card {
        author: "Gerd Isenberg",
        idea: "multiplications gather and spread, one 512-byte first-rank table for all lines",
        page: "Kindergarten Bitboards",
        needs: Needs::Nothing,
    };

    fn new() -> KindergartenDense {
        KindergartenDense
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        Bitboard(rank(square, occupied.0, reads) | file(square, occupied.0, reads))
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let lines = &LINES[square.index()];
        Bitboard(
            diagonal(square, &lines.diagonal, occupied.0, reads)
                | diagonal(square, &lines.anti_diagonal, occupied.0, reads),
        )
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        pictures::line_by_line(self, square, occupied)
    }
}
