//! A checked position: the board, the side to move, the counters and the keys. Copy-make: to take back, keep a copy.

use super::board::{BlackMoves, Board, Mover, WhiteMoves};
use super::movegen::{MoveList, MoveSink, Targets, en_passant_is_legal, generate_for, list_moves};
use super::setup::{PositionError, to_board};
use crate::sliders::{Hyperbola, Sliders, compiled_for, empty};
use crate::types::{Bitboard, Color, Move, MoveKind, Piece, Role, Setup, Square, zobrist};

/// A move that is not legal where it was to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not legal here")]
pub struct IllegalMove(pub Move);

/// A legal chess position, orthodox or Chess960.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    board: Board,
    turn: Color,
    halfmove: u32,
    fullmove: u32,
    key: u64,
    pawn_key: u64,
}

impl Position {
    /// The orthodox start position.
    pub fn startpos() -> Position {
        const BACK: [Role; 8] = [
            Role::Rook,
            Role::Knight,
            Role::Bishop,
            Role::Queen,
            Role::King,
            Role::Bishop,
            Role::Knight,
            Role::Rook,
        ];
        let mut board = Board::default();
        for file in 0..8 {
            for (color, back, pawns) in [(Color::White, 0, 1), (Color::Black, 7, 6)] {
                board.sides[color.index()].put(BACK[file as usize], Square::at(file, back));
                board.sides[color.index()].put(Role::Pawn, Square::at(file, pawns));
            }
        }
        board.castling = [Square::A1, Square::H1, Square::A8, Square::H8].into_iter().collect();
        Position { board, turn: Color::White, halfmove: 0, fullmove: 1, key: 0, pawn_key: 0 }.with_keys()
    }

    /// Checks an arrangement. Impossible castling rights and en-passant squares are dropped, not refused.
    ///
    /// # Errors
    /// Other than one king a side, kings side by side, a pawn on the first or last rank, more men than a game can bring
    /// about, the side that has just moved in check.
    pub fn from_setup(setup: &Setup) -> Result<Position, PositionError> {
        let board = to_board(setup)?;
        let turn = setup.turn;
        let mut position = Position {
            board,
            turn,
            halfmove: setup.halfmove,
            fullmove: setup.fullmove.max(1),
            key: 0,
            pawn_key: 0,
        };
        if empty::king(board.king(turn)).has(board.king(!turn)) {
            return Err(PositionError::KingsTouch);
        }
        if position.attackers(board.king(!turn), board.occupied(), turn).any() {
            return Err(PositionError::OppositeCheck(!turn));
        }
        position.board.ep = setup.ep.filter(|&square| position.ep_is_possible(square));
        position.drop_useless_ep();
        Ok(position.with_keys())
    }

    /// Back to an arrangement; `from_setup` gives the same position again.
    pub fn to_setup(&self) -> Setup {
        let mut setup = Setup {
            turn: self.turn,
            castling_rooks: self.board.castling,
            ep: self.board.ep,
            halfmove: self.halfmove,
            fullmove: self.fullmove,
            ..Setup::default()
        };
        for square in self.occupied() {
            setup.board[square.index()] = self.piece_at(square);
        }
        setup
    }

    /// A pawn of the side that has just moved stands before the square, and came over two empty ones.
    fn ep_is_possible(&self, square: Square) -> bool {
        let them = &self.board.sides[(!self.turn).index()];
        let rank = self.turn.pick(5, 2);
        let bit = Bitboard::square(square);
        let (pawn, origin) = (bit.forward(!self.turn), bit.forward(self.turn));
        square.rank() == rank && (them.pawns & pawn).any() && ((bit | origin) & self.occupied()).is_empty()
    }

    /// Keeps the en-passant square only if a capture there is legal.
    #[inline(always)]
    fn drop_useless_ep(&mut self) {
        let Some(to) = self.board.ep else { return };
        let pawns = self.board.sides[self.turn.index()].pawns;
        let usable = (empty::pawn(!self.turn, to) & pawns).into_iter().any(|from| match self.turn {
            Color::White => en_passant_is_legal::<WhiteMoves, _>(&self.board, Hyperbola, from, to),
            Color::Black => en_passant_is_legal::<BlackMoves, _>(&self.board, Hyperbola, from, to),
        });
        if !usable {
            self.board.ep = None;
        }
    }

    fn with_keys(mut self) -> Position {
        (self.key, self.pawn_key) = self.keys_from_scratch();
        self
    }

    /// (key, pawn key) by the definition; `key()` and `pawn_key()` hold the same, kept as moves are played.
    pub fn keys_from_scratch(&self) -> (u64, u64) {
        let (mut key, mut pawn_key) = (0, 0);
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                let part = zobrist::piece(piece.color, piece.role, square);
                key ^= part;
                if piece.role == Role::Pawn {
                    pawn_key ^= part;
                }
            }
        }
        for rook in self.board.castling {
            key ^= zobrist::castling(rook);
        }
        if let Some(square) = self.board.ep {
            key ^= zobrist::ep(square);
        }
        if self.turn == Color::Black {
            key ^= zobrist::black_to_move();
        }
        (key, pawn_key)
    }

    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    #[inline(always)]
    pub fn turn(&self) -> Color {
        self.turn
    }

    #[inline(always)]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.board.sides[color.index()].all
    }

    #[inline(always)]
    pub fn by_role(&self, role: Role) -> Bitboard {
        self.board.sides[0].by_role(role) | self.board.sides[1].by_role(role)
    }

    #[inline(always)]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.board.sides[color.index()].by_role(role)
    }

    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.board.occupied()
    }

    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.board.king(color)
    }

    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = if self.board.sides[0].all.has(square) {
            Color::White
        } else if self.board.sides[1].all.has(square) {
            Color::Black
        } else {
            return None;
        };
        Some(Piece::new(color, self.board.sides[color.index()].role_at(square)))
    }

    #[inline(always)]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.piece_at(square).map(|piece| piece.role)
    }

    /// The en-passant square, only if a capture there is legal.
    #[inline(always)]
    pub fn ep_square(&self) -> Option<Square> {
        self.board.ep
    }

    /// Squares of the rooks (both colours) that may still castle.
    #[inline(always)]
    pub fn castling_rooks(&self) -> Bitboard {
        self.board.castling
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u32 {
        self.halfmove
    }

    #[inline(always)]
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove
    }

    /// Zobrist key; positions that are the same for the repetition rule have equal keys.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Zobrist key of the pawns alone.
    #[inline(always)]
    pub fn pawn_key(&self) -> u64 {
        self.pawn_key
    }

    /// Pieces of `by` that attack `square`, seen through `occupied`.
    pub fn attackers(&self, square: Square, occupied: Bitboard, by: Color) -> Bitboard {
        self.board.attackers(square, occupied, by, Hyperbola)
    }

    /// Pieces that give check.
    pub fn checkers(&self) -> Bitboard {
        self.checkers_with(Hyperbola)
    }

    /// [`Position::checkers`] by a chosen slider technique, for hot code.
    #[inline(always)]
    pub fn checkers_with<S: Sliders>(&self, sliders: S) -> Bitboard {
        compiled_for::<S, _>(|| {
            self.board.attackers(self.king(self.turn), self.occupied(), !self.turn, sliders)
        })
    }

    pub fn is_check(&self) -> bool {
        self.checkers().any()
    }

    /// All legal moves. Not for hot code: see [`legal_moves`](super::legal_moves).
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        list_for(self, Hyperbola, Targets::All, &mut list);
        list
    }

    pub fn has_legal_move(&self) -> bool {
        let mut count = super::movegen::Count::default();
        generate(self, Hyperbola, Targets::All, &mut count);
        count.0 > 0
    }

    pub fn is_legal(&self, mv: Move) -> bool {
        self.legal_moves().contains(&mv)
    }

    /// True if the move takes something (en passant included).
    #[inline(always)]
    pub fn is_capture(&self, mv: Move) -> bool {
        match mv.kind() {
            MoveKind::EnPassant => true,
            MoveKind::Castle => false,
            MoveKind::Normal | MoveKind::Promotion => self.by_color(!self.turn).has(mv.to()),
        }
    }

    /// The square that the move's pawn passes by a double step, if it does; also where no capture there is legal.
    pub fn passed_square(&self, mv: Move) -> Option<Square> {
        let (from, to) = (mv.from(), mv.to());
        let double = self.role_at(from) == Some(Role::Pawn) && from.rank().abs_diff(to.rank()) == 2;
        double.then(|| Square::at(from.file(), (from.rank() + to.rank()) / 2))
    }

    /// Plays a move, or says that it is not legal here.
    ///
    /// # Errors
    /// If it is not; nothing has changed then.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays a move that is known to be legal.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        match self.turn {
            Color::White => self.play_as::<WhiteMoves>(mv),
            Color::Black => self.play_as::<BlackMoves>(mv),
        }
    }

    #[inline(always)]
    fn play_as<M: Mover>(&mut self, mv: Move) {
        let (us, them) = (M::COLOR, !M::COLOR);
        let (from, to) = (mv.from(), mv.to());
        let role = self.board.sides[M::US].role_at(from);
        let mut key = self.key ^ zobrist::black_to_move();
        if let Some(square) = self.board.ep {
            key ^= zobrist::ep(square);
        }
        let mut irreversible = role == Role::Pawn;
        match mv.kind() {
            MoveKind::Castle => {
                let (king_to, rook_to) = super::castling::castling_targets(from, to);
                key ^= zobrist::piece(us, Role::King, from) ^ zobrist::piece(us, Role::King, king_to);
                key ^= zobrist::piece(us, Role::Rook, to) ^ zobrist::piece(us, Role::Rook, rook_to);
            }
            kind => {
                let victim = if kind == MoveKind::EnPassant {
                    Bitboard::from(to).forward(them).first()
                } else {
                    self.board.sides[M::THEM].all.has(to).then_some(to)
                };
                if let Some(square) = victim {
                    let captured = self.board.sides[M::THEM].role_at(square);
                    let part = zobrist::piece(them, captured, square);
                    key ^= part;
                    if captured == Role::Pawn {
                        self.pawn_key ^= part;
                    }
                    irreversible = true;
                }
                let arrives = mv.promotion_role().unwrap_or(role);
                let (left, arrived) = (zobrist::piece(us, role, from), zobrist::piece(us, arrives, to));
                key ^= left ^ arrived;
                if role == Role::Pawn {
                    self.pawn_key ^= left;
                    if arrives == Role::Pawn {
                        self.pawn_key ^= arrived;
                    }
                }
            }
        }
        let rights = self.board.castling;
        self.board.play::<M>(mv);
        for rook in rights - self.board.castling {
            key ^= zobrist::castling(rook);
        }
        self.turn = them;
        self.halfmove = if irreversible { 0 } else { self.halfmove.saturating_add(1) };
        self.fullmove = self.fullmove.saturating_add(u32::from(us == Color::Black));
        self.drop_useless_ep();
        if let Some(square) = self.board.ep {
            key ^= zobrist::ep(square);
        }
        self.key = key;
    }

    /// Passes the turn (null move). Only where the side to move is not in check.
    pub fn play_null(&mut self) {
        if let Some(square) = self.board.ep.take() {
            self.key ^= zobrist::ep(square);
        }
        self.key ^= zobrist::black_to_move();
        self.turn = !self.turn;
        self.halfmove = self.halfmove.saturating_add(1);
    }

    /// The same counters with another board and side to move: how [`transform`](super::transform) makes images.
    pub(super) fn with_board(&self, board: Board, turn: Color) -> Position {
        Position { board, turn, ..*self }.with_keys()
    }

    /// True if the material allows no mate by any series of moves: bare kings, one knight, or bishops of one square colour.
    pub fn is_dead(&self) -> bool {
        const LIGHT: Bitboard = Bitboard(0x55AA_55AA_55AA_55AA);
        let [white, black] = &self.board.sides;
        if (white.pawns | black.pawns | white.orthogonal | black.orthogonal).any() {
            return false;
        }
        let knights = white.knights | black.knights;
        let bishops = white.diagonal | black.diagonal;
        match knights.count() {
            0 => (bishops & LIGHT).is_empty() || (bishops - LIGHT).is_empty(),
            1 => bishops.is_empty(),
            _ => false,
        }
    }
}

/// Hands every legal move to the sink. `sliders`: the technique to use.
#[inline]
pub fn generate<S: Sliders, K: MoveSink>(position: &Position, sliders: S, targets: Targets, sink: &mut K) {
    match position.turn() {
        Color::White => generate_for::<WhiteMoves, S, K>(position.board(), sliders, targets, sink),
        Color::Black => generate_for::<BlackMoves, S, K>(position.board(), sliders, targets, sink),
    }
}

/// Appends all legal moves.
pub fn legal_moves<S: Sliders>(position: &Position, sliders: S, list: &mut MoveList) {
    list_for(position, sliders, Targets::All, list);
}

/// Appends captures, en passant and all promotions.
pub fn captures<S: Sliders>(position: &Position, sliders: S, list: &mut MoveList) {
    list_for(position, sliders, Targets::Captures, list);
}

fn list_for<S: Sliders>(position: &Position, sliders: S, targets: Targets, list: &mut MoveList) {
    match position.turn() {
        Color::White => list_moves::<WhiteMoves, S>(position.board(), sliders, targets, list),
        Color::Black => list_moves::<BlackMoves, S>(position.board(), sliders, targets, list),
    }
}
