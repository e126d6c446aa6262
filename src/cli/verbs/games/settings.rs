//! From flags to the plan of a match: engines, openings, adjudication.

use super::Games;
use crate::arena::adjudicate::{Adjudication, DrawRule, ResignRule};
use crate::arena::plan::MatchPlan;
use crate::arena::schedule::Order;
use crate::cli::Job;
use crate::cli::exit::Failure;
use crate::cli::pairs::Pairs;
use crate::subject::EngineSpec;
use crate::suite::{self, Book, OpeningFormat, Take};

/// The engines, with what `--each` gives them.
pub(super) fn engines(games: &Games, job: &Job) -> Result<Vec<EngineSpec>, Failure> {
    let each = games.each.as_deref().unwrap_or_default();
    games.engine.iter().map(|engine| job.engine(engine, each)).collect()
}

/// A match of exactly two.
pub(super) fn of_two(games: &Games, job: &Job, pairs: u64) -> Result<(MatchPlan, Book), Failure> {
    let [_, _] = games.engine.as_slice() else {
        return Err(Failure::usage(format!(
            "{}: two engines are needed, {} given",
            job.verb,
            games.engine.len()
        )));
    };
    let (plan, book) = of_first_two(games, job, &engines(games, job)?, pairs, pairs)?;
    plan.stopping().map_err(Failure::usage)?;
    plan.processors(&plan.engines).map_err(Failure::usage)?;
    Ok((plan, book))
}

/// A match of the first two engines. `all`: pairs that are played with this book.
pub(super) fn of_first_two(
    games: &Games,
    job: &Job,
    engines: &[EngineSpec],
    pairs: u64,
    all: u64,
) -> Result<(MatchPlan, Book), Failure> {
    let [first, second, ..] = engines else {
        return Err(Failure::usage(format!("{}: two engines are needed", job.verb)));
    };
    let Chosen { book, order, plies, start } = openings(games, all, job.common.seed.unwrap_or_default())?;
    let plain = MatchPlan::new(first.clone(), second.clone(), pairs);
    let plan = MatchPlan {
        hang_timeout_ms: games.hang_timeout.unwrap_or(plain.hang_timeout_ms),
        order,
        start,
        plies,
        adjudication: Adjudication { draw: draw(games)?, resign: resign(games)?, maxmoves: games.maxmoves },
        syzygy: games.syzygy.clone(),
        concurrency: job.concurrency(),
        affinity: games.affinity,
        recover: games.recover,
        seed: job.common.seed.unwrap_or_default(),
        ..plain
    };
    Ok((plan, book))
}

/// The openings and how they are taken.
struct Chosen {
    book: Book,
    order: Order,
    plies: Option<u32>,
    start: u64,
}

/// `pairs` and `seed` say how many lines are drawn from a Polyglot book, and which.
fn openings(games: &Games, pairs: u64, seed: u64) -> Result<Chosen, Failure> {
    const KEYS: [&str; 5] = ["file", "format", "order", "plies", "start"];
    let keys = Pairs::parse("--openings", games.openings.as_deref().unwrap_or_default(), &KEYS)?;
    let mut order = match keys.text("order") {
        None | Some("sequential") => Order::Sequential,
        Some("random") => Order::Random,
        Some("replacement") => Order::Replacement,
        Some(other) => {
            let known = "sequential, random or replacement";
            return Err(Failure::usage(format!("--openings: order: `{other}` is not {known}")));
        }
    };
    let plies = keys.value("plies")?;
    let start = keys.value("start")?.unwrap_or(1);
    if start == 0 {
        return Err(Failure::usage("--openings: start: the first opening is number 1"));
    }
    let format = match keys.text("format") {
        Some(id) => Some(OpeningFormat::from_id(id).ok_or_else(|| {
            Failure::usage(format!("--openings: format: `{id}` is not epd, pgn or polyglot"))
        })?),
        None => None,
    };
    let book = match keys.text("file") {
        // Which lines and in which order is decided as they are drawn; they are then played as they come.
        Some(file) if format.or_else(|| OpeningFormat::from_path(file)) == Some(OpeningFormat::Polyglot) => {
            let take = match std::mem::take(&mut order) {
                Order::Sequential => Take::All,
                Order::Random => Take::Drawn { seed },
                Order::Replacement => Take::Repeating { seed },
            };
            let lines = usize::try_from(pairs.saturating_add(start - 1)).unwrap_or(usize::MAX);
            suite::polyglot_openings(file, take, plies.unwrap_or(suite::MOST_PLIES), lines)
                .map_err(Failure::usage)?
        }
        Some(file) => suite::openings(file, format, None).map_err(Failure::usage)?,
        None if games.openings.is_some() => return Err(Failure::usage("--openings: `file` is missing")),
        // The start position.
        None => Book::default(),
    };
    let count = book.openings.len() as u64;
    if start > count.max(1) {
        return Err(Failure::usage(format!(
            "--openings: start: there are only {count} openings, no number {start}"
        )));
    }
    Ok(Chosen { book, order, plies, start })
}

fn draw(games: &Games) -> Result<Option<DrawRule>, Failure> {
    let Some(text) = &games.draw else { return Ok(None) };
    let pairs = Pairs::parse("--draw", text, &["movenumber", "movecount", "score"])?;
    let movenumber = pairs.value("movenumber")?.unwrap_or(1);
    Ok(Some(DrawRule { movenumber, movecount: pairs.needed("movecount")?, score: pairs.needed("score")? }))
}

fn resign(games: &Games) -> Result<Option<ResignRule>, Failure> {
    let Some(text) = &games.resign else { return Ok(None) };
    let pairs = Pairs::parse("--resign", text, &["movecount", "score", "twosided"])?;
    let twosided = pairs.value("twosided")?.unwrap_or(false);
    Ok(Some(ResignRule { movecount: pairs.needed("movecount")?, score: pairs.needed("score")?, twosided }))
}
