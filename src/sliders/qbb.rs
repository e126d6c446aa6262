//! QBB: no table at all. In each direction the board's edge is added to the blockers, so that there is always a nearest
//! one, found by counting zeros; a line pattern shifted to the nearest blocker above and one shifted to the nearest below
//! overlap in what lies between. Source: the engine QBBEngine (Fabio Gobbato), not in the seed documents.
//! Different here: QBBEngine takes its own square out by exclusive or and so must have it among the occupied; ours is
//! masked and may be either. Tables: none. Needs nothing (fast with LZCNT and TZCNT).

use super::pictures::{self, Picture};
use super::{Backend, Card, Needs, Sliders};
use crate::types::{Bitboard, Square};

const RANKS: u64 = 0xff00_0000_0000_00ff;
const RANK_8: u64 = RANKS & !0xff;
const RANK_1: u64 = 0xff;
const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// A line: the pattern that starts at bit 0, the one that ends at bit 63, and the edges that stop it above and below.
struct Line {
    start: u64,
    end: u64,
    above: u64,
    below: u64,
}

const FILE: Line = Line { start: FILE_A, end: FILE_H, above: RANK_8, below: RANK_1 };
const RANK: Line = Line { start: 0xff, end: 0xff << 56, above: FILE_H, below: FILE_A };
const DIAGONAL: Line = Line {
    start: 0x8040_2010_0804_0201,
    end: 0x8040_2010_0804_0201,
    above: RANK_8 | FILE_H,
    below: RANK_1 | FILE_A,
};
const ANTI: Line = Line {
    start: 0x8102_0408_1020_4081,
    end: 0x8102_0408_1020_4081,
    above: RANK_8 | FILE_A,
    below: RANK_1 | FILE_H,
};

impl Line {
    /// The squares between the nearest blockers, these and the slider's own square included. `occupied` is without it.
    #[inline(always)]
    const fn between_blockers(&self, square: u32, occupied: u64) -> u64 {
        // Neither is empty: every line meets an edge. Where the pattern wraps round, the edge has stopped it before.
        let above = self.start << square & (occupied | self.above);
        let below = self.end >> (63 - square) & (occupied | self.below);
        self.end >> (63 ^ above.trailing_zeros() & 63) & self.start << (63 ^ below.leading_zeros() & 63)
    }
}

/// Nearest blockers by counting zeros; no table.
#[derive(Clone, Copy, Debug)]
pub struct Qbb;

impl Sliders for Qbb {
    const BACKEND: Backend = Backend::Qbb;
    const CARD: Card = Card {
        author: "Fabio Gobbato",
        idea: "line patterns shifted to the nearest blockers, which zero counts find; no table",
        page: "QBBEngine",
        needs: Needs::Nothing,
    };

    fn new() -> Qbb {
        Qbb
    }

    fn table_bytes(self) -> usize {
        0
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let others = occupied.without(square).0;
        let at = square.index() as u32;
        Bitboard(FILE.between_blockers(at, others) | RANK.between_blockers(at, others)).without(square)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let others = occupied.without(square).0;
        let at = square.index() as u32;
        Bitboard(DIAGONAL.between_blockers(at, others) | ANTI.between_blockers(at, others)).without(square)
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let (at, others) = (square.index() as u32, occupied.without(square).0);
        let above = DIAGONAL.start << at & (others | DIAGONAL.above);
        let below = DIAGONAL.end >> (63 - at) & (others | DIAGONAL.below);
        let (first, last) = (above.trailing_zeros() & 63, below.leading_zeros() & 63);
        let steps = [
            Picture::of("Blockers and edges upwards on the diagonal", Bitboard(above)),
            Picture::of("Blockers and edges downwards", Bitboard(below)),
            Picture::of(
                "The pattern that ends at the nearest one above",
                Bitboard(DIAGONAL.end >> (63 ^ first)),
            ),
            Picture::of(
                "The pattern that starts at the nearest one below",
                Bitboard(DIAGONAL.start << (63 ^ last)),
            ),
            Picture::of(
                "Where they overlap; without the slider its attacks",
                Bitboard(DIAGONAL.between_blockers(at, others)),
            ),
        ];
        pictures::with_attacks(steps, self, square, occupied)
    }
}
