//! The codes of the Encyclopaedia of Chess Openings, A00 to E99: what opening a game is, by its positions and by the order of
//! its moves. Source: page "ECO" of the seed documents; the named lines are those of `suites/openings/eco.tsv`, which
//! is compiled in as a table of constants: what a code means is part of the notation and no file is opened for it.
//!
//! By position, the last named position of the game decides, whatever the way there (a transposition is found). By order of
//! moves, the longest named line that the game begins with decides. The page shows why no rule suits everybody: see
//! [`Eco::reaching`].

mod reaching;

pub use reaching::{MOST_NODES, Reaching};

use super::fen::{self, CastlingMode};
use super::uci_move;
use crate::rules::Position;
use crate::types::Move;
use std::sync::{LazyLock, OnceLock};

/// Named lines: `eco, name, pgn, uci, epd`, separated by tabs, one header line.
const TABLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/suites/openings/eco.tsv"));

static ECO: LazyLock<Eco> = LazyLock::new(|| Eco::read(TABLE));

/// A named line of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Named {
    /// `A00` to `E99`.
    pub code: &'static str,
    pub name: &'static str,
    /// The moves from the initial position in UCI form, separated by blanks.
    pub uci: &'static str,
    /// Where they lead: board, side to move, castling, en passant.
    pub epd: &'static str,
}

impl Named {
    /// A row of the table; `None` if it has too few fields.
    fn of(row: &'static str) -> Option<Named> {
        let mut fields = row.split('\t');
        let (code, name, _, uci, epd) =
            (fields.next()?, fields.next()?, fields.next()?, fields.next()?, fields.next()?);
        Some(Named { code, name, uci, epd })
    }

    pub fn plies(&self) -> usize {
        self.uci.split(' ').count()
    }
}

/// What the table says of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Classified {
    /// The last named position.
    pub by_position: Named,
    /// After how many plies of the game it stood on the board.
    pub plies: usize,
    /// The longest named line that the game begins with; `None` if the game did not begin at the initial position.
    pub by_moves: Option<Named>,
}

/// The table, ready for questions. Sorted lists of what is asked for at every game; the rest is made when it is first
/// needed, as most runs never do.
#[derive(Debug)]
pub struct Eco {
    /// The readable rows of the table.
    rows: Vec<&'static str>,
    lines: OnceLock<Vec<Named>>,
    /// Where each line ends.
    positions: OnceLock<Vec<Position>>,
    /// Key of the last position of a line, and its index. No two lines end in one position.
    by_position: Vec<(u64, u16)>,
    /// Indices in the order of the lines' moves in UCI form.
    by_moves: Vec<u16>,
    /// Of the longest line.
    most_plies: usize,
    /// Of the emptiest named position.
    fewest_men: u32,
}

/// The shipped table; read at its first use.
pub fn table() -> &'static Eco {
    &ECO
}

/// The moves of a row.
fn uci_of(row: &str) -> &str {
    row.split('\t').nth(3).unwrap_or_default()
}

impl Eco {
    /// A line that cannot be read is left out; a test sees to it that none is.
    fn read(text: &'static str) -> Eco {
        let mut eco = Eco {
            rows: Vec::new(),
            lines: OnceLock::new(),
            positions: OnceLock::new(),
            by_position: Vec::new(),
            by_moves: Vec::new(),
            most_plies: 0,
            fewest_men: 32,
        };
        // More lines than a u16 counts are more than the codes can tell apart.
        for row in text.lines().skip(1).take(usize::from(u16::MAX)) {
            let Some(named) = Named::of(row) else { continue };
            if let Ok(position) = fen::parse(named.epd, CastlingMode::Standard) {
                let index = eco.rows.len() as u16;
                eco.most_plies = eco.most_plies.max(named.plies());
                eco.fewest_men = eco.fewest_men.min(position.occupied().count());
                eco.rows.push(row);
                eco.by_position.push((position.key(), index));
                eco.by_moves.push(index);
            }
        }
        eco.by_position.sort_unstable();
        let rows = &eco.rows;
        eco.by_moves.sort_unstable_by_key(|&index| uci_of(rows[usize::from(index)]));
        eco
    }

    /// All named lines in the order of the table.
    pub fn lines(&self) -> &[Named] {
        self.lines.get_or_init(|| self.rows.iter().filter_map(|row| Named::of(row)).collect())
    }

    /// Where each of them ends.
    fn positions(&self) -> &[Position] {
        self.positions.get_or_init(|| {
            let end = |named: &Named| fen::parse(named.epd, CastlingMode::Standard).ok();
            self.lines().iter().filter_map(end).collect()
        })
    }

    /// The line that ends in this position.
    pub fn at(&self, position: &Position) -> Option<Named> {
        let key = position.key();
        let place = self.by_position.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        self.named(self.by_position[place].1)
    }

    fn named(&self, index: u16) -> Option<Named> {
        self.rows.get(usize::from(index)).and_then(|row| Named::of(row))
    }

    /// The line of exactly these moves in UCI form.
    fn of_moves(&self, uci: &str) -> Option<u16> {
        let moves = |index: &u16| uci_of(self.rows[usize::from(*index)]);
        let place = self.by_moves.binary_search_by_key(&uci, moves).ok()?;
        Some(self.by_moves[place])
    }

    /// The longest named line that these moves, from the initial position, begin with.
    pub fn by_moves(&self, moves: &[Move]) -> Option<Named> {
        let mut played = String::new();
        let mut found = None;
        for &mv in moves.iter().take(self.most_plies) {
            if !played.is_empty() {
                played.push(' ');
            }
            played.push_str(&uci_move::format(mv, false));
            found = self.of_moves(&played).or(found);
        }
        self.named(found?)
    }

    /// Both ways. `None` if no position of the game is named. The moves are played as long as they are legal.
    pub fn classify(&self, start: &Position, moves: &[Move]) -> Option<Classified> {
        let mut position = *start;
        let mut last = self.at(&position).map(|named| (named, 0));
        for (ply, &mv) in moves.iter().enumerate() {
            if position.play(mv).is_err() {
                break;
            }
            // Men do not come back.
            if position.occupied().count() < self.fewest_men {
                break;
            }
            last = self.at(&position).map(|named| (named, ply + 1)).or(last);
        }
        let (by_position, plies) = last?;
        let by_moves = if *start == Position::startpos() { self.by_moves(moves) } else { None };
        Some(Classified { by_position, plies, by_moves })
    }
}
