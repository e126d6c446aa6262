//! `gauntlet compliance`: our own engine keeps to the protocol, each planted fault is found by the check that is named
//! after it, no engine can hang the verb; what the engines of the system are known to do.

mod known;

use super::faults::left_over;
use super::{fields, gauntlet, refused, text};
use known::{KNOWN, Known};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// A SPEC of our own server with a fault, or none. The mark in its environment tells its processes from others.
fn server(folder: &Path, fault: &str) -> String {
    let binary = env!("CARGO_BIN_EXE_gauntlet");
    let fault = if fault.is_empty() { String::new() } else { format!(",arg=--fault,arg={fault}") };
    format!("cmd={binary},name=Own,arg=uci{fault},env.GAUNTLET_TEST={}", folder.display())
}

struct Checked {
    code: Option<i32>,
    rows: Vec<Value>,
    summary: String,
    stderr: String,
}

impl Checked {
    /// Ids of the checks with one of these results.
    fn with(&self, results: &[&str]) -> Vec<&str> {
        let of = |row: &&Value| results.iter().any(|result| row["result"] == *result);
        self.rows.iter().filter(of).map(|row| row["check"].as_str().unwrap()).collect()
    }
}

fn check(engine: &str, more: &[&str]) -> Checked {
    let folder = tempfile::tempdir().unwrap();
    let args = ["compliance", "--engine", engine, "--out", "none", "--format", "json"];
    let out = gauntlet(folder.path(), &[&args[..], more].concat());
    let stderr = text(&out.stderr);
    let document: Value =
        serde_json::from_slice(&out.stdout).unwrap_or_else(|error| panic!("{error}: {stderr}"));
    let rows = document["rows"].as_array().unwrap().iter();
    Checked {
        code: out.status.code(),
        rows: rows.filter(|row| row["kind"] == "compliance").cloned().collect(),
        summary: stderr.lines().last().unwrap_or_default().to_owned(),
        stderr,
    }
}

/// Who was killed a moment ago may still be going.
fn nothing_is_left(folder: &Path) {
    let begun = Instant::now();
    while left_over(folder) > 0 && begun.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(left_over(folder), 0);
}

/// Checks that a busy machine may spoil, whatever the engine: they look at the clock.
const TIMED: [&str; 5] = ["uciok-fast", "movetime-kept", "clock-kept", "clock-own", "stop-fast"];

#[test]
fn our_own_engine_passes_everything() {
    let folder = tempfile::tempdir().unwrap();
    let done = check(&server(folder.path(), ""), &["--strict"]);
    assert_eq!(done.with(&["fail", "warn"]), [""; 0], "{:#?}", done.rows);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let mut notes = done.with(&["note"]);
    notes.retain(|id| !TIMED.contains(id));
    // It does not guess what an unknown word was meant to be.
    assert_eq!(notes, ["leading-words"]);
    assert_eq!(done.with(&["skip"]), ["setoption-threads", "multipv"]);
    assert!(done.rows.len() > 90);
    let fields = fields(&done.summary);
    assert_eq!(fields["failed"], "0");
    assert_eq!(fields["checks"].parse::<usize>().unwrap(), done.rows.len() - 2);
    nothing_is_left(folder.path());
    // The embedded engine is that server, with the settings of its SPEC.
    let some = ["--check", "id-name,position-fen,go-nodes"];
    let done = check("embedded:lmr=off,hash=32", &some);
    assert_eq!((done.code, done.with(&["pass"]).len()), (Some(0), 3), "{:#?}", done.rows);
    assert!(done.rows[0]["found"].as_str().unwrap().starts_with("Gauntlet "), "{}", done.rows[0]);
}

/// Each fault and the checks that must find it: these and no other checks are made.
const FOUND: &[(&str, &[&str])] = &[
    ("crash-at-start", &["uciok", "isready"]),
    ("crash", &["go-depth", "go-nodes", "stop"]),
    ("crash-after-answer", &["one-bestmove"]),
    ("crash-between-games", &["searchmoves"]),
    ("hang", &["go-movetime", "quit-while-searching"]),
    ("illegal", &["position-startpos", "go-depth"]),
    ("null-move", &["position-fen", "go-wtime"]),
    ("empty-bestmove", &["position-fen", "go-wtime"]),
    ("garbage", &["info-written", "search-words"]),
    ("crlf", &["plain-line-ends"]),
    ("capitals", &["promotion-written"]),
    ("mate-bounds", &["depth-kept"]),
    ("late", &["movetime-kept", "clock-kept"]),
    ("flood", &["search-brief", "stderr-silent"]),
    (
        "no-score",
        &["info-printed", "info-depth", "info-score", "info-nodes", "info-time", "info-nps", "info-pv"],
    ),
    ("ignore-quit", &["quit", "quit-while-searching", "end-of-input", "end-of-input-while-searching"]),
    ("banner", &["greeting-words"]),
    ("slow-start", &["uciok-fast"]),
    ("overstep", &["nodes-kept", "movetime-kept", "clock-kept"]),
    ("no-id", &["id-name", "id-author"]),
    ("bad-options", &["option-lines", "option-unique", "option-spin", "option-defaults"]),
    ("forgetful", &["uci-again"]),
    ("ready-twice", &["isready-each"]),
    (
        "touchy",
        &[
            "unknown-command",
            "garbage-line",
            "long-line",
            "half-commands",
            "setoption-unknown",
            "illegal-moves",
        ],
    ),
    ("touchy", &["illegal-fen", "setoption-beyond", "leading-words"]),
    ("strict-blanks", &["blanks", "crlf"]),
    ("moves-ignored", &["position-moves", "castling-read", "en-passant-read", "promotion-read", "long-game"]),
    ("castling-swapped", &["castling-written", "castling-chess960"]),
    ("white-view", &["score-of-mover"]),
    ("mate-as-cp", &["mate-score"]),
    ("mute-when-mated", &["mated", "stalemated"]),
    ("impatient", &["infinite-waits", "isready-while-searching", "ponder"]),
    ("deaf", &["isready-while-searching"]),
    ("ponder-deaf", &["ponder"]),
    ("stop-echo", &["stop-idle"]),
    ("double", &["one-bestmove"]),
    ("chatter", &["silent-after-bestmove"]),
    ("no-searchmoves", &["searchmoves"]),
    ("bad-ponder", &["ponder-move"]),
    ("pv-other", &["bestmove-of-pv"]),
    ("pv-illegal", &["pv-legal"]),
    ("clocks-swapped", &["clock-own"]),
    ("keeps-hash", &["repeatable"]),
    ("orphan", &["nothing-left"]),
    ("prim", &["empty-line", "debug"]),
    (
        "clock-crash",
        &["go-wtime", "go-btime", "go-increment", "go-increment-only", "go-movestogo", "go-mate"],
    ),
    ("set-crash", &["setoption-defaults", "setoption-hash", "setoption-blanks"]),
    ("fen-crash", &["position-fen-black", "position-fen-moves", "position-short-fen", "mate-in-one"]),
    ("new-game-crash", &["ucinewgame"]),
    ("bad-exit", &["exit-status"]),
    ("no-hash", &["option-hash"]),
    ("slow-stop", &["stop-fast"]),
    ("counts-down", &["info-grows"]),
];

#[test]
fn each_fault_is_found_by_its_check_first_third() {
    planted(0);
}

#[test]
fn each_fault_is_found_by_its_check_second_third() {
    planted(1);
}

#[test]
fn each_fault_is_found_by_its_check_last_third() {
    planted(2);
}

/// Every third row of the table: most of the time is spent waiting for what does not come.
fn planted(first: usize) {
    let folder = tempfile::tempdir().unwrap();
    for (fault, wanted) in FOUND.iter().skip(first).step_by(3) {
        // Short where something is bound to be waited for in vain; nothing here passes by being quick.
        let done = check(
            &server(folder.path(), fault),
            &["--check", &wanted.join(","), "--timeout", "1000", "--strict"],
        );
        let mut found = done.with(&["fail", "note"]);
        found.sort_unstable();
        let mut wanted = wanted.to_vec();
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{fault}: {:#?}", done.rows);
        let fails = !done.with(&["fail"]).is_empty();
        assert_eq!(done.code, Some(i32::from(fails)), "{fault}: {}", done.stderr);
        for row in &done.rows {
            assert!(!row["found"].as_str().unwrap().is_empty(), "{fault}: {row}");
            assert!(row["exchange"].as_array().is_some_and(|lines| !lines.is_empty()), "{fault}: {row}");
        }
    }
    nothing_is_left(folder.path());
}

/// Every fault that is not the move counter's stands in the table; neither slowness nor an evaluation that favours a colour is a
/// matter of the protocol.
#[test]
fn no_fault_is_left_out() {
    use gauntlet::uci::fault::FaultKind;
    let of_protocol =
        |kind: &&FaultKind| !kind.is_of_perft() && !matches!(kind, FaultKind::Slow | FaultKind::Asymmetric);
    for kind in FaultKind::ALL.iter().filter(of_protocol) {
        let known = FOUND.iter().any(|(fault, _)| *fault == kind.id());
        assert!(known, "{}", kind.id());
    }
}

#[test]
fn the_worst_engines_do_not_hold_it_up() {
    let folder = tempfile::tempdir().unwrap();
    for fault in ["hang", "crash-at-start", "crash"] {
        let done = check(&server(folder.path(), fault), &["--timeout", "100"]);
        assert_eq!(done.code, Some(1), "{fault}: {}", done.stderr);
        assert!(done.rows.len() > 90, "{fault}: every check has its row");
    }
    // Says nothing at all.
    let done = check("cmd=/bin/sleep,arg=60", &["--timeout", "100"]);
    assert_eq!((done.code, done.with(&["fail"]).first()), (Some(1), Some(&"uciok")));
    nothing_is_left(folder.path());
}

#[test]
fn bad_input_and_engines_that_cannot_be_started() {
    refused(
        &["compliance", "--engine", "cmd=/no/such/engine", "--out", "none"],
        4,
        &["/no/such/engine", "start"],
    );
    refused(&["compliance", "--check", "qiut", "--out", "none"], 2, &["`qiut`", "`quit`"]);
    refused(&["compliance", "--engine", "stockfish", "--out", "none"], 2, &["cmd=stockfish"]);
    refused(&["compliance", "--timeout", "0", "--out", "none"], 2, &["--timeout"]);
    let folder = tempfile::tempdir().unwrap();
    let engine = format!("{},option.Hahs=1", server(folder.path(), ""));
    refused(&["compliance", "--engine", &engine, "--out", "none"], 2, &["Hahs", "`Hash`"]);
}

#[test]
fn what_it_leaves_behind() {
    let folder = tempfile::tempdir().unwrap();
    let engine = server(folder.path(), "double");
    let args = ["compliance", "--engine", &engine, "--check", "uciok,one-bestmove,multipv,searchmoves"];
    let out = gauntlet(folder.path(), &[&args[..], &["--out", "run", "--junit", "junit.xml"]].concat());
    let stdout = text(&out.stdout);
    assert_eq!(out.status.code(), Some(1), "{stdout}");
    let last = fields(stdout.lines().last().unwrap());
    assert_eq!((last["checks"].as_str(), last["failed"].as_str(), last["skipped"].as_str()), ("3", "1", "1"));
    // The lines of the conversation are shown where they are needed.
    assert!(stdout.contains("FAIL one-bestmove") && stdout.contains("> isready"), "{stdout}");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let table = read("run/compliance.csv");
    let rows: Vec<BTreeMap<String, String>> =
        csv::Reader::from_reader(table.as_bytes()).deserialize().map(|row| row.unwrap()).collect();
    let results: Vec<(&str, &str)> =
        rows.iter().map(|row| (row["check"].as_str(), row["result"].as_str())).collect();
    let wanted = [("uciok", "pass"), ("multipv", "skip"), ("one-bestmove", "fail"), ("searchmoves", "pass")];
    assert_eq!(results, wanted);
    assert!(rows[2]["exchange"].contains("\n< bestmove "), "{}", rows[2]["exchange"]);
    let report = read("run/report.html");
    assert!(report.contains("Protocol compliance") && report.contains("each `go` is answered"), "no section");
    let junit = read("junit.xml");
    assert!(junit.contains(r#"tests="4" skipped="1" failures="1""#) && junit.contains("<skipped"), "{junit}");
    assert!(junit.contains("name=\"one-bestmove\""), "{junit}");
}

#[test]
fn the_list_names_every_check() {
    let folder = tempfile::tempdir().unwrap();
    let out = gauntlet(folder.path(), &["compliance", "--list"]);
    let shown = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0));
    let count = gauntlet::uci::compliance::checks().count();
    assert_eq!(shown.lines().last(), Some(format!("compliance: checks={count}").as_str()));
    assert_eq!(shown.lines().count(), count + 1);
    let out = gauntlet(folder.path(), &["compliance", "--list", "--format", "json"]);
    let list: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(list.as_array().map(Vec::len), Some(count));
}

#[test]
fn known_sins_of_stockfish() {
    known_sins("stockfish");
}

#[test]
fn known_sins_of_glaurung() {
    known_sins("glaurung");
}

#[test]
fn known_sins_of_toga() {
    known_sins("toga2");
}

#[test]
fn known_sins_of_ethereal() {
    known_sins("ethereal-chess");
}

#[test]
fn known_sins_of_gnuchess() {
    known_sins("gnuchessu");
}

fn known_sins(engine: &str) {
    let path = format!("/usr/games/{engine}");
    if !Path::new(&path).exists() {
        assert!(std::env::var_os("GAUNTLET_REQUIRE_TOOLS").is_none_or(|v| v != "1"), "{path} is missing");
        return;
    }
    let done = check(&format!("cmd={path}"), &["--timeout", "3000"]);
    let Known { version, always, sometimes, .. } = KNOWN.iter().find(|known| known.engine == engine).unwrap();
    let name = done.rows.iter().find(|row| row["check"] == "id-name").unwrap();
    if !name["found"].as_str().unwrap().contains(version) {
        // Another version has other sins; that it came to an end is enough.
        return;
    }
    let sins = done.with(&["fail", "warn"]);
    for id in *always {
        assert!(sins.contains(id), "{engine}: {id} passes now");
    }
    let is_known = |id: &str| [*always, *sometimes, &TIMED].into_iter().any(|ids| ids.contains(&id));
    let is_news = |id: &str| sins.contains(&id) && !is_known(id);
    let news = done.rows.iter().filter(|row| is_news(row["check"].as_str().unwrap()));
    let news: Vec<&Value> = news.collect();
    assert!(news.is_empty(), "{engine}: {news:#?}");
}

/// Whatever check is asked for: an engine that never says `uciok` keeps to no protocol.
#[test]
fn an_engine_that_does_not_start_passes_nothing() {
    for check_id in ["crlf", "leading-words", "id-name"] {
        let done = check("cmd=/bin/cat,name=Cat", &["--check", check_id, "--timeout", "200"]);
        assert_eq!((done.code, done.with(&["fail"])), (Some(1), vec![check_id]), "{:#?}", done.rows);
    }
    // What is asked for does not apply to it: nothing was found out.
    let folder = tempfile::tempdir().unwrap();
    let done = check(&server(folder.path(), ""), &["--check", "multipv"]);
    assert_eq!((done.code, done.with(&["skip"])), (Some(3), vec!["multipv"]), "{:#?}", done.rows);
}

#[test]
fn files_that_cannot_be_written_are_refused_before_anything_is_done() {
    for verb in [&["compliance"][..], &["run", "--quick"]] {
        refused(&[verb, &["--junit", "no/such/folder/x.xml"]].concat(), 2, &["no/such/folder/x.xml"]);
    }
}
