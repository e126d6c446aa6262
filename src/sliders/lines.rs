//! Tables that the techniques for single lines share: the four lines through a square, and the attacks along one rank.

use super::empty::calculated;
use crate::types::Square;

/// The lines through one square, itself not in them.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Lines {
    pub file: u64,
    pub rank: u64,
    pub diagonal: u64,
    pub anti_diagonal: u64,
}

const fn line_table() -> [Lines; 64] {
    let mut table = [Lines { file: 0, rank: 0, diagonal: 0, anti_diagonal: 0 }; 64];
    let mut i = 0;
    while i < 64 {
        let square = Square::new(i as u8);
        table[i] = Lines {
            file: calculated::file(square).0,
            rank: calculated::rank(square).0,
            diagonal: calculated::diagonal(square).0,
            anti_diagonal: calculated::anti_diagonal(square).0,
        };
        i += 1;
    }
    table
}

/// Attacks on the first rank, by the six inner bits of its occupancy and the slider's file.
const fn first_rank_table() -> [[u8; 8]; 64] {
    let mut table = [[0; 8]; 64];
    let mut inner = 0;
    while inner < 64 {
        let occupied = (inner << 1) as u8;
        let mut file = 0;
        while file < 8 {
            let mut attacks = 0u8;
            let mut step = file + 1;
            while step < 8 {
                attacks |= 1 << step;
                if occupied >> step & 1 != 0 {
                    break;
                }
                step += 1;
            }
            let mut step = file;
            while step > 0 {
                step -= 1;
                attacks |= 1 << step;
                if occupied >> step & 1 != 0 {
                    break;
                }
            }
            table[inner][file] = attacks;
            file += 1;
        }
        inner += 1;
    }
    table
}

/// By square, 2 KB.
pub(super) static LINES: [Lines; 64] = line_table();
/// By inner occupancy and file, 512 bytes.
pub(super) static FIRST_RANK: [[u8; 8]; 64] = first_rank_table();

/// For tables that other tables are made of.
pub(super) const FIRST_RANK_CONST: [[u8; 8]; 64] = first_rank_table();
