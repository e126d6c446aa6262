//! The conversation, word by word, with scripted engines: no process and no time.

use super::XboardClient;
use crate::notation::fen::{self, CastlingMode};
use crate::notation::uci_move;
use crate::rules::{Line, Position};
use crate::types::{ClockLimit, Limit, Score};
use crate::uci::transport::{ScriptedTransport, Step};
use crate::uci::{ClientError, CommandSpec, Declined, Reply, Session};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const DEADLINE: Duration = Duration::from_secs(10);

type Sent = Arc<Mutex<Vec<String>>>;

/// A client of an engine that says these features, then what the function says to each line; it answers `ping`.
fn connect(features: &'static str, says: impl Fn(&str) -> String + Send + 'static) -> (XboardClient, Sent) {
    let transport = ScriptedTransport::new(move |line| {
        let text = match line.split_once(' ') {
            Some(("protover", _)) => features.to_owned(),
            Some(("ping", number)) if features.contains("ping=1") => format!("pong {number}"),
            _ => says(line),
        };
        text.lines().map(|line| if line == "EXIT" { Step::Exit } else { Step::say(line) }).collect()
    });
    let sent = Arc::clone(&transport.sent);
    let mut session = Session::default();
    if features.is_empty() {
        // Nothing will come, and here no time passes by itself.
        session.timeouts.features = Duration::ZERO;
    }
    let command = CommandSpec { name: "Fake".to_owned(), ..CommandSpec::default() };
    (XboardClient::connect(&command, Box::new(transport), &session).unwrap(), sent)
}

/// An engine of version 2 that says this whenever it is to move.
fn at_go(features: &'static str, says: &'static str) -> (XboardClient, Sent) {
    connect(features, move |line| if line == "go" { says.to_owned() } else { String::new() })
}

const V2: &str = "feature ping=1 setboard=1 usermove=1 colors=0 done=1";

fn line(start: &str, mode: CastlingMode, moves: &str) -> Line {
    let start = if start.is_empty() { Position::startpos() } else { fen::parse(start, mode).unwrap() };
    let mut line = Line::new(start);
    for text in moves.split_whitespace() {
        line.play(uci_move::parse(text, line.position()).unwrap()).unwrap();
    }
    line
}

fn game(moves: &str) -> Line {
    line("", CastlingMode::Standard, moves)
}

fn ask(client: &mut XboardClient, line: &Line, limit: &Limit) -> Result<Reply, ClientError> {
    client.search(line, limit, fen::needs_chess960(line.start()), DEADLINE, &mut |_, _| {})
}

/// What was sent since the last look, `ping` left out.
fn told(sent: &Sent) -> Vec<String> {
    std::mem::take(&mut *sent.lock().unwrap()).into_iter().filter(|line| !line.starts_with("ping")).collect()
}

fn best(reply: &Reply) -> String {
    reply.best.map(|mv| format!("{mv:?}")).unwrap_or_default()
}

fn clock(own: u64, other: u64, moves_to_go: Option<u32>, increment: u64) -> Limit {
    let ms = Duration::from_millis;
    let clock = ClockLimit { remaining: [ms(own), ms(other)], increment: [ms(increment); 2], moves_to_go };
    Limit { clock: Some(clock), ..Limit::default() }
}

#[test]
fn a_game_of_version_2() {
    let (mut client, sent) = connect(V2, |line| match line {
        "go" => "move e2e4".to_owned(),
        "usermove e7e5" => "# a comment\nmove g1f3".to_owned(),
        _ => String::new(),
    });
    assert!(client.is_version_2());
    let greeting = ["xboard", "protover 2", "accepted ping", "accepted setboard", "accepted usermove"];
    assert_eq!(told(&sent), [&greeting[..], &["accepted colors", "accepted done"]].concat());
    client.new_game().unwrap();
    assert_eq!(told(&sent), ["force", "new", "force", "post", "easy"]);
    let reply = ask(&mut client, &game(""), &clock(60_000, 60_000, Some(40), 600)).unwrap();
    assert_eq!((best(&reply).as_str(), reply.stopped), ("e2e4", false));
    assert_eq!(told(&sent), ["force", "level 40 1 0.6", "time 6000", "otim 6000", "go"]);
    let reply = ask(&mut client, &game("e2e4 e7e5"), &clock(58_765, 59_994, Some(39), 600)).unwrap();
    assert_eq!(best(&reply), "g1f3");
    assert_eq!(told(&sent), ["time 5876", "otim 5999", "usermove e7e5"]);
    // The other colour of the next game, behind a line of the book.
    client.new_game().unwrap();
    told(&sent);
    let reply = ask(&mut client, &game("d2d4 d7d5 g1f3"), &Limit::time(Duration::from_secs(2))).unwrap();
    assert_eq!((best(&reply).as_str(), reply.text.as_str()), ("", "e2e4"));
    let sent = told(&sent);
    assert_eq!(
        sent,
        ["force", "usermove d2d4", "usermove d7d5", "usermove g1f3", "st 2", "time 200", "otim 200", "go"]
    );
}

#[test]
fn a_game_of_version_1() {
    // GNU Chess says its moves twice; the second time may come late.
    let (mut client, sent) = connect("", |line| match line {
        "go" => "Chess\n1. e2e4\n1. ... e7e5".to_owned(),
        "g1f3" => "My move is : e7e5\n2. ... Nc6\nMy move is : Nc6".to_owned(),
        _ => String::new(),
    });
    assert!(!client.is_version_2());
    client.new_game().unwrap();
    assert_eq!(told(&sent), ["xboard", "protover 2", "force", "new", "force", "post", "hard", "easy"]);
    assert_eq!(best(&ask(&mut client, &game("e2e4"), &clock(300_000, 300_000, None, 0)).unwrap()), "e7e5");
    assert_eq!(told(&sent), ["force", "e2e4", "level 0 5 0", "time 30000", "otim 30000", "go"]);
    let reply = ask(&mut client, &game("e2e4 e7e5 g1f3"), &clock(300_000, 300_000, None, 0)).unwrap();
    assert_eq!(best(&reply), "b8c6");
    assert_eq!(told(&sent), ["time 30000", "otim 30000", "g1f3"]);
}

#[test]
fn moves_in_san() {
    let features = "feature ping=1 setboard=1 san=1 done=1";
    let (mut client, sent) = connect(features, |line| match line {
        "go" => "move Nf3".to_owned(),
        "Nc6" => "5 31 12 400 1. Bb5 a6 2. O-O Nf6\nmove Bb5".to_owned(),
        "a6" => "move O-O".to_owned(),
        _ => String::new(),
    });
    client.new_game().unwrap();
    let limit = Limit::time(Duration::from_secs(1));
    assert_eq!(best(&ask(&mut client, &game("e2e4 e7e5"), &limit).unwrap()), "g1f3");
    let reply = ask(&mut client, &game("e2e4 e7e5 g1f3 b8c6"), &limit).unwrap();
    assert_eq!((best(&reply).as_str(), reply.summary.pv.as_str()), ("f1b5", "f1b5 a7a6 e1g1 g8f6"));
    let reply = ask(&mut client, &game("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"), &limit).unwrap();
    // As king takes rook.
    assert_eq!(best(&reply), "e1h1");
    let moves: Vec<String> = told(&sent).into_iter().filter(|line| line.len() < 4).collect();
    assert_eq!(moves, ["new", "e4", "e5", "go", "Nc6", "a6"]);
}

#[test]
fn thinking_is_read() {
    let (mut client, _) = at_go(
        V2,
        "0 0 0 0 (e4 64%, d4 24%)\n 7. 25 1 900 d2-d4 d7-d5 Xx\n 9 100003 250 12345 1. e4 e5 2. Qh5\n    Nc6\nmove e2e4",
    );
    client.new_game().unwrap();
    let mut heard = Vec::new();
    let reply = client.search(&game(""), &Limit::depth(9), false, DEADLINE, &mut |info, _| {
        heard.push((info.depth, info.score, info.nodes, info.pv.len()));
    });
    let summary = reply.unwrap().summary;
    assert_eq!(heard, [(7, Some(Score::Cp(25)), 900, 2), (9, Some(Score::Mate(3)), 12_345, 3)]);
    assert_eq!((summary.depth, summary.nodes, summary.time_ms), (Some(9), Some(12_345), Some(2500)));
    assert_eq!(summary.pv, "e2e4 e7e5 d1h5");
}

#[test]
fn limits_and_their_words() {
    let words = |limit: &Limit| {
        let (mut client, sent) = at_go(V2, "move e2e4");
        client.new_game().unwrap();
        told(&sent);
        ask(&mut client, &game(""), limit).unwrap();
        told(&sent)
    };
    let ms = Duration::from_millis;
    assert_eq!(words(&Limit::time(ms(3000))), ["force", "st 3", "time 300", "otim 300", "go"]);
    assert_eq!(words(&Limit::time(ms(250))), ["force", "level 1 0:01 0", "time 25", "otim 25", "go"]);
    assert_eq!(words(&Limit::depth(4)), ["force", "st 10", "sd 4", "go"]);
    let both = Limit { depth: Some(4), ..clock(90_500, 1, None, 0) };
    assert_eq!(words(&both), ["force", "level 0 1:30 0", "sd 4", "time 9050", "otim 1", "go"]);

    // A limit of nodes is a clock that counts nodes, or nothing.
    let (mut client, sent) = at_go("feature ping=1 nps=1 done=1", "move e2e4");
    client.new_game().unwrap();
    told(&sent);
    ask(&mut client, &game(""), &Limit::nodes(5000)).unwrap();
    assert_eq!(told(&sent), ["force", "nps 5000", "st 1", "go"]);
    let (mut client, _) = at_go(V2, "move e2e4");
    let error = ask(&mut client, &game(""), &Limit::nodes(5000)).unwrap_err();
    assert!(error.to_string().starts_with("engine Fake: cannot keep a limit of nodes"), "{error}");
    assert!(!error.is_fatal());
}

#[test]
fn periods_are_told_where_the_engine_does_not_expect_them() {
    let (mut client, sent) = connect(V2, |line| match line {
        "go" => "move g1f3".to_owned(),
        "usermove g8f6" => "move f3g1".to_owned(),
        "usermove f6g8" => "move g1f3".to_owned(),
        _ => String::new(),
    });
    client.new_game().unwrap();
    let levels = |sent: &Sent| {
        told(sent).into_iter().filter(|line| line.starts_with("level")).collect::<Vec<_>>().join(",")
    };
    let moves = ["g1f3 g8f6", "f3g1 f6g8", "g1f3 g8f6", "f3g1 f6g8"];
    let at = |index: usize| game(&moves[..index].join(" "));
    // Two moves in a minute, twice; then one period for the rest.
    ask(&mut client, &at(0), &clock(60_000, 60_000, Some(2), 0)).unwrap();
    assert_eq!(levels(&sent), "level 2 1 0");
    ask(&mut client, &at(1), &clock(50_000, 60_000, Some(1), 0)).unwrap();
    ask(&mut client, &at(2), &clock(90_000, 60_000, Some(2), 0)).unwrap();
    ask(&mut client, &at(3), &clock(80_000, 60_000, Some(1), 0)).unwrap();
    assert_eq!(levels(&sent), "");
    ask(&mut client, &at(4), &clock(120_000, 60_000, None, 0)).unwrap();
    assert_eq!(levels(&sent), "level 0 2 0");
}

#[test]
fn depth_by_another_name() {
    let phalanx = |line: &str| match line.split(' ').next() {
        Some("sd") => format!("Illegal move: {line}"),
        Some("go") => "move e2e4".to_owned(),
        _ => String::new(),
    };
    let (mut client, sent) = connect(V2, phalanx);
    client.new_game().unwrap();
    told(&sent);
    assert_eq!(best(&ask(&mut client, &game(""), &Limit::depth(4)).unwrap()), "e2e4");
    assert_eq!(told(&sent), ["force", "st 10", "sd 4", "depth 4", "go"]);
    let neither = |line: &str| match line.split(' ').next() {
        Some("sd" | "depth") => format!("Error (unknown command): {line}"),
        _ => String::new(),
    };
    let (mut client, _) = connect(V2, neither);
    client.new_game().unwrap();
    let error = ask(&mut client, &game(""), &Limit::depth(4)).unwrap_err();
    assert!(error.to_string().contains("cannot keep a limit of depth"), "{error}");
}

#[test]
fn positions_by_setboard_and_by_edit() {
    let pawns = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 9";
    let (mut client, sent) = at_go(V2, "move e8d7");
    client.new_game().unwrap();
    told(&sent);
    let one_second = Limit::time(Duration::from_secs(1));
    ask(&mut client, &line(pawns, CastlingMode::Standard, ""), &one_second).unwrap();
    let board = format!("setboard {pawns}");
    let start = ["force", "new", "force", "post", "easy", board.as_str()];
    assert_eq!(told(&sent)[..6], start);

    let (mut client, sent) = at_go("feature ping=1 done=1", "move e8d7");
    client.new_game().unwrap();
    told(&sent);
    ask(&mut client, &line(pawns, CastlingMode::Standard, ""), &one_second).unwrap();
    let edit = ["a2a3", "edit", "#", "Ke1", "Pe2", "c", "Ke8", ".", "st 1"];
    assert_eq!(told(&sent)[5..14], edit);
    // Castling that `edit` would allow is right, castling that it would not forbid is not.
    let can = "r3k2r/8/8/8/8/8/8/4K3 w kq - 0 1";
    assert!(ask(&mut client, &line(can, CastlingMode::Standard, ""), &one_second).is_ok());
    for cannot in ["r3k2r/8/8/8/8/8/8/4K3 w k - 0 1", "4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1"] {
        let error = ask(&mut client, &line(cannot, CastlingMode::Standard, ""), &one_second).unwrap_err();
        assert!(error.to_string().contains("cannot be given this position"), "{error}");
    }
}

#[test]
fn chess960() {
    let start = "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRK2QRN w KQkq - 0 1";
    let castle = line(start, CastlingMode::Chess960, "");
    let (mut client, sent) =
        at_go(r#"feature ping=1 setboard=1 variants="normal,fischerandom" done=1"#, "move O-O-O");
    client.new_game().unwrap();
    told(&sent);
    let limit = Limit::time(Duration::from_secs(1));
    let reply = ask(&mut client, &castle, &limit).unwrap();
    assert!(reply.best.is_some_and(|mv| mv.is_castle()), "{reply:?}");
    let board = format!("setboard {start}");
    assert_eq!(told(&sent)[..5], ["force", "new", "variant fischerandom", "force", "post"]);
    let mut after = castle.clone();
    after.play(reply.best.unwrap()).unwrap();
    client.new_game().unwrap();
    told(&sent);
    ask(&mut client, &after, &limit).unwrap();
    let sent = told(&sent);
    assert!(sent.contains(&board) && sent.contains(&"O-O-O".to_owned()), "{sent:?}");
    let (mut client, _) = at_go(V2, "move O-O-O");
    let error = ask(&mut client, &castle, &limit).unwrap_err();
    assert_eq!(error.to_string(), "engine Fake: does not play Chess960 (it has no variant fischerandom)");
}

/// What it says at `go` is no move.
fn declined(says: &'static str) -> (Option<Declined>, String) {
    let (mut client, _) = at_go(V2, says);
    client.new_game().unwrap();
    let reply = ask(&mut client, &game("e2e4"), &Limit::time(Duration::from_secs(1))).unwrap();
    assert!(reply.best.is_none() || reply.declined.is_none());
    (reply.declined, reply.text)
}

#[test]
fn it_resigns_or_refuses() {
    for says in ["resign", "1-0 {Black resigns}", "Black resigns", "computer resigns"] {
        assert_eq!(declined(says).0, Some(Declined::Resigns), "{says}");
    }
    // The other side does not resign by its mouth, and an offer is no answer.
    for says in ["0-1 {White resigns}\nmove e7e5", "offer draw\nmove e7e5", "tellics resign\nmove e7e5"] {
        assert_eq!(declined(says), (None, "e7e5".to_owned()), "{says}");
    }
    for (says, what) in [
        ("Illegal move: e2e4", "e2e4"),
        ("Error (ambiguous move): e2e4", "e2e4"),
        ("Error (unknown command): usermove", "usermove"),
        ("tellusererror Illegal position", "Illegal position"),
        ("illegal move", ""),
    ] {
        assert_eq!(declined(says), (Some(Declined::Refuses), what.to_owned()), "{says}");
    }
    // What it does not know besides is its own affair.
    for says in ["Error (unknown command): time\nmove e7e5", "Illegal move: easy\nmove e7e5"] {
        assert_eq!(declined(says), (None, "e7e5".to_owned()), "{says}");
    }
}

#[test]
fn a_resignation_on_the_others_time_counts_for_the_next_move() {
    let (mut client, _) = at_go(V2, "move e2e4\nresign");
    client.new_game().unwrap();
    let limit = Limit::time(Duration::from_secs(1));
    assert_eq!(best(&ask(&mut client, &game(""), &limit).unwrap()), "e2e4");
    let reply = ask(&mut client, &game("e2e4 e7e5"), &limit).unwrap();
    assert_eq!(reply.declined, Some(Declined::Resigns));
    // And not for the next game.
    client.new_game().unwrap();
    assert_eq!(ask(&mut client, &game(""), &limit).unwrap().declined, None);
}

#[test]
fn after_a_claim_it_is_asked_again() {
    let claims = Mutex::new(0);
    let (mut client, sent) = connect(V2, move |line| {
        let mut claims = claims.lock().unwrap();
        *claims += u32::from(line == "go");
        match (line, *claims) {
            ("go", 1) => "1/2-1/2 {Draw by repetition}".to_owned(),
            ("go", _) => "move e7e5".to_owned(),
            _ => String::new(),
        }
    });
    client.new_game().unwrap();
    told(&sent);
    let reply = ask(&mut client, &game("e2e4"), &Limit::time(Duration::from_secs(1))).unwrap();
    assert_eq!((best(&reply).as_str(), reply.declined), ("e7e5", None));
    let again =
        ["force", "new", "force", "post", "easy", "usermove e2e4", "st 1", "time 100", "otim 100", "go"];
    assert!(told(&sent).ends_with(&again.map(str::to_owned)));
    // One that insists does not move at all.
    let (mut client, _) = at_go(V2, "1/2-1/2 {Draw by repetition}");
    client.new_game().unwrap();
    let error = ask(&mut client, &game("e2e4"), &Limit::time(Duration::from_secs(1))).unwrap_err();
    assert!(error.to_string().starts_with("engine Fake: no move after"), "{error}");
}

#[test]
fn features_that_come_late_still_count() {
    let (mut client, sent) = connect("", |line| match line {
        "e2e4" => "feature usermove=1 done=1\nIllegal command".to_owned(),
        "usermove e2e4" => String::new(),
        "go" => String::new(),
        _ => String::new(),
    });
    client.new_game().unwrap();
    // It never moves here; what counts is what it is told behind its features.
    let _ = ask(&mut client, &game("e2e4"), &Limit::time(Duration::from_secs(1)));
    assert!(told(&sent).contains(&"usermove e2e4".to_owned()));
    assert!(client.is_version_2());
}

#[test]
fn silence_death_and_illegal_answers() {
    let limit = Limit::time(Duration::from_millis(1500));
    let (mut hung, sent) = at_go(V2, "1 0 0 1 e2e4");
    hung.new_game().unwrap();
    let error = ask(&mut hung, &game(""), &limit).unwrap_err();
    assert!(error.to_string().starts_with("engine Fake: no move after") && !hung.is_alive(), "{error}");
    assert_eq!(told(&sent).last().unwrap(), "?");
    let (mut slow, _) = connect(V2, |line| if line == "?" { "move e2e4".into() } else { String::new() });
    slow.new_game().unwrap();
    let reply = ask(&mut slow, &game(""), &Limit::depth(3)).unwrap();
    assert_eq!((best(&reply).as_str(), reply.stopped), ("e2e4", true));
    let (mut dead, _) = at_go(V2, "EXIT");
    dead.new_game().unwrap();
    let error = ask(&mut dead, &game(""), &limit).unwrap_err();
    assert_eq!(error.to_string(), "engine Fake: died while searching");
    assert!(matches!(dead.new_game(), Err(ClientError::Died { .. })));
    for says in ["e2e5", "nonsense", "0000", "--", "Qh5#"] {
        let (mut client, _) =
            connect(V2, move |line| if line == "go" { format!("move {says}") } else { String::new() });
        client.new_game().unwrap();
        let reply = ask(&mut client, &game(""), &limit).unwrap();
        assert_eq!((reply.best, reply.text.as_str(), reply.declined), (None, says, None));
    }
}

#[test]
fn options_memory_and_cores() {
    let features = r#"feature ping=1 memory=1 option="Style -combo A /// *B" option="Resign -check 0" option="Clear -button" done=1"#;
    let (mut client, sent) = connect(features, |_| String::new());
    told(&sent);
    client.set_option("style", "a").unwrap();
    client.set_option("resign", "true").unwrap();
    client.set_option("Clear", "").unwrap();
    assert!(client.set_memory(64).unwrap() && !client.set_cores(2).unwrap());
    assert_eq!(told(&sent), ["option Style=A", "option Resign=1", "option Clear", "memory 64"]);
    let error = client.set_option("Stile", "a").unwrap_err().to_string();
    assert_eq!(error, "engine Fake: no option `Stile`; did you mean `Style`?");
}
