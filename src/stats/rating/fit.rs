//! The joint fit: ratings of all players of a group at once, with White's advantage and the draw parameter if wanted.
//!
//! Maximum likelihood by Newton's method; the log-likelihood is concave. Standard errors come from the observed information,
//! and, since two games from one opening are not independent, also from the scores of whole pairs (the "sandwich" of
//! Huber and White, pairs as clusters). Must not know names. Strengths are in natural logarithms of odds until the end.

use super::likelihood::{self, Moments};
use super::matrix::Matrix;
use super::results::Results;
use std::collections::BTreeMap;

/// Beyond this many parameters no matrix is held: ratings are found by conjugate gradients, without errors.
pub const MOST_WITH_ERRORS: usize = 2000;
/// A strength beyond this (5,200 Elo) is on its way to infinity.
const DIVERGED: f64 = 30.0;
/// No ladder spreads as far.
const FARTHEST: f64 = 1e4;
const MOST_ROUNDS: u32 = 200;

/// Games of two players of a group by White's half points.
#[derive(Clone, Debug)]
struct Side {
    white: usize,
    black: usize,
    games: [f64; 3],
}

/// What is fitted.
#[derive(Debug)]
pub(super) struct Problem<'a> {
    results: &'a Results,
    members: &'a [usize],
    sides: Vec<Side>,
    /// Place among the parameters; none for a fixed player.
    place: Vec<Option<usize>>,
    fixed: Vec<f64>,
    white: Option<usize>,
    draw: Option<usize>,
    parameters: usize,
    /// Virtual draws of every player against one of strength 0.
    prior: f64,
}

/// The maximum, in natural units.
#[derive(Debug)]
pub(super) struct Solution {
    /// By member.
    pub strengths: Vec<f64>,
    pub white: Option<f64>,
    pub draw: Option<f64>,
    pub errors: Option<Errors>,
}

/// Covariances in two ways.
#[derive(Debug)]
pub(super) struct Errors {
    information: Matrix,
    clustered: Matrix,
    place: Vec<Option<usize>>,
    white: Option<usize>,
    draw: Option<usize>,
}

impl Errors {
    /// Covariance of two members; 0 if one is fixed.
    pub(super) fn covariance(&self, i: usize, j: usize, clustered: bool) -> f64 {
        let matrix = if clustered { &self.clustered } else { &self.information };
        self.place[i].zip(self.place[j]).map_or(0.0, |(i, j)| matrix.at(i, j))
    }

    pub(super) fn white_variance(&self, clustered: bool) -> Option<f64> {
        let matrix = if clustered { &self.clustered } else { &self.information };
        self.white.map(|at| matrix.at(at, at))
    }

    pub(super) fn draw_variance(&self, clustered: bool) -> Option<f64> {
        let matrix = if clustered { &self.clustered } else { &self.information };
        self.draw.map(|at| matrix.at(at, at))
    }
}

impl<'a> Problem<'a> {
    /// `anchors`: strengths of members that are given. Whether White's advantage and the draw parameter are fitted is the caller's choice.
    pub(super) fn new(
        results: &'a Results,
        members: &'a [usize],
        anchors: &BTreeMap<usize, f64>,
        white: bool,
        draw: bool,
        prior: f64,
    ) -> Problem<'a> {
        let mut local = vec![None; results.players()];
        for (index, &member) in members.iter().enumerate() {
            local[member] = Some(index);
        }
        let mut sides = Vec::new();
        for (a, b, meeting) in results.meetings() {
            let Some((a, b)) = local[a].zip(local[b]) else { continue };
            for a_is_white in [true, false] {
                let mut games = meeting.games(a_is_white).map(|count| count as f64);
                if !a_is_white {
                    games.reverse();
                }
                if games.iter().sum::<f64>() > 0.0 {
                    let (white, black) = if a_is_white { (a, b) } else { (b, a) };
                    sides.push(Side { white, black, games });
                }
            }
        }
        let fixed: Vec<Option<f64>> = members.iter().map(|member| anchors.get(member).copied()).collect();
        let mut parameters = 0;
        let mut next = |wanted: bool| {
            wanted.then(|| {
                parameters += 1;
                parameters - 1
            })
        };
        let place = fixed.iter().map(|fixed| next(fixed.is_none())).collect();
        let (white, draw) = (next(white), next(draw));
        let fixed = fixed.into_iter().map(Option::unwrap_or_default).collect();
        Problem { results, members, sides, place, fixed, white, draw, parameters, prior }
    }

    /// Games within the group, drawn or not.
    pub(super) fn games_and_draws(&self) -> (f64, f64) {
        let games = self.sides.iter().map(|side| side.games.iter().sum::<f64>()).sum();
        (games, self.sides.iter().map(|side| side.games[1]).sum())
    }

    /// No strength is given, so only differences are known.
    fn floats(&self) -> bool {
        self.prior == 0.0 && self.place.iter().all(Option::is_some)
    }

    fn strength(&self, x: &[f64], member: usize) -> f64 {
        self.place[member].map_or(self.fixed[member], |at| x[at])
    }

    fn difference(&self, x: &[f64], white: usize, black: usize) -> f64 {
        self.strength(x, white) - self.strength(x, black) + self.white.map_or(0.0, |at| x[at])
    }

    fn draw_of(&self, x: &[f64]) -> Option<f64> {
        self.draw.map(|at| x[at])
    }

    fn log_likelihood(&self, x: &[f64]) -> f64 {
        let games = self.sides.iter().map(|side| {
            let difference = self.difference(x, side.white, side.black);
            likelihood::log_likelihood(&side.games, difference, self.draw_of(x))
        });
        let virtual_draws = [0.0, self.prior, 0.0];
        let prior = self.place.iter().flatten().filter(|_| self.prior > 0.0);
        games.sum::<f64>()
            + prior.map(|&at| likelihood::log_likelihood(&virtual_draws, x[at], None)).sum::<f64>()
    }

    /// The parameters that a game between two members moves, with signs.
    fn directions(&self, white: usize, black: usize) -> impl Iterator<Item = (usize, f64)> + use<> {
        let parts = [
            self.place[white].map(|at| (at, 1.0)),
            self.place[black].map(|at| (at, -1.0)),
            self.white.map(|at| (at, 1.0)),
        ];
        parts.into_iter().flatten()
    }

    fn gradient(&self, x: &[f64]) -> Vec<f64> {
        let mut gradient = vec![0.0; self.parameters];
        for side in &self.sides {
            let m = likelihood::moments(self.difference(x, side.white, side.black), self.draw_of(x));
            let [losses, draws, wins] = side.games;
            let n = losses + draws + wins;
            for (at, sign) in self.directions(side.white, side.black) {
                gradient[at] += sign * (wins + 0.5 * draws - n * m.points);
            }
            if let Some(at) = self.draw {
                gradient[at] += draws - n * m.draw;
            }
        }
        for &at in self.place.iter().flatten().filter(|_| self.prior > 0.0) {
            gradient[at] += self.prior * (0.5 - likelihood::moments(x[at], None).points);
        }
        gradient
    }

    /// Every nonzero entry of the observed information, perhaps in parts.
    fn information(&self, x: &[f64], mut add: impl FnMut(usize, usize, f64)) {
        for side in &self.sides {
            let Moments { points_variance, draw_variance, covariance, .. } =
                likelihood::moments(self.difference(x, side.white, side.black), self.draw_of(x));
            let n: f64 = side.games.iter().sum();
            for (i, sign) in self.directions(side.white, side.black) {
                for (j, other) in self.directions(side.white, side.black) {
                    add(i, j, sign * other * n * points_variance);
                }
                if let Some(at) = self.draw {
                    add(i, at, sign * n * covariance);
                    add(at, i, sign * n * covariance);
                }
            }
            if let Some(at) = self.draw {
                add(at, at, n * draw_variance);
            }
        }
        for &at in self.place.iter().flatten().filter(|_| self.prior > 0.0) {
            add(at, at, self.prior * likelihood::moments(x[at], None).points_variance);
        }
    }

    /// The information as a matrix. Where only differences are known it has a null vector (all strengths alike): that is
    /// filled with `gauge` along it.
    fn dense(&self, x: &[f64], gauge: f64) -> Matrix {
        let mut matrix = Matrix::zero(self.parameters);
        self.information(x, |i, j, value| matrix.add(i, j, value));
        if self.floats() {
            let players = self.place.len();
            for i in 0..players {
                for j in 0..players {
                    matrix.add(i, j, gauge / players as f64);
                }
            }
        }
        matrix
    }

    /// A size for the gauge like the other eigenvalues'.
    fn gauge(&self) -> f64 {
        let (games, _) = self.games_and_draws();
        (0.25 * games / self.place.len() as f64).max(1e-3)
    }

    fn step(&self, x: &[f64], gradient: &[f64]) -> Option<Vec<f64>> {
        if self.parameters <= MOST_WITH_ERRORS {
            return self.dense(x, self.gauge()).solve(gradient);
        }
        let mut entries: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        self.information(x, |i, j, value| *entries.entry((i, j)).or_default() += value);
        Some(conjugate_gradients(&entries.into_iter().collect::<Vec<_>>(), gradient))
    }

    /// None if there is no maximum: a parameter runs away.
    pub(super) fn solve(&self) -> Option<Solution> {
        let anchors = self.place.iter().zip(&self.fixed).filter(|(place, _)| place.is_none());
        let (sum, count) = anchors.fold((0.0, 0), |(sum, count), (_, fixed)| (sum + fixed, count + 1));
        let start = if count > 0 { sum / f64::from(count) } else { 0.0 };
        let mut x = vec![0.0; self.parameters];
        for &at in self.place.iter().flatten() {
            x[at] = start;
        }
        let mut value = self.log_likelihood(&x);
        for _ in 0..MOST_ROUNDS {
            let gradient = self.gradient(&x);
            let step = self.step(&x, &gradient)?;
            let largest = step.iter().fold(0.0_f64, |most, s| most.max(s.abs()));
            // Full steps where they help, shorter ones far out. What rounding hides is no loss.
            let mut factor = (2.0 / largest).min(1.0);
            let slack = 1e-12 * (1.0 + value.abs());
            let next = loop {
                let next: Vec<f64> = x.iter().zip(&step).map(|(x, s)| x + factor * s).collect();
                let there = self.log_likelihood(&next);
                if there >= value - slack || factor < 1e-6 {
                    value = there;
                    break next;
                }
                factor *= 0.5;
            };
            x = next;
            if self.floats() {
                let players = self.place.len();
                let mean = x[..players].iter().sum::<f64>() / players as f64;
                x[..players].iter_mut().for_each(|x| *x -= mean);
            }
            if self.diverged(&x, start) {
                return None;
            }
            if largest < 1e-11 {
                return Some(self.solution(&x));
            }
        }
        None
    }

    /// A long ladder of players may rightly spread far; White's advantage, a draw rate or one meeting may not.
    fn diverged(&self, x: &[f64], start: f64) -> bool {
        let side_parameters = self.white.into_iter().chain(self.draw).any(|at| x[at].abs() > DIVERGED);
        let apart = |side: &Side| self.difference(x, side.white, side.black).abs() > DIVERGED;
        side_parameters
            || self.sides.iter().any(apart)
            || x.iter().any(|x| x.is_nan() || (x - start).abs() > FARTHEST)
    }

    fn solution(&self, x: &[f64]) -> Solution {
        let strengths = (0..self.members.len()).map(|member| self.strength(x, member)).collect();
        Solution {
            strengths,
            white: self.white.map(|at| x[at]),
            draw: self.draw_of(x),
            errors: self.errors(x),
        }
    }

    fn errors(&self, x: &[f64]) -> Option<Errors> {
        if self.parameters == 0 || self.parameters > MOST_WITH_ERRORS {
            return None;
        }
        let gauge = self.gauge();
        let mut information = self.dense(x, gauge).inverse()?;
        if self.floats() {
            // The pseudo-inverse: errors of strengths whose mean is known.
            let players = self.place.len();
            for i in 0..players {
                for j in 0..players {
                    information.add(i, j, -1.0 / (gauge * players as f64));
                }
            }
        }
        let clustered = self.clustered(x, &information);
        Some(Errors { information, clustered, place: self.place.clone(), white: self.white, draw: self.draw })
    }

    /// Inverse information, times the spread of the scores of pairs, times inverse information.
    fn clustered(&self, x: &[f64], inverse: &Matrix) -> Matrix {
        let mut local = vec![None; self.results.players()];
        for (index, &member) in self.members.iter().enumerate() {
            local[member] = Some(index);
        }
        let mut spread: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        let mut clusters = 0;
        for (a, b, meeting) in self.results.meetings() {
            let Some((a, b)) = local[a].zip(local[b]) else { continue };
            let as_white = likelihood::moments(self.difference(x, a, b), self.draw_of(x));
            let as_black = likelihood::moments(self.difference(x, b, a), self.draw_of(x));
            for ([white, black], count) in meeting.clusters() {
                clusters += count;
                // Residuals: of a's points, of White's points, of draws.
                let (mut strength, mut advantage, mut drawn) = (0.0, 0.0, 0.0);
                let is_draw = |points: u32| if points == 1 { 1.0 } else { 0.0 };
                if let Some(points) = white {
                    let residual = 0.5 * f64::from(points) - as_white.points;
                    strength += residual;
                    advantage += residual;
                    drawn += is_draw(points) - as_white.draw;
                }
                if let Some(points) = black {
                    let residual = 1.0 - 0.5 * f64::from(points) - as_black.points;
                    strength -= residual;
                    advantage += residual;
                    drawn += is_draw(points) - as_black.draw;
                }
                let score = [
                    self.place[a].map(|at| (at, strength)),
                    self.place[b].map(|at| (at, -strength)),
                    self.white.map(|at| (at, advantage)),
                    self.draw.map(|at| (at, drawn)),
                ];
                for (i, one) in score.iter().flatten() {
                    for (j, other) in score.iter().flatten() {
                        *spread.entry((*i, *j)).or_default() += count as f64 * one * other;
                    }
                }
            }
        }
        // Fitted residuals are too small by the parameters they were fitted with.
        let free = self.parameters - usize::from(self.floats());
        let correction =
            if clusters as usize > free { clusters as f64 / (clusters as usize - free) as f64 } else { 1.0 };
        let n = self.parameters;
        let mut half = Matrix::zero(n);
        for (&(k, j), &value) in &spread {
            for i in 0..n {
                half.add(i, j, inverse.at(i, k) * value);
            }
        }
        let mut covariance = Matrix::zero(n);
        for i in 0..n {
            for j in 0..n {
                let dot: f64 = half.row(i).iter().zip(inverse.row(j)).map(|(x, y)| x * y).sum();
                covariance.add(i, j, correction * dot);
            }
        }
        covariance
    }

    /// By member: pairs and single games within the group, and whether most of the games are of pairs.
    pub(super) fn clusters(&self) -> Vec<(u64, bool)> {
        let mut local = vec![None; self.results.players()];
        for (index, &member) in self.members.iter().enumerate() {
            local[member] = Some(index);
        }
        let mut counts = vec![(0, 0); self.members.len()];
        for (a, b, meeting) in self.results.meetings() {
            let Some((a, b)) = local[a].zip(local[b]) else { continue };
            for member in [a, b] {
                counts[member].0 += meeting.count();
                counts[member].1 += meeting.pairs();
            }
        }
        counts.into_iter().map(|(games, pairs)| (games - pairs, 4 * pairs >= games && pairs > 0)).collect()
    }
}

/// Solves a symmetric positive semidefinite system given by its entries, for a right side without part in the null space.
fn conjugate_gradients(entries: &[((usize, usize), f64)], right: &[f64]) -> Vec<f64> {
    let n = right.len();
    let mut diagonal = vec![1.0; n];
    for &((i, j), value) in entries {
        if i == j && value > 0.0 {
            diagonal[i] = value;
        }
    }
    let dot = |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| x * y).sum() };
    let scaled = |r: &[f64]| -> Vec<f64> { r.iter().zip(&diagonal).map(|(r, d)| r / d).collect() };
    let mut x = vec![0.0; n];
    let mut residual = right.to_vec();
    let mut along = scaled(&residual);
    let mut size = dot(&residual, &along);
    let enough = 1e-24 * size;
    for _ in 0..10 * n {
        if size <= enough {
            break;
        }
        let mut image = vec![0.0; n];
        for &((i, j), value) in entries {
            image[i] += value * along[j];
        }
        let curvature = dot(&along, &image);
        if curvature <= 0.0 {
            break;
        }
        let factor = size / curvature;
        for i in 0..n {
            x[i] += factor * along[i];
            residual[i] -= factor * image[i];
        }
        let next = scaled(&residual);
        let next_size = dot(&residual, &next);
        for (along, next) in along.iter_mut().zip(&next) {
            *along = next + next_size / size * *along;
        }
        size = next_size;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::SplitMix64;

    /// The way of the large groups gives what the matrix gives.
    #[test]
    fn conjugate_gradients_agree_with_the_matrix() {
        let mut rng = SplitMix64::new(5);
        let mut results = Results::new(60);
        for _ in 0..2000 {
            let (white, black) = (rng.below(60) as usize, rng.below(59) as usize);
            // Nobody plays himself.
            results.add(white, if black == white { 59 } else { black }, rng.below(3) as u32);
        }
        let members: Vec<usize> = (0..60).collect();
        for (white, draw, prior) in
            [(false, false, 0.0), (true, false, 0.0), (true, true, 0.0), (true, false, 1.0)]
        {
            let problem = Problem::new(&results, &members, &BTreeMap::new(), white, draw, prior);
            let x = vec![0.0; problem.parameters];
            let gradient = problem.gradient(&x);
            let dense = problem.step(&x, &gradient).unwrap();
            let mut entries: BTreeMap<(usize, usize), f64> = BTreeMap::new();
            problem.information(&x, |i, j, value| *entries.entry((i, j)).or_default() += value);
            let sparse = conjugate_gradients(&entries.into_iter().collect::<Vec<_>>(), &gradient);
            // Where nobody is fixed, a shift of all players changes nothing.
            let shift = if problem.floats() { dense[0] - sparse[0] } else { 0.0 };
            let sparse = sparse.iter().enumerate().map(|(at, x)| if at < 60 { x + shift } else { *x });
            for (dense, sparse) in dense.iter().zip(sparse) {
                assert!((dense - sparse).abs() < 1e-9, "{dense} {sparse}");
            }
        }
    }
}
