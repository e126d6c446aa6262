//! `--live`: real sockets against the running binary. What is looked at: the page and its events while games are played, many
//! who look on and some who never read, requests that are none, and that the games know nothing of it.

use super::{gauntlet, refused, text};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Two small engines, of which one searches more.
const ENGINES: [&str; 4] =
    ["--engine", "embedded:name=One,nodes=300", "--engine", "embedded:name=Two,nodes=100"];

/// A run with `--live 0`, in the folder `run`.
struct Running {
    child: Child,
    stderr: BufReader<ChildStderr>,
    address: SocketAddr,
    folder: tempfile::TempDir,
}

impl Running {
    fn start(args: &[&str]) -> Running {
        Running::with_files(args, 1024)
    }

    /// With so many files that may be open.
    fn with_files(args: &[&str], files: u32) -> Running {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new("sh")
            .args(["-c", &format!("ulimit -n {files}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_gauntlet")])
            .args(args)
            .args(["--live", "0", "--out", "run", "--quiet"])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("live: http://").and_then(|rest| rest.strip_suffix('/'));
        let address = address.unwrap_or_else(|| panic!("no address in: {line}")).parse().unwrap();
        Running { child, stderr, address, folder }
    }

    /// A match without end.
    fn endless() -> Running {
        Running::start(&[&["match", "--pairs", "1000000"][..], &ENGINES].concat())
    }

    fn run(&self) -> PathBuf {
        self.folder.path().join("run")
    }

    fn open(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Head and body of the answer to these bytes.
    fn answer(&self, request: &[u8]) -> (String, String) {
        let mut stream = self.open();
        // It may be refused before all of it is sent.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = text(&answer);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {answer}"));
        (head.to_owned(), body.to_owned())
    }

    fn get(&self, path: &str) -> (String, String) {
        self.answer(format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.address).as_bytes())
    }

    fn status(&self, request: &[u8]) -> String {
        let (head, _) = self.answer(request);
        head.split(' ').nth(1).unwrap_or_default().to_owned()
    }

    fn events(&self, after: &str) -> Events {
        let mut stream = self.open();
        write!(stream, "GET /events HTTP/1.1\r\nHost: {}\r\nLast-Event-ID: {after}\r\n\r\n", self.address)
            .unwrap();
        let mut events = Events { lines: BufReader::new(stream) };
        assert_eq!(events.line(), "HTTP/1.1 200 OK");
        while !events.line().is_empty() {}
        assert_eq!((events.line().as_str(), events.line().as_str()), ("retry: 2000", ""));
        events
    }

    fn signal(&self, signal: &str) {
        assert!(
            Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap().success()
        );
    }

    /// Waits for its end.
    fn end(mut self) -> (Output, tempfile::TempDir) {
        let mut stderr = Vec::new();
        self.stderr.read_to_end(&mut stderr).unwrap();
        let out = self.child.wait_with_output().unwrap();
        (Output { stderr, ..out }, self.folder)
    }
}

struct Events {
    lines: BufReader<TcpStream>,
}

#[derive(Debug)]
struct Event {
    id: String,
    name: String,
    data: Value,
}

impl Events {
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        line.trim_end_matches(['\r', '\n']).to_owned()
    }

    /// The next one; none where the connection ends.
    fn next(&mut self) -> Option<Event> {
        let mut event = Event { id: String::new(), name: String::new(), data: Value::Null };
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            match line.trim_end().split_once(": ") {
                Some(("id", id)) => event.id = id.to_owned(),
                Some(("event", name)) => event.name = name.to_owned(),
                Some(("data", data)) => event.data = serde_json::from_str(data).unwrap(),
                _ if event.name.is_empty() => {}
                _ => return Some(event),
            }
        }
    }
}

fn names(event: &Event) -> Vec<&str> {
    event.data["order"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

#[test]
fn the_page_is_there_and_follows_the_games() {
    let running = Running::endless();
    let (head, page) = running.get("/");
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n") && head.contains("text/html"), "{head}");
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>"), "{page}");
    let mark = page.split("data-mark=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    // Behind what the page shows: only what has changed.
    let mut events = running.events(mark);
    let first = loop {
        let event = events.next().unwrap();
        if names(&event).contains(&"match") {
            break event;
        }
    };
    assert_eq!(first.name, "update");
    for name in ["verdict", "latest", "match", "games", "run", "reading"] {
        assert!(names(&first).contains(&name), "{name}: {:?}", names(&first));
    }
    let second = events.next().unwrap();
    let parts = second.data["parts"].as_object().unwrap();
    assert!(parts.contains_key("verdict") && parts.contains_key("latest"), "{:?}", parts.keys());
    assert!(!parts.contains_key("run"), "what has not changed is not sent again");
    assert!(second.data["title"].as_str().unwrap().contains("pairs"));
    // Who had the first has the same of the second; who comes from elsewhere gets all.
    assert_eq!(running.events(&first.id).next().unwrap().data["order"], second.data["order"]);
    let all = running.events("elsewhere-3").next().unwrap();
    assert_eq!(all.data["parts"].as_object().unwrap().len(), names(&all).len());
    let (head, state) = running.get("/report.json");
    assert!(head.contains("application/json"), "{head}");
    let state: Value = serde_json::from_str(&state).unwrap();
    assert_eq!((&state["state"], &state["verb"]), (&"playing".into(), &"match".into()));
    assert_eq!(state["planned-pairs"], 1_000_000);
    let m = &state["matches"][0];
    let games = ["wins", "draws", "losses"].map(|name| m[name].as_u64().unwrap()).iter().sum::<u64>();
    assert_eq!(games, 2 * state["pairs"].as_u64().unwrap());
    running.signal("-INT");
    let sent = Instant::now();
    let mut last = Vec::new();
    while let Some(event) = events.next() {
        last.push(event);
    }
    let (out, folder) = running.end();
    assert_eq!(out.status.code(), Some(130), "{}", text(&out.stderr));
    assert!(sent.elapsed() < Duration::from_secs(20), "{:?}", sent.elapsed());
    // The report as it is in the folder.
    let done = last.pop().unwrap();
    assert_eq!(done.name, "done");
    let report = std::fs::read_to_string(folder.path().join("run/report.html")).unwrap();
    assert_eq!(done.data["page"].as_str(), Some(report.as_str()));
    let final_parts = last.pop().unwrap();
    assert!(!names(&final_parts).contains(&"latest"));
    assert!(final_parts.data["parts"]["verdict"].as_str().unwrap().contains("INCOMPLETE"));
}

#[test]
fn fifty_look_on_and_ten_of_them_never_read() {
    let running = Running::endless();
    let silent: Vec<TcpStream> = (0..10)
        .map(|_| {
            let mut stream = running.open();
            stream.write_all(b"GET /events HTTP/1.1\r\n\r\n").unwrap();
            stream
        })
        .collect();
    let threads: Vec<_> = (0..40)
        .map(|_| {
            let mut events = running.events("");
            std::thread::spawn(move || {
                let (mut updates, mut done) = (0, 0);
                while let Some(event) = events.next() {
                    updates += u32::from(event.name == "update");
                    done += u32::from(event.name == "done");
                }
                (updates, done)
            })
        })
        .collect();
    // By another one who looks on: games go on while the others are there.
    let mut watching = running.events("");
    let pairs = || -> u64 {
        let state: Value = serde_json::from_str(&running.get("/report.json").1).unwrap();
        state["pairs"].as_u64().unwrap()
    };
    watching.next().unwrap();
    let before = pairs();
    (0..3).for_each(|_| drop(watching.next().unwrap()));
    assert!(pairs() > before);
    running.signal("-TERM");
    for thread in threads {
        let (updates, done) = thread.join().unwrap();
        assert!(updates >= 3 && done == 1, "{updates} updates, {done} done");
    }
    drop(silent);
    assert_eq!(running.end().0.status.code(), Some(143));
}

/// Engines of a tournament are started again and again: those who look on leave them the files they need.
#[test]
fn who_looks_on_takes_no_file_from_the_games() {
    let own = |name: &str| format!("cmd={},arg=uci,name={name},nodes=50", env!("CARGO_BIN_EXE_gauntlet"));
    let names = [own("A"), own("B"), own("C")];
    let engines: Vec<&str> = names.iter().flat_map(|spec| ["--engine", spec.as_str()]).collect();
    let running =
        Running::with_files(&[&["match", "--pairs", "4", "--concurrency", "2"][..], &engines].concat(), 64);
    let silent: Vec<Option<TcpStream>> = (0..80)
        .map(|_| {
            let mut stream = TcpStream::connect(running.address).ok()?;
            stream.write_all(b"GET /events HTTP/1.1\r\n\r\n").ok().map(|()| stream)
        })
        .collect();
    let (out, _folder) = running.end();
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    assert!(text(&out.stdout).contains("engines=3 games=24 "), "{}", text(&out.stdout));
    drop(silent);
}

#[test]
fn what_is_no_request_for_the_page_is_refused() {
    let running = Running::endless();
    assert_eq!(running.status(b"GET / HTTP/1.1\r\n\r\n"), "200");
    assert_eq!(running.status(b"GET /games.pgn HTTP/1.1\r\n\r\n"), "404");
    assert_eq!(running.status(b"GET /%2e%2e/header.json HTTP/1.1\r\n\r\n"), "404");
    assert_eq!(running.status(b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello"), "405");
    assert_eq!(running.status(b"DELETE /events HTTP/1.1\r\n\r\n"), "405");
    assert_eq!(running.status(b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03\r\n\r\n"), "400");
    assert_eq!(running.status(b"GET / HTTP/1.1\r\nHost: rebound.example\r\n\r\n"), "421");
    let long = [b"GET / HTTP/1.1\r\nX: ", &[b'a'; 1 << 20][..], b"\r\n\r\n"].concat();
    assert_eq!(running.status(&long), "431");
    let (head, body) = running.answer(b"HEAD / HTTP/1.1\r\n\r\n");
    assert!(head.starts_with("HTTP/1.1 200 ") && body.is_empty());
    // Byte by byte is a request, too.
    let mut stream = running.open();
    for byte in b"GET /report.json HTTP/1.1\r\n\r\n" {
        stream.write_all(&[*byte]).unwrap();
    }
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    running.signal("-INT");
    assert_eq!(running.end().0.status.code(), Some(130));
}

/// Who comes and goes leaves nothing behind.
#[cfg(target_os = "linux")]
#[test]
fn no_file_is_left_open() {
    let running = Running::endless();
    let files = || std::fs::read_dir(format!("/proc/{}/fd", running.child.id())).unwrap().count();
    running.get("/");
    let before = files();
    for round in 0..60 {
        let mut stream = running.open();
        match round % 4 {
            0 => drop(running.get("/")),
            1 => stream.write_all(b"GET /events HTTP/1.1\r\n\r\n").unwrap(),
            2 => stream.write_all(b"GET / HT").unwrap(),
            _ => {}
        }
    }
    let start = Instant::now();
    while files() > before {
        assert!(start.elapsed() < Duration::from_secs(60), "{} files, {before} before", files());
        std::thread::sleep(Duration::from_millis(20));
    }
    running.signal("-INT");
    running.end();
}

/// The moves and results of all games, and what a pair came to.
fn played(run: &Path) -> Vec<String> {
    let rows = std::fs::read_to_string(run.join("rows.jsonl")).unwrap();
    let rows = rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap());
    rows.map(|mut row| {
        // Times are all that may differ.
        for key in ["duration_us", "started", "time_ms"] {
            row[key] = Value::Null;
        }
        for ply in row["plies"].as_array_mut().into_iter().flatten() {
            ply.as_object_mut().unwrap().retain(|key, _| ["m", "s", "d", "n"].contains(&key.as_str()));
        }
        row.to_string()
    })
    .collect()
}

#[test]
fn the_games_are_the_same_with_and_without() {
    let tournament = [&ENGINES[..], &["--engine", "embedded:name=Three,nodes=50"]].concat();
    let verbs: [&[&str]; 3] = [
        &[&["match", "--pairs", "3"][..], &ENGINES].concat(),
        &[&["sprt", "--max-pairs", "4", "--elo0", "0", "--elo1", "5"][..], &ENGINES].concat(),
        &[&["match", "--pairs", "1"][..], &tournament].concat(),
    ];
    for args in verbs {
        let running = Running::start(args);
        let mut events = running.events("");
        while events.next().is_some() {}
        let run = running.run();
        let (out, folder) = running.end();
        let plain = tempfile::tempdir().unwrap();
        let other = gauntlet(plain.path(), &[args, &["--out", "run", "--quiet"]].concat());
        assert_eq!(out.status.code(), other.status.code(), "{args:?}: {}", text(&out.stderr));
        assert_eq!(text(&out.stdout), text(&other.stdout), "{args:?}");
        assert_eq!(played(&run), played(&plain.path().join("run")), "{args:?}");
        let plan = |folder: &Path| std::fs::read_to_string(folder.join("run/plan.toml")).unwrap();
        assert_eq!(plan(folder.path()), plan(plain.path()), "{args:?}");
    }
}

#[test]
fn an_address_that_cannot_be_had_is_told_before_any_game() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let games = [&["match", "--pairs", "1", "--out", "run", "--live"][..]].concat();
    refused(&[&games[..], &[address.as_str()], &ENGINES].concat(), 2, &["--live", &address, "in use"]);
    refused(&[&games[..], &["nonsense"], &ENGINES].concat(), 2, &["--live", "nonsense", "8080"]);
    refused(&[&games[..], &["::1:80"], &ENGINES].concat(), 2, &["--live", "brackets"]);
    let folder = tempfile::tempdir().unwrap();
    gauntlet(folder.path(), &[&games[..], &[address.as_str()], &ENGINES].concat());
    assert!(!folder.path().join("run").exists());
}

/// A match that is gone on with shows what was played before.
#[test]
fn a_run_that_is_taken_up_again_shows_all_of_it() {
    let first = Running::endless();
    let mut events = first.events("");
    while !events.next().is_some_and(|event| names(&event).contains(&"match")) {}
    first.signal("-INT");
    let (_, folder) = first.end();
    let rows = std::fs::read_to_string(folder.path().join("run/rows.jsonl")).unwrap();
    let pairs = rows.lines().filter(|row| row.contains("\"kind\":\"pair\"")).count() as u64;
    assert!(pairs > 0);
    let run = folder.path().join("run");
    let again = Running::start(
        &[&["match", "--resume", run.to_str().unwrap(), "--pairs", "1000000"][..], &ENGINES].concat(),
    );
    let state: Value = serde_json::from_str(&again.get("/report.json").1).unwrap();
    assert!(state["pairs"].as_u64().unwrap() >= pairs, "{state}");
    again.signal("-INT");
    assert_eq!(again.end().0.status.code(), Some(130));
}
