//! Influence quantities: how many moves with different from and to squares a piece has on the empty board, from each
//! square and in all, and a number without gaps for each of them (a minimal perfect hash).
//!
//! Pawns count on ranks 2 to 7, with pushes, double pushes and captures; what they become does not count here.
//! Must not know occupancy or castling. Source: page "Influence Quantity of Pieces" of the seed documents.

use super::direction::Direction;
use crate::types::{Bitboard, Color, Piece, Role, Square};

/// White pawn, black pawn, then the other roles in their order.
const fn row(piece: Piece) -> usize {
    match piece.role {
        Role::Pawn => piece.color.index(),
        role => role.index() + 1,
    }
}

const fn step(set: u64, direction: Direction, from: Square) -> u64 {
    match direction.from(from) {
        Some(to) => set | 1 << to.index(),
        None => set,
    }
}

const fn slide(set: u64, direction: Direction, from: Square) -> u64 {
    let mut set = set;
    let mut square = from;
    while let Some(to) = direction.from(square) {
        set |= 1 << to.index();
        square = to;
    }
    set
}

const fn pawn(color: Color, from: Square) -> u64 {
    if from.rank() == 0 || from.rank() == 7 {
        return 0;
    }
    let (ahead, captures, home) = match color {
        Color::White => (Direction::North, [Direction::NorthWest, Direction::NorthEast], 1),
        Color::Black => (Direction::South, [Direction::SouthWest, Direction::SouthEast], 6),
    };
    let mut set = step(step(step(0, ahead, from), captures[0], from), captures[1], from);
    if from.rank() == home
        && let Some(over) = ahead.from(from)
    {
        set = step(set, ahead, over);
    }
    set
}

const fn piece_targets(role: Role, from: Square) -> u64 {
    let mut set = 0;
    let mut index = 0;
    while index < 16 {
        let direction = Direction::new(index);
        // Rays stand first, orthogonal ones with even numbers.
        set = match (role, direction.is_knight(), index % 2 == 0) {
            (Role::Knight, true, _) | (Role::King, false, _) => step(set, direction, from),
            (Role::Queen, false, _) | (Role::Rook, false, true) | (Role::Bishop, false, false) => {
                slide(set, direction, from)
            }
            _ => set,
        };
        index += 1;
    }
    set
}

const fn all_targets() -> [[Bitboard; 64]; 7] {
    let mut table = [[Bitboard::EMPTY; 64]; 7];
    let mut square = 0;
    while square < 64 {
        let from = Square::new(square as u8);
        table[0][square] = Bitboard(pawn(Color::White, from));
        table[1][square] = Bitboard(pawn(Color::Black, from));
        let mut role = 1;
        while role < 6 {
            table[role + 1][square] = Bitboard(piece_targets(Role::ALL[role], from));
            role += 1;
        }
        square += 1;
    }
    table
}

/// How many moves start on lower squares.
const fn all_firsts() -> [[u16; 65]; 7] {
    let mut table = [[0; 65]; 7];
    let mut row = 0;
    while row < 7 {
        let mut square = 0;
        while square < 64 {
            table[row][square + 1] = table[row][square] + TARGETS[row][square].count() as u16;
            square += 1;
        }
        row += 1;
    }
    table
}

static TARGETS: [[Bitboard; 64]; 7] = all_targets();
static FIRST: [[u16; 65]; 7] = all_firsts();

/// Where a piece can go from a square of the empty board; a pawn's captures are among them.
#[inline(always)]
pub fn targets(piece: Piece, from: Square) -> Bitboard {
    TARGETS[row(piece)][from.index()]
}

/// The number of moves from a square.
pub fn moves_from(piece: Piece, from: Square) -> u32 {
    targets(piece, from).count()
}

/// The influence quantity: the number of moves from all squares.
pub fn quantity(piece: Piece) -> u32 {
    FIRST[row(piece)][64].into()
}

/// The influence quantity of a piece that starts on `from`: only moves it can ever make count, so that a bishop has half of
/// its kind's and a pawn what lies ahead of it.
pub fn quantity_of_one(piece: Piece, from: Square) -> u32 {
    reachable(piece, from).into_iter().map(|square| moves_from(piece, square)).sum()
}

/// The squares a piece can come to stand on, its start among them.
pub fn reachable(piece: Piece, from: Square) -> Bitboard {
    let mut reached = Bitboard::from(from);
    loop {
        let next = reached.into_iter().fold(reached, |set, square| set | targets(piece, square));
        if next == reached {
            return reached;
        }
        reached = next;
    }
}

/// The squares of one of the four rings around the centre: 0 is the edge, 3 the centre.
pub fn ring(number: u8) -> Bitboard {
    let from_edge = |line: u8| line.min(7 - line);
    Square::all().filter(|square| from_edge(square.file()).min(from_edge(square.rank())) == number).collect()
}

/// The number of a move among all moves of its piece, from 0 to [`quantity`] - 1: by from square, then by to square. `None`
/// if the piece has no such move.
#[inline]
pub fn number(piece: Piece, from: Square, to: Square) -> Option<u16> {
    let targets = targets(piece, from);
    let below = targets & Bitboard((1 << to.index()) - 1);
    targets.has(to).then(|| FIRST[row(piece)][from.index()] + below.count() as u16)
}

/// The move with this number: from and to square.
pub fn by_number(piece: Piece, number: u16) -> Option<(Square, Square)> {
    let firsts = &FIRST[row(piece)];
    let from = firsts.partition_point(|&first| first <= number).checked_sub(1).filter(|&from| from < 64)?;
    let from = Square::new(from as u8);
    let to = targets(piece, from).into_iter().nth(usize::from(number - firsts[from.index()]))?;
    Some((from, to))
}
