//! How a match or a tournament stands by the games that were committed so far: while it runs, and where it was broken off
//! before it could say so itself. Elo and intervals are found as at the end; places go by points (their share, where one engine
//! plays more games than the others), as the format is not known here: no byes, and no brackets.

use crate::record::{GameRow, MatchRow, PairRow, Row, StandingRow};
use crate::stats::rating::{self, Results, Settings, Standings, TieBreak};
use crate::stats::{Counts, EloEstimate};

/// Said of figures that will still change.
pub const SO_FAR: &str = "so far";

/// Pairs of games of two engines by half points of White in each: of the first engine in one, of the second in the other.
type Pairs = [[u64; 3]; 3];

/// The match that is being played, or was when it was broken off.
#[derive(Clone, PartialEq, Debug, Default)]
struct Open {
    /// First and second engine, and the round of a tournament.
    players: Option<([String; 2], Option<u32>)>,
    last: Option<PairRow>,
    /// White's half points in the games of the pair that is not complete.
    games: Vec<usize>,
    pairs: Pairs,
}

impl Open {
    /// Takes a committed game: in the first one of a pair the first engine has White.
    fn add_game(&mut self, game: &GameRow) {
        if game.set_aside {
            return;
        }
        if self.players.is_none() && game.game == 0 {
            self.players = Some(([game.white.clone(), game.black.clone()], game.round));
        }
        self.games.extend(["0-1", "1/2-1/2", "1-0"].iter().position(|result| *result == game.result));
    }

    fn add_pair(&mut self, pair: &PairRow) {
        if let [one, other] = self.games[..] {
            self.pairs[one][other] += 1;
        }
        self.games.clear();
        self.last = Some(pair.clone());
    }

    /// Its figures as they stand; none before the first pair.
    fn outcome(&self) -> Option<MatchRow> {
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
}

/// An encounter: its outcome, and the games it is made of.
#[derive(Clone, PartialEq, Debug)]
pub struct Met {
    pub row: MatchRow,
    pairs: Pairs,
}

/// What a run of games has come to, in memory that goes by encounters.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Score {
    over: Vec<Met>,
    open: Open,
}

impl Score {
    /// Takes a row of the record, in its order.
    pub fn add(&mut self, row: &Row) {
        match row {
            Row::Game(game) => self.open.add_game(game),
            Row::Pair(pair) => self.open.add_pair(pair),
            Row::Match(outcome) => {
                let open = std::mem::take(&mut self.open);
                self.over.push(Met { row: outcome.clone(), pairs: open.pairs });
            }
            _ => {}
        }
    }

    /// The match that is not over, if a pair of it is played.
    pub fn open(&self) -> Option<MatchRow> {
        self.open.outcome()
    }

    /// The matches: those that are over, and the one that is not.
    pub fn matches(&self) -> Vec<Met> {
        let open = self.open().map(|row| Met { row, pairs: self.open.pairs });
        self.over.iter().cloned().chain(open).collect()
    }

    /// Log-likelihood ratio of a sequential test, after its last pair.
    pub fn llr(&self) -> Option<f64> {
        self.open.last.as_ref()?.llr
    }
}

/// The table of a tournament by what its encounters have come to; best first.
pub fn standings(encounters: &[Met]) -> Vec<StandingRow> {
    let mut names: Vec<&str> = Vec::new();
    for name in encounters.iter().flat_map(|met| [met.row.first.as_str(), met.row.second.as_str()]) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let number = |name: &str| names.iter().position(|known| *known == name).unwrap_or(usize::MAX);
    let mut results = Results::new(names.len());
    for Met { row, pairs } in encounters {
        let (one, other) = (number(&row.first), number(&row.second));
        for (white, times) in pairs.iter().enumerate() {
            for (black, &times) in times.iter().enumerate() {
                (0..times).for_each(|_| results.add_pair(one, other, [white as u32, black as u32]));
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn game(white: &str, black: &str, game: u32, result: &str) -> Row {
        let [white, black, result] = [white, black, result].map(str::to_owned);
        Row::Game(GameRow { white, black, game, result, ..GameRow::default() })
    }

    /// A match of one pair.
    fn played(first: &str, second: &str, results: [&str; 2], is_over: bool) -> Vec<Row> {
        let (first, second) = (first.to_owned(), second.to_owned());
        let mut rows = vec![
            game(&first, &second, 0, results[0]),
            game(&second, &first, 1, results[1]),
            Row::Pair(PairRow::default()),
        ];
        rows.extend(is_over.then(|| Row::Match(MatchRow { first, second, ..MatchRow::default() })));
        rows
    }

    fn table(rows: &[Row]) -> Vec<(String, u64, u64, u64)> {
        let mut score = Score::default();
        rows.iter().for_each(|row| score.add(row));
        let table = standings(&score.matches()).into_iter();
        table.map(|row| (row.engine, row.rank, row.half_points, row.games)).collect()
    }

    #[test]
    fn points_decide_and_their_share_where_one_plays_more() {
        let place = |name: &str, rank, half_points, games| (name.to_owned(), rank, half_points, games);
        let mut rows = played("A", "B", ["1-0", "0-1"], true);
        rows.extend(played("A", "C", ["1/2-1/2", "1/2-1/2"], true));
        // C has not lost either, and has played less.
        assert_eq!(table(&rows), [place("A", 1, 6, 4), place("C", 2, 2, 2), place("B", 3, 0, 2)]);
        // The last encounter is not over; A and C have beaten B and drawn with each other.
        rows.extend(played("B", "C", ["0-1", "1-0"], false));
        assert_eq!(table(&rows), [place("A", 1, 6, 4), place("C", 1, 6, 4), place("B", 3, 0, 4)]);
        assert!(table(&[]).is_empty());
    }

    #[test]
    fn an_open_match_stands_as_its_last_pair_says() {
        let mut score = Score::default();
        score.add(&game("A", "B", 0, "1-0"));
        score.add(&game("B", "A", 1, "1/2-1/2"));
        assert!(score.open().is_none());
        let counted =
            PairRow { wins: 1, draws: 1, penta: [0, 0, 0, 1, 0], half_points: 3, ..PairRow::default() };
        score.add(&Row::Pair(counted));
        let row = score.open().unwrap();
        assert_eq!((row.first.as_str(), row.second.as_str()), ("A", "B"));
        assert_eq!((row.wins, row.draws, row.losses, row.penta), (1, 1, 0, [0, 0, 0, 1, 0]));
    }
}
