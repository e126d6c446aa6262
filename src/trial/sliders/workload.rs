//! The workload of the slider trial, built before any clock starts: half of it the sliders of the shipped games, half those of
//! random lines through the trees of perft positions; and squares with random occupancies beside them. The choice depends on the
//! seed alone.

use crate::notation::fen::{self, CastlingMode};
use crate::notation::pgn;
use crate::rules::Position;
use crate::stats::SplitMix64;
use crate::suite;
use crate::types::{Bitboard, Color, Role, Square};

/// Games that ship with the program.
const GAMES: &str = "games/self-play.pgn";

/// Where the random lines begin: opening, middlegame, endgame (positions 1 to 6 of the perft results page).
const STARTS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
];

/// Longest random line, in plies.
const PLIES: usize = 60;

/// Lookups of each kind: enough for variety, small enough to stay in the second-level cache beside the tables.
const LOOKUPS: usize = 4096;

/// One lookup: where the slider stands, what is occupied.
pub type Lookup = (Square, Bitboard);

/// The lookups of each piece, each list `LOOKUPS` long.
#[derive(Clone, PartialEq, Debug)]
pub struct Lookups {
    pub rooks: Vec<Lookup>,
    pub bishops: Vec<Lookup>,
    pub queens: Vec<Lookup>,
}

/// All that is looked up, and the positions for perft and search.
#[derive(Clone, Debug)]
pub struct Workload {
    /// Sliders where games and perft trees have them.
    pub game: Lookups,
    /// Random squares, every other square occupied: what published comparisons use.
    pub random: Lookups,
    pub positions: Vec<Position>,
}

impl Workload {
    /// Of each kind as many lookups from games as from random lines.
    #[must_use]
    pub fn from_games(seed: u64) -> Workload {
        let positions: Vec<Position> =
            STARTS.iter().filter_map(|fen| fen::parse(fen, CastlingMode::Standard).ok()).collect();
        let mut random = SplitMix64::new(seed);
        let mut of_games = Lists::default();
        for game in pgn::Reader::new(suite::shipped(GAMES).unwrap_or_default()).flatten() {
            let mut position = game.start;
            for mv in game.moves {
                of_games.add(&position);
                position.play_unchecked(mv.mv);
            }
        }
        let mut of_lines = Lists::default();
        // Queens leave the board early, so far more lines are seen than rooks alone would need.
        while of_lines.0.iter().any(|list| list.len() < LOOKUPS / 2) {
            for start in &positions {
                random_line(*start, &mut random, &mut of_lines);
            }
        }
        // Neighbouring plies look alike: mixed, so that the branch predictor does not learn one game.
        let mut mixed = |mut games: Vec<Lookup>, mut lines: Vec<Lookup>| {
            random.shuffle(&mut games);
            games.truncate(LOOKUPS / 2);
            random.shuffle(&mut lines);
            games.extend(lines.into_iter().take(LOOKUPS / 2));
            random.shuffle(&mut games);
            games
        };
        let (Lists([rooks, bishops, queens]), Lists([more_rooks, more_bishops, more_queens])) =
            (of_games, of_lines);
        let game = Lookups {
            rooks: mixed(rooks, more_rooks),
            bishops: mixed(bishops, more_bishops),
            queens: mixed(queens, more_queens),
        };
        let mut drawn = || {
            let lookup = |_| (Square::new((random.next_u64() & 63) as u8), Bitboard(random.next_u64()));
            (0..LOOKUPS).map(lookup).collect::<Vec<Lookup>>()
        };
        let drawn = Lookups { rooks: drawn(), bishops: drawn(), queens: drawn() };
        Workload { game, random: drawn, positions }
    }

    /// One number for all of it (FNV-1a over squares and occupancies), so that two runs can be seen to have measured the same.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let lists =
            [&self.game, &self.random].map(|lookups| [&lookups.rooks, &lookups.bishops, &lookups.queens]);
        let words = lists
            .iter()
            .flatten()
            .copied()
            .flatten()
            .flat_map(|&(square, occupied)| [square.index() as u64, occupied.0]);
        words.fold(0xcbf2_9ce4_8422_2325, |hash, word| (hash ^ word).wrapping_mul(0x0100_0000_01b3))
    }
}

/// Lookups of rooks, bishops and queens.
#[derive(Default)]
struct Lists([Vec<Lookup>; 3]);

impl Lists {
    fn add(&mut self, position: &Position) {
        let occupied = position.occupied();
        for (list, role) in self.0.iter_mut().zip([Role::Rook, Role::Bishop, Role::Queen]) {
            let sliders = position.pieces(Color::White, role) | position.pieces(Color::Black, role);
            list.extend(sliders.into_iter().map(|square| (square, occupied)));
        }
    }
}

fn random_line(mut position: Position, random: &mut SplitMix64, lists: &mut Lists) {
    for _ in 0..PLIES {
        lists.add(&position);
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
        assert_eq!((&one.game, &one.random), (&two.game, &two.random));
        assert_eq!(one.hash(), two.hash());
        assert_ne!(one.hash(), Workload::from_games(8).hash());
        for list in [&one.game.rooks, &one.game.bishops, &one.game.queens] {
            assert_eq!(list.len(), LOOKUPS);
            // A slider stands on its own square, and no board has more than 32 men.
            assert!(list.iter().all(|&(square, occupied)| occupied.has(square) && occupied.count() <= 32));
        }
        assert_eq!(one.positions.len(), STARTS.len());
    }
}
