//! Files beside a run that were asked for by name: what cannot be written is told, and is no success; what was measured is shown and
//! kept; of a run that is broken off they hold what there is.

use super::gauntlet;
use super::interrupts::interrupted_when;
use super::{refused_in, text};
use rustix::fs::{CWD, FileType, Mode, mknodat};
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
    let both = [&gate[..], &["--out", "none", "--quiet", "--summary", FULL, "--junit", FULL]].concat();
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

/// Every verb that writes files beside its run, with all flags for them, and a file that it reads with the name of its flag.
fn writers(engine: &str) -> Vec<(Vec<&str>, &[&str], [&str; 2])> {
    let games = ["--engine", "embedded:name=a", "--engine", "embedded:name=b", "--each", "depth=1"];
    let openings = ["--openings=file=kept,format=epd", "--openings"];
    let config = ["--config=kept", "--config"];
    let all = ["--pgn", "--final-positions", "--events", "--log"].as_slice();
    vec![
        ([&["match", "--pairs", "1"], &games[..]].concat(), all, openings),
        ([&["match", "--pairs", "1", "--engine", "embedded:name=c"], &games[..]].concat(), all, openings),
        ([&["sprt", "--elo0=0", "--elo1=5"], &games[..]].concat(), all, openings),
        (
            vec!["gate", "--new", "embedded", "--stages", "signature"],
            ["--junit", "--summary", "--log"].as_slice(),
            ["--baseline=kept", "--baseline"],
        ),
        (vec!["run", "--quick"], ["--junit", "--log"].as_slice(), config),
        (vec!["compliance", "--engine", engine], ["--junit", "--log"].as_slice(), config),
        (vec!["perft", "--engine", engine], ["--log"].as_slice(), config),
        (vec!["rate"], ["--crosstable"].as_slice(), ["kept", "FILE"]),
    ]
}

const KEPT: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n";

/// What can be read as what each of them expects of the file that it reads.
fn kept(folder: &Path, args: &[&str]) -> String {
    let mut text = if args[0] == "rate" {
        "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1-0\n".to_owned()
    } else {
        KEPT.to_owned()
    };
    if args[0] == "gate" {
        let made = gauntlet(
            folder,
            &[
                "gate",
                "--new",
                "embedded",
                "--baseline",
                "kept",
                "--update-baseline",
                "--stages",
                "signature",
                "--out",
                "none",
            ],
        );
        assert!(made.status.success(), "{}", super::text(&made.stderr));
        text = std::fs::read_to_string(folder.join("kept")).unwrap();
    } else if ["run", "compliance", "perft"].contains(&args[0]) {
        text = "[common]\nseed = 1\n".to_owned();
    }
    std::fs::write(folder.join("kept"), &text).unwrap();
    text
}

/// Under whatever spelling: the one would hold pieces of the other.
#[test]
fn one_file_is_not_written_twice_nor_over_what_is_read() {
    let engine = own("engine", "");
    for (args, flags, [input, named]) in writers(&engine) {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("kept", folder.path().join("link")).unwrap();
        let text = kept(folder.path(), &args);
        let base: Vec<&str> = [&args[..], &["--out", "none", "--quiet"]].concat();
        for (index, &flag) in flags.iter().enumerate() {
            for name in ["kept", "./kept", "link"] {
                refused_in(
                    folder.path(),
                    &[&base[..], &[input, flag, name]].concat(),
                    2,
                    &["one file for both", flag, named],
                );
                assert_eq!(
                    std::fs::read_to_string(folder.path().join("kept")).unwrap(),
                    text,
                    "{args:?} {flag}"
                );
            }
            for &other in &flags[index + 1..] {
                let input = if args[0] == "gate" { input } else { "--seed=1" };
                for name in ["./new", "new"] {
                    refused_in(
                        folder.path(),
                        &[&base[..], &[input, flag, "new", other, name]].concat(),
                        2,
                        &["one file for both", flag, other],
                    );
                }
                assert!(!folder.path().join("new").exists(), "{args:?} {flag} {other}");
            }
        }
    }
}

/// One that nobody reads would be waited for, and signals with it.
#[test]
fn a_pipe_that_nobody_reads_is_refused() {
    let engine = own("engine", "");
    for (args, flags, [input, _]) in writers(&engine) {
        let folder = tempfile::tempdir().unwrap();
        kept(folder.path(), &args);
        mknodat(CWD, folder.path().join("pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        for flag in flags {
            let input = if args[0] == "rate" || args[0] == "gate" { input } else { "--seed=1" };
            let args = [&args[..], &["--out", "none", "--quiet", input, flag, "pipe"]].concat();
            refused_in(folder.path(), &args, 2, &["pipe: a pipe that nobody reads"]);
        }
    }
}
