//! The room `notation` against known bug reports, parser cases, the suites and an independent reader.

mod cases;
mod eco;
mod files;
mod notations;
mod oracle;
mod parser_cases;
mod pgn_cases;
mod polyglot;
mod robust;

use gauntlet::notation::{CastlingMode, fen, san, uci_move};
use gauntlet::rules::{Position, perft};
use gauntlet::sliders::Hyperbola;
use std::path::{Path, PathBuf};

/// A file of the repository.
fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: impl AsRef<Path>) -> String {
    let bytes = std::fs::read(path.as_ref()).unwrap_or_else(|error| panic!("{:?}: {error}", path.as_ref()));
    gauntlet::notation::decode(&bytes)
}

/// All files of a folder with this ending, sorted.
fn folder(path: &str, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(file(path)).expect(path);
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == ending));
    files.sort();
    assert!(!files.is_empty(), "no {ending} files in {path}");
    files
}

fn standard(text: &str) -> Position {
    fen::parse(text, CastlingMode::Standard).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn chess960(text: &str) -> Position {
    fen::parse(text, CastlingMode::Chess960).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn play_san(position: &Position, text: &str) -> Position {
    let mut next = *position;
    next.play(san::parse(text, position).unwrap()).unwrap();
    next
}

fn has_uci(position: &Position, text: &str) -> bool {
    uci_move::parse(text, position).is_ok()
}

/// Perft at these depths, counted from 1.
fn assert_perft(position: &Position, counts: &[(u32, u64)]) {
    for &(depth, count) in counts {
        assert_eq!(perft(position, depth, Hyperbola), count, "{} depth {depth}", fen::format(position));
    }
}
