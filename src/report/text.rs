//! What a person reads in the terminal at the end of a run: warnings, then one table per kind of row. Control characters in
//! names are shown as `·`, so that no name can steer the terminal.

use super::chosen::is_abnormal;
use super::contest::Games;
use super::digest::Digest;
use super::doubts;
use super::figures::*;
use super::grouped::grouped;
use super::standing::{self, Met, Score};
use super::tournament::{self, CrossTable};
use crate::record::{Cost, Header, MatchRow, Row, Status, Verdict};
use comfy_table::presets::NOTHING;
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table};
use std::fmt::Write;

/// No more failed positions or wrong counts than this; the rest stands in the report.
const MOST_FAILURES: usize = 12;

/// Plies from which it is worth saying what they cost.
const ENOUGH_PLIES: u64 = 1000;

/// Backends that are listed where they are one stage among others.
const MOST_BACKENDS: usize = 10;

/// Engines up to which a cross table has room, and encounters that are listed one by one.
const MOST_IN_CROSS_TABLE: usize = 12;
const MOST_ENCOUNTERS: usize = 32;

/// The summary of a run, without its last line. `width`: columns of the terminal, if there is one.
pub fn summary(header: &Header, rows: &[Row], width: Option<u16>) -> String {
    of(header, &Digest::of(rows), width)
}

/// The same of a digest.
pub fn of(header: &Header, digest: &Digest, width: Option<u16>) -> String {
    let mut page = Page { text: String::new(), width: width.unwrap_or(110).max(40) };
    for warning in doubts::warnings(header, digest) {
        let _ = writeln!(page.text, "warning: {}", clean(&warning));
    }
    perft(&mut page, digest);
    tactics(&mut page, digest);
    symmetry(&mut page, digest);
    bench(&mut page, digest);
    speed(&mut page, digest);
    comparisons(&mut page, digest);
    compliance(&mut page, digest);
    sliders(&mut page, digest);
    studies(&mut page, digest);
    contests(&mut page, digest);
    tournament(&mut page, digest);
    if let Some(cost) = header.cost.as_ref().filter(|cost| cost.plies >= ENOUGH_PLIES) {
        page.line(&cost_line(cost));
    }
    verdicts(&mut page, digest);
    page.text.trim_matches('\n').to_owned()
}

/// How games stand that are still being played: a line for a match of two, for more the cross table and the standings.
pub fn so_far(score: &Score, width: Option<u16>) -> Option<String> {
    let matches = score.matches();
    let mut page = Page { text: String::new(), width: width.unwrap_or(110).max(40) };
    match matches.as_slice() {
        [] => return None,
        [Met { row: m, .. }] if m.round.is_none() => {
            let llr = score.llr().map(|llr| format!("  LLR {}", fixed(llr, 2))).unwrap_or_default();
            let _ = writeln!(
                page.text,
                "{} games: +{} ={} -{}  pairs {}  Elo {} ({})  LOS {}{llr}",
                m.wins + m.draws + m.losses,
                m.wins,
                m.draws,
                m.losses,
                m.penta.map(|n| n.to_string()).join(" "),
                maybe_signed(m.elo, 1),
                interval(m.elo_low, m.elo_high, 1),
                m.los.map_or(NONE.to_owned(), |los| fixed(100.0 * los, 1) + " %"),
            );
        }
        several => {
            let encounters: Vec<&MatchRow> = several.iter().map(|met| &met.row).collect();
            let rows = standing::standings(several);
            let digest = Digest { standings: rows.iter().collect(), ..Digest::default() };
            cross_table(&mut page, &digest, &encounters);
            standings(&mut page, &digest);
        }
    }
    Some(page.text.trim_matches('\n').to_owned())
}

struct Page {
    text: String,
    width: u16,
}

impl Page {
    /// A heading and a table. Columns whose heading begins with `>` are aligned to the right.
    fn table(&mut self, title: &str, headings: &[&str], rows: Vec<Vec<String>>) {
        if rows.is_empty() {
            return;
        }
        let mut table = Table::new();
        table
            .load_style(NOTHING)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(self.width)
            .force_no_tty();
        table.set_header(headings.iter().map(|h| h.trim_start_matches('>')));
        for row in rows {
            table.add_row(row.into_iter().map(|cell| Cell::new(clean(&cell))));
        }
        for (index, heading) in headings.iter().enumerate() {
            if let Some(column) = table.column_mut(index) {
                column.set_padding((if index == 0 { 2 } else { 0 }, 2));
                if heading.starts_with('>') {
                    column.set_cell_alignment(CellAlignment::Right);
                }
            }
        }
        let _ = write!(self.text, "\n{title}\n{}\n", table.trim_fmt());
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "  {}", clean(line));
    }
}

/// Without control characters.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '·' } else { c }).collect()
}

fn perft(page: &mut Page, digest: &Digest) {
    let groups = digest.perft_groups();
    let rows = groups.iter().map(|g| {
        let wrong = if g.checked == 0 { NONE.to_owned() } else { count(g.wrong.len() as u64) };
        let speed = rate(g.nodes, g.time_us).map_or(NONE.to_owned(), short);
        vec![
            g.suite.to_owned(),
            g.counter.to_owned(),
            count(g.positions as u64),
            count(g.counts as u64),
            wrong,
            g.deepest.to_string(),
            count(g.nodes),
            duration_us(g.time_us),
            speed,
        ]
    });
    let headings =
        ["suite", "counted by", ">positions", ">counts", ">wrong", ">deepest", ">nodes", ">time", ">nodes/s"];
    page.table("Perft", &headings, rows.collect());
    let wrong: Vec<_> = groups.iter().flat_map(|g| g.wrong.iter()).collect();
    for row in wrong.iter().take(MOST_FAILURES) {
        let expected = row.expected.unwrap_or(0);
        page.line(&format!(
            "WRONG {} {} depth {}: counted {}, expected {}   {}",
            row.suite,
            row.id,
            row.depth,
            count(row.nodes),
            count(expected),
            row.fen
        ));
    }
    more(page, wrong.len());
}

fn more(page: &mut Page, all: usize) {
    if all > MOST_FAILURES {
        page.line(&format!("… and {} more, in the report", all - MOST_FAILURES));
    }
}

fn tactics(page: &mut Page, digest: &Digest) {
    let groups = digest.tactics_groups();
    let rows = groups.iter().map(|g| {
        let interval = wilson(g.solved, g.scored)
            .map_or(NONE.to_owned(), |(l, h)| format!("{} … {} %", fixed(l * 100.0, 1), fixed(h * 100.0, 1)));
        vec![
            g.suite.to_owned(),
            g.engine.to_owned(),
            if g.scored == 0 { "shown only".to_owned() } else { format!("{} of {}", g.solved, g.scored) },
            percent(g.solved, g.scored),
            interval,
            g.points.map_or(NONE.to_owned(), |(had, most)| format!("{had}/{most}")),
            short(g.nodes as f64),
            duration_us(g.time_us),
        ]
    });
    let headings = ["suite", "engine", ">solved", ">share", ">95 % interval", ">points", ">nodes", ">time"];
    page.table("Test positions", &headings, rows.collect());
}

fn symmetry(page: &mut Page, digest: &Digest) {
    let groups = digest.symmetry_groups();
    let rows = groups.iter().map(|g| {
        vec![g.engine.to_owned(), g.mode.to_owned(), count(g.positions), count(g.different.len() as u64)]
    });
    page.table("Colour-flip symmetry", &["engine", "compared", ">positions", ">different"], rows.collect());
    let different: Vec<_> = groups.iter().flat_map(|g| g.different.iter()).collect();
    for row in different.iter().take(MOST_FAILURES) {
        let (score, flipped) = (score_text(&row.score), score_text(&row.flipped_score));
        page.line(&format!("DIFFERENT {}: {score} and {flipped} flipped   {}", row.id, row.fen));
    }
    more(page, different.len());
}

fn bench(page: &mut Page, digest: &Digest) {
    let rows = digest.bench_groups().into_iter().map(|g| {
        let ebf = match g.ebf_interval {
            Some((low, high)) => format!("{} ({} … {})", maybe(g.ebf, 3), fixed(low, 2), fixed(high, 2)),
            None => maybe(g.ebf, 3),
        };
        vec![
            g.engine.to_owned(),
            count(g.positions),
            g.signature.to_string(),
            rate(g.signature, g.time_us).map_or(NONE.to_owned(), short),
            ebf,
            maybe(g.mbf, 3),
            g.by_depth.last().map_or(NONE.to_owned(), |d| d.0.to_string()),
            duration_us(g.time_us),
        ]
    });
    let headings =
        ["engine", ">positions", ">signature", ">nodes/s", ">EBF (95 %)", ">MBF", ">full depth", ">time"];
    page.table("Bench", &headings, rows.collect());
}

/// The processes of each engine in a comparison of speeds.
fn speed(page: &mut Page, digest: &Digest) {
    let rows = digest.speed_groups().into_iter().map(|g| {
        let rate = |spread: Option<Spread>| {
            spread.map_or(NONE.to_owned(), |s| {
                format!("{} ({} … {})", short(s.median), short(s.min), short(s.max))
            })
        };
        let nodes = g.nodes.map_or("differ".to_owned(), count);
        vec![g.engine.to_owned(), g.processes.to_string(), nodes, rate(g.by_cpu), rate(g.by_wall)]
    });
    let headings =
        ["engine", ">processes", ">nodes each", ">nodes/s of CPU, median (range)", ">of the wall clock"];
    page.table("Speed", &headings, rows.collect());
}

fn comparisons(page: &mut Page, digest: &Digest) {
    let rows = digest.comparisons.iter().map(|c| {
        vec![
            c.metric.clone(),
            c.first.clone(),
            c.second.clone(),
            c.pairs.to_string(),
            c.only.map_or_else(|| maybe(c.ratio, 4), |[first, second]| format!("{first} : {second}")),
            ends(c.low, c.high, 4),
            maybe(c.p, 4),
            if c.verdict.is_empty() { "-".to_owned() } else { c.verdict.clone() },
        ]
    });
    let headings = ["compared", "first", "second", ">pairs", ">ratio", ">95 % interval", ">p", "verdict"];
    page.table("Comparisons (first over second)", &headings, rows.collect());
}

/// What did not pass, with the lines that show it; what was skipped; how many passed.
fn compliance(page: &mut Page, digest: &Digest) {
    for (engine, rows) in grouped(&digest.compliance, |row| row.engine.as_str()) {
        let passed = rows.iter().filter(|row| row.result == "pass").count();
        let _ = writeln!(
            page.text,
            "\nCompliance of {}: {passed} of {} checks passed",
            clean(engine),
            rows.len()
        );
        for row in rows.iter().filter(|row| row.result != "pass") {
            let found = if row.found.is_empty() { String::new() } else { format!(": {}", row.found) };
            page.line(&format!(
                "{:4} {} ({}): {}{found}",
                row.result.to_uppercase(),
                row.check,
                row.level,
                row.what
            ));
            // The whole of it stands in the report.
            let (first, last) = (4, row.exchange.len().saturating_sub(8));
            for (index, line) in row.exchange.iter().enumerate() {
                match index {
                    _ if index < first || index >= last => page.line(&format!("       {line}")),
                    _ if index == first => page.line("       …"),
                    _ => {}
                }
            }
        }
    }
}

fn sliders(page: &mut Page, digest: &Digest) {
    let groups = digest.slider_groups();
    // Rook and bishop stand in the report; the queen is their sum.
    let queens = groups.iter().any(|g| g.piece == "queen");
    for g in groups.iter().filter(|g| !queens || !matches!(g.piece, "rook" | "bishop")) {
        let shown = if digest.verdicts.len() > 1 { MOST_BACKENDS } else { usize::MAX };
        let rows = g.backends.iter().take(shown).map(|b| {
            vec![
                b.ranked.rank.to_string(),
                b.backend.to_owned(),
                fixed(1e3 / b.ns.median, 1),
                fixed(b.ns.median, 2),
                fixed(b.ranked.speed, 3),
                format!("{} … {}", fixed(b.ranked.low, 3), fixed(b.ranked.high, 3)),
                bytes(b.table_bytes),
            ]
        });
        let piece = if g.piece == "-" { String::new() } else { format!(", {}", g.piece) };
        let title = format!("Slider backends: {}{piece} (median of {} rounds)", clean(g.metric), g.rounds);
        let speed = format!(">speed / {}", g.reference);
        let headings = [">rank", "backend", ">million/s", ">ns", &speed, ">95 %", ">tables"];
        page.table(&title, &headings, rows.collect());
        if g.backends.len() > shown {
            page.line(&format!("{} more in the report", g.backends.len() - shown));
        }
    }
    for (backend, _, status) in digest.slider_backends() {
        if status != "verified" {
            page.line(&format!("{} {backend}", if status == "failed" { "FAILED" } else { status }));
        }
    }
}

fn studies(page: &mut Page, digest: &Digest) {
    for group in digest.study_groups() {
        let metrics: Vec<String> = group.metrics.iter().map(|metric| format!(">{metric}")).collect();
        let headings: Vec<&str> =
            group.factors.iter().copied().chain(metrics.iter().map(String::as_str)).collect();
        page.table(&format!("Study {}", clean(group.study)), &headings, group.lines());
        if let Some(line) = group.overall_line() {
            page.line(&format!("over all cells: {line}"));
        }
    }
}

fn contests(page: &mut Page, digest: &Digest) {
    let contests = || digest.contests.iter().filter(|contest| !contest.is_encounter());
    let outcomes: Vec<&MatchRow> = contests().filter_map(|contest| contest.outcome.as_ref()).collect();
    let rows = outcomes.iter().map(|m| {
        vec![
            if m.name.is_empty() { format!("{} v {}", m.first, m.second) } else { m.name.clone() },
            (m.wins + m.draws + m.losses).to_string(),
            format!("{}-{}-{}", m.wins, m.draws, m.losses),
            m.penta.map(|n| n.to_string()).join(" "),
            maybe_signed(m.elo, 1),
            interval(m.elo_low, m.elo_high, 1),
            m.los.map_or(NONE.to_owned(), |los| fixed(100.0 * los, 1) + " %"),
            maybe_signed(m.nelo, 1),
        ]
    });
    let headings = ["match", ">games", ">+ = -", ">LL LD M WD WW", ">Elo", ">95 % interval", ">LOS", ">nElo"];
    page.table("Matches (first engine's view)", &headings, rows.collect());
    for m in outcomes {
        if let Some(s) = &m.sprt {
            page.line(&format!(
                "SPRT {}: LLR {} in ({}, {}), {} Elo {} v {}; Elo unbiased {} ({})",
                s.verdict,
                fixed(s.llr, 3),
                fixed(s.lower, 3),
                fixed(s.upper, 3),
                s.model,
                fixed(s.elo0, 1),
                fixed(s.elo1, 1),
                maybe_signed(s.unbiased, 1),
                interval(s.unbiased_low, s.unbiased_high, 1)
            ));
        }
        for (name, latency) in [&m.first, &m.second].into_iter().zip(m.latency) {
            if let Some(l) = latency {
                let ms = |us: u64| fixed(us as f64 / 1000.0, 2);
                page.line(&format!(
                    "latency {}: {} ms (50 %), {} (95 %), {} (99 %), {} (most)",
                    clean(name),
                    ms(l.p50_us),
                    ms(l.p95_us),
                    ms(l.p99_us),
                    ms(l.max_us)
                ));
            }
        }
        if let Some(why) = &m.invalid {
            page.line(&format!("NOT VALID: {why}"));
        }
    }
    contests().for_each(|contest| endings(page, &contest.games));
}

/// Who met whom, the cross table, and the standings.
fn tournament(page: &mut Page, digest: &Digest) {
    let encounters = tournament::encounters(digest);
    if encounters.len() <= MOST_ENCOUNTERS {
        let row = |m: &&MatchRow| {
            let two = [&m.first, &m.second].map(String::to_owned);
            [&[m.name.clone()][..], &two, &[tournament::score(m)]].concat()
        };
        let rows = encounters.iter().map(row).collect();
        page.table("Encounters", &["round", "first", "second", ">points"], rows);
    }
    cross_table(page, digest, &encounters);
    standings(page, digest);
    let all = digest.contests.iter().filter(|contest| contest.is_encounter());
    endings(page, &Games::of_all(all));
}

fn cross_table(page: &mut Page, digest: &Digest, encounters: &[&MatchRow]) {
    let table = CrossTable::of(digest, encounters);
    if table.names.len() <= MOST_IN_CROSS_TABLE {
        let numbers: Vec<String> = (1..=table.names.len()).map(|number| format!(">{number}")).collect();
        let headings: Vec<&str> =
            ["#", "points of games"].into_iter().chain(numbers.iter().map(String::as_str)).collect();
        let row = |one: usize| {
            let cells = (0..table.names.len()).map(|other| match one == other {
                true => "-".to_owned(),
                false => table.cell(one, other),
            });
            [(one + 1).to_string(), table.names[one].to_owned()].into_iter().chain(cells).collect()
        };
        page.table("Cross table", &headings, (0..table.names.len()).map(row).collect());
    }
}

fn standings(page: &mut Page, digest: &Digest) {
    let shown = tournament::Columns::of(&digest.standings);
    let rows = digest.standings.iter().map(|row| {
        let mut cells = vec![
            row.rank.to_string(),
            row.engine.clone(),
            maybe_signed(row.elo, 1),
            interval(row.elo_low, row.elo_high, 1),
            row.games.to_string(),
            points(row.half_points),
            format!("{}-{}-{}", row.wins, row.draws, row.losses),
            percent(row.draws, row.games),
            fixed(row.sonneborn_berger, 2),
        ];
        cells.extend(shown.byes.then(|| row.byes.to_string()));
        cells.extend(shown.lost.then(|| row.lost_in_round.map_or(String::new(), |round| round.to_string())));
        cells.extend(shown.group.then(|| row.group.to_string()));
        cells
    });
    let mut headings =
        vec![">#", "engine", ">Elo", ">95 % interval", ">games", ">points", ">+ = -", ">draws", ">SB"];
    headings.extend(shown.byes.then_some(">byes"));
    headings.extend(shown.lost.then_some(">out in round"));
    headings.extend(shown.group.then_some(">group"));
    page.table("Standings", &headings, rows.collect());
    if shown.group {
        page.line(tournament::GROUPS);
    }
}

/// Only what is worth a person's attention: games that ended neither on the board nor by adjudication.
fn endings(page: &mut Page, games: &Games) {
    for ending in &games.endings {
        if is_abnormal(&ending.termination) {
            page.line(&format!("{} games: {}", ending.games, ending.reason));
        }
    }
}

/// What playing cost beside the thinking.
pub(super) fn cost_line(cost: &Cost) -> String {
    let (games, plies) = (maybe(cost.games_per_second(), 1), maybe(cost.plies_per_game(), 1));
    let own = match cost.cpu_per_ply_us() {
        Some(us) => format!("{} µs of own CPU a ply", fixed(us, 1)),
        None => format!(
            "{} µs a ply beside the searches ({} % of the run)",
            maybe(cost.beside_search_us(), 1),
            maybe(cost.beside_search_share().map(|share| 100.0 * share), 1)
        ),
    };
    let peak = cost
        .peak_kib
        .map_or(String::new(), |kib| format!(", peak memory {} MB", fixed(kib as f64 / 1024.0, 1)));
    format!("harness: {own}, {games} games/s of {plies} plies, {} at once{peak}", cost.workers)
}

fn verdicts(page: &mut Page, digest: &Digest) {
    let rows = digest.verdicts.iter().map(|v| {
        let time = duration_us(v.time_ms.saturating_mul(1_000));
        vec![
            v.status.word().to_owned(),
            v.stage.clone(),
            count(v.checks),
            count(v.failed),
            time,
            v.summary.clone(),
        ]
    });
    page.table("Verdicts", &["", "stage", ">checks", ">failed", ">time", "found"], rows.collect());
    let is_open = |v: &&&Verdict| matches!(v.status, Status::Fail | Status::Inconclusive);
    for verdict in digest.verdicts.iter().filter(is_open).filter(|v| !v.meaning.is_empty()) {
        page.line(&format!("{}: {}", verdict.stage, verdict.meaning));
    }
}
