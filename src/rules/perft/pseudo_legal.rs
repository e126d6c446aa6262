//! Perft the old way: moves without regard to the own king, each made on a copy and thrown away if the king can then be
//! taken. Only castling looks for attacks beforehand, as its rule does.
//! Sources: pages "Move Generation" and "Legal Move" of the seed documents.

use super::walk::for_the_side_to_move;
use crate::rules::board::{Board, Mover};
use crate::rules::castling::way;
use crate::rules::movegen::{MoveList, origin};
use crate::rules::position::Position;
use crate::sliders::{Sliders, empty};
use crate::types::{Bitboard, Move, Role};
use std::hint::black_box;

fn pseudo_legal<M: Mover, S: Sliders>(board: &Board, sliders: S, list: &mut MoveList) {
    let us = &board.sides[M::US];
    let occupied = board.occupied();
    let mut piece =
        |from, to: Bitboard| (to - us.all).into_iter().for_each(|to| list.push(Move::normal(from, to)));
    for from in us.knights {
        piece(from, empty::knight(from));
    }
    for from in us.diagonal {
        piece(from, sliders.bishop(from, occupied));
    }
    for from in us.orthogonal {
        piece(from, sliders.rook(from, occupied));
    }
    for from in us.king {
        piece(from, empty::king(from));
    }
    pawns::<M>(board, occupied, list);
    if (board.castling & us.all).any() {
        castles::<M, S>(board, occupied, sliders, list);
    }
}

fn pawns<M: Mover>(board: &Board, occupied: Bitboard, list: &mut MoveList) {
    let (us, them) = (&board.sides[M::US], &board.sides[M::THEM]);
    let up: i8 = if M::COLOR.is_white() { 8 } else { -8 };
    let third_rank = if M::COLOR.is_white() { Bitboard::rank(2) } else { Bitboard::rank(5) };
    let last_rank = Bitboard::back_rank(M::Other::COLOR);
    let ahead = us.pawns.forward(M::COLOR);
    let single = ahead - occupied;
    let double = (single & third_rank).forward(M::COLOR) - occupied;
    for (targets, step) in
        [(ahead.east() & them.all, up + 1), (ahead.west() & them.all, up - 1), (single, up), (double, 2 * up)]
    {
        for to in targets - last_rank {
            list.push(Move::normal(origin(to, step), to));
        }
        for to in targets & last_rank {
            Role::PROMOTIONS
                .into_iter()
                .for_each(|role| list.push(Move::promotion(origin(to, step), to, role)));
        }
    }
    if let Some(to) = board.ep {
        for from in empty::pawn(M::Other::COLOR, to) & us.pawns {
            list.push(Move::en_passant(from, to));
        }
    }
}

/// Out of no check, over no attacked square, with nothing in the way. Whether the king is safe where it arrives is seen
/// after the move, when the rook is no shield any more.
fn castles<M: Mover, S: Sliders>(board: &Board, occupied: Bitboard, sliders: S, list: &mut MoveList) {
    let attacked = |square| board.attackers(square, occupied, M::Other::COLOR, sliders).any();
    let king = board.king(M::COLOR);
    if attacked(king) {
        return;
    }
    for rook in board.castling & board.sides[M::US].all {
        let way = way(M::COLOR, king, rook);
        if (way.empty & occupied).is_empty() && !way.king.into_iter().any(attacked) {
            list.push(Move::castle(king, rook));
        }
    }
}

fn count<M: Mover, S: Sliders>(board: &Board, depth: u32, sliders: S, bulk: bool) -> u64 {
    if depth == 0 {
        black_box(board);
        return 1;
    }
    let mut list = MoveList::new();
    pseudo_legal::<M, S>(board, sliders, &mut list);
    let mut nodes = 0;
    for &mv in list.iter() {
        let mut child = *board;
        child.play::<M>(mv);
        let king = child.king(M::COLOR);
        if child.attackers(king, child.occupied(), M::Other::COLOR, sliders).any() {
            continue;
        }
        nodes += if depth == 1 && bulk { 1 } else { count::<M::Other, S>(&child, depth - 1, sliders, bulk) };
    }
    nodes
}

/// Leaf count by pseudo-legal moves. Every move is made, the last one too; with `bulk` its position is not looked at
/// beyond the safety of the king.
pub fn perft_pseudo_legal<S: Sliders>(position: &Position, depth: u32, sliders: S, bulk: bool) -> u64 {
    for_the_side_to_move!(position, count::<S>(position.board(), depth, sliders, bulk))
}
