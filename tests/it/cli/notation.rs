//! `check` and `moves`: what was read, with line numbers, and what was not.

use super::{gauntlet, refused, text};
use serde_json::Value;
use std::path::Path;

fn data(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name).display().to_string()
}

/// Exit code, last line, and the document of `--format json`.
fn check(args: &[&str]) -> (Option<i32>, String, Value) {
    let folder = tempfile::tempdir().unwrap();
    let out = gauntlet(folder.path(), &[&["check"], args].concat());
    let json = gauntlet(folder.path(), &[&["check", "--format", "json"], args].concat());
    let last = text(&out.stdout).lines().last().unwrap_or_default().to_owned();
    assert_eq!(text(&json.stderr).trim_end(), last, "the summary goes to stderr beside a document");
    (out.status.code(), last, serde_json::from_slice(&json.stdout).unwrap())
}

#[test]
fn positions_are_normalised() {
    // An en-passant square without a capture is not written back; rights without rook are dropped.
    let (code, last, document) = check(&["--fen", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3"]);
    assert_eq!((code, last.as_str()), (Some(0), "check: items=1 errors=0"));
    let item = &document["items"][0];
    assert_eq!(item["fen"], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert_eq!(item["legal_moves"], 20);
    let (code, _, document) = check(&["--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]);
    assert_eq!((code, document["items"][0]["outcome"].as_str()), (Some(0), Some("draw by stalemate")));
}

#[test]
fn every_error_is_counted() {
    let (code, last, document) =
        check(&["--fen", "8/8/8/8/8/8/8/8 w - - 0 1", "--fen", "x", "--fen", "7k/8/8/8/8/8/8/K7 w - -"]);
    assert_eq!((code, last.as_str()), (Some(1), "check: items=3 errors=2"));
    assert!(document["items"][0]["error"].as_str().unwrap().contains("king"));
}

#[test]
fn files_name_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.epd");
    std::fs::write(&path, "7k/8/8/8/8/8/8/K7 w - - bm Ka2;\n\n7k/8/8/8/8/8/8/K7 w - - bm Ka3;\nnonsense\n")
        .unwrap();
    let (code, last, document) = check(&["--epd", &path.display().to_string()]);
    assert_eq!((code, last.as_str()), (Some(1), "check: items=3 errors=2"));
    let lines: Vec<_> =
        document["items"].as_array().unwrap().iter().map(|item| item["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [1, 3, 4]);
    assert!(document["items"][1]["error"].as_str().unwrap().contains("Ka3"));

    let (code, last, document) = check(&["--pgn", &data("tests/data/seeds/seeds.pgn")]);
    assert_eq!(code, Some(0), "{last}");
    assert!(document["items"].as_array().unwrap().iter().all(|item| item["plies"].as_u64().is_some()));
    let (code, last, _) = check(&["--pgn", &data("tests/data/parser/pgn/garbage.pgn")]);
    assert_eq!((code, last.as_str()), (Some(1), "check: items=1 errors=1"));
}

#[test]
fn no_parser_file_makes_it_panic() {
    for entry in std::fs::read_dir(data("tests/data/parser/pgn")).unwrap() {
        let path = entry.unwrap().path().display().to_string();
        let folder = tempfile::tempdir().unwrap();
        let out = gauntlet(folder.path(), &["check", "--pgn", &path]);
        assert!(matches!(out.status.code(), Some(0 | 1)), "{path}: {}", text(&out.stderr));
        assert!(out.stderr.is_empty(), "{path}: {}", text(&out.stderr));
    }
}

#[test]
fn what_cannot_be_read_is_bad_input() {
    refused(&["check"], 2, &["--fen", "--epd", "--pgn"]);
    refused(&["check", "--epd", "missing.epd"], 2, &["missing.epd"]);
    refused(&["check", "--pgn", "missing.pgn"], 2, &["missing.pgn"]);
    refused(&["check", "--pgn", "."], 2, &["folder"]);
}

#[test]
fn moves_are_translated_one_after_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let line = |args: &[&str]| text(&gauntlet(folder.path(), args).stdout).trim_end().to_owned();
    assert_eq!(line(&["moves", "e4", "e5", "Nf3"]), "e2e4 e7e5 g1f3");
    assert_eq!(
        line(&[
            "moves", "--from", "uci", "--to", "san", "e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"
        ]),
        "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#"
    );
    let castling =
        ["moves", "--fen", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "--from", "san", "--to", "uci", "O-O"];
    assert_eq!(line(&castling), "e1g1");
    assert_eq!(line(&[&castling[..], &["--chess960"]].concat()), "e1h1");
    refused(&["moves", "e4", "Ke3"], 2, &["move 2", "Ke3"]);
    refused(&["moves", "--fen", "8/8 w - - 0 1", "e4"], 2, &["--fen", "FEN"]);
    refused(&["moves"], 2, &["MOVE"]);
}

#[test]
fn moves_know_every_notation() {
    let folder = tempfile::tempdir().unwrap();
    let out = |args: &[&str]| gauntlet(folder.path(), args);
    let line = |args: &[&str]| text(&out(args).stdout).trim_end().to_owned();
    let san = ["e4", "d5", "exd5", "Nf6", "Nf3", "Nxd5", "Bc4", "e6", "O-O"];
    for (id, expected) in [
        ("lan", "e2-e4 d7-d5 e4xd5 Ng8-f6 Ng1-f3 Nf6xd5 Bf1-c4 e7-e6 O-O"),
        ("xboard", "e2e4 d7d5 e4d5 g8f6 g1f3 f6d5 f1c4 e7e6 e1g1"),
        ("coordinate", "e2e4 d7d5 e4d5 g8f6 g1f3 f6d5 f1c4 e7e6 e1g1"),
        ("iccf", "5254 4745 5445 7866 7163 6645 6134 5756 5171"),
        ("smith", "e2e4 d7d5 e4d5p g8f6 g1f3 f6d5p f1c4 e7e6 e1g1c"),
        ("fan", "e4 d5 exd5 ♞f6 ♘f3 ♞xd5 ♗c4 e6 O-O"),
    ] {
        assert_eq!(line(&[&["moves", "--from", "san", "--to", id][..], &san].concat()), expected);
        let moves: Vec<&str> = expected.split(' ').collect();
        assert_eq!(line(&[&["moves", "--from", id, "--to", "san"][..], &moves].concat()), san.join(" "));
    }
    let frc = "1k6/8/8/8/8/8/8/5K1R w K - 0 1";
    let castle = |to| [&["moves", "--chess960", "--fen", frc, "--to", to][..], &["O-O"]].concat();
    assert_eq!(line(&castle("xboard")), "O-O");
    assert_eq!(line(&castle("smith")), "f1g1c");
    refused(&castle("iccf"), 2, &["move 1 `O-O`", "no form of its own in iccf"]);
    refused(&["moves", "--to", "morse", "e4"], 2, &["morse", "smith"]);
    let csv = text(&out(&["moves", "--to", "iccf", "--format", "csv", "e4", "e5"]).stdout);
    assert_eq!(csv, "number,given,written\n1,e4,5254\n2,e5,5755\n");
    let json: Value = serde_json::from_slice(&out(&["moves", "--format", "json", "e4"]).stdout).unwrap();
    assert_eq!((json["from"].as_str(), json["to"].as_str()), (Some("san"), Some("uci")));
    assert_eq!(json["moves"][0], "e2e4");
}

#[test]
fn check_and_moves_name_the_opening() {
    let folder = tempfile::tempdir().unwrap();
    let frc = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
    let najdorf = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3 *";
    let pgn = format!(
        "[Event \"a\"]\n\n{najdorf}\n\n[Event \"b\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{frc}\"]\n\n1. e4 *\n"
    );
    std::fs::write(folder.path().join("a.pgn"), pgn).unwrap();
    let out = |args: &[&str]| text(&gauntlet(folder.path(), args).stdout).to_owned();
    let json = |args: &[&str]| -> Value {
        serde_json::from_str(&out(&[args, &["--format", "json"]].concat())).unwrap()
    };
    let shown = out(&["check", "--pgn", "a.pgn"]);
    assert!(shown.lines().next().unwrap().contains("| B90 Sicilian Defense: Najdorf Variation"), "{shown}");
    let document = json(&["check", "--pgn", "a.pgn"]);
    let opening = &document["items"][0]["opening"];
    assert_eq!((opening["eco"].as_str(), opening["eco_by_moves"].as_str()), (Some("B90"), Some("B90")));
    assert!(document["items"][1]["opening"].is_null(), "{document}");
    let ambiguous = "r1bqkb1r/pp3ppp/2n1p3/3n4/3P4/2N2N2/PP3PPP/R1BQKB1R w KQkq - 0 8";
    let document = json(&["check", "--fen", ambiguous]);
    let codes = document["items"][0]["opening"]["eco"].as_array().unwrap();
    for code in ["B01", "B13", "B14", "A35", "D26", "D40"] {
        assert!(codes.iter().any(|found| found == code), "{code}: {codes:?}");
    }
    assert_eq!(json(&["moves", "e4", "e5", "f4"])["opening"]["eco"], "C30");
}

/// A match from a Polyglot book: the seed draws the lines, each game's PGN says what opening it is.
#[test]
fn a_match_from_a_polyglot_book() {
    let folder = tempfile::tempdir().unwrap();
    let play = |seed: &str, pgn: &str| {
        let engines = ["--engine", "embedded:name=a", "--engine", "embedded:name=b", "--each", "depth=1"];
        let book = ["--openings", "file=eco_polyglot.bin,format=polyglot,plies=6,order=random"];
        let rest = ["--pairs", "3", "--maxmoves", "5", "--seed", seed, "--pgn", pgn, "--out", "none"];
        let out = gauntlet(folder.path(), &[&["match"], &engines[..], &book, &rest].concat());
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        std::fs::read_to_string(folder.path().join(pgn)).unwrap()
    };
    let moves = |pgn: &str| -> Vec<String> {
        pgn.lines().filter(|line| line.starts_with("1. ")).map(str::to_owned).collect()
    };
    let first = play("1", "a.pgn");
    assert_eq!(moves(&first), moves(&play("1", "b.pgn")));
    assert_ne!(moves(&first), moves(&play("2", "c.pgn")));
    assert_eq!(first.matches("[ECO \"").count(), 6, "{first}");
    assert_eq!(first.matches("[Opening \"").count(), 6);
    assert!(first.contains("{book}") && !first.contains("[FEN"), "{first}");
}

#[test]
fn check_tells_of_a_repetition() {
    // BR-067 (b): the third occurrence is on ply 8, the start position counts.
    let folder = tempfile::tempdir().unwrap();
    let pgn = "[Event \"a\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *\n";
    std::fs::write(folder.path().join("a.pgn"), pgn).unwrap();
    let out = super::gauntlet(folder.path(), &["check", "--pgn", "a.pgn"]);
    assert!(super::text(&out.stdout).contains("threefold"), "{}", super::text(&out.stdout));
}
