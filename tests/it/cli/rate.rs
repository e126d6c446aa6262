//! `rate`: the reference ratings and the Aegon table through the command line; bad games and bad flags.

use super::{fields, gauntlet, refused, text};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

fn data(file: &str) -> String {
    format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"))
}

fn rows(file: &str) -> Vec<HashMap<String, String>> {
    let mut reader = csv::Reader::from_path(data(file)).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

/// The JSON document and the last line, which is on stderr beside a document.
fn rate(folder: &Path, args: &[&str], code: i32) -> (Value, HashMap<String, String>, String) {
    let args: Vec<&str> = ["rate", "--format", "json"].into_iter().chain(args.iter().copied()).collect();
    let out = gauntlet(folder, &args);
    let stderr = text(&out.stderr);
    assert_eq!(out.status.code(), Some(code), "{args:?}: {stderr}");
    (serde_json::from_slice(&out.stdout).unwrap(), fields(stderr.lines().last().unwrap()), stderr)
}

fn by_name(document: &Value) -> HashMap<String, Value> {
    let players = document["players"].as_array().unwrap();
    players.iter().map(|player| (player["player"].as_str().unwrap().to_owned(), player.clone())).collect()
}

#[test]
fn ratings_are_the_references() {
    let folder = tempfile::tempdir().unwrap();
    let mut tournaments: HashMap<String, Vec<HashMap<String, String>>> = HashMap::new();
    for row in rows("stats/rating.csv") {
        tournaments.entry(row["tournament"].clone()).or_default().push(row);
    }
    assert_eq!(tournaments.len(), 8);
    for (name, rows) in &tournaments {
        let file = data(&format!("stats/pgn/{name}.pgn"));
        let runs: [(&[&str], &str, &str); 3] = [
            (&[], "component_rating", "component_se"),
            (&["--white-advantage"], "btw_rating", "btw_se"),
            (&["--prior-draws", "1"], "prior1_rating", ""),
        ];
        for (flags, rating, error) in runs {
            let args: Vec<&str> = [file.as_str()].into_iter().chain(flags.iter().copied()).collect();
            let (document, summary, _) = rate(folder.path(), &args, 0);
            assert_eq!(summary["players"], rows.len().to_string());
            assert_eq!(summary["groups"], rows[0]["strong_components"]);
            let players = by_name(&document);
            for row in rows.iter().filter(|row| !row[rating].is_empty()) {
                let player = &players[&row["player"]];
                let near = |key: &str, wanted: &str, tolerance: f64| {
                    let found = player[key].as_f64().unwrap();
                    let wanted: f64 = wanted.parse().unwrap();
                    assert!((found - wanted).abs() <= tolerance, "{name} {flags:?} {key}: {found} {wanted}");
                };
                near("rating", &row[rating], 1e-6);
                near("points", &row["points"], 0.0);
                near("games", &row["games"], 0.0);
                if let Some(wanted) = row.get(error).filter(|wanted| !wanted.is_empty()) {
                    near("information_error", wanted, 1e-5);
                }
            }
            let wanted = &rows[0]["btw_white_adv"];
            if flags.contains(&"--white-advantage") && !wanted.is_empty() {
                let found = document["groups"][0]["white_advantage"]["value"].as_f64().unwrap();
                assert!((found - wanted.parse::<f64>().unwrap()).abs() < 1e-6, "{name}");
            }
        }
    }
}

/// The table of 1993, printed and recomputed: 64 players, 192 games, in the order points, SOS, SoDOS.
#[test]
fn the_aegon_table_is_recomputed() {
    let folder = tempfile::tempdir().unwrap();
    let players = rows("seeds/aegon1993.csv");
    let mut pgn = String::new();
    for player in &players {
        for round in 1..=6 {
            // As `13w1`: opponent, colour, result. Every game stands in two rows; White's is taken.
            let cell = &player[&format!("r{round}")];
            let Some((opponent, result)) = cell.split_once('w') else { continue };
            let opponent = players.iter().find(|other| other["rank"] == opponent).unwrap();
            let result = match result {
                "1" => "1-0",
                "=" => "1/2-1/2",
                _ => "0-1",
            };
            let (white, black) = (&player["name"], &opponent["name"]);
            write!(pgn, "[White \"{white}\"]\n[Black \"{black}\"]\n[Round \"{round}\"]\n[Result \"{result}\"]\n\n{result}\n\n")
                .unwrap();
        }
    }
    std::fs::write(folder.path().join("aegon.pgn"), pgn).unwrap();
    let args = ["aegon.pgn", "--crosstable", "table.csv", "--tiebreak", "sos,sodos"];
    let (document, summary, _) = rate(folder.path(), &args, 0);
    assert_eq!((summary["players"].as_str(), summary["games"].as_str()), ("64", "192"));
    let by_name = by_name(&document);
    let mut table = csv::Reader::from_path(folder.path().join("table.csv")).unwrap();
    let header = table.headers().unwrap().clone();
    let lines: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    assert_eq!((lines.len(), header.len()), (64, 6 + 64));
    let column = |name: &str| header.iter().position(|cell| cell == name).unwrap();
    let number = |text: &str| text.parse::<f64>().unwrap();
    for (line, wanted) in lines.iter().zip(&players) {
        let name = &wanted["name"];
        let cell = |column_name: &str| line.get(column(column_name)).unwrap();
        for key in ["points", "sos", "sodos"] {
            assert_eq!(number(cell(key)), number(&wanted[key]), "{name} {key}");
            if key != "points" {
                assert_eq!(by_name[name][key].as_f64(), Some(number(&wanted[key])), "{name} {key}");
            }
        }
        // The printed order; where all three figures are equal, any order and one place.
        let same = |key: &str| {
            players
                .iter()
                .filter(|other| {
                    ["points", "sos", "sodos"].iter().all(|figure| other[*figure] == wanted[*figure])
                })
                .map(|other| other[key].clone())
                .collect::<Vec<_>>()
        };
        assert!(same("name").iter().any(|other| other == cell("player")), "{name}");
        assert_eq!(cell("place"), same("rank")[0], "{name}");
        // The first pairing of this row.
        let player = players.iter().find(|other| other["name"] == cell("player")).unwrap();
        let first = &player["r1"];
        let opponent = first.split(['w', 'b']).next().unwrap();
        let opponent = players.iter().find(|other| other["rank"] == opponent).unwrap();
        let points = match first.chars().last().unwrap() {
            '1' => "1/1",
            '=' => "0.5/1",
            _ => "0/1",
        };
        assert_eq!(cell(&opponent["name"]), points, "{name}");
    }
}

#[test]
fn tie_breaks_are_the_references() {
    let folder = tempfile::tempdir().unwrap();
    let games = rows("stats/tiebreak_games.csv");
    for table in &games {
        let mut pgn = String::new();
        for game in table["games_white-black:whitescore"].split(' ') {
            let (players, score) = game.split_once(':').unwrap();
            let (white, black) = players.split_once('-').unwrap();
            let result = match score {
                "1" => "1-0",
                "0" => "0-1",
                _ => "1/2-1/2",
            };
            write!(pgn, "[White \"{white}\"]\n[Black \"{black}\"]\n\n{result}\n\n").unwrap();
        }
        std::fs::write(folder.path().join("t.pgn"), pgn).unwrap();
        let ids = "buchholz,sos-cut1,median,sonneborn-berger,sodos-match,h2h,wins,wins-black,koya";
        let (document, _, _) = rate(folder.path(), &["t.pgn", "--tiebreak", ids], 0);
        let players = by_name(&document);
        for row in rows("stats/tiebreak.csv").iter().filter(|row| row["id"] == table["id"]) {
            for (key, column) in [
                ("sos", "sos_buchholz"),
                ("sos-cut1", "buchholz_cut1_low"),
                ("sos-median", "buchholz_median"),
                ("sodos", "sodos_sonneborn_berger_games"),
                ("sodos-match", "sb_by_minimatch_outcome"),
                ("direct", "h2h_points_vs_tied"),
                ("wins", "wins"),
                ("wins-black", "wins_as_black"),
                ("koya", "koya"),
            ] {
                let found = players[&row["player"]][key].as_f64();
                assert_eq!(
                    found,
                    Some(row[column].parse().unwrap()),
                    "{} {} {key}",
                    row["id"],
                    row["player"]
                );
            }
        }
    }
}

fn game(white: &str, black: &str, more: &str, moves: &str) -> String {
    format!("[White \"{white}\"]\n[Black \"{black}\"]\n{more}\n{moves}\n\n")
}

#[test]
fn bad_games_are_named_and_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = [
        game("A", "B", "", "1. e4 e5 1-0"),
        game("A", "B", "", "1. e4 Ke4 1-0"),
        game("?", "B", "", "1-0"),
        game("A", "A", "", "1-0"),
        game("B", "A", "", "*"),
        game("B", "A", "", "1/2-1/2"),
    ]
    .concat();
    std::fs::write(folder.path().join("x.pgn"), pgn).unwrap();
    let (document, summary, stderr) = rate(folder.path(), &["x.pgn"], 1);
    assert_eq!((summary["games"].as_str(), summary["players"].as_str()), ("2", "2"));
    assert_eq!(document["unfinished"], 1);
    for words in
        ["x.pgn:9: move 1...", "x.pgn:11: tag White", "x.pgn:16: \"A\" plays against itself", "1 unfinished"]
    {
        assert!(stderr.contains(words), "{words}: {stderr}");
    }
    let out = gauntlet(folder.path(), &["rate", "x.pgn", "--quiet"]);
    assert_eq!(text(&out.stdout), "rate: players=2 games=2 groups=1\n");
}

#[test]
fn pairs_make_clusters() {
    let folder = tempfile::tempdir().unwrap();
    let mut pgn = String::new();
    for round in 1..=40 {
        // White wins both games of the pair, or each side its own with a draw in between.
        let results = if round % 4 == 0 { ["1-0", "1/2-1/2"] } else { ["1-0", "1-0"] };
        for (index, result) in results.into_iter().enumerate() {
            let (white, black) = if index == 0 { ("A", "B") } else { ("B", "A") };
            pgn += &game(white, black, &format!("[Round \"{round}.{}\"]\n", index + 1), result);
        }
    }
    std::fs::write(folder.path().join("x.pgn"), pgn).unwrap();
    let (document, _, _) = rate(folder.path(), &["x.pgn"], 0);
    let a = &by_name(&document)["A"];
    assert_eq!((a["interval"].as_str(), a["paired_games"].as_f64()), (Some("clustered"), Some(80.0)));
    let (clustered, information) = (a["clustered_error"].as_f64(), a["information_error"].as_f64());
    // By hand: the rating is half of the difference; score 45/80, pair scores 1/2 and 3/4 with deviation sqrt(3)/16, slope at 45/80.
    let deviation = (3.0_f64).sqrt() / 16.0 / (39.0_f64).sqrt();
    let wanted = 0.5 * deviation * 400.0 / std::f64::consts::LN_10 / (0.5625 * 0.4375);
    assert!((clustered.unwrap() - wanted).abs() < 1e-6, "{clustered:?} {wanted}");
    assert!(information.unwrap() > 2.0 * clustered.unwrap());
    let (document, _, _) = rate(folder.path(), &["x.pgn", "--anchor", "A=2000"], 0);
    let b = &by_name(&document)["B"];
    // The whole difference now has the error, and the anchor none.
    assert!((b["clustered_error"].as_f64().unwrap() - 2.0 * wanted).abs() < 1e-6);
    assert_eq!(by_name(&document)["A"]["rating"], 2000.0);
}

#[test]
fn wrong_flags_are_named() {
    let file = data("stats/pgn/rr3.pgn");
    let file = file.as_str();
    refused(&["rate"], 2, &["no FILE"]);
    refused(&["rate", "missing.pgn"], 2, &["missing.pgn"]);
    refused(&["rate", "."], 2, &["folder"]);
    refused(&["rate", file, "--anchor", "Alfa"], 2, &["--anchor Alfa", "NAME=R"]);
    refused(&["rate", file, "--anchor", "Alfa=x"], 2, &["`x` is not a rating"]);
    refused(&["rate", file, "--anchor", "Alfa=nan"], 2, &["not a rating"]);
    refused(&["rate", file, "--anchor", "Alpha=1"], 2, &["Alpha", "`Alfa`"]);
    refused(&["rate", file, "--anchor", "Alfa=1", "--anchor", "Alfa=2"], 2, &["twice"]);
    refused(&["rate", file, "--tiebreak", "sos,luck"], 2, &["luck", "sodos"]);
    refused(&["rate", file, "--draw-model", "x"], 2, &["--draw-model x", "davidson"]);
    refused(&["rate", file, "--prior-draws", "-1"], 2, &["--prior-draws"]);
    refused(&["rate", file, "--prior-draws", "nan"], 2, &["--prior-draws"]);
    refused(&["rate", file, "--crosstable", "no/such/folder.csv"], 2, &["no/such/folder.csv"]);
}
