//! Writes games in PGN's export form: the seven tags first, moves in SAN, lines of at most 80 columns.

use super::tag::{Variant, variant};
use super::{Game, PgnMove};
use crate::notation::{fen, san};
use crate::rules::Position;
use crate::types::Color;
use std::io::{self, Write};

const COLUMNS: usize = 80;

/// The seven tags that every game has, and what stands for "not known".
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Writes a game and a blank line behind it. `Result`, `SetUp` and `FEN` follow from the game, whatever its tags say;
/// `Variant` is added where the castling rights need it.
pub fn write_game(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    for (name, unknown) in ROSTER {
        let value = if name == "Result" { game.result.as_str() } else { game.tag(name).unwrap_or(unknown) };
        write_tag(out, name, value)?;
    }
    let is_chess960 = fen::needs_chess960(&game.start);
    let has_variant = game.tag("Variant").is_some_and(|text| variant(text) != Variant::Standard);
    // Always here where it is needed, so that reading and writing again does not move it.
    if is_chess960 {
        let variant = game.tag("Variant").filter(|_| has_variant).unwrap_or("Chess960");
        write_tag(out, "Variant", variant)?;
    }
    if game.start != Position::startpos() || game.tag("FEN").is_some() || game.is_chess960() {
        write_tag(out, "SetUp", "1")?;
        write_tag(out, "FEN", &fen::format(&game.start))?;
    }
    let mut written: Vec<String> = Vec::new();
    for (name, value) in &game.tags {
        let is_written = ROSTER.iter().any(|(known, _)| known == name)
            || matches!(name.as_str(), "SetUp" | "FEN")
            || (name == "Variant" && is_chess960);
        // Two names that only differ in characters that PGN does not have become one, and a name stands once.
        let name = tag_name(name);
        if !is_written && !written.contains(&name) {
            write_tag(out, &name, value)?;
            written.push(name);
        }
    }
    writeln!(out, "\n{}\n", movetext(game))
}

/// The name without characters that PGN does not have in names.
fn tag_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || "_:+#=-".contains(c) { c } else { '_' }).collect()
}

fn write_tag(out: &mut dyn Write, name: &str, value: &str) -> io::Result<()> {
    let mut escaped = String::with_capacity(value.len());
    for letter in value.chars() {
        match letter {
            '"' | '\\' => escaped.extend(['\\', letter]),
            _ if letter.is_control() => escaped.push(' '),
            _ => escaped.push(letter),
        }
    }
    // Readers trim values, so a control character at either end must not come back as a blank.
    writeln!(out, "[{name} \"{}\"]", escaped.trim())
}

/// Moves, comments and result of a game, wrapped; no line end behind the last line.
pub fn movetext(game: &Game) -> String {
    let mut text = Wrapped::default();
    text.comment(&game.comment);
    let mut position = game.start;
    // A number stands before White's moves, and before Black's where the line of moves was interrupted.
    let mut interrupted = true;
    for played in &game.moves {
        let number = position.fullmove_number();
        match position.turn() {
            Color::White => text.word(&format!("{number}.")),
            Color::Black if interrupted => text.word(&format!("{number}...")),
            Color::Black => {}
        }
        text.word(&san::format(played.mv, &position));
        interrupted = text.marks(played);
        if position.play(played.mv).is_err() {
            // Only in a game built by hand: nothing sensible can follow an illegal move.
            break;
        }
    }
    text.word(game.result.as_str());
    text.text
}

/// Text that breaks its lines between words.
#[derive(Default)]
struct Wrapped {
    text: String,
    /// Characters in the last line.
    column: usize,
}

impl Wrapped {
    fn word(&mut self, word: &str) {
        if self.text.is_empty() { self.push(word) } else { self.next(word) }
    }

    /// The word behind a blank, or behind a line end where it would not fit. A line may not begin with `%`: that would hide it.
    fn next(&mut self, word: &str) {
        if self.column + 1 + word.chars().count() > COLUMNS && !word.starts_with(['%', '[']) {
            self.text.push('\n');
            self.column = 0;
        } else {
            self.text.push(' ');
            self.column += 1;
        }
        self.push(word);
    }

    fn push(&mut self, word: &str) {
        self.text.push_str(word);
        self.column += word.chars().count();
    }

    /// Writes what is said about a move; whether a comment was.
    fn marks(&mut self, played: &PgnMove) -> bool {
        for nag in &played.nags {
            self.word(&format!("${nag}"));
        }
        self.comment(&played.comment)
    }

    /// A closing brace cannot be escaped in PGN, so it becomes a round bracket. False if nothing is left to be written.
    fn comment(&mut self, comment: &str) -> bool {
        let comment: String = comment
            .chars()
            .map(|c| match c {
                '}' => ')',
                _ if c.is_control() => ' ',
                _ => c,
            })
            .collect();
        let comment = comment.trim();
        if comment.is_empty() {
            return false;
        }
        // Split at each blank, so that a reader who turns line ends into blanks gets the same text back.
        let comment = format!("{{{comment}}}");
        let mut words = comment.split(' ');
        self.word(words.next().unwrap_or(""));
        for word in words {
            self.next(word);
        }
        true
    }
}
