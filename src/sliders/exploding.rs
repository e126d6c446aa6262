//! Exploding bitboards: from the slider's square the attacks spread along all its rays at once, like a wave; one
//! multiplication moves every square of the wave's front to all neighbours in the slider's directions, and a mask keeps what
//! lies on the rays. Source: page "Exploding Bitboards" of the seed documents (Harald Lüßen, engine Elephant).
//! Different here: a1 is bit 0, not h1; six steps without a branch instead of a number per square; and the faults of the
//! page's rook, whose first step adds up to four bits on one square and carries into the ray or wraps round the board
//! (repaired there bit by bit, with another table for the first rank), do not arise: that step multiplies files and ranks
//! apart, and a front is only what was not attacked before. A rook on the first rank, whose neighbours a shift down would
//! lose, is answered on the board upside down.
//! Tables: four masks per square, 2 KB. Needs nothing.

use super::{Backend, Card, Needs, Reads, Sliders, empty};
use crate::sliders::pictures::{self, Picture};
use crate::types::{Bitboard, Square};

/// Steps to (±1, ±1) from a board shifted down by 9: 9 - 9, 9 - 7, 9 + 7, 9 + 9.
const DIAGONALS: u64 = 1 | 1 << 2 | 1 << 16 | 1 << 18;
/// Steps to the four neighbours from a board shifted down by 8: 8 - 8, 8 - 1, 8 + 1, 8 + 8.
const STRAIGHTS: u64 = 1 | 1 << 7 | 1 << 9 | 1 << 16;

#[derive(Clone, Copy)]
struct Entry {
    file: u64,
    rank: u64,
    bishop: u64,
    king: u64,
}

const fn entries() -> [Entry; 64] {
    let mut table = [Entry { file: 0, rank: 0, bishop: 0, king: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        let at = Square::new(square as u8);
        let file = Bitboard::FILE_A.0 << (square & 7) & !(1 << square);
        let rank = Bitboard::RANK_1.0 << (square & 56) & !(1 << square);
        table[square] = Entry { file, rank, bishop: empty::bishop(at).0, king: empty::king(at).0 };
        square += 1;
    }
    table
}

static ENTRIES: [Entry; 64] = entries();

/// Waves by multiplication.
#[derive(Clone, Copy, Debug)]
pub struct Exploding;

impl Sliders for Exploding {
    const BACKEND: Backend = Backend::Exploding;
    const CARD: Card = Card {
        author: "Harald Lüßen",
        idea: "a wave along all rays, moved on by one multiplication per step",
        page: "Exploding Bitboards",
        needs: Needs::Nothing,
    };

    fn new() -> Exploding {
        Exploding
    }

    fn table_bytes(self) -> usize {
        size_of_val(&ENTRIES)
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let upside_down = square.rank() == 0;
        let entry = reads.at(&ENTRIES[square.index() ^ if upside_down { 56 } else { 0 }]);
        let free = !if upside_down { occupied.flip() } else { occupied }.0;
        let rays = entry.file | entry.rank;
        let mut attacks = entry.king & rays;
        // Straight neighbours of the first ring meet on the slider's square, beside it and across the board's edge.
        let along = |line: u64| ((attacks & free & line) >> 8).wrapping_mul(STRAIGHTS) & line;
        let mut front = (along(entry.file) | along(entry.rank)) & !attacks;
        attacks |= front;
        for _ in 0..5 {
            front = ((front & free) >> 8).wrapping_mul(STRAIGHTS) & rays & !attacks;
            attacks |= front;
        }
        if upside_down { Bitboard(attacks).flip() } else { Bitboard(attacks) }
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        let entry = reads.at(&ENTRIES[square.index()]);
        let mut front = entry.king & entry.bishop;
        let mut attacks = front;
        for _ in 0..6 {
            front = ((front & !occupied.0) >> 9).wrapping_mul(DIAGONALS) & entry.bishop & !attacks;
            attacks |= front;
        }
        Bitboard(attacks)
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let attacks = self.queen(square, occupied);
        let distance = |to: Square| square.file().abs_diff(to.file()).max(square.rank().abs_diff(to.rank()));
        let wave = |steps: u8| {
            let within = attacks.into_iter().filter(|&to| distance(to) <= steps);
            let within = within.fold(Bitboard::EMPTY, |all, to| all.with(to));
            Picture::of(format!("A queen's wave after step {steps}: stopped by whom it met"), within)
        };
        let mut waves: Vec<Picture> = (1..=7).map(wave).collect();
        waves.dedup_by_key(|wave| wave.set);
        pictures::with_attacks(waves, self, square, occupied)
    }
}
