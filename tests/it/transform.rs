//! Images of positions: the flips and mirrors of the reference file, diagonals of positions without pawns, two boards in step;
//! the same game must have the same number of paths. Second judge: cozy-chess.

use gauntlet::notation::fen;
use gauntlet::rules::{NoImage, Position, TwoBoards, perft};
use gauntlet::sliders::Hyperbola;
use gauntlet::stats::SplitMix64;
use gauntlet::suite;
use gauntlet::types::{Bitboard, Color, Piece, Role, Setup, Square};

fn counts(position: &Position) -> [u64; 3] {
    [1, 2, 3].map(|depth| perft(position, depth, Hyperbola))
}

fn cozy(position: &Position, depth: u32) -> u64 {
    let board = cozy_chess::Board::from_fen(&fen::format(position), false).expect("a legal position");
    crate::cozy::perft(&board, depth)
}

#[test]
fn images_of_the_reference_positions_have_their_counts() {
    let cases = suite::load_symmetry("suites/symmetry/symmetry.csv").unwrap();
    let mut mirrored = 0;
    for case in &cases {
        let position = &case.position;
        assert_eq!(position.flipped(), case.flipped, "line {}", case.line);
        assert_eq!(counts(&case.flipped), case.perft, "line {}", case.line);
        match &case.mirrored {
            Some(mirror) => {
                assert_eq!(position.mirrored().as_ref(), Ok(mirror), "line {}", case.line);
                let rotated = position.rotated().unwrap();
                assert_eq!(rotated, mirror.flipped());
                assert_eq!(rotated.rotated().as_ref(), Ok(position));
                assert_eq!((counts(mirror), counts(&rotated)), (case.perft, case.perft), "{}", case.line);
                mirrored += 1;
            }
            None => {
                assert_eq!(position.mirrored(), Err(NoImage::CastlingRights), "line {}", case.line);
                assert_eq!(position.rotated(), Err(NoImage::CastlingRights), "line {}", case.line);
            }
        }
        let two = TwoBoards::new(position);
        assert_eq!([1, 2, 3].map(|depth| two.perft(depth, Hyperbola)), case.perft, "line {}", case.line);
    }
    assert!(mirrored >= 50 && cases.len() >= 100, "{mirrored} of {}", cases.len());
}

/// The sample of the page "Diagonal Mirroring".
#[test]
fn the_diagonals_of_the_page() {
    let position = fen::parse("k7/8/NK2B3/8/8/8/8/8 w - -", fen::CastlingMode::Standard).unwrap();
    let board = |position: Position| fen::format(&position).split(' ').next().unwrap_or_default().to_owned();
    assert_eq!(board(position.diagonal().unwrap()), "8/8/8/5B2/8/8/5K2/5N1k");
    assert_eq!(board(position.anti_diagonal().unwrap()), "k1N5/2K5/8/8/2B5/8/8/8");
}

#[test]
fn only_pawnless_positions_have_diagonals() {
    let with = |text: &str| fen::parse(text, fen::CastlingMode::Standard).unwrap();
    let pawn = with("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    assert_eq!((pawn.diagonal(), pawn.anti_diagonal()), (Err(NoImage::Pawns), Err(NoImage::Pawns)));
    let rook = with("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(rook.diagonal(), Err(NoImage::CastlingRights));
    assert_eq!(rook.anti_diagonal(), Err(NoImage::CastlingRights));
}

/// Random arrangements of pieces without pawns: every image has the same counts, here and by the other generator.
#[test]
fn diagonals_have_the_same_counts() {
    let mut random = SplitMix64::new(1_960);
    let mut tried = 0;
    while tried < 200 {
        let mut setup = Setup::default();
        if random.below(2) == 1 {
            setup.turn = Color::Black;
        }
        let kings = [(Color::White, Role::King), (Color::Black, Role::King)];
        let others = (0..1 + random.below(6)).map(|i| {
            let role = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen][random.below(4) as usize];
            (if i % 2 == 0 { Color::White } else { Color::Black }, role)
        });
        let pieces: Vec<_> = kings.into_iter().chain(others.collect::<Vec<_>>()).collect();
        for (color, role) in pieces {
            setup.board[random.below(64) as usize] = Some(Piece::new(color, role));
        }
        let Ok(position) = Position::from_setup(&setup) else { continue };
        tried += 1;
        let expected = [1, 2].map(|depth| cozy(&position, depth));
        let images = [position.diagonal(), position.anti_diagonal(), position.rotated(), position.mirrored()];
        for image in images.map(Result::unwrap).into_iter().chain([position, position.flipped()]) {
            assert_eq!(
                [1, 2].map(|depth| perft(&image, depth, Hyperbola)),
                expected,
                "{}",
                fen::format(&image)
            );
            assert_eq!([1, 2].map(|depth| cozy(&image, depth)), expected, "{}", fen::format(&image));
            assert_eq!((image.key(), image.pawn_key()), image.keys_from_scratch());
        }
        assert_eq!(position.diagonal().unwrap().diagonal(), Ok(position));
        assert_eq!(position.anti_diagonal().unwrap().anti_diagonal(), Ok(position));
    }
}

#[test]
fn sets_go_where_their_squares_go() {
    let mut random = SplitMix64::new(3);
    for _ in 0..1000 {
        let set = Bitboard(random.next_u64() & random.next_u64());
        let by_square = |image: fn(Square) -> Square| set.into_iter().map(image).collect::<Bitboard>();
        assert_eq!(set.flip(), by_square(Square::flip));
        assert_eq!(set.mirror(), by_square(Square::mirror));
        assert_eq!(set.rotated(), by_square(|square| square.flip().mirror()));
        assert_eq!(set.diagonal(), by_square(|square| Square::at(square.rank(), square.file())));
        assert_eq!(set.anti_diagonal(), by_square(|square| Square::at(7 - square.rank(), 7 - square.file())));
        assert_eq!(set.diagonal(), by_square(Square::diagonal));
        assert_eq!(set.anti_diagonal(), by_square(Square::anti_diagonal));
    }
}
