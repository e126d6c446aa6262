//! From which named lines a position can be reached: the search behind the page's question how a position that many openings
//! transpose into is to be classified.

use super::{Eco, Named};
use crate::notation::uci_move;
use crate::rules::Position;
use crate::types::{Color, Role, Square};
use std::collections::HashMap;

impl Eco {
    /// Every named line after which `plies` further plies, or fewer, can lead to the position while the line remains the
    /// longest named one the game began with: the answers that classifying by order of moves can give. Sorted by code, the
    /// shortest way first. Lines with more plies to go are not found.
    pub fn reaching(&self, position: &Position, plies: u32) -> Vec<Named> {
        let mut sorted: Vec<&str> = self.by_moves.keys().copied().collect();
        sorted.sort_unstable();
        let mut search = Search { target: position, eco: self, sorted, failed: HashMap::new() };
        let mut found: Vec<Named> = Vec::new();
        for (named, start) in self.lines.iter().zip(&self.positions) {
            if search.along(start, &mut named.uci.to_owned(), plies) {
                found.push(*named);
            }
        }
        found.sort_by_key(|named| (named.code, std::cmp::Reverse(named.plies())));
        found
    }
}

struct Search<'a> {
    target: &'a Position,
    eco: &'a Eco,
    /// The moves of all lines, so that the beginning of one is found by halving.
    sorted: Vec<&'a str>,
    /// Key → with how many plies left it could not be done.
    failed: HashMap<u64, u32>,
}

impl Search<'_> {
    /// While the moves played are still the beginning of some line.
    fn along(&mut self, position: &Position, played: &mut String, left: u32) -> bool {
        if position.key() == self.target.key() {
            return true;
        }
        if !self.is_near(position, left) {
            return false;
        }
        let length = played.len();
        for &mv in position.legal_moves().iter() {
            played.truncate(length);
            played.push(' ');
            played.push_str(&uci_move::format(mv, position, false));
            // A longer named line would classify the game from here on.
            if self.eco.by_moves.contains_key(played.as_str()) {
                continue;
            }
            let mut next = *position;
            next.play_unchecked(mv);
            let found = if self.is_beginning(played) {
                self.along(&next, played, left - 1)
            } else {
                self.freely(&next, left - 1)
            };
            if found {
                return true;
            }
        }
        false
    }

    /// Where no line goes any more: only the position matters.
    fn freely(&mut self, position: &Position, left: u32) -> bool {
        let key = position.key();
        if key == self.target.key() {
            return true;
        }
        if !self.is_near(position, left) || self.failed.get(&key).is_some_and(|&plies| plies >= left) {
            return false;
        }
        for &mv in position.legal_moves().iter() {
            let mut next = *position;
            next.play_unchecked(mv);
            if self.freely(&next, left - 1) {
                return true;
            }
        }
        self.failed.insert(key, left);
        false
    }

    fn is_beginning(&self, played: &str) -> bool {
        let place = self.sorted.partition_point(|&line| line < played);
        let after = self.sorted.get(place).and_then(|line| line.strip_prefix(played));
        after.is_some_and(|rest| rest.starts_with(' '))
    }

    /// At least so many moves bring men of this kind to where the target has them: each from the nearest square on which it
    /// has none. Two men may be taken for one, so this is never too many.
    fn steps(&self, position: &Position, color: Color, role: Role) -> u32 {
        let (here, there) = (position.pieces(color, role), self.target.pieces(color, role));
        let nearest = |to: Square| {
            (here & !there).into_iter().map(|from| distance(role, color, from, to)).min().unwrap_or(FAR)
        };
        // A rook or a king may get there by castling: that is allowed for by the caller.
        (there & !here).into_iter().map(nearest).fold(0, u32::saturating_add)
    }

    /// False if there are certainly too few plies left: a move sets one man on a square (castling two), and takes one at most.
    fn is_near(&self, position: &Position, left: u32) -> bool {
        let target = self.target;
        // The side to move alternates, so half of the numbers of plies cannot be.
        let left = left - (left + u32::from(position.turn() != target.turn())) % 2;
        if left == 0 || !(target.castling_rooks() & !position.castling_rooks()).is_empty() {
            return false;
        }
        Color::ALL.into_iter().all(|color| {
            let moves = if color == position.turn() { left.div_ceil(2) } else { left / 2 };
            let missing: u32 = Role::ALL.into_iter().map(|role| self.steps(position, color, role)).sum();
            let back_rank = color.pick(0, 7);
            let castles = (position.castling_rooks() & !target.castling_rooks())
                .into_iter()
                .any(|rook| rook.rank() == back_rank);
            // Castling is one move for what counts as three: king two, rook one.
            let castling = if castles { 2 } else { 0 };
            let lost = position.by_color(color).count().checked_sub(target.by_color(color).count());
            missing <= moves + castling && lost.is_some_and(|lost| lost <= left - moves)
        })
    }
}

/// More moves than any search has left.
const FAR: u32 = 1000;

/// The fewest moves of a man on an empty board, or fewer; no promotions, which no opening needs.
fn distance(role: Role, color: Color, from: Square, to: Square) -> u32 {
    let (files, ranks) = (from.file().abs_diff(to.file()), from.rank().abs_diff(to.rank()));
    let moves = match role {
        Role::Pawn => {
            let (start, forward) = color.pick((1, to.rank() > from.rank()), (6, to.rank() < from.rank()));
            if !forward || files > ranks {
                return FAR;
            }
            // A double step saves one move, unless all of them are captures.
            let saved = u8::from(from.rank() == start && ranks > files && ranks > 1);
            ranks - saved
        }
        Role::Knight => match (files.max(ranks), files.min(ranks)) {
            (2, 1) => 1,
            (longer, shorter) if (longer + shorter) % 2 == 1 => 3.max(longer.div_ceil(2)),
            (longer, _) => 2.max(longer.div_ceil(2)),
        },
        Role::Bishop if (files + ranks) % 2 == 1 => return FAR,
        Role::Bishop => {
            if files == ranks {
                1
            } else {
                2
            }
        }
        Role::Rook => {
            if files == 0 || ranks == 0 {
                1
            } else {
                2
            }
        }
        Role::Queen => {
            if files == 0 || ranks == 0 || files == ranks {
                1
            } else {
                2
            }
        }
        Role::King => files.max(ranks),
    };
    u32::from(moves)
}
