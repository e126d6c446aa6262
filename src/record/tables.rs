//! The rows of a run as CSV, one file per kind (RFC 4180, one observation a row, unit in the column name; names stand in
//! them exactly as given). Optional values that are not known are empty cells. `reports/README.md` describes each column.

use super::*;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::{Display, Write};
use std::fs::File;
use std::path::{Path, PathBuf};

/// CSV files of one run folder, opened as rows of their kind come.
#[derive(Debug)]
pub struct Tables {
    folder: PathBuf,
    files: BTreeMap<&'static str, csv::Writer<File>>,
    /// Number of the match that games and pairs belong to: how many match rows came before them.
    matches: u64,
    /// Cells and the record of a ply: there are too many of them to make each anew.
    cell: String,
    ply: csv::ByteRecord,
}

impl Tables {
    /// All there are.
    pub const FILES: [&str; 19] = [
        "bench.csv",
        "comparisons.csv",
        "compliance.csv",
        "divide.csv",
        "figures.csv",
        "games.csv",
        "matches.csv",
        "pairs.csv",
        "perft.csv",
        "pictures.csv",
        "plies.csv",
        "sliders.csv",
        "speed.csv",
        "standings.csv",
        "study.csv",
        "symmetry.csv",
        "tactics.csv",
        "techniques.csv",
        "verdicts.csv",
    ];
}

type Cells = Vec<String>;

fn known<T: Display>(value: &Option<T>) -> String {
    value.as_ref().map(T::to_string).unwrap_or_default()
}

fn real(value: f64) -> String {
    if value.is_nan() { String::new() } else { value.to_string() }
}

fn known_real(value: Option<f64>) -> String {
    value.map(real).unwrap_or_default()
}

impl Tables {
    /// No file is made before its first row.
    pub fn new(folder: &Path) -> Tables {
        Tables {
            folder: folder.to_owned(),
            files: BTreeMap::new(),
            matches: 0,
            cell: String::new(),
            ply: csv::ByteRecord::new(),
        }
    }

    /// The same in a folder that has files of an earlier, broken off writing: those of kinds that will not come again must
    /// not stay.
    pub fn anew(folder: &Path) -> Tables {
        for name in Tables::FILES {
            // What cannot be removed cannot be made anew either, which is told then.
            let _ = std::fs::remove_file(folder.join(name));
        }
        Tables::new(folder)
    }

    /// Adds one row to the file (games: two files) of its kind.
    pub fn write(&mut self, row: &Row) -> Result<(), StoreError> {
        match row {
            Row::Perft(row) => {
                self.put("perft.csv", PERFT, perft(row))?;
                for (uci, nodes) in &row.divide {
                    let of = [row.suite.clone(), row.id.clone(), row.depth.to_string(), row.counter.clone()];
                    self.put(
                        "divide.csv",
                        DIVIDE,
                        [of.to_vec(), vec![uci.clone(), nodes.to_string()]].concat(),
                    )?;
                }
                Ok(())
            }
            Row::Tactics(row) => self.put("tactics.csv", TACTICS, tactics(row)),
            Row::Symmetry(row) => self.put("symmetry.csv", SYMMETRY, symmetry(row)),
            Row::Bench(row) => self.put("bench.csv", BENCH, bench(row)),
            Row::Speed(row) => self.put("speed.csv", SPEED, speed(row)),
            Row::Comparison(row) => self.put("comparisons.csv", COMPARISONS, comparison(row)),
            Row::Compliance(row) => self.put("compliance.csv", COMPLIANCE, compliance(row)),
            Row::Sliders(row) => self.put("sliders.csv", SLIDERS, sliders(row)),
            Row::Technique(row) => {
                self.put("techniques.csv", TECHNIQUES, technique(row))?;
                for (index, picture) in row.pictures.iter().enumerate() {
                    self.put("pictures.csv", PICTURES, picture_cells(row, index, picture))?;
                }
                Ok(())
            }
            Row::Game(row) => {
                self.put("games.csv", GAMES, game(self.matches, row))?;
                self.plies(row)
            }
            Row::Pair(row) => self.put("pairs.csv", PAIRS, pair(self.matches, row)),
            Row::Match(row) => {
                let cells = match_cells(self.matches, row);
                self.matches += 1;
                self.put("matches.csv", MATCHES, cells)
            }
            Row::Standing(row) => self.put("standings.csv", STANDINGS, standing(row)),
            Row::Study(row) => {
                // A column per factor, named as the factor.
                let factors = row.levels.iter().map(|(factor, _)| factor.as_str());
                let columns: Vec<&str> =
                    ["study", "cell"].into_iter().chain(factors).chain(["metric", "value"]).collect();
                self.put("study.csv", &columns, study(row))
            }
            Row::Verdict(row) => {
                self.put("verdicts.csv", VERDICTS, verdict(row))?;
                for (name, value) in &row.figures {
                    self.put("figures.csv", FIGURES, vec![row.stage.clone(), name.clone(), value.clone()])?;
                }
                Ok(())
            }
        }
    }

    fn plies(&mut self, game: &GameRow) -> Result<(), StoreError> {
        if game.plies.is_empty() {
            return Ok(());
        }
        let Tables { folder, files, matches, cell, ply: record } = self;
        let file = file(files, folder, "plies.csv", PLIES)?;
        for (index, ply) in game.plies.iter().enumerate() {
            record.clear();
            let place = [*matches, game.pair, u64::from(game.game), index as u64 + 1];
            place.into_iter().for_each(|value| push_number(record, cell, Some(value)));
            record.push_field(ply.uci.as_bytes());
            record.push_field(ply.score.as_deref().unwrap_or_default().as_bytes());
            let figures = [ply.depth.map(u64::from), ply.nodes, ply.time_us, ply.clock_us];
            figures.into_iter().for_each(|value| push_number(record, cell, value));
            push_number(record, cell, ply.latency_us);
            let wdl = ply.wdl.map_or([None; 3], |wdl| wdl.map(Some));
            wdl.into_iter().for_each(|value| push_number(record, cell, value));
            record.push_field(if ply.pondered { b"true" } else { b"" });
            file.write_byte_record(record).map_err(|e| StoreError::saying(&folder.join("plies.csv"), e))?;
        }
        Ok(())
    }

    /// Flushes every file.
    pub fn finish(self) -> Result<(), StoreError> {
        for (name, mut file) in self.files {
            file.flush().map_err(|e| StoreError::new(&self.folder.join(name), &e))?;
        }
        Ok(())
    }

    fn put(&mut self, name: &'static str, columns: &[&str], cells: Cells) -> Result<(), StoreError> {
        let file = file(&mut self.files, &self.folder, name, columns)?;
        file.write_record(&cells).map_err(|e| StoreError::saying(&self.folder.join(name), e))
    }
}

/// The file of this name; it is opened and given its header line if it is not open yet.
fn file<'a>(
    files: &'a mut BTreeMap<&'static str, csv::Writer<File>>,
    folder: &Path,
    name: &'static str,
    columns: &[&str],
) -> Result<&'a mut csv::Writer<File>, StoreError> {
    debug_assert!(Tables::FILES.contains(&name), "{name} would outlive its rows");
    match files.entry(name) {
        Entry::Occupied(open) => Ok(open.into_mut()),
        Entry::Vacant(place) => {
            let failed = |e: csv::Error| StoreError::saying(&folder.join(name), e);
            let mut file = csv::Writer::from_path(folder.join(name)).map_err(failed)?;
            file.write_record(columns).map_err(failed)?;
            Ok(place.insert(file))
        }
    }
}

/// A cell by way of a scratch text.
fn push_number(record: &mut csv::ByteRecord, scratch: &mut String, value: Option<impl Display>) {
    scratch.clear();
    if let Some(value) = value {
        // Writing to a String cannot fail.
        let _ = write!(scratch, "{value}");
    }
    record.push_field(scratch.as_bytes());
}

const PERFT: &[&str] = &["suite", "id", "fen", "depth", "counter", "nodes", "expected_nodes", "time_us"];
fn perft(r: &PerftRow) -> Cells {
    vec![
        r.suite.clone(),
        r.id.clone(),
        r.fen.clone(),
        r.depth.to_string(),
        r.counter.clone(),
        r.nodes.to_string(),
        known(&r.expected),
        r.time_us.to_string(),
    ]
}

const DIVIDE: &[&str] = &["suite", "id", "depth", "counter", "move", "nodes"];

const TACTICS: &[&str] = &[
    "suite",
    "id",
    "fen",
    "engine",
    "best",
    "avoid",
    "mate_in_moves",
    "played",
    "solved",
    "points",
    "max_points",
    "depth",
    "score",
    "nodes",
    "time_us",
    "solved_nodes",
    "solved_us",
    "solved_depth",
    "note",
];
fn tactics(r: &TacticsRow) -> Cells {
    vec![
        r.suite.clone(),
        r.id.clone(),
        r.fen.clone(),
        r.engine.clone(),
        r.best.join(" "),
        r.avoid.join(" "),
        known(&r.mate_in),
        known(&r.played),
        known(&r.solved),
        known(&r.points),
        known(&r.max_points),
        known(&r.depth),
        known(&r.score),
        known(&r.nodes),
        r.time_us.to_string(),
        known(&r.solved_nodes),
        known(&r.solved_us),
        known(&r.solved_depth),
        known(&r.note),
    ]
}

const COMPLIANCE: &[&str] = &["engine", "check", "level", "result", "what", "found", "time_us", "exchange"];
fn compliance(r: &ComplianceRow) -> Cells {
    vec![
        r.engine.clone(),
        r.check.clone(),
        r.level.clone(),
        r.result.clone(),
        r.what.clone(),
        r.found.clone(),
        r.time_us.to_string(),
        r.exchange.join("\n"),
    ]
}

const SYMMETRY: &[&str] = &[
    "suite",
    "id",
    "fen",
    "flipped_fen",
    "engine",
    "mode",
    "score",
    "flipped_score",
    "best",
    "flipped_best",
    "different",
];
fn symmetry(r: &SymmetryRow) -> Cells {
    vec![
        r.suite.clone(),
        r.id.clone(),
        r.fen.clone(),
        r.flipped_fen.clone(),
        r.engine.clone(),
        r.mode.clone(),
        r.score.clone(),
        r.flipped_score.clone(),
        known(&r.best),
        known(&r.flipped_best),
        r.different.to_string(),
    ]
}

const BENCH: &[&str] = &[
    "engine",
    "position",
    "fen",
    "depth",
    "nodes",
    "interior_nodes",
    "time_us",
    "score",
    "best",
    "last",
    "broken_off",
];
fn bench(r: &BenchRow) -> Cells {
    vec![
        r.engine.clone(),
        r.position.to_string(),
        r.fen.clone(),
        r.depth.to_string(),
        r.nodes.to_string(),
        known(&r.interior_nodes),
        r.time_us.to_string(),
        known(&r.score),
        known(&r.best),
        r.last.to_string(),
        r.broken_off.to_string(),
    ]
}

const SPEED: &[&str] = &["round", "engine", "place", "searches", "nodes", "cpu_us", "wall_us"];
fn speed(r: &SpeedRow) -> Cells {
    vec![
        r.round.to_string(),
        r.engine.clone(),
        r.place.to_string(),
        r.searches.to_string(),
        r.nodes.to_string(),
        known(&r.cpu_us),
        r.wall_us.to_string(),
    ]
}

const COMPARISONS: &[&str] = &[
    "metric",
    "first",
    "second",
    "pairs",
    "ratio",
    "low",
    "high",
    "p",
    "only_first",
    "only_second",
    "threshold",
    "detectable",
    "verdict",
];
fn comparison(r: &ComparisonRow) -> Cells {
    let mut cells = vec![r.metric.clone(), r.first.clone(), r.second.clone(), r.pairs.to_string()];
    cells.extend([r.ratio, r.low, r.high, r.p].map(known_real));
    cells.extend([0, 1].map(|side| known(&r.only.map(|only| only[side]))));
    cells.extend([r.threshold, r.detectable].map(known_real));
    cells.push(r.verdict.clone());
    cells
}

const SLIDERS: &[&str] =
    &["backend", "metric", "piece", "round", "operations", "time_ns", "table_bytes", "status"];
fn sliders(r: &SlidersRow) -> Cells {
    vec![
        r.backend.clone(),
        r.metric.clone(),
        r.piece.clone(),
        r.round.to_string(),
        r.operations.to_string(),
        r.time_ns.to_string(),
        r.table_bytes.to_string(),
        r.status.clone(),
    ]
}

const TECHNIQUES: &[&str] = &[
    "backend",
    "author",
    "idea",
    "page",
    "needs",
    "supported",
    "table_bytes",
    "setup_us",
    "rook_lines",
    "rook_distinct_lines",
    "bishop_lines",
    "bishop_distinct_lines",
    "queen_lines",
    "queen_distinct_lines",
];
fn technique(r: &TechniqueRow) -> Cells {
    let lines = ["rook", "bishop", "queen"].into_iter().flat_map(|piece| {
        let of_piece = r.lines.iter().find(|lines| lines.piece == piece);
        [known(&of_piece.map(|lines| lines.per_lookup)), known(&of_piece.map(|lines| lines.distinct))]
    });
    let mut cells = vec![
        r.backend.clone(),
        r.author.clone(),
        r.idea.clone(),
        r.page.clone(),
        r.needs.clone(),
        r.supported.to_string(),
        r.table_bytes.to_string(),
        r.setup_us.to_string(),
    ];
    cells.extend(lines);
    cells
}

const PICTURES: &[&str] = &["backend", "picture", "caption", "set", "word", "square", "occupied"];
fn picture_cells(technique: &TechniqueRow, index: usize, r: &PictureRow) -> Cells {
    vec![
        technique.backend.clone(),
        (index + 1).to_string(),
        r.caption.clone(),
        r.set.clone(),
        r.word.to_string(),
        technique.square.clone(),
        technique.occupied.clone(),
    ]
}

const GAMES: &[&str] = &[
    "match",
    "pair",
    "game",
    "white",
    "black",
    "opening",
    "start_fen",
    "chess960",
    "plies",
    "result",
    "reason",
    "termination",
    "white_limit",
    "black_limit",
    "started",
    "duration_us",
    "set_aside",
];
fn game(matches: u64, r: &GameRow) -> Cells {
    vec![
        matches.to_string(),
        r.pair.to_string(),
        r.game.to_string(),
        r.white.clone(),
        r.black.clone(),
        r.opening.clone(),
        r.start_fen.clone(),
        r.chess960.to_string(),
        r.plies.len().to_string(),
        r.result.clone(),
        r.reason.clone(),
        r.termination.clone(),
        r.white_limit.clone(),
        r.black_limit.clone(),
        r.started.clone(),
        r.duration_us.to_string(),
        r.set_aside.to_string(),
    ]
}

const PLIES: &[&str] = &[
    "match",
    "pair",
    "game",
    "ply",
    "move",
    "score",
    "depth",
    "nodes",
    "time_us",
    "clock_us",
    "latency_us",
    "win_permille",
    "draw_permille",
    "loss_permille",
    "pondered",
];

const PAIRS: &[&str] =
    &["match", "pair", "half_points", "wins", "draws", "losses", "ll", "ld", "dd_wl", "wd", "ww", "llr"];
fn pair(matches: u64, r: &PairRow) -> Cells {
    let mut cells: Cells = [matches, r.pair, u64::from(r.half_points), r.wins, r.draws, r.losses]
        .iter()
        .map(u64::to_string)
        .collect();
    cells.extend(r.penta.iter().map(u64::to_string));
    cells.push(known_real(r.llr));
    cells
}

const MATCHES: &[&str] = &[
    "match",
    "name",
    "first",
    "second",
    "wins",
    "draws",
    "losses",
    "ll",
    "ld",
    "dd_wl",
    "wd",
    "ww",
    "elo",
    "elo_low",
    "elo_high",
    "interval",
    "los",
    "nelo",
    "sprt_verdict",
    "sprt_model",
    "elo0",
    "elo1",
    "alpha",
    "beta",
    "llr",
    "llr_lower",
    "llr_upper",
    "unbiased_elo",
    "unbiased_low",
    "unbiased_high",
    "invalid",
    "first_latency_p50_us",
    "first_latency_p95_us",
    "first_latency_p99_us",
    "first_latency_max_us",
    "second_latency_p50_us",
    "second_latency_p95_us",
    "second_latency_p99_us",
    "second_latency_max_us",
];
fn match_cells(number: u64, r: &MatchRow) -> Cells {
    let mut cells = vec![number.to_string(), r.name.clone(), r.first.clone(), r.second.clone()];
    cells.extend([r.wins, r.draws, r.losses].iter().chain(&r.penta).map(u64::to_string));
    cells.extend([r.elo, r.elo_low, r.elo_high].map(known_real));
    cells.push(r.interval.clone());
    cells.extend([r.los, r.nelo].map(known_real));
    match &r.sprt {
        Some(s) => {
            cells.extend([s.verdict.clone(), s.model.clone()]);
            cells.extend([s.elo0, s.elo1, s.alpha, s.beta, s.llr, s.lower, s.upper].map(real));
            cells.extend([s.unbiased, s.unbiased_low, s.unbiased_high].map(known_real));
        }
        None => cells.extend(std::iter::repeat_n(String::new(), 12)),
    }
    cells.push(known(&r.invalid));
    for latency in &r.latency {
        let figure = |of: fn(&Latency) -> u64| known(&latency.as_ref().map(of));
        cells.extend([
            figure(|l| l.p50_us),
            figure(|l| l.p95_us),
            figure(|l| l.p99_us),
            figure(|l| l.max_us),
        ]);
    }
    cells
}

const STANDINGS: &[&str] = &[
    "rank",
    "engine",
    "group",
    "elo",
    "elo_low",
    "elo_high",
    "interval",
    "games",
    "points",
    "wins",
    "draws",
    "losses",
    "byes",
    "sonneborn_berger",
    "lost_in_round",
];
fn standing(r: &StandingRow) -> Cells {
    let mut cells = vec![r.rank.to_string(), r.engine.clone(), r.group.to_string()];
    cells.extend([r.elo, r.elo_low, r.elo_high].map(known_real));
    cells.extend([r.interval.clone(), r.games.to_string(), real(r.points())]);
    cells.extend([r.wins, r.draws, r.losses, r.byes].map(|count| count.to_string()));
    cells.extend([real(r.sonneborn_berger), known(&r.lost_in_round)]);
    cells
}

fn study(r: &StudyRow) -> Cells {
    let mut cells = vec![r.study.clone(), r.cell.to_string()];
    cells.extend(r.levels.iter().map(|(_, level)| level.clone()));
    cells.extend([r.metric.clone(), real(r.value)]);
    cells
}

const VERDICTS: &[&str] = &["stage", "status", "summary", "checks", "failed", "time_ms", "meaning"];
fn verdict(r: &Verdict) -> Cells {
    let status = match r.status {
        Status::Pass => "pass",
        Status::Fail => "fail",
        Status::Inconclusive => "inconclusive",
        Status::Info => "info",
    };
    vec![
        r.stage.clone(),
        status.to_owned(),
        r.summary.clone(),
        r.checks.to_string(),
        r.failed.to_string(),
        r.time_ms.to_string(),
        r.meaning.clone(),
    ]
}

const FIGURES: &[&str] = &["stage", "figure", "value"];
