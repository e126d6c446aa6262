//! Searching with an xboard engine: the position, `go` or the other side's move, the lines of thinking, the answer. Time is
//! ours, from the moment before the last word is sent to the moment the move is read. Whether a flag fell is decided
//! elsewhere. A result that the engine claims is only its opinion: the game goes on, and it is asked again, once.

use super::client::{SEARCH, XboardClient};
use super::told::{self, Form, Way};
use super::words::{self, Said};
use crate::notation::Notation;
use crate::notation::uci_move;
use crate::rules::{Line, Position};
use crate::types::{Limit, Move};
use crate::uci::channel::Heard;
use crate::uci::client::ClientError;
use crate::uci::search::{Declined, Reply, Summary, passed_twice};
use std::time::{Duration, Instant};

/// A line of thinking, its moves read.
#[derive(Clone, Copy, Debug)]
pub struct Thinking<'a> {
    pub depth: u32,
    /// The mover's view.
    pub score: Option<crate::types::Score>,
    pub nodes: u64,
    /// Legal moves, up to the first word that is none.
    pub pv: &'a [Move],
}

/// Most times that one search is asked for: again behind a claim, or behind features that came late.
const MOST_ASKED: u32 = 3;

impl XboardClient {
    /// Searches a position. At the deadline, or when the reported depth passes twice its limit, the engine is told to move
    /// now (`?`); if it still says nothing it is killed ([`ClientError::TimedOut`]).
    ///
    /// # Errors
    /// Those of a dead or silent engine; [`ClientError::Unable`] where the protocol, or this engine, has no word for it.
    pub fn search(
        &mut self,
        line: &Line,
        limit: &Limit,
        chess960: bool,
        deadline: Duration,
        on_thinking: &mut dyn FnMut(&Thinking<'_>, Duration),
    ) -> Result<Reply, ClientError> {
        if limit.nodes.is_some() {
            self.check_nodes()?;
        }
        if chess960 && !self.features.plays("fischerandom") {
            let engine = self.name().to_owned();
            return Err(ClientError::NoChess960 { engine, missing: "variant fischerandom" });
        }
        self.settle()?;
        if let Some(declined) = self.declined.take() {
            return Ok(self.decline(declined, "resign", Summary::default(), Duration::ZERO));
        }
        // A year is for ever, and cannot overflow an `Instant`.
        let deadline = deadline.min(Duration::from_secs(365 * 86_400));
        self.refusals.clear();
        let mut start = self.ask(line, limit, chess960, deadline)?;
        // Features may have come in between, and with them another form of what was sent.
        let mut asked = 1;
        while self.told.is_outdated(self.form(chess960)) && asked < MOST_ASKED {
            asked += 1;
            self.told.forget();
            start = self.ask(line, limit, chess960, deadline)?;
        }
        if let Some(what) = self.refused(line, chess960, false) {
            return Ok(self.decline(Declined::Refuses, &what, Summary::default(), Duration::ZERO));
        }
        let (mut claim, mut stopped) = (None, false);
        let (mut summary, mut pv) = (Summary::default(), Vec::new());
        // A time that the protocol has no word for is over when we say so.
        let exact = |time: &Duration| time.subsec_nanos() == 0 && limit.nodes.is_none();
        let own_end = limit.time.filter(|time| *time < deadline && !exact(time));
        let mut hurried = own_end.is_none();
        let mut until = start + own_end.unwrap_or(deadline);
        loop {
            let heard = self.channel.hear(until, SEARCH)?;
            let time = start.elapsed();
            let said = if heard == Heard::Nothing { Said::Other } else { words::parse(&self.channel.line) };
            match said {
                Said::Move(text, form) if !self.is_echo(text, form) => {
                    let best = read_move(text, line.position());
                    let text: String = text.chars().take(100).collect();
                    self.answer = Some((text.clone(), form));
                    match best {
                        Some(best) => self.told.answered(best),
                        None => self.told.forget(),
                    }
                    let declined = None;
                    let pondered = false;
                    return Ok(Reply {
                        best,
                        ponder: None,
                        text,
                        summary,
                        time,
                        pondered,
                        stopped,
                        declined,
                    });
                }
                Said::Thinking(thinking) => {
                    read_variation(thinking.pv, line.position(), &mut pv);
                    note(&mut summary, &thinking, &pv, chess960);
                    let (depth, score, nodes) = (thinking.depth, thinking.score, thinking.nodes);
                    on_thinking(&Thinking { depth, score, nodes, pv: &pv }, time);
                }
                Said::Resigns(who) if self.told.is_own(who) => {
                    return Ok(self.decline(Declined::Resigns, "resign", summary, time));
                }
                // A move may be on its way: an answer to `ping` comes behind it.
                Said::Claim(_) | Said::Resigns(_) => {
                    let text = format!("the game goes on, whatever it claims: {}", self.channel.line.trim());
                    self.channel.note(&text);
                    if self.features.ping && claim.is_none() && asked < MOST_ASKED {
                        claim = Some(self.ping()?);
                    }
                }
                Said::Pong(number) if claim == Some(number) => {
                    claim = None;
                    asked += 1;
                    self.told.forget();
                    self.ask(line, limit, chess960, deadline)?;
                }
                Said::Feature(text) => {
                    let answer = self.features.take(text);
                    self.channel.send(&answer, SEARCH)?;
                    if self.told.is_outdated(self.form(chess960)) && asked < MOST_ASKED {
                        asked += 1;
                        self.told.forget();
                        self.ask(line, limit, chess960, deadline)?;
                    }
                }
                Said::Refuses(what) | Said::Trouble(what) => {
                    let what = what.to_owned();
                    self.refusals.push(what);
                    if let Some(what) = self.refused(line, chess960, true) {
                        return Ok(self.decline(Declined::Refuses, &what, summary, time));
                    }
                }
                _ => {}
            }
            let in_time = heard == Heard::InTime;
            if !in_time && !hurried {
                hurried = true;
                until = start + deadline;
                self.hurry()?;
            } else if !stopped && (!in_time || passed_twice(limit, &summary)) {
                stopped = true;
                until = Instant::now() + self.timeouts().stop;
                self.hurry()?;
            } else if !in_time {
                return Err(self.channel.timed_out(SEARCH, start.elapsed()));
            }
        }
    }

    /// Move now. It may cross the move, and then nobody knows what it did.
    fn hurry(&mut self) -> Result<(), ClientError> {
        self.doubtful = true;
        self.channel.send("?\n", SEARCH)
    }

    /// Sends all that is missing, and at the end what makes it think. The time of that last moment.
    fn ask(
        &mut self,
        line: &Line,
        limit: &Limit,
        chess960: bool,
        deadline: Duration,
    ) -> Result<Instant, ClientError> {
        let own = line.position().turn();
        let form = self.form(chess960);
        let mut way = self.told.way(line, chess960);
        if self.told.has_stale_depth(limit) {
            way = Way::Afresh;
        }
        if way == Way::Afresh {
            self.told.forget_limits();
        }
        let control = self.told.time_control(limit, own, deadline);
        let depth = self.told.new_depth(limit);
        if way == Way::Answer && (control.is_some() || depth.is_some()) {
            way = Way::Continue(line.moves().len() - 1);
        }
        let mut text = match way {
            Way::Answer => String::new(),
            Way::Continue(_) => "force\n".to_owned(),
            Way::Afresh => {
                let mut text = self.opening_words(chess960);
                let (setboard, usermove) = (form.setboard, form.usermove);
                let Ok(board) = told::board_words(line.start(), setboard, usermove) else {
                    return Err(self.unable("cannot be given this position (it has no feature setboard)"));
                };
                text.push_str(&board);
                text
            }
        };
        match way {
            Way::Answer => {}
            Way::Continue(from) => told::move_words(&mut text, line, from, form),
            Way::Afresh => told::move_words(&mut text, line, 0, form),
        }
        text.push_str(control.as_deref().unwrap_or_default());
        if let Some(depth) = depth {
            text.push_str(&format!("sd {depth}\n"));
        }
        if way != Way::Answer {
            // What it has to set up is not its thinking time.
            self.channel.send(&text, SEARCH)?;
            text.clear();
            self.sync(self.timeouts().sync)?;
            self.mend_depth(depth)?;
        }
        if self.features.time
            && let Some((own, other)) = told::clocks(limit, own)
        {
            told::clock_words(&mut text, own, other);
        }
        match way {
            Way::Answer => told::move_words(&mut text, line, line.moves().len() - 1, form),
            _ => text.push_str("go\n"),
        }
        let start = Instant::now();
        self.channel.send(&text, SEARCH)?;
        self.told.asked(line, form);
        Ok(start)
    }

    /// Where `sd 4` is not understood, `depth 4` may be (Phalanx, GNU Chess).
    fn mend_depth(&mut self, depth: Option<u32>) -> Result<(), ClientError> {
        let is_about = |refusals: &[String], word: &str| {
            refusals.iter().any(|what| what.split_whitespace().next() == Some(word))
        };
        if let Some(depth) = depth
            && is_about(&self.refusals, "sd")
        {
            self.channel.send(&format!("depth {depth}\n"), SEARCH)?;
            self.sync(self.timeouts().sync)?;
            if is_about(&self.refusals, "depth") {
                return Err(self.unable("cannot keep a limit of depth (it knows neither sd nor depth)"));
            }
        }
        Ok(())
    }

    fn form(&self, chess960: bool) -> Form {
        Form {
            usermove: self.features.usermove,
            san: self.features.san,
            setboard: self.features.setboard,
            chess960,
        }
    }

    /// What it refuses of the moves or the position, and nothing else that it does not know. Old engines say no more than
    /// `illegal move`: that counts (`bare`) where a move has been sent to be answered.
    fn refused(&mut self, line: &Line, chess960: bool, bare: bool) -> Option<String> {
        if self.refusals.is_empty() {
            return None;
        }
        let mut moves = String::new();
        told::move_words(&mut moves, line, 0, Form { usermove: false, ..self.form(chess960) });
        let mut grave = None;
        for what in std::mem::take(&mut self.refusals) {
            let is_grave = match what.split_whitespace().next() {
                None => bare,
                Some("time" | "otim") => {
                    self.features.time = false;
                    false
                }
                Some("usermove" | "setboard" | "go") => true,
                Some(word) => {
                    moves.lines().any(|mv| mv == word)
                        || what.to_ascii_lowercase().contains("illegal position")
                }
            };
            if is_grave {
                grave = Some(what);
            }
        }
        grave
    }

    /// An answer without a move.
    fn decline(&mut self, declined: Declined, text: &str, summary: Summary, time: Duration) -> Reply {
        self.told.forget();
        let text: String = text.chars().take(100).collect();
        let declined = Some(declined);
        let (pondered, stopped) = (false, false);
        Reply { best: None, ponder: None, text, summary, time, pondered, stopped, declined }
    }
}

/// Coordinates, SAN, castling in any spelling.
fn read_move(text: &str, position: &Position) -> Option<Move> {
    Notation::Xboard.parse(text, position).ok()
}

/// The legal moves at the start of a variation.
fn read_variation(text: &str, position: &Position, moves: &mut Vec<Move>) {
    moves.clear();
    let mut position = *position;
    for word in words::moves_of(text) {
        let Some(mv) = read_move(word, &position) else { break };
        position.play_unchecked(mv);
        moves.push(mv);
    }
}

/// The last line of thinking counts.
fn note(summary: &mut Summary, thinking: &words::Line<'_>, pv: &[Move], chess960: bool) {
    summary.depth = Some(thinking.depth);
    summary.score = thinking.score;
    summary.nodes = Some(thinking.nodes.max(summary.nodes.unwrap_or(0)));
    summary.time_ms = Some(thinking.time_ms);
    if !pv.is_empty() {
        summary.pv.clear();
        for (index, &mv) in pv.iter().enumerate() {
            if index > 0 {
                summary.pv.push(' ');
            }
            // Writing to a String cannot fail.
            let _ = uci_move::write(&mut summary.pv, mv, chess960);
        }
    }
}
