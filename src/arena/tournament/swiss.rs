//! Swiss system: round by round engines with equal points meet, and nobody meets the same opponent again as long as that can
//! be avoided. With an odd number the lowest that had none yet has a bye and gets the points of an encounter won.
//!
//! Equal points are ordered by lot, drawn once from the seed. The upper half of a score group meets its lower half, as in
//! FIDE's Dutch system (Handbook C.04.3), whose rules on colours have no use here: every pair is played with both. What the
//! exact rules do by exchanges is done by a question before each pair is made: can the rest still be paired as well?

use super::field::{Bye, Draw, Encounter, Field, Met, Played};
use super::matching;
use crate::stats::SplitMix64;
use std::collections::BTreeMap;

pub(super) fn draw(field: &Field, played: &Played) -> Draw {
    let round = 1 + played.met.iter().map(|met| met.encounter.round).max().unwrap_or(0);
    if round > field.rounds {
        return Draw::default();
    }
    let state = State::new(field, played);
    let mut left = state.ranking.clone();
    let bye = state.take_bye(&mut left);
    let pairs = state.pairs(left);
    let byes = bye.map(|engine| Bye { round, engine }).into_iter().collect();
    let encounter = |pair| field.encounter(round, state.first_of(pair));
    Draw { encounters: pairs.into_iter().map(encounter).collect(), byes }
}

struct State {
    points: Vec<u64>,
    /// Best first.
    ranking: Vec<usize>,
    /// How often two have met; by lower and higher number.
    meetings: BTreeMap<(usize, usize), u64>,
    byes: Vec<u64>,
    /// How often each was the first of an encounter.
    firsts: Vec<u64>,
}

impl State {
    fn new(field: &Field, played: &Played) -> State {
        let nothing = vec![0; field.engines];
        let (mut points, mut byes, mut firsts) = (nothing.clone(), nothing.clone(), nothing);
        let mut meetings = BTreeMap::new();
        for Met { encounter: Encounter { engines: [one, two], .. }, half_points } in &played.met {
            points[*one] += half_points[0];
            points[*two] += half_points[1];
            firsts[*one] += 1;
            *meetings.entry(ordered(*one, *two)).or_default() += 1;
        }
        for bye in &played.byes {
            points[bye.engine] += field.full_score();
            byes[bye.engine] += 1;
        }
        let mut ranking: Vec<usize> = (0..field.engines).collect();
        SplitMix64::new(field.seed).shuffle(&mut ranking);
        // Stable: equal points stay in the order of the lots.
        ranking.sort_by_key(|engine| std::cmp::Reverse(points[*engine]));
        State { points, ranking, meetings, byes, firsts }
    }

    fn is_new(&self, one: usize, two: usize) -> bool {
        !self.meetings.contains_key(&ordered(one, two))
    }

    /// Pairs of opponents new to each other that these can be split into, at most.
    fn new_pairs(&self, engines: &[usize]) -> usize {
        matching::size(engines.len(), &|one, two| self.is_new(engines[one], engines[two]))
    }

    /// The lowest of those with the fewest byes, if that leaves as many new pairs as any of them does.
    fn take_bye(&self, left: &mut Vec<usize>) -> Option<usize> {
        if left.len().is_multiple_of(2) {
            return None;
        }
        let fewest = left.iter().map(|engine| self.byes[*engine]).min()?;
        let without = |at: usize| [&left[..at], &left[at + 1..]].concat();
        let at = (0..left.len())
            .filter(|at| self.byes[left[*at]] == fewest)
            // The last of equals.
            .max_by_key(|at| self.new_pairs(&without(*at)))?;
        Some(left.remove(at))
    }

    /// From the top: everybody gets the opponent that is preferred among those who leave the rest as well off as it is.
    fn pairs(&self, mut left: Vec<usize>) -> Vec<[usize; 2]> {
        let mut pairs = Vec::with_capacity(left.len() / 2);
        while left.len() > 1 {
            let at = self.opponent(&left);
            let two = left.remove(at);
            let one = left.remove(0);
            pairs.push([one, two]);
        }
        pairs
    }

    /// Place of the opponent for the first of `left`.
    fn opponent(&self, left: &[usize]) -> usize {
        let group = left.iter().take_while(|engine| self.points[**engine] == self.points[left[0]]).count();
        let (best, best_in_group) = (self.new_pairs(left), self.new_pairs(&left[..group]));
        let order = preference(left.len(), group);
        let keeps = |at: usize, all: &[usize], best: usize| {
            let rest: Vec<usize> =
                (1..all.len()).filter(|other| *other != at).map(|other| all[other]).collect();
            self.new_pairs(&rest) + usize::from(at < all.len() && self.is_new(all[0], all[at])) >= best
        };
        let keeps_all = |at: &&usize| keeps(**at, left, best);
        let keeps_group = |at: &&usize| keeps(**at, &left[..group], best_in_group);
        let mut found = order.iter().filter(keeps_all);
        found.clone().find(keeps_group).or_else(|| found.next()).copied().unwrap_or(1)
    }

    /// Who was first less often is; else the higher ranked.
    fn first_of(&self, [one, two]: [usize; 2]) -> [usize; 2] {
        if self.firsts[two] < self.firsts[one] { [two, one] } else { [one, two] }
    }
}

/// Places of the others, best opponent first: the lower half of the score group, its upper half, and what is below it.
fn preference(left: usize, group: usize) -> Vec<usize> {
    let half = (group / 2).max(1);
    (half..group).chain((1..half.min(group)).rev()).chain(group..left).collect()
}

fn ordered(one: usize, two: usize) -> (usize, usize) {
    (one.min(two), one.max(two))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays all rounds; `wins` says who of two does.
    fn tournament(field: &Field, wins: &mut dyn FnMut(usize, usize) -> [u64; 2]) -> Vec<(Played, Draw)> {
        let mut played = Played::default();
        let mut rounds = Vec::new();
        loop {
            let drawn = draw(field, &played);
            if drawn.encounters.is_empty() {
                return rounds;
            }
            rounds.push((played.clone(), drawn.clone()));
            for encounter in drawn.encounters {
                let [one, two] = encounter.engines;
                played.met.push(Met { encounter, half_points: wins(one, two) });
            }
            played.byes.extend(drawn.byes);
        }
    }

    fn field(engines: usize, rounds: u32, seed: u64) -> Field {
        Field { engines, pairs: 1, rounds, seed }
    }

    /// How often each two meet.
    fn meetings(rounds: &[(Played, Draw)]) -> BTreeMap<(usize, usize), u64> {
        let mut meetings = BTreeMap::new();
        for encounter in rounds.iter().flat_map(|(_, drawn)| &drawn.encounters) {
            let [one, two] = encounter.engines;
            *meetings.entry(ordered(one, two)).or_default() += 1;
        }
        meetings
    }

    /// The stronger wins both games: after three rounds of eight each round has halved the unbeaten, and only equals have met.
    #[test]
    fn eight_engines_are_ordered_by_three_rounds_of_equals() {
        for seed in 0..50 {
            let field = field(8, 3, seed);
            let rounds = tournament(&field, &mut |one, two| if one < two { [4, 0] } else { [0, 4] });
            assert_eq!(rounds.len(), 3);
            assert_eq!(meetings(&rounds).len(), 12, "nobody meets twice");
            let mut points = [0; 8];
            for (_, drawn) in &rounds {
                let before = points;
                for encounter in &drawn.encounters {
                    let [one, two] = encounter.engines;
                    assert_eq!(before[one], before[two], "seed {seed}: not of one score group");
                    points[one.min(two)] += 4;
                }
            }
            assert_eq!(points[0], 12, "the strongest wins all");
            let mut sorted = points;
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 4, 4, 4, 8, 8, 8, 12]);
        }
    }

    #[test]
    fn nobody_meets_twice_while_that_can_be_avoided_and_byes_go_round() {
        let mut random = SplitMix64::new(1);
        for engines in 2..=11 {
            for seed in 0..20 {
                // As many rounds as a round robin has: at the end nothing is left to choose.
                let most = (engines - 1 + engines % 2) as u32;
                let field = field(engines, most + engines as u32 % 2, seed);
                let mut wins = |_, _| [[4, 0], [3, 1], [2, 2], [1, 3], [0, 4]][random.below(5) as usize];
                for (index, (played, drawn)) in tournament(&field, &mut wins).iter().enumerate() {
                    let state = State::new(&field, played);
                    assert_eq!(drawn.encounters.len(), engines / 2);
                    let new = drawn
                        .encounters
                        .iter()
                        .filter(|encounter| state.is_new(encounter.engines[0], encounter.engines[1]))
                        .count();
                    let sitting = drawn.byes.iter().map(|bye| bye.engine).collect::<Vec<_>>();
                    let playing: Vec<usize> =
                        (0..engines).filter(|engine| !sitting.contains(engine)).collect();
                    assert_eq!(new, state.new_pairs(&playing), "{engines} engines, round {}", index + 1);
                    // Half of what two can do without a second meeting can always be paired.
                    assert!(2 * (index + 1) > engines || new == engines / 2, "{engines}: {index}");
                    assert_eq!(sitting.len(), engines % 2);
                    let again = |engine| played.byes.iter().any(|bye| bye.engine == engine);
                    assert!(index >= engines || !sitting.into_iter().any(again), "a second bye");
                }
            }
        }
    }

    #[test]
    fn the_seed_draws_the_lots_and_nothing_else_does() {
        let first = |seed| draw(&field(8, 3, seed), &Played::default());
        assert_eq!(first(1), first(1));
        assert!((2..9).any(|seed| first(seed) != first(1)));
    }

    #[test]
    fn the_upper_half_of_a_group_meets_the_lower() {
        assert_eq!(preference(8, 8), [4, 5, 6, 7, 3, 2, 1]);
        assert_eq!(preference(5, 3), [1, 2, 3, 4]);
        assert_eq!(preference(4, 1), [1, 2, 3]);
    }
}
