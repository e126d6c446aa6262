//! Reads games one after the other from any `BufRead`, with constant memory. A game with an error is reported with
//! its number, line and move, and reading goes on with the next one.

use super::lexer::{Lexer, Token};
use super::tag::{self, ParsedTag, Variant};
use super::{Game, GameResult, PgnMove, Warning};
use crate::notation::fen::{self, CastlingMode, FenError};
use crate::notation::text::excerpt;
use crate::notation::{MoveError, san};
use crate::rules::Position;
use crate::types::Color;
use std::io::{self, BufRead};
use thiserror::Error;

/// Limits that no real game reaches; they keep a game's memory bounded.
const MOST_PLIES: usize = 50_000;
const MOST_TAGS: usize = 500;
const MOST_WARNINGS: usize = 50;
const LONGEST_GAME_TEXT: usize = 1 << 23;

/// Why a game could not be read.
#[derive(Debug, Error)]
#[error("game {game}, line {line}: {kind}")]
pub struct PgnError {
    /// Number of the game in the input, from 1.
    pub game: usize,
    /// Line of the input, from 1.
    pub line: usize,
    pub kind: PgnErrorKind,
}

/// What is wrong with a game.
#[derive(Debug, Error)]
pub enum PgnErrorKind {
    #[error("move {number}{}: {error}", if *.turn == Color::White { "." } else { "..." })]
    Move { number: u32, turn: Color, error: MoveError },
    #[error("FEN tag: {0}")]
    Fen(#[from] FenError),
    #[error("tag {0:?} is not readable, and the game depends on it")]
    Tag(String),
    #[error("{0:?} has no place in a game")]
    Unexpected(String),
    #[error("a comment is not closed")]
    UnclosedComment,
    #[error("a variation is not closed")]
    UnclosedVariation,
    #[error("more than {MOST_PLIES} half-moves")]
    TooLong,
    #[error("the text looks like UTF-16; PGN is ASCII, ISO 8859-1 or UTF-8")]
    Encoding,
    #[error("reading failed: {0}")]
    Io(#[from] io::Error),
}

/// A stream of games.
#[derive(Debug)]
pub struct Reader<R> {
    lexer: Lexer<R>,
    /// The token that ended the last game and begins the next.
    held: Option<(Token, usize)>,
    games: usize,
    /// The last game had an error in its middle; what is left of it must be skipped.
    skipping: bool,
    finished: bool,
}

impl<R: BufRead> Reader<R> {
    pub fn new(source: R) -> Reader<R> {
        Reader { lexer: Lexer::new(source), held: None, games: 0, skipping: false, finished: false }
    }

    /// Games begun so far, those with errors included.
    pub fn games_read(&self) -> usize {
        self.games
    }

    fn next_token(&mut self) -> io::Result<(Token, usize)> {
        match self.held.take() {
            Some(held) => Ok(held),
            None => self.lexer.next(),
        }
    }

    /// Goes on to the tag or behind the result that ends the broken game.
    fn skip_game(&mut self) -> io::Result<()> {
        let mut depth = 0usize;
        loop {
            let (token, line) = self.next_token()?;
            match token {
                // What is wrong with the rest of a broken game is no news.
                Token::End | Token::UnclosedComment => {
                    self.held = Some((Token::End, line));
                    return Ok(());
                }
                Token::Tag(_) | Token::BadTag { name: Some(_), .. } => {
                    self.held = Some((token, line));
                    return Ok(());
                }
                Token::OpenVariation => depth += 1,
                Token::CloseVariation => depth = depth.saturating_sub(1),
                Token::Word(word) if depth == 0 && GameResult::from_text(&word).is_some() => return Ok(()),
                _ => {}
            }
        }
    }

    /// The next game; `None` at the end. An error carries the line and what is wrong.
    fn read_game(&mut self) -> Result<Option<Game>, (usize, PgnErrorKind)> {
        if self.skipping {
            self.skipping = false;
            self.skip_game().map_err(|error| (0, error.into()))?;
        }
        let mut builder = Builder::new();
        loop {
            let (token, line) = self.next_token().map_err(|error| (builder.last_line, error.into()))?;
            builder.last_line = line;
            if builder.game.line == 0 {
                builder.game.line = line;
            }
            match token {
                Token::End => {
                    self.finished = true;
                    return if builder.is_empty() { Ok(None) } else { builder.finish(None).map(Some) };
                }
                Token::UnclosedComment => {
                    self.finished = true;
                    return Err((line, PgnErrorKind::UnclosedComment));
                }
                Token::WrongEncoding => {
                    self.finished = true;
                    return Err((line, PgnErrorKind::Encoding));
                }
                Token::Tag(_) | Token::BadTag { name: Some(_), .. } if builder.has_body => {
                    self.held = Some((token, line));
                    return builder.finish(None).map(Some);
                }
                Token::Tag(ref tag) if builder.is_next_game(tag) => {
                    self.held = Some((token, line));
                    return builder.finish(None).map(Some);
                }
                token => match builder.take(token) {
                    Ok(None) => {}
                    Ok(Some(result)) => return builder.finish(Some(result)).map(Some),
                    Err(kind) => {
                        self.skipping = true;
                        return Err((line, kind));
                    }
                },
            }
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Game, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.finished {
            return None;
        }
        match self.read_game() {
            Ok(None) => None,
            Ok(Some(game)) => {
                self.games += 1;
                Some(Ok(game))
            }
            Err((line, kind)) => {
                self.games += 1;
                self.finished |= matches!(kind, PgnErrorKind::Io(_));
                Some(Err(PgnError { game: self.games, line, kind }))
            }
        }
    }
}

/// A game while it is being read.
struct Builder {
    game: Game,
    current: Position,
    /// Movetext has begun, so the tags are over and the start position is known.
    has_body: bool,
    fen: Option<(String, usize)>,
    result_tag: Option<GameResult>,
    /// How deep in variations, and where the outermost began.
    depth: usize,
    depth_line: usize,
    last_line: usize,
    last_tag_line: usize,
    text_left: usize,
    numbers_checked: bool,
}

impl Builder {
    fn new() -> Builder {
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
    fn is_empty(&self) -> bool {
        self.game.tags.is_empty() && !self.has_body
    }

    /// A tag that is there already, after a gap: the game has no movetext at all, and this is the next one.
    fn is_next_game(&self, tag: &ParsedTag) -> bool {
        self.last_line > self.last_tag_line + 1 && self.game.tag(&tag.name).is_some()
    }

    fn warn(&mut self, text: impl Into<String>) {
        if self.game.warnings.len() < MOST_WARNINGS {
            self.game.warnings.push(Warning { line: self.last_line, text: text.into() });
        }
    }

    /// Takes one token; gives the result if it was the end of the game.
    fn take(&mut self, token: Token) -> Result<Option<GameResult>, PgnErrorKind> {
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
    fn finish(mut self, marker: Option<GameResult>) -> Result<Game, (usize, PgnErrorKind)> {
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
