//! A FEN that is accepted: it is written and read again as the same position, every legal move is written and read again
//! in SAN and UCI, the position after it survives the round trip too, and another generator lists the same moves.

use super::MODES;
use gauntlet::mailbox::Mailbox;
use gauntlet::notation::{CastlingMode, fen, san, uci_move};
use gauntlet::rules::Position;

pub fn check(data: &[u8]) {
    let Some(text) = super::text(data) else { return };
    for mode in MODES {
        if let Ok(position) = fen::parse(&text, mode) {
            check_position(&position);
        }
    }
}

/// Everything that must hold for a position, however it was made.
pub fn check_position(position: &Position) {
    round_trip(position);
    let moves = position.legal_moves();
    let mut seen = Vec::with_capacity(moves.len());
    for &mv in moves.iter() {
        let written = san::format(mv, position);
        assert_eq!(san::parse(&written, position), Ok(mv), "{written}");
        for chess960 in [false, true] {
            // Without the Chess960 form, castling may look like a step of the king: only then another move is meant.
            let written = uci_move::format(mv, chess960);
            if chess960 || !fen::needs_chess960(position) {
                assert_eq!(uci_move::parse(&written, position), Ok(mv), "{written}");
            }
        }
        assert!(!seen.contains(&written), "{written} means two moves");
        seen.push(written);
        let mut child = *position;
        child.play(mv).expect("a legal move can be played");
        assert_eq!(child.keys_from_scratch(), (child.key(), child.pawn_key()), "{mv:?}");
        round_trip(&child);
    }
    second_opinion(position, &moves);
}

fn round_trip(position: &Position) {
    let written = fen::format(position);
    assert_eq!(fen::parse(&written, CastlingMode::Chess960), Ok(*position), "{written}");
    assert_eq!(Position::from_setup(&position.to_setup()), Ok(*position), "{written}");
    if !fen::needs_chess960(position) {
        assert_eq!(fen::parse(&written, CastlingMode::Standard), Ok(*position), "{written}");
    }
    for mode in MODES {
        let shredder = fen::format_shredder(position);
        assert_eq!(fen::parse(&shredder, mode), Ok(*position), "{shredder}");
    }
}

/// The second generator of this house takes every position; cozy-chess refuses more than we do (unreachable ones), but
/// where it has an opinion, it must be ours.
fn second_opinion(position: &Position, moves: &[gauntlet::types::Move]) {
    let board = Mailbox::new(&position.to_setup()).expect("what the rules accept has a board");
    assert_eq!(board.key(), position.key(), "{}", fen::format(position));
    let in_order = |mut list: Vec<gauntlet::types::Move>| {
        list.sort_by_key(|mv| mv.bits());
        list
    };
    assert_eq!(in_order(board.legal_moves()), in_order(moves.to_vec()), "{}", fen::format(position));
    let Ok(board) = cozy_chess::Board::from_fen(&fen::format_shredder(position), true) else { return };
    let mut theirs = Vec::new();
    board.generate_moves(|list| {
        theirs.extend(list.into_iter().map(|mv| mv.to_string()));
        false
    });
    let mut ours: Vec<String> = moves.iter().map(|&mv| uci_move::format(mv, true)).collect();
    theirs.sort();
    ours.sort();
    assert_eq!(ours, theirs, "{}", fen::format(position));
}
