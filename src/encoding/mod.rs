//! Encodings of moves: how many bits a move takes, and what one has to know to read it again.
//!
//! One file per encoding with its own typed face; [`Encoding`] is the list of them all. All encodings speak of castling as
//! [`Move`] does (king takes own rook), so that Chess960 loses nothing. This room must not know strings or files.
//! Source: page "Encoding Moves" of the seed documents.

pub mod butterfly;
pub mod direction_target;
pub mod enumeration;
pub mod extended;
pub mod from_to;
pub mod move_index;

pub use enumeration::Enumerated;
pub use extended::ExtendedMove;

use crate::rules::Position;
use crate::types::{Move, Role, Square};

/// Why a move has no code, or a code no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EncodingError {
    /// The encoding cannot tell this move from another, or the move belongs to another position.
    #[error("{0}: {1:?} has no code here")]
    NoCode(&'static str, Move),
    /// No legal move of this position has the code.
    #[error("{0}: no move here has the code {1}")]
    NoMove(&'static str, u32),
}

/// A way to write a move as a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    FromTo,
    Extended,
    MoveIndex,
    DirectionTarget,
    Enumeration,
    Butterfly,
}

impl Encoding {
    pub const ALL: [Encoding; 6] = [
        Encoding::FromTo,
        Encoding::Extended,
        Encoding::MoveIndex,
        Encoding::DirectionTarget,
        Encoding::Enumeration,
        Encoding::Butterfly,
    ];

    /// The permanent name.
    pub const fn id(self) -> &'static str {
        match self {
            Encoding::FromTo => "from-to",
            Encoding::Extended => "extended",
            Encoding::MoveIndex => "move-index",
            Encoding::DirectionTarget => "direction-target",
            Encoding::Enumeration => "enumeration",
            Encoding::Butterfly => "butterfly",
        }
    }

    pub fn from_id(id: &str) -> Option<Encoding> {
        Encoding::ALL.into_iter().find(|encoding| encoding.id() == id)
    }

    /// Width of a code: every code is below 2 to this power.
    pub const fn bits(self) -> u32 {
        match self {
            Encoding::FromTo | Encoding::Enumeration => 16,
            Encoding::Extended => 32,
            Encoding::MoveIndex => 8,
            Encoding::DirectionTarget | Encoding::Butterfly => 12,
        }
    }

    /// How many different codes moves can have; the rest of the width is unused.
    pub const fn codes(self) -> u32 {
        match self {
            Encoding::FromTo => from_to::CODES,
            Encoding::Extended => extended::CODES,
            Encoding::MoveIndex => move_index::CODES,
            Encoding::DirectionTarget => direction_target::CODES,
            Encoding::Enumeration => enumeration::CODES,
            Encoding::Butterfly => butterfly::CODES,
        }
    }

    /// What decoding needs beside the code.
    pub const fn decoding_needs(self) -> &'static str {
        match self {
            Encoding::FromTo | Encoding::Extended => "nothing",
            Encoding::MoveIndex => "position and its legal moves",
            Encoding::DirectionTarget | Encoding::Butterfly => "position",
            Encoding::Enumeration => "nothing (castling in Chess960: position)",
        }
    }

    /// One line: what a code is made of.
    pub const fn about(self) -> &'static str {
        match self {
            Encoding::FromTo => "kind of move (quiet, capture, promotion, ...), from square, to square",
            Encoding::Extended => {
                "from-to, the moving and the captured role in MVV-LVA order, a score of 10 bits"
            }
            Encoding::MoveIndex => {
                "place among the legal moves, ordered by from, to, promotion; at most 218 are known"
            }
            Encoding::DirectionTarget => {
                "one of 16 directions, to square, promotion; the from square is searched for"
            }
            Encoding::Enumeration => {
                "every combination of colour, piece, from, to, captured and promoted role numbered without gaps"
            }
            Encoding::Butterfly => {
                "from square and to square alone: a promotion is to a queen, others have no code"
            }
        }
    }

    /// The code of a legal move; the score of an extended move is 0.
    ///
    /// # Errors
    /// [`EncodingError::NoCode`] if the encoding cannot hold the move (under-promotions in `butterfly`). A move that is not
    /// legal here gives this error or a code that [`Encoding::decode`] refuses.
    pub fn encode(self, position: &Position, mv: Move) -> Result<u32, EncodingError> {
        match self {
            Encoding::FromTo => Some(from_to::encode(position, mv).into()),
            Encoding::Extended => ExtendedMove::new(position, mv, 0).map(ExtendedMove::bits),
            Encoding::MoveIndex => move_index::encode(position, mv).map(u32::from),
            Encoding::DirectionTarget => direction_target::encode(mv).map(u32::from),
            Encoding::Enumeration => {
                Enumerated::new(position, mv).and_then(Enumerated::number).map(u32::from)
            }
            Encoding::Butterfly => butterfly::encode(mv).map(u32::from),
        }
        .ok_or(EncodingError::NoCode(self.id(), mv))
    }

    /// The legal move with this code, the inverse of [`Encoding::encode`]; the score of an extended move is ignored.
    ///
    /// # Errors
    /// [`EncodingError::NoMove`] if no legal move of the position has the code.
    pub fn decode(self, position: &Position, code: u32) -> Result<Move, EncodingError> {
        let narrow = u16::try_from(code).ok();
        let mv = match self {
            Encoding::FromTo => narrow.and_then(from_to::decode),
            Encoding::Extended => ExtendedMove::from_bits(code).mv(),
            Encoding::MoveIndex => {
                u8::try_from(code).ok().and_then(|code| move_index::decode(position, code))
            }
            Encoding::DirectionTarget => narrow.and_then(|code| direction_target::decode(position, code)),
            Encoding::Enumeration => {
                narrow.and_then(Enumerated::by_number).and_then(|numbered| numbered.mv_in(position))
            }
            Encoding::Butterfly => narrow.and_then(|code| butterfly::decode(position, code)),
        };
        let unscored =
            if self == Encoding::Extended { code & ((1 << extended::SCORE_SHIFT) - 1) } else { code };
        mv.filter(|&mv| position.is_legal(mv) && self.encode(position, mv) == Ok(unscored))
            .ok_or(EncodingError::NoMove(self.id(), code))
    }
}

/// The whole move that goes from one square to another, where the position tells its kind. `promotion`: what a pawn becomes
/// that arrives. Legality is not tested; `None` if no piece of the side to move stands on `from`.
fn complete(position: &Position, from: Square, to: Square, promotion: Role) -> Option<Move> {
    let us = position.turn();
    let piece = position.piece_at(from).filter(|piece| piece.color == us)?;
    let own_rook = position.pieces(us, Role::Rook).has(to);
    Some(match piece.role {
        Role::Pawn if to.rank() == us.pick(7, 0) => Move::promotion(from, to, promotion),
        Role::Pawn if from.file() != to.file() && position.piece_at(to).is_none() => {
            Move::en_passant(from, to)
        }
        Role::King if own_rook => Move::castle(from, to),
        _ => Move::normal(from, to),
    })
}

/// The role a move takes, a pawn for en passant.
fn captured(position: &Position, mv: Move) -> Option<Role> {
    use crate::types::MoveKind;
    match mv.kind() {
        MoveKind::EnPassant => Some(Role::Pawn),
        MoveKind::Castle => None,
        MoveKind::Normal | MoveKind::Promotion => position.role_at(mv.to()),
    }
}

/// A role in two bits, for what a pawn becomes: knight 0 to queen 3.
const fn promotion_code(role: Role) -> u16 {
    (role as u16).wrapping_sub(1) & 3
}

/// The inverse of [`promotion_code`].
const fn promotion_role(code: u16) -> Role {
    Role::ALL[(code & 3) as usize + 1]
}
