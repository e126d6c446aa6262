//! Matches of engines that think on their opponent's time: shell scripts that guess right, guess wrong and misbehave, and
//! real engines where they are installed. What was said stands in the log.

use super::faults::left_over;
use super::{gauntlet, refused, text};
use serde_json::Value;
use std::path::Path;

/// Knights to and fro: the position stands on the board for the third time after eight plies. `n` is the number of plies
/// that are played; `guess` is what the engine expects, `b` what it plays.
const KNIGHTS: &str = r#"
know() { case $((n % 4)) in
    0) b=g1f3; guess=g8f6;; 1) b=g8f6; guess=f3g1;; 2) b=f3g1; guess=f6g8;; 3) b=f6g8; guess=g1f3;;
esac; }
say() { echo "info depth 3 score cp 5 nodes 10 time 60000 pv $b"; echo "bestmove $b ponder $guess"; }
answer() { know; say; }
"#;

/// A script that has the option; `words` are what it does at some commands, before what is usual.
fn ponderer(folder: &Path, words: &str) -> String {
    script(folder, "Ponderer", "echo 'option name Ponder type check default false';", words)
}

fn script(folder: &Path, name: &str, options: &str, words: &str) -> String {
    let text = format!(
        r#"{KNIGHTS}
while read -r line; do case "$line" in
    {words}
    uci) {options} echo uciok;;
    isready) echo readyok;;
    position*) set -- $line; if [ $# -gt 3 ]; then n=$(($# - 3)); else n=0; fi;;
    'go ponder'*) ;;
    go*|ponderhit|stop) answer;;
    quit) exit;;
esac; done"#
    );
    let path = folder.join(format!("{name}.sh"));
    std::fs::write(&path, text).unwrap();
    let mark = folder.display();
    format!("cmd=/bin/sh,name={name},arg={},env.GAUNTLET_TEST={mark},tc=60+1", path.display())
}

struct Played {
    code: Option<i32>,
    stderr: String,
    games: Vec<Value>,
    /// What the engine under test was told, as `go ponder`, `ponderhit`, ...
    told: Vec<String>,
}

impl Played {
    fn count(&self, word: &str) -> usize {
        self.told.iter().filter(|line| line.starts_with(word)).count()
    }

    /// Plies of the ponderer, and those of them that it had pondered on.
    fn pondered(&self) -> (usize, usize) {
        let mut found = (0, 0);
        for game in &self.games {
            let first = usize::from(game["white"] != "Ponderer");
            for ply in game["plies"].as_array().unwrap().iter().skip(first).step_by(2) {
                found.0 += 1;
                if ply["p"] == true {
                    found.1 += 1;
                    assert!(ply["l"].is_null(), "its clock began before ours: {ply}");
                } else {
                    assert!(ply["l"].is_i64(), "{ply}");
                }
            }
        }
        found
    }

    fn results(&self) -> Vec<(bool, String)> {
        let lost = |game: &Value| (game["result"] == "0-1") == (game["white"] == "Ponderer");
        let decided = |game: &Value| game["result"] != "1/2-1/2";
        let each = self.games.iter();
        each.map(|game| (decided(game) && lost(game), game["reason"].as_str().unwrap().to_owned())).collect()
    }
}

/// One pair against a script that plays the same moves and does not ponder.
fn play(words: &str, more: &[&str]) -> Played {
    let folder = tempfile::tempdir().unwrap();
    let one = format!("{},ponder=on", ponderer(folder.path(), words));
    let two = script(folder.path(), "Plain", "", "");
    play_in(folder.path(), [&one, &two], more)
}

fn play_in(folder: &Path, [one, two]: [&str; 2], more: &[&str]) -> Played {
    let args =
        ["match", "--engine", one, "--engine", two, "--out", "run", "--log", "log", "--concurrency", "1"];
    let pairs: &[&str] = if more.contains(&"--pairs") { &[] } else { &["--pairs", "1"] };
    let out = gauntlet(folder, &[&args[..], pairs, more].concat());
    assert_eq!(left_over(folder), 0, "a process is left");
    let log = std::fs::read_to_string(folder.join("log")).unwrap();
    let told = log.lines().filter_map(|line| line.split_once("Ponderer > ")).map(|(_, told)| told.to_owned());
    let rows = std::fs::read_to_string(folder.join("run/rows.jsonl")).unwrap_or_default();
    let rows = rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap());
    Played {
        code: out.status.code(),
        stderr: text(&out.stderr),
        games: rows.filter(|row| row["kind"] == "game").collect(),
        told: told.collect(),
    }
}

/// A timed match on a busy machine may not be valid (3).
fn ended_well(played: &Played) {
    assert!(matches!(played.code, Some(0 | 3)), "{}", played.stderr);
    assert_eq!(played.games.len(), 2, "{}", played.stderr);
}

#[test]
fn a_guess_that_comes_true_is_a_ponderhit() {
    let played = play("", &[]);
    ended_well(&played);
    assert!(played.told.contains(&"setoption name Ponder value true".to_owned()), "{:?}", played.told);
    // Four plies a game: of White the first is thought about from scratch, and the last, as its guess would end the game; of
    // Black the first.
    assert_eq!(played.pondered(), (8, 6), "{:?}", played.told);
    assert_eq!((played.count("go ponder"), played.count("ponderhit"), played.count("stop")), (6, 6, 0));
    let at = played.told.iter().position(|line| line.starts_with("go ponder")).unwrap();
    assert_eq!(played.told[at - 1], "position startpos moves g1f3 g8f6");
    // Its own clock after its move, and the opponent's as it stands.
    let clock = played.told[at].strip_prefix("go ponder wtime ").unwrap();
    assert!(clock.starts_with("60") && clock.ends_with(" btime 60000 winc 1000 binc 1000"), "{clock}");
    assert_eq!(played.told[at + 1], "ponderhit");
    for (lost, reason) in played.results() {
        assert!(!lost && reason.contains("repetition"), "{reason}");
    }
}

#[test]
fn a_guess_that_does_not_is_stopped_and_its_answer_is_nobodys() {
    // The answer to `stop` would be illegal: it is for a position that never was.
    let wrong = "stop) echo bestmove a1a8;; 'go ponder'*) ;; go*) know; case $((n % 2)) in 0) guess=a7a6;; 1) guess=a2a3;; esac; say;;";
    let played = play(wrong, &[]);
    ended_well(&played);
    assert_eq!(played.pondered(), (8, 0));
    // Seven: the last move of Black ends its game.
    let counts = ["go ponder", "stop", "ponderhit"].map(|word| played.count(word));
    assert_eq!(counts, [7, 7, 0], "{:?}", played.told);
    for (lost, reason) in played.results() {
        assert!(!lost && reason.contains("repetition"), "{reason}");
    }
}

/// An engine that does this while it ponders, against one that does not move before that is done.
fn play_after(what: &str) -> Played {
    let folder = tempfile::tempdir().unwrap();
    let done = folder.path().join("done");
    let done = done.display();
    // Its first move, and where the other one has not gone on to ponder, wait for nothing.
    let waits = format!(
        "go*) i=0; while [ $((n % 7)) -gt 0 ] && [ ! -e {done} ] && [ $i -lt 1000 ]; do i=$((i + 1)); sleep 0.01; done; rm -f {done}; answer;;"
    );
    let one =
        format!("{},ponder=on", ponderer(folder.path(), &format!("'go ponder'*) {what}; : > {done};;")));
    let two = script(folder.path(), "Plain", "", &waits);
    play_in(folder.path(), [&one, &two], &[])
}

/// As in cutechess: dropped, and asked anew.
#[test]
fn an_answer_before_ponderhit_is_dropped() {
    let played = play_after("echo bestmove a1a8");
    ended_well(&played);
    assert_eq!((played.pondered(), played.count("ponderhit")), ((8, 0), 0), "{:?}", played.told);
    for (lost, reason) in played.results() {
        assert!(!lost && reason.contains("repetition"), "{reason}");
    }
}

#[test]
fn who_crashes_while_pondering_has_lost() {
    let played = play("'go ponder'*) exit 3;;", &["--recover"]);
    ended_well(&played);
    for (lost, reason) in played.results() {
        assert!(lost && reason.contains("disconnects"), "{reason}");
    }
    let played = play("'go ponder'*) exit 3;;", &[]);
    assert_eq!((played.code, played.games.len()), (Some(4), 1), "{}", played.stderr);
    assert!(played.stderr.contains("Ponderer"), "{}", played.stderr);
}

#[test]
fn who_hears_no_stop_has_lost_on_time_a_second_later() {
    let deaf = "stop) ;; 'go ponder'*) ;; go*) know; guess=h7h6; say;;";
    let played = play(deaf, &[]);
    ended_well(&played);
    // As Black it names a move that is not legal there, and ponders on nothing.
    let [(lost, reason), (other, _)] = &played.results()[..] else { panic!("two games") };
    assert!(*lost && reason.contains("loses on time") && !other, "{reason}");
    let took = played.games[0]["duration_us"].as_u64().unwrap();
    assert!((1_000_000..4_000_000).contains(&took), "{took} µs");
}

/// Its clock runs from the opponent's move, whatever it thinks of.
#[test]
fn who_hears_no_ponderhit_loses_on_time() {
    let folder = tempfile::tempdir().unwrap();
    let one = ponderer(folder.path(), "ponderhit) ;;").replace("tc=60+1", "tc=0.4+0.1");
    let two = script(folder.path(), "Plain", "", "");
    let played = play_in(folder.path(), [&format!("{one},ponder=on"), &two], &[]);
    ended_well(&played);
    for (lost, reason) in played.results() {
        assert!(lost && reason.contains("loses on time"), "{reason}");
    }
    assert_eq!((played.count("go ponder"), played.count("ponderhit")), (2, 2), "{:?}", played.told);
}

#[test]
fn a_game_that_ends_meanwhile_ends_pondering() {
    let played = play("", &["--maxmoves", "1", "--pairs", "2"]);
    assert!(matches!(played.code, Some(0 | 3)), "{}", played.stderr);
    assert_eq!(played.games.len(), 4);
    // As White it ponders when Black's move ends the game; as Black its own move does.
    let last = |line: &&String| ["stop", "ucinewgame", "quit"].iter().any(|word| line.starts_with(word));
    let told: Vec<&String> =
        played.told.iter().filter(|line| line.starts_with("go ponder") || last(line)).collect();
    assert_eq!(played.count("stop"), 2, "{told:?}");
    for (at, _) in told.iter().enumerate().filter(|(_, line)| line.starts_with("go ponder")) {
        assert_eq!(told[at + 1], "stop", "{told:?}");
    }
    // At once, and not only before the next game: the opponent's move in the last one is illegal.
    let folder = tempfile::tempdir().unwrap();
    let one = format!("{},ponder=on", ponderer(folder.path(), ""));
    let two =
        script(folder.path(), "Plain", "", "go*) if [ $n = 2 ]; then echo bestmove a1a8; else answer; fi;;");
    let played = play_in(folder.path(), [&one, &two], &[]);
    assert_eq!(played.games[1]["termination"], "rules infraction", "{}", played.games[1]);
    assert_eq!(played.told[played.told.len() - 2..], ["stop", "quit"], "{:?}", played.told);
}

#[test]
fn an_engine_without_the_option_plays_without() {
    let folder = tempfile::tempdir().unwrap();
    let one = ponderer(folder.path(), "");
    let two = script(folder.path(), "Plain", "", "");
    let played = play_in(folder.path(), [&one, &two], &["--each", "ponder=on"]);
    ended_well(&played);
    assert!(played.stderr.contains("engine Plain: has no option Ponder"), "{}", played.stderr);
    assert_eq!(played.count("go ponder"), 6);
    let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
    assert!(!log.contains("Plain > go ponder"));
}

/// More than a pipe usually holds while nobody listens: the engine is not held up, and not misread.
#[test]
fn a_talker_is_not_held_up() {
    let talk = "i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); echo 'info depth 1 score cp 1 nodes 1 pv a2a3 a7a6 a3a4 a6a5 b2b3'; done";
    let played = play_after(talk);
    ended_well(&played);
    assert_eq!(played.pondered(), (8, 6));
    for game in &played.games {
        // Otherwise the opponent would have waited for ten seconds, again and again.
        let took = game["duration_us"].as_u64().unwrap();
        assert!(took < 9_000_000, "{took} µs");
    }
}

#[test]
fn what_cannot_be_pondered_on_is_told() {
    let two = |engine: &str, words: &[&str]| {
        let args = ["match", "--engine", engine, "--engine", "embedded:tc=1+0.1", "--pairs", "1"];
        refused(&args, 2, words);
    };
    two("embedded:tc=1+0.1,ponder=on", &["ponder", "cmd=gauntlet,arg=uci"]);
    two("cmd=/bin/false,name=X,nodes=10,ponder=on", &["engine X", "ponder=on needs a clock"]);
    two("cmd=/bin/false,name=X,tc=1,depth=10,ponder=on", &["engine X", "ponder=on needs a clock"]);
    two("cmd=/bin/false,name=X,movetime=10,ponder=on", &["engine X", "ponder=on needs a clock"]);
    two("cmd=/bin/false,name=X,proto=xboard,tc=1,ponder=on", &["engine X", "UCI engines"]);
    two("cmd=/bin/false,name=X,tc=1,ponder=perhaps", &["ponder: `perhaps` is not on or off"]);
}

/// Our own engine as a child, against itself and against Stockfish.
#[test]
fn real_engines_ponder() {
    let own = format!("cmd={},arg=uci,name=Ponderer", env!("CARGO_BIN_EXE_gauntlet"));
    let stockfish = "/usr/games/stockfish";
    let other = if Path::new(stockfish).exists() {
        format!("cmd={stockfish},option.Hash=4")
    } else {
        assert!(
            std::env::var_os("GAUNTLET_REQUIRE_TOOLS").is_none_or(|v| v != "1"),
            "{stockfish} is missing"
        );
        format!("{own} 2")
    };
    let folder = tempfile::tempdir().unwrap();
    // A margin for a busy machine.
    let each = ["--each", "tc=0.6+0.02,ponder=on,margin=3000", "--maxmoves", "15"];
    let played = play_in(folder.path(), [&own, &other], &each);
    ended_well(&played);
    for (_, reason) in played.results() {
        let faults = ["time", "disconnects", "illegal", "hangs", "no move"];
        assert!(!faults.iter().any(|fault| reason.contains(fault)), "{reason}");
    }
    let (plies, pondered) = played.pondered();
    assert!(pondered >= 1 && pondered < plies, "{pondered} of {plies}");
    assert_eq!(played.count("go ponder"), played.count("ponderhit") + played.count("stop"));
}
