//! Packing for shared tables: two squares may use one cell if their attack sets agree on the squares that both could
//! attack. Source of the idea: "Sharing Attacks" on page "Magic Bitboards" (Lasse Hansen), which shares whole tables of
//! two rooks or four bishops; here every cell looks after itself, so any squares may meet, rooks and bishops too.

use super::line::Line;
use crate::sliders::{empty, relevant::Slider};

/// All squares that a slider may attack.
pub(super) fn reach(slider: Slider, line: &Line) -> u64 {
    match slider {
        Slider::Rook => empty::rook(line.square).0,
        Slider::Bishop => empty::bishop(line.square).0,
    }
}

/// A shared table while it fills.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// What is attacked, and on which squares of the board a cell is spoken for.
    cells: Vec<(u64, u64)>,
}

impl Shared {
    /// Puts the square's (index, attacks) at the lowest offset where they agree with what is there.
    pub(super) fn place(&mut self, reach: u64, used: &[(u32, u64)]) -> u32 {
        let clash =
            |offset: u32, &(index, attacks): &(u32, u64)| match self.cells.get((offset + index) as usize) {
                Some(&(value, taken)) => (value ^ attacks) & taken & reach != 0,
                None => false,
            };
        let mut last = 0;
        let offset = (0..)
            .find(|&offset| {
                // The cell that clashed last is the likeliest to clash again.
                if clash(offset, &used[last]) {
                    return false;
                }
                match used.iter().position(|cell| clash(offset, cell)) {
                    Some(at) => {
                        last = at;
                        false
                    }
                    None => true,
                }
            })
            .unwrap_or_default();
        for &(index, attacks) in used {
            let at = (offset + index) as usize;
            if self.cells.len() <= at {
                self.cells.resize(at + 1, (0, 0));
            }
            self.cells[at].0 |= attacks;
            self.cells[at].1 |= reach;
        }
        offset
    }

    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }
}
