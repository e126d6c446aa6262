//! How often an exchange settled by two attack bytes is settled as the exact exchange evaluation settles it, over every square
//! with an enemy piece that the side to move attacks. Exact means the engine's own evaluation, started by the cheapest attacker;
//! neither looks at pins, and captures that promote are left out.
//!
//! Source: page "Attack and Defend Maps" of the seed documents, which calls the bytes inaccurate in some cases and sufficient.

use super::{Progress, TrialError};
use crate::attackmap::{AttackBytes, Batteries, SeeTable};
use crate::engine::see::see_ge;
use crate::record::{Row, Sink, StudyRow};
use crate::rules::Position;
use crate::sliders::Hyperbola;
use crate::stats::SplitMix64;
use crate::suite;
use crate::trial::random_game::RandomGame;
use crate::types::{Bitboard, Move, Role, Square};
use serde::{Deserialize, Serialize};

/// Where the positions come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// The embedded test positions.
    Suites,
    /// Games of random moves.
    Games,
}

impl Source {
    pub const fn id(self) -> &'static str {
        match self {
            Source::Suites => "suites",
            Source::Games => "games",
        }
    }
}

/// Whether pieces behind their own pieces stand in the bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Behind {
    Ignored,
    Seen,
}

impl Behind {
    pub const fn id(self) -> &'static str {
        match self {
            Behind::Ignored => "ignored",
            Behind::Seen => "seen",
        }
    }

    const fn batteries(self) -> Batteries {
        match self {
            Behind::Ignored => Batteries::Ignored,
            Behind::Seen => Batteries::Seen,
        }
    }
}

/// What is varied.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Factors {
    pub source: Vec<Source>,
    pub batteries: Vec<Behind>,
}

/// How much.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Limits {
    /// Positions of each source at most.
    pub positions: u64,
}

const MOST_POSITIONS: u64 = 10_000_000;

/// Looks the settings over.
///
/// # Errors
/// The key that is wrong, and why.
pub fn check(factors: &Factors, limits: &Limits) -> Result<(), TrialError> {
    super::factors::check(&[
        ("source", factors.source.iter().map(|source| source.id().to_owned()).collect()),
        ("batteries", factors.batteries.iter().map(|behind| behind.id().to_owned()).collect()),
    ])?;
    if !(1..=MOST_POSITIONS).contains(&limits.positions) {
        let what = format!("{} is not from 1 to {MOST_POSITIONS}", limits.positions);
        return Err(TrialError::setting("limits.positions", what));
    }
    Ok(())
}

/// Compares the two over every cell; returns the number of cells. Metrics: `positions`, `exchanges`, and of these, in percent,
/// `equal_pct` values, `same_pct` answers (both win something, or both nothing), values too high (`high_pct`) and too low
/// (`low_pct`); `error_cp`, the mean error over all. Where there is no exchange there are no metrics of them.
///
/// # Errors
/// Settings that cannot be, a sink that cannot be written, the user's interrupt.
pub fn run(
    study: &str,
    factors: &Factors,
    limits: &Limits,
    seed: u64,
    sink: &mut dyn Sink,
    progress: &Progress,
) -> Result<u64, TrialError> {
    check(factors, limits)?;
    let wanted = usize::try_from(limits.positions).unwrap_or(usize::MAX);
    // Only these are few enough to be kept; games are played as they are looked at.
    let suites = if factors.source.contains(&Source::Suites) { from_suites(wanted)? } else { Vec::new() };
    let number = |source| if source == Source::Suites { suites.len() } else { wanted };
    let cells = factors.batteries.len() as u64;
    progress.begin(factors.source.iter().map(|&source| number(source) as u64 * cells).sum());
    let table = SeeTable::new();
    let mut cell = 0;
    for &source in &factors.source {
        let mut tallies = vec![Tally::default(); factors.batteries.len()];
        let mut look = |position: &Position| {
            if progress.is_stopped() {
                return Err(TrialError::Interrupted);
            }
            for (tally, behind) in tallies.iter_mut().zip(&factors.batteries) {
                tally.add(position, behind.batteries(), &table);
                progress.advance(1);
            }
            Ok(())
        };
        match source {
            Source::Suites => suites.iter().try_for_each(&mut look)?,
            Source::Games => games(seed).take(wanted).try_for_each(|position| look(&position))?,
        }
        for (tally, behind) in tallies.iter().zip(&factors.batteries) {
            let levels = [("source", source.id()), ("batteries", behind.id())]
                .map(|(factor, level)| (factor.to_owned(), level.to_owned()));
            for (metric, value) in tally.metrics(number(source)) {
                sink.row(Row::Study(StudyRow {
                    study: study.to_owned(),
                    cell,
                    levels: levels.to_vec(),
                    metric: metric.to_owned(),
                    value,
                }))?;
            }
            cell += 1;
        }
    }
    Ok(cell)
}

fn from_suites(most: usize) -> Result<Vec<Position>, TrialError> {
    let mut positions = Vec::new();
    for (path, _) in suite::embedded() {
        if path.starts_with("positions/") && path.ends_with(".epd") {
            positions.extend(suite::load_positions(&path, None)?.into_iter().map(|test| test.position));
        }
    }
    positions.truncate(most);
    Ok(positions)
}

/// Plies of one random game at most.
const LONGEST_GAME: u32 = 240;

/// The positions of one random game after another, without end.
fn games(seed: u64) -> impl Iterator<Item = Position> {
    let mut random = SplitMix64::new(seed);
    let new = || RandomGame::new(Position::startpos(), LONGEST_GAME);
    let mut game = new();
    std::iter::from_fn(move || {
        game.next(&mut random).or_else(|| {
            game = new();
            game.next(&mut random)
        })
    })
}

#[derive(Clone, Default)]
struct Tally {
    exchanges: u64,
    equal: u64,
    same_answer: u64,
    too_high: u64,
    error_cp: u64,
}

impl Tally {
    fn add(&mut self, position: &Position, batteries: Batteries, table: &SeeTable) {
        let bytes = AttackBytes::new(position, batteries, Hyperbola);
        let us = position.turn();
        let enemy = position.by_color(!us) - position.pieces(!us, Role::King);
        for square in enemy {
            let Some(exact) = exact(position, square) else { continue };
            let found = bytes.exchange(table, position, square, us);
            self.exchanges += 1;
            self.equal += u64::from(found == exact);
            self.same_answer += u64::from((found > 0) == (exact > 0));
            self.too_high += u64::from(found > exact);
            self.error_cp += u64::from(found.abs_diff(exact));
        }
    }

    fn metrics(&self, positions: usize) -> Vec<(&'static str, f64)> {
        let all = self.exchanges as f64;
        let mut metrics = vec![("positions", positions as f64), ("exchanges", all)];
        if self.exchanges > 0 {
            let percent = |part: u64| 100.0 * part as f64 / all;
            metrics.extend([
                ("equal_pct", percent(self.equal)),
                ("same_pct", percent(self.same_answer)),
                ("high_pct", percent(self.too_high)),
                ("low_pct", percent(self.exchanges - self.equal - self.too_high)),
                ("error_cp", self.error_cp as f64 / all),
            ]);
        }
        metrics
    }
}

/// What the side to move wins on this square, at least 0; `None` where nothing attacks it, or a pawn would promote.
fn exact(position: &Position, square: Square) -> Option<i32> {
    let us = position.turn();
    let attackers = position.attackers(square, position.occupied(), us);
    let (role, from) =
        Role::ALL.iter().find_map(|&role| Some((role, (attackers & position.pieces(us, role)).first()?)))?;
    if role == Role::Pawn && (Bitboard::RANK_1 | Bitboard::RANK_8).has(square) {
        return None;
    }
    // All values are multiples of 25.
    let (mut low, mut high) = (0, 1000 / 25);
    let mv = Move::normal(from, square);
    while low < high {
        let middle = (low + high + 1) / 2;
        if see_ge(position, mv, middle * 25, Hyperbola) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    Some(low * 25)
}
