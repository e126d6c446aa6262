//! Zobrist keys: random numbers per piece and square, castling rook, en-passant file and side to move, made by the compiler
//! from a fixed seed (SplitMix64). Source: the field's standard hashing; compared with BCH keys in a later study.

use crate::stats::SplitMix64;
use crate::types::{Color, Role, Square};

struct Keys {
    pieces: [[[u64; 64]; 6]; 2],
    castling: [u64; 64],
    ep: [u64; 8],
    black: u64,
}

const fn make() -> Keys {
    let mut random = SplitMix64::new(0x6761_756e_746c_6574);
    let mut keys = Keys { pieces: [[[0; 64]; 6]; 2], castling: [0; 64], ep: [0; 8], black: 0 };
    let mut i = 0;
    while i < 12 * 64 {
        keys.pieces[i / 384][i / 64 % 6][i % 64] = random.next_u64();
        i += 1;
    }
    let mut i = 0;
    while i < 64 {
        keys.castling[i] = random.next_u64();
        i += 1;
    }
    let mut i = 0;
    while i < 8 {
        keys.ep[i] = random.next_u64();
        i += 1;
    }
    keys.black = random.next_u64();
    keys
}

static KEYS: Keys = make();

#[inline(always)]
pub(super) fn piece(color: Color, role: Role, square: Square) -> u64 {
    KEYS.pieces[color.index()][role.index()][square.index()]
}

/// The right of the rook on this square.
#[inline(always)]
pub(super) fn castling(rook: Square) -> u64 {
    KEYS.castling[rook.index()]
}

/// Only for a capture that is legal.
#[inline(always)]
pub(super) fn ep(square: Square) -> u64 {
    KEYS.ep[square.file() as usize]
}

pub(super) fn black_to_move() -> u64 {
    KEYS.black
}
