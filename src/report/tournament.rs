//! What text and page show of a tournament beside its standings: who scored what against whom, round by round and all together.

use super::contest::Contest;
use super::digest::Digest;
use super::figures::points;
use crate::record::{MatchRow, StandingRow};
use std::collections::HashMap;

/// Said where Elo does not reach from everybody to everybody.
pub(super) const GROUPS: &str =
    "No results link engines of different groups both ways: no Elo difference between them exists.";

/// Columns of the standings that only some tournaments need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    pub byes: bool,
    pub lost: bool,
    pub group: bool,
}

impl Columns {
    pub(super) fn of(standings: &[&StandingRow]) -> Columns {
        Columns {
            byes: standings.iter().any(|row| row.byes > 0),
            lost: standings.iter().any(|row| row.lost_in_round.is_some()),
            group: standings.iter().any(|row| row.group > 1),
        }
    }
}

/// The encounters that are over, in the order they were played.
pub(super) fn encounters<'a>(digest: &'a Digest) -> Vec<&'a MatchRow> {
    let is_encounter = |contest: &&Contest| contest.is_encounter();
    digest.contests.iter().filter(is_encounter).filter_map(|contest| contest.outcome.as_ref()).collect()
}

/// The score of an encounter, as `2.5-1.5`.
pub(super) fn score(row: &MatchRow) -> String {
    format!("{}-{}", points(2 * row.wins + row.draws), points(2 * row.losses + row.draws))
}

/// What everybody scored against everybody.
#[derive(Debug)]
pub(super) struct CrossTable<'a> {
    /// In the order of the standings.
    pub names: Vec<&'a str>,
    /// Half points and games of the first against the second.
    scores: HashMap<(&'a str, &'a str), (u64, u64)>,
}

impl<'a> CrossTable<'a> {
    pub(super) fn of(digest: &Digest<'a>, encounters: &[&'a MatchRow]) -> CrossTable<'a> {
        let mut names: Vec<&str> = digest.standings.iter().map(|row| row.engine.as_str()).collect();
        let mut scores: HashMap<_, (u64, u64)> = HashMap::new();
        for row in encounters {
            let (first, second) = (row.first.as_str(), row.second.as_str());
            let games = row.wins + row.draws + row.losses;
            let sides = [(first, second, row.wins), (second, first, row.losses)];
            for (one, other, wins) in sides {
                // Standings are not there before the end.
                if !names.contains(&one) {
                    names.push(one);
                }
                let score = scores.entry((one, other)).or_default();
                *score = (score.0 + 2 * wins + row.draws, score.1 + games);
            }
        }
        CrossTable { names, scores }
    }

    /// `2.5/4`: points of games; empty for two who did not meet.
    pub(super) fn cell(&self, one: usize, other: usize) -> String {
        let score = self.scores.get(&(self.names[one], self.names[other]));
        score.map_or(String::new(), |(half_points, games)| format!("{}/{games}", points(*half_points)))
    }
}
