//! A foreign UCI engine under our control: handshake, options, synchronisation, and a sure end. Every wait has a
//! deadline; an engine that misses one is killed. Knows no games; searching is in `search`, `go perft` in `perft`.
//! Source: the UCI protocol description; rows BR-081 to BR-089 of `tests/data/cases.csv`.

use super::channel::{Channel, Heard, Stage};
use super::codec::Words;
use super::log::TrafficLog;
use super::options::{self, EngineOption, OptionError, OptionKind};
use super::process::{self, CommandSpec};
use super::search::PositionText;
use super::transport::Transport;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use thiserror::Error;

/// How long an engine may take for what is not thinking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timeouts {
    /// From the start of the process to `uciok`.
    pub uciok: Duration,
    /// The same for the `feature` lines of an xboard engine; one that sends none speaks version 1 of that protocol.
    pub features: Duration,
    /// `readyok` after options or `ucinewgame`: loading networks and tables happens here.
    pub readyok: Duration,
    /// `readyok` before a search, when there is nothing left to load.
    pub sync: Duration,
    /// From `stop` to `bestmove`, before the engine is killed.
    pub stop: Duration,
    /// From `quit` to the end of the process, before it is killed.
    pub quit: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            uciok: Duration::from_secs(10),
            features: Duration::from_secs(2),
            readyok: Duration::from_secs(30),
            sync: Duration::from_secs(10),
            stop: Duration::from_secs(1),
            quit: Duration::from_secs(1),
        }
    }
}

/// What all clients of a run have in common.
#[derive(Clone, Debug, Default)]
pub struct Session {
    pub timeouts: Timeouts,
    pub log: Option<TrafficLog>,
    /// Once true, every wait ends within about a tenth of a second with [`ClientError::Interrupted`].
    pub stop: Option<Arc<AtomicBool>>,
}

/// What went wrong with an engine. Every message names it.
#[derive(Debug, Error)]
pub enum ClientError {
    #[error("engine {engine}: cannot start `{path}`: {source}")]
    Start { engine: String, path: String, source: io::Error },
    /// It ended, or closed its input or output.
    #[error("engine {engine}: died {during}{}", if cause.is_empty() { String::new() } else { format!(" ({cause})") })]
    Died { engine: String, during: &'static str, cause: String },
    #[error("engine {engine}: no {awaited} after {:.3} s; killed{}", after.as_secs_f64(), if *awaited == "uciok" { " (does it speak the xboard protocol? proto=xboard)" } else { "" })]
    TimedOut { engine: String, awaited: &'static str, after: Duration },
    #[error("engine {engine}: {source}")]
    Option { engine: String, source: OptionError },
    #[error("engine {engine}: does not play Chess960 (it has no {missing})")]
    NoChess960 { engine: String, missing: &'static str },
    /// Its protocol has no word for it, or it does not take that word.
    #[error("engine {engine}: {what}")]
    Unable { engine: String, what: String },
    #[error("engine {engine}: no usable answer to `go perft` ({reason})")]
    NoPerft { engine: String, reason: String },
    /// A count that is not finished, after so many rows of its table.
    #[error("engine {engine}: `go perft` not finished after {:.3} s, {rows} moves of its table printed; killed", after.as_secs_f64())]
    PerftTimedOut { engine: String, rows: usize, after: Duration },
    #[error("engine {engine}: interrupted")]
    Interrupted { engine: String },
}

impl ClientError {
    /// Whether the engine process is gone: it has to be started anew.
    pub fn is_fatal(&self) -> bool {
        matches!(
            self,
            ClientError::Start { .. }
                | ClientError::Died { .. }
                | ClientError::TimedOut { .. }
                | ClientError::PerftTimedOut { .. }
                | ClientError::Interrupted { .. }
        )
    }
}

/// What the client is waiting for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    Start,
    Options,
    Ready,
    Search,
    Ponder,
    Perft,
}

impl Phase {
    /// The words for it. A line that begins with the awaited word ends the phase: it counts even if it is read a moment
    /// late.
    fn stage(self) -> Stage {
        let (during, awaited) = match self {
            Phase::Start => ("before it said uciok", "uciok"),
            Phase::Options => ("while its options were set", "readyok"),
            Phase::Ready => ("before it said readyok", "readyok"),
            Phase::Search => ("while searching", "bestmove"),
            Phase::Ponder => ("while pondering", "bestmove"),
            Phase::Perft => ("while counting", "total of perft"),
        };
        Stage { during, awaited }
    }
}

/// One engine process.
#[derive(Debug)]
pub struct Client {
    channel: Channel,
    id_name: Option<String>,
    id_author: Option<String>,
    options: Vec<EngineOption>,
    /// What `UCI_Chess960` was last set to.
    chess960: bool,
    /// Something may still come that belongs to an earlier question.
    doubtful: bool,
    /// It thinks on the opponent's time, about the position in `position`.
    pub(super) pondering: bool,
    pub(super) position: PositionText,
}

impl Client {
    /// Starts an engine, waits for `uciok`, sends its options and waits for `readyok`.
    pub fn spawn(spec: &CommandSpec, session: &Session) -> Result<Client, ClientError> {
        let transport = process::start(spec).map_err(|source| ClientError::Start {
            engine: spec.name.clone(),
            path: spec.path.display().to_string(),
            source,
        })?;
        let mut client = Client::connect(&spec.name, transport, session)?;
        for (name, value) in &spec.options {
            client.set_option(name, value)?;
        }
        client.is_ready()?;
        Ok(client)
    }

    /// The handshake over any transport, up to `uciok`.
    pub fn connect(
        name: &str,
        transport: Box<dyn Transport>,
        session: &Session,
    ) -> Result<Client, ClientError> {
        let mut client = Client {
            channel: Channel::new(name, transport, session, "stop"),
            id_name: None,
            id_author: None,
            options: Vec::new(),
            chess960: false,
            doubtful: true,
            pondering: false,
            position: PositionText::default(),
        };
        let start = Instant::now();
        let limit = client.timeouts().uciok;
        client.send("uci\n", Phase::Start)?;
        loop {
            if !client.receive(start + limit, Phase::Start)? {
                return Err(client.timed_out(Phase::Start, limit));
            }
            let mut words = Words::new(&client.channel.line);
            match words.next() {
                Some("uciok") => break,
                Some("id") => match words.next() {
                    Some("name") => client.id_name = Some(words.rest().to_owned()),
                    Some("author") => client.id_author = Some(words.rest().to_owned()),
                    _ => {}
                },
                Some("option") => client.options.extend(options::parse_option(&client.channel.line)),
                // Banners and the like.
                _ => {}
            }
        }
        Ok(client)
    }

    /// The name given to it, as in every message.
    pub fn name(&self) -> &str {
        self.channel.name()
    }

    /// What it calls itself.
    pub fn id_name(&self) -> Option<&str> {
        self.id_name.as_deref()
    }

    pub fn id_author(&self) -> Option<&str> {
        self.id_author.as_deref()
    }

    /// The options it declared.
    pub fn options(&self) -> &[EngineOption] {
        &self.options
    }

    /// Whether it has an option of this name (case does not count).
    pub fn has_option(&self, name: &str) -> bool {
        options::find(&self.options, name).is_some()
    }

    /// What a whole number is unless it is set.
    pub fn spin_default(&self, name: &str) -> Option<i64> {
        match options::find(&self.options, name)?.kind {
            OptionKind::Spin { default, .. } => default,
            _ => None,
        }
    }

    pub fn timeouts(&self) -> &Timeouts {
        &self.channel.session.timeouts
    }

    /// Sets an option, checked against the engine's list.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        let line = options::setoption(&self.options, name, value)
            .map_err(|source| ClientError::Option { engine: self.name().to_owned(), source })?;
        if name.trim().eq_ignore_ascii_case("UCI_Chess960") {
            self.set_960_flag(value.trim().eq_ignore_ascii_case("true"));
        }
        self.doubt();
        self.send(&format!("{line}\n"), Phase::Options)
    }

    /// Switches Chess960 on or off, where that changes anything.
    pub fn set_chess960(&mut self, on: bool) -> Result<(), ClientError> {
        if self.chess960 == on {
            return Ok(());
        }
        if !self.has_option("UCI_Chess960") {
            let engine = self.name().to_owned();
            return Err(ClientError::NoChess960 { engine, missing: "option UCI_Chess960" });
        }
        self.set_option("UCI_Chess960", if on { "true" } else { "false" })
    }

    fn set_960_flag(&mut self, on: bool) {
        if self.chess960 != on {
            self.chess960 = on;
            // Castling moves are written differently from now on.
            self.position.forget();
        }
    }

    pub fn is_chess960(&self) -> bool {
        self.chess960
    }

    /// Clears the engine: `ucinewgame`, its `Clear Hash` button if it has one, and `isready`.
    pub fn new_game(&mut self) -> Result<(), ClientError> {
        self.stop_pondering()?;
        self.position.forget();
        let clear = self
            .options
            .iter()
            .find(|o| o.kind == OptionKind::Button && o.name.eq_ignore_ascii_case("Clear Hash"));
        let text = match clear {
            Some(option) => format!("ucinewgame\nsetoption name {}\nisready\n", option.name),
            None => "ucinewgame\nisready\n".to_owned(),
        };
        self.synchronise(&text, self.timeouts().readyok)
    }

    /// `isready`, `readyok`. What was said before is dropped.
    pub fn is_ready(&mut self) -> Result<(), ClientError> {
        self.synchronise("isready\n", self.timeouts().readyok)
    }

    /// Sends text that ends with `isready` and drops everything up to `readyok`: late answers belong to questions that
    /// nobody waits for any more.
    pub(super) fn synchronise(&mut self, text: &str, limit: Duration) -> Result<(), ClientError> {
        let start = Instant::now();
        self.send(text, Phase::Ready)?;
        loop {
            if !self.receive(start + limit, Phase::Ready)? {
                return Err(self.timed_out(Phase::Ready, limit));
            }
            if Words::new(self.line()).next() == Some("readyok") {
                self.doubtful = false;
                return Ok(());
            }
        }
    }

    /// `isready` before a search, but only where something may be left over from before: an engine that answers once for
    /// each `go` is asked nothing, which spares both sides a change of process.
    pub(super) fn settle(&mut self) -> Result<(), ClientError> {
        if self.is_alive() && (self.doubtful || self.channel.has_unread()) {
            self.synchronise("isready\n", self.timeouts().sync)?;
        }
        Ok(())
    }

    /// Has the next search begin with `isready`.
    pub(super) fn doubt(&mut self) {
        self.doubtful = true;
    }

    /// Sends lines, each with its end.
    pub(super) fn send(&mut self, text: &str, phase: Phase) -> Result<(), ClientError> {
        self.channel.send(text, phase.stage())
    }

    /// The line received last.
    pub(super) fn line(&self) -> &str {
        &self.channel.line
    }

    /// The next line of what has come in so far; false if there is none. It takes up to `until` where they never end.
    pub(super) fn receive_waiting(&mut self, until: Instant, phase: Phase) -> Result<bool, ClientError> {
        if !self.channel.has_unread() || Instant::now() > until {
            return Ok(false);
        }
        Ok(self.channel.hear(Instant::now(), phase.stage())? != Heard::Nothing)
    }

    /// What it says while nobody listens is to wait outside, and not to hold it up.
    pub(super) fn widen(&mut self) {
        self.channel.widen();
    }

    /// Waits for a line; false at the deadline, even if lines keep coming: only the awaited one still counts then.
    pub(super) fn receive(&mut self, deadline: Instant, phase: Phase) -> Result<bool, ClientError> {
        Ok(match self.channel.hear(deadline, phase.stage())? {
            Heard::InTime => true,
            Heard::Late => self.line().trim_start().starts_with(phase.stage().awaited),
            Heard::Nothing => false,
        })
    }

    /// Kills the engine and tells why.
    pub(super) fn timed_out(&mut self, phase: Phase, after: Duration) -> ClientError {
        self.channel.timed_out(phase.stage(), after)
    }

    /// The number of its process, while it runs.
    pub fn process_id(&self) -> Option<u32> {
        self.channel.process_id()
    }

    /// False once it was killed or found dead; only a new one helps then.
    pub fn is_alive(&self) -> bool {
        self.channel.is_alive()
    }

    /// Ends the engine by force.
    pub fn kill(&mut self) {
        self.channel.kill();
    }

    /// `quit`, a moment to go, then force. Dropping the client does the same.
    pub fn quit(&mut self) {
        self.channel.quit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::transport::{ScriptedTransport, Step};
    use std::sync::atomic::Ordering;

    /// Connects to a function from a line to the lines it is answered with; what was sent is in the second value.
    fn connect(
        script: impl Fn(&str) -> Vec<&'static str> + Send + 'static,
    ) -> (Result<Client, ClientError>, Arc<std::sync::Mutex<Vec<String>>>) {
        let transport = ScriptedTransport::new(move |line| script(line).into_iter().map(Step::say).collect());
        let sent = Arc::clone(&transport.sent);
        (Client::connect("Fake", Box::new(transport), &Session::default()), sent)
    }

    fn polite(line: &str) -> Vec<&'static str> {
        match line {
            "uci" => vec![
                "Fake 1.0 by Nobody\r",
                "",
                "id name Fake  Engine 1.0",
                "id author Nobody",
                "option name Hash type spin default 16 min 1 max 64",
                "option name Clear Hash type button",
                "option name UCI_Chess960 type check default false",
                "uciok\r",
            ],
            "isready" => vec!["readyok"],
            _ => vec![],
        }
    }

    #[test]
    fn handshake_takes_banners_and_carriage_returns() {
        let (client, _) = connect(polite);
        let client = client.unwrap();
        assert_eq!((client.id_name(), client.id_author()), (Some("Fake  Engine 1.0"), Some("Nobody")));
        assert_eq!(client.options().len(), 3);
        assert!(client.has_option("clear hash"));
    }

    /// BR-089 (b).
    #[test]
    fn no_uciok_is_given_up() {
        let (client, sent) = connect(|_| vec!["Banner"]);
        let hint = "(does it speak the xboard protocol? proto=xboard)";
        let told = format!("engine Fake: no uciok after 10.000 s; killed {hint}");
        assert_eq!(client.unwrap_err().to_string(), told);
        assert_eq!(*sent.lock().unwrap(), ["uci"]);
    }

    #[test]
    fn options_are_sent_and_refused() {
        let (client, sent) = connect(polite);
        let mut client = client.unwrap();
        client.set_option("hash", "32").unwrap();
        client.set_chess960(true).unwrap();
        client.set_chess960(true).unwrap();
        let refused = client.set_option("Hash", "-16").unwrap_err();
        assert_eq!(refused.to_string(), "engine Fake: option Hash: `-16` is not a whole number from 1 to 64");
        assert!(!refused.is_fatal());
        client.new_game().unwrap();
        drop(client);
        let expected = [
            "uci",
            "setoption name Hash value 32",
            "setoption name UCI_Chess960 value true",
            "ucinewgame",
            "setoption name Clear Hash",
            "isready",
            "quit",
        ];
        assert_eq!(*sent.lock().unwrap(), expected);
    }

    #[test]
    fn death_is_final() {
        let transport = ScriptedTransport::new(|line| match line {
            "uci" => vec![Step::say("uciok")],
            _ => vec![Step::Exit],
        });
        let mut client = Client::connect("Fake", Box::new(transport), &Session::default()).unwrap();
        assert!(matches!(client.set_chess960(true), Err(ClientError::NoChess960 { .. })));
        let error = client.is_ready().unwrap_err();
        assert_eq!(error.to_string(), "engine Fake: died before it said readyok");
        assert!(error.is_fatal() && !client.is_alive());
        assert!(matches!(client.is_ready(), Err(ClientError::Died { .. })));
    }

    #[test]
    fn a_stop_flag_ends_every_wait() {
        let stop = Arc::new(AtomicBool::new(false));
        let session = Session { stop: Some(Arc::clone(&stop)), ..Session::default() };
        let transport = ScriptedTransport::new(|line| polite(line).into_iter().map(Step::say).collect());
        let mut client = Client::connect("Fake", Box::new(transport), &session).unwrap();
        stop.store(true, Ordering::Relaxed);
        assert!(matches!(client.is_ready(), Err(ClientError::Interrupted { .. })));
    }

    #[test]
    fn traffic_is_logged_both_ways() {
        #[derive(Clone, Default)]
        struct Shared(Arc<std::sync::Mutex<Vec<u8>>>);
        impl io::Write for Shared {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0.lock().unwrap().extend_from_slice(bytes);
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let sink = Shared::default();
        let session = Session { log: Some(TrafficLog::new(sink.clone())), ..Session::default() };
        let transport = ScriptedTransport::new(|line| polite(line).into_iter().map(Step::say).collect());
        Client::connect("Fake", Box::new(transport), &session).unwrap().is_ready().unwrap();
        let text = String::from_utf8(sink.0.lock().unwrap().clone()).unwrap();
        for part in [
            "Fake > uci\n",
            "Fake < id author Nobody\n",
            "Fake > isready\n",
            "Fake < readyok\n",
            "Fake > quit\n",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(text.lines().all(|line| line.split(' ').next().unwrap().parse::<f64>().is_ok()));
    }
}
