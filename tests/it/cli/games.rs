//! What a match tells and keeps of its games.

use super::{gauntlet, text};
use std::fs;
use std::path::Path;

/// A shell script that plays one move and tells what it thinks of it.
fn talkative(folder: &Path) -> String {
    let script = r#"while read -r line; do
  case "$line" in
    uci) echo "id name Talkative"; echo uciok ;;
    isready) echo readyok ;;
    position*moves*) move=e7e5 ;;
    position*) move=e2e4 ;;
    go*) echo "info depth 7 score cp 21 wdl 250 600 150 nodes 4321 time 0 pv $move"; echo "bestmove $move" ;;
    quit) exit ;;
  esac
done"#;
    fs::write(folder.join("talkative.sh"), script).unwrap();
    "cmd=/bin/sh,arg=talkative.sh,name=Talkative".to_owned()
}

#[test]
fn what_an_engine_tells_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let engine = talkative(folder.path());
    let args = [
        "match",
        "--engine",
        "embedded:nodes=50",
        "--engine",
        &engine,
        "--each",
        "nodes=4000",
        "--pairs",
        "1",
    ];
    let out = gauntlet(folder.path(), &[&args[..], &["--maxmoves", "1", "--out", "run"]].concat());
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let mut table = csv::Reader::from_path(folder.path().join("run/plies.csv")).unwrap();
    let plies: Vec<std::collections::HashMap<String, String>> =
        table.deserialize().map(Result::unwrap).collect();
    assert_eq!(plies.len(), 4);
    // It has Black in the first game, White in the second.
    for (place, ply) in plies.iter().enumerate() {
        let told = ["win_permille", "draw_permille", "loss_permille"].map(|column| ply[column].as_str());
        let wanted = if matches!(place, 1 | 2) { ["250", "600", "150"] } else { [""; 3] };
        assert_eq!(told, wanted, "ply {place}");
    }
    let games = fs::read_to_string(folder.path().join("run/games.pgn")).unwrap();
    assert_eq!(games.matches("n=4321 latency=").count(), 2, "{games}");
    assert_eq!(games.matches("wdl=250/600/150").count(), 2, "{games}");
}
