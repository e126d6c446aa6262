//! Classical approach: for each ray the empty-board attack, cut off behind the first blocker that a bit scan finds.
//! Source: page "On an empty Board" (rays) of the seed documents. Tables: eight rays per square, 4 KB.

use super::pictures::{self, Picture};
use super::{Backend, Card, Needs, Reads, Sliders, empty};
use crate::types::{Bitboard, Square};

const TABLE_BYTES: usize = 8 * 64 * 8;

/// Ray lookup and bit scan.
#[derive(Clone, Copy, Debug)]
pub struct Classical;

/// A ray towards higher square numbers: the first blocker is the lowest bit.
#[inline(always)]
fn upward<R: Reads>(direction: usize, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
    let ray = *reads.at(empty::ray_place(direction, square));
    // h8 ends every upward ray and no ray starts behind it, so it serves as a blocker where there is none.
    let blocker = Square::new(((ray & occupied).0 | 1 << 63).trailing_zeros() as u8);
    ray ^ *reads.at(empty::ray_place(direction, blocker))
}

/// A ray towards lower square numbers: the first blocker is the highest bit.
#[inline(always)]
fn downward<R: Reads>(direction: usize, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
    let ray = *reads.at(empty::ray_place(direction, square));
    let blocker = Square::new(63 - ((ray & occupied).0 | 1).leading_zeros() as u8);
    ray ^ *reads.at(empty::ray_place(direction, blocker))
}

impl Sliders for Classical {
    const BACKEND: Backend = Backend::Classical;
    const CARD: Card = Card {
        author: "Gerd Isenberg",
        idea: "ray lookup, and a bit scan for the first blocker of each ray",
        page: "On an empty Board",
        needs: Needs::Nothing,
    };

    fn new() -> Classical {
        Classical
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        upward(0, square, occupied, reads)
            | upward(1, square, occupied, reads)
            | downward(4, square, occupied, reads)
            | downward(5, square, occupied, reads)
    }

    #[inline(always)]
    fn bishop_through<R: Reads>(self, square: Square, occupied: Bitboard, reads: &mut R) -> Bitboard {
        upward(2, square, occupied, reads)
            | upward(3, square, occupied, reads)
            | downward(6, square, occupied, reads)
            | downward(7, square, occupied, reads)
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let step = |direction: usize, name: &str, which: &str| {
            let ray = empty::ray(direction, square);
            let blockers = ray & occupied;
            let found = if direction < 4 { blockers.first() } else { blockers.last() };
            let behind = found.map_or(Bitboard::EMPTY, |blocker| empty::ray(direction, blocker));
            [
                Picture::of(format!("The ray {name} on the empty board"), ray),
                Picture::of(format!("Blockers on it; the first is the {which} bit"), blockers),
                Picture::of("The same ray from that blocker on: hidden", behind),
                Picture::of(format!("Ray without the hidden part: attacks {name}"), ray ^ behind),
            ]
        };
        let (up, down) = (step(2, "to the upper right", "lowest"), step(6, "to the lower left", "highest"));
        up.into_iter().chain(down).chain(pictures::attacks(self, square, occupied)).collect()
    }
}
