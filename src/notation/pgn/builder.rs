//! Puts the tokens of one game together: tags, start position, moves, comments. Knows nothing about where one game ends
//! and the next begins, except that a result ends it; that is the reader's.

use super::lexer::Token;
use super::reader::PgnErrorKind;
use super::tag::{self, ParsedTag, Variant};
use super::{Game, GameResult, PgnMove, Warning};
use crate::notation::fen::{self, CastlingMode};
use crate::notation::san;
use crate::notation::text::excerpt;
use crate::rules::Position;

/// Limits that no real game reaches; they keep a game's memory bounded.
pub(super) const MOST_PLIES: usize = 50_000;
const MOST_TAGS: usize = 500;
const MOST_WARNINGS: usize = 50;
const LONGEST_GAME_TEXT: usize = 1 << 23;

/// A game while it is being read.
#[derive(Debug)]
pub(super) struct Builder {
    pub(super) game: Game,
    current: Position,
    /// Movetext has begun, so the tags are over and the start position is known.
    pub(super) has_body: bool,
    fen: Option<(String, usize)>,
    result_tag: Option<GameResult>,
    /// How deep in variations, and where the outermost began.
    depth: usize,
    depth_line: usize,
    pub(super) last_line: usize,
    last_tag_line: usize,
    text_left: usize,
    numbers_checked: bool,
}

impl Builder {
    pub(super) fn new() -> Builder {
        Builder {
            game: Game::new(Position::startpos()),
            current: Position::startpos(),
            has_body: false,
            fen: None,
            result_tag: None,
            depth: 0,
            depth_line: 0,
            last_line: 1,
            last_tag_line: 1,
            text_left: LONGEST_GAME_TEXT,
            numbers_checked: false,
        }
    }

    /// Nothing but comments so far.
    pub(super) fn is_empty(&self) -> bool {
        self.game.tags.is_empty() && !self.has_body
    }

    /// A tag that is there already, after a gap: the game has no movetext at all, and this is the next one.
    pub(super) fn is_next_game(&self, tag: &ParsedTag) -> bool {
        self.last_line > self.last_tag_line + 1 && self.game.tag(&tag.name).is_some()
    }

    fn warn(&mut self, text: impl Into<String>) {
        if self.game.warnings.len() < MOST_WARNINGS {
            self.game.warnings.push(Warning { line: self.last_line, text: text.into() });
        }
    }

    /// Takes one token; gives the result if it was the end of the game.
    pub(super) fn take(&mut self, token: Token) -> Result<Option<GameResult>, PgnErrorKind> {
        match token {
            Token::Tag(tag) => self.tag(tag),
            Token::BadTag { name: None, text } => {
                return Err(PgnErrorKind::Unexpected(excerpt(&format!("[{text}"))));
            }
            Token::BadTag { name: Some(name), text } => {
                if matches!(name.as_str(), "FEN" | "SetUp" | "Variant") {
                    return Err(PgnErrorKind::Tag(name));
                }
                self.warn(format!(
                    "a tag is not readable and was left out: {:?}",
                    excerpt(&format!("[{text}"))
                ));
            }
            Token::OpenVariation => {
                self.begin_body()?;
                if self.depth == 0 {
                    self.depth_line = self.last_line;
                }
                self.depth += 1;
            }
            Token::CloseVariation if self.depth > 0 => self.depth -= 1,
            Token::CloseVariation => self.warn("\")\" without \"(\""),
            // Everything else inside a variation is skipped.
            _ if self.depth > 0 => {}
            Token::Comment { text, cut } => {
                if !self.game.tags.is_empty() {
                    self.begin_body()?;
                }
                self.comment(&text, cut);
            }
            Token::Nag(Some(nag)) => self.nag(nag),
            Token::Nag(None) => self.warn("\"$\" without a number up to 255"),
            Token::Stray(letter) => self.warn(format!("{letter:?} has no place here")),
            Token::Word(word) => return self.word(&word),
            Token::UnclosedComment | Token::WrongEncoding | Token::End => {}
        }
        Ok(None)
    }

    fn tag(&mut self, tag: ParsedTag) {
        let ParsedTag { name, value, flaw } = tag;
        self.last_tag_line = self.last_line;
        if let Some(flaw) = flaw {
            self.warn(format!("tag {name}: {flaw}"));
        }
        if self.game.tag(&name).is_some() {
            return self.warn(format!("tag {name} is given twice; the first one counts"));
        }
        let size = name.len() + value.len();
        if self.game.tags.len() == MOST_TAGS || size > self.text_left {
            return self.warn(format!("too many tags; {} was left out", excerpt(&name)));
        }
        self.text_left -= size;
        match name.as_str() {
            "FEN" => self.fen = Some((value.clone(), self.last_line)),
            "Result" => {
                self.result_tag = GameResult::from_text(&value);
                if self.result_tag.is_none() {
                    self.warn(format!("tag Result: {:?} is not a result", excerpt(&value)));
                }
            }
            "Variant" if tag::variant(&value) == Variant::Other => {
                self.warn(format!("tag Variant: {:?} is read as ordinary chess", excerpt(&value)));
            }
            _ => {}
        }
        self.game.tags.push((name, value));
    }

    /// Sets up the start position once the tags are over.
    fn begin_body(&mut self) -> Result<(), PgnErrorKind> {
        if std::mem::replace(&mut self.has_body, true) {
            return Ok(());
        }
        let Some((text, line)) = self.fen.take() else {
            if self.game.tag("SetUp") == Some("1") {
                self.warn("tag SetUp is 1 but there is no FEN; read from the initial position");
            }
            return Ok(());
        };
        let mode = if self.game.is_chess960() { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let start = fen::parse(&text, mode).inspect_err(|_| self.last_line = line)?;
        self.current = start;
        self.game.start = start;
        Ok(())
    }

    fn comment(&mut self, text: &str, cut: bool) {
        if cut || text.len() > self.text_left {
            self.warn("a comment is too long and was cut or left out");
        }
        if text.is_empty() || text.len() > self.text_left {
            return;
        }
        self.text_left -= text.len();
        let place = self.game.moves.last_mut().map_or(&mut self.game.comment, |last| &mut last.comment);
        if !place.is_empty() {
            place.push(' ');
        }
        place.push_str(text);
    }

    fn nag(&mut self, nag: u8) {
        match self.game.moves.last_mut() {
            Some(last) if !last.nags.contains(&nag) => last.nags.push(nag),
            Some(_) => {}
            None => self.warn(format!("${nag} before the first move")),
        }
    }

    fn word(&mut self, word: &str) -> Result<Option<GameResult>, PgnErrorKind> {
        let (number, rest) = split_number(word);
        if let Some(result) = result_word(rest) {
            if GameResult::from_text(rest).is_none() {
                self.warn(format!("{:?} is not a PGN result; read as {result}", excerpt(rest)));
            }
            return Ok(Some(result));
        }
        self.begin_body()?;
        if let Some(number) = number {
            self.check_number(number);
        }
        if rest.is_empty() || (!self.game.moves.is_empty() && is_old_mark(rest)) {
            return Ok(None);
        }
        let body = rest.trim_end_matches(['!', '?']);
        let nag = suffix_nag(&rest[body.len()..]);
        if !body.is_empty() {
            self.play(body)?;
        }
        if let Some(nag) = nag {
            self.nag(nag);
        }
        Ok(None)
    }

    fn play(&mut self, text: &str) -> Result<(), PgnErrorKind> {
        if self.game.moves.len() == MOST_PLIES {
            return Err(PgnErrorKind::TooLong);
        }
        let (number, turn) = (self.current.fullmove_number(), self.current.turn());
        let mv =
            san::parse(text, &self.current).map_err(|error| PgnErrorKind::Move { number, turn, error })?;
        self.current.play_unchecked(mv);
        self.game.moves.push(PgnMove::new(mv));
        Ok(())
    }

    /// Move numbers carry no information; the first wrong one is worth a warning.
    fn check_number(&mut self, number: u32) {
        let expected = self.current.fullmove_number();
        if number != expected && !self.numbers_checked {
            self.numbers_checked = true;
            self.warn(format!("move number {number} where {expected} is due"));
        }
    }

    /// The finished game. `marker` is the result behind the moves.
    pub(super) fn finish(mut self, marker: Option<GameResult>) -> Result<Game, (usize, PgnErrorKind)> {
        if self.depth > 0 {
            return Err((self.depth_line, PgnErrorKind::UnclosedVariation));
        }
        if let Err(kind) = self.begin_body() {
            return Err((self.last_line, kind));
        }
        if marker.is_none() {
            self.warn("the result behind the moves is missing");
        }
        match (marker, self.result_tag) {
            (Some(marker), Some(tag)) if marker != tag => {
                self.warn(format!("tag Result says {tag}, the end of the moves {marker}; the latter counts"));
            }
            _ => {}
        }
        self.game.result = marker.or(self.result_tag).unwrap_or_default();
        Ok(self.game)
    }
}

/// Takes a move number and its dots off the front: `12.e4`, `12...`, `12`, `...`. Castling with zeros and results
/// begin with digits too, but no dot follows them.
fn split_number(word: &str) -> (Option<u32>, &str) {
    if word == "0000" {
        return (None, word);
    }
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = word.split_at(digits);
    let is_dot = |c: char| matches!(c, '.' | '…');
    if rest.is_empty() || rest.starts_with(is_dot) {
        // A number too large for `u32` is certainly wrong, but still only a number.
        let number = (!number.is_empty()).then(|| number.parse().unwrap_or(u32::MAX));
        return (number, rest.trim_start_matches(is_dot));
    }
    (None, word)
}

/// A result, in its PGN form or one of those that are seen in old files; what only looks like one (`2-0`) is unknown.
fn result_word(word: &str) -> Option<GameResult> {
    if let Some(result) = GameResult::from_text(word) {
        return Some(result);
    }
    match word {
        "½-½" | "1/2" | "½" | "0.5-0.5" | "1/2:1/2" | "=-=" => return Some(GameResult::Draw),
        "1:0" => return Some(GameResult::WhiteWins),
        "0:1" => return Some(GameResult::BlackWins),
        "0-0" | "0-0-0" => return None,
        _ => {}
    }
    let (left, right) = word.split_once(['-', ':'])?;
    let is_points =
        |side: &str| !side.is_empty() && side.chars().all(|c| c.is_ascii_digit() || "/½.".contains(c));
    (is_points(left) && is_points(right)).then_some(GameResult::Unknown)
}

/// Marks from before NAGs that stand behind a move: evaluations, novelty, diagram, en passant, a check sign apart.
fn is_old_mark(word: &str) -> bool {
    matches!(word, "e.p." | "ep" | "N" | "D" | "ch" | "ch." | "mate")
        || word != "--" && word.chars().all(|c| "+-=/#∞±∓⩲⩱".contains(c))
}

fn suffix_nag(marks: &str) -> Option<u8> {
    Some(match marks {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_results_and_castling_begin_alike() {
        assert_eq!(split_number("12...e5"), (Some(12), "e5"));
        assert_eq!(split_number("..."), (None, ""));
        assert_eq!(split_number("0-0-0"), (None, "0-0-0"));
        assert_eq!(split_number("99999999999"), (Some(u32::MAX), ""));
        assert_eq!(result_word("0-0"), None);
        assert_eq!(result_word("2-0"), Some(GameResult::Unknown));
        assert_eq!(result_word("e2-e4"), None);
    }
}
