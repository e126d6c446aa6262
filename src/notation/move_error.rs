//! Why a written move could not be read; shared by all move notations.

use super::text::excerpt;
use crate::types::Move;
use thiserror::Error;

/// Why a written move could not be read. Each variant holds the move as written (at most 40 characters of it).
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveError {
    #[error("{0:?} is not a move")]
    Syntax(String),
    #[error("{0:?} is not a legal move here")]
    Illegal(String),
    /// Several legal moves fit; they follow in UCI form.
    #[error("{0:?} is ambiguous: {1}")]
    Ambiguous(String, String),
    #[error("{0:?} does not say what the pawn becomes")]
    MissingPromotion(String),
    #[error("{0:?} is a null move, which is not a legal move")]
    Null(String),
    #[error("{0:?} does not say from which square")]
    NoOrigin(String),
    #[error("{0:?} names another captured piece than the one that stands there")]
    Capture(String),
    /// Written so, it would be read as another move. The move in UCI form (castling as king takes rook), the notation.
    #[error("castling {0:?} has no form of its own in {1} notation")]
    Inexpressible(String, &'static str),
}

impl MoveError {
    pub(super) fn syntax(text: &str) -> MoveError {
        MoveError::Syntax(excerpt(text))
    }

    pub(super) fn illegal(text: &str) -> MoveError {
        MoveError::Illegal(excerpt(text))
    }

    pub(super) fn missing_promotion(text: &str) -> MoveError {
        MoveError::MissingPromotion(excerpt(text))
    }

    pub(super) fn no_origin(text: &str) -> MoveError {
        MoveError::NoOrigin(excerpt(text))
    }

    pub(super) fn capture(text: &str) -> MoveError {
        MoveError::Capture(excerpt(text))
    }

    pub(super) fn ambiguous(text: &str, candidates: &[Move]) -> MoveError {
        let list: Vec<String> = candidates.iter().map(|mv| format!("{mv:?}")).collect();
        MoveError::Ambiguous(excerpt(text), list.join(" "))
    }

    /// An error if the text is one of the usual ways to write "no move".
    pub(super) fn check_null(text: &str) -> Result<(), MoveError> {
        const NULL_MOVES: [&str; 9] = ["0000", "--", "Z0", "(none)", "null", "NULL", "none", "@@@@", "<>"];
        if NULL_MOVES.contains(&text) { Err(MoveError::Null(text.to_owned())) } else { Ok(()) }
    }
}
