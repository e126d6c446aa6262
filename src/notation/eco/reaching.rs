//! From which named lines a position can be reached: the search behind the page's question how a position that many openings
//! transpose into is to be classified.

use super::{Eco, Named};
use crate::notation::uci_move;
use crate::rules::Position;
use crate::types::{Bitboard, Color, Move, MoveKind, Role, Square};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Positions whose moves are tried before the search gives up: somewhat more than the page's position, with its many ways to
/// it, needs for eight plies. Most need less than a tenth of it.
pub const MOST_NODES: u64 = 500_000;

/// What a search has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reaching {
    /// By code, the shortest way first.
    pub lines: Vec<Named>,
    /// Positions whose moves were tried.
    pub nodes: u64,
    /// False if the search gave up or was stopped: then other lines may lead there too.
    pub complete: bool,
}

impl Eco {
    /// Every named line after which `plies` further plies, or fewer, can lead to the position while the line remains the
    /// longest named one the game began with: the answers that classifying by order of moves can give. Lines with more plies
    /// to go are not found. Ends early after [`MOST_NODES`], or once `stop` is set.
    pub fn reaching(&self, position: &Position, plies: u32, stop: &AtomicBool) -> Reaching {
        let lines = self.lines();
        let sorted: Vec<&str> = self.by_moves.iter().map(|&index| lines[usize::from(index)].uci).collect();
        let failed = HashMap::new();
        let mut search =
            Search { target: position, eco: self, sorted, failed, stop, nodes: 0, complete: true };
        let mut found: Vec<Named> = Vec::new();
        for (named, start) in lines.iter().zip(self.positions()) {
            if search.is_worth_it(start, plies) && search.along(start, &mut named.uci.to_owned(), plies) {
                found.push(*named);
            }
        }
        found.sort_by_key(|named| (named.code, std::cmp::Reverse(named.plies())));
        Reaching { lines: found, nodes: search.nodes, complete: search.complete }
    }
}

struct Search<'a> {
    target: &'a Position,
    eco: &'a Eco,
    /// The moves of all lines, so that the beginning of one is found by halving.
    sorted: Vec<&'a str>,
    /// Key → with how many plies left it could not be done.
    failed: HashMap<u64, u32>,
    stop: &'a AtomicBool,
    nodes: u64,
    complete: bool,
}

impl Search<'_> {
    /// While the moves played are still the beginning of some line. Whoever calls this or `freely` has seen that it is worth it.
    fn along(&mut self, position: &Position, played: &mut String, left: u32) -> bool {
        if position.key() == self.target.key() {
            return true;
        }
        if self.gives_up() {
            return false;
        }
        let length = played.len();
        for (mv, next) in self.children(position, left) {
            played.truncate(length);
            played.push(' ');
            played.push_str(&uci_move::format(mv, false));
            // A longer named line would classify the game from here on.
            if self.eco.of_moves(played).is_some() {
                continue;
            }
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
        if self.failed.get(&key).is_some_and(|&plies| plies >= left) || self.gives_up() {
            return false;
        }
        for (_, next) in self.children(position, left) {
            if self.freely(&next, left - 1) {
                return true;
            }
        }
        // Once the search has given up, nothing that it does not find means anything.
        self.failed.insert(key, left);
        false
    }

    /// The moves that leave a way to the target.
    fn children(&self, position: &Position, left: u32) -> Vec<(Move, Position)> {
        let us = position.turn();
        let may_take = self.lost(position, !us) > 0;
        let steps = Role::ALL.map(|role| self.steps(position.pieces(us, role), us, role));
        let missing: u32 = steps.iter().sum();
        let (gained, spent) = self.castling(position, us);
        let moves = self.usable(position, left).div_ceil(2);
        let may_lead = |mv: &&Move| {
            let (from, to) = (mv.from(), mv.to());
            let Some(role) = position.role_at(from) else { return false };
            if !may_take && position.is_capture(**mv) {
                return false;
            }
            // Rights are as they were, so one kind of men is all that changes, and most moves need not be played to be refused.
            if mv.kind() != MoveKind::Normal || role == Role::King || position.castling_rooks().has(from) {
                return true;
            }
            let men = (position.pieces(us, role) - Bitboard::from(from)).with(to);
            let missing = missing - steps[role.index()] + self.steps(men, us, role);
            missing + spent < moves + gained
        };
        let moves = position.legal_moves();
        let played = moves.iter().filter(may_lead).map(|&mv| {
            let mut next = *position;
            next.play_unchecked(mv);
            (mv, next)
        });
        played.filter(|(_, next)| self.is_worth_it(next, left - 1)).collect()
    }

    fn is_worth_it(&self, position: &Position, left: u32) -> bool {
        position.key() == self.target.key() || self.is_near(position, left)
    }

    /// Counts a position whose moves are to be tried, unless there have been enough.
    fn gives_up(&mut self) -> bool {
        self.complete &= self.nodes < MOST_NODES && !self.stop.load(Ordering::Relaxed);
        self.nodes += u64::from(self.complete);
        !self.complete
    }

    fn is_beginning(&self, played: &str) -> bool {
        let place = self.sorted.partition_point(|&line| line < played);
        let after = self.sorted.get(place).and_then(|line| line.strip_prefix(played));
        after.is_some_and(|rest| rest.starts_with(' '))
    }

    /// At least so many moves bring men of this kind from `here` to where the target has them: each from the nearest square on which it
    /// has none. Two men may be taken for one, so this is never too many.
    fn steps(&self, here: Bitboard, color: Color, role: Role) -> u32 {
        let there = self.target.pieces(color, role);
        let nearest = |to: Square| {
            (here & !there).into_iter().map(|from| distance(role, color, from, to)).min().unwrap_or(FAR)
        };
        // A rook or a king may get there by castling, or have to come back: `castling` allows for that.
        (there & !here).into_iter().map(nearest).fold(0, u32::saturating_add)
    }

    /// The side to move alternates, so half of the numbers of plies cannot be.
    fn usable(&self, position: &Position, left: u32) -> u32 {
        left - left.min((left + u32::from(position.turn() != self.target.turn())) % 2)
    }

    /// False if there are certainly too few plies left: a move sets one man on a square (castling two), and takes one at most.
    fn is_near(&self, position: &Position, left: u32) -> bool {
        let target = self.target;
        let left = self.usable(position, left);
        if left == 0 || !(target.castling_rooks() & !position.castling_rooks()).is_empty() {
            return false;
        }
        Color::ALL.into_iter().all(|color| {
            let moves = if color == position.turn() { left.div_ceil(2) } else { left / 2 };
            // First what is quickly seen: every move sets one man where he is to be, castling two.
            let mut unfilled = 0;
            for role in Role::ALL {
                let (here, there) = (position.pieces(color, role), target.pieces(color, role));
                unfilled += (there - here).count();
                // Men do not come back, and none is promoted.
                if here.count() < there.count() {
                    return false;
                }
            }
            let lost = self.lost(position, color);
            if unfilled > moves + 1 || lost > left - moves {
                return false;
            }
            let steps = |role| self.steps(position.pieces(color, role), color, role);
            let missing: u32 = Role::ALL.into_iter().map(steps).fold(0, u32::saturating_add);
            let (gained, spent) = self.castling(position, color);
            missing + spent <= moves + gained
                && self.pawn_captures(position, color) <= self.lost(position, !color)
        })
    }

    /// How many men the side has still to lose.
    fn lost(&self, position: &Position, color: Color) -> u32 {
        position.by_color(color).count().saturating_sub(self.target.by_color(color).count())
    }

    /// At least so many captures bring the pawns to their files.
    fn pawn_captures(&self, position: &Position, color: Color) -> u32 {
        let pawns = position.pieces(color, Role::Pawn);
        let target = self.target.pieces(color, Role::Pawn);
        let files = |to: Square| {
            let reach = (pawns - target)
                .into_iter()
                .filter(|&from| distance(Role::Pawn, color, from, to) < FAR)
                .map(|from| u32::from(from.file().abs_diff(to.file())));
            reach.min().unwrap_or(FAR)
        };
        (target - pawns).into_iter().map(files).fold(0, u32::saturating_add)
    }

    /// What the rights that this side has yet to lose change in the number of moves: (at most so many fewer, at least so many
    /// more) than `steps` says.
    fn castling(&self, position: &Position, color: Color) -> (u32, u32) {
        let back_rank = Bitboard::back_rank(color);
        let kept = self.target.castling_rooks();
        let losing = (position.castling_rooks() - kept) & back_rank;
        if losing.is_empty() {
            return (0, 0);
        }
        if position.king(color) != self.target.king(color) {
            // Castling is one move for what counts as three: king two, rook one.
            return (2, 0);
        }
        let rooks = position.pieces(color, Role::Rook);
        let is_home_again = (losing & self.target.pieces(color, Role::Rook)).any();
        let could_be_another = !(rooks - losing - kept).is_empty();
        // Either the king has gone and come back (had he castled, for longer), or the rook has: a rook from the other corner
        // would have to go round the king. One that stands elsewhere may come and cost nothing more.
        (0, if is_home_again && !could_be_another { 2 } else { 0 })
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
