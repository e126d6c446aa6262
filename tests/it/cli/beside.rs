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

/// A verb with the flags for files that it writes, and what it reads from `kept`.
struct Writer<'a> {
    args: Vec<&'a str>,
    flags: &'a [&'a str],
    kept: String,
}

const GAMES: &[&str] = &["--pgn", "--final-positions", "--events", "--log"];
const POSITIONS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"a\"; D1 20;\n";
const SETTINGS: &str = "[common]\nseed = 1\n[perft]\ndepth = 1\n";
const STUDY: &str = include_str!("../../../suites/studies/depth-ladder.toml");

fn writers<'a>(folder: &Path, engine: &'a str) -> Vec<Writer<'a>> {
    let games = ["--engine", "embedded:name=a", "--engine", "embedded:name=b", "--each", "depth=1"];
    let book = ["--openings", "file=kept,format=epd"];
    let gate = ["gate", "--new", "embedded", "--stages", "signature", "--baseline", "kept"];
    let made = gauntlet(folder, &[&gate[..], &["--update-baseline", "--out", "none"]].concat());
    assert!(made.status.success(), "{}", text(&made.stderr));
    let baseline = std::fs::read_to_string(folder.join("kept")).unwrap();
    let writer = |args: &[&'a str], flags: &'a [&'a str], kept: &str| Writer {
        args: args.to_vec(),
        flags,
        kept: kept.to_owned(),
    };
    let log = &["--log"];
    vec![
        writer(&[&["match", "--pairs", "1"], &games[..], &book].concat(), GAMES, POSITIONS),
        writer(
            &[&["match", "--pairs", "1", "--engine", "embedded:name=c"], &games[..], &book].concat(),
            GAMES,
            POSITIONS,
        ),
        writer(&[&["sprt", "--elo0=0", "--elo1=5"], &games[..], &book].concat(), GAMES, POSITIONS),
        writer(&gate, &["--junit", "--summary", "--log"], &baseline),
        writer(&["run", "--quick", "--config", "kept"], &["--junit", "--log"], SETTINGS),
        writer(&["compliance", "--engine", engine, "--config", "kept"], &["--junit", "--log"], SETTINGS),
        writer(&["perft", "--engine", engine, "--config", "kept"], log, SETTINGS),
        writer(&["perft", "--engine", engine, "--suite", "kept"], log, POSITIONS),
        writer(&["tactics", "kept", "--engine", engine, "--depth", "1"], log, POSITIONS),
        writer(&["symmetry", "kept", "--engine", engine, "--depth", "1"], log, POSITIONS),
        writer(&["bench", "--engine", "@kept", "--depth", "1"], log, "name = 'weak'\n"),
        writer(&["study", "kept"], log, STUDY),
        writer(
            &["rate", "kept"],
            &["--crosstable"],
            "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1-0\n",
        ),
    ]
}

/// Under whatever spelling: the one would hold pieces of the other. What was there before stays.
#[test]
fn one_file_is_not_written_twice_nor_over_what_is_read() {
    let engine = own("engine", "");
    let outside = tempfile::tempdir().unwrap();
    for Writer { args, flags, kept } in writers(outside.path(), &engine) {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("kept"), &kept).unwrap();
        std::os::unix::fs::symlink("kept", at("link")).unwrap();
        std::os::unix::fs::symlink("new", at("to-new")).unwrap();
        std::fs::hard_link(at("kept"), at("hard")).unwrap();
        let refused = |more: &[&str], word: &str| {
            let all = [&args[..], &["--out", "none", "--quiet"], more].concat();
            refused_in(folder.path(), &all, 2, &["the same run", word, "this file"]);
        };
        for (index, &flag) in flags.iter().enumerate() {
            for name in ["kept", "./kept", "link", "hard"] {
                refused(&[flag, name], "");
                assert_eq!(std::fs::read_to_string(at("kept")).unwrap(), kept, "{args:?} {flag}");
            }
            for &other in &flags[index + 1..] {
                for (there, name) in [(true, "./new"), (false, "to-new"), (true, "to-new")] {
                    let _ = std::fs::remove_file(at("new"));
                    if there {
                        std::fs::write(at("new"), "precious").unwrap();
                    }
                    refused(&[flag, "new", other, name], "writes");
                    let left = std::fs::read_to_string(at("new")).unwrap();
                    assert_eq!(left, if there { "precious" } else { "" }, "{args:?} {flag} {other}");
                }
            }
        }
    }
    // The settings of the folder are read unasked.
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("gauntlet.toml");
    std::fs::write(&settings, SETTINGS).unwrap();
    let perft = ["perft", "--engine", &engine, "--log", "gauntlet.toml", "--out", "none"];
    refused_in(folder.path(), &perft, 2, &["gauntlet.toml: the same run reads this file"]);
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), SETTINGS);
}

/// One that nobody reads would be waited for, and signals with it.
#[test]
fn a_pipe_that_nobody_reads_is_refused() {
    let engine = own("engine", "");
    let outside = tempfile::tempdir().unwrap();
    for Writer { args, flags, kept } in writers(outside.path(), &engine) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("kept"), &kept).unwrap();
        mknodat(CWD, folder.path().join("pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        for flag in flags {
            let args = [&args[..], &["--out", "none", "--quiet", flag, "pipe"]].concat();
            refused_in(folder.path(), &args, 2, &["pipe: a pipe that nobody reads"]);
        }
    }
}

fn of_two<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let games = ["match", "--engine", "embedded:name=a", "--engine", "embedded:name=b", "--each", "depth=1"];
    [&games[..], &["--maxmoves", "4", "--pairs", "2", "--quiet"], more].concat()
}

/// What ends before its first game leaves the games of yesterday where they are.
#[test]
fn a_run_that_does_not_begin_costs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.pgn");
    std::fs::write(&games, "precious").unwrap();
    mknodat(CWD, folder.path().join("pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    let missing = "cmd=/no/such/engine";
    for (more, code) in [
        (&["--out", "/proc/x"][..], 2),
        (&["--out", "none", "--events", "pipe"], 2),
        (&["--out", "none", "--events", "none/x"], 2),
        (&["--out", "none", "--log", "none/x"], 2),
        (&["--out", "none", "--engine", missing], 4),
    ] {
        let (exit, _, stderr) = ended(folder.path(), &of_two(&[&["--pgn", "games.pgn"], more].concat()));
        assert_eq!(exit, Some(code), "{more:?}: {stderr}");
        assert_eq!(std::fs::read_to_string(&games).unwrap(), "precious", "{more:?}");
    }
    let (exit, _, stderr) = ended(folder.path(), &of_two(&["--pgn", "games.pgn", "--out", "none"]));
    assert_eq!(exit, Some(0), "{stderr}");
    let written = std::fs::read_to_string(&games).unwrap();
    assert!(written.starts_with("[Event") && written.matches("[White ").count() == 4, "{written}");
}

/// The record of a run that is gone on with is no file to write to, and what cannot be written is told before a game is played.
#[test]
fn a_run_that_is_gone_on_with_keeps_its_record() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let all = ["rows.jsonl", "plan.toml", "header.json", "games.pgn"];
    let (exit, _, stderr) = ended(folder.path(), &of_two(&["--out", "run"]));
    assert_eq!(exit, Some(0), "{stderr}");
    let read = || all.map(|name| std::fs::read_to_string(run.join(name)).unwrap());
    let before = read();
    std::fs::write(folder.path().join("log"), "precious").unwrap();
    for flag in GAMES {
        for name in all {
            let inside = format!("run/{name}");
            refused_in(
                folder.path(),
                &of_two(&["--resume", "run", flag, &inside]),
                2,
                &["the same run reads"],
            );
        }
        let args = of_two(&["--resume", "run", flag, "none/x"]);
        refused_in(folder.path(), &args, 2, &["none/x"]);
    }
    let other = ["--resume", "run", "--log", "log", "--openings", "file=noob_3moves_sample.epd"];
    refused_in(folder.path(), &of_two(&other), 2, &["not a run of this plan"]);
    assert_eq!(std::fs::read_to_string(folder.path().join("log")).unwrap(), "precious");
    assert_eq!(read(), before);
    let (exit, _, stderr) = ended(folder.path(), &of_two(&["--resume", "run", "--label", "again"]));
    assert_eq!(exit, Some(0), "{stderr}");
    assert!(read()[2].contains("\"label\": \"again\""), "{}", read()[2]);
}

/// Standard output that is a file has what was asked for and what is said anyway, one behind the other.
#[test]
fn games_go_to_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all");
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_gauntlet"))
        .args(of_two(&["--pgn", "/dev/stdout", "--out", "none"]))
        .stdout(std::fs::File::create(&path).unwrap())
        .status()
        .unwrap();
    let written = std::fs::read_to_string(&path).unwrap();
    assert!(status.success() && written.matches("[White ").count() == 4, "{written}");
    assert!(written.lines().last().unwrap().starts_with("match: games=4 "), "{written}");
}

/// A folder that is taken away under a run costs what is in it, not what stands beside it.
#[test]
fn files_beside_a_lost_folder_are_written() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("gauntlet.toml"), "[gate.suites]\nnodes = 20000\n").unwrap();
    let args =
        ["gate", "--new", "embedded", "--base", "embedded:lmr=off,name=b", "--stages", "signature,suites"];
    let files = ["--junit", "a.xml", "--summary", "a.md", "--out", "run", "--quiet"];
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_gauntlet"))
        .args([&args[..], &files].concat())
        .current_dir(folder.path())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let rows = folder.path().join("run/rows.jsonl");
    while !std::fs::read_to_string(&rows).is_ok_and(|rows| rows.contains("\"kind\":\"tactics\"")) {
        assert!(child.try_wait().unwrap().is_none(), "it ended too early");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::fs::remove_dir_all(folder.path().join("run")).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2));
    for file in ["a.xml", "a.md"] {
        let written = std::fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(written.contains("signature") && written.contains("suites"), "{file}: {written}");
    }
}
