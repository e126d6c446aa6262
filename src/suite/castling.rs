//! Decides whether a file of positions is Chess960: `KQkq` means different things there.
//!
//! A file is read as one whole. It is Chess960 if any line has a castling letter outside `KQkq-` (Shredder-FEN names
//! the rook's file), or if most lines that have rights place a king that may castle off the e-file (the books of
//! Fischer Random set-ups are written with `KQkq`). One odd line in an ordinary file does not turn it.

use super::data_lines;
use crate::notation::fen::CastlingMode;

/// The castling mode in which the FEN or EPD lines of `text` are to be read; `forced` (the user's flag) wins.
#[must_use]
pub fn detect_mode(text: &str, forced: Option<CastlingMode>) -> CastlingMode {
    if let Some(mode) = forced {
        return mode;
    }
    let (mut with_rights, mut odd_king) = (0_usize, 0_usize);
    for (_, line) in data_lines(text) {
        let mut fields = line.split_ascii_whitespace();
        let (Some(board), Some(_), Some(rights)) = (fields.next(), fields.next(), fields.next()) else {
            continue;
        };
        // Only what can be a castling field counts: other text is the parser's to refuse.
        let letters = rights.trim_end_matches(';');
        if letters == "-"
            || !letters.bytes().all(|b| matches!(b.to_ascii_lowercase(), b'a'..=b'h' | b'k' | b'q'))
        {
            continue;
        }
        if letters.bytes().any(|b| !matches!(b, b'K' | b'Q' | b'k' | b'q')) {
            return CastlingMode::Chess960;
        }
        with_rights += 1;
        odd_king += usize::from(king_off_e_file(board, letters));
    }
    if 2 * odd_king > with_rights { CastlingMode::Chess960 } else { CastlingMode::Standard }
}

/// True if a side with a castling right has its king on its back rank, but not on the e-file.
fn king_off_e_file(board: &str, rights: &str) -> bool {
    let ranks: Vec<&str> = board.split('/').collect();
    let off = |rank: Option<&&str>, king: char| {
        let mut file = 0;
        for letter in rank.map_or("", |rank| rank).chars() {
            match letter.to_digit(10) {
                Some(empty) => file += empty,
                None if letter == king => return file != 4,
                None => file += 1,
            }
        }
        false
    };
    rights.contains(['K', 'Q']) && off(ranks.last(), 'K')
        || rights.contains(['k', 'q']) && off(ranks.first(), 'k')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_files_mean_chess960() {
        let shredder = "4k3/8/8/8/8/8/8/4K1RR w K - 0 1\n4k3/8/8/8/8/8/8/4K1RR w G - 0 1\n";
        assert_eq!(detect_mode(shredder, None), CastlingMode::Chess960);
        assert_eq!(detect_mode(shredder, Some(CastlingMode::Standard)), CastlingMode::Standard);
    }

    #[test]
    fn books_of_fischer_random_are_seen_by_their_kings() {
        let books = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\n";
        assert_eq!(detect_mode(books, None), CastlingMode::Chess960);
        let usual =
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ;D1 20\n\n# a comment of 3 words, bagful\n";
        assert_eq!(detect_mode(usual, None), CastlingMode::Standard);
        assert_eq!(detect_mode(&(usual.repeat(3) + books), None), CastlingMode::Standard);
        assert_eq!(detect_mode("8/8/8/8/8/8/8/KBk5 w - - bm Ka2;", None), CastlingMode::Standard);
    }
}
