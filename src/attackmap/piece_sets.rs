//! Piece-sets: for each square the set of pieces that attack it, 32 bits that stand for 32 pieces. The number of a piece tells
//! its role, so which pieces attack a square, and how many of each kind, is seen without looking at the board; where they
//! stand needs a look into the list of squares.
//!
//! Numbers of a side, from the lowest: king, queen, two rooks, the bishops of light and of dark squares, two knights, eight
//! pawns. A promoted piece that finds none of its kind's numbers free takes any; such strangers are marked and have to be
//! looked up. Source: page "Attack and Defend Maps" of the seed documents ("Piece-Sets", as in the DOS program IsiChess).

use super::{attacks, changed};
use crate::rules::Position;
use crate::sliders::Sliders;
use crate::types::{Bitboard, Piece, Role, Square};

/// The attackers of every square, and the list of pieces behind the numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceSets {
    attackers: [u32; 64],
    /// What each piece attacks.
    attacks: [Bitboard; 32],
    pieces: [Option<(Piece, Square)>; 32],
    /// The number of the piece on each square; meaningless for empty ones.
    numbers: [u8; 64],
    used: u32,
    strangers: u32,
}

/// Queen, rooks and bishops of both sides.
const ON_LINES: u32 = 0b0011_1110 * 0x0001_0001;

/// Numbers meant for a piece of this role on such a square.
const fn meant_for(piece: Piece, square: Square) -> u32 {
    let mask: u32 = match piece.role {
        Role::King => 1,
        Role::Queen => 1 << 1,
        Role::Rook => 0b11 << 2,
        Role::Bishop if (square.file() + square.rank()) % 2 == 1 => 1 << 4,
        Role::Bishop => 1 << 5,
        Role::Knight => 0b11 << 6,
        Role::Pawn => 0xFF << 8,
    };
    mask << (16 * piece.color.index())
}

/// The pieces of a set, lowest first.
fn each(set: u32) -> impl Iterator<Item = usize> {
    Bitboard(u64::from(set)).into_iter().map(Square::index)
}

impl PieceSets {
    /// From scratch. No position has more than 16 pieces of a side, so their numbers suffice.
    pub fn new<S: Sliders>(position: &Position, sliders: S) -> PieceSets {
        let mut sets = PieceSets {
            attackers: [0; 64],
            attacks: [Bitboard::EMPTY; 32],
            pieces: [None; 32],
            numbers: [0; 64],
            used: 0,
            strangers: 0,
        };
        let mut fresh = 0;
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                fresh |= sets.put(piece, square, 0);
            }
        }
        sets.renew(fresh, position.occupied(), sliders);
        sets
    }

    /// Numbers of all pieces, of both sides, that attack the square: the lower 16 bits White's, the upper Black's.
    #[inline(always)]
    pub fn attackers(&self, square: Square) -> u32 {
        self.attackers[square.index()]
    }

    /// Where the pieces of a set stand: one look per piece.
    pub fn squares(&self, set: u32) -> Bitboard {
        each(set).filter_map(|number| self.pieces[number]).map(|(_, square)| square).collect()
    }

    /// How many pieces of a set are of this colour and role; no look at the list unless there are strangers among them.
    #[inline]
    pub fn count(&self, set: u32, piece: Piece) -> u32 {
        let meant = meant_for(piece, Square::A1) | meant_for(piece, Square::B1);
        let strangers = set & self.strangers;
        let known = (set & meant & !strangers).count_ones();
        if strangers == 0 {
            return known;
        }
        let is_one = |number: &usize| self.pieces[*number].is_some_and(|(stranger, _)| stranger == piece);
        known + each(strangers).filter(is_one).count() as u32
    }

    /// The set of numbers that do not tell a role: promoted pieces beyond the usual number.
    pub fn strangers(&self) -> u32 {
        self.strangers
    }

    /// Brings the sets of `before` to `after`. A piece that moves keeps its number.
    #[inline]
    pub fn update<S: Sliders>(&mut self, before: &Position, after: &Position, sliders: S) {
        let changed = changed(before, after);
        let mut stale = 0;
        for square in before.occupied() ^ after.occupied() {
            stale |= self.attackers(square) & (ON_LINES | self.strangers);
        }
        let mut gone = 0;
        for square in changed & before.occupied() {
            gone |= 1 << self.numbers[square.index()];
        }
        let mut free = gone;
        self.used &= !gone;
        for square in changed & after.occupied() {
            if let Some(piece) = after.piece_at(square) {
                let same = each(free).find(|&n| self.pieces[n].is_some_and(|(was, _)| was == piece));
                let number = self.put(piece, square, same.map_or(0, |number| 1 << number));
                free &= !number;
                stale |= number;
            }
        }
        for number in each(gone & !self.used) {
            self.pieces[number] = None;
            self.strangers &= !(1 << number);
        }
        self.renew(stale | gone, after.occupied(), sliders);
    }

    /// Gives a piece this number or, for none, a free one; the number as a set, empty if there is none left.
    fn put(&mut self, piece: Piece, square: Square, number: u32) -> u32 {
        let of_side = !self.used & 0xFFFF << (16 * piece.color.index());
        let meant = of_side & meant_for(piece, square);
        let (chosen, is_new) = match (number, meant) {
            (0, 0) => (of_side, true),
            (0, _) => (meant, true),
            (number, _) => (number, false),
        };
        let chosen = chosen & chosen.wrapping_neg();
        if chosen == 0 {
            return 0;
        }
        if is_new {
            self.strangers = if meant == 0 { self.strangers | chosen } else { self.strangers & !chosen };
        }
        self.used |= chosen;
        let index = chosen.trailing_zeros() as usize;
        self.pieces[index] = Some((piece, square));
        self.numbers[square.index()] = index as u8;
        chosen
    }

    /// Works out anew what these pieces attack.
    #[inline]
    fn renew<S: Sliders>(&mut self, set: u32, occupied: Bitboard, sliders: S) {
        for number in each(set) {
            let now = self.pieces[number]
                .map_or(Bitboard::EMPTY, |(piece, square)| attacks(piece, square, occupied, sliders));
            for target in self.attacks[number] ^ now {
                self.attackers[target.index()] ^= 1 << number;
            }
            self.attacks[number] = now;
        }
    }
}
