//! Each verb does its work and says so in its last line; run folders hold what they should; plans repeat.

use super::{fields, gauntlet, refused_in, text};
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;
use std::process::Output;

/// Exit code, head of the last line, its fields.
fn last(out: &Output) -> (Option<i32>, String, HashMap<String, String>) {
    let stdout = text(&out.stdout);
    let line = stdout.lines().last().unwrap_or_default().to_owned();
    let head = line.split_whitespace().next().unwrap_or_default().to_owned();
    (out.status.code(), head, fields(&line))
}

fn run(folder: &Path, args: &[&str]) -> HashMap<String, String> {
    let out = gauntlet(folder, args);
    let (code, _, fields) = last(&out);
    assert_eq!(code, Some(0), "{args:?}: {}{}", text(&out.stdout), text(&out.stderr));
    fields
}

const SUITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/suites/perft/standard.epd");

#[test]
fn perft_of_a_position_and_of_a_suite() {
    let folder = tempfile::tempdir().unwrap();
    let found = run(folder.path(), &["perft", "--depth", "4", "--out", "none"]);
    assert_eq!(found["nodes"], "197281");
    assert!(found.contains_key("ms") && found.contains_key("mnps"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "--out none leaves nothing");

    let out = gauntlet(folder.path(), &["perft", "--depth", "2", "--divide", "--out", "none"]);
    assert!(text(&out.stdout).lines().any(|line| line == "e2e4: 20"), "{}", text(&out.stdout));

    // An embedded suite by name, a file by path.
    for suite in ["tricky.epd", SUITE] {
        let found = run(folder.path(), &["perft", "--suite", suite, "--max-nodes", "100000"]);
        assert_eq!(found["wrong"], "0");
        assert_ne!(found["counts"], "0");
    }
}

#[test]
fn a_wrong_count_is_exit_1() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("wrong.epd"),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 401\n",
    )
    .unwrap();
    let out = gauntlet(folder.path(), &["perft", "--suite", "wrong.epd", "--out", "run"]);
    let (code, head, fields) = last(&out);
    assert_eq!((code, head.as_str(), fields["wrong"].as_str()), (Some(1), "perft:", "1"));
    assert!(text(&out.stdout).contains("400 instead of 401"), "{}", text(&out.stdout));
    assert!(std::fs::read_to_string(folder.path().join("run/report.html")).unwrap().contains("401"));
}

#[test]
fn a_run_folder_holds_plan_header_rows_tables_and_report() {
    let folder = tempfile::tempdir().unwrap();
    run(
        folder.path(),
        &["perft", "--suite", "tricky.epd", "--max-nodes", "10000", "--seed", "7", "--out", "run"],
    );
    let run_folder = folder.path().join("run");
    for name in ["plan.toml", "header.json", "rows.jsonl", "perft.csv", "verdicts.csv", "report.html"] {
        assert!(run_folder.join(name).is_file(), "{name}");
    }
    let read = |name: &str| std::fs::read_to_string(run_folder.join(name)).unwrap();
    let header: Value = serde_json::from_str(&read("header.json")).unwrap();
    assert_eq!((header["complete"].as_bool(), header["seed"].as_u64()), (Some(true), Some(7)));
    assert!(header["summary"].as_str().unwrap().starts_with("perft: positions="));

    // The plan repeats it, flags win over the plan, another verb's plan is refused.
    let plan = run_folder.join("plan.toml").display().to_string();
    let again = run(folder.path(), &["perft", "--plan", &plan, "--out", "none"]);
    let first = fields(header["summary"].as_str().unwrap());
    assert_eq!((&again["counts"], &again["nodes"]), (&first["counts"], &first["nodes"]));
    let fewer = run(folder.path(), &["perft", "--plan", &plan, "--out", "none", "--max-nodes", "100"]);
    assert_ne!(fewer["counts"], first["counts"]);
    let other = gauntlet(folder.path(), &["bench", "--plan", &plan]);
    assert_eq!(other.status.code(), Some(2));

    // A second run to the same place does not overwrite the first.
    run(folder.path(), &["perft", "--depth", "1", "--out", "run"]);
    assert!(read("header.json").contains("tricky.epd"));

    // The report is drawn again from the rows.
    std::fs::remove_file(run_folder.join("report.html")).unwrap();
    let out = gauntlet(folder.path(), &["report", "run"]);
    assert_eq!(
        (out.status.code(), text(&out.stdout).lines().last()),
        (Some(0), Some("report: run/report.html"))
    );
    assert!(run_folder.join("report.html").is_file());
}

#[test]
fn documents_stand_alone_on_stdout() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["perft", "--suite", "tricky.epd", "--max-nodes", "1000", "--out", "none", "--format"];
    let json = gauntlet(folder.path(), &[&args[..], &["json"]].concat());
    let document: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(document["summary"]["wrong"], 0);
    assert!(document["rows"].as_array().unwrap().len() > 10);
    assert!(text(&json.stderr).starts_with("perft: positions="));
    let table = gauntlet(folder.path(), &[&args[..], &["csv"]].concat());
    let mut reader = csv::Reader::from_reader(table.stdout.as_slice());
    assert!(reader.headers().unwrap().iter().any(|name| name == "nodes"));
    assert!(reader.records().all(|record| record.is_ok()));
    let quiet = gauntlet(folder.path(), &[&args[..7], &["--quiet"]].concat());
    assert_eq!(text(&quiet.stdout).lines().count(), 1);
    assert!(quiet.stderr.is_empty());
}

#[test]
fn tactics_symmetry_bench_and_sliders() {
    let folder = tempfile::tempdir().unwrap();
    let tactics = ["tactics", "bratko-kopec.epd", "--nodes", "1000", "--out", "none"];
    let found = run(folder.path(), &tactics);
    assert_eq!(
        (found["engine"].as_str(), found["total"].as_str(), found["points"].as_str()),
        ("embedded", "24", "n/a")
    );
    let out = gauntlet(folder.path(), &[&tactics[..], &["--min-solved", "25"]].concat());
    assert_eq!(out.status.code(), Some(1));
    // Two engines: the comparison stands before the engines' lines.
    let two =
        [&tactics[..], &["--engine", "embedded", "--engine", "embedded:name=b,lmr=off", "--quiet"]].concat();
    let stdout = text(&gauntlet(folder.path(), &two).stdout);
    let heads: Vec<_> = stdout.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(heads, ["compare:", "tactics:", "tactics:"], "{stdout}");

    let found = run(folder.path(), &["symmetry", "--out", "none"]);
    assert_eq!(found["different"], "0");
    assert!(found["positions"].parse::<u64>().unwrap() >= 1000);

    let bench = ["bench", "--depth", "4", "--out", "none"];
    let (one, two) = (run(folder.path(), &bench), run(folder.path(), &bench));
    assert_eq!(one["signature"], two["signature"]);
    assert!(one["ebf"].parse::<f64>().unwrap() > 1.0 && one["mbf"].parse::<f64>().unwrap() > 1.0);

    let found = run(folder.path(), &["sliders", "--metric", "throughput", "--rounds", "1", "--out", "none"]);
    assert_eq!(found["failed"], "0");
    assert_ne!(found["fastest"], "n/a");
}

#[test]
fn matches_and_sequential_tests() {
    let folder = tempfile::tempdir().unwrap();
    let openings = "file=tiny.epd,format=epd,order=random";
    let two = [
        "--engine",
        "embedded:name=deep,depth=3",
        "--engine",
        "embedded:name=shallow,depth=1",
        "--openings",
        openings,
    ];
    let found = run(
        folder.path(),
        &[&["match"], &two[..], &["--pairs", "6", "--out", "m", "--pgn", "games.pgn"]].concat(),
    );
    let number = |key: &str| found[key].parse::<u64>().unwrap();
    assert_eq!(number("games"), 12);
    assert_eq!(number("wins") + number("losses") + number("draws"), 12);
    for path in ["games.pgn", "m/games.pgn"] {
        assert_eq!(
            std::fs::read_to_string(folder.path().join(path)).unwrap().matches("[Event ").count(),
            12,
            "{path}"
        );
    }
    // The test comes to the same end on one worker and on two; swapped engines turn the verdict round.
    let test = [
        "--elo0",
        "0",
        "--elo1",
        "50",
        "--max-pairs",
        "400",
        "--out",
        "none",
        "--seed",
        "3",
        "--concurrency",
    ];
    let sprt = |engines: &[&str], workers: &str| {
        let args = [&["sprt"], engines, &["--openings", openings], &test[..], &[workers]].concat();
        let out = gauntlet(folder.path(), &args);
        (out.status.code(), text(&out.stdout).lines().last().unwrap_or_default().to_owned())
    };
    let one = sprt(&two[..4], "1");
    assert_eq!(one.0, Some(0), "{}", one.1);
    assert!(one.1.starts_with("sprt: verdict=H1 "), "{}", one.1);
    assert_eq!(one, sprt(&two[..4], "2"));
    let swapped = sprt(&[two[2], two[3], two[0], two[1]], "2");
    assert_eq!(swapped.0, Some(1), "{}", swapped.1);
    assert!(swapped.1.starts_with("sprt: verdict=H0 "), "{}", swapped.1);
    let args = [&["sprt"], &two[..], &["--max-pairs", "1", "--out", "none"]].concat();
    assert_eq!(gauntlet(folder.path(), &args).status.code(), Some(3), "undecided");
}

#[test]
fn generators_count_by_themselves_and_all_together() {
    let folder = tempfile::tempdir().unwrap();
    let swap = "brnbqkrn/pppppppp/8/8/8/8/PPPPPPPP/BRNBQKRN w KQkq - 0 1"; // BR-016
    for generator in ["legal", "mailbox", "make-unmake", "pseudo-legal", "monochrome", "staged", "two-ply"] {
        let args = ["perft", "--generator", generator, "--chess960", "--fen", swap, "--depth", "3"];
        for more in [&[][..], &["--bulk", "off"], &["--threads", "2"], &["--divide"]] {
            if generator == "two-ply" && more.contains(&"off") {
                continue;
            }
            let found = run(folder.path(), &[&args[..], more, &["--out", "none"]].concat());
            assert_eq!(found["nodes"], "8920", "{generator} {more:?}");
        }
        let out = gauntlet(folder.path(), &[&args[..], &["--divide", "--out", "none"]].concat());
        assert!(text(&out.stdout).contains("f1g1: "), "{generator}: {}", text(&out.stdout));
    }
    let all = ["perft", "--generator", "all", "--rounds", "2"];
    let out = gauntlet(folder.path(), &[&all[..], &["--depth", "3", "--out", "run"]].concat());
    let stdout = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{stdout}");
    assert!(
        stdout.lines().any(|line| line.trim().starts_with("mailbox") && line.contains("8902")),
        "{stdout}"
    );
    assert!(stdout.lines().last().unwrap().starts_with("perft: nodes=8902 ms="), "{stdout}");
    let rows = std::fs::read_to_string(folder.path().join("run/perft.csv")).unwrap();
    assert!(rows.contains(",pseudo-legal,8902,8902,"), "{rows}");
    let found = run(
        folder.path(),
        &[&all[..], &["--suite", "tricky.epd", "--max-nodes", "2000", "--out", "none"]].concat(),
    );
    assert_eq!(found["wrong"], "0");
    // The suite is wrong, so everybody is.
    std::fs::write(folder.path().join("wrong.epd"), "8/8/8/4k3/8/8/4K3/8 w - - 0 1 ;D1 9\n").unwrap();
    let out = gauntlet(folder.path(), &[&all[..], &["--suite", "wrong.epd", "--out", "none"]].concat());
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stdout).contains(" wrong=7 "), "{}", text(&out.stdout));
    let found = run(folder.path(), &["perft", "--random", "300", "--seed", "5", "--out", "none"]);
    assert_eq!(found["wrong"], "0");
}

#[test]
fn lists_are_tables() {
    let folder = tempfile::tempdir().unwrap();
    for (what, id) in [
        ("backends", "hyperbola"),
        ("techniques", "lmr"),
        ("terms", "mobility"),
        ("suites", "perft/standard.epd"),
        ("generators", "pseudo-legal"),
        ("encodings", "direction-target"),
        ("enumeration", "22678"),
        ("influence", "1456"),
        ("directions", "noNoEa"),
        ("butterfly", "1792 of 4096"),
    ] {
        let out = gauntlet(folder.path(), &["list", what]);
        assert_eq!(out.status.code(), Some(0), "{what}");
        assert!(text(&out.stdout).contains(id), "{what}: {}", text(&out.stdout));
        let json = gauntlet(folder.path(), &["list", what, "--format", "json"]);
        let list: Value = serde_json::from_slice(&json.stdout).unwrap();
        assert!(list.as_array().unwrap().len() > 2, "{what}");
    }
}

/// A count of hours is left at once.
#[cfg(unix)]
#[test]
fn a_long_count_can_be_interrupted() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_gauntlet"))
        .args(["perft", "--depth", "11", "--out", "run"])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    // The folder is made after the signal handlers.
    while !folder.path().join("run/rows.jsonl").is_file() {
        assert!(start.elapsed() < Duration::from_secs(60), "the run did not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let out = child.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(130), "{}", text(&out.stderr));
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_there_is() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let folder = tempfile::tempdir().unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_gauntlet"))
            .args([
                "match",
                "--engine",
                "embedded:name=a",
                "--engine",
                "embedded:name=b",
                "--each",
                "nodes=300",
            ])
            .args(["--pairs", "100000", "--out", "run"])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let rows = folder.path().join("run/rows.jsonl");
        let start = Instant::now();
        // As soon as the first pair is on disk.
        while !std::fs::read_to_string(&rows).is_ok_and(|text| text.contains("\"kind\":\"pair\"")) {
            assert!(start.elapsed() < Duration::from_secs(120), "no pair was played");
            std::thread::sleep(Duration::from_millis(20));
        }
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        let out = child.wait_with_output().unwrap();
        assert_eq!(out.status.code(), Some(code), "{}", text(&out.stderr));
        assert!(text(&out.stderr).contains("interrupted"), "{}", text(&out.stderr));
        let header: Value =
            serde_json::from_slice(&std::fs::read(folder.path().join("run/header.json")).unwrap()).unwrap();
        assert_eq!(header["complete"], false);
        assert!(folder.path().join("run/report.html").is_file());
        assert!(folder.path().join("run/games.pgn").is_file());
    }
}

#[test]
fn a_plan_names_what_nobody_typed() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&[&str], &[&str]); 4] = [
        (&["bench", "--nodes", "200"], &["nodes = 200", "engine = \"embedded\""]),
        (&["perft", "--depth", "1"], &["fen = \"rnbqkbnr", "bulk = \"on\"", "backend = ", "depth = 1"]),
        (&["sliders", "--backends", "pext", "--rounds", "1"], &["rounds = 1", "metric = [\"throughput\"]"]),
        (&["symmetry", "--eval"], &["eval = true"]),
    ];
    for (args, expected) in cases {
        let run_folder = format!("{}-run", args[0]);
        run(folder.path(), &[args, &["--out", run_folder.as_str()]].concat());
        let plan = std::fs::read_to_string(folder.path().join(run_folder).join("plan.toml")).unwrap();
        for words in expected {
            assert!(plan.contains(words), "{args:?}: {words} is not in\n{plan}");
        }
        assert!(!plan.contains("concurrency = 0"), "the number of cores is part of the plan:\n{plan}");
    }
}

#[test]
fn eval_overrules_a_depth_from_a_settings_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("gauntlet.toml"), "[symmetry]\ndepth = 1\n").unwrap();
    let run = |args: &[&str]| text(&gauntlet(folder.path(), args).stdout);
    let searched = run(&["symmetry", "--out", "none", "--format", "csv"]);
    assert!(searched.contains("depth 1"), "{}", searched.lines().take(3).collect::<String>());
    let evaluated = run(&["symmetry", "--eval", "--out", "none", "--format", "csv"]);
    assert!(!evaluated.contains("depth 1") && evaluated.contains(",eval,"));
}

#[test]
fn a_games_file_that_cannot_be_written_is_refused_before_the_first_game() {
    let pgn = "no/such/folder/games.pgn";
    let args = ["match", "--engine", "embedded", "--engine", "embedded:lmr=off", "--each", "nodes=100"];
    super::refused(&[&args[..], &["--pairs", "1", "--pgn", pgn]].concat(), 2, &[pgn]);
}

#[test]
fn a_match_without_openings_says_what_that_means() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["match", "--engine", "embedded", "--engine", "embedded:lmr=off", "--each", "nodes=50"];
    let warned = |more: &[&str]| {
        let out = gauntlet(folder.path(), &[&args[..], &["--pairs", "2", "--out", "none"], more].concat());
        text(&out.stderr).contains("without --openings")
    };
    assert!(warned(&[]));
    assert!(!warned(&["--openings", "file=tiny.epd"]));
}

/// Wherever a page lies: of one run, of two beside each other, over time.
#[test]
fn every_link_of_a_page_leads_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let args = [
        "match",
        "--engine",
        "embedded",
        "--engine",
        "embedded:lmr=off",
        "--each",
        "nodes=50",
        "--pairs",
        "2",
    ];
    for name in ["all/one", "all/two"] {
        run(folder.path(), &[&args[..], &["--out", name]].concat());
    }
    run(folder.path(), &["report", "all/one", "all/two", "--out", "side"]);
    run(folder.path(), &["report", "--history", "all", "--out", "history"]);
    let links = |page: &str| {
        let path = folder.path().join(page);
        let text = std::fs::read_to_string(path.join("report.html")).unwrap();
        let targets: Vec<String> =
            text.split(" href=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect();
        let files: Vec<String> =
            targets.into_iter().filter(|to| !to.starts_with(['#']) && !to.starts_with("data:")).collect();
        assert!(files.iter().all(|to| path.join(to).is_file()), "{page}: {files:?}");
        files.len()
    };
    assert!(links("all/one") >= 2);
    links("side");
    links("history");
}

/// A report that is to be elsewhere leaves the run as it is.
#[test]
fn a_report_of_one_run_goes_where_it_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &["perft", "--depth", "2", "--out", "one"]);
    let own = folder.path().join("one/report.html");
    std::fs::write(&own, "mine").unwrap();
    let out = gauntlet(folder.path(), &["report", "one", "--out", "other"]);
    assert!(text(&out.stdout).ends_with("report: other/report.html\n"), "{}", text(&out.stdout));
    assert!(std::fs::read_to_string(folder.path().join("other/report.html")).unwrap().contains("perft"));
    assert_eq!(std::fs::read_to_string(&own).unwrap(), "mine");
    let out = gauntlet(folder.path(), &["report", "one"]);
    assert!(text(&out.stdout).ends_with("report: one/report.html\n"), "{}", text(&out.stdout));
    assert!(std::fs::read_to_string(&own).unwrap().contains("perft"));
}

#[test]
fn a_history_of_runs_passes_by_what_is_broken() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["all/one", "all/deeper/two"] {
        run(folder.path(), &["perft", "--depth", "3", "--out", name]);
    }
    let broken = folder.path().join("all/broken");
    std::fs::create_dir(&broken).unwrap();
    std::fs::write(broken.join("header.json"), "{").unwrap();
    let games = folder.path().join("all/one/games.pgn");
    let out = gauntlet(folder.path(), &["report", "--history", "all", "--out", "history"]);
    assert_eq!((out.status.code(), text(&out.stdout).trim()), (Some(0), "report: history/report.html"));
    assert!(text(&out.stderr).contains("all/broken/header.json"), "{}", text(&out.stderr));
    let page = std::fs::read_to_string(folder.path().join("history/report.html")).unwrap();
    assert!(page.contains("<h1>2 runs</h1>") && page.contains("broken/header.json"));
    // Looking leaves the runs as they are.
    assert!(!games.exists());
    let side = gauntlet(folder.path(), &["report", "all/one", "all/deeper/two", "--out", "side"]);
    assert_eq!(side.status.code(), Some(0));
    let page = std::fs::read_to_string(folder.path().join("side/report.html")).unwrap();
    assert!(page.contains("Their settings are the same.") && page.contains("Perft, nodes per second"));
    for (args, word) in [
        (vec!["report", "--history", "history"], "no run folder"),
        (vec!["report", "all/one", "--history", "all"], "--history"),
    ] {
        let out = gauntlet(folder.path(), &args);
        assert_eq!(out.status.code(), Some(2), "{args:?}");
        assert!(text(&out.stderr).contains(word), "{}", text(&out.stderr));
    }
}

/// Whatever became of the record: what was made of it is no shorter afterwards, and it is said.
#[test]
fn a_record_that_lost_rows_takes_no_file_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let games = [
        "match",
        "--engine",
        "embedded",
        "--engine",
        "embedded:lmr=off",
        "--each",
        "nodes=50",
        "--pairs",
        "3",
    ];
    run(folder.path(), &[&games[..], &["--out", "run"]].concat());
    let path = |name: &str| folder.path().join("run").join(name);
    let header = std::fs::read_to_string(path("header.json")).unwrap();
    std::fs::write(path("header.json"), header.replace("\"complete\": true", "\"complete\": false")).unwrap();
    let rows = std::fs::read_to_string(path("rows.jsonl")).unwrap();
    let files = ["games.csv", "pairs.csv", "plies.csv", "matches.csv", "games.pgn"];
    let before = files.map(|name| std::fs::read_to_string(path(name)).unwrap());
    let half: String = rows.lines().take(3).map(|line| format!("{line}\n")).collect();
    for lost in [
        String::new(),
        "nonsense\n".to_owned(),
        format!("{half}nonsense\n{half}"),
        half[..half.len() - 9].to_owned(),
    ] {
        std::fs::write(path("rows.jsonl"), &lost).unwrap();
        let out = gauntlet(folder.path(), &["report", "run"]);
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        let (said, page) = (text(&out.stdout), std::fs::read_to_string(path("report.html")).unwrap());
        for line in [said, page] {
            assert!(line.contains("the record has fewer rows") && line.contains("games.csv"), "{line}");
        }
        assert_eq!(files.map(|name| std::fs::read_to_string(path(name)).unwrap()), before, "{lost}");
        assert!(!path("redrawn").exists());
    }
    // The whole record makes them anew.
    std::fs::write(path("rows.jsonl"), &rows).unwrap();
    std::fs::write(path("games.csv"), "torn").unwrap();
    std::fs::write(path("perft.csv"), "of a kind that did not come again").unwrap();
    run(folder.path(), &["report", "run"]);
    assert_eq!(files.map(|name| std::fs::read_to_string(path(name)).unwrap()), before);
    assert!(!path("perft.csv").exists());
}

#[test]
fn a_report_leaves_nothing_where_nothing_is_wanted_and_reads_no_other_format() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["all/one", "all/two"] {
        run(folder.path(), &["perft", "--depth", "3", "--out", name]);
    }
    let path = |name: &str| folder.path().join(name);
    std::fs::remove_file(path("all/one/report.html")).unwrap();
    for args in
        [&["report", "all/one"][..], &["report", "all/one", "all/two"], &["report", "--history", "all"]]
    {
        let out = gauntlet(folder.path(), &[args, &["--out", "none"]].concat());
        let said = text(&out.stdout);
        assert_eq!(
            (out.status.code(), said.trim_end().lines().last()),
            (Some(0), Some("report: none")),
            "{args:?}"
        );
    }
    assert!(!path("all/one/report.html").exists() && !path("reports").exists());
    // Folders of their own, however quickly they come.
    let mut pages: Vec<String> = (0..3)
        .flat_map(|_| [&["report", "all/one", "all/two"][..], &["report", "--history", "all"]])
        .map(|args| text(&gauntlet(folder.path(), args).stdout).trim_end().lines().last().unwrap().to_owned())
        .collect();
    pages.sort();
    pages.dedup();
    assert_eq!(pages.len(), 6);
    let header = std::fs::read_to_string(path("all/one/header.json")).unwrap();
    std::fs::write(path("all/one/header.json"), header.replace("\"schema\": 1", "\"schema\": 99")).unwrap();
    refused_in(folder.path(), &["report", "all/one"], 2, &["all/one/header.json", "schema", "99", "reads 1"]);
}
