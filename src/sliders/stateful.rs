//! Techniques that keep their own form of the occupancy up to date while squares are occupied and left, and look attacks
//! up in it. Behind [`Sliders`](super::Sliders) they make that form anew for each lookup; this trait shows what the
//! lookup costs with kept state, and what keeping it costs.

use crate::types::{Bitboard, Square};

/// Runs the body with the name bound to the state of a backend that has one; none of the others. The list of them.
macro_rules! with_state {
    (@list $backend:expr, $state:ident, $body:expr, $($name:ident $kept:ident,)*) => {
        match $backend {
            $( $crate::sliders::Backend::$name => {
                type $state = $crate::sliders::$kept;
                Some($body)
            } )*
            _ => None,
        }
    };
    ($backend:expr, |$state:ident| $body:expr) => {
        $crate::sliders::with_state!(
            @list $backend, $state, $body, Rotated RotatedBoards, RotatedIndices RotatedLines,
        )
    };
}

pub(crate) use with_state;

/// An occupancy in the form that a technique wants.
pub trait Stateful: Copy + Send + Sync + 'static {
    /// The state of a board; makes the tables at the first call.
    fn new(occupied: Bitboard) -> Self;

    /// The square becomes occupied, or is left.
    fn toggle(&mut self, square: Square);

    /// Squares a rook on `square` attacks.
    fn rook(&self, square: Square) -> Bitboard;

    /// Squares a bishop on `square` attacks.
    fn bishop(&self, square: Square) -> Bitboard;

    /// Squares a queen on `square` attacks.
    #[inline(always)]
    fn queen(&self, square: Square) -> Bitboard {
        self.rook(square) | self.bishop(square)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Oracle, RotatedBoards, RotatedLines, Sliders};
    use super::*;
    use crate::stats::SplitMix64;
    use std::fmt::Debug;

    fn random_toggles<S: Stateful + PartialEq + Debug>() {
        let mut words = SplitMix64::new(6);
        for start in [Bitboard::EMPTY, Bitboard::ALL, Bitboard(words.next_u64())] {
            let (mut state, mut occupied) = (S::new(start), start);
            for _ in 0..2_000 {
                let word = words.next_u64();
                let (toggled, square) = (Square::new((word & 63) as u8), Square::new((word >> 8 & 63) as u8));
                state.toggle(toggled);
                occupied.0 ^= 1 << toggled.index();
                assert_eq!(state, S::new(occupied), "{occupied:?}");
                assert_eq!(state.rook(square), Oracle.rook(square, occupied), "{square} {occupied:?}");
                assert_eq!(state.bishop(square), Oracle.bishop(square, occupied), "{square} {occupied:?}");
                assert_eq!(state.queen(square), Oracle.queen(square, occupied), "{square} {occupied:?}");
            }
        }
    }

    #[test]
    fn toggled_states_are_those_made_from_scratch() {
        random_toggles::<RotatedBoards>();
        random_toggles::<RotatedLines>();
    }
}
