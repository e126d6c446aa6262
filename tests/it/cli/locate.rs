//! `perft --locate` against our own server with planted faults, against engines without `go perft`, and against Stockfish,
//! which has no fault.

use super::{gauntlet, refused, text};
use serde_json::Value;
use std::path::Path;

fn own(fault: &str) -> String {
    format!("cmd={},name=Faulty,arg=uci,arg=--fault,arg={fault}", env!("CARGO_BIN_EXE_gauntlet"))
}

fn shell(on_go: &str) -> String {
    let script = format!(
        "while read line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; go*) {on_go};; quit) exit 0;; esac; done"
    );
    format!("cmd=/bin/sh,name=Script,arg=-c,arg={}", script.replace(',', "\\,"))
}

/// Exit code, last line, the document's part on the fault.
fn locate(engine: &str, fen: &str, depth: &str, more: &[&str]) -> (Option<i32>, String, Value) {
    let folder = tempfile::tempdir().unwrap();
    let args = [
        "perft", "--locate", "--engine", engine, "--fen", fen, "--depth", depth, "--format", "json", "--out",
        "none",
    ];
    let out = gauntlet(folder.path(), &[&args[..], more].concat());
    let last = text(&out.stderr).lines().last().unwrap_or_default().to_owned();
    let document: Value = serde_json::from_slice(&out.stdout).unwrap_or_default();
    (out.status.code(), last, document["locate"]["fault"].clone())
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Fault, position, depth, path, missing, extra, kind. What is missing or too many follows from the rules; that the path
/// leads there was checked with a board.
#[test]
fn planted_faults_are_found_and_named() {
    for (fault, fen, depth, path, missing, extra, kind) in [
        // BR-001: told by the FEN, and reached by a double push.
        ("perft-ep", "8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", "2", "", "", "d5e6", "en-passant-pinned"),
        ("perft-ep", "4k3/4p3/8/r2P3K/8/8/8/8 b - - 0 1", "3", "e7e5", "", "d5e6", "en-passant-pinned"),
        // BR-003: the checking pawn.
        ("perft-ep-missing", "4k3/3p1p2/8/4P3/4K3/8/8/8 b - - 0 1", "2", "d7d5", "e5d6", "", "en-passant"),
        ("perft-total", "4k3/3p1p2/8/4P3/4K3/8/8/8 b - - 0 1", "3", "d7d5", "e5d6", "", "en-passant"),
        (
            "perft-castling",
            "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1",
            "2",
            "",
            "",
            "e1g1",
            "castling-through-check",
        ),
        ("perft-castling-missing", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "2", "", "e1c1", "", "castling"),
        ("perft-promotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "2", "", "a7a8n", "", "under-promotion"),
        (
            "perft-pin",
            "4r1k1/8/8/8/8/8/4B3/4K3 w - - 0 1",
            "1",
            "",
            "",
            "e2a6 e2b5 e2c4 e2d1 e2d3 e2f1 e2f3 e2g4 e2h5",
            "pinned-piece",
        ),
        ("perft-king", "6k1/8/8/8/8/8/4r3/6K1 w - - 0 1", "1", "", "", "g1f2 g1g2 g1h2", "king-into-check"),
        ("perft-evasion", "4r1k1/8/8/8/8/8/8/N3KN2 w - - 0 1", "1", "", "f1e3", "", "check-evasion"),
        ("perft-double-push", "4k3/8/8/8/8/n7/P7/4K3 w - - 0 1", "2", "", "", "a2a4", "double-push"),
        ("perft-duplicate", "4k3/8/8/8/8/n7/8/R3K3 w - - 0 1", "1", "", "", "a1a3", "duplicate"),
        ("perft-count", KIWIPETE, "3", "e1d1", "", "", "count"),
    ] {
        let (code, last, found) = locate(&own(fault), fen, depth, &[]);
        assert_eq!((code, found["kind"].as_str()), (Some(1), Some(kind)), "{fault}: {last} {found}");
        let list = |key: &str| {
            let mut moves: Vec<&str> =
                found[key].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
            if key != "path" {
                moves.sort_unstable();
            }
            moves.join(" ")
        };
        assert_eq!(list("path"), path, "{fault}");
        assert_eq!(list("missing"), missing, "{fault}");
        assert_eq!(list("extra"), extra, "{fault}");
        let start = format!("locate: fen=\"{}\" path=\"", found["fen"].as_str().unwrap());
        assert!(last.starts_with(&start) && last.ends_with(&format!(" kind={kind}")), "{last}");
    }
}

/// Where the moves lead, by shakmaty. The en-passant square is always shown.
fn led_to(start: &str, path: &str) -> String {
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};
    let mut position: Chess =
        Fen::from_ascii(start.as_bytes()).unwrap().into_position(CastlingMode::Standard).unwrap();
    for text in path.split_whitespace() {
        let mv = text.parse::<shakmaty::uci::UciMove>().unwrap().to_move(&position).unwrap();
        position.play_unchecked(mv);
    }
    Fen::from_position(&position, EnPassantMode::Always).to_string()
}

/// Deep in well-known positions, through castling and captures; the last line is the interface. Of several places the first one
/// in the engine's order is told: that the path leads to the FEN says shakmaty.
#[test]
fn deep_faults_are_found() {
    let endgame = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    for (fault, start, depth, path, fen, extra, kind) in [
        (
            "perft-ep",
            endgame,
            "4",
            "a5a4 h4g4 e2e4",
            "8/2p5/3p4/1P5r/KR2Ppk1/8/6P1/8 b - e3 0 2",
            "f4e3",
            "en-passant-pinned",
        ),
        (
            "perft-castling",
            KIWIPETE,
            "3",
            "c3b1 a6e2",
            "r3k2r/p1ppqpb1/1n2pnp1/3PN3/1p2P3/5Q1p/PPPBbPPP/RN2K2R w KQkq - 0 2",
            "e1g1",
            "castling-through-check",
        ),
        // The engine's counts are too high by the captures among the replies, for all its moves; the first one is looked behind.
        (
            "perft-count",
            KIWIPETE,
            "3",
            "e1d1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R2K3R b kq - 1 1",
            "",
            "count",
        ),
    ] {
        assert_eq!(led_to(start, path), fen);
        let (code, last, _) = locate(&own(fault), start, depth, &[]);
        assert_eq!(code, Some(1));
        let expected =
            format!("locate: fen=\"{fen}\" path=\"{path}\" missing=\"\" extra=\"{extra}\" kind={kind}");
        assert_eq!(last, expected);
    }
}

#[test]
fn chess960_is_asked_as_such() {
    // BR-014: king b1 takes rook a1; without castling two moves are missing or one, and the engine is told of the variant.
    let fen = "rk2r2b/ppp2b1p/1n4p1/3p1p2/3q1P2/1P1QN3/P1P1P2P/RK2R1BB w EAea - 0 12";
    let (code, last, _) = locate(&own("perft-castling-missing"), fen, "2", &["--chess960"]);
    assert_eq!(code, Some(1));
    assert!(last.ends_with("missing=\"b1a1\" extra=\"\" kind=castling"), "{last}");
    let clean = format!("cmd={},name=Own,arg=uci", env!("CARGO_BIN_EXE_gauntlet"));
    for engine in [clean.as_str(), "embedded"] {
        let (code, last, _) = locate(engine, fen, "3", &["--chess960"]);
        assert_eq!((code, last.as_str()), (Some(0), "locate: none"));
    }
}

/// A printed total that its table does not add up to, in all three verbs that ask engines to count.
#[test]
fn a_total_that_contradicts_its_table_is_wrong() {
    // Two moves and a total of one: neither the table nor the total is taken for the count.
    let fen = "k7/8/8/8/8/8/1r6/K7 w - - 0 1";
    let table = |total: u32| shell(&format!("echo a1b2: 1; echo Nodes searched: {total}"));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("one.epd"), format!("{fen} ;D1 1\n")).unwrap();
    for (total, wrong) in [(1, false), (2, true)] {
        let engine = table(total);
        let code = Some(i32::from(wrong));
        let (found, last, fault) = locate(&engine, fen, "1", &[]);
        assert_eq!(found, code, "{last}");
        assert_eq!(fault["kind"] == "count" && last.ends_with("kind=count"), wrong, "{last}");
        let out =
            gauntlet(folder.path(), &["perft", "--suite", "one.epd", "--engine", &engine, "--out", "none"]);
        assert_eq!(out.status.code(), code, "{}", text(&out.stderr));
        assert!(text(&out.stdout).contains(&format!("wrong={}", u32::from(wrong))), "{}", text(&out.stdout));
        assert_eq!(text(&out.stdout).contains("2 instead of 1"), wrong, "{}", text(&out.stdout));
        let single = ["perft", "--fen", fen, "--depth", "1", "--engine", &engine, "--out", "none"];
        let out = gauntlet(folder.path(), &single);
        assert_eq!(out.status.code(), code, "{}", text(&out.stderr));
        assert_eq!(text(&out.stdout).contains("2 instead of 1"), wrong, "{}", text(&out.stdout));
    }
}

#[test]
fn no_go_perft_is_said_clearly() {
    for on_go in ["echo info depth 1 score cp 3 pv e2e4; echo bestmove e2e4", "echo bestmove e2e4"] {
        refused(
            &["perft", "--locate", "--engine", &shell(on_go), "--out", "none"],
            2,
            &["Script", "go perft", "searches"],
        );
    }
    refused(&["perft", "--locate", "--out", "none"], 2, &["--engine"]);
    refused(
        &["perft", "--locate", "--engine", "embedded", "--fen", "8/8 w - -", "--out", "none"],
        2,
        &["FEN"],
    );
    refused(&["perft", "--locate", "--engine", "embedded", "--divide"], 2, &["--divide"]);
    refused(&["perft", "--locate", "--engine", &shell("exit 3"), "--out", "none"], 4, &["Script", "died"]);
}

#[test]
fn stockfish_has_no_fault() {
    if !Path::new("/usr/games/stockfish").exists() {
        assert!(std::env::var_os("GAUNTLET_REQUIRE_TOOLS").is_none_or(|v| v != "1"), "stockfish is missing");
        return;
    }
    let engine = "cmd=/usr/games/stockfish";
    for (fen, depth) in [
        (KIWIPETE, "4"),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "5"),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", "4"),
        ("4k3/3p1p2/8/4P3/4K3/8/8/8 b - - 0 1", "5"),
    ] {
        let (code, last, _) = locate(engine, fen, depth, &[]);
        assert_eq!((code, last.as_str()), (Some(0), "locate: none"), "{fen}");
    }
    let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    let (code, last, _) = locate(engine, fen, "3", &["--chess960"]);
    assert_eq!((code, last.as_str()), (Some(0), "locate: none"));
}
