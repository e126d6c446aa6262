//! The workload of the slider trial: the sliders of positions from random playouts of perft suite positions, built before
//! any clock starts. The choice depends on the seed alone.

use crate::notation::fen::{self, CastlingMode};
use crate::rules::Position;
use crate::stats::SplitMix64;
use crate::types::{Bitboard, Color, Role, Square};

/// Where the playouts begin: opening, middlegame, endgame (positions 1 to 6 of the perft results page).
const STARTS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
];

/// Longest playout, in plies.
const PLIES: usize = 60;

/// Lookups of each kind: enough for variety, small enough to stay in the second-level cache beside the tables.
const LOOKUPS: usize = 4096;

/// One lookup: where the slider stands, what is occupied.
pub type Lookup = (Square, Bitboard);

/// The lookups of each piece, each `LOOKUPS` long, and positions for perft.
#[derive(Clone, Debug)]
pub struct Workload {
    pub rooks: Vec<Lookup>,
    pub bishops: Vec<Lookup>,
    pub queens: Vec<Lookup>,
    pub positions: Vec<Position>,
}

impl Workload {
    /// Random playouts until there are lookups enough of each kind.
    #[must_use]
    pub fn from_games(seed: u64) -> Workload {
        let positions: Vec<Position> =
            STARTS.iter().filter_map(|fen| fen::parse(fen, CastlingMode::Standard).ok()).collect();
        let mut random = SplitMix64::new(seed);
        let mut lookups: [Vec<Lookup>; 3] = Default::default();
        // Queens leave the board early, so far more games are seen than rooks alone would need.
        while lookups.iter().any(|list| list.len() < LOOKUPS) {
            for start in &positions {
                playout(*start, &mut random, &mut lookups);
            }
        }
        // Neighbouring plies look alike: mixed, so that the branch predictor does not learn one game.
        for list in &mut lookups {
            random.shuffle(list);
            list.truncate(LOOKUPS);
        }
        let [rooks, bishops, queens] = lookups;
        Workload { rooks, bishops, queens, positions }
    }
}

fn playout(mut position: Position, random: &mut SplitMix64, lookups: &mut [Vec<Lookup>; 3]) {
    for _ in 0..PLIES {
        let occupied = position.occupied();
        for (list, role) in lookups.iter_mut().zip([Role::Rook, Role::Bishop, Role::Queen]) {
            let sliders = position.pieces(Color::White, role) | position.pieces(Color::Black, role);
            list.extend(sliders.into_iter().map(|square| (square, occupied)));
        }
        let moves = position.legal_moves();
        let chosen = usize::try_from(random.below(moves.len() as u64)).unwrap_or(0);
        let Some(&mv) = moves.get(chosen) else { return };
        position.play_unchecked(mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workload_is_real_and_depends_on_the_seed_alone() {
        let (one, two) = (Workload::from_games(7), Workload::from_games(7));
        assert_eq!((&one.rooks, &one.queens), (&two.rooks, &two.queens));
        assert_ne!(one.rooks, Workload::from_games(8).rooks);
        for list in [&one.rooks, &one.bishops, &one.queens] {
            assert_eq!(list.len(), LOOKUPS);
            // A slider stands on its own square, and no board has more than 32 men.
            assert!(list.iter().all(|&(square, occupied)| occupied.has(square) && occupied.count() <= 32));
        }
        assert_eq!(one.positions.len(), STARTS.len());
    }
}
