//! The generators beside each other: suites with published counts, random positions, reported faults of other programs, and
//! other people's generators as judges.

use gauntlet::mailbox::{Mailbox, MailboxError};
use gauntlet::notation::fen::{self, CastlingMode};
use gauntlet::notation::uci_move;
use gauntlet::rules::Position;
use gauntlet::subject::Session;
use gauntlet::trial::Progress;
use gauntlet::trial::generators::differential::{self, Summary};
use gauntlet::trial::generators::{Generator, Kind, RandomPositions};
use gauntlet::trial::perft::{Plan, run};
use gauntlet::types::{Color, Piece, Role, Setup, Square, Surplus};
use std::collections::BTreeSet;

#[test]
fn every_generator_is_right_on_the_suites() {
    for (suites, max) in [
        (&["tricky", "edge", "double-check", "chess960-edge", "chess960-random"][..], 30_000),
        (&["standard", "random", "chess960"], 1_000),
    ] {
        for generator in Generator::ALL {
            for bulk in [true, false] {
                if !bulk && !generator.makes_leaves() {
                    continue;
                }
                let plan = Plan {
                    suites: suites.iter().map(|name| format!("suites/perft/{name}.epd")).collect(),
                    generator: generator.id().to_owned(),
                    max_nodes: Some(if bulk { max } else { max / 10 }),
                    bulk,
                    concurrency: 2,
                    ..Plan::default()
                };
                let summary = run(&plan, &Session::default(), &mut Vec::new(), &Progress::default()).unwrap();
                assert_eq!(summary.wrong, 0, "{}: {:?}", generator.id(), summary.first_wrong);
                assert!(summary.counts > 100, "{}", summary.counts);
            }
        }
    }
}

#[test]
fn ids_are_permanent() {
    let ids: Vec<_> = Generator::ALL.iter().map(|generator| generator.id()).collect();
    assert_eq!(ids, ["legal", "mailbox", "make-unmake", "pseudo-legal", "monochrome", "staged", "two-ply"]);
    for &generator in Generator::ALL {
        assert_eq!(Generator::from_id(generator.id()), Some(generator));
        assert!(generator.about().len() > 40);
    }
}

/// More of the same: `gauntlet perft --random N --seed S`.
#[test]
fn generators_agree_on_random_positions() {
    let summary = differential::run(30_000, 20_261_130, &Progress::default()).unwrap();
    assert_eq!(summary.wrong, 0, "{:#?}", summary.differences);
    assert!(summary.positions >= 20_000, "{}", summary.positions);
    assert!(summary.refused > 500, "{}", summary.refused);
    assert!(summary.moves > 400_000, "{}", summary.moves);
}

/// The positions of the test before this one, as shakmaty and cozy-chess see them, where they take them at all.
#[test]
fn other_people_agree_on_random_positions() {
    use shakmaty::Position as _;
    let (mut shakmaty_saw, mut cozy_saw) = (0, 0);
    for (kind, setup) in RandomPositions::new(20_261_130).take(30_000).step_by(7) {
        let Ok(position) = Position::from_setup(&setup) else { continue };
        let board = Mailbox::new(&setup).unwrap();
        let ours: BTreeSet<String> = board.legal_moves().iter().map(|mv| format!("{mv:?}")).collect();
        let text = fen::format_shredder(&position);
        let mode = shakmaty::CastlingMode::Chess960;
        let theirs = shakmaty::fen::Fen::from_ascii(text.as_bytes()).unwrap().into_position(mode);
        if let Ok(theirs) = theirs
            .or_else(shakmaty::PositionError::<shakmaty::Chess>::ignore_too_much_material)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
        {
            let theirs: BTreeSet<String> =
                theirs.legal_moves().into_iter().map(|mv| mv.to_uci(mode).to_string()).collect();
            assert_eq!(ours, theirs, "{kind:?} {text}");
            shakmaty_saw += 1;
        }
        if let Ok(theirs) = cozy_chess::Board::from_fen(&text, true) {
            let mut list = BTreeSet::new();
            theirs.generate_moves(|moves| {
                list.extend(moves.into_iter().map(|mv| mv.to_string()));
                false
            });
            assert_eq!(ours, list, "{kind:?} {text}");
            cozy_saw += 1;
        }
    }
    assert!(shakmaty_saw > 2_000 && cozy_saw > 1_500, "{shakmaty_saw} {cozy_saw}");
}

#[test]
fn random_positions_have_what_is_hard() {
    let (mut ep, mut castling, mut checks, mut double) = (0, 0, 0, 0);
    let mut kinds = [0; 4];
    for (kind, setup) in RandomPositions::new(20_261_130).take(30_000) {
        let Ok(position) = Position::from_setup(&setup) else { continue };
        kinds[kind as usize] += 1;
        ep += u32::from(position.ep_square().is_some());
        castling += u32::from(position.legal_moves().iter().any(|mv| mv.is_castle()));
        checks += u32::from(position.is_check());
        double += u32::from(position.checkers().more_than_one());
    }
    assert!(kinds.iter().all(|&count| count > 3_000), "{kinds:?}");
    assert!(
        ep > 500 && castling > 500 && checks > 1_000 && double > 100,
        "{ep} {castling} {checks} {double}"
    );
    assert_eq!(Kind::Standard as usize, 0);
}

fn read(text: &str, chess960: bool) -> Position {
    let mode = if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    fen::parse(text, mode).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn moves(text: &str, chess960: bool) -> Vec<String> {
    let position = read(text, chess960);
    let board = Mailbox::new(&position.to_setup()).unwrap();
    board.legal_moves().into_iter().map(|mv| uci_move::format(mv, chess960)).collect()
}

/// What the rows of `cases.csv` say of single moves, of the mailbox's own lists.
#[test]
fn reported_moves_of_the_mailbox() {
    let has = |text: &str, chess960, mv: &str| moves(text, chess960).iter().any(|found| found == mv);
    assert!(!has("8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", false, "d5e6"), "BR-001");
    let two_takers = "rnbqkbnr/ppp2pp1/4p3/3N4/3PpPp1/8/PPP3PP/R1B1KBNR b KQkq f3 0 1";
    assert!(has(two_takers, false, "e4f3") && has(two_takers, false, "g4f3"), "BR-005");
    let mut found = moves("rnbqkbnr/ppp1pppp/3p4/8/Q7/2P5/PP1PPPPP/RNB1KBNR b KQkq - 0 1", false);
    found.sort();
    assert_eq!(found, ["b7b5", "b8c6", "b8d7", "c7c6", "c8d7", "d8d7"], "BR-009");
    for (text, mv, legal) in [
        ("4k3/8/8/8/8/8/8/rR2K1N1 w B - 0 1", "e1b1", false), // BR-011
        ("4k3/8/8/8/8/8/8/4K1RR w H - 0 1", "e1h1", false),   // BR-012
        ("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", "e1g1", true),
        ("rk2r2b/ppp2b1p/1n4p1/3p1p2/3q1P2/1P1QN3/P1P1P2P/RK2R1BB w EAea - 0 12", "b1a1", true), // BR-014
        ("brnbqkrn/pppppppp/8/8/8/8/PPPPPPPP/BRNBQKRN w KQkq - 0 1", "f1g1", true),              // BR-016
        ("4k3/8/8/8/8/8/8/5KRr w G - 0 1", "f1g1", false),
    ] {
        assert_eq!(has(text, true, mv), legal, "{text} {mv}");
    }
    // BR-003: among the 58 replies two take en passant.
    let start = read("4k3/3p1p2/8/4P3/4K3/8/8/8 b - - 0 1", false);
    let mut board = Mailbox::new(&start.to_setup()).unwrap();
    let (mut replies, mut list) = (Vec::new(), Vec::new());
    board.legal(&mut list);
    for mv in list {
        let undo = board.make(mv);
        replies.extend(board.legal_moves());
        board.unmake(mv, &undo);
    }
    let ep = replies.iter().filter(|mv| mv.kind() == gauntlet::types::MoveKind::EnPassant).count();
    assert_eq!((replies.len(), ep), (58, 2), "BR-003");
}

/// BR-110: colour flips, written out by the report; flipping twice gives the input, both sides count the same.
#[test]
fn reported_colour_flips() {
    for (text, flipped) in [
        (
            "rnbqkbnr/ppp2ppp/8/3Pp3/8/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 3",
            "rnbqkbnr/pppp1ppp/8/8/3pP3/8/PPP2PPP/RNBQKBNR b KQkq e3 0 3",
        ),
        ("r3k2r/p6p/8/8/8/8/P6P/R3K2R w Kq - 3 20", "r3k2r/p6p/8/8/8/8/P6P/R3K2R b Qk - 3 20"),
        ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "3k4/8/8/K2pP2q/8/8/8/8 w - - 0 1"),
    ] {
        let position = read(text, false);
        let other = position.flipped();
        assert_eq!(fen::format(&other), flipped);
        assert_eq!(other, read(flipped, false));
        assert_eq!(other.flipped(), position);
        for generator in Generator::ALL {
            for depth in 1..=3 {
                let (here, there) =
                    (generator.perft(&position, depth, true), generator.perft(&other, depth, true));
                assert_eq!(here, there, "{} {text} depth {depth}", generator.id());
            }
        }
    }
}

/// All generators and keys around the reported positions of `cases.csv`, two plies deep.
#[test]
fn generators_agree_around_reported_positions() {
    let text = include_str!("../data/cases.csv");
    let mut summary = Summary::default();
    for word in text.split(['"', ',', ';', '(', ')']).map(str::trim) {
        // Whatever reads as a position, in either way to read its rights.
        let fields: Vec<&str> = word.split_whitespace().take(6).collect();
        for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
            for length in [4, 6] {
                let Some(fields) = fields.get(..length) else { continue };
                let Ok(position) = fen::parse(&fields.join(" "), mode) else { continue };
                differential::compare(&position.to_setup(), &mut summary);
                for &mv in position.legal_moves().iter() {
                    let mut child = position;
                    child.play_unchecked(mv);
                    differential::compare(&child.to_setup(), &mut summary);
                }
            }
        }
    }
    assert_eq!(summary.wrong, 0, "{:#?}", summary.differences);
    assert!(summary.positions > 1_000, "{}", summary.positions);
}

#[test]
fn the_mailbox_refuses_what_is_no_position() {
    let start = Position::startpos().to_setup();
    let with = |changes: &[(Square, Option<Piece>)]| {
        let mut setup = start.clone();
        changes.iter().for_each(|&(square, piece)| setup.board[square.index()] = piece);
        Mailbox::new(&setup).map(|_| ()).unwrap_err()
    };
    let (white, black) = (Color::White, Color::Black);
    assert_eq!(with(&[(Square::E1, None)]), MailboxError::Kings { color: white, count: 0 });
    let king = Some(Piece::new(black, Role::King));
    assert_eq!(with(&[(Square::E5, king)]), MailboxError::Kings { color: black, count: 2 });
    assert_eq!(with(&[(Square::A8, Some(Piece::new(white, Role::Pawn)))]), MailboxError::Pawn(Square::A8));
    let knight = Some(Piece::new(white, Role::Knight));
    let surplus = Surplus::Men { color: white, count: 17 };
    assert_eq!(with(&[(Square::F6, knight)]), MailboxError::Surplus(surplus));
    assert_eq!(with(&[(Square::F6, knight), (Square::G1, None)]), MailboxError::KingEnPrise(black));
    assert_eq!(
        Mailbox::new(&Setup::default()).map(|_| ()),
        Err(MailboxError::Kings { color: white, count: 0 })
    );
}
