//! Elo of the first engine from a match, with the intervals and side figures that other tools show.
//!
//! Must not know about sequential stopping (`sprt::estimate` corrects for it). Definitions: reference README; profile
//! likelihood as in M. Van den Bergh's notes on the GSPRT; Student-t as in OpenBench; `los_wl` as in cutechess.

use super::counts::{Counts, Law};
use super::distribution::{coin_cdf, normal_cdf, student_t_975};
use super::scale::{NORMALIZED_SCALE, Z_95, elo_of_score, score_of_elo};
use super::solve;
use serde::{Deserialize, Serialize};

/// Which interval is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntervalKind {
    /// Score plus or minus 1.96 standard errors.
    Normal,
    /// Profile likelihood: defined for one game, all wins, all draws.
    Profile,
}

impl IntervalKind {
    /// `normal` or `profile`.
    pub const fn id(self) -> &'static str {
        match self {
            IntervalKind::Normal => "normal",
            IntervalKind::Profile => "profile",
        }
    }
}

/// A 95 % interval of Elo; ends may be infinite.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
    pub kind: IntervalKind,
}

/// What a match says about the first engine's strength. Elo is logistic, intervals are 95 %.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EloEstimate {
    /// Games, or pairs.
    pub observations: u64,
    pub games: u64,
    /// Mean score, in [0, 1].
    pub score: f64,
    /// Population variance of one observation's score.
    pub variance: f64,
    /// Standard error of `score`.
    pub std_error: f64,
    /// Infinite for 0 % and 100 %.
    pub elo: f64,
    /// Normal interval.
    pub low: f64,
    pub high: f64,
    /// Half the normal interval's width: the "+/-" of other tools. None if an end is infinite.
    pub error: Option<f64>,
    /// Profile-likelihood interval.
    pub profile_low: f64,
    pub profile_high: f64,
    /// Student-t interval; from two observations on.
    pub t_low: Option<f64>,
    pub t_high: Option<f64>,
    /// Likelihood of superiority, from score and variance.
    pub los: f64,
    /// Normalised Elo; none if all results are alike, as its errors.
    pub nelo: Option<f64>,
    /// Half-width of its interval as fastchess shows it (depends on the number of games only).
    pub nelo_error: Option<f64>,
    /// Half-width by the delta method, as fishtest shows it.
    pub nelo_error_delta: Option<f64>,
    /// Share of draws; of pairs that ended level.
    pub draw_ratio: f64,
    /// Pairs won over pairs lost; pentanomial only, none for 0/0.
    pub pairs_ratio: Option<f64>,
    /// Likelihood of superiority from wins and losses alone; trinomial only, none without either.
    pub los_wl: Option<f64>,
    /// The same with a uniform prior; trinomial only.
    pub los_beta: Option<f64>,
}

impl EloEstimate {
    /// None without games.
    pub fn new(counts: &Counts) -> Option<EloEstimate> {
        match counts {
            Counts::Trinomial(c) => {
                let mut estimate = estimate(c, counts)?;
                let [losses, draws, wins] = c.map(|x| x as f64);
                estimate.draw_ratio = draws / (losses + draws + wins);
                let decided = wins + losses;
                estimate.los_wl = (decided > 0.0).then(|| normal_cdf((wins - losses) / decided.sqrt()));
                estimate.los_beta = Some(coin_cdf(c[2], c[0].saturating_add(c[2]).saturating_add(1)));
                Some(estimate)
            }
            Counts::Pentanomial(c) => {
                let mut estimate = estimate(c, counts)?;
                let c = c.map(|x| x as f64);
                estimate.draw_ratio = c[2] / c.iter().sum::<f64>();
                let (lost, won) = (c[0] + c[1], c[3] + c[4]);
                estimate.pairs_ratio = (lost + won > 0.0).then(|| won / lost);
                Some(estimate)
            }
        }
    }

    /// The interval to show: the profile one where the normal one does not hold (all results alike, an end outside
    /// (0, 1), fewer than 30 observations).
    pub fn interval(&self) -> Interval {
        let normal = self.variance > 0.0 && self.error.is_some() && self.observations >= 30;
        if normal {
            Interval { low: self.low, high: self.high, kind: IntervalKind::Normal }
        } else {
            Interval { low: self.profile_low, high: self.profile_high, kind: IntervalKind::Profile }
        }
    }
}

/// All that does not depend on the kind of counts.
fn estimate<const N: usize>(c: &[u64; N], counts: &Counts) -> Option<EloEstimate> {
    let law = Law::plain(c)?;
    // From whole sums: a level score is level, and a narrow lead keeps all its digits.
    let points: f64 = c.iter().enumerate().map(|(i, &count)| i as f64 * count as f64).sum();
    let lost: f64 = c.iter().rev().enumerate().map(|(i, &count)| i as f64 * count as f64).sum();
    let most = law.total * (N - 1) as f64;
    let (score, lead) = (points / most, (points - lost) / (2.0 * most));
    let alike = c.iter().filter(|&&count| count > 0).count() == 1;
    let central = |power: i32| law.expect(|a| (a - score).powi(power));
    let variance = if alike { 0.0 } else { central(2) };
    let std_error = (variance / law.total).sqrt();
    let (low, high) = interval_around(score, Z_95 * std_error);
    let t = student_t_975(counts.observations() - 1).map(|t| interval_around(score, t * std_error));
    let los = if alike { step(lead) } else { normal_cdf(lead / std_error) };

    let per_game = counts.games_per_observation().sqrt();
    let nelo = (!alike).then(|| NORMALIZED_SCALE * lead / (per_game * variance.sqrt()));
    let nelo_error = Z_95 * NORMALIZED_SCALE / (law.total.sqrt() * per_game);
    let nelo_error_delta = (!alike).then(|| {
        let sigma = variance.sqrt();
        let skewness = central(3) / (variance * sigma);
        let excess = central(4) / (variance * variance) - 3.0;
        let t = lead / sigma;
        let v = 1.0 - t * skewness + t * t * (excess + 2.0) / 4.0;
        nelo_error * v.max(0.0).sqrt()
    });
    let elo = 400.0 * (points / lost).log10();
    let (profile_low, profile_high) = profile_interval(&law, elo);
    Some(EloEstimate {
        observations: counts.observations(),
        games: counts.games(),
        score,
        variance,
        std_error,
        elo,
        low,
        high,
        error: half_width(low, high),
        profile_low,
        profile_high,
        t_low: t.map(|t| t.0),
        t_high: t.map(|t| t.1),
        los,
        nelo,
        nelo_error: (!alike).then_some(nelo_error),
        nelo_error_delta,
        draw_ratio: 0.0,
        pairs_ratio: None,
        los_wl: None,
        los_beta: None,
    })
}

/// Elo at both ends of score ± half.
fn interval_around(score: f64, half: f64) -> (f64, f64) {
    (elo_of_score(score - half), elo_of_score(score + half))
}

fn half_width(low: f64, high: f64) -> Option<f64> {
    (low.is_finite() && high.is_finite()).then(|| (high - low) / 2.0)
}

/// 0, 1/2 or 1 by the sign.
fn step(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        0.0
    } else {
        0.5
    }
}

/// All Elo differences `e` with `2 N max_theta sum p_i ln(1 + theta (a_i - score(e))) <= z²`: the ones under which the
/// results are not too unlikely, whatever the shape of the law.
fn profile_interval<const N: usize>(law: &Law<N>, elo: f64) -> (f64, f64) {
    // The signed root of the likelihood ratio is nearly linear in Elo: quick for the solver.
    let excess =
        |e: f64| (2.0 * law.total * solve::tilt_cost(&law.p, &deviations::<N>(e))).max(0.0).sqrt() - Z_95;
    let end = |direction: f64| {
        if elo == direction * f64::INFINITY {
            return elo;
        }
        let near = if elo.is_finite() { elo } else { -direction * FAR };
        let mut far = near + direction * 1000.0;
        while excess(far) < 0.0 && far * direction < FAR {
            far += direction * 1000.0;
        }
        solve::root(excess, near, far).unwrap_or(direction * f64::INFINITY)
    };
    (end(-1.0), end(1.0))
}

/// Elo beyond what any number of games can tell from a score of 0 or 1.
const FAR: f64 = 20_000.0;

/// `a_i - score(elo)` of every outcome; the two ends without cancellation, so that far from 0 they keep their digits.
pub(super) fn deviations<const N: usize>(elo: f64) -> [f64; N] {
    let score = score_of_elo(elo);
    let mut v = Law::<N>::values().map(|a| a - score);
    v[N - 1] = score_of_elo(-elo);
    v
}

/// Elo as fishtest computes it: zero counts replaced by 0.001, scores kept within [0.001, 0.999]. Defined without games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RegularisedElo {
    pub elo: f64,
    /// Half-width of the normal 95 % interval.
    pub error: f64,
    pub los: f64,
}

impl RegularisedElo {
    pub fn new(counts: &Counts) -> RegularisedElo {
        match counts {
            Counts::Trinomial(c) => regularised(&Law::regularised(c)),
            Counts::Pentanomial(c) => regularised(&Law::regularised(c)),
        }
    }
}

fn regularised<const N: usize>(law: &Law<N>) -> RegularisedElo {
    let (score, variance) = (law.mean(), law.variance());
    let std_error = (variance / law.total).sqrt();
    let clamped = |score: f64| elo_of_score(score.clamp(0.001, 0.999));
    RegularisedElo {
        elo: clamped(score),
        error: (clamped(score + Z_95 * std_error) - clamped(score - Z_95 * std_error)) / 2.0,
        los: normal_cdf((score - 0.5) / std_error),
    }
}
