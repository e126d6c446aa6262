//! The move notations by name: one way to read and write a move in any of them.

use super::{CastlingMode, MoveError, coordinate, fan, iccf, lan, san, smith, uci_move, xboard};
use crate::rules::Position;
use crate::types::Move;
use serde::{Deserialize, Serialize};

/// How a move is written. The ids are permanent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Notation {
    /// Standard algebraic: `Nf3`.
    San,
    /// Long algebraic: `Ng1-f3`.
    Lan,
    /// Pure coordinates: `g1f3`.
    Coordinate,
    /// As UCI engines are told: `g1f3`; Chess960 castling as king takes rook.
    Uci,
    /// As xboard engines are told: `g1f3`; Chess960 castling as `O-O`.
    Xboard,
    /// The correspondence federation's digits: `7163`.
    Iccf,
    /// Coordinates with the captured piece: `f3e5p`.
    Smith,
    /// Figurine algebraic: `♘f3`.
    Fan,
}

impl Notation {
    pub const ALL: [Notation; 8] = [
        Notation::San,
        Notation::Lan,
        Notation::Coordinate,
        Notation::Uci,
        Notation::Xboard,
        Notation::Iccf,
        Notation::Smith,
        Notation::Fan,
    ];

    /// `san`, `lan`, `coordinate`, `uci`, `xboard`, `iccf`, `smith` or `fan`.
    pub const fn id(self) -> &'static str {
        match self {
            Notation::San => "san",
            Notation::Lan => "lan",
            Notation::Coordinate => "coordinate",
            Notation::Uci => "uci",
            Notation::Xboard => "xboard",
            Notation::Iccf => "iccf",
            Notation::Smith => "smith",
            Notation::Fan => "fan",
        }
    }

    pub fn from_id(id: &str) -> Option<Notation> {
        Notation::ALL.into_iter().find(|notation| notation.id() == id)
    }

    /// Reads a move and finds it among the legal ones. Castling may be written as in standard chess or as in Chess960,
    /// where the two do not contradict each other.
    ///
    /// # Errors
    /// If the text is no move of this notation, or not exactly one legal move.
    pub fn parse(self, text: &str, position: &Position) -> Result<Move, MoveError> {
        match self {
            Notation::San => san::parse(text, position),
            Notation::Lan => lan::parse(text, position),
            Notation::Coordinate => coordinate::parse(text, position),
            Notation::Uci => uci_move::parse(text, position),
            Notation::Xboard => xboard::parse(text, position),
            Notation::Iccf => iccf::parse(text, position),
            Notation::Smith => smith::parse(text, position),
            Notation::Fan => fan::parse(text, position),
        }
    }

    /// Writes a legal move so that [`Notation::parse`] reads it back. `mode` matters to castling in UCI and xboard form.
    ///
    /// # Errors
    /// If the move is not legal; or for a Chess960 castling that has no form of its own (the king steps to the next
    /// square, or stays, and only coordinates may be written).
    pub fn format(self, mv: Move, position: &Position, mode: CastlingMode) -> Result<String, MoveError> {
        if !position.is_legal(mv) {
            return Err(MoveError::illegal(&format!("{mv:?}")));
        }
        let text = match self {
            Notation::San => Some(san::format(mv, position)),
            Notation::Lan => lan::format(mv, position),
            Notation::Coordinate => coordinate::format(mv, position),
            Notation::Uci if mode == CastlingMode::Chess960 => Some(uci_move::format(mv, true)),
            Notation::Uci => coordinate::format(mv, position),
            Notation::Xboard => Some(xboard::format(mv, position, mode)),
            Notation::Iccf => iccf::format(mv, position),
            Notation::Smith => Some(smith::format(mv, position)),
            Notation::Fan => fan::format(mv, position),
        };
        text.ok_or_else(|| MoveError::Inexpressible(format!("{mv:?}"), self.id()))
    }
}
