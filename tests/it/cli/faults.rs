//! The embedded engine against a real process that misbehaves in each known way: the match ends, the right side has lost for
//! the right reason, and no process is left behind.

use super::{fields, gauntlet, text};
use serde_json::Value;
use std::path::Path;

/// A SPEC of our own server with this fault. The mark is in its environment, so that it can be found again.
fn faulty(folder: &Path, fault: &str, limit: &str) -> String {
    let binary = env!("CARGO_BIN_EXE_gauntlet");
    let mark = folder.display();
    format!("cmd={binary},name=Faulty,arg=uci,arg=--fault,arg={fault},env.GAUNTLET_TEST={mark},{limit}")
}

struct Ended {
    code: Option<i32>,
    fields: std::collections::HashMap<String, String>,
    stderr: String,
    games: Vec<Value>,
    /// `matches.csv`, read as one row.
    row: std::collections::HashMap<String, String>,
    report: String,
}

fn play(fault: &str, limit: &str, more: &[&str]) -> Ended {
    let folder = tempfile::tempdir().unwrap();
    let engine = faulty(folder.path(), fault, limit);
    let two =
        ["match", "--engine", "embedded:nodes=60", "--engine", &engine, "--out", "run", "--maxmoves", "12"];
    let out = gauntlet(folder.path(), &[&two[..], more].concat());
    assert_eq!(left_over(folder.path()), 0, "{fault}: a process is left");
    let read = |name: &str| std::fs::read_to_string(folder.path().join("run").join(name)).unwrap_or_default();
    let rows = read("rows.jsonl");
    let games = rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap());
    let table = read("matches.csv");
    let mut table = csv::Reader::from_reader(table.as_bytes());
    let row = table.deserialize().next().map(|row| row.unwrap()).unwrap_or_default();
    Ended {
        code: out.status.code(),
        fields: fields(text(&out.stdout).lines().last().unwrap_or_default()),
        stderr: text(&out.stderr),
        games: games.filter(|row| row["kind"] == "game").collect(),
        row,
        report: read("report.html"),
    }
}

/// Processes with the mark of this folder in their environment.
pub fn left_over(folder: &Path) -> usize {
    let mark = format!("GAUNTLET_TEST={}", folder.display());
    let Ok(processes) = std::fs::read_dir("/proc") else { return 0 };
    processes
        .flatten()
        .filter_map(|process| std::fs::read(process.path().join("environ")).ok())
        .filter(|environment| environment.split(|byte| *byte == 0).any(|entry| entry == mark.as_bytes()))
        .count()
}

/// Both games are lost by the faulty engine, and this is why.
fn loses(fault: &str, limit: &str, more: &[&str], reason: &str) {
    let ended = play(fault, limit, &[&["--pairs", "1"], more].concat());
    // A timed match on a busy machine is not valid, and says so with 3.
    let timed = limit.starts_with("movetime") || limit.starts_with("tc");
    assert!(ended.code == Some(0) || (timed && ended.code == Some(3)), "{fault}: {}", ended.stderr);
    assert_eq!(ended.games.len(), 2, "{fault}");
    for game in &ended.games {
        let loser = if game["white"] == "Faulty" { ("0-1", "white") } else { ("1-0", "black") };
        assert_eq!(game["result"], loser.0, "{fault}");
        let why = game["reason"].as_str().unwrap().to_lowercase();
        assert!(why.contains(reason) && why.starts_with(loser.1), "{fault}: {why}");
    }
    assert_eq!((ended.fields["wins"].as_str(), ended.fields["elo"].as_str()), ("2", "inf"), "{fault}");
    assert_eq!((ended.row["elo"].as_str(), ended.row["elo_high"].as_str()), ("inf", "inf"), "{fault}");
    // The scripts of the page ask whether something `isNaN`.
    let shown = ended.report.replace("isNaN", "");
    assert!(shown.contains("∞") && !shown.contains("NaN"), "{fault}");
}

#[test]
fn the_faulty_engine_loses_for_the_right_reason() {
    // Noticed by the end of its output, whatever the limit.
    for limit in ["nodes=60", "depth=2", "movetime=20,margin=500", "tc=5+0.1"] {
        loses("crash", limit, &["--recover"], "disconnects");
    }
    loses("crash@2", "nodes=60", &["--recover"], "disconnects");
    loses("crash-after-answer", "nodes=60", &["--recover"], "disconnects");
    loses("hang", "nodes=60", &["--hang-timeout", "200"], "hangs");
    loses("hang", "depth=2", &["--hang-timeout", "200"], "hangs");
    loses("hang", "tc=0.2+0.01", &[], "loses on time");
    loses("hang", "movetime=50,margin=100", &[], "loses on time");
    loses("illegal", "nodes=60", &[], "illegal move");
    loses("null-move", "nodes=60", &[], "gives no move");
    loses("empty-bestmove", "nodes=60", &[], "gives no move");
    loses("overstep", "movetime=300,margin=100", &[], "loses on time");
    loses("late", "movetime=20,margin=100", &[], "loses on time");
}

#[test]
fn noise_is_no_fault() {
    let adjudicated = ["--resign", "movecount=1,score=20000", "--pairs", "1"];
    for fault in ["garbage", "banner", "no-score", "crlf", "flood", "mate-bounds", "ignore-quit"] {
        let ended = play(fault, "nodes=60", &adjudicated);
        assert_eq!((ended.code, ended.games.len()), (Some(0), 2), "{fault}: {}", ended.stderr);
        for game in &ended.games {
            let termination = game["termination"].as_str().unwrap();
            assert!(["normal", "adjudication"].contains(&termination), "{fault}: {}", game["reason"]);
        }
    }
}

#[test]
fn too_many_nodes_make_a_match_not_valid() {
    let ended = play("overstep", "nodes=60", &["--pairs", "1"]);
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    assert!(ended.stderr.contains("limit not obeyed: Faulty"), "{}", ended.stderr);
    assert!(ended.row["invalid"].contains("Faulty"));
}

#[test]
fn a_crash_ends_the_match_unless_it_is_to_recover() {
    // 12 moves a game: the crash is in the second pair.
    let crash = "crash@30";
    let ended = play(crash, "nodes=60", &["--pairs", "3"]);
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    assert!(ended.stderr.contains("Faulty"), "{}", ended.stderr);
    assert!((2..6).contains(&ended.games.len()), "{}", ended.games.len());
    let ended = play(crash, "nodes=60", &["--pairs", "3", "--recover"]);
    assert_eq!((ended.code, ended.games.len()), (Some(0), 6), "{}", ended.stderr);
    let crashes = ended.games.iter().filter(|game| game["reason"].as_str().unwrap().contains("disconnects"));
    assert!(crashes.count() >= 1);
}

/// A SPEC of a shell script.
fn script(name: &str, text: &str) -> String {
    format!("cmd=/bin/sh,name={name},arg=-c,arg={},nodes=1", text.replace('\\', r"\\").replace(',', r"\,"))
}

fn games(folder: &Path) -> Vec<Value> {
    let rows = std::fs::read_to_string(folder.join("run/rows.jsonl")).unwrap_or_default();
    let rows = rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap());
    rows.filter(|row| row["kind"] == "game").collect()
}

/// An engine with two answers for the two games from one opening: White's to play, then Black's.
fn from_opening(opening: &str, script_text: &str) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("book.epd"), format!("{opening}\n")).unwrap();
    let engine = script("Script", script_text);
    let args =
        ["match", "--engine", &engine, "--engine", "embedded:nodes=60", "--pairs", "1", "--out", "run"];
    let out =
        gauntlet(folder.path(), &[&args[..], &["--openings", "file=book.epd", "--maxmoves", "1"]].concat());
    assert!(out.status.code() == Some(0), "{}", text(&out.stderr));
    games(folder.path())
}

/// BR-079: a promotion by a capital letter is the move it means.
#[test]
fn br_079_a_capital_promotion_is_forgiven() {
    let answers = r#"while read -r l; do case "$l" in uci) echo uciok;; isready) echo readyok;; go*) echo 'bestmove a7a8Q';; quit) exit;; esac; done"#;
    let games = from_opening("8/P6k/8/8/8/8/8/K7 w - - 0 1", answers);
    assert_eq!(games[0]["plies"][0]["m"], "a7a8q", "{}", games[0]);
    assert_ne!(games[0]["termination"], "rules infraction");
}

/// An engine that closes its input (so that writing to it would be SIGPIPE) loses, and only itself.
#[test]
fn a_closed_input_is_a_lost_game() {
    let folder = tempfile::tempdir().unwrap();
    let deaf = script(
        "Deaf",
        r#"while read -r l; do case "$l" in uci) echo uciok;; isready) echo readyok;; go*) exec <&-; echo 'bestmove e2e4'; exec sleep 30;; quit) exit;; esac; done"#,
    );
    let args = [
        "match",
        "--engine",
        &deaf,
        "--engine",
        "embedded:nodes=60",
        "--pairs",
        "1",
        "--out",
        "run",
        "--recover",
    ];
    let out = gauntlet(folder.path(), &args);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    for game in games(folder.path()) {
        let lost = if game["white"] == "Deaf" { "0-1" } else { "1-0" };
        assert_eq!(game["result"], lost, "{game}");
    }
}

/// Each hang costs its time, the margin and the second until it is killed, and no more.
#[test]
fn a_hang_is_short() {
    for (limit, more, own) in [
        ("tc=0.3+0.01,margin=100", &[][..], 400),
        ("nodes=60", &["--hang-timeout", "300"][..], 300),
        ("depth=3", &["--hang-timeout", "300"][..], 300),
    ] {
        let ended = play("hang", limit, &[&["--pairs", "1"], more].concat());
        for game in &ended.games {
            let took = game["duration_us"].as_u64().unwrap() / 1000;
            // A busy machine may add to it.
            assert!((own..own + 1000 + 1500).contains(&took), "{limit}: {took} ms");
        }
        assert_eq!(ended.games.len(), 2);
    }
}

#[test]
fn a_crash_at_start_or_between_games_is_told() {
    let ended = play("crash-at-start", "nodes=60", &["--pairs", "2"]);
    assert_eq!((ended.code, ended.games.len()), (Some(4), 0), "{}", ended.stderr);
    assert!(ended.stderr.contains("Faulty"), "{}", ended.stderr);
    let ended = play("crash-between-games", "nodes=60", &["--pairs", "2", "--concurrency", "1"]);
    assert_eq!((ended.code, ended.games.len()), (Some(4), 1), "{}", ended.stderr);
    assert!(ended.stderr.contains("Faulty"), "{}", ended.stderr);
    // Nobody has lost a game by it.
    let ended = play("crash-between-games", "nodes=60", &["--pairs", "2", "--recover"]);
    assert_eq!((ended.code, ended.games.len()), (Some(0), 4), "{}", ended.stderr);
    assert!(ended.games.iter().all(|game| game["termination"] != "abandoned"));
}

/// Lines that come in pieces are whole lines; half a line, and then the end, is none.
#[test]
fn half_lines_are_put_together_or_lost() {
    let play = |to_go: &str| {
        let body = format!(
            r#"n=0; while read -r l; do case "$l" in uci) printf 'uci'; sleep 0.02; echo ok;; isready) echo readyok;; position*) set -- $l; n=$#;; go*) if [ $n = 2 ]; then m=e2e4; else m=e7e5; fi; {to_go};; quit) exit;; esac; done"#
        );
        let folder = tempfile::tempdir().unwrap();
        let engine = script("Halves", &body);
        let args =
            ["match", "--engine", &engine, "--engine", "embedded:nodes=60", "--pairs", "1", "--out", "run"];
        let out = gauntlet(folder.path(), &[&args[..], &["--maxmoves", "1", "--recover"]].concat());
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        games(folder.path())
    };
    let in_pieces = "printf 'info dep'; sleep 0.02; echo 'th 1'; printf bestm; sleep 0.02; printf ove; sleep 0.02; echo \" $m\"";
    for game in play(in_pieces) {
        assert_eq!(game["termination"], "adjudication", "{game}");
    }
    for game in play("printf 'bestmove %s' $m; exit 1") {
        let lost = if game["white"] == "Halves" { "0-1" } else { "1-0" };
        assert_eq!(
            (game["result"].as_str(), game["termination"].as_str()),
            (Some(lost), Some("abandoned")),
            "{game}"
        );
    }
}

/// Far fewer nodes than it may use: marked as far too many are. A search that can go no deeper is none of these.
#[test]
fn too_few_nodes_make_a_match_not_valid() {
    for (depth, code) in [(9, 3), (127, 0)] {
        let body = format!(
            r#"n=0; while read -r l; do case "$l" in uci) echo uciok;; isready) echo readyok;; position*) set -- $l; n=$#;; go*) if [ $n = 2 ]; then m=e2e4; else m=e7e5; fi; echo "info depth {depth} score cp 0 nodes 400 pv $m"; echo "bestmove $m";; quit) exit;; esac; done"#
        );
        let folder = tempfile::tempdir().unwrap();
        let engine = script("Lazy", &body).replace("nodes=1", "nodes=1000");
        let args =
            ["match", "--engine", &engine, "--engine", "embedded:nodes=60", "--pairs", "1", "--out", "run"];
        let out = gauntlet(folder.path(), &[&args[..], &["--maxmoves", "1"]].concat());
        let stderr = text(&out.stderr);
        assert_eq!(out.status.code(), Some(code), "{stderr}");
        assert_eq!(stderr.contains("limit not obeyed: Lazy in 2 of 2 searches"), code == 3, "{stderr}");
    }
}

/// Neither as the first nor as the second engine, and nothing is left but one line.
#[test]
fn a_binary_that_is_missing_is_named() {
    for engines in
        [["cmd=/no/such/engine,name=Gone", "embedded"], ["embedded", "cmd=/no/such/engine,name=Gone"]]
    {
        let [one, two] = engines;
        let args =
            ["match", "--engine", one, "--engine", two, "--each", "nodes=60", "--pairs", "1", "--out", "run"];
        super::refused(&args, 4, &["engine Gone: cannot start `/no/such/engine`"]);
    }
}
