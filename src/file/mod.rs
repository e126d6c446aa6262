//! Files that users name. They are read whole or line by line, never more of one than memory holds, whatever the name leads to (a
//! device, a pipe that never ends, a file of gigabytes); what is written is in `out`. No file is written that is read or written
//! already. It must not know what stands in them.

mod out;

pub use out::{Claim, Out, claim, create, reads};

use std::fs::File;
use std::io::{self, BufRead, ErrorKind, Read};
use std::path::Path;

/// Settings, plans, baselines and the like: some kilobytes, as a rule.
pub const SETTINGS: u64 = 16 << 20;
/// Suites and books: the largest books in use have some 200 MiB.
pub const DATA: u64 = 512 << 20;
/// Lines of a record: a game of some thousand plies has one.
pub const LINE: u64 = 64 << 20;

/// The bytes of a file.
///
/// # Errors
/// If it cannot be read, has more than `most` bytes, or is to be written.
pub fn whole(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    reads(path)?;
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

/// Opens a file for reading. A named pipe that nobody writes to would be waited for, and signals with it.
fn open(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
        let mut how = std::fs::OpenOptions::new();
        how.read(true).custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
        let file = how.open(path)?;
        if file.metadata()?.file_type().is_fifo() {
            await_pipe(&file, rustix::event::PollFlags::IN, 3, "a pipe that nobody writes to")?;
        }
        // What is read from now on may wait for its writer.
        rustix::fs::fcntl_setfl(&file, rustix::fs::fcntl_getfl(&file)? - rustix::fs::OFlags::NONBLOCK)?;
        Ok(file)
    }
    #[cfg(not(unix))]
    File::open(path)
}

/// Waits until a pipe can be read or written; the other end may take so many seconds.
#[cfg(unix)]
fn await_pipe(pipe: &File, flags: rustix::event::PollFlags, seconds: i64, what: &str) -> io::Result<()> {
    use rustix::event::{PollFd, Timespec, poll};
    let patience = Timespec { tv_sec: seconds, tv_nsec: 0 };
    match poll(&mut [PollFd::new(pipe, flags)], Some(&patience))? {
        0 => Err(io::Error::new(ErrorKind::TimedOut, what)),
        _ => Ok(()),
    }
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
    #[cfg(target_os = "linux")]
    fn a_pipe_is_read_if_somebody_writes_to_it() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        assert_eq!(settings(&path).unwrap_err().to_string(), "a pipe that nobody writes to");
        let text = "x = 1\n".repeat(100_000);
        std::thread::scope(|scope| {
            scope.spawn(|| std::fs::write(&path, &text).unwrap());
            assert_eq!(settings(&path).unwrap(), text);
        });
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
