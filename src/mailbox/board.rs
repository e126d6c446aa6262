//! The 0x88 board with a list of pieces per side, built from an unchecked arrangement.
//! Must not know bitboards of pieces, nor the rules as `rules` has them: it is there to disagree if they are wrong.

use super::geometry::{
    BISHOP, BLACK, BLACK_PAWN, KING, KNIGHT, NONE, QUEEN, ROOK, WHITE_PAWN, number, square,
};
use crate::types::{Color, Role, Setup, Square, Surplus, zobrist};

/// A position on a 0x88 board. Moves are made and unmade in place; equal after unmaking, but two boards with the same
/// position may differ in the order of their lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mailbox {
    /// By 0x88 number: the piece, 0 for none.
    pub(super) squares: [u8; 128],
    /// By 0x88 number: the piece's place in its side's list, 0 where there is none.
    pub(super) places: [u8; 128],
    /// Squares of each side's pieces, the king first.
    pub(super) lists: [[u8; 64]; 2],
    pub(super) counts: [u8; 2],
    pub(super) turn: Color,
    /// Rights left: bit 0 and 1 White's a and h side, bit 2 and 3 Black's.
    pub(super) castling: u8,
    /// Where the rooks of the rights stand, [`NONE`] where there never was a right.
    pub(super) rooks: [u8; 4],
    /// By 0x88 number: the rights that end when something leaves or reaches the square.
    pub(super) ends: [u8; 128],
    /// Where a legal en-passant capture goes, or [`NONE`].
    pub(super) ep: u8,
    pub(super) halfmove: u32,
    pub(super) fullmove: u32,
    pub(super) key: u64,
}

/// Why an arrangement has no board here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MailboxError {
    #[error("{} has {count} kings", color.name())]
    Kings { color: Color, count: usize },
    #[error("a pawn stands on {0}")]
    Pawn(Square),
    #[error(transparent)]
    Surplus(#[from] Surplus),
    #[error("the king of {} could be taken", .0.name())]
    KingEnPrise(Color),
}

const fn sign(color: Color) -> u8 {
    match color {
        Color::White => 0,
        Color::Black => BLACK,
    }
}

/// The bits of a piece.
pub(super) const fn piece(color: Color, role: Role) -> u8 {
    let bit = match role {
        Role::Pawn if color.is_white() => WHITE_PAWN,
        Role::Pawn => BLACK_PAWN,
        Role::Knight => KNIGHT,
        Role::Bishop => BISHOP,
        Role::Rook => ROOK,
        Role::Queen => QUEEN,
        Role::King => KING,
    };
    bit | sign(color)
}

/// The Zobrist number of a piece (bits, colour not needed) on a square.
#[inline(always)]
pub(super) fn piece_key(color: Color, bits: u8, at: u8) -> u64 {
    const ROLES: [Role; 8] =
        [Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King, Role::King];
    zobrist::piece(color, ROLES[bits.trailing_zeros() as usize & 7], square(at))
}

impl Mailbox {
    /// Builds the board. Castling rights without their king and rook, and an en-passant square without a legal capture
    /// there, are dropped.
    ///
    /// # Errors
    /// Other than one king a side, a pawn on the first or last rank, more men than a game can bring about, the side that has just
    /// moved in check.
    pub fn new(setup: &Setup) -> Result<Mailbox, MailboxError> {
        let mut board = Mailbox {
            squares: [0; 128],
            places: [0; 128],
            lists: [[NONE; 64]; 2],
            counts: [0; 2],
            turn: setup.turn,
            castling: 0,
            rooks: [NONE; 4],
            ends: [0; 128],
            ep: NONE,
            halfmove: setup.halfmove,
            fullmove: setup.fullmove.max(1),
            key: 0,
        };
        // Kings first: they keep the first place of their lists, which nobody can take.
        for kings in [true, false] {
            for at in Square::all() {
                if let Some(found) = setup.board[at.index()]
                    && (found.role == Role::King) == kings
                {
                    if found.role == Role::Pawn && matches!(at.rank(), 0 | 7) {
                        return Err(MailboxError::Pawn(at));
                    }
                    board.put(found.color, piece(found.color, found.role), number(at));
                }
            }
            if kings && let Some(color) = Color::ALL.into_iter().find(|c| board.counts[c.index()] != 1) {
                return Err(MailboxError::Kings { color, count: board.counts[color.index()].into() });
            }
        }
        setup.check_material()?;
        if board.is_attacked(board.king(!board.turn), board.turn) {
            return Err(MailboxError::KingEnPrise(!board.turn));
        }
        Color::ALL.into_iter().for_each(|color| board.take_rights(setup, color));
        if let Some(ep) = setup.ep.map(number)
            && board.came_past(ep)
        {
            board.ep = ep;
            if !board.ep_has_a_capture() {
                board.ep = NONE;
            }
        }
        board.key = board.key_from_scratch();
        Ok(board)
    }

    /// The outermost own rook named on each side of a king on its back rank.
    fn take_rights(&mut self, setup: &Setup, color: Color) {
        let king = self.king(color);
        let rank = color.pick(0x00, 0x70);
        if king & 0xf0 != rank {
            return;
        }
        let named = |at: &u8| {
            self.squares[*at as usize] == piece(color, Role::Rook) && setup.castling_rooks.has(square(*at))
        };
        let found = [(rank..king).find(named), (king + 1..rank + 8).rev().find(named)];
        for (side, rook) in found.into_iter().enumerate() {
            let Some(rook) = rook else { continue };
            let index = 2 * color.index() + side;
            self.castling |= 1 << index;
            self.rooks[index] = rook;
            self.ends[rook as usize] |= 1 << index;
            self.ends[king as usize] |= 1 << index;
        }
    }

    /// Whether a pawn of the side that has just moved may have gone over this square with a double step.
    fn came_past(&self, ep: u8) -> bool {
        let (rank, pawn) = (self.turn.pick(0x50, 0x20), piece(!self.turn, Role::Pawn));
        let (front, back) = (ep ^ 0x10, ep.wrapping_add(self.turn.pick(0x10, 0xf0)));
        let at = |square: u8| self.squares[square as usize & 0x7f];
        ep & 0xf0 == rank && at(front) == pawn && at(ep) == 0 && at(back) == 0
    }

    /// The Zobrist key by its definition; [`Mailbox::key`] is the same, kept as moves are made.
    pub fn key_from_scratch(&self) -> u64 {
        let mut key = if self.turn.is_white() { 0 } else { zobrist::black_to_move() };
        for color in Color::ALL {
            for &at in &self.lists[color.index()][..usize::from(self.counts[color.index()])] {
                key ^= piece_key(color, self.squares[at as usize], at);
            }
        }
        key ^= self.rights_key(self.castling);
        if self.ep != NONE {
            key ^= zobrist::ep(square(self.ep));
        }
        key
    }

    pub(super) fn rights_key(&self, rights: u8) -> u64 {
        let of = |index: usize| match rights >> index & 1 {
            0 => 0,
            _ => zobrist::castling(square(self.rooks[index])),
        };
        (0..4).map(of).fold(0, |key, part| key ^ part)
    }

    /// Zobrist key, from the same numbers and by the same definition as that of `rules`.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Plies since the last capture or pawn move.
    pub fn halfmove_clock(&self) -> u32 {
        self.halfmove
    }

    pub fn fullmove_number(&self) -> u32 {
        self.fullmove
    }

    #[inline(always)]
    pub(super) fn king(&self, color: Color) -> u8 {
        self.lists[color.index()][0]
    }

    /// Adds a piece at the end of its side's list.
    #[inline(always)]
    pub(super) fn put(&mut self, color: Color, bits: u8, at: u8) {
        let count = &mut self.counts[color.index()];
        self.lists[color.index()][*count as usize & 63] = at;
        self.squares[at as usize & 0x7f] = bits;
        self.places[at as usize & 0x7f] = *count;
        *count += 1;
    }

    /// Takes a piece off; the last of the list gets its place. Gives the place, for [`Mailbox::put_back`].
    #[inline(always)]
    pub(super) fn take(&mut self, color: Color, at: u8) -> u8 {
        let list = &mut self.lists[color.index()];
        let place = self.places[at as usize & 0x7f];
        self.counts[color.index()] -= 1;
        let last = list[self.counts[color.index()] as usize & 63];
        list[place as usize & 63] = last;
        self.places[last as usize & 0x7f] = place;
        self.squares[at as usize & 0x7f] = 0;
        self.places[at as usize & 0x7f] = 0;
        place
    }

    /// The inverse of [`Mailbox::take`].
    #[inline(always)]
    pub(super) fn put_back(&mut self, color: Color, bits: u8, at: u8, place: u8) {
        let list = &mut self.lists[color.index()];
        let count = self.counts[color.index()];
        let moved = list[place as usize & 63];
        list[count as usize & 63] = moved;
        self.places[moved as usize & 0x7f] = count;
        list[place as usize & 63] = at;
        self.squares[at as usize & 0x7f] = bits;
        self.places[at as usize & 0x7f] = place;
        self.counts[color.index()] = count + 1;
    }

    /// A piece goes to an empty square and keeps its place in the list.
    #[inline(always)]
    pub(super) fn shift(&mut self, color: Color, bits: u8, from: u8, to: u8) {
        let place = self.places[from as usize & 0x7f];
        self.squares[from as usize & 0x7f] = 0;
        self.places[from as usize & 0x7f] = 0;
        self.squares[to as usize & 0x7f] = bits;
        self.places[to as usize & 0x7f] = place;
        self.lists[color.index()][place as usize & 63] = to;
    }
}
