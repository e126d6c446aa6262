//! The oracle: walks each ray square by square. Slow, without tables, and plainly right; every other technique is
//! compared with it.

use super::pictures::{self, Picture};
use super::{Backend, Card, Needs, Sliders};
use crate::types::{Bitboard, Square};

/// The slow, obviously right technique.
#[derive(Clone, Copy, Debug)]
pub struct Oracle;

const ROOK: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

fn walk(square: Square, occupied: Bitboard, steps: [(i8, i8); 4]) -> Bitboard {
    let mut attacks = Bitboard::EMPTY;
    for (file_step, rank_step) in steps {
        let (mut file, mut rank) = (square.file() as i8 + file_step, square.rank() as i8 + rank_step);
        while (0..8).contains(&file) && (0..8).contains(&rank) {
            let target = Square::at(file as u8, rank as u8);
            attacks = attacks.with(target);
            if occupied.has(target) {
                break;
            }
            file += file_step;
            rank += rank_step;
        }
    }
    attacks
}

impl Sliders for Oracle {
    const BACKEND: Backend = Backend::Oracle;
    const CARD: Card = Card {
        author: "-",
        idea: "walks every ray square by square: slow and obviously right, the judge of the others",
        page: "On an empty Board",
        needs: Needs::Nothing,
    };

    fn new() -> Oracle {
        Oracle
    }

    fn table_bytes(self) -> usize {
        0
    }

    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        walk(square, occupied, ROOK)
    }

    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        walk(square, occupied, [(1, 1), (1, -1), (-1, -1), (-1, 1)])
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let walked = ROOK.into_iter().zip(["up", "right", "down", "left"]).map(|(step, name)| {
            let ray = walk(square, occupied, [step; 4]);
            let stop = (ray & occupied).first();
            let end =
                stop.map_or("the edge ends it".to_owned(), |at| format!("{at} is occupied and ends it"));
            Picture::of(format!("The walk {name}, square by square: {end}"), ray)
        });
        pictures::with_attacks(walked, self, square, occupied)
    }
}
