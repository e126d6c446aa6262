//! Snoob, "same number of one bits": the next greater word with as many bits set, which runs through all subsets of one
//! size. HAKMEM 175 (R. W. Gosper) and what became of it.

use super::{Variant, chain};

/// `None` if no greater word of 64 bits has as many, and for 0.
pub type Snoob = Variant<fn(u64) -> Option<u64>>;

/// All ways; the first is the published one.
pub static SNOOB: &[Snoob] = {
    macro_rules! way {
        ($id:literal, $run:ident, $about:literal) => {
            Variant {
                id: $id,
                about: $about,
                run: $run,
                chain: |words| chain(words, |w| $run(w).unwrap_or(0)),
            }
        };
    }
    &[
        way!("hakmem-175", hakmem_175, "adds the lowest bit; a division brings the rest of the run down"),
        way!("shift", shift, "the same with a shift by the trailing zeros for the division"),
        way!("popcount", popcount, "the same with a count of what is left of the run"),
        way!("run", run, "finds the lowest run of ones: its top bit goes up one, the others to the bottom"),
        way!(
            "positions",
            positions,
            "from bit to bit: the first that can go up does, those below start again"
        ),
    ]
};

/// The next smaller word with as many bits set: the same seen from the zeros.
pub fn previous(word: u64) -> Option<u64> {
    shift(!word).map(|next| !next)
}

/// The word with its lowest run of ones carried up; `None` if the carry leaves the word.
#[inline(always)]
fn carried(word: u64) -> Option<u64> {
    if word == 0 { None } else { word.checked_add(word & word.wrapping_neg()) }
}

#[inline]
fn hakmem_175(word: u64) -> Option<u64> {
    let ripple = carried(word)?;
    // The run and the bit it became, cut down to the run less one, at the place of the run.
    let rest = (ripple ^ word) >> 2;
    Some(ripple | rest.checked_div(word & word.wrapping_neg())?)
}

#[inline]
fn shift(word: u64) -> Option<u64> {
    let ripple = carried(word)?;
    Some(ripple | (ripple ^ word) >> 2 >> word.trailing_zeros())
}

#[inline]
fn popcount(word: u64) -> Option<u64> {
    let ripple = carried(word)?;
    // At least the lowest bit and the one it became differ.
    let left = (ripple ^ word).count_ones().saturating_sub(2);
    Some(ripple | ((1 << left) - 1))
}

#[inline]
fn run(word: u64) -> Option<u64> {
    let start = word.trailing_zeros();
    if start >= 64 {
        return None;
    }
    let length = (word >> start).trailing_ones();
    let above = start + length;
    if above >= 64 {
        return None;
    }
    let kept = word & (u64::MAX << above);
    Some(kept | 1 << above | ((1 << (length - 1)) - 1))
}

#[inline]
fn positions(word: u64) -> Option<u64> {
    let mut below = 0;
    for bit in 0..63 {
        if word >> bit & 1 == 0 {
            continue;
        }
        if word >> (bit + 1) & 1 == 0 {
            let kept = word & (u64::MAX << bit) & !(1 << bit);
            return Some(kept | 1 << (bit + 1) | ((1 << below) - 1));
        }
        below += 1;
    }
    None
}
