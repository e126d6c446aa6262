//! A written move in a position (a FEN, a line end, a move; without the first two the initial position), in SAN and all
//! other notations: what is accepted is legal, and reads the same when it is written properly.

use super::MODES;
use gauntlet::notation::{CastlingMode, Notation, fen, san, uci_move};
use gauntlet::rules::Position;

pub fn check(data: &[u8]) {
    let Some(text) = super::text(data) else { return };
    let (position, written) = match text.split_once('\n') {
        Some((first, rest)) => match fen::parse(first, CastlingMode::Chess960) {
            Ok(position) => (position, rest),
            Err(_) => return,
        },
        None => (Position::startpos(), text.as_str()),
    };
    for notation in Notation::ALL {
        match notation.parse(written, &position) {
            Ok(mv) => {
                assert!(position.is_legal(mv), "{notation:?}: {written:?}");
                for mode in MODES {
                    // Some castling moves of Chess960 have no form of their own.
                    if let Ok(proper) = notation.format(mv, &position, mode) {
                        assert_eq!(notation.parse(&proper, &position), Ok(mv), "{notation:?}: {proper:?}");
                    }
                }
            }
            Err(error) => assert!(error.to_string().len() < 2000, "a message of bounded length"),
        }
    }
    if let (Ok(san), Ok(uci)) = (san::parse(written, &position), uci_move::parse(written, &position)) {
        assert_eq!(san, uci, "{written:?}");
    }
}
