//! Two engines on the same positions: McNemar's test on those that only one of them solved.

use super::EngineSummary;
use crate::stats::compare::mcnemar;
use serde::{Deserialize, Serialize};

/// Two engines on the positions on which both were ranked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Comparison {
    pub a: String,
    pub b: String,
    pub only_a: u64,
    pub only_b: u64,
    /// Two-sided, exact: how often two equal engines differ at least so much.
    pub p: f64,
}

/// All pairs of engines; `solved[engine][position]`.
#[must_use]
pub fn compare(engines: &[EngineSummary], solved: &[Vec<Option<bool>>]) -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    for (i, (a, of_a)) in engines.iter().zip(solved).enumerate() {
        for (b, of_b) in engines.iter().zip(solved).skip(i + 1) {
            let only = |one: bool| {
                of_a.iter().zip(of_b).filter(|pair| *pair == (&Some(one), &Some(!one))).count() as u64
            };
            let (only_a, only_b) = (only(true), only(false));
            let (a, b) = (a.engine.clone(), b.engine.clone());
            comparisons.push(Comparison { a, b, only_a, only_b, p: mcnemar(only_a, only_b) });
        }
    }
    comparisons
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_positions_ranked_for_both_count() {
        let engine = |name: &str| EngineSummary { engine: name.to_owned(), ..EngineSummary::default() };
        let engines = [engine("a"), engine("b"), engine("c")];
        let solved = [
            vec![Some(true), Some(true), Some(false), None, Some(true)],
            vec![Some(true), Some(false), Some(true), Some(true), None],
            vec![None; 5],
        ];
        let comparisons = compare(&engines, &solved);
        let seen: Vec<_> =
            comparisons.iter().map(|c| (c.a.as_str(), c.b.as_str(), c.only_a, c.only_b)).collect();
        assert_eq!(seen, [("a", "b", 1, 1), ("a", "c", 0, 0), ("b", "c", 0, 0)]);
    }
}
