//! The rows of one record, sorted by what they are about and summed up; what text and page show is read from here, so
//! they cannot disagree. Definitions: EBF and MBF as on the seed page "Branching Factor".

use super::contest::{Contest, Gathered};
use super::figures::{self, Spread};
use super::grouped::grouped;
use super::study::{StudyGroup, study_group};
use super::thinking::Thinking;
use crate::record::*;
use crate::stats::branching::{effective, mean_branching};
use crate::stats::ranking::{Ranked, net, ranking};

/// Borrowed rows of one record, by kind.
#[derive(Debug, Default)]
pub struct Digest<'a> {
    pub verdicts: Vec<&'a Verdict>,
    pub perft: Vec<&'a PerftRow>,
    pub tactics: Vec<&'a TacticsRow>,
    pub symmetry: Vec<&'a SymmetryRow>,
    pub bench: Vec<&'a BenchRow>,
    pub speed: Vec<&'a SpeedRow>,
    pub comparisons: Vec<&'a ComparisonRow>,
    pub compliance: Vec<&'a ComplianceRow>,
    pub sliders: Vec<&'a SlidersRow>,
    pub techniques: Vec<&'a TechniqueRow>,
    pub contests: Vec<Contest>,
    pub thinking: Vec<Thinking>,
    pub standings: Vec<&'a StandingRow>,
    pub studies: Vec<&'a StudyRow>,
}

impl<'a> Digest<'a> {
    /// Of a record that is in memory as a whole.
    pub fn of(rows: &'a [Row]) -> Digest<'a> {
        let mut matches = Gathered::default();
        let of_matches = |row: &&Row| matches!(row, Row::Game(_) | Row::Pair(_) | Row::Match(_));
        rows.iter().filter(of_matches).for_each(|row| matches.add(row));
        let thinking = matches.thinking().to_vec();
        Digest { contests: matches.contests(), thinking, ..Digest::without_matches(rows) }
    }

    pub fn gathered(gathered: &'a Gathered) -> Digest<'a> {
        let thinking = gathered.thinking().to_vec();
        Digest { contests: gathered.contests(), thinking, ..Digest::without_matches(gathered.rows()) }
    }

    fn without_matches(rows: &'a [Row]) -> Digest<'a> {
        let mut digest = Digest::default();
        for row in rows {
            match row {
                Row::Verdict(row) => digest.verdicts.push(row),
                Row::Perft(row) => digest.perft.push(row),
                Row::Tactics(row) => digest.tactics.push(row),
                Row::Symmetry(row) => digest.symmetry.push(row),
                Row::Bench(row) => digest.bench.push(row),
                Row::Speed(row) => digest.speed.push(row),
                Row::Comparison(row) => digest.comparisons.push(row),
                Row::Compliance(row) => digest.compliance.push(row),
                Row::Study(row) => digest.studies.push(row),
                Row::Standing(row) => digest.standings.push(row),
                Row::Sliders(row) => digest.sliders.push(row),
                Row::Technique(row) => digest.techniques.push(row),
                Row::Game(_) | Row::Pair(_) | Row::Match(_) => {}
            }
        }
        digest
    }

    /// Perft counts by suite and counter, in the order they came.
    pub fn perft_groups(&self) -> Vec<PerftGroup<'a>> {
        grouped(&self.perft, |row| (row.suite.as_str(), row.counter.as_str()))
            .into_iter()
            .map(|((suite, counter), rows)| {
                let mut positions: Vec<(&str, &str)> =
                    rows.iter().map(|r| (r.id.as_str(), r.fen.as_str())).collect();
                positions.sort_unstable();
                positions.dedup();
                PerftGroup {
                    suite,
                    counter,
                    positions: positions.len(),
                    counts: rows.len(),
                    checked: rows.iter().filter(|r| r.expected.is_some()).count(),
                    wrong: rows
                        .iter()
                        .copied()
                        .filter(|r| r.expected.is_some_and(|e| e != r.nodes))
                        .collect(),
                    deepest: rows.iter().map(|r| r.depth).max().unwrap_or(0),
                    nodes: total(rows.iter().map(|r| r.nodes)),
                    time_us: rows.iter().map(|r| r.time_us).sum(),
                }
            })
            .collect()
    }

    /// Test positions by engine and suite.
    pub fn tactics_groups(&self) -> Vec<TacticsGroup<'a>> {
        grouped(&self.tactics, |row| (row.engine.as_str(), row.suite.as_str()))
            .into_iter()
            .map(|((engine, suite), rows)| TacticsGroup {
                engine,
                suite,
                positions: rows.len(),
                scored: rows.iter().filter(|r| r.solved.is_some()).count() as u64,
                solved: rows.iter().filter(|r| r.solved == Some(true)).count() as u64,
                points: rows.iter().any(|r| r.max_points.is_some()).then(|| {
                    let sum = |f: fn(&TacticsRow) -> Option<u32>| {
                        rows.iter().filter_map(|r| f(r)).map(u64::from).sum()
                    };
                    (sum(|r| r.points), sum(|r| r.max_points))
                }),
                time_to_solve: figures::spread(
                    rows.iter()
                        .filter(|r| r.solved == Some(true))
                        .filter_map(|r| r.solved_us)
                        .map(|us| us as f64),
                ),
                nodes_to_solve: figures::spread(
                    rows.iter()
                        .filter(|r| r.solved == Some(true))
                        .filter_map(|r| r.solved_nodes)
                        .map(|n| n as f64),
                ),
                depth_to_solve: figures::spread(
                    rows.iter()
                        .filter(|r| r.solved == Some(true))
                        .filter_map(|r| r.solved_depth)
                        .map(f64::from),
                ),
                nodes: total(rows.iter().filter_map(|r| r.nodes)),
                time_us: rows.iter().map(|r| r.time_us).sum(),
                noted: rows.iter().filter(|r| r.note.is_some()).count(),
            })
            .collect()
    }

    /// Symmetry by engine and mode.
    pub fn symmetry_groups(&self) -> Vec<SymmetryGroup<'a>> {
        grouped(&self.symmetry, |row| (row.engine.as_str(), row.mode.as_str()))
            .into_iter()
            .map(|((engine, mode), rows)| SymmetryGroup {
                engine,
                mode,
                positions: rows.len() as u64,
                different: rows.iter().copied().filter(|r| r.different).collect(),
            })
            .collect()
    }

    /// The bench of each engine.
    pub fn bench_groups(&self) -> Vec<BenchGroup<'a>> {
        grouped(&self.bench, |row| row.engine.as_str())
            .into_iter()
            .map(|(engine, rows)| bench_group(engine, &rows))
            .collect()
    }

    /// The processes of each engine whose speed was compared.
    pub fn speed_groups(&self) -> Vec<SpeedGroup<'a>> {
        let rate = |nodes, us: Option<u64>| us.and_then(|us| figures::rate(nodes, us));
        let groups = grouped(&self.speed, |row| row.engine.as_str()).into_iter();
        groups
            .map(|(engine, rows)| SpeedGroup {
                engine,
                processes: rows.len() as u64,
                nodes: rows
                    .first()
                    .map(|row| row.nodes)
                    .filter(|&first| rows.iter().all(|r| r.nodes == first)),
                by_cpu: figures::spread(rows.iter().filter_map(|r| rate(r.nodes, r.cpu_us))),
                by_wall: figures::spread(rows.iter().filter_map(|r| rate(r.nodes, Some(r.wall_us)))),
            })
            .collect()
    }

    /// Timed slider backends by metric and piece; and the status of each backend.
    pub fn slider_groups(&self) -> Vec<SliderGroup<'a>> {
        let timed: Vec<&SlidersRow> =
            self.sliders.iter().copied().filter(|r| r.operations > 0 && r.time_ns > 0).collect();
        let mut groups: Vec<SliderGroup<'a>> =
            grouped(&timed, |row| (row.metric.as_str(), row.piece.as_str()))
                .into_iter()
                .map(|((metric, piece), rows)| slider_group(metric, piece, &rows))
                .collect();
        // The rounds are shuffled, so the rows come in no order; what is not known here goes last.
        let place = |known: &[&str], name| known.iter().position(|k| *k == name).unwrap_or(known.len());
        groups.sort_by_key(|g| (place(&SlidersRow::METRICS, g.metric), place(&SlidersRow::PIECES, g.piece)));
        groups
    }

    /// The cells of each study.
    pub fn study_groups(&self) -> Vec<StudyGroup<'a>> {
        let named = grouped(&self.studies, |row| row.study.as_str());
        named.into_iter().map(|(study, rows)| study_group(study, rows)).collect()
    }

    /// Backend, table bytes and status, once each.
    pub fn slider_backends(&self) -> Vec<(&'a str, u64, &'a str)> {
        grouped(&self.sliders, |row| row.backend.as_str())
            .into_iter()
            .filter(|(backend, _)| ![SlidersRow::EMPTY_LOOP, SlidersRow::ONE_LINE].contains(backend))
            .map(|(backend, rows)| {
                // A backend that failed once has failed.
                let worst = rows
                    .iter()
                    .find(|r| r.status != "verified")
                    .or(rows.first())
                    .map_or("", |r| r.status.as_str());
                (backend, rows.iter().map(|r| r.table_bytes).max().unwrap_or(0), worst)
            })
            .collect()
    }
}

#[derive(Debug)]
pub struct PerftGroup<'a> {
    pub suite: &'a str,
    pub counter: &'a str,
    pub positions: usize,
    pub counts: usize,
    /// Counts that had an expected value.
    pub checked: usize,
    pub wrong: Vec<&'a PerftRow>,
    pub deepest: u32,
    pub nodes: u64,
    pub time_us: u64,
}

#[derive(Debug)]
pub struct TacticsGroup<'a> {
    pub engine: &'a str,
    pub suite: &'a str,
    pub positions: usize,
    pub scored: u64,
    pub solved: u64,
    /// Had and possible, where the suite gives points.
    pub points: Option<(u64, u64)>,
    /// µs until the final move stood, over the solved ones.
    pub time_to_solve: Option<Spread>,
    /// The same of nodes, and the iteration.
    pub nodes_to_solve: Option<Spread>,
    pub depth_to_solve: Option<Spread>,
    pub nodes: u64,
    pub time_us: u64,
    /// Searches with a remark.
    pub noted: usize,
}

#[derive(Debug)]
pub struct SymmetryGroup<'a> {
    pub engine: &'a str,
    pub mode: &'a str,
    pub positions: u64,
    pub different: Vec<&'a SymmetryRow>,
}

#[derive(Debug)]
pub struct BenchGroup<'a> {
    pub engine: &'a str,
    pub positions: u64,
    /// Depth, nodes summed over all positions; only depths that every position completed.
    pub by_depth: Vec<(u32, u64)>,
    /// Effective branching factor of those sums, with a 95 % jackknife interval over the positions.
    pub ebf: Option<f64>,
    pub ebf_interval: Option<(f64, f64)>,
    /// All nodes over interior nodes.
    pub mbf: Option<f64>,
    /// Sum of the nodes of all searches.
    pub signature: u64,
    pub time_us: u64,
    /// Nodes per second of the single positions.
    pub nps_spread: Option<Spread>,
}

fn bench_group<'a>(engine: &'a str, rows: &[&'a BenchRow]) -> BenchGroup<'a> {
    let searches = grouped(rows, |row| row.position);
    let ends: Vec<&BenchRow> =
        searches.iter().filter_map(|(_, s)| s.iter().rfind(|r| r.last).or(s.last()).copied()).collect();
    // Nodes of a search at each depth from 1 on, as far as it went without a gap.
    let ladders: Vec<Vec<u64>> = searches
        .iter()
        .map(|(_, search)| {
            (1..)
                .map_while(|depth| {
                    search.iter().rfind(|r| r.depth == depth && !r.broken_off).map(|r| r.nodes)
                })
                .collect()
        })
        .collect();
    let full = ladders.iter().map(Vec::len).min().unwrap_or(0);
    let sums: Vec<u64> = (0..full).map(|depth| total(ladders.iter().map(|l| l[depth]))).collect();
    let ebf = effective(&sums.iter().map(|&nodes| nodes as f64).collect::<Vec<_>>());
    let ebf_interval = ebf.filter(|_| ladders.len() > 2).and_then(|ebf| {
        let n = ladders.len() as f64;
        // One position left out at a time.
        let without =
            |l: &Vec<u64>| sums.iter().zip(l).map(|(sum, own)| (sum - own) as f64).collect::<Vec<_>>();
        let logs: Vec<f64> =
            ladders.iter().map(|l| effective(&without(l)).map(f64::ln)).collect::<Option<Vec<f64>>>()?;
        let mean = logs.iter().sum::<f64>() / n;
        let error = ((n - 1.0) / n * logs.iter().map(|l| (l - mean).powi(2)).sum::<f64>()).sqrt();
        let interval = ((ebf.ln() - 1.96 * error).exp(), (ebf.ln() + 1.96 * error).exp());
        (interval.0.is_finite() && interval.1.is_finite()).then_some(interval)
    });
    let interior: Option<u64> = ends.iter().map(|r| r.interior_nodes).sum();
    let signature = total(ends.iter().map(|r| r.nodes));
    BenchGroup {
        engine,
        positions: searches.len() as u64,
        by_depth: (1..).zip(sums).collect(),
        ebf,
        ebf_interval,
        mbf: interior.and_then(|interior| mean_branching(signature, interior)),
        signature,
        time_us: ends.iter().map(|r| r.time_us).sum(),
        nps_spread: figures::spread(ends.iter().filter_map(|r| figures::rate(r.nodes, r.time_us))),
    }
}

#[derive(Debug)]
pub struct SpeedGroup<'a> {
    pub engine: &'a str,
    pub processes: u64,
    /// Of a process, where they all agree.
    pub nodes: Option<u64>,
    /// Nodes per second of processor time, and of the clock on the wall.
    pub by_cpu: Option<Spread>,
    pub by_wall: Option<Spread>,
}

#[derive(Debug)]
pub struct SliderGroup<'a> {
    pub metric: &'a str,
    pub piece: &'a str,
    pub rounds: usize,
    /// The backend that the speeds are relative to.
    pub reference: &'a str,
    /// Nanoseconds per operation of the loop alone; none where the metric has no such loop.
    pub empty_ns: Option<f64>,
    /// The same of one read of a table, the empty loop taken off; see [`SlidersRow::MISSES`].
    pub one_line_ns: Option<f64>,
    /// Fastest first.
    pub backends: Vec<SliderFigure<'a>>,
}

#[derive(Debug)]
pub struct SliderFigure<'a> {
    pub backend: &'a str,
    pub table_bytes: u64,
    /// Nanoseconds per operation over the rounds, the empty loop taken off.
    pub ns: Spread,
    /// Speed relative to [`SliderGroup::reference`], paired by round, and the rank.
    pub ranked: Ranked,
}

fn slider_group<'a>(metric: &'a str, piece: &'a str, rows: &[&'a SlidersRow]) -> SliderGroup<'a> {
    let ns = |row: &SlidersRow| row.time_ns as f64 / row.operations as f64;
    let (empty, others): (Vec<&SlidersRow>, Vec<&SlidersRow>) =
        rows.iter().partition(|row| row.backend == SlidersRow::EMPTY_LOOP);
    let (one_line, own): (Vec<&SlidersRow>, Vec<&SlidersRow>) =
        others.into_iter().partition(|row| row.backend == SlidersRow::ONE_LINE);
    let by_backend = grouped(&own, |row| row.backend.as_str());
    // A run that was broken off has a last round without some of them.
    let rounds: Vec<u32> = grouped(&own, |row| row.round)
        .into_iter()
        .filter(|(_, rows)| rows.len() == by_backend.len())
        .map(|(round, _)| round)
        .collect();
    let of_loop: Vec<f64> = empty.iter().map(|row| ns(row)).collect();
    let times: Vec<Vec<f64>> = by_backend
        .iter()
        .map(|(_, rows)| {
            let at = |round: &u32| rows.iter().find(|row| row.round == *round).map(|row| ns(row));
            net(&rounds.iter().filter_map(at).collect::<Vec<f64>>(), &of_loop)
        })
        .collect();
    let reference = by_backend.iter().position(|(backend, _)| *backend == SlidersRow::REFERENCE);
    let ranked = ranking(&times, reference).unwrap_or_default();
    let mut figures: Vec<SliderFigure<'a>> = Vec::new();
    for (((backend, rows), times), ranked) in by_backend.iter().zip(&times).zip(ranked) {
        let table_bytes = rows.iter().map(|r| r.table_bytes).max().unwrap_or(0);
        let Some(ns) = figures::spread(times.iter().copied()) else { continue };
        figures.push(SliderFigure { backend, table_bytes, ns, ranked });
    }
    figures.sort_by(|a, b| b.ranked.speed.total_cmp(&a.ranked.speed));
    let fastest = figures.first().map_or("", |figure| figure.backend);
    SliderGroup {
        metric,
        piece,
        rounds: rounds.len(),
        reference: reference.map_or(fastest, |_| SlidersRow::REFERENCE),
        empty_ns: of_loop.iter().copied().reduce(f64::min),
        one_line_ns: figures::spread(net(
            &one_line.iter().map(|row| ns(row)).collect::<Vec<f64>>(),
            &of_loop,
        ))
        .map(|spread| spread.median),
        backends: figures,
    }
}
/// Whatever engines have told.
fn total(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.fold(0, u64::saturating_add)
}
