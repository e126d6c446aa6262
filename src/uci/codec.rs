//! The words of UCI: lines to values and values to lines. Text only: it knows no positions and never says whether a
//! move is legal. Whatever an engine writes is read without panicking; what cannot be read counts as absent.
//! Source: the UCI protocol description; the bug rows BR-070 to BR-083 of `tests/data/cases.csv`.

use crate::types::{Bound, Limit, Score};
use std::fmt::Write;
use std::time::Duration;

/// The start position, which goes out as `startpos`.
pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Words of a line, split at any run of blanks, with the rest of the line at hand.
#[derive(Clone, Debug)]
pub struct Words<'a> {
    rest: &'a str,
}

/// What separates words: white space, and the control bytes that some engines let slip (NUL, CR).
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// The same of one byte below 128.
fn is_ascii_blank(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7f
}

impl<'a> Words<'a> {
    pub fn new(line: &'a str) -> Words<'a> {
        Words { rest: line }
    }

    /// Everything after the words taken so far, without outer blanks.
    pub fn rest(&self) -> &'a str {
        self.rest.trim_matches(is_blank)
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        // Nearly all of it is ASCII, where a byte tells what a character would.
        let bytes = self.rest.as_bytes();
        let skipped = bytes.iter().position(|byte| !is_ascii_blank(*byte)).unwrap_or(bytes.len());
        let mut text = self.rest.get(skipped..).unwrap_or_default();
        if !text.as_bytes().first().is_none_or(u8::is_ascii) {
            text = text.trim_start_matches(is_blank);
        }
        if text.is_empty() {
            self.rest = text;
            return None;
        }
        let end =
            text.bytes().position(|byte| is_ascii_blank(byte) || !byte.is_ascii()).unwrap_or(text.len());
        let end = match text.as_bytes().get(end) {
            Some(byte) if !byte.is_ascii() => text.find(is_blank).unwrap_or(text.len()),
            _ => end,
        };
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        Some(word)
    }
}

/// No search has more nodes: a silly number stays one that can be added up, and that JSON can hold.
pub const MOST_NODES: u64 = 1 << 53;

/// What one `info` line says. Absent is `None`; `pv` is then empty. Scores are from the engine's (the mover's) view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Info<'a> {
    pub depth: Option<u32>,
    pub seldepth: Option<u32>,
    /// 1 is the best line.
    pub multipv: Option<u32>,
    pub score: Option<Score>,
    pub bound: Bound,
    /// Win, draw, loss in per mille.
    pub wdl: Option<[u32; 3]>,
    pub nodes: Option<u64>,
    /// The engine's own clock.
    pub time_ms: Option<u64>,
    pub nps: Option<u64>,
    /// Per mille.
    pub hashfull: Option<u32>,
    pub tbhits: Option<u64>,
    /// The move being searched; the depth of such a line is not finished.
    pub currmove: Option<&'a str>,
    /// Moves in UCI form, as written.
    pub pv: &'a str,
    /// `info string`: free text, never looked into.
    pub string: Option<&'a str>,
}

/// Reads an `info` line; `None` if the line is not one. Unknown words are skipped.
pub fn parse_info(line: &str) -> Option<Info<'_>> {
    let mut words = Words::new(line);
    if words.next() != Some("info") {
        return None;
    }
    let mut info = Info::default();
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = number(&mut words),
            "seldepth" => info.seldepth = number(&mut words),
            "multipv" => info.multipv = number(&mut words),
            "cp" => info.score = signed(&mut words).map(Score::Cp).or(info.score),
            "mate" => info.score = signed(&mut words).map(Score::Mate).or(info.score),
            "lowerbound" => info.bound = Bound::Lower,
            "upperbound" => info.bound = Bound::Upper,
            "wdl" => {
                let mut part = || number(&mut words);
                info.wdl = (|| Some([part()?, part()?, part()?]))();
            }
            "nodes" => info.nodes = number(&mut words).map(|nodes: u64| nodes.min(MOST_NODES)),
            "time" => info.time_ms = number(&mut words),
            "nps" => info.nps = number(&mut words),
            "hashfull" => info.hashfull = number(&mut words),
            "tbhits" => info.tbhits = number(&mut words),
            "currmove" => info.currmove = words.next(),
            "pv" => info.pv = moves(&mut words),
            "string" => {
                info.string = Some(words.rest());
                break;
            }
            _ => {}
        }
    }
    Some(info)
}

/// The next word as a number. A word that is none stays: it may be the next key (`time nodes 5`).
fn number<T: std::str::FromStr>(words: &mut Words<'_>) -> Option<T> {
    let mut ahead = words.clone();
    let value = ahead.next()?.parse().ok()?;
    *words = ahead;
    Some(value)
}

/// A score: clamped, so that a silly number stays a number.
fn signed(words: &mut Words<'_>) -> Option<i32> {
    number::<i64>(words).map(|n| n.clamp(-1_000_000, 1_000_000) as i32)
}

/// The run of moves that starts here, as one slice.
fn moves<'a>(words: &mut Words<'a>) -> &'a str {
    let line = words.rest.trim_start_matches(is_blank);
    let mut ahead = words.clone();
    while ahead.next().is_some_and(is_move_text) {
        *words = ahead.clone();
    }
    let taken = line.len().saturating_sub(words.rest.len());
    line[..taken].trim_end_matches(is_blank)
}

/// Whether a word has the form of a move: two different squares and perhaps a promotion letter of either case.
pub fn is_move_text(word: &str) -> bool {
    let bytes = word.as_bytes();
    let square = |i: usize| matches!(bytes[i], b'a'..=b'h') && matches!(bytes[i + 1], b'1'..=b'8');
    match bytes.len() {
        4 => {}
        5 if matches!(bytes[4].to_ascii_lowercase(), b'n' | b'b' | b'r' | b'q') => {}
        _ => return false,
    }
    square(0) && square(2) && bytes[..2] != bytes[2..4]
}

/// What a `bestmove` line says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BestMove<'a> {
    /// A word that has the form of a move; `None` for `(none)`, `0000`, `NULL`, nothing at all, or nonsense.
    pub best: Option<&'a str>,
    pub ponder: Option<&'a str>,
    /// All that stood after `bestmove`, for messages.
    pub text: &'a str,
}

/// Reads a `bestmove` line; `None` if `bestmove` is not its first word.
pub fn parse_bestmove(line: &str) -> Option<BestMove<'_>> {
    let mut words = Words::new(line);
    if words.next() != Some("bestmove") {
        return None;
    }
    let text = words.rest();
    let best = words.next().filter(|word| is_move_text(word));
    let ponder = match words.next() {
        Some("ponder") => words.next().filter(|word| is_move_text(word)),
        _ => None,
    };
    Some(BestMove { best, ponder, text })
}

/// A `position` line (no line end). `moves` in UCI form.
pub fn format_position<'a>(start_fen: &str, moves: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = position_start(start_fen);
    for (i, mv) in moves.into_iter().enumerate() {
        text.push_str(if i == 0 { " moves " } else { " " });
        text.push_str(mv);
    }
    text
}

/// A `position` line without moves.
pub fn position_start(start_fen: &str) -> String {
    match start_fen == START_FEN {
        true => "position startpos".to_owned(),
        false => format!("position fen {start_fen}"),
    }
}

/// A `go` line (no line end). Times go out in whole milliseconds, rounded down but never 0, which some engines read as
/// "no limit". No limit at all is `go infinite`.
pub fn format_go(limit: &Limit) -> String {
    let mut text = String::new();
    write_go(&mut text, "go", limit);
    text
}

/// The same, at the end of a text; `go` may have a word of its own behind it: `go ponder`.
pub(super) fn write_go(text: &mut String, go: &str, limit: &Limit) {
    let ms = |time: Duration| time.as_millis().max(1);
    text.push_str(go);
    let start = text.len();
    // Writing to a String cannot fail.
    if let Some(clock) = &limit.clock {
        let _ = write!(text, " wtime {} btime {}", ms(clock.remaining[0]), ms(clock.remaining[1]));
        if clock.increment.iter().any(|inc| !inc.is_zero()) {
            let [white, black] = clock.increment.map(|inc| inc.as_millis());
            let _ = write!(text, " winc {white} binc {black}");
        }
        if let Some(moves) = clock.moves_to_go {
            let _ = write!(text, " movestogo {moves}");
        }
    }
    for (key, value) in
        [("depth", limit.depth.map(u64::from)), ("nodes", limit.nodes), ("mate", limit.mate.map(u64::from))]
    {
        if let Some(value) = value {
            let _ = write!(text, " {key} {value}");
        }
    }
    if let Some(time) = limit.time {
        let _ = write!(text, " movetime {}", ms(time));
    }
    if text.len() == start {
        text.push_str(" infinite");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::ClockLimit;

    fn pv_len(info: &Info<'_>) -> usize {
        info.pv.split_whitespace().count()
    }

    /// BR-070.
    #[test]
    fn unknown_tokens_are_skipped() {
        let info = parse_info(
            "info depth 2 seldepth 4 score cp 0 ebf 1.75 winrate 51.23% time 4 nodes 138 pv e2e4 e7e5",
        )
        .unwrap();
        assert_eq!((info.depth, info.seldepth, info.score), (Some(2), Some(4), Some(Score::Cp(0))));
        assert_eq!((info.time_ms, info.nodes, pv_len(&info)), (Some(4), Some(138), 2));
    }

    /// BR-071.
    #[test]
    fn two_blanks_are_one() {
        let line = "info depth 10 seldepth 9 score cp 22 upperbound  time 17 nodes 48299 nps 2683000 tbhits 0 pv d7d5  e4e5";
        let info = parse_info(line).unwrap();
        assert_eq!(
            (info.time_ms, info.nodes, info.bound, pv_len(&info)),
            (Some(17), Some(48299), Bound::Upper, 2)
        );
    }

    /// BR-074.
    #[test]
    fn info_string_is_opaque() {
        let info = parse_info("info string score cp 9999 bestmove e2e4 mate 1").unwrap();
        assert_eq!((info.score, info.pv), (None, ""));
        assert_eq!(info.string, Some("score cp 9999 bestmove e2e4 mate 1"));
        assert_eq!(parse_bestmove("info string bestmove e2e4"), None);
    }

    #[test]
    fn pv_ends_at_the_first_word_that_is_no_move() {
        let info = parse_info("info pv e2e4 e7e5 depth 7 score mate -3 lowerbound").unwrap();
        assert_eq!((info.pv, info.depth, info.score), ("e2e4 e7e5", Some(7), Some(Score::Mate(-3))));
        assert_eq!(info.bound, Bound::Lower);
        assert_eq!(parse_info("info depth nodes 7 wdl 1 2 score cp x").unwrap().nodes, Some(7));
        assert_eq!(parse_info("information depth 7"), None);
        assert_eq!(parse_info("info score cp 99999999999 wdl 10 20 970").unwrap().wdl, Some([10, 20, 970]));
    }

    /// BR-075.
    #[test]
    fn nothing_usable_is_no_move() {
        for text in
            ["", "  ", " (none)", " <none>", " 0000", " NULL", " a1a1", " e2e4e5", " e2", " e7e8k", " é2e4"]
        {
            let line = format!("bestmove{text}");
            let best = parse_bestmove(&line).unwrap();
            assert_eq!((best.best, best.text), (None, text.trim()), "{text}");
        }
        assert_eq!(parse_bestmove("bestmovee2e4"), None);
    }

    /// BR-079.
    #[test]
    fn trailing_bytes_and_capital_promotion() {
        assert_eq!(parse_bestmove("bestmove e7e6 \r").unwrap().best, Some("e7e6"));
        assert_eq!(parse_bestmove("  bestmove e7e6\0").unwrap().best, Some("e7e6"));
        let best = parse_bestmove("bestmove f2f1Q ponder d2f2").unwrap();
        assert_eq!((best.best, best.ponder), (Some("f2f1Q"), Some("d2f2")));
        assert_eq!(parse_bestmove("bestmove e7e6 ponder (none)").unwrap().ponder, None);
    }

    #[test]
    fn position_and_go() {
        assert_eq!(format_position(START_FEN, []), "position startpos");
        assert_eq!(format_position(START_FEN, ["e2e4", "e7e5"]), "position startpos moves e2e4 e7e5");
        assert_eq!(
            format_position("8/8/8/8/8/k7/p7/K7 w - - 0 1", ["a1b1"]),
            "position fen 8/8/8/8/8/k7/p7/K7 w - - 0 1 moves a1b1"
        );
        assert_eq!(format_go(&Limit::default()), "go infinite");
        assert_eq!(format_go(&Limit::nodes(5000)), "go nodes 5000");
        assert_eq!(format_go(&Limit::time(Duration::from_micros(1_500_900))), "go movetime 1500");
        let clock = ClockLimit {
            remaining: [Duration::from_secs(60), Duration::from_micros(300)],
            increment: [Duration::from_millis(600), Duration::ZERO],
            moves_to_go: Some(40),
        };
        let limit = Limit { clock: Some(clock), depth: Some(9), ..Limit::default() };
        assert_eq!(format_go(&limit), "go wtime 60000 btime 1 winc 600 binc 0 movestogo 40 depth 9");
    }
}
