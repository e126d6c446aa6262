//! Which enemy pieces can matter to a king at all: per king square, the squares from which a knight or a slider attacks,
//! on an empty board, a square the king might go to. Found by the compiler.

use crate::sliders::empty;
use crate::types::{Bitboard, Square};

/// Where a piece must stand to attack the zone of a king: its neighbours and, where it may castle, its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Zone {
    pub knights: Bitboard,
    pub diagonal: Bitboard,
    pub orthogonal: Bitboard,
}

static ZONES: [[Zone; 64]; 2] = [zones(false), zones(true)];

const fn zones(castles: bool) -> [Zone; 64] {
    let none = Zone { knights: Bitboard::EMPTY, diagonal: Bitboard::EMPTY, orthogonal: Bitboard::EMPTY };
    let mut zones = [none; 64];
    let mut square = 0;
    while square < 64 {
        let king = Square::new(square);
        let mut rest = empty::king(king).0;
        if castles {
            // From the king's file to the c and the g file.
            let file = king.file();
            let (low, high) = (if file < 2 { file } else { 2 }, if file > 6 { file } else { 6 });
            let files = (0xff << low) & (0xff >> (7 - high)) & 0xff;
            rest |= files << (8 * king.rank()) & !(1 << square);
        }
        let mut zone = none;
        while rest != 0 {
            let target = Square::new(rest.trailing_zeros() as u8);
            zone.knights.0 |= empty::knight(target).0;
            zone.diagonal.0 |= empty::bishop(target).0;
            zone.orthogonal.0 |= empty::rook(target).0;
            rest &= rest - 1;
        }
        zones[square as usize] = zone;
        square += 1;
    }
    zones
}

impl Zone {
    /// The zone of a king on this square.
    #[inline(always)]
    pub fn of(king: Square, castles: bool) -> &'static Zone {
        &ZONES[castles as usize][king.index()]
    }
}
