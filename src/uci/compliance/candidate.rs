//! The engine under examination: its greeting, the options it declared, and the questions that checks have in common:
//! is it ready, what does it play here, is that legal and well written.

use super::runner::StartError;
use super::talk::{Fault, Talk, Told, wrong};
use super::{Settings, talk::skip};
use crate::notation::fen::{self, CastlingMode};
use crate::notation::uci_move;
use crate::rules::Position;
use crate::types::Move;
use crate::uci::client::Session;
use crate::uci::codec::{self, BestMove, Words};
use crate::uci::options::{self, EngineOption, OptionKind};
use crate::uci::process::{self, CommandSpec};
use crate::uci::transport::Ended;
use std::time::{Duration, Instant};

/// A quiet middlegame position with some thirty moves: White to move, Black to move.
pub(super) const MIDDLEGAME: &str = "r1bqkb1r/pp2pppp/2np1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 2 6";
pub(super) const BLACK_TO_MOVE: &str =
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 b - - 0 7";

/// What it said from `uci` to `uciok`.
#[derive(Clone, Debug)]
pub(super) struct Greeting {
    pub lines: Vec<String>,
    pub time: Duration,
    exchange: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Candidate {
    talk: Talk,
    pub greeting: Greeting,
    pub options: Vec<EngineOption>,
    /// For an answer that takes no thinking.
    pub patience: Duration,
    pub margin: Duration,
    spent: bool,
    /// The check looks at the greeting only.
    greeted: bool,
}

/// A position as an engine is told of it, and as it is.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub line: String,
    pub position: Position,
    pub chess960: bool,
}

impl Place {
    /// FEN and moves of ours, in standard chess. What is not legal is left out (a test sees to it that nothing is).
    pub fn new(fen: &str, moves: &[&str]) -> Place {
        Place::with_mode(fen, moves, false)
    }

    pub fn with_mode(fen: &str, moves: &[&str], chess960: bool) -> Place {
        let mode = if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let mut position = fen::parse(fen, mode).unwrap_or_else(|_| Position::startpos());
        for text in moves {
            if let Ok(mv) = uci_move::parse(text, &position) {
                position.play_unchecked(mv);
            }
        }
        Place { line: codec::format_position(fen, moves.iter().copied()), position, chess960 }
    }

    pub fn start() -> Place {
        Place::new(codec::START_FEN, &[])
    }

    /// The move of this text, exactly as UCI has it: lower case, castling in the form of the variant.
    pub fn legal(&self, text: &str) -> Option<Move> {
        written_legally(&self.position, text, self.chess960)
    }
}

/// The legal move that is written exactly so.
pub(super) fn written_legally(position: &Position, text: &str, chess960: bool) -> Option<Move> {
    uci_move::parse(text, position).ok().filter(|&mv| uci_move::format(mv, chess960) == text)
}

/// A search and its answer.
#[derive(Clone, Debug)]
pub(super) struct Searched {
    pub place: Place,
    /// Lines before the answer; those of an engine that floods are not all kept.
    pub lines: Vec<String>,
    /// All that came with the answer, in bytes.
    pub bytes: usize,
    pub answer: String,
    /// From `go` to the answer.
    pub time: Duration,
}

/// Lines of a search kept.
const MOST_LINES: usize = 5_000;

impl Searched {
    pub fn best(&self) -> BestMove<'_> {
        codec::parse_bestmove(&self.answer).unwrap_or(BestMove { best: None, ponder: None, text: "" })
    }

    /// The first word behind `bestmove`, as it is.
    pub fn best_text(&self) -> &str {
        Words::new(self.best().text).next().unwrap_or_default()
    }

    /// Its `info` lines but those of free text.
    pub fn infos(&self) -> impl DoubleEndedIterator<Item = &str> {
        let is_info = |line: &&str| codec::parse_info(line).is_some_and(|info| info.string.is_none());
        self.lines.iter().map(String::as_str).filter(is_info)
    }

    /// The best move, or what is wrong with it.
    pub fn legal_best(&self) -> Result<Move, Fault> {
        let text = self.best_text();
        match self.place.legal(text) {
            Some(mv) => Ok(mv),
            None => {
                let fen = fen::format(&self.place.position);
                let why = match uci_move::parse(text, &self.place.position) {
                    Ok(mv) => format!("is not how UCI writes {}", uci_move::format(mv, self.place.chess960)),
                    Err(_) => "is not a legal move".to_owned(),
                };
                wrong(format!("`{}` {why} in {fen}", self.answer.trim()))
            }
        }
    }
}

type Started = Result<Candidate, (Fault, Vec<String>)>;

impl Candidate {
    /// Starts the engine, up to `uciok` and with the options of its SPEC set. The inner error is the engine's own failure.
    pub fn start(spec: &CommandSpec, session: &Session, settings: &Settings) -> Result<Started, StartError> {
        let transport = process::start(spec).map_err(|source| StartError::Start {
            engine: spec.name.clone(),
            path: spec.path.display().to_string(),
            source,
        })?;
        let mut talk = Talk::new(&spec.name, transport, session.log.clone(), session.stop.clone());
        // Starting a process and loading what it needs is no quick answer.
        let patience = 2 * settings.patience;
        talk.begin(patience);
        let begun = Instant::now();
        let mut lines = Vec::new();
        let greeted =
            talk.send("uci").and_then(|()| talk.until("uciok", patience, &mut |line| keep(&mut lines, line)));
        if let Err(fault) = greeted {
            return Ok(Err((fault, talk.exchange())));
        }
        let greeting = Greeting { time: begun.elapsed(), exchange: talk.exchange(), lines };
        let declared: Vec<EngineOption> =
            greeting.lines.iter().filter_map(|line| options::parse_option(line)).collect();
        let mut wanted = spec.options.clone();
        // A book move shows nothing of a search.
        if options::find(&declared, "OwnBook").is_some_and(|o| matches!(o.kind, OptionKind::Check { .. }))
            && !wanted.iter().any(|(name, _)| name.eq_ignore_ascii_case("OwnBook"))
        {
            wanted.push(("OwnBook".to_owned(), "false".to_owned()));
        }
        for (name, value) in &wanted {
            let line = options::setoption(&declared, name, value)
                .map_err(|source| StartError::Option { engine: spec.name.clone(), source })?;
            if let Err(fault) = talk.send(&line) {
                return Ok(Err((fault, talk.exchange())));
            }
        }
        Ok(Ok(Candidate {
            talk,
            greeting,
            options: declared,
            patience: settings.patience,
            margin: settings.margin,
            spent: false,
            greeted: false,
        }))
    }

    /// A new check begins.
    pub fn begin(&mut self, patience: Duration) {
        self.patience = patience;
        self.greeted = false;
        self.talk.begin(6 * patience + Duration::from_secs(10));
    }

    /// The conversation of the check.
    pub fn exchange(&self) -> Vec<String> {
        if self.greeted { self.greeting.exchange.clone() } else { self.talk.exchange() }
    }

    /// Not to be used for another check: it has ended, or its options were changed.
    pub fn spend(&mut self) {
        self.spent = true;
    }

    pub fn is_spent(&self) -> bool {
        self.spent
    }

    /// The lines up to `uciok`, for a check that is about nothing else.
    pub fn greeting(&mut self) -> &Greeting {
        self.greeted = true;
        &self.greeting
    }

    pub fn send(&mut self, line: &str) -> Result<(), Fault> {
        self.talk.send(line)
    }

    pub fn talk(&mut self) -> &mut Talk {
        &mut self.talk
    }

    /// `isready`, and the lines before `readyok`.
    pub fn ready(&mut self) -> Result<Vec<String>, Fault> {
        self.send("isready")?;
        self.readyok()
    }

    /// The lines before `readyok`.
    pub fn readyok(&mut self) -> Result<Vec<String>, Fault> {
        let mut lines = Vec::new();
        self.talk.until("readyok", self.patience, &mut |line| keep(&mut lines, line))?;
        Ok(lines)
    }

    /// `ucinewgame`, and ready again.
    pub fn new_game(&mut self) -> Result<(), Fault> {
        self.send("ucinewgame")?;
        self.ready().map(drop)
    }

    /// Gives a position and a `go`; waits for the answer as long as it may think and is waited for.
    pub fn search(&mut self, place: &Place, go: &str, most: Duration) -> Result<Searched, Fault> {
        self.begin_search(place, go)?;
        self.answer(place, most)
    }

    /// The same without waiting.
    pub fn begin_search(&mut self, place: &Place, go: &str) -> Result<(), Fault> {
        self.send(&place.line)?;
        self.send(go)
    }

    /// Has it search without limit, and waits for a sign that it does, but not for long.
    pub fn is_searching(&mut self, place: &Place) -> Result<(), Fault> {
        self.begin_search(place, "go infinite")?;
        self.talk.next(SIGN).map(drop)
    }

    /// Waits for the answer to the search that is running.
    pub fn answer(&mut self, place: &Place, most: Duration) -> Result<Searched, Fault> {
        let (begun, mut lines, mut bytes) = (Instant::now(), Vec::new(), 0);
        let answer = self.talk.until("bestmove", most + self.patience, &mut |line| {
            bytes += line.len() + 1;
            keep(&mut lines, line);
        })?;
        Ok(Searched { place: place.clone(), lines, bytes, answer, time: begun.elapsed() })
    }

    /// A search to a small depth whose answer is legal.
    pub fn plays(&mut self, place: &Place) -> Result<Searched, Fault> {
        self.plays_under(place, "go depth 3", Duration::ZERO)
    }

    pub fn plays_under(&mut self, place: &Place, go: &str, most: Duration) -> Result<Searched, Fault> {
        let searched = self.search(place, go, most)?;
        searched.legal_best()?;
        Ok(searched)
    }

    /// The declared option of this name.
    pub fn option(&self, name: &str) -> Option<&EngineOption> {
        options::find(&self.options, name)
    }

    /// Waits for the end of the process. Whatever comes of it, this engine is used up.
    pub fn ends(&mut self) -> Result<Ended, Fault> {
        self.spent = true;
        let patience = self.patience.min(END);
        let ended = self.talk.wait_for_end(patience);
        ended.ok_or_else(|| Fault::Silent(format!("still running after {:.1} s", patience.as_secs_f64())))
    }

    /// Skips a check for want of an option.
    pub fn no_option(name: &str) -> Told {
        skip(format!("it declares no {name}"))
    }
}

/// How long to wait for the first line of a search.
const SIGN: Duration = Duration::from_millis(300);
/// How long an engine may take to go.
const END: Duration = Duration::from_secs(2);

/// Of an engine that floods not all are kept.
pub(super) fn keep(lines: &mut Vec<String>, line: String) {
    if lines.len() < MOST_LINES {
        lines.push(line);
    }
}
