//! Perft by groups of moves: two plies above the leaves the replies to all quiet moves of a piece are counted at once.
//! The opponent's replies are counted a single time, as if nothing had moved. A quiet move changes that number only by
//! what it touches: slider moves and pawn pushes that its target blocks, pawn captures that its target offers. A move
//! that could touch more (check, pin, a square the king may want, castling, a line that it opens) goes the normal way,
//! and so do captures.
//!
//! Another algorithm than perft by its definition: it does not look at each position above the leaves. [`perft`](super::perft)
//! never uses it. Idea: bulk counting, known in the field, carried one ply further.

use super::{Below, Horizon, Visit, count_from};
use crate::rules::board::{Board, Mover, PieceSet, Side};
use crate::rules::movegen::{Masks, MoveSink, Targets, generate_masked, generate_told, pawn_attacks};
use crate::rules::position::Position;
use crate::rules::zone::Zone;
use crate::sliders::{Sliders, empty};
use crate::types::{Bitboard, Square};
use std::marker::PhantomData;

/// Leaf count at this depth, in groups at the last two plies. Equal to [`perft`](super::perft) at every depth.
pub fn perft_two_ply<S: Sliders>(position: &Position, depth: u32, sliders: S) -> u64 {
    if depth < 2 {
        super::perft(position, depth, sliders)
    } else {
        count_from(position, depth, Groups, sliders)
    }
}

/// The child is two plies above the leaves.
#[derive(Clone, Copy)]
struct Groups;

impl Below for Groups {
    const DEPTH: u32 = 2;

    #[inline(never)]
    fn count<M: Mover, S: Sliders>(self, child: &Board, leapers: Bitboard, sliders: S) -> u64 {
        let visit =
            Visit::<M, S, Horizon> { board: child, below: Horizon, sliders, nodes: 0, side: PhantomData };
        let mut group = Group { visit, replies: Replies::new::<M>(child, sliders) };
        generate_told::<M, S, _>(child, leapers, sliders, Targets::All, &mut group);
        group.visit.nodes
    }
}

/// Takes quiet moves together, and hands the others on.
struct Group<'a, M, S> {
    visit: Visit<'a, M, S, Horizon>,
    replies: Replies<S>,
}

impl<M: Mover, S: Sliders> MoveSink for Group<'_, M, S> {
    #[inline(always)]
    fn piece<P: PieceSet>(&mut self, from: Square, to: Bitboard) {
        let near = self.replies.near::<P>(&self.visit.board.sides[M::US], from);
        let mut quiet = Bitboard::EMPTY;
        if !P::IS_KING && !(self.replies.lines | near).has(from) {
            quiet = (to & self.replies.free) - near;
            self.visit.nodes += self.replies.to::<M>(quiet);
        }
        self.visit.piece::<P>(from, to - quiet);
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        let mut quiet = Bitboard::EMPTY;
        if step & 7 == 0 {
            // A square back and a square forth is all that differs between single and double pushes.
            let back = |set: Bitboard| {
                let once = set.forward(M::Other::COLOR);
                if step.unsigned_abs() == 16 { once.forward(M::Other::COLOR) } else { once }
            };
            let forth = |set: Bitboard| {
                let once = set.forward(M::COLOR);
                if step.unsigned_abs() == 16 { once.forward(M::COLOR) } else { once }
            };
            let near = self.replies.near_pawn::<M>();
            quiet = ((to & self.replies.free) - near) & forth(back(to) - near - self.replies.lines);
            if step.unsigned_abs() == 16 {
                let beside = self.visit.board.sides[M::THEM].pawns;
                quiet = quiet - beside.east() - beside.west();
            }
            self.visit.nodes += self.replies.to::<M>(quiet);
        }
        self.visit.pawns(to - quiet, step);
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, step: i8) {
        self.visit.promotions(to, step);
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.visit.en_passant(from, to);
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) {
        self.visit.castle(king, rook);
    }
}

/// The opponent's moves in the position as it stands, and what a quiet move would change of them.
struct Replies<S> {
    sliders: S,
    occupied: Bitboard,
    king: Square,
    zone: &'static Zone,
    /// The king's neighbours and, where it may castle, its back rank.
    room: Bitboard,
    /// Squares where a quiet move may end in a group: not those that shield the king or undo a pin.
    free: Bitboard,
    /// Squares that a piece cannot leave in a group: a line would open, or a pawn move change.
    lines: Bitboard,
    /// The number of replies.
    number: u64,
    /// Each slider that can move, its moves, and whether they go along files and ranks.
    reaches: [(Square, Bitboard, bool); 16],
    len: usize,
    reach: Bitboard,
    single_pushes: Bitboard,
    double_pushes: Bitboard,
    /// Squares where pawns could take to each side.
    east: Bitboard,
    west: Bitboard,
}

impl<S: Sliders> Replies<S> {
    /// To the moves of the side `M`.
    #[inline(always)]
    fn new<M: Mover>(board: &Board, sliders: S) -> Replies<S> {
        let them = &board.sides[M::THEM];
        let king = them.king.first_unchecked();
        let castles = (board.castling & them.all).any();
        let back_rank = if castles { Bitboard::back_rank(M::Other::COLOR) } else { Bitboard::EMPTY };
        let unmoved = Board { ep: None, ..*board };
        // The side to move may leave no check standing, so none stands against the opponent.
        let masks = Masks::new::<M::Other, S>(&unmoved, Bitboard::EMPTY, sliders);
        let pins = masks.pin_orthogonal | masks.pin_diagonal;
        // A pinned pawn could take along its pin only, and no group ends there.
        let forward = (them.pawns - pins).forward(M::Other::COLOR);
        let mut replies = Replies {
            sliders,
            occupied: board.occupied(),
            king,
            zone: Zone::of(king, castles),
            room: empty::king(king) | back_rank,
            free: !(them.all | masks.rays | pins | back_rank),
            lines: Bitboard::EMPTY,
            number: 0,
            reaches: [(Square::A1, Bitboard::EMPTY, false); 16],
            len: 0,
            reach: Bitboard::EMPTY,
            single_pushes: Bitboard::EMPTY,
            double_pushes: Bitboard::EMPTY,
            east: forward.east(),
            west: forward.west(),
        };
        generate_masked::<M::Other, S, _>(&unmoved, &masks, sliders, Targets::All, &mut replies);

        let us = &board.sides[M::US];
        let mut shields = Bitboard::EMPTY;
        for square in (us.orthogonal & empty::rook(king)) | (us.diagonal & empty::bishop(king)) {
            shields |= empty::between(king, square);
        }
        let pawn_moves = pawn_attacks::<M::Other>(them.pawns)
            | them.pawns.forward(M::Other::COLOR)
            | them.pawns.forward(M::Other::COLOR).forward(M::Other::COLOR);
        if replies.len > replies.reaches.len() {
            // More sliders than a game can have: no groups.
            replies.free = Bitboard::EMPTY;
        }
        replies.lines = replies.reach | masks.rays | shields | pawn_moves;
        replies
    }

    /// Squares from which a piece of this set, on `from` now, touches the king or its room.
    #[inline(always)]
    fn near<P: PieceSet>(&self, us: &Side, from: Square) -> Bitboard {
        if P::IS_KNIGHT {
            return self.zone.knights | empty::knight(self.king);
        }
        // A slider in line with the king checks or pins.
        let mut near = Bitboard::EMPTY;
        if us.diagonal.has(from) {
            near |= self.zone.diagonal | empty::bishop(self.king);
        }
        if us.orthogonal.has(from) {
            near |= self.zone.orthogonal | empty::rook(self.king);
        }
        near
    }

    /// The same for pawns of the side `M`.
    #[inline(always)]
    fn near_pawn<M: Mover>(&self) -> Bitboard {
        pawn_attacks::<M::Other>(self.room.with(self.king))
    }

    /// Replies to quiet moves to each of these squares, added up.
    #[inline(always)]
    fn to<M: Mover>(&self, targets: Bitboard) -> u64 {
        let count = |set: Bitboard| u64::from((set & targets).count());
        let last = Bitboard::back_rank(M::COLOR);
        let mut replies = u64::from(targets.count()) * self.number;
        replies += count(self.east) + count(self.west);
        replies -= count(self.single_pushes) + count(self.double_pushes);
        // Stopped at the first of two squares.
        replies -= count(self.double_pushes.forward(M::COLOR));
        if (targets & last).any() {
            replies += 3 * (count(self.east & last) + count(self.west & last));
            replies -= 3 * count(self.single_pushes & last);
        }
        if (targets & self.reach).any() {
            for &(from, reach, orthogonal) in self.reaches.iter().take(self.len) {
                for target in reach & targets {
                    let occupied = self.occupied.with(target);
                    let rest = if orthogonal {
                        self.sliders.rook(from, occupied)
                    } else {
                        self.sliders.bishop(from, occupied)
                    };
                    replies -= u64::from((reach - rest).count());
                }
            }
        }
        replies
    }
}

impl<S: Sliders> MoveSink for Replies<S> {
    const SMALL: bool = true;

    #[inline(always)]
    fn piece<P: PieceSet>(&mut self, from: Square, to: Bitboard) {
        self.number += u64::from(to.count());
        if !P::IS_KING && !P::IS_KNIGHT {
            self.reach |= to;
            if let Some(slot) = self.reaches.get_mut(self.len) {
                *slot = (from, to, P::IS_ORTHOGONAL);
            }
            self.len += usize::from(to.any());
        }
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        self.number += u64::from(to.count());
        match step.unsigned_abs() {
            8 => self.single_pushes |= to,
            16 => self.double_pushes = to,
            _ => {}
        }
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, step: i8) {
        self.number += 4 * u64::from(to.count());
        if step & 7 == 0 {
            self.single_pushes |= to;
        }
    }

    fn en_passant(&mut self, _: Square, _: Square) {
        // No pawn has just moved on the board as it stands.
    }

    #[inline(always)]
    fn castle(&mut self, _: Square, _: Square) {
        self.number += 1;
    }
}
