//! The room `stats` against the reference vectors in `tests/data/stats`: every row, within the README's tolerances.

mod compare;
mod curve;
mod elo;
mod rating;
mod sequential;
mod sprt;
mod validate;

use std::collections::HashMap;
use std::path::PathBuf;

/// A reference file: one map from column to cell per row.
struct Table {
    name: String,
    rows: Vec<HashMap<String, String>>,
}

impl Table {
    fn open(name: &str) -> Table {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/stats").join(name);
        let mut reader = csv::Reader::from_path(&path).unwrap();
        let header = reader.headers().unwrap().clone();
        let rows = reader
            .records()
            .map(|record| {
                header.iter().map(String::from).zip(record.unwrap().iter().map(String::from)).collect()
            })
            .collect::<Vec<HashMap<String, String>>>();
        assert!(!rows.is_empty(), "{name} is empty");
        Table { name: name.into(), rows }
    }

    /// The rows, and the place where differences are noted; `finish` fails if there are any.
    fn check(&self, mut row: impl FnMut(&Row, &mut Differences)) {
        let mut differences = Differences::default();
        for (i, cells) in self.rows.iter().enumerate() {
            differences.place = format!("{} line {}", self.name, i + 2);
            row(&Row(cells), &mut differences);
        }
        differences.finish();
    }
}

struct Row<'a>(&'a HashMap<String, String>);

impl Row<'_> {
    fn text(&self, column: &str) -> &str {
        &self.0[column]
    }

    /// An empty cell is an undefined value.
    fn optional(&self, column: &str) -> Option<f64> {
        let text = self.text(column);
        (!text.is_empty()).then(|| text.parse().unwrap())
    }

    fn number(&self, column: &str) -> f64 {
        self.optional(column).unwrap()
    }

    fn count(&self, column: &str) -> u64 {
        self.text(column).parse().unwrap()
    }
}

#[derive(Default)]
struct Differences {
    place: String,
    compared: u64,
    found: Vec<String>,
}

impl Differences {
    /// `|got - want| <= absolute + relative |want|`; undefined and infinite values must be exactly that.
    fn compare(
        &mut self,
        what: &str,
        got: impl Into<Option<f64>>,
        want: impl Into<Option<f64>>,
        absolute: f64,
        relative: f64,
    ) {
        let (got, want) = (got.into(), want.into());
        self.compared += 1;
        let equal = match (got, want) {
            (Some(got), Some(want)) => got == want || (got - want).abs() <= absolute + relative * want.abs(),
            (got, want) => got == want,
        };
        if !equal {
            self.found.push(format!("{}: {what}: got {got:?}, want {want:?}", self.place));
        }
    }

    fn finish(self) {
        assert!(self.compared > 0);
        assert!(
            self.found.is_empty(),
            "{} of {} differ:\n{}",
            self.found.len(),
            self.compared,
            self.found.join("\n")
        );
    }
}

use gauntlet::stats::Counts;

/// Counts from the columns that hold them.
fn trinomial(row: &Row) -> Counts {
    Counts::Trinomial(["losses", "draws", "wins"].map(|column| row.count(column)))
}

fn pentanomial(row: &Row) -> Counts {
    Counts::Pentanomial(["LL", "LD", "DD_WL", "WD", "WW"].map(|column| row.count(column)))
}
