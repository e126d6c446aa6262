//! BCH keys: hash keys of positions with a promise. A position is a string of 0 and 1, one place per piece on a square,
//! castling right, en-passant file and for the side to move; its key is the syndrome of that string under a BCH code of
//! length 1023. Two positions that differ in at most 16 places (17 with the parity bit, key bit 80) never have the same key of 81 bits;
//! the lowest 10·t bits alone are the syndrome of a smaller code and keep that promise for up to 2·t places.
//!
//! Like Zobrist keys they change by an exclusive or per place. Must not know positions.
//! Sources: page "BCH Hashing" of the seed documents (Warnock and Wendroff 1988: 81 bits that protect 16); Bose and
//! Ray-Chaudhuri 1960, Hocquenghem 1959; MacWilliams and Sloane, "The Theory of Error-Correcting Codes", ch. 9.

use super::{Color, Role, Square};

/// Places of the string: 768 pieces on squares, 64 castling rooks (Chess960), 8 en-passant files, the side to move.
pub const PLACES: usize = 768 + 64 + 8 + 1;

/// Bits of a whole key: eight syndromes of 10 bits and a parity bit.
pub const BITS: u32 = 81;

/// Length of the code: more words than there are places.
pub const LENGTH: usize = 1023;

/// x^10 + x^3 + 1, primitive: octal 2011 in Peterson's table.
const POLYNOMIAL: u16 = 0o2011;

/// Powers of the primitive element: a linear feedback shift register of 10 bits.
const POWERS: [u16; LENGTH] = {
    let mut powers = [1; LENGTH];
    let mut i = 1;
    while i < LENGTH {
        let next = powers[i - 1] << 1;
        powers[i] = if next & 1 << 10 == 0 { next } else { next ^ POLYNOMIAL };
        i += 1;
    }
    powers
};

/// Column i of the code's parity-check matrix: α^i, α^3i, α^5i … α^15i from the lowest bits on, then 1.
const WORDS: [u128; LENGTH] = {
    let mut words = [0; LENGTH];
    let mut place = 0;
    while place < LENGTH {
        let mut word = 1 << (BITS - 1);
        let mut block = 0;
        while block < 8 {
            word |= (POWERS[place * (2 * block + 1) % LENGTH] as u128) << (10 * block);
            block += 1;
        }
        words[place] = word;
        place += 1;
    }
    words
};

static KEYS: [u128; LENGTH] = WORDS;

/// The word of a place: 81 bits.
///
/// # Panics
/// If `place` is not below [`LENGTH`].
#[inline(always)]
pub fn word(place: usize) -> u128 {
    KEYS[place]
}

/// The place of a piece on a square.
#[inline(always)]
pub const fn piece(color: Color, role: Role, square: Square) -> usize {
    (color.index() * 6 + role.index()) * 64 + square.index()
}

/// The place of the castling right of the rook on this square.
#[inline(always)]
pub const fn castling(rook: Square) -> usize {
    768 + rook.index()
}

/// The place of an en-passant square, by its file.
#[inline(always)]
pub const fn ep(square: Square) -> usize {
    768 + 64 + square.file() as usize
}

/// The place that is 1 if Black is to move.
pub const BLACK_TO_MOVE: usize = 768 + 64 + 8;

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Coefficients of a product of polynomials over GF(2).
    fn product(a: u128, b: u128) -> u128 {
        (0..128).filter(|&i| b >> i & 1 == 1).fold(0, |sum, i| sum ^ a << i)
    }

    /// Minimal polynomials of α, α^3 … α^15 as published (Peterson, "Error-Correcting Codes", table of irreducible polynomials
    /// of degree 10). Their product generates the code.
    const MINIMAL: [u128; 8] = [0o2011, 0o2017, 0o2415, 0o3771, 0o2257, 0o2065, 0o2157, 0o2653];

    #[test]
    fn the_published_generators_are_codewords_and_lighter_words_are_not() {
        let mut generator = 1;
        for (t, polynomial) in (1..).zip(MINIMAL) {
            generator = product(generator, polynomial);
            // (n, k) = (1023, 1023 - 10t), as in the published tables of BCH codes.
            assert_eq!(127 - generator.leading_zeros(), 10 * t);
            assert!(generator.count_ones() > 2 * t, "t = {t}");
            let sum = (0..128).filter(|&i| generator >> i & 1 == 1).fold(0, |sum, i| sum ^ word(i));
            let bits = (1 << (10 * t)) - 1;
            assert_eq!(sum & bits, 0, "t = {t}: the generator is a codeword of the first {t} syndromes");
            assert_ne!(sum & (bits << 10), 0, "t = {t}: and of no more");
        }
    }

    /// The double-error-correcting code of that length: octal 4014167 in the tables of Lin and Costello.
    #[test]
    fn the_generator_of_the_second_code_is_the_published_one() {
        assert_eq!(product(MINIMAL[0], MINIMAL[1]), 0o4_014_167);
    }

    /// Distance 5 of the lowest 20 bits, over all sums of up to four places: no two pairs have the same sum.
    #[test]
    fn four_places_are_independent_in_twenty_bits() {
        let low = |place| word(place) as u32 & 0xF_FFFF;
        let mut sums: HashSet<u32> = (0..PLACES).map(low).collect();
        sums.insert(0);
        for a in 0..PLACES {
            for b in 0..a {
                assert!(sums.insert(low(a) ^ low(b)), "{a} {b}");
            }
        }
        assert_eq!(sums.len(), 1 + PLACES + PLACES * (PLACES - 1) / 2);
    }

    /// Distance 7 of the lowest 30 bits, over all sums of up to six of the first 160 places.
    #[test]
    fn six_places_are_independent_in_thirty_bits() {
        let low = |place| word(place) as u32 & 0x3FFF_FFFF;
        let mut sums = vec![0];
        for a in 0..160 {
            sums.push(low(a));
            for b in 0..a {
                sums.push(low(a) ^ low(b));
                sums.extend((0..b).map(|c| low(a) ^ low(b) ^ low(c)));
            }
        }
        let all = sums.len();
        sums.sort_unstable();
        sums.dedup();
        assert_eq!(sums.len(), all);
    }

    /// The promise of the whole key for sets of places that a cycle of moves makes: at random, up to 17 of them.
    #[test]
    fn seventeen_places_are_never_zero() {
        let mut random = 88_u64;
        let mut next = move || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize
        };
        for round in 0..20_000 {
            let places: HashSet<usize> = (0..1 + round % 17).map(|_| next() % PLACES).collect();
            let sum = places.iter().fold(0, |sum, &place| sum ^ word(place));
            assert_ne!(sum, 0, "{places:?}");
            // An odd number of places shows in the parity bit.
            assert_eq!(sum >> (BITS - 1), places.len() as u128 & 1);
        }
    }

    #[test]
    fn every_place_is_named_once() {
        let mut places = vec![BLACK_TO_MOVE];
        for square in Square::all() {
            places.push(castling(square));
            for color in Color::ALL {
                places.extend(Role::ALL.map(|role| piece(color, role, square)));
            }
        }
        places.extend((0..8).map(|file| ep(Square::at(file, 2))));
        places.sort_unstable();
        assert_eq!(places, (0..PLACES).collect::<Vec<_>>());
    }
}
