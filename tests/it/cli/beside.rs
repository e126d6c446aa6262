//! Files beside a run that were asked for by name: what cannot be written is told, and is no success; what was measured is shown and
//! kept; of a run that is broken off they hold what there is.

use super::gauntlet;
use super::interrupts::interrupted_when;
use super::text;
use std::path::Path;

/// Nothing can be written to it, and that is seen only with the first byte.
const FULL: &str = "/dev/full";

fn own(name: &str, fault: &str) -> String {
    format!("cmd={},name={name},arg=uci{fault}", env!("CARGO_BIN_EXE_gauntlet"))
}

/// The exit code, the last line of the results, what was said.
fn ended(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let out = gauntlet(folder, args);
    (out.status.code(), text(&out.stdout).lines().last().unwrap_or_default().to_owned(), text(&out.stderr))
}

#[test]
fn what_cannot_be_written_is_no_success() {
    let folder = tempfile::tempdir().unwrap();
    let engine = own("engine", "");
    let games = ["match", "--engine", "embedded:name=a", "--engine", "embedded:name=b", "--each", "depth=1"];
    let games = [&games[..], &["--pairs", "1", "--maxmoves", "4"]].concat();
    let checks = ["compliance", "--engine", &engine, "--check", "quit"];
    let gate = ["gate", "--new", "embedded", "--base", "embedded", "--stages", "signature"];
    let perft = ["perft", "--depth", "2", "--engine", &engine];
    for (args, file) in [
        (&games[..], "--pgn"),
        (&games, "--final-positions"),
        (&games, "--events"),
        (&checks, "--junit"),
        (&gate, "--junit"),
        (&gate, "--summary"),
        (&perft, "--log"),
    ] {
        let (code, last, stderr) =
            ended(folder.path(), &[args, &["--out", "run", "--quiet", file, FULL]].concat());
        assert_eq!(code, Some(2), "{args:?} {file}: {stderr}");
        // The results stand all the same, here and in the folder.
        assert!(last.starts_with(&format!("{}: ", args[0])), "{args:?} {file}: {last}");
        assert_eq!(stderr.lines().count(), 1, "{args:?} {file}: {stderr}");
        assert!(stderr.starts_with("gauntlet: /dev/full: No space left"), "{stderr}");
        assert!(folder.path().join("run/report.html").is_file(), "{args:?}");
        std::fs::remove_dir_all(folder.path().join("run")).unwrap();
    }
    // Both at once are one line.
    let both =
        [&gate[..], &["--out", "none", "--quiet", "--summary", FULL, "--junit", "/dev/../dev/full"]].concat();
    let (code, _, stderr) = ended(folder.path(), &both);
    assert_eq!((code, stderr.lines().count()), (Some(2), 1), "{stderr}");
}

/// A failed check, an engine that does not start, a signal: they say more.
#[test]
fn the_own_exit_code_of_a_run_stays() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("gauntlet.toml"),
        "[gate.signature]\nexpect = 'different'\ndepth = 2\n",
    )
    .unwrap();
    let gate = ["gate", "--new", "embedded", "--base", "embedded", "--stages", "signature"];
    let silent = own("engine", ",arg=--fault,arg=no-id");
    let checks = ["compliance", "--engine", &silent, "--check", "id-name"];
    let none = "cmd=/no/such/engine";
    for (args, code) in [
        (&gate[..], 1),
        (&checks, 1),
        (&["run", "--quick", "--engine", none], 4),
        (&["compliance", "--engine", none], 4),
        (&["gate", "--new", none, "--base", "embedded"], 4),
    ] {
        let (exit, _, stderr) =
            ended(folder.path(), &[args, &["--out", "none", "--quiet", "--junit", FULL]].concat());
        assert_eq!(exit, Some(code), "{args:?}: {stderr}");
        assert!(stderr.contains("gauntlet: /dev/full: No space left"), "{args:?}: {stderr}");
    }
}

/// What there is, and that there is no more because it was broken off; an engine that does not start is a failure there, too.
#[test]
fn junit_of_a_run_that_ends_early() {
    let engine = own("engine", "");
    let cases: [(&[&str], &str, &str); 2] = [
        (&["run", "--quick"], "\"kind\":\"verdict\"", "name=\"perft\""),
        (&["compliance", "--engine", &engine], "\"kind\":\"compliance\"", "classname=\"compliance.must\""),
    ];
    for (args, row, case) in cases {
        for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
            let folder = tempfile::tempdir().unwrap();
            let rows = folder.path().join("run/rows.jsonl");
            let there = || std::fs::read_to_string(&rows).is_ok_and(|rows| rows.contains(row));
            let (out, _) =
                interrupted_when(folder.path(), &[args, &["--junit", "a.xml"]].concat(), signal, &there);
            assert_eq!(out.status.code(), Some(code), "{args:?}: {}", text(&out.stderr));
            let xml = std::fs::read_to_string(folder.path().join("a.xml")).unwrap();
            assert!(
                xml.contains(case) && xml.contains("<skipped message=\"interrupted\""),
                "{args:?}: {xml}"
            );
        }
        let folder = tempfile::tempdir().unwrap();
        let more = ["--engine", "cmd=/no/such/engine", "--junit", "a.xml", "--out", "none"];
        let (code, _, stderr) =
            ended(folder.path(), &[&args[..if args[0] == "run" { 2 } else { 1 }], &more].concat());
        assert_eq!(code, Some(4), "{stderr}");
        let xml = std::fs::read_to_string(folder.path().join("a.xml")).unwrap();
        assert!(xml.contains("<failure message=") && xml.contains("/no/such/engine"), "{args:?}: {xml}");
    }
}
