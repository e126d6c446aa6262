//! The rating list in the three forms of output.

use super::Rated;
use crate::cli::figures::{exact, exact_or_na, fixed_or_na};
use crate::cli::output::{Summary, number_or_text, quoted};
use crate::cli::table::Table;
use crate::stats::rating::{ErrorKind, Fitted, Group, Rating};
use crate::stats::scale::Z_95;
use serde_json::{Map, Value, json};

/// Players up to which the likelihoods of all against all are part of the JSON document.
const MOST_IN_MATRIX: usize = 200;

pub(super) fn text(rated: &Rated<'_>) -> String {
    let mut parts = Vec::new();
    let several = rated.groups.len() > 1;
    for (number, group) in rated.groups.iter().enumerate() {
        if several {
            let count = rated.groups.len();
            parts.push(format!("Group {} of {count}, not comparable with the others", number + 1));
        }
        parts.push(ratings(rated, group).text());
        parts.extend(notes(group));
        if rated.settings.los && group.ratings.len() > 1 {
            parts.push(matrix(rated, group).text());
        }
        if several {
            parts.push(String::new());
        }
    }
    if several {
        parts.push(
            "No results link these groups both ways, so no rating difference between them exists; \
             --prior-draws 1 rates all together."
                .to_owned(),
        );
    }
    if !rated.tie_breaks.is_empty() {
        parts.push(standings(rated).text());
    }
    parts.join("\n")
}

fn ratings(rated: &Rated<'_>, group: &Group) -> Table {
    let mut table = Table::new(&["#", "player", "rating", "error", "points", "played", "(%)", "CFS(%)"]);
    for (index, rating) in group.ratings.iter().enumerate() {
        let score = &rated.standings.scores[rating.player];
        let error = rating.error().map_or_else(|| "n/a".to_owned(), |error| format!("± {error:.1}"));
        let anchored = rating.information_error == Some(0.0);
        table.row(vec![
            (index + 1).to_string(),
            rated.name(rating.player).to_owned(),
            format!("{:.1}", rating.rating),
            if anchored { "given".to_owned() } else { error },
            format!("{:.1}", score.points()),
            score.games.to_string(),
            percent(score.points(), score.games),
            fixed_or_na(group.superiority(index, index + 1).map(|p| 100.0 * p), 0),
        ]);
    }
    table
}

fn percent(points: f64, games: u64) -> String {
    fixed_or_na((games > 0).then(|| 100.0 * points / games as f64), 1)
}

/// What was fitted beside the ratings, and what the errors are made from.
fn notes(group: &Group) -> Vec<String> {
    let with_error = |fitted: Fitted, scale: f64| {
        let error = fitted.std_error.map(|error| Z_95 * error * scale);
        format!("{:.1} ± {}", scale * fitted.value, fixed_or_na(error, 1))
    };
    let mut notes = Vec::new();
    if let Some(white) = group.white_advantage {
        notes.push(format!("White advantage {} Elo", with_error(white, 1.0)));
    }
    if let Some(draws) = group.equal_draw_rate {
        notes.push(format!("Draw rate of equals {} %", with_error(draws, 100.0)));
        notes.push(
            "Davidson's ratings go by wins over losses: near equality differences are 1 / (1 - draw rate) times those from points"
                .to_owned(),
        );
    }
    let clustered = group.ratings.iter().filter(|rating| rating.kind == ErrorKind::Clustered).count();
    if clustered > 0 {
        notes.push(match group.ratings.len() - clustered {
            0 => "Errors (95 %) from the spread between pairs of games with one opening".to_owned(),
            others => format!(
                "Errors (95 %) from the spread between pairs of games with one opening; of {others} players with few such pairs \
                 from single games"
            ),
        });
    }
    notes
}

/// Likelihood in percent that the player of the row is stronger than the one of the column.
fn matrix(rated: &Rated<'_>, group: &Group) -> Table {
    let numbers = (1..=group.ratings.len()).map(|number| number.to_string());
    let mut table =
        Table::of(["LOS(%)".to_owned(), "player".to_owned()].into_iter().chain(numbers).collect());
    for (i, rating) in group.ratings.iter().enumerate() {
        let mut cells = vec![(i + 1).to_string(), rated.name(rating.player).to_owned()];
        cells.extend((0..group.ratings.len()).map(|j| match group.superiority(i, j) {
            _ if i == j => String::new(),
            likelihood => fixed_or_na(likelihood.map(|p| 100.0 * p), 0),
        }));
        table.row(cells);
    }
    table
}

fn standings(rated: &Rated<'_>) -> Table {
    let mut columns = vec!["place", "player", "points", "played"];
    columns.extend(rated.tie_breaks.iter().map(|kind| kind.id()));
    let mut table = Table::new(&columns);
    for &player in &rated.standings.order {
        let score = &rated.standings.scores[player];
        let mut cells = vec![
            rated.standings.place[player].to_string(),
            rated.name(player).to_owned(),
            score.points().to_string(),
            score.games.to_string(),
        ];
        cells.extend(rated.standings.tie_breaks[player].iter().map(f64::to_string));
        table.row(cells);
    }
    table
}

/// The figures of a player, by name, as both documents have them.
fn figures(rated: &Rated<'_>, number: usize, group: &Group, index: usize) -> Vec<(&'static str, String)> {
    let rating: &Rating = &group.ratings[index];
    let score = &rated.standings.scores[rating.player];
    let bound = |sign: f64| exact_or_na(rating.error().map(|error| rating.rating + sign * error));
    let mut figures = vec![
        ("rank", (index + 1).to_string()),
        ("group", (number + 1).to_string()),
        ("player", rated.name(rating.player).to_owned()),
        ("rating", exact(rating.rating)),
        ("low", bound(-1.0)),
        ("high", bound(1.0)),
        ("std_error", exact_or_na(rating.std_error())),
        ("interval", rating.kind.id().to_owned()),
        ("information_error", exact_or_na(rating.information_error)),
        ("clustered_error", exact_or_na(rating.clustered_error)),
        ("points", score.points().to_string()),
        ("games", score.games.to_string()),
        ("wins", score.wins.to_string()),
        ("draws", score.draws.to_string()),
        ("losses", (score.games - score.wins - score.draws).to_string()),
        ("paired_games", score.paired.to_string()),
        ("los_next", exact_or_na(group.superiority(index, index + 1))),
        ("place", rated.standings.place[rating.player].to_string()),
    ];
    let values = rated.standings.tie_breaks[rating.player].iter().map(f64::to_string);
    figures.extend(rated.tie_breaks.iter().map(|kind| kind.id()).zip(values));
    figures
}

pub(super) fn csv(rated: &Rated<'_>) -> String {
    let mut lines = Vec::new();
    for (number, group) in rated.groups.iter().enumerate() {
        for index in 0..group.ratings.len() {
            let figures = figures(rated, number, group, index);
            if lines.is_empty() {
                lines.push(figures.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(","));
            }
            lines.push(figures.iter().map(|(_, value)| quoted(value)).collect::<Vec<_>>().join(","));
        }
    }
    lines.join("\n")
}

pub(super) fn json(rated: &Rated<'_>, summary: &Summary) -> Value {
    let mut players = Vec::new();
    let mut groups = Vec::new();
    for (number, group) in rated.groups.iter().enumerate() {
        let members = group.ratings.len();
        for index in 0..members {
            let object = figures(rated, number, group, index).into_iter().map(|(name, value)| {
                // A name may look like a number.
                let value = if name == "player" { Value::from(value) } else { number_or_text(&value) };
                (name.to_owned(), value)
            });
            players.push(Value::Object(object.collect::<Map<_, _>>()));
        }
        let fitted = |fitted: Option<Fitted>| {
            fitted.map(|fitted| json!({ "value": fitted.value, "std_error": fitted.std_error }))
        };
        let los = (members <= MOST_IN_MATRIX).then(|| {
            let row = |i| (0..members).map(|j| group.superiority(i, j)).collect::<Vec<_>>();
            (0..members).map(row).collect::<Vec<_>>()
        });
        groups.push(json!({
            "group": number + 1,
            "players": members,
            "games": group.games,
            "white_advantage": fitted(group.white_advantage),
            "equal_draw_rate": fitted(group.equal_draw_rate),
            "los": los,
        }));
    }
    json!({ "players": players, "groups": groups, "unfinished": rated.tournament.unfinished, "summary": summary.json() })
}
