//! Files that are written because a user named them: opened at the start, so that a wrong name is told then, and emptied with the
//! first byte, so that a run that is refused has cost nothing. A name that leads to a file in use is refused, by whatever spelling.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What this process reads and what it is to write.
static IN_USE: Mutex<Vec<(PathBuf, bool)>> = Mutex::new(Vec::new());

fn in_use() -> MutexGuard<'static, Vec<(PathBuf, bool)>> {
    IN_USE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says that a file is read.
///
/// # Errors
/// If it is to be written.
pub fn reads(path: &Path) -> io::Result<()> {
    let mut all = in_use();
    if all.iter().any(|(other, is_written)| *is_written && is_same(path, other)) {
        return Err(taken("the same run is to write this file"));
    }
    if !all.iter().any(|(other, _)| other == path) {
        all.push((path.to_owned(), false));
    }
    Ok(())
}

/// A file that is to be written by nobody else, until this is let go.
#[derive(Debug)]
pub struct Claim(PathBuf);

/// Says that a file is to be written.
///
/// # Errors
/// If it is read, or written by somebody else.
pub fn claim(path: &Path) -> io::Result<Claim> {
    let mut all = in_use();
    match all.iter().find(|(other, _)| is_same(path, other)) {
        Some((_, true)) => return Err(taken("the same run writes this file already")),
        Some((_, false)) => return Err(taken("the same run reads this file")),
        None => all.push((path.to_owned(), true)),
    }
    Ok(Claim(path.to_owned()))
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut all = in_use();
        if let Some(at) = all.iter().position(|(path, is_written)| *is_written && *path == self.0) {
            all.swap_remove(at);
        }
    }
}

fn taken(what: &str) -> io::Error {
    io::Error::new(ErrorKind::AlreadyExists, format!("{what}: name another one"))
}

/// An open file. What was in it stays until the first byte is written.
#[derive(Debug)]
pub struct Out {
    file: File,
    is_begun: bool,
    is_pipe: bool,
    /// None for what is no file of its own.
    _claim: Option<Claim>,
}

impl Out {
    /// One that nobody else can have named.
    pub fn own(file: File) -> Out {
        Out { file, is_begun: true, is_pipe: false, _claim: None }
    }

    fn begin(&mut self) -> io::Result<()> {
        if !self.is_begun {
            self.is_begun = true;
            self.file.set_len(0)?;
        }
        Ok(())
    }
}

/// Opens a file for writing, or makes it. A named pipe is opened as a file is: one that nobody reads would be waited for.
///
/// # Errors
/// If it cannot be written, is in use, or is a pipe that nobody reads.
pub fn create(path: &Path) -> io::Result<Out> {
    #[cfg(unix)]
    if let Some(file) = unix::standard(path)? {
        return Ok(Out::own(file));
    }
    let is_file = fs::metadata(path).map_or(true, |found| found.is_file());
    let claim = if is_file { Some(claim(path)?) } else { None };
    let mut how = OpenOptions::new();
    how.write(true).create(true).truncate(false);
    #[cfg(unix)]
    let (file, is_pipe) = unix::open(&mut how, path)?;
    #[cfg(not(unix))]
    let (file, is_pipe) = (how.open(path)?, false);
    Ok(Out { file, is_begun: !is_file, is_pipe, _claim: claim })
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begin()?;
        #[cfg(unix)]
        if self.is_pipe {
            return unix::write(&mut self.file, bytes);
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Whether two names lead to one file, there or to be made; what is no file (a device, a pipe) holds nothing that could be lost.
fn is_same(one: &Path, other: &Path) -> bool {
    match (place(one, LINKS), place(other, LINKS)) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}

/// So many links that lead to links are followed.
const LINKS: u32 = 40;

/// Where a file is or would be: its number on its device, or its folder and name.
#[derive(PartialEq, Eq)]
enum Place {
    #[cfg(unix)]
    There(u64, u64),
    Named(PathBuf),
}

fn place(path: &Path, links: u32) -> Option<Place> {
    if let Ok(found) = fs::metadata(path) {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            return found.is_file().then(|| Place::There(found.dev(), found.ino()));
        }
        #[cfg(not(unix))]
        return found.is_file().then(|| fs::canonicalize(path).ok().map(Place::Named)).flatten();
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // A link to a file that is still to be made.
    if let Ok(target) = fs::read_link(path) {
        return place(&folder.join(target), links.checked_sub(1)?);
    }
    Some(Place::Named(fs::canonicalize(folder).ok()?.join(path.file_name()?)))
}

#[cfg(unix)]
mod unix {
    use crate::file::await_pipe;
    use rustix::event::PollFlags;
    use rustix::fs::OFlags;
    use std::fs::{self, File, OpenOptions};
    use std::io::{self, ErrorKind, Write};
    use std::os::fd::AsFd;
    use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
    use std::path::Path;

    /// Whoever reads a pipe may take so many seconds for what is in it.
    const PATIENCE: i64 = 10;

    /// The file that standard output or error go to, if it is the one of this name: opened again, both would write over each other.
    pub fn standard(path: &Path) -> io::Result<Option<File>> {
        let Ok(found) = fs::metadata(path) else { return Ok(None) };
        let (stdout, stderr) = (io::stdout(), io::stderr());
        for stream in [stdout.as_fd(), stderr.as_fd()] {
            let stream = File::from(stream.try_clone_to_owned()?);
            let known = stream.metadata()?;
            if found.is_file() && (known.dev(), known.ino()) == (found.dev(), found.ino()) {
                return Ok(Some(stream));
            }
        }
        Ok(None)
    }

    /// The open file, and whether it is a pipe.
    pub fn open(how: &mut OpenOptions, path: &Path) -> io::Result<(File, bool)> {
        how.custom_flags(OFlags::NONBLOCK.bits() as i32);
        let kind = fs::metadata(path).map(|found| found.file_type());
        let file = how.open(path).map_err(|error| match kind {
            Ok(kind)
                if kind.is_fifo() && error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()) =>
            {
                io::Error::new(ErrorKind::NotConnected, "a pipe that nobody reads")
            }
            Ok(kind) if kind.is_socket() => io::Error::new(ErrorKind::InvalidInput, "a socket, not a file"),
            _ => error,
        })?;
        let is_pipe = file.metadata()?.file_type().is_fifo();
        Ok((file, is_pipe))
    }

    /// As much as the pipe takes. Who does not read on is not waited for: the run and its signals would wait, too.
    pub fn write(file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match file.write(bytes) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                done => return done,
            }
            await_pipe(file, PollFlags::OUT, PATIENCE, "a pipe that nobody reads on from")?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::settings;

    #[test]
    fn one_file_has_many_names() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let same = |one: &str, other: &str| is_same(&at(one), &at(other));
        fs::create_dir(at("sub")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("a", at("link")).unwrap();
        for made in [false, true] {
            if made {
                fs::write(at("a"), "").unwrap();
            }
            assert!(same("a", "a") && same("a", "./a") && same("sub/../a", "a"), "{made}");
            assert!(!same("a", "b") && !same("a", "sub/a") && !same("a", "none/a"), "{made}");
            #[cfg(unix)]
            assert!(same("link", "a") && !same("link", "b"), "{made}");
        }
        #[cfg(unix)]
        {
            fs::hard_link(at("a"), at("hard")).unwrap();
            assert!(same("hard", "link") && !same("hard", "b"));
            std::os::unix::fs::symlink("round", at("round")).unwrap();
            assert!(!same("round", "a"));
            assert!(!is_same(Path::new("/dev/null"), Path::new("/dev/null")));
        }
    }

    #[test]
    fn what_is_in_use_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("read"), "precious").unwrap();
        settings(&at("read")).unwrap();
        settings(&at("read")).unwrap();
        let error = create(&at("read")).unwrap_err().to_string();
        assert_eq!(error, "the same run reads this file: name another one");
        let out = create(&at("out")).unwrap();
        assert!(create(&at("./out")).unwrap_err().to_string().contains("writes this file already"));
        assert!(settings(&at("out")).unwrap_err().to_string().contains("is to write this file"));
        drop(out);
        settings(&at("out")).unwrap();
        assert_eq!(fs::read_to_string(at("read")).unwrap(), "precious");
    }

    #[test]
    fn the_first_byte_empties_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "long ago").unwrap();
        let mut out = create(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "long ago");
        out.write_all(b"now").unwrap();
        out.write_all(b"!").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "now!");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_pipe_is_opened_at_once_or_not_at_all() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        assert_eq!(create(&path).unwrap_err().to_string(), "a pipe that nobody reads");
        let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap();
        let error = create(&folder.path().join("socket")).unwrap_err();
        assert_eq!(error.to_string(), "a socket, not a file");
        // More than a pipe holds: the writer waits for the reader.
        let text = vec![b'x'; 1 << 20];
        let read = std::thread::scope(|scope| {
            let reader = scope.spawn(|| fs::read(&path).unwrap().len());
            let mut file = loop {
                match create(&path) {
                    Ok(file) => break file,
                    Err(_) => std::thread::sleep(std::time::Duration::from_millis(1)),
                }
            };
            file.write_all(&text).unwrap();
            drop(file);
            reader.join().unwrap()
        });
        assert_eq!(read, text.len());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn who_does_not_read_on_is_not_waited_for_for_ever() {
        let (reader, writer) = rustix::pipe::pipe().unwrap();
        let path = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&writer));
        let mut out = create(Path::new(&path)).unwrap();
        let error = out.write_all(&vec![b'x'; 1 << 20]).unwrap_err();
        assert_eq!(error.to_string(), "a pipe that nobody reads on from");
        drop(reader);
    }
}
