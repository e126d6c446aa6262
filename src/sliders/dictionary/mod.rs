//! Hashing dictionaries: the occupied squares of a line, as they stand on the board, are looked up in a hash table of that
//! line and square; nothing is gathered or computed. Source: page "Hashing Dictionaries" of the seed documents (Sam Tannous
//! 2007, with the dictionaries of Python). Here once with the dictionary of the standard library and once with open
//! addressing and double hashing of our own, the algorithm that the page names.

mod open;
mod standard;

pub use open::HashDictionaryOpen;
pub use standard::HashDictionaryStd;

use super::empty;
use super::relevant::{Slider, mask, subsets};
use crate::types::{Bitboard, Square};

/// Relevant squares of a line (0 file, 1 rank, 2 diagonal, 3 anti-diagonal), and for each of their subsets the attacks on
/// the line.
fn line(direction: usize, square: Square) -> (Bitboard, Vec<(Bitboard, Bitboard)>) {
    let whole = empty::ray(direction, square) | empty::ray(direction + 4, square);
    let slider = if direction < 2 { Slider::Rook } else { Slider::Bishop };
    let relevant = mask(slider, square) & whole;
    let sets = subsets(relevant).map(|occupied| (occupied, slider.attacks(square, occupied) & whole));
    (relevant, sets.collect())
}
