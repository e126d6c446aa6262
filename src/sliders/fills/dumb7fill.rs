//! Dumb7Fill: in each direction a set of sliders takes up to six steps over empty squares, all of them collected, and one
//! last step onto whatever is there. Works on whole sets, so it drives progressive mobility as well.
//! Source: pages "Mobility" (progressive mobility) and "Attack and Defend Maps" of the seed documents name it; the
//! algorithm's own page is not among them. Tables: none. Needs nothing.

use super::{BISHOP, Direction, ROOK, onwards};
use crate::sliders::pictures::{self, Picture};
use crate::sliders::{Backend, Card, Needs, Sliders};
use crate::types::{Bitboard, Square};

/// One step at a time, seven times.
#[derive(Clone, Copy, Debug)]
pub struct Dumb7Fill;

/// All four directions side by side, which leaves it to the compiler to use vector registers.
#[inline(always)]
fn fill(sliders: u64, occupied: u64, directions: [Direction; 4]) -> u64 {
    let free = directions.map(|direction| !occupied & direction.targets);
    let (mut front, mut reached) = ([sliders; 4], [sliders; 4]);
    for _ in 0..6 {
        for i in 0..4 {
            front[i] = front[i].rotate_left(directions[i].rotation) & free[i];
            reached[i] |= front[i];
        }
    }
    onwards(reached, directions)
}

impl Dumb7Fill {
    /// Squares that at least one of these rooks attacks.
    #[inline(always)]
    pub fn rooks(self, rooks: Bitboard, occupied: Bitboard) -> Bitboard {
        Bitboard(fill(rooks.0, occupied.0, ROOK))
    }

    /// Squares that at least one of these bishops attacks.
    #[inline(always)]
    pub fn bishops(self, bishops: Bitboard, occupied: Bitboard) -> Bitboard {
        Bitboard(fill(bishops.0, occupied.0, BISHOP))
    }
}

impl Sliders for Dumb7Fill {
    const BACKEND: Backend = Backend::Dumb7Fill;
    const CARD: Card = Card {
        author: "-",
        idea: "sets of sliders step over empty squares, six times and once more",
        page: "Mobility, Attack and Defend Maps",
        needs: Needs::Nothing,
    };

    fn new() -> Dumb7Fill {
        Dumb7Fill
    }

    fn table_bytes(self) -> usize {
        0
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.rooks(Bitboard::square(square), occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.bishops(Bitboard::square(square), occupied)
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let (mut front, mut reached) = ([Bitboard::square(square).0; 4], [Bitboard::square(square).0; 4]);
        let mut steps = Vec::new();
        for number in 1..=6 {
            for (i, Direction { rotation, targets }) in ROOK.into_iter().enumerate() {
                front[i] = front[i].rotate_left(rotation) & targets & !occupied.0;
                reached[i] |= front[i];
            }
            if front == [0; 4] {
                break; // The steps left reach nothing new.
            }
            let all = reached.into_iter().fold(0, |all, one| all | one);
            steps.push(Picture::of(
                format!("A rook's four fills after step {number}, through empty squares"),
                Bitboard(all),
            ));
        }
        pictures::with_attacks(steps, self, square, occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliders::{KoggeStone, Oracle};
    use crate::stats::SplitMix64;

    #[test]
    fn sets_attack_what_their_members_attack() {
        let mut words = SplitMix64::new(3);
        for _ in 0..2_000 {
            let sliders = Bitboard(words.next_u64() & words.next_u64());
            let occupied = sliders | Bitboard(words.next_u64() & words.next_u64());
            let union = |attack: fn(Oracle, Square, Bitboard) -> Bitboard| {
                sliders
                    .into_iter()
                    .fold(Bitboard::EMPTY, |all, square| all | attack(Oracle, square, occupied))
            };
            let (rooks, bishops) = (union(Oracle::rook), union(Oracle::bishop));
            assert_eq!(Dumb7Fill.rooks(sliders, occupied), rooks);
            assert_eq!(Dumb7Fill.bishops(sliders, occupied), bishops);
            assert_eq!(KoggeStone.rooks(sliders, occupied), rooks);
            assert_eq!(KoggeStone.bishops(sliders, occupied), bishops);
        }
    }
}
