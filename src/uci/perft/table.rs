//! One line of an answer to `go perft`. There is no standard; every engine has a table of its own. What is read here: a move
//! (coordinates of either case, SAN, promotions with `=`, numbered or not) with its count before or behind it, in columns or
//! with marks between, and totals in the words that are in use. Text only: whether a move is legal is not known here.

use crate::uci::codec::{self, Words};

/// What a line of a perft answer is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PerftLine {
    /// The move as written, and the leaves behind it: `e2e4: 20`, `1. e2e4 - 20`, `| Nf3 | 1,234 |`.
    Move(String, u64),
    /// `Nodes searched: 400`, `Total: 400`, `perft 2 = 400`, `400 nodes in 3 ms`.
    Total(u64),
    /// The engine searches instead.
    Search,
    Other,
}

/// Words that may stand before a move or between a move and its count.
const LABELS: [&str; 12] =
    ["move", "moves", "nodes", "node", "count", "perft", "divide", "root", "leaves", "leaf", "->", "=>"];

/// Words that a total is called by.
const TOTALS: [&str; 10] =
    ["nodes", "node", "total", "leaf", "leaves", "leafs", "result", "count", "sum", "perft"];

/// Words behind which a number is something else: `total time`, `nodes per second`, `total moves`.
const OTHER_THINGS: [&str; 11] =
    ["time", "ms", "seconds", "per", "/", "moves", "captures", "checks", "hash", "second", "depth"];

/// Reads one line of an answer to `go perft`.
pub fn parse_perft_line(line: &str) -> PerftLine {
    let mut text = line;
    if let Some(info) = codec::parse_info(line) {
        if info.score.is_some() || !info.pv.is_empty() || info.currmove.is_some() {
            return PerftLine::Search;
        }
        match info.string {
            Some(string) => text = string,
            None => return PerftLine::Other,
        }
    }
    if codec::parse_bestmove(text).is_some() {
        return PerftLine::Search;
    }
    let words: Vec<&str> = split(text).collect();
    match counted_move(&words) {
        Some((mv, nodes)) => PerftLine::Move(mv.to_owned(), nodes),
        None => total(text).map_or(PerftLine::Other, PerftLine::Total),
    }
}

/// Words without the marks around them; a count glued to its move (`e2e4:20`) comes apart.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let is_mark = |c: char| matches!(c, ':' | '=' | ',' | ';' | '|' | '(' | ')' | '[' | ']' | '*');
    let parts = Words::new(text).flat_map(|word| word.split(['|', '\t'])).flat_map(move |word| {
        let glued = word.rsplit_once([':', '=', '-']).filter(|(mv, nodes)| {
            is_move_name(mv.trim_matches(is_mark)) && count(nodes.trim_matches(is_mark)).is_some()
        });
        match glued {
            Some((mv, nodes)) => [mv, nodes],
            None => [word, ""],
        }
    });
    parts.map(move |word| word.trim_matches(is_mark)).filter(|word| !word.is_empty() && *word != "-")
}

/// A move with its count, if the line is one of a table.
fn counted_move<'a>(words: &[&'a str]) -> Option<(&'a str, u64)> {
    let at = words.iter().position(|word| is_move_name(word))?;
    let is_label = |word: &str| LABELS.contains(&word.to_ascii_lowercase().as_str());
    // `1.`, `3/20`, `#4`: tables may number their moves.
    let is_number = |word: &str| {
        let digits = word.trim_matches(['.', '#', ')']);
        digits.split('/').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let before = &words[..at];
    if !before.iter().all(|word| is_label(word) || is_number(word) || count(word).is_some()) {
        return None;
    }
    let mut after = words[at + 1..].iter().skip_while(|word| is_label(word));
    match after.next() {
        Some(word) => Some((words[at], count(word)?)),
        // The count in front: `20 e2e4`.
        None => Some((words[at], before.iter().rev().find_map(|word| count(word))?)),
    }
}

/// A whole number, perhaps with separators of thousands.
fn count(word: &str) -> Option<u64> {
    if let Ok(number) = word.parse() {
        return (!word.starts_with('+')).then_some(number);
    }
    let mut groups = word.split([',', '\'', '_', '.', '\u{a0}', '\u{202f}']);
    let first = groups.next().filter(|first| matches!(first.len(), 1..=3) && !first.starts_with('0'))?;
    let mut digits = first.to_owned();
    for group in groups {
        if group.len() != 3 {
            return None;
        }
        digits.push_str(group);
    }
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

/// Whether a word has the form of a move, in coordinates (`e2e4`, `E7E8Q`, `e2-e4`, `e7e8=Q`) or SAN (`Nbd2`, `exd8=Q+`,
/// `O-O`).
pub fn is_move_name(word: &str) -> bool {
    let body = word.trim_end_matches(['+', '#', '!', '?']);
    if matches!(body, "O-O" | "O-O-O" | "0-0" | "0-0-0" | "o-o" | "o-o-o") {
        return true;
    }
    if !body.is_ascii() || !(2..=8).contains(&body.len()) {
        return false;
    }
    let lower = body.to_ascii_lowercase();
    if codec::is_move_text(&lower) {
        return true;
    }
    let mut rest = body.strip_prefix(['K', 'Q', 'R', 'B', 'N', 'P']).unwrap_or(body).as_bytes();
    if let [before @ .., b'Q' | b'R' | b'B' | b'N' | b'q' | b'r' | b'b' | b'n'] = rest
        && before.len() >= 2
    {
        rest = before.strip_suffix(b"=").unwrap_or(before);
    }
    let [before @ .., b'a'..=b'h', b'1'..=b'8'] = rest else { return false };
    let before = before.strip_suffix(b"x").or_else(|| before.strip_suffix(b"-")).unwrap_or(before);
    matches!(before, [] | [b'a'..=b'h'] | [b'1'..=b'8'] | [b'a'..=b'h', b'1'..=b'8'])
}

/// A line that speaks of nodes or a total and holds a number: the one right before that word, or else the first one
/// behind it. `perft 3 8902` has the depth first. A bare number is a total.
fn total(text: &str) -> Option<u64> {
    let lower = text.to_ascii_lowercase();
    let spaced: String = lower.chars().map(|c| if ":=()[]|;".contains(c) { ' ' } else { c }).collect();
    let words: Vec<&str> = Words::new(&spaced)
        .map(|word| word.trim_matches([',', '.']))
        .filter(|word| !word.is_empty())
        .collect();
    if let [only] = words[..] {
        return count(only);
    }
    for (at, word) in words.iter().enumerate() {
        if !TOTALS.contains(word) {
            continue;
        }
        let next = words.get(at + 1).copied().unwrap_or("");
        if OTHER_THINGS.contains(&next) {
            continue;
        }
        let before = at.checked_sub(1).and_then(|i| count(words[i]));
        // A number before the word that has a name of its own in front of it is not this word's: `depth 3 nodes 8902`.
        let named = at.checked_sub(2).is_some_and(|i| OTHER_THINGS.contains(&words[i]));
        let after = || {
            let rest = words[at + 1..].iter().take_while(|word| !OTHER_THINGS.contains(word));
            let mut numbers = rest.filter_map(|word| count(word));
            let first = numbers.next();
            if *word == "perft" { numbers.next().or(first.filter(|_| words.len() == 2)) } else { first }
        };
        if let Some(found) = before.filter(|_| !named).or_else(after) {
            return Some(found);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shapes seen in engines' own sources and logs.
    #[test]
    fn moves_with_counts() {
        for (line, mv, nodes) in [
            ("e2e4: 20", "e2e4", 20),
            ("e2e4 20", "e2e4", 20),
            ("e2e4 - 20", "e2e4", 20),
            ("a7a8q - 1,234", "a7a8q", 1234),
            (" 1. e2e4 20", "e2e4", 20),
            (" 1. e2e4 1'234'567", "e2e4", 1_234_567),
            ("[ 1] e2e4 20", "e2e4", 20),
            ("3/20 e2e4 20", "e2e4", 20),
            ("12) e2e4: 20", "e2e4", 20),
            ("e1h1:7", "e1h1", 7),
            ("e2e4=20", "e2e4", 20),
            ("e2e4 = 20 nodes", "e2e4", 20),
            ("e2e4 -> 20", "e2e4", 20),
            ("e2e4 : 20 (0.1 ms)\r", "e2e4", 20),
            ("Move: e2e4 Nodes: 20", "e2e4", 20),
            ("perft divide e2e4 20", "e2e4", 20),
            ("| e2e4 |      20 | 0 | 0 |", "e2e4", 20),
            ("|e2e4|20|", "e2e4", 20),
            ("e2e4\t20", "e2e4", 20),
            ("info string e2e4: 20", "e2e4", 20),
            ("A7A8Q 20", "A7A8Q", 20),
            ("f2f1Q: 3", "f2f1Q", 3),
            ("e7e8=Q: 3", "e7e8=Q", 3),
            ("e2-e4: 20", "e2-e4", 20),
            ("Ng1-f3 20", "Ng1-f3", 20),
            ("Nf3: 20", "Nf3", 20),
            ("e4 20", "e4", 20),
            ("bxa8=Q+ 5", "bxa8=Q+", 5),
            ("O-O-O: 8", "O-O-O", 8),
            ("20 e2e4", "e2e4", 20),
        ] {
            assert_eq!(parse_perft_line(line), PerftLine::Move(mv.to_owned(), nodes), "{line:?}");
        }
    }

    #[test]
    fn totals() {
        for (line, nodes) in [
            ("Nodes searched: 8902", 8902),
            ("Total: 8,902", 8902),
            ("Total: 8.902", 8902),
            ("8902 nodes in 3 ms", 8902),
            ("8902 nodes in 3 ms (2967333 nodes per second)", 8902),
            ("perft 3 8902", 8902),
            ("perft 3 8902 12 ms", 8902),
            ("perft(3) = 8902", 8902),
            ("Perft 5 = 4865609", 4_865_609),
            ("depth 3 nodes 8902 time 3", 8902),
            ("Depth: 3, Nodes: 8902, Time: 3 ms", 8902),
            ("Total leaf nodes: 8902", 8902),
            ("total moves: 20, total nodes: 8902", 8902),
            ("info string total 8902", 8902),
            ("Leaf count = 8902", 8902),
            ("8902", 8902),
            ("perft: 0", 0),
        ] {
            assert_eq!(parse_perft_line(line), PerftLine::Total(nodes), "{line:?}");
        }
    }

    #[test]
    fn neither() {
        for line in [
            "",
            "e2e4",
            "nodes/s: 1000",
            "1000 nodes/s",
            "nodes per second: 1000",
            "info string NNUE evaluation using nn.nnue enabled",
            "info nodes 5 nps 7",
            "Time: 12 ms",
            "total time: 12 ms",
            "Moves: 20",
            "readyok",
            "e4 e5",
            "No such command: 'go perft 3'",
        ] {
            assert_eq!(parse_perft_line(line), PerftLine::Other, "{line:?}");
        }
        for line in ["info depth 1 score cp 3 pv e2e4", "bestmove e2e4", "info depth 1 currmove e2e4"] {
            assert_eq!(parse_perft_line(line), PerftLine::Search, "{line:?}");
        }
    }
}
