//! The files a report consists of, written into the run folder they are made from: `report.html`, and `games.pgn` where
//! games were played; and what else grows with the games of a run, where it is asked for. They can be made anew at any time.

use super::contest::Gathered;
use super::digest::Digest;
use super::html::{self, Told};
use super::pgn;
use crate::file::Out;
use crate::record::{GameRow, Header, ROWS, Row, RunFolder, Saved, StoreError, Tables};
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
    let Header { verb, complete, seed, .. } = Header::read(folder)?;
    let is_free = !RunFolder::is_in_use(folder);
    let drawn = folder.join("redrawn");
    if is_free {
        fs::create_dir_all(&drawn).map_err(|source| ReportError::Write { path: drawn.clone(), source })?;
    }
    let mut games = is_free.then(|| Growing::new(drawn.join("games.pgn"), Form::pgn(&verb)));
    let mut tables = (is_free && !complete).then(|| Tables::new(&drawn));
    let mut gathered = Gathered::new(seed);
    let mut rows = 0;
    let mut header = Saved::stream(folder, &mut |row| {
        rows += 1;
        if let Some(games) = &mut games {
            games.add(&row);
        }
        gathered.add(&row);
        tables.as_mut().map_or(Ok(()), |tables| tables.write(&row))
    })?;
    if !complete && gathered.close() {
        let made = "the standings are made of the games alone: byes and brackets are not in them";
        header.warnings.push(made.to_owned());
    }
    tables.map_or(Ok(()), Tables::finish)?;
    games.map_or(Ok(()), Growing::finish)?;
    if is_free {
        // A record that has lost rows is no reason to lose what was made of them.
        let is_whole = rows > 0 && !header.warnings.iter().any(|line| line.starts_with(ROWS));
        let kept = replace(&drawn, folder, is_whole, !complete)?;
        if !kept.is_empty() {
            header
                .warnings
                .push(format!("left as they are, as the record has fewer rows: {}", kept.join(", ")));
        }
    }
    Ok((header, gathered))
}

/// Puts the files of `drawn` in the place of those of `folder`; of a record that is not whole only where they are no shorter.
/// Names those that stay, `tables` among them of which the record has no row.
fn replace(drawn: &Path, folder: &Path, is_whole: bool, tables: bool) -> Result<Vec<String>, ReportError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        |source| ReportError::Write { path, source }
    };
    let length = |path: &Path| fs::metadata(path).map_or(0, |found| found.len());
    let mut kept = Vec::new();
    for name in Tables::FILES.iter().filter(|_| tables).chain(["games.pgn"].iter()) {
        let (new, old) = (drawn.join(name), folder.join(name));
        if !is_whole && length(&old) > length(&new) {
            kept.push((*name).to_owned());
        } else if new.exists() {
            fs::rename(&new, &old).map_err(failed(&old))?;
        } else if is_whole && *name != "games.pgn" && old.exists() {
            // Of kinds that did not come again.
            fs::remove_file(&old).map_err(failed(&old))?;
        }
    }
    fs::remove_dir_all(drawn).map_err(failed(drawn))?;
    Ok(kept)
}

/// Reads a run folder and leaves it as it is.
pub fn look(folder: &Path) -> Result<(Header, Gathered), ReportError> {
    let mut gathered = Gathered::new(Header::read(folder)?.seed);
    let header = Saved::stream(folder, &mut |row| {
        gathered.add(&row);
        Ok(())
    })?;
    Ok((header, gathered))
}

/// Writes `report.html`; returns its path.
pub fn write_page(header: &Header, gathered: &Gathered, folder: &Path) -> Result<PathBuf, ReportError> {
    let path = folder.join("report.html");
    let page = html::page(&[told(header, gathered, folder)?]);
    fs::write(&path, page).map_err(|source| ReportError::Write { path: path.clone(), source })?;
    Ok(path)
}

/// The run as the page needs it; the games that are shown are read from its folder.
///
/// # Errors
/// If its rows cannot be read.
pub fn told<'a>(
    header: &'a Header,
    gathered: &'a Gathered,
    folder: &'a Path,
) -> Result<Told<'a>, ReportError> {
    let chosen = gathered.chosen();
    let games = if chosen.is_empty() { Vec::new() } else { Saved::games(folder, &chosen)? };
    Ok(Told {
        path: folder,
        header,
        digest: Digest::gathered(gathered),
        games,
        plan: Vec::new(),
        is_beside: true,
    })
}

/// What a file that grows with a run consists of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// The counted games as PGN, with the name of their event.
    Pgn { event: String },
    /// The last positions of the counted games, an EPD record each: who played (`c0`) and how it ended (`c1`).
    FinalPositions,
    /// All rows as JSON, one a line, those of games without their plies.
    Events,
}

impl Form {
    /// The games of a verb.
    pub fn pgn(verb: &str) -> Form {
        Form::Pgn { event: format!("gauntlet {verb}") }
    }
}

/// A file that grows with the rows of a run: each goes to the system as it is given. The first thing that goes wrong ends
/// the file and is told at the end; it never ends the run.
#[derive(Debug)]
pub struct Growing {
    path: PathBuf,
    form: Form,
    /// Made with the first row that it takes, unless it is there already.
    file: Option<BufWriter<Out>>,
    failed: Option<ReportError>,
}

impl Growing {
    /// One of a run's own folder.
    pub fn new(path: PathBuf, form: Form) -> Growing {
        Growing { path, form, file: None, failed: None }
    }

    /// One whose file is open already.
    pub fn opened(path: PathBuf, form: Form, file: Out) -> Growing {
        Growing { file: Some(buffered(file)), ..Growing::new(path, form) }
    }

    /// Takes a row of any kind.
    pub fn add(&mut self, row: &Row) {
        let is_wanted = match row {
            Row::Game(game) => !game.set_aside || self.form == Form::Events,
            _ => self.form == Form::Events,
        };
        if is_wanted && self.failed.is_none() {
            self.failed = self.write(row).err();
        }
    }

    fn write(&mut self, row: &Row) -> Result<(), ReportError> {
        let failed = |source| ReportError::Write { path: self.path.clone(), source };
        if self.file.is_none() {
            self.file = Some(buffered(Out::own(File::create(&self.path).map_err(failed)?)));
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        match (&self.form, row) {
            (Form::Pgn { event }, _) => {
                pgn::write(std::slice::from_ref(row), event, file)?;
            }
            (Form::FinalPositions, Row::Game(game)) => {
                writeln!(file, "{}", pgn::final_position(game)?).map_err(failed)?;
            }
            (Form::FinalPositions, _) => {}
            (Form::Events, Row::Game(game)) => {
                let bare = Row::Game(GameRow { plies: Vec::new(), ..game.clone() });
                event(file, &bare).map_err(failed)?;
            }
            (Form::Events, row) => event(file, row).map_err(failed)?,
        }
        file.flush().map_err(failed)
    }

    /// What went wrong, if something did.
    pub fn finish(self) -> Result<(), ReportError> {
        self.failed.map_or(Ok(()), Err)
    }
}

fn buffered(file: Out) -> BufWriter<Out> {
    BufWriter::with_capacity(1 << 15, file)
}

fn event(file: &mut impl Write, row: &Row) -> std::io::Result<()> {
    serde_json::to_writer(&mut *file, row)?;
    file.write_all(b"\n")
}
