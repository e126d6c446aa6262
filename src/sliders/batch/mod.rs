//! Many lookups at once: the explicit face of techniques that answer several squares in one vector. Scalar lookups stay one
//! at a time; what a compiler makes of a loop over them is its own affair and another measurement.

mod avx2;
mod avx512;

pub use avx2::Avx2Batch;
pub use avx512::Avx512Batch;

use super::{Pext, Sliders};
use crate::types::{Bitboard, Square};

/// Runs the body with the name bound to the value of a backend that is a [`Batch`]; none of the others. The list of them.
macro_rules! with_batch {
    (@list $backend:expr, $sliders:ident, $body:expr, $($name:ident)*) => {
        match $backend {
            $( $crate::sliders::Backend::$name => {
                let $sliders = <$crate::sliders::$name as $crate::sliders::Sliders>::new();
                Some($body)
            } )*
            _ => None,
        }
    };
    ($backend:expr, |$sliders:ident| $body:expr) => {
        $crate::sliders::with_batch!(@list $backend, $sliders, $body, Pext Avx2Batch Avx512Batch)
    };
}

pub(crate) use with_batch;

/// Attacks of many sliders, each with its own occupancy. The three slices of a call have one length; it panics otherwise.
pub trait Batch: Sliders {
    /// Rooks.
    fn rooks(self, squares: &[Square], occupied: &[Bitboard], out: &mut [Bitboard]) {
        in_groups(squares, occupied, out, |[square], [occupied]| {
            [self.rook(Square::new(*square as u8), Bitboard(*occupied)).0]
        });
    }

    /// Bishops.
    fn bishops(self, squares: &[Square], occupied: &[Bitboard], out: &mut [Bitboard]) {
        in_groups(squares, occupied, out, |[square], [occupied]| {
            [self.bishop(Square::new(*square as u8), Bitboard(*occupied)).0]
        });
    }

    /// Queens.
    fn queens(self, squares: &[Square], occupied: &[Bitboard], out: &mut [Bitboard]) {
        in_groups(squares, occupied, out, |[square], [occupied]| {
            [self.queen(Square::new(*square as u8), Bitboard(*occupied)).0]
        });
    }
}

/// The reference: one lookup after the other.
impl Batch for Pext {}

/// Hands squares and occupancies to the kernel `N` at a time; the last, shorter group is filled up with a1.
#[inline(always)]
fn in_groups<const N: usize>(
    squares: &[Square],
    occupied: &[Bitboard],
    out: &mut [Bitboard],
    kernel: impl Fn(&[u64; N], &[u64; N]) -> [u64; N],
) {
    assert!(squares.len() == occupied.len() && squares.len() == out.len(), "slices of different lengths");
    let (square_groups, squares) = squares.as_chunks::<N>();
    let (occupied_groups, occupied) = occupied.as_chunks::<N>();
    let (out_groups, out) = out.as_chunks_mut::<N>();
    for ((squares, occupied), out) in square_groups.iter().zip(occupied_groups).zip(out_groups) {
        let attacks = kernel(&squares.map(|square| square.index() as u64), &occupied.map(|set| set.0));
        *out = attacks.map(Bitboard);
    }
    if !out.is_empty() {
        let (mut at, mut sets) = ([0; N], [0; N]);
        for i in 0..out.len() {
            (at[i], sets[i]) = (squares[i].index() as u64, occupied[i].0);
        }
        for (out, attacks) in out.iter_mut().zip(kernel(&at, &sets)) {
            *out = Bitboard(attacks);
        }
    }
}

/// What stands in for a kernel whose instructions the build has not.
#[cfg(not(all(target_feature = "avx2", target_feature = "avx512f", target_feature = "avx512cd")))]
mod without_vectors {
    use crate::sliders::{Hyperbola, Sliders};
    use crate::types::{Bitboard, Square};

    pub(super) fn attacks<const ROOK: bool, const BISHOP: bool, const N: usize>(
        at: &[u64; N],
        occupied: &[u64; N],
    ) -> [u64; N] {
        std::array::from_fn(|i| {
            let (square, occupied) = (Square::new(at[i] as u8), Bitboard(occupied[i]));
            let rook = if ROOK { Hyperbola.rook(square, occupied).0 } else { 0 };
            rook | if BISHOP { Hyperbola.bishop(square, occupied).0 } else { 0 }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Oracle;
    use super::*;
    use crate::stats::SplitMix64;

    fn check<S: Batch>() {
        let sliders = S::new();
        let mut words = SplitMix64::new(3);
        for length in (0..40).chain([20_000]) {
            let squares: Vec<Square> =
                (0..length).map(|_| Square::new(words.next_u64() as u8 & 63)).collect();
            let occupied: Vec<Bitboard> =
                (0..length).map(|_| Bitboard(words.next_u64() & words.next_u64())).collect();
            let mut out = vec![Bitboard::EMPTY; length];
            let mut expect = |batch: fn(S, &[Square], &[Bitboard], &mut [Bitboard]),
                              one: fn(Oracle, Square, Bitboard) -> Bitboard| {
                batch(sliders, &squares, &occupied, &mut out);
                for i in 0..length {
                    assert_eq!(out[i], one(Oracle, squares[i], occupied[i]), "{}", S::BACKEND.id());
                }
            };
            expect(S::rooks, Oracle::rook);
            expect(S::bishops, Oracle::bishop);
            expect(S::queens, Oracle::queen);
        }
    }

    #[test]
    fn batches_of_every_length_agree_with_the_oracle() {
        check::<Pext>();
        check::<Avx2Batch>();
        check::<Avx512Batch>();
    }
}
