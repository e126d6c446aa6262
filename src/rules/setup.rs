//! What makes an unchecked arrangement of pieces a position.

use super::board::{Board, Side};
use crate::types::{Bitboard, Color, Role, Setup, Square, Surplus};

/// Why an arrangement is no position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    #[error("{} has no king", .0.name())]
    NoKing(Color),
    #[error("{} has more than one king", .0.name())]
    ManyKings(Color),
    #[error("a pawn stands on {0}")]
    PawnOnBackRank(Square),
    #[error(transparent)]
    Surplus(#[from] Surplus),
    #[error("the kings stand side by side")]
    KingsTouch,
    #[error("{} has just moved and is in check", .0.name())]
    OppositeCheck(Color),
}

/// The pieces as sets, with kings, pawns and material checked and impossible castling rights dropped. No en-passant square yet.
pub(super) fn to_board(setup: &Setup) -> Result<Board, PositionError> {
    let mut sides = [Side::default(); 2];
    for square in Square::all() {
        if let Some(piece) = setup.board[square.index()] {
            sides[piece.color.index()].put(piece.role, square);
        }
    }
    for color in Color::ALL {
        match sides[color.index()].king.count() {
            0 => return Err(PositionError::NoKing(color)),
            1 => {}
            _ => return Err(PositionError::ManyKings(color)),
        }
    }
    let back_ranks = Bitboard::RANK_1 | Bitboard::RANK_8;
    if let Some(square) = ((sides[0].pawns | sides[1].pawns) & back_ranks).first() {
        return Err(PositionError::PawnOnBackRank(square));
    }
    setup.check_material()?;
    let castling = possible_castling(setup, &sides);
    Ok(Board { sides, castling, ep: None })
}

/// Rights whose king stands on its back rank and whose rook is an own rook there, at most one on each side.
fn possible_castling(setup: &Setup, sides: &[Side; 2]) -> Bitboard {
    let mut possible = Bitboard::EMPTY;
    for color in Color::ALL {
        let side = &sides[color.index()];
        let back_rank = Bitboard::back_rank(color);
        let king = side.king & back_rank;
        let rooks = setup.castling_rooks & back_rank & side.by_role(Role::Rook);
        let Some(king) = king.first() else { continue };
        let below = Bitboard((1 << king.index()) - 1);
        // The outermost one where two are named on a side.
        possible |= (rooks & below).first().map_or(Bitboard::EMPTY, Bitboard::from);
        possible |= (rooks - below).last().map_or(Bitboard::EMPTY, Bitboard::from);
    }
    possible
}
