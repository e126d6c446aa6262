//! Files that users name. They are read whole or line by line, never more of one than memory holds, and opened for writing without
//! waiting, whatever the name leads to (a device, a pipe that never ends or that nobody reads, a file of gigabytes). It must not
//! know what stands in them.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Settings, plans, baselines and the like: some kilobytes, as a rule.
pub const SETTINGS: u64 = 16 << 20;
/// Suites and books: the largest books in use have some 200 MiB.
pub const DATA: u64 = 512 << 20;
/// Lines of a record: a game of some thousand plies has one.
pub const LINE: u64 = 64 << 20;

/// The bytes of a file.
///
/// # Errors
/// If it cannot be read, or has more than `most` bytes.
pub fn whole(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    // What a device or a pipe has in it is seen only when it is read.
    if length <= most {
        bytes.reserve(usize::try_from(length).unwrap_or(0));
        file.take(most + 1).read_to_end(&mut bytes)?;
    }
    if length.max(bytes.len() as u64) > most {
        return Err(too_large(&format!("more than {} MiB: too large to be read", most >> 20)));
    }
    Ok(bytes)
}

/// The text of a file of settings, without the mark that some editors put before it.
///
/// # Errors
/// As [`whole`], and if it is not UTF-8.
pub fn settings(path: &Path) -> io::Result<String> {
    let text = String::from_utf8(whole(path, SETTINGS)?);
    let text = text.map_err(|_| io::Error::new(ErrorKind::InvalidData, "not UTF-8"))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Makes a file or empties it. Named pipes are opened as files are: opening one that nobody reads would wait for ever.
///
/// # Errors
/// If it cannot be written, or is a pipe that nobody reads.
pub fn create(path: &Path) -> io::Result<File> {
    let mut how = OpenOptions::new();
    how.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
        use std::os::unix::fs::OpenOptionsExt;
        how.custom_flags(OFlags::NONBLOCK.bits() as i32);
        let file = how.open(path).map_err(|error| match error.raw_os_error() {
            Some(code) if code == rustix::io::Errno::NXIO.raw_os_error() => {
                io::Error::new(ErrorKind::BrokenPipe, "a pipe that nobody reads")
            }
            _ => error,
        })?;
        // What is written later may wait for its reader.
        fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
        Ok(file)
    }
    #[cfg(not(unix))]
    how.open(path)
}

/// Whether two names lead to one file, there or to be made; what is no file (a device, a pipe) holds nothing that could be lost.
pub fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| -> Option<PathBuf> {
        match fs::canonicalize(path) {
            Ok(path) => path.is_file().then_some(path),
            Err(_) => {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
                Some(folder.join(path.file_name()?))
            }
        }
    };
    match (place(one), place(other)) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}

/// Appends the next line with its end; 0 at the end of the file.
///
/// # Errors
/// If it cannot be read, or has more than [`LINE`] bytes.
pub fn line(reader: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<usize> {
    let read = reader.take(LINE).read_until(b'\n', bytes)?;
    if read as u64 == LINE && bytes.last() != Some(&b'\n') {
        return Err(too_large(&format!("a line of more than {} MiB", LINE >> 20)));
    }
    Ok(read)
}

fn too_large(what: &str) -> io::Error {
    io::Error::new(ErrorKind::FileTooLarge, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_more_than_the_bound_nor_less_than_the_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(3 << 20).unwrap();
        assert_eq!(whole(file.path(), 3 << 20).unwrap().len(), 3 << 20);
        let error = whole(file.path(), 2 << 20).unwrap_err();
        assert_eq!(error.to_string(), "more than 2 MiB: too large to be read");
        #[cfg(unix)]
        assert!(whole(Path::new("/dev/zero"), 1 << 20).is_err());
        assert!(settings(file.path()).is_ok());
        std::fs::write(file.path(), b"a\xff").unwrap();
        assert_eq!(settings(file.path()).unwrap_err().to_string(), "not UTF-8");
        std::fs::write(file.path(), "\u{feff}a = 1").unwrap();
        assert_eq!(settings(file.path()).unwrap(), "a = 1");
    }

    #[test]
    fn one_file_has_many_names() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let same = |one: &str, other: &str| is_same(&at(one), &at(other));
        fs::create_dir(at("sub")).unwrap();
        for made in [false, true] {
            if made {
                drop(create(&at("a")).unwrap());
            }
            assert!(same("a", "a") && same("a", "./a") && same("sub/../a", "a"), "{made}");
            assert!(!same("a", "b") && !same("a", "sub/a") && !same("a", "none/a"), "{made}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("a"), at("link")).unwrap();
            assert!(same("link", "a") && !same("link", "b"));
            assert!(!is_same(Path::new("/dev/null"), Path::new("/dev/null")));
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_pipe_is_opened_at_once_or_not_at_all() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        use std::io::Write;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        assert_eq!(create(&path).unwrap_err().to_string(), "a pipe that nobody reads");
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
    fn lines_end_somewhere() {
        let mut reader = io::Cursor::new(b"a\nb");
        let mut lines = || {
            let mut bytes = Vec::new();
            line(&mut reader, &mut bytes).map(|_| bytes).unwrap()
        };
        assert_eq!([lines(), lines(), lines()], [b"a\n".to_vec(), b"b".to_vec(), Vec::new()]);
        let error = line(&mut io::BufReader::new(io::repeat(0)), &mut Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), "a line of more than 64 MiB");
    }
}
