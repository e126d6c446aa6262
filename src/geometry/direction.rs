//! Directions: the eight rays, the eight knight jumps, and the angle between any two squares in degrees and in begrees.
//!
//! Must not know distance (a direction has none) or occupancy. Source: page "Direction" of the seed documents. Angles are
//! counted clockwise from north. The difference of two 0x88 coordinates tells direction and distance, so that one array
//! of 240 does what otherwise takes 64 × 64.

use crate::types::Square;
use std::sync::LazyLock;

/// A direction a move can have: clockwise from north, the rays first, then the knight's jumps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    North,
    NorthEast,
    East,
    SouthEast,
    South,
    SouthWest,
    West,
    NorthWest,
    NoNoEa,
    NoEaEa,
    SoEaEa,
    SoSoEa,
    SoSoWe,
    SoWeWe,
    NoWeWe,
    NoNoWe,
}

/// (file step, rank step) of each direction.
const STEPS: [(i8, i8); 16] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

impl Direction {
    pub const ALL: [Direction; 16] = [
        Direction::North,
        Direction::NorthEast,
        Direction::East,
        Direction::SouthEast,
        Direction::South,
        Direction::SouthWest,
        Direction::West,
        Direction::NorthWest,
        Direction::NoNoEa,
        Direction::NoEaEa,
        Direction::SoEaEa,
        Direction::SoSoEa,
        Direction::SoSoWe,
        Direction::SoWeWe,
        Direction::NoWeWe,
        Direction::NoNoWe,
    ];

    /// 0 to 15, the place in [`Direction::ALL`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The direction with this index; the upper bits are ignored.
    #[inline(always)]
    pub const fn new(index: usize) -> Direction {
        Direction::ALL[index & 15]
    }

    #[inline(always)]
    pub const fn is_knight(self) -> bool {
        self.index() >= 8
    }

    /// (file step, rank step) of a single step.
    #[inline(always)]
    pub const fn step(self) -> (i8, i8) {
        STEPS[self.index()]
    }

    /// What a single step adds to a square's index, 0 to 63: north is +8, east +1.
    pub const fn increment(self) -> i8 {
        let (file, rank) = self.step();
        8 * rank + file
    }

    /// The way back.
    #[must_use]
    #[inline(always)]
    pub const fn opposite(self) -> Direction {
        Direction::new(self.index() ^ 4)
    }

    /// The next square in this direction; `None` beyond the edge.
    #[inline]
    pub const fn from(self, square: Square) -> Option<Square> {
        let (file, rank) = self.step();
        let (file, rank) = (square.file() as i8 + file, square.rank() as i8 + rank);
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Some(Square::at(file as u8, rank as u8))
    }

    /// The compass name in syllables, as the page has it: `nort`, `noEa`, `noNoEa`.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; 16] = [
            "nort", "noEa", "east", "soEa", "sout", "soWe", "west", "noWe", "noNoEa", "noEaEa", "soEaEa",
            "soSoEa", "soSoWe", "soWeWe", "noWeWe", "noNoWe",
        ];
        NAMES[self.index()]
    }

    /// Clockwise from north, rounded.
    pub fn degrees(self) -> u16 {
        let (file, rank) = self.step();
        angle(file, rank)
    }

    /// Clockwise from north in board degrees: a multiple of 9.
    pub const fn begrees(self) -> u8 {
        let (file, rank) = self.step();
        rose(file, rank)
    }
}

/// The distance between two squares as 0x88 coordinates have it, made positive: 1 to 239, 120 for equal squares. It tells
/// file and rank difference apart, and so direction and distance.
#[inline(always)]
pub const fn difference_0x88(from: Square, to: Square) -> usize {
    const fn coordinate(square: Square) -> usize {
        square.index() + (square.index() | 7)
    }
    coordinate(to) + 120 - coordinate(from)
}

/// File and rank difference (-7 to 7 each) of a [`difference_0x88`]; `None` where no two squares have it.
pub(super) const fn apart(difference: usize) -> Option<(i8, i8)> {
    // One more than the middle of a row of sixteen: differences of a rank lie from -7 to 7 around its multiple.
    let shifted = difference as i32 - 120 + 7 + 16 * 8;
    let (rank, file) = (shifted / 16 - 8, shifted % 16 - 7);
    if file > 7 || rank < -7 || rank > 7 { None } else { Some((file as i8, rank as i8)) }
}

/// The direction of a move with these differences.
const fn of_steps(file: i8, rank: i8) -> Option<Direction> {
    if file == 0 && rank == 0 {
        return None;
    }
    let distance = if file.abs() > rank.abs() { file.abs() } else { rank.abs() };
    let on_a_line = file == 0 || rank == 0 || file.abs() == rank.abs();
    let step = if on_a_line { (file / distance, rank / distance) } else { (file, rank) };
    let mut index = 0;
    while index < 16 {
        if STEPS[index].0 == step.0 && STEPS[index].1 == step.1 {
            return Some(Direction::new(index));
        }
        index += 1;
    }
    None
}

const fn divisor(a: i8, b: i8) -> i8 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// True if the first angle is the smaller one, clockwise from north.
const fn before(a: (i8, i8), b: (i8, i8)) -> bool {
    const fn west(step: (i8, i8)) -> bool {
        step.0 < 0 || (step.0 == 0 && step.1 < 0)
    }
    match (west(a), west(b)) {
        (false, true) => true,
        (true, false) => false,
        _ => a.0 * b.1 < a.1 * b.0,
    }
}

/// How many of the 144 distinct directions come before this one.
const fn rose(file: i8, rank: i8) -> u8 {
    let mut count = 0;
    let mut f = -7;
    while f <= 7 {
        let mut r = -7;
        while r <= 7 {
            if divisor(f, r) == 1 && before((f, r), (file, rank)) {
                count += 1;
            }
            r += 1;
        }
        f += 1;
    }
    count
}

fn angle(file: i8, rank: i8) -> u16 {
    let degrees = f64::from(file).atan2(f64::from(rank)).to_degrees().round();
    (degrees as i16).rem_euclid(360) as u16
}

const fn directions_by_difference() -> [Option<Direction>; 240] {
    let mut table = [None; 240];
    let mut difference = 0;
    while difference < 240 {
        if let Some((file, rank)) = apart(difference) {
            table[difference] = of_steps(file, rank);
        }
        difference += 1;
    }
    table
}

const fn directions_by_pair() -> [[Option<Direction>; 64]; 64] {
    let mut table = [[None; 64]; 64];
    let mut pair = 0;
    while pair < 64 * 64 {
        let (a, b) = (pair / 64, pair % 64);
        table[a][b] = of_steps(b as i8 % 8 - a as i8 % 8, b as i8 / 8 - a as i8 / 8);
        pair += 1;
    }
    table
}

const fn begrees_by_difference() -> [Option<u8>; 240] {
    let mut table = [None; 240];
    let mut difference = 0;
    while difference < 240 {
        if let Some((file, rank)) = apart(difference)
            && (file != 0 || rank != 0)
        {
            table[difference] = Some(rose(file, rank));
        }
        difference += 1;
    }
    table
}

static BY_DIFFERENCE: [Option<Direction>; 240] = directions_by_difference();
static BY_PAIR: [[Option<Direction>; 64]; 64] = directions_by_pair();
static BEGREES: [Option<u8>; 240] = begrees_by_difference();
static DEGREES: LazyLock<[Option<u16>; 240]> = LazyLock::new(|| {
    std::array::from_fn(|difference| {
        apart(difference).filter(|&steps| steps != (0, 0)).map(|(file, rank)| angle(file, rank))
    })
});

/// The direction of a queen's or knight's move between two squares; `None` if there is no such move. By 0x88 difference.
#[inline]
pub fn direction(from: Square, to: Square) -> Option<Direction> {
    BY_DIFFERENCE[difference_0x88(from, to)]
}

/// [`direction`] from a table of all pairs of squares: 4 KiB instead of 240 bytes, without the sums.
#[inline]
pub fn direction_by_pair(from: Square, to: Square) -> Option<Direction> {
    BY_PAIR[from.index()][to.index()]
}

/// The angle from one square to another in degrees, clockwise from north, rounded: 0 to 359; `None` for equal squares.
pub fn degrees(from: Square, to: Square) -> Option<u16> {
    DEGREES[difference_0x88(from, to)]
}

/// The same in board degrees: the 144 angles that occur between two squares, numbered without gaps.
pub fn begrees(from: Square, to: Square) -> Option<u8> {
    BEGREES[difference_0x88(from, to)]
}
