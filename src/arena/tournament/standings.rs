//! The table of a tournament: places by the points of its format, and everybody's rating from all games together.

use super::course::Course;
use super::knockout::Bracket;
use super::plan::Format;
use crate::record::StandingRow;
use crate::stats::rating::{self, Settings, Standings, TieBreak};

/// Best first. In a round robin and a Swiss points decide, then Sonneborn-Berger, then wins; in a gauntlet, where the first
/// engine plays more games than the others, the share of points; in a knockout how far somebody came.
pub(super) fn rows(course: &Course<'_>) -> Vec<StandingRow> {
    let plan = course.plan;
    let lost = match plan.format {
        Format::Knockout => Bracket::new(&plan.field(), &course.played.met).lost,
        _ => vec![None; plan.engines.len()],
    };
    let Standings { scores, tie_breaks, .. } = Standings::new(&course.results, &[TieBreak::Sodos]);
    let mut rows: Vec<StandingRow> = plan
        .engines
        .iter()
        .enumerate()
        .map(|(number, engine)| {
            let score = &scores[number];
            let byes = match plan.format {
                Format::Swiss => course.played.byes.iter().filter(|bye| bye.engine == number).count(),
                _ => 0,
            };
            StandingRow {
                engine: engine.name.clone(),
                games: score.games,
                half_points: score.half_points,
                wins: score.wins,
                draws: score.draws,
                losses: score.games - score.wins - score.draws,
                byes: byes as u64,
                sonneborn_berger: tie_breaks[number].iter().sum(),
                lost_in_round: lost[number],
                ..StandingRow::default()
            }
        })
        .collect();
    rate(course, &mut rows);
    let key = |row: &StandingRow| key(plan.format, row);
    // Stable: whom nothing tells apart stand as they were named.
    rows.sort_by(|one, two| key(two).partial_cmp(&key(one)).unwrap_or(std::cmp::Ordering::Equal));
    for place in 0..rows.len() {
        let shared = place > 0 && key(&rows[place - 1]) == key(&rows[place]);
        rows[place].rank = if shared { rows[place - 1].rank } else { place as u64 + 1 };
    }
    rows
}

/// The higher the better.
fn key(format: Format, row: &StandingRow) -> [f64; 3] {
    let wins = row.wins as f64;
    match format {
        Format::RoundRobin | Format::Swiss => [row.points(), row.sonneborn_berger, wins],
        Format::Gauntlet => {
            [row.points() / (row.games as f64).max(1.0), wins / (row.games as f64).max(1.0), 0.0]
        }
        Format::Knockout => [row.lost_in_round.map_or(f64::INFINITY, f64::from), 0.0, 0.0],
    }
}

/// The ratings that `gauntlet rate` finds in the same games.
fn rate(course: &Course<'_>, rows: &mut [StandingRow]) {
    for (number, group) in (1..).zip(rating::rate(&course.results, &Settings::default())) {
        for rating in &group.ratings {
            let row = &mut rows[rating.player];
            row.group = number;
            row.interval = rating.kind.id().to_owned();
            if group.ratings.len() > 1 {
                row.elo = Some(rating.rating);
                row.elo_low = rating.error().map(|error| rating.rating - error);
                row.elo_high = rating.error().map(|error| rating.rating + error);
            }
        }
    }
}
