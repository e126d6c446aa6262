//! What a GUI or runner says to an engine: lines to commands. Text only; whether a FEN or a move is good is not known
//! here. What cannot be read is left out, or is [`Command::Unknown`]: no input is an error.
//! Source: the UCI protocol description.

use super::codec::{START_FEN, Words};
use crate::types::{ClockLimit, Limit};
use std::time::Duration;

/// One line to an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: String,
    },
    Position {
        fen: String,
        moves: Vec<String>,
    },
    Go(Go),
    Perft(u32),
    Stop,
    PonderHit,
    Quit,
    /// Depth; none = the default.
    Bench(Option<u32>),
    /// An empty line, or a command that asks for nothing (`debug`, `register`).
    Nothing,
    Unknown(String),
}

/// A `go` with its limits.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    pub limit: Limit,
    /// Hold the answer until `stop`.
    pub infinite: bool,
    /// Hold the answer until `stop`, or begin in earnest at `ponderhit`.
    pub ponder: bool,
    /// The moves of `searchmoves`.
    pub search_moves: Vec<String>,
}

/// Reads one line.
pub fn parse_command(line: &str) -> Command {
    let mut words = Words::new(line);
    let Some(first) = words.next() else { return Command::Nothing };
    match first {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "setoption" => set_option(words),
        "position" => position(words).unwrap_or_else(|| Command::Unknown(shown(line))),
        "go" => go(words),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        "bench" => Command::Bench(words.next().and_then(number).and_then(small)),
        "debug" | "register" => Command::Nothing,
        _ => Command::Unknown(shown(line)),
    }
}

/// As much of a line as fits into an answer.
fn shown(line: &str) -> String {
    line.trim().chars().filter(|c| !c.is_control()).take(80).collect()
}

/// `name` may hold blanks and ends at the first `value`; the value is the rest as it is.
fn set_option(mut words: Words<'_>) -> Command {
    let mut name = Vec::new();
    let mut value = "";
    if words.next() == Some("name") {
        while let Some(word) = words.next() {
            if word == "value" {
                value = words.rest();
                break;
            }
            name.push(word);
        }
    }
    Command::SetOption { name: name.join(" "), value: value.to_owned() }
}

fn position(mut words: Words<'_>) -> Option<Command> {
    let fen = match words.next()? {
        "startpos" => {
            // Only `moves` may follow.
            if words.next().is_some_and(|word| word != "moves") {
                return None;
            }
            START_FEN.to_owned()
        }
        "fen" => words.by_ref().take_while(|word| *word != "moves").collect::<Vec<_>>().join(" "),
        _ => return None,
    };
    Some(Command::Position { fen, moves: words.map(str::to_owned).collect() })
}

/// A whole number; one too large to be held is the largest there is, so that a limit stays one.
fn number(text: &str) -> Option<i64> {
    use std::num::IntErrorKind;
    match text.parse() {
        Ok(number) => Some(number),
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => Some(i64::MAX),
        Err(_) => None,
    }
}

fn small(number: i64) -> Option<u32> {
    u64::try_from(number).ok().map(|number| u32::try_from(number).unwrap_or(u32::MAX))
}

fn go(words: Words<'_>) -> Command {
    let mut go = Go::default();
    let mut clock = ClockLimit::default();
    let mut has_clock = false;
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        // Times may be negative where a GUI lets clocks run on.
        let number = words.peek().and_then(|text| number(text));
        let count = number.and_then(|n| u64::try_from(n).ok());
        let small = number.and_then(small);
        let time = number.map(|ms| Duration::from_millis(ms.max(0) as u64));
        match word {
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "perft" => return Command::Perft(small.unwrap_or(1)),
            "searchmoves" => {
                while let Some(mv) = words.next_if(|word| super::codec::is_move_text(word)) {
                    go.search_moves.push(mv.to_owned());
                }
            }
            "depth" => go.limit.depth = small,
            "nodes" => go.limit.nodes = count,
            "mate" => go.limit.mate = small,
            "movetime" => go.limit.time = time,
            "movestogo" => clock.moves_to_go = small.filter(|&moves| moves > 0),
            "wtime" | "btime" => {
                has_clock |= time.is_some();
                clock.remaining[usize::from(word == "btime")] = time.unwrap_or_default();
            }
            "winc" | "binc" => clock.increment[usize::from(word == "binc")] = time.unwrap_or_default(),
            _ => {}
        }
    }
    go.limit.clock = has_clock.then_some(clock);
    go.infinite |= go.limit == Limit::default() && !go.ponder;
    Command::Go(go)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go_of(line: &str) -> Go {
        match parse_command(line) {
            Command::Go(go) => go,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn go_in_all_its_forms() {
        assert!(go_of("go").infinite && go_of("go infinite").infinite && !go_of("go depth 3").infinite);
        assert_eq!(go_of("go  depth 3  nodes 500").limit, Limit { nodes: Some(500), ..Limit::depth(3) });
        let go = go_of("go ponder wtime 1000 btime -5 winc 10 binc 20 movestogo 7");
        let clock = go.limit.clock.unwrap();
        assert!(go.ponder && !go.infinite);
        assert_eq!(clock.remaining, [Duration::from_secs(1), Duration::ZERO]);
        assert_eq!((clock.increment[1], clock.moves_to_go), (Duration::from_millis(20), Some(7)));
        assert_eq!(go_of("go searchmoves e2e4 d2d4 movetime 50").search_moves.len(), 2);
        assert_eq!(
            go_of("go searchmoves e2e4 d2d4 movetime 50").limit,
            Limit::time(Duration::from_millis(50))
        );
        assert_eq!(go_of("go mate 3").limit.mate, Some(3));
        assert_eq!(go_of("go depth nodes 7").limit.nodes, Some(7));
        assert_eq!(parse_command("go perft 5"), Command::Perft(5));
        // Too large to be held is not the same as nothing said.
        for huge in ["4294967296", "99999999999999999999"] {
            assert_eq!(parse_command(&format!("go perft {huge}")), Command::Perft(u32::MAX));
            assert_eq!(parse_command(&format!("bench {huge}")), Command::Bench(Some(u32::MAX)));
            let go = go_of(&format!("go depth {huge} nodes {huge} mate {huge} movetime {huge}"));
            assert!(!go.infinite && go.limit.nodes.is_some() && go.limit.time.is_some(), "{go:?}");
            assert_eq!((go.limit.depth, go.limit.mate), (Some(u32::MAX), Some(u32::MAX)));
        }
    }

    #[test]
    fn other_commands() {
        assert_eq!(parse_command("  uci \r"), Command::Uci);
        assert_eq!(parse_command(""), Command::Nothing);
        assert_eq!(parse_command("hello"), Command::Unknown("hello".to_owned()));
        assert_eq!(parse_command("position"), Command::Unknown("position".to_owned()));
        assert_eq!(
            parse_command("position startpos e2e4"),
            Command::Unknown("position startpos e2e4".to_owned())
        );
        let position = |fen: &str, moves: &[&str]| Command::Position {
            fen: fen.to_owned(),
            moves: moves.iter().map(|mv| (*mv).to_owned()).collect(),
        };
        assert_eq!(
            parse_command("position startpos moves e2e4 e7e5"),
            position(START_FEN, &["e2e4", "e7e5"])
        );
        assert_eq!(
            parse_command("position fen 8/8/8/8/8/k7/p7/K7 w - - 0 1"),
            position("8/8/8/8/8/k7/p7/K7 w - - 0 1", &[])
        );
        let option =
            |name: &str, value: &str| Command::SetOption { name: name.to_owned(), value: value.to_owned() };
        assert_eq!(parse_command("setoption name Clear Hash"), option("Clear Hash", ""));
        assert_eq!(
            parse_command(r"setoption name LogFile value c:\best value for money\log.txt"),
            option("LogFile", r"c:\best value for money\log.txt")
        );
        assert_eq!(parse_command("bench 5"), Command::Bench(Some(5)));
    }
}
