//! Zobrist keys: random numbers per piece and square, castling rook, en-passant file and side to move, made by the compiler
//! from a fixed seed. They stand here so that every generator has the same ones; what is hashed when, each knows itself.
//! Source: the field's standard hashing, with numbers by Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014).

use super::{Color, Role, Square};

/// The `index`th number, from 0, of the sequence SplitMix64 gives for our seed.
const fn mix(index: u64) -> u64 {
    let state = 0x6761_756e_746c_6574_u64.wrapping_add((index + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

struct Keys {
    pieces: [[[u64; 64]; 6]; 2],
    castling: [u64; 64],
    ep: [u64; 8],
    black: u64,
}

const fn make() -> Keys {
    let mut keys = Keys { pieces: [[[0; 64]; 6]; 2], castling: [0; 64], ep: [0; 8], black: 0 };
    let mut i = 0;
    while i < 12 * 64 {
        keys.pieces[i / 384][i / 64 % 6][i % 64] = mix(i as u64);
        i += 1;
    }
    let mut i = 0;
    while i < 64 {
        keys.castling[i] = mix(12 * 64 + i as u64);
        i += 1;
    }
    let mut i = 0;
    while i < 8 {
        keys.ep[i] = mix(13 * 64 + i as u64);
        i += 1;
    }
    keys.black = mix(13 * 64 + 8);
    keys
}

static KEYS: Keys = make();

/// A piece on its square.
#[inline(always)]
pub fn piece(color: Color, role: Role, square: Square) -> u64 {
    KEYS.pieces[color.index()][role.index()][square.index()]
}

/// The right of the rook on this square.
#[inline(always)]
pub fn castling(rook: Square) -> u64 {
    KEYS.castling[rook.index()]
}

/// The file of this en-passant square; only where a capture there is legal.
#[inline(always)]
pub fn ep(square: Square) -> u64 {
    KEYS.ep[square.file() as usize]
}

#[inline(always)]
pub fn black_to_move() -> u64 {
    KEYS.black
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The generator of `stats` is tested against a published sequence; these are its numbers for our seed.
    #[test]
    fn the_numbers_are_those_of_splitmix() {
        let mut random = crate::stats::SplitMix64::new(0x6761_756e_746c_6574);
        for color in Color::ALL {
            for role in Role::ALL {
                for square in Square::all() {
                    assert_eq!(piece(color, role, square), random.next_u64());
                }
            }
        }
        Square::all().for_each(|square| assert_eq!(castling(square), random.next_u64()));
        (0..8).for_each(|file| assert_eq!(ep(Square::at(file, 2)), random.next_u64()));
        assert_eq!(black_to_move(), random.next_u64());
    }
}
