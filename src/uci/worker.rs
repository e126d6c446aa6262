//! The thread of the server that owns the engine: it does one job after another and writes what comes of it.
//! What it must share with the thread that reads commands (output, stop flag, held answers) is in [`Shared`].

use super::fault::FaultKind;
use super::planted::Generator;
use crate::engine::{Engine, Info, POSITIONS, Params, SIGNATURE_DEPTH, SearchResult};
use crate::notation::fen::{self, CastlingMode};
use crate::notation::uci_move;
use crate::rules::{self, Line, Position};
use crate::time::cpu;
use crate::types::{Bound, ClockLimit, Color, Limit, Move, Score};
use crate::with_backend;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Something to do, in the order of the commands.
#[derive(Debug)]
pub(super) enum Job {
    Ready,
    NewGame,
    Hash(usize),
    Chess960(bool),
    Params(Box<Params>),
    Search(Box<Search>),
    Perft { position: Position, depth: u32 },
    FaultyPerft { generator: Generator, position: Position, depth: u32 },
    Bench { depth: Option<u32> },
}

/// A search, and how its answer is held or spoilt.
#[derive(Debug)]
pub(super) struct Search {
    pub line: Line,
    pub limit: Limit,
    pub infinite: bool,
    pub ponder: bool,
    /// The only moves to consider; empty = all.
    pub search_moves: Vec<Move>,
    pub fault: Option<FaultKind>,
}

/// What both threads see.
pub(super) struct Shared<W> {
    output: Mutex<W>,
    /// Lines end with a carriage return, too.
    pub crlf: bool,
    /// Ends the running search.
    stop: AtomicBool,
    /// The server ends: whatever is running or waiting is of no interest any more.
    quit: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    searching: bool,
    stopped: bool,
    ponder_hit: bool,
}

/// A lock survives a panic of the other side: what it guards is valid at any moment.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<W: Write> Shared<W> {
    pub fn new(output: W) -> Shared<W> {
        Shared {
            output: Mutex::new(output),
            crlf: false,
            stop: AtomicBool::new(false),
            quit: AtomicBool::new(false),
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Writes one or several lines. Nobody listening is no error here: the input will end too.
    pub fn say(&self, text: &str) {
        let text = format!("{text}\n");
        self.write(if self.crlf { text.replace('\n', "\r\n") } else { text }.as_bytes());
    }

    fn write(&self, bytes: &[u8]) {
        let mut output = lock(&self.output);
        let _ = output.write_all(bytes).and_then(|()| output.flush());
    }

    pub fn is_searching(&self) -> bool {
        lock(&self.state).searching
    }

    /// A search is about to be given to the worker.
    pub fn begin(&self) {
        *lock(&self.state) = State { searching: true, ..State::default() };
        self.stop.store(false, Ordering::Relaxed);
    }

    /// `stop`, or the end of everything.
    pub fn stop(&self, quit: bool) {
        let mut state = lock(&self.state);
        state.stopped = true;
        self.stop.store(true, Ordering::Relaxed);
        self.quit.fetch_or(quit, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// The move pondered on was played: the search goes on in earnest.
    pub fn ponder_hit(&self) {
        let mut state = lock(&self.state);
        state.ponder_hit = true;
        // Ends the search without limits; one with limits follows, and finds the hash table full.
        self.stop.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Waits for `stop` (false) or `ponderhit` (true, with the stop flag cleared again).
    fn wait_for_release(&self) -> bool {
        let mut state = lock(&self.state);
        while !state.stopped && !state.ponder_hit {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let hit = state.ponder_hit && !state.stopped;
        if hit {
            self.stop.store(false, Ordering::Relaxed);
        }
        hit
    }

    /// The answer to a search. It is over before anybody can read it, so that the next `go` is not refused.
    fn answer(&self, text: &str) {
        lock(&self.state).searching = false;
        self.say(text);
    }

    /// The search is over, and nothing is said of it.
    fn give_up(&self) {
        lock(&self.state).searching = false;
    }

    fn is_over(&self) -> bool {
        self.quit.load(Ordering::Relaxed)
    }
}

/// The side that owns the engine.
pub(super) struct Worker<'a, W> {
    pub engine: Engine,
    pub chess960: bool,
    pub shared: &'a Shared<W>,
}

impl<W: Write + Send> Worker<'_, W> {
    pub fn run(&mut self, job: Job) {
        // A search is stopped by then, and answered: whoever asked may still be listening.
        if self.shared.is_over() && !matches!(job, Job::Search(_)) {
            return;
        }
        match job {
            Job::Ready => self.shared.say("readyok"),
            Job::NewGame => self.engine.new_game(0),
            Job::Hash(mib) => {
                if let Err(problem) = self.engine.set_hash_mib(mib) {
                    let kept = self.engine.hash_mib();
                    self.shared.say(&format!("info string {problem}; {kept} MiB kept"));
                }
            }
            Job::Chess960(on) => self.chess960 = on,
            Job::Params(params) => self.engine.set_params(*params),
            Job::Search(search) => self.search(&search),
            Job::Perft { position, depth } => self.perft(&position, depth),
            Job::FaultyPerft { generator, position, depth } => {
                let text = generator.answer(&position, depth, self.chess960);
                self.shared.say(&text);
            }
            Job::Bench { depth } => self.bench(depth.unwrap_or(SIGNATURE_DEPTH)),
        }
    }

    fn search(&mut self, search: &Search) {
        let start = Instant::now();
        let used_before = cpu::of_thread();
        let position = search.line.position();
        let fault = search.fault;
        if fault == Some(FaultKind::MuteWhenMated) && !position.has_legal_move() {
            return self.shared.give_up();
        }
        let limit = match fault {
            Some(FaultKind::Overstep) => overstepped(&search.limit, position),
            Some(FaultKind::ClocksSwapped) => {
                let swapped = |mut clock: ClockLimit| {
                    clock.remaining.reverse();
                    clock
                };
                Limit { clock: search.limit.clock.map(swapped), ..search.limit }
            }
            _ => search.limit,
        };
        self.engine.set_position(&search.line);
        self.engine.set_search_moves(&search.search_moves);
        let impatient = fault == Some(FaultKind::Impatient) && (search.ponder || search.infinite);
        let first = match search.ponder {
            _ if impatient => Limit::depth(1),
            true => Limit::default(),
            false => limit,
        };
        let mut result = self.think(&first, position, fault);
        if impatient {
            // It does not wait.
        } else if search.ponder {
            if self.shared.wait_for_release() {
                result = self.think(&limit, position, fault);
            }
        } else if search.infinite {
            self.shared.wait_for_release();
        }
        let chess960 = self.chess960 != (fault == Some(FaultKind::CastlingSwapped));
        let text = |mv| uci_move::format(mv, chess960);
        let mut answer = format!("bestmove {}", result.best.map_or_else(|| "(none)".to_owned(), text));
        if let Some(ponder) = result.ponder {
            let _ = write!(answer, " ponder {}", text(ponder));
        }
        match fault {
            Some(FaultKind::BadPonder) => answer = format!("{} ponder a1h7", &answer[..13.min(answer.len())]),
            Some(FaultKind::Illegal) => answer = "bestmove a1h7".to_owned(),
            Some(FaultKind::NullMove) => answer = "bestmove 0000".to_owned(),
            Some(FaultKind::EmptyBestmove) => answer = "bestmove".to_owned(),
            Some(FaultKind::Garbage) => self.rave(&mut answer),
            Some(FaultKind::Flood) => self.flood(),
            // `bestmove e7e8q`
            Some(FaultKind::Capitals) if answer.as_bytes().get(13).is_some_and(u8::is_ascii_lowercase) => {
                answer = answer.replacen(
                    &answer[9..14],
                    &format!("{}{}", &answer[9..13], answer[13..14].to_uppercase()),
                    1,
                );
            }
            Some(FaultKind::MateBounds) => {
                self.shared
                    .say("info depth 99 score mate -1 lowerbound\ninfo depth 99 score mate 1 upperbound");
            }
            Some(FaultKind::Slow) => {
                let (before, now) = (used_before.unwrap_or_default(), cpu::of_thread().unwrap_or_default());
                burn_until(now + now.saturating_sub(before) / 10);
            }
            Some(FaultKind::Late) => {
                let due = own_time(&limit, position).unwrap_or_default() + Duration::from_millis(300);
                thread::sleep(due.saturating_sub(start.elapsed()));
            }
            _ => {}
        }
        self.shared.answer(&answer);
        match fault {
            Some(FaultKind::Double) => self.shared.say(&answer),
            Some(FaultKind::Chatter) => self.shared.say("info string that was easy"),
            _ => {}
        }
    }

    fn think(&mut self, limit: &Limit, position: &Position, fault: Option<FaultKind>) -> SearchResult {
        let (shared, chess960) = (self.shared, self.chess960);
        let mut hashfull = 0;
        let silent = fault == Some(FaultKind::NoScore);
        let tell = |info: &Info<'_>| shared.say(&spoilt_line(info, position, chess960, fault));
        let result = self.engine.search(limit, &shared.stop, &mut |info| {
            hashfull = info.hashfull;
            if !silent {
                tell(info);
            }
        });
        if !silent && result.best.is_some() {
            // What the unfinished iteration added: all nodes, perhaps another move.
            let last = Info {
                depth: result.depth,
                seldepth: result.seldepth,
                score: result.score,
                bound: Bound::Exact,
                nodes: result.nodes,
                interior_nodes: result.interior_nodes,
                time: result.time,
                nps: (result.nodes as f64 / result.time.as_secs_f64().max(1e-6)) as u64,
                hashfull,
                pv: &result.pv,
            };
            tell(&last);
        }
        result
    }

    /// Bytes and words of no meaning, and a carriage return at the end.
    fn rave(&self, answer: &mut String) {
        self.shared.write(b"\xff\xfe\x00\x80 bestmove\r\n\n\r\ninfo depth\ninfo score cp\ninfo dep");
        thread::sleep(Duration::from_millis(1));
        self.shared.write(b"th x\ninfo string bestmove a1a1\nuciok\nid\noption name\n");
        answer.push_str(" \r");
    }

    fn flood(&self) {
        let line = format!("info string {}\n", "x".repeat(1000)).repeat(64);
        for _ in 0..32 {
            self.shared.write(line.as_bytes());
            let _ = io::stderr().write_all(line.as_bytes());
        }
    }

    fn perft(&mut self, position: &Position, depth: u32) {
        let mut total = 0;
        if depth == 0 {
            total = 1;
        } else {
            for &mv in position.legal_moves().iter() {
                let mut after = *position;
                after.play_unchecked(mv);
                let nodes = with_backend!(self.engine.params().backend(), |sliders| {
                    rules::perft_until(&after, depth - 1, sliders, &|| self.shared.is_over())
                });
                let Some(nodes) = nodes else { return };
                total += nodes;
                self.shared.say(&format!("{}: {nodes}", uci_move::format(mv, self.chess960)));
            }
        }
        self.shared.say(&format!("\nNodes searched: {total}"));
    }

    /// The signature searches, and the line that bench scripts look for: `N nodes M nps`.
    fn bench(&mut self, depth: u32) {
        let mut nodes = 0;
        let start = Instant::now();
        for fen in POSITIONS {
            let Ok(position) = fen::parse(fen, CastlingMode::Standard) else { continue };
            if self.shared.is_over() {
                return;
            }
            self.engine.new_game(0);
            self.engine.set_position(&Line::new(position));
            nodes += self.engine.search(&Limit::depth(depth), &self.shared.quit, &mut |_| {}).nodes;
        }
        let nps = nodes as f64 / start.elapsed().as_secs_f64().max(1e-9);
        self.shared.say(&format!("{nodes} nodes {nps:.0} nps"));
    }
}

/// What White is given, cp, where the fault is to favour it.
const ASYMMETRY: i32 = 10;

/// An `info` line with the fault that belongs into it.
fn spoilt_line(info: &Info<'_>, position: &Position, chess960: bool, fault: Option<FaultKind>) -> String {
    let scored = |score| info_line(&Info { score, ..*info }, chess960);
    match (fault, info.score) {
        (Some(FaultKind::WhiteView), score) if position.turn() == Color::Black => scored(score.negated()),
        (Some(FaultKind::Asymmetric), Score::Cp(cp)) => {
            scored(Score::Cp(cp + position.turn().pick(ASYMMETRY, -ASYMMETRY)))
        }
        (Some(FaultKind::MateAsCp), Score::Mate(_)) => scored(Score::Cp(info.score.as_cp() / 10)),
        (Some(FaultKind::CountsDown), _) => {
            let nodes = 1_000_000_000_000 - info.nodes;
            info_line(&Info { nodes, ..*info }, chess960)
        }
        (Some(FaultKind::PvIllegal), _) => info_line(info, chess960) + " a1h7",
        (Some(FaultKind::PvOther), _) => {
            let other = position.legal_moves().iter().copied().find(|mv| info.pv.first() != Some(mv));
            let pv: Vec<Move> = other.into_iter().collect();
            info_line(&Info { pv: &pv, ..*info }, chess960)
        }
        _ => info_line(info, chess960),
    }
}

/// An `info` line.
fn info_line(info: &Info<'_>, chess960: bool) -> String {
    let mut text = format!("info depth {} seldepth {} score ", info.depth, info.seldepth);
    // Writing to a String cannot fail.
    let _ = match info.score {
        Score::Cp(cp) => write!(text, "cp {cp}"),
        Score::Mate(moves) => write!(text, "mate {moves}"),
    };
    text.push_str(match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    });
    let _ = write!(
        text,
        " nodes {} nps {} hashfull {} time {}",
        info.nodes,
        info.nps,
        info.hashfull,
        info.time.as_millis()
    );
    for (i, &mv) in info.pv.iter().enumerate() {
        text.push_str(if i == 0 { " pv " } else { " " });
        text.push_str(&uci_move::format(mv, chess960));
    }
    text
}

/// Keeps this thread busy until it has used so much processor time.
fn burn_until(used: Duration) {
    let mut number = 1u64;
    while cpu::of_thread().is_some_and(|now| now < used) {
        for _ in 0..1000 {
            number = std::hint::black_box(number.wrapping_mul(3));
        }
    }
}

/// Four times the nodes, twice the time for a move, more than the clock has left.
fn overstepped(limit: &Limit, position: &Position) -> Limit {
    let time = match limit.clock {
        Some(_) => own_time(limit, position).map(|left| left + Duration::from_millis(100)),
        None => limit.time.map(|time| time * 2),
    };
    Limit { nodes: limit.nodes.map(|nodes| nodes.saturating_mul(4)), time, clock: None, ..*limit }
}

/// What the side to move has for this move at most.
fn own_time(limit: &Limit, position: &Position) -> Option<Duration> {
    let on_clock = |clock: ClockLimit| clock.remaining[position.turn().index()];
    limit.time.or(limit.clock.map(on_clock))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Params;

    #[test]
    fn a_hash_that_cannot_be_had_is_reported_and_the_old_one_kept() {
        let mut output = Vec::new();
        let shared = Shared::new(&mut output);
        let mut worker = Worker { engine: Engine::new(Params::default()), chess960: false, shared: &shared };
        worker.run(Job::Hash(1 << 40));
        worker.run(Job::Ready);
        assert_eq!(worker.engine.hash_mib(), Engine::DEFAULT_HASH_MIB);
        let said = String::from_utf8(output).expect("text");
        assert_eq!(
            said,
            "info string no memory for a hash table of 1099511627776 MiB; 16 MiB kept\nreadyok\n"
        );
    }
}
