//! The rows of one study as people read them: a table of its cells, what was found over all of them, and the Elo of cells that
//! are matches over the first factor made of numbers.

use super::figures;
use super::grouped::grouped;
use crate::record::StudyRow;

/// What stands for the levels in rows about all cells.
const ALL: &str = "all";

/// A study as a table: a line per cell, a column per factor and per metric.
#[derive(Debug)]
pub struct StudyGroup<'a> {
    pub study: &'a str,
    pub factors: Vec<&'a str>,
    pub metrics: Vec<&'a str>,
    /// What was found over all cells.
    pub overall: Vec<&'a StudyRow>,
    cells: Vec<Vec<&'a StudyRow>>,
}

pub(super) fn study_group<'a>(study: &'a str, rows: Vec<&'a StudyRow>) -> StudyGroup<'a> {
    let about_all =
        |row: &&StudyRow| !row.levels.is_empty() && row.levels.iter().all(|(_, level)| level == ALL);
    let (overall, rows): (Vec<_>, Vec<_>) = rows.into_iter().partition(about_all);
    StudyGroup {
        study,
        factors: rows
            .first()
            .or(overall.first())
            .map_or_else(Vec::new, |row| row.levels.iter().map(|(factor, _)| factor.as_str()).collect()),
        metrics: grouped(&rows, |row| row.metric.as_str()).into_iter().map(|(metric, _)| metric).collect(),
        cells: grouped(&rows, |row| row.cell).into_iter().map(|(_, rows)| rows).collect(),
        overall,
    }
}

/// The level of a factor in these rows, which are of one cell.
fn level<'a>(rows: &[&'a StudyRow], factor: &str) -> &'a str {
    let levels = rows.first().map_or(&[][..], |row| &row.levels[..]);
    levels.iter().find(|(name, _)| name == factor).map_or("", |(_, level)| level)
}

fn value(rows: &[&StudyRow], metric: &str) -> Option<f64> {
    rows.iter().find(|row| row.metric == metric).map(|row| row.value)
}

/// A match of a study in a chart.
#[derive(Clone, PartialEq, Debug)]
pub struct Strength {
    /// Levels of all factors.
    pub label: String,
    /// Level of the factor that is drawn over.
    pub over: Option<f64>,
    pub games: f64,
    pub elo: f64,
    pub low: f64,
    pub high: f64,
}

/// Matches of a study that differ in one factor only.
#[derive(Clone, PartialEq, Debug)]
pub struct StrengthSeries {
    /// Levels of the other factors; empty if there are none.
    pub name: String,
    /// Ascending, as far as they are numbers.
    pub cells: Vec<Strength>,
}

impl StudyGroup<'_> {
    /// The lines of the table: levels, then metrics as people read them.
    pub fn lines(&self) -> Vec<Vec<String>> {
        let line = |rows: &Vec<&StudyRow>| {
            let levels = self.factors.iter().map(|factor| level(rows, factor).to_owned());
            let values =
                self.metrics.iter().map(|metric| value(rows, metric).map_or(String::new(), figures::figure));
            levels.chain(values).collect()
        };
        self.cells.iter().map(line).collect()
    }

    /// `elo_per_doubling 103.2, …`; none if nothing was found over all cells.
    pub fn overall_line(&self) -> Option<String> {
        let words: Vec<String> =
            self.overall.iter().map(|row| format!("{} {}", row.metric, figures::figure(row.value))).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// The first factor whose levels are all numbers.
    pub fn numeric_factor(&self) -> Option<&str> {
        let is_number = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
        let numeric = |factor: &&&str| self.cells.iter().all(|rows| is_number(level(rows, factor)));
        self.factors.iter().find(numeric).copied().filter(|_| !self.cells.is_empty())
    }

    /// The matches, by the levels of the factors that are not drawn over; empty if the cells are none.
    pub fn strengths(&self) -> Vec<StrengthSeries> {
        let over = self.numeric_factor();
        let mut series: Vec<StrengthSeries> = Vec::new();
        for rows in &self.cells {
            let (Some(elo), Some(low), Some(high)) =
                (value(rows, "elo"), value(rows, "elo_low"), value(rows, "elo_high"))
            else {
                continue;
            };
            let words = |skipped: Option<&str>| {
                let others = self.factors.iter().filter(|factor| Some(**factor) != skipped);
                others.map(|f| format!("{f} {}", level(rows, f))).collect::<Vec<_>>().join(", ")
            };
            let cell = Strength {
                label: words(None),
                over: over.and_then(|factor| level(rows, factor).parse().ok()),
                games: value(rows, "games").unwrap_or(f64::NAN),
                elo,
                low,
                high,
            };
            let name = words(over);
            match series.iter_mut().find(|known| known.name == name) {
                Some(known) => known.cells.push(cell),
                None => series.push(StrengthSeries { name, cells: vec![cell] }),
            }
        }
        for one in &mut series {
            one.cells.sort_by(|a, b| a.over.unwrap_or(0.0).total_cmp(&b.over.unwrap_or(0.0)));
        }
        series
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Levels<'a> = &'a [(&'a str, &'a str)];
    type Metrics<'a> = &'a [(&'a str, f64)];

    fn rows(cells: &[(Levels, Metrics)]) -> Vec<StudyRow> {
        let mut rows = Vec::new();
        for (cell, (levels, metrics)) in cells.iter().enumerate() {
            for (metric, value) in *metrics {
                rows.push(StudyRow {
                    study: "s".to_owned(),
                    cell: cell as u64,
                    levels: levels.iter().map(|&(f, l)| (f.to_owned(), l.to_owned())).collect(),
                    metric: (*metric).to_owned(),
                    value: *value,
                });
            }
        }
        rows
    }

    #[test]
    fn cells_are_drawn_over_the_first_factor_of_numbers() {
        let elo = [("games", 8.0), ("elo", 50.0), ("elo_low", 10.0), ("elo_high", f64::INFINITY)];
        let rows = rows(&[
            (&[("engine", "a"), ("nodes", "100")], &elo),
            (&[("engine", "a"), ("nodes", "50")], &elo),
            (&[("engine", "b"), ("nodes", "100")], &elo[..1]),
            (&[("engine", "b"), ("nodes", "50")], &elo),
            (&[("engine", "all"), ("nodes", "all")], &[("slope", -2.0)]),
        ]);
        let group = study_group("s", rows.iter().collect());
        assert_eq!(
            (group.factors.as_slice(), group.numeric_factor()),
            (&["engine", "nodes"][..], Some("nodes"))
        );
        assert_eq!(group.overall_line().as_deref(), Some("slope −2.000"));
        let lines = group.lines();
        assert_eq!(
            (lines.len(), lines[2].as_slice()),
            (4, &["b", "100", "8", "", "", ""].map(str::to_owned)[..])
        );
        let series = group.strengths();
        let found: Vec<(&str, Vec<Option<f64>>)> =
            series.iter().map(|s| (s.name.as_str(), s.cells.iter().map(|c| c.over).collect())).collect();
        assert_eq!(found, [("engine a", vec![Some(50.0), Some(100.0)]), ("engine b", vec![Some(50.0)])]);
        assert_eq!(series[0].cells[0].label, "engine a, nodes 50");
    }

    #[test]
    fn a_study_of_something_else_has_no_strengths() {
        let rows = rows(&[(&[("source", "tree")], &[("collisions", 3.0)])]);
        let group = study_group("s", rows.iter().collect());
        assert_eq!((group.strengths().len(), group.numeric_factor(), group.overall_line()), (0, None, None));
    }
}
