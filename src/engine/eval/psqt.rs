//! Piece-square tables, drawn as White sees the left half of the board (files a to d, eighth rank first; files e to h
//! mirror them), centipawns on top of material. The numbers are this project's own, set from plain principles:
//! knights and bishops to the centre, rooks to the seventh rank and the middle files, the king to a corner while
//! there are queens and to the centre afterwards, pawns forward.
//! Source of the idea: page "Piece-Square Tables" of the seed documents.

use super::Taper;
use crate::types::{Role, Square};

type HalfTable = [[i16; 4]; 8];

const PAWN_MG: HalfTable = [
    [0, 0, 0, 0],
    [45, 50, 55, 60],
    [12, 18, 28, 34],
    [-2, 8, 12, 24],
    [-10, 0, 8, 22],
    [-10, 2, 2, 8],
    [-12, 8, 0, -12],
    [0, 0, 0, 0],
];

const PAWN_EG: HalfTable = [
    [0, 0, 0, 0],
    [90, 88, 84, 80],
    [50, 48, 42, 36],
    [20, 16, 8, 2],
    [8, 6, 0, -4],
    [2, 4, 0, 2],
    [4, 6, 6, 8],
    [0, 0, 0, 0],
];

const KNIGHT_MG: HalfTable = [
    [-95, -50, -35, -25],
    [-40, -22, 14, 16],
    [-20, 18, 34, 42],
    [-8, 12, 26, 32],
    [-12, 6, 16, 22],
    [-20, 2, 14, 14],
    [-30, -24, -4, 2],
    [-64, -22, -30, -22],
];

const KNIGHT_EG: HalfTable = [
    [-60, -38, -22, -20],
    [-30, -14, -10, -2],
    [-20, -8, 8, 10],
    [-12, 4, 18, 22],
    [-12, 2, 16, 20],
    [-20, -6, 0, 12],
    [-32, -18, -12, -4],
    [-44, -38, -22, -16],
];

const BISHOP_MG: HalfTable = [
    [-18, -14, -26, -24],
    [-20, 2, 0, -6],
    [-2, 22, 26, 24],
    [-4, 8, 18, 30],
    [0, 10, 14, 24],
    [4, 16, 16, 12],
    [4, 22, 14, 6],
    [-20, -6, -12, -12],
];

const BISHOP_EG: HalfTable = [
    [-16, -14, -10, -8],
    [-10, -4, 0, -4],
    [0, 0, 2, 2],
    [-2, 6, 8, 10],
    [-6, 2, 10, 12],
    [-8, -2, 8, 10],
    [-14, -10, -4, 2],
    [-18, -10, -12, -6],
];

const ROOK_MG: HalfTable = [
    [16, 18, 20, 26],
    [22, 24, 36, 42],
    [0, 18, 20, 26],
    [-14, -4, 8, 14],
    [-22, -12, -6, 2],
    [-26, -12, -8, -4],
    [-30, -12, -6, -2],
    [-16, -12, 4, 12],
];

const ROOK_EG: HalfTable = [
    [12, 12, 14, 14],
    [12, 14, 14, 12],
    [8, 6, 6, 4],
    [6, 4, 6, 2],
    [2, 2, 2, 0],
    [-6, -4, -4, -4],
    [-8, -6, -4, -4],
    [-6, -2, -2, -2],
];

const QUEEN_MG: HalfTable = [
    [-4, 4, 16, 18],
    [-6, -18, 6, 4],
    [6, 8, 18, 18],
    [-8, -8, -4, -4],
    [-6, -6, -4, -6],
    [-6, 4, 0, -2],
    [-12, -4, 8, 6],
    [-14, -16, -10, 4],
];

const QUEEN_EG: HalfTable = [
    [0, 14, 20, 24],
    [-6, 18, 26, 38],
    [-4, 10, 24, 38],
    [12, 26, 30, 42],
    [2, 22, 24, 36],
    [-6, -4, 12, 10],
    [-22, -24, -20, -12],
    [-32, -26, -22, -20],
];

const KING_MG: HalfTable = [
    [-30, -10, -20, -40],
    [-20, -14, -24, -36],
    [-18, -8, -20, -36],
    [-24, -20, -28, -42],
    [-34, -24, -36, -48],
    [-20, -14, -28, -42],
    [4, 6, -16, -38],
    [4, 26, 4, -20],
];

const KING_EG: HalfTable = [
    [-50, -20, -8, -6],
    [-6, 18, 22, 22],
    [6, 28, 32, 26],
    [-2, 22, 28, 32],
    [-14, 6, 22, 28],
    [-18, 0, 12, 20],
    [-24, -8, 2, 8],
    [-50, -32, -20, -18],
];

const TABLES: [(&HalfTable, &HalfTable); 6] = [
    (&PAWN_MG, &PAWN_EG),
    (&KNIGHT_MG, &KNIGHT_EG),
    (&BISHOP_MG, &BISHOP_EG),
    (&ROOK_MG, &ROOK_EG),
    (&QUEEN_MG, &QUEEN_EG),
    (&KING_MG, &KING_EG),
];

/// The value of this role on this square, seen from its own side (a white piece's real square, a black piece's
/// flipped one).
pub fn value(role: Role, square: Square) -> Taper {
    let (mg, eg) = TABLES[role.index()];
    let rank = 7 - usize::from(square.rank());
    let file = usize::from(square.file().min(7 - square.file()));
    Taper::new(i32::from(mg[rank][file]), i32::from(eg[rank][file]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rank_is_drawn_last_and_files_are_mirrored() {
        assert_eq!(value(Role::Pawn, Square::D4).mg(), 22);
        assert_eq!(value(Role::King, Square::G1), value(Role::King, Square::B1));
        assert_eq!(value(Role::Rook, Square::A7).mg(), 22);
    }
}
