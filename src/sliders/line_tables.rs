//! Attack sets by line, square and a six-bit index of the line's occupancy: 128 KB, for the techniques that differ only in
//! how they come to the index.

use super::relevant::subsets;
use super::{Oracle, Reads, Sliders, empty};
use crate::types::{Bitboard, Square};

/// Lines in the order file, rank, diagonal, anti-diagonal.
pub(super) struct LineAttacks([[[Bitboard; 64]; 64]; 4]);

impl std::fmt::Debug for LineAttacks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("LineAttacks(4 × 64 × 64)")
    }
}

/// The squares of a line that are neither its ends nor the slider's.
pub(super) fn inner_line(line: usize, square: Square) -> Bitboard {
    let ends = match line {
        0 => Bitboard::RANK_1 | Bitboard::RANK_8,
        1 => Bitboard::FILE_A | Bitboard::FILE_H,
        _ => Bitboard::RANK_1 | Bitboard::RANK_8 | Bitboard::FILE_A | Bitboard::FILE_H,
    };
    empty::calculated::line(line, square) & !ends
}

impl LineAttacks {
    /// With the index that `index` gives to a line's occupancy; indices it never gives stay empty.
    pub(super) fn new(index: impl Fn(usize, u64) -> usize) -> LineAttacks {
        let mut attacks = [[[Bitboard::EMPTY; 64]; 64]; 4];
        for square in Square::all() {
            for (line, attacks) in attacks.iter_mut().enumerate() {
                let along = empty::calculated::line(line, square);
                for occupied in subsets(inner_line(line, square)) {
                    let all = Oracle.rook(square, occupied) | Oracle.bishop(square, occupied);
                    attacks[square.index()][index(line, occupied.0) & 63] = all & along;
                }
            }
        }
        LineAttacks(attacks)
    }

    /// With the inner six squares' places as index: ranks 2 to 7 on files, files b to g on the others. Places where a
    /// shorter diagonal has no inner square do not matter.
    pub(super) fn by_place() -> LineAttacks {
        let mut attacks = [[[Bitboard::EMPTY; 64]; 64]; 4];
        for square in Square::all() {
            for (line, attacks) in attacks.iter_mut().enumerate() {
                let along = empty::calculated::line(line, square);
                for (index, attacks) in attacks[square.index()].iter_mut().enumerate() {
                    let places = index << 1;
                    let occupied = along
                        .into_iter()
                        .filter(|at| places >> if line == 0 { at.rank() } else { at.file() } & 1 != 0)
                        .fold(Bitboard::EMPTY, Bitboard::with);
                    *attacks = (Oracle.rook(square, occupied) | Oracle.bishop(square, occupied)) & along;
                }
            }
        }
        LineAttacks(attacks)
    }

    #[inline(always)]
    pub(super) fn get<R: Reads>(&self, line: usize, square: Square, index: usize, reads: &mut R) -> Bitboard {
        *reads.at(&self.0[line & 3][square.index()][index & 63])
    }
}
