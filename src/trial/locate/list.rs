//! An engine's list of root moves beside ours: which are missing, which are too many, which are counted wrongly. Names of
//! moves are read as leniently as they are printed. Must not know how the engine is asked.

use super::kind::{self, Kind};
use super::{Compared, Place};
use crate::notation::{fen, san, uci_move};
use crate::rules::Position;
use crate::types::{Move, Role, Square};

/// From, to and promotion of a move in coordinates.
type Coordinates = (Square, Square, Option<Role>);

/// Two lists of moves compared.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    pub listed: usize,
    pub missing: Vec<Move>,
    /// As written, with what it says in coordinates if that can be told.
    pub extra: Vec<(String, Option<Coordinates>)>,
    pub twice: Vec<Move>,
    /// Move, the engine's count, ours.
    pub wrong_counts: Vec<(Move, u64, u64)>,
}

impl Comparison {
    /// `ours`: every legal move and the count behind it.
    pub fn new(place: &Place, divide: &[(String, u64)], ours: &[(Move, u64)], depth: u32) -> Comparison {
        let position = &place.position;
        let mut compared = Comparison { listed: divide.len(), ..Comparison::default() };
        let mut seen: Vec<Move> = Vec::with_capacity(divide.len());
        for (name, theirs) in divide {
            let Some(mv) = read(name, position) else {
                compared.extra.push((name.clone(), coordinates(name, position)));
                continue;
            };
            if seen.contains(&mv) {
                compared.twice.push(mv);
                continue;
            }
            seen.push(mv);
            let count = ours.iter().find(|&&(other, _)| other == mv).map_or(0, |&(_, count)| count);
            // To depth 1 there is nothing to count; some engines print 0, some the whole list's number.
            if depth > 1 && *theirs != count {
                compared.wrong_counts.push((mv, *theirs, count));
            }
        }
        // Some tables leave out moves with nothing behind them.
        let is_left_out = |count: u64| depth > 1 && count == 0;
        compared.missing =
            ours.iter().filter(|(mv, n)| !seen.contains(mv) && !is_left_out(*n)).map(|&(mv, _)| mv).collect();
        compared
    }

    pub fn is_list_wrong(&self) -> bool {
        !(self.missing.is_empty() && self.extra.is_empty() && self.twice.is_empty())
    }

    pub fn kind(&self, place: &Place) -> Kind {
        let missing = self.missing.iter().map(|&mv| kind::of_missing(&place.position, mv, &self.missing));
        let extra = self.extra.iter().map(|(_, said)| match *said {
            Some((from, to, role)) => kind::of_extra(&place.position, place.passed, from, to, role),
            None => Kind::Unknown,
        });
        kind::together(missing.chain(extra).chain(self.twice.iter().map(|_| Kind::Duplicate)))
    }
}

/// The legal move that a name means, in whatever notation.
fn read(name: &str, position: &Position) -> Option<Move> {
    let lower = name.to_ascii_lowercase();
    let plain: String = lower.chars().filter(|c| !"-=+#".contains(*c)).collect();
    uci_move::parse(name, position)
        .or_else(|_| uci_move::parse(&plain, position))
        .or_else(|_| san::parse(name, position))
        .ok()
}

/// What an illegal move says in coordinates; SAN does not say where it comes from, so the pieces that could be meant are
/// looked through.
fn coordinates(name: &str, position: &Position) -> Option<Coordinates> {
    let plain: String = name.chars().filter(|c| !"-=+#x".contains(*c)).collect();
    if let Some(said) = split(&plain.to_ascii_lowercase()) {
        return Some(said);
    }
    let us = position.turn();
    let king = position.king(us);
    if matches!(plain.as_str(), "OO" | "OOO" | "00" | "000") {
        return Some((king, Square::at(if plain.len() == 2 { 6 } else { 2 }, king.rank()), None));
    }
    let (role, rest) = match plain.chars().next().filter(char::is_ascii_uppercase) {
        Some(letter) => (Role::from_letter(letter)?, plain.get(1..)?),
        None => (Role::Pawn, plain.as_str()),
    };
    let (rest, promotion) = match rest.chars().next_back().filter(char::is_ascii_alphabetic) {
        Some(letter) => (rest.get(..rest.len() - 1)?, Some(Role::from_letter(letter)?)),
        None => (rest, None),
    };
    let (hint, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
    let to: Square = to.parse().ok()?;
    let fits = |from: &Square| {
        let name = from.to_string();
        let straight = role != Role::Pawn || !hint.is_empty() || from.file() == to.file();
        hint.chars().all(|letter| name.contains(letter)) && straight
    };
    let pieces: Vec<Square> = position.pieces(us, role).into_iter().filter(fits).collect();
    match pieces[..] {
        [from] => Some((from, to, promotion)),
        _ => {
            // Several pieces: the one that could go there but for its king.
            let reaches = |from: &&Square| {
                position.attackers(to, position.occupied(), us).has(**from) && role != Role::Pawn
            };
            pieces.iter().find(reaches).map(|&from| (from, to, promotion))
        }
    }
}

fn split(text: &str) -> Option<Coordinates> {
    let (from, to) = (text.get(..2)?.parse().ok()?, text.get(2..4)?.parse().ok()?);
    let mut rest = text.get(4..)?.chars();
    let promotion = match (rest.next(), rest.next()) {
        (None, _) => None,
        (Some(letter), None) => Some(Role::from_letter(letter)?),
        _ => return None,
    };
    Some((from, to, promotion))
}

/// A FEN with the square that a pawn has just passed, also where no capture there is legal: a generator that takes there is
/// wrong only if it is told.
pub(super) fn fen_with_passed(position: &Position, passed: Option<Square>) -> String {
    let text = fen::format(position);
    let Some(square) = passed.filter(|_| position.ep_square().is_none()) else { return text };
    let them = !position.turn();
    let pawn = Square::at(square.file(), position.turn().pick(4, 3));
    let home = Square::at(square.file(), position.turn().pick(6, 1));
    let is_possible = position.pieces(them, Role::Pawn).has(pawn)
        && !position.occupied().has(square)
        && !position.occupied().has(home);
    if !is_possible {
        return text;
    }
    let mut fields: Vec<&str> = text.split(' ').collect();
    let square = square.to_string();
    if let Some(field) = fields.get_mut(3) {
        *field = &square;
    }
    fields.join(" ")
}

/// The moves that alone could be missing, given the engine's totals from depth 1 on. A depth at which none fits has other
/// moves missing further down, and does not count.
pub(super) fn candidates(moves: &[Move], answers: &[Compared]) -> Vec<Move> {
    let mut left = moves.to_vec();
    for (index, asked) in answers.iter().enumerate() {
        let short_by = asked.expected.checked_sub(asked.total());
        let fits =
            |mv: &Move| asked.ours.iter().any(|&(other, nodes)| other == *mv && Some(nodes) == short_by);
        let fitting: Vec<Move> = left.iter().copied().filter(fits).collect();
        if fitting.is_empty() {
            return if index > 0 { left } else { Vec::new() };
        }
        left = fitting;
    }
    left
}
