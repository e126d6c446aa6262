//! Studies made of matches: every cell is a match of two engines whose SPECs are made of the cell's levels, played as
//! `match` plays it with the same seed. Over all cells, if wanted, the technology curve.
//!
//! Must not know how openings and rules of adjudication are written: [`Terms`] has them read.

use super::template::{Level, Levels, Template};
use crate::arena::adjudicate::Adjudication;
use crate::arena::engines;
use crate::arena::ledger::Stop;
use crate::arena::observer::Observer;
use crate::arena::outcome::MatchOutcome;
use crate::arena::plan::{MOST_PAIRS, MatchPlan, PlanError};
use crate::arena::run::MatchError;
use crate::arena::schedule::Order;
use crate::record::{PairRow, Row, Sink, StoreError, StudyRow};
use crate::stats::curve::{Handicap, TechnologyCurve};
use crate::subject::{EngineSpec, Session};
use crate::suite::Opening;
use crate::trial::{Progress, TrialError, factors};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// What the file of such a study holds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Contest {
    pub name: String,
    #[serde(default)]
    pub about: String,
    /// The id of the kind of trial.
    pub trial: String,
    /// The levels of each factor. The cells are their product; the factor that the templates name first varies slowest.
    pub factors: BTreeMap<String, Vec<Level>>,
    #[serde(rename = "match")]
    pub pairing: Pairing,
    pub limits: Limits,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub curve: Option<Curve>,
}

/// Who plays whom: templates of SPECs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Pairing {
    /// The one whose Elo it is.
    pub first: String,
    pub second: String,
    /// As `match --openings` has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<String>,
}

/// How much of each cell is played, and when a game ends.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Limits {
    /// Pairs of games of each cell; with an error bar the most there may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<u64>,
    /// A cell ends once half of its 95 % interval is no more than so many Elo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_bar: Option<f64>,
    /// These as `match` has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maxmoves: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<String>,
}

impl Limits {
    /// The most pairs of a cell.
    pub fn pairs(&self) -> u64 {
        self.pairs.unwrap_or(MOST_PAIRS)
    }
}

/// What the first engine has more of: templates of numbers in one unit.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Curve {
    pub more: String,
    pub less: String,
}

/// What the matches of all cells share, and is not in the study or is a text there.
#[derive(Debug)]
pub struct Terms {
    /// None = the start position.
    pub openings: Vec<Opening>,
    pub order: Order,
    /// Number of the first opening, from 1.
    pub start: u64,
    pub plies: Option<u32>,
    pub adjudication: Adjudication,
    pub concurrency: usize,
    pub session: Session,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms {
            openings: Vec::new(),
            order: Order::default(),
            start: 1,
            plies: None,
            adjudication: Adjudication::default(),
            concurrency: 1,
            session: Session::default(),
        }
    }
}

/// More than anybody waits for.
const MOST_CELLS: usize = 10_000;

/// What stands for the levels in the rows about all cells.
const ALL: &str = "all";

/// One match.
struct Cell {
    levels: Levels,
    engines: [EngineSpec; 2],
    /// More and less of what the curve is over.
    odds: Option<(f64, f64)>,
}

impl Cell {
    /// `depth=3 ahead=1`.
    fn label(&self) -> String {
        label(&self.levels)
    }
}

fn label(levels: &Levels) -> String {
    levels.iter().map(|(factor, level)| format!("{factor}={level}")).collect::<Vec<_>>().join(" ")
}

/// Looks the study over: all that can be known before a game is played.
///
/// # Errors
/// The key that is wrong, and why.
pub(super) fn check(contest: &Contest) -> Result<(), TrialError> {
    let limits = &contest.limits;
    for cell in cells(contest)? {
        for (engine, key) in cell.engines.iter().zip(["match.first", "match.second"]) {
            if engine.limit.is_none() {
                let what = format!("{}: no limit; give it tc, movetime, nodes or depth", cell.label());
                return Err(TrialError::setting(key, what));
            }
        }
        if limits.pairs.is_none() && limits.error_bar.is_none() {
            return Err(TrialError::setting("limits", "neither pairs nor error-bar says how many games"));
        }
        plan(contest, &cell, &Terms::default(), 0).stopping().map_err(|error| match error {
            PlanError::Zero("pairs") => TrialError::setting("limits.pairs", "must be at least 1"),
            PlanError::ErrorBar(bar) => {
                TrialError::setting("limits.error-bar", format!("must be a number above 0, not {bar}"))
            }
            other => TrialError::setting("match", other.to_string()),
        })?;
    }
    if limits.maxmoves == Some(0) {
        return Err(TrialError::setting("limits.maxmoves", "must be at least 1"));
    }
    Ok(())
}

/// The product of the factors, with what the templates make of it.
fn cells(contest: &Contest) -> Result<Vec<Cell>, TrialError> {
    let names: Vec<&str> = contest.factors.keys().map(String::as_str).collect();
    if names.is_empty() {
        return Err(TrialError::setting("factors", "no factor given"));
    }
    for (name, levels) in &contest.factors {
        let key = format!("factors.{name}");
        let sound = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        if !sound {
            let what = "a factor's name is made of letters, digits, `-` and `_`, a letter first";
            return Err(TrialError::setting(key, what));
        }
        let texts: Vec<String> = levels.iter().map(Level::to_string).collect();
        if let Some(index) = texts.iter().position(|text| text == ALL) {
            let what = format!("`{ALL}` stands for all levels in the record");
            return Err(TrialError::level(key, index, what));
        }
        factors::check(&[(name, texts)])?;
    }
    let template = |key: &str, text: &str| {
        Template::parse(text, &names).map_err(|error| TrialError::setting(key, error.to_string()))
    };
    let pairing = &contest.pairing;
    let engines = [("match.first", &pairing.first), ("match.second", &pairing.second)];
    let specs = [template(engines[0].0, engines[0].1)?, template(engines[1].0, engines[1].1)?];
    let curve = match &contest.curve {
        Some(curve) => Some([template("curve.more", &curve.more)?, template("curve.less", &curve.less)?]),
        None => None,
    };
    let mut order: Vec<&str> = Vec::new();
    for name in specs.iter().flat_map(Template::factors) {
        if !order.contains(&name) {
            order.push(name);
        }
    }
    if let Some(unused) = names.iter().find(|name| !order.contains(name)) {
        let what = "neither `first` nor `second` of [match] has it in braces";
        return Err(TrialError::setting(format!("factors.{unused}"), what));
    }
    let count = order.iter().map(|name| contest.factors[*name].len()).try_fold(1usize, usize::checked_mul);
    if count.is_none_or(|count| count > MOST_CELLS) {
        return Err(TrialError::setting("factors", format!("more than {MOST_CELLS} cells")));
    }
    let mut product: Vec<Levels> = vec![Levels::new()];
    for name in order {
        let longer = |levels: &Levels| {
            let with = |level: &Level| {
                let mut levels = levels.clone();
                levels.push((name.to_owned(), level.clone()));
                levels
            };
            contest.factors[name].iter().map(with).collect::<Vec<_>>()
        };
        product = product.iter().flat_map(longer).collect();
    }
    let fill = |key: &str, template: &Template, levels: &Levels| {
        let filled = template.fill(levels);
        filled.map_err(|error| TrialError::setting(key, format!("{}: {error}", label(levels))))
    };
    let engine = |number: usize, levels: &Levels| {
        let (key, _) = engines[number];
        let spec = EngineSpec::parse(&fill(key, &specs[number], levels)?);
        spec.map(EngineSpec::with_limit_in_name)
            .map_err(|error| TrialError::setting(key, format!("{}: {error}", label(levels))))
    };
    let number = |key: &str, template: &Template, levels: &Levels| {
        let text = fill(key, template, levels)?;
        match text.trim().parse::<f64>() {
            Ok(value) if value.is_finite() && value > 0.0 => Ok(value),
            _ => Err(TrialError::setting(key, format!("{}: `{text}` is no number above 0", label(levels)))),
        }
    };
    let cell = |levels: Levels| {
        let odds = match &curve {
            Some([more, less]) => {
                let (more, less) =
                    (number("curve.more", more, &levels)?, number("curve.less", less, &levels)?);
                if more == less {
                    let what = format!("{}: no more than `less`, which is {less}", label(&levels));
                    return Err(TrialError::setting("curve.more", what));
                }
                Some((more, less))
            }
            None => None,
        };
        let engines = [engine(0, &levels)?, engine(1, &levels)?];
        Ok(Cell { levels, engines, odds })
    };
    product.into_iter().map(cell).collect()
}

fn plan(contest: &Contest, cell: &Cell, terms: &Terms, seed: u64) -> MatchPlan {
    let [first, second] = cell.engines.clone();
    MatchPlan {
        name: cell.label(),
        error_bar: contest.limits.error_bar,
        order: terms.order,
        start: terms.start,
        plies: terms.plies,
        adjudication: terms.adjudication,
        concurrency: terms.concurrency,
        seed,
        ..MatchPlan::new(first, second, contest.limits.pairs())
    }
}

/// What a study came to, beside its rows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Done {
    pub cells: u64,
    /// What should be known before the figures are looked at.
    pub warnings: Vec<String>,
    /// Cells whose figures are not valid, and why.
    pub invalid: Vec<String>,
}

/// Plays every cell. Games, pairs and the match go to the sink as those of any match, named by the cell's levels; then come
/// the cell's metrics: `games`, `score` (share of points), `elo` with its 95 % interval (`elo_low`, `elo_high`), `los`, `draws`
/// (share of games), `plies` (per game).
///
/// # Errors
/// A study that cannot be, an engine that failed, a sink that cannot be written, the user's interrupt: what was played is in the
/// sink.
pub(super) fn run(
    contest: &Contest,
    terms: &Terms,
    seed: u64,
    sink: &mut dyn Sink,
    progress: &Progress,
) -> Result<Done, TrialError> {
    let cells = cells(contest)?;
    let mut done = Done::default();
    let planned = contest.limits.error_bar.map_or(contest.limits.pairs(), |_| 0);
    progress.begin(planned.saturating_mul(cells.len() as u64));
    let listener = Listener { progress, warnings: Mutex::default() };
    let mut handicaps = Vec::new();
    for (number, cell) in cells.iter().enumerate() {
        if progress.is_stopped() {
            return Err(TrialError::Interrupted);
        }
        let label = cell.label();
        let mut counted = Counted { sink: &mut *sink, plies: 0 };
        let plan = plan(contest, cell, terms, seed);
        let played = engines::run(&plan, &terms.openings, &terms.session, &mut counted, &listener);
        let plies = counted.plies;
        let outcome = played.map_err(|error| match error {
            MatchError::Store(error) => TrialError::Store(error),
            MatchError::Start(why) => TrialError::Engine(why),
            other => TrialError::Plan(format!("{label}: {other}")),
        })?;
        match &outcome.stop {
            Stop::Planned(_) => {}
            Stop::Interrupted => return Err(TrialError::Interrupted),
            Stop::EngineFailed(why) => return Err(TrialError::Engine(format!("{label}: {why}"))),
        }
        done.warnings.extend(outcome.warnings.iter().map(|warning| format!("{label}: {warning}")));
        done.invalid.extend(outcome.invalid.iter().map(|why| format!("{label}: {why}")));
        let levels: Vec<(String, String)> =
            cell.levels.iter().map(|(factor, level)| (factor.clone(), level.to_string())).collect();
        for (metric, value) in metrics(&outcome, plies) {
            sink.row(row(contest, number, &levels, metric, value))?;
        }
        if let Some((more, base)) = cell.odds {
            match handicap(&outcome, more, base) {
                Some(found) => handicaps.push(found),
                None => done.warnings.push(format!("{label}: all pairs alike, left out of the curve")),
            }
        }
        done.cells += 1;
    }
    if contest.curve.is_some() {
        let levels: Vec<(String, String)> = cells.first().map_or_else(Vec::new, |cell| {
            cell.levels.iter().map(|(factor, _)| (factor.clone(), ALL.to_owned())).collect()
        });
        for (metric, value) in curve(&handicaps) {
            sink.row(row(contest, cells.len(), &levels, metric, value))?;
        }
    }
    done.warnings.splice(0..0, listener.warnings.into_inner().unwrap_or_else(PoisonError::into_inner));
    Ok(done)
}

fn row(contest: &Contest, cell: usize, levels: &[(String, String)], metric: &str, value: f64) -> Row {
    Row::Study(StudyRow {
        study: contest.name.clone(),
        cell: cell as u64,
        levels: levels.to_vec(),
        metric: metric.to_owned(),
        value,
    })
}

fn metrics(outcome: &MatchOutcome, plies: u64) -> Vec<(&'static str, f64)> {
    let games = outcome.tally.games();
    let mut metrics = vec![("games", games as f64)];
    let Some(elo) = &outcome.elo else { return metrics };
    let interval = elo.interval();
    metrics.extend([
        ("score", elo.score),
        ("elo", elo.elo),
        ("elo_low", interval.low),
        ("elo_high", interval.high),
        ("los", elo.los),
        ("draws", outcome.tally.draws as f64 / games as f64),
        ("plies", plies as f64 / games as f64),
    ]);
    metrics.retain(|(_, value)| !value.is_nan());
    metrics
}

/// The match as the curve takes it; its standard error is that of the score by the slope of Elo there. None where that cannot be
/// said.
fn handicap(outcome: &MatchOutcome, more: f64, base: f64) -> Option<Handicap> {
    let elo = outcome.elo.as_ref()?;
    let slope = 400.0 / std::f64::consts::LN_10 / (elo.score * (1.0 - elo.score));
    let found = Handicap { base, more, elo: elo.elo, std_error: slope * elo.std_error };
    (found.std_error > 0.0 && found.std_error.is_finite()).then_some(found)
}

/// What the matches say together: Elo per doubling if every doubling is worth the same, with its standard error, and the
/// probability of a worse fit then (`same_p`); the change of a doubling's worth with each doubling (`slope`), its standard error and
/// the probability of a greater one if there is none.
fn curve(handicaps: &[Handicap]) -> Vec<(&'static str, f64)> {
    let Some(curve) = TechnologyCurve::fit(handicaps) else { return Vec::new() };
    let constant = curve.constant;
    let mut metrics = vec![
        ("matches", handicaps.len() as f64),
        ("elo_per_doubling", constant.elo),
        ("elo_per_doubling_se", constant.std_error),
    ];
    metrics.extend(constant.p.map(|p| ("same_p", p)));
    if let Some(bent) = curve.diminishing {
        metrics.extend([
            ("slope", bent.per_doubling),
            ("slope_se", bent.per_doubling_error),
            ("slope_p", bent.p()),
        ]);
    }
    metrics
}

/// Counts pairs for the progress display, and keeps what is said about the engines.
struct Listener<'a> {
    progress: &'a Progress,
    warnings: Mutex<Vec<String>>,
}

impl Observer for Listener<'_> {
    fn warning(&self, text: &str) {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        // Every cell starts its engines anew.
        if !warnings.iter().any(|known| known == text) {
            warnings.push(text.to_owned());
        }
    }

    fn pair_committed(&self, _pair: &PairRow) {
        self.progress.advance(1);
    }
}

/// Counts the plies of the games that count.
struct Counted<'a> {
    sink: &'a mut dyn Sink,
    plies: u64,
}

impl Sink for Counted<'_> {
    fn row(&mut self, row: Row) -> Result<(), StoreError> {
        if let Row::Game(game) = &row
            && !game.set_aside
        {
            self.plies += game.plies.len() as u64;
        }
        self.sink.row(row)
    }
}
