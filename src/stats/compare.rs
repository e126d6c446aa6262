//! Comparing two series of timings, or two sets of solved positions.
//!
//! Paired first: runs interleaved as ABBA share the machine's drift, and only the ratios within pairs count. Sources: Wilcoxon 1945,
//! Hodges and Lehmann 1963, Mann and Whitney 1947, McNemar 1947, Fisher 1935; decision rule: reference README.

use super::distribution::{coin_cdf, student_t_975};
use super::rank::{self, SignedRank};
use super::scale::Z_95;
use super::summary;
use statrs::distribution::{DiscreteCDF, Hypergeometric};

/// The 80 % quantile of the normal law: the power aimed at.
const Z_POWER: f64 = 0.841_621_233_572_914_3;
/// The p at which two things are called different, and the quantile of the normal law that belongs to it.
const MOST_P: f64 = 0.025;
const Z_MOST_P: f64 = 2.241_402_727_604_947;
/// Pairs from which so small a p can be.
pub const FEWEST_PAIRS: usize = 7;
/// More than this is none at all.
const MOST_PAIRS: f64 = 1e9;
/// Efficiency of the Wilcoxon test on normal data (3/pi): it needs that many more pairs.
const WILCOXON_EFFICIENCY: f64 = 0.955;

/// Paired rates `a` and `b` (higher is faster), by the logarithm of `b / a`. Ratios are of b to a.
#[derive(Clone, PartialEq, Debug)]
pub struct PairedComparison {
    pub n: usize,
    pub median_ratio: f64,
    /// Median of the means of all pairs of log ratios.
    pub hodges_lehmann_ratio: f64,
    pub geometric_mean_ratio: f64,
    /// Student-t 95 % interval of the geometric mean; from two pairs on.
    pub t_interval: Option<(f64, f64)>,
    /// The 95 % interval that belongs to Wilcoxon's test and to `hodges_lehmann_ratio`; from six pairs on.
    pub rank_interval: Option<(f64, f64)>,
    /// Order-statistic 95 % interval of the median; from six pairs on.
    pub order_interval: Option<OrderInterval>,
    pub wilcoxon: SignedRank,
    /// Sample standard deviation of the log ratio.
    pub log_deviation: Option<f64>,
    /// Log ratio that would be found with 80 % power.
    pub detectable: Option<f64>,
    /// The log ratios, in the order given.
    pub log_ratios: Vec<f64>,
}

/// From the k-th smallest to the k-th largest ratio.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OrderInterval {
    pub low: f64,
    pub high: f64,
    pub k: usize,
}

/// What a comparison says of b.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Change {
    Faster,
    Slower,
    /// The whole interval lies within the margin.
    Same,
    /// Not decided; how many pairs would be needed, if that can be told.
    Unclear {
        pairs_needed: Option<u64>,
    },
}

impl PairedComparison {
    /// None without pairs, with lengths that differ or a rate that is not positive.
    pub fn new(a: &[f64], b: &[f64]) -> Option<PairedComparison> {
        let positive = |values: &[f64]| values.iter().all(|&x| x > 0.0 && x.is_finite());
        if a.len() != b.len() || !positive(a) || !positive(b) {
            return None;
        }
        let log_ratios: Vec<f64> = a.iter().zip(b).map(|(a, b)| (b / a).ln()).collect();
        let n = log_ratios.len();
        let sorted = summary::sorted(&log_ratios);
        let mean = summary::mean(&log_ratios)?;
        let log_deviation = summary::standard_deviation(&log_ratios);
        let averages = walsh_averages(&log_ratios);
        let std_error = log_deviation.map(|sd| sd / (n as f64).sqrt());
        let t_interval = std_error.zip(student_t_975(n as u64 - 1)).map(|(se, t)| {
            let half = t * se;
            ((mean - half).exp(), (mean + half).exp())
        });
        Some(PairedComparison {
            n,
            median_ratio: summary::quantile(&sorted, 0.5)?.exp(),
            hodges_lehmann_ratio: summary::quantile(&averages, 0.5)?.exp(),
            geometric_mean_ratio: mean.exp(),
            t_interval,
            rank_interval: rank::walsh_rank(n)
                .map(|k| (averages[k - 1].exp(), averages[averages.len() - k].exp())),
            order_interval: order_rank(n).map(|k| OrderInterval {
                low: sorted[k - 1].exp(),
                high: sorted[n - k].exp(),
                k,
            }),
            wilcoxon: rank::signed_rank(&log_ratios),
            log_deviation,
            detectable: std_error.map(|se| (Z_95 + Z_POWER) * se),
            log_ratios,
        })
    }

    /// Faster or slower needs `rank_interval` wholly beyond the margin `delta` **and** Wilcoxon's two-sided p at or below 0.025, so that of
    /// forty comparisons of equal things one is called different, however noisy they are beside the margin; the same needs the
    /// interval wholly within. What spans an end of the margin is not decided.
    ///
    /// By simulation of ten pairs this interval is as narrow as Student's on normal noise (0.0143 to 0.0139 at a spread of 0.01)
    /// and finds more where there are outliers; that of the median is 0.0201.
    pub fn decide(&self, delta: f64) -> Change {
        if let Some((low, high)) = self.rank_interval {
            let differs = self.wilcoxon.p_two_sided <= MOST_P;
            if differs && high < 1.0 - delta {
                return Change::Slower;
            }
            if differs && low > 1.0 + delta {
                return Change::Faster;
            }
            if low >= 1.0 - delta && high <= 1.0 + delta {
                return Change::Same;
            }
        }
        Change::Unclear { pairs_needed: self.pairs_needed(delta) }
    }

    /// Pairs after which the interval would lie on one side of the nearer end of the margin in four of five cases, if the ratio is what
    /// it seems to be. None where there are so many already, and where no number tells: the ratio seems to be that end.
    fn pairs_needed(&self, delta: f64) -> Option<u64> {
        let ratio = self.hodges_lehmann_ratio.ln();
        let distance = [(-delta).ln_1p(), delta.ln_1p()].map(|end| (ratio - end).abs());
        let pairs = ((Z_95 + Z_POWER) * self.log_deviation? / distance[0].min(distance[1])).powi(2)
            / WILCOXON_EFFICIENCY;
        let pairs = pairs.ceil().max(FEWEST_PAIRS as f64);
        (pairs > self.n as f64 && pairs <= MOST_PAIRS).then_some(pairs as u64)
    }
}

/// The largest `k` such that the k-th smallest and k-th largest value enclose the median with 95 % confidence.
fn order_rank(n: usize) -> Option<usize> {
    (1..=n / 2).take_while(|&k| 2.0 * coin_cdf(k as u64 - 1, n as u64) <= 0.05).last()
}

/// The means of every value with itself and with each other one, sorted.
fn walsh_averages(values: &[f64]) -> Vec<f64> {
    let mut averages = Vec::with_capacity(values.len() * (values.len() + 1) / 2);
    for (i, x) in values.iter().enumerate() {
        averages.extend(values[i..].iter().map(|y| 0.5 * (x + y)));
    }
    averages.sort_by(f64::total_cmp);
    averages
}

impl PairedComparison {
    /// The change that [`decide`](PairedComparison::decide) finds in four of five such comparisons, as a share: 0.02 = 2 %. None
    /// where it finds nothing at all.
    pub fn least_found(&self, delta: f64) -> Option<f64> {
        let error = self.detectable.filter(|_| self.n >= FEWEST_PAIRS)?
            / (Z_95 + Z_POWER)
            / WILCOXON_EFFICIENCY.sqrt();
        let beyond_margin = delta.ln_1p() + (Z_95 + Z_POWER) * error;
        Some(beyond_margin.max((Z_MOST_P + Z_POWER) * error).exp_m1())
    }
}

/// McNemar's exact two-sided test on what only one of two engines solved: the chance of so uneven a split or a more uneven
/// one, if both are equally likely to be the one.
pub fn mcnemar(only_a: u64, only_b: u64) -> f64 {
    let n = only_a.saturating_add(only_b);
    (2.0 * coin_cdf(only_a.min(only_b), n)).min(1.0)
}

/// The same one-sided: the chance that of two equal engines this one solves so few or fewer of what only one of them solves.
pub fn mcnemar_fewer(only_this: u64, only_other: u64) -> f64 {
    coin_cdf(only_this, only_this.saturating_add(only_other))
}

/// Of two samples, each `[events, size]`: the chance that the first has so many of the events or more, if both are alike. Fisher's exact
/// test, one-sided.
pub fn fisher_more([events, size]: [u64; 2], [others, other_size]: [u64; 2]) -> f64 {
    let (Some(all), Some(marked)) = (size.checked_add(other_size), events.checked_add(others)) else {
        return 1.0;
    };
    match (events.checked_sub(1), Hypergeometric::new(all, marked, size)) {
        (Some(fewer), Ok(law)) => law.sf(fewer),
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first two are in the books; the others are sums of binomial coefficients in whole numbers.
    #[test]
    fn fishers_test_is_that_of_the_books() {
        for (one, other, p) in [
            // The lady tasting tea: 17 of 70, and 1 of 70.
            ([3, 4], [1, 4], 17.0 / 70.0),
            ([4, 4], [0, 4], 1.0 / 70.0),
            ([0, 9], [3, 9], 1.0),
            ([8, 20], [1, 20], 0.009_828_009_828_009_828),
            ([7, 20], [1, 20], 0.021_798_021_798_021_8),
            ([3, 20], [2, 20], 0.5),
            ([5, 5], [12, 532], 1.694_221_651_693_033_4e-8),
        ] {
            assert!(
                (fisher_more(one, other) - p).abs() < 1e-9,
                "{one:?} {other:?}: {}",
                fisher_more(one, other)
            );
        }
        assert_eq!(fisher_more([u64::MAX, u64::MAX], [1, 1]), 1.0);
        assert_eq!(fisher_more([5, 4], [1, 1]), 1.0);
    }

    #[test]
    fn mcnemar_by_hand() {
        // 1 of 6: 2 (1 + 6) / 64.
        assert!((mcnemar(1, 5) - 14.0 / 64.0).abs() < 1e-15);
        assert_eq!(mcnemar(1, 5), mcnemar(5, 1));
        assert_eq!((mcnemar(0, 0), mcnemar(4, 4)), (1.0, 1.0));
        // One-sided: (1 + 6) / 64; (1 + 6 + 15 + 20 + 15 + 6) / 64.
        assert!((mcnemar_fewer(1, 5) - 7.0 / 64.0).abs() < 1e-15);
        assert!((mcnemar_fewer(5, 1) - 63.0 / 64.0).abs() < 1e-15);
        assert_eq!(mcnemar_fewer(0, 0), 1.0);
    }

    /// By hand: six log ratios of ±0.01, so a deviation of 0.010954, and 0.004988 to the end of the margin:
    /// (2.8016 · 0.010954 / 0.004988)² / 0.955 = 39.6. A tenth of that distance: a hundred times as many.
    #[test]
    fn the_pairs_needed_depend_on_how_near_the_end_of_the_margin_is() {
        let needed = |centre: f64, n: usize, delta: f64| {
            let b: Vec<f64> =
                (0..n).map(|i| 1000.0 * centre * if i % 2 == 0 { 0.01_f64 } else { -0.01 }.exp()).collect();
            PairedComparison::new(&vec![1000.0; n], &b).unwrap().pairs_needed(delta)
        };
        assert!(matches!(needed(1.0, 6, 0.005), Some(39..=41)), "{:?}", needed(1.0, 6, 0.005));
        let near = needed(0.004_488_f64.exp(), 6, 0.005).unwrap();
        assert!((3500..4500).contains(&near), "{near}");
        // On the other side of the end as well; further away it takes fewer.
        assert!(needed(1.02, 6, 0.005).unwrap() < 40);
        // There are so many already; it seems to be the end itself; no margin and no difference.
        assert_eq!(needed(1.0, 60, 0.005), None);
        assert!(needed(1.005, 6, 0.005).is_none_or(|pairs| pairs > 1_000_000));
        assert_eq!(needed(1.0, 6, 0.0).filter(|&pairs| pairs < 1_000_000), None);
    }

    #[test]
    fn decisions() {
        let a = vec![1000.0; 20];
        let scaled = |factor: f64| -> Vec<f64> {
            (0..20).map(|i| 1000.0 * factor * (1.0 + 0.0001 * f64::from(i % 7))).collect()
        };
        let decide = |b: &[f64]| PairedComparison::new(&a, b).unwrap().decide(0.005);
        assert_eq!(decide(&scaled(1.02)), Change::Faster);
        assert_eq!(decide(&scaled(0.98)), Change::Slower);
        assert_eq!(decide(&scaled(1.0)), Change::Same);
        assert!(matches!(decide(&scaled(1.0047)), Change::Unclear { .. }));
        assert!(PairedComparison::new(&[1.0], &[]).is_none() && PairedComparison::new(&[], &[]).is_none());
        assert!(PairedComparison::new(&[0.0], &[1.0]).is_none());
    }
}
