//! What a match is played from and how its games end early: the texts of `--openings`, `--draw` and `--resign`, which a study has
//! as keys. `flag` is what a message calls the text. It knows no verb.

use super::exit::Failure;
use super::pairs::Pairs;
use crate::arena::adjudicate::{DrawRule, ResignRule};
use crate::arena::schedule::Order;
use crate::suite::{self, Book, OpeningFormat, Take};

/// The openings and how they are taken.
#[derive(Debug)]
pub struct Chosen {
    pub book: Book,
    pub order: Order,
    pub plies: Option<u32>,
    pub start: u64,
}

/// `pairs` and `seed` say how many lines are drawn from a Polyglot book, and which.
pub fn openings(flag: &'static str, text: Option<&str>, pairs: u64, seed: u64) -> Result<Chosen, Failure> {
    const KEYS: [&str; 5] = ["file", "format", "order", "plies", "start"];
    let keys = Pairs::parse(flag, text.unwrap_or_default(), &KEYS)?;
    let mut order = match keys.text("order") {
        None | Some("sequential") => Order::Sequential,
        Some("random") => Order::Random,
        Some("replacement") => Order::Replacement,
        Some(other) => {
            let known = "sequential, random or replacement";
            return Err(Failure::usage(format!("{flag}: order: `{other}` is not {known}")));
        }
    };
    let plies = keys.value("plies")?;
    let start = keys.value("start")?.unwrap_or(1);
    if start == 0 {
        return Err(Failure::usage(format!("{flag}: start: the first opening is number 1")));
    }
    let format =
        match keys.text("format") {
            Some(id) => Some(OpeningFormat::from_id(id).ok_or_else(|| {
                Failure::usage(format!("{flag}: format: `{id}` is not epd, pgn or polyglot"))
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
        None if text.is_some() => return Err(Failure::usage(format!("{flag}: `file` is missing"))),
        // The start position.
        None => Book::default(),
    };
    let count = book.openings.len() as u64;
    if start > count.max(1) {
        return Err(Failure::usage(format!(
            "{flag}: start: there are only {count} openings, no number {start}"
        )));
    }
    Ok(Chosen { book, order, plies, start })
}

pub fn draw(flag: &'static str, text: Option<&str>) -> Result<Option<DrawRule>, Failure> {
    let Some(text) = text else { return Ok(None) };
    let pairs = Pairs::parse(flag, text, &["movenumber", "movecount", "score"])?;
    let movenumber = pairs.value("movenumber")?.unwrap_or(1);
    Ok(Some(DrawRule { movenumber, movecount: pairs.needed("movecount")?, score: pairs.needed("score")? }))
}

pub fn resign(flag: &'static str, text: Option<&str>) -> Result<Option<ResignRule>, Failure> {
    let Some(text) = text else { return Ok(None) };
    let pairs = Pairs::parse(flag, text, &["movecount", "score", "twosided"])?;
    let twosided = pairs.value("twosided")?.unwrap_or(false);
    Ok(Some(ResignRule { movecount: pairs.needed("movecount")?, score: pairs.needed("score")?, twosided }))
}
