//! A book that is accepted gives legal moves or names the entry that has none. Random bytes hit no key, so the same bytes are
//! read a second time with the keys of positions that its own moves lead to.

use gauntlet::notation::polyglot::{self, Book, BookError};
use gauntlet::rules::Position;
use gauntlet::types::Square;

const ENTRY_BYTES: usize = 16;

pub fn check(data: &[u8]) {
    if data.len() > super::LONGEST {
        return;
    }
    let start = Position::startpos();
    if let Ok(book) = Book::read(data) {
        assert!(!book.is_empty() && book.len() <= data.len() / ENTRY_BYTES);
        moves(&book, data, &start, None);
    }
    let mut reached = vec![(start, None)];
    let mut entries: Vec<[u8; ENTRY_BYTES]> = Vec::new();
    for entry in data.as_chunks::<ENTRY_BYTES>().0 {
        let (position, passed) = reached[usize::from(entry[0]) % reached.len()];
        let mut entry = *entry;
        entry[..8].copy_from_slice(&polyglot::key_passed(&position, passed).to_be_bytes());
        entries.push(entry);
        let alone = Book::read(&entry).expect("one entry");
        for book in moves(&alone, &entry, &position, passed) {
            let mut next = position;
            next.play_unchecked(book);
            reached.push((next, position.passed_square(book)));
        }
    }
    entries.sort_by_key(|entry| entry[..8].to_vec());
    let bytes = entries.concat();
    let Ok(book) = Book::read(&bytes) else { return assert!(bytes.is_empty()) };
    for (position, passed) in &reached {
        moves(&book, &bytes, position, *passed);
    }
}

/// The moves of a position, each looked at.
fn moves(
    book: &Book,
    data: &[u8],
    position: &Position,
    passed: Option<Square>,
) -> Vec<gauntlet::types::Move> {
    let found = match book.moves(position, passed) {
        Ok(found) => found,
        Err(BookError::Illegal { entry, mv }) => {
            assert!(entry >= 1 && entry * ENTRY_BYTES <= data.len() && !mv.is_empty());
            return Vec::new();
        }
        Err(error) => panic!("{error}: not an error of one position"),
    };
    let legal = position.legal_moves();
    let mut seen = 0;
    for book in &found {
        assert!(legal.contains(&book.mv), "entry {}", book.entry);
        let weight = &data[book.entry * ENTRY_BYTES - 6..][..2];
        assert_eq!(book.weight.to_be_bytes(), weight, "entry {}", book.entry);
        if book.weight > 0 {
            assert_eq!(polyglot::pick(&found, seen), Some(book.mv));
        }
        seen += u64::from(book.weight);
    }
    assert_eq!(polyglot::total_weight(&found), seen);
    assert_eq!(polyglot::pick(&found, seen), None);
    found.into_iter().map(|book| book.mv).collect()
}
