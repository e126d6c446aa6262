//! `go perft N` of a foreign engine. No part of UCI, but many engines have it, and each prints its own table: a move and
//! a count per line, usually with a total. Engines that lack it begin to search, or say nothing.

use super::client::{Client, ClientError, Phase};
use super::codec::{self, Words};
use std::time::{Duration, Instant};

/// How long to wait for more where nothing says that the table is complete, or for `readyok` where it is.
const QUIET_AFTER_TABLE: Duration = Duration::from_secs(2);

/// What a line of a perft answer is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PerftLine {
    /// `e2e4: 20`, `e2e4 - 20`, `1. e2e4 20`, `e2e4: 20 (0.1 ms)`.
    Move(String, u64),
    /// `Nodes searched: 400`, `Total: 400`, `400 nodes`.
    Total(u64),
    /// The engine searches instead.
    Search,
    Other,
}

/// Reads one line of an answer to `go perft`.
pub fn parse_perft_line(line: &str) -> PerftLine {
    if let Some(info) = codec::parse_info(line) {
        return if info.score.is_some() || !info.pv.is_empty() {
            PerftLine::Search
        } else {
            PerftLine::Other
        };
    }
    if codec::parse_bestmove(line).is_some() {
        return PerftLine::Search;
    }
    let is_mark = |c: char| matches!(c, ':' | '=' | ',' | '|' | '-' | '(' | ')');
    let words = Words::new(line).map(|word| word.trim_matches(is_mark)).filter(|word| !word.is_empty());
    // A table may number its moves: `1. e2e4`, `1 e2e4`.
    let mut words = words.skip_while(|word| word.trim_end_matches('.').parse::<u32>().is_ok()).peekable();
    let count = |word: &str| word.replace([',', '\'', '_'], "").parse::<u64>().ok();
    match words.next() {
        Some(word) if codec::is_move_text(word) => match words.next().and_then(count) {
            Some(nodes) => PerftLine::Move(word.to_owned(), nodes),
            None => PerftLine::Other,
        },
        // `e2e4:20` without a blank.
        Some(word) if word.split_once([':', '=']).is_some_and(|(mv, _)| codec::is_move_text(mv)) => {
            let (mv, nodes) = word.split_once([':', '=']).unwrap_or_default();
            count(nodes).map_or(PerftLine::Other, |nodes| PerftLine::Move(mv.to_owned(), nodes))
        }
        _ => total(line).map_or(PerftLine::Other, PerftLine::Total),
    }
}

/// A line that speaks of nodes or a total and holds a number: the one right before that word, or else the first one
/// after it. `perft 3 8902` ends with its count.
fn total(line: &str) -> Option<u64> {
    let lower = line.to_ascii_lowercase();
    if ["nps", "per second", "/s"].iter().any(|rate| lower.contains(rate)) {
        return None;
    }
    let is_mark = |c: char| matches!(c, ':' | '=' | ',' | '(' | ')' | '.');
    let words: Vec<&str> = Words::new(&lower).map(|word| word.trim_matches(is_mark)).collect();
    let number = |word: &&str| word.replace([',', '_'], "").parse::<u64>().ok();
    let counted = ["nodes", "total", "leaf", "leaves"];
    if let Some(at) = words.iter().position(|word| counted.contains(word)) {
        let before = at.checked_sub(1).and_then(|i| number(&words[i]));
        return before.or_else(|| words[at..].iter().find_map(number));
    }
    words.iter().any(|word| word.starts_with("perft")).then(|| words.iter().rev().find_map(number))?
}

impl Client {
    /// Root moves and their counts, in the engine's order and spelling. `deadline` is for the whole count.
    pub fn perft(
        &mut self,
        fen: &str,
        depth: u32,
        chess960: bool,
        deadline: Duration,
    ) -> Result<Vec<(String, u64)>, ClientError> {
        self.set_chess960(chess960)?;
        self.position.forget();
        self.synchronise(&format!("{}\nisready\n", codec::position_start(fen)), self.timeouts().sync)?;
        let end = Instant::now() + deadline.min(Duration::from_secs(365 * 86_400));
        // An engine that counts before it reads on says `readyok` when it is done.
        self.send(&format!("go perft {depth}\nisready\n"), Phase::Perft)?;
        let mut table: Vec<(String, u64)> = Vec::new();
        let mut ready = false;
        let mut heard_total = None;
        loop {
            let sum = table.iter().fold(0u64, |sum, (_, nodes)| sum.saturating_add(*nodes));
            let complete = heard_total == Some(sum);
            if complete && ready {
                return Ok(table);
            }
            let until = if (ready || complete) && !table.is_empty() {
                end.min(Instant::now() + QUIET_AFTER_TABLE)
            } else {
                end
            };
            if !self.receive(until, Phase::Perft)? {
                if until < end || complete {
                    return Ok(table);
                }
                return self.no_perft("nothing to be read as a table in time");
            }
            match parse_perft_line(&self.line) {
                PerftLine::Move(mv, nodes) => table.push((mv, nodes)),
                PerftLine::Total(nodes) => heard_total = Some(nodes),
                PerftLine::Search => return self.no_perft("it searches instead"),
                PerftLine::Other => ready |= Words::new(&self.line).next() == Some("readyok"),
            }
        }
    }

    /// Stops whatever it is doing instead.
    fn no_perft(&mut self, reason: &str) -> Result<Vec<(String, u64)>, ClientError> {
        let engine = self.name().to_owned();
        let stop = self.timeouts().stop;
        self.synchronise("stop\nisready\n", stop)?;
        Err(ClientError::NoPerft { engine, reason: reason.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_of_tables() {
        let mv = |text: &str, nodes| PerftLine::Move(text.to_owned(), nodes);
        assert_eq!(parse_perft_line("e2e4: 20"), mv("e2e4", 20));
        assert_eq!(parse_perft_line("a7a8q - 1,234"), mv("a7a8q", 1234));
        assert_eq!(parse_perft_line(" 1. e2e4 20"), mv("e2e4", 20));
        assert_eq!(parse_perft_line("e1h1:7"), mv("e1h1", 7));
        assert_eq!(parse_perft_line("e2e4 : 20 (0.1 ms)\r"), mv("e2e4", 20));
        assert_eq!(parse_perft_line("Nodes searched: 8902"), PerftLine::Total(8902));
        assert_eq!(parse_perft_line("Total: 8,902"), PerftLine::Total(8902));
        assert_eq!(parse_perft_line("8902 nodes in 3 ms"), PerftLine::Total(8902));
        assert_eq!(parse_perft_line("perft 3 8902"), PerftLine::Total(8902));
        assert_eq!(parse_perft_line("nodes/s: 1000"), PerftLine::Other);
        assert_eq!(parse_perft_line("info depth 1 score cp 3 pv e2e4"), PerftLine::Search);
        assert_eq!(parse_perft_line("info string NNUE"), PerftLine::Other);
        assert_eq!(parse_perft_line("bestmove e2e4"), PerftLine::Search);
        assert_eq!(parse_perft_line(""), PerftLine::Other);
        assert_eq!(parse_perft_line("e2e4"), PerftLine::Other);
    }
}
