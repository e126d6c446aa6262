//! The rules core against the published counts, against cozy-chess, and against the reported faults of other programs.

use gauntlet::mailbox::Mailbox;
use gauntlet::notation::fen::{self, CastlingMode};
use gauntlet::notation::{san, uci_move};
use gauntlet::rules::{Line, Outcome, Position, PositionError, perft, perft_divide};
use gauntlet::sliders::Hyperbola;
use gauntlet::stats::SplitMix64;
use gauntlet::subject::Session;
use gauntlet::trial::{self, Progress, perft::Plan};
use gauntlet::types::{Color, Move, Piece, Role, Setup, Square, Surplus};

fn standard(text: &str) -> Position {
    fen::parse(text, CastlingMode::Standard).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn chess960(text: &str) -> Position {
    fen::parse(text, CastlingMode::Chess960).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn counts(position: &Position, depths: std::ops::RangeInclusive<u32>) -> Vec<u64> {
    depths.map(|depth| perft(position, depth, Hyperbola)).collect()
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn divide_and_threads_sum_up_to_perft() {
    let position = standard(KIWIPETE);
    assert_eq!(perft_divide(&position, 4, Hyperbola).iter().map(|(_, nodes)| nodes).sum::<u64>(), 4_085_603);
    let by_two_threads = |depth| {
        let plan = Plan { fen: KIWIPETE.to_owned(), depth, threads: 2, ..Plan::default() };
        trial::perft::run(&plan, &Session::default(), &mut Vec::new(), &Progress::default()).unwrap().nodes
    };
    assert_eq!(by_two_threads(4), 4_085_603);
    assert_eq!((perft(&position, 0, Hyperbola), by_two_threads(1)), (1, 48));
}

/// Walks random games from many starts: legal moves are those of cozy-chess, kept keys are those from scratch,
/// a flipped position has the same moves flipped.
#[test]
fn random_games_agree_with_another_generator() {
    let mut random = 20_261_130u64;
    let mut next = move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random as usize
    };
    let starts: Vec<String> = include_str!("../../suites/perft/chess960.epd")
        .lines()
        .step_by(40)
        .map(|line| line.split(';').next().unwrap_or_default().trim().to_owned())
        .collect();
    let mut positions = 0;
    for (game, start) in starts.iter().cycle().take(100).enumerate() {
        let mut ours = chess960(start);
        let mut theirs = cozy_chess::Board::from_fen(start, true).expect("a Chess960 start position");
        for ply in 0..100 {
            let mut expected = Vec::new();
            theirs.generate_moves(|moves| {
                expected.extend(moves.into_iter().map(|mv| mv.to_string()));
                false
            });
            let moves = ours.legal_moves();
            let mut found: Vec<String> = moves.iter().map(|mv| format!("{mv:?}")).collect();
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "game {game} ply {ply}: {}", fen::format(&ours));
            assert_eq!((ours.key(), ours.pawn_key()), ours.keys_from_scratch(), "{}", fen::format(&ours));
            assert_eq!(ours.flipped().flipped(), ours);
            assert_eq!(ours.flipped().legal_moves().len(), moves.len());
            assert_eq!(Position::from_setup(&ours.to_setup()), Ok(ours));
            positions += 1;
            let Some(&mv) = moves.get(next() % moves.len().max(1)) else { break };
            ours.play_unchecked(mv);
            theirs.play_unchecked(format!("{mv:?}").parse().expect("a move"));
        }
    }
    assert!(positions > 5_000, "{positions}");
}

#[test]
fn positions_that_cannot_be_are_refused() {
    let refused = |text: &str| fen::parse(text, CastlingMode::Standard).is_err();
    // BR-021: side that has just moved in check, touching kings, a missing king.
    assert!(refused("1n6/8/2Q5/1rK5/8/8/8/5k2 b - - 0 1"));
    assert!(refused("8/8/8/8/8/8/5kK1/8 w - - 0 1"));
    assert!(refused("8/2K5/8/8/2K1NB2/8/8/8 w - - 96 46"));
    assert!(refused("8/7R/k2R1P2/p3p3/P3N3/8/1P3K2/8 w - - 16 71"));
    assert_eq!(Position::from_setup(&Setup::default()), Err(PositionError::NoKing(Color::White)));
}

#[test]
fn more_men_than_a_game_brings_about_are_refused() {
    let white = Color::White;
    let cases = [
        (
            "rnbqkbnr/pppppppp/8/8/8/N7/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            Surplus::Men { color: white, count: 17 },
        ),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", Surplus::Pawns { color: white, count: 9 }),
        (
            "4k3/ppppppp1/8/nnn2rrr/8/q7/Q7/R3K3 w - - 0 1",
            Surplus::Promoted { color: Color::Black, promoted: 2, missing: 1 },
        ),
        (
            "QQQQQ3/QQQQ4/Q7/8/8/8/k7/6K1 b - - 0 1",
            Surplus::Promoted { color: white, promoted: 9, missing: 8 },
        ),
    ];
    for (text, surplus) in cases {
        let setup = fen::parse_setup(text, CastlingMode::Standard).unwrap();
        assert_eq!(Position::from_setup(&setup), Err(PositionError::Surplus(surplus)), "{text}");
        assert!(Mailbox::new(&setup).is_err(), "{text}");
        let error = fen::parse(text, CastlingMode::Standard).unwrap_err().to_string();
        assert_eq!(error, format!("FEN position: {surplus}"));
    }
    // One pawn fewer, and both pieces may have been pawns.
    standard("4k3/pppppp2/8/nnn2rrr/8/q7/Q7/R3K3 w - - 0 1");
    // The most moves that any position has (published), with nine queens.
    let most = standard("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    assert_eq!((most.legal_moves().len(), perft(&most, 1, Hyperbola)), (218, 218));
}

/// Crowds of any size: either the set-up is refused, by both generators, or a list holds all of its moves.
#[test]
fn no_move_of_an_accepted_crowd_is_lost() {
    let mut random = SplitMix64::new(257);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..20_000 {
        // Black's men shut their king in, so that White's are free to stand anywhere. All of these have 263 moves.
        let full = "krQQQQQQ/ppQ4Q/QQ5Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1";
        let mut setup = fen::parse_setup(full, CastlingMode::Standard).unwrap();
        let percent = random.below(101);
        for square in &mut setup.board {
            if *square == Some(Piece::new(Color::White, Role::Queen)) && random.below(100) >= percent {
                *square = (random.below(9) == 0).then_some(Piece::new(Color::White, Role::Rook));
            }
        }
        let position = Position::from_setup(&setup);
        assert_eq!(position.is_ok(), Mailbox::new(&setup).is_ok(), "{setup:?}");
        let Ok(position) = position else {
            refused += 1;
            continue;
        };
        let listed = position.legal_moves().len();
        assert!(listed <= 218, "{}", fen::format(&position));
        assert_eq!(perft(&position, 1, Hyperbola), listed as u64, "{}", fen::format(&position));
        accepted += 1;
    }
    assert!(accepted > 2_000 && refused > 2_000, "{accepted} {refused}");
}

#[test]
fn illegal_moves_are_refused_and_change_nothing() {
    let mut line = Line::new(Position::startpos());
    let before = line.clone();
    assert!(line.play(Move::normal(Square::E2, Square::E5)).is_err());
    assert_eq!(line, before);
}

/// Plays SAN or UCI moves.
fn line(start: &str, moves: &str) -> Line {
    let mut line = Line::new(standard(start));
    for text in moves.split_whitespace() {
        let mv = san::parse(text, line.position())
            .or_else(|_| uci_move::parse(text, line.position()))
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        line.play(mv).expect("a legal move");
    }
    line
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn mate_outranks_the_fifty_move_rule() {
    let game = line("8/8/2p5/3b1K1k/4p3/4PpR1/5P2/8 w - - 99 113", "Rh3"); // BR-060
    assert_eq!(game.outcome(true), Some(Outcome::Checkmate { winner: Color::White }));
    assert_eq!(game.position().halfmove_clock(), 100);
}

#[test]
fn counts_of_moves_end_the_game() {
    let at = |clock: u32| Line::new(standard(&format!("4k3/8/8/8/8/8/4P3/4K3 w - - {clock} 90")));
    assert_eq!((at(99).outcome(true), at(100).outcome(true)), (None, Some(Outcome::FiftyMoves)));
    assert_eq!((at(149).outcome(false), at(150).outcome(false)), (None, Some(Outcome::SeventyFiveMoves)));
    assert_eq!(at(400).position().halfmove_clock(), 400);
}

#[test]
fn dead_positions_by_material() {
    // BR-062, and the plain cases.
    for dead in [
        "5K2/8/8/1B6/8/k7/6b1/8 w - - 0 39",
        "8/6k1/8/8/4B3/3B4/8/1K6 w - - 0 1",
        "B1b1k3/3b4/4b3/8/8/8/8/4KB2 w - - 0 1",
        "8/8/8/4k3/8/3K4/8/3N4 w - - 0 1",
        "8/8/8/4k3/8/3K4/8/8 w - - 0 1",
    ] {
        assert_eq!(Line::new(standard(dead)).outcome(false), Some(Outcome::DeadPosition), "{dead}");
    }
    for alive in [
        "8/8/8/4k3/5b2/3K4/8/3B4 w - - 0 33",
        "8/8/4K3/8/1n6/8/5k1N/8 w - - 0 50",
        "1n6/8/8/2k1K3/8/8/8/5B2 w - - 0 50",
        "8/8/8/4k3/8/3K4/8/3N1N2 w - - 0 1",
        "8/8/8/4k3/8/3K4/4P3/8 w - - 0 1",
        "8/8/8/4k3/8/3K4/8/7R w - - 0 1",
    ] {
        assert_eq!(Line::new(standard(alive)).outcome(true), None, "{alive}");
    }
}

#[test]
fn repetitions_count_from_the_start_position_and_ignore_useless_ep() {
    // BR-064, BR-067, BR-068: (start, moves); threefold on the last ply and not before.
    for (start, moves) in [
        ("6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1", "h5 Rh6 Rh7 Re6 Rg7 Rh6 Rh7 Re6 Rg7"),
        ("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "Kd2 Kd7 Ke1 Ke8 Kf2 Kf7 Ke1 Ke8"),
        (START, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8"),
        ("5kbq/3Q2n1/6p1/r3PpKn/2n5/8/8/q7 w - f6 7 4", "d7c8 f8f7 c8d7 f7f8 d7d8 f8f7 d8d7 f7f8"),
    ] {
        assert_eq!(line(start, moves).outcome(true), Some(Outcome::Threefold), "{start}");
        let (shorter, _) = moves.rsplit_once(' ').expect("several moves");
        assert_eq!(line(start, shorter).outcome(true), None, "{start}");
        assert_eq!(line(start, moves).outcome(false), None, "a threefold must be claimed");
    }
    assert!(standard("5kbq/3Q2n1/6p1/r3PpKn/2n5/8/8/q7 w - f6 7 4").ep_square().is_none());
    let fivefold = "Nf3 Nf6 Ng1 Ng8 ".repeat(4);
    assert_eq!(line(START, &fivefold).outcome(false), Some(Outcome::Fivefold));
}

#[test]
fn reported_perft_faults_of_other_programs() {
    // cases.csv, area perft.
    let position = standard("8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1"); // BR-001
    assert_eq!(counts(&position, 1..=3), [6, 113, 761]);
    assert_eq!(perft(&position, 5, Hyperbola), 98_420);
    assert!(fen::format(&position).contains(" - - "));

    let position = standard("4k3/3p1p2/8/4P3/4K3/8/8/8 b - - 0 1"); // BR-003
    assert_eq!(counts(&position, 1..=6), [7, 58, 426, 3_385, 25_837, 214_106]);

    let position = standard("rnbqkbnr/ppp2pp1/4p3/3N4/3PpPp1/8/PPP3PP/R1B1KBNR b KQkq f3 0 1"); // BR-005
    assert_eq!(counts(&position, 1..=4), [42, 1_281, 47_283, 1_437_572]);

    let position = standard("r2q1rk1/pp1bbppp/4p3/P1p1P3/4P3/1P4P1/1BpQ1PBP/R4RK1 b - - 0 14"); // BR-006
    assert_eq!(counts(&position, 1..=3), [33, 1_386, 48_234]);

    // BR-008: the counts belong to the position before the capture.
    for (before, mv, after, expected) in [
        (
            "rnbqk1nr/ppp1ppb1/6p1/3p4/8/2N5/PPPPPPP1/R1BQKBNR w KQkq - 0 5",
            "Rxh8",
            "rnbqk1nR/ppp1ppb1/6p1/3p4/8/2N5/PPPPPPP1/R1BQKBN1 b Qq - 0 5",
            [27, 1_026, 28_947, 1_083_800],
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "Rxa8+",
            "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 1",
            [26, 568, 13_744, 314_346],
        ),
    ] {
        assert_eq!(counts(&standard(before), 1..=4), expected, "{before}");
        assert_eq!(fen::format(line(before, mv).position()), after);
    }

    let position = standard("rnbqkbnr/ppp1pppp/3p4/8/Q7/2P5/PP1PPPPP/RNB1KBNR b KQkq -"); // BR-009
    assert_eq!(counts(&position, 1..=3), [6, 206, 4_996]);
}

#[test]
fn reported_chess960_faults_of_other_programs() {
    // cases.csv, area chess960: (FEN, counts from depth 1 on).
    for (text, expected) in [
        ("4k3/8/8/8/8/8/8/rR2K1N1 w Q - 0 1", [11, 136, 2_219]),
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/rR2K3 w Q - 0 1", [21, 424, 8_265]),
        ("4k3/8/8/8/8/8/8/4K1RR w K - 0 1", [20, 88, 2_380]),
        ("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", [21, 91, 2_446]),
        ("rk2r2b/ppp2b1p/1n4p1/3p1p2/3q1P2/1P1QN3/P1P1P2P/RK2R1BB w EAea - 0 12", [33, 1_404, 45_170]),
        ("brnbqkrn/pppppppp/8/8/8/8/PPPPPPPP/BRNBQKRN w KQkq - 0 1", [20, 400, 8_920]),
        ("4k3/8/8/8/8/8/8/5KRr w G - 0 1", [5, 57, 821]),
    ] {
        assert_eq!(counts(&chess960(text), 1..=3), expected, "{text}");
    }
}
