//! A table of texts in the three forms of output. It knows no verb.

use super::output::quoted;
use serde_json::{Map, Value};

/// Rows under named columns.
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(columns: &[&str]) -> Table {
        Table::of(columns.iter().map(|&column| column.to_owned()).collect())
    }

    /// Under names that are made up.
    pub fn of(columns: Vec<String>) -> Table {
        Table { columns, rows: Vec::new() }
    }

    /// One cell per column.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// For people; as wide as the terminal.
    pub fn text(&self) -> String {
        let mut table = comfy_table::Table::new();
        table.load_style(comfy_table::presets::NOTHING);
        table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic);
        table.set_header(&self.columns);
        table.add_rows(&self.rows);
        let text = table.to_string();
        text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
    }

    /// A list of objects; every value is a text.
    pub fn json(&self) -> Value {
        let object = |row: &Vec<String>| -> Map<String, Value> {
            self.columns.iter().cloned().zip(row.iter().cloned().map(Value::from)).collect()
        };
        self.rows.iter().map(object).collect()
    }

    /// RFC 4180, with `\n`.
    pub fn csv(&self) -> String {
        let line = |cells: Vec<String>| format!("{}\n", cells.join(","));
        let mut text = line(self.columns.iter().map(|column| quoted(column)).collect());
        for row in &self.rows {
            text.push_str(&line(row.iter().map(|cell| quoted(cell)).collect()));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_forms() {
        let mut table = Table::new(&["id", "about"]);
        table.row(vec!["a".to_owned(), "x, \"y\"".to_owned()]);
        assert_eq!(table.csv(), "id,about\na,\"x, \"\"y\"\"\"\n");
        assert_eq!(table.json(), serde_json::json!([{"id": "a", "about": "x, \"y\""}]));
        assert!(table.text().contains("x, \"y\""));
    }
}
