//! Rows as a `run` would leave them, made by arithmetic from a fixed seed: every kind, right and wrong ones, hostile names.

use gauntlet::record::*;

/// Names that break what does not escape: CSV, spreadsheets, HTML, lines.
pub const HOSTILE: &str = "a,b\"c\" =1+1 <b>x</b>\n&amp; </script> ]]> 'q'";

/// A small generator, so that fixtures need no other room's.
#[derive(Debug)]
pub struct Lcg(pub u64);

impl Lcg {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn around(&mut self, centre: f64, spread: f64) -> f64 {
        centre * (1.0 + spread * (self.below(2_001) as f64 / 1_000.0 - 1.0))
    }
}

pub fn header(verb: &str) -> Header {
    Header {
        schema: SCHEMA,
        verb: verb.into(),
        version: "0.1.0 (1e92440)".into(),
        rustc: "rustc 1.95.0".into(),
        argv: vec!["gauntlet".into(), verb.into(), "--engine".into(), "embedded:name=my engine".into()],
        label: None,
        seed: 20_261_130,
        started: "2026-11-30T00:47:51Z".into(),
        finished: Some("2026-11-30T00:50:33Z".into()),
        complete: true,
        summary: Some(format!(
            "{verb}: FAIL checks=1650 failed=35 report=reports/runs/20261130T004751Z-{verb}-0ab12c/report.html"
        )),
        machine: Machine {
            os: "linux 6.1.0 x86_64".into(),
            cpu: "Intel(R) Xeon(R) Processor @ 2.90GHz".into(),
            cores: 2,
            features: ["popcnt", "bmi2", "avx2"].map(String::from).to_vec(),
            load: Some(0.31),
        },
        warnings: vec![],
        cost: None,
        resumed: vec![],
    }
}

/// Positions in which something can be shown, with a move that is right and one that is wrong.
const POSITIONS: &[(&str, &str, &str, &str)] = &[
    ("WAC.002", "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1", "b3b2", "b3b6"),
    ("WAC.100", "4r1k1/1p3q1p/p1pQ4/2P1R1p1/5n2/2B5/PP5P/6K1 b - - 0 1", "e8e5", "f4h3"),
    ("WAC.230", "2b5/1r6/2kBp1p1/p2pP1P1/2pP4/1pP3K1/1R3P2/8 b - - 0 1", "b7b4", "c6d7"),
    ("BK.01", "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", "d6d1", "d6b4"),
    ("BK.02", "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1", "d4d5", "f4f5"),
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3", "b1c3"),
];

pub fn run_rows() -> Vec<Row> {
    let mut rng = Lcg(1);
    let mut rows = Vec::new();
    perft(&mut rows);
    tactics(&mut rows, &mut rng);
    symmetry(&mut rows, &mut rng);
    bench(&mut rows, &mut rng);
    speed(&mut rows, &mut rng);
    compliance(&mut rows);
    sliders(&mut rows, &mut rng);
    study(&mut rows);
    ladder(&mut rows, &mut rng);
    sprt(&mut rows, &mut rng, 900);
    rows
}

fn study(rows: &mut Vec<Row>) {
    for (cell, (bits, keys)) in [("16", "zobrist"), ("16", "bch"), ("20", HOSTILE)].into_iter().enumerate() {
        for (metric, value) in
            [("collisions", 12_345.0 + cell as f64), ("ratio", 0.998_765), ("deviation", f64::INFINITY)]
        {
            rows.push(Row::Study(StudyRow {
                study: "hash-collisions".into(),
                cell: cell as u64,
                levels: vec![("bits".into(), bits.into()), ("keys".into(), keys.into())],
                metric: metric.into(),
                value,
            }));
        }
    }
}

fn verdict(
    stage: &str,
    status: Status,
    summary: &str,
    checks: u64,
    failed: u64,
    figures: &[(&str, &str)],
    time_ms: u64,
) -> Row {
    Row::Verdict(Verdict {
        stage: stage.into(),
        status,
        summary: summary.into(),
        checks,
        failed,
        figures: figures.iter().map(|(n, v)| ((*n).into(), (*v).into())).collect(),
        meaning: String::new(),
        time_ms,
    })
}

fn perft(rows: &mut Vec<Row>) {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    for (id, fen, counts) in [
        ("start", POSITIONS[5].1, [20, 400, 8_902, 197_281, 4_865_609]),
        ("kiwipete", kiwipete, [48, 2_039, 97_862, 4_085_603, 193_690_690]),
    ] {
        for (depth, &nodes) in (1..).zip(&counts) {
            for counter in ["legal", "mailbox"] {
                rows.push(Row::Perft(PerftRow {
                    suite: "standard.epd".into(),
                    id: id.into(),
                    fen: fen.into(),
                    depth,
                    counter: counter.into(),
                    nodes,
                    expected: Some(nodes),
                    time_us: nodes / if counter == "legal" { 300 } else { 30 } + 3,
                    divide: vec![],
                }));
            }
        }
    }
    rows.push(Row::Perft(PerftRow {
        suite: "en-passant.epd".into(),
        id: "ep-pin".into(),
        fen: "8/8/8/8/k1pP3R/8/8/4K3 b - d3 0 1".into(),
        depth: 2,
        counter: "legal".into(),
        nodes: 95,
        expected: Some(94),
        time_us: 12,
        divide: [("a4a3", 17), ("a4b3", 16), ("c4c3", 15), ("c4d3", 16)]
            .map(|(m, n)| (m.to_owned(), n))
            .to_vec(),
    }));
    rows.push(verdict(
        "perft",
        Status::Fail,
        "1 of 21 counts is wrong",
        21,
        1,
        &[("Mnodes/s", "287.4")],
        1_240,
    ));
}

fn tactics(rows: &mut Vec<Row>, rng: &mut Lcg) {
    for (suite, n, rate) in [
        ("wac.epd", 300, 78),
        ("bratko-kopec.epd", 24, 60),
        ("sts.epd", 150, 55),
        ("mates.epd", 60, 92),
        ("studies.epd", 8, 0),
    ] {
        for index in 0..n {
            let solved = (rate > 0).then(|| rng.below(100) < rate);
            let (_, fen, best, wrong) = POSITIONS[index % 5];
            let sts = suite == "sts.epd";
            rows.push(Row::Tactics(TacticsRow {
                suite: suite.into(),
                id: if suite == "wac.epd" {
                    format!("WAC.{:03}", index + 1)
                } else {
                    format!("{}.{index}", &suite[..2])
                },
                fen: fen.into(),
                engine: "embedded".into(),
                best: if solved.is_some() { vec![best.into()] } else { vec![] },
                avoid: vec![],
                mate_in: (suite == "mates.epd").then_some(3),
                played: (index != 7).then(|| if solved == Some(true) { best } else { wrong }.into()),
                solved,
                points: sts.then(|| if solved == Some(true) { 10 } else { rng.below(7) as u32 }),
                max_points: sts.then_some(10),
                depth: Some(8 + rng.below(5) as u32),
                score: Some(if rng.below(9) == 0 {
                    "M3".into()
                } else {
                    (rng.below(400) as i64 - 150).to_string()
                }),
                nodes: Some(100_000),
                time_us: 70_000 + rng.below(20_000),
                solved_depth: solved.filter(|s| *s).map(|_| 5),
                solved_nodes: solved.filter(|s| *s).map(|_| 500 + rng.below(60_000)),
                solved_us: solved.filter(|s| *s).map(|_| 400 + rng.below(50_000)),
                note: (index == 7).then(|| "limit not obeyed".into()),
            }));
        }
    }
    rows.push(verdict(
        "tactics",
        Status::Pass,
        "232 of 300 WAC positions at 100,000 nodes (at least 215 wanted)",
        534,
        0,
        &[("nodes/s", "1.31M")],
        38_400,
    ));
}

fn symmetry(rows: &mut Vec<Row>, rng: &mut Lcg) {
    for index in 0..1_016u64 {
        let (id, fen, ..) = POSITIONS[index as usize % 6];
        let score = rng.below(300) as i64 - 150;
        let different = index % 500 == 3;
        rows.push(Row::Symmetry(SymmetryRow {
            suite: "symmetry.csv".into(),
            id: format!("{id}/{index}"),
            fen: fen.into(),
            flipped_fen: flipped(fen),
            engine: "embedded".into(),
            mode: "eval".into(),
            score: score.to_string(),
            flipped_score: (score + if different { 12 } else { 0 }).to_string(),
            best: None,
            flipped_best: None,
            different,
        }));
    }
    rows.push(verdict(
        "symmetry",
        Status::Fail,
        "3 of 1,016 positions differ from their twins",
        1_016,
        3,
        &[],
        90,
    ));
}

/// Ranks mirrored and colours swapped, for boards without castling rights or en-passant squares.
fn flipped(fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    let board: Vec<String> =
        fields[0].split('/').rev().map(|rank| rank.chars().map(swap).collect()).collect();
    format!("{} {} - - 0 1", board.join("/"), if fields[1] == "w" { "b" } else { "w" })
}

fn compliance(rows: &mut Vec<Row>) {
    for (check, level, result) in [
        ("uciok", "must", "pass"),
        ("quit", "must", "fail"),
        ("crlf", "should", "warn"),
        ("ponder", "must", "skip"),
    ] {
        rows.push(Row::Compliance(ComplianceRow {
            engine: HOSTILE.into(),
            check: check.into(),
            level: level.into(),
            result: result.into(),
            what: "`quit` ends the process within 2 s".into(),
            found: HOSTILE.into(),
            time_us: 2_000_000,
            exchange: if result == "pass" {
                Vec::new()
            } else {
                vec!["> quit".into(), format!("< {HOSTILE}")]
            },
        }));
    }
}

fn bench(rows: &mut Vec<Row>, rng: &mut Lcg) {
    for (engine, factor, interior) in [("embedded", 1.9, true), ("embedded, lmr=off", 2.4, false)] {
        for position in 0..40u32 {
            let mut nodes = rng.around(60.0, 0.5);
            for depth in 1..=11u32 {
                nodes *= rng.around(factor, 0.25);
                rows.push(Row::Bench(BenchRow {
                    engine: engine.into(),
                    position,
                    fen: POSITIONS[position as usize % 6].1.into(),
                    depth,
                    nodes: nodes as u64,
                    interior_nodes: interior.then_some((nodes / 2.9) as u64),
                    time_us: (nodes / rng.around(1.3, 0.3)) as u64,
                    score: Some("31".into()),
                    best: Some("e2e4".into()),
                    last: depth == 11,
                    broken_off: false,
                }));
            }
        }
    }
    rows.push(verdict(
        "bench",
        Status::Info,
        "signature 3914822",
        0,
        0,
        &[("signature", "3914822"), ("EBF", "1.89"), ("MBF", "2.90")],
        3_020,
    ));
}

fn speed(rows: &mut Vec<Row>, rng: &mut Lcg) {
    for round in 1..=10 {
        for (place, (engine, us)) in (1..).zip([(HOSTILE, 1e6), ("base", 1.1e6)]) {
            let cpu_us = rng.around(us, 0.02);
            rows.push(Row::Speed(SpeedRow {
                round,
                engine: engine.into(),
                place,
                searches: 36,
                nodes: 1_200_345,
                cpu_us: Some(cpu_us as u64),
                wall_us: rng.around(1.1 * cpu_us, 0.1) as u64,
            }));
        }
    }
    let row = ComparisonRow {
        metric: ComparisonRow::SPEED.into(),
        first: HOSTILE.into(),
        second: "base".into(),
        pairs: 10,
        ratio: Some(1.1),
        low: Some(1.09),
        high: Some(1.11),
        p: Some(0.001_953_125),
        only: None,
        threshold: Some(0.01),
        detectable: Some(0.019),
        verdict: "faster".into(),
    };
    let wall = ComparisonRow {
        metric: ComparisonRow::SPEED_WALL.into(),
        ratio: Some(f64::INFINITY),
        low: None,
        threshold: None,
        detectable: None,
        verdict: String::new(),
        ..row.clone()
    };
    rows.extend([Row::Comparison(row), Row::Comparison(wall)]);
    rows.push(verdict("speed", Status::Pass, "faster", 1, 0, &[("ratio", "1.1000")], 9_000));
}

/// Backend, ns of a lookup, latency, table bytes, needs.
const SLIDERS: &[(&str, f64, f64, u64, &str)] = &[
    ("pext", 1.61, 8.6, 843_000, "BMI2"),
    ("magic-fancy", 2.3, 8.7, 843_000, "-"),
    ("magic-plain", 2.31, 8.8, 2_360_000, "-"),
    ("hyperbola", 3.1, 5.9, 2_560, "-"),
    ("obstruction-difference", 7.7, 9.4, 4_096, "-"),
    ("classical", 4.4, 8.7, 4_096, "-"),
    ("fill", 12.0, 14.0, 0, "-"),
    // Rank shared with the one before.
    ("fill-by-subtraction", 12.1, 14.1, 0, "-"),
    (HOSTILE, 20.0, 22.0, 77, "<i>"),
];

fn sliders(rows: &mut Vec<Row>, rng: &mut Lcg) {
    let row = |backend: &str, metric: &str, piece: &str, round, time_ns, table_bytes, status: &str| {
        Row::Sliders(SlidersRow {
            backend: backend.into(),
            metric: metric.into(),
            piece: piece.into(),
            round,
            operations: if status == "verified" { 1_000_000 } else { 0 },
            time_ns,
            table_bytes,
            status: status.into(),
        })
    };
    let untimed = [("gfni", 0.0, 0.0, 512, "GFNI"), ("broken", 0.0, 0.0, 64, "-")];
    for (backend, _, _, table_bytes, needs) in SLIDERS.iter().chain(&untimed) {
        let picture =
            |caption: &str, set: &str, word| PictureRow { caption: caption.into(), set: set.into(), word };
        rows.push(Row::Technique(TechniqueRow {
            backend: (*backend).into(),
            author: if *backend == "fill" { "-" } else { HOSTILE }.into(),
            idea: format!("the idea of {backend}"),
            page: "On an empty Board".into(),
            needs: (*needs).into(),
            supported: *backend != "gfni",
            table_bytes: *table_bytes,
            setup_us: table_bytes / 700,
            lines: if *backend == "gfni" {
                Vec::new()
            } else {
                ["rook", "bishop", "queen"]
                    .map(|piece| LinesRow { piece: piece.into(), per_lookup: 2.25, distinct: 1234 })
                    .to_vec()
            },
            square: "d4".into(),
            occupied: "ffef00001800e7f7".into(),
            // Rook attacks from d4 with men on d7 and e4, then two that are none.
            pictures: vec![
                picture("Found: rook attacks from d4", "0008080817080808", false),
                picture(HOSTILE, "00000000000002ac", true),
                picture("no set", "nothing", false),
            ],
        }));
    }
    for round in 0..11 {
        for piece in ["rook", "queen"] {
            for &(backend, ns, latency, size, _) in SLIDERS {
                for (metric, ns) in [("throughput", ns), ("latency", latency)] {
                    let time = (rng.around(ns + 0.4, 0.01) * 1e6) as u64;
                    rows.push(row(backend, metric, piece, round, time, size, "verified"));
                }
            }
            for metric in ["throughput", "latency"] {
                rows.push(row(SlidersRow::EMPTY_LOOP, metric, piece, round, 400_000, 0, "verified"));
            }
        }
        for &(backend, ns, _, size, _) in SLIDERS {
            rows.push(row(
                backend,
                "perft",
                "-",
                round,
                (rng.around(ns * 2.0, 0.06) * 1e6) as u64,
                size,
                "verified",
            ));
        }
    }
    rows.push(row("gfni", "-", "-", 0, 0, 512, "unsupported"));
    rows.push(row("broken", "-", "-", 0, 0, 64, "failed"));
    rows.push(verdict(
        "sliders",
        Status::Fail,
        "9 of 11 backends agree with the oracle, 1 not supported here, fastest pext; broken: d4",
        10,
        1,
        &[],
        9_800,
    ));
}

pub fn game(pair: u64, game: u32, white: &str, black: &str, rng: &mut Lcg) -> GameRow {
    let moves = [
        "e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "g8f6", "e1g1", "f6e4", "d2d4", "e4d6", "b5c6", "d7c6",
        "d4e5", "d6f5", "d1d8", "e8d8",
    ];
    let result = ["1-0", "1/2-1/2", "0-1"][rng.below(3) as usize];
    let plies = moves
        .iter()
        .enumerate()
        .map(|(i, uci)| PlyRow {
            uci: (*uci).into(),
            score: (i >= 4).then(|| (rng.below(90) as i64 - 40).to_string().into()),
            depth: (i >= 4).then(|| 6 + rng.below(5) as u32),
            nodes: (i >= 4).then(|| 2_000 + rng.below(9_000)),
            time_us: (i >= 4).then(|| 900 + rng.below(40_000)),
            clock_us: (i >= 4).then(|| 1_000_000 - 20_000 * i as u64),
            latency_us: (i % 3 == 0).then_some(150 - 20 * i as i64),
            wdl: (i % 4 == 0).then_some([300, 500, 200]),
            pondered: false,
        })
        .collect();
    GameRow {
        round: None,
        pair,
        game,
        white: white.into(),
        black: black.into(),
        opening: "noob_3moves_sample.epd:17".into(),
        start_fen: POSITIONS[5].1.into(),
        chess960: false,
        plies,
        result: result.into(),
        reason: match result {
            "1-0" => "white mates".into(),
            "0-1" => "black wins by adjudication".into(),
            _ => "draw by threefold repetition".into(),
        },
        termination: if result == "0-1" { "adjudication" } else { "normal" }.into(),
        white_limit: "nodes=2000".into(),
        black_limit: "nodes=2000".into(),
        started: "2026-11-30T00:49:00Z".into(),
        duration_us: 400_000 + rng.below(100_000),
        set_aside: false,
        disobeyed: [0, 0],
    }
}

fn ladder(rows: &mut Vec<Row>, rng: &mut Lcg) {
    for (depth, elo) in [(2, 412.0), (3, 288.0), (4, 233.0), (5, 187.0), (6, 160.0)] {
        let (first, second) = (format!("depth {depth}"), format!("depth {}", depth - 1));
        for pair in 0..4 {
            rows.push(Row::Game(game(pair, 0, &first, &second, rng)));
            rows.push(Row::Game(game(pair, 1, &second, &first, rng)));
        }
        rows.push(Row::Match(MatchRow {
            name: format!("{first} v {second}"),
            first,
            second,
            wins: 30,
            draws: 6,
            losses: 4,
            penta: [0, 1, 3, 4, 12],
            elo: Some(if depth == 2 { f64::INFINITY } else { elo }),
            elo_low: Some(elo - 110.0),
            elo_high: if depth == 2 { Some(f64::INFINITY) } else { Some(elo + 150.0) },
            interval: "profile".into(),
            los: Some(0.9987),
            nelo: Some(elo * 1.2),
            ..MatchRow::default()
        }));
    }
    rows.push(verdict("ladder", Status::Pass, "each depth beats the one below it", 5, 0, &[], 41_000));
}

/// An SPRT whose path ends at the upper bound.
pub fn sprt(rows: &mut Vec<Row>, rng: &mut Lcg, pairs: u64) {
    let mut state = PairRow::default();
    for pair in 0..pairs {
        rows.push(Row::Game(game(pair, 0, "base", HOSTILE, rng)));
        rows.push(Row::Game(game(pair, 1, HOSTILE, "base", rng)));
        let bin = [1, 2, 2, 2, 3, 3, 4, 2][rng.below(8) as usize];
        state.pair = pair;
        state.half_points = bin;
        state.penta[bin as usize] += 1;
        state.wins += u64::from(bin) / 2;
        state.draws += u64::from(bin) % 2;
        state.losses += u64::from(4 - bin) / 2;
        state.llr = Some(
            2.95 * (pair + 1) as f64 / pairs as f64
                + 0.9 * ((pair as f64 / 41.0).sin()) * (1.0 - pair as f64 / pairs as f64),
        );
        rows.push(Row::Pair(state.clone()));
    }
    rows.push(Row::Match(MatchRow {
        name: String::new(),
        round: None,
        first: "base".into(),
        second: HOSTILE.into(),
        wins: state.wins,
        draws: state.draws,
        losses: state.losses,
        penta: state.penta,
        elo: Some(44.7),
        elo_low: Some(31.2),
        elo_high: Some(58.4),
        interval: "normal".into(),
        los: Some(1.0),
        nelo: Some(71.0),
        sprt: Some(SprtOutcome {
            verdict: "H1".into(),
            model: "normalized".into(),
            elo0: 0.0,
            elo1: 10.0,
            alpha: 0.05,
            beta: 0.05,
            llr: 2.95,
            lower: -2.944,
            upper: 2.944,
            unbiased: Some(41.9),
            unbiased_low: Some(27.0),
            unbiased_high: Some(f64::NAN),
        }),
        invalid: None,
        latency: [None, Some(Latency { samples: 900, p50_us: 90, p95_us: 400, p99_us: 900, max_us: 20_000 })],
    }));
    rows.push(verdict(
        "sprt",
        Status::Pass,
        "base against lmr=off: H1 after 900 pairs",
        1,
        0,
        &[("LLR", "2.95")],
        66_000,
    ));
}
