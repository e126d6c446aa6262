//! Perft on the 0x88 board: make, count below, unmake. The moves of all plies stand in one vector, so nothing is allocated
//! on the way.

use super::board::Mailbox;
use super::encoding::MailboxMove;

impl Mailbox {
    /// Leaf count at this depth (plies); depth 0 is 1. `bulk`: the last move is counted, not made. The board is as before
    /// afterwards.
    pub fn perft(&mut self, depth: u32, bulk: bool) -> u64 {
        let mut moves = Vec::with_capacity(64 * (depth as usize).min(64));
        if depth == 0 {
            return 1;
        }
        if bulk {
            return self.count::<true>(depth, &mut moves, &mut 0);
        }
        let mut seen = 0;
        let nodes = self.count::<false>(depth, &mut moves, &mut seen);
        std::hint::black_box(seen);
        nodes
    }

    /// Not in bulk, the keys of the leaves are taken in, so that the work of making them cannot be left out.
    fn count<const BULK: bool>(&mut self, depth: u32, moves: &mut Vec<MailboxMove>, seen: &mut u64) -> u64 {
        if !BULK && depth == 0 {
            *seen ^= self.key();
            return 1;
        }
        let in_check = self.is_check();
        let first = moves.len();
        self.pseudo_legal(in_check, |mv| moves.push(mv));
        let mut nodes = 0;
        for index in first..moves.len() {
            let mv = moves[index];
            if !self.is_legal(mv, in_check) {
                continue;
            }
            if BULK && depth == 1 {
                nodes += 1;
                continue;
            }
            let undo = self.make(mv);
            nodes += self.count::<BULK>(depth - 1, moves, seen);
            self.unmake(mv, &undo);
        }
        moves.truncate(first);
        nodes
    }
}
