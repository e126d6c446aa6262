//! `run`: the whole gauntlet, short, from an empty folder.

use super::{fields, gauntlet, text};
use serde_json::Value;

#[test]
fn the_quick_run_passes_and_leaves_everything() {
    let folder = tempfile::tempdir().unwrap();
    let out = gauntlet(folder.path(), &["run", "--quick"]);
    let stdout = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{stdout}{}", text(&out.stderr));
    let line = stdout.lines().last().unwrap();
    assert!(line.starts_with("run: PASS checks="), "{line}");
    let found = fields(line);
    assert_eq!(found["failed"], "0");
    assert!(found["checks"].parse::<u64>().unwrap() > 5000);

    let report = folder.path().join(&found["report"]);
    let run = report.parent().unwrap();
    let files =
        ["plan.toml", "header.json", "rows.jsonl", "games.pgn", "verdicts.csv", "perft.csv", "tactics.csv"];
    for name in
        files.into_iter().chain(["symmetry.csv", "bench.csv", "sliders.csv", "games.csv", "matches.csv"])
    {
        assert!(run.join(name).is_file(), "{name}");
    }
    let header: Value = serde_json::from_slice(&std::fs::read(run.join("header.json")).unwrap()).unwrap();
    assert_eq!((header["complete"].as_bool(), header["summary"].as_str()), (Some(true), Some(line)));

    let verdicts: Vec<Value> = std::fs::read_to_string(run.join("rows.jsonl"))
        .unwrap()
        .lines()
        .map(|row| serde_json::from_str::<Value>(row).unwrap())
        .filter(|row| row["kind"] == "verdict")
        .collect();
    let stages: Vec<&str> = verdicts.iter().map(|verdict| verdict["stage"].as_str().unwrap()).collect();
    assert_eq!(stages, ["perft", "sliders", "symmetry", "bench", "tactics", "ladder", "sprt"]);
    // Each was told when it was over.
    let said = text(&out.stderr);
    let told = said.lines().filter_map(|line| line.strip_prefix("run: ")?.split(": ").next());
    assert_eq!(told.collect::<Vec<_>>(), stages, "{said}");
    let sum: u64 = verdicts.iter().map(|verdict| verdict["checks"].as_u64().unwrap()).sum();
    assert_eq!(found["checks"], sum.to_string());

    let html = std::fs::read_to_string(report).unwrap();
    assert!(html.contains("<svg"));
    assert!(
        !html.contains("src=\"http") && !html.contains("href=\"http"),
        "the report is one file without network"
    );
}
