//! Ratings of many players from all their games together, and the tie-breaks of tournaments.
//!
//! A joint Bradley-Terry fit: the points that the ratings predict for each player are the points scored. Knows results by number
//! of player, nothing of names, files or games. Definitions: `tests/data/stats/README.md`.

mod fit;
mod groups;
mod likelihood;
mod matrix;
mod results;
mod tiebreak;

pub use fit::MOST_WITH_ERRORS;
pub use groups::groups;
pub use likelihood::DrawModel;
pub use results::{Meeting, Results, Score};
pub use tiebreak::{Standings, TieBreak};

use super::distribution::normal_cdf;
use super::scale::Z_95;
use fit::{Problem, Solution};
use std::collections::BTreeMap;
use std::f64::consts::LN_10;

/// Elo per natural logarithm of odds.
const ELO: f64 = 400.0 / LN_10;
/// Clusters of a player from which on their spread is trusted.
const ENOUGH_CLUSTERS: u64 = 30;

/// How ratings are to be fitted.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Fit what playing White is worth; else it is worth nothing.
    pub white_advantage: bool,
    pub draws: DrawModel,
    /// Ratings that are given. In a group without one the mean is 0.
    pub anchors: BTreeMap<usize, f64>,
    /// Virtual draws of every player against one of rating 0. With at least one, everybody can be compared with everybody.
    pub prior_draws: f64,
}

/// A figure and its standard error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fitted {
    pub value: f64,
    /// None where it cannot be told.
    pub std_error: Option<f64>,
}

/// What a standard error was made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The spread between pairs of games.
    Clustered,
    /// The observed information: games as independent, draws as half wins.
    Information,
}

impl ErrorKind {
    /// `clustered` or `information`.
    pub const fn id(self) -> &'static str {
        match self {
            ErrorKind::Clustered => "clustered",
            ErrorKind::Information => "information",
        }
    }
}

/// A rated player.
#[derive(Clone, Debug)]
pub struct Rating {
    pub player: usize,
    /// Elo.
    pub rating: f64,
    /// From the observed information; none for an only member, 0 for an anchor.
    pub information_error: Option<f64>,
    /// From the spread between pairs.
    pub clustered_error: Option<f64>,
    /// Which of the two to show.
    pub kind: ErrorKind,
}

impl Rating {
    /// The standard error to show.
    pub fn std_error(&self) -> Option<f64> {
        match self.kind {
            ErrorKind::Clustered => self.clustered_error,
            ErrorKind::Information => self.information_error,
        }
    }

    /// Half the 95 % interval.
    pub fn error(&self) -> Option<f64> {
        self.std_error().map(|error| Z_95 * error)
    }
}

/// Players that can be compared with each other.
#[derive(Debug)]
pub struct Group {
    /// Best first.
    pub ratings: Vec<Rating>,
    /// Elo of playing White; none if not asked for, or if these games do not define it.
    pub white_advantage: Option<Fitted>,
    /// Davidson's model: how often two equals draw.
    pub equal_draw_rate: Option<Fitted>,
    /// Games within the group.
    pub games: u64,
    /// Place of each rating among the members of the fit.
    members: Vec<usize>,
    solution: Option<Solution>,
}

impl Group {
    /// Probability that the `i`-th of the list is stronger than the `j`-th, as far as the games tell.
    pub fn superiority(&self, i: usize, j: usize) -> Option<f64> {
        let (one, other) = (self.ratings.get(i)?, self.ratings.get(j)?);
        let errors = self.solution.as_ref()?.errors.as_ref()?;
        let clustered = one.kind == ErrorKind::Clustered && other.kind == ErrorKind::Clustered;
        let (i, j) = (self.members[i], self.members[j]);
        let covariance = |i, j| errors.covariance(i, j, clustered);
        let variance = covariance(i, i) + covariance(j, j) - 2.0 * covariance(i, j);
        let difference = (one.rating - other.rating) / ELO;
        Some(if variance > 1e-12 * (covariance(i, i) + covariance(j, j)) && variance > 0.0 {
            normal_cdf(difference / variance.sqrt())
        } else if difference == 0.0 {
            0.5
        } else if difference > 0.0 {
            1.0
        } else {
            0.0
        })
    }
}

/// Rates everybody: each group by itself, or all together if there are virtual draws.
pub fn rate(results: &Results, settings: &Settings) -> Vec<Group> {
    let groups = if settings.prior_draws > 0.0 && results.players() > 0 {
        vec![(0..results.players()).collect()]
    } else {
        groups(results)
    };
    groups.iter().map(|members| rate_group(results, members, settings)).collect()
}

fn rate_group(results: &Results, members: &[usize], settings: &Settings) -> Group {
    let mut anchors: BTreeMap<usize, f64> = settings
        .anchors
        .iter()
        .filter(|(player, _)| members.contains(player))
        .map(|(&player, &rating)| (player, rating / ELO))
        .collect();
    // Beside virtual draws an anchor moves the whole list.
    let shift_to = (settings.prior_draws > 0.0).then(|| anchors.pop_first()).flatten();
    let problem =
        |white: bool, draw: bool| Problem::new(results, members, &anchors, white, draw, settings.prior_draws);
    let (games, draws) = problem(false, false).games_and_draws();
    // Without draws, or without anything else, their rate has no finite parameter.
    let davidson = settings.draws == DrawModel::Davidson && draws > 0.0 && draws < games;
    let white = settings.white_advantage && games > 0.0;
    let tries = [(white, davidson), (white, false), (false, davidson), (false, false)];
    let (problem, solution) = tries
        .into_iter()
        .find_map(|(white, draw)| {
            let problem = problem(white, draw);
            let solution = problem.solve()?;
            Some((problem, Some(solution)))
        })
        .unwrap_or_else(|| (problem(false, false), None));
    let offset = shift_to.map_or(0.0, |(player, strength)| {
        let at = members.iter().position(|&member| member == player);
        strength - at.zip(solution.as_ref()).map_or(0.0, |(at, solution)| solution.strengths[at])
    });
    let clusters = problem.clusters();
    let alone = members.len() == 1 && settings.prior_draws == 0.0;
    let errors = solution.as_ref().and_then(|solution| solution.errors.as_ref()).filter(|_| !alone);
    let std_error = |at: usize, clustered: bool| {
        errors.map(|errors| ELO * errors.covariance(at, at, clustered).max(0.0).sqrt())
    };
    let mut order: Vec<usize> = (0..members.len()).collect();
    let rating =
        |at: usize| solution.as_ref().map_or(0.0, |solution| ELO * (solution.strengths[at] + offset));
    order.sort_by(|&i, &j| rating(j).total_cmp(&rating(i)).then(i.cmp(&j)));
    let ratings = order
        .iter()
        .map(|&at| {
            let (count, paired) = clusters[at];
            let kind = if paired && count >= ENOUGH_CLUSTERS {
                ErrorKind::Clustered
            } else {
                ErrorKind::Information
            };
            Rating {
                player: members[at],
                // No sign on a zero.
                rating: rating(at) + 0.0,
                information_error: std_error(at, false),
                clustered_error: std_error(at, true),
                kind,
            }
        })
        .collect::<Vec<_>>();
    let clustered = !ratings.is_empty() && ratings.iter().all(|rating| rating.kind == ErrorKind::Clustered);
    let white_advantage = solution.as_ref().and_then(|solution| {
        let variance = errors.and_then(|errors| errors.white_variance(clustered));
        solution
            .white
            .map(|white| Fitted { value: ELO * white, std_error: variance.map(|v| ELO * v.max(0.0).sqrt()) })
    });
    let equal_draw_rate = solution.as_ref().and_then(|solution| {
        let rate = 1.0 / (1.0 + 2.0 * (-solution.draw?).exp());
        let variance = errors.and_then(|errors| errors.draw_variance(clustered));
        Some(Fitted { value: rate, std_error: variance.map(|v| rate * (1.0 - rate) * v.max(0.0).sqrt()) })
    });
    Group { ratings, white_advantage, equal_draw_rate, games: games as u64, members: order, solution }
}
