//! Tricks on 64-bit words, each several ways: how many bits are set, where the first and the last one is, the next word
//! with as many.
//!
//! The program itself uses what the processor offers; the other ways stand here to be compared (`benches/bits.rs`) and are all
//! checked against the first of their list. Knows nothing of chess. Sources: pages "Bitboards" and "Bill Gosper"
//! (HAKMEM 169 and 175) of the seed documents; D. Knuth, "The Art of Computer Programming" 7.1.3; C. Leiserson, H. Prokop,
//! K. Randall, "Using de Bruijn sequences to index a 1 in a computer word" (1998).

mod bitscan;
mod popcount;
mod snoob;
mod tables;

pub use bitscan::{BitScan, FORWARD, REVERSE};
pub use popcount::{POPCOUNT, Popcount};
pub use snoob::{SNOOB, Snoob, previous};

/// One way to do it.
#[derive(Clone, Copy, Debug)]
pub struct Variant<F> {
    /// The permanent name.
    pub id: &'static str,
    /// One line: how it works.
    pub about: &'static str,
    /// The function.
    pub run: F,
    /// The function on one word after the other, each turned by the result before it: a chain that no compiler can do in
    /// parallel, for timing. Its value is the last sum.
    pub chain: fn(&[u64]) -> u64,
}

/// The loop of [`Variant::chain`]; `f` is a function item, so that it is inlined.
#[inline(always)]
fn chain(words: &[u64], f: impl Fn(u64) -> u64) -> u64 {
    words.iter().fold(0, |sum: u64, word| sum.wrapping_add(f(word.rotate_left(sum as u32 & 63))))
}
