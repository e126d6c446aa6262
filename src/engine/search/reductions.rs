//! The formulas of the search: how far late moves are reduced, how wide the margins are.
//!
//! Source: page "Late Move Reductions" of the seed documents.

use crate::engine::params::Params;

/// Base reduction of late moves by depth and move number, hundredths of a ply.
#[derive(Clone, Debug)]
pub struct Reductions {
    table: Vec<[i16; 64]>,
}

impl Reductions {
    pub fn new(params: &Params) -> Reductions {
        let base = f64::from(params.lmr_base);
        let divisor = f64::from(params.lmr_divisor) / 100.0;
        let row = |depth: usize| {
            std::array::from_fn(|moves| {
                let logs = (depth.max(1) as f64).ln() * (moves.max(1) as f64).ln();
                (base + 100.0 * logs / divisor) as i16
            })
        };
        Reductions { table: (0..64).map(row).collect() }
    }

    /// For the move with this number (1 = the first), hundredths of a ply.
    #[inline(always)]
    pub fn late_move(&self, depth: i32, move_number: usize) -> i32 {
        i32::from(self.table[depth.clamp(0, 63) as usize][move_number.min(63)])
    }
}

impl Params {
    /// A quiet move later in the order than this is left out at this depth. Counts all moves, captures too.
    #[inline(always)]
    pub(super) fn late_move_count(&self, depth: i32, improving: bool) -> usize {
        let count = self.late_move_base + depth * depth;
        (if improving { count } else { count * 2 / 3 }) as usize
    }

    /// Plies taken off a null move search, the move itself included.
    #[inline(always)]
    pub(super) fn null_move_reduction(&self, depth: i32, above_beta: i32) -> i32 {
        self.null_move_base
            + depth / self.null_move_divisor
            + (above_beta / self.null_move_eval_divisor).min(3)
    }

    /// Change of a history entry at this depth.
    #[inline(always)]
    pub(super) fn history_bonus(&self, depth: i32) -> i32 {
        (self.history_slope * depth).min(self.history_max)
    }
}
