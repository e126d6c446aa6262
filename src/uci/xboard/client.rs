//! An xboard engine under our control: handshake, features, options, a new game, synchronisation by `ping`. Every wait has a
//! deadline. What is told to it about a game is in `told`, searching in `search`.
//!
//! Version 1 knows no `ping`: such an engine is sent its lines and believed. Never sent: signals, `white` and `black`,
//! `draw`, and `hard` without `easy` behind it, so that nobody thinks on the other's time.

use super::features::Features;
use super::told::Told;
use super::words::{self, Form, Said};
use crate::uci::channel::{Channel, Heard, Stage};
use crate::uci::client::{ClientError, Session, Timeouts};
use crate::uci::options;
use crate::uci::process::{self, CommandSpec};
use crate::uci::search::Declined;
use crate::uci::transport::Transport;
use std::time::{Duration, Instant};

pub(super) const START: Stage = Stage { during: "before it said its features", awaited: "feature done=1" };
pub(super) const READY: Stage = Stage { during: "before it said pong", awaited: "pong" };
pub(super) const SEARCH: Stage = Stage { during: "while searching", awaited: "move" };

/// An engine that is silent for so long after its start is nudged. GNU Chess 6 waits for a lock that it holds itself
/// while it reads a line: each further line gives it another chance.
const SILENT: Duration = Duration::from_millis(300);
const NUDGE: Duration = Duration::from_millis(25);

/// One engine process.
#[derive(Debug)]
pub struct XboardClient {
    pub(super) channel: Channel,
    /// To start it again, where one process plays one game only.
    command: CommandSpec,
    pub(super) features: Features,
    /// `memory`, `cores` and `option` lines, for a process started later.
    settings: String,
    /// Number of the last `ping`.
    pings: u64,
    /// Something may still come that belongs to an earlier question.
    pub(super) doubtful: bool,
    /// This process has played.
    used: bool,
    pub(super) told: Told,
    /// Its last move as it wrote it.
    pub(super) answer: Option<(String, Form)>,
    /// Said while nobody asked.
    pub(super) declined: Option<Declined>,
    /// Refusals heard since this was cleared.
    pub(super) refusals: Vec<String>,
}

impl XboardClient {
    /// Starts an engine, hears its features, and sends its options.
    pub fn spawn(command: &CommandSpec, session: &Session) -> Result<XboardClient, ClientError> {
        let transport = open(command)?;
        let mut client = XboardClient::connect(command, transport, session)?;
        for (name, value) in &command.options {
            client.set_option(name, value)?;
        }
        client.sync(client.timeouts().readyok)?;
        Ok(client)
    }

    /// The handshake over any transport.
    pub fn connect(
        command: &CommandSpec,
        transport: Box<dyn Transport>,
        session: &Session,
    ) -> Result<XboardClient, ClientError> {
        let mut client = XboardClient {
            channel: Channel::new(&command.name, transport, session, "?"),
            command: command.clone(),
            features: Features::default(),
            settings: String::new(),
            pings: 0,
            doubtful: false,
            used: false,
            told: Told::default(),
            answer: None,
            declined: None,
            refusals: Vec::new(),
        };
        client.shake_hands()?;
        Ok(client)
    }

    /// `xboard`, `protover 2`, and the features. Without any of them after two seconds it is version 1; features that come
    /// later still count.
    fn shake_hands(&mut self) -> Result<(), ClientError> {
        let start = Instant::now();
        let (short, long) = (self.timeouts().features, self.timeouts().readyok);
        self.channel.send("xboard\nprotover 2\n", START)?;
        let mut silent = true;
        loop {
            let patience = if self.features.done == Some(false) { long } else { short };
            let deadline = start + patience;
            let wait = if silent { deadline.min(Instant::now() + NUDGE) } else { deadline };
            match self.channel.hear(wait, START)? {
                Heard::Nothing if Instant::now() < deadline => {
                    if start.elapsed() > SILENT {
                        self.channel.send("force\n", START)?;
                    }
                    continue;
                }
                Heard::Nothing => {}
                Heard::InTime | Heard::Late => {
                    silent = false;
                    self.hear_aside()?;
                }
            }
            if self.features.done == Some(true) {
                return Ok(());
            }
            if Instant::now() >= deadline {
                if self.features.done == Some(false) {
                    return Err(self.channel.timed_out(START, patience));
                }
                return Ok(());
            }
        }
    }

    /// The name given to it, as in every message.
    pub fn name(&self) -> &str {
        self.channel.name()
    }

    /// What it calls itself.
    pub fn my_name(&self) -> Option<&str> {
        self.features.name.as_deref()
    }

    /// Whether it spoke of its features.
    pub fn is_version_2(&self) -> bool {
        self.features.heard
    }

    pub fn timeouts(&self) -> &Timeouts {
        &self.channel.session.timeouts
    }

    /// The number of its process, while it runs.
    pub fn process_id(&self) -> Option<u32> {
        self.channel.process_id()
    }

    pub fn is_alive(&self) -> bool {
        self.channel.is_alive()
    }

    /// `quit`, a moment to go, then force. Dropping the client does the same.
    pub fn quit(&mut self) {
        self.channel.quit();
    }

    /// Sets an option, checked against the engine's list.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        let (option, value) = options::check(&self.features.options, name, value)
            .map_err(|source| ClientError::Option { engine: self.name().to_owned(), source })?;
        let line = match value.as_deref() {
            None => format!("option {}\n", option.name),
            Some("true") => format!("option {}=1\n", option.name),
            Some("false") => format!("option {}=0\n", option.name),
            Some(value) => format!("option {}={value}\n", option.name),
        };
        self.set(&line)
    }

    /// `memory`: MiB for all tables. False if it has no such command.
    pub fn set_memory(&mut self, mib: u32) -> Result<bool, ClientError> {
        let has = self.features.memory;
        if has {
            self.set(&format!("memory {mib}\n"))?;
        }
        Ok(has)
    }

    /// `cores`: threads. False if it has no such command.
    pub fn set_cores(&mut self, cores: u32) -> Result<bool, ClientError> {
        let has = self.features.smp;
        if has {
            self.set(&format!("cores {cores}\n"))?;
        }
        Ok(has)
    }

    fn set(&mut self, line: &str) -> Result<(), ClientError> {
        self.settings.push_str(line);
        self.channel.send(line, READY)
    }

    /// An error if nodes cannot be limited. `feature nps=1` lets the engine count nodes as time.
    pub fn check_nodes(&self) -> Result<(), ClientError> {
        if self.features.nps {
            Ok(())
        } else {
            Err(self.unable(
                "cannot keep a limit of nodes (it has no feature nps); give it movetime, tc or depth",
            ))
        }
    }

    pub(super) fn unable(&self, what: &str) -> ClientError {
        ClientError::Unable { engine: self.name().to_owned(), what: what.to_owned() }
    }

    /// A new game from a cleared engine: `new`, or a new process where one plays one game only.
    pub fn new_game(&mut self) -> Result<(), ClientError> {
        if self.used && !self.features.reuse {
            self.restart()?;
        }
        self.used = true;
        let text = self.opening_words(false);
        self.channel.send(&text, READY)?;
        self.told.renew();
        self.sync(self.timeouts().readyok)?;
        // What is left of the last game.
        self.declined = None;
        self.answer = None;
        self.refusals.clear();
        Ok(())
    }

    /// `force` keeps it from thinking. What `new` does to the rest is not agreed upon, so it is said each time.
    pub(super) fn opening_words(&self, chess960: bool) -> String {
        let variant = if chess960 { "variant fischerandom\n" } else { "" };
        // In GNU Chess 4 `easy` is a switch, and only `hard` is sure.
        let hard = if self.features.heard { "" } else { "hard\n" };
        format!("force\nnew\n{variant}force\npost\n{hard}easy\n")
    }

    fn restart(&mut self) -> Result<(), ClientError> {
        self.channel.quit();
        let transport = open(&self.command)?;
        let session = self.channel.session.clone();
        let settings = std::mem::take(&mut self.settings);
        *self = XboardClient::connect(&self.command.clone(), transport, &session)?;
        self.set(&settings)
    }

    /// `ping` and `pong`: everything before it is done. Version 1 has no such thing; what it has said is read, and no more.
    pub(super) fn sync(&mut self, limit: Duration) -> Result<(), ClientError> {
        if !self.features.ping {
            return self.drain();
        }
        let start = Instant::now();
        let ping = self.ping()?;
        loop {
            let heard = self.channel.hear(start + limit, READY)?;
            if heard != Heard::Nothing && words::parse(&self.channel.line) == Said::Pong(ping) {
                self.doubtful = false;
                return Ok(());
            }
            if heard != Heard::InTime {
                return Err(self.channel.timed_out(READY, limit));
            }
            self.hear_aside()?;
        }
    }

    /// Sends the next `ping` and tells its number.
    pub(super) fn ping(&mut self) -> Result<u64, ClientError> {
        self.pings += 1;
        self.channel.send(&format!("ping {}\n", self.pings), READY)?;
        Ok(self.pings)
    }

    /// Before a search: reads what was said since the last one, and asks for silence where that does not explain itself.
    pub(super) fn settle(&mut self) -> Result<(), ClientError> {
        self.drain()?;
        if self.doubtful { self.sync(self.timeouts().sync) } else { Ok(()) }
    }

    /// Reads what is there, without waiting. A talker without end is left talking.
    fn drain(&mut self) -> Result<(), ClientError> {
        let start = Instant::now();
        while self.channel.has_unread()
            && start.elapsed() < Duration::from_millis(100)
            && self.channel.hear(start, READY)? != Heard::Nothing
        {
            self.hear_aside()?;
        }
        Ok(())
    }

    /// A line outside of a search.
    fn hear_aside(&mut self) -> Result<(), ClientError> {
        match words::parse(&self.channel.line) {
            Said::Feature(text) => {
                let answer = self.features.take(text);
                self.channel.send(&answer, START)
            }
            Said::Resigns(who) => {
                self.declined = self.told.is_own(who).then_some(Declined::Resigns);
                Ok(())
            }
            Said::Refuses(what) => {
                self.refusals.push(what.to_owned());
                Ok(())
            }
            Said::Trouble(what) => {
                self.refusals.push(what.to_owned());
                Ok(())
            }
            Said::Move(text, form) => {
                let is_echo = self.is_echo(text, form);
                self.doubtful |= !is_echo;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The last move again, in another form.
    pub(super) fn is_echo(&self, text: &str, form: Form) -> bool {
        self.answer.as_ref().is_some_and(|(last, said)| last == text && *said != form)
    }
}

fn open(command: &CommandSpec) -> Result<Box<dyn Transport>, ClientError> {
    process::start(command).map_err(|source| ClientError::Start {
        engine: command.name.clone(),
        path: command.path.display().to_string(),
        source,
    })
}
