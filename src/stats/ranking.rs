//! Contestants timed side by side in rounds: how fast each is beside a reference, how sure that is, and who shares a rank.
//! Ratios are taken within a round, so that what slows the machine for a while slows both.

use super::bootstrap;
use super::summary::median;

/// How one contestant did.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ranked {
    /// Median time of its rounds, in the unit given.
    pub time: f64,
    /// Median over the rounds of reference time / own time: 2 = twice as fast as the reference.
    pub speed: f64,
    /// 95 % bootstrap interval of `speed`.
    pub low: f64,
    pub high: f64,
    /// From 1. Those whose interval overlaps that of the fastest of a rank share it; the next rank counts them all.
    pub rank: usize,
}

const RESAMPLES: usize = 1000;

/// Ranks contestants by `times[contestant][round]`, all above 0; the order of the answer is that of `times`. `None` if there is
/// no round, or if a contestant lacks one. Without a reference, the one with the least median is it.
pub fn ranking(times: &[Vec<f64>], reference: Option<usize>) -> Option<Vec<Ranked>> {
    let medians = times.iter().map(|own| median(own)).collect::<Option<Vec<f64>>>()?;
    let fastest = (0..times.len()).min_by(|&a, &b| medians[a].total_cmp(&medians[b]))?;
    let base = times.get(reference.unwrap_or(fastest))?;
    let mut ranked = Vec::with_capacity(times.len());
    for own in times {
        if own.len() != base.len() {
            return None;
        }
        let ratios: Vec<f64> = base.iter().zip(own).map(|(base, own)| base / own).collect();
        let (low, high) = bootstrap::interval(&ratios, RESAMPLES, 1, median)?;
        ranked.push(Ranked { time: median(own)?, speed: median(&ratios)?, low, high, rank: 0 });
    }
    let mut order: Vec<usize> = (0..ranked.len()).collect();
    order.sort_by(|&a, &b| ranked[b].speed.total_cmp(&ranked[a].speed));
    let mut leader = 0;
    for (place, &index) in order.iter().enumerate() {
        if place == 0 || ranked[index].high < ranked[order[leader]].low {
            leader = place;
        }
        ranked[index].rank = leader + 1;
    }
    Some(ranked)
}

/// Times without that of the loop around them: its least time, as the other ones hold what else the machine did. Never 0: what is
/// fast can hide behind the loop.
pub fn net(times: &[f64], of_loop: &[f64]) -> Vec<f64> {
    let least = of_loop.iter().copied().reduce(f64::min).unwrap_or(0.0);
    times.iter().map(|time| (time - least).max(0.01 * time)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_taken_round_by_round() {
        // The machine is three times slower in the second round; the ratio stays 2.
        let ranked =
            ranking(&[vec![2.0, 6.0, 2.0], vec![1.0, 3.0, 1.0], vec![8.0, 24.0, 8.0]], Some(0)).unwrap();
        assert_eq!(ranked.iter().map(|r| r.speed).collect::<Vec<_>>(), [1.0, 2.0, 0.25]);
        assert_eq!(ranked.iter().map(|r| r.rank).collect::<Vec<_>>(), [2, 1, 3]);
        assert_eq!((ranked[1].low, ranked[1].high, ranked[1].time), (2.0, 2.0, 1.0));
    }

    #[test]
    fn overlapping_intervals_share_a_rank_and_the_next_counts_them() {
        let wide = vec![0.8, 1.0, 1.2, 0.9, 1.1];
        let near = vec![1.1, 0.9, 1.0, 1.2, 0.8];
        let slow = vec![5.0; 5];
        let ranked = ranking(&[slow, wide, near], None).unwrap();
        assert_eq!(ranked.iter().map(|r| r.rank).collect::<Vec<_>>(), [3, 1, 1]);
    }

    #[test]
    fn a_net_time_stays_above_zero() {
        assert_eq!(net(&[3.0, 1.0, 5.0], &[4.0, 1.0]), [2.0, 0.01, 4.0]);
        assert_eq!(net(&[3.0], &[]), [3.0]);
    }

    #[test]
    fn rounds_that_are_not_pairs_have_no_ranking() {
        assert_eq!(ranking(&[vec![1.0], vec![1.0, 2.0]], Some(0)), None);
        assert_eq!(ranking(&[vec![]], None), None);
        assert_eq!(ranking(&[], None), None);
    }
}
