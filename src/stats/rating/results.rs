//! What is known of a tournament: for every two players that met, how often each result came up, games that share an
//! opening counted together. Memory goes by players and pairs of players, not by games.
//!
//! Must not know names or where the games come from. Points are half points: 0, 1, 2.

use std::collections::BTreeMap;

/// The games of two players, `a` the one with the lower index; all points are those of `a`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meeting {
    /// Games on their own: with `a` as Black, as White; by half points.
    single: [[u64; 3]; 2],
    /// Pairs with colours swapped: by half points as White, then as Black.
    paired: [[u64; 3]; 3],
}

impl Meeting {
    /// Games by half points of `a`, where `a` was White or not.
    pub fn games(&self, white: bool) -> [u64; 3] {
        std::array::from_fn(|points| {
            let pairs: u64 = (0..3)
                .map(|other| if white { self.paired[points][other] } else { self.paired[other][points] })
                .sum();
            self.single[usize::from(white)][points] + pairs
        })
    }

    /// Games by half points of `a`, of either colour.
    pub fn all_games(&self) -> [u64; 3] {
        let (white, black) = (self.games(true), self.games(false));
        std::array::from_fn(|points| white[points] + black[points])
    }

    pub fn count(&self) -> u64 {
        self.all_games().iter().sum()
    }

    /// Half points of `a`.
    pub fn half_points(&self) -> u64 {
        let [_, draws, wins] = self.all_games();
        draws + 2 * wins
    }

    /// Pairs of games with one opening.
    pub fn pairs(&self) -> u64 {
        self.paired.iter().flatten().sum()
    }

    /// Independent observations, each with how often it came up: half points as White, as Black (none: not played).
    pub fn clusters(&self) -> impl Iterator<Item = ([Option<u32>; 2], u64)> + '_ {
        let single = (0..2).flat_map(move |white| {
            (0..3).map(move |points| {
                let game = Some(points as u32);
                let cluster = if white == 1 { [game, None] } else { [None, game] };
                (cluster, self.single[white][points])
            })
        });
        let paired = (0..3).flat_map(move |as_white| {
            (0..3).map(move |as_black| {
                ([Some(as_white as u32), Some(as_black as u32)], self.paired[as_white][as_black])
            })
        });
        single.chain(paired).filter(|(_, count)| *count > 0)
    }
}

/// All games of a tournament.
#[derive(Clone, Debug, Default)]
pub struct Results {
    players: usize,
    meetings: BTreeMap<(usize, usize), Meeting>,
    /// Half points without a game, by player.
    awarded: BTreeMap<usize, u64>,
}

/// The totals of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    pub games: u64,
    /// Those awarded without a game among them.
    pub half_points: u64,
    pub wins: u64,
    pub wins_as_black: u64,
    pub draws: u64,
    /// Games that have a partner with the same opening.
    pub paired: u64,
    /// Pairs, and games without a partner.
    pub clusters: u64,
}

impl Score {
    /// In points.
    pub fn points(&self) -> f64 {
        0.5 * self.half_points as f64
    }
}

impl Results {
    /// Of this many players, numbered from 0, without games.
    pub fn new(players: usize) -> Results {
        Results { players, ..Results::default() }
    }

    pub fn players(&self) -> usize {
        self.players
    }

    /// Makes room for one more player and gives its number.
    pub fn add_player(&mut self) -> usize {
        self.players += 1;
        self.players - 1
    }

    /// A game with White's half points. Nothing happens if the players are one, or if one does not exist.
    pub fn add(&mut self, white: usize, black: usize, half_points: u32) {
        if let Some((meeting, white_is_a)) = self.meeting(white, black) {
            let points = half_points.min(2) as usize;
            let of_a = if white_is_a { points } else { 2 - points };
            meeting.single[usize::from(white_is_a)][of_a] += 1;
        }
    }

    /// Two games from one opening: White's half points in the first, in which `one` is White, and in the second, in which
    /// `other` is.
    pub fn add_pair(&mut self, one: usize, other: usize, half_points: [u32; 2]) {
        if let Some((meeting, one_is_a)) = self.meeting(one, other) {
            let [first, second] = half_points.map(|points| points.min(2) as usize);
            if one_is_a {
                meeting.paired[first][2 - second] += 1;
            } else {
                meeting.paired[second][2 - first] += 1;
            }
        }
    }

    /// Half points without a game, for a bye: they count in the table, no rating rests on them.
    pub fn award(&mut self, player: usize, half_points: u64) {
        if player < self.players {
            *self.awarded.entry(player).or_default() += half_points;
        }
    }

    fn meeting(&mut self, one: usize, other: usize) -> Option<(&mut Meeting, bool)> {
        (one != other && one.max(other) < self.players).then(|| {
            let key = (one.min(other), one.max(other));
            (self.meetings.entry(key).or_default(), one < other)
        })
    }

    /// Everyone who met, lower number first.
    pub fn meetings(&self) -> impl Iterator<Item = (usize, usize, &Meeting)> {
        self.meetings.iter().map(|(&(a, b), meeting)| (a, b, meeting))
    }

    /// What the first of the two scored against the other: losses, draws, wins.
    pub fn against(&self, one: usize, other: usize) -> [u64; 3] {
        let key = (one.min(other), one.max(other));
        let mut games = self.meetings.get(&key).map_or([0; 3], Meeting::all_games);
        if one > other {
            games.reverse();
        }
        games
    }

    pub fn games(&self) -> u64 {
        self.meetings.values().map(Meeting::count).sum()
    }

    /// By player.
    pub fn scores(&self) -> Vec<Score> {
        let mut scores = vec![Score::default(); self.players];
        for (a, b, meeting) in self.meetings() {
            let [losses, draws, wins] = meeting.all_games();
            let black = [meeting.games(false)[2], meeting.games(true)[0]];
            for ((player, won), won_as_black) in [(a, wins), (b, losses)].into_iter().zip(black) {
                let score = &mut scores[player];
                score.games += losses + draws + wins;
                score.half_points += 2 * won + draws;
                score.wins += won;
                score.wins_as_black += won_as_black;
                score.draws += draws;
                score.paired += 2 * meeting.pairs();
                score.clusters += losses + draws + wins - meeting.pairs();
            }
        }
        for (&player, half_points) in &self.awarded {
            scores[player].half_points += half_points;
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_of_a_meeting_agree() {
        let mut results = Results::new(2);
        // 1 is White and wins; then a pair: 1 wins with White, draws with Black.
        results.add(1, 0, 2);
        results.add_pair(1, 0, [2, 1]);
        results.add(0, 0, 2);
        results.add(0, 7, 2);
        assert_eq!((results.against(1, 0), results.against(0, 1)), ([0, 1, 2], [2, 1, 0]));
        let scores = results.scores();
        assert_eq!((scores[1].games, scores[1].half_points, scores[0].half_points), (3, 5, 1));
        assert_eq!((scores[0].paired, scores[0].clusters, scores[1].wins_as_black), (2, 2, 0));
        let (_, _, meeting) = results.meetings().next().unwrap();
        assert_eq!((meeting.games(true), meeting.games(false)), ([0, 1, 0], [2, 0, 0]));
        let clusters: Vec<_> = meeting.clusters().collect();
        assert_eq!(clusters, [([None, Some(0)], 1), ([Some(1), Some(0)], 1)]);
    }
}
