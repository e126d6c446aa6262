//! UCI with real processes: small shell scripts that misbehave in every known way, our own server with its faults, and
//! engines from the system where they are installed. Ids of the form BR-000 are rows of `tests/data/cases.csv`.

mod foreign;
mod own;
mod scripts;
mod server;
mod xboard;

use gauntlet::rules::{Line, Position};
use gauntlet::types::Limit;
use gauntlet::uci::{Client, ClientError, CommandSpec, Reply, Session, Timeouts};
use std::time::Duration;

/// Long enough for a loaded machine, short enough to notice a hang.
const DEADLINE: Duration = Duration::from_secs(10);

fn start() -> Line {
    Line::new(Position::startpos())
}

fn search(client: &mut Client, limit: &Limit, deadline: Duration) -> Result<Reply, ClientError> {
    client.search(&start(), limit, false, deadline, &mut |_, _| {})
}

/// A shell script as an engine.
fn script(body: &str) -> CommandSpec {
    CommandSpec {
        name: "Script".to_owned(),
        args: vec!["-c".to_owned(), body.to_owned()],
        ..CommandSpec::new("/bin/sh")
    }
}

/// An engine that does all right, its process number in its name, and what this shell text does at `go`.
fn engine(on_go: &str) -> CommandSpec {
    script(&format!(
        r#"while read line; do case "$line" in
            uci) echo "id name $$"; echo "option name Hash type spin default 16 min 1 max 64"; echo uciok;;
            isready) echo readyok;;
            go*) {on_go};;
            quit) exit 0;;
        esac; done"#
    ))
}

fn client(spec: &CommandSpec) -> Client {
    Client::spawn(spec, &Session::default()).unwrap()
}

fn with_timeouts(change: impl FnOnce(&mut Timeouts)) -> Session {
    let mut session = Session::default();
    change(&mut session.timeouts);
    session
}

/// Whether a process of this number exists (a zombie does).
fn exists(pid: &str) -> bool {
    assert!(pid.parse::<u32>().is_ok(), "{pid:?} is no process number");
    std::path::Path::new("/proc").join(pid).exists()
}
