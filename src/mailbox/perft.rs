//! Perft on the 0x88 board: make, count below, unmake. The moves of all plies stand in one vector, so nothing is allocated
//! on the way.

use super::board::Mailbox;
use super::encoding::MailboxMove;

impl Mailbox {
    /// Leaf count at this depth (plies); depth 0 is 1. `bulk`: the last move is counted, not made. The board is as before
    /// afterwards.
    pub fn perft(&mut self, depth: u32, bulk: bool) -> u64 {
        let mut moves = Vec::with_capacity(64 * (depth as usize).min(64));
        match (depth, bulk) {
            (0, _) => 1,
            (_, true) => self.count(depth, &mut moves),
            (_, false) => {
                let mut seen = 0;
                let nodes = self.count_making(depth, &mut moves, &mut seen);
                std::hint::black_box(seen);
                nodes
            }
        }
    }

    fn count(&mut self, depth: u32, moves: &mut Vec<MailboxMove>) -> u64 {
        let in_check = self.is_check();
        let first = moves.len();
        self.pseudo_legal(in_check, |mv| moves.push(mv));
        let mut nodes = 0;
        for index in first..moves.len() {
            let mv = moves[index];
            if !self.is_legal(mv, in_check) {
                continue;
            }
            nodes += if depth == 1 {
                1
            } else {
                let undo = self.make(mv);
                let below = self.count(depth - 1, moves);
                self.unmake(mv, &undo);
                below
            };
        }
        moves.truncate(first);
        nodes
    }

    /// Makes every move to the last one; the keys are taken in so that the work cannot be left out.
    fn count_making(&mut self, depth: u32, moves: &mut Vec<MailboxMove>, seen: &mut u64) -> u64 {
        if depth == 0 {
            *seen ^= self.key();
            return 1;
        }
        let in_check = self.is_check();
        let first = moves.len();
        self.pseudo_legal(in_check, |mv| moves.push(mv));
        let mut nodes = 0;
        for index in first..moves.len() {
            let mv = moves[index];
            if self.is_legal(mv, in_check) {
                let undo = self.make(mv);
                nodes += self.count_making(depth - 1, moves, seen);
                self.unmake(mv, &undo);
            }
        }
        moves.truncate(first);
        nodes
    }
}
