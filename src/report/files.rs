//! The files a report consists of, written into the run folder they are made from: `report.html`, and `games.pgn` where
//! games were played. They can be made anew at any time.

use super::contest::Gathered;
use super::digest::Digest;
use super::html::{self, Told};
use super::pgn;
use crate::record::{Header, Row, RunFolder, Saved, StoreError, Tables};
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
    let (header, gathered) = read(folder)?;
    write_page(&header, &gathered, folder)
}

/// Reads a run folder, writing `games.pgn` on the way, and the CSV files of a run that was broken off. Those of a run that
/// is being written are left to it.
pub fn read(folder: &Path) -> Result<(Header, Gathered), ReportError> {
    let Header { verb, complete, .. } = Header::read(folder)?;
    let is_free = !RunFolder::is_in_use(folder);
    let mut games = is_free.then(|| GamesFile::new(folder.join("games.pgn"), &format!("gauntlet {verb}")));
    let mut tables = (is_free && !complete).then(|| Tables::new(folder));
    let mut gathered = Gathered::default();
    let header = Saved::stream(folder, &mut |row| {
        if let Some(games) = &mut games {
            games.add(&row);
        }
        gathered.add(&row);
        tables.as_mut().map_or(Ok(()), |tables| tables.write(&row))
    })?;
    tables.map_or(Ok(()), Tables::finish)?;
    games.map_or(Ok(()), GamesFile::finish)?;
    Ok((header, gathered))
}

/// Writes `report.html`; returns its path.
pub fn write_page(header: &Header, gathered: &Gathered, folder: &Path) -> Result<PathBuf, ReportError> {
    let path = folder.join("report.html");
    let page = html::page(&[Told { path: folder, header, digest: Digest::gathered(gathered) }]);
    fs::write(&path, page).map_err(|source| ReportError::Write { path: path.clone(), source })?;
    Ok(path)
}

/// A PGN file that grows with the games of a run: each counted game goes to the system as it is given. The first thing that
/// goes wrong ends the file and is told at the end; it never ends the run.
#[derive(Debug)]
pub struct GamesFile {
    path: PathBuf,
    event: String,
    /// Made with the first game.
    file: Option<BufWriter<File>>,
    failed: Option<ReportError>,
}

impl GamesFile {
    pub fn new(path: PathBuf, event: &str) -> GamesFile {
        GamesFile { path, event: event.to_owned(), file: None, failed: None }
    }

    /// Takes a row of any kind.
    pub fn add(&mut self, row: &Row) {
        if matches!(row, Row::Game(game) if !game.set_aside) && self.failed.is_none() {
            self.failed = self.write(row).err();
        }
    }

    fn write(&mut self, row: &Row) -> Result<(), ReportError> {
        let failed = |source| ReportError::Write { path: self.path.clone(), source };
        if self.file.is_none() {
            self.file = Some(BufWriter::with_capacity(1 << 15, File::create(&self.path).map_err(failed)?));
        }
        if let Some(file) = &mut self.file {
            pgn::write(std::slice::from_ref(row), &self.event, file)?;
            file.flush().map_err(failed)?;
        }
        Ok(())
    }

    /// What went wrong, if something did.
    pub fn finish(self) -> Result<(), ReportError> {
        self.failed.map_or(Ok(()), Err)
    }
}
