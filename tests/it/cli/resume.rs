//! A match or a test that is killed again and again, at any moment, and gone on with: in the end its record is that of one
//! that was left alone. Fixed nodes, so that every game is what it was.

use super::{fields, gauntlet, refused_in, text};
use gauntlet::stats::SplitMix64;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const BASE: &str = "embedded:name=base,nodes=40";
const WEAK: &str = "embedded:name=weak,nodes=40,preset=material";

/// A book of openings that differ.
const BOOK: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkb1r/pppppppp/5n2/8/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - 0 2
rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
";

fn sprt(out: &str) -> Vec<&str> {
    let test = ["--elo0", "0", "--elo1", "60", "--max-pairs", "60", "--seed", "5", "--maxmoves", "40"];
    let book = ["--openings", "file=book.epd,order=random", "--concurrency", "2", "--out", out];
    [&["sprt", "--engine", BASE, "--engine", WEAK][..], &test, &book].concat()
}

fn plain(out: &str) -> Vec<&str> {
    let book = ["--openings", "file=book.epd", "--concurrency", "2", "--maxmoves", "40", "--out", out];
    [&["match", "--engine", BASE, "--engine", WEAK, "--pairs", "15"][..], &book].concat()
}

/// Three rounds: who meets whom depends on what was played before.
fn swiss(out: &str) -> Vec<&str> {
    let four = [
        "--engine",
        "embedded:name=lmr,nodes=40,lmr=off",
        "--engine",
        "embedded:name=null,nodes=40,null-move=off",
    ];
    let format =
        ["--tournament", "swiss", "--rounds", "3", "--pairs", "3", "--seed", "3", "--maxmoves", "40"];
    let book = ["--openings", "file=book.epd,order=random", "--concurrency", "2", "--out", out];
    [&["match", "--engine", BASE, "--engine", WEAK][..], &four, &format, &book].concat()
}

/// Pair, game, opening, moves and result of a counted game.
type Game = (u64, u64, String, Vec<String>, String);

/// The counted games; and the pair rows as they are.
fn record(folder: &Path) -> (Vec<Game>, Vec<String>) {
    let rows = std::fs::read_to_string(folder.join("rows.jsonl")).unwrap();
    let (mut games, mut pairs) = (Vec::new(), Vec::new());
    for line in rows.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        if row["kind"] == "game" && row["set_aside"] == false {
            let moves = row["plies"].as_array().unwrap().iter().map(|ply| ply["m"].to_string()).collect();
            let (pair, game) = (row["pair"].as_u64().unwrap(), row["game"].as_u64().unwrap());
            games.push((pair, game, row["start_fen"].to_string(), moves, row["result"].to_string()));
        } else if row["kind"] == "pair" {
            pairs.push(line.to_owned());
        }
    }
    (games, pairs)
}

/// Starts the run and kills it after a random while; then resumes and kills it, so many times; then lets it end.
fn killed(folder: &Path, args: &[&str], kills: usize, longest: Duration) -> (Option<i32>, String) {
    let mut random = SplitMix64::new(std::process::id().into());
    let mut landed = 0;
    let resumed = [args, &["--resume", "run"]].concat();
    for _ in 0..kills {
        let begun = folder.join("run/plan.toml").exists();
        if !begun {
            let _ = std::fs::remove_dir_all(folder.join("run"));
        }
        let mut runner = Command::new(env!("CARGO_BIN_EXE_gauntlet"))
            .args(if begun { &resumed } else { args })
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros(random.below(longest.as_micros() as u64 + 1)));
        landed += usize::from(runner.try_wait().unwrap().is_none());
        // SIGKILL: it cannot be prepared for.
        runner.kill().unwrap();
        runner.wait().unwrap();
    }
    assert!(landed >= kills / 3, "only {landed} of {kills} came before the end");
    // On a very busy machine it may never have come to begin.
    let begun = folder.join("run/plan.toml").exists();
    if !begun {
        let _ = std::fs::remove_dir_all(folder.join("run"));
    }
    let out = gauntlet(folder, if begun { &resumed } else { args });
    (out.status.code(), format!("{}{}", text(&out.stdout), text(&out.stderr)))
}

/// The run with kills has the record, the last line and the exit code of the undisturbed one.
fn the_same(args: fn(&str) -> Vec<&str>, kills: usize) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("book.epd"), BOOK).unwrap();
    let start = Instant::now();
    let undisturbed = gauntlet(folder.path(), &args("whole"));
    // Each session gets on by a little, on this machine as it is now.
    let longest = start.elapsed() / 5;
    let whole = record(&folder.path().join("whole"));
    let (code, out) = killed(folder.path(), &args("run"), kills, longest);
    assert_eq!(code, undisturbed.status.code(), "{out}");
    let last = text(&undisturbed.stdout).lines().last().unwrap().to_owned();
    assert_eq!(out.lines().rfind(|line| line.starts_with(&last[..5])), Some(last.as_str()));
    assert!(record(&folder.path().join("run")) == whole, "the records differ");
    assert!(whole.0.len() >= 20 && whole.0.len() == 2 * whole.1.len(), "{}", whole.0.len());
    // The tables and the games are those of one run as well.
    let lines = |run: &str, file: &str| {
        std::fs::read_to_string(folder.path().join(run).join(file)).unwrap().lines().count()
    };
    for file in ["games.csv", "pairs.csv", "plies.csv", "matches.csv"] {
        if file == "games.csv" || file == "plies.csv" {
            // Games set aside are the machine's affair.
            assert!(lines("run", file) >= whole.0.len(), "{file}");
        } else {
            assert_eq!(lines("run", file), lines("whole", file), "{file}");
        }
    }
    let pgn = std::fs::read_to_string(folder.path().join("run/games.pgn")).unwrap();
    assert_eq!(pgn.matches("[Event ").count(), whole.0.len());
    let standings = |run: &str| std::fs::read_to_string(folder.path().join(run).join("standings.csv")).ok();
    assert_eq!(standings("run"), standings("whole"));
}

#[test]
fn a_test_killed_at_any_moment_ends_as_if_nothing_had_happened() {
    the_same(sprt, 24);
}

#[test]
fn a_match_killed_at_any_moment_ends_as_if_nothing_had_happened() {
    the_same(plain, 12);
}

#[test]
fn a_tournament_killed_at_any_moment_ends_as_if_nothing_had_happened() {
    the_same(swiss, 12);
}

#[test]
fn a_run_that_was_interrupted_goes_on_and_one_that_has_ended_says_so_again() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("book.epd"), BOOK).unwrap();
    let whole = gauntlet(folder.path(), &plain("run"));
    let last = text(&whole.stdout).lines().last().unwrap().to_owned();
    // Ended: nothing is played, the answer is the same.
    let again = gauntlet(folder.path(), &["match", "--resume", "run"]);
    assert_eq!(text(&again.stdout).lines().last(), Some(last.as_str()), "{}", text(&again.stderr));
    let rows = std::fs::read_to_string(folder.path().join("run/rows.jsonl")).unwrap();
    assert_eq!(rows.lines().filter(|row| row.contains("\"kind\":\"match\"")).count(), 1);
    // Cut in the middle of a line of the second game of a pair.
    let lines: Vec<&str> = rows.lines().collect();
    let cut = lines.iter().position(|line| line.contains("\"pair\":7,\"game\":1")).unwrap();
    let torn = format!("{}\n{}", lines[..cut].join("\n"), &lines[cut][..lines[cut].len() / 2]);
    std::fs::write(folder.path().join("run/rows.jsonl"), torn).unwrap();
    let again = gauntlet(folder.path(), &["match", "--resume", "run"]);
    assert_eq!(text(&again.stdout).lines().last(), Some(last.as_str()), "{}", text(&again.stderr));
    let header = std::fs::read_to_string(folder.path().join("run/header.json")).unwrap();
    let header: Value = serde_json::from_str(&header).unwrap();
    assert_eq!(
        (header["complete"].as_bool(), header["resumed"].as_array().map(Vec::len)),
        (Some(true), Some(2))
    );
}

#[test]
fn a_run_of_another_plan_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("book.epd"), BOOK).unwrap();
    assert!(gauntlet(folder.path(), &plain("run")).status.success());
    let rows = || std::fs::read(folder.path().join("run/rows.jsonl")).unwrap();
    let before = rows();
    let refused = |args: &[&str], words: &[&str]| refused_in(folder.path(), args, 2, words);
    refused(&["match", "--resume", "run", "--pairs", "16"], &["run", "`pairs`", "15", "16"]);
    refused(&["match", "--resume", "run", "--seed", "9"], &["`seed`"]);
    refused(&["match", "--resume", "run", "--engine", BASE, "--engine", BASE], &["`engine`"]);
    refused(&["sprt", "--resume", "run"], &["plan of `match`", "`sprt`"]);
    refused(&["match", "--resume", "nowhere"], &["nowhere"]);
    // The book is another one, though its name is not.
    std::fs::write(folder.path().join("book.epd"), BOOK.replace("/2p5/4P3/", "/2p5/2P5/")).unwrap();
    refused(&["match", "--resume", "run"], &["start position", "pair 2"]);
    // Rows of another match.
    std::fs::write(folder.path().join("book.epd"), BOOK).unwrap();
    let text = String::from_utf8(before.clone()).unwrap();
    std::fs::write(folder.path().join("run/rows.jsonl"), text.replace("\"base\"", "\"other\"")).unwrap();
    refused(&["match", "--resume", "run"], &["White", "other"]);
    std::fs::write(folder.path().join("run/rows.jsonl"), &before).unwrap();
    assert_eq!(rows(), before);
    // Games at once are the machine's affair.
    assert!(gauntlet(folder.path(), &["match", "--resume", "run", "--concurrency", "1"]).status.success());
}

/// No room for more: one line that names the file, and the run can be gone on with when there is room again.
#[test]
fn a_full_disk_is_told_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("book.epd"), BOOK).unwrap();
    let whole = gauntlet(folder.path(), &plain("whole"));
    let expected = record(&folder.path().join("whole"));
    let size = std::fs::metadata(folder.path().join("whole/rows.jsonl")).unwrap().len();
    // The largest file may grow to half of what it needs; the shell counts in blocks of 512 bytes.
    let limit = format!("trap '' XFSZ; ulimit -f {}; exec \"$@\"", size / 2 / 512);
    let out = Command::new("/bin/sh")
        .args(["-c", &limit, "sh", env!("CARGO_BIN_EXE_gauntlet")])
        .args(plain("run"))
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let stderr = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("rows.jsonl: ") && !stderr.contains("internal error"), "{stderr}");
    let again = gauntlet(folder.path(), &["match", "--resume", "run"]);
    let last = |bytes: &[u8]| text(bytes).lines().last().map(str::to_owned);
    assert_eq!(last(&again.stdout), last(&whole.stdout), "{}", text(&again.stderr));
    assert!(record(&folder.path().join("run")) == expected, "the records differ");
    assert_eq!(fields(&last(&again.stdout).unwrap())["games"], "30");
}

/// Killed and never gone on with: what `report` shows is made of the games alone. As the record of a run that ended has all its
/// games, it is the same table as the run's own.
#[test]
fn a_killed_run_is_shown_by_its_games() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("book.epd"), BOOK).unwrap();
    let table = |text: &str, title: &str| {
        let lines = text.lines().skip_while(|line| !line.starts_with(title));
        // Title, headings, four engines.
        lines.take(6).map(str::to_owned).collect::<Vec<_>>()
    };
    // The record as a kill leaves it behind this line, the header not yet closed.
    let kill = |run: &str, last: &dyn Fn(&str) -> bool| {
        let path = folder.path().join(run);
        let rows = std::fs::read_to_string(path.join("rows.jsonl")).unwrap();
        let lines: Vec<&str> = rows.lines().collect();
        let end = lines.iter().rposition(|line| last(line)).unwrap();
        std::fs::write(path.join("rows.jsonl"), format!("{}\n", lines[..=end].join("\n"))).unwrap();
        let header = std::fs::read_to_string(path.join("header.json")).unwrap();
        let header = header.replacen("\"complete\": true", "\"complete\": false", 1);
        std::fs::write(path.join("header.json"), header).unwrap();
        lines[end].to_owned()
    };
    let whole = text(&gauntlet(folder.path(), &swiss("swiss")).stdout);
    kill("swiss", &|line| line.contains("\"kind\":\"pair\""));
    let shown = gauntlet(folder.path(), &["report", "swiss"]);
    assert_eq!(shown.status.code(), Some(0));
    let shown = text(&shown.stdout);
    for title in ["Standings", "Cross table"] {
        let expected = table(&whole, title);
        assert_eq!(expected.len(), 6, "{whole}");
        assert_eq!(table(&shown, title), expected);
    }
    let html = std::fs::read_to_string(folder.path().join("swiss/report.html")).unwrap();
    assert!(!html.contains("there are no standings"), "the page has them, too");

    gauntlet(folder.path(), &plain("plain"));
    let last = kill("plain", &|line| line.contains("\"pair\":9,") && line.contains("\"kind\":\"pair\""));
    let last: Value = serde_json::from_str(&last).unwrap();
    let shown = text(&gauntlet(folder.path(), &["report", "plain"]).stdout);
    let score = format!("{}-{}-{}", last["wins"], last["draws"], last["losses"]);
    let row = shown.lines().find(|line| line.contains("base v weak, so far")).unwrap();
    assert!(row.contains(&score) && row.contains(" 20 "), "{score}: {row}");
}

/// A line that is none: what is left is shown, and said so first; gone on with it is not.
#[test]
fn a_broken_line_is_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("book.epd"), BOOK).unwrap();
    assert!(gauntlet(folder.path(), &plain("run")).status.success());
    let path = folder.path().join("run/rows.jsonl");
    let rows = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, rows.replacen("\n{", "\n#", 3)).unwrap();
    refused_in(folder.path(), &["match", "--resume", "run"], 2, &["rows.jsonl: line 2:"]);
    let header = folder.path().join("run/header.json");
    let with_another =
        std::fs::read_to_string(&header).unwrap().replacen("\"warnings\": []", "\"warnings\": [\"w\"]", 1);
    assert!(with_another.contains("[\"w\"]"));
    std::fs::write(&header, with_another).unwrap();
    let shown = gauntlet(folder.path(), &["report", "run"]);
    let stdout = text(&shown.stdout);
    assert_eq!(shown.status.code(), Some(0), "{}", text(&shown.stderr));
    assert!(stdout.starts_with("warning: rows.jsonl:2: not a row of a record"), "{stdout}");
    assert!(stdout.contains(", and 2 more like it: left out") && stdout.contains("base v weak"), "{stdout}");
}
