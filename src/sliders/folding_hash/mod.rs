//! Folding hash: the relevant squares of one line, folded from 64 to 32 bits, times a 32-bit factor give six index bits; the
//! index ranges of all 256 lines lie over one another in one small table wherever their sets agree or leave gaps.
//! Source: Daniel Inführ (Chess_Movegen, 2022), not in the seed documents. Different here: the upper half is rotated by three
//! before it is folded in, which keeps the squares of every line apart (Inführ's multiplies the lower by three); the ends of
//! lines are masked out; and the offsets follow from the factors, found by our own search, by first fit.
//! Tables: about 5,000 sets, 40 KB, and 16 bytes per line, 4 KB. Needs nothing.

mod factors;
mod search;

use super::relevant::{Slider, mask, subsets};
use super::{Backend, Card, Needs, Reads, Sliders, empty};
use crate::sliders::pictures::{self, Picture};
use crate::types::{Bitboard, Square};
use factors::FACTORS;
use std::sync::LazyLock;

const SIZE: usize = 1 << 13;

#[derive(Clone, Copy, Default, Debug)]
struct Line {
    mask: u64,
    factor: u32,
    offset: u32,
}

struct Table {
    /// File, rank, diagonal, anti-diagonal of each square.
    lines: [[Line; 4]; 64],
    attacks: [Bitboard; SIZE],
    used: usize,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({})", self.used)
    }
}

/// The six bits of an occupancy of one line.
#[inline(always)]
fn hash(occupied: u64, factor: u32) -> usize {
    let folded = occupied as u32 ^ ((occupied >> 32) as u32).rotate_left(3);
    (folded.wrapping_mul(factor) >> 26) as usize
}

/// Relevant squares of a line, and its attacks by occupancy.
fn line(square: Square, direction: usize) -> (Bitboard, Vec<(u64, Bitboard)>) {
    let whole = empty::ray(direction, square) | empty::ray(direction + 4, square);
    let slider = if direction < 2 { Slider::Rook } else { Slider::Bishop };
    let mask = mask(slider, square) & whole;
    let sets = subsets(mask).map(|occupied| (occupied.0, slider.attacks(square, occupied) & whole));
    (mask, sets.collect())
}

/// The sets by index, if no two different ones share an index. A line of one square has an empty set: nothing to see.
fn places(sets: &[(u64, Bitboard)], factor: u32) -> Option<[Option<Bitboard>; 64]> {
    let mut places = [None; 64];
    for &(occupied, attacks) in sets {
        let place = &mut places[hash(occupied, factor)];
        if place.is_some_and(|other| other != attacks) {
            return None;
        }
        *place = Some(attacks);
    }
    Some(places)
}

static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    let mut lines = Vec::new();
    for square in Square::all() {
        for (direction, &factor) in FACTORS[square.index()].iter().enumerate() {
            let (mask, sets) = line(square, direction);
            let places = places(&sets, factor).unwrap_or([None; 64]);
            lines.push((square.index(), direction, mask.0, factor, places));
        }
    }
    // The fullest ranges first: the others fill their gaps.
    lines.sort_by_key(|(.., places)| std::cmp::Reverse(places.iter().flatten().count()));
    let mut table =
        Box::new(Table { lines: [[Line::default(); 4]; 64], attacks: [Bitboard::EMPTY; SIZE], used: 0 });
    let mut taken = [None; SIZE + 64];
    for (square, direction, mask, factor, places) in lines {
        let agrees = |offset: &usize| {
            let here = &taken[*offset..*offset + 64];
            here.iter().zip(&places).all(|(a, b)| a.is_none() || b.is_none() || a == b)
        };
        let offset = (0..SIZE).find(agrees).unwrap_or(SIZE - 1);
        for (i, place) in places.iter().enumerate() {
            if let Some(attacks) = place {
                taken[offset + i] = Some(*attacks);
                table.attacks[(offset + i) & (SIZE - 1)] = *attacks;
                table.used = table.used.max(offset + i + 1);
            }
        }
        table.lines[square][direction] = Line { mask, factor, offset: offset as u32 };
    }
    table
});

/// Lines folded to 32 bits.
#[derive(Clone, Copy, Debug)]
pub struct FoldingHash(&'static Table);

impl FoldingHash {
    #[inline(always)]
    fn along<R: Reads>(self, line: &Line, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let line = reads.at(line);
        let index = line.offset as usize + hash(occupied.0 & line.mask, line.factor);
        *reads.at(&self.0.attacks[index & (SIZE - 1)])
    }

    /// The same written differently, the halves of a line having no bit in common: of two equal lookups the compiler would
    /// make one of vectors and a gather, which is slower.
    #[inline(always)]
    fn along_too<R: Reads>(self, line: &Line, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let line = reads.at(line);
        let occupied = occupied.0 & line.mask;
        let folded = ((occupied >> 32) as u32).rotate_left(3).wrapping_add(occupied as u32);
        let index = (u64::from(folded) * u64::from(line.factor)) as u32 >> 26;
        *reads.at(&self.0.attacks[(index + line.offset) as usize & (SIZE - 1)])
    }
}

impl Sliders for FoldingHash {
    const BACKEND: Backend = Backend::FoldingHash;
    const CARD: Card = Card {
        author: "Daniel Inführ",
        idea: "each line folded to 32 bits and hashed to six, all ranges overlapping in one table",
        page: "Chess_Movegen (folding hash)",
        needs: Needs::Nothing,
    };

    fn new() -> FoldingHash {
        FoldingHash(&TABLE)
    }

    fn table_bytes(self) -> usize {
        self.0.used * size_of::<Bitboard>() + size_of_val(&self.0.lines)
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let lines = &self.0.lines[square.index()];
        self.along(&lines[0], occupied, reads) | self.along_too(&lines[1], occupied, reads)
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let lines = &self.0.lines[square.index()];
        self.along(&lines[2], occupied, reads) | self.along_too(&lines[3], occupied, reads)
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        pictures::looked_up(self, square, occupied)
    }
}
