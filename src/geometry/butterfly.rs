//! The from-to board of 64 × 64: what lies between two squares, which entries a move can have, and the plot whose empty
//! entries gave it its name.
//!
//! Must not know what is counted in such boards. Source: page "Butterfly Boards" of the seed documents, after D. Hartmann,
//! "Butterfly Boards", ICCA Journal 11 (1988).

use crate::types::Square;
use std::fmt::Write;
use std::ops::RangeInclusive;

/// Entries of a from-to board.
pub const ENTRIES: usize = 64 * 64;

/// The place of a move in a from-to board: 12 bits, from above to.
#[inline(always)]
pub const fn index(from: Square, to: Square) -> usize {
    from.index() << 6 | to.index()
}

/// What kind of move leads from one square to another. The five that are moves exclude each other; a queen has the first
/// four, a king and a pawn some of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    Rank,
    File,
    Diagonal,
    AntiDiagonal,
    Knight,
    /// No piece moves like this, or the squares are equal.
    None,
}

impl Relation {
    /// The mark in a plot.
    pub const fn mark(self) -> char {
        match self {
            Relation::Rank => '-',
            Relation::File => '|',
            Relation::Diagonal => '/',
            Relation::AntiDiagonal => '\\',
            Relation::Knight => '~',
            Relation::None => '#',
        }
    }
}

/// What kind of move leads from one square to another.
pub const fn relation(from: Square, to: Square) -> Relation {
    let files = from.file().abs_diff(to.file());
    let ranks = from.rank().abs_diff(to.rank());
    match (files, ranks) {
        (0, 0) => Relation::None,
        (_, 0) => Relation::Rank,
        (0, _) => Relation::File,
        (1, 2) | (2, 1) => Relation::Knight,
        _ if files != ranks => Relation::None,
        _ if (from.file() < to.file()) == (from.rank() < to.rank()) => Relation::Diagonal,
        _ => Relation::AntiDiagonal,
    }
}

/// How many entries of a from-to board are moves of a rook, a bishop, a knight.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Entries {
    pub rook: u32,
    pub bishop: u32,
    pub knight: u32,
}

impl Entries {
    /// Those of a square of the board from `range` to `range`.
    pub fn of(range: RangeInclusive<Square>) -> Entries {
        squares(&range).fold(Entries::default(), |sum, from| {
            squares(&range).fold(sum, |sum, to| sum.with(relation(from, to)))
        })
    }

    /// Those of one row: moves from one square.
    pub fn from(from: Square) -> Entries {
        Square::all().fold(Entries::default(), |sum, to| sum.with(relation(from, to)))
    }

    fn with(mut self, relation: Relation) -> Entries {
        match relation {
            Relation::Rank | Relation::File => self.rook += 1,
            Relation::Diagonal | Relation::AntiDiagonal => self.bishop += 1,
            Relation::Knight => self.knight += 1,
            Relation::None => {}
        }
        self
    }

    pub const fn total(self) -> u32 {
        self.rook + self.bishop + self.knight
    }
}

fn squares(range: &RangeInclusive<Square>) -> impl Iterator<Item = Square> + use<> {
    (range.start().index()..=range.end().index()).map(|index| Square::new(index as u8))
}

/// One row of the plot: a mark for each square of `range`.
pub fn row(from: Square, range: RangeInclusive<Square>) -> String {
    squares(&range).map(|to| relation(from, to).mark()).collect()
}

/// The plot: files and ranks of the to squares above, a row for each from square with its name behind it. The
/// whole board shows seven butterflies of `#` along the diagonal.
pub fn plot(range: RangeInclusive<Square>) -> String {
    let mut text = String::new();
    for at in [0, 1] {
        let marks = squares(&range).filter_map(|square| square.to_string().chars().nth(at));
        text.extend(marks);
        text.push('\n');
    }
    for from in squares(&range) {
        let _ = writeln!(text, "{} {from}", row(from, range.clone()));
    }
    text
}
