//! A position as a generator holds it: the mailbox lists and makes its moves on its own board, root moves included.

use super::{Counts, Generator};
use crate::mailbox::{Mailbox, MailboxMove};
use crate::rules::{PerftTable, Position};
use crate::sliders::Backend;
use crate::types::Move;

/// The root of a count, or a position below it.
#[derive(Clone, Debug)]
pub(in crate::trial) enum Node {
    Position {
        position: Position,
        counts: Counts,
    },
    Mailbox(Box<Mailbox>),
    /// A position that the mailbox does not accept although it is one: it counts nothing, so the fault shows.
    Refused,
}

impl Node {
    pub fn new(generator: Generator, backend: Backend, position: &Position) -> Node {
        match generator.counts(backend) {
            Some(counts) => Node::Position { position: *position, counts },
            None => Mailbox::new(&position.to_setup())
                .map_or(Node::Refused, |board| Node::Mailbox(Box::new(board))),
        }
    }

    /// Whether this is the generator that is made for speed.
    pub fn is_fast(&self) -> bool {
        matches!(self, Node::Position { counts: Counts { hashed: Some(_), .. }, .. })
    }

    /// Leaf count on the calling thread; with the table, if there is one and the generator knows what to do with it.
    pub fn count(&self, depth: u32, bulk: bool, table: Option<&PerftTable>) -> u64 {
        match self {
            Node::Position { position, counts } => match (counts.hashed, table) {
                (Some(hashed), Some(table)) => hashed(position, depth, table),
                _ => (counts.alone)(position, depth, bulk),
            },
            Node::Mailbox(board) => board.clone().perft(depth, bulk),
            Node::Refused => 0,
        }
    }

    /// Every legal move and what is behind it.
    pub fn children(&self) -> Vec<(Move, Node)> {
        match self {
            Node::Position { position, counts } => {
                let child = |&mv: &Move| {
                    let mut position = *position;
                    position.play_unchecked(mv);
                    (mv, Node::Position { position, counts: *counts })
                };
                position.legal_moves().iter().map(child).collect()
            }
            Node::Mailbox(board) => {
                let mut moves = Vec::new();
                board.clone().legal(&mut moves);
                let child = |mv: MailboxMove| {
                    let mut board = board.clone();
                    board.make(mv);
                    (mv.to_move(), Node::Mailbox(board))
                };
                moves.into_iter().map(child).collect()
            }
            Node::Refused => Vec::new(),
        }
    }
}
