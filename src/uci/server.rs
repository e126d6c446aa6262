//! The embedded engine as a UCI engine: one thread reads commands, another one owns the engine and works through what it
//! is given, so that `stop`, `isready` and `quit` are heard in the middle of a search. Bad input is answered with an
//! `info string` and never ends the server. It alone in this room knows the engine.
//! Source: the UCI protocol description; page "UCI" of the seed documents.

pub use super::fault::{Fault, FaultKind};
use super::message::{Command, Go, parse_command};
use super::options::{EngineOption, OptionKind};
use super::planted::Generator;
use super::{options, worker};
use crate::engine::{Engine, ParamKind, Params};
use crate::notation::fen::{self, CastlingMode};
use crate::notation::uci_move;
use crate::rules::{Line, MAX_PERFT_DEPTH, Position};
use crate::types::{Move, Square};
use std::io::{self, BufRead, Write};
use std::process;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;
use worker::{Job, Search, Shared, Worker};

/// Until a slow one hears `stop`.
const SLOW_STOP: Duration = Duration::from_millis(400);

const NAME: &str = concat!("Gauntlet ", env!("CARGO_PKG_VERSION"));
const MOST_HASH_MIB: i64 = 1 << 16;
/// What [`FaultKind::BadOptions`] declares beside the rest.
const BAD_OPTIONS: &str = "option name HASH type spin default 16 min 1 max 64\n\
    option name Contempt type spin default 200 min -100 max 100\n\
    option name Style type combo default Wild var Solid var Normal\n\
    option name Skill type slider default 5\n";
/// How long [`FaultKind::SlowStart`] sleeps.
const SLOW: Duration = Duration::from_millis(1500);

/// Serves until `quit` or the end of the input. An error is a broken input, or a wanted crash.
pub fn serve(
    mut input: impl BufRead,
    output: impl Write + Send,
    params: Params,
    fault: Option<Fault>,
) -> io::Result<()> {
    let is = |kind| fault.is_some_and(|fault| fault.kind == kind);
    if is(FaultKind::CrashAtStart) {
        return Err(crash());
    }
    if is(FaultKind::Orphan) {
        leave_behind()?;
    }
    let mut shared = Shared::new(output);
    shared.crlf = is(FaultKind::Crlf);
    let shared = shared;
    if is(FaultKind::Banner) {
        shared.say("*** A chess engine ***\noption name of no importance\nreadyok or not, here I come");
    }
    let (jobs, queue) = channel();
    thread::scope(|scope| {
        let mut worker = Worker { engine: Engine::new(params.clone()), chess960: false, shared: &shared };
        scope.spawn(move || queue.into_iter().for_each(|job| worker.run(job)));
        let mut server = Server {
            shared: &shared,
            jobs,
            params,
            line: Line::new(Position::startpos()),
            passed: None,
            chess960: false,
            fault,
            searches: 0,
            slow: is(FaultKind::SlowStart),
            introduced: false,
            asked: false,
        };
        let result = server.listen(&mut input);
        // Whatever is running ends, so that the worker can.
        shared.stop(true);
        drop(server);
        result
    })
}

/// A process that heeds nothing and lives for a minute.
fn leave_behind() -> io::Result<()> {
    let id = FaultKind::IgnoreQuit.id();
    let mut command = process::Command::new(std::env::current_exe()?);
    command
        .args(["uci", "--fault", id])
        .stdin(process::Stdio::null())
        .stdout(process::Stdio::null())
        .stderr(process::Stdio::null());
    command.spawn().map(drop)
}

fn crash() -> io::Error {
    io::Error::other("a fault was asked for: crash")
}

/// The side that reads commands.
struct Server<'a, W> {
    shared: &'a Shared<W>,
    jobs: Sender<Job>,
    params: Params,
    line: Line,
    /// The square that a pawn has just passed, for a generator with a fault.
    passed: Option<Square>,
    chess960: bool,
    fault: Option<Fault>,
    searches: u32,
    /// Still to be slow at the first `isready`.
    slow: bool,
    /// `uci` and `isready` have been answered before.
    introduced: bool,
    asked: bool,
}

impl<W: Write + Send> Server<'_, W> {
    fn listen(&mut self, input: &mut impl BufRead) -> io::Result<()> {
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            // Read as bytes: a line that is no UTF-8 is bad input, not the end.
            if input.read_until(b'\n', &mut bytes)? == 0 {
                self.linger();
                return Ok(());
            }
            let text = String::from_utf8_lossy(&bytes);
            if self.has(FaultKind::StrictBlanks) && (text.ends_with("\r\n") || text.contains("  ")) {
                continue;
            }
            match parse_command(&text) {
                command if self.falls_over(&text, &command) => return Err(crash()),
                Command::IsReady if self.has(FaultKind::Deaf) && self.shared.is_searching() => {}
                Command::PonderHit if self.has(FaultKind::PonderDeaf) => {}
                Command::NewGame if self.has(FaultKind::KeepsHash) => {}
                Command::Quit if self.has(FaultKind::IgnoreQuit) => {}
                Command::Quit => return Ok(()),
                Command::NewGame if self.has(FaultKind::CrashBetweenGames) && self.fault_now().is_some() => {
                    return Err(crash());
                }
                Command::Go(go) => {
                    self.searches += 1;
                    match self.fault_now() {
                        Some(FaultKind::Crash) => return Err(crash()),
                        Some(FaultKind::Hang) => {
                            while input.read_until(b'\n', &mut bytes)? > 0 {
                                bytes.clear();
                            }
                            return Ok(());
                        }
                        Some(FaultKind::CrashAfterAnswer) => {
                            self.go(&go);
                            while self.shared.is_searching() {
                                thread::sleep(Duration::from_millis(1));
                            }
                            return Err(crash());
                        }
                        _ => self.go(&go),
                    }
                }
                command => self.obey(command),
            }
        }
    }

    fn has(&self, kind: FaultKind) -> bool {
        self.fault.is_some_and(|fault| fault.kind == kind)
    }

    /// Whether this is what its fault cannot bear.
    fn falls_over(&self, text: &str, command: &Command) -> bool {
        let Some(fault) = self.fault else { return false };
        match (fault.kind, command) {
            (FaultKind::Touchy, _) => self.is_strange(command),
            (FaultKind::Prim, _) => text.trim().is_empty() || text.starts_with("debug"),
            (FaultKind::ClockCrash, Command::Go(go)) => go.limit.clock.is_some() || go.limit.mate.is_some(),
            (FaultKind::SetCrash, Command::SetOption { .. }) => true,
            (FaultKind::FenCrash, Command::Position { .. }) => text.starts_with("position fen"),
            (FaultKind::NewGameCrash, Command::NewGame) | (FaultKind::BadExit, Command::Quit) => true,
            _ => false,
        }
    }

    /// Whether it is something that only a careful engine survives.
    fn is_strange(&self, command: &Command) -> bool {
        match command {
            Command::Unknown(_) => true,
            Command::SetOption { name, value } => options::setoption(&declared(), name, value).is_err(),
            Command::Position { fen, moves } => self.read_position(fen, moves).is_err(),
            _ => false,
        }
    }

    /// The fault that this search is to show.
    fn fault_now(&self) -> Option<FaultKind> {
        self.fault.filter(|fault| self.searches >= fault.from_search).map(|fault| fault.kind)
    }

    /// An engine that does not go when nobody speaks to it any more.
    fn linger(&self) {
        if self.has(FaultKind::IgnoreQuit) {
            thread::sleep(Duration::from_secs(60));
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Uci => {
                if self.slow {
                    thread::sleep(SLOW);
                }
                self.introduce();
            }
            Command::IsReady if self.shared.is_searching() => self.shared.say("readyok"),
            Command::IsReady => {
                if std::mem::take(&mut self.slow) {
                    thread::sleep(SLOW);
                }
                self.send(Job::Ready);
                if self.has(FaultKind::ReadyTwice) && self.asked {
                    self.send(Job::Ready);
                }
                self.asked = true;
            }
            Command::NewGame => self.send(Job::NewGame),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::Position { fen, moves } => match self.read_position(&fen, &moves) {
                Ok((line, passed)) => (self.line, self.passed) = (line, passed),
                Err(problem) => self.complain(&problem),
            },
            Command::Perft(depth) if depth > MAX_PERFT_DEPTH => {
                self.complain(&format!("perft {depth}: deeper than {MAX_PERFT_DEPTH}; nothing counted"));
            }
            Command::Perft(depth) => {
                let position = *self.line.position();
                self.send(match self.fault.filter(|fault| fault.kind.is_of_perft()) {
                    Some(Fault { kind, .. }) => {
                        let generator = Generator { fault: kind, passed: self.passed };
                        Job::FaultyPerft { generator, position, depth }
                    }
                    None => Job::Perft { position, depth },
                });
            }
            Command::Stop if self.has(FaultKind::StopEcho) && !self.shared.is_searching() => {
                self.shared.say("bestmove 0000");
            }
            Command::Stop => {
                if self.has(FaultKind::SlowStop) {
                    thread::sleep(SLOW_STOP);
                }
                self.shared.stop(false);
            }
            Command::PonderHit => self.shared.ponder_hit(),
            Command::Bench(depth) => self.send(Job::Bench { depth }),
            Command::Unknown(text) => self.complain(&format!("unknown command: {text}")),
            Command::Nothing | Command::Quit | Command::Go(_) => {}
        }
    }

    /// Free text for whoever reads along.
    fn complain(&self, problem: &str) {
        self.shared.say(&format!("info string {}", problem.replace(['\n', '\r'], " ")));
    }

    fn send(&self, job: Job) {
        // It fails only if the worker is gone, and then there is nobody to tell.
        let _ = self.jobs.send(job);
    }

    fn introduce(&mut self) {
        let mut text = format!("info string {}\n", crate::engine::fastest().text());
        if !self.has(FaultKind::NoId) {
            text.insert_str(0, &format!("id name {NAME}\nid author the Gauntlet authors\n"));
        }
        if !(self.introduced && self.has(FaultKind::Forgetful)) {
            for option in
                declared().iter().filter(|option| option.name != "Hash" || !self.has(FaultKind::NoHash))
            {
                text.push_str(&declaration(option));
                text.push('\n');
            }
        }
        if self.has(FaultKind::BadOptions) {
            text.push_str(BAD_OPTIONS);
        }
        self.introduced = true;
        text.push_str("uciok");
        self.shared.say(&text);
    }

    fn set_option(&mut self, name: &str, value: &str) {
        let declared = declared();
        if let Err(problem) = options::setoption(&declared, name, value) {
            return self.complain(&problem.to_string());
        }
        let value = value.trim().to_ascii_lowercase();
        let is_on = value == "true" || value == "on";
        match name.trim().to_ascii_lowercase().as_str() {
            "hash" => {
                if let Ok(mib) = value.parse() {
                    self.send(Job::Hash(mib));
                }
            }
            "clear hash" => self.send(Job::NewGame),
            "ponder" => {}
            "uci_chess960" => {
                self.chess960 = is_on;
                self.send(Job::Chess960(is_on));
            }
            id => {
                let is_switch = Params::info(id).is_some_and(|info| info.kind == ParamKind::Switch);
                let value = if is_switch { if is_on { "on" } else { "off" } } else { value.as_str() };
                match self.params.set(id, value) {
                    Ok(()) => self.send(Job::Params(Box::new(self.params.clone()))),
                    Err(problem) => self.complain(&problem.to_string()),
                }
            }
        }
    }

    /// The line, and the square that a pawn has just passed.
    fn read_position(&self, fen: &str, moves: &[String]) -> Result<(Line, Option<Square>), String> {
        let mode = if self.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let start = fen::parse(fen, mode).map_err(|error| format!("position kept: {error}"))?;
        let mut passed = fen::parse_setup(fen, mode).ok().and_then(|setup| setup.ep);
        let mut line = Line::new(start);
        for text in moves.iter().filter(|_| !self.has(FaultKind::MovesIgnored)) {
            let mv =
                uci_move::parse(text, line.position()).map_err(|error| format!("position kept: {error}"))?;
            passed = line.position().passed_square(mv);
            line.play_unchecked(mv);
        }
        Ok((line, passed))
    }

    fn go(&mut self, go: &Go) {
        if self.shared.is_searching() {
            return self.complain("already searching");
        }
        let position = self.line.position();
        let read = go.search_moves.iter().map(|text| uci_move::parse(text, position));
        let search_moves: Vec<Move> = match read.collect() {
            _ if self.has(FaultKind::NoSearchmoves) => Vec::new(),
            Ok(moves) => moves,
            Err(error) => {
                self.complain(&format!("searchmoves: {error}; all moves are searched"));
                Vec::new()
            }
        };
        self.shared.begin();
        let search = Search {
            line: self.line.clone(),
            limit: go.limit,
            infinite: go.infinite,
            ponder: go.ponder,
            search_moves,
            fault: self.fault_now(),
        };
        self.send(Job::Search(Box::new(search)));
    }
}

/// The options we declare: UCI's own ones, then the parameter table.
fn declared() -> Vec<EngineOption> {
    let option = |name: &str, kind| EngineOption { name: name.to_owned(), kind };
    let hash = Engine::DEFAULT_HASH_MIB as i64;
    let mut options = vec![
        option("Hash", OptionKind::Spin { default: Some(hash), min: Some(1), max: Some(MOST_HASH_MIB) }),
        option("Clear Hash", OptionKind::Button),
        option("Ponder", OptionKind::Check { default: Some(false) }),
        option("UCI_Chess960", OptionKind::Check { default: Some(false) }),
    ];
    let presets = Params::PRESETS.iter().map(|preset| preset.id.to_owned()).collect();
    options
        .push(option("preset", OptionKind::Combo { default: Some("default".to_owned()), values: presets }));
    for info in Params::table() {
        let kind = match info.kind {
            ParamKind::Switch => OptionKind::Check { default: Some(info.default == "on") },
            ParamKind::Number { min, max } => OptionKind::Spin {
                default: info.default.parse().ok(),
                min: Some(min.into()),
                max: Some(max.into()),
            },
            ParamKind::Choice => {
                let values = info.choices().into_iter().map(str::to_owned).collect();
                OptionKind::Combo { default: Some(info.default.to_owned()), values }
            }
        };
        options.push(option(info.id, kind));
    }
    options
}

/// The `option` line.
fn declaration(option: &EngineOption) -> String {
    fn shown<T: ToString>(key: &str, value: &Option<T>) -> String {
        value.as_ref().map(|value| format!(" {key} {}", value.to_string())).unwrap_or_default()
    }
    let kind = match &option.kind {
        OptionKind::Check { default } => format!("check{}", shown("default", default)),
        OptionKind::Spin { default, min, max } => {
            format!("spin{}{}{}", shown("default", default), shown("min", min), shown("max", max))
        }
        OptionKind::Combo { default, values } => {
            let values: String = values.iter().map(|value| format!(" var {value}")).collect();
            format!("combo{}{values}", shown("default", default))
        }
        OptionKind::Button => "button".to_owned(),
        OptionKind::Text { default } => format!("string{}", shown("default", default)),
    };
    format!("option name {} type {kind}", option.name)
}
