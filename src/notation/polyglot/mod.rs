//! Polyglot opening books: the key of a position, and the moves that a book has for it. Bytes in, moves out; no files.
//! Source: the format's description by Michel Van den Bergh ("Polyglot book format"), and page "Opening Book" of the seed
//! documents. A book is a list of 16-byte entries in big-endian order: key, move, weight, learn; sorted by key.

mod random;

use super::uci_move;
use crate::rules::Position;
use crate::types::{Color, Move, Role, Square};
use random::RANDOM;

const ENTRY_BYTES: usize = 16;
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

/// Entries of key 0 that hold text about the book instead of a move begin with this.
const HEADER: &[u8; 4] = b"@PG@";

/// The Polyglot key of a position as it stands. Its en-passant file counts only where a capture is legal; after a move, when
/// a pinned pawn may stand beside the pawn that passed, [`key_passed`] knows more.
pub fn key(position: &Position) -> u64 {
    key_passed(position, position.ep_square())
}

/// The Polyglot key when a pawn has just passed this square by a double step ([`Position::passed_square`]): the format asks
/// whether a pawn stands beside it, not whether its capture is legal.
pub fn key_passed(position: &Position, passed: Option<Square>) -> u64 {
    let mut key = 0;
    for square in position.occupied() {
        if let Some(piece) = position.piece_at(square) {
            let kind = 2 * piece.role.index() + usize::from(piece.color.is_white());
            key ^= RANDOM[64 * kind + square.index()];
        }
    }
    for rook in position.castling_rooks() {
        let color = if rook.rank() == 0 { Color::White } else { Color::Black };
        let long = rook.file() < position.king(color).file();
        key ^= RANDOM[CASTLING + 2 * color.index() + usize::from(long)];
    }
    if let Some(passed) = passed {
        let rank = position.turn().pick(4, 3);
        let beside = |square: &Square| square.rank() == rank && square.file().abs_diff(passed.file()) == 1;
        if position.pieces(position.turn(), Role::Pawn).into_iter().any(|square| beside(&square)) {
            key ^= RANDOM[EN_PASSANT + usize::from(passed.file())];
        }
    }
    if position.turn().is_white() {
        key ^= RANDOM[WHITE_TO_MOVE];
    }
    key
}

/// What is wrong with a book. Entries are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BookError {
    #[error("no entries in it")]
    Empty,
    #[error("{0} bytes: not a whole number of 16-byte entries; entry {entry} is cut off", entry = .0 / ENTRY_BYTES + 1)]
    CutOff(usize),
    #[error("entry {0}: its key is smaller than the one before: the book is not sorted")]
    Unsorted(usize),
    /// The move in squares, or its 16 bits where they name none.
    #[error("entry {entry}: {mv} is not a legal move in its position")]
    Illegal { entry: usize, mv: String },
    #[error("entry {0}: no move of its position has a weight above 0")]
    NoWeight(usize),
}

/// One entry as the file has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entry {
    key: u64,
    mv: u16,
    weight: u16,
}

/// A move of the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    pub mv: Move,
    /// How often it is to be played, relative to the other moves of the position; 0 is never.
    pub weight: u16,
    /// Its place in the file, from 1.
    pub entry: usize,
}

/// A book in memory.
#[derive(Clone, Debug)]
pub struct Book {
    entries: Vec<Entry>,
    /// Entries in front of these: the text of a header.
    skipped: usize,
}

impl Book {
    /// Reads the bytes of a book.
    ///
    /// # Errors
    /// If it is empty, cut off within an entry, or not sorted.
    pub fn read(bytes: &[u8]) -> Result<Book, BookError> {
        let (whole, rest) = bytes.as_chunks::<ENTRY_BYTES>();
        if !rest.is_empty() {
            return Err(BookError::CutOff(bytes.len()));
        }
        let mut entries: Vec<Entry> = whole.iter().map(Entry::read).collect();
        let has_header = whole.first().is_some_and(|first| first[..8] == [0; 8] && first[8..12] == *HEADER);
        let skipped = if has_header { entries.iter().take_while(|entry| entry.key == 0).count() } else { 0 };
        entries.drain(..skipped);
        if entries.is_empty() {
            return Err(BookError::Empty);
        }
        match entries.windows(2).position(|pair| pair[0].key > pair[1].key) {
            // The second one of the pair, counted from 1.
            Some(index) => Err(BookError::Unsorted(skipped + index + 2)),
            None => Ok(Book { entries, skipped }),
        }
    }

    /// How many entries hold moves.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Never: a book without entries cannot be read.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The moves for a position in the order of the file; none if the book does not know it. `passed` as in [`key_passed`].
    ///
    /// # Errors
    /// If an entry's move is not legal.
    pub fn moves(&self, position: &Position, passed: Option<Square>) -> Result<Vec<BookMove>, BookError> {
        let key = key_passed(position, passed);
        let first = self.entries.partition_point(|entry| entry.key < key);
        let found = self.entries[first..].iter().take_while(|entry| entry.key == key).enumerate();
        found
            .map(|(index, entry)| {
                let place = self.skipped + first + index + 1;
                let mv = entry.find(position).map_err(|mv| BookError::Illegal { entry: place, mv })?;
                Ok(BookMove { mv, weight: entry.weight, entry: place })
            })
            .collect()
    }
}

impl Entry {
    fn read(bytes: &[u8; ENTRY_BYTES]) -> Entry {
        let number = |range: std::ops::Range<usize>| {
            bytes[range].iter().fold(0_u64, |number, &byte| number << 8 | u64::from(byte))
        };
        Entry { key: number(0..8), mv: number(8..10) as u16, weight: number(10..12) as u16 }
    }

    /// The legal move meant: castling is king takes rook (the king's walk is understood, too). Otherwise what the 16 bits say.
    fn find(self, position: &Position) -> Result<Move, String> {
        let square =
            |shift: u32| Square::at((self.mv >> shift & 7) as u8, (self.mv >> (shift + 3) & 7) as u8);
        let (to, from) = (square(0), square(6));
        let promotion = match self.mv >> 12 {
            0 => None,
            1 => Some(Role::Knight),
            2 => Some(Role::Bishop),
            3 => Some(Role::Rook),
            4 => Some(Role::Queen),
            _ => return Err(format!("{:#06x}", self.mv)),
        };
        let letter = promotion.map_or_else(String::new, |role| role.letter().to_string());
        let text = format!("{from}{to}{letter}");
        uci_move::find(position, from, to, promotion, &text).map_err(|_| text)
    }
}

/// All weights together: what a number for [`pick`] is drawn below.
pub fn total_weight(moves: &[BookMove]) -> u64 {
    moves.iter().map(|book| u64::from(book.weight)).sum()
}

/// The move on which a number from `0..total_weight` falls, each as often as its weight says; `None` beyond.
pub fn pick(moves: &[BookMove], mut number: u64) -> Option<Move> {
    for book in moves {
        match number.checked_sub(u64::from(book.weight)) {
            Some(rest) => number = rest,
            None => return Some(book.mv),
        }
    }
    None
}
