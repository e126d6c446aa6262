//! The rows of a run, one kind per thing measured. Optional fields are "not known" and empty in CSV.

use super::{Short, number};
use serde::{Deserialize, Serialize};

/// One row of any kind: what `rows.jsonl` holds, one JSON object per line, `kind` first.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(clippy::large_enum_variant, reason = "rows are handed on one by one; only a few are kept")]
pub enum Row {
    Perft(PerftRow),
    Tactics(TacticsRow),
    Symmetry(SymmetryRow),
    Bench(BenchRow),
    Speed(SpeedRow),
    Comparison(ComparisonRow),
    Compliance(ComplianceRow),
    Sliders(SlidersRow),
    Technique(TechniqueRow),
    Game(GameRow),
    Pair(PairRow),
    Match(MatchRow),
    Standing(StandingRow),
    Study(StudyRow),
    Verdict(Verdict),
}

/// One perft count.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PerftRow {
    /// File name of the suite, or `-` for a single position.
    pub suite: String,
    /// The position's id, or its line number.
    pub id: String,
    pub fen: String,
    pub depth: u32,
    /// Who counted: a generator id, or an engine's name.
    pub counter: String,
    pub nodes: u64,
    /// What the suite says.
    pub expected: Option<u64>,
    pub time_us: u64,
    /// Root move (UCI form) and its count; only where asked for or where the count is wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub divide: Vec<(String, u64)>,
}

/// One test position given to one engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TacticsRow {
    pub suite: String,
    pub id: String,
    pub fen: String,
    pub engine: String,
    /// Expected moves in UCI form; both empty and `mate_in` none: shown, not scored.
    pub best: Vec<String>,
    pub avoid: Vec<String>,
    /// `dm`: mate in this many moves.
    pub mate_in: Option<u32>,
    /// The engine's move; none if it gave no usable one.
    pub played: Option<String>,
    /// None = shown, not scored.
    pub solved: Option<bool>,
    /// Points by the suite's table of moves (STS) and the most that could be had.
    pub points: Option<u32>,
    pub max_points: Option<u32>,
    pub depth: Option<u32>,
    pub score: Option<String>,
    pub nodes: Option<u64>,
    pub time_us: u64,
    /// When the final move first stood without changing again: nodes and time.
    pub solved_nodes: Option<u64>,
    pub solved_us: Option<u64>,
    /// The iteration in which it did.
    #[serde(default)]
    pub solved_depth: Option<u32>,
    /// What went wrong with this search, if anything (`limit not obeyed`, `engine died`, …).
    pub note: Option<String>,
}

impl TacticsRow {
    /// False of a position without a task, which is only shown.
    pub fn is_scored(&self) -> bool {
        !self.best.is_empty() || !self.avoid.is_empty() || self.mate_in.is_some()
    }
}

/// One position and its colour-flipped twin.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SymmetryRow {
    pub suite: String,
    pub id: String,
    pub fen: String,
    pub flipped_fen: String,
    pub engine: String,
    /// `eval` (static) or `depth N`.
    pub mode: String,
    /// From the side to move's view, so equal where the engine is symmetric. cp, or `+M3`.
    pub score: String,
    pub flipped_score: String,
    /// Best moves of a search, UCI form; the second one is flipped back.
    pub best: Option<String>,
    pub flipped_best: Option<String>,
    pub different: bool,
}

/// One iteration (`depth`) of one bench position; the last row of a position is flagged.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BenchRow {
    pub engine: String,
    pub position: u32,
    pub fen: String,
    pub depth: u32,
    /// Nodes from the start of the search to the end of this iteration.
    pub nodes: u64,
    /// Interior nodes (those that made a move) so far; none for UCI engines.
    pub interior_nodes: Option<u64>,
    pub time_us: u64,
    pub score: Option<String>,
    pub best: Option<String>,
    pub last: bool,
    /// True if the limit ended the search within this depth: counts for the signature, not for branching factors.
    #[serde(default)]
    pub broken_off: bool,
}

/// One process of one engine in a comparison of speeds: one sample, however long it ran.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SpeedRow {
    /// From 1. The processes of a round ran side by side, one searching at a time: they may be compared as a pair.
    pub round: u32,
    pub engine: String,
    /// 1: started first, and first in the first position; then they took turns.
    pub place: u32,
    /// Searches counted; the first one, to warm up, is not.
    pub searches: u64,
    /// 0: the engine's counts contradict each other.
    pub nodes: u64,
    /// Processor time of the searches, user and system, all threads; none where the system does not tell.
    pub cpu_us: Option<u64>,
    pub wall_us: u64,
}

/// Two engines compared in one respect, by pairs of what both did.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ComparisonRow {
    /// One of the constants below.
    pub metric: String,
    pub first: String,
    pub second: String,
    pub pairs: u64,
    /// First over second, with its 95 % interval; of speeds 2 = twice as fast.
    #[serde(default, with = "number::option")]
    pub ratio: Option<f64>,
    #[serde(default, with = "number::option")]
    pub low: Option<f64>,
    #[serde(default, with = "number::option")]
    pub high: Option<f64>,
    /// Two-sided p of no difference.
    #[serde(default, with = "number::option")]
    pub p: Option<f64>,
    /// How many were only the first's, only the second's; where that is what is compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<[u64; 2]>,
    /// The margin within which a ratio counts as none: 0.01 = from 0.99 to 1.01.
    #[serde(default, with = "number::option")]
    pub threshold: Option<f64>,
    /// The least change beyond the margin that is found in four of five such runs: 0.02 = 2 %.
    #[serde(default, with = "number::option")]
    pub detectable: Option<f64>,
    /// `faster`, `slower`, `same`, `unclear`; empty where nothing is judged.
    #[serde(default)]
    pub verdict: String,
}

impl ComparisonRow {
    /// Speed by processor time, which is what is judged, and by the clock on the wall, which stands beside it.
    pub const SPEED: &'static str = "speed";
    pub const SPEED_WALL: &'static str = "speed-wall";
    /// Test positions that only one of the two solved, and McNemar's exact p.
    pub const SOLVED: &'static str = "solved";
    /// Nodes and time until the final move stood, over the positions that both solved: geometric mean of the ratios and
    /// Student's interval.
    pub const NODES_TO_SOLUTION: &'static str = "nodes-to-solution";
    pub const TIME_TO_SOLUTION: &'static str = "time-to-solution";
}

/// One check of whether an engine keeps to its protocol.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ComplianceRow {
    pub engine: String,
    /// The check's id.
    pub check: String,
    /// `must`, `should` or `info`.
    pub level: String,
    /// `pass`, `fail`, `warn` (a `should` that failed and does not count), `note` (an `info` that failed), `skip`.
    pub result: String,
    /// What is right, as a sentence.
    pub what: String,
    /// What was found, or why it was skipped.
    pub found: String,
    pub time_us: u64,
    /// The conversation of a check that did not pass: `> ` to the engine, `< ` from it, `! ` what became of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exchange: Vec<String>,
}

/// One timed round of one slider backend.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SlidersRow {
    pub backend: String,
    /// `throughput`, `latency`, `perft`, `search`, …
    pub metric: String,
    /// `rook`, `bishop`, `queen`, or `-`.
    pub piece: String,
    pub round: u32,
    /// Lookups, nodes, … done in this round.
    pub operations: u64,
    pub time_ns: u64,
    pub table_bytes: u64,
    /// `verified`, `failed`, `unsupported`; only verified backends are timed (others: operations = 0).
    pub status: String,
}

impl SlidersRow {
    /// What stands for the backend in rows of a loop that looks nothing up; its time is part of the others'.
    pub const EMPTY_LOOP: &'static str = "empty-loop";
    /// What stands for the backend in rows of a lookup that reads one cache line and does nothing else.
    pub const ONE_LINE: &'static str = "one-line";
    /// The metrics it is timed in: the difference of the two, in its units, is how many misses a lookup waits for.
    pub const MISSES: [&'static str; 2] = ["latency", "cold"];
    /// The backend that speeds are given relative to, where it was timed; else the fastest.
    pub const REFERENCE: &'static str = "pext";
    /// The order in which metrics and pieces are shown.
    pub const METRICS: [&'static str; 9] =
        ["throughput", "random", "latency", "cold", "walk", "batch", "batch-api", "perft", "search"];
    pub const PIECES: [&'static str; 4] = ["rook", "bishop", "queen", "-"];
}

/// How much of a slider backend's tables the lookups of one piece touch, over the squares and occupancies of games.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct LinesRow {
    /// `rook`, `bishop`, `queen`.
    pub piece: String,
    /// Mean number of 64-byte cache lines that a lookup reads.
    pub per_lookup: f64,
    /// Cache lines that at least one lookup reads: the working set.
    pub distinct: u64,
}

/// What a slider backend is, before it is timed; once per backend.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TechniqueRow {
    pub backend: String,
    /// Who found it; `-` where nobody did.
    pub author: String,
    /// One line: how it works.
    pub idea: String,
    /// The page that describes it.
    pub page: String,
    /// The instructions it stands on; `-` for none.
    pub needs: String,
    /// Whether the processor had them. Where not, no tables were made and there are no pictures.
    pub supported: bool,
    /// Size of the tables that a lookup may read.
    pub table_bytes: u64,
    /// Time to make the tables the first time. Tables that the compiler made, or a technique before this one, take none.
    pub setup_us: u64,
    /// What rook, bishop and queen touch of the tables; empty where not supported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<LinesRow>,
    /// The slider's square in the pictures, as `d4`, and all occupied squares, 16 hex digits.
    #[serde(default)]
    pub square: String,
    #[serde(default)]
    pub occupied: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<PictureRow>,
}

/// A step of a slider technique as a set of squares.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PictureRow {
    pub caption: String,
    /// 64 bits as 16 hex digits, bit 0 = a1.
    pub set: String,
    /// A word whose bits are not the squares of the board (turned, multiplied, an index): pieces do not belong on it.
    #[serde(default)]
    pub word: bool,
}

/// One ply of a game as its mover saw it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PlyRow {
    /// UCI form (castling as `e1g1`, or king takes rook in Chess960).
    #[serde(rename = "m")]
    pub uci: Short<7>,
    /// Mover's view: centipawns as `31`, mates as `M5`, `-M2`; none for book moves or if the engine gave none.
    #[serde(rename = "s", skip_serializing_if = "Option::is_none", default)]
    pub score: Option<Short<11>>,
    #[serde(rename = "d", skip_serializing_if = "Option::is_none", default)]
    pub depth: Option<u32>,
    #[serde(rename = "n", skip_serializing_if = "Option::is_none", default)]
    pub nodes: Option<u64>,
    /// Time measured by us; none for book moves.
    #[serde(rename = "t", skip_serializing_if = "Option::is_none", default)]
    pub time_us: Option<u64>,
    /// The mover's clock after the move, where there is one.
    #[serde(rename = "c", skip_serializing_if = "Option::is_none", default)]
    pub clock_us: Option<u64>,
    /// Time measured by us less that reported by an engine in another process.
    #[serde(rename = "l", skip_serializing_if = "Option::is_none", default)]
    pub latency_us: Option<i64>,
    /// Per mille that the engine expects to win, draw and lose; of engines that tell (`option.UCI_ShowWDL=true`).
    #[serde(rename = "w", skip_serializing_if = "Option::is_none", default)]
    pub wdl: Option<[u32; 3]>,
    /// It had thought on its opponent's time: its nodes count from there, its time from the opponent's move.
    #[serde(rename = "p", skip_serializing_if = "is_false", default)]
    pub pondered: bool,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// One finished game.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct GameRow {
    /// Of a tournament, from 1; none in a match of two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// Pair number, from 0, and game within it: 0 or 1.
    pub pair: u64,
    pub game: u32,
    pub white: String,
    pub black: String,
    pub opening: String,
    pub start_fen: String,
    pub chess960: bool,
    pub plies: Vec<PlyRow>,
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` (never counted).
    pub result: String,
    /// For people: `white mates`, `draw by threefold repetition`, `black loses on time`, …
    pub reason: String,
    /// PGN's Termination: `normal`, `adjudication`, `time forfeit`, `rules infraction`, `abandoned`, `unterminated`.
    pub termination: String,
    /// The limit or time control of each side, as text.
    pub white_limit: String,
    pub black_limit: String,
    /// UTC, RFC 3339.
    pub started: String,
    pub duration_us: u64,
    /// True for games finished after the stop: kept, not counted.
    #[serde(default)]
    pub set_aside: bool,
    /// Searches of White and of Black that did not keep to their limit.
    #[serde(default, skip_serializing_if = "is_none_of_both")]
    pub disobeyed: [u64; 2],
}

fn is_none_of_both(counts: &[u64; 2]) -> bool {
    *counts == [0; 2]
}

/// The state of a two-engine match after a committed pair. Games and pairs stand before the [`MatchRow`] of their match:
/// those between two match rows belong to the second one.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PairRow {
    pub pair: u64,
    /// First engine's points in this pair, in half points: 0 to 4.
    pub half_points: u32,
    /// Totals so far, first engine's view.
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// LL, LD, DD+WL, WD, WW.
    pub penta: [u64; 5],
    /// Only for SPRT.
    #[serde(default, with = "number::option")]
    pub llr: Option<f64>,
}

/// The outcome of a match of two engines.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MatchRow {
    /// What the match is, e.g. `depth 5 v depth 4`; empty for a plain match.
    pub name: String,
    /// Of the tournament that this is an encounter of, from 1; none otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    pub first: String,
    pub second: String,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub penta: [u64; 5],
    #[serde(default, with = "number::option")]
    pub elo: Option<f64>,
    #[serde(default, with = "number::option")]
    pub elo_low: Option<f64>,
    #[serde(default, with = "number::option")]
    pub elo_high: Option<f64>,
    /// `normal` or `profile`.
    pub interval: String,
    #[serde(default, with = "number::option")]
    pub los: Option<f64>,
    #[serde(default, with = "number::option")]
    pub nelo: Option<f64>,
    pub sprt: Option<SprtOutcome>,
    /// Why the figures are not valid, if they are not.
    pub invalid: Option<String>,
    /// Of the first and of the second engine, over the counted games: measured time less reported time of each move. None of an
    /// embedded engine, or one that reports no time.
    #[serde(default)]
    pub latency: [Option<Latency>; 2],
}

/// An engine's place in a tournament. The rows stand behind all others of it, best first.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct StandingRow {
    /// From 1; shared by those whom nothing tells apart.
    pub rank: u64,
    pub engine: String,
    /// Engines of one group can be compared by Elo, others cannot: no results link them both ways.
    pub group: u64,
    /// Joint rating, with mean 0 in its group, and its 95 % interval; none of an engine that is alone in its group.
    #[serde(default, with = "number::option")]
    pub elo: Option<f64>,
    #[serde(default, with = "number::option")]
    pub elo_low: Option<f64>,
    #[serde(default, with = "number::option")]
    pub elo_high: Option<f64>,
    /// What the interval is made from: `clustered` (pairs of games) or `information` (single games).
    pub interval: String,
    pub games: u64,
    /// Of games and byes, in half points.
    pub half_points: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Rounds of a Swiss without an opponent, counted as won.
    #[serde(default)]
    pub byes: u64,
    /// Sonneborn-Berger: sum of defeated opponents' points and half of the drawn ones', game by game.
    #[serde(with = "number")]
    pub sonneborn_berger: f64,
    /// Of a knockout: the round it lost; none for the winner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost_in_round: Option<u32>,
}

impl StandingRow {
    pub fn points(&self) -> f64 {
        0.5 * self.half_points as f64
    }
}

/// Delays as percentiles (to the next 9 %).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Latency {
    pub samples: u64,
    pub p50_us: u64,
    pub p95_us: u64,
    pub p99_us: u64,
    pub max_us: u64,
}

/// How an SPRT ended.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SprtOutcome {
    /// `H1`, `H0`, `undecided`.
    pub verdict: String,
    pub model: String,
    #[serde(with = "number")]
    pub elo0: f64,
    #[serde(with = "number")]
    pub elo1: f64,
    #[serde(with = "number")]
    pub alpha: f64,
    #[serde(with = "number")]
    pub beta: f64,
    #[serde(with = "number")]
    pub llr: f64,
    #[serde(with = "number")]
    pub lower: f64,
    #[serde(with = "number")]
    pub upper: f64,
    /// Median-unbiased Elo at the stop and its 95 % interval.
    #[serde(default, with = "number::option")]
    pub unbiased: Option<f64>,
    #[serde(default, with = "number::option")]
    pub unbiased_low: Option<f64>,
    #[serde(default, with = "number::option")]
    pub unbiased_high: Option<f64>,
}

/// One metric of one cell of a study: one level of each factor.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct StudyRow {
    /// The study's name.
    pub study: String,
    /// Number of the cell, from 0.
    pub cell: u64,
    /// Factor and level, in the order of the study; the same factors in all rows of a study.
    pub levels: Vec<(String, String)>,
    /// What was measured, with its unit where it has one.
    pub metric: String,
    #[serde(with = "number")]
    pub value: f64,
}

/// One checked thing of a run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Verdict {
    /// The stage: `perft`, `tactics`, …
    pub stage: String,
    pub status: Status,
    /// One line for people: what was found.
    pub summary: String,
    /// How many single checks stand behind it, and how many of them failed.
    pub checks: u64,
    pub failed: u64,
    /// Figures worth a table cell: name (with unit) and value as text.
    #[serde(default)]
    pub figures: Vec<(String, String)>,
    /// What that means for who made the change, and what to do; empty where the summary says it all.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub meaning: String,
    pub time_ms: u64,
}

/// What a stage says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    Pass,
    Fail,
    Inconclusive,
    /// Measured and shown; nothing to pass or fail.
    #[default]
    Info,
}

impl Status {
    /// For people who look for what failed.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Status::Pass => "PASS",
            Status::Fail => "FAIL",
            Status::Inconclusive => "inconclusive",
            Status::Info => "measured",
        }
    }
}
