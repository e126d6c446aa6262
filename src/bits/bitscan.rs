//! Bit scans: the number of the lowest (forward) or highest (reverse) bit that is set.

use super::tables::{
    BY_DE_BRUIJN, BY_DE_BRUIJN_MASK, BY_FOLDING, BY_MODULO, HIGHEST, LOWEST, de_bruijn_index, folded_index,
    modulo_index,
};
use super::{Variant, chain};
use std::num::NonZeroU64;

/// 0 to 63; a word without bits has none to find, so it is no argument.
pub type BitScan = Variant<fn(NonZeroU64) -> u32>;

macro_rules! way {
    ($id:literal, $run:ident, $about:literal) => {
        Variant {
            id: $id,
            about: $about,
            run: |word| $run(word.get()),
            chain: |words| chain(words, |w| if w == 0 { 0 } else { $run(w).into() }),
        }
    };
}

/// All ways to find the lowest bit; the first is what the program uses and what the others are checked against.
pub static FORWARD: &[BitScan] = &[
    way!("hardware", forward_hardware, "the processor's count of trailing zeros"),
    way!("de-bruijn", de_bruijn, "the bit alone times a de Bruijn word; 64 bytes"),
    way!("de-bruijn-mask", de_bruijn_mask, "the bit and those below times a de Bruijn word; 64 bytes"),
    way!("folded", folded, "the same mask folded to 32 bits and multiplied (Matt Taylor); 64 bytes"),
    way!("modulo-67", modulo_67, "the bit alone by 67, of which 2 is a primitive root; 67 bytes"),
    way!("popcount", count_below, "counts the bits below"),
    way!("double", forward_double, "the exponent of the bit as a floating point number"),
    way!("six-masks", six_masks, "six tests of the bit alone, one for each digit of its number"),
    way!("halving", forward_halving, "halves the word until the bit is found"),
    way!("byte-table", forward_byte_table, "halves down to a byte; 256 bytes"),
    way!("bit-by-bit", forward_bit_by_bit, "looks at each bit"),
];

/// All ways to find the highest bit; the first is what the program uses and what the others are checked against.
pub static REVERSE: &[BitScan] = &[
    way!("hardware", reverse_hardware, "the processor's count of leading zeros"),
    way!("fill-de-bruijn", fill_de_bruijn, "fills down, then a de Bruijn word; 64 bytes"),
    way!("fill-folded", fill_folded, "fills down, then folds and multiplies; 64 bytes"),
    way!("fill-popcount", fill_popcount, "fills down and counts"),
    way!("fill-modulo-67", fill_modulo_67, "fills down, then the highest bit alone by 67; 67 bytes"),
    way!(
        "double",
        reverse_double,
        "the exponent of the word as a floating point number, kept from being rounded up"
    ),
    way!("reversed", reversed, "turns the word around and scans forward"),
    way!("halving", reverse_halving, "halves the word until the bit is found"),
    way!("byte-table", reverse_byte_table, "halves down to a byte; 256 bytes"),
    way!("bit-by-bit", reverse_bit_by_bit, "looks at each bit"),
];

/// The lowest bit alone.
#[inline(always)]
const fn lowest(word: u64) -> u64 {
    word & word.wrapping_neg()
}

/// The lowest bit and all below it.
#[inline(always)]
const fn lowest_mask(word: u64) -> u64 {
    word ^ word.wrapping_sub(1)
}

/// The highest bit and all below it.
#[inline(always)]
const fn fill_down(word: u64) -> u64 {
    let mut fill = word;
    fill |= fill >> 1;
    fill |= fill >> 2;
    fill |= fill >> 4;
    fill |= fill >> 8;
    fill |= fill >> 16;
    fill | fill >> 32
}

/// The exponent of a number that is at least 1.
#[inline(always)]
fn exponent(word: u64) -> u32 {
    const BIAS: u64 = 1023;
    (((word as f64).to_bits() >> 52).wrapping_sub(BIAS) & 63) as u32
}

#[inline]
fn forward_hardware(word: u64) -> u32 {
    word.trailing_zeros()
}

#[inline]
fn de_bruijn(word: u64) -> u32 {
    BY_DE_BRUIJN[de_bruijn_index(lowest(word))].into()
}

#[inline]
fn de_bruijn_mask(word: u64) -> u32 {
    BY_DE_BRUIJN_MASK[de_bruijn_index(lowest_mask(word))].into()
}

#[inline]
fn folded(word: u64) -> u32 {
    BY_FOLDING[folded_index(lowest_mask(word))].into()
}

#[inline]
fn modulo_67(word: u64) -> u32 {
    BY_MODULO[modulo_index(lowest(word))].into()
}

#[inline]
fn count_below(word: u64) -> u32 {
    (lowest(word).wrapping_sub(1)).count_ones()
}

#[inline]
fn forward_double(word: u64) -> u32 {
    exponent(lowest(word))
}

#[inline]
fn six_masks(word: u64) -> u32 {
    /// The squares whose number has this binary digit.
    const DIGITS: [u64; 6] = [
        0xAAAA_AAAA_AAAA_AAAA,
        0xCCCC_CCCC_CCCC_CCCC,
        0xF0F0_F0F0_F0F0_F0F0,
        0xFF00_FF00_FF00_FF00,
        0xFFFF_0000_FFFF_0000,
        0xFFFF_FFFF_0000_0000,
    ];
    let bit = lowest(word);
    DIGITS.iter().enumerate().map(|(digit, mask)| u32::from(bit & mask != 0) << digit).sum()
}

#[inline]
fn forward_halving(word: u64) -> u32 {
    let mut rest = word;
    let mut bit = 0;
    for width in [32, 16, 8, 4, 2, 1] {
        if rest & ((1 << width) - 1) == 0 {
            rest >>= width;
            bit += width;
        }
    }
    bit
}

#[inline]
fn forward_byte_table(word: u64) -> u32 {
    let mut rest = word;
    let mut bit = 0;
    for width in [32, 16, 8] {
        if rest & ((1 << width) - 1) == 0 {
            rest >>= width;
            bit += width;
        }
    }
    bit + u32::from(LOWEST[usize::from(rest as u8)])
}

#[inline]
fn forward_bit_by_bit(word: u64) -> u32 {
    (0..63).take_while(|bit| word >> bit & 1 == 0).count() as u32
}

#[inline]
fn reverse_hardware(word: u64) -> u32 {
    63_u32.wrapping_sub(word.leading_zeros())
}

#[inline]
fn fill_de_bruijn(word: u64) -> u32 {
    BY_DE_BRUIJN_MASK[de_bruijn_index(fill_down(word))].into()
}

#[inline]
fn fill_folded(word: u64) -> u32 {
    BY_FOLDING[folded_index(fill_down(word))].into()
}

#[inline]
fn fill_popcount(word: u64) -> u32 {
    fill_down(word).count_ones().wrapping_sub(1)
}

#[inline]
fn fill_modulo_67(word: u64) -> u32 {
    let fill = fill_down(word);
    BY_MODULO[modulo_index(fill ^ fill >> 1)].into()
}

#[inline]
fn reverse_double(word: u64) -> u32 {
    // 53 bits are kept: were they all ones, the rest would round them up to the next power of two. Each bit takes away
    // the one 32 below, so that the highest leaves a zero among them.
    exponent(word & !(word >> 32))
}

#[inline]
fn reversed(word: u64) -> u32 {
    63_u32.wrapping_sub(word.reverse_bits().trailing_zeros())
}

#[inline]
fn reverse_halving(word: u64) -> u32 {
    let mut rest = word;
    let mut bit = 0;
    for width in [32, 16, 8, 4, 2, 1] {
        if rest >> width != 0 {
            rest >>= width;
            bit += width;
        }
    }
    bit
}

#[inline]
fn reverse_byte_table(word: u64) -> u32 {
    let mut rest = word;
    let mut bit = 0;
    for width in [32, 16, 8] {
        if rest >> width != 0 {
            rest >>= width;
            bit += width;
        }
    }
    bit + u32::from(HIGHEST[usize::from(rest as u8)])
}

#[inline]
fn reverse_bit_by_bit(word: u64) -> u32 {
    (0..64).rev().find(|bit| word >> bit & 1 != 0).unwrap_or(0)
}
