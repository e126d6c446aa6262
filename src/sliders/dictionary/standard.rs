//! Hashing dictionaries with the hash map of the standard library and its own hash (SipHash): what a programmer gets who
//! writes no hash table. Source: page "Hashing Dictionaries". Different here: ends of lines and the slider's own square are
//! masked out of the keys, so that there are fewer of them.
//! Tables: 256 maps with 6,784 keys, 8 bytes a key and 8 a set, their spare room, and a mask each. Needs nothing.

use super::line;
use crate::sliders::pictures::{self, Picture};
use crate::sliders::{Backend, Card, Needs, Reads, Sliders};
use crate::types::{Bitboard, Square};
use std::collections::HashMap;
use std::sync::LazyLock;

#[derive(Debug)]
struct Line {
    mask: Bitboard,
    attacks: HashMap<u64, Bitboard>,
}

impl Line {
    /// Where the map holds the key itself, and its control bytes, is its own affair: `reads` hears of the value only.
    fn attacks<R: Reads>(&self, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let line = reads.at(self);
        let found = line.attacks.get(&(occupied & line.mask).0);
        found.map_or(Bitboard::EMPTY, |attacks| *reads.at(attacks))
    }
}

type Table = [[Line; 4]; 64];

static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    Box::new(std::array::from_fn(|square| {
        std::array::from_fn(|direction| {
            let (mask, sets) = line(direction, Square::new(square as u8));
            let attacks = sets.into_iter().map(|(occupied, attacks)| (occupied.0, attacks)).collect();
            Line { mask, attacks }
        })
    }))
});

/// Lines looked up in the standard library's hash maps.
#[derive(Clone, Copy, Debug)]
pub struct HashDictionaryStd(&'static Table);

impl Sliders for HashDictionaryStd {
    const BACKEND: Backend = Backend::HashDictionaryStd;
    const CARD: Card = Card {
        author: "Sam Tannous",
        idea: "masked lines as keys of the standard library's hash maps",
        page: "Hashing Dictionaries",
        needs: Needs::Nothing,
    };

    fn new() -> HashDictionaryStd {
        HashDictionaryStd(&TABLE)
    }

    /// Room for the keys the maps can hold, and one control byte each; the maps' exact size is their own affair.
    fn table_bytes(self) -> usize {
        let room = |line: &Line| size_of::<Line>() + line.attacks.capacity() * (2 * size_of::<u64>() + 1);
        self.0.iter().flatten().map(room).sum()
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let lines = &self.0[square.index()];
        lines[0].attacks(occupied, reads) | lines[1].attacks(occupied, reads)
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let lines = &self.0[square.index()];
        lines[2].attacks(occupied, reads) | lines[3].attacks(occupied, reads)
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        pictures::looked_up(self, square, occupied)
    }
}
