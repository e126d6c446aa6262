//! Hyperbola with mapped ranks: a byte swap reverses files and diagonals but no rank, so the rank is spread onto the main
//! diagonal by a multiplication, treated there, and gathered back by another.
//! Source: page "Hyperbola Quintessence" of the seed documents (Tim Cooijmans, after Gerd Isenberg and Aleks Peshkov).
//! Tables: four line masks per square, 2 KB. Needs nothing.
//! Other than on the page, two lines share the byte swaps of the board and of the result, since the mirrored lines are
//! those of the mirrored square (whose diagonal is the mirrored anti-diagonal).

use super::super::lines::{LINES, Lines};
use super::super::{Backend, Card, Needs, Sliders};
use crate::types::{Bitboard, Square};

const TABLE_BYTES: usize = size_of::<[Lines; 64]>();
const FILE_A: u64 = Bitboard::FILE_A.0;
const DIAGONAL: u64 = 0x8040_2010_0804_0201;

/// o^(o-2r), the rank on the main diagonal.
#[derive(Clone, Copy, Debug)]
pub struct HyperbolaRankmap;

/// One direction of one line.
#[inline(always)]
fn ahead(bit: u64, line: u64, occupied: u64) -> u64 {
    (occupied & line).wrapping_sub(bit) & line
}

/// Attacks along a rank; all bytes of the factor's product hold the rank, the mask leaves square i of the i-th.
#[inline(always)]
fn rank(square: Square, occupied: u64) -> u64 {
    let (shift, file) = (square.index() & 56, u32::from(square.file()));
    let bit = 1 << (9 * file);
    let line = DIAGONAL ^ bit;
    let forward = (occupied >> shift & 0xff).wrapping_mul(FILE_A) & line;
    let both = forward.wrapping_sub(bit) ^ forward.swap_bytes().wrapping_sub(bit.swap_bytes()).swap_bytes();
    (both & line).wrapping_mul(FILE_A) >> 56 << shift
}

#[inline(always)]
fn file(square: Square, occupied: u64) -> u64 {
    let (line, mirrored) = (LINES[square.index()].file, square.index() ^ 56);
    let forward = occupied & line;
    let backward = forward.swap_bytes().wrapping_sub(1 << mirrored);
    (forward.wrapping_sub(1 << square.index()) ^ backward.swap_bytes()) & line
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
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(rank(square, occupied.0) | file(square, occupied.0))
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let mirrored = square.index() ^ 56;
        let (lines, images) = (&LINES[square.index()], &LINES[mirrored]);
        let (bit, image) = (1 << square.index(), 1 << mirrored);
        let (board, swapped) = (occupied.0, occupied.0.swap_bytes());
        let forward = ahead(bit, lines.diagonal, board) | ahead(bit, lines.anti_diagonal, board);
        let backward = ahead(image, images.diagonal, swapped) | ahead(image, images.anti_diagonal, swapped);
        Bitboard(forward ^ backward.swap_bytes())
    }
}
