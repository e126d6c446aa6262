//! Eight squares at once: obstruction difference in AVX-512, one square per lane. Leading zeros are one instruction (CD),
//! ranks and files are shifted constants, and the 15 diagonals of each direction stand in two registers from which a
//! permutation picks. Of our own; the per-line formula is Michael Hoffmann's (page "Obstruction Difference").
//! Tables: two registers' worth for each direction, 256 bytes. Needs AVX-512 F and CD; without them one lookup after the
//! other by [`Hyperbola`](crate::sliders::Hyperbola).

#![allow(unsafe_code)] // intrinsics

use super::{Batch, in_groups};
use crate::sliders::pictures::{self, Picture};
use crate::sliders::{Backend, Card, Needs, Sliders};
use crate::types::{Bitboard, Square};

/// The diagonals by rank less file modulo 16, the anti-diagonals by rank plus file.
const fn diagonals() -> [[u64; 16]; 2] {
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

static DIAGONALS: [[u64; 16]; 2] = diagonals();

#[cfg(all(target_arch = "x86_64", target_feature = "avx512f", target_feature = "avx512cd"))]
mod lanes {
    use super::DIAGONALS;
    use core::arch::x86_64::*;

    /// Attacks along one line, the slider's own square in the line and in the result.
    #[inline(always)]
    fn along(line: __m512i, occupied: __m512i, below: __m512i, above: __m512i) -> __m512i {
        // SAFETY: this module exists only in builds with AVX-512 F and CD.
        unsafe {
            let blockers = _mm512_and_si512(occupied, line);
            let upper = _mm512_and_si512(blockers, above);
            let lower = _mm512_or_si512(_mm512_and_si512(blockers, below), _mm512_set1_epi64(1));
            let nearest = _mm512_srlv_epi64(_mm512_set1_epi64(i64::MIN), _mm512_lzcnt_epi64(lower));
            _mm512_and_si512(_mm512_xor_si512(upper, _mm512_sub_epi64(upper, nearest)), line)
        }
    }

    #[inline(always)]
    pub(super) fn attacks<const ROOK: bool, const BISHOP: bool>(
        at: &[u64; 8],
        occupied: &[u64; 8],
    ) -> [u64; 8] {
        // SAFETY: this module exists only in builds with AVX-512 F and CD; loads and stores are of arrays of 64 bytes.
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
                add(pick(&DIAGONALS[0], _mm512_sub_epi64(rank, file)));
                add(pick(&DIAGONALS[1], _mm512_add_epi64(rank, file)));
            }
            let mut out = [0; 8];
            _mm512_storeu_si512(out.as_mut_ptr().cast(), set);
            out
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx512f", target_feature = "avx512cd")))]
mod lanes {
    pub(super) fn attacks<const ROOK: bool, const BISHOP: bool>(
        at: &[u64; 8],
        occupied: &[u64; 8],
    ) -> [u64; 8] {
        super::super::without_vectors::attacks::<ROOK, BISHOP, 8>(at, occupied)
    }
}

/// Eight squares in the lanes of AVX-512.
#[derive(Clone, Copy, Debug)]
pub struct Avx512Batch;

/// One lookup in one of the eight lanes: right, and as slow as it must be.
#[inline(always)]
fn one<const ROOK: bool, const BISHOP: bool>(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(lanes::attacks::<ROOK, BISHOP>(&[square.index() as u64; 8], &[occupied.0; 8])[0])
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
        Avx512Batch
    }

    fn table_bytes(self) -> usize {
        size_of_val(&DIAGONALS)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        one::<true, false>(square, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        one::<false, true>(square, occupied)
    }

    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        one::<true, true>(square, occupied)
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
        in_groups(squares, occupied, out, lanes::attacks::<true, false>);
    }

    fn bishops(self, squares: &[Square], occupied: &[Bitboard], out: &mut [Bitboard]) {
        in_groups(squares, occupied, out, lanes::attacks::<false, true>);
    }

    fn queens(self, squares: &[Square], occupied: &[Bitboard], out: &mut [Bitboard]) {
        in_groups(squares, occupied, out, lanes::attacks::<true, true>);
    }
}
