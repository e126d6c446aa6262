//! Where king and rook go when they castle. The same in orthodox chess, Chess960 and double Chess960: the king to the c or
//! g file, the rook to the d or f file of their rank.

use crate::sliders::empty;
use crate::types::{Bitboard, Color, Square};

/// The squares of king and rook after castling; `king` and `rook` are where they stand now.
#[inline(always)]
pub const fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
    let rank = king.rank();
    if rook.file() > king.file() {
        (Square::at(6, rank), Square::at(5, rank))
    } else {
        (Square::at(2, rank), Square::at(3, rank))
    }
}

/// What castling asks of the squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// Must be empty; the squares of king and rook are not in it.
    pub empty: Bitboard,
    /// The king stands on or passes them; its start is not in it.
    pub king: Bitboard,
}

/// Per colour, file of the king, file of the rook.
static WAYS: [[[Way; 8]; 8]; 2] = [ways(0), ways(7)];

const fn ways(rank: u8) -> [[Way; 8]; 8] {
    let mut ways = [[Way { empty: Bitboard::EMPTY, king: Bitboard::EMPTY }; 8]; 8];
    let mut i = 0;
    while i < 64 {
        let (king, rook) = (Square::at(i / 8, rank), Square::at(i % 8, rank));
        let (king_to, rook_to) = castling_targets(king, rook);
        let king_way = empty::between(king, king_to).with(king_to).without(king);
        let rook_way = empty::between(rook, rook_to).with(rook_to);
        ways[i as usize / 8][i as usize % 8] =
            Way { empty: Bitboard(king_way.0 | rook_way.0).without(king).without(rook), king: king_way };
        i += 1;
    }
    ways
}

/// The way of this king with this rook, both on the first rank of their colour.
#[inline(always)]
pub(super) fn way(color: Color, king: Square, rook: Square) -> Way {
    WAYS[color.index()][king.file() as usize][rook.file() as usize]
}
