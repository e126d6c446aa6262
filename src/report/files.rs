//! The files a report consists of, written into the run folder they are made from: `report.html`, and `games.pgn` where
//! games were played. They can be made anew at any time.

use super::{html, pgn};
use crate::record::{Row, Saved, StoreError};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// A report could not be drawn or written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Pgn(#[from] pgn::PgnError),
    #[error("{path}: {source}")]
    Write { path: PathBuf, source: std::io::Error },
}

/// Reads the run folder and writes its report; returns the path of the page.
pub fn write(folder: &Path) -> Result<PathBuf, ReportError> {
    write_saved(&Saved::read(folder)?, folder)
}

/// The same from a record already read.
pub fn write_saved(run: &Saved, folder: &Path) -> Result<PathBuf, ReportError> {
    if run.rows.iter().any(|row| matches!(row, Row::Game(_))) {
        let path = folder.join("games.pgn");
        write_pgn(&run.rows, &format!("gauntlet {}", run.header.verb), &path)?;
    }
    let path = folder.join("report.html");
    fs::write(&path, html::render(std::slice::from_ref(run)))
        .map_err(|source| ReportError::Write { path: path.clone(), source })?;
    Ok(path)
}

/// Writes the counted games to a file of any name; returns how many.
pub fn write_pgn(rows: &[Row], event: &str, path: &Path) -> Result<u64, ReportError> {
    let failed = |source| ReportError::Write { path: path.to_owned(), source };
    let mut file = BufWriter::new(File::create(path).map_err(failed)?);
    let written = pgn::write(rows, event, &mut file)?;
    file.flush().map_err(failed)?;
    Ok(written)
}
