//! `gauntlet study` as scripts see it.

use super::{fields, gauntlet, refused_in, text};
use gauntlet::engine::{ParamGroup, Params};
use gauntlet::stats::curve::{Handicap, TechnologyCurve};
use gauntlet::stats::{Counts, EloEstimate};
use std::collections::HashMap;
use std::path::Path;

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

const MATCHES: &str = r#"name = "pair"
trial = "match"

[factors]
nodes = [40, 80]

[match]
first = "embedded:nodes={nodes*2}"
second = "embedded:nodes={nodes}"
openings = "file=noob_3moves_sample.epd,order=random"

[limits]
pairs = 2
maxmoves = 60

[curve]
more = "{nodes*2}"
less = "{nodes}"
"#;

/// A table of a run as lines, fields by column.
fn table(run: &Path, name: &str) -> Vec<HashMap<String, String>> {
    let text = std::fs::read_to_string(run.join(name)).unwrap();
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    lines
        .map(|line| {
            columns.iter().zip(line.split(',')).map(|(c, f)| ((*c).to_owned(), f.to_owned())).collect()
        })
        .collect()
}

/// Metric and value of one cell.
fn metrics(rows: &[HashMap<String, String>], cell: &str) -> HashMap<String, f64> {
    let of_cell = rows.iter().filter(|row| row["cell"] == cell);
    of_cell.map(|row| (row["metric"].clone(), row["value"].parse().unwrap())).collect()
}

#[test]
fn cells_are_matches_and_do_not_depend_on_concurrency() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("pair.toml"), MATCHES).unwrap();
    let run = |out: &str, concurrency: &str| {
        let done = gauntlet(
            folder.path(),
            &["study", "pair.toml", "--out", out, "--concurrency", concurrency, "--seed", "7"],
        );
        assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
        text(&done.stdout)
    };
    let stdout = run("one", "1");
    assert!(stdout.lines().last().unwrap().starts_with("study: pair cells=2 report="), "{stdout}");
    assert!(stdout.contains("over all cells: matches 2, elo_per_doubling"), "{stdout}");
    run("two", "2");
    let read = |out: &str, file: &str| std::fs::read_to_string(folder.path().join(out).join(file)).unwrap();
    assert_eq!(read("one", "study.csv"), read("two", "study.csv"));
    assert_eq!(read("one", "matches.csv"), read("two", "matches.csv"));
    assert_eq!(read("one", "plies.csv").lines().count(), read("two", "plies.csv").lines().count());

    // Each cell is the match of these engines.
    let matches = table(&folder.path().join("one"), "matches.csv");
    let rows = table(&folder.path().join("one"), "study.csv");
    assert_eq!(matches.len(), 2);
    for (cell, nodes) in ["40", "80"].into_iter().enumerate() {
        let twice = 2 * nodes.parse::<u32>().unwrap();
        let (first, second) = (format!("embedded:nodes={twice}"), format!("embedded:nodes={nodes}"));
        let played = gauntlet(
            folder.path(),
            &[
                "match",
                "--engine",
                &first,
                "--engine",
                &second,
                "--pairs",
                "2",
                "--maxmoves",
                "60",
                "--seed",
                "7",
                "--openings",
                "file=noob_3moves_sample.epd,order=random",
                "--out",
                nodes,
            ],
        );
        assert_eq!(played.status.code(), Some(0), "{}", text(&played.stderr));
        let last = text(&played.stdout);
        let last = fields(last.lines().last().unwrap());
        let row = &matches[cell];
        assert_eq!(row["name"], format!("nodes={nodes}"));
        assert_eq!(row["first"], format!("embedded nodes={twice}"));
        assert_eq!(
            [&row["wins"], &row["draws"], &row["losses"]],
            [&last["wins"], &last["draws"], &last["losses"]]
        );
        let found = metrics(&rows, &cell.to_string());
        let number = |key: &str| last[key].parse::<f64>().unwrap();
        for (metric, key) in
            [("games", "games"), ("elo", "elo"), ("elo_low", "low"), ("elo_high", "high"), ("los", "los")]
        {
            let (a, b) = (found[metric], number(key));
            assert!(a == b || (a - b).abs() < 1e-9, "{nodes}: {metric}: {a} {b}");
        }
        assert_eq!(found["score"], (number("wins") + number("draws") / 2.0) / 4.0);
        assert_eq!(found["draws"], number("draws") / 4.0);
        let plies = table(&folder.path().join(nodes), "plies.csv").len();
        assert_eq!(found["plies"], plies as f64 / 4.0);
    }

    // The page is drawn from the record alone.
    let page = read("one", "report.html");
    assert!(page.contains("Elo over nodes") && page.contains("technology curve"));
    let redrawn = gauntlet(folder.path(), &["report", "one"]);
    assert!(text(&redrawn.stdout).contains("Study pair"), "{}", text(&redrawn.stderr));
    // The plan holds the study.
    std::fs::remove_file(folder.path().join("pair.toml")).unwrap();
    let again = gauntlet(folder.path(), &["study", "--plan", "one/plan.toml", "--out", "again"]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    assert_eq!(read("again", "study.csv"), read("one", "study.csv"));
}

/// The rows about all cells against the fit of what the matches say.
#[test]
fn the_curve_is_that_of_the_cells() {
    let folder = tempfile::tempdir().unwrap();
    let study = MATCHES.replace("[40, 80]", "[20, 40, 80]").replace("pairs = 2", "pairs = 12");
    std::fs::write(folder.path().join("pair.toml"), study).unwrap();
    let done = gauntlet(folder.path(), &["study", "pair.toml", "--out", "run", "--concurrency", "2"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let run = folder.path().join("run");
    let (matches, rows) = (table(&run, "matches.csv"), table(&run, "study.csv"));
    let handicaps: Vec<Handicap> = matches
        .iter()
        .zip([20.0, 40.0, 80.0])
        .map(|(row, base)| {
            let penta = ["ll", "ld", "dd_wl", "wd", "ww"].map(|c| row[c].parse().unwrap());
            let found = EloEstimate::new(&Counts::Pentanomial(penta)).unwrap();
            // By differences: the slope of Elo at the score.
            let elo = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
            let slope = (elo(found.score + 1e-6) - elo(found.score - 1e-6)) / 2e-6;
            Handicap { base, more: 2.0 * base, elo: elo(found.score), std_error: slope * found.std_error }
        })
        .collect();
    let fit = TechnologyCurve::fit(&handicaps).unwrap();
    let found = metrics(&rows, "3");
    let bent = fit.diminishing.unwrap();
    for (metric, expected) in [
        ("matches", 3.0),
        ("elo_per_doubling", fit.constant.elo),
        ("elo_per_doubling_se", fit.constant.std_error),
        ("same_p", fit.constant.p.unwrap()),
        ("slope", bent.per_doubling),
        ("slope_se", bent.per_doubling_error),
    ] {
        assert!(
            (found[metric] - expected).abs() < 1e-5 * expected.abs().max(1.0),
            "{metric}: {} {expected}",
            found[metric]
        );
    }
    assert_eq!(found.len(), 7);
    assert!(rows.iter().filter(|row| row["cell"] == "3").all(|row| row["nodes"] == "all"));
}

#[test]
fn a_wrong_study_of_matches_names_file_line_and_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.toml");
    let cases: &[(&str, &str, &[&str])] = &[
        ("nodes = [40, 80]", "nodes = []", &["s.toml:5:", "factors.nodes", "no level"]),
        ("nodes = [40, 80]", "nodes = [40, 40]", &["s.toml:5:", "factors.nodes", "40", "twice"]),
        ("nodes = [40, 80]", "nodes = [40, 40.0]", &["s.toml:5:", "factors.nodes", "40", "twice"]),
        ("nodes = [40, 80]", "nodes = [40, true]", &["s.toml:5:", "a number or a text"]),
        ("nodes = [40, 80]", "nodes = 40", &["s.toml:5:"]),
        ("nodes = [40, 80]", "nodes = [40, \"all\"]", &["s.toml:5:", "factors.nodes", "all"]),
        ("nodes = [40, 80]", "nodes = [40, 80]\ndepth = [1]", &["s.toml:6:", "factors.depth", "in braces"]),
        ("nodes = [40, 80]", "nodes = [40, 80]\n\"a b\" = [1]", &["s.toml:6:", "a b", "letters"]),
        ("nodes = [40, 80]", "", &["s.toml:4:", "factors", "no factor"]),
        (
            "{nodes*2}\"\nsecond",
            "{node*2}\"\nsecond",
            &["s.toml:8:", "match.first", "no factor `node`", "nodes"],
        ),
        ("nodes={nodes}", "nodes={nodes", &["s.toml:9:", "match.second", "`{` and `}`"]),
        (
            "nodes={nodes}",
            "nodes={nodes/3}",
            &["s.toml:9:", "match.second", "nodes=40", "40/3 is no whole number"],
        ),
        ("nodes={nodes}", "depth={nodes-40}", &["s.toml:9:", "match.second", "nodes=40", "depth: `0`"]),
        ("embedded:nodes={nodes}", "embedded", &["s.toml:9:", "match.second", "no limit"]),
        (
            "embedded:nodes={nodes}",
            "embedded:ndoes={nodes}",
            &["s.toml:9:", "match.second", "`ndoes`", "`nodes`"],
        ),
        ("file=noob_3moves_sample.epd", "file=missing.epd", &["s.toml:10:", "match.openings", "missing.epd"]),
        ("order=random", "order=any", &["s.toml:10:", "match.openings", "order", "any"]),
        ("openings =", "opening =", &["s.toml:10:", "opening"]),
        ("pairs = 2", "pairs = 0", &["s.toml:13:", "limits.pairs", "at least 1"]),
        ("pairs = 2", "", &["s.toml:12:", "limits", "pairs", "error-bar"]),
        ("pairs = 2", "error-bar = 0.0", &["s.toml:13:", "limits.error-bar", "above 0"]),
        ("maxmoves = 60", "maxmoves = 0", &["s.toml:14:", "limits.maxmoves", "at least 1"]),
        ("maxmoves = 60", "draw = \"movecount=3\"", &["s.toml:14:", "limits.draw", "`score` is missing"]),
        ("maxmoves = 60", "resign = \"count=3\"", &["s.toml:14:", "limits.resign", "`count`"]),
        (
            "more = \"{nodes*2}\"",
            "more = \"{nodes}\"",
            &["s.toml:17:", "curve.more", "nodes=40", "no more than"],
        ),
        ("more = \"{nodes*2}\"", "more = \"x{nodes}\"", &["s.toml:17:", "curve.more", "`x40` is no number"]),
        (
            "less = \"{nodes}\"",
            "less = \"{nodes-40}\"",
            &["s.toml:18:", "curve.less", "`0` is no number above 0"],
        ),
        ("less = \"{nodes}\"", "less = \"{n}\"", &["s.toml:18:", "curve.less", "no factor `n`"]),
        ("less = \"{nodes}\"", "", &["s.toml:16:", "less"]),
        ("[limits]", "[limit]", &["s.toml:12:", "limit"]),
    ];
    for (was, is, words) in cases {
        assert!(MATCHES.contains(was), "{was}");
        std::fs::write(&path, MATCHES.replacen(was, is, 1)).unwrap();
        refused_in(folder.path(), &["study", "s.toml"], 2, words);
    }
    // An engine that cannot be started is not the file's fault.
    std::fs::write(
        &path,
        MATCHES.replace("\"embedded:nodes={nodes}\"", "\"cmd=/nowhere/engine,nodes={nodes}\""),
    )
    .unwrap();
    refused_in(folder.path(), &["study", "s.toml"], 4, &["/nowhere/engine"]);
}

/// What is shipped can be read, and would be played.
#[test]
fn the_shipped_studies_of_matches_are_in_order() {
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "depth-ladder",
        "technology-curve",
        "time-curve",
        "time-odds",
        "knowledge-depth",
        "evaluation-noise",
        "ablation-search",
        "ablation-evaluation",
    ] {
        let text = gauntlet::suite::open(&format!("suites/studies/{name}.toml")).unwrap();
        // As far as the limits, which are then refused: nothing is played.
        let wrong = text.replace("maxmoves = 200", "maxmoves = 0");
        assert_ne!(wrong, text, "{name}");
        std::fs::write(folder.path().join("s.toml"), wrong).unwrap();
        refused_in(folder.path(), &["study", "s.toml"], 2, &["limits.maxmoves"]);
    }
}

/// Every switch of the engine is one of the levels, so that a new one is not forgotten.
#[test]
fn the_shipped_ablations_leave_out_each_switch_once() {
    for (study, group) in [("search", ParamGroup::Search), ("evaluation", ParamGroup::Evaluation)] {
        let text = gauntlet::suite::open(&format!("suites/studies/ablation-{study}.toml")).unwrap();
        let file: toml::Table = toml::from_str(&text).unwrap();
        let levels: Vec<&str> = file["factors"]["without"]
            .as_array()
            .unwrap()
            .iter()
            .map(|level| level.as_str().unwrap())
            .collect();
        let switches: Vec<&str> = Params::table()
            .iter()
            .filter(|info| info.group == group && info.is_switch() && info.default == "on")
            .map(|info| info.id)
            .collect();
        assert_eq!(levels, switches);
    }
}

/// What has no number to be drawn over is a forest: a line each, what costs most at the top.
#[test]
fn cells_of_texts_are_drawn_by_what_they_cost() {
    let folder = tempfile::tempdir().unwrap();
    let study = MATCHES
        .replace("nodes = [40, 80]", "without = [\"tempo\", \"material\", \"quiescence\"]")
        .replace("embedded:nodes={nodes*2}", "embedded:nodes=200,{without}=off")
        .replace("embedded:nodes={nodes}", "embedded:nodes=200")
        .replace("pairs = 2", "pairs = 10");
    let study = study.split("[curve]").next().unwrap();
    std::fs::write(folder.path().join("forest.toml"), study).unwrap();
    let done = gauntlet(folder.path(), &["study", "forest.toml", "--out", "run", "--concurrency", "2"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let run = folder.path().join("run");
    let page = std::fs::read_to_string(run.join("report.html")).unwrap();
    let chart = page.split("aria-label=\"Elo by cell\"").nth(1).unwrap().split("</svg>").next().unwrap();
    let drawn: Vec<&str> = chart
        .split("text-anchor=\"end\">without ")
        .skip(1)
        .map(|rest| rest.split('<').next().unwrap())
        .collect();
    let rows = table(&run, "study.csv");
    let mut by_elo: Vec<(f64, &str)> = rows
        .iter()
        .filter(|row| row["metric"] == "elo")
        .map(|row| (row["value"].parse().unwrap(), row["without"].as_str()))
        .collect();
    by_elo.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert_eq!(drawn, by_elo.iter().map(|(_, level)| *level).collect::<Vec<_>>());
    assert_ne!(drawn[0], "tempo");
}
