//! Eight squares at once: obstruction difference in AVX-512, one square per lane. Leading zeros are one instruction (CD),
//! ranks and files are shifted constants, and the 15 diagonals of each direction stand in two registers from which a
//! permutation picks. Of our own; the per-line formula is Michael Hoffmann's (page "Obstruction Difference").
//! Tables: two registers' worth for each direction, 256 bytes. Needs AVX-512 F, CD, VL.

#![allow(unsafe_code)] // intrinsics

use super::{Batch, in_groups};
use crate::sliders::pictures::{self, Picture};
use crate::sliders::{Backend, Card, Needs, Reads, Sliders, compiled_for};
use crate::types::{Bitboard, Square};

/// The diagonals by rank less file modulo 16, the anti-diagonals by rank plus file.
type Diagonals = [[u64; 16]; 2];

const fn diagonals() -> Diagonals {
    let mut table = [[0; 16]; 2];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square & 7, square >> 3);
        table[0][(16 + rank - file) & 15] |= 1 << square;
        table[1][rank + file] |= 1 << square;
        square += 1;
    }
    table
}

static DIAGONALS: Diagonals = diagonals();

#[cfg(target_arch = "x86_64")]
mod lanes {
    use super::Diagonals;
    use core::arch::x86_64::*;

    /// Attacks along one line, the slider's own square in the line and in the result.
    #[target_feature(enable = "avx512f,avx512cd,avx512vl")]
    #[inline]
    fn along(line: __m512i, occupied: __m512i, below: __m512i, above: __m512i) -> __m512i {
        let blockers = _mm512_and_si512(occupied, line);
        let upper = _mm512_and_si512(blockers, above);
        let lower = _mm512_or_si512(_mm512_and_si512(blockers, below), _mm512_set1_epi64(1));
        let nearest = _mm512_srlv_epi64(_mm512_set1_epi64(i64::MIN), _mm512_lzcnt_epi64(lower));
        _mm512_and_si512(_mm512_xor_si512(upper, _mm512_sub_epi64(upper, nearest)), line)
    }

    #[target_feature(enable = "avx512f,avx512cd,avx512vl")]
    #[inline]
    pub(super) fn attacks<const ROOK: bool, const BISHOP: bool>(
        diagonals: &Diagonals,
        at: &[u64; 8],
        occupied: &[u64; 8],
    ) -> [u64; 8] {
        // SAFETY: loads and stores are of arrays of 64 bytes.
        unsafe {
            let load = |words: *const u64| _mm512_loadu_si512(words.cast());
            let (at, occupied) = (load(at.as_ptr()), load(occupied.as_ptr()));
            let above = _mm512_sllv_epi64(_mm512_set1_epi64(-2), at);
            let below = _mm512_add_epi64(_mm512_sllv_epi64(_mm512_set1_epi64(1), at), _mm512_set1_epi64(-1));
            let file = _mm512_and_si512(at, _mm512_set1_epi64(7));
            let mut set = _mm512_setzero_si512();
            // The own square is in two lines and cancels.
            let mut add = |line| set = _mm512_xor_si512(set, along(line, occupied, below, above));
            if ROOK {
                let start = _mm512_and_si512(at, _mm512_set1_epi64(56));
                add(_mm512_sllv_epi64(_mm512_set1_epi64(0x0101_0101_0101_0101), file));
                add(_mm512_sllv_epi64(_mm512_set1_epi64(0xff), start));
            }
            if BISHOP {
                let rank = _mm512_srli_epi64::<3>(at);
                // Only the low four bits of an index count.
                let pick = |table: &[u64; 16], index| {
                    _mm512_permutex2var_epi64(load(table.as_ptr()), index, load(table[8..].as_ptr()))
                };
                add(pick(&diagonals[0], _mm512_sub_epi64(rank, file)));
                add(pick(&diagonals[1], _mm512_add_epi64(rank, file)));
            }
            let mut out = [0; 8];
            _mm512_storeu_si512(out.as_mut_ptr().cast(), set);
            out
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod lanes {
    use super::Diagonals;

    crate::sliders::needs::not_on_this_architecture! {
        attacks<ROOK: bool, BISHOP: bool>(&Diagonals, &[u64; 8], &[u64; 8]) -> [u64; 8];
    }
}

/// Eight squares in the lanes of AVX-512.
#[derive(Clone, Copy, Debug)]
pub struct Avx512Batch(());

impl Avx512Batch {
    #[inline(always)]
    fn lanes<const ROOK: bool, const BISHOP: bool>(
        self,
        diagonals: &Diagonals,
        at: &[u64; 8],
        occupied: &[u64; 8],
    ) -> [u64; 8] {
        // SAFETY: there is a value only where the processor has AVX-512 F, CD and VL: `new` sees to that.
        unsafe { lanes::attacks::<ROOK, BISHOP>(diagonals, at, occupied) }
    }

    /// One lookup in one of the eight lanes: right, and as slow as it must be.
    #[inline(always)]
    fn one<const ROOK: bool, const BISHOP: bool>(
        self,
        diagonals: &Diagonals,
        square: Square,
        occupied: Bitboard,
    ) -> Bitboard {
        Bitboard(self.lanes::<ROOK, BISHOP>(diagonals, &[square.index() as u64; 8], &[occupied.0; 8])[0])
    }

    #[inline(always)]
    fn many<const ROOK: bool, const BISHOP: bool>(
        self,
        squares: &[Square],
        occupied: &[Bitboard],
        out: &mut [Bitboard],
    ) {
        compiled_for::<Avx512Batch, _>(|| {
            in_groups(squares, occupied, out, |at, occupied| {
                self.lanes::<ROOK, BISHOP>(&DIAGONALS, at, occupied)
            });
        });
    }
}

impl Sliders for Avx512Batch {
    const BACKEND: Backend = Backend::Avx512Batch;
    const CARD: Card = Card {
        author: "this laboratory; Michael Hoffmann's formula",
        idea: "obstruction difference of eight squares at once",
        page: "Obstruction Difference; AVX-512",
        needs: Needs::Avx512,
    };

    fn new() -> Avx512Batch {
        Self::CARD.needs.must_be_met();
        Avx512Batch(())
    }

    fn table_bytes(self) -> usize {
        size_of_val(&DIAGONALS)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.one::<true, false>(&DIAGONALS, square, occupied)
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        self.one::<false, true>(reads.at(&DIAGONALS), square, occupied)
    }

    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.one::<true, true>(&DIAGONALS, square, occupied)
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let squares: [Square; 8] = std::array::from_fn(|file| Square::at(file as u8, square.rank()));
        let mut found = [Bitboard::EMPTY; 8];
        self.bishops(&squares, &[occupied; 8], &mut found);
        let (file, rank) = (square.file() as usize, square.rank() as usize);
        let line = DIAGONALS[0][(16 + rank - file) & 15];
        let (above, below) = (!1 << square.index(), (1 << square.index()) - 1);
        let blockers = occupied.0 & line;
        let difference = pictures::obstruction("Blockers", blockers & above, blockers & below, line);
        let steps = [
            Picture::of("Eight sliders, one in each lane: a rank of them", squares.into_iter().collect()),
            Picture::of(
                format!("The diagonal in lane {}: of 15, picked by rank less file", file + 1),
                Bitboard(line),
            ),
        ];
        let all = found.into_iter().fold(Bitboard::EMPTY, |all, lane| all | lane);
        let all = Picture::of("All eight lanes: what bishops on these squares attack", all);
        pictures::with_attacks(steps.into_iter().chain(difference).chain([all]), self, square, occupied)
    }
}

impl Batch for Avx512Batch {
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
