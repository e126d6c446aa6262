//! Perft with one board that is changed in place and changed back with a record of what the move destroyed; and the same
//! walk with a copy per move, so that the two ways are measured with everything else equal.
//! Sources: pages "Make Move", "Copy-Make" and "Irreversible Moves" of the seed documents.

use super::walk::{for_the_side_to_move, moves, number};
use crate::rules::board::{Board, Mover};
use crate::rules::castling::castling_targets;
use crate::rules::movegen::Targets;
use crate::rules::position::Position;
use crate::sliders::Sliders;
use crate::types::{Bitboard, Move, MoveKind, Role, Square};
use std::hint::black_box;

/// What a move destroys.
#[derive(Clone, Copy)]
struct Undo {
    captured: Option<(Role, Square)>,
    castling: Bitboard,
    ep: Option<Square>,
}

fn make<M: Mover>(board: &mut Board, mv: Move) -> Undo {
    let them = &board.sides[M::THEM];
    let victim = match mv.kind() {
        MoveKind::Castle => None,
        MoveKind::EnPassant => Bitboard::from(mv.to()).forward(M::Other::COLOR).first(),
        MoveKind::Normal | MoveKind::Promotion => them.all.has(mv.to()).then_some(mv.to()),
    };
    let undo = Undo {
        captured: victim.map(|square| (them.role_at(square), square)),
        castling: board.castling,
        ep: board.ep,
    };
    board.play::<M>(mv);
    undo
}

fn unmake<M: Mover>(board: &mut Board, mv: Move, undo: &Undo) {
    let us = &mut board.sides[M::US];
    if mv.is_castle() {
        let (king_to, rook_to) = castling_targets(mv.from(), mv.to());
        us.king = mv.from().into();
        us.orthogonal = us.orthogonal.without(rook_to).with(mv.to());
        us.all = us.all.without(king_to).without(rook_to).with(mv.from()).with(mv.to());
    } else {
        let role = match mv.kind() {
            MoveKind::Normal => us.role_at(mv.to()),
            _ => Role::Pawn,
        };
        us.remove(mv.to().into());
        // `remove` is for what can be taken.
        us.king = us.king.without(mv.to());
        us.put(role, mv.from());
    }
    if let Some((role, square)) = undo.captured {
        board.sides[M::THEM].put(role, square);
    }
    board.castling = undo.castling;
    board.ep = undo.ep;
}

fn count<M: Mover, S: Sliders, const IN_PLACE: bool>(
    board: &mut Board,
    depth: u32,
    sliders: S,
    bulk: bool,
) -> u64 {
    match depth {
        0 => {
            // Looked at, so that making it cannot be left out.
            black_box(&*board);
            return 1;
        }
        1 if bulk => return number::<M, S>(board, sliders, Targets::All),
        _ => {}
    }
    let mut nodes = 0;
    for &mv in moves::<M, S>(board, sliders, Targets::All).iter() {
        if IN_PLACE {
            let undo = make::<M>(board, mv);
            nodes += count::<M::Other, S, IN_PLACE>(board, depth - 1, sliders, bulk);
            unmake::<M>(board, mv, &undo);
        } else {
            let mut child = *board;
            child.play::<M>(mv);
            nodes += count::<M::Other, S, IN_PLACE>(&mut child, depth - 1, sliders, bulk);
        }
    }
    nodes
}

/// Leaf count with moves made and unmade on one board, `depth` plies deep. `bulk`: the last move is counted, not made.
pub fn perft_in_place<S: Sliders>(position: &Position, depth: u32, sliders: S, bulk: bool) -> u64 {
    let board = &mut position.board().to_owned();
    for_the_side_to_move!(position, count::<S, true>(board, depth, sliders, bulk))
}

/// The same walk with a copy of the board per move: what [`perft_in_place`] is measured against.
pub fn perft_copied<S: Sliders>(position: &Position, depth: u32, sliders: S, bulk: bool) -> u64 {
    let board = &mut position.board().to_owned();
    for_the_side_to_move!(position, count::<S, false>(board, depth, sliders, bulk))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::board::{BlackMoves, WhiteMoves};
    use crate::sliders::Hyperbola;
    use crate::types::{Color, Piece, Setup};

    fn walk<M: Mover>(board: &mut Board, depth: u32) {
        for &mv in moves::<M, Hyperbola>(board, Hyperbola, Targets::All).iter() {
            let before = *board;
            let undo = make::<M>(board, mv);
            if depth > 1 {
                walk::<M::Other>(board, depth - 1);
            }
            unmake::<M>(board, mv, &undo);
            assert_eq!(*board, before, "{mv:?}");
        }
    }

    #[test]
    fn unmaking_restores_the_board() {
        // Promotions that take a rook with its right, castling on both sides, en passant.
        let mut setup = Setup { turn: Color::Black, ..Setup::default() };
        let white = "e1K a1R h1R b7P e5P c4P g2P";
        let black = "e8K a8R h8R d7P b4P f7P h2P";
        for (color, pieces) in [(Color::White, white), (Color::Black, black)] {
            for piece in pieces.split(' ') {
                let (square, letter) = piece.split_at(2);
                let square: Square = square.parse().expect("a square");
                let role = letter.chars().next().and_then(Role::from_letter).expect("a piece");
                setup.board[square.index()] = Some(Piece::new(color, role));
            }
        }
        setup.castling_rooks = [Square::A1, Square::H1, Square::A8, Square::H8].into_iter().collect();
        setup.ep = Some(Square::C3);
        let position = Position::from_setup(&setup).expect("a position");
        assert!(position.ep_square().is_some());
        walk::<BlackMoves>(&mut position.board().to_owned(), 3);
        walk::<WhiteMoves>(&mut position.flipped().board().to_owned(), 3);
    }
}
