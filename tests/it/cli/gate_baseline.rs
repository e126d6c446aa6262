//! Baselines of engines that cannot be measured as a whole, and baselines with figures that no engine can have given.

use super::gate::{folder, gate, own, script};
use super::{gauntlet, refused_in, text};
use serde_json::Value;

/// What was written with an engine is never refused with it, whatever it does not tell; what is not compared is named.
#[test]
fn what_an_engine_does_not_tell_is_said_and_passed_over() {
    let folder = folder("[gate]\nstages = ['perft', 'symmetry', 'signature', 'branching', 'suites']\n");
    let of = |name: &str, info: &str| script(name, "", &format!("echo info {info};"));
    let several = format!("{},threads=2", own("several", ""));
    for (engine, unmeasured, why) in [
        (of("silent", "depth 5 score cp 1"), &["perft", "signature"][..], "does not tell its nodes"),
        (of("shallow", "depth 1 nodes 7 score cp 1"), &["perft", "signature"], "outside their limit"),
        (of("small", "depth 5 nodes 7 score cp 1"), &["perft"], ""),
        (of("falling", "depth 1 nodes 9 pv e2e4; echo info depth 5 nodes 4000"), &["perft"], ""),
        (several, &["signature"], "it searches with 2 threads"),
    ] {
        let args = ["--new", &engine, "--baseline", "b.json"];
        let done = gate(folder.path(), &[&args[..], &["--update-baseline"]].concat());
        assert_eq!(done.code, Some(0), "{engine}: {}", done.stderr);
        let written = std::fs::read_to_string(folder.path().join("b.json")).unwrap();
        let written: Value = serde_json::from_str(&written).unwrap();
        let said = written["unmeasured"].as_object().unwrap();
        assert_eq!(said.keys().map(String::as_str).collect::<Vec<_>>(), unmeasured, "{engine}: {said:?}");
        assert!(said.values().any(|text| text.as_str().unwrap().contains(why)), "{engine}: {said:?}");
        let done = gate(folder.path(), &args);
        assert_eq!((done.code, done.stages_with("fail")), (Some(0), vec![]), "{engine}: {}", done.stderr);
        for stage in unmeasured {
            assert_eq!(done.status(stage), "info", "{engine}: {}", done.summary(stage));
            assert!(done.summary(stage).contains(said[*stage].as_str().unwrap()), "{}", done.summary(stage));
        }
        // Where something is expected of the signature it stays open.
        std::fs::write(folder.path().join("gate.toml"), "[gate.signature]\nexpect = 'same'\n").unwrap();
        let done =
            gate(folder.path(), &[&args[..], &["--config", "gate.toml", "--stages", "signature"]].concat());
        let is_open = unmeasured.contains(&"signature");
        assert_eq!(done.code, Some(if is_open { 3 } else { 0 }), "{engine}: {}", done.stderr);
    }
}

/// One that has learnt to tell its nodes is not refused either: there is nothing to compare with yet.
#[test]
fn an_engine_that_tells_more_than_before_is_not_compared() {
    let folder = folder("[gate]\nstages = ['signature', 'branching']\n");
    let before = script("engine", "", "echo info depth 5 score cp 1;");
    let args = ["--baseline", "b.json", "--new"];
    assert_eq!(gate(folder.path(), &[&args[..], &[&before, "--update-baseline"]].concat()).code, Some(0));
    let done = gate(folder.path(), &[&args[..], &[&own("engine", "")]].concat());
    assert_eq!((done.code, done.status("signature")), (Some(0), "info"), "{}", done.stderr);
    assert!(
        done.summary("signature").starts_with("the baseline: no signature: it does not tell"),
        "{}",
        done.summary("signature")
    );
}

#[test]
fn figures_that_cannot_be_are_refused() {
    let folder = folder("[gate]\nstages = ['perft', 'symmetry', 'signature', 'suites']\n");
    let path = folder.path().join("b.json");
    let engine = own("engine", "");
    let args = ["gate", "--new", &engine, "--baseline", "b.json", "--out", "none"];
    let out = gauntlet(folder.path(), &[&args[..], &["--update-baseline"]].concat());
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let written: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let nodes = |value: &Value| value["signature"]["signature"].as_u64().unwrap();
    let cases: [(&str, Value, &str); 22] = [
        ("/signature/ebf", (-5).into(), "b.json: signature.ebf: -5"),
        ("/signature/ebf", 0.5.into(), "b.json: signature.ebf: 0.5"),
        ("/signature/ebf", 1e300.into(), "b.json: signature.ebf: "),
        ("/signature/ebf", "NaN".into(), "b.json:"),
        ("/signature/signature", 0.into(), "b.json: signature.signature: "),
        ("/signature/signature", (-1).into(), "b.json:"),
        ("/signature/signature", 1e30.into(), "b.json:"),
        ("/signature/signature", (nodes(&written) - 1).into(), "b.json: signature.nodes-by-depth: ends with"),
        (
            "/signature/nodes-by-depth",
            vec![9, 3].into(),
            "b.json: signature.nodes-by-depth: falls from 9 to 3",
        ),
        ("/signature/nodes-by-depth", vec![1; 6].into(), "b.json: signature.nodes-by-depth: 6 depths of 5"),
        ("/signature/depth", 0.into(), "b.json: signature.depth: "),
        ("/perft/suites/standard.epd/nodes", 0.into(), "b.json: perft.suites.standard.epd.nodes: 0 there"),
        ("/perft/suites/standard.epd/nodes", 7.into(), "b.json: perft.suites.standard.epd.nodes: 7 there"),
        ("/perft/suites/standard.epd/counts", 0.into(), "b.json: perft.suites.standard.epd.counts: "),
        ("/perft/max-nodes", 0.into(), "b.json: perft.max-nodes: "),
        ("/symmetry/positions", 0.into(), "b.json: symmetry.different: 1 of 0 positions"),
        ("/suites/nodes", 0.into(), "b.json: suites.nodes: "),
        ("/unmeasured/signature", "why".into(), "b.json: unmeasured.signature: `signature` is there"),
        ("/unmeasured/perft", "why".into(), "b.json: unmeasured.perft: `perft` is there"),
        ("/unmeasured/sprt", "why".into(), "b.json: unmeasured.sprt: no stage of a baseline"),
        ("/unmeasured/compliance", " ".into(), "b.json: unmeasured.compliance: does not say why"),
        ("/unmeasured/sptr", "why".into(), "b.json: unmeasured.sptr: no stage of a baseline"),
    ];
    for (place, value, words) in cases {
        let mut other = written.clone();
        other["symmetry"]["different"] = vec!["few.epd BK.02"].into();
        other["unmeasured"] = serde_json::json!({});
        let (parent, key) = place.rsplit_once('/').unwrap();
        other.pointer_mut(parent).unwrap()[key] = value;
        std::fs::write(&path, other.to_string()).unwrap();
        refused_in(folder.path(), &args, 2, &[words]);
    }
    // As it was it is none of that.
    std::fs::write(&path, written.to_string()).unwrap();
    let out = gauntlet(folder.path(), &args);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
}

#[test]
fn a_baseline_that_is_not_there_says_how_it_is_made() {
    let folder = folder("[gate]\nstages = ['signature']\n");
    let args = ["gate", "--new", "embedded", "--baseline", "b.json", "--out", "none"];
    refused_in(folder.path(), &args, 2, &["b.json: there is no such file: --update-baseline writes it"]);
    let out = gauntlet(folder.path(), &[&args[..], &["--update-baseline"]].concat());
    assert!(text(&out.stdout).contains("\nbaseline: b.json\n"), "{}", text(&out.stdout));
    // As some editors leave it.
    let file = folder.path().join("b.json");
    let written = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("\u{feff}{written}")).unwrap();
    let out = gauntlet(folder.path(), &args);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
}

/// In the log of a CI system nothing else moves for minutes.
#[test]
fn each_stage_is_told_when_it_is_over() {
    let folder = folder("[gate]\nstages = ['signature', 'branching', 'suites']\n");
    let args = ["gate", "--new", "embedded:lmr=off,name=new", "--base", "embedded", "--out", "none"];
    let out = gauntlet(folder.path(), &args);
    let stderr = text(&out.stderr);
    let told: Vec<&str> = stderr.lines().filter(|line| line.starts_with("gate: ")).collect();
    assert_eq!(told.len(), 3, "{stderr}");
    for (line, start) in told.iter().zip(["signature: measured", "branching: measured", "suites: "]) {
        assert!(line.starts_with(&format!("gate: {start}")) && line.contains(" s: new: "), "{line}");
    }
    let out = gauntlet(folder.path(), &[&args[..], &["--quiet"]].concat());
    assert_eq!(text(&out.stderr), "");
}
