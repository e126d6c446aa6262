//! Syzygy tablebases (Ronald de Man): what a position of few men is worth under the fifty-move rule. Probing itself is the
//! `pyrrhic-rs` crate's; its state is the process's, so there is one set of tables at a time.
//!
//! The tables answer for positions whose last move was a capture or a pawn's, and that nobody can castle in: for these the
//! count of fifty moves begins here. Must not know: what is done with the answer.

use crate::rules::Position;
use crate::types::Color;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// No tables, or none that can be used.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    #[error("{path}: {source}")]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{0}: no Syzygy tables (*.rtbw) here")]
    None(PathBuf),
    /// It does not begin as one, or has not 16 bytes behind a whole number of blocks of 64.
    #[error("{0}: not a whole Syzygy table")]
    Torn(PathBuf),
    #[error("{0}: the path of tables must be UTF-8 without a colon")]
    Name(PathBuf),
    #[error("{path}: the tables cannot be used: {why}")]
    Unusable { path: PathBuf, why: String },
}

/// Opened tables.
pub struct Tablebases {
    tables: probing::Tables,
    men: u32,
}

impl std::fmt::Debug for Tablebases {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tablebases").field("men", &self.men).finish()
    }
}

/// The winner with best play of both, none of a draw (wins that the fifty-move rule spoils among them).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    pub winner: Option<Color>,
}

impl Tablebases {
    /// All tables of a folder.
    pub fn open(folder: &Path) -> Result<Tablebases, TablebaseError> {
        let unreadable = |source| TablebaseError::Unreadable { path: folder.to_owned(), source };
        let mut men = 0;
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            if entry.path().extension() == Some(OsStr::new("rtbw")) {
                // `KRPvKR`: a letter for each man.
                let name = entry.file_name();
                men = men.max(
                    name.to_string_lossy().bytes().take_while(|&b| b != b'.').filter(|&b| b != b'v').count(),
                );
                if !is_table(&entry.path()).map_err(unreadable)? {
                    return Err(TablebaseError::Torn(entry.path()));
                }
            }
        }
        if men == 0 {
            return Err(TablebaseError::None(folder.to_owned()));
        }
        let name = folder.to_str().filter(|name| !name.contains(':'));
        let name = name.ok_or_else(|| TablebaseError::Name(folder.to_owned()))?;
        let unusable = |why| TablebaseError::Unusable { path: folder.to_owned(), why };
        Ok(Tablebases { tables: probing::open(name).map_err(unusable)?, men: men as u32 })
    }

    /// Men of the largest table, kings among them.
    pub fn men(&self) -> u32 {
        self.men
    }

    /// None where the tables do not answer.
    pub fn probe(&self, position: &Position) -> Option<Value> {
        let is_asked = position.halfmove_clock() == 0
            && position.castling_rooks().is_empty()
            && position.occupied().count() <= self.men;
        if !is_asked {
            return None;
        }
        probing::winner(&self.tables, position)
    }
}

/// What a table of wins, draws and losses begins with.
const MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];

fn is_table(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let (mut begin, length) = ([0; 4], file.metadata()?.len());
    Ok(length % 64 == 16 && file.read_exact(&mut begin).is_ok() && begin == MAGIC)
}

/// By the crate.
#[cfg(any(target_arch = "x86_64", target_vendor = "apple", windows))]
mod probing {
    use super::Value;
    use crate::rules::Position;
    use crate::sliders::{DefaultSliders, Sliders, empty};
    use crate::types::{Bitboard, Color, Role, Square};
    use pyrrhic_rs::{EngineAdapter, TableBases, WdlProbeResult};

    pub type Tables = TableBases<Attacks>;

    pub fn open(folder: &str) -> Result<Tables, String> {
        TableBases::new(folder).map_err(|why| format!("{why:?}"))
    }

    pub fn winner(tables: &Tables, position: &Position) -> Option<Value> {
        let role = |role| position.by_role(role).0;
        let turn = position.turn();
        let result = tables.probe_wdl(
            position.by_color(Color::White).0,
            position.by_color(Color::Black).0,
            role(Role::King),
            role(Role::Queen),
            role(Role::Rook),
            role(Role::Bishop),
            role(Role::Knight),
            role(Role::Pawn),
            position.ep_square().map_or(0, |square| square.index() as u32),
            turn == Color::White,
        );
        let winner = match result.ok()? {
            WdlProbeResult::Win => Some(turn),
            WdlProbeResult::Loss => Some(!turn),
            WdlProbeResult::CursedWin | WdlProbeResult::Draw | WdlProbeResult::BlessedLoss => None,
        };
        Some(Value { winner })
    }

    /// Our attack sets, as the crate asks for them.
    #[derive(Clone)]
    pub struct Attacks;

    fn square(number: u64) -> Square {
        Square::at(number as u8 & 7, number as u8 >> 3 & 7)
    }

    impl EngineAdapter for Attacks {
        fn pawn_attacks(color: pyrrhic_rs::Color, from: u64) -> u64 {
            let color = if color == pyrrhic_rs::Color::White { Color::White } else { Color::Black };
            empty::pawn(color, square(from)).0
        }

        fn knight_attacks(from: u64) -> u64 {
            empty::knight(square(from)).0
        }

        fn bishop_attacks(from: u64, occupied: u64) -> u64 {
            DefaultSliders::new().bishop(square(from), Bitboard(occupied)).0
        }

        fn rook_attacks(from: u64, occupied: u64) -> u64 {
            DefaultSliders::new().rook(square(from), Bitboard(occupied)).0
        }

        fn queen_attacks(from: u64, occupied: u64) -> u64 {
            DefaultSliders::new().queen(square(from), Bitboard(occupied)).0
        }

        fn king_attacks(from: u64) -> u64 {
            empty::king(square(from)).0
        }
    }
}

/// The crate that reads them is not for this machine.
#[cfg(not(any(target_arch = "x86_64", target_vendor = "apple", windows)))]
mod probing {
    use super::Value;
    use crate::rules::Position;

    pub type Tables = ();

    pub fn open(_folder: &str) -> Result<Tables, String> {
        Err("Syzygy tables are not read in builds for this machine".to_owned())
    }

    pub fn winner(_tables: &Tables, _position: &Position) -> Option<Value> {
        None
    }
}
