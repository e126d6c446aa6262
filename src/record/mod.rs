//! What a run leaves behind: the header, the rows, the verdicts, and the folder that holds them.
//!
//! This room is the contract between what measures and what shows. It knows no chess types: positions are FEN strings,
//! moves are strings in UCI form, so an old record can be redrawn without the code that made it.
//! Units are in the names: `_ms`, `_us`, `_ns`, `_cp`. `reports/README.md` describes every file and column.

mod cost;
mod header;
mod number;
mod rows;
mod short;
mod store;
mod tables;
pub mod utc;

pub use cost::{Cost, Meter};
pub use header::{Header, Machine, SCHEMA, version};
pub use rows::*;
pub use short::Short;
pub use store::{ROWS, RunFolder, Saved, StoreError};
pub use tables::Tables;

/// Where rows go as they are made. An error is one line for people: what could not be written, and why.
pub trait Sink {
    fn row(&mut self, row: Row) -> Result<(), StoreError>;
}

/// Keeps the rows in memory.
impl Sink for Vec<Row> {
    fn row(&mut self, row: Row) -> Result<(), StoreError> {
        self.push(row);
        Ok(())
    }
}
