//! A game that is accepted is written in a form that is read as the same game, and how the bytes arrive makes no
//! difference.

use gauntlet::notation::pgn::{Game, Reader, write_game};
use std::io::BufReader;

pub fn check(data: &[u8]) {
    if data.len() > super::LONGEST {
        return;
    }
    let items: Vec<_> = Reader::new(data).collect();
    assert!(items.len() <= data.len());
    let lines = 1 + data.iter().filter(|&&byte| byte == b'\n' || byte == b'\r').count();
    for item in &items {
        match item {
            Ok(game) => {
                assert!(game.line <= lines && game.warnings.iter().all(|warning| warning.line <= lines));
                round_trip(game);
            }
            Err(error) => {
                assert!(error.line <= lines, "{error}");
                assert!(!error.to_string().contains('\n'), "{error:?}");
            }
        }
    }
    let drop_by_drop = Reader::new(BufReader::with_capacity(1, data));
    assert!(drop_by_drop.map(|item| format!("{item:?}")).eq(items.iter().map(|item| format!("{item:?}"))));
}

fn written(game: &Game) -> Vec<u8> {
    let mut text = Vec::new();
    write_game(game, &mut text).expect("memory can be written");
    text
}

fn round_trip(game: &Game) {
    let text = written(game);
    let shown = String::from_utf8_lossy(&text);
    let mut reader = Reader::new(&text[..]);
    let back = reader.next().expect("a game").unwrap_or_else(|error| panic!("{error}\n{shown}"));
    assert!(reader.next().is_none(), "one game became two\n{shown}");
    assert_eq!((back.start, back.result), (game.start, game.result), "{shown}");
    assert_eq!(back.moves.len(), game.moves.len(), "{shown}");
    for (after, before) in back.moves.iter().zip(&game.moves) {
        assert_eq!((after.mv, &after.nags), (before.mv, &before.nags), "{shown}");
        same_comment(&after.comment, &before.comment);
    }
    same_comment(&back.comment, &game.comment);
    assert_eq!(back.final_position(), game.final_position());
    assert_eq!(String::from_utf8_lossy(&written(&back)), shown, "writing again changes nothing");
}

/// PGN cannot hold a closing brace or a control character in a comment; all else stays.
fn same_comment(after: &str, before: &str) {
    if !before.contains('}') && !before.chars().any(char::is_control) {
        assert_eq!(after, before);
    }
}
