//! Ratings that are given: `--anchor NAME=R`.

use crate::cli::config::nearest;
use crate::cli::exit::Failure;
use crate::trial::rating::Tournament;
use std::collections::BTreeMap;

/// No rating list goes further.
const MOST: f64 = 100_000.0;

/// Names and ratings.
pub(super) fn parse(texts: &[String]) -> Result<BTreeMap<String, f64>, Failure> {
    let mut anchors = BTreeMap::new();
    for text in texts {
        // A name may hold `=`, a number not.
        let Some((name, rating)) = text.rsplit_once('=') else {
            return Err(Failure::usage(format!("--anchor {text}: NAME=R is needed")));
        };
        let (name, rating) = (name.trim(), rating.trim());
        let value = rating.parse().ok().filter(|value: &f64| value.abs() <= MOST);
        let Some(value) = value else {
            return Err(Failure::usage(format!("--anchor {text}: `{rating}` is not a rating")));
        };
        if anchors.insert(name.to_owned(), value).is_some() {
            return Err(Failure::usage(format!("--anchor {text}: {name} is given twice")));
        }
    }
    Ok(anchors)
}

/// The same by number of player.
pub(super) fn find(
    anchors: BTreeMap<String, f64>,
    tournament: &Tournament,
) -> Result<BTreeMap<usize, f64>, Failure> {
    let number = |(name, rating): (String, f64)| match tournament.number(&name) {
        Some(number) => Ok((number, rating)),
        None => {
            let hint = nearest(&name, tournament.names())
                .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            Err(Failure::usage(format!("--anchor {name}: has no games{hint}")))
        }
    };
    anchors.into_iter().map(number).collect()
}
