//! Matches summed up while their rows come by: what the reports show of games and pairs, in memory that does not grow with
//! the plies played. The games themselves stay in the run folder.

use super::standing::{self, Score};
use crate::record::{GameRow, MatchRow, PairRow, Row};

/// Games listed one by one; of the others only the sums are kept.
pub const LISTED: usize = 200;

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
}

/// The games of a match, or of several.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Games {
    pub counted: u64,
    /// Set aside: finished after the stop.
    pub aside: u64,
    /// Plies of the counted games.
    pub plies: u64,
    /// Termination and reason of the counted games, with their number, in the order of their first game.
    pub endings: Vec<Ending>,
    /// The first [`LISTED`] games.
    pub listed: Vec<Listed>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    pub termination: String,
    pub reason: String,
    pub games: u64,
}

/// A game without its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Listed {
    pub game: GameRow,
    pub plies: usize,
}

impl Games {
    pub fn add(&mut self, game: &GameRow) {
        if game.set_aside {
            self.aside += 1;
        } else {
            self.counted += 1;
            self.plies += game.plies.len() as u64;
            self.count(&game.termination, &game.reason, 1);
        }
        if self.listed.len() < LISTED {
            let plies = game.plies.len();
            let bare = GameRow {
                round: game.round,
                pair: game.pair,
                game: game.game,
                white: game.white.clone(),
                black: game.black.clone(),
                opening: game.opening.clone(),
                result: game.result.clone(),
                reason: game.reason.clone(),
                termination: game.termination.clone(),
                duration_us: game.duration_us,
                set_aside: game.set_aside,
                ..GameRow::default()
            };
            self.listed.push(Listed { game: bare, plies });
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
            for ending in &games.endings {
                all.count(&ending.termination, &ending.reason, ending.games);
            }
            let room = LISTED - all.listed.len();
            all.listed.extend(games.listed.iter().take(room).cloned());
        }
        all
    }
}

impl Contest {
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
        let by_game = || self.games.listed.first().and_then(|listed| listed.game.round);
        self.outcome.as_ref().map_or_else(by_game, |outcome| outcome.round).is_some()
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
    score: Score,
}

impl Gathered {
    pub fn add(&mut self, row: &Row) {
        self.score.add(row);
        match row {
            Row::Game(game) => self.open.games.add(game),
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
        let encounters: Vec<_> =
            self.score.matches().into_iter().filter(|met| met.row.round.is_some()).collect();
        if let Some(outcome) = self.score.open() {
            self.add(&Row::Match(outcome));
        }
        if encounters.is_empty() || self.rows.iter().any(|row| matches!(row, Row::Standing(_))) {
            return false;
        }
        self.rows.extend(standing::standings(&encounters).into_iter().map(Row::Standing));
        true
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

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.contests.is_empty() && self.open.is_empty()
    }
}
