//! Random positions to compare generators on: games of random moves, and pieces put down at random, in orthodox chess,
//! Chess960 and double Chess960. A pure function of the seed.

use crate::rules::Position;
use crate::stats::SplitMix64;
use crate::trial::random_game::RandomGame;
use crate::types::{Color, Piece, Role, Setup, Square};

/// Where a position comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Standard,
    Chess960,
    /// Each side with a start position of its own.
    DoubleChess960,
    /// Pieces put down at random; rights and en-passant square may be impossible, the whole no position at all.
    SetUp,
}

/// An endless sequence: three games, one of each kind, then as many set-ups as they had positions.
#[derive(Clone, Debug)]
pub struct RandomPositions {
    random: SplitMix64,
    games: u64,
    game: Option<RandomGame>,
    /// Positions of this game so far.
    ply: u32,
    setups_due: u32,
}

const GAME_KINDS: [Kind; 3] = [Kind::Standard, Kind::Chess960, Kind::DoubleChess960];

/// Random games are left after so many plies, or where nobody can win any more.
const LONGEST_GAME: u32 = 120;

impl RandomPositions {
    #[must_use]
    pub fn new(seed: u64) -> RandomPositions {
        RandomPositions { random: SplitMix64::new(seed), games: 0, game: None, ply: 0, setups_due: 0 }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound as u64) as usize
    }

    fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    /// The position after a start or another random move; `None` if the game is over.
    fn next_of_game(&mut self, kind: Kind) -> Option<Position> {
        let position = match &mut self.game {
            None => {
                let position = start(kind, self.below(960), self.below(960))?;
                self.game = Some(RandomGame::new(position, LONGEST_GAME));
                position
            }
            Some(game) => game.next(&mut self.random)?,
        };
        self.ply += 1;
        Some(position)
    }

    fn set_up(&mut self) -> Setup {
        let mut setup = Setup { turn: Color::White, ..Setup::default() };
        if self.one_in(2) {
            setup.turn = Color::Black;
        }
        let castling = self.one_in(2);
        for (color, rank) in [(Color::White, 0), (Color::Black, 7)] {
            let mut corner = self.below(64);
            if castling {
                corner = rank * 8 + self.below(8);
                for _ in 0..2 {
                    let rook = rank * 8 + self.below(8);
                    setup.board[rook] = Some(Piece::new(color, Role::Rook));
                    if !self.one_in(4) {
                        setup.castling_rooks = setup.castling_rooks.with(Square::new(rook as u8));
                    }
                }
                if self.one_in(3) {
                    // For rooks that shield their king on the rank, which castling would end.
                    let role = [Role::Rook, Role::Queen][self.below(2)];
                    setup.board[rank * 8 + self.below(8)] = Some(Piece::new(!color, role));
                }
            }
            setup.board[corner] = Some(Piece::new(color, Role::King));
        }
        for _ in 0..self.below(28) {
            let (square, color) = (self.below(64), Color::ALL[self.below(2)]);
            let role = match self.below(16) {
                0..8 => Role::Pawn,
                8..10 => Role::Knight,
                10..12 => Role::Bishop,
                12..14 => Role::Rook,
                _ => Role::Queen,
            };
            let is_wasted = role == Role::Pawn && !(8..56).contains(&square);
            if setup.board[square].is_none() && !is_wasted {
                setup.board[square] = Some(Piece::new(color, role));
            }
        }
        if self.one_in(3) {
            self.en_passant(&mut setup);
        }
        setup.halfmove = self.below(100) as u32;
        setup.fullmove = 1 + self.below(200) as u32;
        setup
    }

    /// A pawn that has just gone two squares, mostly with an enemy pawn beside it. Kings may be overwritten: then it is no
    /// position, which both sides must find out.
    fn en_passant(&mut self, setup: &mut Setup) {
        let (file, side) = (self.below(8), self.below(2));
        let (home, passed, arrived) = if setup.turn.is_white() { (6, 5, 4) } else { (1, 2, 3) };
        setup.board[home * 8 + file] = None;
        setup.board[passed * 8 + file] = None;
        setup.board[arrived * 8 + file] = Some(Piece::new(!setup.turn, Role::Pawn));
        let beside = if side == 0 { file.checked_sub(1) } else { Some(file + 1).filter(|&file| file < 8) };
        if let Some(beside) = beside {
            setup.board[arrived * 8 + beside] = Some(Piece::new(setup.turn, Role::Pawn));
        }
        setup.ep = Some(Square::at(file as u8, passed as u8));
    }
}

impl Iterator for RandomPositions {
    type Item = (Kind, Setup);

    fn next(&mut self) -> Option<(Kind, Setup)> {
        loop {
            if self.setups_due > 0 && self.game.is_none() {
                self.setups_due -= 1;
                return Some((Kind::SetUp, self.set_up()));
            }
            let kind = GAME_KINDS[(self.games % 3) as usize];
            if let Some(position) = self.next_of_game(kind) {
                return Some((kind, position.to_setup()));
            }
            self.setups_due += self.ply;
            self.games += 1;
            (self.game, self.ply) = (None, 0);
        }
    }
}

/// The start position of these numbers of Scharnagl's scheme, White's and Black's.
fn start(kind: Kind, white: usize, black: usize) -> Option<Position> {
    let (white, black) = match kind {
        Kind::Standard => (518, 518),
        Kind::Chess960 => (white, white),
        _ => (white, black),
    };
    let mut setup = Setup::default();
    for (color, number, back, pawns) in [(Color::White, white, 0, 1), (Color::Black, black, 7, 6)] {
        for (file, role) in back_rank(number).into_iter().enumerate() {
            let square = Square::at(file as u8, back);
            setup.board[square.index()] = Some(Piece::new(color, role));
            setup.board[Square::at(file as u8, pawns).index()] = Some(Piece::new(color, Role::Pawn));
            if role == Role::Rook {
                setup.castling_rooks = setup.castling_rooks.with(square);
            }
        }
    }
    Position::from_setup(&setup).ok()
}

/// The back rank of a number from 0 to 959, a file first: bishops on each colour, queen, knights, the rest
/// rook, king, rook. 518 is the orthodox one.
fn back_rank(number: usize) -> [Role; 8] {
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let mut rank = [None; 8];
    let (rest, light) = (number / 4, number % 4);
    rank[2 * light + 1] = Some(Role::Bishop);
    let (rest, dark) = (rest / 4, rest % 4);
    rank[2 * dark] = Some(Role::Bishop);
    let nth_free = |rank: &[Option<Role>; 8], n: usize| (0..8).filter(|&file| rank[file].is_none()).nth(n);
    let (knights, queen) = (rest / 6, rest % 6);
    if let Some(file) = nth_free(&rank, queen) {
        rank[file] = Some(Role::Queen);
    }
    let (first, second) = KNIGHTS[knights % 10];
    for file in [nth_free(&rank, first), nth_free(&rank, second)].into_iter().flatten() {
        rank[file] = Some(Role::Knight);
    }
    let mut rest = [Role::Rook, Role::King, Role::Rook].into_iter();
    rank.map(|role| role.or_else(|| rest.next()).unwrap_or(Role::Rook))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_positions_are_chess960_ones() {
        assert_eq!(start(Kind::Standard, 0, 0), Some(Position::startpos()));
        let all: std::collections::HashSet<[Role; 8]> = (0..960).map(back_rank).collect();
        assert_eq!(all.len(), 960);
        for rank in all {
            let files = |wanted: Role| (0..8).filter(|&file| rank[file] == wanted).collect::<Vec<_>>();
            let (rooks, bishops, king) = (files(Role::Rook), files(Role::Bishop), files(Role::King));
            assert!(rooks.len() == 2 && rooks[0] < king[0] && king[0] < rooks[1]);
            assert!(bishops.len() == 2 && (bishops[0] + bishops[1]) % 2 == 1);
        }
    }

    #[test]
    fn half_of_them_are_set_up_and_many_of_those_are_positions() {
        let sample: Vec<_> = RandomPositions::new(1).take(4000).collect();
        let of = |wanted: Kind| sample.iter().filter(|(kind, _)| *kind == wanted).count();
        assert!(of(Kind::SetUp) > 1200, "{}", of(Kind::SetUp));
        assert!(GAME_KINDS.iter().all(|&kind| of(kind) > 200));
        let right = sample.iter().filter(|(_, setup)| Position::from_setup(setup).is_ok()).count();
        assert!(right > 2500 && right < 4000, "{right}");
    }
}
