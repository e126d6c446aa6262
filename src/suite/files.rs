//! Finds a suite: on disk first, then among the files embedded in the program.
//!
//! Embedded are the perft, symmetry, position and study folders and small books, whatever of them is present at build
//! time: the published crate leaves out the sets whose licence is unclear, and must build without them.

use super::SuiteError;
use crate::file;
use crate::notation::decode_owned;
use include_dir::{Dir, include_dir};
use std::borrow::Cow;
use std::io::ErrorKind;
use std::path::Path;

static PERFT: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/suites/perft");
static POSITIONS: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/suites/positions");
static SYMMETRY: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/suites/symmetry");
static STUDIES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/suites/studies");

const FOLDERS: [(&str, &Dir<'static>); 4] =
    [("perft", &PERFT), ("positions", &POSITIONS), ("studies", &STUDIES), ("symmetry", &SYMMETRY)];

/// Games, and small books; the larger ones stay on disk.
const BOOKS: [(&str, &[u8]); 5] = [
    (
        "games/self-play.pgn",
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/suites/games/self-play.pgn")),
    ),
    (
        "openings/eco_polyglot.bin",
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/suites/openings/eco_polyglot.bin")),
    ),
    (
        "openings/noob_3moves_sample.epd",
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/suites/openings/noob_3moves_sample.epd")),
    ),
    ("openings/tiny.epd", include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/suites/openings/tiny.epd"))),
    ("openings/tiny.pgn", include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/suites/openings/tiny.pgn"))),
];

/// The embedded files as `(path below suites/, bytes)`, sorted by path.
#[must_use]
pub fn embedded() -> Vec<(String, &'static [u8])> {
    let mut files: Vec<_> =
        BOOKS.iter().map(|&(path, bytes)| (path.to_owned(), bytes)).chain(in_folders()).collect();
    files.sort_unstable();
    files
}

fn in_folders() -> impl Iterator<Item = (String, &'static [u8])> {
    FOLDERS.into_iter().flat_map(|(folder, dir)| {
        dir.files().filter_map(move |file| {
            let name = file.path().file_name()?.to_str()?;
            Some((format!("{folder}/{name}"), file.contents()))
        })
    })
}

/// The bytes of a suite. `name` is a path on disk, or the name of an embedded file: `suites/perft/standard.epd`,
/// `perft/standard.epd` or `standard.epd`.
///
/// # Errors
/// If there is no such file, or it cannot be read, or is too large for that.
pub fn read(name: &str) -> Result<Cow<'static, [u8]>, SuiteError> {
    let path = Path::new(name);
    if path.is_dir() {
        return Err(SuiteError::file(name, "is a folder, not a file"));
    }
    match file::whole(path, file::DATA) {
        Ok(bytes) => Ok(Cow::Owned(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => match shipped(name) {
            Some(bytes) => Ok(Cow::Borrowed(bytes)),
            None => Err(SuiteError::file(name, "no such file, and no embedded suite of this name")),
        },
        Err(error) => Err(SuiteError::file(name, error)),
    }
}

/// The text of a suite, without a byte order mark. Bytes that are not UTF-8 are read as Latin-1, as PGN has it.
///
/// # Errors
/// As [`read`].
pub fn open(name: &str) -> Result<String, SuiteError> {
    let text = decode_owned(read(name)?.into_owned());
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// The embedded bytes of a suite, whatever lies on the disk; names as for [`read`].
#[must_use]
pub fn shipped(name: &str) -> Option<&'static [u8]> {
    let name = name.strip_prefix("./").unwrap_or(name);
    let below = name.strip_prefix("suites/").unwrap_or(name);
    embedded()
        .into_iter()
        .find(|(path, _)| path == below || path.split_once('/').is_some_and(|(_, file)| file == below))
        .map(|(_, bytes)| bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_names_have_three_forms() {
        for name in ["suites/perft/standard.epd", "perft/standard.epd", "standard.epd"] {
            assert!(shipped(name).is_some_and(|bytes| bytes.starts_with(b"rnbqkbnr/")), "{name}");
        }
        assert!(shipped("nothing.epd").is_none());
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = open("no/such/file.epd").unwrap_err().to_string();
        assert!(error.starts_with("no/such/file.epd: "), "{error}");
        assert!(open("src").unwrap_err().to_string().contains("folder"));
    }
}
