//! When a test position counts as solved, and since when.

use crate::subject::{Found, Info};
use crate::suite::TestPosition;
use crate::types::{Move, Score};
use std::time::Duration;

/// Whether this answer solves the position; `None` if it is only to be shown.
///
/// The move must be one of `bm` and none of `am`. With `dm`, a mate found in no more moves solves as well.
pub fn solved(test: &TestPosition, played: Option<Move>, score: Option<Score>) -> Option<bool> {
    if !test.is_scored() {
        return None;
    }
    let Some(played) = played else { return Some(false) };
    if test.avoid.contains(&played) {
        return Some(false);
    }
    let mates = test.mate_in.is_some_and(|wanted| {
        matches!(score, Some(Score::Mate(moves)) if moves > 0 && i64::from(moves) <= i64::from(wanted))
    });
    let hits = test.best.contains(&played);
    // Only `am`: any other move will do.
    let free = test.best.is_empty() && test.mate_in.is_none();
    Some(mates || hits || free)
}

/// Watches a search: since when its final answer has stood.
#[derive(Debug)]
pub struct Tracker<'a> {
    test: &'a TestPosition,
    standing: Option<Standing>,
}

#[derive(Debug)]
struct Standing {
    mv: Move,
    solves: bool,
    depth: Option<u32>,
    nodes: Option<u64>,
    time: Duration,
}

impl<'a> Tracker<'a> {
    pub fn new(test: &'a TestPosition) -> Tracker<'a> {
        Tracker { test, standing: None }
    }

    /// A first move of the principal variation, and what is known with it.
    pub fn see(&mut self, mv: Move, info: &Info<'_>) {
        let (score, depth, nodes, time) = (info.score, info.depth, info.nodes, info.time);
        let solves = solved(self.test, Some(mv), score) == Some(true);
        // A mate that is asked for counts from the moment it is announced, not from the first thought of its first move.
        let by_score = self.test.best.is_empty() && self.test.mate_in.is_some();
        let stands = |old: &Standing| if by_score { solves && old.solves } else { old.mv == mv };
        match &mut self.standing {
            Some(old) if stands(old) => {
                old.mv = mv;
                old.solves = solves;
            }
            standing => *standing = Some(Standing { mv, solves, depth, nodes, time }),
        }
    }

    /// Depth, nodes and time at which the final answer first stood; the end of the search if it was not seen before.
    pub fn since(&self, found: &Found) -> (Option<u32>, Option<u64>, Duration) {
        match &self.standing {
            Some(standing) if Some(standing.mv) == found.best => {
                (standing.depth, standing.nodes, standing.time)
            }
            _ => (found.depth, found.nodes, found.time),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::test_positions;

    /// White: Kf7 Qg5, black: Kh8; g7 and h6 lines mate.
    fn test(operations: &str) -> TestPosition {
        let text = format!("7k/5K2/8/6Q1/8/8/8/8 w - - {operations}");
        test_positions("t", &text, None).unwrap().remove(0)
    }

    fn mv(test: &TestPosition, uci: &str) -> Option<Move> {
        test.position.legal_moves().iter().copied().find(|mv| format!("{mv:?}") == uci)
    }

    /// What is known after so many nodes, each of which takes a microsecond, ten plies deeper.
    fn info(score: Option<Score>, nodes: u64) -> Info<'static> {
        Info {
            depth: Some(10 + nodes as u32),
            seldepth: None,
            score,
            bound: crate::types::Bound::Exact,
            nodes: Some(nodes),
            interior_nodes: None,
            time: Duration::from_micros(nodes),
            hashfull: None,
            pv: crate::subject::Pv::Moves(&[]),
        }
    }

    #[test]
    fn best_and_avoid() {
        let best = test("bm Qg7#;");
        assert_eq!(solved(&best, mv(&best, "g5g7"), None), Some(true));
        assert_eq!(solved(&best, mv(&best, "g5g6"), None), Some(false));
        assert_eq!(solved(&best, None, None), Some(false));
        let avoid = test("am Qg6;");
        assert_eq!(solved(&avoid, mv(&avoid, "g5g6"), None), Some(false));
        assert_eq!(solved(&avoid, mv(&avoid, "g5g7"), None), Some(true));
        let both = test("am Qg6; bm Qg7#;");
        assert_eq!(solved(&both, mv(&both, "g5h4"), None), Some(false));
        let shown = test("id \"x\";");
        assert_eq!(solved(&shown, mv(&shown, "g5g7"), None), None);
    }

    #[test]
    fn mates() {
        let mate = test("dm 2;");
        let played = mv(&mate, "g5h4");
        assert_eq!(solved(&mate, played, Some(Score::Mate(2))), Some(true));
        assert_eq!(solved(&mate, played, Some(Score::Mate(3))), Some(false));
        assert_eq!(solved(&mate, played, Some(Score::Mate(-1))), Some(false));
        assert_eq!(solved(&mate, played, Some(Score::Cp(900))), Some(false));
        let named = test("bm Qg7#; dm 1;");
        assert_eq!(solved(&named, mv(&named, "g5g7"), Some(Score::Cp(900))), Some(true));
        assert_eq!(solved(&named, played, Some(Score::Mate(1))), Some(true));
    }

    #[test]
    fn the_last_change_counts() {
        let best = test("bm Qg7#;");
        let (good, bad) = (mv(&best, "g5g7").unwrap(), mv(&best, "g5g6").unwrap());
        let mut tracker = Tracker::new(&best);
        for (nodes, mv) in [(1, good), (2, bad), (3, good), (4, good)] {
            tracker.see(mv, &info(None, nodes));
        }
        let standing = tracker.standing.unwrap();
        let since = (standing.depth, standing.nodes, standing.time);
        assert_eq!(since, (Some(13), Some(3), Duration::from_micros(3)));

        let mate = test("dm 2;");
        let mut tracker = Tracker::new(&mate);
        for (nodes, score) in
            [(1, Score::Cp(5)), (2, Score::Mate(4)), (3, Score::Mate(2)), (4, Score::Mate(1))]
        {
            tracker.see(good, &info(Some(score), nodes));
        }
        assert_eq!(tracker.standing.unwrap().nodes, Some(3));
    }
}
