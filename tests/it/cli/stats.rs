//! `stats elo` and `stats llr` against the reference rows, through the command line: order of the counts, names of the
//! figures, digits, `inf` and `n/a`.

use super::{fields, gauntlet, refused, text};
use std::collections::HashMap;

/// The rows of a reference file by column name.
fn rows(file: &str) -> Vec<HashMap<String, String>> {
    let path = format!("{}/tests/data/stats/{file}", env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

fn run(args: &[&str]) -> HashMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let out = gauntlet(folder.path(), args);
    assert_eq!(out.status.code(), Some(0), "{args:?}: {}", text(&out.stderr));
    fields(text(&out.stdout).lines().last().unwrap())
}

/// The figure is the reference's, within its tolerance; an empty cell is `n/a`.
fn same(figure: &str, expected: &str, relative: f64, what: &str) {
    match (figure, expected) {
        ("n/a", "") => {}
        (_, "inf" | "-inf") => assert_eq!(figure, expected, "{what}"),
        _ => {
            let (found, wanted): (f64, f64) = (figure.parse().expect(what), expected.parse().expect(what));
            assert!(
                (found - wanted).abs() <= 1e-8 + relative * wanted.abs(),
                "{what}: {found} is not {wanted}"
            );
        }
    }
}

#[test]
fn elo_is_the_references() {
    let counts: [(&str, &str, &[&str]); 2] = [
        ("elo_trinomial.csv", "--wdl", &["wins", "draws", "losses"]),
        ("elo_pentanomial.csv", "--penta", &["LL", "LD", "DD_WL", "WD", "WW"]),
    ];
    for (file, flag, columns) in counts {
        for row in rows(file) {
            let list = columns.iter().map(|&column| row[column].as_str()).collect::<Vec<_>>().join(",");
            let found = run(&["stats", "elo", flag, &list]);
            let pairs = [
                ("elo", "elo"),
                ("low", "elo_lo"),
                ("high", "elo_hi"),
                ("glr_low", "glr_elo_lo"),
                ("glr_high", "glr_elo_hi"),
                ("los", "los"),
                ("nelo", "nelo"),
            ];
            for (key, column) in pairs {
                same(&found[key], &row[column], 1e-9, &format!("{file} {list} {key}"));
            }
            for (key, sign) in [("nelo_low", -1.0), ("nelo_high", 1.0)] {
                let number = |column: &str| row[column].parse::<f64>().ok();
                let wanted = number("nelo").zip(number("nelo_err")).map(|(nelo, error)| nelo + sign * error);
                let wanted = wanted.map_or_else(String::new, |bound| bound.to_string());
                same(&found[key], &wanted, 1e-9, &format!("{file} {list} {key}"));
            }
        }
    }
}

#[test]
fn llr_is_the_references() {
    let files: [(&str, &str, &str); 7] = [
        ("llr_penta_normalized.csv", "--penta", "normalized"),
        ("llr_penta_logistic.csv", "--penta", "logistic"),
        ("llr_tri_normalized.csv", "--wdl", "normalized"),
        ("llr_tri_logistic.csv", "--wdl", "logistic"),
        ("llr_tri_bayeselo_gsprt.csv", "--wdl", "bayeselo"),
        ("llr_tri_bayeselo_direct.csv", "--wdl", "bayeselo-direct"),
        ("llr_tri_cutechess_jeffreys.csv", "--wdl", "cutechess"),
    ];
    for (file, flag, model) in files {
        let columns: &[&str] =
            if flag == "--penta" { &["LL", "LD", "DD_WL", "WD", "WW"] } else { &["wins", "draws", "losses"] };
        for row in rows(file) {
            let list = columns.iter().map(|&column| row[column].as_str()).collect::<Vec<_>>().join(",");
            let args = [
                "stats",
                "llr",
                flag,
                &list,
                "--model",
                model,
                "--elo0",
                &row["elo0"],
                "--elo1",
                &row["elo1"],
            ];
            let found = run(&args);
            // Bounds of 100 Elo and more on one-sided counts are the hard rows: the reference has fewer digits there.
            let far =
                ["elo0", "elo1"].iter().any(|&column| row[column].parse::<f64>().unwrap().abs() > 100.0);
            let relative = if far { 1e-3 } else { 1e-9 };
            same(&found["llr"], &row["llr"], relative, &format!("{file} {args:?}"));
            assert_eq!(found["model"], model);
        }
    }
}

#[test]
fn verdict_and_bounds() {
    let found = run(&["stats", "llr", "--penta", "10,40,90,80,40", "--elo0", "0", "--elo1", "10"]);
    assert_eq!(found["verdict"], "H1");
    let found = run(&["stats", "llr", "--penta", "40,80,90,40,10", "--elo0", "0", "--elo1", "10"]);
    assert_eq!(found["verdict"], "H0");
    let bounds = rows("bounds.csv");
    assert!(!bounds.is_empty());
    for row in bounds {
        let (alpha, beta) = (row["alpha"].as_str(), row["beta"].as_str());
        let found = run(&["stats", "llr", "--wdl", "1,1,1", "--alpha", alpha, "--beta", beta]);
        same(&found["lower"], &row["lower"], 1e-12, "lower");
        same(&found["upper"], &row["upper"], 1e-12, "upper");
    }
}

#[test]
fn wrong_counts_and_wrong_tests() {
    refused(&["stats", "elo"], 2, &["--wdl", "--penta"]);
    refused(&["stats", "elo", "--wdl", "1,2"], 2, &["--wdl 1,2", "2 counts"]);
    refused(&["stats", "elo", "--penta", "1,2,3,x,5"], 2, &["`x`"]);
    refused(&["stats", "elo", "--wdl", "1,2,-3"], 2, &["`-3`"]);
    refused(&["stats", "llr", "--penta", "1,2,3,4,5", "--model", "bayeselo"], 2, &["bayeselo"]);
    refused(&["stats", "llr", "--penta", "1,2,3,4,5", "--model", "cutechess"], 2, &["cutechess"]);
    refused(&["stats", "llr", "--wdl", "1,2,3", "--model", "bayes"], 2, &["bayes", "normalized"]);
    refused(&["stats", "llr", "--wdl", "1,2,3", "--elo0", "5", "--elo1", "0"], 2, &["elo0"]);
    refused(&["stats", "llr", "--wdl", "1,2,3", "--alpha", "0.6", "--beta", "0.5"], 2, &["alpha"]);
    refused(&["stats", "llr", "--wdl", "1,2,3", "--alpha", "nan"], 2, &["alpha"]);
}

#[test]
fn length_is_the_references() {
    for row in rows("expected_length.csv") {
        let cell = |column: &str| row[column].as_str();
        let mut args =
            vec!["stats", "length", "--model", cell("model"), "--elo0", cell("elo0"), "--elo1", cell("elo1")];
        args.extend(["--alpha", cell("alpha"), "--beta", cell("beta"), "--elo", cell("true_elo")]);
        if !cell("per_game_variance").is_empty() {
            args.extend(["--variance", cell("per_game_variance")]);
        }
        let number = |column: &str| cell(column).parse::<f64>().unwrap();
        let middle = 0.5 * (number("elo0") + number("elo1"));
        let near = (number("true_elo") - middle).abs() < 1e-3 * (number("elo1") - number("elo0"));
        let relative = if near { 1e-6 } else { 1e-9 };
        same(&run(&args)["games"], cell("expected_games_wald"), relative, &format!("{args:?}"));
    }
}

#[test]
fn length_takes_a_law_of_pairs() {
    // The reference's laws: true Elo and model are known, and so is the length that simulation found, which Wald's formula comes near.
    for row in rows("sprt_operating_characteristics.csv") {
        if row["evaluated"] != "per_pair" {
            continue;
        }
        let model = row["model"].strip_prefix("penta_").unwrap();
        let probs = row["probs"].replace(' ', ",");
        let args = [
            "stats",
            "length",
            "--model",
            model,
            "--elo0",
            &row["elo0"],
            "--elo1",
            &row["elo1"],
            "--probs",
            &probs,
        ];
        let found: f64 = run(&args)["games"].parse().unwrap();
        let simulated: f64 = row["mean_games"].parse().unwrap();
        assert!((found / simulated - 1.0).abs() < 0.06, "{args:?}: {found} {simulated}");
        // The law's own difference is the one it was made for.
        let mut with_elo = args.to_vec();
        with_elo.extend(["--elo", &row["true_elo"]]);
        let again: f64 = run(&with_elo)["games"].parse().unwrap();
        assert!((found / again - 1.0).abs() < 1e-6, "{args:?}: {found} {again}");
    }
}

#[test]
fn length_and_validate_refuse_what_they_cannot_do() {
    refused(&["stats", "length"], 2, &["--elo E or --probs"]);
    refused(&["stats", "length", "--elo", "1", "--model", "logistic"], 2, &["--variance"]);
    refused(
        &["stats", "length", "--elo", "1", "--model", "bayeselo"],
        2,
        &["bayeselo", "depend on the results"],
    );
    refused(&["stats", "length", "--elo", "nan"], 2, &["--elo"]);
    refused(&["stats", "length", "--elo", "1", "--variance", "0.3"], 2, &["--variance 0.3"]);
    refused(&["stats", "length", "--probs", "0.2,0.2,0.2,0.2"], 2, &["4 numbers", "5"]);
    refused(&["stats", "length", "--probs", "0.2,0.2,0.2,0.2,0.4"], 2, &["sum"]);
    refused(&["stats", "length", "--probs", "0.2,0.2,x,0.2,0.4"], 2, &["not probabilities"]);
    refused(&["stats", "length", "--elo", "1", "--elo0", "5", "--elo1", "0"], 2, &["elo0"]);
    refused(&["stats", "validate", "--runs", "1"], 2, &["--runs 1"]);
    refused(&["stats", "validate", "--scenario", "x"], 2, &["`x`", "penta_logistic/uho/0/5/H0"]);
}

#[test]
fn validate_tells_what_it_found() {
    let folder = tempfile::tempdir().unwrap();
    let id = "penta_logistic/balanced_drawheavy/0/5/H0";
    let args = ["stats", "validate", "--scenario", id, "--runs", "100", "--format", "csv"];
    let out = gauntlet(folder.path(), &args);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    assert_eq!(text(&out.stderr).trim(), "validate: scenarios=1 failed=0");
    let table = text(&out.stdout);
    assert!(
        table.starts_with("scenario,runs,errors_percent,") && table.contains(&format!("\n{id},100,")),
        "{table}"
    );
    // As many threads as one likes: the same figures.
    let one = gauntlet(folder.path(), &[&args[..], &["--concurrency", "1"]].concat());
    assert_eq!(text(&one.stdout), table);
}
