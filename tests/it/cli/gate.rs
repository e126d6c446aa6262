//! `gate`: planted regressions are caught by the right stage and named, an engine against itself stays quiet, baselines are kept and
//! refused, the budget is kept.

use super::interrupts::interrupted_when;
use super::{fields, gauntlet, refused_in, text};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Sizes that take a second altogether.
const SMALL: &str = "[gate.perft]
files = ['perft/standard.epd', 'perft/en-passant.epd']
max-nodes = 10000
[gate.symmetry]
files = ['few.epd']
depth = 3
[gate.signature]
depth = 5
[gate.suites]
files = ['positions/bratko-kopec.epd', 'positions/kaufman.epd']
nodes = 2000
[gate.sprt]
nodes = 200
max-pairs = 6
";

/// Positions in which nobody is mated at once, from `suites/positions/bratko-kopec.epd`.
const FEW: &str = "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - bm d5; id \"BK.02\";
2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - bm f5; id \"BK.03\";
rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq - bm e6; id \"BK.04\";
r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - bm Nd5 a4; id \"BK.05\";
";

/// Our own server, with a fault or none.
pub fn own(name: &str, fault: &str) -> String {
    let fault = if fault.is_empty() { String::new() } else { format!(",arg=--fault,arg={fault}") };
    format!("cmd={},name={name},arg=uci{fault}", env!("CARGO_BIN_EXE_gauntlet"))
}

/// A folder with the small sizes and more settings behind them.
pub fn folder(more: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("gauntlet.toml"), format!("{SMALL}{more}")).unwrap();
    std::fs::write(folder.path().join("few.epd"), FEW).unwrap();
    folder
}

pub struct Gated {
    pub code: Option<i32>,
    last: String,
    pub stderr: String,
    verdicts: BTreeMap<String, Value>,
}

impl Gated {
    pub fn status(&self, stage: &str) -> &str {
        self.verdicts.get(stage).map_or("none", |verdict| verdict["status"].as_str().unwrap())
    }

    pub fn summary(&self, stage: &str) -> &str {
        self.verdicts[stage]["summary"].as_str().unwrap()
    }

    fn figure(&self, stage: &str, name: &str) -> &str {
        let figures = self.verdicts[stage]["figures"].as_array().unwrap();
        let of_name = |figure: &&Value| figure[0] == name;
        figures.iter().find(of_name).unwrap_or_else(|| panic!("{name}: {figures:?}"))[1].as_str().unwrap()
    }

    pub fn stages_with(&self, status: &str) -> Vec<&str> {
        let of = |(stage, verdict): (_, &Value)| (verdict["status"] == status).then_some(stage);
        self.verdicts.iter().map(|(stage, verdict)| (stage.as_str(), verdict)).filter_map(of).collect()
    }
}

pub fn gate(folder: &Path, args: &[&str]) -> Gated {
    let out = gauntlet(folder, &[&["gate", "--out", "none", "--format", "json"], args].concat());
    let stderr = text(&out.stderr);
    let document: Value =
        serde_json::from_slice(&out.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}: {stderr}"));
    let rows = document["rows"].as_array().unwrap().iter();
    let verdicts = rows.filter(|row| row["kind"] == "verdict");
    Gated {
        code: out.status.code(),
        last: stderr.lines().last().unwrap_or_default().to_owned(),
        verdicts: verdicts.map(|row| (row["stage"].as_str().unwrap().to_owned(), row.clone())).collect(),
        stderr,
    }
}

/// All but the one that takes seconds.
const QUICK: &str = "perft,symmetry,signature,branching,suites,sprt";

#[test]
fn an_engine_against_itself_needs_no_games() {
    let folder = folder("");
    let done = gate(folder.path(), &["--new", "embedded", "--base", "embedded", "--stages", QUICK]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(done.last.starts_with("gate: PASS checks=") && done.last.ends_with(" failed=0"), "{}", done.last);
    assert!(done.summary("signature").contains("no functional change"), "{}", done.summary("signature"));
    for stage in ["suites", "sprt"] {
        assert_eq!(done.status(stage), "info");
        assert!(done.summary(stage).contains("not needed"), "{}", done.summary(stage));
    }
    assert_eq!(done.stages_with("pass"), ["perft", "symmetry"]);
    // What a stage found and what it means are two things.
    for (stage, verdict) in done.verdicts.iter().filter(|(_, verdict)| verdict["checks"] != 0) {
        assert!(verdict["meaning"].as_str().is_some_and(|meaning| meaning.len() > 20), "{stage}");
    }
}

/// Equal engines at fixed nodes play every pair to the same two results.
#[test]
fn made_to_play_it_all_pairs_are_middle_ones() {
    let folder = folder("");
    let args = ["--new", "embedded", "--base", "embedded", "--stages", "signature,suites,sprt"];
    let done = gate(folder.path(), &[&args[..], &["--always-play"]].concat());
    assert_eq!(done.figure("sprt", "pairs"), "6", "{}", done.stderr);
    assert_eq!(done.figure("sprt", "LL,LD,M,WD,WW"), "0,0,6,0,0");
    assert_eq!(done.status("suites"), "pass");
    assert_eq!(done.figure("suites", "p"), "1.0000");
    // Six pairs decide nothing: the cap was reached.
    assert_eq!((done.code, done.stages_with("inconclusive")), (Some(3), vec!["sprt"]), "{}", done.stderr);
    assert!(done.last.starts_with("gate: INCONCLUSIVE "), "{}", done.last);
}

/// A plain quiescence search is worth hundreds of Elo: without it the engine gives its pieces away.
#[test]
fn a_weaker_engine_is_caught_by_positions_and_games() {
    let folder = folder("[gate]\nstages = ['signature', 'suites', 'sprt']\n");
    let settings =
        "[gate.suites]\nfiles = ['positions/mates.epd']\n[gate.sprt]\nelo0 = -100\nmax-pairs = 400\n";
    std::fs::write(folder.path().join("gate.toml"), settings).unwrap();
    let weak = "embedded:name=weak,quiescence=off,check-extension=off,mvv-lva=off,see-ordering=off";
    let args = ["--config", "gate.toml", "--new", weak, "--base", "embedded"];
    let done = gate(folder.path(), &args);
    assert_eq!(done.code, Some(1), "{}", done.stderr);
    assert!(done.summary("signature").contains("functional change"), "{}", done.summary("signature"));
    assert_eq!(done.stages_with("fail"), ["sprt", "suites"], "{}", done.stderr);
    assert!(done.summary("sprt").contains("H0"), "{}", done.summary("sprt"));
    assert!(done.figure("suites", "p").parse::<f64>().unwrap() < 0.05);
    assert!(done.summary("suites").contains("lost: mates.epd "), "{}", done.summary("suites"));
    assert_eq!(done.last, "gate: FAIL checks=2 failed=2");
    // The other way round it is an improvement.
    let args = ["--config", "gate.toml", "--new", "embedded", "--base", weak];
    let done = gate(folder.path(), &args);
    assert_eq!((done.code, done.stages_with("pass")), (Some(0), vec!["sprt", "suites"]), "{}", done.stderr);
}

#[test]
fn a_wrong_rule_is_caught_by_perft() {
    let folder = folder("");
    let (bad, good) = (own("engine", "perft-ep"), own("base", ""));
    let args = ["--new", &bad, "--base", &good, "--stages", "perft,signature,suites,sprt"];
    let done = gate(folder.path(), &args);
    assert_eq!((done.code, done.stages_with("fail")), (Some(1), vec!["perft"]), "{}", done.stderr);
    assert!(
        done.summary("perft").contains("first wrong: standard.epd std.127 depth 2: 193 instead of 191"),
        "{}",
        done.summary("perft")
    );
    let meaning = done.verdicts["perft"]["meaning"].as_str().unwrap();
    assert!(meaning.contains("perft --locate"), "{meaning}");
    let done = gate(folder.path(), &["--new", &good, "--base", &bad, "--stages", "perft"]);
    assert_eq!((done.code, done.status("perft")), (Some(0), "pass"));
}

#[test]
fn an_asymmetric_term_is_caught_by_symmetry() {
    let folder = folder("");
    let (bad, good) = (own("engine", "asymmetric"), own("base", ""));
    // Enough of them: searches of the base depend on the colour, too, if only by the order of moves.
    let files = "[gate.symmetry]\nfiles = ['positions/wac.epd', 'positions/bratko-kopec.epd']\n";
    std::fs::write(folder.path().join("many.toml"), files).unwrap();
    let args = ["--new", &bad, "--base", &good, "--stages", "symmetry,signature", "--config", "many.toml"];
    let done = gate(folder.path(), &args);
    assert_eq!((done.code, done.stages_with("fail")), (Some(1), vec!["symmetry"]), "{}", done.stderr);
    assert!(done.summary("symmetry").contains("p = 0.000"), "{}", done.summary("symmetry"));
    // It told its scores otherwise; what it searched is the same.
    assert!(done.summary("signature").contains("no functional change"));
    // Nothing new: the base has it as well.
    let worse = own("base", "asymmetric");
    let done = gate(folder.path(), &["--new", &bad, "--base", &worse, "--stages", "symmetry"]);
    assert_eq!((done.code, done.status("symmetry")), (Some(0), "pass"));
    // A base of another kind is searched, too.
    let done = gate(folder.path(), &["--new", &good, "--base", "embedded", "--stages", "symmetry"]);
    assert_eq!((done.code, done.status("symmetry")), (Some(0), "pass"), "{}", done.stderr);
    // Static evaluations must agree exactly, whatever the base does.
    let noisy = "embedded:eval-noise=5";
    let done = gate(folder.path(), &["--new", noisy, "--base", noisy, "--stages", "symmetry"]);
    assert_eq!((done.code, done.status("symmetry")), (Some(1), "fail"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_fault_of_the_protocol_is_caught_unless_it_is_known() {
    let folder = folder("[gate]\nstages = ['compliance']\n");
    let (bad, good) = (own("engine", "no-id"), own("base", ""));
    let done = gate(folder.path(), &["--new", &bad, "--base", &good]);
    assert_eq!((done.code, done.stages_with("fail")), (Some(1), vec!["compliance"]), "{}", done.stderr);
    assert!(done.summary("compliance").contains("newly fail: id"), "{}", done.summary("compliance"));
    // Both do it.
    let before = own("base", "no-id");
    let done = gate(folder.path(), &["--new", &bad, "--base", &before]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(
        done.summary("compliance").contains("failed by base as well: id"),
        "{}",
        done.summary("compliance")
    );
}

#[test]
fn what_is_expected_of_the_signature() {
    let folder = folder("[gate]\nstages = ['signature']\n");
    let expect = |what: &str| {
        let path = folder.path().join("expect.toml");
        std::fs::write(&path, format!("[gate.signature]\nexpect = '{what}'\n")).unwrap();
    };
    let changed = ["--new", "embedded:lmr=off", "--base", "embedded", "--config", "expect.toml"];
    let same = ["--new", "embedded", "--base", "embedded", "--config", "expect.toml"];
    for (what, args, code) in [
        ("any", changed, 0),
        ("same", changed, 1),
        ("different", changed, 0),
        ("any", same, 0),
        ("same", same, 0),
        ("different", same, 1),
    ] {
        expect(what);
        let done = gate(folder.path(), &args);
        assert_eq!(done.code, Some(code), "{what} {args:?}: {}", done.stderr);
        assert_eq!(done.stages_with("fail").len(), code as usize, "{what} {args:?}");
    }
}

#[test]
fn a_baseline_is_written_and_held_against() {
    let folder =
        folder("[gate]\nstages = ['perft', 'symmetry', 'signature', 'branching', 'suites', 'sprt']\n");
    let path = folder.path().join("b.json");
    let update = ["--new", "embedded", "--baseline", "b.json", "--update-baseline"];
    let done = gate(folder.path(), &update);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let written = std::fs::read_to_string(&path).unwrap();
    // The same again: nothing in it depends on the moment.
    gate(folder.path(), &update);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), written);
    for line in ["  \"engine\": \"embedded\",", "        \"BK.01\": \""] {
        assert!(written.lines().any(|known| known.starts_with(line)), "{line}: {written}");
    }

    let against = ["--new", "embedded", "--baseline", "b.json"];
    let done = gate(folder.path(), &against);
    assert_eq!((done.code, done.stages_with("fail")), (Some(0), vec![]), "{}", done.stderr);
    assert!(done.summary("signature").contains("the same as the baseline"), "{}", done.summary("signature"));
    assert_eq!(done.status("suites"), "pass");
    assert!(done.summary("sprt").contains("no base engine"), "{}", done.summary("sprt"));

    let edited = |was: &str, is: &str| {
        assert!(written.contains(was), "{was}");
        std::fs::write(&path, written.replacen(was, is, 1)).unwrap();
    };
    // Another signature: told, and a fault only where it is expected to stay.
    let own = done.figure("signature", "signature").to_owned();
    edited(&format!("\"signature\": {own}\n"), "\"signature\": 77777777\n");
    let done = gate(folder.path(), &against);
    assert!(
        done.summary("signature").contains("not 77777777 as the baseline"),
        "{}",
        done.summary("signature")
    );
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    // One more solved before: told, no proof of anything. All of them: a fault.
    edited("\": \"failed\"", "\": \"solved\"");
    let done = gate(folder.path(), &against);
    assert_eq!((done.code, done.status("suites")), (Some(0), "pass"));
    assert!(done.summary("suites").contains("only the baseline 1, p = 0.500"), "{}", done.summary("suites"));
    std::fs::write(&path, written.replace("\": \"failed\"", "\": \"solved\"")).unwrap();
    let done = gate(folder.path(), &against);
    assert_eq!((done.code, done.stages_with("fail")), (Some(1), vec!["suites"]), "{}", done.stderr);
}

#[test]
fn a_baseline_that_does_not_fit_is_refused() {
    let folder = folder("[gate]\nstages = ['perft', 'signature', 'suites']\n");
    let path = folder.path().join("b.json");
    let args = ["gate", "--new", "embedded", "--baseline", "b.json", "--out", "none"];
    refused_in(folder.path(), &args, 2, &["b.json"]);
    gate(folder.path(), &["--new", "embedded", "--baseline", "b.json", "--update-baseline"]);
    let written = std::fs::read_to_string(&path).unwrap();
    let cases: [(&str, &str, &[&str]); 11] = [
        (
            "\"engine\": \"embedded\"",
            "\"engine\": \"other\"",
            &["b.json: engine: other there, embedded here"],
        ),
        ("\"schema\": 1", "\"schema\": 2", &["b.json: schema: 2", "--update-baseline"]),
        ("\"seed\": 1", "\"seed\": 2", &["b.json: seed: 2 there, 1 here"]),
        ("\"max-nodes\": 10000", "\"max-nodes\": 5", &["b.json: perft.max-nodes: 5 there, 10000 here"]),
        ("\"standard.epd\"", "\"standart.epd\"", &["b.json: perft.suites: `standart.epd`"]),
        ("\"depth\": 5", "\"depth\": 6", &["b.json: signature.depth: 6 there, 5 here"]),
        ("\"nodes\": 2000", "\"nodes\": 2001", &["b.json: suites.nodes: 2001 there, 2000 here"]),
        ("\"BK.07\"", "\"BK.77\"", &["b.json: suites.positions.bratko-kopec.epd: `BK.77`"]),
        ("\"signature\": {", "\"signatur\": {", &["b.json:", "unknown field `signatur`"]),
        ("}", "", &["b.json:"]),
        ("{\"counts\": ", "{\"counts\": 9", &["b.json: perft.suites.", ".counts: 9"]),
    ];
    for (was, is, words) in cases {
        assert!(written.contains(was), "{was}");
        std::fs::write(&path, written.replacen(was, is, 1)).unwrap();
        refused_in(folder.path(), &args, 2, words);
    }
    // A stage that was not measured then.
    std::fs::write(&path, &written).unwrap();
    let engine = own("embedded", "");
    let more = ["gate", "--new", &engine, "--baseline", "b.json", "--out", "none", "--stages", "symmetry"];
    refused_in(folder.path(), &more, 2, &["b.json: symmetry: not in this baseline"]);
}

#[test]
fn faults_are_not_written_down() {
    let folder = folder("[gate]\nstages = ['perft']\n");
    let bad = own("engine", "perft-ep");
    let done = gate(folder.path(), &["--new", &bad, "--baseline", "b.json", "--update-baseline"]);
    assert_eq!((done.code, done.status("perft")), (Some(1), "fail"), "{}", done.stderr);
    assert!(done.stderr.contains("b.json: not written"), "{}", done.stderr);
    assert!(!folder.path().join("b.json").exists());
}

#[test]
fn bad_input_is_one_line() {
    let folder = folder("");
    let run = |args: &[&str], words: &[&str]| {
        refused_in(folder.path(), &[&["gate", "--out", "none"], args].concat(), 2, words);
    };
    run(&[], &["--new"]);
    run(&["--new", "embedded"], &["--base", "--baseline"]);
    run(&["--new", "embedded", "--base", "embedded", "--baseline", "b.json"], &["--base", "--baseline"]);
    run(&["--new", "embedded", "--update-baseline"], &["--baseline FILE"]);
    run(&["--new", "embedded", "--base", "embedded", "--stages", "perfd"], &["`perfd`", "`perft`"]);
    run(&["--new", "embedded", "--base", "embedded", "--budget", "5"], &["budget", "`5`", "5m"]);
    run(&["--new", "embedded", "--base", "embedded", "--budget", "1.8e19s"], &["budget", "year"]);
    run(&["--new", "embedded", "--baseline", "no/such/b.json", "--update-baseline"], &["no/such/b.json"]);
    run(&["--new", "embedded", "--baseline", ".", "--update-baseline"], &["folder"]);
    run(&["--new", "embedded", "--base", "embedded", "--stages", ""], &["stages", "perft, symmetry"]);
    let update = ["--new", "embedded", "--baseline", "b.json", "--update-baseline"];
    run(&[&update[..], &["--stages", "speed,sprt"]].concat(), &["stages", "--update-baseline"]);
    let pondering = format!("cmd={},arg=uci,ponder=on", env!("CARGO_BIN_EXE_gauntlet"));
    run(&["--new", &pondering, "--base", "embedded"], &["[gate.sprt]", "ponder=on"]);
    run(&["--new", "embedded", "--base", "embedded", "--junit", "no/such/dir.xml"], &["no/such/dir.xml"]);
    for (settings, words) in [
        ("[gate]\nstags = []\n", &["gate.toml:2:", "`stags`", "`stages`"][..]),
        ("[gate.sprt]\nmax-pair = 5\n", &["gate.toml:2:", "`max-pair`", "`max-pairs`"]),
        ("[gate.sptr]\n", &["gate.toml:1:", "`sptr`", "`sprt`"]),
        ("[gate.sprt]\nelo0 = 'x'\n", &["gate.toml:2:"]),
        ("[gate.sprt]\nelo0 = 5\nelo1 = 5\n", &["[gate.sprt]", "elo"]),
        ("[gate.sprt]\ntc = '1+x'\n", &["[gate.sprt]", "cannot be used with"]),
        ("[gate.signature]\nexpect = 'sam'\n", &["gate.toml:2:", "sam"]),
        ("[gate.suites]\nalpha = 0.7\n", &["suites.alpha", "0.7"]),
        ("[gate.speed]\nthreshold = 100\n", &["speed.threshold", "100"]),
        ("[gate.suites]\nnodes = 0\n", &["suites.nodes"]),
        ("[gate.suites]\nfiles = ['no.epd']\n", &["no.epd"]),
        ("[gate.perft]\nfiles = []\n", &["perft.files"]),
        ("[gate]\nstages = []\n", &["stages", "compliance, perft, symmetry", "sprt"]),
        ("[gate]\nstages = ['']\n", &["stages", "compliance, perft, symmetry", "sprt"]),
        (
            "[gate.suites]\nfiles = ['kaufman.epd', 'positions/kaufman.epd']\n",
            &["suites.files", "`kaufman.epd`"],
        ),
        ("[gate.perft]\nfiles = ['standard.epd', 'standard.epd']\n", &["perft.files", "`standard.epd`"]),
        ("[gate.symmetry]\nfiles = ['few.epd', 'few.epd']\n", &["symmetry.files", "`few.epd`"]),
        ("[gate.symmetry]\nfiles = ['/dev/null']\n", &["/dev/null", "no positions"]),
        ("[gate.suites]\nfiles = ['openings/tiny.epd']\n", &["suites.files", "solve"]),
    ] {
        std::fs::write(folder.path().join("gate.toml"), settings).unwrap();
        run(&["--new", "embedded", "--base", "embedded", "--config", "gate.toml"], words);
    }
    // Ids name positions: they must be unique.
    std::fs::write(folder.path().join("twice.epd"), FEW.replace("BK.03", "BK.02")).unwrap();
    std::fs::write(folder.path().join("gate.toml"), "[gate.suites]\nfiles = ['twice.epd']\n").unwrap();
    run(
        &["--new", "embedded", "--base", "embedded", "--config", "gate.toml"],
        &["twice.epd:2:", "`BK.02`", "line 1"],
    );
    let missing = ["gate", "--new", "embedded", "--base", "cmd=/no/such/engine", "--out", "none"];
    refused_in(folder.path(), &missing, 4, &["/no/such/engine"]);
}

/// A shell script that does what is given at each `go`, and then gives `answer`.
pub fn script(name: &str, at_go: &str, answer: &str) -> String {
    let text = format!(
        "while read -r line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; \
         go*) {at_go} {answer} echo bestmove 0000;; quit) exit;; esac; done"
    );
    format!("cmd=/bin/sh,name={name},arg=-c,arg={}", text.replace('\\', r"\\").replace(',', r"\,"))
}

/// A script that counts to `work`: the same nodes, and that much processor time.
fn counting(name: &str, work: u32, nodes: u64) -> String {
    let at_go = format!("i=0; while [ $i -lt {work} ]; do i=$((i+1)); done;");
    script(name, &at_go, &format!("echo info depth 1 nodes {nodes} score cp 1;"))
}

/// One counts to ten times as many: no load of the machine makes up for that in processor time.
#[cfg(target_os = "linux")]
#[test]
fn a_slower_engine_is_caught_by_speed() {
    let (slow, quick) = (counting("slow", 10_000, 1000), counting("quick", 1000, 1000));
    let folder = folder("[gate]\nstages = ['speed']\n[gate.speed]\nrounds = 7\ndepth = 1\n");
    let done = gate(folder.path(), &["--new", &slow, "--base", &quick]);
    assert_eq!((done.code, done.stages_with("fail")), (Some(1), vec!["speed"]), "{}", done.stderr);
    assert!(done.summary("speed").starts_with("slower: slow runs at"), "{}", done.summary("speed"));
    assert!(done.summary("speed").contains("processor time for the same nodes"), "{}", done.summary("speed"));
    let done = gate(folder.path(), &["--new", &quick, "--base", &slow]);
    assert_eq!((done.code, done.status("speed")), (Some(0), "pass"), "{}", done.stderr);
    // One round says nothing; whether that matters is a setting.
    for (unclear, code, status) in [("info", 0, "info"), ("inconclusive", 3, "inconclusive")] {
        let settings = format!("[gate.speed]\nrounds = 1\nunclear = '{unclear}'\n");
        std::fs::write(folder.path().join("gate.toml"), settings).unwrap();
        let done = gate(folder.path(), &["--new", &slow, "--base", &quick, "--config", "gate.toml"]);
        assert_eq!((done.code, done.status("speed")), (Some(code), status), "{}", done.stderr);
    }
}

/// In the middle of a suite and of games: a crash that the base does not have is the change's, one that both have is not.
#[test]
fn a_crash_is_the_changes_only_where_the_base_has_none() {
    let folder = folder("");
    // Once in each process, or in every search.
    for (stage, at) in [("suites", 5), ("suites", 1), ("sprt", 30)] {
        let crashing = |name: &str| own(name, &format!("crash@{at}"));
        let judged = |new: &str, base: &str| {
            gate(folder.path(), &["--new", new, "--base", base, "--stages", stage, "--always-play"])
        };
        let done = judged(&crashing("new"), &own("base", ""));
        assert_eq!((done.code, done.status(stage)), (Some(1), "fail"), "{stage}: {}", done.summary(stage));
        if stage == "suites" {
            assert!(done.summary(stage).contains("new broke down in"), "{}", done.summary(stage));
        }
        let done = judged(&own("new", ""), &crashing("base"));
        assert_ne!(done.status(stage), "fail", "{stage}: {}", done.summary(stage));
        let done = judged(&crashing("new"), &crashing("base"));
        assert_ne!(done.status(stage), "fail", "{stage}: {}", done.summary(stage));
        assert_eq!(done.code, Some(3), "{stage}: {}", done.summary(stage));
        assert!(!done.summary(stage).contains("time for this stage"), "{}", done.summary(stage));
    }
}

/// An engine that cannot keep the limit of a comparison has not passed it.
#[test]
fn what_was_not_compared_is_open() {
    let folder = folder("");
    let script = "while read -r line; do case \"$line\" in protover*) echo feature setboard=1 done=1;; quit) exit;; esac; done";
    let xboard = format!("cmd=/bin/sh,name=old,proto=xboard,arg=-c,arg={}", script.replace(',', "\\,"));
    let done = gate(folder.path(), &["--new", &xboard, "--base", "embedded", "--stages", "suites,sprt"]);
    assert_eq!(
        (done.code, done.stages_with("inconclusive")),
        (Some(3), vec!["sprt", "suites"]),
        "{}",
        done.stderr
    );
    assert!(done.summary("sprt").contains("nodes"), "{}", done.summary("sprt"));
}

/// Of other trees nodes per second only inform, however few they are.
#[test]
fn nodes_of_other_trees_are_no_fault() {
    let (few, many) = (counting("few", 1, 10), counting("many", 1, 10_000));
    let folder = folder("[gate]\nstages = ['speed']\n[gate.speed]\nrounds = 7\ndepth = 1\n");
    let done = gate(folder.path(), &["--new", &few, "--base", &many]);
    assert_eq!((done.code, done.status("speed")), (Some(0), "info"), "{}", done.stderr);
    assert!(done.summary("speed").contains("the nodes differ"), "{}", done.summary("speed"));
}

/// Two that tell no nodes are not the same engine by that: 0 is no signature.
#[test]
fn an_engine_without_nodes_has_no_signature() {
    let folder = folder("[gate]\nstages = ['signature', 'speed', 'suites']\n");
    let silent = |name: &str| script(name, "", "echo info depth 5 score cp 1;");
    let done = gate(folder.path(), &["--new", &silent("one"), "--base", &silent("two")]);
    assert_eq!(done.status("signature"), "info", "{}", done.stderr);
    assert!(done.summary("signature").contains("one: no signature"), "{}", done.summary("signature"));
    assert!(!done.summary("suites").contains("not needed"), "{}", done.summary("suites"));
    assert!(done.summary("speed").contains("does not tell how many nodes"), "{}", done.summary("speed"));
    // One that tells them of another depth.
    let shallow = script("shallow", "", "echo info depth 1 nodes 7 score cp 1;");
    let args = ["--new", &shallow, "--base", &shallow, "--stages", "signature"];
    let done = gate(folder.path(), &args);
    assert!(done.summary("signature").contains("outside their limit"), "{}", done.summary("signature"));
    // What is expected of it stays open.
    std::fs::write(folder.path().join("gate.toml"), "[gate.signature]\nexpect = 'same'\n").unwrap();
    let done = gate(folder.path(), &[&args[..], &["--config", "gate.toml"]].concat());
    assert_eq!((done.code, done.status("signature")), (Some(3), "inconclusive"), "{}", done.stderr);
}

/// The signature says nothing of what a clock does.
#[test]
fn games_on_a_clock_are_played_though_the_signature_is_the_same() {
    let folder = folder("[gate]\nstages = ['signature', 'suites', 'sprt']\n");
    let settings = "[gate.sprt]\ntc = '0.2+0.01'\nmax-pairs = 1\n";
    std::fs::write(folder.path().join("gate.toml"), settings).unwrap();
    // A key of the file in the folder stands beside it otherwise.
    let small = std::fs::read_to_string(folder.path().join("gauntlet.toml")).unwrap();
    std::fs::write(folder.path().join("gauntlet.toml"), small.replace("nodes = 200\nmax-pairs = 6\n", ""))
        .unwrap();
    let done = gate(folder.path(), &["--new", "embedded", "--base", "embedded", "--config", "gate.toml"]);
    assert!(done.summary("suites").contains("not needed"), "{}", done.stderr);
    assert!(done.summary("sprt").contains("pairs at"), "{}", done.summary("sprt"));
}

/// The change is not to blame for a base that dies.
#[test]
fn a_base_that_dies_leaves_it_open() {
    let folder = folder("[gate]\nstages = ['perft', 'signature', 'branching', 'suites']\n");
    let (bad, good) = (own("base", "crash"), own("engine", ""));
    let done = gate(folder.path(), &["--new", &good, "--base", &bad]);
    assert_eq!((done.code, done.stages_with("fail")), (Some(3), vec![]), "{}", done.stderr);
    assert_eq!(done.status("perft"), "pass");
    assert_eq!(done.stages_with("inconclusive"), ["branching", "signature", "suites"]);
    assert!(
        done.summary("signature").starts_with("the base could not be measured: engine base"),
        "{}",
        done.summary("signature")
    );
}

/// Both files tell why there is nothing more in them.
#[test]
fn files_beside_the_run_are_written_however_it_ends() {
    let folder = folder("[gate]\nstages = ['perft', 'sprt']\n");
    let read = |file: &str| std::fs::read_to_string(folder.path().join(file)).unwrap();
    let files = ["--junit", "gate.xml", "--summary", "gate.md"];
    let missing = ["gate", "--new", "embedded", "--base", "cmd=/no/such/engine", "--out", "none"];
    refused_in(folder.path(), &[&missing[..], &files].concat(), 4, &["/no/such/engine"]);
    for file in ["gate.xml", "gate.md"] {
        assert!(read(file).contains("/no/such/engine"), "{file}: {}", read(file));
        std::fs::remove_file(folder.path().join(file)).unwrap();
    }
    std::fs::write(folder.path().join("gate.toml"), "[gate.sprt]\nelo0 = -1\nmax-pairs = 100000\n").unwrap();
    let args = ["gate", "--new", "embedded:lmr=off,name=new", "--base", "embedded", "--config", "gate.toml"];
    let rows = folder.path().join("run/rows.jsonl");
    let there = || std::fs::read_to_string(&rows).is_ok_and(|rows| rows.contains("\"kind\":\"pair\""));
    let (out, _) = interrupted_when(folder.path(), &[&args[..], &files].concat(), "-TERM", &there);
    assert_eq!(out.status.code(), Some(143), "{}", text(&out.stderr));
    assert!(read("gate.xml").contains("interrupted") && read("gate.xml").contains("\"perft\""));
    assert!(read("gate.md").contains("interrupted") && read("gate.md").contains("perft"));
}

/// An engine that dies fails the stage in which it does, and the others go on.
#[test]
fn a_stage_that_cannot_run_is_a_failed_check() {
    let folder = folder("[gate]\nstages = ['perft', 'signature', 'branching', 'suites']\n");
    let (bad, good) = (own("engine", "crash"), own("base", ""));
    let done = gate(folder.path(), &["--new", &bad, "--base", &good]);
    assert_eq!(done.code, Some(1), "{}", done.stderr);
    assert_eq!(done.status("perft"), "pass");
    assert_eq!(done.stages_with("fail"), ["branching", "signature", "suites"]);
    assert!(
        done.summary("signature").starts_with("could not run: engine engine"),
        "{}",
        done.summary("signature")
    );
    // Both alike: the change is not to blame.
    let done = gate(folder.path(), &["--new", &bad, "--base", &own("base", "crash")]);
    assert_eq!((done.code, done.stages_with("fail")), (Some(3), vec![]), "{}", done.stderr);
    assert!(
        done.summary("signature").starts_with("neither engine could be measured: engine engine"),
        "{}",
        done.summary("signature")
    );
}

#[test]
fn a_configuration_file_is_enough_and_its_plan_repeats_it() {
    let folder = folder("");
    let settings = "[gate]\nnew = 'embedded:lmr=off,name=new'\nbase = 'embedded'\nstages = ['signature', 'sprt']\n\
        [gate.sprt]\nmax-pairs = 2\nopenings = 'file=openings/tiny.epd,order=sequential'\n";
    std::fs::write(folder.path().join("gate.toml"), settings).unwrap();
    let line = |args: &[&str]| {
        let out = gauntlet(folder.path(), args);
        (out.status.code(), text(&out.stdout))
    };
    let (code, first) = line(&["gate", "--config", "gate.toml", "--out", "run", "--quiet"]);
    assert_eq!((code, first.as_str()), (Some(3), "gate: INCONCLUSIVE checks=1 failed=0\n"));
    let plan = std::fs::read_to_string(folder.path().join("run/plan.toml")).unwrap();
    for setting in ["[gate.sprt]", "max-pairs = 2", "elo0 = -10.0", "max-nodes = 10000", "nodes = 200"] {
        assert!(plan.contains(setting), "{setting}: {plan}");
    }
    // The settings in the folder do not count any more.
    std::fs::write(folder.path().join("gauntlet.toml"), "").unwrap();
    let (_, again) = line(&["gate", "--plan", "run/plan.toml", "--out", "again", "--quiet"]);
    assert_eq!(again, first);
    let games = |run: &str| {
        let table = std::fs::read_to_string(folder.path().join(run).join("pairs.csv")).unwrap();
        assert_eq!(table.lines().count(), 3, "{table}");
        table
    };
    assert_eq!(games("run"), games("again"));
    // A flag goes over the file, and a baseline over its base.
    let done = gate(folder.path(), &["--config", "gate.toml", "--stages", "signature"]);
    assert_eq!(done.verdicts.keys().collect::<Vec<_>>(), ["signature"]);
    refused_in(
        folder.path(),
        &["gate", "--config", "gate.toml", "--baseline", "b.json", "--out", "none"],
        2,
        &["b.json"],
    );
}

/// It ends in time with what it has: nothing asked for here could be done in two seconds.
#[test]
fn the_budget_is_kept() {
    let folder = folder("[gate]\nstages = ['signature', 'suites', 'sprt']\nbudget = '2s'\n");
    let settings = "[gate.suites]\nfiles = ['positions/sts.epd']\nnodes = 200000\n[gate.sprt]\nnodes = 20000\nmax-pairs = 100000\nelo0 = -2\n";
    std::fs::write(folder.path().join("gate.toml"), settings).unwrap();
    let begun = Instant::now();
    let args = ["--new", "embedded:lmr=off,name=new", "--base", "embedded", "--config", "gate.toml"];
    let done = gate(folder.path(), &args);
    // A busy machine may take its time to start and to end.
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    assert_eq!(done.code, Some(3), "{}", done.stderr);
    assert_eq!(done.status("sprt"), "inconclusive");
    let said = done.summary("sprt");
    assert!(said.contains("the time was up") || said.contains("used up"), "{said}");
}

#[test]
fn an_interrupt_keeps_what_there_is() {
    let folder = folder("[gate]\nstages = ['perft', 'sprt']\n");
    std::fs::write(folder.path().join("gate.toml"), "[gate.sprt]\nelo0 = -1\nmax-pairs = 100000\n").unwrap();
    let args = ["gate", "--new", "embedded:lmr=off,name=new", "--base", "embedded", "--config", "gate.toml"];
    let pairs = folder.path().join("run/rows.jsonl");
    let there = || std::fs::read_to_string(&pairs).is_ok_and(|rows| rows.contains("\"kind\":\"pair\""));
    let (out, took) = interrupted_when(folder.path(), &args, "-INT", &there);
    assert_eq!(out.status.code(), Some(130), "{}", text(&out.stderr));
    assert!(took < Duration::from_secs(20), "{took:?}");
    let header = std::fs::read(folder.path().join("run/header.json")).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&header).unwrap()["complete"], false);
    let table = std::fs::read_to_string(folder.path().join("run/verdicts.csv")).unwrap();
    assert!(table.contains("perft,pass,"), "{table}");
    assert!(folder.path().join("run/report.html").is_file() && folder.path().join("run/pairs.csv").is_file());
}

/// Names that would be markup, rows or formulas elsewhere.
#[test]
fn reports_survive_hostile_names() {
    let folder = folder("[gate]\nstages = ['signature', 'suites', 'sprt']\n");
    let name = "=1+1 <b>x</b> | \"y\" & `z` [l](http://e)";
    let new = format!("embedded:lmr=off,name={name}");
    let out = gauntlet(
        folder.path(),
        &[
            "gate",
            "--new",
            &new,
            "--base",
            "embedded",
            "--out",
            "run",
            "--junit",
            "gate.xml",
            "--summary",
            "gate.md",
        ],
    );
    assert_eq!(out.status.code(), Some(3), "{}", text(&out.stderr));
    let last = text(&out.stdout).lines().last().unwrap().to_owned();
    assert_eq!(fields(&last)["failed"], "0", "{last}");
    let read = |file: &str| std::fs::read_to_string(folder.path().join(file)).unwrap();
    let xml = read("gate.xml");
    let suites: Vec<&str> = xml.lines().filter(|line| line.contains("<testsuite ")).collect();
    assert_eq!(suites.len(), 3, "{xml}");
    assert!(!xml.contains("<b>") && xml.contains("&lt;b&gt;x&lt;/b&gt;"), "{xml}");
    // XML with names that HTML could have.
    let page = xml.split_once("?>").unwrap().1.replace("system-out>", "output>");
    let page = format!("<!DOCTYPE html><html>{page}</html>");
    crate::reports::well_formed::check(&page).unwrap();
    let markdown = read("gate.md");
    let rows: Vec<&str> = markdown.lines().filter(|line| line.starts_with('|')).collect();
    assert_eq!(rows.len(), 5, "{markdown}");
    assert!(rows.iter().all(|row| row.replace("\\|", "").matches('|').count() == 6), "{markdown}");
    assert!(!markdown.contains("<b>"), "{markdown}");
    assert!(!markdown.replace("\\]", "").contains(']'), "{markdown}");
    crate::reports::well_formed::check(&read("run/report.html")).unwrap();
    let table = read("run/verdicts.csv");
    let verdicts: Vec<BTreeMap<String, String>> =
        csv::Reader::from_reader(table.as_bytes()).deserialize().map(|row| row.unwrap()).collect();
    assert_eq!(verdicts.len(), 3);
    assert!(verdicts[0]["summary"].starts_with(name), "{table}");
    assert!(verdicts[0]["meaning"].contains("games"), "{table}");
    // A baseline keeps the name, whatever it is.
    let args = ["--stages", "signature", "--new", &new, "--baseline", "b.json"];
    assert_eq!(gate(folder.path(), &[&args[..], &["--update-baseline"]].concat()).code, Some(0));
    assert_eq!(gate(folder.path(), &args).code, Some(0));
}
