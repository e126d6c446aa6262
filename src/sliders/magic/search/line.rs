//! One square as the search sees it: its relevant occupancies, each with the number of its attack set.

use crate::sliders::relevant::{Slider, mask, subsets};
use crate::types::{Bitboard, Square};

/// The occupancies of a square and what they must map to.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) slider: Slider,
    pub(super) square: Square,
    pub(super) mask: u64,
    /// (occupancy, number of its attack set).
    pub(super) sets: Vec<(u64, u8)>,
    /// The attack sets by number.
    pub(super) attacks: Vec<Bitboard>,
}

impl Line {
    pub(super) fn new(slider: Slider, square: Square) -> Line {
        let mask = mask(slider, square);
        let mut attacks = Vec::new();
        let sets = subsets(mask)
            .map(|occupied| {
                let set = slider.attacks(square, occupied);
                let number = attacks.iter().position(|&known| known == set).unwrap_or_else(|| {
                    attacks.push(set);
                    attacks.len() - 1
                });
                (occupied.0, number as u8)
            })
            .collect();
        Line { slider, square, mask: mask.0, sets, attacks }
    }

    /// All 128, rooks first.
    pub(super) fn all() -> Vec<Line> {
        [Slider::Rook, Slider::Bishop]
            .into_iter()
            .flat_map(|slider| Square::all().map(move |square| Line::new(slider, square)))
            .collect()
    }

    /// The fixed shift of this piece.
    pub(super) fn fixed_shift(&self) -> u32 {
        if self.slider == Slider::Rook { 52 } else { 55 }
    }

    /// Relevant squares: index bits of a table without luck.
    pub(super) fn bits(&self) -> u32 {
        self.mask.count_ones()
    }
}

/// A table to try factors on. Cells carry the number of the try that filled them, so that they need no clearing.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    attempt: u32,
    cells: Vec<u32>,
}

impl Cells {
    pub(super) fn new(size: usize) -> Cells {
        Cells { attempt: 0, cells: vec![0; size] }
    }

    fn next_attempt(&mut self) -> u32 {
        self.attempt += 1;
        if self.attempt == 1 << 24 {
            self.cells.fill(0);
            self.attempt = 1;
        }
        self.attempt << 8
    }

    /// Whether occupancies with different attacks never meet, and none has an index of `size` or more.
    #[inline(always)]
    pub(super) fn fits(&mut self, sets: &[(u64, u8)], size: usize, index: impl Fn(u64) -> usize) -> bool {
        let stamp = self.next_attempt();
        let cells = &mut self.cells[..size];
        for &(occupied, number) in sets {
            let Some(cell) = cells.get_mut(index(occupied)) else { return false };
            let mark = stamp | u32::from(number);
            if *cell >= stamp && *cell != mark {
                return false;
            }
            *cell = mark;
        }
        true
    }
}
