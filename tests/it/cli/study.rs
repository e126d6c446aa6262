//! `gauntlet study` as scripts see it.

use super::{fields, gauntlet, refused_in, text};

const SMALL: &str = r#"name = "tiny"
trial = "hash-collisions"

[factors]
source = ["games"]
bits = [12, 16]
keys = ["zobrist", "bch"]

[limits]
positions = 2000
draws = 2
"#;

#[test]
fn a_study_is_recorded_and_repeated() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tiny.toml"), SMALL).unwrap();
    let out = gauntlet(folder.path(), &["study", "tiny.toml", "--out", "first"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let stdout = text(&out.stdout);
    let last = stdout.lines().last().unwrap();
    assert!(last.starts_with("study: tiny cells=4 report="), "{last}");
    assert!(std::path::Path::new(&folder.path().join(&fields(last)["report"])).is_file());
    assert!(stdout.contains("Study tiny") && stdout.contains("bch"), "{stdout}");
    let csv = |run: &str| std::fs::read_to_string(folder.path().join(run).join("study.csv")).unwrap();
    let first = csv("first");
    assert!(
        first.starts_with("study,cell,source,bits,keys,metric,value\ntiny,0,games,12,zobrist,draws,2\n"),
        "{first}"
    );
    assert_eq!(first.lines().count(), 1 + 4 * 7);
    // The plan holds the study itself: its file may be gone.
    std::fs::remove_file(folder.path().join("tiny.toml")).unwrap();
    let again = gauntlet(folder.path(), &["study", "--plan", "first/plan.toml", "--out", "again"]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    assert_eq!(csv("again"), first);
    // Redrawn from the rows alone.
    let redrawn = gauntlet(folder.path(), &["report", "first"]);
    assert!(text(&redrawn.stdout).contains("Study tiny"));
    let document =
        gauntlet(folder.path(), &["study", "--plan", "first/plan.toml", "--out", "none", "--format", "csv"]);
    assert_eq!(
        (text(&document.stdout), text(&document.stderr).trim()),
        (first, "study: tiny cells=4 report=none")
    );
}

#[test]
fn a_wrong_study_names_file_line_and_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.toml");
    let cases: [(&str, &str, &[&str]); 9] = [
        (
            "trial = \"hash-collisions\"",
            "trial = \"chess-boxing\"",
            &["s.toml:2:", "trial", "chess-boxing", "hash-collisions"],
        ),
        ("trial = \"hash-collisions\"", "", &["s.toml", "trial"]),
        ("bits = [12, 16]", "bits = [12, 16]\nwidth = 3", &["s.toml:7:", "width"]),
        ("keys = [\"zobrist\", \"bch\"]", "keys = [\"zobrits\"]", &["s.toml:7:", "zobrits", "zobrist"]),
        ("positions = 2000", "positions = -1", &["s.toml:10:", "-1"]),
        ("positions = 2000", "positions = 1", &["s.toml", "limits.positions", "1"]),
        ("draws = 2", "", &["s.toml:", "draws"]),
        ("name = \"tiny\"", "name = \"tiny one\"", &["s.toml", "name", "tiny one"]),
        ("[limits]", "[limits", &["s.toml:9:"]),
    ];
    for (was, is, words) in cases {
        std::fs::write(&path, SMALL.replace(was, is)).unwrap();
        refused_in(folder.path(), &["study", "s.toml"], 2, words);
    }
    refused_in(folder.path(), &["study", "missing.toml"], 2, &["missing.toml"]);
    refused_in(folder.path(), &["study"], 2, &["study", "FILE"]);
    assert!(
        !folder.path().join("reports").exists()
            || std::fs::read_dir(folder.path().join("reports/runs")).unwrap().next().is_none()
    );
}
