//! Searching with a foreign engine: `position`, `go`, the lines in between, `bestmove`. Time is ours, from the moment
//! before `go` is sent to the moment `bestmove` is read, in microseconds. Whether a flag fell is decided elsewhere.

use super::client::{Client, ClientError, Phase};
use super::codec::{self, Info, Words};
use crate::notation::{fen, uci_move};
use crate::rules::{Line, Position};
use crate::types::{Bound, Limit, Move, Score};
use std::time::{Duration, Instant};

/// The `position` line last sent, so that a game costs one move a ply and not all of them.
#[derive(Debug, Default)]
pub(super) struct PositionText {
    start: Option<Position>,
    moves: Vec<Move>,
    pub(super) text: String,
}

impl PositionText {
    pub(super) fn forget(&mut self) {
        self.start = None;
    }

    /// Whether this is the game of the line last sent, to its last move.
    pub(super) fn is_of(&self, line: &Line) -> bool {
        self.start.as_ref() == Some(line.start()) && line.moves() == self.moves
    }

    /// Makes `text` the `position` line of this game.
    pub(super) fn update(&mut self, line: &Line, chess960: bool) {
        let continues = self.start.as_ref() == Some(line.start()) && line.moves().starts_with(&self.moves);
        if !continues {
            self.text = codec::position_start(&start_fen(line.start(), chess960));
            self.start = Some(*line.start());
            self.moves.clear();
        }
        for &mv in &line.moves()[self.moves.len()..] {
            self.text.push_str(if self.moves.is_empty() { " moves " } else { " " });
            // Writing to a String cannot fail.
            let _ = uci_move::write(&mut self.text, mv, chess960);
            self.moves.push(mv);
        }
    }
}

/// Chess960 engines read X-FEN and Shredder-FEN alike; only the latter names every rook without doubt.
fn start_fen(position: &Position, chess960: bool) -> String {
    if chess960 && fen::needs_chess960(position) {
        fen::format_shredder(position)
    } else {
        fen::format(position)
    }
}

/// What the `info` lines of a search add up to. Score, depth and PV are of the best line (`multipv 1`) and of the last
/// exact score; lines with a bound count only while there is no exact one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    pub depth: Option<u32>,
    pub seldepth: Option<u32>,
    /// The mover's view.
    pub score: Option<Score>,
    pub bound: Bound,
    pub wdl: Option<[u32; 3]>,
    pub nodes: Option<u64>,
    /// The engine's own clock.
    pub time_ms: Option<u64>,
    pub nps: Option<u64>,
    /// Per mille.
    pub hashfull: Option<u32>,
    /// UCI moves as the engine wrote them.
    pub pv: String,
}

impl Summary {
    pub fn add(&mut self, info: &Info<'_>) {
        fn keep<T>(slot: &mut Option<T>, value: Option<T>) {
            if value.is_some() {
                *slot = value;
            }
        }
        keep(&mut self.nodes, info.nodes);
        keep(&mut self.time_ms, info.time_ms);
        keep(&mut self.nps, info.nps);
        keep(&mut self.hashfull, info.hashfull);
        if info.multipv.unwrap_or(1) != 1 || info.currmove.is_some() {
            return;
        }
        let exact_known = self.score.is_some() && self.bound == Bound::Exact;
        if info.score.is_some() && info.bound != Bound::Exact && exact_known {
            return;
        }
        keep(&mut self.depth, info.depth);
        keep(&mut self.seldepth, info.seldepth);
        keep(&mut self.wdl, info.wdl);
        if info.score.is_some() {
            self.score = info.score;
            self.bound = info.bound;
        }
        if !info.pv.is_empty() {
            self.pv.clear();
            self.pv.push_str(info.pv);
        }
    }
}

/// The end of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The move, if what the engine said is a legal one.
    pub best: Option<Move>,
    /// A legal move after `best`, if it named one.
    pub ponder: Option<Move>,
    /// What stood after `bestmove`, for messages.
    pub text: String,
    pub summary: Summary,
    /// From `go`, or `ponderhit`, to `bestmove`, measured by us.
    pub time: Duration,
    /// It thought on the opponent's time: what the summary says counts from then on.
    pub pondered: bool,
    /// We had to say `stop`: the engine passed twice its node or depth limit, or the deadline.
    pub stopped: bool,
    /// Said instead of a move; of xboard engines only.
    pub declined: Option<Declined>,
}

/// What an xboard engine may say instead of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declined {
    /// It gives the game up.
    Resigns,
    /// It calls a move or a position wrong that the rules allow, so that it stands still.
    Refuses,
}

impl Client {
    /// Searches a position. At the deadline, or when the reported nodes or depth pass twice their limit, the engine is
    /// told to `stop`; if it still says nothing it is killed ([`ClientError::TimedOut`]). `on_info` sees every `info`
    /// line that is not free text, with the time since `go`. `isready` is asked first only where something may be left
    /// over from before: after `stop`, a new option, or words that nobody asked for. An engine that ponders on this very
    /// position gets `ponderhit`, and its time begins there; one that ponders on another is stopped first.
    pub fn search(
        &mut self,
        line: &Line,
        limit: &Limit,
        chess960: bool,
        deadline: Duration,
        on_info: &mut dyn FnMut(&Info<'_>, Duration),
    ) -> Result<Reply, ClientError> {
        let mut summary = Summary::default();
        let pondered = self.pondering && self.meets(line, &mut summary)?;
        let mut stopped = false;
        // A year is for ever, and cannot overflow an `Instant`.
        let deadline = deadline.min(Duration::from_secs(365 * 86_400));
        let start = if pondered {
            let start = Instant::now();
            self.send("ponderhit\n", Phase::Search)?;
            start
        } else {
            self.set_chess960(chess960)?;
            self.settle()?;
            self.position.update(line, chess960);
            self.ask("go", limit)?
        };
        let mut until = start + deadline;
        loop {
            let in_time = self.receive(until, Phase::Search)?;
            if in_time && self.line().starts_with("info") {
                if let Some(info) = codec::parse_info(self.line())
                    && info.string.is_none()
                {
                    summary.add(&info);
                    on_info(&info, start.elapsed());
                }
            } else if in_time && let Some(best) = codec::parse_bestmove(self.line()) {
                let time = start.elapsed();
                let (best, ponder, text) = read_bestmove(&best, line.position());
                return Ok(Reply { best, ponder, text, summary, time, pondered, stopped, declined: None });
            }
            if !stopped && (!in_time || passed_twice(limit, &summary)) {
                stopped = true;
                self.doubt();
                until = Instant::now() + self.timeouts().stop;
                self.send("stop\n", Phase::Search)?;
            } else if !in_time {
                return Err(self.timed_out(Phase::Search, start.elapsed()));
            }
        }
    }
}

impl Client {
    /// Sends the position that stands in `position`, and `go` or `go ponder`, in one write: the engine is woken once. The
    /// moment before it.
    pub(super) fn ask(&mut self, go: &str, limit: &Limit) -> Result<Instant, ClientError> {
        let mut text = std::mem::take(&mut self.position.text);
        let position_len = text.len();
        text.push('\n');
        codec::write_go(&mut text, go, limit);
        text.push('\n');
        let start = Instant::now();
        let sent = self.send(&text, Phase::Search);
        text.truncate(position_len);
        self.position.text = text;
        sent.map(|()| start)
    }
}

pub(super) fn passed_twice(limit: &Limit, summary: &Summary) -> bool {
    let passed = |limit: Option<u64>, value: Option<u64>| {
        limit.zip(value).is_some_and(|(limit, value)| value > limit.saturating_mul(2))
    };
    passed(limit.nodes, summary.nodes) || passed(limit.depth.map(u64::from), summary.depth.map(u64::from))
}

/// The move, the ponder move (dropped if it is not legal: it never costs a game), and the text.
fn read_bestmove(said: &codec::BestMove<'_>, position: &Position) -> (Option<Move>, Option<Move>, String) {
    let best = said.best.and_then(|text| uci_move::parse(text, position).ok());
    let ponder = best.zip(said.ponder).and_then(|(best, text)| {
        let mut after = *position;
        after.play_unchecked(best);
        uci_move::parse(text, &after).ok()
    });
    // Only what people need to see.
    let text = if best.is_some() { said.best.unwrap_or_default() } else { said.text };
    (best, ponder, Words::new(text).take(8).collect::<Vec<_>>().join(" ").chars().take(100).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen::CastlingMode;
    use crate::uci::Session;
    use crate::uci::transport::{ScriptedTransport, Step};
    use std::sync::{Arc, Mutex};

    const DEADLINE: Duration = Duration::from_secs(10);

    type Sent = Arc<Mutex<Vec<String>>>;

    /// A client whose engine says these lines after `go`, and these after `stop`.
    fn client(after_go: &'static str, after_stop: &'static str) -> (Client, Sent) {
        let say = |text: &'static str| text.lines().map(Step::say).collect::<Vec<_>>();
        let transport =
            ScriptedTransport::new(move |line| match line.split(' ').next().unwrap_or_default() {
                "uci" => say("option name UCI_Chess960 type check default false\nuciok"),
                "isready" => say("readyok"),
                "go" => say(after_go),
                "stop" => say(after_stop),
                _ => Vec::new(),
            });
        let sent = Arc::clone(&transport.sent);
        (Client::connect("Fake", Box::new(transport), &Session::default()).unwrap(), sent)
    }

    fn search(client: &mut Client, line: &Line, limit: &Limit) -> Result<Reply, ClientError> {
        client.search(line, limit, false, DEADLINE, &mut |_, _| {})
    }

    fn reply(after_go: &'static str) -> Reply {
        search(&mut client(after_go, "").0, &Line::new(Position::startpos()), &Limit::depth(8)).unwrap()
    }

    fn line(start: &str, mode: CastlingMode, moves: &str) -> Line {
        let mut line = Line::new(fen::parse(start, mode).unwrap());
        for text in moves.split_whitespace() {
            line.play(uci_move::parse(text, line.position()).unwrap()).unwrap();
        }
        line
    }

    fn uci(mv: Option<Move>) -> String {
        mv.map(|mv| format!("{mv:?}")).unwrap_or_default()
    }

    /// BR-073.
    #[test]
    fn first_line_of_multipv_counts() {
        let reply = reply(
            "info depth 8 multipv 1 score cp 31 nodes 500 pv e2e4 e7e5\n\
             info depth 8 multipv 2 score cp -12 nodes 500 pv d2d4 d7d5\nbestmove e2e4",
        );
        let summary = &reply.summary;
        assert_eq!(
            (summary.score, summary.depth, summary.pv.as_str()),
            (Some(Score::Cp(31)), Some(8), "e2e4 e7e5")
        );
        assert_eq!((uci(reply.best), summary.nodes), ("e2e4".to_owned(), Some(500)));
    }

    /// BR-074.
    #[test]
    fn info_string_is_not_looked_into() {
        let reply = reply(
            "info depth 5 score cp 12 nodes 77 time 3 pv d2d4\n\
             info string score cp 9999 bestmove e2e4 mate 1\nbestmove d2d4",
        );
        assert_eq!((reply.summary.score, uci(reply.best)), (Some(Score::Cp(12)), "d2d4".to_owned()));
    }

    /// BR-083.
    #[test]
    fn missing_parts() {
        let a = reply("info depth 3 score cp 5 nodes 20\ninfo pv e2e4 e7e5\nbestmove e2e4");
        assert_eq!(
            (a.summary.score, a.summary.depth, uci(a.best)),
            (Some(Score::Cp(5)), Some(3), "e2e4".to_owned())
        );
        assert_eq!(a.summary.pv, "e2e4 e7e5");
        let b = reply("bestmove e2e4");
        assert_eq!((b.summary, uci(b.best)), (Summary::default(), "e2e4".to_owned()));
    }

    /// BR-075.
    #[test]
    fn no_usable_move() {
        for text in
            ["", "  ", " (none)", " <none>", " 0000", " NULL", " a1a1", " e2e4e5", " e2", " e2e5", " e7e5"]
        {
            let said: &'static str = format!("bestmove{text}").leak();
            let reply = reply(said);
            assert_eq!((reply.best, reply.text.as_str()), (None, text.trim()));
        }
    }

    /// BR-079.
    #[test]
    fn forgiven_forms() {
        assert_eq!(
            uci(search(
                &mut client("bestmove e7e6 \r", "").0,
                &line(codec::START_FEN, CastlingMode::Standard, "e2e4"),
                &Limit::depth(1)
            )
            .unwrap()
            .best),
            "e7e6"
        );
        let promotion = line("1B6/p5p1/N4p2/1P6/2p1k3/8/P2R1p2/7K b - - 1 40", CastlingMode::Standard, "");
        let reply =
            search(&mut client("bestmove f2f1Q ponder d2f2", "").0, &promotion, &Limit::depth(1)).unwrap();
        // d2f2 is no legal answer to that check: it is dropped, and costs nothing.
        assert_eq!((uci(reply.best), reply.ponder), ("f2f1q".to_owned(), None));
    }

    #[test]
    fn garbage_around_the_answer() {
        let reply = reply(
            "\u{fffd}\u{0}\nreadyok\ninfo\ninfo depth\nbest move e2e4\nuciok\nid name x\n\ninfo depth 1 score cp 1\n bestmove  e2e4  ponder  e7e5 ",
        );
        assert_eq!(
            (uci(reply.best), uci(reply.ponder), reply.summary.depth),
            ("e2e4".to_owned(), "e7e5".to_owned(), Some(1))
        );
    }

    #[test]
    fn bounds_and_unfinished_iterations_do_not_hide_the_exact_score() {
        let reply = reply(
            "info depth 4 score cp 9 upperbound\ninfo depth 5 seldepth 7 score mate 3 nodes 10 pv e2e4\n\
             info depth 6 score cp 2 lowerbound nodes 90 pv d2d4\ninfo depth 6 currmove e2e4 currmovenumber 1\nbestmove e2e4",
        );
        assert_eq!(
            (reply.summary.depth, reply.summary.score, reply.summary.nodes),
            (Some(5), Some(Score::Mate(3)), Some(90))
        );
        assert_eq!((reply.summary.bound, reply.summary.pv.as_str()), (Bound::Exact, "e2e4"));
    }

    #[test]
    fn an_engine_past_its_limit_is_stopped() {
        let (mut client, sent) = client("info depth 9 score cp 1 nodes 10001", "bestmove e2e4");
        let reply = search(&mut client, &Line::new(Position::startpos()), &Limit::nodes(5000)).unwrap();
        assert!(reply.stopped && reply.best.is_some());
        assert_eq!(sent.lock().unwrap().last().unwrap(), "stop");
    }

    #[test]
    fn a_silent_engine_is_stopped_then_killed() {
        let (mut silent, _) = client("info depth 1 score cp 1", "bestmove e2e4");
        assert!(search(&mut silent, &Line::new(Position::startpos()), &Limit::nodes(5000)).unwrap().stopped);
        let (mut hung, _) = client("", "");
        let error = search(&mut hung, &Line::new(Position::startpos()), &Limit::nodes(5000)).unwrap_err();
        assert!(error.to_string().starts_with("engine Fake: no bestmove after"), "{error}");
        assert!(!hung.is_alive());
    }

    #[test]
    fn a_late_answer_belongs_to_the_search_that_asked() {
        // It answers three times, twice too often.
        let (mut client, _) = client("bestmove e2e4\nbestmove d2d4\nbestmove c2c4", "");
        let game = Line::new(Position::startpos());
        for _ in 0..3 {
            assert_eq!(uci(search(&mut client, &game, &Limit::depth(1)).unwrap().best), "e2e4");
        }
    }

    #[test]
    fn position_lines_grow_with_the_game() {
        let (mut client, sent) = client("bestmove (none)", "");
        let start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for moves in ["", "e1g1", "e1g1 e8c8", "a1b1"] {
            search(&mut client, &line(start, CastlingMode::Standard, moves), &Limit::depth(1)).unwrap();
        }
        let king_takes_rook = line(start, CastlingMode::Standard, "e1g1 e8c8");
        client.search(&king_takes_rook, &Limit::depth(1), true, DEADLINE, &mut |_, _| {}).unwrap();
        search(&mut client, &Line::new(Position::startpos()), &Limit::depth(1)).unwrap();
        let sent = sent.lock().unwrap();
        let told: Vec<&str> = sent
            .iter()
            .map(String::as_str)
            .filter(|line| line.starts_with("position") || line.starts_with("seto"))
            .collect();
        let expected = [
            "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1",
            "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8",
            "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves a1b1",
            "setoption name UCI_Chess960 value true",
            "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1h1 e8a8",
            "setoption name UCI_Chess960 value false",
            "position startpos",
        ];
        assert_eq!(told, expected);
    }
}
