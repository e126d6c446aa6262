//! Our server by the line, over pipes inside this process: what a GUI may do to it, and what it must never do.

use gauntlet::engine::Params;
use gauntlet::uci::server::serve;
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A server in a thread of its own.
struct Dialogue {
    input: Option<PipeWriter>,
    output: BufReader<PipeReader>,
    server: Option<JoinHandle<std::io::Result<()>>>,
}

impl Dialogue {
    fn new() -> Dialogue {
        let (server_input, input) = pipe().unwrap();
        let (output, server_output) = pipe().unwrap();
        let server = thread::spawn(move || {
            serve(BufReader::new(server_input), server_output, Params::default(), None)
        });
        Dialogue { input: Some(input), output: BufReader::new(output), server: Some(server) }
    }

    fn say(&mut self, text: &str) {
        self.raw(format!("{text}\n").as_bytes());
    }

    fn raw(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.output.read_line(&mut line).unwrap() > 0, "the server is gone");
        line.trim_end().to_owned()
    }

    /// The lines up to the one that starts with this, and that one.
    fn until(&mut self, start: &str) -> (Vec<String>, String) {
        let mut before = Vec::new();
        loop {
            let line = self.line();
            if line.starts_with(start) {
                return (before, line);
            }
            before.push(line);
        }
    }

    /// What is said up to `readyok`.
    fn ready(&mut self) -> Vec<String> {
        self.say("isready");
        self.until("readyok").0
    }

    /// Ends it and returns what was left to read.
    fn end(mut self) -> Vec<String> {
        drop(self.input.take());
        self.server.take().unwrap().join().unwrap().unwrap();
        self.output.lines().map(Result::unwrap).collect()
    }
}

fn best(line: &str) -> &str {
    line.split(' ').nth(1).unwrap()
}

#[test]
fn introduction() {
    let mut server = Dialogue::new();
    server.say("uci");
    let (lines, _) = server.until("uciok");
    assert!(lines[0].starts_with("id name Gauntlet ") && lines[1].starts_with("id author "));
    for option in [
        "Hash type spin",
        "Clear Hash type button",
        "UCI_Chess960 type check default false",
        "lmr type check default true",
    ] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {option}"))), "{option}");
    }
    assert!(lines[2].starts_with("info string slider technique "), "{}", lines[2]);
    // Everything it declares can be read by our own client.
    assert!(lines[3..].iter().all(|line| gauntlet::uci::options::parse_option(line).is_some()));
    assert!(server.ready().is_empty());
    server.say("quit");
    assert!(server.end().is_empty());
}

/// Numbers that are far too large: nothing overflows, and nothing is taken for another number.
#[test]
fn huge_numbers_are_answered() {
    let mut server = Dialogue::new();
    for depth in ["101", "20000", "1000000", "4294967296", "99999999999999999999"] {
        server.say(&format!("position startpos\ngo perft {depth}"));
        let said = server.ready();
        assert!(said.len() == 1 && said[0].starts_with("info string perft "), "{said:?}");
    }
    let mate = "position fen k7/8/1K6/8/8/8/8/7R w - - 0 1";
    for go in [
        "depth 4294967295",
        "depth 99999999999999999999",
        "mate 4294967295 nodes 1000",
        "wtime 9223372036854775807 btime 9223372036854775807 winc 9223372036854775807 movestogo 4294967295 depth 3",
        "movetime 9223372036854775807 depth 3",
        "nodes 9223372036854775807 depth 3",
    ] {
        server.say(&format!("ucinewgame\n{mate}\ngo {go}"));
        let (_, answer) = server.until("bestmove");
        assert_eq!(best(&answer), "h1h8", "{go}");
    }
    assert!(server.ready().is_empty());
}

/// `quit` is heard in the middle of one root move's count.
#[test]
fn a_deep_perft_ends_with_the_server() {
    let mut server = Dialogue::new();
    server.say("position startpos\ngo perft 100");
    let start = Instant::now();
    // Long enough for the count to have begun.
    thread::sleep(Duration::from_millis(500));
    server.say("quit");
    assert!(server.end().is_empty() && start.elapsed() < Duration::from_secs(20));
}

#[test]
fn limits_and_info_lines() {
    let mut server = Dialogue::new();
    for go in [
        "depth 5",
        "nodes 2000",
        "movetime 30",
        "wtime 300 btime 300 winc 10 binc 10",
        "wtime 100 btime 100 movestogo 1",
        "mate 1 depth 3",
    ] {
        server.say(&format!("ucinewgame\nposition startpos moves e2e4\ngo {go}"));
        let (infos, answer) = server.until("bestmove");
        assert!(gauntlet::uci::codec::is_move_text(best(&answer)), "{go}: {answer}");
        let info = gauntlet::uci::codec::parse_info(infos.last().unwrap()).unwrap();
        assert!(
            info.depth.is_some() && info.seldepth.is_some() && info.score.is_some() && info.nodes.is_some()
        );
        assert!(
            info.nps.is_some() && info.time_ms.is_some() && info.hashfull.is_some() && !info.pv.is_empty()
        );
    }
}

#[test]
fn infinite_holds_its_answer() {
    let mut server = Dialogue::new();
    // One legal move, and a mate: both searches are over long before `stop`.
    for fen in ["7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "k7/8/1K6/8/8/8/8/7R w - - 0 1"] {
        server.say(&format!("position fen {fen}\ngo infinite"));
        server.until("info depth 3");
        // Asked in the middle of it.
        server.say("isready");
        let (before, _) = server.until("readyok");
        assert!(!before.iter().any(|line| line.starts_with("bestmove")));
        server.say("go depth 1\nstop");
        let (_, answer) = server.until("info string already searching");
        assert!(!answer.is_empty());
        let (_, answer) = server.until("bestmove");
        assert!(gauntlet::uci::codec::is_move_text(best(&answer)));
    }
    // Over at once, and held all the same.
    for go in ["go infinite depth 2", "go ponder depth 2"] {
        server.say(&format!("position fen 7k/8/8/8/8/8/8/K6R b - - 0 1\n{go}"));
        server.until("info depth 2");
        // Ask for a while: a wrong answer would need a moment to come.
        let began = Instant::now();
        let mut early = false;
        while began.elapsed() < Duration::from_millis(200) && !early {
            early = server.ready().iter().any(|line| line.starts_with("bestmove"));
        }
        assert!(!early, "{go}");
        server.say("stop");
        server.until("bestmove");
    }
    // No legal move at all.
    server.say("position fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1\ngo infinite\nstop");
    assert_eq!(best(&server.until("bestmove").1), "(none)");
    server.say("stop\nponderhit");
    assert!(server.ready().is_empty());
}

#[test]
fn pondering_waits_for_the_opponent() {
    let mut server = Dialogue::new();
    server.say("position startpos moves e2e4 e7e5\ngo ponder movetime 20");
    server.until("info depth 4");
    server.say("ponderhit");
    server.until("bestmove");
    server.say("go ponder depth 2");
    server.until("info depth 4");
    server.say("isready");
    let (before, _) = server.until("readyok");
    assert!(!before.iter().any(|line| line.starts_with("bestmove")));
    server.say("stop");
    server.until("bestmove");
    assert!(server.ready().is_empty());
}

#[test]
fn castling_follows_the_option() {
    let mut server = Dialogue::new();
    let mut castles = |chess960: &str, fen: &str| {
        server.say(&format!("setoption name UCI_Chess960 value {chess960}\nposition fen {fen}\ngo perft 1"));
        let (moves, total) = server.until("Nodes searched");
        (
            moves
                .iter()
                .filter(|mv| ["e1g1: 1", "e1h1: 1"].contains(&mv.as_str()))
                .cloned()
                .collect::<Vec<_>>(),
            total,
        )
    };
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    // Five king steps, nine rook moves, castling.
    assert_eq!(castles("false", fen), (vec!["e1g1: 1".to_owned()], "Nodes searched: 15".to_owned()));
    assert_eq!(castles("true", fen), (vec!["e1h1: 1".to_owned()], "Nodes searched: 15".to_owned()));
}

#[test]
fn bad_input_is_survived() {
    let mut server = Dialogue::new();
    server.say("position startpos moves e2e4");
    for bad in [
        "position fen 8/8/8/8 w - - 0 1",
        "position fen",
        "position startpos moves e2e5",
        "position startpos moves e2e4 0000",
        "position nonsense",
        "setoption",
        "setoption name",
        "setoption name Hash value lots",
        "setoption name Hash value 0",
        "setoption name Nonsense value 1",
        "setoption name lmr value perhaps",
        "go fish",
        "xyzzy",
    ] {
        server.say(bad);
        if bad == "go fish" {
            // Nothing it knows: a search until `stop`.
            server.say("stop");
            server.until("bestmove");
        } else {
            let said = server.ready();
            assert!(said.len() == 1 && said[0].starts_with("info string "), "{bad}: {said:?}");
        }
    }
    server.raw(b"\xff\xfe\x00\n\r\n   \n");
    server.raw(&[b'x'; 100_000]);
    server.raw(b"\n");
    server.say("setoption name Hash value 1\nsetoption name lmr value false\nsetoption name slider value auto\ndebug on");
    server.ready();
    // The position is still the last good one: Black to move.
    server.say("go depth 2");
    let (_, answer) = server.until("bestmove");
    let black = best(&answer).as_bytes()[1];
    assert!(black == b'7' || black == b'8', "{answer}");
}

#[test]
fn the_end_of_input_ends_a_search() {
    let mut server = Dialogue::new();
    server.say("go infinite");
    server.until("info depth 3");
    assert!(server.end().iter().any(|line| line.starts_with("bestmove ")));
    // However early it comes, behind `go` or behind `quit`: what was asked is answered with a move.
    for (round, end) in ["", "quit"].into_iter().cycle().take(100).enumerate() {
        let mut server = Dialogue::new();
        server.say(&format!(
            "position startpos\ngo {}\n{end}",
            ["depth 3", "infinite", "movetime 1000"][round % 3]
        ));
        let said = server.end();
        assert_eq!(said.iter().filter(|line| line.starts_with("bestmove ")).count(), 1, "{end}: {said:?}");
        assert!(!said.iter().any(|line| line == "bestmove (none)"), "{said:?}");
    }
    let mut server = Dialogue::new();
    server.say("go perft 7");
    server.line();
    server.end();
}

#[test]
fn bench_ends_with_nodes_and_speed() {
    let mut server = Dialogue::new();
    server.say("bench 3\nisready");
    let (lines, _) = server.until("readyok");
    let words: Vec<&str> = lines.last().unwrap().split(' ').collect();
    assert!(
        matches!(words[..], [nodes, "nodes", nps, "nps"] if nodes.parse::<u64>().is_ok() && nps.parse::<u64>().is_ok())
    );
    server.say("bench 3\nisready");
    assert_eq!(
        server.until("readyok").0.last().unwrap().split(' ').next(),
        Some(words[0]),
        "the same nodes again"
    );
}
