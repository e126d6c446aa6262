//! Two engines on the same positions: McNemar's test on those that only one of them solved, and what both needed for those that
//! both solved.

use super::EngineSummary;
use crate::record::ComparisonRow;
use crate::stats::compare::{PairedComparison, mcnemar};
use serde::{Deserialize, Serialize};

/// What one engine made of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Solution {
    /// None: not ranked.
    pub solved: Option<bool>,
    /// Until the final move stood.
    pub nodes: Option<u64>,
    pub time_us: Option<u64>,
}

/// Two engines on the positions on which both were ranked.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Comparison {
    pub a: String,
    pub b: String,
    pub only_a: u64,
    pub only_b: u64,
    /// Two-sided, exact: how often two equal engines differ at least so much.
    pub p: f64,
    /// Positions that both solved, and what the first needed over what the second needed.
    pub both: u64,
    pub nodes: Option<Needed>,
    pub time: Option<Needed>,
}

/// Ratio of what two engines needed for the positions that both solved: geometric mean, and Student's 95 % interval of it from two
/// positions on.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Needed {
    pub positions: u64,
    pub ratio: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// Wilcoxon's two-sided p.
    pub p: f64,
}

impl Needed {
    fn of(pairs: impl Iterator<Item = (Option<u64>, Option<u64>)>) -> Option<Needed> {
        // Less than a microsecond is told as 0.
        let known = pairs.filter_map(|(a, b)| Some((a?.max(1) as f64, b?.max(1) as f64)));
        let (a, b): (Vec<f64>, Vec<f64>) = known.unzip();
        let found = PairedComparison::new(&b, &a)?;
        Some(Needed {
            positions: a.len() as u64,
            ratio: found.geometric_mean_ratio,
            low: found.t_interval.map(|ends| ends.0),
            high: found.t_interval.map(|ends| ends.1),
            p: found.wilcoxon.p_two_sided,
        })
    }
}

impl Comparison {
    /// For the record: what only one of them solved; nodes and time where both solved something.
    #[must_use]
    pub fn rows(&self) -> Vec<ComparisonRow> {
        let row = |metric: &str| ComparisonRow {
            metric: metric.to_owned(),
            first: self.a.clone(),
            second: self.b.clone(),
            ..ComparisonRow::default()
        };
        let needed = |metric: &str, needed: &Option<Needed>| {
            needed.map(|needed| ComparisonRow {
                pairs: needed.positions,
                ratio: Some(needed.ratio),
                low: needed.low,
                high: needed.high,
                p: Some(needed.p),
                ..row(metric)
            })
        };
        let solved = ComparisonRow {
            pairs: self.only_a + self.only_b,
            p: Some(self.p),
            only: Some([self.only_a, self.only_b]),
            ..row(ComparisonRow::SOLVED)
        };
        let nodes = needed(ComparisonRow::NODES_TO_SOLUTION, &self.nodes);
        let time = needed(ComparisonRow::TIME_TO_SOLUTION, &self.time);
        [Some(solved), nodes, time].into_iter().flatten().collect()
    }
}

/// All pairs of engines; `solutions[engine][position]`.
#[must_use]
pub fn compare(engines: &[EngineSummary], solutions: &[Vec<Solution>]) -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    for (i, (a, of_a)) in engines.iter().zip(solutions).enumerate() {
        for (b, of_b) in engines.iter().zip(solutions).skip(i + 1) {
            let having = |a, b| {
                of_a.iter().zip(of_b).filter(move |pair| (pair.0.solved, pair.1.solved) == (Some(a), Some(b)))
            };
            let (only_a, only_b) = (having(true, false).count() as u64, having(false, true).count() as u64);
            comparisons.push(Comparison {
                a: a.engine.clone(),
                b: b.engine.clone(),
                only_a,
                only_b,
                p: mcnemar(only_a, only_b),
                both: having(true, true).count() as u64,
                nodes: Needed::of(having(true, true).map(|(a, b)| (a.nodes, b.nodes))),
                time: Needed::of(having(true, true).map(|(a, b)| (a.time_us, b.time_us))),
            });
        }
    }
    comparisons
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solution(solved: Option<bool>) -> Solution {
        Solution { solved, ..Solution::default() }
    }

    fn engine(name: &str) -> EngineSummary {
        EngineSummary { engine: name.to_owned(), ..EngineSummary::default() }
    }

    #[test]
    fn only_positions_ranked_for_both_count() {
        let engines = [engine("a"), engine("b"), engine("c")];
        let solved = [
            [Some(true), Some(true), Some(false), None, Some(true)].map(solution).to_vec(),
            [Some(true), Some(false), Some(true), Some(true), None].map(solution).to_vec(),
            vec![solution(None); 5],
        ];
        let comparisons = compare(&engines, &solved);
        let seen: Vec<_> =
            comparisons.iter().map(|c| (c.a.as_str(), c.b.as_str(), c.only_a, c.only_b)).collect();
        assert_eq!(seen, [("a", "b", 1, 1), ("a", "c", 0, 0), ("b", "c", 0, 0)]);
        assert_eq!((comparisons[0].both, comparisons[0].nodes), (1, None));
        assert_eq!(comparisons[1].rows().len(), 1);
    }

    /// By hand: ratios 2, 2 and 1/2 have the geometric mean 2^(1/3); what one of them did not solve is left out.
    #[test]
    fn what_both_needed_is_a_geometric_mean() {
        let of = |list: &[(bool, u64)]| -> Vec<Solution> {
            let one = |&(solved, nodes)| Solution {
                solved: Some(solved),
                nodes: Some(nodes),
                time_us: Some(nodes / 100),
            };
            list.iter().map(one).collect()
        };
        let a = of(&[(true, 200), (true, 8000), (true, 50), (false, 9), (true, 1)]);
        let b = of(&[(true, 100), (true, 4000), (true, 100), (true, 9), (false, 77)]);
        let found = compare(&[engine("a"), engine("b")], &[a, b]).remove(0);
        let nodes = found.nodes.unwrap();
        assert_eq!((found.both, nodes.positions, found.only_a, found.only_b), (3, 3, 1, 1));
        assert!((nodes.ratio - 2_f64.powf(1.0 / 3.0)).abs() < 1e-12, "{nodes:?}");
        // ln 2 (1, 1, -1): sd = 2/sqrt 3 ln 2, t(2) = 4.302653.
        let half = 4.302_652_73 * 2.0 / 3.0 * std::f64::consts::LN_2;
        assert!((nodes.high.unwrap().ln() - (std::f64::consts::LN_2 / 3.0 + half)).abs() < 1e-8, "{nodes:?}");
        // 2, 80 and 0 µs against 1, 40 and 1.
        assert!((found.time.unwrap().ratio - 4_f64.powf(1.0 / 3.0)).abs() < 1e-12);
        let metrics: Vec<String> = found.rows().into_iter().map(|row| row.metric).collect();
        assert_eq!(metrics, ["solved", "nodes-to-solution", "time-to-solution"]);
    }
}
