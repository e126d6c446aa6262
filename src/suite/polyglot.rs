//! Openings out of a Polyglot book: lines from the initial position, each move one that the book has there. Every line is made
//! before the first game, so that pair *i* has the same opening whoever plays it.

use super::{Book, Opening, SuiteError, read, unnamed};
use crate::notation::polyglot::{self, BookError, BookMove};
use crate::rules::Position;
use crate::stats::SplitMix64;
use crate::types::{Move, Square};
use std::collections::HashSet;

/// More lines than this are not made; a longer match begins with the first one again.
pub const MOST_LINES: usize = 10_000;

/// Where a line ends if nothing else ends it.
pub const MOST_PLIES: u32 = 60;

/// A book that leads to more positions than this on its way to the lines is not walked to its end.
const MOST_STEPS: usize = 2_000_000;

/// How lines are taken from the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Take {
    /// All lines with different end positions, in the order of the book's entries. Moves may lead back to where they came from
    /// (a line then ends at its last ply): a position is followed once for each number of plies played.
    All,
    /// Moves drawn as their weights say; lines with different end positions, while the book has them.
    Drawn { seed: u64 },
    /// Moves drawn as their weights say; a line may come again.
    Repeating { seed: u64 },
}

/// At most `lines` lines of a book, each of `plies` plies or as long as the book has moves of a weight above 0.
///
/// # Errors
/// If the file cannot be read or is no sorted book, if a move on the way is not legal, or if no move may be played from the
/// initial position.
pub fn polyglot_openings(name: &str, take: Take, plies: u32, lines: usize) -> Result<Book, SuiteError> {
    let bad = |error: BookError| SuiteError::file(name, error);
    let book = polyglot::Book::read(&read(name)?).map_err(bad)?;
    let mut walk = Walk {
        book: &book,
        plies: plies.min(MOST_PLIES) as usize,
        lines: lines.clamp(1, MOST_LINES),
        ends: HashSet::new(),
        seen: HashSet::new(),
        found: Vec::new(),
    };
    let start = Position::startpos();
    let first = book.moves(&start, None).map_err(bad)?;
    let Some(entry) = first.first() else {
        return Err(SuiteError::file(name, "the initial position is not in the book"));
    };
    if polyglot::total_weight(&first) == 0 {
        return Err(bad(BookError::NoWeight(entry.entry)));
    }
    let (seed, again) = match take {
        Take::All => (None, false),
        Take::Drawn { seed } => (Some(seed), false),
        Take::Repeating { seed } => (Some(seed), true),
    };
    match seed {
        None => walk.all(&start, None, &mut Vec::new()),
        Some(seed) => walk.drawn(seed, again),
    }
    .map_err(bad)?;
    let opening = |(index, moves): (usize, Vec<Move>)| Opening {
        name: unnamed(name, index + 1),
        number: index + 1,
        start,
        moves,
        chess960: false,
    };
    let found = std::mem::take(&mut walk.found);
    let openings: Vec<Opening> = found.into_iter().enumerate().map(opening).collect();
    if openings.is_empty() {
        return Err(SuiteError::file(name, "every line of the book ends a game"));
    }
    let cut = format!("{name}: the lines of the book are only those of its first {MOST_STEPS} positions");
    let warnings = if walk.seen.len() >= MOST_STEPS { vec![cut] } else { Vec::new() };
    Ok(Book { openings, warnings })
}

struct Walk<'a> {
    book: &'a polyglot::Book,
    plies: usize,
    lines: usize,
    /// Keys of the positions where lines end.
    ends: HashSet<u64>,
    /// (key, plies played): what follows there has been walked, and would end in the same positions again.
    seen: HashSet<(u64, usize)>,
    found: Vec<Vec<Move>>,
}

impl Walk<'_> {
    fn playable(&self, position: &Position, passed: Option<Square>) -> Result<Vec<BookMove>, BookError> {
        let mut moves = self.book.moves(position, passed)?;
        moves.retain(|book| book.weight > 0);
        Ok(moves)
    }

    /// Notes a line unless the game is over at its end, or another line has ended there.
    fn end(&mut self, position: &Position, moves: &[Move], again: bool) -> bool {
        let usable = position.has_legal_move() && (self.ends.insert(position.key()) || again);
        if usable {
            self.found.push(moves.to_vec());
        }
        usable
    }

    fn all(
        &mut self,
        position: &Position,
        passed: Option<Square>,
        played: &mut Vec<Move>,
    ) -> Result<(), BookError> {
        let key = polyglot::key_passed(position, passed);
        if self.seen.len() >= MOST_STEPS || !self.seen.insert((key, played.len())) {
            return Ok(());
        }
        let moves = if played.len() < self.plies { self.playable(position, passed)? } else { Vec::new() };
        if moves.is_empty() {
            self.end(position, played, false);
            return Ok(());
        }
        for BookMove { mv, .. } in moves {
            if self.found.len() >= self.lines {
                break;
            }
            let mut next = *position;
            next.play_unchecked(mv);
            played.push(mv);
            self.all(&next, position.passed_square(mv), played)?;
            played.pop();
        }
        Ok(())
    }

    fn drawn(&mut self, seed: u64, again: bool) -> Result<(), BookError> {
        let mut random = SplitMix64::new(seed);
        // A book with fewer lines than asked for is noticed by drawing what is known again and again.
        let mut in_vain = 0;
        while self.found.len() < self.lines && in_vain < 200 + self.found.len() {
            let (mut position, mut passed, mut played) = (Position::startpos(), None, Vec::new());
            while played.len() < self.plies {
                let moves = self.playable(&position, passed)?;
                let number = random.below(polyglot::total_weight(&moves));
                let Some(mv) = polyglot::pick(&moves, number) else { break };
                passed = position.passed_square(mv);
                position.play_unchecked(mv);
                played.push(mv);
            }
            in_vain = if self.end(&position, &played, again) { 0 } else { in_vain + 1 };
        }
        Ok(())
    }
}
