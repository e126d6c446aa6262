//! The xboard client against real processes: shell scripts, and Debian's hoichess, Phalanx and GNU Chess as far as they are
//! installed.

use super::*;
use gauntlet::subject::{EngineSpec, Subject};
use gauntlet::types::Score;
use gauntlet::uci::XboardClient;
use std::time::Instant;

/// An engine with these features, its process number in its name, and what this shell text does at `go`.
fn xboard(features: &str, on_go: &str) -> CommandSpec {
    script(&format!(
        r#"while read line; do case "$line" in
            protover*) echo "feature ping=1 usermove=1 myname=\"$$\" {features}";;
            ping*) echo "pong ${{line#ping }}";;
            go) {on_go};;
            quit) exit 0;;
        esac; done"#
    ))
}

fn ask(client: &mut XboardClient, limit: &Limit, deadline: Duration) -> Result<Reply, ClientError> {
    client.search(&start(), limit, false, deadline, &mut |_, _| {})
}

#[test]
fn one_process_for_each_game_where_it_wants_that() {
    for (features, same) in [("done=1", true), ("reuse=0 memory=1 done=1", false)] {
        let mut client =
            XboardClient::spawn(&xboard(features, "echo move e2e4"), &Session::default()).unwrap();
        client.set_memory(4).unwrap();
        let mut pids = Vec::new();
        for _ in 0..3 {
            client.new_game().unwrap();
            assert!(ask(&mut client, &Limit::depth(1), DEADLINE).unwrap().best.is_some());
            pids.push(client.my_name().unwrap().to_owned());
        }
        assert!(exists(&pids[2]));
        assert_eq!(pids.iter().all(|pid| *pid == pids[0]), same, "{pids:?}");
        drop(client);
        assert!(pids.iter().all(|pid| !exists(pid)), "{pids:?}");
    }
}

#[test]
fn features_have_their_time() {
    // Without `done` two seconds are over at some time; `done=0` buys more of it, but not for ever.
    let session = Session::default();
    let client = XboardClient::spawn(&xboard("", ":"), &session).unwrap();
    assert!(client.is_version_2());
    let slow = xboard("done=0\"; sleep 2.5; echo \"feature done=1", ":");
    let began = Instant::now();
    XboardClient::spawn(&slow, &session).unwrap();
    assert!(began.elapsed() >= Duration::from_millis(2500));
    let short = with_timeouts(|t| t.readyok = Duration::from_millis(300));
    let error = XboardClient::spawn(&xboard("done=0", ":"), &short).unwrap_err();
    assert_eq!(error.to_string(), "engine Script: no feature done=1 after 0.300 s; killed");
    let short = with_timeouts(|t| t.features = Duration::from_millis(200));
    let client = XboardClient::spawn(&script("while read l; do :; done"), &short).unwrap();
    assert!(!client.is_version_2());
    let error = XboardClient::spawn(&CommandSpec::new("/nowhere/engine"), &session).unwrap_err();
    assert!(error.to_string().contains("cannot start `/nowhere/engine`"), "{error}");
}

#[test]
fn a_hung_engine_is_told_to_move_then_killed_with_its_children() {
    let mut client =
        XboardClient::spawn(&xboard("done=1", "sleep 1000 & wait"), &Session::default()).unwrap();
    client.new_game().unwrap();
    let pid = client.my_name().unwrap().to_owned();
    let error = ask(&mut client, &Limit::depth(5), Duration::from_millis(100)).unwrap_err();
    assert!(error.to_string().starts_with("engine Script: no move after 1."), "{error}");
    assert!(!exists(&pid) && !client.is_alive());
}

/// A position each of them knows: mate in two is seen, lines of thinking come, a second game is a new one.
#[test]
fn debians_engines_think() {
    for (name, arg) in [("hoichess", ""), ("phalanx", ""), ("gnuchess", ",arg=-x")] {
        let path = format!("/usr/games/{name}");
        if !std::path::Path::new(&path).exists() {
            assert!(std::env::var_os("GAUNTLET_REQUIRE_TOOLS").is_none_or(|v| v != "1"), "{path} is missing");
            continue;
        }
        let spec = EngineSpec::parse(&format!("cmd={path}{arg},proto=xboard")).unwrap();
        // Ra1-a8 is mate at once.
        let fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
        let mode = gauntlet::notation::fen::CastlingMode::Standard;
        let mate = Line::new(gauntlet::notation::fen::parse(fen, mode).unwrap());
        let mut engine = Subject::start(&spec).unwrap();
        let mut hangs = 0;
        let mut games = 0;
        while games < 2 {
            let mut depths = Vec::new();
            let limit = Limit::time(Duration::from_secs(1));
            let found = engine
                .new_game(0)
                .and_then(|()| engine.search(&mate, &limit, DEADLINE, &mut |info| depths.push(info.depth)));
            let found = match found {
                Ok(found) => found,
                // The two halves of GNU Chess wait for each other now and then, whoever talks to it.
                Err(error) if name == "gnuchess" && hangs < 3 => {
                    assert!(error.to_string().contains("no move"), "{error}");
                    (engine, hangs, games) = (Subject::start(&spec).unwrap(), hangs + 1, 0);
                    continue;
                }
                Err(error) => panic!("{name}: {error}"),
            };
            games += 1;
            assert_eq!(found.best.map(|mv| format!("{mv:?}")).as_deref(), Some("a1a8"), "{name}: {found:?}");
            assert!(found.score.map_or(0, Score::as_cp) >= 0 || depths.is_empty(), "{name}: {found:?}");
        }
    }
}
