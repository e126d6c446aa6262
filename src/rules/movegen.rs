//! The one legal generator. Masks computed once per node (squares the king may not enter, check mask, pinned pieces and
//! their lines) make every move that comes out legal; only en passant needs a test of its own. Pawns move as sets.
//! What becomes of the moves is the [`MoveSink`]'s matter: count them, list them, visit them.
//! Sources: pages "Move Generation", "Legal Move", "Check", "Pawn Pushes" of the seed documents; the field's fastest perfts.

use super::board::{Board, Diagonal, King, Knight, Mover, Orthogonal, PieceSet, Side};
use super::castling::way;
use super::zone::Zone;
use crate::sliders::{Sliders, compiled_for, empty};
use crate::types::{Bitboard, Move, Role, Square};
use std::ops::Deref;

/// Receives the legal moves, in groups as the generator finds them.
pub trait MoveSink {
    /// True for a sink so small that a second copy of the generator, for positions without pins, pays.
    const SMALL: bool = false;
    /// A piece (king included) from one square to each of these; `P` tells which of the board's sets it stands in.
    fn piece<P: PieceSet>(&mut self, from: Square, to: Bitboard);
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
    /// Squares the enemy attacks with our king lifted off the board; exact in the king's zone, a part of them elsewhere.
    pub danger: Bitboard,
    /// The part of it that sliders make: a piece put there may shield the zone.
    pub rays: Bitboard,
    pub in_check: bool,
    /// Where other pieces may go: everything, or between king and checker and onto it; nothing in double check.
    pub check: Bitboard,
    /// The lines of pins along files and ranks, from the king's neighbour to the pinning piece.
    pub pin_orthogonal: Bitboard,
    pub pin_diagonal: Bitboard,
}

/// All squares that these pawns attack.
#[inline(always)]
pub(super) fn pawn_attacks<M: Mover>(pawns: Bitboard) -> Bitboard {
    let forward = pawns.forward(M::COLOR);
    forward.east() | forward.west()
}

impl Masks {
    /// `leapers`: the enemy pawn or knight that gives check, if one does.
    #[inline(always)]
    pub(super) fn new<M: Mover, S: Sliders>(board: &Board, leapers: Bitboard, sliders: S) -> Masks {
        let (us, them) = (&board.sides[M::US], &board.sides[M::THEM]);
        let king = us.king.first_unchecked();
        let occupied = us.all | them.all;

        // Only pieces that could attack a square of the zone on an empty board are worth a look.
        let zone = Zone::of(king, (board.castling & us.all).any());
        let mut rays = Bitboard::EMPTY;
        let without_king = occupied - us.king;
        for square in them.diagonal & zone.diagonal {
            rays |= sliders.bishop(square, without_king);
        }
        for square in them.orthogonal & zone.orthogonal {
            rays |= sliders.rook(square, without_king);
        }
        let mut danger = rays | pawn_attacks::<M::Other>(them.pawns);
        danger |= empty::king(them.king.first_unchecked());
        for square in them.knights & zone.knights {
            danger |= empty::knight(square);
        }

        let mut lines = Lines { checkers: leapers, check: leapers };
        let pin_orthogonal = lines.look(king, them.orthogonal & empty::rook(king), occupied, us.all);
        let pin_diagonal = lines.look(king, them.diagonal & empty::bishop(king), occupied, us.all);
        let in_check = lines.checkers.any();
        let check = match (in_check, lines.checkers.more_than_one()) {
            (false, _) => Bitboard::ALL,
            (true, false) => lines.check,
            (true, true) => Bitboard::EMPTY,
        };
        Masks { king, danger, rays, in_check, check, pin_orthogonal, pin_diagonal }
    }
}

/// Checks as they are found, and what answers them.
struct Lines {
    checkers: Bitboard,
    check: Bitboard,
}

impl Lines {
    /// Looks from the king at enemy sliders that stand in line with it: nothing in between means check, one piece of
    /// ours a pin. Returns the lines of the pins.
    #[inline(always)]
    fn look(&mut self, king: Square, sliders: Bitboard, occupied: Bitboard, ours: Bitboard) -> Bitboard {
        let mut pins = Bitboard::EMPTY;
        for square in sliders {
            let between = empty::between(king, square);
            let blockers = between & occupied;
            if blockers.is_empty() {
                self.checkers = self.checkers.with(square);
                self.check |= between.with(square);
            } else if !blockers.more_than_one() && (blockers & ours).any() {
                pins |= between.with(square);
            }
        }
        pins
    }
}

/// Enemy pawns and knights that give check.
#[inline(always)]
pub(super) fn leaper_checks<M: Mover>(board: &Board) -> Bitboard {
    let (us, them) = (&board.sides[M::US], &board.sides[M::THEM]);
    let king = us.king.first_unchecked();
    (empty::pawn(M::COLOR, king) & them.pawns) | (empty::knight(king) & them.knights)
}

/// Hands every legal move of these targets to the sink.
#[inline(always)]
pub(super) fn generate_for<M: Mover, S: Sliders, K: MoveSink>(
    board: &Board,
    sliders: S,
    targets: Targets,
    sink: &mut K,
) {
    generate_told::<M, S, K>(board, leaper_checks::<M>(board), sliders, targets, sink);
}

/// Appends every legal move of these targets: one function per side and technique, whoever asks.
#[inline(never)]
pub(super) fn list_moves<M: Mover, S: Sliders>(
    board: &Board,
    sliders: S,
    targets: Targets,
    list: &mut MoveList,
) {
    compiled_for::<S, _>(|| generate_for::<M, S, MoveList>(board, sliders, targets, list));
}

/// [`generate_for`] for who knows from the move just made which pawn or knight gives check, if one does.
#[inline(always)]
pub(super) fn generate_told<M: Mover, S: Sliders, K: MoveSink>(
    board: &Board,
    leapers: Bitboard,
    sliders: S,
    targets: Targets,
    sink: &mut K,
) {
    let masks = Masks::new::<M, S>(board, leapers, sliders);
    generate_masked::<M, S, K>(board, &masks, sliders, targets, sink);
}

/// The same for who has the masks of this board already.
#[inline(always)]
pub(super) fn generate_masked<M: Mover, S: Sliders, K: MoveSink>(
    board: &Board,
    masks: &Masks,
    sliders: S,
    targets: Targets,
    sink: &mut K,
) {
    let (us, them) = (&board.sides[M::US], &board.sides[M::THEM]);
    let occupied = us.all | them.all;
    let wanted = match targets {
        Targets::All => !us.all,
        Targets::Captures => them.all,
        Targets::Quiets => !occupied,
    };

    sink.piece::<King>(masks.king, empty::king(masks.king) & wanted & !masks.danger);
    if masks.check.is_empty() {
        return;
    }
    if targets != Targets::Captures && !masks.in_check {
        castles::<M, K>(board, us, masks, occupied, sink);
    }

    let wanted = wanted & masks.check;
    if K::SMALL && (masks.pin_orthogonal | masks.pin_diagonal).is_empty() {
        let masks = Masks { pin_orthogonal: Bitboard::EMPTY, pin_diagonal: Bitboard::EMPTY, ..*masks };
        pieces::<S, K>(us, sliders, &masks, occupied, wanted, sink);
        pawns::<M, S, K>(board, sliders, targets, &masks, occupied, sink);
    } else {
        pieces::<S, K>(us, sliders, masks, occupied, wanted, sink);
        pawns::<M, S, K>(board, sliders, targets, masks, occupied, sink);
    }
}

/// Knights and sliders.
#[inline(always)]
fn pieces<S: Sliders, K: MoveSink>(
    us: &Side,
    sliders: S,
    masks: &Masks,
    occupied: Bitboard,
    wanted: Bitboard,
    sink: &mut K,
) {
    for from in us.knights - masks.pin_orthogonal - masks.pin_diagonal {
        sink.piece::<Knight>(from, empty::knight(from) & wanted);
    }
    // A queen pinned on a line of one kind cannot move on lines of the other kind.
    let diagonal = us.diagonal - masks.pin_orthogonal;
    for from in diagonal - masks.pin_diagonal {
        sink.piece::<Diagonal>(from, sliders.bishop(from, occupied) & wanted);
    }
    for from in diagonal & masks.pin_diagonal {
        sink.piece::<Diagonal>(from, sliders.bishop(from, occupied) & wanted & masks.pin_diagonal);
    }
    let orthogonal = us.orthogonal - masks.pin_diagonal;
    for from in orthogonal - masks.pin_orthogonal {
        sink.piece::<Orthogonal>(from, sliders.rook(from, occupied) & wanted);
    }
    for from in orthogonal & masks.pin_orthogonal {
        sink.piece::<Orthogonal>(from, sliders.rook(from, occupied) & wanted & masks.pin_orthogonal);
    }
}

#[inline(always)]
fn castles<M: Mover, K: MoveSink>(board: &Board, us: &Side, masks: &Masks, occupied: Bitboard, sink: &mut K) {
    for rook in board.castling & us.all {
        let way = way(M::COLOR, masks.king, rook);
        // A rook pinned on the back rank shields the king from behind; that shield leaves (Chess960 only).
        if (way.empty & occupied).is_empty()
            && (way.king & masks.danger).is_empty()
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

    let (pin_orthogonal, pin_diagonal) = (masks.pin_orthogonal, masks.pin_diagonal);
    // Pushes: not off a diagonal pin, and along a file pin only.
    let pushers = us.pawns - pin_diagonal;
    let single = ((pushers - pin_orthogonal).forward(M::COLOR)
        | ((pushers & pin_orthogonal).forward(M::COLOR) & pin_orthogonal))
        - occupied;
    let double = ((single & third_rank).forward(M::COLOR) - occupied) & masks.check;
    let single = single & masks.check;

    // Captures: not off a file or rank pin, and along a diagonal pin only.
    let capturers = us.pawns - pin_orthogonal;
    let free = (capturers - pin_diagonal).forward(M::COLOR);
    let bound = (capturers & pin_diagonal).forward(M::COLOR);
    let victims = them.all & masks.check;
    let east = (free.east() | (bound.east() & pin_diagonal)) & victims;
    let west = (free.west() | (bound.west() & pin_diagonal)) & victims;

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
    const SMALL: bool = true;
    #[inline(always)]
    fn piece<P: PieceSet>(&mut self, _: Square, to: Bitboard) {
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

/// Up to 256 moves without allocation. No [`Position`](super::Position) has more than 218: material that allows more is
/// refused ([`Setup::check_material`](crate::types::Setup::check_material)).
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

    /// Appends a move; a 257th, which no position has, is left out.
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
    fn piece<P: PieceSet>(&mut self, from: Square, to: Bitboard) {
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
