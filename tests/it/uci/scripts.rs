//! The client against shell scripts.

use super::*;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

#[test]
fn a_polite_engine_is_asked_and_leaves() {
    let mut client =
        client(&engine("echo 'info depth 3 score cp 20 nodes 5000 pv e2e4'; echo 'bestmove e2e4'"));
    client.set_option("hash", "32").unwrap();
    client.new_game().unwrap();
    let reply = search(&mut client, &Limit::nodes(5000), DEADLINE).unwrap();
    assert_eq!(format!("{:?}", reply.best.unwrap()), "e2e4");
    assert!(!reply.stopped && reply.time > Duration::ZERO);
    let pid = client.id_name().unwrap().to_owned();
    assert!(exists(&pid));
    client.quit();
    assert!(!exists(&pid));
}

/// BR-084: noticed by the end of file, whatever the limit.
#[test]
fn death_is_noticed_at_once() {
    for limit in
        [Limit::nodes(5000), Limit::depth(5), Limit::time(Duration::from_secs(600)), Limit::default()]
    {
        let mut client = client(&engine("echo 'segmentation fault, sorry' >&2; exit 1"));
        let began = Instant::now();
        let error = search(&mut client, &limit, Duration::from_secs(600)).unwrap_err();
        assert!(began.elapsed() < Duration::from_secs(2));
        let text = error.to_string();
        assert!(text.contains("Script: died while searching") && text.contains("exit status: 1"), "{text}");
        assert!(text.contains("segmentation fault, sorry"), "{text}");
        assert!(!exists(client.id_name().unwrap()));
        assert!(matches!(search(&mut client, &limit, DEADLINE), Err(ClientError::Died { .. })));
    }
}

/// BR-088.
#[test]
fn an_engine_that_does_not_start_is_named() {
    let message = |spec: CommandSpec| Client::spawn(&spec, &Session::default()).unwrap_err().to_string();
    let text = message(CommandSpec { name: "A".to_owned(), ..CommandSpec::new("/bin/false") });
    assert!(text.starts_with("engine A: died before it said uciok"), "{text}");
    let text = message(CommandSpec { name: "B".to_owned(), ..CommandSpec::new("/nowhere/engine") });
    assert!(text.starts_with("engine B: cannot start `/nowhere/engine`: No such file"), "{text}");
    let text = message(CommandSpec::new("no-such-engine-anywhere"));
    assert!(text.contains("engine no-such-engine-anywhere: cannot start"), "{text}");
    let text = message(CommandSpec { dir: Some("/nowhere".into()), ..CommandSpec::new("/bin/sh") });
    assert!(text.contains("cannot start"), "{text}");
}

/// BR-089: loading takes as long as it may; an engine that never says `uciok` is given up.
#[test]
fn handshake_deadlines() {
    assert!(Timeouts::default().readyok > Duration::from_secs(12));
    let slow = script("read l; echo uciok; read l; sleep 1.2; echo readyok; read l");
    let began = Instant::now();
    Client::spawn(&slow, &Session::default()).unwrap();
    assert!(began.elapsed() >= Duration::from_secs(1));
    let session = with_timeouts(|t| t.readyok = Duration::from_millis(200));
    let error = Client::spawn(&slow, &session).unwrap_err();
    assert_eq!(error.to_string(), "engine Script: no readyok after 0.200 s; killed");

    let talker = script("while :; do echo Banner; sleep 0.05; done");
    let session = with_timeouts(|t| t.uciok = Duration::from_millis(300));
    let began = Instant::now();
    let error = Client::spawn(&talker, &session).unwrap_err();
    assert_eq!(
        error.to_string(),
        "engine Script: no uciok after 0.300 s; killed (does it speak the xboard protocol? proto=xboard)"
    );
    assert!(began.elapsed() < Duration::from_secs(2));
}

#[test]
fn a_hung_engine_is_stopped_then_killed() {
    let mut client = client(&engine("sleep 1000"));
    let began = Instant::now();
    let error = search(&mut client, &Limit::nodes(5000), Duration::from_millis(200)).unwrap_err();
    assert!(error.to_string().starts_with("engine Script: no bestmove after 1.2"), "{error}");
    assert!(began.elapsed() < Duration::from_millis(2500));
    assert!(!exists(client.id_name().unwrap()));
}

#[test]
fn no_child_of_an_engine_stays_behind() {
    let folder = tempfile::tempdir().unwrap();
    let note = folder.path().join("pid");
    for ending in ["drop", "hang", "crash"] {
        let note_pid = format!("sleep 1000 & echo $! > {}", note.display());
        let on_go = match ending {
            "drop" => format!("{note_pid}; echo bestmove e2e4"),
            "hang" => format!("{note_pid}; wait"),
            _ => format!("{note_pid}; exec >&-; exit 3"),
        };
        // The helper must not hold the pipe, or the crash is nobody's to see.
        let on_go = on_go.replace("sleep 1000 &", "sleep 1000 >/dev/null 2>&1 &");
        let mut client = client(&engine(&on_go));
        let _ = search(&mut client, &Limit::nodes(1), Duration::from_millis(100));
        let helper = fs::read_to_string(&note).unwrap();
        drop(client);
        let gone = (0..100).any(|_| {
            // Init has to reap it: that is not ours to wait for, only to give a moment.
            let gone = is_gone(helper.trim());
            if !gone {
                thread::yield_now();
                thread::park_timeout(Duration::from_millis(10));
            }
            gone
        });
        assert!(gone, "{ending}: process {helper} is still there");
    }
}

/// Gone, or dead and waiting for init.
fn is_gone(pid: &str) -> bool {
    match fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z')),
        Err(_) => true,
    }
}

#[test]
fn no_zombies_and_no_open_files_are_left() {
    let open = || fs::read_dir("/proc/self/fd").unwrap().count();
    let before = open();
    let mut pids = Vec::new();
    for i in 0..100 {
        let mut client = client(&engine(if i % 2 == 0 { "exit 1" } else { "echo bestmove e2e4" }));
        pids.push(client.id_name().unwrap().to_owned());
        let _ = search(&mut client, &Limit::nodes(1), DEADLINE);
    }
    assert!(pids.iter().all(|pid| !exists(pid)));
    // Other tests run beside this one; a leak would be 300.
    assert!(open() < before + 150, "{} open files before, {} after", before, open());
}

#[test]
fn floods_neither_block_nor_fill_the_memory() {
    // 5 MB to each stream, part of it without line ends, before a good answer.
    let burst = "head -c 3000000 /dev/zero | tr '\\0' 'x'; yes 'info string xxxxxxxxxxxxxxxxxxxxx' | head -c 2000000; echo";
    let mut polite = client(&engine(&format!("({burst}); ({burst}) >&2; echo; echo 'bestmove d2d4'")));
    let reply = search(&mut polite, &Limit::nodes(5000), DEADLINE).unwrap();
    assert_eq!(format!("{:?}", reply.best.unwrap()), "d2d4");
    polite.is_ready().unwrap();

    // A flood without end is ended at the deadline, on either stream.
    for on_go in ["yes 'info depth 1 score cp 1'", "yes garbage", "yes >&2", "yes readyok"] {
        let mut endless = client(&engine(on_go));
        let began = Instant::now();
        let error = search(&mut endless, &Limit::nodes(5000), Duration::from_millis(300)).unwrap_err();
        assert!(matches!(error, ClientError::TimedOut { .. }), "{on_go}: {error}");
        assert!(began.elapsed() < Duration::from_secs(4), "{on_go}");
    }
}

/// Says `uciok` and `readyok` once and does this then.
fn deaf(then: &str) -> CommandSpec {
    script(&format!(
        "read l; echo 'option name Hash type spin default 1 min 1 max 9'; echo uciok; read l; echo readyok; {then}"
    ))
}

#[test]
fn a_closed_input_is_an_error_and_no_death_of_ours() {
    let mut client = client(&deaf("exec <&-; sleep 1000"));
    let began = Instant::now();
    let error = std::iter::repeat_with(|| client.set_option("Hash", "1")).find_map(Result::err).unwrap();
    assert!(matches!(error, ClientError::Died { .. }), "{error}");
    assert!(error.to_string().contains("its input is closed"), "{error}");
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[test]
fn an_engine_that_never_reads_does_not_block_us() {
    let session = with_timeouts(|t| t.sync = Duration::from_millis(300));
    let mut client = Client::spawn(&deaf("sleep 1000"), &session).unwrap();
    let began = Instant::now();
    let error = std::iter::repeat_with(|| client.set_option("Hash", "1")).find_map(Result::err).unwrap();
    assert!(error.to_string().contains("it read nothing for 0.300 s"), "{error}");
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_late_answer_is_nobodys() {
    // Each search is answered by the move of its number; the first answer comes after `stop` and once more too late.
    let mut client = client(&script(
        r#"n=0; while read line; do case "$line" in
            uci) echo uciok;; isready) [ $n = 1 ] && echo bestmove a2a3; echo readyok;;
            go*) n=$((n+1)); [ $n = 1 ] || echo bestmove h2h3;;
            stop) echo bestmove a2a4;; quit) exit 0;;
        esac; done"#,
    ));
    let first = search(&mut client, &Limit::nodes(1), Duration::from_millis(100)).unwrap();
    assert!(first.stopped);
    assert_eq!(format!("{:?}", first.best.unwrap()), "a2a4");
    let second = search(&mut client, &Limit::nodes(1), DEADLINE).unwrap();
    assert_eq!(format!("{:?}", second.best.unwrap()), "h2h3");
}

/// BR-086: a stop flag ends a search of a minute; nobody stays behind.
#[test]
fn interruption_is_quick() {
    let stop = Arc::new(AtomicBool::new(false));
    let session = Session { stop: Some(Arc::clone(&stop)), ..Session::default() };
    let mut client = Client::spawn(&engine("sleep 1000"), &session).unwrap();
    let pid = client.id_name().unwrap().to_owned();
    thread::scope(|scope| {
        let waiting = scope.spawn(move || {
            search(&mut client, &Limit::time(Duration::from_secs(60)), Duration::from_secs(70))
        });
        let began = Instant::now();
        stop.store(true, Ordering::Relaxed);
        assert!(matches!(waiting.join().unwrap(), Err(ClientError::Interrupted { .. })));
        assert!(began.elapsed() < Duration::from_secs(2));
    });
    assert!(!exists(&pid));
}

#[test]
fn quit_is_enforced() {
    let session = with_timeouts(|t| t.quit = Duration::from_millis(200));
    let deaf = script(
        "trap '' TERM HUP; read l; echo id name $$; echo uciok; while read l; do echo readyok; done; sleep 1000",
    );
    let client = Client::spawn(&deaf, &session).unwrap();
    let pid = client.id_name().unwrap().to_owned();
    let began = Instant::now();
    drop(client);
    assert!(!exists(&pid));
    assert!(began.elapsed() < Duration::from_secs(2));
}

/// A wrapper that calls its engine by name finds it in its own folder.
#[test]
fn arguments_folder_environment_and_path_reach_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    };
    put(
        "inner-engine",
        "#!/bin/sh\nread l; echo \"id name $1 $FOO `pwd`\"; echo uciok; read l; echo readyok; read l\n",
    );
    let wrapper = put("wrapper", "#!/bin/sh\nexec inner-engine \"$@\"\n");
    let spec = CommandSpec {
        args: vec!["two words".to_owned()],
        env: vec![("FOO".to_owned(), "bar baz".to_owned())],
        dir: Some("/".into()),
        ..CommandSpec::new(wrapper)
    };
    // Another thread that forks while the file was open for writing can make this "text file busy".
    let client = (0..50).find_map(|_| match Client::spawn(&spec, &Session::default()) {
        Err(ClientError::Start { source, .. }) if source.raw_os_error() == Some(26) => {
            thread::park_timeout(Duration::from_millis(20));
            None
        }
        other => Some(other.unwrap()),
    });
    assert_eq!(client.unwrap().id_name(), Some("two words bar baz /"));
}

#[test]
fn tables_of_perft_are_read() {
    let on_go = "printf 'info string counting\\ne2e4: 20\\nd2d4: 21\\n\\nNodes searched: 41\\n'";
    let mut full = client(&engine(on_go));
    let table = full.perft(gauntlet::uci::codec::START_FEN, &[], 2, false, DEADLINE).unwrap();
    assert_eq!(table.divide, [("e2e4".to_owned(), 20), ("d2d4".to_owned(), 21)]);
    assert_eq!(table.total, Some(41));
    // A table in an `info string`, closed by a `bestmove`; then totals alone, before and behind `readyok`.
    let mut closed = client(&engine("printf 'info string Nf3 20\\ninfo string e4 - 20\\nbestmove 0000\\n'"));
    let table = closed.perft(gauntlet::uci::codec::START_FEN, &[], 2, false, DEADLINE).unwrap();
    assert_eq!(table.divide, [("Nf3".to_owned(), 20), ("e4".to_owned(), 20)]);
    for on_go in ["echo 'perft 2 = 400'", "echo readyok; sleep 0.1; echo 400 nodes"] {
        let mut total = client(&engine(on_go));
        let table = total.perft(gauntlet::uci::codec::START_FEN, &[], 2, false, DEADLINE).unwrap();
        assert_eq!((table.divide.len(), table.total, table.nodes()), (0, Some(400), 400));
    }
    let mut searcher = client(&engine("echo 'info depth 1 score cp 3 pv e2e4'; echo bestmove e2e4"));
    let error = searcher.perft(gauntlet::uci::codec::START_FEN, &[], 2, false, DEADLINE).unwrap_err();
    assert_eq!(error.to_string(), "engine Script: no usable answer to `go perft` (it searches instead)");
    assert!(searcher.is_alive());
    let mut silent = client(&engine(":"));
    let error =
        silent.perft(gauntlet::uci::codec::START_FEN, &[], 2, false, Duration::from_millis(200)).unwrap_err();
    assert!(matches!(error, ClientError::NoPerft { .. }), "{error}");
}

/// The time of a count is that of its last line; the wait for more that may follow is not the engine's.
#[test]
fn the_time_of_a_perft_is_the_engines() {
    for on_go in [
        "printf 'e2e4: 1\\nd2d4: 1\\n'",
        "echo 2 nodes; echo readyok",
        "printf 'e2e4: 1\\nd2d4: 1\\n3 nodes\\n'",
        "printf 'e2e4: 1\\nd2d4: 1\\n\\nNodes searched: 2\\n'",
    ] {
        let mut engine = client(&engine(on_go));
        let answer = engine.perft(gauntlet::uci::codec::START_FEN, &[], 1, false, DEADLINE).unwrap();
        assert!(answer.nodes() == 2 && answer.time < Duration::from_millis(290), "{on_go}: {answer:?}");
    }
}

/// A total that the table does not add up to is not passed over, whichever comes first; a total that agrees is not undone by
/// numbers of other things behind it.
#[test]
fn a_total_that_contradicts_its_table_is_told() {
    for (said, contradiction) in [
        ("e2e4: 20\\nd2d4: 21\\nTotal: 41", None),
        ("e2e4: 20\\nd2d4: 21\\nTotal: 42", Some(42)),
        ("Total: 40\\ne2e4: 20\\nd2d4: 21", Some(40)),
        ("e2e4: 20\\nd2d4: 21\\nLeaf nodes: 41\\nTotal nodes: 43", None),
        ("e2e4: 20\\nd2d4: 21", None),
        ("Total: 41", None),
    ] {
        let mut engine = client(&engine(&format!("printf '{said}\\n'; echo readyok")));
        let answer = engine.perft(gauntlet::uci::codec::START_FEN, &[], 2, false, DEADLINE).unwrap();
        assert_eq!(answer.contradiction(), contradiction, "{said}");
    }
}

/// Half a table at the deadline is no answer, and no sign that there is no `go perft` either.
#[test]
fn an_unfinished_perft_is_a_time_out() {
    let after = Duration::from_millis(300);
    // It counts before it reads on; it says nothing at all; it is ready for more while its table is not complete.
    let half = "echo 'e2e4: 20'; echo 'd2d4: 20'";
    for (on_go, rows) in [(&*format!("{half}; sleep 9"), 2), ("sleep 9", 0), (half, 2)] {
        let mut slow = client(&engine(on_go));
        let error = slow.perft(gauntlet::uci::codec::START_FEN, &[], 2, false, after).unwrap_err();
        let ClientError::PerftTimedOut { rows: told, .. } = error else { panic!("{error}") };
        assert!(told == rows && error.is_fatal() && !slow.is_alive(), "{error}");
        assert!(error.to_string().contains(&format!("{rows} moves of its table")), "{error}");
    }
}
