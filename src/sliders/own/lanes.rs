//! Obstruction difference, four lines of one square at once: the masks of a square stand as three vectors (below, above,
//! whole line), a vector count of leading zeros finds the four nearest blockers below, one subtraction and one three-input
//! logic operation per vector give the attacks. The formula is Michael Hoffmann's (page "Obstruction Difference"); of our
//! own is the layout, made for vectors: no shuffle is needed but to unite the lanes.
//! Tables: 12 masks per square, 6 KB. Needs AVX-512 F, CD, VL.

#![allow(unsafe_code)] // intrinsics

use crate::sliders::pictures::{self, Picture};
use crate::sliders::{Backend, Card, Needs, Reads, Sliders, empty};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

/// By lane: file, rank, diagonal, anti-diagonal.
#[derive(Clone, Copy, Default, Debug)]
#[repr(align(32))]
struct Masks {
    /// With a1, which stands in for a missing blocker.
    below: [u64; 4],
    above: [u64; 4],
    line: [u64; 4],
}

impl Masks {
    /// Of two lines, the first of which has index `FIRST`.
    #[inline(always)]
    fn pair<const FIRST: usize, R: Reads>(&self, reads: &mut R) -> [&[u64; 2]; 3] {
        [&self.below, &self.above, &self.line].map(|words| reads.at(&words.as_chunks::<2>().0[FIRST / 2]))
    }
}

type Table = [Masks; 64];

static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    let mut table = Box::new([Masks::default(); 64]);
    for square in Square::all() {
        let above: [u64; 4] = std::array::from_fn(|direction| empty::ray(direction, square).0);
        let below: [u64; 4] = std::array::from_fn(|direction| empty::ray(direction + 4, square).0);
        let line = std::array::from_fn(|i| above[i] | below[i]);
        table[square.index()] = Masks { below: below.map(|set| set | 1), above, line };
    }
    table
});

#[cfg(target_arch = "x86_64")]
mod vectors {
    use super::Masks;
    use core::arch::x86_64::*;

    /// (a ^ b) & c.
    const XOR_AND: i32 = 0x28;

    /// The union of two lines.
    #[target_feature(enable = "avx512f,avx512cd,avx512vl")]
    #[inline]
    pub(super) fn two([below, above, line]: [&[u64; 2]; 3], occupied: u64) -> u64 {
        // SAFETY: every load reads an array of two words.
        unsafe {
            let load = |words: &[u64; 2]| _mm_loadu_si128(words.as_ptr().cast());
            let occupied = _mm_set1_epi64x((occupied | 1) as i64);
            let zeros = _mm_lzcnt_epi64(_mm_and_si128(occupied, load(below)));
            let nearest = _mm_srlv_epi64(_mm_set1_epi64x(i64::MIN), zeros);
            let upper = _mm_and_si128(occupied, load(above));
            let rest = _mm_sub_epi64(upper, nearest);
            let set = _mm_ternarylogic_epi64::<XOR_AND>(upper, rest, load(line));
            _mm_cvtsi128_si64(_mm_or_si128(set, _mm_unpackhi_epi64(set, set))) as u64
        }
    }

    /// The union of all four lines.
    #[target_feature(enable = "avx512f,avx512cd,avx512vl")]
    #[inline]
    pub(super) fn four(masks: &Masks, occupied: u64) -> u64 {
        // SAFETY: every load reads one array of four words.
        unsafe {
            let load = |words: &[u64; 4]| _mm256_loadu_si256(words.as_ptr().cast());
            let occupied = _mm256_set1_epi64x((occupied | 1) as i64);
            let zeros = _mm256_lzcnt_epi64(_mm256_and_si256(occupied, load(&masks.below)));
            let nearest = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), zeros);
            let above = _mm256_and_si256(occupied, load(&masks.above));
            let rest = _mm256_sub_epi64(above, nearest);
            let set = _mm256_ternarylogic_epi64::<XOR_AND>(above, rest, load(&masks.line));
            let set = _mm_or_si128(_mm256_castsi256_si128(set), _mm256_extracti128_si256::<1>(set));
            _mm_cvtsi128_si64(_mm_or_si128(set, _mm_unpackhi_epi64(set, set))) as u64
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod vectors {
    use super::Masks;

    crate::sliders::needs::not_on_this_architecture! {
        two([&[u64; 2]; 3], u64) -> u64;
        four(&Masks, u64) -> u64;
    }
}

/// Obstruction difference in the lanes of one register.
#[derive(Clone, Copy, Debug)]
pub struct OwnLanes(&'static Table);

impl Sliders for OwnLanes {
    const BACKEND: Backend = Backend::OwnLanes;
    const CARD: Card = Card {
        author: "this laboratory; Michael Hoffmann's formula",
        idea: "obstruction difference of all lines of one square in one register",
        page: "Obstruction Difference; AVX-512",
        needs: Needs::Avx512,
    };

    fn new() -> OwnLanes {
        Self::CARD.needs.must_be_met();
        OwnLanes(&TABLE)
    }

    fn table_bytes(self) -> usize {
        size_of::<Table>()
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        // SAFETY: there is a value only where the processor has AVX-512 F, CD and VL: `new` sees to that.
        Bitboard(unsafe { vectors::two(self.0[square.index()].pair::<0, R>(reads), occupied.0) })
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        // SAFETY: as in `rook`.
        Bitboard(unsafe { vectors::two(self.0[square.index()].pair::<2, R>(reads), occupied.0) })
    }

    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: as in `rook`.
        Bitboard(unsafe { vectors::four(&self.0[square.index()], occupied.0) })
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let masks = &self.0[square.index()];
        // The lines share no square but a1, so that one board can show all lanes.
        let lanes = |of: &dyn Fn(usize) -> u64| Bitboard((0..4).fold(0, |all, lane| all | of(lane)));
        let diagonal = pictures::obstruction(
            "In the lane of the diagonal: blockers",
            occupied.0 & masks.above[2],
            occupied.0 & masks.below[2],
            masks.line[2],
        );
        let steps = [
            Picture::of("Four lanes: file, rank, diagonal, anti-diagonal", lanes(&|lane| masks.line[lane])),
            Picture::of(
                "Blockers above the slider, in all lanes",
                lanes(&|lane| occupied.0 & masks.above[lane]),
            ),
            Picture::of(
                "Blockers below it, a1 set for want of one",
                lanes(&|lane| (occupied.0 | 1) & masks.below[lane]),
            ),
        ];
        let all = Picture::of("All lanes at once: a queen's attacks", self.queen(square, occupied));
        pictures::with_attacks(steps.into_iter().chain(diagonal).chain([all]), self, square, occupied)
    }
}
