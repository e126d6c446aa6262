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
    let cases: [(&str, &str, &[&str]); 15] = [
        (
            "trial = \"hash-collisions\"",
            "trial = \"chess-boxing\"",
            &["s.toml:2:", "trial", "chess-boxing", "hash-collisions"],
        ),
        ("trial = \"hash-collisions\"", "", &["s.toml:1:", "trial"]),
        ("bits = [12, 16]", "bits = [12, 16]\nwidth = 3", &["s.toml:7:", "width"]),
        ("keys = [\"zobrist\", \"bch\"]", "keys = [\"zobrits\"]", &["s.toml:7:", "zobrits", "zobrist"]),
        ("positions = 2000", "positions = -1", &["s.toml:10:", "-1"]),
        ("positions = 2000", "positions = 1", &["s.toml:10:", "limits.positions", "1"]),
        ("draws = 2", "draws = 0", &["s.toml:11:", "limits.draws", "0"]),
        ("bits = [12, 16]", "bits = [12, 99]", &["s.toml:6:", "factors.bits", "99"]),
        ("bits = [12, 16]", "bits = [\n  12,\n  99,\n]", &["s.toml:8:", "factors.bits", "99"]),
        ("bits = [12, 16]", "bits = [12, 16, 12]", &["s.toml:6:", "factors.bits", "12", "twice"]),
        ("source = [\"games\"]", "source = []", &["s.toml:5:", "factors.source"]),
        ("[\"zobrist\", \"bch\"]", "[\n\"bch\",\n\"bch\"]", &["s.toml:9:", "factors.keys", "bch", "twice"]),
        ("draws = 2", "", &["s.toml:9:", "draws"]),
        ("name = \"tiny\"", "name = \"tiny one\"", &["s.toml:1:", "name", "tiny one"]),
        ("[limits]", "[limits", &["s.toml:9:"]),
    ];
    for (was, is, words) in cases {
        std::fs::write(&path, SMALL.replace(was, is)).unwrap();
        assert!(
            words[0].trim_start_matches("s.toml:").trim_end_matches(':').parse::<u32>().is_ok(),
            "{words:?}"
        );
        refused_in(folder.path(), &["study", "s.toml"], 2, words);
    }
    // Every kind of study is looked over in the same way.
    let other = "name = \"x\"\ntrial = \"attack-byte\"\n[factors]\nsource = [\"games\"]\nbatteries = [\"seen\"]\n[limits]\npositions = 10\n";
    let cases: [(&str, &str, &[&str]); 4] = [
        ("[\"games\"]", "[\"games\", \"games\"]", &["s.toml:4:", "factors.source", "games", "twice"]),
        ("[\"seen\"]", "[\"seen\", \"seen\"]", &["s.toml:5:", "factors.batteries", "seen", "twice"]),
        ("[\"seen\"]", "[]", &["s.toml:5:", "factors.batteries"]),
        ("= 10", "= 0", &["s.toml:7:", "limits.positions", "0"]),
    ];
    for (was, is, words) in cases {
        std::fs::write(&path, other.replace(was, is)).unwrap();
        refused_in(folder.path(), &["study", "s.toml"], 2, words);
    }
    refused_in(folder.path(), &["study", "missing.toml"], 2, &["missing.toml"]);
    refused_in(folder.path(), &["study"], 2, &["study", "FILE"]);
    assert!(
        !folder.path().join("reports").exists()
            || std::fs::read_dir(folder.path().join("reports/runs")).unwrap().next().is_none()
    );
}
