//! Syzygy tables: the same answers as another reader of them gives.

use gauntlet::notation::fen::{self, CastlingMode};
use gauntlet::suite::{TablebaseError, Tablebases};
use gauntlet::types::Color;
use shakmaty::{CastlingMode as Mode, Chess, EnPassantMode, Position as _, Setup, Square};
use shakmaty_syzygy::{Tablebase, Wdl};
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/syzygy")
}

/// A random legal position of these men, white's first.
fn random(
    men: &[(shakmaty::Color, shakmaty::Role)],
    random: &mut gauntlet::stats::SplitMix64,
) -> Option<Chess> {
    let mut setup = Setup::empty();
    for &(color, role) in men {
        let square = Square::new(random.below(64) as u32);
        if setup.board.piece_at(square).is_some() {
            return None;
        }
        setup.board.set_piece_at(square, role.of(color));
    }
    if random.below(2) == 0 {
        setup.turn = shakmaty::Color::Black;
    }
    setup.position(Mode::Standard).ok()
}

#[test]
fn positions_are_worth_what_another_reader_says() {
    use shakmaty::Color::{Black, White};
    use shakmaty::Role::{Bishop, King, Knight, Pawn, Queen, Rook};
    let ours = Tablebases::open(&folder()).unwrap();
    assert_eq!(ours.men(), 4);
    let mut theirs: Tablebase<Chess> = Tablebase::new();
    theirs.add_directory(folder()).unwrap();
    let kings = [(White, King), (Black, King)];
    let materials: [&[_]; 9] = [
        &[(White, Pawn)],
        &[(Black, Pawn)],
        &[(White, Rook)],
        &[(Black, Queen)],
        &[(White, Knight)],
        &[(White, Rook), (Black, Rook)],
        &[(White, Queen), (Black, Rook)],
        &[(White, Rook), (Black, Queen)],
        &[(Black, Bishop), (Black, Knight)],
    ];
    let mut seen = [0; 3];
    let mut words = gauntlet::stats::SplitMix64::new(1);
    for men in materials {
        let men = [&kings[..], men].concat();
        let mut found = 0;
        while found < 400 {
            let Some(position) = random(&men, &mut words) else { continue };
            let text = shakmaty::fen::Fen::from_position(&position, EnPassantMode::Legal).to_string();
            let expected = match theirs.probe_wdl_after_zeroing(&position).unwrap() {
                Wdl::Win => 2,
                Wdl::Loss => 0,
                _ => 1,
            };
            let value = ours.probe(&fen::parse(&text, CastlingMode::Standard).unwrap()).expect("an answer");
            let mover = if position.turn() == White { Color::White } else { Color::Black };
            let answer = value.winner.map_or(1, |winner| if winner == mover { 2 } else { 0 });
            assert_eq!(answer, expected, "{text}");
            seen[answer] += 1;
            found += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 300), "{seen:?}");

    // Not asked: a move since the last capture, a right to castle, more men than the tables have, a table that is not there.
    for text in [
        "8/8/8/8/8/2k5/8/K6R w - - 1 80",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "4k3/8/8/8/8/8/PPP5/4K2R w - - 0 1",
        "4k3/8/8/8/8/8/8/3NK2R w - - 0 1",
    ] {
        assert_eq!(ours.probe(&fen::parse(text, CastlingMode::Standard).unwrap()), None, "{text}");
    }
    // One set of tables at a time.
    assert!(matches!(Tablebases::open(&folder()), Err(TablebaseError::Unusable { .. })));
    drop(ours);
    assert!(Tablebases::open(&folder()).is_ok());
}
