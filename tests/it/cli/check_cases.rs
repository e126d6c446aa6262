//! `check` over the parser cases and reported cases: what the library accepts or refuses, the command line does too, with
//! line numbers; and long files, of which nothing is kept.

use super::{gauntlet, text};
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;

fn data(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name).display().to_string()
}

fn cases(kind: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(data("parser/cases.json")).unwrap().replace("\\udcfc", "\\u00fc");
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    cases.into_iter().filter(|case| case["kind"] == kind).collect()
}

/// The items of the document.
fn items(args: &[String]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let all = ["check", "--format", "json"].map(str::to_owned);
    let all: Vec<&str> = all.iter().chain(args).map(String::as_str).collect();
    let out = gauntlet(folder.path(), &all);
    let document: Value = serde_json::from_slice(&out.stdout).unwrap();
    let items = document["items"].as_array().unwrap().clone();
    let errors = items.iter().filter(|item| item["error"].is_string()).count();
    assert_eq!(out.status.code(), Some(i32::from(errors > 0)));
    assert_eq!(document["summary"]["errors"], errors);
    assert_eq!(text(&out.stderr).trim_end(), format!("check: items={} errors={errors}", items.len()));
    items
}

/// An item is an error or not, as the case expects.
fn judge(case: &Value, is_error: bool) {
    match case["expect"].as_str().unwrap() {
        "accept" => assert!(!is_error, "{case}"),
        "reject" => assert!(is_error, "{case}"),
        _ => {}
    }
}

#[test]
fn fen_cases() {
    for chess960 in [false, true] {
        let mut cases = cases("fen");
        cases.retain(|case| case["chess960"].as_bool().unwrap_or(false) == chess960);
        // No argument can hold a NUL byte.
        cases.retain(|case| !case["input"].as_str().unwrap().contains('\0'));
        let mut args: Vec<String> =
            cases.iter().map(|case| format!("--fen={}", case["input"].as_str().unwrap())).collect();
        if chess960 {
            args.push("--chess960".to_owned());
        }
        let items = items(&args);
        assert!(!items.is_empty() && items.len() == cases.len());
        for (number, (case, item)) in cases.iter().zip(&items).enumerate() {
            judge(case, item["error"].is_string());
            assert_eq!(item["line"], number + 1);
            if let Some(expected) = case["result"].as_str() {
                assert_eq!(item["fen"], expected, "{case}");
            }
        }
    }
}

#[test]
fn epd_cases() {
    let cases = cases("epd");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cases.epd");
    let lines: String = cases.iter().map(|case| case["input"].as_str().unwrap().to_owned() + "\n").collect();
    std::fs::write(&path, lines).unwrap();
    let items = items(&["--epd".to_owned(), path.display().to_string()]);
    for (index, case) in cases.iter().enumerate() {
        let item = items.iter().find(|item| item["line"] == index + 1);
        // A comment line is no item.
        judge(case, item.is_some_and(|item| item["error"].is_string()));
        assert!(item.is_some() || case["name"] == "comment-line", "{case}");
    }
}

#[test]
fn pgn_cases() {
    for case in cases("pgn") {
        let path = data(&format!("parser/pgn/{}.pgn", case["name"].as_str().unwrap()));
        let items = items(&["--pgn".to_owned(), path]);
        judge(&case, items.iter().any(|item| item["error"].is_string()));
        if let Some(games) = case["games"].as_u64() {
            assert_eq!(items.len() as u64, games, "{case}");
        }
        if let (Some(plies), Some(first)) = (case["plies"].as_u64(), items.first()) {
            assert_eq!(first["plies"], plies, "{case}");
        }
    }
}

/// Rows of `cases.csv`: BR-038, BR-042, BR-046, BR-047 and BR-048 as files.
#[test]
fn reported_games() {
    let mut reader = csv::Reader::from_path(data("cases.csv")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut seen = 0;
    for row in reader.records().map(Result::unwrap) {
        let expected: &[(u64, &str)] = match &row[0] {
            "BR-038" => &[(2, ""), (3, "")],
            "BR-042" => &[(0, ""), (1, "")],
            "BR-046" => &[(12, "0-1")],
            "BR-047" => &[(14, "1/2-1/2")],
            "BR-048" => &[(5, "0-1")],
            _ => continue,
        };
        let mut bytes = row[4].replace("\\n", "\n").replace("\\r", "\r").into_bytes();
        if bytes.starts_with(b"\\xEF\\xBB\\xBF") {
            bytes.splice(..12, [0xef, 0xbb, 0xbf]);
        }
        let path = folder.path().join("case.pgn");
        std::fs::write(&path, bytes).unwrap();
        let items = items(&["--pgn".to_owned(), path.display().to_string()]);
        assert_eq!(items.len(), expected.len(), "{row:?}");
        for (item, (plies, result)) in items.iter().zip(expected) {
            assert_eq!(item["plies"], *plies, "{row:?}");
            assert!(result.is_empty() || item["result"] == *result, "{row:?}");
        }
        if &row[0] == "BR-047" {
            assert_eq!(items[0]["final_fen"], "8/4K3/1R6/2p5/4p3/2q2b2/3k4/6Q1 w - - 16 97");
            assert_eq!(items[0]["outcome"], "draw by threefold repetition");
        }
        seen += 1;
    }
    assert_eq!(seen, 5);
}

/// All errors are counted, and as text a hundred of a file are shown.
#[test]
fn a_long_file_of_errors() {
    let folder = tempfile::tempdir().unwrap();
    let mut games = String::new();
    for number in 1..=500 {
        writeln!(
            games,
            "[Round \"{number}\"]\n\n1. e4 e5 {} *\n",
            if number % 2 == 0 { "2. Ke3" } else { "2. Nf3" }
        )
        .unwrap();
    }
    std::fs::write(folder.path().join("a.pgn"), games).unwrap();
    let out = gauntlet(folder.path(), &["check", "--pgn", "a.pgn"]);
    let stdout = text(&out.stdout);
    assert_eq!(stdout.lines().filter(|line| line.contains("error: move 2.: \"Ke3\"")).count(), 100);
    assert_eq!(stdout.lines().filter(|line| line.contains(" 3 plies")).count(), 250);
    assert!(stdout.contains("a.pgn: 150 more errors\n") && stdout.ends_with("check: items=500 errors=250\n"));
    let csv = text(&gauntlet(folder.path(), &["check", "--pgn", "a.pgn", "--format", "csv"]).stdout);
    assert_eq!(csv.lines().count(), 501);
    assert!(csv.starts_with("kind,source,line,fen,"));
    // The line on which the broken move stands: four lines a game, the moves on the third.
    assert!(csv.lines().nth(2).unwrap().starts_with("pgn,a.pgn,7,"), "{csv:.300}");
}

/// A file that opens and then cannot be read: exit 2 and no item, as for one that does not open; a document is complete all
/// the same.
#[cfg(target_os = "linux")]
#[test]
fn a_read_error_is_no_item() {
    let folder = tempfile::tempdir().unwrap();
    // Nothing is mapped at its beginning.
    let unreadable = "/proc/self/mem";
    for flag in ["--epd", "--pgn"] {
        super::refused(&["check", "--quiet", flag, unreadable], 2, &[unreadable, "os error"]);
        let out = gauntlet(folder.path(), &["check", "--format", "json", "--fen", "x", flag, unreadable]);
        assert_eq!(out.status.code(), Some(2), "{flag}");
        let document: Value = serde_json::from_slice(&out.stdout).unwrap();
        assert_eq!(document["items"].as_array().unwrap().len(), 1, "{flag}");
        assert_eq!(document["summary"]["items"], 1, "{flag}");
        assert!(document["failure"].as_str().unwrap().starts_with(unreadable), "{flag}");
        assert_eq!(text(&out.stderr).lines().count(), 1, "{flag}");
        let out = gauntlet(folder.path(), &["check", "--format", "csv", flag, unreadable]);
        assert_eq!((out.status.code(), text(&out.stdout).lines().count()), (Some(2), 1), "{flag}");
    }
}

/// What the JSON document has of a game, the CSV has too.
#[test]
fn warnings_are_a_column() {
    let folder = tempfile::tempdir().unwrap();
    let games =
        "[Result \"1-0\"]\n\n1. e4 e5 0-1\n\n[Event \"x\"]\n\n1. e4, \"e5\" *\n\n[White \"A\"]\n\n1. d4 *\n";
    std::fs::write(folder.path().join("a.pgn"), games).unwrap();
    let args = ["check", "--pgn", "a.pgn", "--format"];
    let json = gauntlet(folder.path(), &[&args[..], &["json"]].concat());
    let document: Value = serde_json::from_slice(&json.stdout).unwrap();
    let items = document["items"].as_array().unwrap();
    let csv = gauntlet(folder.path(), &[&args[..], &["csv"]].concat());
    let mut reader = csv::Reader::from_reader(&csv.stdout[..]);
    let rows: Vec<std::collections::HashMap<String, String>> =
        reader.deserialize().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows.len(), items.len());
    let mut warned = 0;
    for (row, item) in rows.iter().zip(items) {
        let warnings: Vec<&str> =
            item["warnings"].as_array().into_iter().flatten().map(|text| text.as_str().unwrap()).collect();
        assert_eq!(row["warnings"], warnings.join("; "), "{item}");
        warned += usize::from(!warnings.is_empty());
    }
    assert!(warned > 0 && warned < rows.len(), "{document}");
}
