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
use std::collections::HashMap;
use std::sync::LazyLock;

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

/// The table, ready for questions.
#[derive(Debug)]
pub struct Eco {
    lines: Vec<Named>,
    /// Where each line ends.
    positions: Vec<Position>,
    /// Key of the last position of a line → its index. No two lines end in one position.
    by_position: HashMap<u64, usize>,
    /// Moves in UCI form → index.
    by_moves: HashMap<&'static str, usize>,
    /// Of the longest line.
    most_plies: usize,
    /// Of the emptiest named position.
    fewest_men: u32,
}

/// The shipped table; read at its first use.
pub fn table() -> &'static Eco {
    &ECO
}

impl Eco {
    /// A line that cannot be read is left out; a test sees to it that none is.
    fn read(text: &'static str) -> Eco {
        let mut eco = Eco {
            lines: Vec::new(),
            positions: Vec::new(),
            by_position: HashMap::new(),
            by_moves: HashMap::new(),
            most_plies: 0,
            fewest_men: 32,
        };
        for line in text.lines().skip(1) {
            let mut fields = line.split('\t');
            let mut field = || fields.next();
            let (Some(code), Some(name), Some(_), Some(uci), Some(epd)) =
                (field(), field(), field(), field(), field())
            else {
                continue;
            };
            if let Ok(position) = fen::parse(epd, CastlingMode::Standard) {
                let index = eco.lines.len();
                let named = Named { code, name, uci, epd };
                eco.most_plies = eco.most_plies.max(named.plies());
                eco.fewest_men = eco.fewest_men.min(position.occupied().count());
                eco.lines.push(named);
                eco.positions.push(position);
                eco.by_position.insert(position.key(), index);
                eco.by_moves.insert(uci, index);
            }
        }
        eco
    }

    /// All named lines in the order of the table.
    pub fn lines(&self) -> &[Named] {
        &self.lines
    }

    /// The line that ends in this position.
    pub fn at(&self, position: &Position) -> Option<Named> {
        self.by_position.get(&position.key()).map(|&index| self.lines[index])
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
            found = self.by_moves.get(played.as_str()).copied().or(found);
        }
        found.map(|index| self.lines[index])
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
