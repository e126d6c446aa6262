//! `go perft` of a move generator with a planted fault, so that what finds faults can be tested against a real process that
//! has one. Each is a fault that real generators have had. Slow and plain. Must not know how faults are looked for.

use super::fault::FaultKind;
use crate::notation::uci_move;
use crate::rules::{Illegality, Position, moves_that_break};
use crate::types::{Move, MoveKind, Role, Square};
use std::fmt::Write;

/// A generator and what its fault needs to know of the game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Generator {
    pub fault: FaultKind,
    /// The square that a pawn has just passed, also where no capture there is legal.
    pub passed: Option<Square>,
}

/// An entry of the faulty list.
enum Listed {
    Legal(Move),
    Illegal(Square, Square, Option<Role>),
}

impl Generator {
    /// The whole answer.
    pub fn answer(self, position: &Position, depth: u32, chess960: bool) -> String {
        let mut text = String::new();
        let mut total = u64::from(depth == 0);
        if depth > 0 {
            for listed in self.moves(position) {
                let nodes = self.behind(position, &listed, depth, 1);
                total += nodes;
                if self.fault != FaultKind::PerftTotal {
                    // Writing to a String cannot fail.
                    let _ = writeln!(text, "{}: {nodes}", name(position, &listed, chess960));
                }
            }
        }
        let _ = write!(text, "\nNodes searched: {total}");
        text
    }

    fn moves(self, position: &Position) -> Vec<Listed> {
        let legal = position.legal_moves();
        let in_check = position.is_check();
        let kept = |mv: &&Move| match self.fault {
            FaultKind::PerftEpMissing | FaultKind::PerftTotal => mv.kind() != MoveKind::EnPassant,
            FaultKind::PerftCastlingMissing => !mv.is_castle(),
            FaultKind::PerftPromotion => mv.promotion_role() != Some(Role::Knight),
            FaultKind::PerftEvasion => !in_check || position.role_at(mv.from()) == Some(Role::King),
            _ => true,
        };
        let mut list: Vec<Listed> = legal.iter().filter(kept).map(|&mv| Listed::Legal(mv)).collect();
        let rule = match self.fault {
            FaultKind::PerftEp => Some(Illegality::EnPassantPinned),
            FaultKind::PerftCastling => Some(Illegality::CastlingThroughCheck),
            FaultKind::PerftPin => Some(Illegality::PinnedPiece),
            FaultKind::PerftKing => Some(Illegality::KingIntoCheck),
            FaultKind::PerftDoublePush => Some(Illegality::DoublePush),
            _ => None,
        };
        for (from, to, role) in rule.map_or(Vec::new(), |rule| moves_that_break(position, self.passed, rule))
        {
            // A double push that jumps, not one from elsewhere or onto a piece.
            let is_jump = from.rank() == position.turn().pick(1, 6) && !position.occupied().has(to);
            if self.fault != FaultKind::PerftDoublePush || is_jump {
                list.push(Listed::Illegal(from, to, role));
            }
        }
        if self.fault == FaultKind::PerftDuplicate
            && let Some(&capture) = legal.iter().find(|mv| position.is_capture(**mv))
        {
            list.push(Listed::Legal(capture));
        }
        list
    }

    /// Leaves behind a listed move. What lies behind an illegal one is no position, and counts as one leaf.
    fn behind(self, position: &Position, listed: &Listed, depth: u32, ply: u32) -> u64 {
        let Listed::Legal(mv) = *listed else { return 1 };
        let surplus = self.fault == FaultKind::PerftCount && ply > 1 && position.is_capture(mv);
        if depth == 1 {
            return 1 + u64::from(surplus);
        }
        let mut after = *position;
        after.play_unchecked(mv);
        let generator = Generator { passed: position.passed_square(mv), ..self };
        let below = generator.moves(&after);
        below.iter().map(|next| generator.behind(&after, next, depth - 1, ply + 1)).sum::<u64>()
            + u64::from(surplus)
    }
}

fn name(position: &Position, listed: &Listed, chess960: bool) -> String {
    match *listed {
        Listed::Legal(mv) => uci_move::format(mv, chess960),
        Listed::Illegal(from, to, role) => {
            let is_castling = position.by_color(position.turn()).has(to);
            let mv = if is_castling { Move::castle(from, to) } else { Move::normal(from, to) };
            let letter = role.map_or_else(String::new, |role| role.letter().to_string());
            uci_move::format(mv, chess960) + &letter
        }
    }
}
