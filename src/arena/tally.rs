//! The score of a match of two, from the first engine's view: games and complete pairs;
//! and how each engine behaved. Numbers only.

use crate::record::GameRow;

/// Wins, draws, losses and pairs by their half points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Pairs by the first engine's half points, 0 to 4: LL, LD, DD+WL, WD, WW.
    pub penta: [u64; 5],
}

impl Tally {
    /// Adds a complete pair: the first engine's half points (0, 1, 2) in each of its games. Returns their sum.
    pub fn add(&mut self, half_points: [u32; 2]) -> u32 {
        for points in half_points {
            match points {
                0 => self.losses += 1,
                1 => self.draws += 1,
                _ => self.wins += 1,
            }
        }
        let sum = half_points.iter().map(|&points| points.min(2)).sum();
        self.penta[sum as usize] += 1;
        sum
    }

    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    pub fn pairs(&self) -> u64 {
        self.penta.iter().sum()
    }
}

/// How one engine behaved in the committed games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Conduct {
    /// Games lost on time (hangs included), by a dead process, by an illegal or missing move.
    pub time_losses: u64,
    pub disconnects: u64,
    pub illegal_moves: u64,
    /// Searches, and those that did not keep to their limit.
    pub searches: u64,
    pub disobeyed: u64,
}

impl Conduct {
    pub fn add(&mut self, other: &Conduct) {
        self.time_losses += other.time_losses;
        self.disconnects += other.disconnects;
        self.illegal_moves += other.illegal_moves;
        self.searches += other.searches;
        self.disobeyed += other.disobeyed;
    }

    /// White's and Black's in a recorded game. Who failed is the side to move at its end: a fault ends a game at once.
    pub fn of(game: &GameRow) -> [Conduct; 2] {
        let black_begins = game.start_fen.split(' ').nth(1) == Some("b");
        let mut conduct = [Conduct::default(); 2];
        let side = |ply: usize| (ply + usize::from(black_begins)) % 2;
        for (index, _) in game.plies.iter().enumerate().filter(|(_, ply)| ply.time_us.is_some()) {
            conduct[side(index)].searches += 1;
        }
        for (entry, disobeyed) in conduct.iter_mut().zip(game.disobeyed) {
            entry.disobeyed = disobeyed;
        }
        let failed = &mut conduct[side(game.plies.len())];
        match game.termination.as_str() {
            "time forfeit" => failed.time_losses += 1,
            // Hung, or gone.
            "abandoned" if game.reason.contains(" hangs") => failed.time_losses += 1,
            "abandoned" => failed.disconnects += 1,
            "rules infraction" => {
                failed.illegal_moves += 1;
                // It answered, if not with a move.
                failed.searches += 1;
            }
            _ => {}
        }
        conduct
    }
}
