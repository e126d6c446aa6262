//! `--threads` is the number of threads inside one task: those that a verb has are counted while it runs.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The most threads seen at once in the first second and a half. The process is ended then.
fn threads(args: &[&str]) -> usize {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("study.toml"),
        "name = \"x\"\ntrial = \"hash-collisions\"\n[factors]\nsource = [\"games\"]\nbits = [16]\nkeys = [\"zobrist\", \"bch\"]\n\
         [limits]\npositions = 20000\ndraws = 1000\n",
    )
    .unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_gauntlet"))
        .args(args)
        .args(["--out", "none"])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let mut most = 0;
    while start.elapsed() < Duration::from_millis(1500) {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", child.id())).map_or(0, Iterator::count);
        most = most.max(tasks);
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(child.try_wait().unwrap().is_none(), "{args:?}: over too early to tell");
    child.kill().unwrap();
    child.wait().unwrap();
    most
}

#[test]
fn no_verb_starts_more_than_it_is_allowed() {
    // The counting thread, the one that watches, the one that waits for signals.
    let alone = threads(&["perft", "--depth", "12"]);
    assert!(alone <= 3, "{alone}");
    for (args, more) in [
        (&["perft", "--depth", "12", "--concurrency", "5"][..], 0),
        (&["perft", "--depth", "12", "--threads", "3"], 3),
        (&["perft", "--depth", "12", "--engine", "embedded", "--concurrency", "5"], 0),
        (&["perft", "--depth", "12", "--divide", "--engine", "embedded"], 0),
        (&["perft", "--depth", "12", "--locate", "--engine", "embedded", "--concurrency", "5"], 0),
        (&["perft", "--depth", "12", "--locate", "--engine", "embedded", "--threads", "3"], 3),
        // Its hashing is done in threads of its own.
        (&["study", "study.toml", "--concurrency", "5"], 1),
        (&["study", "study.toml", "--threads", "3"], 3),
    ] {
        assert_eq!(threads(args), alone + more, "{args:?}");
    }
}

/// Several threads do not search the same nodes twice: their sum is no signature.
#[test]
fn a_bench_of_several_threads_says_that_it_cannot_be_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let engine = format!("cmd={},arg=uci,name=e", env!("CARGO_BIN_EXE_gauntlet"));
    for (spec, told) in [(engine.clone(), false), (format!("{engine},threads=2"), true)] {
        let out =
            super::gauntlet(folder.path(), &["bench", "--engine", &spec, "--depth", "2", "--out", "none"]);
        assert_eq!(out.status.code(), Some(0), "{spec}");
        let stderr = super::text(&out.stderr);
        assert_eq!(stderr.contains("e searches with 2 threads: the nodes"), told, "{stderr}");
    }
}
