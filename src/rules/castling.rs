//! Where king and rook go when they castle. The same in orthodox chess, Chess960 and double Chess960: the king to the c or
//! g file, the rook to the d or f file of their rank.

use crate::sliders::empty;
use crate::types::{Bitboard, Square};

/// The squares of king and rook after castling; `king` and `rook` are where they stand now.
#[inline(always)]
pub fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
    let rank = king.rank();
    if rook.file() > king.file() {
        (Square::at(6, rank), Square::at(5, rank))
    } else {
        (Square::at(2, rank), Square::at(3, rank))
    }
}

/// (squares that must be empty but for king and rook, squares the king stands on or passes, its start left out)
#[inline(always)]
pub(super) fn paths(king: Square, rook: Square) -> (Bitboard, Bitboard) {
    let (king_to, rook_to) = castling_targets(king, rook);
    let king_path = empty::between(king, king_to).with(king_to).without(king);
    let rook_path = empty::between(rook, rook_to).with(rook_to);
    (king_path | rook_path, king_path)
}
