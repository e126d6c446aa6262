//! Hyperbola in vector registers: both diagonals side by side, reversed by one byte shuffle (SSSE3); file and rank side by
//! side, for which a lookup of half bytes, again a shuffle, reverses the bits of each byte as well. AVX2 treats all four
//! lines of a queen at once.
//! Source: page "Hyperbola Quintessence" of the seed documents, which points to "SSSE3 Hyperbola Quintessence" and "AVX2"
//! (Gerd Isenberg). Tables: four line masks per square, 2 KB, and 512 bytes of bits. Needs AVX2, and
//! SSSE3, which no processor with it lacks.

#![allow(unsafe_code)] // vector intrinsics

use super::super::lines::{LINES, Lines};
use super::super::{Backend, Card, Needs, Reads, Sliders};
use crate::sliders::empty;
use crate::sliders::pictures::{self, Picture};
use crate::types::{Bitboard, Square};

const TABLE_BYTES: usize = size_of::<[Lines; 64]>() + size_of::<[i64; 64]>();

/// One square each: from memory a bit comes into all lanes without a shuffle.
static BITS: [i64; 64] = {
    let mut bits = [1; 64];
    let mut i = 0;
    while i < 64 {
        bits[i] <<= i;
        i += 1;
    }
    bits
};

/// o^(o-2r) on two or four lines at once.
#[derive(Clone, Copy, Debug)]
pub struct HyperbolaSimd(());

#[cfg(target_arch = "x86_64")]
mod vector {
    use super::Lines;
    use core::arch::x86_64::*;

    /// Reverses the bytes of each half.
    const SWAP: [u8; 16] = [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8];
    /// Half bytes with their bits reversed, as they go to the upper half.
    const HIGH: [u8; 16] = half_bytes(4);
    /// The same, as they go to the lower half.
    const LOW: [u8; 16] = half_bytes(0);

    const fn half_bytes(shift: u32) -> [u8; 16] {
        let mut table = [0; 16];
        let mut i = 0;
        while i < 16 {
            table[i] = (i as u8).reverse_bits() >> 4 << shift;
            i += 1;
        }
        table
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn constant(bytes: [u8; 16]) -> __m128i {
        // SAFETY: the source has 16 bytes.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn union(pair: __m128i) -> u64 {
        _mm_cvtsi128_si64(_mm_or_si128(pair, _mm_unpackhi_epi64(pair, pair))) as u64
    }

    /// Both diagonals.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn bishop(lines: &Lines, bit: &i64, occupied: u64) -> u64 {
        // SAFETY: `Lines` is 32 bytes, aligned to as many.
        unsafe {
            let lines = _mm_load_si128(std::ptr::from_ref(lines).cast::<__m128i>().add(1));
            let swap = constant(SWAP);
            let bit = _mm_set1_epi64x(*bit);
            let forward = _mm_and_si128(_mm_set1_epi64x(occupied as i64), lines);
            let backward = _mm_sub_epi64(_mm_shuffle_epi8(forward, swap), _mm_shuffle_epi8(bit, swap));
            let both = _mm_xor_si128(_mm_sub_epi64(forward, bit), _mm_shuffle_epi8(backward, swap));
            union(_mm_and_si128(both, lines))
        }
    }

    /// File and rank.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn rook(lines: &Lines, bit: &i64, reversed: &i64, occupied: u64) -> u64 {
        // SAFETY: as in `bishop`.
        unsafe {
            let reverse = |set: __m128i| {
                let (set, half) = (_mm_shuffle_epi8(set, constant(SWAP)), _mm_set1_epi8(15));
                let high = _mm_shuffle_epi8(constant(HIGH), _mm_and_si128(set, half));
                let low = _mm_shuffle_epi8(constant(LOW), _mm_and_si128(_mm_srli_epi64(set, 4), half));
                _mm_or_si128(high, low)
            };
            let lines = _mm_load_si128(std::ptr::from_ref(lines).cast());
            let forward = _mm_and_si128(_mm_set1_epi64x(occupied as i64), lines);
            let backward = _mm_sub_epi64(reverse(forward), _mm_set1_epi64x(*reversed));
            let ahead = _mm_sub_epi64(forward, _mm_set1_epi64x(*bit));
            union(_mm_and_si128(_mm_xor_si128(ahead, reverse(backward)), lines))
        }
    }

    /// All four lines.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn queen(lines: &Lines, bit: &i64, reversed: &i64, occupied: u64) -> u64 {
        // SAFETY: as in `bishop`.
        unsafe {
            let constant = |bytes| _mm256_broadcastsi128_si256(constant(bytes));
            let reverse = |set: __m256i| {
                let (set, half) = (_mm256_shuffle_epi8(set, constant(SWAP)), _mm256_set1_epi8(15));
                let high = _mm256_shuffle_epi8(constant(HIGH), _mm256_and_si256(set, half));
                let low =
                    _mm256_shuffle_epi8(constant(LOW), _mm256_and_si256(_mm256_srli_epi64(set, 4), half));
                _mm256_or_si256(high, low)
            };
            let lines = _mm256_load_si256(std::ptr::from_ref(lines).cast());
            let forward = _mm256_and_si256(_mm256_set1_epi64x(occupied as i64), lines);
            let backward = _mm256_sub_epi64(reverse(forward), _mm256_set1_epi64x(*reversed));
            let ahead = _mm256_sub_epi64(forward, _mm256_set1_epi64x(*bit));
            let all = _mm256_and_si256(_mm256_xor_si256(ahead, reverse(backward)), lines);
            union(_mm_or_si128(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1)))
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod vector {
    use super::Lines;

    crate::sliders::needs::not_on_this_architecture! {
        bishop(&Lines, &i64, u64) -> u64;
        rook(&Lines, &i64, &i64, u64) -> u64;
        queen(&Lines, &i64, &i64, u64) -> u64;
    }
}

impl Sliders for HyperbolaSimd {
    const BACKEND: Backend = Backend::HyperbolaSimd;
    const CARD: Card = Card {
        author: "Gerd Isenberg, Aleks Peshkov",
        idea: "o^(o-2r) on two or four lines in one register, reversed by byte shuffles",
        page: "Hyperbola Quintessence (SSSE3, AVX2)",
        needs: Needs::Avx2,
    };

    fn new() -> HyperbolaSimd {
        Self::CARD.needs.must_be_met();
        HyperbolaSimd(())
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        // SAFETY: there is a value only where the processor has AVX2: `new` sees to that.
        let [bit, reversed] = [square.index(), square.index() ^ 63].map(|at| reads.at(&BITS[at]));
        Bitboard(unsafe { vector::rook(reads.at(&LINES[square.index()]), bit, reversed, occupied.0) })
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        // SAFETY: as in `rook`.
        let (lines, bit) = (reads.at(&LINES[square.index()]), reads.at(&BITS[square.index()]));
        Bitboard(unsafe { vector::bishop(lines, bit, occupied.0) })
    }

    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: as in `rook`.
        let (bit, reversed) = (&BITS[square.index()], &BITS[square.index() ^ 63]);
        Bitboard(unsafe { vector::queen(&LINES[square.index()], bit, reversed, occupied.0) })
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let line = empty::ray(2, square) | empty::ray(6, square);
        let how = "with its bytes swapped by a shuffle, both diagonals at once";
        let steps = pictures::quintessence(line, square, occupied, u64::swap_bytes, how);
        pictures::with_attacks(steps, self, square, occupied)
    }
}
