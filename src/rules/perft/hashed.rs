//! Perft with a table of counts already made, by Zobrist key and depth. Equal keys mean equal castling rights and legal
//! en-passant captures, so the count behind them is the same; the clocks do not matter to it.
//! A false hit needs two positions with one 64-bit key (page Zobrist Hashing: about one chance in 10^9 for 10^10 probes).

use super::perft;
use crate::rules::movegen::MoveList;
use crate::rules::position::{Position, legal_moves};
use crate::sliders::Sliders;
use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Below this many plies a count is made faster than found.
const LEAST_DEPTH: u32 = 3;

/// One count. The key is stored xor the nodes, so that a slot written by two threads at once is not believed.
#[derive(Debug, Default)]
struct Slot {
    mixed: AtomicU64,
    nodes: AtomicU64,
}

/// Counts that have been made; threads may share it. Of a pair of slots, one keeps the larger
/// count, which took longest to make, the other the newest.
#[derive(Debug)]
pub struct PerftTable {
    /// In pairs: the larger counts, the newest ones.
    slots: Vec<[Slot; 2]>,
}

impl PerftTable {
    /// A table of about so many MiB, at least one pair of slots.
    ///
    /// # Errors
    /// If there is not so much memory.
    pub fn new(mib: usize) -> Result<PerftTable, TryReserveError> {
        let pairs = (mib.saturating_mul(1 << 20) / size_of::<[Slot; 2]>()).max(1);
        let mut slots = Vec::new();
        slots.try_reserve_exact(pairs)?;
        slots.resize_with(pairs, Default::default);
        Ok(PerftTable { slots })
    }

    fn pair(&self, key: u64) -> Option<&[Slot; 2]> {
        // The key as a fraction of the table.
        self.slots.get(((u128::from(key) * self.slots.len() as u128) >> 64) as usize)
    }

    fn find(&self, key: u64) -> Option<u64> {
        self.pair(key)?.iter().find_map(|slot| {
            let nodes = slot.nodes.load(Relaxed);
            (slot.mixed.load(Relaxed) ^ nodes == key && nodes > 0).then_some(nodes)
        })
    }

    fn store(&self, key: u64, nodes: u64) {
        let Some([large, newest]) = self.pair(key) else { return };
        let slot = if nodes >= large.nodes.load(Relaxed) { large } else { newest };
        slot.mixed.store(key ^ nodes, Relaxed);
        slot.nodes.store(nodes, Relaxed);
    }
}

/// Key of a count: position and depth.
fn key_at(position: &Position, depth: u32) -> u64 {
    position.key() ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Leaf count at this depth, with what the table knows and for it. One thread, bulk counting.
pub fn perft_hashed<S: Sliders>(position: &Position, depth: u32, sliders: S, table: &PerftTable) -> u64 {
    if depth < LEAST_DEPTH {
        return perft(position, depth, sliders);
    }
    let key = key_at(position, depth);
    if let Some(nodes) = table.find(key) {
        return nodes;
    }
    let mut moves = MoveList::new();
    legal_moves(position, sliders, &mut moves);
    let below = |&mv| {
        let mut child = *position;
        child.play_unchecked(mv);
        perft_hashed(&child, depth - 1, sliders, table)
    };
    let nodes = moves.iter().map(below).sum();
    table.store(key, nodes);
    nodes
}
