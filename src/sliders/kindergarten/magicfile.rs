//! Kindergarten with compressed files: a rook on a file has 6 to 12 attack sets, not 64, so a factor that lets
//! occupancies with equal attacks collide needs a four- or five-bit index only. The shift stands in the upper six bits of
//! the factor. Ranks and diagonals are those of `kindergarten`.
//! Source: page "Kindergarten Bitboards" of the seed documents (its "Magic Compression", Grant Osborne).
//! Tables: 1.5 KB for files, 4 KB for ranks and diagonals, 2 KB masks and eight entries. Needs nothing.
//! Other than on the page, the file's mask is that of the rank, without the slider's own square, which makes factors far
//! more frequent. The factors are ours, found by [`find`] from the seeds that stand beside them.

use super::super::lines::Lines;
use super::super::relevant::subsets;
use super::super::{Backend, Card, Needs, Oracle, Reads, Sliders};
use super::{bishop, rank};
use crate::sliders::pictures::{self, Picture};
#[cfg(test)]
use crate::stats::SplitMix64;
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

/// Index bits by rank; together 192 entries.
const BITS: [u32; 8] = [5, 4, 4, 5, 5, 4, 4, 5];
const ENTRIES: usize = 4 * 32 + 4 * 16;
/// What a masked index cannot leave.
const SIZE: usize = 256;
const TABLE_BYTES: usize =
    ENTRIES * 8 + size_of::<[Entry; 8]>() + size_of::<[[u64; 64]; 8]>() + size_of::<[Lines; 64]>();

/// (seed, factor) by rank.
const FACTORS: [(u64, u64); 8] = [
    (3617, 0xef65_ab73_cd6f_ffe0),
    (244, 0xf34f_c4d3_554f_fea3),
    (101, 0xf380_75e9_b4a8_ff3c),
    (3, 0xed40_281e_347c_ff8b),
    (2, 0xef81_6348_1140_916a),
    (2690, 0xf2ff_2b31_e96a_800d),
    (17, 0xf0fb_4f57_8017_7ae2),
    (8660, 0xecff_9fa2_ce3c_e393),
];

#[derive(Clone, Copy, Debug)]
struct Entry {
    mask: u64,
    factor: u64,
    offset: usize,
}

struct Table {
    entries: [Entry; 8],
    attacks: [u64; SIZE],
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({ENTRIES})")
    }
}

/// The a-file's squares whose occupancy matters to a rook on that rank.
fn relevant(rank: usize) -> Bitboard {
    Bitboard::FILE_A & !(Bitboard::RANK_1 | Bitboard::RANK_8 | Bitboard::rank(rank as u8))
}

fn attacks(rank: usize, occupied: Bitboard) -> u64 {
    (Oracle.rook(Square::at(0, rank as u8), occupied) & Bitboard::FILE_A).0
}

/// Puts the attacks of one rank into its part of the table; no part if occupancies with different attacks collide.
fn fill(rank: usize, factor: u64) -> Option<[u64; 32]> {
    let mut part = [0; 32];
    for occupied in subsets(relevant(rank)) {
        let (set, entry) = (
            attacks(rank, occupied),
            &mut part[(occupied.0.wrapping_mul(factor) >> (factor >> 58)) as usize & 31],
        );
        if *entry != 0 && *entry != set {
            return None;
        }
        *entry = set;
    }
    Some(part)
}

/// The first factor for a file attack from that rank (0 to 7) with `bits` index bits (at most 5) among `tries` random
/// numbers, and how many were tried. `None` if there is none.
#[cfg(test)]
fn find(rank: usize, bits: u32, seed: u64, tries: u64) -> Option<(u64, u64)> {
    let pairs: Vec<(u64, u64)> =
        subsets(relevant(rank)).map(|occupied| (occupied.0, attacks(rank, occupied))).collect();
    let mut words = SplitMix64::new(seed);
    let shift = u64::from(64 - bits.clamp(1, 5));
    'next: for tried in 1..=tries {
        let factor = words.next_u64() >> 6 | shift << 58;
        let mut part = [0; 32];
        for &(occupied, set) in &pairs {
            let entry: &mut u64 = &mut part[(occupied.wrapping_mul(factor) >> shift) as usize & 31];
            if *entry != 0 && *entry != set {
                continue 'next;
            }
            *entry = set;
        }
        return Some((factor, tried));
    }
    None
}

static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    let mut table =
        Box::new(Table { entries: [Entry { mask: 0, factor: 0, offset: 0 }; 8], attacks: [0; SIZE] });
    let mut offset = 0;
    for (rank, (_, factor)) in FACTORS.into_iter().enumerate() {
        let size = 1 << BITS[rank];
        table.entries[rank] = Entry { mask: relevant(rank).0, factor, offset };
        if let Some(part) = fill(rank, factor) {
            table.attacks[offset..offset + size].copy_from_slice(&part[..size]);
        }
        offset += size;
    }
    table
});

/// A 1.5 KB file table.
#[derive(Clone, Copy, Debug)]
pub struct KindergartenMagicfile(&'static Table);

impl Sliders for KindergartenMagicfile {
    const BACKEND: Backend = Backend::KindergartenMagicfile;
    const CARD: Card = Card {
        author: "Grant Osborne, Gerd Isenberg",
        idea: "a factor per rank maps a file to a four- or five-bit index, equal attacks collide",
        page: "Kindergarten Bitboards",
        needs: Needs::Nothing,
    };

    fn new() -> KindergartenMagicfile {
        KindergartenMagicfile(&TABLE)
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let entry = reads.at(&self.0.entries[square.rank() as usize]);
        let masked = occupied.0 >> square.file() & entry.mask;
        let index = masked.wrapping_mul(entry.factor) >> (entry.factor >> 58);
        let file = reads.at(&self.0.attacks[(entry.offset + index as usize) & (SIZE - 1)]) << square.file();
        Bitboard(rank(square, occupied.0, reads) | file)
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        Bitboard(bishop(square, occupied.0, reads))
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        pictures::line_by_line(self, square, occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factors_are_found_from_their_seeds() {
        for (rank, (seed, factor)) in FACTORS.into_iter().enumerate() {
            let found = find(rank, BITS[rank], seed, 2_000_000).map(|(factor, _)| factor);
            assert_eq!(found, Some(factor), "rank {rank}");
            assert!(fill(rank, factor).is_some());
        }
    }
}
