//! Rows of `tests/data/cases.csv` about PGN, and what the reader does after an error.

use super::*;
use gauntlet::notation::pgn::{self, Game, GameResult, PgnErrorKind, PgnMove};
use gauntlet::rules::Line;

fn read_all(text: &str) -> Vec<Result<Game, pgn::PgnError>> {
    pgn::Reader::new(text.as_bytes()).collect()
}

/// Games of a text without errors.
fn games(text: &str) -> Vec<Game> {
    read_all(text).into_iter().map(|game| game.unwrap_or_else(|error| panic!("{error}"))).collect()
}

fn plies(games: &[Game]) -> Vec<usize> {
    games.iter().map(|game| game.moves.len()).collect()
}

fn is_mate(game: &Game) -> bool {
    let end = game.final_position();
    end.is_check() && !end.has_legal_move()
}

fn written(game: &Game) -> String {
    let mut text = Vec::new();
    pgn::write_game(game, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn game_from(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(standard(fen));
    let mut position = game.start;
    for text in moves.split_whitespace() {
        let mv = san::parse(text, &position).unwrap();
        position.play(mv).unwrap();
        game.moves.push(PgnMove::new(mv));
    }
    game
}

#[test]
fn br_027_large_move_number() {
    let game = game_from("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 150", "e4");
    assert_eq!(pgn::movetext(&game), "150. e4 *");
    let end = fen::format(&game.final_position());
    assert_eq!(end, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 150");
}

#[test]
fn br_038_byte_order_mark_and_crlf() {
    let text = "\u{feff}[Event \"A\"]\r\n[Result \"*\"]\r\n\r\n1. e4 e5 *\r\n\r\n[Event \"B\"]\r\n[Result \"1-0\"]\r\n\r\n1. d4 d5 2. c4 1-0\r\n";
    let games = games(text);
    assert_eq!(plies(&games), [2, 3]);
    assert_eq!(games[0].tag("Event"), Some("A"));
    assert!(
        games
            .iter()
            .flat_map(|game| &game.tags)
            .all(|(name, value)| !format!("{name}{value}").contains('\r'))
    );
    assert_eq!(games[1].line, 6);
}

#[test]
fn br_041_tag_value_escapes() {
    let text = "[Event \"The \\\"Open\\\" C:\\\\x\"]\n[Opening \"St. George (Baker) defense\"]\n[BlackType: \"program\"]\n[Result \"0-1\"]\n\n1. f4 e5 2. g4 Qh4\n0-1\n";
    let games = games(text);
    assert_eq!(plies(&games), [4]);
    assert!(is_mate(&games[0]));
    assert_eq!(games[0].tag("Event"), Some("The \"Open\" C:\\x"));
    assert!(written(&games[0]).contains("[Event \"The \\\"Open\\\" C:\\\\x\"]\n"));
}

#[test]
fn br_042_games_without_moves() {
    let text = "[Event \"A\"]\n[White \"White vs 1...c5\"]\n[Result \"*\"]\n[SetUp \"1\"]\n[FEN \"rnbqkbnr/1p1p1pp1/p3p3/2p5/2B1P2p/3P1N1P/PPP2PP1/RNBQ1RK1 b kq - 0 6\"]\n\n{No result} *\n\n[Event \"B\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n";
    let games = games(text);
    assert_eq!(plies(&games), [0, 1]);
    assert_eq!(games[0].comment, "No result");
    assert_eq!(
        games[0].start,
        standard("rnbqkbnr/1p1p1pp1/p3p3/2p5/2B1P2p/3P1N1P/PPP2PP1/RNBQ1RK1 b kq - 0 6")
    );
    assert_eq!(games[1].start, Position::startpos());
}

#[test]
fn br_044_markers_inside_comments_are_text() {
    let text = "[Event \"A\"]\n[Result \"1-0\"]\n\n1. e4 f5 2. d4 g5 { text 1-0\n[%cal Ge7b7]} 3. Qh5# 1-0\n";
    let games = games(text);
    assert_eq!(plies(&games), [5]);
    assert!(is_mate(&games[0]));
    assert_eq!(games[0].result, GameResult::WhiteWins);
    assert_eq!(games[0].moves[3].comment, "text 1-0 [%cal Ge7b7]");
}

#[test]
fn br_046_end_of_file_ends_a_game() {
    let text =
        "[Event \"A\"]\n[Result \"0-1\"]\n\n1. e4 a6 2. Bc4 a5 3. Ne2 a4 4. O-O Ra7\n5. e5 f5 6. exf6 a3";
    let games = games(text);
    assert_eq!(plies(&games), [12]);
    assert_eq!(games[0].result, GameResult::BlackWins);
    assert_eq!(games[0].warnings.len(), 1);
}

#[test]
fn br_047_move_numbers_are_no_castling() {
    let text = "[Event \"A\"]\n[Result \"1/2-1/2\"]\n[SetUp \"1\"]\n[FEN \"8/4K3/8/1Rp1k3/4p3/2q2b2/Q7/8 w - - 2 90\"]\n\n90. Rb6 Kf4 91. Qh2+ Ke3 92. Qg1+ Kd2 93. Qf2+ Kc1 94. Qg1+ Kd2 95. Qf2+ Kc1 96. Qg1+ Kd2 1/2-1/2\n";
    let games = games(text);
    assert_eq!(plies(&games), [14]);
    assert_eq!(games[0].warnings, []);
    assert_eq!(fen::format(&games[0].final_position()), "8/4K3/1R6/2p5/4p3/2q2b2/3k4/6Q1 w - - 16 97");
    let mut line = Line::new(games[0].start);
    for played in &games[0].moves {
        assert!(line.occurrences() < 3);
        line.play(played.mv).unwrap();
    }
    assert_eq!(line.occurrences(), 3);
}

#[test]
fn br_048_fen_without_setup_and_kinds_of_dots() {
    let text = "[Event \"A\"]\n[Result \"0-1\"]\n[FEN \"3r2k1/2rP1pp1/2q4p/2N5/7Q/4P2P/6P1/3R2K1 b - - 5 38\"]\n\n38. .. g5\n39. Qe4 Qxc5\n40. Qe8 Qf8 0-1\n";
    assert_eq!(plies(&games(text)), [5]);
    assert_eq!(plies(&games(&text.replace("38. .. g5", "38....g5"))), [5]);
    assert_eq!(plies(&games(&text.replace("38. .. g5", "38… g5"))), [5]);
}

#[test]
fn br_050_comments_are_never_tokens() {
    let text = "[Event \"A\"]\n[Result \"1-0\"]\n[SetUp \"1\"]\n[FEN \"7k/8/5K2/6Q1/8/8/8/8 w - - 0 1\"]\n\n1. Kf7 {+M2 96/4 16 35602} Kh7 { 0/1 8 40000} 2. Qg7# {+M1 96/2 2 2516, White mates} 1-0\n";
    let first = games(text).remove(0);
    assert_eq!(first.moves.len(), 3);
    assert!(is_mate(&first));
    let comments: Vec<&str> = first.moves.iter().map(|played| played.comment.as_str()).collect();
    assert_eq!(comments, ["+M2 96/4 16 35602", "0/1 8 40000", "+M1 96/2 2 2516, White mates"]);
    assert_eq!(games(&written(&first))[0].moves, first.moves);
}

#[test]
fn br_051_numbering_from_the_fen() {
    for (fen, moves, expected) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RN2K2R b KQkq - 0 1", "d7d6 e1g1", "1... d6 2. O-O *"),
        ("3k4/8/3KP3/8/8/8/8/8 b - - 0 42", "d8e8 e6e7 e8f7 d6d7", "42... Ke8 43. e7 Kf7 44. Kd7 *"),
        ("4r3/8/2p2PPk/1p6/pP2p1R1/P1B5/2P2K2/3r4 w - - 1 45", "f6f7", "45. f7 *"),
    ] {
        let game = game_from(fen, moves);
        assert_eq!(pgn::movetext(&game), expected);
        let text = written(&game);
        assert!(text.contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n")), "{text}");
        let back = &games(&text)[0];
        assert_eq!((back.start, &back.moves, back.warnings.len()), (game.start, &game.moves, 0));
    }
}

#[test]
fn an_error_names_game_line_and_move_and_reading_goes_on() {
    let text =
        "1. e4 e5 *\n\n[Event \"B\"]\n\n1. e4 (1. d4 *) e5\n2. Ke3 {bad} Nc6 *\n[Event \"C\"]\n\n1. d4 1-0\n";
    let read = read_all(text);
    assert_eq!(read.len(), 3);
    let error = read[1].as_ref().unwrap_err();
    assert_eq!((error.game, error.line), (2, 6));
    assert_eq!(error.to_string(), "game 2, line 6: move 2.: \"Ke3\" is not a legal move here");
    assert!(matches!(error.kind, PgnErrorKind::Move { .. }));
    assert_eq!(read[2].as_ref().unwrap().tag("Event"), Some("C"));
}

#[test]
fn a_bad_start_position_costs_one_game() {
    let text = "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*\n\n[Event \"B\"]\n\n1. e4 *\n";
    let read = read_all(text);
    assert_eq!(read.len(), 2);
    let error = read[0].as_ref().unwrap_err();
    assert!(matches!(error.kind, PgnErrorKind::Fen(_)), "{error}");
    assert_eq!(error.line, 1);
    assert_eq!(read[1].as_ref().unwrap().moves.len(), 1);
}

#[test]
fn warnings_for_what_is_forgiven() {
    for (text, word) in [
        ("[Result \"1-0\"]\n\n1. e4 0-1\n", "0-1"),
        ("[Result \"2-0\"]\n\n1. e4 *\n", "2-0"),
        ("1. e4 e5 7. Nf3 *\n", "7"),
        ("1. e4 e5) *\n", "\")\""),
        ("[Event \"a\"]\n[Event \"b\"]\n\n1. e4 *\n", "twice"),
        ("[Event \"a\n[Site \"b\"]\n\n1. e4 *\n", "not readable"),
        ("[Variant \"Atomic\"]\n\n1. e4 *\n", "Atomic"),
        ("[SetUp \"1\"]\n\n1. e4 *\n", "SetUp"),
        ("1. e4\n", "missing"),
    ] {
        let games = games(text);
        assert_eq!(games.len(), 1, "{text}");
        let warnings: Vec<String> = games[0].warnings.iter().map(ToString::to_string).collect();
        assert!(warnings.iter().any(|warning| warning.contains(word)), "{text}: {warnings:?}");
    }
}

#[test]
fn tag_sections_without_moves_are_games_too() {
    let text = "[Event \"A\"]\n[Result \"1-0\"]\n\n[Event \"B\"]\n[Result \"0-1\"]\n\n1. e4 0-1\n";
    let games = games(text);
    assert_eq!(plies(&games), [0, 1]);
    assert_eq!(games[0].result, GameResult::WhiteWins);
}

#[test]
fn chess960_game() {
    let text = "[Variant \"fischerandom\"]\n[FEN \"bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1\"]\n\n1. Nd3 Nd6 2. O-O-O Nf6 3. Nf3 O-O *\n";
    let read = read_all(text);
    // Long: king e1-c1, rook d1 stays; the queen on b1 is in no one's way. Short: king e8-g8, rook f8 stays.
    let game = read[0].as_ref().unwrap_or_else(|error| panic!("{error}"));
    assert!(game.is_chess960());
    assert_eq!(game.final_position().castling_rooks().count(), 0);
    let back = &games(&written(game))[0];
    assert_eq!((back.start, &back.moves), (game.start, &game.moves));
}

#[test]
fn long_comments_are_wrapped_and_survive() {
    let mut game = game_from("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e4 e5 Nf3");
    game.moves[0].comment = "word %percent  two blanks ".repeat(12).trim().to_owned();
    game.moves[1].nags = vec![1, 14];
    game.set_tag("Event", "a \"b\" \\ c");
    let text = written(&game);
    assert!(text.lines().all(|line| line.len() <= 90 && !line.starts_with('%')), "{text}");
    assert!(text.contains("1... e5 $1 $14 2. Nf3"), "{text}");
    let back = &games(&text)[0];
    assert_eq!(back.moves, game.moves);
    assert_eq!(back.tag("Event"), Some("a \"b\" \\ c"));
}

#[test]
fn old_encodings_and_file_ends() {
    let bytes = b"[White \"M\xfcller\"]\n\n1. e4 {gr\xfc\xdfe} *\n\x1a";
    let games: Vec<Game> = pgn::Reader::new(&bytes[..]).map(|game| game.unwrap()).collect();
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].tag("White"), Some("Müller"));
    assert_eq!(games[0].moves[0].comment, "grüße");
    assert!(read_all("\u{feff}").is_empty(), "a byte order mark alone is an empty file");
    let error = pgn::Reader::new(&b"\xff\xfe1\0.\0"[..]).next().unwrap().unwrap_err();
    assert!(matches!(error.kind, PgnErrorKind::Encoding));
}

#[test]
fn null_moves_are_no_moves_of_a_game() {
    for null in ["--", "Z0", "0000", "<>"] {
        let error = read_all(&format!("1. e4 {null} 2. d4 *\n")).remove(0).unwrap_err().to_string();
        assert!(error.contains("move 1...") && error.contains("null move"), "{error}");
    }
}

#[test]
fn old_marks_behind_moves() {
    let text = "1. e4! d5?! 2. exd5 +/- Nf6 N 3. d6 = e5 4. Qe2 cxd6 5. Qxe5 + *\n";
    let games = games(text);
    assert_eq!(plies(&games), [9]);
    assert_eq!((&games[0].moves[0].nags[..], &games[0].moves[1].nags[..]), (&[1][..], &[6][..]));
    assert_eq!(games[0].warnings, []);
}
