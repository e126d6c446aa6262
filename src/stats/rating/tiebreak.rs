//! The order of players with equal points, as tournaments settle it.
//!
//! Per game, and only over games played: a double round counts an opponent twice. All figures are whole numbers of quarter points,
//! so ties are exact. Sources: reference README; page "Aegon Tournament" of the seed documents for SOS and SoDOS.

use super::results::{Results, Score};

/// A figure that orders players with equal points; the higher the better.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TieBreak {
    /// Buchholz, sum of opponents' scores.
    Sos,
    /// The same without the lowest opponent.
    SosCut1,
    /// The same without the lowest and the highest.
    SosMedian,
    /// Sonneborn-Berger, sum of defeated opponents' scores and half of the drawn ones'.
    Sodos,
    /// The same by meetings: an opponent counts once, by who won the meeting.
    SodosMatch,
    /// Points against those with equal points.
    Direct,
    Wins,
    WinsBlack,
    /// Points against those with at least half of their own points.
    Koya,
}

impl TieBreak {
    pub const ALL: [TieBreak; 9] = [
        TieBreak::Sos,
        TieBreak::SosCut1,
        TieBreak::SosMedian,
        TieBreak::Sodos,
        TieBreak::SodosMatch,
        TieBreak::Direct,
        TieBreak::Wins,
        TieBreak::WinsBlack,
        TieBreak::Koya,
    ];

    /// The permanent id, as on the command line.
    pub const fn id(self) -> &'static str {
        match self {
            TieBreak::Sos => "sos",
            TieBreak::SosCut1 => "sos-cut1",
            TieBreak::SosMedian => "sos-median",
            TieBreak::Sodos => "sodos",
            TieBreak::SodosMatch => "sodos-match",
            TieBreak::Direct => "direct",
            TieBreak::Wins => "wins",
            TieBreak::WinsBlack => "wins-black",
            TieBreak::Koya => "koya",
        }
    }

    /// By id, or by another of its common names.
    pub fn from_id(id: &str) -> Option<TieBreak> {
        let id = match id {
            "buchholz" => "sos",
            "buchholz-cut1" => "sos-cut1",
            "buchholz-median" | "median" => "sos-median",
            "sb" | "sonneborn-berger" => "sodos",
            "h2h" | "direct-encounter" => "direct",
            id => id,
        };
        TieBreak::ALL.into_iter().find(|tie_break| tie_break.id() == id)
    }
}

/// Everybody's points and tie-breaks, in the order of the table.
#[derive(Clone, Debug)]
pub struct Standings {
    /// Best first.
    pub order: Vec<usize>,
    /// By player: the place, from 1, shared by those whom nothing tells apart.
    pub place: Vec<usize>,
    pub scores: Vec<Score>,
    /// By player, one for each tie-break asked for: points.
    pub tie_breaks: Vec<Vec<f64>>,
}

/// One player's games against one other.
struct Games {
    opponent: usize,
    /// Losses, draws, wins.
    results: [u64; 3],
}

impl Games {
    fn half_points(&self) -> u64 {
        self.results[1] + 2 * self.results[2]
    }

    fn count(&self) -> u64 {
        self.results.iter().sum()
    }
}

impl Standings {
    /// Points first, then the tie-breaks in this order.
    pub fn new(results: &Results, tie_breaks: &[TieBreak]) -> Standings {
        let scores = results.scores();
        let mut games: Vec<Vec<Games>> = scores.iter().map(|_| Vec::new()).collect();
        for (a, b, meeting) in results.meetings() {
            let mut results = meeting.all_games();
            games[a].push(Games { opponent: b, results });
            results.reverse();
            games[b].push(Games { opponent: a, results });
        }
        let quarters: Vec<Vec<u64>> = (0..scores.len())
            .map(|player| {
                tie_breaks.iter().map(|&kind| quarter_points(kind, player, &games[player], &scores)).collect()
            })
            .collect();
        let key = |player: usize| (scores[player].half_points, &quarters[player]);
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&i, &j| key(j).cmp(&key(i)).then(i.cmp(&j)));
        let mut place = vec![0; scores.len()];
        for (index, &player) in order.iter().enumerate() {
            let above = index.checked_sub(1).map(|above| order[above]);
            place[player] = match above.filter(|&above| key(above) == key(player)) {
                Some(above) => place[above],
                None => index + 1,
            };
        }
        let points = |list: &Vec<u64>| list.iter().map(|&quarters| 0.25 * quarters as f64).collect();
        let tie_breaks = quarters.iter().map(points).collect();
        Standings { order, place, scores, tie_breaks }
    }
}

fn quarter_points(kind: TieBreak, player: usize, games: &[Games], scores: &[Score]) -> u64 {
    let own = scores[player].half_points;
    let opponent = |games: &Games| scores[games.opponent].half_points;
    let sos = || -> u64 { games.iter().map(|games| games.count() * opponent(games)).sum() };
    let lowest = || games.iter().map(opponent).min().unwrap_or(0);
    let highest = || games.iter().map(opponent).max().unwrap_or(0);
    let against = |wanted: &dyn Fn(&Games) -> bool| -> u64 {
        games.iter().filter(|games| wanted(games)).map(Games::half_points).sum()
    };
    match kind {
        TieBreak::Sos => 2 * sos(),
        TieBreak::SosCut1 => 2 * (sos() - lowest()),
        TieBreak::SosMedian => {
            // Of a single game both ends are the same one.
            let cut = if scores[player].games > 1 { lowest() + highest() } else { lowest() };
            2 * (sos() - cut)
        }
        TieBreak::Sodos => games.iter().map(|games| opponent(games) * games.half_points()).sum(),
        TieBreak::SodosMatch => games
            .iter()
            .map(|games| match games.half_points().cmp(&games.count()) {
                std::cmp::Ordering::Greater => 2 * opponent(games),
                std::cmp::Ordering::Equal => opponent(games),
                std::cmp::Ordering::Less => 0,
            })
            .sum(),
        TieBreak::Direct => 2 * against(&|games| opponent(games) == own),
        TieBreak::Wins => 4 * scores[player].wins,
        TieBreak::WinsBlack => 4 * scores[player].wins_as_black,
        TieBreak::Koya => 2 * against(&|games| opponent(games) >= scores[games.opponent].games),
    }
}
