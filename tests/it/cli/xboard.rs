//! Matches of the embedded engine against engines of the xboard protocol: shell scripts of both versions that misbehave in
//! the known ways, and Debian's hoichess, Phalanx and GNU Chess. The right side loses for the right reason, and no process
//! is left behind.

use super::faults::left_over;
use super::{fields, gauntlet, refused, text};
use serde_json::Value;
use std::path::Path;

/// A SPEC of a shell script that answers `ping` and does this when it is to move; `$n` moves have been played then.
fn script(folder: &Path, features: &str, to_move: &str, limit: &str) -> String {
    let body = format!(
        r#"n=0; think() {{ {to_move}; n=$((n+1)); }}; while read -r c a; do case "$c" in
        protover) {features};; ping) echo "pong $a";; new) n=0; f=0;; force) f=1;; go) f=0; think;; quit) exit;;
        usermove) n=$((n+1)); if [ "$f" = 0 ]; then think; fi;; [a-h][1-8]*) n=$((n+1)); if [ "$f" = 0 ]; then think; fi;;
        esac; done"#
    );
    let body = body.replace(',', r"\,").replace('\n', " ");
    let mark = folder.display();
    format!("cmd=/bin/sh,proto=xboard,name=Script,arg=-c,arg={body},env.GAUNTLET_TEST={mark},{limit}")
}

const V2: &str = "echo 'feature ping=1 setboard=1 usermove=1 colors=0 done=1'";
/// Its first move with either colour, which is always legal.
const FIRST: &str = r#"if [ $n = 0 ]; then m=e2e4; else m=e7e5; fi"#;

/// Two games of two plies at most; code, summary, games.
fn play(features: &str, to_move: &str, limit: &str, more: &[&str]) -> (Option<i32>, String, Vec<Value>) {
    let folder = tempfile::tempdir().unwrap();
    let engine = script(folder.path(), features, to_move, limit);
    let args =
        ["match", "--engine", "embedded:nodes=60", "--engine", &engine, "--pairs", "1", "--out", "run"];
    let out = gauntlet(folder.path(), &[&args[..], &["--maxmoves", "1"], more].concat());
    assert_eq!(left_over(folder.path()), 0, "{to_move}: a process is left");
    let rows = std::fs::read_to_string(folder.path().join("run/rows.jsonl")).unwrap_or_default();
    let games = rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap());
    let games = games.filter(|row| row["kind"] == "game").collect();
    (out.status.code(), text(&out.stderr) + &text(&out.stdout), games)
}

fn loses(to_move: &str, limit: &str, more: &[&str], reason: &str) {
    let (code, said, games) = play(V2, to_move, limit, more);
    // A match on clocks, or with a short patience for all, is not valid on a busy machine, and says so with 3.
    assert!(matches!(code, Some(0 | 3)), "{to_move}: {said}");
    assert_eq!(games.len(), 2, "{to_move}: {said}");
    for game in &games {
        let loser = if game["white"] == "Script" { ("0-1", "white") } else { ("1-0", "black") };
        assert_eq!(game["result"], loser.0, "{to_move}: {game}");
        let why = game["reason"].as_str().unwrap().to_lowercase();
        assert!(why.contains(reason) && why.starts_with(loser.1), "{to_move}: {why}");
    }
}

#[test]
fn a_faulty_engine_loses_for_the_right_reason() {
    loses("exit 3", "depth=2", &["--recover"], "disconnects");
    loses("exit 3", "tc=5+0.1", &["--recover"], "disconnects");
    loses("sleep 1000", "depth=2", &["--hang-timeout", "200"], "hangs");
    loses("sleep 1000", "tc=0.2+0.01", &[], "loses on time");
    loses("sleep 1000", "movetime=50,margin=100", &[], "loses on time");
    loses("sleep 0.5; echo move e2e4", "movetime=50,margin=100", &[], "loses on time");
    loses("echo move e2e5", "depth=2", &[], "illegal move: e2e5");
    loses("echo move 0000", "depth=2", &[], "gives no move");
    loses("echo resign", "depth=2", &[], "resigns");
    loses("echo 'Illegal move: usermove'", "depth=2", &[], "refuses a legal move");
}

#[test]
fn noise_is_no_fault() {
    let move_it = |words: &str| format!("{FIRST}; {words}");
    for to_move in [
        move_it(r"printf '\377\000 half'; echo; echo '# 1 2 3'; echo offer draw; echo move $m"),
        move_it(r"echo; printf ' move  %s \r\n' $m"),
        move_it(r#"echo "1-0 {White mates}"; echo move $m"#),
        move_it(r#"echo "1. ... $m"; echo "My move is: $m""#),
        move_it("yes 'tellics whisper on and on' | head -n 50000; echo move $m"),
    ] {
        let (code, said, games) = play(V2, &to_move, "depth=2", &[]);
        assert_eq!((code, games.len()), (Some(0), 2), "{to_move}: {said}");
        for game in games {
            let (moves, reason) = (game["plies"].as_array().unwrap().len(), game["reason"].as_str().unwrap());
            assert!(moves == 2 && reason.starts_with("draw by adjudication"), "{to_move}: {game}");
        }
    }
}

/// An engine that knows no features: two seconds, then plain moves and no `ping`.
#[test]
fn version_1_plays() {
    let (code, said, games) = play(":", &format!("{FIRST}; echo \"1. ... $m\""), "depth=2", &[]);
    assert_eq!((code, games.len()), (Some(0), 2), "{said}");
    assert!(games.iter().all(|game| game["plies"].as_array().unwrap().len() == 2), "{said}");
}

#[test]
fn what_the_protocol_has_no_word_for_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let spec = |limit: &str| script(folder.path(), V2, "echo move e2e4", limit);
    let against = ["match", "--engine", "embedded:nodes=60", "--pairs", "1", "--out", "none", "--engine"];
    refused(&[&against[..], &[&spec("nodes=100")]].concat(), 2, &["Script", "nodes", "feature nps"]);
    let perft = ["perft", "--depth", "2", "--out", "none", "--engine"];
    refused(&[&perft[..], &[&spec("depth=1")]].concat(), 2, &["Script", "the xboard protocol"]);
    let option = script(folder.path(), V2, "echo move e2e4", "option.Hash=5,depth=1");
    refused(&[&against[..], &[&option]].concat(), 2, &["Script", "no option `Hash`"]);
    assert_eq!(left_over(folder.path()), 0);
}

/// One pair against each, on a clock long enough for a busy machine: no fault, moves that were thought about.
#[test]
fn debians_engines_play() {
    for (name, arg) in [("hoichess", ""), ("phalanx", ""), ("gnuchess", ",arg=-x")] {
        let path = format!("/usr/games/{name}");
        if !Path::new(&path).exists() {
            assert!(std::env::var_os("GAUNTLET_REQUIRE_TOOLS").is_none_or(|v| v != "1"), "{path} is missing");
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().display();
        let engine = format!("cmd={path}{arg},proto=xboard,env.GAUNTLET_TEST={mark},tc=4+0.05,margin=20000");
        let args = ["match", "--engine", "embedded:nodes=500", "--engine", &engine, "--pairs", "1"];
        let more = ["--out", "run", "--maxmoves", "12", "--log", "traffic.log"];
        let out = gauntlet(folder.path(), &[&args[..], &more].concat());
        let said = text(&out.stderr) + &text(&out.stdout);
        // A timed match on a busy machine is not valid, and says so with 3.
        assert!(matches!(out.status.code(), Some(0 | 3)), "{name}: {said}");
        assert_eq!(fields(text(&out.stdout).lines().last().unwrap())["games"], "2", "{name}: {said}");
        let rows = std::fs::read_to_string(folder.path().join("run/rows.jsonl")).unwrap();
        let games = rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap());
        for game in games.filter(|row| row["kind"] == "game") {
            let termination = game["termination"].as_str().unwrap();
            assert!(["normal", "adjudication"].contains(&termination), "{name}: {game}");
            let plies = game["plies"].as_array().unwrap();
            assert!(plies.len() >= 8, "{name}: {game}");
        }
        let traffic = std::fs::read_to_string(folder.path().join("traffic.log")).unwrap();
        assert!(traffic.contains(&format!("{name} > level 0 0:04 0.05")), "{name}: {traffic}");
        assert_eq!(left_over(folder.path()), 0, "{name}: a process is left");
    }
}

/// What the protocol, or this engine, has no word for is told and is no fault; the rest of `run` is carried out. It resigns
/// every game, which is its right. The limit of the SPEC is not used.
#[test]
fn a_run_leaves_out_what_does_not_apply() {
    let folder = tempfile::tempdir().unwrap();
    let engine = script(folder.path(), V2, "echo resign", "nodes=100");
    let out = gauntlet(folder.path(), &["run", "--quick", "--engine", &engine, "--out", "run"]);
    let stdout = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{stdout}{}", text(&out.stderr));
    let rows = std::fs::read_to_string(folder.path().join("run/rows.jsonl")).unwrap();
    let rows = rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap());
    let verdicts: Vec<Value> = rows.filter(|row| row["kind"] == "verdict").collect();
    let inapplicable =
        |verdict: &&Value| verdict["summary"].as_str().unwrap().starts_with("not applicable: ");
    let stages = |verdicts: Vec<&Value>| -> Vec<String> {
        verdicts.into_iter().map(|verdict| verdict["stage"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(stages(verdicts.iter().filter(inapplicable).collect()), ["perft", "tactics", "sprt"]);
    assert_eq!(
        stages(verdicts.iter().filter(|v| !inapplicable(v)).collect()),
        ["symmetry", "bench", "ladder"]
    );
    assert!(verdicts.iter().filter(inapplicable).all(|v| v["status"] == "info" && v["checks"] == 0));
}
