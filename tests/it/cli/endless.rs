//! Files that are empty, that have no end, or are larger than any of their kind: one line, exit 2, and never more memory than the
//! bound; wherever a file can be named.

use super::{gauntlet, refused_in, text};
use std::fs::File;
use std::path::Path;

/// No disk is needed for it: a hole.
const GIGABYTES: u64 = 8 << 30;

const GAMES: [&str; 9] = [
    "match",
    "--engine",
    "embedded:name=a",
    "--engine",
    "embedded:name=b",
    "--each",
    "depth=1",
    "--pairs",
    "1",
];

/// Every verb with a file of its kind; `FILE` stands for it.
const READERS: [&[&str]; 12] = [
    &["perft", "--depth", "1", "--config", "FILE"],
    &["perft", "--plan", "FILE"],
    &["perft", "--suite", "FILE"],
    &["tactics", "FILE"],
    &["symmetry", "FILE"],
    &["bench", "--depth", "1", "--engine", "@FILE"],
    &["study", "FILE"],
    &["gate", "--new", "embedded", "--baseline", "FILE"],
    &["check", "--pgn", "FILE"],
    &["rate", "FILE"],
    &["magics", "--scheme", "fancy", "--from", "FILE", "--seconds", "1"],
    &["uci", "--config", "FILE"],
];

fn refused_for(folder: &Path, args: &[&str], file: &str, words: &[&str]) {
    let args: Vec<String> = args.iter().map(|arg| arg.replace("FILE", file)).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    refused_in(folder, &args, 2, &[&[file], words].concat());
}

#[test]
fn what_has_no_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    File::create(folder.path().join("large")).unwrap().set_len(GIGABYTES).unwrap();
    for args in READERS {
        for file in ["/dev/zero", "large"] {
            refused_for(folder.path(), args, file, &["more than"]);
        }
    }
    for format in ["epd", "pgn", "polyglot,plies=4"] {
        let openings = format!("file=FILE,format={format}");
        let args = [&GAMES[..], &["--openings", &openings, "--out", "none"]].concat();
        refused_for(folder.path(), &args, "large", &["more than"]);
    }
    refused_for(
        folder.path(),
        &[&GAMES[..], &["--openings", "file=FILE,format=epd", "--out", "none"]].concat(),
        "/dev/zero",
        &["more than"],
    );
    // What is read line by line has a finding there, and ends.
    let out = gauntlet(folder.path(), &["check", "--epd", "/dev/zero"]);
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stdout).contains("a line of more than"), "{}", text(&out.stdout));
    // The settings of a folder, and what a run folder holds.
    let run = folder.path().join("run");
    std::fs::create_dir(&run).unwrap();
    for name in ["header.json", "plan.toml"] {
        std::os::unix::fs::symlink("/dev/zero", run.join(name)).unwrap();
    }
    refused_in(folder.path(), &["report", "run"], 2, &["header.json", "more than"]);
    refused_in(folder.path(), &["match", "--resume", "run"], 2, &["plan.toml", "more than"]);
    std::fs::rename(folder.path().join("large"), folder.path().join("gauntlet.toml")).unwrap();
    refused_in(folder.path(), &["perft", "--depth", "1"], 2, &["gauntlet.toml", "more than"]);
}

/// A pipe that somebody writes to for ever.
#[test]
fn a_pipe_without_an_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut writer = std::process::Command::new("sh")
        .args(["-c", "exec yes '# a comment' > pipe"])
        .current_dir(folder.path())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    refused_in(
        folder.path(),
        &["gate", "--new", "embedded", "--baseline", "pipe"],
        2,
        &["pipe", "more than 16 MiB"],
    );
    writer.wait().unwrap();
}

/// A file of positions without one.
#[test]
fn empty_files_are_bad_input() {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in [("none.epd", ""), ("blank.epd", "\n \n# nothing\n")] {
        std::fs::write(folder.path().join(name), content).unwrap();
        let openings = ["--openings", "file=FILE,format=epd", "--out", "none"];
        for args in [
            &["perft", "--suite", "FILE", "--out", "none"][..],
            &["tactics", "FILE", "--out", "none"],
            &["symmetry", "FILE", "--out", "none"],
            &["symmetry", "FILE", "--engine", "embedded", "--depth", "2", "--out", "none"],
            &[&GAMES[..], &openings].concat(),
        ] {
            refused_for(folder.path(), args, name, &[]);
        }
        for stage in ["perft", "symmetry", "suites"] {
            std::fs::write(folder.path().join("gate.toml"), format!("[gate.{stage}]\nfiles = ['{name}']\n"))
                .unwrap();
            let gate =
                ["gate", "--new", "embedded", "--base", "embedded", "--out", "none", "--config", "gate.toml"];
            refused_in(folder.path(), &gate, 2, &[name]);
        }
    }
}
