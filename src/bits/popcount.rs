//! Population count: how many bits of a word are set.

use super::tables::ONES;
use super::{Variant, chain};

/// 0 to 64.
pub type Popcount = Variant<fn(u64) -> u32>;

/// All ways; the first is what the program uses and what the others are checked against.
pub static POPCOUNT: &[Popcount] = {
    macro_rules! way {
        ($id:literal, $run:ident, $about:literal) => {
            Variant { id: $id, about: $about, run: $run, chain: |words| chain(words, |w| $run(w).into()) }
        };
    }
    &[
        way!("hardware", hardware, "the processor's instruction where the build allows it"),
        way!(
            "swar-multiply",
            swar_multiply,
            "sums of 2, 4 and 8 bits in place; a multiplication adds the bytes"
        ),
        way!("swar-modulo", swar_modulo, "the same; the remainder by 255 adds the bytes"),
        way!("pairwise", pairwise, "six rounds, each adding neighbours twice as wide"),
        way!(
            "hakmem-169",
            hakmem_169,
            "octal digits replaced by their counts; the remainder by 511 adds threes of them"
        ),
        way!("byte-table", byte_table, "eight lookups in 256 bytes"),
        way!("word-table", word_table, "four lookups in 64 KiB"),
        way!("kernighan", kernighan, "takes away the lowest bit until none is left"),
        way!("bit-by-bit", bit_by_bit, "looks at each of the 64 bits"),
    ]
};

#[inline]
fn hardware(word: u64) -> u32 {
    word.count_ones()
}

const PAIRS: u64 = 0x5555_5555_5555_5555;
const NIBBLES: u64 = 0x3333_3333_3333_3333;
const BYTES: u64 = 0x0F0F_0F0F_0F0F_0F0F;

/// Every byte replaced by its number of bits.
#[inline(always)]
fn byte_counts(word: u64) -> u64 {
    // Two bits ab are worth 2a + b; less a they are a + b.
    let pairs = word - (word >> 1 & PAIRS);
    let nibbles = (pairs & NIBBLES) + (pairs >> 2 & NIBBLES);
    (nibbles + (nibbles >> 4)) & BYTES
}

#[inline]
fn swar_multiply(word: u64) -> u32 {
    (byte_counts(word).wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
}

#[inline]
fn swar_modulo(word: u64) -> u32 {
    (byte_counts(word) % 255) as u32
}

#[inline]
fn pairwise(word: u64) -> u32 {
    const WIDTHS: [(u32, u64); 6] = [
        (1, PAIRS),
        (2, NIBBLES),
        (4, BYTES),
        (8, 0x00FF_00FF_00FF_00FF),
        (16, 0x0000_FFFF_0000_FFFF),
        (32, 0x0000_0000_FFFF_FFFF),
    ];
    WIDTHS.iter().fold(word, |sums, &(width, mask)| (sums & mask) + (sums >> width & mask)) as u32
}

/// HAKMEM 169 casts out 63s from six-bit sums of a word of 36 bits. A word of 64 has counts up to 64, which 63 does not hold: three
/// octal digits are added here, and 511s cast out.
#[inline]
fn hakmem_169(word: u64) -> u32 {
    const LOW_TWO: u64 = 0o333_333_333_333_333_333_333;
    const LOW: u64 = 0o1_111_111_111_111_111_111_111;
    const THIRDS: u64 = 0o1_007_007_007_007_007_007_007;
    // 4a + 2b + c, less 2a + b, less a, is a + b + c.
    let digits = word - (word >> 1 & LOW_TWO) - (word >> 2 & LOW);
    let nines = (digits & THIRDS) + (digits >> 3 & THIRDS) + (digits >> 6 & THIRDS);
    (nines % 511) as u32
}

#[inline]
fn byte_table(word: u64) -> u32 {
    word.to_le_bytes().iter().map(|&byte| u32::from(ONES[usize::from(byte)])).sum()
}

#[inline]
fn word_table(word: u64) -> u32 {
    (0..4).map(|place| u32::from(ONES[usize::from((word >> (16 * place)) as u16)])).sum()
}

#[inline]
fn kernighan(word: u64) -> u32 {
    let mut rest = word;
    let mut count = 0;
    while rest != 0 {
        rest &= rest - 1;
        count += 1;
    }
    count
}

#[inline]
fn bit_by_bit(word: u64) -> u32 {
    (0..64).map(|bit| (word >> bit & 1) as u32).sum()
}
