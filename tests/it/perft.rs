//! The perft trial: embedded suites, the perft rows of `cases.csv` (checked with a second generator as well), wrong counts.

use gauntlet::notation::fen::{self, CastlingMode};
use gauntlet::record::{Row, Status};
use gauntlet::rules;
use gauntlet::sliders::{Backend, Hyperbola};
use gauntlet::subject::{EngineSpec, Session};
use gauntlet::trial::Progress;
use gauntlet::trial::generators::Generator;
use gauntlet::trial::perft::{Plan, run};

/// Keeps the whole test in the order of a second.
const MAX_NODES: u64 = 100_000;

/// All perft suites that ship.
pub const SUITES: [&str; 9] = [
    "standard",
    "tricky",
    "edge",
    "random",
    "double-check",
    "en-passant",
    "chess960",
    "chess960-edge",
    "chess960-random",
];

fn suites() -> Vec<String> {
    SUITES.iter().map(|name| format!("suites/perft/{name}.epd")).collect()
}

#[test]
fn all_suites_are_right() {
    let plan = Plan { suites: suites(), max_nodes: Some(MAX_NODES), concurrency: 2, ..Plan::default() };
    let mut rows = Vec::new();
    let progress = Progress::default();
    let summary = run(&plan, &Session::default(), &mut rows, &progress).unwrap();
    assert_eq!(summary.wrong, 0, "{:?}", summary.first_wrong);
    assert_eq!((summary.positions, summary.counts), (2018, rows.len() as u64));
    assert!(summary.counts > 5000, "{} counts", summary.counts);
    assert_eq!((progress.done(), progress.total()), (summary.counts, summary.counts));
    assert_eq!(summary.verdict().status, Status::Pass);
}

#[test]
fn every_backend_counts_the_same() {
    for &backend in Backend::ALL {
        let plan = Plan {
            suites: vec!["tricky.epd".to_owned(), "chess960-edge.epd".to_owned()],
            max_nodes: Some(3000),
            backend: backend.id().to_owned(),
            ..Plan::default()
        };
        let summary = run(&plan, &Session::default(), &mut Vec::new(), &Progress::default()).unwrap();
        assert_eq!(summary.wrong, 0, "{}: {:?}", backend.id(), summary.first_wrong);
        let making = Plan { bulk: false, ..plan };
        assert_eq!(
            run(&making, &Session::default(), &mut Vec::new(), &Progress::default()).unwrap().nodes,
            summary.nodes
        );
    }
}

#[test]
fn rows_do_not_depend_on_the_number_of_workers() {
    let rows = |concurrency| {
        let plan = Plan {
            suites: vec!["edge.epd".to_owned()],
            max_nodes: Some(2000),
            concurrency,
            ..Plan::default()
        };
        let mut rows = Vec::new();
        run(&plan, &Session::default(), &mut rows, &Progress::default()).unwrap();
        rows.into_iter()
            .map(|row| match row {
                Row::Perft(row) => (row.id, row.depth, row.nodes),
                other => panic!("not a perft row: {other:?}"),
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(rows(1), rows(4));
}

#[test]
fn a_wrong_count_gets_a_divide() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.epd");
    std::fs::write(&path, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 401\n")
        .unwrap();
    let plan = Plan { suites: vec![path.display().to_string()], ..Plan::default() };
    let mut rows = Vec::new();
    let summary = run(&plan, &Session::default(), &mut rows, &Progress::default()).unwrap();
    assert_eq!((summary.counts, summary.wrong), (2, 1));
    assert_eq!(summary.first_wrong.as_deref(), Some("wrong.epd line 1 depth 2: 400 instead of 401"));
    assert_eq!(summary.verdict().status, Status::Fail);
    let Row::Perft(row) = &rows[1] else { panic!("{rows:?}") };
    assert_eq!((row.divide.len(), row.divide.iter().map(|(_, nodes)| nodes).sum::<u64>()), (20, 400));
    let Row::Perft(right) = &rows[0] else { panic!("{rows:?}") };
    assert!(right.divide.is_empty());
}

#[test]
fn a_single_position() {
    let one = |plan: &Plan| run(plan, &Session::default(), &mut Vec::new(), &Progress::default()).unwrap();
    let plan = Plan { depth: 4, ..Plan::default() };
    assert_eq!(one(&plan).nodes, 197_281);
    assert_eq!(one(&Plan { threads: 2, ..plan.clone() }).nodes, 197_281);
    assert_eq!(one(&Plan { bulk: false, ..plan.clone() }).nodes, 197_281);
    let divided = one(&Plan { divide: true, ..plan.clone() });
    assert_eq!((divided.nodes, divided.divide.len()), (197_281, 20));
    assert!(divided.divide.contains(&("e2e4".to_owned(), 13_160)));
    assert_eq!(one(&Plan { depth: 0, ..plan }).nodes, 1);
}

/// One table for all positions and depths, as small as can be so that most counts are thrown out again; published counts.
#[test]
fn counts_from_a_table_are_the_counts() {
    let table = rules::PerftTable::new(1).unwrap();
    for name in ["standard", "tricky", "chess960-edge"] {
        let mut checked = 0;
        for case in gauntlet::suite::load_perft(&format!("{name}.epd"), None).unwrap() {
            for &(depth, nodes) in case.counts.iter().filter(|&&(_, nodes)| nodes < 300_000) {
                let found = rules::perft_hashed(&case.position, depth, Hyperbola, &table);
                assert_eq!(found, nodes, "{name} {} depth {depth}", case.id);
                checked += 1;
            }
        }
        assert!(checked > 40, "{name}: {checked}");
    }
    let one = |plan: Plan| run(&plan, &Session::default(), &mut Vec::new(), &Progress::default());
    for threads in [1, 2] {
        let plan = Plan { depth: 6, hash_mib: Some(16), threads, ..Plan::default() };
        assert_eq!(one(plan).unwrap().nodes, 119_060_324);
    }
    for plan in [
        Plan { hash_mib: Some(0), ..Plan::default() },
        Plan { hash_mib: Some(usize::MAX >> 21), ..Plan::default() },
        Plan { hash_mib: Some(1), bulk: false, ..Plan::default() },
        Plan { hash_mib: Some(1), generator: "mailbox".to_owned(), ..Plan::default() },
    ] {
        assert!(one(plan).unwrap_err().to_string().contains("hash"));
    }
}

/// A foreign engine counts by its `go perft`; here it is the embedded one behind the same face.
#[test]
fn an_engine_counts() {
    let plan = Plan {
        suites: vec!["chess960-edge.epd".to_owned(), "tricky.epd".to_owned()],
        max_nodes: Some(3000),
        engine: Some(EngineSpec::embedded()),
        ..Plan::default()
    };
    let mut rows = Vec::new();
    let summary = run(&plan, &Session::default(), &mut rows, &Progress::default()).unwrap();
    assert_eq!(summary.wrong, 0, "{:?}", summary.first_wrong);
    let Row::Perft(row) = &rows[0] else { panic!("{rows:?}") };
    assert_eq!(row.counter, "embedded");
}

#[test]
fn bad_input_is_one_line() {
    let error = |plan: Plan| {
        run(&plan, &Session::default(), &mut Vec::new(), &Progress::default()).unwrap_err().to_string()
    };
    for message in [
        error(Plan { fen: "8/8/8/8/8/8/8/8 w - -".to_owned(), ..Plan::default() }),
        error(Plan { suites: vec!["nothing.epd".to_owned()], ..Plan::default() }),
        error(Plan { backend: "no-such".to_owned(), ..Plan::default() }),
    ] {
        assert!(!message.contains('\n') && message.len() > 10, "{message}");
    }
}

/// By the library as by the command line: every trial that counts refuses what would overflow the stack.
#[test]
fn a_depth_that_nobody_can_count_is_refused() {
    use gauntlet::trial::{generators::compare, locate};
    let (session, progress) = (Session::default(), Progress::default());
    for depth in [101, 1_000_000, u32::MAX] {
        let plan = Plan { depth, ..Plan::default() };
        let one = run(&plan, &session, &mut Vec::new(), &progress).unwrap_err();
        let all = compare::run(&plan, 1, &mut Vec::new(), &progress).unwrap_err();
        let plan = locate::Plan { depth, ..locate::Plan::default() };
        let located = locate::run(&plan, &session, &mut Vec::new(), &progress).unwrap_err();
        for error in [one, all, located] {
            assert_eq!(error.to_string(), format!("depth: {depth} is more than 100"));
        }
    }
}

#[test]
fn an_interrupt_ends_it() {
    let progress = Progress::default();
    progress.stop();
    let plan = Plan { suites: suites(), ..Plan::default() };
    let error = run(&plan, &Session::default(), &mut Vec::new(), &progress).unwrap_err();
    assert_eq!(error.to_string(), "interrupted");
}

/// The perft and Chess960 rows of `tests/data/cases.csv`: id, FEN, counts from depth 1.
const REPORTED: [(&str, &str, &[u64]); 13] = [
    ("BR-001", "8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", &[6, 113, 761]),
    ("BR-003", "4k3/3p1p2/8/4P3/4K3/8/8/8 b - - 0 1", &[7, 58, 426, 3385, 25_837, 214_106]),
    ("BR-005", "rnbqkbnr/ppp2pp1/4p3/3N4/3PpPp1/8/PPP3PP/R1B1KBNR b KQkq f3 0 1", &[42, 1281, 47_283]),
    ("BR-006", "r2q1rk1/pp1bbppp/4p3/P1p1P3/4P3/1P4P1/1BpQ1PBP/R4RK1 b - - 0 14", &[33, 1386, 48_234]),
    ("BR-008a", "rnbqk1nr/ppp1ppb1/6p1/3p4/8/2N5/PPPPPPP1/R1BQKBNR w KQkq - 0 5", &[27, 1026, 28_947]),
    ("BR-008b", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", &[26, 568, 13_744, 314_346]),
    ("BR-009", "rnbqkbnr/ppp1pppp/3p4/8/Q7/2P5/PP1PPPPP/RNB1KBNR b KQkq -", &[6, 206, 4996]),
    ("BR-011a", "4k3/8/8/8/8/8/8/rR2K1N1 w B - 0 1", &[11, 136, 2219]),
    ("BR-011b", "4k3/pppppppp/8/8/8/8/PPPPPPPP/rR2K3 w B - 0 1", &[21, 424, 8265]),
    ("BR-012a", "4k3/8/8/8/8/8/8/4K1RR w H - 0 1", &[20, 88, 2380]),
    ("BR-012b", "4k3/8/8/8/8/8/8/4K1RR w G - 0 1", &[21, 91, 2446]),
    ("BR-014", "rk2r2b/ppp2b1p/1n4p1/3p1p2/3q1P2/1P1QN3/P1P1P2P/RK2R1BB w EAea - 0 12", &[33, 1404, 45_170]),
    ("BR-016b", "4k3/8/8/8/8/8/8/5KRr w G - 0 1", &[5, 57, 821]),
];

#[test]
fn reported_cases_count_right_here_and_in_a_second_generator() {
    for (id, fen, counts) in REPORTED {
        let line =
            format!("{fen} {}", (1..).zip(counts).map(|(d, n)| format!(";D{d} {n} ")).collect::<String>());
        let case = gauntlet::suite::perft_cases(id, &line, None).unwrap().remove(0);
        let full = if fen.ends_with(" -") { format!("{fen} 0 1") } else { fen.to_owned() };
        let board = cozy_chess::Board::from_fen(&full, case.chess960).unwrap();
        for &(depth, expected) in &case.counts {
            assert_eq!(rules::perft(&case.position, depth, Hyperbola), expected, "{id} depth {depth}");
            assert_eq!(crate::cozy::perft(&board, depth), expected, "{id} depth {depth}: cozy-chess");
            for generator in Generator::ALL {
                let nodes = generator.perft(&case.position, depth, true);
                assert_eq!(nodes, expected, "{id} depth {depth}: {}", generator.id());
            }
        }
    }
}

/// The rest of what the rows say: BR-001 at depth 5, and BR-016 (a) with `KQkq` in Chess960.
#[test]
fn reported_cases_beyond_the_table() {
    let deep = "8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1 ;D5 98420";
    let swap = "brnbqkrn/pppppppp/8/8/8/8/PPPPPPPP/BRNBQKRN w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8920";
    for line in [deep, swap] {
        for case in gauntlet::suite::perft_cases("cases", line, None).unwrap() {
            for &(depth, expected) in &case.counts {
                assert_eq!(rules::perft(&case.position, depth, Hyperbola), expected, "{line}");
            }
        }
    }
    // As reported, BR-011 and BR-012 have X-FEN letters, to be read in Chess960 mode.
    for (xfen, shredder) in
        [("rR2K1N1 w Q", "rR2K1N1 w B"), ("rR2K3 w Q", "rR2K3 w B"), ("4K1RR w K", "4K1RR w H")]
    {
        let read = |tail: &str| {
            fen::parse(&format!("4k3/8/8/8/8/8/8/{tail} - 0 1"), CastlingMode::Chess960).unwrap()
        };
        assert_eq!(read(xfen), read(shredder));
    }
}
