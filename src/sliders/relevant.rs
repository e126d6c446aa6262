//! The occupancies that matter to a slider: the empty-board attacks without the last square of each ray.
//! Shared by the table-driven techniques, and by the check that walks all 107,648 sets.

use super::{Oracle, Sliders, empty};
use crate::types::{Bitboard, Square};

/// The two pieces that slide; a queen is both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slider {
    Rook,
    Bishop,
}

impl Slider {
    /// What the tables hold: the oracle's attacks.
    pub(super) fn attacks(self, square: Square, occupied: Bitboard) -> Bitboard {
        match self {
            Slider::Rook => Oracle.rook(square, occupied),
            Slider::Bishop => Oracle.bishop(square, occupied),
        }
    }
}

/// Squares whose occupancy changes the attacks: 5 to 12 bits.
pub(super) fn mask(slider: Slider, square: Square) -> Bitboard {
    let rays = match slider {
        Slider::Rook => [0, 1, 4, 5],
        Slider::Bishop => [2, 3, 6, 7],
    };
    let mut mask = Bitboard::EMPTY;
    for direction in rays {
        let ray = empty::ray(direction, square);
        let end = if direction < 4 { ray.last() } else { ray.first() };
        mask |= end.map_or(Bitboard::EMPTY, |end| ray.without(end));
    }
    mask
}

/// All subsets of a mask, from the empty set on (the Carry-Rippler enumeration).
pub(super) fn subsets(mask: Bitboard) -> impl Iterator<Item = Bitboard> {
    let mut next = Some(0u64);
    std::iter::from_fn(move || {
        let current = next?;
        let following = current.wrapping_sub(mask.0) & mask.0;
        next = (following != 0).then_some(following);
        Some(Bitboard(current))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_107_648_relevant_sets() {
        let count = |slider| Square::all().map(|s| subsets(mask(slider, s)).count()).sum::<usize>();
        assert_eq!((count(Slider::Rook), count(Slider::Bishop)), (102_400, 5_248));
    }
}
