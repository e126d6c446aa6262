//! A written move in a position (a FEN, a line end, a move; without the first two the initial position): what is
//! accepted is legal, and reads the same when it is written properly.

use gauntlet::notation::{CastlingMode, fen, san, uci_move};
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
    let as_san = san::parse(written, &position);
    let as_uci = uci_move::parse(written, &position);
    for mv in as_san.iter().chain(&as_uci) {
        assert!(position.is_legal(*mv), "{written:?}");
        assert_eq!(san::parse(&san::format(*mv, &position), &position), Ok(*mv), "{written:?}");
        assert_eq!(
            uci_move::parse(&uci_move::format(*mv, &position, true), &position),
            Ok(*mv),
            "{written:?}"
        );
    }
    if let (Ok(san), Ok(uci)) = (&as_san, &as_uci) {
        assert_eq!(san, uci, "{written:?}");
    }
    for error in [as_san.err(), as_uci.err()].into_iter().flatten() {
        assert!(error.to_string().len() < 2000, "a message of bounded length");
    }
}
