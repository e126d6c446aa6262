//! `bench --against`: last lines, exit codes, what is kept. Engines that tell what they like decide a verdict on any machine; of real
//! ones only what does not depend on the machine is looked at.

use super::interrupts::interrupted_when;
use super::{fields, gauntlet, refused, text};
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

/// A shell script that answers at once and says that it searched so many nodes. `before` is what it does at its start.
fn script(name: &str, nodes: &str, before: &str) -> String {
    let text = format!(
        "{before} while read -r line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; \
         go*) echo info depth 1 {nodes} score cp 1; echo bestmove 0000;; quit) exit;; esac; done"
    );
    format!("cmd=/bin/sh,name={name},arg=-c,arg={}", text.replace('\\', r"\\").replace(',', r"\,"))
}

fn compare(
    folder: &Path,
    new: &str,
    base: &str,
    more: &[&str],
) -> (Option<i32>, HashMap<String, String>, String) {
    let args = ["bench", "--engine", new, "--against", base, "--out", "run"];
    let out = gauntlet(folder, &[&args[..], more].concat());
    (out.status.code(), fields(text(&out.stdout).lines().last().unwrap_or_default()), text(&out.stderr))
}

fn table(folder: &Path, name: &str) -> Vec<HashMap<String, String>> {
    let path = folder.join("run").join(name);
    csv::Reader::from_path(path).unwrap().deserialize().map(|row| row.unwrap()).collect()
}

#[test]
fn the_verdict_is_the_exit_code() {
    let (few, many) = (script("Few", "nodes 10", ""), script("Many", "nodes 10000", ""));
    for (new, base, verdict, code) in [(&many, &few, "faster", 0), (&few, &many, "slower", 1)] {
        let folder = tempfile::tempdir().unwrap();
        let (exit, line, stderr) = compare(folder.path(), new, base, &["--depth", "1", "--rounds", "7"]);
        assert_eq!((exit, line["verdict"].as_str()), (Some(code), verdict), "{stderr}");
        let number = |key: &str| line[key].parse::<f64>().unwrap();
        assert!(number("low") <= number("ratio") && number("ratio") <= number("high"), "{line:?}");
        // Seven of seven: 2 / 128.
        assert!((number("p") - 0.015625).abs() < 1e-12);
        assert_eq!(number("ratio") > 1.0, verdict == "faster");
        let rows = table(folder.path(), "comparisons.csv");
        assert_eq!(
            rows.iter().map(|row| row["metric"].as_str()).collect::<Vec<_>>(),
            ["speed", "speed-wall"]
        );
        assert_eq!((rows[0]["verdict"].as_str(), rows[0]["threshold"].as_str()), (verdict, "0.01"));
        let report = std::fs::read_to_string(folder.path().join("run/report.html")).unwrap();
        assert!(report.contains("id=\"speed\"") && report.contains("the nodes differ"));
    }
}

/// Of five rounds there is no interval, whatever they say.
#[test]
fn few_rounds_say_nothing() {
    let (few, many) = (script("Few", "nodes 10", ""), script("Many", "nodes 10000", ""));
    for rounds in ["1", "5"] {
        let folder = tempfile::tempdir().unwrap();
        let (exit, line, _) = compare(folder.path(), &few, &many, &["--depth", "1", "--rounds", rounds]);
        assert_eq!((exit, line["verdict"].as_str()), (Some(3), "unclear"));
        assert_eq!((line["low"].as_str(), line["high"].as_str()), ("n/a", "n/a"));
    }
}

/// Two processes of the embedded engine a round, each order as often, the same nodes; the plan makes it again.
#[test]
fn the_embedded_engine_is_compared_in_processes_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--depth", "5", "--rounds", "8", "--threshold", "99", "--seed", "7", "--format", "json"];
    let args =
        [&["bench", "--engine", "embedded", "--against", "embedded", "--out", "run"], &args[..]].concat();
    let out = gauntlet(folder.path(), &args);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let document: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(
        (&document["summary"]["verdict"], &document["speed"]["same_nodes"]),
        (&"same".into(), &true.into())
    );
    let rows = table(folder.path(), "speed.csv");
    assert_eq!(rows.len(), 16);
    let of = |engine: &str| rows.iter().filter(|row| row["engine"] == engine).cloned().collect::<Vec<_>>();
    let (new, base) = (of("embedded (new)"), of("embedded (base)"));
    for rows in [&new, &base] {
        assert_eq!(rows.iter().filter(|row| row["place"] == "1").count(), 4);
        assert!(rows.iter().all(|row| row["nodes"] == new[0]["nodes"] && row["searches"] == "36"));
        assert!(rows.iter().all(|row| row["cpu_us"].parse::<u64>().unwrap() > 0));
    }
    let again = gauntlet(folder.path(), &["bench", "--plan", "run/plan.toml", "--out", "again"]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    let places = |folder: &str| {
        let rows = csv::Reader::from_path(Path::new(folder).join("speed.csv")).unwrap().into_deserialize();
        rows.map(|row: Result<HashMap<String, String>, _>| row.unwrap()["place"].clone()).collect::<Vec<_>>()
    };
    let [first, second] = ["run", "again"].map(|run| places(folder.path().join(run).to_str().unwrap()));
    assert_eq!(first, second);
}

/// A tenth slower with the same nodes: what all rounds took together shows it where a verdict could still be unclear.
#[cfg(target_os = "linux")]
#[test]
fn the_planted_slowness_shows_in_the_processor_time() {
    let folder = tempfile::tempdir().unwrap();
    let own = format!("cmd={},arg=uci,option.slider=magic-fancy", env!("CARGO_BIN_EXE_gauntlet"));
    let slow = format!("{own},arg=--fault,arg=slow,name=Slow");
    let (_, line, stderr) = compare(folder.path(), &slow, &own, &["--depth", "6", "--rounds", "12"]);
    assert_ne!(line["verdict"], "faster", "{stderr}");
    let rows = table(folder.path(), "speed.csv");
    assert!(rows.iter().all(|row| row["nodes"] == rows[0]["nodes"]), "slowness changes no search");
    let used = |is_slow: bool| -> f64 {
        let of = rows.iter().filter(|row| (row["engine"] == "Slow") == is_slow);
        let mut used: Vec<f64> = of.map(|row| row["cpu_us"].parse().unwrap()).collect();
        used.sort_by(f64::total_cmp);
        // The least that a process took: what others do to the caches only adds to it.
        used[0]
    };
    assert!(used(true) > 1.04 * used(false), "{} to {}", used(true), used(false));
}

/// What no engine can have searched is told of with its name, on either side; no verdict is made of it.
#[test]
fn counts_that_cannot_be_are_no_speed() {
    let good = script("Good", "nodes 10", "");
    for nodes in ["18446744073709551615", "9007199254740993", "100000000000000"] {
        let silly = script("Silly", &format!("nodes {nodes}"), "");
        for (new, base) in [(&silly, &good), (&good, &silly)] {
            let folder = tempfile::tempdir().unwrap();
            let (exit, _, stderr) = compare(folder.path(), new, base, &["--depth", "1", "--rounds", "7"]);
            assert_eq!(exit, Some(4), "{nodes}: {stderr}");
            assert!(stderr.contains("engine Silly: tells of") && stderr.lines().count() == 1, "{stderr}");
        }
    }
    // Counts that fall: one of them is wrong, and which is not known.
    let falling = script("Falling", "nodes 500 score cp 1; echo info depth 1 nodes 10", "");
    for (new, base) in [(&falling, &good), (&good, &falling)] {
        let folder = tempfile::tempdir().unwrap();
        let (exit, line, stderr) = compare(folder.path(), new, base, &["--depth", "1", "--rounds", "7"]);
        assert_eq!((exit, line["verdict"].as_str()), (Some(3), "unclear"), "{stderr}");
        assert!(stderr.contains("engine Falling: its counts of nodes fall"), "{stderr}");
        assert!(!stderr.contains("engine Good"), "{stderr}");
    }
    // The bench of one engine stands it, too.
    let silly = script("Silly", "nodes 18446744073709551615", "");
    let folder = tempfile::tempdir().unwrap();
    let out = gauntlet(folder.path(), &["bench", "--engine", &silly, "--depth", "1", "--out", "run"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
}

#[test]
fn an_engine_that_dies_ends_it_and_the_rounds_before_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let starts = folder.path().join("starts");
    let mortal = script(
        "Mortal",
        "nodes 5",
        &format!("echo x >> {0}; [ $(wc -l < {0}) -gt 2 ] && exit 3;", starts.display()),
    );
    let (exit, _, stderr) =
        compare(folder.path(), &mortal, &script("Other", "nodes 5", ""), &["--depth", "1", "--rounds", "8"]);
    assert_eq!(exit, Some(4), "{stderr}");
    assert!(stderr.contains("engine Mortal: died"), "{stderr}");
    let rows = table(folder.path(), "speed.csv");
    assert_eq!(rows.iter().map(|row| row["round"].as_str()).collect::<Vec<_>>(), ["1", "1", "2", "2"]);
    assert!(!folder.path().join("run/comparisons.csv").exists());
    let report = std::fs::read_to_string(folder.path().join("run/report.html")).unwrap();
    assert!(report.contains("id=\"speed\""));
}

#[test]
fn an_interrupt_keeps_the_rounds() {
    let folder = tempfile::tempdir().unwrap();
    let rows =
        || std::fs::read_to_string(folder.path().join("run/rows.jsonl")).unwrap_or_default().lines().count();
    let args = ["bench", "--against", "embedded", "--depth", "1", "--rounds", "10000"];
    let (out, _) = interrupted_when(folder.path(), &args, "-INT", &|| rows() >= 2);
    assert_eq!(out.status.code(), Some(130), "{}", text(&out.stderr));
    assert!(rows() >= 2 && rows() % 2 == 0);
    assert!(folder.path().join("run/report.html").is_file());
}

#[test]
fn bad_input() {
    let against = ["bench", "--against", "embedded"];
    for (more, words) in [
        (&["--rounds", "0"][..], &["--rounds", "1"][..]),
        (&["--rounds", "10001"], &["--rounds", "10000"]),
        (&["--threshold", "-1"], &["--threshold"]),
        (&["--threshold", "100"], &["--threshold"]),
        (&["--threshold", "nan"], &["--threshold"]),
        (&["--depth", "0"], &["--depth"]),
    ] {
        refused(&[&against[..], more].concat(), 2, words);
    }
    refused(&["bench", "--rounds", "5"], 2, &["--rounds", "--against"]);
    refused(&["bench", "--threshold", "5"], 2, &["--threshold", "--against"]);
    refused(&["bench", "--against", "stockfish"], 2, &["cmd=stockfish"]);
    refused(&["bench", "--against", "cmd=/no/such/engine", "--depth", "1"], 4, &["/no/such/engine"]);
    let silent = script("Silent", "", "");
    refused(&["bench", "--against", &silent, "--depth", "1"], 2, &["Silent", "does not tell how many nodes"]);
}
