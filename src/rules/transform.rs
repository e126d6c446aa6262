//! Images of a position: colour flip, mirrored files, half a turn, and the two diagonals. What has no image says why: a
//! castling right has no mirror image, and pawns know only one direction.
//!
//! Must not know what the images are compared for. Sources: pages "Color Flipping" (the half turn is MicroChess's way of
//! changing places) and "Diagonal Mirroring" of the seed documents.

use super::board::Board;
use super::position::Position;
use crate::types::{Bitboard, Square};

/// Why a position has no such image.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoImage {
    /// The king castles to the c and g files, which are no mirror images of each other.
    #[error("a position with castling rights has no mirror image")]
    CastlingRights,
    /// Seen along a diagonal, pawns would move sideways.
    #[error("a position with pawns cannot be mirrored along a diagonal")]
    Pawns,
}

impl Position {
    /// Colour flip: colours swapped, ranks mirrored, the other side to move. The same game, seen from the other side.
    #[must_use]
    pub fn flipped(&self) -> Position {
        self.with_board(self.board().flipped(), !self.turn())
    }

    /// Files mirrored.
    ///
    /// # Errors
    /// Castling rights, which have no mirror image.
    pub fn mirrored(&self) -> Result<Position, NoImage> {
        if self.castling_rooks().any() {
            return Err(NoImage::CastlingRights);
        }
        Ok(self.with_board(image(self.board(), Bitboard::mirror, Square::mirror), self.turn()))
    }

    /// Half a turn of the board and colours swapped: the players have changed places.
    ///
    /// # Errors
    /// Castling rights, which have no mirror image.
    pub fn rotated(&self) -> Result<Position, NoImage> {
        self.flipped().mirrored()
    }

    /// Mirrored along the diagonal a1-h8, colours as they are.
    ///
    /// # Errors
    /// Castling rights or pawns.
    pub fn diagonal(&self) -> Result<Position, NoImage> {
        self.along_a_diagonal(Bitboard::diagonal)
    }

    /// Mirrored along the diagonal h1-a8, colours as they are.
    ///
    /// # Errors
    /// Castling rights or pawns.
    pub fn anti_diagonal(&self) -> Result<Position, NoImage> {
        self.along_a_diagonal(Bitboard::anti_diagonal)
    }

    fn along_a_diagonal(&self, map: fn(Bitboard) -> Bitboard) -> Result<Position, NoImage> {
        let [white, black] = &self.board().sides;
        if (white.pawns | black.pawns).any() {
            return Err(NoImage::Pawns);
        }
        if self.castling_rooks().any() {
            return Err(NoImage::CastlingRights);
        }
        // Without pawns there is no en-passant square.
        Ok(self.with_board(image(self.board(), map, |square| square), self.turn()))
    }
}

impl Board {
    /// Colours swapped and ranks mirrored.
    #[inline(always)]
    pub(super) fn flipped(&self) -> Board {
        let board = image(self, Bitboard::flip, Square::flip);
        Board { sides: [board.sides[1], board.sides[0]], ..board }
    }
}

/// The board with its sets and squares mapped, colours as they are.
#[inline(always)]
fn image(board: &Board, set: fn(Bitboard) -> Bitboard, square: fn(Square) -> Square) -> Board {
    Board {
        sides: board.sides.map(|side| side.map(set)),
        castling: set(board.castling),
        ep: board.ep.map(square),
    }
}
