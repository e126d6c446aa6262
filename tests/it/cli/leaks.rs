//! Many games with an engine that crashes again and again: nothing may be left of it in the runner while it goes on, no open
//! file, no zombie, no thread. `.ci/crashes` plays ten thousand of them.

use super::interrupts::faulty;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn entries(folder: &Path) -> usize {
    std::fs::read_dir(folder).map_or(0, |entries| entries.count())
}

/// Children of a process, and how many of them are dead but not buried.
fn children(pid: u32) -> (usize, usize) {
    let mut found = (0, 0);
    for process in std::fs::read_dir("/proc").unwrap().flatten() {
        let stat = std::fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        // The name may hold blanks and brackets: state and parent stand behind the last bracket.
        let mut words = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let (state, parent) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        if parent == pid.to_string() {
            found.0 += 1;
            found.1 += usize::from(state == "Z");
        }
    }
    found
}

struct Most {
    files: usize,
    threads: usize,
    children: usize,
    zombies: usize,
}

/// Looks at the runner until it ends.
fn watch(runner: &mut Child) -> Most {
    let process = Path::new("/proc").join(runner.id().to_string());
    let mut most = Most { files: 0, threads: 0, children: 0, zombies: 0 };
    let mut zombies_before = 0;
    while runner.try_wait().unwrap().is_none() {
        let (children, zombies) = children(runner.id());
        most.files = most.files.max(entries(&process.join("fd")));
        most.threads = most.threads.max(entries(&process.join("task")));
        most.children = most.children.max(children);
        // One that has just died is buried a moment later.
        most.zombies = most.zombies.max(zombies.min(zombies_before));
        zombies_before = zombies;
        std::thread::sleep(Duration::from_millis(2));
    }
    most
}

#[test]
fn crashes_leave_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let engine = faulty("crash@3", "Crashing");
    let mut runner = Command::new(env!("CARGO_BIN_EXE_gauntlet"))
        .args(["match", "--engine", "embedded", "--engine", &engine, "--each", "nodes=20", "--pairs", "40"])
        .args(["--recover", "--concurrency", "2", "--out", "run", "--quiet"])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let most = watch(&mut runner);
    assert!(runner.wait().unwrap().success());
    let rows = std::fs::read_to_string(folder.path().join("run/rows.jsonl")).unwrap();
    // Third moves do not come about.
    assert_eq!(rows.lines().filter(|row| row.contains("disconnects")).count(), 80);
    // Two engines with three pipes each, the files of the run, and what a starting process needs for a moment.
    assert!(most.files <= 32, "{} open files", most.files);
    assert!(most.threads <= 4, "{} threads", most.threads);
    assert!(most.children <= 2 && most.zombies <= 2, "{} children, {} zombies", most.children, most.zombies);
}
