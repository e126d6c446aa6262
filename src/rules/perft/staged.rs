//! Perft in the stages in which a search wants its moves: captures and promotions are generated and searched before the
//! first quiet move exists; in check there are neither, but evasions, which are looked for from the squares that help.
//! Sources: pages "Move Generation" (staged) and "Check" (evasions of single and double check) of the seed documents.

use super::walk::{for_the_side_to_move, moves, number};
use crate::rules::board::{Board, Mover};
use crate::rules::movegen::{MoveList, Targets, en_passant_is_legal};
use crate::rules::position::Position;
use crate::sliders::{Sliders, empty};
use crate::types::{Bitboard, Move, Role, Square};
use std::hint::black_box;

/// The legal moves in check. Double check: the king steps away. Single check: or the checker is taken, or a piece comes
/// between. A pinned piece can do neither, since it must stay on another line.
fn evasions<M: Mover, S: Sliders>(board: &Board, checkers: Bitboard, sliders: S) -> MoveList {
    let mut list = MoveList::new();
    let us = &board.sides[M::US];
    let (king, occupied) = (board.king(M::COLOR), board.occupied());
    // The king does not hide behind itself.
    let without_king = occupied.without(king);
    for to in empty::king(king) - us.all {
        if board.attackers(to, without_king, M::Other::COLOR, sliders).is_empty() {
            list.push(Move::normal(king, to));
        }
    }
    let Some(checker) = checkers.first().filter(|_| !checkers.more_than_one()) else { return list };
    let free = us.all - pinned::<M, S>(board, king, sliders);
    let between = empty::between(king, checker);
    for to in between.with(checker) {
        let helpers = (empty::knight(to) & us.knights)
            | (sliders.bishop(to, occupied) & us.diagonal)
            | (sliders.rook(to, occupied) & us.orthogonal);
        for from in helpers & free {
            list.push(Move::normal(from, to));
        }
    }
    for from in empty::pawn(M::Other::COLOR, checker) & us.pawns & free {
        push_pawn::<M>(&mut list, from, checker);
    }
    let fourth_rank = if M::COLOR.is_white() { Bitboard::rank(3) } else { Bitboard::rank(4) };
    for to in between {
        let behind = Bitboard::from(to).forward(M::Other::COLOR);
        let pawn = if (behind & occupied).any() || !fourth_rank.has(to) {
            behind
        } else {
            behind.forward(M::Other::COLOR)
        };
        for from in pawn & us.pawns & free {
            push_pawn::<M>(&mut list, from, to);
        }
    }
    if let Some(to) = board.ep {
        for from in empty::pawn(M::Other::COLOR, to) & us.pawns {
            if en_passant_is_legal::<M, S>(board, sliders, from, to) {
                list.push(Move::en_passant(from, to));
            }
        }
    }
    list
}

fn push_pawn<M: Mover>(list: &mut MoveList, from: Square, to: Square) {
    if Bitboard::back_rank(M::Other::COLOR).has(to) {
        Role::PROMOTIONS.into_iter().for_each(|role| list.push(Move::promotion(from, to, role)));
    } else {
        list.push(Move::normal(from, to));
    }
}

/// Own pieces that alone stand between the king and an enemy slider.
fn pinned<M: Mover, S: Sliders>(board: &Board, king: Square, sliders: S) -> Bitboard {
    let (us, them) = (&board.sides[M::US], &board.sides[M::THEM]);
    let snipers =
        (sliders.rook(king, them.all) & them.orthogonal) | (sliders.bishop(king, them.all) & them.diagonal);
    snipers
        .into_iter()
        .map(|sniper| empty::between(king, sniper) & us.all)
        .filter(|shields| !shields.more_than_one())
        .fold(Bitboard::EMPTY, |all, shield| all | shield)
}

fn count<M: Mover, S: Sliders>(board: &Board, depth: u32, sliders: S, bulk: bool) -> u64 {
    if depth == 0 {
        black_box(board);
        return 1;
    }
    let below = |list: &MoveList| {
        let child = |&mv: &Move| {
            let mut child = *board;
            child.play::<M>(mv);
            count::<M::Other, S>(&child, depth - 1, sliders, bulk)
        };
        list.iter().map(child).sum::<u64>()
    };
    let checkers = board.attackers(board.king(M::COLOR), board.occupied(), M::Other::COLOR, sliders);
    if checkers.any() {
        let list = evasions::<M, S>(board, checkers, sliders);
        return if depth == 1 && bulk { list.len() as u64 } else { below(&list) };
    }
    let stage = |targets| match depth {
        1 if bulk => number::<M, S>(board, sliders, targets),
        _ => below(&moves::<M, S>(board, sliders, targets)),
    };
    stage(Targets::Captures) + stage(Targets::Quiets)
}

/// Leaf count by stages, `depth` plies deep. `bulk`: the moves of a stage at the horizon are counted, not made.
pub fn perft_staged<S: Sliders>(position: &Position, depth: u32, sliders: S, bulk: bool) -> u64 {
    for_the_side_to_move!(position, count::<S>(position.board(), depth, sliders, bulk))
}
