//! The tables and constants that the scans and counts look things up in, all computed by the compiler.
//!
//! Each perfect hash is proved on the way: a collision does not compile.

/// The binary de Bruijn word of order 6 that begins with six zeros and takes a one wherever it may: every window of six bits
/// occurs once, so that multiplying by a power of two brings another number to the top.
pub(super) const DE_BRUIJN: u64 = {
    let mut seen = 1_u64;
    let (mut word, mut window) = (0_u64, 0_u64);
    let mut bits = 6;
    while bits < 64 {
        let with_one = (window << 1 | 1) & 63;
        window = if seen >> with_one & 1 == 0 { with_one } else { window << 1 & 63 };
        assert!(seen >> window & 1 == 0, "a window twice");
        seen |= 1 << window;
        word = word << 1 | window & 1;
        bits += 1;
    }
    word
};

/// Multiplier for words folded to 32 bits; found by Matt Taylor.
pub(super) const FOLDING: u32 = 0x7829_1ACF;

/// The bits up to and with the given one.
const fn up_to(bit: u32) -> u64 {
    u64::MAX >> (63 - bit)
}

pub(super) const fn de_bruijn_index(word: u64) -> usize {
    (word.wrapping_mul(DE_BRUIJN) >> 58) as usize
}

pub(super) const fn folded_index(word: u64) -> usize {
    let folded = word as u32 ^ (word >> 32) as u32;
    (folded.wrapping_mul(FOLDING) >> 26) as usize
}

/// 2 is a primitive root of 67: its first 66 powers leave different remainders.
pub(super) const fn modulo_index(word: u64) -> usize {
    (word % 67) as usize
}

macro_rules! inverse {
    ($name:ident, $size:expr, $doc:literal, |$bit:ident| $index:expr) => {
        #[doc = $doc]
        pub(super) static $name: [u8; $size] = {
            let mut table = [u8::MAX; $size];
            let mut $bit = 0;
            while $bit < 64 {
                let index = $index;
                assert!(table[index] == u8::MAX, "two bits with one index");
                table[index] = $bit as u8;
                $bit += 1;
            }
            table
        };
    };
}

inverse!(BY_DE_BRUIJN, 64, "Bit by de Bruijn index of the bit alone.", |bit| de_bruijn_index(1 << bit));
inverse!(BY_DE_BRUIJN_MASK, 64, "Bit by de Bruijn index of it and all below.", |bit| de_bruijn_index(up_to(
    bit
)));
inverse!(BY_FOLDING, 64, "Bit by folded index of it and all below.", |bit| folded_index(up_to(bit)));
inverse!(BY_MODULO, 67, "Bit by remainder of the bit alone.", |bit| modulo_index(1 << bit));

/// Bits set in a word of 16 bits; the first 256 entries serve for bytes.
pub(super) static ONES: [u8; 1 << 16] = {
    let mut table = [0; 1 << 16];
    let mut word = 1;
    while word < table.len() {
        table[word] = table[word / 2] + (word & 1) as u8;
        word += 1;
    }
    table
};

/// The lowest bit of a byte; 0 for 0.
pub(super) static LOWEST: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 1;
    while byte < 256 {
        table[byte] = if byte & 1 == 1 { 0 } else { table[byte / 2] + 1 };
        byte += 1;
    }
    table
};

/// The highest bit of a byte; 0 for 0.
pub(super) static HIGHEST: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 2;
    while byte < 256 {
        table[byte] = table[byte / 2] + 1;
        byte += 1;
    }
    table
};
