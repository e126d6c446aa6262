//! The run folder: made before the first measurement, rows appended and flushed one by one, so that a run that is broken
//! off keeps what it had. It holds `plan.toml`, `header.json` (`complete = false` until the end), `rows.jsonl`, and one CSV
//! file per kind of row, written beside it. Knows files and rows, nothing of what they mean.

use super::{GameRow, Header, Row, SCHEMA, Sink, Tables, utc};
use crate::file;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

const PLAN: &str = "plan.toml";
const HEADER: &str = "header.json";
pub const ROWS: &str = "rows.jsonl";
const LOCK: &str = "run.lock";

/// A run folder could not be made, written or read.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {what}")]
pub struct StoreError {
    pub path: PathBuf,
    pub what: String,
}

impl StoreError {
    pub fn new(path: &Path, error: &io::Error) -> StoreError {
        StoreError::saying(path, error)
    }

    pub(super) fn saying(path: &Path, what: impl ToString) -> StoreError {
        StoreError { path: path.to_owned(), what: what.to_string() }
    }
}

/// An open run folder, locked against a second writer until it is dropped or its process ends.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    rows: File,
    tables: Tables,
    /// The line being written.
    line: Vec<u8>,
    // Held for its lock alone.
    _lock: File,
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
        fs::create_dir_all(base).map_err(|e| StoreError::new(base, &e))?;
        RunFolder::fill(RunFolder::fresh(base, &header.verb)?, header, plan_toml)
    }

    /// The same in exactly this folder, which must be new or empty.
    pub fn create_at(path: &Path, header: &Header, plan_toml: &str) -> Result<RunFolder, StoreError> {
        fs::create_dir_all(path).map_err(|e| StoreError::new(path, &e))?;
        if fs::read_dir(path).map_err(|e| StoreError::new(path, &e))?.next().is_some() {
            return Err(StoreError::saying(path, "the folder of a new run must be empty"));
        }
        RunFolder::fill(path.to_owned(), header, plan_toml)
    }

    fn fill(path: PathBuf, header: &Header, plan_toml: &str) -> Result<RunFolder, StoreError> {
        let lock = lock(&path)?;
        write_atomically(&path.join(PLAN), plan_toml.as_bytes())?;
        let rows_path = path.join(ROWS);
        let rows = File::create_new(&rows_path).map_err(|e| StoreError::new(&rows_path, &e))?;
        let folder = RunFolder { tables: Tables::new(&path), path, rows, line: Vec::new(), _lock: lock };
        folder.write_header(&Header { complete: false, ..header.clone() })?;
        Ok(folder)
    }

    /// Opens the folder of a run that was broken off, to go on with it. `keeps` sees row after row and says whether the run
    /// can go on behind this one; what stands after the last such row is cut away, a torn last line in any case. What is
    /// kept is then given to `again`, and the CSV files are made anew. Fails if another process is still writing there;
    /// nothing is changed before `keeps` has seen every row.
    pub fn reopen(
        path: &Path,
        keeps: &mut dyn FnMut(&Row) -> Result<bool, StoreError>,
        again: &mut dyn FnMut(&Row),
    ) -> Result<RunFolder, StoreError> {
        let lock = lock(path)?;
        let rows_path = path.join(ROWS);
        let at = |e: io::Error| StoreError::new(&rows_path, &e);
        // It may have been broken off before there were any.
        OpenOptions::new().create(true).append(true).open(&rows_path).map_err(at)?;
        let mut kept = 0;
        let refused =
            |line: usize, why: &str| Err(StoreError::saying(&rows_path, format!("line {line}: {why}")));
        read_rows(&rows_path, &mut |line, why| refused(line, why), &mut |row, end| {
            if keeps(&row)? {
                kept = end;
            }
            Ok(())
        })?;
        let mut rows = OpenOptions::new().read(true).append(true).open(&rows_path).map_err(at)?;
        rows.set_len(kept).map_err(at)?;
        if kept > 0 {
            // A last line may be whole but for its end.
            let mut last = [0];
            rows.seek(SeekFrom::Start(kept - 1)).and_then(|_| rows.read_exact(&mut last)).map_err(at)?;
            if last != *b"\n" {
                rows.write_all(b"\n").map_err(at)?;
            }
        }
        let mut tables = Tables::anew(path);
        read_rows(&rows_path, &mut |line, why| refused(line, why), &mut |row, _| {
            again(&row);
            tables.write(&row)
        })?;
        Ok(RunFolder { path: path.to_owned(), rows, tables, line: Vec::new(), _lock: lock })
    }

    /// Whether a process is writing to this folder just now.
    pub fn is_in_use(path: &Path) -> bool {
        let taken = |file: File| matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        File::open(path.join(LOCK)).is_ok_and(taken)
    }

    /// Where the plan of a run stands.
    pub fn plan_path(path: &Path) -> PathBuf {
        path.join(PLAN)
    }

    /// A folder that did not exist before; two runs that start in the same second get different ids.
    pub fn fresh(base: &Path, verb: &str) -> Result<PathBuf, StoreError> {
        let now = SystemTime::now();
        let nanos = now.duration_since(UNIX_EPOCH).map_or(0, |d| d.subsec_nanos());
        let verb: String = verb.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let mut id = nanos ^ std::process::id().wrapping_mul(0x9e37_79b9);
        for _ in 0..64 {
            let path = base.join(format!("{}-{verb}-{:06x}", utc::compact(now), id & 0xff_ffff));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(path),
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                    id = id.wrapping_mul(0x0001_9660).wrapping_add(0x3c6e_f35f)
                }
                Err(e) => return Err(StoreError::new(&path, &e)),
            }
        }
        Err(StoreError::saying(base, "no free name for a run folder"))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the header anew (atomically): the end of a run, or a new warning.
    pub fn write_header(&self, header: &Header) -> Result<(), StoreError> {
        let path = self.path.join(HEADER);
        let mut text = serde_json::to_string_pretty(header).map_err(|e| StoreError::saying(&path, e))?;
        text.push('\n');
        write_atomically(&path, text.as_bytes())
    }

    /// Ends the run: flushes rows and CSV files, writes the header as given (its `finished` time is filled in if it is
    /// empty; `complete` stays what the caller says), and lets go of the lock.
    pub fn finish(self, header: &Header) -> Result<PathBuf, StoreError> {
        self.rows.sync_all().map_err(|e| StoreError::new(&self.path.join(ROWS), &e))?;
        let mut header = header.clone();
        header.finished.get_or_insert_with(utc::now);
        self.write_header(&header)?;
        self.tables.finish()?;
        let _ = fs::remove_file(self.path.join(LOCK));
        Ok(self.path)
    }

    /// Writes one row.
    pub fn append(&mut self, row: &Row) -> Result<(), StoreError> {
        let failed = |what: String| StoreError { path: self.path.join(ROWS), what };
        self.line.clear();
        serde_json::to_writer(&mut self.line, row).map_err(|e| failed(e.to_string()))?;
        self.line.push(b'\n');
        // One unbuffered write per row: after a crash at most the last line is torn.
        self.rows.write_all(&self.line).map_err(|e| failed(e.to_string()))?;
        self.tables.write(row)
    }
}

impl Sink for RunFolder {
    fn row(&mut self, row: Row) -> Result<(), StoreError> {
        self.append(&row)
    }
}

impl Header {
    /// The header of a run folder, as it stands there.
    pub fn read(path: &Path) -> Result<Header, StoreError> {
        let path = path.join(HEADER);
        let text = file::settings(&path).map_err(|e| StoreError::new(&path, &e))?;
        let header: Header = serde_json::from_str(&text).map_err(|e| StoreError::saying(&path, e))?;
        if header.schema != SCHEMA {
            let what = format!("schema: record format {}, this program reads {SCHEMA}", header.schema);
            return Err(StoreError::saying(&path, what));
        }
        Ok(header)
    }
}

impl Saved {
    /// Reads a run folder; lines that are no rows (the last one may be torn) are left out with a warning in the header that
    /// names file and line.
    pub fn read(path: &Path) -> Result<Saved, StoreError> {
        let mut rows = Vec::new();
        let header = Saved::stream(path, &mut |row| {
            rows.push(row);
            Ok(())
        })?;
        Ok(Saved { path: path.to_owned(), header, rows })
    }

    /// The same row by row, so that no more than one has to be kept.
    pub fn stream(
        path: &Path,
        each: &mut dyn FnMut(Row) -> Result<(), StoreError>,
    ) -> Result<Header, StoreError> {
        let mut header = Header::read(path)?;
        let (mut broken, mut first) = (0, None);
        let mut leave_out = |line: usize, why: &str| {
            broken += 1;
            first.get_or_insert_with(|| format!("{ROWS}:{line}: not a row of a record ({why})"));
            Ok(())
        };
        let torn = read_rows(&path.join(ROWS), &mut leave_out, &mut |row, _| each(row))?;
        if let Some(line) = torn {
            header.warnings.push(format!("{ROWS}:{line}: the last line is torn and was left out"));
        }
        if let Some(first) = first {
            let more = if broken == 1 { String::new() } else { format!(", and {} more like it", broken - 1) };
            let lost = "left out; the figures below are those of the other lines";
            // Before anything else that is said of this run.
            header.warnings.insert(0, format!("{first}{more}: {lost}"));
        }
        if !header.complete {
            header
                .warnings
                .push("the run did not end as planned: these are the results it had until then".to_owned());
        }
        Ok(header)
    }
}

impl Saved {
    /// Single games of a run folder by their places among its games, from 0, in the order asked for; places that it has no
    /// game for are left out. Other rows are passed by unread, so that a few games of a long match are found quickly.
    pub fn games(folder: &Path, places: &[u64]) -> Result<Vec<GameRow>, StoreError> {
        let mut found: BTreeMap<u64, GameRow> = BTreeMap::new();
        let wanted: BTreeSet<u64> = places.iter().copied().collect();
        let path = folder.join(ROWS);
        let file = File::open(&path).map_err(|e| StoreError::new(&path, &e))?;
        let (mut reader, mut line, mut place) = (BufReader::new(file), Vec::new(), 0);
        while found.len() < wanted.len() {
            line.clear();
            if file::line(&mut reader, &mut line).map_err(|e| StoreError::new(&path, &e))? == 0 {
                break;
            }
            // The kind comes first in rows that we wrote.
            if line.starts_with(br#"{"kind":""#) && !line.starts_with(br#"{"kind":"game","#) {
                continue;
            }
            if wanted.contains(&place) || !line.starts_with(br#"{"kind":"#) {
                match serde_json::from_slice(&line) {
                    Ok(Row::Game(game)) if wanted.contains(&place) => drop(found.insert(place, game)),
                    Ok(Row::Game(_)) => {}
                    // Whoever read the rows before has said what is wrong with this one.
                    _ => continue,
                }
            }
            place += 1;
        }
        Ok(places.iter().filter_map(|place| found.get(place).cloned()).collect())
    }
}

/// Hands over row after row, and where its line ends in the file; `broken` is told of lines that are none. Returns the number
/// of a last line that is none, as a crash leaves it behind.
fn read_rows(
    path: &Path,
    broken: &mut dyn FnMut(usize, &str) -> Result<(), StoreError>,
    each: &mut dyn FnMut(Row, u64) -> Result<(), StoreError>,
) -> Result<Option<usize>, StoreError> {
    let file = File::open(path).map_err(|e| StoreError::new(path, &e))?;
    let mut reader = BufReader::new(file);
    let (mut line, mut number, mut end) = (Vec::new(), 0, 0);
    // Whether it is the last one is seen with the next.
    let mut doubtful: Option<(usize, String)> = None;
    loop {
        line.clear();
        number += 1;
        let read = file::line(&mut reader, &mut line).map_err(|e| StoreError::new(path, &e))?;
        if read == 0 {
            return Ok(doubtful.map(|(number, _)| number));
        }
        if let Some((number, why)) = doubtful.take() {
            broken(number, &why)?;
        }
        end += read as u64;
        let whole = line.last() == Some(&b'\n');
        if line.trim_ascii().is_empty() && whole {
            continue;
        }
        match serde_json::from_slice(&line) {
            Ok(row) => each(row, end)?,
            Err(e) => doubtful = Some((number, e.to_string())),
        }
    }
}

fn lock(folder: &Path) -> Result<File, StoreError> {
    let path = folder.join(LOCK);
    let file =
        OpenOptions::new().create(true).append(true).open(&path).map_err(|e| StoreError::new(&path, &e))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(StoreError::saying(folder, "another process is writing this run"))
        }
        // File systems without locks: better a run without one than no run.
        Err(TryLockError::Error(e)) if e.kind() == io::ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(e)) => Err(StoreError::new(&path, &e)),
    }
}

/// Writes beside the target and renames, so that a reader sees the old file or the new one, never half of one.
fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let beside = path.with_extension("new");
    let write = || {
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().map_err(|e| StoreError::new(path, &e))
}
