//! Attacks that no occupancy changes: knights, kings, pawns, rays and lines of the empty board. Computed by the compiler.
//! Source: page "On an empty Board" of the seed documents.

pub mod calculated;

use crate::types::{Bitboard, Color, Square};

/// The eight directions as (file step, rank step): the four whose squares have higher numbers first.
pub const DIRECTIONS: [(i8, i8); 8] = [(0, 1), (1, 0), (1, 1), (-1, 1), (0, -1), (-1, 0), (-1, -1), (1, -1)];

const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

const fn steps(square: usize, steps: &[(i8, i8)]) -> u64 {
    let mut set = 0;
    let mut i = 0;
    while i < steps.len() {
        let file = (square & 7) as i8 + steps[i].0;
        let rank = (square >> 3) as i8 + steps[i].1;
        if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
            set |= 1 << (rank * 8 + file);
        }
        i += 1;
    }
    set
}

const fn step_table(moves: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = Bitboard(steps(square, moves));
        square += 1;
    }
    table
}

const fn ray_from(square: usize, direction: (i8, i8)) -> u64 {
    let mut set = 0;
    let mut file = (square & 7) as i8 + direction.0;
    let mut rank = (square >> 3) as i8 + direction.1;
    while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
        set |= 1 << (rank * 8 + file);
        file += direction.0;
        rank += direction.1;
    }
    set
}

const fn ray_tables() -> [[Bitboard; 64]; 8] {
    let mut table = [[Bitboard::EMPTY; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let mut square = 0;
        while square < 64 {
            table[direction][square] = Bitboard(ray_from(square, DIRECTIONS[direction]));
            square += 1;
        }
        direction += 1;
    }
    table
}

/// The union of four rays: from `first` on, those of rooks (0) or bishops (2).
const fn star_table(first: usize) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < 4 {
            table[square].0 |= RAYS[first + i % 2 + i / 2 * 4][square].0;
            i += 1;
        }
        square += 1;
    }
    table
}

/// (between, line) for every pair of squares.
const fn pair_tables() -> ([[Bitboard; 64]; 64], [[Bitboard; 64]; 64]) {
    let mut between = [[Bitboard::EMPTY; 64]; 64];
    let mut line = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut direction = 0;
        while direction < 8 {
            let ray = RAYS[direction][a].0;
            let back = RAYS[(direction + 4) % 8][a].0;
            let mut rest = ray;
            while rest != 0 {
                let b = rest.trailing_zeros() as usize;
                between[a][b] = Bitboard(ray & RAYS[(direction + 4) % 8][b].0);
                line[a][b] = Bitboard(ray | back | 1 << a);
                rest &= rest - 1;
            }
            direction += 1;
        }
        a += 1;
    }
    (between, line)
}

static KNIGHT: [Bitboard; 64] = step_table(&KNIGHT_STEPS);
static KING: [Bitboard; 64] = step_table(&DIRECTIONS);
static ROOK: [Bitboard; 64] = star_table(0);
static BISHOP: [Bitboard; 64] = star_table(2);
static PAWN: [[Bitboard; 64]; 2] = [step_table(&[(-1, 1), (1, 1)]), step_table(&[(-1, -1), (1, -1)])];
const RAYS: [[Bitboard; 64]; 8] = ray_tables();
static RAY: [[Bitboard; 64]; 8] = RAYS;
static BETWEEN: [[Bitboard; 64]; 64] = pair_tables().0;
static LINE: [[Bitboard; 64]; 64] = pair_tables().1;

/// Squares a knight attacks.
#[inline(always)]
pub const fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// Squares a king attacks.
#[inline(always)]
pub const fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// Squares a pawn of this colour attacks.
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The ray from `square` (itself not in it) in the direction with this index in [`DIRECTIONS`].
#[inline(always)]
pub fn ray(direction: usize, square: Square) -> Bitboard {
    *ray_place(direction, square)
}

/// Where the table has it.
#[inline(always)]
pub(super) fn ray_place(direction: usize, square: Square) -> &'static Bitboard {
    &RAY[direction & 7][square.index()]
}

/// The squares strictly between two squares of one line; empty if they share none.
#[inline(always)]
pub const fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole line (edge to edge, both squares in it) through two squares; empty if they share none or are equal.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

/// Rook attacks on an empty board.
#[inline(always)]
pub const fn rook(square: Square) -> Bitboard {
    ROOK[square.index()]
}

/// Bishop attacks on an empty board.
#[inline(always)]
pub const fn bishop(square: Square) -> Bitboard {
    BISHOP[square.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitboard;

    #[test]
    fn knight_and_king_sums_are_the_published_influence_quantities() {
        // Page "Influence Quantity": 336 knight, 420 king, 560 bishop, 896 rook moves on the empty board.
        let sum = |attacks: fn(Square) -> Bitboard| Square::all().map(|s| attacks(s).count()).sum::<u32>();
        assert_eq!((sum(knight), sum(king), sum(bishop), sum(rook)), (336, 420, 560, 896));
    }

    #[test]
    fn line_and_between_of_a_diagonal() {
        let expected = bitboard! {
            . . . . . . . X
            . . . . . . X .
            . . . . . X . .
            . . . . X . . .
            . . . X . . . .
            . . X . . . . .
            . X . . . . . .
            X . . . . . . .
        };
        assert_eq!(line(Square::C3, Square::F6), expected);
        assert_eq!(between(Square::C3, Square::F6), Bitboard::EMPTY.with(Square::D4).with(Square::E5));
        assert_eq!(between(Square::A1, Square::B3), Bitboard::EMPTY);
    }
}
