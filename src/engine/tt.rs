//! Transposition table: buckets of four 16-byte entries in one cache line, key stored xor data so that a torn write is
//! seen as a miss. Plain atomics without ordering: several threads may share it. It is cleared by counting: entries bear the
//! number of times it was, and those of another number are as if they were not there. Short games would else take longer to
//! prepare than to play.
//!
//! Must not know: search. Source: pages "Transposition Table" and "Shared Hash Table" (Hyatt, Mann) of the seed documents.

use crate::types::{Bound, Move};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use thiserror::Error;

/// What is stored of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stored {
    pub mv: Option<Move>,
    /// Mate scores count from this node, not from the root.
    pub value: i32,
    /// Static evaluation; `None` in check.
    pub eval: Option<i32>,
    pub depth: i32,
    pub bound: Bound,
}

const NO_EVAL: i16 = i16::MIN;

impl Stored {
    fn pack(self, age: u8) -> u64 {
        let bound = match self.bound {
            Bound::Exact => 3u64,
            Bound::Lower => 2,
            Bound::Upper => 1,
        };
        let eval = self.eval.map_or(NO_EVAL, |eval| eval as i16);
        u64::from(self.mv.map_or(0, Move::bits))
            | u64::from(self.value as i16 as u16) << 16
            | u64::from(eval as u16) << 32
            | (self.depth.clamp(0, 255) as u64) << 48
            | bound << 56
            | u64::from(age & 63) << 58
    }

    /// `None` for a slot never written: every bound is nonzero.
    fn unpack(data: u64) -> Option<Stored> {
        let bound = match data >> 56 & 3 {
            3 => Bound::Exact,
            2 => Bound::Lower,
            1 => Bound::Upper,
            _ => return None,
        };
        let eval = (data >> 32) as u16 as i16;
        Some(Stored {
            mv: Move::from_bits(data as u16),
            value: i32::from((data >> 16) as u16 as i16),
            eval: (eval != NO_EVAL).then_some(i32::from(eval)),
            depth: (data >> 48 & 0xff) as i32,
            bound,
        })
    }
}

#[derive(Debug, Default)]
struct Entry {
    check: AtomicU64,
    data: AtomicU64,
}

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Entry; 4]);

/// The memory for a table was not to be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("no memory for a hash table of {mib} MiB")]
pub struct HashError {
    pub mib: usize,
}

/// Bits of a key that an entry keeps. The bucket says the others: even the smallest table, 1 MiB, has 2^14 buckets.
const KEY_BITS: u32 = 50;

/// The table. Its size is fixed when made.
#[derive(Debug)]
pub struct Table {
    buckets: Vec<Bucket>,
    age: u8,
    dirty: bool,
    /// From 1, so that a slot never written is of none; what stands above the key's bits in an entry.
    epoch: u64,
}

impl Table {
    /// A table of this many MiB (at least 1). An error if the memory is refused; a system that promises more than it
    /// has cannot be found out that way.
    pub fn try_new(mib: usize) -> Result<Table, HashError> {
        let count = mib.max(1).checked_mul((1 << 20) / size_of::<Bucket>()).ok_or(HashError { mib })?;
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).map_err(|_| HashError { mib })?;
        buckets.resize_with(count, Bucket::default);
        Ok(Table::of(buckets))
    }

    /// The same for a small table, where want of memory ends the process as it does everywhere else.
    pub fn new(mib: usize) -> Table {
        let count = mib.max(1) * ((1 << 20) / size_of::<Bucket>());
        Table::of(std::iter::repeat_with(Bucket::default).take(count).collect())
    }

    fn of(buckets: Vec<Bucket>) -> Table {
        Table { buckets, age: 0, dirty: false, epoch: 1 }
    }

    /// MiB in use.
    pub fn mib(&self) -> usize {
        (self.buckets.len() * size_of::<Bucket>()) >> 20
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.epoch += u64::from(self.dirty);
        if self.epoch >> (u64::BITS - KEY_BITS) != 0 {
            self.buckets.fill_with(Bucket::default);
            self.epoch = 1;
        }
        self.age = 0;
        self.dirty = false;
    }

    /// Entries of earlier searches become the first to be replaced.
    pub fn next_search(&mut self) {
        self.age = (self.age + 1) & 63;
        self.dirty = true;
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[((u128::from(key) * self.buckets.len() as u128) >> 64) as usize]
    }

    /// What an entry of this position bears beside its data.
    #[inline]
    fn mark(&self, key: u64) -> u64 {
        key & ((1 << KEY_BITS) - 1) | self.epoch << KEY_BITS
    }

    /// What is known of this position.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Stored> {
        let mark = self.mark(key);
        for entry in &self.bucket(key).0 {
            let data = entry.data.load(Relaxed);
            if entry.check.load(Relaxed) ^ data == mark {
                return Stored::unpack(data);
            }
        }
        None
    }

    /// Stores, over the same position or else over the shallowest and oldest of the bucket. A stored move is kept
    /// if the new result has none.
    #[inline]
    pub fn store(&self, key: u64, mut new: Stored) {
        let mark = self.mark(key);
        let bucket = &self.bucket(key).0;
        let mut chosen = &bucket[0];
        let mut lowest = i32::MAX;
        for entry in bucket {
            let data = entry.data.load(Relaxed);
            let found = entry.check.load(Relaxed) ^ data;
            if found == mark {
                if let Some(old) = Stored::unpack(data) {
                    if new.mv.is_none() {
                        new.mv = old.mv;
                    }
                    let same_age = (data >> 58) as u8 == self.age;
                    if same_age && new.bound != Bound::Exact && new.depth + 3 < old.depth {
                        return;
                    }
                }
                chosen = entry;
                break;
            }
            let worth = if found >> KEY_BITS == self.epoch {
                (data >> 48 & 0xff) as i32 - 4 * i32::from(self.age.wrapping_sub((data >> 58) as u8) & 63)
            } else {
                -1000
            };
            if worth < lowest {
                lowest = worth;
                chosen = entry;
            }
        }
        let data = new.pack(self.age);
        chosen.data.store(data, Relaxed);
        chosen.check.store(mark ^ data, Relaxed);
    }

    /// Entries of this search among the first thousand, per mille.
    pub fn hashfull(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let used = |entry: &&Entry| {
            let data = entry.data.load(Relaxed);
            let epoch = (entry.check.load(Relaxed) ^ data) >> KEY_BITS;
            epoch == self.epoch && (data >> 58) as u8 == self.age
        };
        let count = sample.iter().flat_map(|bucket| &bucket.0).filter(used).count();
        (count * 1000 / (sample.len() * 4)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;

    fn stored(value: i32, eval: Option<i32>, depth: i32, bound: Bound) -> Stored {
        Stored { mv: Some(Move::normal(Square::E2, Square::E4)), value, eval, depth, bound }
    }

    #[test]
    fn what_goes_in_comes_out() {
        let mut table = Table::new(1);
        table.next_search();
        assert_eq!(table.mib(), 1);
        for (i, value) in [-29_999, -1, 0, 17, 29_999].into_iter().enumerate() {
            let key = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                for eval in [None, Some(-312), Some(44)] {
                    let entry = stored(value, eval, 7, bound);
                    assert_eq!(table.probe(key).filter(|old| *old == entry), None);
                    table.store(key, entry);
                    assert_eq!(table.probe(key), Some(entry));
                }
            }
            assert_eq!(table.probe(key ^ 1), None);
        }
        table.clear();
        assert_eq!(table.probe(0x9e37_79b9_7f4a_7c15), None);
        assert_eq!(table.probe(0), None, "an empty slot is no entry");
    }

    #[test]
    fn a_full_bucket_loses_its_shallowest_entry_and_moves_are_kept() {
        let mut table = Table::new(1);
        table.next_search();
        // Neighbouring keys share a bucket: the index comes from the upper bits.
        for key in 1..=5u64 {
            table.store(key, stored(1, None, if key == 3 { 1 } else { 9 }, Bound::Exact));
        }
        assert_eq!(table.probe(3), None);
        assert!([1, 2, 4, 5].iter().all(|&key| table.probe(key).is_some()));
        table.store(4, Stored { mv: None, ..stored(2, None, 9, Bound::Upper) });
        let kept = table.probe(4).expect("an entry");
        assert_eq!((kept.value, kept.mv), (2, Some(Move::normal(Square::E2, Square::E4))));
    }

    /// What a table answers to a thousand positions that share buckets, each stored and some asked for again.
    fn answers(table: &mut Table, seed: u64) -> Vec<Option<Stored>> {
        table.next_search();
        let key = |i: u64| (i % 7) << 60 | i.wrapping_mul(seed | 1) & 0xff;
        let mut found = Vec::new();
        for i in 0..1000 {
            found.push(table.probe(key(i)));
            table.store(key(i), stored(i as i32, None, (i * seed % 11) as i32, Bound::Lower));
            found.push(table.probe(key(i / 2)));
        }
        found
    }

    #[test]
    fn a_cleared_table_is_as_new() {
        // 3 MiB: the number of buckets is no power of two.
        for mib in [1, 3] {
            let mut table = Table::new(mib);
            for seed in [3, 5, 3, 3] {
                let as_new = answers(&mut Table::new(mib), seed);
                assert!(as_new.iter().any(Option::is_some) && as_new.iter().any(Option::is_none));
                assert_eq!(answers(&mut table, seed), as_new);
                assert_ne!(table.hashfull(), 0);
                table.clear();
                assert_eq!(table.hashfull(), 0);
            }
        }
    }

    #[test]
    fn however_often_it_is_cleared_nothing_comes_back() {
        let mut table = Table::new(1);
        for epoch in 0..=1u64 << (u64::BITS - KEY_BITS) {
            table.next_search();
            // One entry of the first times, and none since.
            match epoch {
                0 => table.store(1, stored(1, None, 9, Bound::Exact)),
                _ => assert_eq!(table.probe(1), None, "cleared {epoch} times"),
            }
            table.clear();
        }
        assert_eq!(table.epoch, 3, "it began anew after 2^14 - 1 times");
    }
}
