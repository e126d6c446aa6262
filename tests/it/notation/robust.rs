//! Monstrous input. What must hold for damaged input is in `tests/it/fuzz`.

use super::*;
use gauntlet::notation::{epd, pgn};

/// Deep nesting, endless words and lines: linear time, no recursion, bounded memory.
#[test]
fn monstrous_inputs_end() {
    let many = 1_000_000;
    for (unit, tail) in [
        ("(", ""),
        ("[", ""),
        ("[A \"\"]", ""),
        ("{", ""),
        ("$", ""),
        ("\"", ""),
        ("x", ""),
        ("1.", " e4 *"),
        ("[a \"\\", ""),
    ] {
        let text = unit.repeat(many / unit.len()) + tail;
        let games = pgn::Reader::new(text.as_bytes()).count();
        assert!(games <= 1000, "{unit}: {games}");
        let _ = epd::parse_line(&text, CastlingMode::Standard);
        let _ = fen::parse(&text, CastlingMode::Standard);
        let _ = san::parse(&text, &Position::startpos());
    }
    let rights = format!("4k3/8/8/8/8/8/8/4K3 w {} - 0 1", "K".repeat(many));
    assert!(fen::parse(&rights, CastlingMode::Standard).is_err());
}
