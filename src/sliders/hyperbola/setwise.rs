//! Set-wise hyperbola: whole sets of sliders at once. `o - 2r` of several sliders in one row works as of one, if the row's
//! first square is set as a barrier that a borrow from the row before cannot pass. Files and diagonals are laid into rows
//! by a mirror and two skews; two diagonals share a row there, and the second's first square is a barrier too. Half a turn
//! of the laid-out board gives the other directions.
//! Source: page "Hyperbola Quintessence" of the seed documents (its "Generalized set-wise attacks").
//! Tables: none. Needs nothing. The page shows one direction of ranks only; the rest is ours, and where its sample writes
//! `o ^ (o | right) - 2*r & ~right` for sliders that are not in `o`, ours puts them there first.

use super::super::pictures::{self, Picture};
use super::super::rotate::{boards, skew_down, skew_up};
use super::super::{Backend, Card, Needs, Sliders};
use crate::types::{Bitboard, Square};

const RIM: u64 = Bitboard::RANK_1.0 | Bitboard::RANK_8.0;

/// First squares of each row's lines, in the boards of files, ranks, diagonals, anti-diagonals.
const STARTS: [u64; 4] = [
    Bitboard::FILE_A.0,
    Bitboard::FILE_A.0,
    Bitboard::FILE_A.0 | skew_down(Bitboard::RANK_1.0),
    Bitboard::FILE_A.0 | skew_up(Bitboard::RANK_8.0),
];
/// The same of the boards after half a turn: what was last.
const TURNED_STARTS: [u64; 4] = [
    Bitboard::FILE_A.0,
    Bitboard::FILE_A.0,
    Bitboard::FILE_A.0 | skew_down(RIM & Bitboard::RANK_8.0).reverse_bits(),
    Bitboard::FILE_A.0 | skew_up(RIM & Bitboard::RANK_1.0).reverse_bits(),
];

/// o^(o-2r) of sets.
#[derive(Clone, Copy, Debug)]
pub struct HyperbolaSetwise;

/// Attacks along the rows of a laid-out board, towards higher squares only.
#[inline(always)]
const fn ahead(starts: u64, sliders: u64, occupied: u64) -> u64 {
    (occupied ^ (occupied | starts).wrapping_sub(sliders << 1)) & !starts
}

/// Attacks along the rows of a laid-out board.
#[inline(always)]
fn rows(map: usize, sliders: u64, occupied: u64) -> u64 {
    let turned = ahead(TURNED_STARTS[map], sliders.reverse_bits(), occupied.reverse_bits());
    ahead(STARTS[map], sliders, occupied) | turned.reverse_bits()
}

impl HyperbolaSetwise {
    /// Squares that at least one of these rooks attacks.
    #[inline(always)]
    pub fn rooks(self, rooks: Bitboard, occupied: Bitboard) -> Bitboard {
        let (sliders, occupied) = (boards(rooks), boards(occupied | rooks));
        let [files, ranks] = std::array::from_fn(|map| rows(map, sliders[map], occupied[map]));
        Bitboard(files).diagonal() | Bitboard(ranks)
    }

    /// Squares that at least one of these bishops attacks.
    #[inline(always)]
    pub fn bishops(self, bishops: Bitboard, occupied: Bitboard) -> Bitboard {
        let (sliders, occupied) = (boards(bishops), boards(occupied | bishops));
        let [diagonals, anti_diagonals] =
            std::array::from_fn(|map| rows(map + 2, sliders[map + 2], occupied[map + 2]));
        Bitboard(skew_up(diagonals) | skew_down(anti_diagonals))
    }

    /// Squares that at least one of these queens attacks.
    #[inline(always)]
    pub fn queens(self, queens: Bitboard, occupied: Bitboard) -> Bitboard {
        let (sliders, occupied) = (boards(queens), boards(occupied | queens));
        let [files, ranks, diagonals, anti_diagonals] =
            std::array::from_fn(|map| rows(map, sliders[map], occupied[map]));
        Bitboard(files).diagonal() | Bitboard(ranks | skew_up(diagonals) | skew_down(anti_diagonals))
    }
}

/// Progressive mobility: the squares first reached with the first, second, … move. `attacks` is a set-wise attack of
/// one kind of piece, such as [`HyperbolaSetwise::rooks`]; own pieces stop it, others stop it behind their square.
///
/// ```
/// use gauntlet::sliders::{HyperbolaSetwise, progressive_mobility};
/// use gauntlet::types::{Bitboard, Square};
/// let from = Bitboard::square(Square::A1);
/// let rook = |set, occupied| HyperbolaSetwise.rooks(set, occupied);
/// let reached = progressive_mobility::<3>(rook, from, Bitboard::EMPTY, from);
/// assert_eq!(reached.map(|set| set.count()), [14, 49, 0]);
/// ```
pub fn progressive_mobility<const MOVES: usize>(
    attacks: impl Fn(Bitboard, Bitboard) -> Bitboard,
    from: Bitboard,
    own: Bitboard,
    occupied: Bitboard,
) -> [Bitboard; MOVES] {
    let (blockers, mut front, mut seen) = ((occupied | own) & !from, from, from);
    std::array::from_fn(|_| {
        // Squares of the front stand for one piece in several places: none of them stands in another's way, and what lies
        // behind one is reached from that one.
        front = attacks(front, blockers) & !own & !seen;
        seen |= front;
        front
    })
}

impl Sliders for HyperbolaSetwise {
    const BACKEND: Backend = Backend::HyperbolaSetwise;
    const CARD: Card = Card {
        author: "-",
        idea: "o^(o-2r) of whole sets in rows with barriers; files and diagonals mirrored or skewed into rows",
        page: "Hyperbola Quintessence",
        needs: Needs::Nothing,
    };

    fn new() -> HyperbolaSetwise {
        HyperbolaSetwise
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

    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.queens(Bitboard::square(square), occupied)
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        const DIAGONALS: usize = 2;
        let starts = STARTS[DIAGONALS];
        let slider = boards(Bitboard::square(square))[DIAGONALS];
        let blockers = boards(occupied.with(square))[DIAGONALS];
        let found = rows(DIAGONALS, slider, blockers);
        let men = occupied.with(square) & Bitboard::rank(square.rank());
        let steps = [
            Picture::word(
                "o: the board with each file turned down by its number, diagonals are rows",
                blockers,
            ),
            Picture::word("Barriers: where a diagonal starts; no borrow passes them", starts),
            Picture::word(
                "o with barriers, minus 2r: borrowed from the next blocker",
                (blockers | starts).wrapping_sub(slider << 1),
            ),
            Picture::word(
                "Where that differs from o, without barriers: attacks to the right",
                ahead(starts, slider, blockers),
            ),
            Picture::word("And those to the left, found after half a turn", found),
            Picture::of("Files turned up again: attacks on the diagonal", Bitboard(skew_up(found))),
            Picture::of(
                "The same of a whole set at once: bishops in place of all men on the slider's rank",
                self.bishops(men, occupied),
            ),
        ];
        pictures::with_attacks(steps, self, square, occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Oracle;
    use super::*;
    use crate::stats::SplitMix64;

    #[test]
    fn sets_attack_what_their_members_attack() {
        let mut words = SplitMix64::new(4);
        for _ in 0..3_000 {
            let sliders = Bitboard(words.next_u64() & words.next_u64());
            let occupied = sliders | Bitboard(words.next_u64() & words.next_u64());
            let union = |attack: fn(Oracle, Square, Bitboard) -> Bitboard| {
                sliders
                    .into_iter()
                    .fold(Bitboard::EMPTY, |all, square| all | attack(Oracle, square, occupied))
            };
            assert_eq!(HyperbolaSetwise.rooks(sliders, occupied), union(Oracle::rook));
            assert_eq!(HyperbolaSetwise.bishops(sliders, occupied), union(Oracle::bishop));
            assert_eq!(HyperbolaSetwise.queens(sliders, occupied), union(Oracle::queen));
        }
    }

    #[test]
    fn waves_are_those_of_a_search_square_by_square() {
        let mut words = SplitMix64::new(5);
        for _ in 0..200 {
            let square = Square::new((words.next_u64() & 63) as u8);
            let occupied = Bitboard(words.next_u64() & words.next_u64()).with(square);
            let own = occupied & Bitboard(words.next_u64());
            let from = Bitboard::square(square);
            let (mut front, mut seen) = (from, from);
            let expected: [Bitboard; 4] = std::array::from_fn(|_| {
                let reached = front
                    .into_iter()
                    .fold(Bitboard::EMPTY, |all, at| all | Oracle.bishop(at, occupied & !from));
                front = reached & !own.without(square) & !seen;
                seen |= front;
                front
            });
            let bishop = |set, occupied| HyperbolaSetwise.bishops(set, occupied);
            assert_eq!(progressive_mobility(bishop, from, own.without(square), occupied), expected);
        }
    }
}
