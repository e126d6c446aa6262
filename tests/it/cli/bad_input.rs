//! Bad input of every kind: one line that names the place, the documented code, and no folder left behind.

use super::{gauntlet, refused, refused_in, text};
use std::path::Path;

/// The binary itself, as a UCI engine that misbehaves.
fn faulty(fault: &str) -> String {
    format!("cmd={},name=faulty,arg=uci,arg=--fault,arg={fault}", env!("CARGO_BIN_EXE_gauntlet"))
}

#[test]
fn missing_and_broken_files() {
    refused(&["perft", "--suite", "missing.epd"], 2, &["missing.epd"]);
    refused(&["tactics", "missing.epd"], 2, &["missing.epd"]);
    refused(&["tactics"], 2, &["FILE"]);
    refused(&["symmetry", "missing.csv"], 2, &["missing.csv"]);
    refused(&["report", "missing"], 2, &["missing"]);
    refused(&["report"], 2, &["RUN"]);
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| std::fs::write(folder.path().join(name), content).unwrap();
    write("a.epd", "# comment\n8/8/8/8/8/8/8/8 w - - 0 1 ;D1 5\n");
    refused_in(folder.path(), &["perft", "--suite", "a.epd"], 2, &["a.epd:2", "king"]);
    write("b.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 many\n");
    refused_in(folder.path(), &["perft", "--suite", "b.epd"], 2, &["b.epd:1", "many"]);
    write("c.epd", "7k/8/8/8/8/8/8/K7 w - - bm Ka3;\n");
    refused_in(folder.path(), &["tactics", "c.epd"], 2, &["c.epd:1", "Ka3"]);
    write("d.pgn", "[Event \"x\"]\n\n1. e4 e5 2. Ke3 *\n");
    let book = [
        "match",
        "--engine",
        "embedded:name=a",
        "--engine",
        "embedded:name=b",
        "--each",
        "depth=1",
        "--pairs",
        "1",
    ];
    refused_in(
        folder.path(),
        &[&book[..], &["--openings", "file=missing.pgn"]].concat(),
        2,
        &["missing.pgn"],
    );
    refused_in(folder.path(), &[&book[..], &["--openings", "file=a.epd"]].concat(), 2, &["a.epd:2"]);
    refused_in(folder.path(), &[&book[..], &["--openings", "fiel=a.epd"]].concat(), 2, &["`fiel`", "`file`"]);
    refused_in(
        folder.path(),
        &[&book[..], &["--openings", "file=a.epd,order=shuffled"]].concat(),
        2,
        &["shuffled"],
    );
    refused_in(folder.path(), &[&book[..], &["--openings", "file=a.xyz"]].concat(), 2, &["a.xyz"]);
    let mut entry = 0x463b_9618_1691_fc9c_u64.to_be_bytes().to_vec();
    // e2e5 with weight 1; below e2e4 with weight 0.
    entry.extend([0x03, 0x24, 0, 1, 0, 0, 0, 0]);
    let never = [&entry[..8], &[0x03, 0x1c, 0, 0, 0, 0, 0, 0]].concat();
    let write = |name: &str, content: &[u8]| std::fs::write(folder.path().join(name), content).unwrap();
    write("odd.bin", &entry[..15]);
    write("empty.bin", &[]);
    write("illegal.bin", &entry);
    write("unsorted.bin", &[&entry[..], &[0; 16]].concat());
    write("never.bin", &never);
    write("other.bin", &[1; 16]);
    for (name, what) in [
        ("odd.bin", "entry 1 is cut off"),
        ("empty.bin", "no entries"),
        ("illegal.bin", "entry 1: e2e5"),
        ("unsorted.bin", "entry 2"),
        ("never.bin", "entry 1: no move"),
        ("other.bin", "initial position"),
        ("missing.bin", "no such file"),
    ] {
        for order in ["sequential", "random"] {
            let openings = format!("file={name},format=polyglot,plies=4,order={order}");
            refused_in(folder.path(), &[&book[..], &["--openings", &openings]].concat(), 2, &[name, what]);
        }
    }
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    let runs = std::fs::read_dir(folder.path().join("reports/runs")).map_or(0, Iterator::count);
    assert_eq!(runs, 0, "no folder of a run that measured nothing: {left:?}");
}

#[test]
fn impossible_positions_and_plans() {
    refused(&["perft", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], 2, &["king"]);
    refused(&["perft", "--fen", "x"], 2, &["FEN"]);
    refused(&["perft", "--backend", "magik", "--depth", "1"], 2, &["magik", "magic-fancy"]);
    refused(&["perft", "--generator", "malbox", "--depth", "1"], 2, &["malbox", "mailbox", "all"]);
    refused(&["perft", "--generator", "mailbox", "--engine", "embedded"], 2, &["--generator", "--engine"]);
    refused(&["perft", "--generator", "two-ply", "--bulk", "off"], 2, &["two-ply", "bulk"]);
    refused(&["perft", "--generator", "staged", "--backend", "hyperbola"], 2, &["staged", "legal"]);
    refused(&["perft", "--generator", "all", "--backend", "hyperbola"], 2, &["all", "backend"]);
    refused(&["perft", "--generator", "all", "--divide"], 2, &["--divide"]);
    refused(&["perft", "--generator", "all", "--rounds", "0"], 2, &["--rounds"]);
    refused(&["perft", "--generator", "mailbox", "--random", "9"], 2, &["--random"]);
    refused(&["sliders", "--backends", "nothing"], 2, &["nothing"]);
    refused(&["sliders", "--metric", "nothing"], 2, &["nothing"]);
    refused(&["list", "nothing"], 2, &["nothing", "backends"]);
    refused(&["match", "--engine", "embedded", "--pairs", "1"], 2, &["two engines"]);
    refused(
        &["match", "--engine", "embedded:name=a", "--engine", "embedded:name=b", "--each", "depth=1"],
        2,
        &["--pairs"],
    );
    refused(
        &["match", "--engine", "embedded:name=a", "--engine", "embedded:name=b", "--pairs", "1"],
        2,
        &["no limit"],
    );
    let two = ["--engine", "embedded:name=a", "--engine", "embedded:name=b", "--each", "depth=1"];
    let sprt = |more: &[&'static str]| [&["sprt"], &two[..], more].concat();
    refused(&sprt(&["--pairs", "10"]), 2, &["--pairs"]);
    refused(&sprt(&["--elo0", "5", "--elo1", "0"]), 2, &["elo0"]);
    refused(&sprt(&["--draw", "movecount=5"]), 2, &["--draw", "`score`"]);
    refused(&sprt(&["--resign", "movecont=5"]), 2, &["--resign", "`movecount`"]);
    refused(&["uci", "--fault", "nothing"], 2, &["nothing"]);
}

#[test]
fn wrong_specs() {
    refused(&["bench", "--engine", "embedded:lmrr=off"], 2, &["`lmrr`", "`lmr`"]);
    refused(&["bench", "--engine", "stockfish"], 2, &["stockfish"]);
    refused(&["bench", "--engine", "embedded:depth=x"], 2, &["depth"]);
    refused(&["bench", "--engine", "@missing.toml"], 2, &["missing.toml"]);
}

#[test]
fn engines_that_fail() {
    refused(&["bench", "--engine", "cmd=/no/such/engine"], 4, &["/no/such/engine"]);
    refused(&["bench", "--engine", "cmd=/bin/false"], 4, &["engine false"]);
    refused(&["run", "--quick", "--engine", "cmd=/bin/false"], 4, &["engine false"]);
    refused(
        &["tactics", "bratko-kopec.epd", "--nodes", "100", "--engine", "cmd=/no/such/engine"],
        4,
        &["/no/such/engine"],
    );
    refused(&["perft", "--depth", "1", "--engine", "cmd=/no/such/engine"], 4, &["/no/such/engine"]);
    refused(&["symmetry", "--depth", "1", "--engine", "cmd=/bin/false"], 4, &["engine false"]);
    refused(&["symmetry", "--engine", &faulty("no-uciok-typo")], 2, &["evaluation"]);
    let pair = ["match", "--engine", "embedded", "--each", "depth=1", "--pairs", "2", "--engine"];
    refused(&[&pair[..], &["cmd=/no/such/engine"]].concat(), 4, &["/no/such/engine"]);
    refused(&[&pair[..], &["cmd=/bin/false"]].concat(), 4, &["engine false"]);
}

#[test]
fn an_engine_that_dies_in_a_match_ends_it_with_4_and_keeps_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let engine = faulty("crash@5");
    let args = [
        "match", "--engine", "embedded", "--engine", &engine, "--each", "nodes=50", "--pairs", "3", "--out",
        "run",
    ];
    let out = gauntlet(folder.path(), &args);
    assert_eq!(out.status.code(), Some(4), "{}", text(&out.stderr));
    assert!(text(&out.stderr).contains("faulty"), "{}", text(&out.stderr));
    assert!(folder.path().join("run/report.html").is_file());
    let rows = std::fs::read_to_string(folder.path().join("run/rows.jsonl")).unwrap();
    assert!(rows.contains("\"kind\":\"game\""), "{rows}");
}

#[test]
fn a_closed_pipe_is_success() {
    use std::process::{Command, Stdio};
    let binary = Path::new(env!("CARGO_BIN_EXE_gauntlet"));
    let mut child = Command::new(binary)
        .args(["check", "--epd", concat!(env!("CARGO_MANIFEST_DIR"), "/suites/positions/sts.epd")])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let out = child.wait_with_output().unwrap();
    assert_eq!((out.status.code(), text(&out.stderr)), (Some(0), String::new()));
}

#[test]
fn a_zero_that_means_nothing_is_refused_by_its_flag() {
    for (verb, flag) in
        [("bench", "--depth"), ("bench", "--nodes"), ("symmetry", "--depth"), ("sliders", "--rounds")]
    {
        refused(&[verb, flag, "0"], 2, &[flag, "at least 1"]);
    }
    for flag in ["--movetime", "--nodes", "--depth"] {
        refused(&["tactics", "seeds.epd", flag, "0"], 2, &[flag, "at least 1"]);
    }
}

/// Walks go down by recursion: a depth that overflowed the stack is refused where it is read.
#[test]
fn a_depth_that_nobody_can_count_is_refused() {
    for depth in ["101", "20000", "4294967295", "99999999999"] {
        refused(&["perft", "--depth", depth], 2, &["--depth", depth, "100"]);
        refused(&["perft", "--depth", depth, "--threads", "2"], 2, &["--depth", depth]);
        refused(&["perft", "--depth", depth, "--generator", "all"], 2, &["--depth", depth]);
        refused(&["perft", "--depth", depth, "--engine", "embedded"], 2, &["--depth", depth]);
        refused(&["perft", "--locate", "--engine", "embedded", "--depth", depth], 2, &["--depth", depth]);
    }
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| std::fs::write(folder.path().join(name), content).unwrap();
    write("c.toml", "\n[perft]\ndepth = 20000\n");
    for more in [&[][..], &["--locate", "--engine", "embedded"], &["--generator", "all"]] {
        let args = [&["perft", "--config", "c.toml"], more].concat();
        refused_in(folder.path(), &args, 2, &["c.toml:3:", "depth", "20000", "100"]);
    }
    write("s.epd", "8/8/8/8/8/k7/p7/K7 w - - 0 1 ;D101 0\n");
    refused_in(folder.path(), &["perft", "--suite", "s.epd"], 2, &["s.epd:1", "D101", "100"]);
}

/// Searches have a deepest depth of their own, whatever they are told.
#[test]
fn a_depth_that_nobody_can_search_is_no_crash() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.epd"), "k7/8/1K6/8/8/8/8/7R w - - bm Rh8#;\n").unwrap();
    let out = gauntlet(folder.path(), &["tactics", "m.epd", "--depth", "4294967295", "--out", "none"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    refused(&["bench", "--engine", "embedded:depth=4294967295"], 2, &["depth", "4294967295"]);
    // One that says it was there is believed, but nobody counts up to it.
    let script = "while read line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; go*) echo info depth 4294967295 score cp 1 nodes 9 pv a2a3; echo bestmove a2a3;; quit) exit;; esac; done";
    let engine = format!("cmd=/bin/sh,name=Deep,arg=-c,arg={script}");
    let start = std::time::Instant::now();
    let out =
        gauntlet(folder.path(), &["bench", "--depth", "4294967295", "--engine", &engine, "--out", "none"]);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    assert!(
        text(&out.stdout).lines().last().unwrap_or_default().starts_with("bench: "),
        "{}",
        text(&out.stderr)
    );
}

/// What would do nothing is refused, whether it comes from the command line or from a file.
#[test]
fn settings_that_exclude_each_other() {
    let suite = &["--suite", "edge.epd"][..];
    for (args, words) in [
        (&[suite, &["--depth", "3"]].concat()[..], ["--suite", "--depth"]),
        (&[suite, &["--divide"]].concat(), ["--suite", "--divide"]),
        (&[suite, &["--rounds", "3"]].concat(), ["--rounds", "--generator"]),
        (&["--rounds", "9"], ["--rounds", "--generator"]),
        (&["--rounds", "9", "--generator", "legal"], ["--rounds", "--generator all"]),
        (&["--depth", "3", "--max-nodes", "5"], ["--max-nodes", "--suite"]),
        (&["--locate", "--engine", "embedded", "--rounds", "2"], ["--locate", "--rounds"]),
        (&["--locate", "--engine", "embedded", "--max-nodes", "2"], ["--max-nodes", "--"]),
        (&["--engine", "embedded", "--bulk", "off"], ["--engine", "--bulk"]),
        (&["--engine", "embedded", "--backend", "hyperbola"], ["--engine", "--backend"]),
    ] {
        refused(&[&["perft"], args].concat(), 2, &words);
    }
    let folder = tempfile::tempdir().unwrap();
    let write = |content: &str| std::fs::write(folder.path().join("gauntlet.toml"), content).unwrap();
    for (content, words) in [
        (
            "[perft]\ndepth = 3\nsuite = [\"edge.epd\"]\n",
            ["gauntlet.toml:2: `depth`", "`suite` (gauntlet.toml:3)"],
        ),
        ("[perft]\nsuite = [\"edge.epd\"]\ndivide = true\n", ["`suite`", "`divide`"]),
        ("[perft]\nlocate = true\nengine = \"embedded\"\nrounds = 3\n", ["`locate`", "`rounds`"]),
        ("[perft]\nrounds = 3\n", ["--rounds", "--generator all"]),
        ("[perft]\nmax-nodes = 3\n", ["--max-nodes", "--suite"]),
    ] {
        write(content);
        refused_in(folder.path(), &["perft"], 2, &words);
    }
    write("[symmetry]\ndepth = 3\neval = true\n");
    refused_in(folder.path(), &["symmetry"], 2, &["gauntlet.toml:3: `eval`", "`depth` (gauntlet.toml:2)"]);
    // A switch that is off excludes nothing, and flags overrule what they exclude in files, as they do with all else.
    for content in ["[perft]\ndivide = false\n", "[perft]\ndepth = 3\ndivide = true\nfen = \"x\"\nhash = 1\n"]
    {
        write(content);
        let suite = ["perft", "--suite", "edge.epd", "--max-nodes", "50", "--out", "none"];
        let out = gauntlet(folder.path(), &suite);
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        assert!(text(&out.stdout).lines().last().unwrap_or_default().starts_with("perft: positions="));
    }
}

#[test]
fn a_negative_number_is_refused_by_its_flag() {
    for args in [
        &["perft", "--depth", "-1"][..],
        &["bench", "--seed", "-1"],
        &["match", "--pairs", "-1"],
        &["stats", "elo", "--wdl", "-1,2,3"],
        &["sprt", "--alpha", "-0.1"],
    ] {
        refused(args, 2, &[args[args.len() - 2].trim_start_matches("--")]);
    }
}

#[test]
fn an_opening_that_the_book_has_not() {
    let engines = ["--engine", "embedded", "--engine", "embedded:lmr=off", "--each", "nodes=10"];
    let book = ["--pairs", "1", "--openings", "file=tiny.epd,start=26"];
    refused(&[&["match"][..], &engines, &book].concat(), 2, &["start", "25"]);
}

#[test]
fn an_engine_that_is_not_there_ends_run_with_4() {
    refused(&["run", "--quick", "--engine", "cmd=no/such/engine", "--out", "none"], 4, &["no/such/engine"]);
}

#[test]
fn a_score_of_searches_that_broke_their_limit_is_not_valid() {
    let folder = tempfile::tempdir().unwrap();
    let engine = format!("cmd={},arg=uci,arg=--fault,arg=overstep", env!("CARGO_BIN_EXE_gauntlet"));
    let args = ["tactics", "nolot.epd", "--nodes", "300", "--out", "none", "--engine", &engine];
    let out = super::gauntlet(folder.path(), &args);
    assert_eq!(out.status.code(), Some(3), "{}", super::text(&out.stderr));
    assert!(super::text(&out.stderr).contains("not valid"), "{}", super::text(&out.stderr));
    assert!(super::text(&out.stdout).lines().last().unwrap_or_default().starts_with("tactics: engine="));
}
