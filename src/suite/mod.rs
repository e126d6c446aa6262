//! Input data: perft counts, test positions, openings, symmetry pairs, endgame tables; from disk or embedded in the program.
//!
//! Each parser takes the name of the file and its text and gives checked positions, or an error that names file,
//! line and field. It must not know who counts, searches or plays. The formats are described in `suites/MANIFEST.toml`.

mod castling;
mod files;
mod manifest;
mod openings;
mod perft;
mod polyglot;
mod positions;
mod symmetry;
mod tablebases;

pub use castling::detect_mode;
pub use files::{embedded, open, read, shipped};
pub use manifest::{MANIFEST, Manifest, ManifestFile};
use openings::unnamed;
pub use openings::{Book, Opening, OpeningFormat, openings};
pub use perft::{PerftCase, load_perft, perft_cases};
pub use polyglot::{MOST_PLIES, Take, polyglot_openings};
pub use positions::{TestPosition, load_positions, test_positions};
pub use symmetry::{SymmetryCase, load_symmetry, symmetry_cases};
pub use tablebases::{TablebaseError, Tablebases, Value};

/// A suite could not be found, read or understood. One line for people.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SuiteError {
    /// The file is not there, or cannot be read.
    #[error("{file}: {what}")]
    File { file: String, what: String },
    /// One line of it is wrong.
    #[error("{file}:{line}: {what}")]
    Line {
        file: String,
        line: usize,
        /// The field and what is wrong with it.
        what: String,
    },
}

impl SuiteError {
    fn file(file: &str, what: impl ToString) -> SuiteError {
        SuiteError::File { file: file.to_owned(), what: what.to_string() }
    }

    fn line(file: &str, line: usize, what: impl ToString) -> SuiteError {
        SuiteError::Line { file: file.to_owned(), line, what: what.to_string() }
    }
}

/// The lines that hold data, with their numbers from 1: blank lines and `#` comments are skipped, ends trimmed (CRLF).
fn data_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// The file name without its folders: what stands in records.
#[must_use]
pub fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
