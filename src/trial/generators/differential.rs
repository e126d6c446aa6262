//! A differential test: on random positions all generators must agree, on moves, keys and counts, and the two that make
//! moves in place must leave no trace.

use super::{Generator, Node, RandomPositions};
use crate::mailbox::{Mailbox, MailboxMove};
use crate::notation::fen;
use crate::rules::Position;
use crate::sliders::Backend;
use crate::trial::{Progress, TrialError};
use crate::types::Setup;

/// What was compared, and what differed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Set-ups that both took for positions.
    pub positions: u64,
    /// Set-ups that both refused.
    pub refused: u64,
    pub moves: u64,
    /// Comparisons: one per set-up for moves, keys and unmaking, one per generator where counts were taken.
    pub checks: u64,
    /// Leaves counted by all generators.
    pub nodes: u64,
    pub wrong: u64,
    /// The first few differences, for people.
    pub differences: Vec<String>,
}

/// Every so many positions the generators count two plies.
const COUNT_EVERY: u64 = 8;

/// Of differences beyond these only the number is told.
const MOST_TOLD: usize = 10;

impl Summary {
    fn check(&mut self, result: Result<(), String>) {
        self.checks += 1;
        if let Err(difference) = result {
            self.wrong += 1;
            if self.differences.len() < MOST_TOLD {
                self.differences.push(difference);
            }
        }
    }
}

/// Compares on so many set-ups, drawn from the seed.
///
/// # Errors
/// The user's interrupt. A difference is no error.
pub fn run(count: u64, seed: u64, progress: &Progress) -> Result<Summary, TrialError> {
    let mut summary = Summary::default();
    progress.begin(count);
    for (_, setup) in RandomPositions::new(seed).take(usize::try_from(count).unwrap_or(usize::MAX)) {
        if progress.is_stopped() {
            return Err(TrialError::Interrupted);
        }
        compare(&setup, &mut summary);
        progress.advance(1);
    }
    Ok(summary)
}

/// Compares on one set-up.
pub fn compare(setup: &Setup, summary: &mut Summary) {
    let (position, mut board) = match (Position::from_setup(setup), Mailbox::new(setup)) {
        (Ok(position), Ok(board)) => (position, board),
        (Err(_), Err(_)) => {
            summary.refused += 1;
            return summary.check(Ok(()));
        }
        (Ok(position), Err(error)) => {
            return summary.check(Err(format!("mailbox refuses {}: {error}", fen::format(&position))));
        }
        (Err(error), Ok(board)) => {
            return summary.check(Err(format!("mailbox takes what is no position ({error}): {board:?}")));
        }
    };
    summary.positions += 1;
    let compared = moves_and_keys(&position, &mut board);
    summary.moves += position.legal_moves().len() as u64;
    summary.check(compared.map_err(|what| format!("{what}: {}", fen::format(&position))));
    if summary.positions.is_multiple_of(COUNT_EVERY) {
        counts(&position, summary);
    }
}

/// The same moves; after each the same keys, kept and from scratch, and counters; and the board unmade as it was.
fn moves_and_keys(position: &Position, board: &mut Mailbox) -> Result<(), String> {
    let ours = position.legal_moves();
    let mut theirs: Vec<MailboxMove> = Vec::new();
    board.legal(&mut theirs);
    let mut bits: Vec<u16> = ours.iter().map(|mv| mv.bits()).collect();
    let mut their_bits: Vec<u16> = theirs.iter().map(|mv| mv.to_move().bits()).collect();
    bits.sort_unstable();
    their_bits.sort_unstable();
    if bits != their_bits {
        return Err(format!("legal lists {ours:?}, mailbox {theirs:?}"));
    }
    same_keys(position, board).map_err(|what| format!("{what} at the root"))?;
    let before = board.clone();
    for mv in theirs {
        let mut child = *position;
        child.play_unchecked(mv.to_move());
        let undo = board.make(mv);
        same_keys(&child, board).map_err(|what| format!("{what} after {mv:?}"))?;
        board.unmake(mv, &undo);
        if *board != before {
            return Err(format!("unmaking {mv:?} leaves a trace"));
        }
    }
    Ok(())
}

fn same_keys(position: &Position, board: &Mailbox) -> Result<(), &'static str> {
    if (position.key(), position.pawn_key()) != position.keys_from_scratch() {
        return Err("keys of legal are not those from scratch");
    }
    if board.key() != board.key_from_scratch() {
        return Err("the mailbox's key is not that from scratch");
    }
    if board.key() != position.key() {
        return Err("keys differ");
    }
    if board.is_check() != position.is_check() {
        return Err("check is seen by one alone");
    }
    let counters = (board.turn(), board.halfmove_clock(), board.fullmove_number());
    if counters != (position.turn(), position.halfmove_clock(), position.fullmove_number()) {
        return Err("turn or counters differ");
    }
    Ok(())
}

/// All generators count two plies, with the last move counted and with it made.
fn counts(position: &Position, summary: &mut Summary) {
    let mut expected = None;
    for &generator in Generator::ALL {
        let node = Node::new(generator, Backend::default_backend(), position);
        for bulk in [true, false] {
            if !bulk && !generator.makes_leaves() {
                continue;
            }
            let nodes = node.count(2, bulk, None);
            let wanted = *expected.get_or_insert(nodes);
            summary.nodes += nodes;
            let what =
                || format!("{} counts {nodes}, not {wanted}: {}", generator.id(), fen::format(position));
            summary.check(if nodes == wanted { Ok(()) } else { Err(what()) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board of another position differs in moves, in keys, or in counters.
    #[test]
    fn differences_are_found() {
        let start = Position::startpos();
        let mut board = Mailbox::new(&start.to_setup()).expect("a position");
        assert_eq!(moves_and_keys(&start, &mut board), Ok(()));
        let other = |change: fn(&mut Setup)| {
            let mut setup = start.to_setup();
            change(&mut setup);
            moves_and_keys(&start, &mut Mailbox::new(&setup).expect("a position")).unwrap_err()
        };
        assert!(other(|setup| setup.board[8] = None).contains("legal lists"));
        assert!(
            other(|setup| setup.castling_rooks = setup.castling_rooks.without(crate::types::Square::A1))
                .contains("keys differ at the root")
        );
        assert!(other(|setup| setup.halfmove = 7).contains("counters differ"));
    }
}
