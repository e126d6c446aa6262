//! What an xboard engine has been told: the game on its board, the side it plays, its time control. Out of that come the
//! words that are still missing. Text only; sends nothing.
//! Source: the "Chess Engine Communication Protocol", sections 8, 11 and 13.

use crate::notation::Notation;
use crate::notation::fen::{self, CastlingMode};
use crate::rules::{Line, Position};
use crate::types::{Bitboard, ClockLimit, Color, Limit, Move, Role, Square};
use std::fmt::Write;
use std::time::Duration;

/// The engine's side of the table, as far as we know it.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// None once its board is not certain any more.
    start: Option<Position>,
    moves: Vec<Move>,
    chess960: bool,
    /// It answers a move of the other side by itself.
    playing: bool,
    /// The side it was last asked to play.
    own: Option<Color>,
    control: Option<Control>,
    depth: Option<u32>,
    /// The form of the last question.
    form: Option<Form>,
}

/// A time control that it knows.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Control {
    /// `st` and the like, the same for each move.
    Fixed(String),
    /// `level`: moves of the period, moves left in it by its own count, increment.
    Level { moves: Option<u32>, left: Option<u32>, increment: Duration },
}

/// How a position can be brought about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// The other side's move is all that is missing; the engine answers it.
    Answer,
    /// Moves from this one on are missing.
    Continue(usize),
    /// From the start.
    Afresh,
}

impl Told {
    /// Behind `new`.
    pub(super) fn renew(&mut self) {
        *self = Told { start: Some(Position::startpos()), ..Told::default() };
    }

    /// Its board is not certain any more.
    pub(super) fn forget(&mut self) {
        self.start = None;
        self.playing = false;
    }

    /// Whether this side (or nobody by name) is the one that it plays.
    pub(super) fn is_own(&self, color: Option<Color>) -> bool {
        color.is_none() || self.own.is_none() || color == self.own
    }

    pub(super) fn way(&self, line: &Line, chess960: bool) -> Way {
        let known = self.moves.len();
        if self.start.as_ref() != Some(line.start())
            || self.chess960 != chess960
            || !line.moves().starts_with(&self.moves)
        {
            Way::Afresh
        } else if self.playing && line.moves().len() == known + 1 {
            Way::Answer
        } else {
            Way::Continue(known)
        }
    }

    /// It has been told everything up to the end of this line, and is asked for a move.
    pub(super) fn asked(&mut self, line: &Line, form: Form) {
        self.start = Some(*line.start());
        self.moves.clear();
        self.moves.extend_from_slice(line.moves());
        self.chess960 = form.chess960;
        self.form = Some(form);
        self.own = Some(line.position().turn());
        self.playing = true;
    }

    /// Whether it was asked in another form than this.
    pub(super) fn is_outdated(&self, form: Form) -> bool {
        self.form != Some(form)
    }

    /// It has played this move on its own board.
    pub(super) fn answered(&mut self, mv: Move) {
        self.moves.push(mv);
    }

    /// Its time control is not certain any more, as behind `new`.
    pub(super) fn forget_limits(&mut self) {
        self.control = None;
        self.depth = None;
    }

    /// The words for the time control of this limit, where the engine does not have it yet. A fixed time that is no whole
    /// number of seconds is `level` with one move, and what `time` says before each move: `st` has whole seconds only.
    /// Without any time at all `deadline` is the time for a move, so that the engine's own default does not end a search.
    pub(super) fn time_control(&mut self, limit: &Limit, own: Color, deadline: Duration) -> Option<String> {
        let Some(clock) = limit.clock else {
            let text = match (limit.nodes, limit.time) {
                // Its clock counts nodes: a second of them is the limit.
                (Some(nodes), _) => format!("nps {nodes}\nst 1\n"),
                (None, Some(time)) if time.subsec_nanos() == 0 => format!("st {}\n", time.as_secs()),
                (None, Some(time)) => format!("level 1 {} 0\n", minutes(time)),
                (None, None) => format!("st {}\n", deadline.as_secs_f64().ceil().clamp(1.0, 86_400.0)),
            };
            let control = Control::Fixed(text.clone());
            let is_new = self.control.as_ref() != Some(&control);
            self.control = Some(control);
            return is_new.then_some(text);
        };
        let (moves, increment) = (clock.moves_to_go, clock.increment[own.index()]);
        if let Some(Control::Level { moves: period, left, increment: known }) = &mut self.control {
            // It counts one move for each answer, and begins the period again behind the last one.
            let expected = left.map(|left| if left <= 1 { period.unwrap_or(left) } else { left - 1 });
            if expected == moves && *known == increment {
                *left = moves;
                return None;
            }
        }
        self.control = Some(Control::Level { moves, left: moves, increment });
        let base = minutes(clock.remaining[own.index()]);
        Some(format!("level {} {base} {}\n", moves.unwrap_or(0), increment.as_secs_f64()))
    }

    /// The depth to be told, where the engine does not have it yet.
    pub(super) fn new_depth(&mut self, limit: &Limit) -> Option<u32> {
        let is_new = self.depth != limit.depth;
        self.depth = limit.depth;
        limit.depth.filter(|_| is_new)
    }

    /// Whether a depth holds that this limit has not: only `new` takes it back.
    pub(super) fn has_stale_depth(&self, limit: &Limit) -> bool {
        self.depth.is_some() && limit.depth.is_none()
    }
}

/// Minutes and seconds, `5` or `0:30`; less than a second is one.
fn minutes(time: Duration) -> String {
    let seconds = time.as_secs().max(1);
    if seconds.is_multiple_of(60) {
        format!("{}", seconds / 60)
    } else {
        format!("{}:{:02}", seconds / 60, seconds % 60)
    }
}

/// `time` and `otim` in hundredths of a second.
pub(super) fn clock_words(text: &mut String, own: Duration, other: Duration) {
    let hundredths = |time: Duration| (time.as_millis() / 10).max(1);
    // Writing to a String cannot fail.
    let _ = writeln!(text, "time {}\notim {}", hundredths(own), hundredths(other));
}

/// Both clocks as the engine sees them, its own first; a fixed time is the same for both.
pub(super) fn clocks(limit: &Limit, own: Color) -> Option<(Duration, Duration)> {
    let of = |clock: ClockLimit| (clock.remaining[own.index()], clock.remaining[(!own).index()]);
    limit.clock.map(of).or(limit.time.map(|time| (time, time)))
}

/// The words that put a position on the board behind `new`; none for the start position. An engine without `setboard` is
/// told by `edit`, piece by piece, with White to move unless White has made a move before. Castling is then taken to be
/// allowed where king and rook are at home, and en passant is not: an error where that is not the position.
pub(super) fn board_words(position: &Position, setboard: bool, usermove: bool) -> Result<String, ()> {
    if *position == Position::startpos() {
        return Ok(String::new());
    }
    if setboard {
        return Ok(format!("setboard {}\n", fen::format(position)));
    }
    let at_home = |color: Color| {
        let rank = color.pick(0, 7);
        let king = position.king(color) == Square::at(4, rank);
        let rooks = position.pieces(color, Role::Rook);
        [0, 7].map(|file| Square::at(file, rank)).into_iter().filter(move |square| king && rooks.has(*square))
    };
    let castling: Bitboard = Color::ALL.into_iter().flat_map(at_home).collect();
    if castling != position.castling_rooks() || position.ep_square().is_some() {
        return Err(());
    }
    let mut text = String::new();
    if position.turn() == Color::Black {
        text.push_str(if usermove { "usermove a2a3\n" } else { "a2a3\n" });
    }
    text.push_str("edit\n#\n");
    for color in Color::ALL {
        for square in position.by_color(color) {
            let role = position.role_at(square).map_or('?', Role::upper_letter);
            let _ = writeln!(text, "{role}{square}");
        }
        text.push_str(if color == Color::White { "c\n" } else { ".\n" });
    }
    Ok(text)
}

/// The moves of a line from `from` on, one a line.
pub(super) fn move_words(text: &mut String, line: &Line, from: usize, form: Form) {
    let mut position = *line.start();
    for (index, &mv) in line.moves().iter().enumerate() {
        if index >= from {
            if form.usermove {
                text.push_str("usermove ");
            }
            text.push_str(&form.write(mv, &position));
            text.push('\n');
        }
        position.play_unchecked(mv);
    }
}

/// How an engine wants to be told moves and positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Form {
    pub(super) usermove: bool,
    pub(super) san: bool,
    pub(super) setboard: bool,
    pub(super) chess960: bool,
}

impl Form {
    /// A legal move.
    pub(super) fn write(self, mv: Move, position: &Position) -> String {
        let notation = if self.san { Notation::San } else { Notation::Xboard };
        let mode = if self.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        notation.format(mv, position, mode).unwrap_or_else(|_| format!("{mv:?}"))
    }
}
