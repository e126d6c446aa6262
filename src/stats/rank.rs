//! Rank tests: signed ranks of paired differences, rank sums of two samples.
//!
//! Exact where it is quick, ties and zeros included for the paired one (conditional on the ranks that occurred); else the
//! normal approximation with continuity correction.

use super::distribution::{normal_cdf, normal_tail, two_sided};
use super::scale::Z_95;

/// Pairs up to which the paired test is exact.
const EXACT_PAIRS: usize = 300;
/// Product of the sample sizes up to which the unpaired test is exact.
const EXACT_PRODUCT: usize = 10_000;

/// Wilcoxon's signed-rank test of paired differences.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SignedRank {
    /// Differences that are not 0; zeros are dropped.
    pub nonzero: usize,
    /// Sum of the ranks of the positive differences, tied ones sharing the mean rank.
    pub w_plus: f64,
    pub p_two_sided: f64,
    /// One-sided: differences tend to be negative.
    pub p_less: f64,
    /// One-sided: they tend to be positive.
    pub p_greater: f64,
    /// Two-sided, by the normal approximation.
    pub p_normal: f64,
}

/// Exact up to 300 nonzero differences.
pub fn signed_rank(differences: &[f64]) -> SignedRank {
    let differences: Vec<f64> = differences.iter().copied().filter(|&x| x != 0.0).collect();
    let n = differences.len();
    let (ranks, ties) = doubled_ranks(&differences.iter().map(|x| x.abs()).collect::<Vec<_>>());
    let doubled: usize =
        ranks.iter().zip(&differences).filter(|(_, x)| **x > 0.0).map(|(rank, _)| rank).sum();
    let nf = n as f64;
    let w_plus = doubled as f64 / 2.0;
    let mean = nf * (nf + 1.0) / 4.0;
    let deviation = ((nf * (nf + 1.0) * (2.0 * nf + 1.0) - ties / 2.0) / 24.0).sqrt();
    let z = |distance: f64| if deviation > 0.0 { distance / deviation } else { 0.0 };
    let p_normal = two_sided(z(((w_plus - mean).abs() - 0.5).max(0.0)));
    let (p_less, p_greater) = if n <= EXACT_PAIRS {
        let law = sign_law(&ranks);
        (law[..=doubled].iter().sum::<f64>().min(1.0), law[doubled..].iter().sum::<f64>().min(1.0))
    } else {
        (normal_cdf(z(w_plus - mean + 0.5)), normal_tail(z(w_plus - mean - 0.5)))
    };
    let p_two_sided = (2.0 * p_less.min(p_greater)).min(1.0);
    SignedRank { nonzero: n, w_plus, p_two_sided, p_less, p_greater, p_normal }
}

/// The largest `k` such that the k-th smallest and k-th largest mean of two values of a sample of `n` (Walsh averages) enclose the
/// centre of a symmetric law with 95 % confidence: the interval holds what [`signed_rank`] would not refuse. From 6 values on.
pub fn walsh_rank(n: usize) -> Option<usize> {
    if n > EXACT_PAIRS {
        let nf = n as f64;
        let (mean, deviation) = (nf * (nf + 1.0) / 4.0, (nf * (nf + 1.0) * (2.0 * nf + 1.0) / 24.0).sqrt());
        return Some((mean - Z_95 * deviation).floor().max(1.0) as usize);
    }
    // Ranks are doubled in this law: its odd places are empty.
    let law = sign_law(&(1..=n).map(|rank| 2 * rank).collect::<Vec<_>>());
    let mut below = 0.0;
    let kept = law.iter().step_by(2).take_while(|&&p| {
        below += p;
        2.0 * below <= 0.05
    });
    Some(kept.count()).filter(|&k| k > 0)
}

/// Law of the sum of those (doubled) ranks whose fair coin shows heads.
fn sign_law(ranks: &[usize]) -> Vec<f64> {
    let mut law = vec![0.0; ranks.iter().sum::<usize>() + 1];
    law[0] = 1.0;
    let mut reached = 0;
    for &rank in ranks {
        reached += rank;
        for sum in (0..=reached).rev() {
            let with = if sum >= rank { law[sum - rank] } else { 0.0 };
            law[sum] = 0.5 * (law[sum] + with);
        }
    }
    law
}

/// Twice the rank of each value, ties sharing the mean rank (so that all are whole), and `sum (t³ - t)` over tied groups.
fn doubled_ranks(values: &[f64]) -> (Vec<usize>, f64) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    let mut ranks = vec![0; values.len()];
    let mut ties = 0.0;
    let mut start = 0;
    while start < order.len() {
        let mut end = start + 1;
        while end < order.len() && values[order[end]] == values[order[start]] {
            end += 1;
        }
        for &i in &order[start..end] {
            ranks[i] = start + 1 + end;
        }
        let t = (end - start) as f64;
        ties += t * t * t - t;
        start = end;
    }
    (ranks, ties)
}

/// Mann and Whitney's test of two independent samples. For unpaired data only: drift of a shared machine inflates it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RankSum {
    /// Pairs (a, b) with b larger; equal ones count half.
    pub u_b: f64,
    /// Exact; none with ties or beyond 10,000 pairs.
    pub p_two_sided: Option<f64>,
    /// One-sided: b tends to be smaller. Exact or none.
    pub p_less: Option<f64>,
    /// Two-sided, by the normal approximation.
    pub p_normal: f64,
}

/// None if a sample is empty.
pub fn rank_sum(a: &[f64], b: &[f64]) -> Option<RankSum> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let all: Vec<f64> = b.iter().chain(a).copied().collect();
    let (ranks, ties) = doubled_ranks(&all);
    let (na, nb) = (a.len() as f64, b.len() as f64);
    let n = na + nb;
    let u_b = ranks[..b.len()].iter().sum::<usize>() as f64 / 2.0 - nb * (nb + 1.0) / 2.0;
    let deviation = (na * nb / 12.0 * (n + 1.0 - ties / (n * (n - 1.0)))).max(0.0).sqrt();
    let distance = ((u_b - na * nb / 2.0).abs() - 0.5).max(0.0);
    let p_normal = if deviation > 0.0 { two_sided(distance / deviation) } else { 1.0 };
    let exact = (ties == 0.0 && a.len() * b.len() <= EXACT_PRODUCT).then(|| {
        let law = rank_sum_law(a.len(), b.len());
        let u = u_b as usize;
        (law[..=u].iter().sum::<f64>(), law[u..].iter().sum::<f64>())
    });
    Some(RankSum {
        u_b,
        p_two_sided: exact.map(|(less, greater)| (2.0 * less.min(greater)).min(1.0)),
        p_less: exact.map(|(less, _)| less.min(1.0)),
        p_normal,
    })
}

/// Law of U for two samples without ties: the largest value belongs to one or the other.
fn rank_sum_law(n: usize, m: usize) -> Vec<f64> {
    let mut rows: Vec<Vec<f64>> = vec![vec![1.0]; m + 1];
    for i in 1..=n {
        let mut next: Vec<Vec<f64>> = vec![vec![1.0]];
        for j in 1..=m {
            let from_first = i as f64 / (i + j) as f64;
            let mut law = vec![0.0; i * j + 1];
            // The largest is of the first sample: it beats all j of the second.
            for (u, p) in rows[j].iter().enumerate() {
                law[u + j] += from_first * p;
            }
            for (u, p) in next[j - 1].iter().enumerate() {
                law[u] += (1.0 - from_first) * p;
            }
            next.push(law);
        }
        rows = next;
    }
    rows.swap_remove(m)
}
