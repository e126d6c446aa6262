//! Hyperbola Quintessence: on a line with the slider's bit r and the occupancy o, `o - 2r` borrows up to the nearest
//! blocker above; the byte-swapped board gives the other half. Ranks, which a byte swap does not reverse, come from a
//! first-rank table. Source: page "Hyperbola Quintessence" of the seed documents (Gerd Isenberg, Aleks Peshkov).
//! Tables: 64 squares × 4 masks and a 512-byte rank table, about 2.5 KB.

mod bitrev;
mod rankmap;
mod setwise;
mod simd;

pub use bitrev::HyperbolaBitrev;
pub use rankmap::HyperbolaRankmap;
pub use setwise::{HyperbolaSetwise, progressive_mobility};
pub use simd::HyperbolaSimd;

use super::lines::FIRST_RANK;
use super::pictures::{self, Picture};
use super::{Backend, Card, Needs, Reads, Sliders};
use crate::types::{Bitboard, Square};

const TABLE_BYTES: usize = 64 * 32 + 512;

/// The lines through one square, itself not in them.
#[derive(Clone, Copy)]
struct Lines {
    bit: u64,
    file: u64,
    diagonal: u64,
    anti_diagonal: u64,
}

const fn line_table() -> [Lines; 64] {
    let mut table = [Lines { bit: 0, file: 0, diagonal: 0, anti_diagonal: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = ((square & 7) as i32, (square >> 3) as i32);
        let mut other = 0;
        while other < 64 {
            let (f, r) = ((other & 7) as i32, (other >> 3) as i32);
            if other != square {
                let bit = 1u64 << other;
                if f == file {
                    table[square].file |= bit;
                }
                if f - r == file - rank {
                    table[square].diagonal |= bit;
                }
                if f + r == file + rank {
                    table[square].anti_diagonal |= bit;
                }
            }
            other += 1;
        }
        table[square].bit = 1 << square;
        square += 1;
    }
    table
}

static LINES: [Lines; 64] = line_table();

/// o^(o-2r). Has no state and small tables made by the compiler, so cold code may name it anywhere.
#[derive(Clone, Copy, Debug)]
pub struct Hyperbola;

#[inline(always)]
fn along(bit: u64, mask: u64, occupied: u64) -> u64 {
    let forward = occupied & mask;
    let reverse = forward.swap_bytes();
    (forward.wrapping_sub(bit) ^ reverse.wrapping_sub(bit.swap_bytes()).swap_bytes()) & mask
}

impl Sliders for Hyperbola {
    const BACKEND: Backend = Backend::Hyperbola;
    const CARD: Card = Card {
        author: "Aleks Peshkov, Gerd Isenberg",
        idea: "o^(o-2r) on files and diagonals with a byte swap, first-rank table",
        page: "Hyperbola Quintessence",
        needs: Needs::Nothing,
    };

    fn new() -> Hyperbola {
        Hyperbola
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let lines = reads.at(&LINES[square.index()]);
        let shift = square.index() & 56;
        let rank = *reads.at(&FIRST_RANK[(occupied.0 >> shift >> 1 & 63) as usize][square.file() as usize]);
        Bitboard(along(lines.bit, lines.file, occupied.0) | u64::from(rank) << shift)
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let lines = reads.at(&LINES[square.index()]);
        Bitboard(
            along(lines.bit, lines.diagonal, occupied.0) | along(lines.bit, lines.anti_diagonal, occupied.0),
        )
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let lines = &LINES[square.index()];
        let how = "with its bytes swapped: the ranks upside down";
        let mut steps =
            pictures::quintessence(Bitboard(lines.diagonal), square, occupied, u64::swap_bytes, how);
        let shift = square.index() & 56;
        let rank = FIRST_RANK[(occupied.0 >> shift >> 1 & 63) as usize][square.file() as usize];
        let turned = "On the rank, which a byte swap does not turn: attacks from the first-rank table";
        steps.push(Picture::of(turned, Bitboard(u64::from(rank) << shift)));
        pictures::with_attacks(steps, self, square, occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::super::empty;
    use super::*;

    #[test]
    fn the_masks_are_the_empty_board_lines() {
        for square in Square::all() {
            let lines = &LINES[square.index()];
            assert_eq!(Bitboard(lines.diagonal | lines.anti_diagonal), empty::bishop(square));
            assert_eq!(Bitboard(lines.file), empty::ray(0, square) | empty::ray(4, square));
        }
    }
}
