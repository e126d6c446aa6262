//! Kogge-Stone: the fill of Dumb7Fill with doubled steps, as the carries of a parallel-prefix adder: sliders generate,
//! empty squares propagate, and distances 1, 2 and 4 reach every square of a line. Works on whole sets.
//! Source: pages "Mobility" (progressive mobility) and "Attack and Defend Maps" of the seed documents name it; the
//! algorithm's own page is not among them. Tables: none. Needs nothing.

use super::{BISHOP, Direction, ROOK, onwards};
use crate::sliders::pictures::{self, Picture};
use crate::sliders::{Backend, Card, Needs, Sliders};
use crate::types::{Bitboard, Square};

/// Generate and propagate, three times.
#[derive(Clone, Copy, Debug)]
pub struct KoggeStone;

/// All four directions side by side, which leaves it to the compiler to use vector registers.
#[inline(always)]
fn fill(sliders: u64, occupied: u64, directions: [Direction; 4]) -> u64 {
    let mut reached = [sliders; 4];
    let mut open = directions.map(|direction| !occupied & direction.targets);
    for distance in [1, 2, 4] {
        for i in 0..4 {
            let rotation = distance * directions[i].rotation;
            reached[i] |= open[i] & reached[i].rotate_left(rotation);
            open[i] &= open[i].rotate_left(rotation);
        }
    }
    onwards(reached, directions)
}

impl KoggeStone {
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

impl Sliders for KoggeStone {
    const BACKEND: Backend = Backend::KoggeStone;
    const CARD: Card = Card {
        author: "Peter M. Kogge, Harold S. Stone",
        idea: "parallel-prefix fill: sliders generate, empty squares propagate, steps of 1, 2 and 4",
        page: "Mobility, Attack and Defend Maps",
        needs: Needs::Nothing,
    };

    fn new() -> KoggeStone {
        KoggeStone
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
        let Direction { rotation, targets } = ROOK[0];
        let (mut reached, mut open) = (Bitboard::square(square).0, !occupied.0 & targets);
        let mut steps = vec![Picture::of("Northwards: squares that let a slider through", Bitboard(open))];
        for distance in [1, 2, 4] {
            reached |= open & reached.rotate_left(distance * rotation);
            open &= open.rotate_left(distance * rotation);
            let so_far = 2 * distance - 1;
            steps.push(Picture::of(
                format!("Reached after a step of {distance}: up to {so_far} squares away"),
                Bitboard(reached),
            ));
            // Of the last step nothing is asked any more.
            if distance < 4 {
                let open_row = format!("Squares that end {} open ones in a row", 2 * distance);
                steps.push(Picture::of(open_row, Bitboard(open)));
            }
        }
        steps.push(Picture::of(
            "One step more, onto whatever is there",
            Bitboard(reached.rotate_left(rotation) & targets),
        ));
        pictures::with_attacks(steps, self, square, occupied)
    }
}
