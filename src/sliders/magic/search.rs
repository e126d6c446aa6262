//! The search for magic factors: one entry point, [`search`], for every scheme.
//!
//! The caller's `keep_going` ends the search, nothing else looks at a clock, so that a seed and a number of steps give the
//! same factors everywhere. Sources: page "Magic Bitboards" of the seed documents and what it says of looking for magics;
//! the annealing and the packing are our own.

mod climb;
mod fixed;
mod line;
mod offset;
mod pack;
mod random;
mod share;
mod single;
mod spread;
mod wish;

use crate::sliders::relevant::Slider;
use crate::time::cpu;
use crate::types::Square;
use line::Line;
pub(super) use offset::{PLACE_BITS, UNIT};
use std::time::{Duration, Instant};

/// What the factors are for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scheme {
    /// 12 and 9 index bits, a table for each square.
    Plain,
    /// As many index bits as relevant squares, then fewer.
    Fancy,
    /// 12 and 9 index bits, overlapping tables.
    FixedFancy,
    /// The same with the irrelevant squares set.
    Black,
    /// Two 32-bit multiplications.
    ThirtyTwo,
    /// Squares share cells, an intersection picks out the own set.
    Shared,
    /// The shift in the upper bits of the factor.
    ShiftInFactor,
    /// The offset in the lower bits.
    OffsetInFactor,
    /// One table for all rooks, one for all bishops, no offsets.
    WishingDream,
}

impl Scheme {
    pub const ALL: [Scheme; 9] = [
        Scheme::Plain,
        Scheme::Fancy,
        Scheme::FixedFancy,
        Scheme::Black,
        Scheme::ThirtyTwo,
        Scheme::Shared,
        Scheme::ShiftInFactor,
        Scheme::OffsetInFactor,
        Scheme::WishingDream,
    ];

    /// The permanent kebab-case id; that of the backend without `magic-`.
    pub const fn id(self) -> &'static str {
        match self {
            Scheme::Plain => "plain",
            Scheme::Fancy => "fancy",
            Scheme::FixedFancy => "fixed-fancy",
            Scheme::Black => "black",
            Scheme::ThirtyTwo => "32bit",
            Scheme::Shared => "shared",
            Scheme::ShiftInFactor => "shift-in-factor",
            Scheme::OffsetInFactor => "offset-in-factor",
            Scheme::WishingDream => "wishing-dream",
        }
    }

    /// The inverse of [`Scheme::id`].
    pub fn from_id(id: &str) -> Option<Scheme> {
        Scheme::ALL.into_iter().find(|scheme| scheme.id() == id)
    }

    /// What irrelevant squares count as, where tables with a fixed shift overlap.
    const fn outside(self) -> Option<climb::Outside> {
        match self {
            Scheme::FixedFancy => Some(climb::Outside::Empty),
            Scheme::Black => Some(climb::Outside::Occupied),
            _ => None,
        }
    }

    /// The smallest table that anybody has reported, in entries, as far as we know.
    pub const fn record(self) -> Option<u32> {
        match self {
            Scheme::Plain => Some(294_912),
            Scheme::Fancy => Some(107_648),
            Scheme::FixedFancy => Some(88_772),
            Scheme::Black => Some(87_988),
            _ => None,
        }
    }
}

/// What a search found for one square.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Slot {
    /// A rook's square, else a bishop's.
    pub rook: bool,
    pub square: Square,
    pub factor: u64,
    /// To add to the hash, modulo 2^32; 0 where the place follows from the square or the factor.
    pub offset: u32,
    /// Squares whose occupancy matters.
    pub relevant_bits: u32,
    /// Bits of the hash that may be set.
    pub index_bits: u32,
    /// From the lowest to the highest entry used.
    pub entries: u32,
    /// Entries used.
    pub used: u32,
    /// The search's count when this factor was found.
    pub step: u64,
    /// Processor time when this factor was found.
    pub cpu: Duration,
}

/// A factor with a fixed shift that an earlier search found, and the offset to add to its hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    pub rook: bool,
    pub square: Square,
    pub factor: u64,
    pub offset: u32,
}

/// Known factors that no search can go on from.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KnownError {
    #[error("scheme {0} does not go on from known factors (fixed-fancy and black do)")]
    Scheme(&'static str),
    /// The number of the factor in the list, from 0.
    #[error("the factor of the {piece} on {square} maps different attacks to one entry", piece = if *rook { "rook" } else { "bishop" })]
    Clash { number: usize, rook: bool, square: Square },
}

/// What a search has found so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    pub scheme: Scheme,
    pub seed: u64,
    /// Factors tried.
    pub steps: u64,
    /// Entries of the whole table, of what was found.
    pub entries: u32,
    /// Rooks first; in the order of the squares once complete.
    pub squares: Vec<Slot>,
    /// Processor time of this thread, where the system tells, else time on the clock.
    pub cpu: Duration,
}

impl Found {
    /// Whether all 128 squares have a factor.
    pub fn is_complete(&self) -> bool {
        self.squares.len() == 128
    }

    /// Bytes of the table: 8 for each entry.
    pub fn bytes(&self) -> u64 {
        u64::from(self.entries) * 8
    }
}

/// Processor time of this thread so far.
#[derive(Debug)]
struct Clock {
    start: Instant,
    cpu: Option<Duration>,
}

impl Clock {
    fn new() -> Clock {
        Clock { start: Instant::now(), cpu: cpu::of_thread() }
    }

    fn elapsed(&self) -> Duration {
        match (self.cpu, cpu::of_thread()) {
            (Some(start), Some(now)) => now.saturating_sub(start),
            _ => self.start.elapsed(),
        }
    }
}

/// The state that the schemes' searches share.
struct Run<'a> {
    found: Found,
    clock: Clock,
    keep_going: &'a mut dyn FnMut(u64) -> bool,
    on_progress: &'a mut dyn FnMut(&Found),
}

impl Run<'_> {
    /// Enters a factor, in place of the square's last.
    fn enter(&mut self, line: &Line, factor: u64, offset: u32, index_bits: u32, mut indices: Vec<u32>) {
        indices.sort_unstable();
        indices.dedup();
        let slot = Slot {
            rook: line.slider == Slider::Rook,
            square: line.square,
            factor,
            offset,
            relevant_bits: line.bits(),
            index_bits,
            entries: indices[indices.len() - 1] - indices[0] + 1,
            used: indices.len() as u32,
            step: self.found.steps,
            cpu: self.clock.elapsed(),
        };
        let key = |slot: &Slot| (!slot.rook, slot.square);
        match self.found.squares.binary_search_by_key(&key(&slot), key) {
            // The same factor elsewhere is no new find.
            Ok(i) if self.found.squares[i].factor == factor => self.found.squares[i].offset = offset,
            Ok(i) => self.found.squares[i] = slot,
            Err(i) => self.found.squares.insert(i, slot),
        }
    }

    fn report(&mut self, entries: u32) {
        self.found.entries = entries;
        self.found.cpu = self.clock.elapsed();
        (self.on_progress)(&self.found);
    }
}

/// Goes on from the table of an earlier search with a fixed shift, otherwise as [`search`].
///
/// # Errors
/// If the scheme cannot, or a factor does not work.
pub fn search_from(
    known: &[Known],
    scheme: Scheme,
    seed: u64,
    keep_going: impl FnMut(u64) -> bool,
    on_progress: impl FnMut(&Found),
) -> Result<Found, KnownError> {
    let outside = scheme.outside().ok_or(KnownError::Scheme(scheme.id()))?;
    fixed::check(known, outside)?;
    Ok(begin(known, scheme, seed, keep_going, on_progress))
}

/// Looks for the factors of a scheme until `keep_going`, which is told the steps so far, says no, or nothing is left to
/// improve. `on_progress` sees every improvement.
///
/// ```
/// use gauntlet::sliders::magic::search::{Scheme, search};
/// let found = search(Scheme::Fancy, 20_261_130, |steps| steps < 11_250_000, |_| ());
/// assert!(found.is_complete() && found.entries <= 107_648);
/// ```
pub fn search(
    scheme: Scheme,
    seed: u64,
    keep_going: impl FnMut(u64) -> bool,
    on_progress: impl FnMut(&Found),
) -> Found {
    begin(&[], scheme, seed, keep_going, on_progress)
}

fn begin(
    known: &[Known],
    scheme: Scheme,
    seed: u64,
    mut keep_going: impl FnMut(u64) -> bool,
    mut on_progress: impl FnMut(&Found),
) -> Found {
    let found =
        Found { scheme, seed, steps: 0, entries: 0, squares: Vec::with_capacity(128), cpu: Duration::ZERO };
    let mut run =
        Run { found, clock: Clock::new(), keep_going: &mut keep_going, on_progress: &mut on_progress };
    match scheme {
        Scheme::Plain | Scheme::Fancy | Scheme::ThirtyTwo | Scheme::ShiftInFactor => single::search(&mut run),
        Scheme::Shared => share::search(&mut run),
        Scheme::FixedFancy | Scheme::Black => {
            fixed::search(&mut run, scheme.outside().unwrap_or(climb::Outside::Empty), known)
        }
        Scheme::OffsetInFactor => offset::search(&mut run),
        Scheme::WishingDream => wish::search(&mut run),
    }
    run.found.cpu = run.clock.elapsed();
    run.found
}
