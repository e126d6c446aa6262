//! o^(o-2r) with real bit reversal: GF2P8AFFINEQB multiplies the eight bytes of a word by a bit matrix over GF(2); the
//! matrix that mirrors a byte, followed by a byte shuffle, reverses all 64 bits, so that every line, ranks too, is treated
//! alike: two lines at once for rooks and bishops, four for queens. The instruction is GFNI's; the idea of using it for
//! sliders is Daniel Inführ's (Chess_Movegen, 2023), where it is emulated and untimed. Not in the seed documents.
//! Tables: four lines and two bits per square, 4 KB. Needs GFNI with AVX2.

#![allow(unsafe_code)] // intrinsics

use super::{Backend, Card, Needs, Reads, Sliders};
use crate::sliders::empty;
use crate::sliders::pictures::{self, Picture};
use crate::types::{Bitboard, Square};

/// File, rank, diagonal, anti-diagonal without the slider; its bit; the same bit reversed.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Lines {
    lines: [u64; 4],
    bit: u64,
    reversed: u64,
}

const fn line_table() -> [Lines; 64] {
    let mut table = [Lines { lines: [0; 4], bit: 0, reversed: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        let (file, rank) = (square & 7, square >> 3);
        while other < 64 {
            let (f, r) = (other & 7, other >> 3);
            if other != square {
                let bit = 1 << other;
                table[square].lines[0] |= if f == file { bit } else { 0 };
                table[square].lines[1] |= if r == rank { bit } else { 0 };
                table[square].lines[2] |= if f + rank == file + r { bit } else { 0 };
                table[square].lines[3] |= if f + r == file + rank { bit } else { 0 };
            }
            other += 1;
        }
        table[square].bit = 1 << square;
        table[square].reversed = 1 << (63 - square);
        square += 1;
    }
    table
}

static LINES: [Lines; 64] = line_table();

#[cfg(target_arch = "x86_64")]
mod lanes {
    use super::Lines;
    use core::arch::x86_64::*;

    /// Row i of the matrix picks bit 7 - i.
    const MIRROR: i64 = 0x8040_2010_0804_0201_u64 as i64;

    macro_rules! along {
        ($lines:expr, $bits:expr, $occupied:expr, $set1:ident, $and:ident, $sub:ident, $xor:ident, $affine:ident,
         $shuffle:ident, $swap:expr) => {{
            let reverse = |x| $shuffle($affine::<0>(x, $set1(MIRROR)), $swap);
            let occupied = $and($set1($occupied as i64), $lines);
            let forward = $sub(occupied, $set1($bits.bit as i64));
            let backward = reverse($sub(reverse(occupied), $set1($bits.reversed as i64)));
            $and($xor(forward, backward), $lines)
        }};
    }

    /// The union of two lines, the first of which has index `FIRST`.
    #[target_feature(enable = "gfni,avx2")]
    #[inline]
    pub(super) fn two<const FIRST: usize>(entry: &Lines, occupied: u64) -> u64 {
        // SAFETY: reads two words of the entry.
        let lines = unsafe { _mm_loadu_si128(entry.lines[FIRST..FIRST + 2].as_ptr().cast()) };
        let swap = _mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607);
        let set = along!(
            lines,
            entry,
            occupied,
            _mm_set1_epi64x,
            _mm_and_si128,
            _mm_sub_epi64,
            _mm_xor_si128,
            _mm_gf2p8affine_epi64_epi8,
            _mm_shuffle_epi8,
            swap
        );
        _mm_cvtsi128_si64(_mm_or_si128(set, _mm_unpackhi_epi64(set, set))) as u64
    }

    /// The union of all four lines.
    #[target_feature(enable = "gfni,avx2")]
    #[inline]
    pub(super) fn four(entry: &Lines, occupied: u64) -> u64 {
        // SAFETY: reads the four words of `lines`.
        let lines = unsafe { _mm256_loadu_si256(entry.lines.as_ptr().cast()) };
        let swap = _mm256_set_epi64x(
            0x0809_0a0b_0c0d_0e0f,
            0x0001_0203_0405_0607,
            0x0809_0a0b_0c0d_0e0f,
            0x0001_0203_0405_0607,
        );
        let set = along!(
            lines,
            entry,
            occupied,
            _mm256_set1_epi64x,
            _mm256_and_si256,
            _mm256_sub_epi64,
            _mm256_xor_si256,
            _mm256_gf2p8affine_epi64_epi8,
            _mm256_shuffle_epi8,
            swap
        );
        let set = _mm_or_si128(_mm256_castsi256_si128(set), _mm256_extracti128_si256::<1>(set));
        _mm_cvtsi128_si64(_mm_or_si128(set, _mm_unpackhi_epi64(set, set))) as u64
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod lanes {
    use super::Lines;

    crate::sliders::needs::not_on_this_architecture! {
        two<FIRST: usize>(&Lines, u64) -> u64;
        four(&Lines, u64) -> u64;
    }
}

/// o^(o-2r), reversed by a bit matrix.
#[derive(Clone, Copy, Debug)]
pub struct Gfni(());

impl Sliders for Gfni {
    const BACKEND: Backend = Backend::Gfni;
    const CARD: Card = Card {
        author: "Intel (GFNI), Daniel Inführ",
        idea: "o^(o-2r) on all lines at once, bits reversed by a matrix product over GF(2)",
        page: "Hyperbola Quintessence; GFNI",
        needs: Needs::Gfni,
    };

    fn new() -> Gfni {
        Self::CARD.needs.must_be_met();
        Gfni(())
    }

    fn table_bytes(self) -> usize {
        size_of_val(&LINES)
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        // SAFETY: there is a value only where the processor has GFNI and AVX2: `new` sees to that.
        Bitboard(unsafe { lanes::two::<0>(reads.at(&LINES[square.index()]), occupied.0) })
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        // SAFETY: as in `rook`.
        Bitboard(unsafe { lanes::two::<2>(reads.at(&LINES[square.index()]), occupied.0) })
    }

    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: as in `rook`.
        Bitboard(unsafe { lanes::four(&LINES[square.index()], occupied.0) })
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let line = empty::ray(1, square) | empty::ray(5, square);
        let how = "with its bits reversed: a matrix product mirrors each byte, a shuffle their order";
        let steps = pictures::quintessence(line, square, occupied, u64::reverse_bits, how);
        pictures::with_attacks(steps, self, square, occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::super::empty;
    use super::*;

    #[test]
    fn the_lines_are_those_of_the_empty_board() {
        for square in Square::all() {
            let [file, rank, diagonal, anti] = LINES[square.index()].lines.map(Bitboard);
            assert_eq!((file | rank, diagonal | anti), (empty::rook(square), empty::bishop(square)));
        }
    }
}
