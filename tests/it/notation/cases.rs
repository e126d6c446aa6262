//! Rows of `tests/data/cases.csv` about FEN, Chess960, SAN, EPD and repetition: bugs that other programs had.

use super::*;
use gauntlet::notation::{MoveError, epd, fen::FenError};
use gauntlet::rules::{Line, Outcome};
use gauntlet::types::{Color, MoveKind, Square};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

fn san_of(position: &Position, uci: &str) -> String {
    san::format(uci_move::parse(uci, position).unwrap(), position)
}

fn castles(position: &Position) -> usize {
    position.legal_moves().iter().filter(|mv| mv.is_castle()).count()
}

#[test]
fn br_011_rook_uncovers_check() {
    let a = chess960("4k3/8/8/8/8/8/8/rR2K1N1 w Q - 0 1");
    let b = chess960("4k3/pppppppp/8/8/8/8/PPPPPPPP/rR2K3 w Q - 0 1");
    for position in [a, b] {
        assert_eq!(castles(&position), 0);
        assert_eq!(position.castling_rooks().first(), Some(Square::B1));
        assert!(fen::format_shredder(&position).contains(" w B - "));
    }
    assert_perft(&a, &[(1, 11), (2, 136), (3, 2219)]);
    assert_perft(&b, &[(1, 21), (2, 424), (3, 8265)]);
}

#[test]
fn br_012_xfen_letter_means_the_outermost_rook() {
    let a = "4k3/8/8/8/8/8/8/4K1RR w K - 0 1";
    let b = "4k3/8/8/8/8/8/8/4K1RR w G - 0 1";
    assert_eq!(castles(&chess960(a)), 0);
    assert_eq!(castles(&chess960(b)), 1);
    assert!(has_uci(&chess960(b), "e1g1"));
    assert_perft(&chess960(a), &[(1, 20), (2, 88), (3, 2380)]);
    assert_perft(&chess960(b), &[(1, 21), (2, 91), (3, 2446)]);
    assert_eq!(fen::format(&chess960(a)), a);
    assert_eq!(fen::format(&chess960(b)), b);
}

#[test]
fn br_014_attacked_rook_is_no_obstacle() {
    let position = chess960("rk2r2b/ppp2b1p/1n4p1/3p1p2/3q1P2/1P1QN3/P1P1P2P/RK2R1BB w EAea - 0 12");
    let castle = uci_move::parse("b1a1", &position).unwrap();
    assert_eq!(castle.kind(), MoveKind::Castle);
    assert_eq!(san::format(castle, &position), "O-O-O");
    let mut next = position;
    next.play(castle).unwrap();
    let text = fen::format(&next);
    assert!(text.contains("/2KRR1BB b kq "), "{text}");
    assert_perft(&position, &[(1, 33), (2, 1404), (3, 45170)]);
}

#[test]
fn br_016_king_and_rook_swap() {
    let a = chess960("brnbqkrn/pppppppp/8/8/8/8/PPPPPPPP/BRNBQKRN w KQkq - 0 1");
    let castle = uci_move::parse("f1g1", &a).unwrap();
    assert_eq!(san::format(castle, &a), "O-O");
    let mut next = a;
    next.play(castle).unwrap();
    assert!(fen::format(&next).contains("/BRNBQRKN b "));
    assert_perft(&a, &[(1, 20), (2, 400), (3, 8920)]);
    let b = chess960("4k3/8/8/8/8/8/8/5KRr w G - 0 1");
    assert_eq!(castles(&b), 0);
    assert_perft(&b, &[(1, 5), (2, 57), (3, 821)]);
}

#[test]
fn br_017_castling_is_written_by_variant() {
    let position = standard("r1b1k2r/ppp1n1pp/4p3/3qNp2/3P4/2P3N1/PP2QPPP/R2R2K1 b kq - 1 15");
    let castle = uci_move::parse("e8g8", &position).unwrap();
    assert_eq!(uci_move::parse("e8h8", &position), Ok(castle));
    assert_eq!(uci_move::format(castle, false), "e8g8");
    assert_eq!(uci_move::format(castle, true), "e8h8");
    assert!(!fen::needs_chess960(&position));
}

#[test]
fn br_019_bogus_ep_square() {
    let a = standard("rnbqkb1r/ppp3pp/3p1n2/3P4/8/2P5/PP3PPP/RNBQKB1R w KQkq e6");
    assert_perft(&a, &[(1, 36), (2, 1013), (3, 35805)]);
    let b = standard("rnbqkbnr/pppppppp/8/8/P7/8/1PPPPPPP/RNBQKBNR w KQkq a3 0 1");
    assert_perft(&b, &[(1, 21)]);
    for position in [a, b] {
        assert_eq!(position.ep_square(), None);
        assert!(position.legal_moves().iter().all(|mv| mv.kind() != MoveKind::EnPassant));
    }
}

#[test]
fn br_021_impossible_positions_are_refused() {
    for (text, reason) in [
        ("1n6/8/2Q5/1rK5/8/8/8/5k2 b - - 0 1", "in check"),
        ("8/8/8/8/8/8/5kK1/8 w - - 0 1", "kings"),
        ("8/2K5/8/8/2K1NB2/8/8/8 w - - 96 46", "king"),
        ("8/7R/k2R1P2/p3p3/P3N3/8/1P3K2/8 w - - 16 71", "in check"),
    ] {
        let error = fen::parse(text, CastlingMode::Standard).unwrap_err();
        assert!(matches!(error, FenError::Position(_)), "{text}: {error}");
        assert!(error.to_string().contains(reason), "{text}: {error}");
    }
}

#[test]
fn br_022_malformed_fields_are_named() {
    for (text, field) in [
        ("rnbqkbnr/pppppppp/7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(), "piece placement"),
        ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(), "piece placement"),
        (format!("{START} x KQkq - 0 1"), "side to move"),
        (format!("{START} w xQkq - 0 1"), "castling"),
        (format!("{START} w KQkq e - 1"), "en passant"),
        (format!("{START} w KQkq - -1 1"), "half-move clock"),
        (format!("{START} w KQkq - 0 1x"), "full-move number"),
    ] {
        let error = fen::parse(&text, CastlingMode::Standard).unwrap_err().to_string();
        assert!(error.contains(field), "{text}: {error}");
    }
}

#[test]
fn br_023_truncated_fens() {
    let cut = ["4k3/8/8/8/8/8/8/4K3 w", &format!("{START} w KQkq e"), "", "4k3/8/8/8/8/8/8/4K3"];
    for text in cut {
        assert!(fen::parse(text, CastlingMode::Standard).is_err(), "{text}");
    }
}

#[test]
fn br_025_impossible_rights_are_dropped() {
    let a = standard("r2q1rnk/ppR5/3P2pp/1P1Nbp2/4p3/BQ4P1/P3BP1P/6K1 w KQkq - 0 1");
    assert!(fen::format(&a).contains(" w - - "));
    assert_perft(&a, &[(1, 52)]);
    let b = standard("rnbqkbnr/pppppppp/8/8/8/5BN1/PPPPPPPP/RNBQ1RK1 b HQkq - 0 1");
    assert!(fen::format(&b).contains(" b kq - "));
    assert_perft(&b, &[(1, 20)]);
}

#[test]
fn br_026_half_move_clock_is_wide() {
    let position = standard("8/8/8/8/8/4k3/8/R3K3 w - - 130 120");
    assert_eq!(fen::format(&play_san(&position, "Ra2")), "8/8/8/8/8/4k3/R7/4K3 b - - 131 120");
}

#[test]
fn br_030_pinned_piece_is_no_rival() {
    let position = standard("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1");
    assert_eq!(san_of(&position, "g1e2"), "Ne2");
    assert_eq!(san::parse("Nge2", &position), uci_move::parse("g1e2", &position));
}

#[test]
fn br_032_pinning_rook_is_free() {
    let position = standard("4k2r/r3bppp/p1p5/3pR3/Pp1P1B2/7P/1PP2PP1/R5K1 w k - 0 37");
    for (uci, expected) in [("a1e1", "Rae1"), ("e5e1", "Ree1"), ("e5e7", "Rxe7+")] {
        assert_eq!(san_of(&position, uci), expected);
        assert_eq!(san::parse(expected, &position), uci_move::parse(uci, &position));
    }
}

#[test]
fn br_033_same_file_needs_the_rank() {
    let position = standard("rnbqkbnr/p1p2p2/3p2p1/R3p2p/7P/8/1PPPPPP1/RNBQKBN1 w kq - 0 8");
    assert_eq!(san_of(&position, "a5a3"), "R5a3");
    assert_eq!(san_of(&position, "a1a3"), "R1a3");
    assert!(matches!(san::parse("Ra3", &position), Err(MoveError::Ambiguous(..))));
}

#[test]
fn br_036_en_passant_with_check() {
    let position = standard("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1");
    let mv = san::parse("cxd3+", &position).unwrap();
    assert_eq!(mv, uci_move::parse("c4d3", &position).unwrap());
    assert_eq!(san::format(mv, &position), "cxd3+");
    let next = play_san(&position, "cxd3");
    assert_eq!(next.piece_at(Square::D4), None);
    assert!(next.is_check());
    assert_perft(&position, &[(6, 1_440_467)]);
}

#[test]
fn br_037_castling_with_zeros_and_check() {
    let position = standard("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1");
    let mv = san::parse("0-0-0+", &position).unwrap();
    assert_eq!(uci_move::format(mv, false), "e1c1");
    assert_eq!(san::format(mv, &position), "O-O-O+");
    assert!(san::parse("O-O", &position).is_err());
}

fn record(text: &str) -> epd::Epd {
    epd::parse_line(text, CastlingMode::Standard).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn uci_all(moves: &[gauntlet::types::Move]) -> Vec<String> {
    moves.iter().map(|&mv| uci_move::format(mv, false)).collect()
}

#[test]
fn br_053_semicolon_inside_quotes() {
    let text = "r2qk2r/ppp1b1pp/2n1p3/3pP1n1/3P2b1/2PB1NN1/PP4PP/R1BQK2R w KQkq - bm Nxg5; c0 \"ERET.095; Queen sacrifice\";";
    let record = record(text);
    assert_eq!(uci_all(&record.best_moves()), ["f3g5"]);
    assert_eq!(record.text("c0").as_deref(), Some("ERET.095; Queen sacrifice"));
    assert_eq!(record.operations.len(), 2);
    assert_eq!(epd::format(&record), text);
}

#[test]
fn br_054_bm_is_a_set_and_pv_a_line() {
    let a = record(&format!("{START} w KQkq - bm Nc3 Nf3 e4 d4; id \"multi\";"));
    assert_eq!(uci_all(&a.best_moves()), ["b1c3", "g1f3", "e2e4", "d2d4"]);
    let b = record(&format!("{START} w KQkq - pv e4 e5 Nf3; id \"pv\";"));
    assert_eq!(uci_all(&b.variation()), ["e2e4", "e7e5", "g1f3"]);
    assert!(epd::format(&b).contains("pv e4 e5 Nf3;"));
    assert!(epd::parse_line(&format!("{START} w KQkq - pv e4 e4;"), CastlingMode::Standard).is_err());
}

#[test]
fn br_056_coordinate_moves() {
    for (text, uci) in [("b1c3", "b1c3"), ("e2e4", "e2e4"), ("g1-f3", "g1f3")] {
        let record = record(&format!("{START} w KQkq - bm {text};"));
        assert_eq!(uci_all(&record.best_moves()), [uci]);
    }
}

#[test]
fn br_058_counters_and_ep_belong_to_the_position() {
    let a = record("rnb1kbnr/ppp1pppp/8/4q3/8/2N5/PPPP1PPP/R1BQKBNR w KQkq - hmvc 2; fmvn 4;").position;
    assert!(fen::format(&a).ends_with(" - 2 4"));
    assert!(a.is_check());
    assert_perft(&a, &[(1, 5)]);
    let b = record("rnbqkbnr/ppp2ppp/8/3Pp3/8/8/PPPP1PPP/RNBQKBNR w KQkq e6").position;
    assert!(fen::format(&b).ends_with(" e6 0 1"));
    assert!(has_uci(&b, "d5e6"));
    assert_perft(&b, &[(1, 31)]);
}

/// Plays SAN moves and tells on which ply the game first ended, with claims.
fn first_outcome(start: Position, moves: &str) -> Option<(usize, Outcome)> {
    let mut line = Line::new(start);
    for (index, text) in moves.split_whitespace().enumerate() {
        let mv = san::parse(text, line.position()).unwrap_or_else(|error| panic!("{error}"));
        line.play(mv).unwrap();
        if let Some(outcome) = line.outcome(true) {
            return Some((index + 1, outcome));
        }
    }
    None
}

#[test]
fn br_060_mate_outranks_the_fifty_move_rule() {
    let start = standard("8/8/2p5/3b1K1k/4p3/4PpR1/5P2/8 w - - 99 113");
    let mv = san::parse("Rh3", &start).unwrap();
    assert_eq!(san::format(mv, &start), "Rh3#");
    assert_eq!(play_san(&start, "Rh3").halfmove_clock(), 100);
    assert_eq!(first_outcome(start, "Rh3"), Some((1, Outcome::Checkmate { winner: Color::White })));
}

#[test]
fn br_064_unusable_ep_square_is_ignored() {
    let start = standard("6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1");
    let outcome = first_outcome(start, "h5 Rh6 Rh7 Re6 Rg7 Rh6 Rh7 Re6 Rg7");
    assert_eq!(outcome, Some((9, Outcome::Threefold)));
}

#[test]
fn br_067_the_start_counts_for_repetition() {
    let a = standard("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1");
    assert_eq!(first_outcome(a, "Kd2 Kd7 Ke1 Ke8 Kf2 Kf7 Ke1 Ke8"), Some((8, Outcome::Threefold)));
    let b = Position::startpos();
    assert_eq!(first_outcome(b, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8"), Some((8, Outcome::Threefold)));
}

#[test]
fn br_068_illegal_ep_in_the_input() {
    let start = standard("5kbq/3Q2n1/6p1/r3PpKn/2n5/8/8/q7 w - f6 7 4");
    assert_eq!(fen::format(&start), "5kbq/3Q2n1/6p1/r3PpKn/2n5/8/8/q7 w - - 7 4");
    let mut line = Line::new(start);
    for (index, text) in "d7c8 f8f7 c8d7 f7f8 d7d8 f8f7 d8d7 f7f8".split(' ').enumerate() {
        assert_eq!(line.outcome(true), None, "after ply {index}");
        let mv = uci_move::parse(text, line.position()).unwrap();
        line.play(mv).unwrap();
    }
    assert_eq!(line.outcome(true), Some(Outcome::Threefold));
}
