//! The hash keys that are compared: the engine's Zobrist numbers and others drawn like them, BCH words, a random function, and
//! keys that are bad on purpose. And how often each repeats itself.

use super::packed::Packed;
use crate::stats::SplitMix64;
use crate::types::{Color, Role, Square, bch, zobrist};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// A way to make keys. Ids are permanent: they stand in saved records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Keys {
    /// A random number per place of the position, combined by exclusive or.
    Zobrist,
    /// The words of a BCH code in place of the random numbers; further draws give the code's words to other places.
    Bch,
    /// A random function of the whole position: what a perfect hash would do.
    Random,
    /// Bad on purpose: the number of a piece on a square is one for the piece and one for the square, so that two pieces that
    /// change places are not seen.
    Separable,
}

impl Keys {
    pub const fn id(self) -> &'static str {
        match self {
            Keys::Zobrist => "zobrist",
            Keys::Bch => "bch",
            Keys::Random => "random",
            Keys::Separable => "separable",
        }
    }

    /// The key of every position, in their order. Draw 0 of `zobrist` and `bch` is the program's own table.
    fn of(self, positions: &[Packed], draw: u64, seed: u64) -> Vec<u64> {
        let mut random = SplitMix64::new(seed);
        let mut drawn = || random.next_u64();
        let words: Box<[u64; bch::PLACES]> = Box::new(match self {
            Keys::Random => {
                let seed = drawn();
                return positions.par_iter().map(|position| position.random(seed)).collect();
            }
            Keys::Zobrist if draw == 0 => own_zobrist(),
            Keys::Zobrist => std::array::from_fn(|_| drawn()),
            Keys::Bch => {
                let mut columns: Vec<usize> = (0..bch::LENGTH).collect();
                if draw > 0 {
                    random.shuffle(&mut columns);
                }
                std::array::from_fn(|place| bch::word(columns[place]) as u64)
            }
            Keys::Separable => {
                let pieces: [u64; 12] = std::array::from_fn(|_| drawn());
                let squares: [u64; 64] = std::array::from_fn(|_| drawn());
                std::array::from_fn(|place| match place {
                    0..768 => pieces[place / 64] ^ squares[place % 64],
                    _ => drawn(),
                })
            }
        });
        positions.par_iter().map(|position| position.key(&words)).collect()
    }
}

/// The numbers of [`zobrist`] in the order of [`bch`]'s places.
fn own_zobrist() -> [u64; bch::PLACES] {
    let mut words = [0; bch::PLACES];
    for square in Square::all() {
        for color in Color::ALL {
            for role in Role::ALL {
                words[bch::piece(color, role, square)] = zobrist::piece(color, role, square);
            }
        }
        words[bch::castling(square)] = zobrist::castling(square);
        words[bch::ep(square)] = zobrist::ep(square);
    }
    words[bch::BLACK_TO_MOVE] = zobrist::black_to_move();
    words
}

/// For each width, how many positions have a key whose lowest bits an earlier position had already.
pub(super) fn collisions(keys: Keys, positions: &[Packed], draw: u64, seed: u64, widths: &[u32]) -> Vec<u64> {
    let mut keys = keys.of(positions, draw, seed);
    // Turned round, keys that agree in their lowest bits stand together in the order of the whole, at every width.
    keys.par_iter_mut().for_each(|key| *key = key.reverse_bits());
    keys.par_sort_unstable();
    let mut agreeing = [0_u64; 65];
    for pair in keys.windows(2) {
        agreeing[(pair[0] ^ pair[1]).leading_zeros() as usize] += 1;
    }
    widths.iter().map(|&width| agreeing[width.min(64) as usize..].iter().sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::Progress;
    use crate::trial::hashing::{Source, positions::distinct};
    use std::collections::HashSet;

    /// The keys of the program's own tables are those that a position keeps as it is played.
    #[test]
    fn the_first_draw_of_zobrist_keys_is_the_positions_own_key() {
        let positions = distinct(Source::Games, 3000, 6, &Progress::default()).unwrap();
        for (position, key) in positions.iter().zip(Keys::Zobrist.of(&positions, 0, 1)) {
            assert_eq!(key, position.unpack().unwrap().key());
        }
    }

    #[test]
    fn collisions_are_counted_as_defined() {
        let positions = distinct(Source::Games, 3000, 5, &Progress::default()).unwrap();
        for kind in [Keys::Zobrist, Keys::Bch, Keys::Random, Keys::Separable] {
            let widths = [1, 4, 9, 13, 20, 64];
            let found = collisions(kind, &positions, 1, 99, &widths);
            for (width, found) in widths.into_iter().zip(found) {
                let mut seen = HashSet::new();
                let again = kind
                    .of(&positions, 1, 99)
                    .iter()
                    .filter(|&&key| !seen.insert(u128::from(key) % (1 << width)))
                    .count();
                assert_eq!(found, again as u64, "{kind:?} {width}");
            }
        }
    }
}
