//! Every backend against the oracle: all relevant occupancies of every square, and random full occupancies with outer
//! bits and with the slider's own square set or not. A backend that differs is reported and never timed.

use super::relevant::{Slider, mask, subsets};
use super::{Backend, Oracle, Sliders};
use crate::stats::SplitMix64;
use crate::types::{Bitboard, Square};
use crate::with_backend;

/// Where a backend and the oracle differ.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("{backend} on {square}, occupied {occupied:#018x}: rook {rook:#018x}, bishop {bishop:#018x}")]
pub struct Difference {
    pub backend: &'static str,
    pub square: Square,
    pub occupied: u64,
    /// What the backend says.
    pub rook: u64,
    pub bishop: u64,
}

/// Checks one backend; `random` further occupancies are drawn from `seed`. Returns how many lookups agreed.
pub fn verify(backend: Backend, random: u64, seed: u64) -> Result<u64, Difference> {
    with_backend!(backend, |sliders| verify_with(sliders, random, seed))
}

fn verify_with<S: Sliders>(sliders: S, random: u64, seed: u64) -> Result<u64, Difference> {
    let mut checked = 0;
    let mut check = |square: Square, occupied: Bitboard| {
        let (rook, bishop) = (sliders.rook(square, occupied), sliders.bishop(square, occupied));
        checked += 2;
        if rook == Oracle.rook(square, occupied) && bishop == Oracle.bishop(square, occupied) {
            return Ok(());
        }
        let backend = S::BACKEND.id();
        Err(Difference { backend, square, occupied: occupied.0, rook: rook.0, bishop: bishop.0 })
    };
    for square in Square::all() {
        for slider in [Slider::Rook, Slider::Bishop] {
            for occupied in subsets(mask(slider, square)) {
                check(square, occupied)?;
            }
        }
    }
    let mut words = SplitMix64::new(seed);
    for i in 0..random {
        let square = Square::new((i & 63) as u8);
        // Dense, medium and sparse boards in turn.
        let occupied = match i % 3 {
            0 => words.next_u64(),
            1 => words.next_u64() & words.next_u64(),
            _ => words.next_u64() & words.next_u64() & words.next_u64(),
        };
        check(square, Bitboard(occupied))?;
        check(square, Bitboard(occupied).with(square))?;
    }
    Ok(checked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_backend_agrees_with_the_oracle() {
        for &backend in Backend::ALL {
            let checked = verify(backend, 200_000, 1).unwrap_or_else(|difference| panic!("{difference}"));
            assert_eq!(checked, 2 * (107_648 + 2 * 200_000), "{}", backend.id());
        }
    }

    /// Wrong for one square, right for all others: the check must see it.
    #[derive(Clone, Copy, Debug)]
    struct Faulty;

    impl Sliders for Faulty {
        const BACKEND: Backend = Backend::Oracle;
        const CARD: super::super::Card = Oracle::CARD;
        fn new() -> Faulty {
            Faulty
        }
        fn table_bytes(self) -> usize {
            0
        }
        fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
            let attacks = Oracle.rook(square, occupied);
            if square == Square::H8 && occupied.has(Square::H2) {
                attacks.without(Square::H2)
            } else {
                attacks
            }
        }
        fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
            Oracle.bishop(square, occupied)
        }
    }

    #[test]
    fn a_fault_on_one_square_is_found() {
        assert_eq!(verify_with(Faulty, 0, 1).map_err(|difference| difference.square), Err(Square::H8));
    }
}
