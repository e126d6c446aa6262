//! Which two games share an opening. Match runners play every opening twice with colours swapped, and under concurrency the two
//! need not stand side by side: they are found by their round (`Round "12"`, or `12.1` and `12.2`) or, where rounds do not
//! tell, by a start position that is not the initial one.

use crate::stats::rating::Results;
use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Games of two players that wait for their partners: more than any runner has under way.
const MOST_WAITING: usize = 1024;

/// A finished game.
#[derive(Debug)]
pub(super) struct Met<'a> {
    pub white: usize,
    pub black: usize,
    /// White's.
    pub half_points: u32,
    pub round: Option<&'a str>,
    /// The start position, if it is not the initial one.
    pub start: Option<String>,
}

#[derive(Debug)]
struct Waiting {
    round: Option<u64>,
    start: Option<u64>,
    half_points: u32,
}

/// Games without a partner so far, by White and Black.
#[derive(Debug, Default)]
pub(super) struct Pairing {
    waiting: HashMap<(usize, usize), VecDeque<Waiting>>,
}

impl Pairing {
    /// Books the game with its partner, by itself if it can have none, or keeps it.
    pub(super) fn take(&mut self, met: Met<'_>, results: &mut Results) {
        let Met { white, black, half_points, .. } = met;
        let (round, start) = (met.round.map(hash), met.start.as_deref().map(hash));
        if round.is_none() && start.is_none() {
            return results.add(white, black, half_points);
        }
        if let Some(others) = self.waiting.get_mut(&(black, white)) {
            let same_round =
                |other: &Waiting| round.is_some() && other.round == round && other.start == start;
            let same_start = |other: &Waiting| start.is_some() && other.start == start;
            let partner = others.iter().position(same_round).or_else(|| others.iter().position(same_start));
            if let Some(partner) = partner.and_then(|at| others.remove(at)) {
                return results.add_pair(black, white, [partner.half_points, half_points]);
            }
        }
        let waiting = self.waiting.entry((white, black)).or_default();
        waiting.push_back(Waiting { round, start, half_points });
        if waiting.len() > MOST_WAITING
            && let Some(oldest) = waiting.pop_front()
        {
            results.add(white, black, oldest.half_points);
        }
    }

    /// What still waits is on its own.
    pub(super) fn finish(&mut self, results: &mut Results) {
        for ((white, black), waiting) in self.waiting.drain() {
            for game in waiting {
                results.add(white, black, game.half_points);
            }
        }
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs taken in, in this order; how many were found.
    fn pairs(games: &[(usize, usize, &str, &str)]) -> u64 {
        let (mut pairing, mut results) = (Pairing::default(), Results::new(2));
        for &(white, black, round, start) in games {
            let (round, start) = ((!round.is_empty()).then_some(round), (!start.is_empty()).then_some(start));
            let start = start.map(str::to_owned);
            pairing.take(Met { white, black, half_points: 2, round, start }, &mut results);
        }
        pairing.finish(&mut results);
        assert_eq!(results.games(), games.len() as u64, "no game is lost");
        results.meetings().map(|(_, _, meeting)| meeting.pairs()).sum()
    }

    #[test]
    fn partners_are_found_by_round_or_start() {
        assert_eq!(pairs(&[(0, 1, "1", ""), (0, 1, "2", ""), (1, 0, "2", ""), (1, 0, "1", "")]), 2);
        assert_eq!(pairs(&[(0, 1, "1", ""), (1, 0, "2", "")]), 0);
        assert_eq!(pairs(&[(0, 1, "1", ""), (0, 1, "1", "")]), 0, "colours are swapped in a pair");
        assert_eq!(pairs(&[(0, 1, "1", "x"), (1, 0, "2", "x"), (1, 0, "3", "y")]), 1);
        assert_eq!(pairs(&[(0, 1, "", ""), (1, 0, "", "")]), 0);
        let many: Vec<_> = (0..3000).map(|_| (0, 1, "7", "")).collect();
        assert_eq!(pairs(&many), 0);
    }
}
