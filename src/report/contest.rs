//! Matches summed up while their rows come by: what the reports show of games and pairs, in memory that does not grow with
//! the plies played. The games themselves stay in the run folder.

use super::chosen::Chosen;
use super::standing::{self, Score};
use super::thinking::{self, Thinking};
use crate::record::{GameRow, MatchRow, PairRow, Row, StandingRow};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A match of two engines: its games and pairs, and its outcome if it came to one.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Contest {
    pub outcome: Option<MatchRow>,
    pub pairs: u64,
    pub last_pair: Option<PairRow>,
    /// Pairs so far and the log-likelihood ratio there, where it is finite.
    pub path: Vec<(f64, f64)>,
    /// Whether any pair had a log-likelihood ratio.
    pub has_llr: bool,
    pub games: Games,
    /// Of its first game, in a tournament.
    pub round: Option<u32>,
    /// The engine that had White in its first game.
    pub first: String,
}

/// The games of a match, or of several.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Games {
    pub counted: u64,
    /// Set aside: finished after the stop.
    pub aside: u64,
    /// Plies of the counted games.
    pub plies: u64,
    /// Counted games that White won, drew, lost.
    pub of_white: [u64; 3],
    /// Counted games that go move for move as an earlier one of the same engines and colours did.
    pub repeats: u64,
    /// Termination and reason of the counted games, the engine named, with their number, in the order of their first game.
    pub endings: Vec<Ending>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    pub termination: String,
    pub reason: String,
    pub games: u64,
}

impl Games {
    pub fn add(&mut self, game: &GameRow) {
        if game.set_aside {
            self.aside += 1;
        } else {
            self.counted += 1;
            self.plies += game.plies.len() as u64;
            if let Some(at) = ["1-0", "1/2-1/2", "0-1"].iter().position(|result| *result == game.result) {
                self.of_white[at] += 1;
            }
            self.count(&game.termination, &by_engine(game), 1);
        }
    }

    fn count(&mut self, termination: &str, reason: &str, games: u64) {
        let same = |e: &&mut Ending| e.termination == termination && e.reason == reason;
        match self.endings.iter_mut().find(same) {
            Some(ending) => ending.games += games,
            None => self.endings.push(Ending {
                termination: termination.to_owned(),
                reason: reason.to_owned(),
                games,
            }),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.total() == 0
    }

    pub fn total(&self) -> u64 {
        self.counted + self.aside
    }

    /// The games of several matches.
    pub fn of_all<'a>(matches: impl IntoIterator<Item = &'a Contest>) -> Games {
        let mut all = Games::default();
        for games in matches.into_iter().map(|contest| &contest.games) {
            all.counted += games.counted;
            all.aside += games.aside;
            all.plies += games.plies;
            all.repeats += games.repeats;
            (0..3).for_each(|at| all.of_white[at] += games.of_white[at]);
            for ending in &games.endings {
                all.count(&ending.termination, &ending.reason, ending.games);
            }
        }
        all
    }
}

/// Who played which moves from where, thinking for how long.
fn course(game: &GameRow) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&game.white, &game.black, &game.white_limit, &game.black_limit, &game.start_fen).hash(&mut hasher);
    game.plies.iter().for_each(|ply| ply.uci.as_str().hash(&mut hasher));
    hasher.finish()
}

/// Why a game ended, with the engine in the place of its colour.
fn by_engine(game: &GameRow) -> String {
    let sides = [("white ", &game.white), ("black ", &game.black)];
    let of = |(side, name): &(&str, &String)| Some(format!("{name} {}", game.reason.strip_prefix(side)?));
    sides.iter().find_map(of).unwrap_or_else(|| game.reason.clone())
}

impl Contest {
    pub fn add_game(&mut self, game: &GameRow) {
        if self.games.is_empty() {
            self.round = game.round;
            self.first = if game.game == 0 { game.white.clone() } else { game.black.clone() };
        }
        self.games.add(game);
    }

    pub fn add_pair(&mut self, pair: &PairRow) {
        self.pairs += 1;
        self.has_llr |= pair.llr.is_some();
        if let Some(llr) = pair.llr.filter(|llr| llr.is_finite()) {
            self.path.push((self.pairs as f64, llr));
        }
        self.last_pair = Some(pair.clone());
    }

    /// Whether it is part of a tournament.
    pub fn is_encounter(&self) -> bool {
        self.outcome.as_ref().map_or(self.round, |outcome| outcome.round).is_some()
    }

    fn is_empty(&self) -> bool {
        self.pairs == 0 && self.games.is_empty()
    }
}

/// The rows of a run as they are needed for its report: games and pairs as sums, everything else as it came.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    rows: Vec<Row>,
    contests: Vec<Contest>,
    open: Contest,
    /// Hashes of all games.
    seen: HashSet<u64>,
    score: Score,
    chosen: Chosen,
    thinking: Vec<Thinking>,
}

impl Gathered {
    /// `seed`: of the sample of games that is shown.
    pub fn new(seed: u64) -> Gathered {
        Gathered { chosen: Chosen::new(seed), ..Gathered::default() }
    }

    pub fn add(&mut self, row: &Row) {
        self.score.add(row);
        match row {
            Row::Game(game) => {
                self.open.add_game(game);
                self.chosen.add(game, &self.open.first);
                if !game.set_aside {
                    thinking::add(&mut self.thinking, game);
                    // One without a move is an accident.
                    let is_new = game.plies.is_empty() || self.seen.insert(course(game));
                    self.open.games.repeats += u64::from(!is_new);
                }
            }
            Row::Pair(pair) => self.open.add_pair(pair),
            Row::Match(outcome) => {
                self.open.outcome = Some(outcome.clone());
                self.contests.push(std::mem::take(&mut self.open));
            }
            other => self.rows.push(other.clone()),
        }
    }

    /// No more rows will come. A match without an outcome gets what its pairs have come to, a tournament without standings
    /// those of its games: it was killed before it could write them.
    /// True if standings were made.
    pub fn close(&mut self) -> bool {
        let (open, standings) = self.so_far();
        if let Some(outcome) = open {
            self.add(&Row::Match(outcome));
        }
        if standings.is_empty() || self.rows.iter().any(|row| matches!(row, Row::Standing(_))) {
            return false;
        }
        self.rows.extend(standings.into_iter().map(Row::Standing));
        true
    }

    /// What the match that is not over has come to, and the standings of a tournament, by the games alone.
    pub fn so_far(&self) -> (Option<MatchRow>, Vec<StandingRow>) {
        let mut encounters = self.score.matches();
        encounters.retain(|met| met.row.round.is_some());
        let standings = if encounters.is_empty() { Vec::new() } else { standing::standings(&encounters) };
        (self.score.open(), standings)
    }

    /// Log-likelihood ratio of the sequential test that is not over.
    pub fn llr(&self) -> Option<f64> {
        self.score.llr()
    }

    /// All rows but those of matches.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The matches, and the one that has no outcome.
    pub fn contests(&self) -> Vec<Contest> {
        let open = (!self.open.is_empty()).then_some(&self.open);
        self.contests.iter().chain(open).cloned().collect()
    }

    /// The places of the games that are shown move by move, among all games of the record.
    pub fn chosen(&self) -> Vec<u64> {
        self.chosen.places()
    }

    pub fn thinking(&self) -> &[Thinking] {
        &self.thinking
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.contests.is_empty() && self.open.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::PlyRow;

    #[test]
    fn endings_are_counted_by_engine_and_not_by_colour() {
        let game = |white: &str, black: &str, reason: &str| GameRow {
            white: white.into(),
            black: black.into(),
            reason: reason.into(),
            termination: "normal".into(),
            ..GameRow::default()
        };
        let mut games = Games::default();
        games.add(&game("new", "old", "white mates"));
        games.add(&game("old", "new", "black mates"));
        games.add(&game("old", "new", "white mates"));
        games.add(&game("old", "new", "black resigns"));
        games.add(&game("old", "new", "draw by stalemate"));
        games.add(&game("new", "old", "draw by stalemate"));
        let told: Vec<(&str, u64)> = games.endings.iter().map(|e| (e.reason.as_str(), e.games)).collect();
        assert_eq!(told, [("new mates", 2), ("old mates", 1), ("new resigns", 1), ("draw by stalemate", 2)]);
    }

    /// With the same colours and limits, in whichever encounter.
    #[test]
    fn games_that_go_as_an_earlier_one_are_counted() {
        let game = |white: &str, moves: &[&str]| {
            let plies = moves.iter().map(|mv| PlyRow { uci: (*mv).into(), ..PlyRow::default() }).collect();
            Row::Game(GameRow { white: white.into(), plies, result: "1-0".into(), ..GameRow::default() })
        };
        let mut gathered = Gathered::default();
        let first = ["e2e4", "e7e5"];
        for (white, moves, repeats) in [
            ("a", &first[..], 0),
            ("b", &first, 0),
            ("a", &["e2e4"], 0),
            ("a", &first, 1),
            ("b", &first, 2),
            ("a", &["e2e4", "e7e6"], 2),
            ("a", &[], 2),
            ("a", &[], 2),
        ] {
            gathered.add(&game(white, moves));
            assert_eq!(gathered.open.games.repeats, repeats, "{white} {moves:?}");
        }
        gathered.add(&Row::Match(MatchRow::default()));
        gathered.add(&game("a", &first));
        let Row::Game(other) = game("a", &first) else { panic!() };
        gathered.add(&Row::Game(GameRow { white_limit: "nodes=9".into(), ..other }));
        assert_eq!(Games::of_all(&gathered.contests()).repeats, 3);
    }
}
