//! `gauntlet match` with several engines as scripts see it: the four formats from start to end, the files they leave, the
//! same Elo as `gauntlet rate` finds in the games, bad input, engines that crash, an interrupt.

use super::{fields, gauntlet, refused, text};
use crate::reports::well_formed;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

const FOUR: [&str; 8] = [
    "--engine",
    "embedded:name=base",
    "--engine",
    "embedded:name=no lmr,lmr=off",
    "--engine",
    "embedded:name=no null,null-move=off",
    "--engine",
    "embedded:name=weak,preset=material",
];
const BOOK: &str = "file=openings/noob_3moves_sample.epd,order=random";

fn args<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let common = ["--each", "nodes=50", "--openings", BOOK, "--maxmoves", "60", "--out", out];
    [&["match"][..], &FOUR, &common, more].concat()
}

fn rows(folder: &Path, run: &str, kind: &str) -> Vec<Value> {
    let rows = std::fs::read_to_string(folder.join(run).join("rows.jsonl")).unwrap();
    let rows = rows.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.filter(|row| row["kind"] == kind).collect()
}

/// What does not depend on the clock on the wall.
fn moves(game: &Value) -> (Value, Value, Value, Vec<Value>, Value) {
    let moves = game["plies"].as_array().unwrap().iter().map(|ply| ply["m"].clone()).collect();
    (game["round"].clone(), game["pair"].clone(), game["white"].clone(), moves, game["result"].clone())
}

#[test]
fn every_format_is_played_to_its_end_at_any_concurrency() {
    for (format, games) in [("roundrobin", 24), ("gauntlet", 12), ("swiss", 16), ("knockout", 12)] {
        let folder = tempfile::tempdir().unwrap();
        let more = ["--tournament", format, "--pairs", "2"];
        let out = gauntlet(folder.path(), &args("run", &more));
        assert_eq!(out.status.code(), Some(0), "{format}: {}", text(&out.stderr));
        let stdout = text(&out.stdout);
        let last = fields(stdout.lines().last().unwrap());
        assert_eq!(last["engines"], "4", "{format}");
        let played: usize = last["games"].parse().unwrap();
        // A drawn encounter of a knockout is played on.
        assert!(played == games || (format == "knockout" && played > games), "{format}: {played}");
        let standings = rows(folder.path(), "run", "standing");
        assert_eq!(standings.len(), 4);
        let winner = standings[0]["engine"].as_str().unwrap().replace(' ', "_");
        assert!(stdout.lines().last().unwrap().contains(&format!("winner={winner} points=")), "{stdout}");
        for heading in ["Cross table", "Standings", "Encounters"] {
            assert!(stdout.contains(heading), "{format}: {heading}");
        }
        let again = gauntlet(folder.path(), &args("two", &[&more[..], &["--concurrency", "2"]].concat()));
        assert_eq!(again.status.code(), Some(0));
        let record = |run| rows(folder.path(), run, "game").iter().map(moves).collect::<Vec<_>>();
        assert_eq!(record("run").len(), played);
        assert!(record("run") == record("two"), "{format}: concurrency tells");
        assert_eq!(standings, rows(folder.path(), "two", "standing"), "{format}");
        files(folder.path(), format, played);
    }
}

/// The page, the tables and the games of a run.
fn files(folder: &Path, format: &str, played: usize) {
    let read = |name: &str| std::fs::read_to_string(folder.join("run").join(name)).unwrap();
    let page = read("report.html");
    well_formed::check(&page).unwrap();
    assert!(page.contains("Cross table") && page.contains("no lmr") && page.contains(">Tournament<"));
    assert!(!page.contains("Self-play ladder"), "{format}");
    let pgn = read("games.pgn");
    assert_eq!(pgn.matches("[Event \"gauntlet match\"]").count(), played);
    assert!(pgn.contains("[Round \"1.1.2\"]"), "{format}");
    let dictionary =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/README.md")).unwrap();
    let csv = read("standings.csv");
    assert_eq!(csv.lines().count(), 5);
    for column in csv.lines().next().unwrap().split(',') {
        assert!(dictionary.contains(&format!("`{column}`")), "{column} is not in reports/README.md");
    }
    // Drawn again from the rows alone.
    let out = gauntlet(folder, &["report", "run"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    assert_eq!(read("report.html"), page, "{format}");
    assert_eq!(read("games.pgn"), pgn, "{format}");
}

#[test]
fn elo_and_tie_breaks_are_those_of_rate() {
    let folder = tempfile::tempdir().unwrap();
    let out =
        gauntlet(folder.path(), &args("run", &["--pairs", "12", "--concurrency", "2", "--format", "json"]));
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let document: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(document["summary"]["engines"], 4);
    let standings: Vec<&Value> =
        document["rows"].as_array().unwrap().iter().filter(|row| row["kind"] == "standing").collect();
    let rated =
        gauntlet(folder.path(), &["rate", "run/games.pgn", "--tiebreak", "sodos", "--format", "json"]);
    let rated: Value = serde_json::from_slice(&rated.stdout).unwrap();
    let players: BTreeMap<&str, &Value> = rated["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| (player["player"].as_str().unwrap(), player))
        .collect();
    assert_eq!((standings.len(), players.len()), (4, 4));
    for row in standings {
        let player = players[row["engine"].as_str().unwrap()];
        let same = |ours: &str, theirs: &str| {
            let (one, two) = (row[ours].as_f64().unwrap(), player[theirs].as_f64().unwrap());
            assert!((one - two).abs() < 1e-6, "{ours}: {one}, {two}");
        };
        same("elo", "rating");
        same("elo_low", "low");
        same("elo_high", "high");
        same("games", "games");
        same("wins", "wins");
        same("draws", "draws");
        same("sonneborn_berger", "sodos");
        assert_eq!(row["interval"], player["interval"]);
        assert_eq!(row["interval"], "clustered", "36 pairs each");
        assert_eq!(row["half_points"].as_f64().unwrap(), 2.0 * player["points"].as_f64().unwrap());
    }
    let csv = gauntlet(folder.path(), &args("none", &["--pairs", "1", "--format", "csv"]));
    assert!(text(&csv.stdout).starts_with("rank,engine,"), "{}", text(&csv.stdout));
}

/// The last line is words with `=` in them.
#[test]
fn a_winner_of_two_words_is_one_word_in_the_last_line() {
    let folder = tempfile::tempdir().unwrap();
    let specs = [
        "embedded:name=the strong one,nodes=300",
        "embedded:name=the weak one,nodes=5",
        "embedded:name=7,nodes=5",
    ];
    let engines = specs.iter().flat_map(|spec| ["--engine", spec]);
    let args: Vec<&str> =
        ["match", "--pairs", "2", "--maxmoves", "60", "--out", "none"].into_iter().chain(engines).collect();
    let out = gauntlet(folder.path(), &args);
    let stdout = text(&out.stdout);
    let last = stdout.lines().last().unwrap();
    assert!(last.contains(" winner=the_strong_one points="), "{last}");
    assert!(last.split(' ').skip(1).all(|word| word.contains('=')), "{last}");
}

#[test]
fn two_engines_are_a_match_whatever_the_format() {
    let folder = tempfile::tempdir().unwrap();
    let two =
        ["match", "--engine", "embedded", "--engine", "embedded", "--each", "nodes=20", "--maxmoves", "20"];
    for (format, pairs) in [("swiss", "4"), ("roundrobin", "4")] {
        let more =
            ["--tournament", format, "--rounds", "2", "--pairs", "2", "--openings", BOOK, "--out", "none"];
        let out = gauntlet(folder.path(), &[&two[..], &more].concat());
        let plain = ["--pairs", pairs, "--openings", BOOK, "--out", "none"];
        let plain = gauntlet(folder.path(), &[&two[..], &plain].concat());
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        let last = |bytes: &[u8]| text(bytes).lines().last().map(str::to_owned);
        assert_eq!(last(&out.stdout), last(&plain.stdout));
        assert!(last(&out.stdout).unwrap().starts_with("match: games=8 wins="));
    }
}

#[test]
fn bad_input_is_one_line_and_exit_2() {
    let no = |more: &[&str], words: &[&str]| refused(&args("run", more), 2, words);
    no(&["--pairs", "0"], &["pairs", "at least 1"]);
    no(&["--tournament", "swiss"], &["--pairs is missing"]);
    no(&["--pairs", "1", "--tournament", "league"], &["--tournament", "`league`", "roundrobin", "knockout"]);
    no(&["--pairs", "1", "--rounds", "0"], &["--rounds", "at least 1"]);
    no(&["--pairs", "1", "--rounds", "2", "--tournament", "knockout"], &["--rounds", "knockout"]);
    no(&["--pairs", "1", "--rounds", "9", "--tournament", "swiss"], &["at most 3 rounds"]);
    no(&["--pairs", "1", "--engine", "embedded:name=weak"], &["same name `weak`"]);
    let three = ["--engine", "embedded", "--engine", "embedded", "--engine", "embedded"];
    refused(
        &[&["match", "--pairs", "1", "--each", "nodes=9"][..], &three].concat(),
        2,
        &["same name `embedded`"],
    );
    refused(&[&["sprt", "--elo0", "0", "--elo1", "5"][..], &three].concat(), 2, &["two engines", "3 given"]);
    refused(&["sprt", "--tournament", "swiss"], 2, &["--tournament"]);
    refused(&["match", "--pairs", "1", "--engine", "embedded"], 2, &["two engines", "1 given"]);
    let nobody = ["--engine", "cmd=/no/such/engine,name=Nobody", "--pairs", "1"];
    refused(&args("run", &nobody), 4, &["Nobody"]);
}

/// A SPEC of our own server with this fault.
#[cfg(target_os = "linux")]
fn faulty(fault: &str) -> String {
    format!("cmd={},name=Faulty,arg=uci,arg=--fault,arg={fault}", env!("CARGO_BIN_EXE_gauntlet"))
}

#[cfg(target_os = "linux")]
#[test]
fn a_crash_ends_it_with_4_and_the_name_or_is_a_loss() {
    let folder = tempfile::tempdir().unwrap();
    let crash = faulty("crash@4");
    let more = ["--engine", &crash, "--pairs", "1", "--concurrency", "2"];
    let out = gauntlet(folder.path(), &args("run", &more));
    let stderr = text(&out.stderr);
    assert_eq!(out.status.code(), Some(4), "{stderr}");
    assert!(stderr.lines().last().unwrap().contains("Faulty"), "{stderr}");
    // Nobody has won what was broken off; what was played of it is a part of the tournament all the same.
    let stdout = text(&out.stdout);
    assert!(stdout.lines().last().unwrap_or_default().contains("winner=n/a"), "{stdout}");
    assert!(rows(folder.path(), "run", "game").iter().all(|game| game["round"].is_u64()));
    let out = gauntlet(folder.path(), &args("recovered", &[&more[..], &["--recover"]].concat()));
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let standings = rows(folder.path(), "recovered", "standing");
    let last = standings.last().unwrap();
    assert_eq!((&last["engine"], &last["losses"]), (&Value::from("Faulty"), &Value::from(8)));
    assert!(text(&out.stdout).lines().last().unwrap().starts_with("match: engines=5 games=20 winner="));
}

/// What is played is kept, with the standings so far; it can be gone on with.
#[cfg(unix)]
#[test]
fn an_interrupt_keeps_the_games_and_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let many = ["--tournament", "swiss", "--pairs", "20000", "--concurrency", "2"];
    let played = || {
        std::fs::read_to_string(folder.path().join("run/rows.jsonl"))
            .is_ok_and(|rows| rows.matches("\"kind\":\"pair\"").count() >= 3)
    };
    // `--out run` is the helper's.
    let mut args = args("run", &many);
    args.retain(|word| !["--out", "run"].contains(word));
    let (out, _) = super::interrupts::interrupted_when(folder.path(), &args, "-INT", &played);
    assert_eq!(out.status.code(), Some(130), "{}", text(&out.stderr));
    assert!(text(&out.stderr).contains("interrupted"));
    let standings = rows(folder.path(), "run", "standing");
    assert_eq!(standings.len(), 4);
    let games: u64 = standings.iter().map(|row| row["games"].as_u64().unwrap()).sum();
    let counted = rows(folder.path(), "run", "game").iter().filter(|row| row["set_aside"] == false).count();
    assert_eq!(games, 2 * counted as u64);
    assert!(folder.path().join("run/report.html").is_file());
}
