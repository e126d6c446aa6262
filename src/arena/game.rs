//! One game: asks the players in turn, charges their clocks, applies the rules, and writes down what happened.
//!
//! The order of decisions is fixed: a dead player loses at once; then the flag; then the move itself; then what the rules
//! of chess say; adjudication last. It does not know what a player is made of, and it restarts none.

use super::adjudicate::{Adjudged, Adjudication, Adjudicator};
use super::clock::{Flag, GameClock};
use super::ending::{Ending, Played};
use super::player::{Choice, Fault, Player};
use crate::notation::{fen, uci_move};
use crate::record::{GameRow, PlyRow, Short, utc};
use crate::rules::{Line, Position};
use crate::subject::PlayerLimit;
use crate::suite::{Opening, Tablebases};
use crate::time::Clock;
use crate::types::{Color, Move, Role, Score};
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What is played, and how.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    pub opening: &'a Opening,
    /// Play at most this many plies of it.
    pub plies: Option<u32>,
    /// By colour.
    pub names: [&'a str; 2],
    pub limits: [&'a PlayerLimit; 2],
    pub adjudication: Adjudication,
    /// What decides positions of few men.
    pub tablebases: Option<&'a Tablebases>,
    pub clock: &'a dyn Clock,
    /// For searches without a clock: when they are told to stop.
    pub hang_timeout: Duration,
    /// Break off between two plies once one of these is set.
    pub halts: [&'a AtomicBool; 2],
}

/// A played game, and what became of the players (by colour).
#[derive(Debug)]
pub struct Finished {
    pub played: Played,
    pub faults: [Option<Fault>; 2],
}

impl std::fmt::Debug for Table<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table")
            .field("opening", &self.opening.name)
            .field("names", &self.names)
            .finish_non_exhaustive()
    }
}

/// Plays one game between players that are ready for it; `first` is the first engine's colour. `pair` and `game` only
/// label the row.
pub fn play(
    table: &Table<'_>,
    players: [&mut dyn Player; 2],
    first: Color,
    pair: u64,
    game: u32,
) -> Finished {
    let started = table.clock.now();
    let mut running = Game {
        table,
        line: Line::new(table.opening.start),
        clocks: table.limits.map(GameClock::new),
        adjudicator: Adjudicator::new(table.adjudication),
        plies: Vec::with_capacity(160),
        searches: [0; 2],
        disobeyed: [0; 2],
        faults: [None, None],
    };
    running.play_opening();
    let [white, black] = players;
    let ending = running.play_out(white, black);
    let now = table.clock.utc();
    let duration = table.clock.now().saturating_sub(started);
    let row = GameRow {
        round: None,
        pair,
        game,
        white: table.names[0].to_owned(),
        black: table.names[1].to_owned(),
        opening: table.opening.name.clone(),
        start_fen: fen::format(&table.opening.start),
        chess960: table.opening.chess960,
        plies: running.plies,
        result: ending.result().to_owned(),
        reason: ending.reason().into_owned(),
        termination: ending.termination().to_owned(),
        white_limit: table.limits[0].to_string(),
        black_limit: table.limits[1].to_string(),
        started: utc::rfc3339(now.checked_sub(duration).unwrap_or(now)),
        duration_us: micros(duration),
        set_aside: false,
        disobeyed: running.disobeyed,
    };
    for (player, fault) in [white, black].into_iter().zip(&mut running.faults) {
        if fault.is_none() {
            *fault = player.rest().err();
        }
    }
    let played = Played { row, ending, first, searches: running.searches, disobeyed: running.disobeyed };
    Finished { played, faults: running.faults }
}

struct Game<'a> {
    table: &'a Table<'a>,
    line: Line,
    clocks: [GameClock; 2],
    adjudicator: Adjudicator,
    plies: Vec<PlyRow>,
    searches: [u64; 2],
    disobeyed: [u64; 2],
    faults: [Option<Fault>; 2],
}

impl Game<'_> {
    /// Plays the book moves. A book line ends early at a move that is not legal or where the game is over.
    fn play_opening(&mut self) {
        let most = self.table.plies.map_or(usize::MAX, |plies| plies as usize);
        for &mv in self.table.opening.moves.iter().take(most) {
            let uci = uci_text(mv, self.table.opening.chess960);
            if self.line.outcome(true).is_some() || self.line.play(mv).is_err() {
                return;
            }
            self.plies.push(PlyRow { uci, ..PlyRow::default() });
        }
    }

    fn play_out(&mut self, white: &mut dyn Player, black: &mut dyn Player) -> Ending {
        if let Some(outcome) = self.line.outcome(true) {
            return Ending::Rules(outcome);
        }
        loop {
            if self.table.halts.iter().any(|halt| halt.load(Ordering::Relaxed)) {
                return Ending::Unfinished;
            }
            let mover = self.line.position().turn();
            let ended = match mover {
                Color::White => self.ply(mover, white),
                Color::Black => self.ply(mover, black),
            };
            if let Some(ending) = ended {
                return ending;
            }
        }
    }

    /// One move of one player.
    fn ply(&mut self, mover: Color, player: &mut dyn Player) -> Option<Ending> {
        let side = mover.index();
        let limit = self.clocks[side].search_limit(&self.clocks[1 - side], side);
        let patience = self.clocks[side].patience();
        let deadline = patience.unwrap_or(self.table.hang_timeout);
        let asked = self.table.clock.now();
        let answer = player.search(&self.line, &limit, deadline);
        let passed = self.table.clock.now().saturating_sub(asked);

        let reply = match answer {
            Ok(reply) => reply,
            Err(fault) => return Some(self.failed(mover, fault)),
        };
        let took = reply.time.unwrap_or(passed);
        let used = self.clocks[side].price(took, reply.nodes);
        if self.clocks[side].charge(used) == Flag::Fallen {
            return Some(self.out_of_time(mover));
        }
        self.clocks[1 - side].receive(used);
        self.searches[side] += 1;
        self.disobeyed[side] += u64::from(!reply.obeyed);
        let mv = match reply.choice {
            Choice::Move(mv) => mv,
            Choice::Nothing => return Some(Ending::NoMove { loser: mover }),
            Choice::Unreadable(written) => return Some(Ending::Illegal { loser: mover, written }),
            Choice::Resigns => return Some(Ending::Resigned { loser: mover }),
            Choice::Refuses(said) => return Some(Ending::Refused { loser: mover, said }),
        };
        if !self.line.position().is_legal(mv) {
            return Some(Ending::Illegal { loser: mover, written: format!("{mv:?}") });
        }
        let uci = uci_text(mv, self.table.opening.chess960);
        self.line.play_unchecked(mv);
        self.plies.push(PlyRow {
            uci,
            score: reply.score.map(score_text),
            depth: reply.depth,
            nodes: reply.nodes,
            wdl: reply.wdl,
            time_us: Some(micros(took)),
            latency_us: reply.reported.map(|reported| signed_micros(took) - signed_micros(reported)),
            clock_us: self.clocks[side].remaining().map(micros),
            pondered: reply.pondered,
        });
        if let Some(outcome) = self.line.outcome(true) {
            return Some(Ending::Rules(outcome));
        }
        if let Some(value) = self.table.tablebases.and_then(|tables| tables.probe(self.line.position())) {
            return Some(Ending::Adjudged(Adjudged::Known { winner: value.winner }));
        }
        let complete = self.line.position().fullmove_number().saturating_sub(1);
        if let Some(adjudged) = self.adjudicator.note(mover, reply.score, complete) {
            return Some(Ending::Adjudged(adjudged));
        }
        reply.expects.and_then(|expected| self.ponder(mover, player, expected))
    }

    /// Has the mover think about the answer that it expects. There is nothing to think about where that ends the game.
    fn ponder(&mut self, mover: Color, player: &mut dyn Player, expected: Move) -> Option<Ending> {
        let mut line = self.line.clone();
        line.play_unchecked(expected);
        if line.outcome(true).is_some() {
            return None;
        }
        let side = mover.index();
        let limit = self.clocks[side].search_limit(&self.clocks[1 - side], side);
        player.ponder(&line, &limit).err().map(|fault| self.failed(mover, fault))
    }

    /// An engine that failed has lost, if it was not interrupted.
    fn failed(&mut self, mover: Color, fault: Fault) -> Ending {
        let side = mover.index();
        let ending = match &fault {
            Fault::Died(detail) => Ending::Disconnected { loser: mover, detail: detail.clone() },
            Fault::Unable(_) | Fault::Interrupted => Ending::Unfinished,
            Fault::Hung(_) if self.clocks[side].patience().is_some() => self.out_of_time(mover),
            Fault::Hung(_) => Ending::Hung { loser: mover },
        };
        self.faults[side] = Some(fault);
        ending
    }

    fn out_of_time(&self, loser: Color) -> Ending {
        Ending::Time { loser, bare_king: has_bare_king(self.line.position(), !loser) }
    }
}

/// A side with only its king cannot win on time.
fn has_bare_king(position: &Position, color: Color) -> bool {
    position.by_color(color) == position.pieces(color, Role::King)
}

/// `31`, `M5`, `-M2`: the form of [`PlyRow::score`].
fn score_text(score: Score) -> Short<11> {
    let mut text = Short::default();
    // The longest has eleven bytes.
    let _ = match score {
        Score::Cp(cp) => write!(text, "{cp}"),
        Score::Mate(moves) if moves > 0 => write!(text, "M{moves}"),
        Score::Mate(moves) => write!(text, "-M{}", i64::from(moves).abs().min(999_999_999)),
    };
    text
}

fn uci_text(mv: Move, chess960: bool) -> Short<7> {
    let mut text = Short::default();
    // A move has five bytes at most.
    let _ = uci_move::write(&mut text, mv, chess960);
    text
}

fn signed_micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
