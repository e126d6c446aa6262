//! SIGINT, SIGTERM and SIGHUP at awkward moments: while an engine starts, in the middle of one long count or search. The exit
//! code is 128 + signal, the run folder stays.

use super::text;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Our own server with this fault, as an engine SPEC.
pub fn faulty(fault: &str, name: &str) -> String {
    format!("cmd={},name={name},arg=uci,arg=--fault,arg={fault}", env!("CARGO_BIN_EXE_gauntlet"))
}

/// Runs the verb into `run`, sends the signal `after` its folder is there, and looks how it ends.
fn interrupted(folder: &Path, args: &[&str], signal: &str, after: Duration) -> (Output, Duration) {
    let there = || {
        let there = folder.join("run/header.json").is_file();
        if there {
            std::thread::sleep(after);
        }
        there
    };
    interrupted_when(folder, args, signal, &there)
}

/// The same as soon as `ready` says so.
pub fn interrupted_when(
    folder: &Path,
    args: &[&str],
    signal: &str,
    ready: &dyn Fn() -> bool,
) -> (Output, Duration) {
    let child = Command::new(env!("CARGO_BIN_EXE_gauntlet"))
        .args(args)
        .args(["--out", "run"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while !ready() {
        assert!(start.elapsed() < Duration::from_secs(60), "{args:?}: not ready");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    let sent = Instant::now();
    let out = child.wait_with_output().unwrap();
    (out, sent.elapsed())
}

fn kept(args: &[&str], after: Duration) {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let folder = tempfile::tempdir().unwrap();
        let (out, took) = interrupted(folder.path(), args, signal, after);
        let stderr = text(&out.stderr);
        assert_eq!(out.status.code(), Some(code), "{args:?}: {stderr}");
        assert!(stderr.contains("interrupted"), "{args:?}: {stderr}");
        // What is counted or started takes far longer; a busy machine may take its time all the same.
        assert!(took < Duration::from_secs(20), "{args:?}: {took:?}");
        let header = std::fs::read(folder.path().join("run/header.json")).unwrap();
        let header: Value = serde_json::from_slice(&header).unwrap();
        assert_eq!(header["complete"], false, "{args:?}");
        assert!(folder.path().join("run/report.html").is_file(), "{args:?}");
    }
}

#[test]
fn while_an_engine_starts() {
    let slow = faulty("slow-start", "Slow");
    let after = Duration::from_millis(300);
    let games = ["--engine", "embedded", "--engine", &slow, "--each", "nodes=100"];
    kept(&[&["match", "--pairs", "2"], &games[..]].concat(), after);
    kept(&["tactics", "bratko-kopec.epd", "--nodes", "100", "--engine", &slow], after);
    kept(&["run", "--quick", "--engine", &slow], after);
}

#[test]
fn in_the_middle_of_a_count() {
    let after = Duration::from_millis(300);
    kept(&["perft", "--depth", "12"], after);
    kept(&["perft", "--depth", "12", "--threads", "2"], after);
    kept(&["perft", "--depth", "12", "--divide"], after);
    kept(&["perft", "--depth", "12", "--divide", "--threads", "2"], after);
    kept(&["perft", "--depth", "12", "--bulk", "off"], after);
    kept(&["perft", "--depth", "12", "--engine", "embedded"], after);
    // Ours and the engine's; the latter alone; ours alone, while the engine has answered long ago.
    kept(&["perft", "--locate", "--depth", "12", "--engine", "embedded"], after);
    let quick = "cmd=/bin/sh,name=Quick,arg=-c,arg=while read line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; 'go perft 1') echo 20 nodes;; go*) echo 1 nodes;; quit) exit;; esac; done";
    kept(&["perft", "--locate", "--depth", "12", "--engine", quick], after);
    kept(&["perft", "--locate", "--depth", "12", "--engine", quick, "--threads", "2"], after);
    let own = format!("cmd={},arg=uci", env!("CARGO_BIN_EXE_gauntlet"));
    kept(&["perft", "--depth", "12", "--engine", &own], after);
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("long.epd");
    std::fs::write(
        &suite,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D12 62854969236701747\n",
    )
    .unwrap();
    kept(&["perft", "--suite", suite.to_str().unwrap()], after);
}

/// BR-086: two engines that think for a minute and heed nothing. The run ends within two seconds (more on a busy machine), what
/// was played is kept, and no engine is left.
#[cfg(target_os = "linux")]
#[test]
fn br_086_a_long_search_is_left_at_once() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().display();
        let deaf = |name: &str| format!("{},env.GAUNTLET_TEST={mark}", faulty("hang@4", name));
        let (one, two) = (deaf("One"), deaf("Two"));
        let args = ["match", "--engine", &one, "--engine", &two, "--each", "movetime=60000,depth=1"];
        let more = ["--pairs", "2", "--maxmoves", "3", "--concurrency", "2", "--log", "log"];
        // Each table: three moves of both, and the one that is thought about.
        let ready = || {
            let log = std::fs::read_to_string(folder.path().join("log")).unwrap_or_default();
            log.matches(" > go ").count() == 14
        };
        let (out, took) = interrupted_when(folder.path(), &[&args[..], &more].concat(), signal, &ready);
        assert_eq!(out.status.code(), Some(code), "{signal}: {}", text(&out.stderr));
        assert!(took < Duration::from_secs(5), "{signal}: {took:?}");
        assert_eq!(super::faults::left_over(folder.path()), 0, "{signal}: an engine is left");
        // One game of each table was over before they fell silent.
        let rows = std::fs::read_to_string(folder.path().join("run/rows.jsonl")).unwrap();
        let games = rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap());
        assert_eq!(games.filter(|row| row["kind"] == "game" && row["result"] != "*").count(), 2, "{rows}");
    }
}

/// A study made of matches, broken off in its second cell: the first is kept, and what was played of the second.
#[test]
fn in_the_middle_of_a_study_of_matches() {
    let study = "name = \"s\"\ntrial = \"match\"\n[factors]\nnodes = [20, 20000000]\n[match]\nfirst = \"embedded:nodes={nodes}\"\n\
         second = \"embedded:nodes=20\"\n[limits]\npairs = 2\nmaxmoves = 20\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("s.toml"), study).unwrap();
    let rows = || std::fs::read_to_string(folder.path().join("run/rows.jsonl")).unwrap_or_default();
    let ready = || rows().contains("\"plies\",\"value\"");
    let (out, took) = interrupted_when(folder.path(), &["study", "s.toml"], "-INT", &ready);
    assert_eq!(out.status.code(), Some(130), "{}", text(&out.stderr));
    assert!(took < Duration::from_secs(20), "{took:?}");
    let rows: Vec<Value> = rows().lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let count = |kind: &str| rows.iter().filter(|row| row["kind"] == kind).count();
    assert_eq!((count("pair"), count("match")), (2, 2));
    assert!(rows.iter().filter(|row| row["kind"] == "study").all(|row| row["cell"] == 0));
    assert!(folder.path().join("run/report.html").is_file());
}

/// Under `nohup` SIGHUP is nobody's affair.
#[cfg(target_os = "linux")]
#[test]
fn nohup_is_respected() {
    let folder = tempfile::tempdir().unwrap();
    let script = "trap '' HUP; exec \"$@\"";
    let mut child = Command::new("/bin/sh")
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_gauntlet"), "perft", "--depth", "6", "--out", "none"])
        .args(["--bulk", "off"])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // From the moment on at which the shell has become the program.
    let command = format!("/proc/{}/cmdline", child.id());
    while !std::fs::read(&command).unwrap().starts_with(env!("CARGO_BIN_EXE_gauntlet").as_bytes()) {
        std::thread::sleep(Duration::from_millis(5));
    }
    while child.try_wait().unwrap().is_none() {
        let _ = Command::new("kill").args(["-HUP", &child.id().to_string()]).stderr(Stdio::null()).status();
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
