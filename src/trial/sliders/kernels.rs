//! The timed loops. Each is compiled for one backend, as a whole with the instructions that it needs; `black_box` keeps the
//! compiler from doing no lookup at all.

use super::opaque::opaque;
use super::workload::Lookup;
use crate::engine::{Engine, Params};
use crate::rules::{self, Line, Position};
use crate::sliders::{Backend, Batch, Oracle, Sliders, Stateful, compiled_for};
use crate::types::{Bitboard, Limit, Square};
use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What is done with a list of lookups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loop {
    /// Independent lookups, one at a time: the next may begin before the last has ended. The rotation makes the sum depend on
    /// the order, and what is occupied is opaque, so that the compiler cannot do several lookups in one vector.
    Throughput,
    /// Each lookup needs the result of the one before.
    Latency,
    /// As `Latency`, a few at a time after a walk through more memory than the caches near the core hold.
    Cold,
    /// Independent lookups into a list of results: the compiler may do several at once.
    Batch,
}

/// Lookups after each walk that evicts the caches.
const COLD_LOOKUPS: usize = 16;
/// Bytes of that walk: more than a second-level cache.
const COLD_BYTES: usize = 4 << 20;

impl Loop {
    /// Does the loop `repeats` times over `lookups`, compiled for what `S` needs. Returns the number of lookups and their time.
    pub fn time<S: Sliders>(
        self,
        lookups: &[Lookup],
        repeats: u64,
        attacks: impl Fn(Square, Bitboard) -> Bitboard,
    ) -> (u64, Duration) {
        match self {
            Loop::Throughput => repeat(lookups, repeats, &|part| independent::<S>(part, &attacks)),
            Loop::Latency => repeat(lookups, repeats, &|part| chain::<S>(part, &attacks)),
            Loop::Cold => cold(lookups, repeats, &|part| chain::<S>(part, &attacks)),
            Loop::Batch => {
                let mut results = vec![Bitboard::EMPTY; lookups.len()];
                let start = Instant::now();
                for _ in 0..repeats {
                    into_list::<S>(black_box(lookups), black_box(&mut results), &attacks);
                }
                (repeats * lookups.len() as u64, start.elapsed())
            }
        }
    }
}

/// What loops that look nothing up are compiled for: any processor.
pub type Plain = Oracle;

/// A pass over lookups; the sum is for [`black_box`].
type Pass<'a> = &'a dyn Fn(&[Lookup]) -> u64;

fn repeat(lookups: &[Lookup], repeats: u64, pass: Pass<'_>) -> (u64, Duration) {
    let start = Instant::now();
    for _ in 0..repeats {
        black_box(pass(black_box(lookups)));
    }
    (repeats * lookups.len() as u64, start.elapsed())
}

fn cold(lookups: &[Lookup], repeats: u64, pass: Pass<'_>) -> (u64, Duration) {
    let mut memory = vec![0_u8; COLD_BYTES];
    let mut time = Duration::ZERO;
    let mut parts = lookups.chunks_exact(COLD_LOOKUPS).cycle();
    let mut done = 0;
    for _ in 0..repeats {
        // A write to every line: reads of fresh pages would all be of the one page of zeros.
        memory.iter_mut().step_by(64).for_each(|byte| *byte = byte.wrapping_add(1));
        black_box(&mut memory);
        let Some(part) = parts.next() else { break };
        let part: [Lookup; COLD_LOOKUPS] = std::array::from_fn(|index| part[index]);
        let start = Instant::now();
        black_box(pass(black_box(&part)));
        time += start.elapsed();
        done += COLD_LOOKUPS as u64;
    }
    (done, time)
}

// What depends on the technique is a function of its own, and as short as can be: among other code the compiler keeps fewer of
// its values in registers, and each is compiled for every technique and piece.

#[inline(never)]
fn independent<S: Sliders>(lookups: &[Lookup], attacks: &impl Fn(Square, Bitboard) -> Bitboard) -> u64 {
    compiled_for::<S, _>(|| {
        let mut sum = 0_u64;
        for &(square, occupied) in lookups {
            sum = sum.rotate_left(1) ^ attacks(square, Bitboard(opaque(occupied.0))).0;
        }
        sum
    })
}

/// `zero` is 0, which the compiler does not know: the occupancy stays what it is, but has to be waited for (one AND and one XOR
/// are in the time).
#[inline(never)]
fn chain<S: Sliders>(lookups: &[Lookup], attacks: &impl Fn(Square, Bitboard) -> Bitboard) -> u64 {
    compiled_for::<S, _>(|| {
        let zero = black_box(0_u64);
        let mut last = 0_u64;
        for &(square, occupied) in lookups {
            last = attacks(square, Bitboard(occupied.0 ^ (last & zero))).0;
        }
        last
    })
}

#[inline(never)]
fn into_list<S: Sliders>(
    lookups: &[Lookup],
    results: &mut [Bitboard],
    attacks: &impl Fn(Square, Bitboard) -> Bitboard,
) {
    compiled_for::<S, _>(|| {
        for (result, &(square, occupied)) in results.iter_mut().zip(lookups) {
            *result = attacks(square, occupied);
        }
    });
}

/// As [`into_list`], by the technique's own way of doing many at once.
pub fn batch<B: Batch>(sliders: B, piece: &str, lookups: &[Lookup], repeats: u64) -> (u64, Duration) {
    let (squares, occupied): (Vec<Square>, Vec<Bitboard>) = lookups.iter().copied().unzip();
    let mut results = vec![Bitboard::EMPTY; lookups.len()];
    let start = Instant::now();
    for _ in 0..repeats {
        let (squares, occupied) = (black_box(squares.as_slice()), black_box(occupied.as_slice()));
        match piece {
            "rook" => sliders.rooks(squares, occupied, &mut results),
            "bishop" => sliders.bishops(squares, occupied, &mut results),
            _ => sliders.queens(squares, occupied, &mut results),
        }
        black_box(&mut results);
    }
    (repeats * lookups.len() as u64, start.elapsed())
}

/// A board that changes: before each lookup one square is occupied or left.
pub fn walk<S: Sliders>(
    lookups: &[Lookup],
    repeats: u64,
    attacks: impl Fn(Square, Bitboard) -> Bitboard,
) -> (u64, Duration) {
    repeat(lookups, repeats, &|part| walk_once::<S>(part, &attacks))
}

#[inline(never)]
fn walk_once<S: Sliders>(lookups: &[Lookup], attacks: &impl Fn(Square, Bitboard) -> Bitboard) -> u64 {
    compiled_for::<S, _>(|| {
        let Some(&(mut changed, mut occupied)) = lookups.first() else { return 0 };
        let mut sum = 0_u64;
        for &(square, _) in lookups {
            occupied = Bitboard(opaque(occupied.0)) ^ changed.into();
            sum = sum.rotate_left(1) ^ attacks(square, occupied).0;
            changed = square;
        }
        sum
    })
}

/// [`walk`] with the form of the occupancy that a technique keeps.
pub fn walk_kept<S: Stateful>(piece: &str, lookups: &[Lookup], repeats: u64) -> (u64, Duration) {
    match piece {
        "rook" => walk_state::<S>(lookups, repeats, |state, square| state.rook(square)),
        "bishop" => walk_state::<S>(lookups, repeats, |state, square| state.bishop(square)),
        _ => walk_state::<S>(lookups, repeats, |state, square| state.queen(square)),
    }
}

fn walk_state<S: Stateful>(
    lookups: &[Lookup],
    repeats: u64,
    attacks: impl Fn(&S, Square) -> Bitboard,
) -> (u64, Duration) {
    repeat(lookups, repeats, &|part| walk_state_once(part, &attacks))
}

#[inline(never)]
fn walk_state_once<S: Stateful>(lookups: &[Lookup], attacks: &impl Fn(&S, Square) -> Bitboard) -> u64 {
    let Some(&(mut changed, occupied)) = lookups.first() else { return 0 };
    let mut state = S::new(occupied);
    let mut sum = 0_u64;
    for &(square, _) in lookups {
        state.toggle(changed);
        sum = sum.rotate_left(1) ^ attacks(&state, square).0;
        changed = square;
    }
    sum
}

/// Perft to depth 3 of each position: leaves, and their time. By the one form that is the same for all backends.
pub fn perft<S: Sliders>(positions: &[Position], repeats: u64, sliders: S) -> (u64, Duration) {
    let start = Instant::now();
    let mut leaves = 0;
    for _ in 0..repeats {
        for position in black_box(positions) {
            leaves += rules::perft_copied(position, 3, sliders, true);
        }
    }
    (leaves, start.elapsed())
}

/// Depth of the searches.
const SEARCH_DEPTH: u32 = 6;

/// A search to a fixed depth of each position: nodes, and their time. Making the engine is not timed. The nodes are the same for
/// every backend: [`super::verification`] sees to that.
pub fn search(backend: Backend, positions: &[Position], repeats: u64) -> (u64, Duration) {
    // Clearing a larger table would evict those of the technique.
    let mut engine = Engine::small(Params { slider: Some(backend), ..Params::default() });
    let (limit, stop) = (Limit::depth(SEARCH_DEPTH), AtomicBool::new(false));
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for _ in 0..repeats {
        for position in positions {
            engine.new_game(0);
            engine.set_position(&Line::new(*position));
            let start = Instant::now();
            nodes += engine.search(&limit, &stop, &mut |_| ()).nodes;
            time += start.elapsed();
        }
    }
    (nodes, time)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliders::Hyperbola;
    use crate::trial::sliders::Workload;

    #[test]
    fn the_loops_do_what_they_count() {
        let workload = Workload::from_games(1);
        let rook = |square, occupied| Hyperbola.rook(square, occupied);
        let lookups = &workload.game.rooks;
        for kind in [Loop::Throughput, Loop::Latency, Loop::Batch] {
            assert_eq!(kind.time::<Hyperbola>(lookups, 3, rook).0, 3 * lookups.len() as u64, "{kind:?}");
        }
        assert_eq!(Loop::Cold.time::<Hyperbola>(lookups, 3, rook).0, 3 * COLD_LOOKUPS as u64);
        // Published counts of positions 1 to 6 at depth 3.
        let published = 8902 + 97_862 + 2812 + 9467 + 62_379 + 89_890;
        assert_eq!(perft(&workload.positions, 2, Hyperbola).0, 2 * published);
        let nodes = |repeats| search(Backend::Hyperbola, &workload.positions, repeats).0;
        assert_eq!(nodes(2), 2 * nodes(1));
    }
}
