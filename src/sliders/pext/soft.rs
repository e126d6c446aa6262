//! Soft PEXT: the index of `pext` without BMI2. The masked blockers are compressed in six steps that move bits right by
//! 1, 2, 4 … 32; which bits move in which step follows from the mask alone and is stored per square.
//! Source of the compression: Guy Steele's, in Henry Warren's "Hacker's Delight" (2002); not in the seed documents.
//! Tables: 107,648 attack sets, 841 KB, and one cache line (mask, six moves, offset) per slider and square, 8 KB.
//! Needs nothing.

use crate::sliders::pictures::{self, Picture};
use crate::sliders::relevant::{Slider, mask, subsets};
use crate::sliders::{Backend, Card, Needs, Reads, Sliders};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

const SIZE: usize = 1 << 17;
const TABLE_BYTES: usize = 107_648 * 8 + 2 * 64 * size_of::<Entry>();

#[derive(Clone, Copy, Default, Debug)]
#[repr(align(64))]
struct Entry {
    mask: u64,
    moves: [u64; 6],
    offset: u64,
}

impl Entry {
    fn new(mask: u64, offset: u64) -> Entry {
        let mut moves = [0; 6];
        let mut bits = mask;
        // What a bit still has to travel: the number of clear mask bits below it.
        let mut way: [u32; 64] = std::array::from_fn(|bit| (!mask & ((1 << bit) - 1)).count_ones());
        for (step, moved) in moves.iter_mut().enumerate() {
            let distance = 1 << step;
            *moved = Bitboard(bits)
                .into_iter()
                .filter(|bit| way[bit.index()] & distance != 0)
                .fold(Bitboard::EMPTY, Bitboard::with)
                .0;
            for bit in Bitboard(*moved) {
                way[bit.index() - distance as usize] = way[bit.index()];
            }
            bits = (bits ^ *moved) | *moved >> distance;
        }
        Entry { mask, moves, offset }
    }

    #[inline(always)]
    fn index(&self, occupied: u64) -> usize {
        let mut bits = occupied & self.mask;
        for (step, moves) in self.moves.iter().enumerate() {
            let moved = bits & moves;
            bits = (bits ^ moved) | moved >> (1 << step);
        }
        (bits + self.offset) as usize & (SIZE - 1)
    }
}

struct Table {
    rook: [Entry; 64],
    bishop: [Entry; 64],
    attacks: [Bitboard; SIZE],
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({SIZE})")
    }
}

static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    let mut table = Box::new(Table {
        rook: [Entry::default(); 64],
        bishop: [Entry::default(); 64],
        attacks: [Bitboard::EMPTY; SIZE],
    });
    let mut offset = 0;
    for slider in [Slider::Rook, Slider::Bishop] {
        for square in Square::all() {
            let mask = mask(slider, square);
            let entry = Entry::new(mask.0, offset);
            for occupied in subsets(mask) {
                table.attacks[entry.index(occupied.0)] = slider.attacks(square, occupied);
            }
            match slider {
                Slider::Rook => table.rook[square.index()] = entry,
                Slider::Bishop => table.bishop[square.index()] = entry,
            }
            offset += 1 << mask.count();
        }
    }
    table
});

/// PEXT emulated by six masked moves.
#[derive(Clone, Copy, Debug)]
pub struct PextSoft(&'static Table);

impl Sliders for PextSoft {
    const BACKEND: Backend = Backend::PextSoft;
    const CARD: Card = Card {
        author: "Guy Steele (compression), Henry Warren",
        idea: "the PEXT index gathered by six masked moves instead of one instruction",
        page: "Hacker's Delight 7-4, BMI2",
        needs: Needs::Nothing,
    };

    fn new() -> PextSoft {
        PextSoft(&TABLE)
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let entry = reads.at(&self.0.rook[square.index()]);
        *reads.at(&self.0.attacks[entry.index(occupied.0)])
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let entry = reads.at(&self.0.bishop[square.index()]);
        *reads.at(&self.0.attacks[entry.index(occupied.0)])
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        pictures::looked_up(self, square, occupied)
    }
}
