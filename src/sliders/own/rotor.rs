//! Rotor: the four lines through a square are four constants rotated by four numbers of bits, one byte each, which are the
//! whole table. A diagonal so rotated runs on round the board's edge; but with the edge squares added to the blockers (as in
//! [`Qbb`](crate::sliders::Qbb)) every ray ends on the board, and what runs on is never reached. Then obstruction
//! difference (Michael Hoffmann) on all lines at once. Of our own.
//! Tables: four bytes per square, 256 bytes, and 96 bytes of constants. Needs AVX-512 F, CD, VL.

#![allow(unsafe_code)] // intrinsics

use crate::sliders::pictures::{self, Picture};
use crate::sliders::{Backend, Card, Needs, Reads, Sliders, Unwatched};
use crate::types::{Bitboard, Square};

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
const RANK_1: u64 = 0xff;
const RANK_8: u64 = 0xff << 56;

/// File a, rank 1, the main diagonal and the main anti-diagonal.
const LINES: [u64; 4] = [FILE_A, RANK_1, 0x8040_2010_0804_0201, 0x0102_0408_1020_4080];
/// Where they end below and above.
const BOTTOM: [u64; 4] = [RANK_1, FILE_A, RANK_1 | FILE_A, RANK_1 | FILE_H];
const TOP: [u64; 4] = [RANK_8, FILE_H, RANK_8 | FILE_H, RANK_8 | FILE_A];

/// The three of them, for all squares.
#[derive(Debug)]
#[repr(C, align(32))]
struct Patterns {
    lines: [u64; 4],
    bottom: [u64; 4],
    top: [u64; 4],
}

static PATTERNS: Patterns = Patterns { lines: LINES, bottom: BOTTOM, top: TOP };

/// What a lookup of one square reads.
type Place = (&'static [u8; 4], &'static Patterns);

impl Patterns {
    #[inline(always)]
    fn through<R: Reads>(square: Square, reads: &mut R) -> Place {
        (reads.at(&ROTATIONS[square.index()]), reads.at(&PATTERNS))
    }
}

/// How far each line is rotated to go through a square.
const fn rotations() -> [[u8; 4]; 64] {
    let mut table = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square as u8 & 7, square as u8 >> 3);
        table[square] = [file, 8 * rank, (64 + 8 * rank - 8 * file) & 63, (8 + 8 * rank + 8 * file) & 63];
        square += 1;
    }
    table
}

static ROTATIONS: [[u8; 4]; 64] = rotations();

#[cfg(target_arch = "x86_64")]
mod vectors {
    use super::Place;
    use core::arch::x86_64::*;

    /// (a | b) & c; (a ^ b) & c.
    const OR_AND: i32 = 0xa8;
    const XOR_AND: i32 = 0x28;

    macro_rules! along {
        ($first:expr, $rotations:expr, $patterns:expr, $square:expr, $occupied:expr, $load:ident, $set1:ident, $bytes:ident, $widen:ident, $rotate:ident, $logic:ident,
         $add:ident, $andnot:ident, $sub:ident, $zeros:ident, $shift:ident) => {{
            let constants = |words: &[u64; 4]| $load(words[$first..].as_ptr().cast());
            let rotations = $bytes($rotations[$first..].as_ptr().cast());
            let line = $rotate(constants(&$patterns.lines), $widen(rotations));
            let bit = $set1(1 << $square);
            let below = $add(bit, $set1(-1));
            let occupied = $andnot(bit, $set1($occupied as i64));
            // The slider's own square is a blocker on both sides where it is itself an edge.
            let lower =
                $logic::<OR_AND>(bit, below, $logic::<OR_AND>(occupied, constants(&$patterns.bottom), line));
            let upper = $andnot(below, $logic::<OR_AND>(occupied, constants(&$patterns.top), line));
            let nearest = $shift($set1(i64::MIN), $zeros(lower));
            $logic::<XOR_AND>(upper, $sub(upper, nearest), line)
        }};
    }

    /// Two lines, the first of which has index `FIRST`; the own square is in both and cancels.
    #[target_feature(enable = "avx512f,avx512cd,avx512vl")]
    #[inline]
    pub(super) fn two<const FIRST: usize>((rotations, patterns): Place, square: usize, occupied: u64) -> u64 {
        // SAFETY: loads read two words, or bytes, from place 0 or 2 of four.
        unsafe {
            let set = along!(
                FIRST,
                rotations,
                patterns,
                square,
                occupied,
                _mm_loadu_si128,
                _mm_set1_epi64x,
                _mm_loadu_si16,
                _mm_cvtepu8_epi64,
                _mm_rolv_epi64,
                _mm_ternarylogic_epi64,
                _mm_add_epi64,
                _mm_andnot_si128,
                _mm_sub_epi64,
                _mm_lzcnt_epi64,
                _mm_srlv_epi64
            );
            _mm_cvtsi128_si64(_mm_xor_si128(set, _mm_unpackhi_epi64(set, set))) as u64
        }
    }

    /// All four lines.
    #[target_feature(enable = "avx512f,avx512cd,avx512vl")]
    #[inline]
    pub(super) fn four((rotations, patterns): Place, square: usize, occupied: u64) -> u64 {
        // SAFETY: loads read the four words, or bytes, of an array.
        unsafe {
            let set = along!(
                0,
                rotations,
                patterns,
                square,
                occupied,
                _mm256_loadu_si256,
                _mm256_set1_epi64x,
                _mm_loadu_si32,
                _mm256_cvtepu8_epi64,
                _mm256_rolv_epi64,
                _mm256_ternarylogic_epi64,
                _mm256_add_epi64,
                _mm256_andnot_si256,
                _mm256_sub_epi64,
                _mm256_lzcnt_epi64,
                _mm256_srlv_epi64
            );
            let set = _mm_xor_si128(_mm256_castsi256_si128(set), _mm256_extracti128_si256::<1>(set));
            _mm_cvtsi128_si64(_mm_xor_si128(set, _mm_unpackhi_epi64(set, set))) as u64
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod vectors {
    use super::Place;

    crate::sliders::needs::not_on_this_architecture! {
        two<FIRST: usize>(Place, usize, u64) -> u64;
        four(Place, usize, u64) -> u64;
    }
}

/// Rotated constants as lines.
#[derive(Clone, Copy, Debug)]
pub struct OwnRotor(());

impl Sliders for OwnRotor {
    const BACKEND: Backend = Backend::OwnRotor;
    const CARD: Card = Card {
        author: "this laboratory; Michael Hoffmann's formula",
        idea: "lines are constants rotated by table bytes, edges are blockers, obstruction difference of all at once",
        page: "Obstruction Difference; AVX-512",
        needs: Needs::Avx512,
    };

    fn new() -> OwnRotor {
        Self::CARD.needs.must_be_met();
        OwnRotor(())
    }

    fn table_bytes(self) -> usize {
        size_of_val(&ROTATIONS) + size_of_val(&PATTERNS)
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        // SAFETY: there is a value only where the processor has AVX-512 F, CD and VL: `new` sees to that.
        Bitboard(unsafe { vectors::two::<0>(Patterns::through(square, reads), square.index(), occupied.0) })
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        // SAFETY: as in `rook`.
        Bitboard(unsafe { vectors::two::<2>(Patterns::through(square, reads), square.index(), occupied.0) })
    }

    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: as in `rook`.
        Bitboard(unsafe {
            vectors::four(Patterns::through(square, &mut Unwatched), square.index(), occupied.0)
        })
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        const ANTI: usize = 3;
        let (bit, others) = (Bitboard::square(square).0, occupied.without(square).0);
        let rotation = ROTATIONS[square.index()][ANTI];
        let line = LINES[ANTI].rotate_left(u32::from(rotation));
        let lower = (others | BOTTOM[ANTI]) & line & (bit | (bit - 1));
        let upper = (others | TOP[ANTI]) & line & !(bit - 1);
        let steps = [
            Picture::of("The main anti-diagonal, the same for every square", Bitboard(LINES[ANTI])),
            Picture::of(
                format!("Rotated by {rotation} bits, the square's table byte; it may run on round the edge"),
                Bitboard(line),
            ),
        ];
        let difference = pictures::obstruction("Blockers and edges on it", upper, lower, line);
        let queen = Picture::of(
            "All four lines at once; the own square, in each of them, cancels: a queen's attacks",
            self.queen(square, occupied),
        );
        pictures::with_attacks(steps.into_iter().chain(difference).chain([queen]), self, square, occupied)
    }
}
