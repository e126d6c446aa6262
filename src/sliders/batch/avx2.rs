//! Four squares at once: o^(o-2r) in AVX2, one square per lane. Files and diagonals are mirrored by a byte shuffle, ranks,
//! which that does not mirror, fill down to the nearest blocker; every line is a shifted constant (a vector shift by too
//! much, or by a negative number, leaves nothing, so that one of two shifts gives the diagonal).
//! Of our own; the formula is that of the page "Hyperbola Quintessence" (Aleks Peshkov, Gerd Isenberg).
//! Tables: none. Needs AVX2.

#![allow(unsafe_code)] // intrinsics

use super::{Batch, in_groups};
use crate::sliders::pictures::{self, Picture};
use crate::sliders::{Backend, Card, Needs, Sliders, compiled_for};
use crate::types::{Bitboard, Square};

#[cfg(target_arch = "x86_64")]
mod lanes {
    use core::arch::x86_64::*;

    const FILE: i64 = 0x0101_0101_0101_0101;
    const DIAGONAL: i64 = 0x8040_2010_0804_0201_u64 as i64;
    const ANTI: i64 = 0x0102_0408_1020_4080;

    #[target_feature(enable = "avx2")]
    #[inline]
    fn swap_bytes(words: __m256i) -> __m256i {
        const LOW: i64 = 0x0001_0203_0405_0607;
        const HIGH: i64 = 0x0809_0a0b_0c0d_0e0f;
        _mm256_shuffle_epi8(words, _mm256_set_epi64x(HIGH, LOW, HIGH, LOW))
    }

    /// The diagonal `distance` ranks above the main one, or below it.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn shifted(main: i64, distance: __m256i) -> __m256i {
        let (main, bits) = (_mm256_set1_epi64x(main), _mm256_slli_epi64::<3>(distance));
        let down = _mm256_sub_epi64(_mm256_setzero_si256(), bits);
        _mm256_or_si256(_mm256_sllv_epi64(main, bits), _mm256_srlv_epi64(main, down))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn attacks<const ROOK: bool, const BISHOP: bool>(
        at: &[u64; 4],
        occupied: &[u64; 4],
    ) -> [u64; 4] {
        // SAFETY: loads and stores are of arrays of 32 bytes.
        unsafe {
            let sub = |a, b| _mm256_sub_epi64(a, b);
            let at = _mm256_loadu_si256(at.as_ptr().cast());
            let bit = _mm256_sllv_epi64(_mm256_set1_epi64x(1), at);
            let occupied = _mm256_andnot_si256(bit, _mm256_loadu_si256(occupied.as_ptr().cast()));
            let mirrored_bit = swap_bytes(bit);
            let file = _mm256_and_si256(at, _mm256_set1_epi64x(7));
            let mut set = _mm256_setzero_si256();
            let mut add = |line: __m256i| {
                let blockers = _mm256_and_si256(occupied, line);
                let upwards = sub(blockers, bit);
                let downwards = swap_bytes(sub(swap_bytes(blockers), mirrored_bit));
                set = _mm256_or_si256(set, _mm256_and_si256(_mm256_xor_si256(upwards, downwards), line));
            };
            if ROOK {
                add(_mm256_sllv_epi64(_mm256_set1_epi64x(FILE), file));
            }
            if BISHOP {
                let rank = _mm256_srli_epi64::<3>(at);
                add(shifted(DIAGONAL, sub(rank, file)));
                add(shifted(ANTI, sub(_mm256_add_epi64(rank, file), _mm256_set1_epi64x(7))));
            }
            if ROOK {
                let row =
                    _mm256_sllv_epi64(_mm256_set1_epi64x(0xff), _mm256_and_si256(at, _mm256_set1_epi64x(56)));
                let blockers = _mm256_and_si256(occupied, row);
                let below = sub(bit, _mm256_set1_epi64x(1));
                let upwards = _mm256_xor_si256(blockers, sub(blockers, bit));
                // Everything at and below the highest blocker beneath, seven squares far.
                let mut covered = _mm256_and_si256(blockers, below);
                covered = _mm256_or_si256(covered, _mm256_srli_epi64::<1>(covered));
                covered = _mm256_or_si256(covered, _mm256_srli_epi64::<2>(covered));
                covered = _mm256_or_si256(covered, _mm256_srli_epi64::<4>(covered));
                let downwards = _mm256_andnot_si256(_mm256_srli_epi64::<1>(covered), below);
                let along = _mm256_and_si256(_mm256_or_si256(upwards, downwards), row);
                set = _mm256_or_si256(set, _mm256_andnot_si256(bit, along));
            }
            let mut out = [0; 4];
            _mm256_storeu_si256(out.as_mut_ptr().cast(), set);
            out
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod lanes {
    crate::sliders::needs::not_on_this_architecture! {
        attacks<ROOK: bool, BISHOP: bool>(&[u64; 4], &[u64; 4]) -> [u64; 4];
    }
}

/// Four squares in the lanes of AVX2.
#[derive(Clone, Copy, Debug)]
pub struct Avx2Batch(());

impl Avx2Batch {
    #[inline(always)]
    fn lanes<const ROOK: bool, const BISHOP: bool>(self, at: &[u64; 4], occupied: &[u64; 4]) -> [u64; 4] {
        // SAFETY: there is a value only where the processor has AVX2: `new` sees to that.
        unsafe { lanes::attacks::<ROOK, BISHOP>(at, occupied) }
    }

    /// One lookup in one of the four lanes: right, and as slow as it must be.
    #[inline(always)]
    fn one<const ROOK: bool, const BISHOP: bool>(self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(self.lanes::<ROOK, BISHOP>(&[square.index() as u64; 4], &[occupied.0; 4])[0])
    }

    #[inline(always)]
    fn many<const ROOK: bool, const BISHOP: bool>(
        self,
        squares: &[Square],
        occupied: &[Bitboard],
        out: &mut [Bitboard],
    ) {
        compiled_for::<Avx2Batch, _>(|| {
            in_groups(squares, occupied, out, |at, occupied| self.lanes::<ROOK, BISHOP>(at, occupied));
        });
    }
}

impl Sliders for Avx2Batch {
    const BACKEND: Backend = Backend::Avx2Batch;
    const CARD: Card = Card {
        author: "this laboratory; Aleks Peshkov's and Gerd Isenberg's formula",
        idea: "o^(o-2r) of four squares at once",
        page: "Hyperbola Quintessence; AVX2",
        needs: Needs::Avx2,
    };

    fn new() -> Avx2Batch {
        Self::CARD.needs.must_be_met();
        Avx2Batch(())
    }

    fn table_bytes(self) -> usize {
        0
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.one::<true, false>(square, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.one::<false, true>(square, occupied)
    }

    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.one::<true, true>(square, occupied)
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let squares = [0, 7, 56, 63].map(|turned| Square::new((square.index() ^ turned) as u8));
        let mut found = [Bitboard::EMPTY; 4];
        self.rooks(&squares, &[occupied; 4], &mut found);
        let (bit, row) = (Bitboard::square(square).0, Bitboard::rank(square.rank()).0);
        let blockers = occupied.without(square).0 & row;
        let below = bit - 1;
        let covered = [1, 2, 4].into_iter().fold(blockers & below, |set, by| set | set >> by);
        let (upwards, downwards) = (blockers ^ blockers.wrapping_sub(bit), below & !(covered >> 1));
        let lane = |i: usize| {
            let caption = format!("Lane {}, at the same time: rook attacks from {}", i + 1, squares[i]);
            Picture::of(caption, found[i])
        };
        let steps = [
            Picture::of("Four sliders, one in each lane", squares.into_iter().collect()),
            Picture::of("Lane 1: blockers on the rank, which no byte swap mirrors", Bitboard(blockers)),
            Picture::of("o ^ (o − r): from the slider up to the first of them", Bitboard(upwards)),
            Picture::of(
                "Below the slider, without what a blocker there hides: three shifts fill that",
                Bitboard(downwards),
            ),
            Picture::of(
                "Both, on the rank: its attacks; other lines by o^(o−2r)",
                Bitboard((upwards | downwards) & row & !bit),
            ),
            lane(1),
            lane(2),
            lane(3),
        ];
        pictures::with_attacks(steps, self, square, occupied)
    }
}

impl Batch for Avx2Batch {
    fn rooks(self, squares: &[Square], occupied: &[Bitboard], out: &mut [Bitboard]) {
        self.many::<true, false>(squares, occupied, out);
    }

    fn bishops(self, squares: &[Square], occupied: &[Bitboard], out: &mut [Bitboard]) {
        self.many::<false, true>(squares, occupied, out);
    }

    fn queens(self, squares: &[Square], occupied: &[Bitboard], out: &mut [Bitboard]) {
        self.many::<true, true>(squares, occupied, out);
    }
}
