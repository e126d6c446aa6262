//! From flags to the plan of a match: engines, openings, adjudication.

use super::flags::Games;
use crate::arena::adjudicate::Adjudication;
use crate::arena::plan::MatchPlan;
use crate::cli::Job;
use crate::cli::exit::Failure;
use crate::cli::rules::{self, Chosen};
use crate::subject::EngineSpec;
use crate::suite::Book;

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
    let Chosen { book, order, plies, start } =
        rules::openings("--openings", games.openings.as_deref(), all, job.common.seed.unwrap_or_default())?;
    let plain = MatchPlan::new(first.clone(), second.clone(), pairs);
    let plan = MatchPlan {
        hang_timeout_ms: games.hang_timeout.unwrap_or(plain.hang_timeout_ms),
        order,
        start,
        plies,
        adjudication: Adjudication {
            draw: rules::draw("--draw", games.draw.as_deref())?,
            resign: rules::resign("--resign", games.resign.as_deref())?,
            maxmoves: games.maxmoves,
        },
        syzygy: games.syzygy.clone(),
        concurrency: job.concurrency(),
        affinity: games.affinity,
        recover: games.recover,
        seed: job.common.seed.unwrap_or_default(),
        ..plain
    };
    Ok((plan, book))
}
