//! A position in 24 bytes, without loss but for the counters: the set of occupied squares, and 4 bits per piece. Equal
//! positions have equal bytes, different ones different bytes, so sets of these are compared in full.
//!
//! 12 codes are pieces; the others say a little more: a rook that may castle (one per colour), the pawn that can be taken en
//! passant, the black king with Black to move.

use crate::rules::{Position, PositionError};
use crate::stats::rng::{GOLDEN_GAMMA, mix};
use crate::types::{Bitboard, Color, Piece, Role, Setup, Square, bch};
use std::hash::{BuildHasherDefault, Hash, Hasher};

const CASTLING_ROOK: u64 = 12;
const PASSED_PAWN: u64 = 14;
const KING_TO_MOVE: u64 = 15;

/// Occupied squares, then the codes of the pieces in the order of their squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Packed([u64; 3]);

impl Hash for Packed {
    /// Word by word: an array would be handed over as bytes.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.iter().for_each(|&word| state.write_u64(word));
    }
}

/// A set of packed positions.
pub(super) type PackedSet = std::collections::HashSet<Packed, BuildHasherDefault<Mixer>>;

impl Packed {
    /// `None` for more than 32 pieces.
    pub(super) fn new(position: &Position) -> Option<Packed> {
        let occupied = position.occupied();
        if occupied.count() > 32 {
            return None;
        }
        let passed = position.ep_square().map(|square| Bitboard::from(square).forward(!position.turn()));
        let mut words = [occupied.0, 0, 0];
        for (index, square) in occupied.into_iter().enumerate() {
            let Piece { color, role } = position.piece_at(square)?;
            let code = match role {
                Role::Rook if position.castling_rooks().has(square) => CASTLING_ROOK + color as u64,
                Role::Pawn if passed.is_some_and(|pawn| pawn.has(square)) => PASSED_PAWN,
                Role::King if color == Color::Black && position.turn() == Color::Black => KING_TO_MOVE,
                _ => color as u64 * 6 + role as u64,
            };
            words[1 + index / 16] |= code << (4 * (index % 16));
        }
        Some(Packed(words))
    }

    fn codes(&self) -> impl Iterator<Item = (Square, u64)> {
        let words = self.0;
        let code = move |index: usize| words[1 + index / 16] >> (4 * (index % 16)) & 15;
        Bitboard(words[0]).into_iter().enumerate().map(move |(index, square)| (square, code(index)))
    }

    /// The position again, with fresh counters.
    pub(super) fn unpack(&self) -> Result<Position, PositionError> {
        let mut setup = Setup::default();
        if self.codes().any(|(_, code)| code == KING_TO_MOVE) {
            setup.turn = Color::Black;
        }
        for (square, code) in self.codes() {
            let color = match code {
                6..=11 | 13 | KING_TO_MOVE => Color::Black,
                PASSED_PAWN => !setup.turn,
                _ => Color::White,
            };
            let role = match code {
                12 | 13 => Role::Rook,
                PASSED_PAWN => Role::Pawn,
                KING_TO_MOVE => Role::King,
                code => Role::ALL[code as usize % 6],
            };
            match code {
                12 | 13 => setup.castling_rooks = setup.castling_rooks.with(square),
                PASSED_PAWN => setup.ep = Bitboard::from(square).forward(setup.turn).first(),
                _ => {}
            }
            setup.board[square.index()] = Some(Piece::new(color, role));
        }
        Position::from_setup(&setup)
    }

    /// The exclusive or of the words of this position's places, as [`bch`] numbers them.
    #[inline]
    pub(super) fn key(&self, words: &[u64; bch::PLACES]) -> u64 {
        let mut key = 0;
        for (square, code) in self.codes() {
            key ^= match code {
                // Colour and role are the code itself, in the order of `bch::piece`.
                0..=11 => words[code as usize * 64 + square.index()],
                12 | 13 => {
                    let color = if code == 12 { Color::White } else { Color::Black };
                    words[bch::piece(color, Role::Rook, square)] ^ words[bch::castling(square)]
                }
                PASSED_PAWN => {
                    let color = if square.rank() < 4 { Color::White } else { Color::Black };
                    words[bch::piece(color, Role::Pawn, square)] ^ words[bch::ep(square)]
                }
                _ => words[bch::piece(Color::Black, Role::King, square)] ^ words[bch::BLACK_TO_MOVE],
            };
        }
        key
    }

    /// A value that depends on every bit of the position and of the seed: what a random function would give.
    pub(super) fn random(&self, seed: u64) -> u64 {
        self.0.iter().fold(mix(seed), |hash, word| mix((hash ^ word).wrapping_add(GOLDEN_GAMMA)))
    }
}

/// The hash function of [`PackedSet`]: the words of a position, mixed one after the other.
#[derive(Clone, Default, Debug)]
pub(super) struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0 = mix(self.0 ^ word);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
