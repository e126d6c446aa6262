//! Knight distance: how many moves a knight needs from one square to another on the empty board, 0 to 6, four ways.
//!
//! The fill is the definition; the tables are made from it by the compiler. Must not know occupancy. Source: page
//! "Knight-Distance" of the seed documents.

use super::direction::{apart, difference_0x88};
use crate::types::{Bitboard, Square};

/// One way to tell the distance.
#[derive(Clone, Copy, Debug)]
pub struct KnightDistance {
    /// The permanent name.
    pub id: &'static str,
    /// One line: how it works, and the size of its table.
    pub about: &'static str,
    pub run: fn(Square, Square) -> u8,
}

/// All ways.
pub static KNIGHT_DISTANCE: [KnightDistance; 4] = [
    KnightDistance {
        id: "fill",
        about: "counts the rounds of a knight's fill; no table",
        run: knight_distance_by_fill,
    },
    KnightDistance { id: "pair", about: "64 x 64 lookup; 4 KiB", run: knight_distance },
    KnightDistance {
        id: "difference-0x88",
        about: "lookup by the difference of 0x88 coordinates, and a condition for corners; 240 bytes",
        run: knight_distance_by_0x88,
    },
    KnightDistance {
        id: "absolute",
        about: "lookup by absolute rank and file distance, and a condition for corners; 64 bytes",
        run: knight_distance_by_absolute,
    },
];

/// What is added for diagonal neighbours if one of them is a corner, which has no way round.
const CORNER_DETOUR: u8 = 2;
const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);

/// The knight attacks of all squares of a set at once.
const fn spread(set: u64) -> u64 {
    const NOT_A: u64 = !Bitboard::FILE_A.0;
    const NOT_H: u64 = !Bitboard::FILE_H.0;
    const NOT_AB: u64 = NOT_A & NOT_A << 1;
    const NOT_GH: u64 = NOT_H & NOT_H >> 1;
    let one = set << 1 & NOT_A | set >> 1 & NOT_H;
    let two = set << 2 & NOT_AB | set >> 2 & NOT_GH;
    one << 16 | one >> 16 | two << 8 | two >> 8
}

/// The least number of knight moves from a square of one set to a square of the other; `None` if one of them is empty.
pub const fn knight_set_distance(from: Bitboard, to: Bitboard) -> Option<u8> {
    if from.0 == 0 || to.0 == 0 {
        return None;
    }
    let mut reached = from.0;
    let mut moves = 0;
    // From every square all squares are reached; squares of both colours in turn, so that earlier ones must not be kept.
    while reached & to.0 == 0 {
        reached = spread(reached);
        moves += 1;
    }
    Some(moves)
}

const fn pairs() -> [[u8; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut seen = 1_u64 << from;
        let mut rim = seen;
        let mut moves = 1;
        while seen != u64::MAX {
            rim = spread(rim) & !seen;
            seen |= rim;
            let mut rest = rim;
            while rest != 0 {
                table[from][rest.trailing_zeros() as usize] = moves;
                rest &= rest - 1;
            }
            moves += 1;
        }
        from += 1;
    }
    table
}

const PAIRS: [[u8; 64]; 64] = pairs();
static BY_PAIR: [[u8; 64]; 64] = PAIRS;

/// By 8 × rank distance + file distance, away from corners.
static BY_ABSOLUTE: [u8; 64] = {
    let mut table = [0; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = least(index as i8 % 8, index as i8 / 8);
        index += 1;
    }
    table
};

static BY_DIFFERENCE: [u8; 240] = {
    let mut table = [0; 240];
    let mut difference = 0;
    while difference < 240 {
        if let Some((file, rank)) = apart(difference) {
            table[difference] = least(file.abs(), rank.abs());
        }
        difference += 1;
    }
    table
};

/// The least distance of two squares that are so many files and ranks apart.
const fn least(files: i8, ranks: i8) -> u8 {
    let mut least = u8::MAX;
    let mut from = 0;
    while from < 64 {
        let (file, rank) = (from % 8 + files as usize, from / 8 + ranks as usize);
        if file < 8 && rank < 8 && PAIRS[from][rank * 8 + file] < least {
            least = PAIRS[from][rank * 8 + file];
        }
        from += 1;
    }
    least
}

/// By a table of all pairs of squares, the fastest.
#[inline]
pub fn knight_distance(from: Square, to: Square) -> u8 {
    BY_PAIR[from.index()][to.index()]
}

/// By counting the rounds of a fill.
pub fn knight_distance_by_fill(from: Square, to: Square) -> u8 {
    // Neither set is empty.
    knight_set_distance(Bitboard::square(from), Bitboard::square(to)).unwrap_or(0)
}

/// By the difference of 0x88 coordinates.
#[inline]
pub fn knight_distance_by_0x88(from: Square, to: Square) -> u8 {
    let difference = difference_0x88(from, to);
    let diagonal_neighbours = matches!(difference.abs_diff(120), 15 | 17);
    BY_DIFFERENCE[difference] + detour(diagonal_neighbours, from, to)
}

/// By absolute rank and file distance.
#[inline]
pub fn knight_distance_by_absolute(from: Square, to: Square) -> u8 {
    let index = 8 * from.rank().abs_diff(to.rank()) + from.file().abs_diff(to.file());
    BY_ABSOLUTE[usize::from(index)] + detour(index == 9, from, to)
}

#[inline(always)]
fn detour(diagonal_neighbours: bool, from: Square, to: Square) -> u8 {
    let corner = CORNERS.has(from) || CORNERS.has(to);
    CORNER_DETOUR * u8::from(diagonal_neighbours && corner)
}
