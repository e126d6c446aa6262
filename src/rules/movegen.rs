//! The one legal generator. Masks computed once per node (squares the king may not enter, check mask, pinned pieces and
//! their lines) make every move that comes out legal; only en passant needs a test of its own. Pawns move as sets.
//! What becomes of the moves is the [`MoveSink`]'s matter: count them, list them, visit them.
//! Sources: pages "Move Generation", "Legal Move", "Check", "Pawn Pushes" of the seed documents; the field's fastest perfts.

use super::board::{Board, Mover, Side};
use super::castling::paths;
use crate::sliders::{Sliders, empty};
use crate::types::{Bitboard, Move, Role, Square};
use std::ops::Deref;

/// Receives the legal moves, in groups as the generator finds them.
pub trait MoveSink {
    /// A piece (king included) from one square to each of these.
    fn piece(&mut self, from: Square, to: Bitboard);
    /// Pawns to each of these squares; each came from `to - step` (square numbers). No promotions.
    fn pawns(&mut self, to: Bitboard, step: i8);
    /// The same for pawns that promote: four moves per square.
    fn promotions(&mut self, to: Bitboard, step: i8);
    fn en_passant(&mut self, from: Square, to: Square);
    fn castle(&mut self, king: Square, rook: Square);
}

/// Which moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Targets {
    All,
    /// Captures, en passant and all promotions.
    Captures,
    /// All the others.
    Quiets,
}

/// What a node must know before it generates: where the king may go, what answers a check, what is pinned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Masks {
    pub king: Square,
    /// Squares the enemy attacks with our king lifted off the board.
    pub danger: Bitboard,
    /// Where other pieces may go: everything, or between king and checker and onto it; nothing in double check.
    pub check: Bitboard,
    /// The lines of pins along files and ranks, from the king's neighbour to the pinning piece.
    pub pin_orthogonal: Bitboard,
    pub pin_diagonal: Bitboard,
}

#[inline(always)]
fn pawn_attacks<M: Mover>(pawns: Bitboard) -> Bitboard {
    let forward = pawns.forward(M::COLOR);
    forward.east() | forward.west()
}

impl Masks {
    #[inline(always)]
    pub(super) fn new<M: Mover, S: Sliders>(board: &Board, sliders: S) -> Masks {
        let (us, them) = (&board.sides[M::US], &board.sides[M::THEM]);
        let king = us.king.first_unchecked();
        let occupied = us.all | them.all;

        let mut danger = pawn_attacks::<M::Other>(them.pawns) | empty::king(them.king.first_unchecked());
        for square in them.knights {
            danger |= empty::knight(square);
        }
        let without_king = occupied - us.king;
        for square in them.diagonal {
            danger |= sliders.bishop(square, without_king);
        }
        for square in them.orthogonal {
            danger |= sliders.rook(square, without_king);
        }

        let mut checkers = (empty::pawn(M::COLOR, king) & them.pawns) | (empty::knight(king) & them.knights);
        let mut check = checkers;
        let mut pin_orthogonal = Bitboard::EMPTY;
        let mut pin_diagonal = Bitboard::EMPTY;
        // Seen from the king through our own pieces: no blocker means check, one of ours means a pin.
        for square in sliders.rook(king, them.all) & them.orthogonal {
            let between = empty::between(king, square);
            let blockers = between & us.all;
            if blockers.is_empty() {
                checkers = checkers.with(square);
                check |= between.with(square);
            } else if !blockers.more_than_one() {
                pin_orthogonal |= between.with(square);
            }
        }
        for square in sliders.bishop(king, them.all) & them.diagonal {
            let between = empty::between(king, square);
            let blockers = between & us.all;
            if blockers.is_empty() {
                checkers = checkers.with(square);
                check |= between.with(square);
            } else if !blockers.more_than_one() {
                pin_diagonal |= between.with(square);
            }
        }
        if checkers.is_empty() {
            check = Bitboard::ALL;
        } else if checkers.more_than_one() {
            check = Bitboard::EMPTY;
        }
        Masks { king, danger, check, pin_orthogonal, pin_diagonal }
    }

    /// True if the side to move is in check.
    #[inline(always)]
    fn in_check(&self) -> bool {
        self.danger.has(self.king)
    }
}

/// Hands every legal move of these targets to the sink.
#[inline(always)]
pub(super) fn generate_for<M: Mover, S: Sliders, K: MoveSink>(
    board: &Board,
    sliders: S,
    targets: Targets,
    sink: &mut K,
) {
    let (us, them) = (&board.sides[M::US], &board.sides[M::THEM]);
    let masks = Masks::new::<M, S>(board, sliders);
    let occupied = us.all | them.all;
    let wanted = match targets {
        Targets::All => !us.all,
        Targets::Captures => them.all,
        Targets::Quiets => !occupied,
    };

    sink.piece(masks.king, empty::king(masks.king) & wanted & !masks.danger);
    if masks.check.is_empty() {
        return;
    }
    if targets != Targets::Captures && !masks.in_check() {
        castles::<M, K>(board, us, &masks, occupied, sink);
    }

    let wanted = wanted & masks.check;
    let pinned = masks.pin_orthogonal | masks.pin_diagonal;
    for from in us.knights - pinned {
        sink.piece(from, empty::knight(from) & wanted);
    }
    // A queen pinned on a line of one kind cannot move on lines of the other kind.
    let diagonal = us.diagonal - masks.pin_orthogonal;
    for from in diagonal - masks.pin_diagonal {
        sink.piece(from, sliders.bishop(from, occupied) & wanted);
    }
    for from in diagonal & masks.pin_diagonal {
        sink.piece(from, sliders.bishop(from, occupied) & wanted & masks.pin_diagonal);
    }
    let orthogonal = us.orthogonal - masks.pin_diagonal;
    for from in orthogonal - masks.pin_orthogonal {
        sink.piece(from, sliders.rook(from, occupied) & wanted);
    }
    for from in orthogonal & masks.pin_orthogonal {
        sink.piece(from, sliders.rook(from, occupied) & wanted & masks.pin_orthogonal);
    }
    pawns::<M, S, K>(board, sliders, targets, &masks, occupied, sink);
}

#[inline(always)]
fn castles<M: Mover, K: MoveSink>(board: &Board, us: &Side, masks: &Masks, occupied: Bitboard, sink: &mut K) {
    for rook in board.castling & us.all {
        let (empty, king_path) = paths(masks.king, rook);
        let others = occupied.without(masks.king).without(rook);
        // A rook pinned on the back rank shields the king from behind; that shield leaves (Chess960 only).
        if (empty & others).is_empty()
            && (king_path & masks.danger).is_empty()
            && !masks.pin_orthogonal.has(rook)
        {
            sink.castle(masks.king, rook);
        }
    }
}

#[inline(always)]
fn pawns<M: Mover, S: Sliders, K: MoveSink>(
    board: &Board,
    sliders: S,
    targets: Targets,
    masks: &Masks,
    occupied: Bitboard,
    sink: &mut K,
) {
    let (us, them) = (&board.sides[M::US], &board.sides[M::THEM]);
    let up: i8 = if M::COLOR.is_white() { 8 } else { -8 };
    let last_rank = Bitboard::back_rank(M::Other::COLOR);
    let third_rank = if M::COLOR.is_white() { Bitboard::rank(2) } else { Bitboard::rank(5) };

    // Pushes: not off a diagonal pin, and along a file pin only.
    let pushers = us.pawns - masks.pin_diagonal;
    let single = ((pushers - masks.pin_orthogonal).forward(M::COLOR)
        | ((pushers & masks.pin_orthogonal).forward(M::COLOR) & masks.pin_orthogonal))
        - occupied;
    let double = ((single & third_rank).forward(M::COLOR) - occupied) & masks.check;
    let single = single & masks.check;

    // Captures: not off a file or rank pin, and along a diagonal pin only.
    let capturers = us.pawns - masks.pin_orthogonal;
    let free = (capturers - masks.pin_diagonal).forward(M::COLOR);
    let bound = (capturers & masks.pin_diagonal).forward(M::COLOR);
    let victims = them.all & masks.check;
    let east = (free.east() | (bound.east() & masks.pin_diagonal)) & victims;
    let west = (free.west() | (bound.west() & masks.pin_diagonal)) & victims;

    if targets != Targets::Captures {
        sink.pawns(single - last_rank, up);
        sink.pawns(double, 2 * up);
    }
    if targets != Targets::Quiets {
        sink.pawns(east - last_rank, up + 1);
        sink.pawns(west - last_rank, up - 1);
        if ((single | east | west) & last_rank).any() {
            sink.promotions(single & last_rank, up);
            sink.promotions(east & last_rank, up + 1);
            sink.promotions(west & last_rank, up - 1);
        }
        if let Some(to) = board.ep {
            for from in empty::pawn(M::Other::COLOR, to) & us.pawns {
                if en_passant_is_legal::<M, S>(board, sliders, from, to) {
                    sink.en_passant(from, to);
                }
            }
        }
    }
}

/// Two pawns leave one rank at once and one comes to another: the only move the masks cannot judge.
pub(super) fn en_passant_is_legal<M: Mover, S: Sliders>(
    board: &Board,
    sliders: S,
    from: Square,
    to: Square,
) -> bool {
    let mut after = *board;
    after.play::<M>(Move::en_passant(from, to));
    after.attackers(after.king(M::COLOR), after.occupied(), !M::COLOR, sliders).is_empty()
}

/// Counts without making: the horizon of perft.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count(pub u64);

impl MoveSink for Count {
    #[inline(always)]
    fn piece(&mut self, _: Square, to: Bitboard) {
        self.0 += u64::from(to.count());
    }
    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, _: i8) {
        self.0 += u64::from(to.count());
    }
    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, _: i8) {
        self.0 += 4 * u64::from(to.count());
    }
    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
    #[inline(always)]
    fn castle(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
}

/// Up to 256 moves without allocation; no reachable position has more than 218.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; 256],
    len: usize,
}

impl MoveList {
    #[inline(always)]
    pub fn new() -> MoveList {
        // The filler is never shown.
        MoveList { moves: [Move::normal(Square::A1, Square::B1); 256], len: 0 }
    }

    /// Appends a move; a 257th, which only an impossible position has, is left out.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = mv;
            self.len += 1;
        }
    }

    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline(always)]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len.min(256)]
    }
}

impl std::ops::DerefMut for MoveList {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..self.len.min(256)]
    }
}

impl std::fmt::Debug for MoveList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Where a pawn came from that went `step` squares (in square numbers) to `to`.
#[inline(always)]
pub(super) fn origin(to: Square, step: i8) -> Square {
    Square::new((to.index() as i8 - step) as u8)
}

impl MoveSink for MoveList {
    #[inline(always)]
    fn piece(&mut self, from: Square, to: Bitboard) {
        for to in to {
            self.push(Move::normal(from, to));
        }
    }
    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        for to in to {
            self.push(Move::normal(origin(to, step), to));
        }
    }
    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, step: i8) {
        for to in to {
            for role in Role::PROMOTIONS {
                self.push(Move::promotion(origin(to, step), to, role));
            }
        }
    }
    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.push(Move::en_passant(from, to));
    }
    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) {
        self.push(Move::castle(king, rook));
    }
}
