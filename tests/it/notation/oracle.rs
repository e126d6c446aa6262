//! Every legal move of the perft positions as SAN and UCI, against shakmaty and back again.

use super::*;
use shakmaty::Position as _;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, PositionError};
use std::collections::BTreeSet;

/// shakmaty refuses a few positions that are legal to count but cannot arise.
pub(super) fn oracle_position(text: &str, chess960: bool) -> Chess {
    let mode = if chess960 { shakmaty::CastlingMode::Chess960 } else { shakmaty::CastlingMode::Standard };
    let fen = shakmaty::fen::Fen::from_ascii(text.as_bytes()).unwrap();
    fen.into_position(mode)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// SAN and UCI of all legal moves, as the oracle writes them.
fn oracle_moves(position: &Chess, chess960: bool) -> BTreeSet<(String, String)> {
    let mode = if chess960 { shakmaty::CastlingMode::Chess960 } else { shakmaty::CastlingMode::Standard };
    let moves = position.legal_moves();
    moves
        .into_iter()
        .map(|mv| (SanPlus::from_move(position.clone(), mv).to_string(), mv.to_uci(mode).to_string()))
        .collect()
}

fn our_moves(position: &Position, chess960: bool) -> BTreeSet<(String, String)> {
    let write = |mv| (san::format(mv, position), uci_move::format(mv, chess960));
    position.legal_moves().iter().map(|&mv| write(mv)).collect()
}

fn compare(path: &str, chess960: bool) {
    let mode = if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    for line in read(file(path)).lines() {
        let text = line.split(';').next().unwrap_or("").trim();
        let position = fen::parse(text, mode).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(
            our_moves(&position, chess960),
            oracle_moves(&oracle_position(text, chess960), chess960),
            "{text}"
        );
        for &mv in position.legal_moves().iter() {
            let (written, uci) = (san::format(mv, &position), uci_move::format(mv, chess960));
            assert_eq!(san::parse(&written, &position), Ok(mv), "{text}: {written}");
            assert_eq!(san::parse(&uci, &position), Ok(mv), "{text}: {uci}");
            assert_eq!(uci_move::parse(&uci, &position), Ok(mv), "{text}: {uci}");
            let king_takes_rook = uci_move::format(mv, true);
            assert_eq!(uci_move::parse(&king_takes_rook, &position), Ok(mv), "{text}: {king_takes_rook}");
        }
        for back in [fen::format(&position), fen::format_shredder(&position)] {
            assert_eq!(fen::parse(&back, CastlingMode::Chess960), Ok(position), "{text}: {back}");
        }
    }
}

#[test]
fn moves_of_the_ordinary_positions() {
    for path in ["standard", "tricky", "edge"] {
        compare(&format!("suites/perft/{path}.epd"), false);
    }
}

#[test]
fn moves_of_the_chess960_positions() {
    for path in ["chess960-edge", "chess960-random"] {
        compare(&format!("suites/perft/{path}.epd"), true);
    }
}
