//! Rotated bitboards: the occupancy is kept four times, so laid out that files, ranks, diagonals and anti-diagonals each
//! stand in one byte; a shift brings a line's inner six squares down as the index of its attacks. A square that becomes
//! occupied or is left changes one bit of each board.
//! Source: pages "Magic Bitboards" and "Congruent Modulo Bitboards" of the seed documents compare with it (Robert Hyatt,
//! Ernst A. Heinz); its own page is not among them. Tables: attacks by line, square and index, 128 KB, and 2 KB of places.
//! Needs nothing.
//! Diagonals are skewed, two to a byte, in place of the packed diamond that tables of shifts and lengths describe: every
//! square keeps its file, so the index is cut out as for ranks, and the table ignores what the other diagonal puts in it.

mod indices;

pub use indices::{RotatedIndices, RotatedLines};

use super::line_tables::LineAttacks;
use super::pictures::{self, Picture};
use super::rotate::{boards, places};
use super::{Backend, Card, Needs, Reads, Sliders, Stateful, Unwatched};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

const TABLE_BYTES: usize = size_of::<LineAttacks>() + size_of::<[Boards; 64]>();

/// Files, ranks, diagonals and anti-diagonals as rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
struct Boards([u64; 4]);

/// By square, its bit on each of the four boards.
static BITS: [Boards; 64] = {
    let mut table = [Boards([0; 4]); 64];
    let mut i = 0;
    while i < 64 {
        table[i] = Boards(boards(Bitboard(1 << i)));
        i += 1;
    }
    table
};

/// Shared by both techniques of this folder: the index is the inner occupancy by rank for files, by file for the others.
static ATTACKS: LazyLock<Box<LineAttacks>> = LazyLock::new(|| Box::new(LineAttacks::by_place()));

/// Rotated bitboards behind the stateless trait: the boards are made anew for each lookup.
#[derive(Clone, Copy, Debug)]
pub struct Rotated(&'static LineAttacks);

/// The kept state: four boards.
#[derive(Clone, Copy, Debug)]
pub struct RotatedBoards {
    boards: Boards,
    attacks: &'static LineAttacks,
}

impl PartialEq for RotatedBoards {
    fn eq(&self, other: &RotatedBoards) -> bool {
        self.boards == other.boards
    }
}

impl RotatedBoards {
    #[inline(always)]
    fn along<R: Reads>(&self, line: usize, square: Square, reads: &mut R) -> Bitboard {
        let row = places(square)[line].index() & 56;
        self.attacks.get(line, square, (self.boards.0[line] >> row >> 1) as usize, reads)
    }
}

impl Stateful for RotatedBoards {
    fn new(occupied: Bitboard) -> RotatedBoards {
        RotatedBoards { boards: Boards(boards(occupied)), attacks: &ATTACKS }
    }

    #[inline(always)]
    fn toggle(&mut self, square: Square) {
        let bits = BITS[square.index()].0;
        for (board, bit) in self.boards.0.iter_mut().zip(bits) {
            *board ^= bit;
        }
    }

    #[inline(always)]
    fn rook(&self, square: Square) -> Bitboard {
        self.along(0, square, &mut Unwatched) | self.along(1, square, &mut Unwatched)
    }

    #[inline(always)]
    fn bishop(&self, square: Square) -> Bitboard {
        self.along(2, square, &mut Unwatched) | self.along(3, square, &mut Unwatched)
    }

    // The sets are disjoint. Four or-ed lookups the compiler would make one gather, which is slower.
    #[inline(always)]
    fn queen(&self, square: Square) -> Bitboard {
        self.rook(square) ^ self.bishop(square)
    }
}

impl Sliders for Rotated {
    const BACKEND: Backend = Backend::Rotated;
    const CARD: Card = Card {
        author: "Robert Hyatt, Ernst A. Heinz",
        idea: "four boards, each with one kind of line in its bytes; here made anew for each lookup",
        page: "Magic Bitboards, Congruent Modulo Bitboards (Rotated Bitboards)",
        needs: Needs::Nothing,
    };

    fn new() -> Rotated {
        Rotated(&ATTACKS)
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let kept = RotatedBoards { boards: Boards(boards(occupied)), attacks: self.0 };
        kept.along(0, square, reads) | kept.along(1, square, reads)
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let kept = RotatedBoards { boards: Boards(boards(occupied)), attacks: self.0 };
        kept.along(2, square, reads) | kept.along(3, square, reads)
    }

    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        RotatedBoards { boards: Boards(boards(occupied)), attacks: self.0 }.queen(square)
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let state = RotatedBoards { boards: Boards(boards(occupied)), attacks: self.0 };
        let line = |line: usize, name: &str, map: &str| {
            let board = state.boards.0[line];
            let row = places(square)[line].index() & 56;
            let inner = (board >> row >> 1) as usize & 63;
            [
                Picture::word(format!("The board {map}: each {name} is a row"), board),
                pictures::index(&format!("Inner squares of the slider's {name}, shifted down"), inner, 64),
                Picture::of(
                    format!("Looked up: attacks on the {name}"),
                    state.along(line, square, &mut Unwatched),
                ),
            ]
        };
        let file = line(0, "file", "mirrored at a1-h8");
        let diagonal = line(2, "diagonal", "with each file turned down by its number");
        pictures::with_attacks(file.into_iter().chain(diagonal), self, square, occupied)
    }
}
