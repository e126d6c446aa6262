//! PEXT bitboards: the BMI2 instruction gathers the relevant blockers' bits into an index. 107,648 attack sets in one
//! table padded to a power of two, so that a masked index needs no bounds check.
//! Without BMI2 in the build the same index is gathered by a loop: right, but not to be timed (`is_supported`).

#![allow(unsafe_code)] // two intrinsics

mod packed;
mod soft;
mod split;

pub use packed::PextPacked;
pub use soft::PextSoft;
pub use split::PextSplit;

use super::pictures::{self, Picture};
use super::relevant::{Slider, mask, subsets};
use super::{Backend, Card, Needs, Sliders};
use crate::types::{Bitboard, Square};
use std::sync::LazyLock;

const SIZE: usize = 1 << 17;
const TABLE_BYTES: usize = 107_648 * 8 + 2 * 64 * size_of::<Entry>();

#[derive(Clone, Copy, Debug)]
struct Entry {
    mask: u64,
    offset: usize,
}

struct Table {
    rook: [Entry; 64],
    bishop: [Entry; 64],
    attacks: [Bitboard; SIZE],
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({SIZE})")
    }
}

static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    let mut attacks = vec![Bitboard::EMPTY; SIZE];
    let mut offset = 0;
    let mut fill = |slider: Slider| {
        let mut entries = [Entry { mask: 0, offset: 0 }; 64];
        for square in Square::all() {
            let mask = mask(slider, square);
            entries[square.index()] = Entry { mask: mask.0, offset };
            for occupied in subsets(mask) {
                attacks[offset + extract(occupied.0, mask.0)] = slider.attacks(square, occupied);
            }
            offset += 1 << mask.count();
        }
        entries
    };
    let (rook, bishop) = (fill(Slider::Rook), fill(Slider::Bishop));
    let mut table = Box::new(Table { rook, bishop, attacks: [Bitboard::EMPTY; SIZE] });
    table.attacks.copy_from_slice(&attacks);
    table
});

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline(always)]
pub(super) fn extract(value: u64, mask: u64) -> usize {
    // SAFETY: this function exists only in builds with BMI2.
    unsafe { core::arch::x86_64::_pext_u64(value, mask) as usize }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
pub(super) fn extract(value: u64, mask: u64) -> usize {
    Bitboard(mask)
        .into_iter()
        .enumerate()
        .filter(|&(_, square)| Bitboard(value).has(square))
        .map(|(i, _)| 1 << i)
        .sum()
}

/// The inverse: deals the low bits of `value` out to the set bits of `mask`.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline(always)]
pub(super) fn deposit(value: u64, mask: u64) -> u64 {
    // SAFETY: this function exists only in builds with BMI2.
    unsafe { core::arch::x86_64::_pdep_u64(value, mask) }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
pub(super) fn deposit(value: u64, mask: u64) -> u64 {
    Bitboard(mask)
        .into_iter()
        .enumerate()
        .filter(|&(i, _)| value >> i & 1 != 0)
        .fold(Bitboard::EMPTY, |set, (_, square)| set.with(square))
        .0
}

/// PEXT bitboards.
#[derive(Clone, Copy, Debug)]
pub struct Pext(&'static Table);

impl Sliders for Pext {
    const BACKEND: Backend = Backend::Pext;
    const CARD: Card = Card {
        author: "Intel (BMI2)",
        idea: "the blockers' bits, gathered by one instruction, index the table",
        page: "BMI2, PEXT Bitboards",
        needs: Needs::Bmi2,
    };

    fn new() -> Pext {
        Pext(&TABLE)
    }

    fn table_bytes(self) -> usize {
        TABLE_BYTES
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let entry = self.0.rook[square.index()];
        self.0.attacks[(entry.offset + extract(occupied.0, entry.mask)) & (SIZE - 1)]
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let entry = self.0.bishop[square.index()];
        self.0.attacks[(entry.offset + extract(occupied.0, entry.mask)) & (SIZE - 1)]
    }

    fn pictures(self, square: Square, occupied: Bitboard) -> Vec<Picture> {
        let steps = |slider| {
            let [mask, blockers] = pictures::relevant(slider, square, occupied);
            let size = 1 << mask.set.count();
            let index = pictures::index(
                "The blockers' bits gathered at the low end",
                extract(occupied.0, mask.set.0),
                size,
            );
            [mask, blockers, index]
        };
        let both = steps(Slider::Rook).into_iter().chain(steps(Slider::Bishop));
        both.chain(pictures::attacks(self, square, occupied)).collect()
    }
}
