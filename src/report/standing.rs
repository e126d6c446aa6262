//! How a match or a tournament stands by the games that were committed so far: while it runs, and where it was broken off
//! before it could say so itself. Elo and intervals are found as at the end; places go by points (their share, where one engine
//! plays more games than the others), as the format is not known here: no byes, and no brackets.

use super::contest::Contest;
use crate::record::{GameRow, MatchRow, PairRow, Row, StandingRow};
use crate::stats::rating::{self, Results, Settings, Standings, TieBreak};
use crate::stats::{Counts, EloEstimate};

/// Said of figures that will still change.
pub const SO_FAR: &str = "so far";

/// The match that is being played, or was when it was broken off.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Open {
    /// First and second engine, and the round of a tournament.
    players: Option<([String; 2], Option<u32>)>,
    last: Option<PairRow>,
}

impl Open {
    /// Takes a committed game: in the first one of a pair the first engine has White.
    pub fn add_game(&mut self, game: &GameRow) {
        if self.players.is_none() && game.game == 0 && !game.set_aside {
            self.players = Some(([game.white.clone(), game.black.clone()], game.round));
        }
    }

    pub fn add_pair(&mut self, pair: &PairRow) {
        self.last = Some(pair.clone());
    }

    /// Its figures as they stand; none before the first pair.
    pub fn outcome(&self) -> Option<MatchRow> {
        let (([first, second], round), pair) = (self.players.as_ref()?, self.last.as_ref()?);
        let elo = EloEstimate::new(&Counts::Pentanomial(pair.penta));
        let interval = elo.as_ref().map(EloEstimate::interval);
        let defined = |value: f64| Some(value).filter(|value| !value.is_nan());
        Some(MatchRow {
            name: match round {
                Some(round) => format!("round {round}, {SO_FAR}"),
                None => format!("{first} v {second}, {SO_FAR}"),
            },
            round: *round,
            first: first.clone(),
            second: second.clone(),
            wins: pair.wins,
            draws: pair.draws,
            losses: pair.losses,
            penta: pair.penta,
            elo: elo.as_ref().and_then(|elo| defined(elo.elo)),
            elo_low: interval.and_then(|interval| defined(interval.low)),
            elo_high: interval.and_then(|interval| defined(interval.high)),
            interval: interval.map(|interval| interval.kind.id().to_owned()).unwrap_or_default(),
            los: elo.as_ref().map(|elo| elo.los),
            nelo: elo.as_ref().and_then(|elo| elo.nelo).and_then(defined),
            ..MatchRow::default()
        })
    }

    /// Log-likelihood ratio of a sequential test.
    pub fn llr(&self) -> Option<f64> {
        self.last.as_ref()?.llr
    }
}

/// What a run of games has come to, in memory that goes by encounters.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Score {
    over: Vec<MatchRow>,
    open: Open,
}

impl Score {
    /// Takes a row of the record, in its order.
    pub fn add(&mut self, row: &Row) {
        match row {
            Row::Game(game) => self.open.add_game(game),
            Row::Pair(pair) => self.open.add_pair(pair),
            Row::Match(outcome) => {
                self.over.push(outcome.clone());
                self.open = Open::default();
            }
            _ => {}
        }
    }

    /// The matches: those that are over, and the one that is not.
    pub fn matches(&self) -> Vec<MatchRow> {
        self.over.iter().cloned().chain(self.open.outcome()).collect()
    }

    pub fn llr(&self) -> Option<f64> {
        self.open.llr()
    }
}

/// Matches as a report shows them.
pub fn contests(matches: &[MatchRow]) -> Vec<Contest> {
    let contest = |row: &MatchRow| Contest { outcome: Some(row.clone()), ..Contest::default() };
    matches.iter().map(contest).collect()
}

/// The table of a tournament by what its encounters have come to; best first.
pub fn standings(encounters: &[&MatchRow]) -> Vec<StandingRow> {
    let mut names: Vec<&str> = Vec::new();
    for name in encounters.iter().flat_map(|row| [row.first.as_str(), row.second.as_str()]) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let number = |name: &str| names.iter().position(|known| *known == name).unwrap_or(usize::MAX);
    let mut results = Results::new(names.len());
    for row in encounters {
        let (one, other) = (number(&row.first), number(&row.second));
        for (half_points, times) in pairs(row) {
            (0..times).for_each(|_| results.add_pair(one, other, half_points));
        }
    }
    let Standings { scores, tie_breaks, .. } = Standings::new(&results, &[TieBreak::Sodos]);
    let mut rows: Vec<StandingRow> = names
        .iter()
        .zip(scores.iter().zip(&tie_breaks))
        .map(|(name, (score, tie_breaks))| StandingRow {
            engine: (*name).to_owned(),
            games: score.games,
            half_points: score.half_points,
            wins: score.wins,
            draws: score.draws,
            losses: score.games - score.wins - score.draws,
            sonneborn_berger: tie_breaks.iter().sum(),
            ..StandingRow::default()
        })
        .collect();
    for (number, group) in (1..).zip(rating::rate(&results, &Settings::default())) {
        for rating in &group.ratings {
            let row = &mut rows[rating.player];
            row.group = number;
            row.interval = rating.kind.id().to_owned();
            if group.ratings.len() > 1 {
                row.elo = Some(rating.rating);
                row.elo_low = rating.error().map(|error| rating.rating - error);
                row.elo_high = rating.error().map(|error| rating.rating + error);
            }
        }
    }
    let uneven = rows.iter().any(|row| row.games != rows[0].games);
    let key = |row: &StandingRow| match uneven {
        true => [row.points() / (row.games as f64).max(1.0), row.points(), row.wins as f64],
        false => [row.points(), row.sonneborn_berger, row.wins as f64],
    };
    rows.sort_by(|one, two| key(two).partial_cmp(&key(one)).unwrap_or(std::cmp::Ordering::Equal));
    for place in 0..rows.len() {
        let shared = place > 0 && key(&rows[place - 1]) == key(&rows[place]);
        rows[place].rank = if shared { rows[place - 1].rank } else { place as u64 + 1 };
    }
    rows
}

/// Pairs of games by White's half points in each, the first engine being White in the first of them, and how many there were.
/// Colours are not in the row: they are given to White, which no figure here looks at.
fn pairs(row: &MatchRow) -> [([u32; 2], u64); 6] {
    let [ll, ld, level, wd, ww] = row.penta;
    // A pair of a win and a loss counts one of each, a pair of draws two draws.
    let split = row.wins.saturating_sub(2 * ww + wd).min(level);
    let of_first = [(0, 0, ll), (0, 1, ld), (1, 1, level - split), (2, 0, split), (2, 1, wd), (2, 2, ww)];
    of_first.map(|(as_white, as_black, times)| ([as_white, 2 - as_black], times))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(first: &str, second: &str, [wins, draws, losses]: [u64; 3], penta: [u64; 5]) -> MatchRow {
        let (first, second) = (first.to_owned(), second.to_owned());
        MatchRow { first, second, wins, draws, losses, penta, ..MatchRow::default() }
    }

    /// Counted by hand: every pair of the row, and no other.
    #[test]
    fn pairs_are_found_again_in_their_sums() {
        let row = row("A", "B", [4, 3, 3], [1, 0, 2, 1, 1]);
        // LL, two level ones of which one is a win and a loss and one two draws, WD, WW: +4 =3 -3.
        let found = pairs(&row);
        let mut wdl = [0; 3];
        for ([white, black], times) in found {
            for points in [white, 2 - black] {
                wdl[2 - points as usize] += times;
            }
        }
        assert_eq!(wdl, [4, 3, 3]);
        assert_eq!(found.iter().map(|(_, times)| times).sum::<u64>(), 5);
    }

    #[test]
    fn points_decide_and_their_share_where_one_plays_more() {
        let all = [
            row("A", "B", [2, 0, 0], [0, 0, 0, 0, 1]),
            row("A", "C", [0, 2, 0], [0, 0, 1, 0, 0]),
            row("B", "C", [0, 0, 2], [1, 0, 0, 0, 0]),
        ];
        let table = |rows: &[MatchRow]| {
            let rows: Vec<&MatchRow> = rows.iter().collect();
            let table = standings(&rows).into_iter();
            table.map(|row| (row.engine, row.rank, row.half_points, row.games)).collect::<Vec<_>>()
        };
        let place = |name: &str, rank, half_points, games| (name.to_owned(), rank, half_points, games);
        // A and C have three points each, and each has beaten B and drawn with the other: nothing tells them apart.
        assert_eq!(table(&all), [place("A", 1, 6, 4), place("C", 1, 6, 4), place("B", 3, 0, 4)]);
        assert_eq!(table(&all[..2]), [place("A", 1, 6, 4), place("C", 2, 2, 2), place("B", 3, 0, 2)]);
        assert!(table(&[]).is_empty());
    }

    #[test]
    fn an_open_match_stands_as_its_last_pair_says() {
        let mut open = Open::default();
        let game = |game: u32, white: &str, black: &str| GameRow {
            game,
            white: white.to_owned(),
            black: black.to_owned(),
            ..GameRow::default()
        };
        open.add_game(&game(0, "A", "B"));
        open.add_game(&game(1, "B", "A"));
        assert!(open.outcome().is_none());
        let counted =
            PairRow { wins: 1, draws: 1, penta: [0, 0, 0, 1, 0], half_points: 3, ..PairRow::default() };
        open.add_pair(&counted);
        let row = open.outcome().unwrap();
        assert_eq!((row.first.as_str(), row.second.as_str()), ("A", "B"));
        assert_eq!((row.wins, row.draws, row.losses, row.penta), (1, 1, 0, [0, 0, 0, 1, 0]));
    }
}
