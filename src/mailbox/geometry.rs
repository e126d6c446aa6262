//! The 0x88 board: square numbers `16 * rank + file`, so that one bit test (`& 0x88`) tells a square off the board, and the
//! difference of two squares tells everything about the way between them.
//! Must not know positions. Sources: pages "CPW-Engine Move(0x88)" and "Direction" (lookup by 0x88 difference) of the seed
//! documents.

use crate::types::Square;

/// A square number that is on no board.
pub(super) const NONE: u8 = 0x88;

/// Off the board, if this meets the number of a square.
pub(super) const OFF: u8 = 0x88;

// A piece is one bit for what it moves like, and the sign of its colour. An empty square is 0.
pub(super) const WHITE_PAWN: u8 = 1;
pub(super) const BLACK_PAWN: u8 = 2;
pub(super) const KNIGHT: u8 = 4;
pub(super) const BISHOP: u8 = 8;
pub(super) const ROOK: u8 = 16;
pub(super) const QUEEN: u8 = 32;
pub(super) const KING: u8 = 64;
pub(super) const BLACK: u8 = 128;
pub(super) const PAWN: u8 = WHITE_PAWN | BLACK_PAWN;
pub(super) const SLIDER: u8 = BISHOP | ROOK | QUEEN;

const fn signed<const N: usize>(steps: [i8; N]) -> [u8; N] {
    let mut bytes = [0; N];
    let mut i = 0;
    while i < N {
        bytes[i] = steps[i] as u8;
        i += 1;
    }
    bytes
}

/// Steps are added with wrapping.
pub(super) const DIAGONALS: [u8; 4] = signed([15, 17, -15, -17]);
pub(super) const LINES: [u8; 4] = signed([1, 16, -1, -16]);
pub(super) const RAYS: [u8; 8] = signed([1, 16, -1, -16, 15, 17, -15, -17]);
pub(super) const JUMPS: [u8; 8] = signed([33, 31, 18, 14, -33, -31, -18, -14]);

/// The number of a square.
#[inline(always)]
pub(super) const fn number(square: Square) -> u8 {
    let index = square.index() as u8;
    index + (index & 56)
}

/// The square of a number that is on the board.
#[inline(always)]
pub(super) const fn square(number: u8) -> Square {
    Square::new((number + (number & 7)) >> 1)
}

/// The index of "from `from` to `to`" in the tables below.
#[inline(always)]
pub(super) const fn difference(from: u8, to: u8) -> usize {
    to.wrapping_sub(from).wrapping_add(0x77) as usize
}

struct Tables {
    reach: [u8; 256],
    step: [u8; 256],
}

/// Pieces (bits) that attack over this difference on an empty board.
#[inline(always)]
pub(super) fn reach(from: u8, to: u8) -> u8 {
    TABLES.reach[difference(from, to)]
}

/// The step of the line from `from` to `to`; 0 if they are on none.
#[inline(always)]
pub(super) fn step(from: u8, to: u8) -> u8 {
    TABLES.step[difference(from, to)]
}

static TABLES: Tables = make();

const fn make() -> Tables {
    let mut tables = Tables { reach: [0; 256], step: [0; 256] };
    let mut ray = 0;
    while ray < 8 {
        let pieces = if ray < 4 { ROOK | QUEEN } else { BISHOP | QUEEN };
        let mut length = 1;
        let mut to = RAYS[ray];
        while length < 8 {
            let index = difference(0, to);
            tables.reach[index] |= if length == 1 { pieces | KING } else { pieces };
            tables.step[index] = RAYS[ray];
            to = to.wrapping_add(RAYS[ray]);
            length += 1;
        }
        tables.reach[difference(0, JUMPS[ray])] |= KNIGHT;
        ray += 1;
    }
    let mut side = 0;
    while side < 2 {
        // The first two diagonals go up the board.
        tables.reach[difference(0, DIAGONALS[side])] |= WHITE_PAWN;
        tables.reach[difference(0, DIAGONALS[side + 2])] |= BLACK_PAWN;
        side += 1;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_squares_are_one_to_one() {
        for s in Square::all() {
            assert_eq!(square(number(s)), s);
            assert_eq!(number(s) & OFF, 0);
            assert_eq!((number(s) & 7, number(s) >> 4), (s.file(), s.rank()));
        }
    }

    /// What a difference says is what files and ranks say.
    #[test]
    fn differences_tell_the_way() {
        for from in Square::all() {
            for to in Square::all().filter(|&to| to != from) {
                let (x, y) = (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8);
                let mut pieces = 0;
                if x == 0 || y == 0 {
                    pieces |= ROOK | QUEEN;
                }
                if x.abs() == y.abs() {
                    pieces |= BISHOP | QUEEN;
                }
                if x.abs().max(y.abs()) == 1 {
                    pieces |= KING;
                }
                if (x * y).abs() == 2 {
                    pieces |= KNIGHT;
                }
                if x.abs() == 1 && y.abs() == 1 {
                    pieces |= if y == 1 { WHITE_PAWN } else { BLACK_PAWN };
                }
                let (a, b) = (number(from), number(to));
                assert_eq!(reach(a, b), pieces, "{from}{to}");
                let expected = if pieces & QUEEN == 0 { 0 } else { (16 * y.signum() + x.signum()) as u8 };
                assert_eq!(step(a, b), expected, "{from}{to}");
            }
        }
    }
}
