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

/// A match of two embedded engines that differ, with more flags.
fn embedded(folder: &Path, more: &[&str]) -> std::process::Output {
    let two =
        ["match", "--engine", "embedded:name=a", "--engine", "embedded:name=b,lmr=off", "--each", "nodes=60"];
    gauntlet(folder, &[&two[..], more].concat())
}

#[test]
fn the_last_positions_and_the_events_of_a_match_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["--final-positions", "last.epd", "--events", "events.jsonl"];
    let played =
        [&files[..], &["--pairs", "3", "--concurrency", "2", "--maxmoves", "8", "--out", "run"]].concat();
    let out = embedded(folder.path(), &played);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();

    // The same as another program makes of the games.
    let games = read("run/games.pgn");
    let mut expected = Vec::new();
    for game in games.split("[Event ").skip(1) {
        let moves = game.split("\n\n").nth(1).unwrap();
        let mut board = chess::Board::default();
        for word in without_comments(moves).split_whitespace() {
            if word.ends_with('.') || matches!(word, "1-0" | "0-1" | "1/2-1/2") {
                continue;
            }
            board = board.make_move_new(chess::ChessMove::from_san(&board, word).unwrap());
        }
        let fen = board.to_string();
        expected.push(fen.split(' ').take(2).collect::<Vec<_>>().join(" "));
    }
    let last = read("last.epd");
    let found: Vec<String> =
        last.lines().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!((found.len(), &found), (6, &expected));
    assert!(
        last.lines().all(|line| line.contains("c0 \"a - b\";") || line.contains("c0 \"b - a\";")),
        "{last}"
    );
    assert!(last.lines().all(|line| line.contains("c1 \"")), "{last}");

    // One line for each row of the record, games without their moves.
    let events = read("events.jsonl");
    let kinds = |text: &str| -> Vec<String> {
        let kind = |line| {
            serde_json::from_str::<serde_json::Value>(line).unwrap()["kind"].as_str().unwrap().to_owned()
        };
        text.lines().map(kind).collect()
    };
    assert_eq!(kinds(&events), kinds(&read("run/rows.jsonl")));
    assert!(!events.contains("\"m\":") && read("run/rows.jsonl").contains("\"m\":"));

    // A file that cannot be written is refused before the first game.
    for flag in ["--final-positions", "--events"] {
        let out = embedded(folder.path(), &["--pairs", "1", flag, "no/such/folder/file", "--out", "none"]);
        assert!(out.status.code() == Some(2) && text(&out.stderr).contains("no/such/folder/file"), "{flag}");
    }
}

/// Without what stands in braces.
fn without_comments(moves: &str) -> String {
    moves.split('{').map(|part| part.rsplit('}').next().unwrap_or_default()).collect()
}

#[test]
fn a_match_ends_at_the_wanted_error_bar() {
    let folder = tempfile::tempdir().unwrap();
    let openings = format!("file={}/suites/openings/noob_3moves_sample.epd", env!("CARGO_MANIFEST_DIR"));
    let run = |more: &[&str]| {
        let out =
            embedded(folder.path(), &[&["--openings", &openings, "--out", "none", "--quiet"], more].concat());
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        super::fields(&text(&out.stdout))
    };
    let number =
        |fields: &std::collections::HashMap<String, String>, name: &str| fields[name].parse::<f64>().unwrap();
    let half = |fields: &_| (number(fields, "high") - number(fields, "low")) / 2.0;
    let ended = run(&["--error-bar", "60", "--concurrency", "2"]);
    assert!(half(&ended) <= 60.0, "{ended:?}");
    // One pair less, and the interval is wider: it ended as soon as it could.
    let pairs = number(&ended, "games") as u64 / 2;
    let before = run(&["--pairs", &(pairs - 1).to_string()]);
    assert!(pairs > 1 && half(&before) > 60.0, "{before:?}");
    // --pairs is the most there may be.
    assert_eq!(run(&["--error-bar", "0.001", "--pairs", "3"])["games"], "6");
    for wrong in ["0", "-3", "nan", "inf"] {
        let out = embedded(folder.path(), &["--error-bar", wrong, "--out", "none"]);
        assert_eq!(out.status.code(), Some(2), "{wrong}");
        assert_eq!(text(&out.stderr).lines().count(), 1, "{wrong}");
    }
}

/// How many this process may run on: `0-3,8`.
#[cfg(target_os = "linux")]
fn processors() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let list =
        status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap().trim().to_owned();
    let of = |range: &str| match range.split_once('-') {
        Some((first, last)) => last.parse::<usize>().unwrap() - first.parse::<usize>().unwrap() + 1,
        None => 1,
    };
    list.split(',').map(of).sum()
}

/// Engines say on which processors they may run.
#[cfg(target_os = "linux")]
#[test]
fn games_keep_to_processors_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let talkative = talkative(folder.path());
    let script = fs::read_to_string(folder.path().join("talkative.sh")).unwrap();
    let says = "grep Cpus_allowed_list /proc/$$/status > cpus.$$\n";
    fs::write(folder.path().join("talkative.sh"), format!("{says}{script}")).unwrap();
    let two = ["--engine", &talkative, "--engine", &talkative.replace("Talkative", "Other")];
    let cores = processors();
    let games = cores.min(4).to_string();
    let flags = ["--each", "nodes=4000", "--pairs", "8", "--maxmoves", "1", "--affinity", "--out", "none"];
    let args = [&["match"], &two[..], &flags[..], &["--concurrency", &games]].concat();
    let out = gauntlet(folder.path(), &args);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let mut lists: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_stem().is_some_and(|stem| stem == "cpus"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    lists.sort();
    // Two engines at each table, one processor for both, another for each table.
    assert_eq!(lists.len(), 2 * cores.min(4), "{lists:?}");
    assert!(lists.chunks(2).all(|pair| pair[0] == pair[1]) && !lists[0].contains(['-', ',']), "{lists:?}");
    lists.dedup();
    assert_eq!(lists.len(), cores.min(4), "{lists:?}");

    // Threads of an engine count, wherever they are set.
    for threads in ["nodes=9,threads=2", "nodes=9,option.threads=2"] {
        let more = ["--affinity", "--concurrency", &games, "--each", threads];
        let out = gauntlet(
            folder.path(),
            &[&["match"], &two[..], &["--pairs", "1", "--out", "none"], &more].concat(),
        );
        assert!(out.status.code() == Some(2) && text(&out.stderr).contains("affinity"), "{threads}");
    }
    let too_many = (cores + 1).to_string();
    let out = gauntlet(folder.path(), &[&args[..args.len() - 1], &[&too_many]].concat());
    assert!(out.status.code() == Some(2) && text(&out.stderr).contains("affinity"), "{}", text(&out.stderr));
}

#[test]
fn tablebases_decide_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let tables = format!("{}/tests/data/syzygy", env!("CARGO_MANIFEST_DIR"));
    // White takes the rook, or the pawn and stalemate is near: a rook against a bare king, and a bare king against a bishop.
    fs::write(folder.path().join("ends.epd"), "8/8/8/3r4/8/3R4/8/K1k5 w - -\n8/8/8/8/3pB3/8/8/K1k5 b - -\n")
        .unwrap();
    let played = |more: &[&str]| {
        let flags = ["--openings", "file=ends.epd", "--pairs", "2", "--maxmoves", "40", "--out", "run"];
        let out = embedded(folder.path(), &[&flags[..], more].concat());
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        let table = fs::read_to_string(folder.path().join("run/games.csv")).unwrap();
        fs::remove_dir_all(folder.path().join("run")).unwrap();
        let mut table = csv::Reader::from_reader(table.as_bytes());
        table.deserialize().map(Result::unwrap).collect::<Vec<std::collections::HashMap<String, String>>>()
    };
    let games = played(&["--syzygy", &tables]);
    let told = |game: &std::collections::HashMap<String, String>| {
        [&game["result"], &game["reason"], &game["termination"], &game["plies"]].map(String::clone)
    };
    for game in &games[..2] {
        assert_eq!(told(game), ["1-0", "white wins by adjudication: tablebases", "adjudication", "1"]);
    }
    // Without tables they are played on.
    for game in &played(&[])[..2] {
        assert!(!game["reason"].contains("tablebases") && game["plies"] != "1", "{game:?}");
    }

    let refused = |path: &str, words: &[&str]| {
        let out = embedded(folder.path(), &["--pairs", "1", "--syzygy", path, "--out", "none"]);
        let stderr = text(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{stderr}");
        assert!(stderr.lines().count() == 1 && words.iter().all(|word| stderr.contains(word)), "{stderr}");
    };
    refused("no-such-folder", &["no-such-folder"]);
    fs::create_dir(folder.path().join("empty")).unwrap();
    refused("empty", &["empty", "rtbw"]);
    fs::create_dir(folder.path().join("torn")).unwrap();
    let whole = fs::read(format!("{tables}/KRvK.rtbw")).unwrap();
    fs::write(folder.path().join("torn/KRvK.rtbw"), &whole[..whole.len() - 1]).unwrap();
    refused("torn", &["torn/KRvK.rtbw"]);
    // As long as it should be, and empty.
    fs::write(folder.path().join("torn/KRvK.rtbw"), vec![0; whole.len()]).unwrap();
    refused("torn", &["torn/KRvK.rtbw"]);
}

/// What matches of two can, tournaments can.
#[cfg(target_os = "linux")]
#[test]
fn tournaments_have_the_same_files_tables_and_processors() {
    let folder = tempfile::tempdir().unwrap();
    let tables = format!("{}/tests/data/syzygy", env!("CARGO_MANIFEST_DIR"));
    fs::write(folder.path().join("ends.epd"), "8/8/8/3r4/8/3R4/8/K1k5 w - -\n").unwrap();
    let three = ["--engine", "embedded:name=c,null-move=off", "--openings", "file=ends.epd", "--pairs", "1"];
    let files =
        ["--events", "events.jsonl", "--final-positions", "last.epd", "--syzygy", &tables, "--affinity"];
    let out =
        embedded(folder.path(), &[&three[..], &files, &["--concurrency", "1", "--out", "run"]].concat());
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("last.epd").matches("tablebases").count(), 6);
    assert_eq!(read("events.jsonl").lines().count(), read("run/rows.jsonl").lines().count());
    let too_many = (processors() + 1).to_string();
    let out = embedded(folder.path(), &[&three[..], &["--affinity", "--concurrency", &too_many]].concat());
    assert!(out.status.code() == Some(2) && text(&out.stderr).contains("affinity"), "{}", text(&out.stderr));
    let out = embedded(folder.path(), &[&three[..], &["--error-bar", "9"]].concat());
    assert!(
        out.status.code() == Some(2) && text(&out.stderr).contains("--error-bar"),
        "{}",
        text(&out.stderr)
    );
}

/// On no terminal it is printed only where it is asked for.
#[test]
fn the_standing_is_printed_while_games_are_played() {
    let folder = tempfile::tempdir().unwrap();
    let play = |engines: usize, more: &[&str]| {
        let names = ["A", "B", "C"].map(|name| format!("embedded:name={name},movetime=5,margin=5000"));
        let mut args = vec!["match", "--pairs", "5", "--maxmoves", "10", "--out", "none"];
        names[..engines].iter().for_each(|engine| args.extend(["--engine", engine]));
        let out = gauntlet(folder.path(), &[&args[..], more].concat());
        assert!(matches!(out.status.code(), Some(0 | 3)), "{}", text(&out.stderr));
        text(&out.stderr)
    };
    let two = play(2, &["--rating-interval", "2"]);
    let line = two.lines().find(|line| line.contains(" games: +")).unwrap_or_else(|| panic!("{two}"));
    assert!(line.contains("  Elo ") && line.contains("  LOS ") && line.contains("  pairs "), "{line}");
    // 1,000 moves of 5 ms each: a look every tenth of a second sees most of the pairs.
    let three = play(3, &["--rating-interval", "3"]);
    assert!(three.contains("Cross table") && three.contains("Standings"), "{three}");
    for more in [&[][..], &["--rating-interval", "0"], &["--rating-interval", "1", "--quiet"]] {
        let stderr = play(2, more);
        assert!(!stderr.contains(" games: +"), "{stderr}");
    }
}

/// An engine against itself at fixed nodes plays each pair to the same two results: nothing is known of their spread.
#[test]
fn pairs_that_are_all_alike_have_no_unbiased_estimate() {
    let folder = tempfile::tempdir().unwrap();
    let test = ["sprt", "--engine", "embedded:name=a", "--engine", "embedded:name=b", "--each", "nodes=50"];
    let more =
        ["--elo0", "0", "--elo1", "5", "--max-pairs", "2", "--openings", "file=tiny.epd", "--out", "none"];
    let out = gauntlet(folder.path(), &[&test[..], &more, &["--quiet"]].concat());
    let line = text(&out.stdout);
    assert!(
        line.contains("penta=[0,0,2,0,0]") && line.ends_with(" unbiased=n/a\n"),
        "{line}{}",
        text(&out.stderr)
    );
}
