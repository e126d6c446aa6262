//! Bit tricks: every way equals the standard library on words that are hard and on a million that are random; the next word
//! with as many bits against its rank among all such words.

use gauntlet::bits::{FORWARD, POPCOUNT, REVERSE, SNOOB, previous};
use gauntlet::stats::SplitMix64;
use std::collections::HashSet;
use std::num::NonZeroU64;

/// Words at the edges: none, all, single bits, everything below or above a bit, all but one, two bits, repeated bytes.
fn edges() -> Vec<u64> {
    let mut words = vec![0, u64::MAX];
    for bit in 0..64 {
        let one = 1_u64 << bit;
        words.extend([one, one - 1, !one, !(one - 1), one | (one - 1)]);
        words.extend((0..64).map(|other| one | 1 << other));
        // 53 ones below a bit and one more: where a double rounds up.
        words.extend([54, 55, 33, 32].map(|width| (u64::MAX >> (64 - width)) << (bit % (65 - width))));
    }
    words.extend((0..=255).map(|byte: u64| byte * 0x0101_0101_0101_0101));
    words
}

/// A quarter as they come, then sparse, dense, and of any width.
fn random() -> impl Iterator<Item = u64> {
    let mut random = SplitMix64::new(169);
    (0..250_000).flat_map(move |_| {
        let [a, b, c, d, e] = std::array::from_fn(|_| random.next_u64());
        [a, a & b & c & d, a | b | c | d, e >> random.below(64)]
    })
}

#[test]
fn every_count_and_scan_is_the_standard_librarys() {
    let mut words = 0;
    for word in edges().into_iter().chain(random()) {
        words += 1;
        for way in POPCOUNT {
            assert_eq!((way.run)(word), word.count_ones(), "{} {word:#x}", way.id);
        }
        let Some(word) = NonZeroU64::new(word) else { continue };
        for way in FORWARD {
            assert_eq!((way.run)(word), word.trailing_zeros(), "forward {} {word:#x}", way.id);
        }
        for way in REVERSE {
            assert_eq!((way.run)(word), 63 - word.leading_zeros(), "reverse {} {word:#x}", way.id);
        }
    }
    assert!(words > 1_000_000);
}

/// The number of a word among all words with as many bits, in order of size: the sum of (position over place) for its bits.
fn rank(word: u64) -> u128 {
    let choose =
        |n: u32, k: u32| (0..k).fold(1_u128, |product, i| product * u128::from(n - i) / u128::from(i + 1));
    let mut sum = 0;
    let mut place = 0;
    for bit in (0..64).filter(|bit| word >> bit & 1 == 1) {
        place += 1;
        sum += if bit >= place { choose(bit, place) } else { 0 };
    }
    sum
}

#[test]
fn the_next_word_with_as_many_bits_is_the_next_in_rank() {
    // No greater one: all bits at the top.
    let is_last = |word: u64| word.leading_ones() == word.count_ones();
    let sample = edges().into_iter().chain(random().step_by(20));
    for word in sample {
        let answers: Vec<Option<u64>> = SNOOB.iter().map(|way| (way.run)(word)).collect();
        for (way, &answer) in SNOOB.iter().zip(&answers) {
            assert_eq!(answer, answers[0], "{} {word:#x}", way.id);
            assert_eq!(answer.is_none(), is_last(word), "{} {word:#x}", way.id);
        }
        if let Some(next) = answers[0] {
            assert_eq!(next.count_ones(), word.count_ones(), "{word:#x}");
            assert_eq!(rank(next), rank(word) + 1, "{word:#x}");
            assert_eq!(previous(next), Some(word));
        }
    }
    assert_eq!((previous(0), previous(0b111)), (None, None));
}

/// All subsets of one size of a small word, by trying every number.
#[test]
fn small_words_are_run_through_in_order() {
    for way in SNOOB {
        for size in 1..=12_u32 {
            let expected: Vec<u64> = (0..1 << 12).filter(|word: &u64| word.count_ones() == size).collect();
            let first = (1 << size) - 1;
            let found: Vec<u64> =
                std::iter::successors(Some(first), |&word| (way.run)(word)).take(expected.len()).collect();
            assert_eq!(found, expected, "{} {size}", way.id);
        }
    }
}

/// The chains that are timed do what the functions do, one after the other.
#[test]
fn ids_differ_and_chains_of_one_family_agree() {
    let words: Vec<u64> = random().take(1_000).collect();
    fn family<F>(ways: &[gauntlet::bits::Variant<F>], words: &[u64]) {
        let ids: HashSet<&str> = ways.iter().map(|way| way.id).collect();
        assert_eq!(ids.len(), ways.len());
        let first = (ways[0].chain)(words);
        assert_ne!(first, 0);
        for way in ways {
            assert_eq!((way.chain)(words), first, "{}", way.id);
        }
    }
    family(POPCOUNT, &words);
    family(FORWARD, &words);
    family(REVERSE, &words);
    family(SNOOB, &words);
}
