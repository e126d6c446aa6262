//! Which games of a run its page shows: chosen while the rows come by, by their place among all games of the record, so that
//! no game is kept in memory. First those that ended abnormally, then the shortest losses of the first engine, then a sample.

use crate::record::GameRow;
use crate::stats::SplitMix64;
use std::collections::BTreeSet;

/// No more games than this are shown.
pub const MOST: usize = 200;

/// Of them, no more losses for their shortness than this: the others could be all of them.
pub const MOST_LOSSES: usize = 50;

/// Places of games in the record, from 0, set aside ones counted too.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Chosen {
    seed: u64,
    seen: u64,
    /// The first that ended abnormally.
    abnormal: Vec<u64>,
    /// By plies and place.
    losses: BTreeSet<(usize, u64)>,
    /// By a number drawn for each: the lowest are a sample without replacement.
    sample: BTreeSet<(u64, u64)>,
}

impl Chosen {
    /// `seed`: of the sample.
    pub fn new(seed: u64) -> Chosen {
        Chosen { seed, ..Chosen::default() }
    }

    /// The next game of the record. `first`: the engine whose losses are of interest.
    pub fn add(&mut self, game: &GameRow, first: &str) {
        let place = self.seen;
        self.seen += 1;
        if game.set_aside {
            return;
        }
        if is_abnormal(&game.termination) {
            if self.abnormal.len() < MOST {
                self.abnormal.push(place);
            }
        } else if is_lost(game, first) {
            self.losses.insert((game.plies.len(), place));
        } else {
            self.draw(place);
        }
        while self.losses.len() > MOST_LOSSES.min(MOST - self.abnormal.len()) {
            if let Some((_, place)) = self.losses.pop_last() {
                self.draw(place);
            }
        }
        while self.sample.len() > MOST - self.abnormal.len() - self.losses.len() {
            self.sample.pop_last();
        }
    }

    fn draw(&mut self, place: u64) {
        self.sample.insert((drawn(self.seed ^ drawn(place)), place));
    }

    /// The chosen games, the most interesting first; those of the sample in the order they were played.
    pub fn places(&self) -> Vec<u64> {
        let mut sample: Vec<u64> = self.sample.iter().map(|(_, place)| *place).collect();
        sample.sort_unstable();
        let losses = self.losses.iter().map(|(_, place)| *place);
        self.abnormal.iter().copied().chain(losses).chain(sample).collect()
    }
}

/// Ended neither by the rules of chess nor by adjudication.
pub fn is_abnormal(termination: &str) -> bool {
    !matches!(termination, "normal" | "adjudication")
}

fn is_lost(game: &GameRow, by: &str) -> bool {
    match game.result.as_str() {
        "1-0" => game.black == by,
        "0-1" => game.white == by,
        _ => false,
    }
}

/// A number for a number: those of neighbours lie far apart.
fn drawn(value: u64) -> u64 {
    SplitMix64::new(value).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::PlyRow;

    fn game(result: &str, termination: &str, plies: usize) -> GameRow {
        GameRow {
            white: "a".into(),
            black: "b".into(),
            result: result.into(),
            termination: termination.into(),
            plies: vec![PlyRow::default(); plies],
            ..GameRow::default()
        }
    }

    #[test]
    fn abnormal_ones_then_short_losses_then_a_sample() {
        let mut chosen = Chosen::new(1);
        // 0 to 99: lost, ever shorter; 100: lost on time; 101 to 999: drawn; 1000: set aside.
        (0..100).for_each(|n| chosen.add(&game("0-1", "normal", 200 - n), "a"));
        chosen.add(&game("1-0", "time forfeit", 9), "a");
        (101..1000).for_each(|n| chosen.add(&game("1/2-1/2", "normal", n), "a"));
        chosen.add(&GameRow { set_aside: true, ..game("0-1", "abandoned", 1) }, "a");
        let places = chosen.places();
        assert_eq!(places.len(), MOST);
        assert_eq!(places[..3], [100, 99, 98]);
        assert_eq!(places[50], 50);
        let sample = &places[51..];
        assert!(sample.is_sorted() && sample.iter().all(|&place| place < 50 || (101..1000).contains(&place)));
        // 149 of 949: about half of them behind the middle; and a few of the longer losses (binomial, six s.d.).
        let late = sample.iter().filter(|&&place| place > 550).count();
        assert!((38..=105).contains(&late), "{late}");
        let mut again = Chosen::new(1);
        (0..100).for_each(|n| again.add(&game("0-1", "normal", 200 - n), "a"));
        assert_eq!(again.places().len(), 100);
        assert_ne!(Chosen { seed: 2, ..Chosen::default() }, Chosen::new(1));
    }

    #[test]
    fn however_many_there_are_no_more_than_the_limit_are_kept() {
        let mut chosen = Chosen::new(7);
        for n in 0..3_000 {
            let termination = if n % 10 == 3 { "time forfeit" } else { "normal" };
            chosen.add(&game(if n % 2 == 0 { "0-1" } else { "1-0" }, termination, n % 97), "a");
            assert!(chosen.places().len() <= MOST);
        }
        assert_eq!(chosen.places().len(), MOST);
        assert_eq!(chosen.abnormal.len(), MOST);
        assert!(chosen.losses.is_empty() && chosen.sample.is_empty());
    }
}
