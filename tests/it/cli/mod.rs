//! The binary as scripts see it: last lines, exit codes, one clear line for anything wrong, never a panic.

mod bad_input;
#[cfg(target_os = "linux")]
mod beside;
mod check_cases;
#[cfg(target_os = "linux")]
mod compliance;
#[cfg(target_os = "linux")]
mod endless;
#[cfg(target_os = "linux")]
mod faults;
#[cfg(unix)]
mod games;
#[cfg(unix)]
mod gate;
#[cfg(unix)]
mod gate_baseline;
mod habits;
#[cfg(unix)]
mod interrupts;
#[cfg(target_os = "linux")]
mod leaks;
#[cfg(unix)]
mod live;
mod locate;
mod magics;
mod notation;
#[cfg(target_os = "linux")]
mod ponder;
mod rate;
#[cfg(unix)]
mod resume;
mod run;
#[cfg(target_os = "linux")]
mod speed;
mod stats;
mod study;
#[cfg(target_os = "linux")]
mod threads;
mod tournament;
mod verbs;
#[cfg(target_os = "linux")]
mod xboard;

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs the binary in an empty folder.
fn gauntlet(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gauntlet"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("the binary starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// `key=value` of a summary line; the head and words without `=` are left out.
fn fields(line: &str) -> HashMap<String, String> {
    let pairs = line.split_whitespace().filter_map(|word| word.split_once('='));
    pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

/// It failed as documented: this code, one line on stderr that holds these words, nothing on stdout.
fn refused(args: &[&str], code: i32, words: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    refused_in(folder.path(), args, code, words);
}

fn refused_in(folder: &Path, args: &[&str], code: i32, words: &[&str]) {
    let out = gauntlet(folder, args);
    let (stdout, stderr) = (text(&out.stdout), text(&out.stderr));
    assert_eq!(out.status.code(), Some(code), "{args:?}: {stderr}");
    assert_eq!(stderr.lines().count(), 1, "{args:?}: {stderr}");
    assert!(!stderr.contains("panicked") && !stderr.contains("internal error"), "{args:?}: {stderr}");
    for word in words {
        assert!(stderr.contains(word), "{args:?}: `{word}` is not in: {stderr}");
    }
    assert_eq!(stdout, "", "{args:?}");
}

#[test]
fn help_and_version_go_to_stdout() {
    let folder = tempfile::tempdir().unwrap();
    for args in [&["--help"][..], &["perft", "--help"], &["stats", "llr", "--help"], &["--version"]] {
        let out = gauntlet(folder.path(), args);
        assert_eq!(out.status.code(), Some(0), "{args:?}");
        assert!(!out.stdout.is_empty() && out.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn a_wrong_command_line_is_one_line_and_exit_2() {
    refused(&[], 2, &["gauntlet --help"]);
    refused(&["perfd"], 2, &["perfd", "perft"]);
    refused(&["perft", "--dpeth", "3"], 2, &["--dpeth", "--depth"]);
    refused(&["perft", "--depth", "x"], 2, &["--depth", "x"]);
    refused(&["run", "--format", "yaml"], 2, &["--format", "yaml", "json"]);
    refused(&["run", "--quick", "--full"], 2, &["--quick", "--full"]);
    refused(&["perft", "--seed", "18446744073709551615"], 2, &["--seed"]);
    refused(&["perft", "--threads", "99999"], 2, &["--threads"]);
    refused(&["perft", "--concurrency", "99999"], 2, &["--concurrency"]);
}

#[test]
fn a_wrong_configuration_names_file_line_and_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gauntlet.toml");
    let cases: [(&str, &[&str]); 6] = [
        ("[perft]\ndpeth = 3\n", &["gauntlet.toml:2:", "`dpeth`", "`depth`"]),
        ("\n[perfd]\n", &["gauntlet.toml:2:", "`perfd`", "`perft`"]),
        ("[perft\n", &["gauntlet.toml:1:"]),
        ("[perft]\ndepth = \"deep\"\n", &["gauntlet.toml:2:", "deep"]),
        ("[common]\nquiet = 1\n", &["gauntlet.toml:2:", "boolean"]),
        ("[perft]\ndepth = -1\n", &["gauntlet.toml:2:", "-1"]),
    ];
    for (content, words) in cases {
        std::fs::write(&path, content).unwrap();
        refused_in(folder.path(), &["perft", "--depth", "1"], 2, words);
    }
    refused(&["perft", "--config", "missing.toml"], 2, &["missing.toml"]);
    refused(&["perft", "--plan", "missing.toml"], 2, &["missing.toml"]);
}
