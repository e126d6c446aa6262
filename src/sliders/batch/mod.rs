//! Many lookups at once: the explicit face of techniques that answer several squares in one vector. Scalar lookups stay one
//! at a time; what a compiler makes of a loop over them is its own affair and another measurement.

mod avx2;
mod avx512;

pub use avx2::Avx2Batch;
pub use avx512::Avx512Batch;

use super::{Pext, Sliders, compiled_for};
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
        one_by_one::<Self>(squares, occupied, out, |square, occupied| self.rook(square, occupied));
    }

    /// Bishops.
    fn bishops(self, squares: &[Square], occupied: &[Bitboard], out: &mut [Bitboard]) {
        one_by_one::<Self>(squares, occupied, out, |square, occupied| self.bishop(square, occupied));
    }

    /// Queens.
    fn queens(self, squares: &[Square], occupied: &[Bitboard], out: &mut [Bitboard]) {
        one_by_one::<Self>(squares, occupied, out, |square, occupied| self.queen(square, occupied));
    }
}

/// The reference: one lookup after the other.
impl Batch for Pext {}

#[inline(always)]
fn one_by_one<S: Sliders>(
    squares: &[Square],
    occupied: &[Bitboard],
    out: &mut [Bitboard],
    attacks: impl Fn(Square, Bitboard) -> Bitboard,
) {
    compiled_for::<S, _>(|| {
        in_groups(squares, occupied, out, |[square], [occupied]| {
            [attacks(Square::new(*square as u8), Bitboard(*occupied)).0]
        });
    });
}

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

#[cfg(test)]
mod tests {
    use super::super::{Backend, Oracle};
    use super::*;
    use crate::stats::SplitMix64;

    fn check<S: Batch>(sliders: S) {
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
        for &backend in Backend::ALL.iter().filter(|backend| backend.is_supported()) {
            with_batch!(backend, |sliders| check(sliders));
        }
    }
}
