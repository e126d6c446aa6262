//! The eight move notations: every legal move of the perft positions written, compared with a spelling made from shakmaty's
//! moves, and read back; published examples; what is forgiven and what is refused.

use super::oracle::oracle_position;
use super::*;
use gauntlet::notation::{MoveError, Notation};
use gauntlet::types::Move;
use shakmaty::Position as _;
use shakmaty::san::SanPlus;
use std::collections::{BTreeSet, HashSet};

fn digits(square: shakmaty::Square) -> String {
    format!("{}{}", square.file() as u32 + 1, square.rank() as u32 + 1)
}

/// The king's walk of a castling, or from and to.
fn walk(mv: shakmaty::Move) -> (shakmaty::Square, shakmaty::Square) {
    match mv {
        shakmaty::Move::Castle { king, .. } => {
            let side = mv.castling_side().unwrap();
            (
                king,
                side.king_to(if king.rank() == shakmaty::Rank::First {
                    shakmaty::Color::White
                } else {
                    shakmaty::Color::Black
                }),
            )
        }
        _ => (mv.from().unwrap(), mv.to()),
    }
}

/// How a move of the oracle is written, made from its parts. `None`: the king castles by no or one step, which coordinates
/// need not be able to tell.
fn spelled(
    notation: Notation,
    mv: shakmaty::Move,
    position: &shakmaty::Chess,
    chess960: bool,
) -> Option<String> {
    let san = SanPlus::from_move(position.clone(), mv).to_string();
    let (from, to) = walk(mv);
    let castle = mv.is_castle();
    let role = mv.role();
    let promotion = mv.promotion();
    let short_step = castle && from.distance(to) <= 1;
    let letter = |role: Option<shakmaty::Role>| role.map_or(String::new(), |role| role.char().to_string());
    Some(match notation {
        Notation::San => san,
        Notation::Fan => {
            let set = if position.turn().is_white() { "♔♕♖♗♘" } else { "♚♛♜♝♞" };
            let figure = |c| "KQRBN".find(c).and_then(|place| set.chars().nth(place)).unwrap_or(c);
            san.chars().map(figure).collect()
        }
        Notation::Lan if castle => san,
        Notation::Lan => {
            let piece =
                if role == shakmaty::Role::Pawn { String::new() } else { role.upper_char().to_string() };
            let sign = if mv.is_capture() { "x" } else { "-" };
            let becomes = promotion.map_or(String::new(), |role| format!("={}", role.upper_char()));
            let check = san.trim_start_matches(|c| c != '+' && c != '#');
            format!("{piece}{from}{sign}{to}{becomes}{check}")
        }
        Notation::Uci => {
            let mode =
                if chess960 { shakmaty::CastlingMode::Chess960 } else { shakmaty::CastlingMode::Standard };
            mv.to_uci(mode).to_string()
        }
        Notation::Xboard if castle && chess960 => san.trim_end_matches(['+', '#']).to_owned(),
        Notation::Coordinate | Notation::Iccf if short_step => return None,
        Notation::Coordinate | Notation::Xboard => format!("{from}{to}{}", letter(promotion)),
        Notation::Iccf => {
            use shakmaty::Role::*;
            let order = [Queen, Rook, Bishop, Knight];
            let digit = promotion.and_then(|role| order.iter().position(|&other| other == role));
            let digit = digit.map_or(String::new(), |place| (place + 1).to_string());
            format!("{}{}{digit}", digits(from), digits(to))
        }
        Notation::Smith => {
            let becomes = promotion.map_or(String::new(), |role| role.upper_char().to_string());
            let taken = match mv.castling_side() {
                Some(side) => if side.is_king_side() { "c" } else { "C" }.to_owned(),
                None if mv.is_en_passant() => "E".to_owned(),
                None => letter(mv.capture()),
            };
            format!("{from}{to}{taken}{becomes}")
        }
    })
}

fn round_trips(path: &str, chess960: bool) {
    let mode = if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    let mut moves = 0;
    for line in read(file(path)).lines() {
        let text = line.split(';').next().unwrap_or("").trim();
        let position = fen::parse(text, mode).unwrap();
        let oracle = oracle_position(text, chess960);
        for notation in Notation::ALL {
            let mut written = HashSet::new();
            for &mv in position.legal_moves().iter() {
                let text = match notation.format(mv, &position, mode) {
                    Ok(text) => text,
                    Err(error) => {
                        assert!(matches!(error, MoveError::Inexpressible(..)), "{text}: {error}");
                        assert!(mv.is_castle() && chess960, "{text}: {error}");
                        continue;
                    }
                };
                assert_eq!(notation.parse(&text, &position), Ok(mv), "{line}: {} {text}", notation.id());
                assert!(written.insert(text.clone()), "{line}: {} {text} twice", notation.id());
                moves += 1;
            }
            let expected: Vec<_> =
                oracle.legal_moves().into_iter().map(|mv| spelled(notation, mv, &oracle, chess960)).collect();
            for text in expected.iter().flatten() {
                assert!(written.contains(text), "{line}: {} {text} not among {written:?}", notation.id());
            }
            let open = expected.iter().filter(|text| text.is_none()).count();
            let whole = expected.len() - open;
            assert!(
                (whole..=whole + open).contains(&written.len()),
                "{line}: {}: {written:?}",
                notation.id()
            );
        }
    }
    assert!(moves > 1000, "{path}: {moves}");
}

#[test]
fn every_move_of_the_ordinary_suites() {
    for name in ["standard", "tricky", "edge", "random", "double-check"] {
        round_trips(&format!("suites/perft/{name}.epd"), false);
    }
}

#[test]
fn every_move_of_the_en_passant_suite() {
    round_trips("suites/perft/en-passant.epd", false);
}

#[test]
fn every_move_of_the_chess960_suites() {
    for name in ["chess960", "chess960-edge", "chess960-random"] {
        round_trips(&format!("suites/perft/{name}.epd"), true);
    }
}

fn uci(notation: Notation, text: &str, position: &Position) -> Result<String, MoveError> {
    let mv = notation.parse(text, position)?;
    Ok(uci_move::format(mv, false))
}

fn written(notation: Notation, uci: &str, position: &Position) -> String {
    let mv = uci_move::parse(uci, position).unwrap();
    notation.format(mv, position, CastlingMode::Standard).unwrap()
}

/// Both ways.
fn same(notation: Notation, text: &str, move_uci: &str, fen: &str) {
    let position = standard(fen);
    assert_eq!(uci(notation, text, &position).as_deref(), Ok(move_uci), "{text}");
    assert_eq!(written(notation, move_uci, &position), text);
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const CASTLES: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

/// The examples of the federation's guide and of the encyclopedia's page on it.
#[test]
fn iccf_examples() {
    same(Notation::Iccf, "5254", "e2e4", START);
    same(Notation::Iccf, "5756", "e7e6", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    same(Notation::Iccf, "5131", "e1c1", CASTLES);
    same(Notation::Iccf, "5171", "e1g1", CASTLES);
    same(Notation::Iccf, "5838", "e8c8", &CASTLES.replace(" w ", " b "));
    same(Notation::Iccf, "5878", "e8g8", &CASTLES.replace(" w ", " b "));
    same(Notation::Iccf, "37381", "c7c8q", "8/2P5/8/8/8/8/k6K/8 w - - 0 1");
    same(Notation::Iccf, "67682", "f7f8r", "8/5P2/8/8/8/8/k6K/8 w - - 0 1");
    same(Notation::Iccf, "5463", "e4f3", "4k3/8/8/8/4pP2/8/8/4K3 b - f3 0 1");
    let promoting = standard("8/5P2/8/8/8/8/k6K/8 w - - 0 1");
    assert!(matches!(uci(Notation::Iccf, "6768", &promoting), Err(MoveError::MissingPromotion(_))));
    // The form without the rank is against the standard; so is a fifth digit that names no piece, or is not needed.
    for text in ["6762", "67685", "67680", "6868", "0000", "525", "9254", "e2e4", "52545", "", "５２５４"]
    {
        assert!(uci(Notation::Iccf, text, &promoting).is_err(), "{text}");
    }
}

/// The examples of Smith's own page.
#[test]
fn smith_examples() {
    same(Notation::Smith, "e4g5p", "e4g5", "4k3/8/8/6p1/4N3/8/8/4K3 w - - 0 1");
    let promoting = "6n1/5P2/8/8/8/8/k6K/8 w - - 0 1";
    same(Notation::Smith, "f7f8Q", "f7f8q", promoting);
    same(Notation::Smith, "f7g8nQ", "f7g8q", promoting);
    same(Notation::Smith, "e1g1c", "e1g1", CASTLES);
    same(Notation::Smith, "e1c1C", "e1c1", CASTLES);
    same(Notation::Smith, "e5d6E", "e5d6", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    let position = standard(promoting);
    // The grammar of the seed page: captures in upper case, promotions in lower case.
    assert_eq!(uci(Notation::Smith, "f7g8Nr", &position).as_deref(), Ok("f7g8r"));
    assert_eq!(uci(Notation::Smith, "f7f8b", &position).as_deref(), Ok("f7f8b"));
    assert_eq!(uci(Notation::Smith, "f7g8Q", &position).as_deref(), Ok("f7g8q"));
    assert_eq!(uci(Notation::Smith, "e1g1", &standard(CASTLES)).as_deref(), Ok("e1g1"));
    for (text, missing) in
        [("f7g8n", true), ("f7g8N", true), ("f7g8", true), ("f7g8rQ", false), ("f7f8nQ", false)]
    {
        let error = uci(Notation::Smith, text, &position).unwrap_err();
        assert_eq!(matches!(error, MoveError::MissingPromotion(_)), missing, "{text}: {error}");
        assert_eq!(matches!(error, MoveError::Capture(_)), !missing, "{text}: {error}");
    }
    for text in ["e1g1C", "e1c1c", "e1d1c", "e1", "e1g1cc", "e1g1x", "e1e2p"] {
        assert!(uci(Notation::Smith, text, &standard(CASTLES)).is_err(), "{text}");
    }
}

#[test]
fn long_and_figurine_forms() {
    same(Notation::Lan, "Ng1-f3", "g1f3", START);
    same(Notation::Lan, "e2-e4", "e2e4", START);
    same(Notation::Lan, "O-O", "e1g1", CASTLES);
    same(Notation::Lan, "Nf3xd4", "f3d4", "4k3/8/8/8/3p4/5N2/8/4K3 w - - 0 1");
    same(Notation::Fan, "♘f3", "g1f3", START);
    same(Notation::Fan, "♞c6", "b8c6", &START.replace(" w ", " b "));
    same(Notation::Fan, "♖xg4+", "g1g4", "8/8/8/8/k5p1/8/8/4K1R1 w - - 0 1");
    same(Notation::Fan, "e8=♕", "e7e8q", "8/4P3/8/8/8/8/k6K/8 w - - 0 1");
    let start = standard(START);
    for text in ["♞f3", "♘\u{fe0e}f3", "♘g1-f3", "Nf3!"] {
        assert_eq!(uci(Notation::Fan, text, &start).as_deref(), Ok("g1f3"), "{text}");
    }
    assert_eq!(uci(Notation::Fan, "♙e4", &start).as_deref(), Ok("e2e4"));
    for text in ["♗f3", "♔", "☃f3", "♘f33"] {
        assert!(uci(Notation::Fan, text, &start).is_err(), "{text}");
    }
    for text in ["Ng1f3", "e2e4", "e2 - e4"] {
        assert_eq!(uci(Notation::Lan, text, &start).is_ok(), !text.contains(' '), "{text}");
    }
    assert!(matches!(uci(Notation::Lan, "Nf3", &start), Err(MoveError::NoOrigin(_))));
    assert!(matches!(uci(Notation::Lan, "Ng1-e4", &start), Err(MoveError::Illegal(_))));
}

#[test]
fn coordinates_as_early_programs_wrote_them() {
    let castles = standard(CASTLES);
    for text in ["E1G1", "e1-g1", "O-O", "0-0", "e1h1"] {
        assert_eq!(uci(Notation::Coordinate, text, &castles).as_deref(), Ok("e1g1"), "{text}");
    }
    let promoting = standard("6n1/5P2/8/8/8/8/k6K/8 w - - 0 1");
    for text in ["f7xg8q", "F7G8Q", "f7:g8=Q", "f7g8(q)", "f7g8q#"] {
        assert_eq!(uci(Notation::Coordinate, text, &promoting).as_deref(), Ok("f7g8q"), "{text}");
    }
    for text in ["f7g8", "f7g8k", "f7", "f7--g8q", "f7g8qq", "Nf7g8q", "--", "ü7g8q"] {
        assert!(uci(Notation::Coordinate, text, &promoting).is_err(), "{text}");
    }
    same(Notation::Xboard, "e1g1", "e1g1", CASTLES);
    for text in ["O-O", "e1g1", "Rg1", "h1g1"] {
        assert!(uci(Notation::Xboard, text, &castles).is_ok(), "{text}");
    }
}

/// King f1, rook g1 and h1 free or not: f1g1 is a king move, castling, or nothing.
#[test]
fn chess960_castling_never_reads_as_another_move() {
    let forms = |fen: &str, uci: &str| -> Vec<String> {
        let position = chess960(fen);
        let mv: Move = uci_move::parse(uci, &position).unwrap();
        assert!(mv.is_castle());
        let text = |notation: Notation| match notation.format(mv, &position, CastlingMode::Chess960) {
            Ok(text) => text,
            Err(error) => format!("! {error}"),
        };
        Notation::ALL.into_iter().map(text).collect()
    };
    let none = |uci: &str, id: &str| format!("! castling \"{uci}\" has no form of its own in {id} notation");
    let step = forms("1k6/8/8/8/8/8/8/5K1R w K - 0 1", "f1h1");
    let [coordinate, iccf] = ["coordinate", "iccf"].map(|id| none("f1h1", id));
    assert_eq!(step, ["O-O", "O-O", &coordinate, "f1h1", "O-O", &iccf, "f1g1c", "O-O"]);
    // The king takes the rook's place: no king move is like it.
    let swap = forms("1k6/8/8/8/8/8/8/5KR1 w K - 0 1", "f1g1");
    assert_eq!(swap, ["O-O", "O-O", "f1g1", "f1g1", "O-O", "6171", "f1g1c", "O-O"]);
    let stays = forms("1k6/8/8/8/8/8/8/6KR w K - 0 1", "g1h1");
    let [coordinate, iccf] = ["coordinate", "iccf"].map(|id| none("g1h1", id));
    assert_eq!(stays, ["O-O", "O-O", &coordinate, "g1h1", "O-O", &iccf, "g1g1c", "O-O"]);
    // Told to write standard chess, UCI has no word for it either.
    let position = chess960("1k6/8/8/8/8/8/8/5K1R w K - 0 1");
    let mv = uci_move::parse("f1h1", &position).unwrap();
    let error = Notation::Uci.format(mv, &position, CastlingMode::Standard).unwrap_err();
    assert_eq!(error, MoveError::Inexpressible("f1h1".into(), "uci"));
    assert_eq!(Notation::Xboard.format(mv, &position, CastlingMode::Standard).as_deref(), Ok("O-O"));
}

#[test]
fn ids_are_permanent_and_illegal_moves_are_not_written() {
    let ids: Vec<&str> = Notation::ALL.iter().map(|notation| notation.id()).collect();
    assert_eq!(ids, ["san", "lan", "coordinate", "uci", "xboard", "iccf", "smith", "fan"]);
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 8);
    let start = Position::startpos();
    let foreign = uci_move::parse("f7f8r", &standard("8/5P2/8/8/8/8/k6K/8 w - - 0 1")).unwrap();
    for notation in Notation::ALL {
        assert_eq!(Notation::from_id(notation.id()), Some(notation));
        assert_eq!(serde_json::to_string(&notation).unwrap(), format!("{:?}", notation.id()));
        let error = notation.format(foreign, &start, CastlingMode::Standard).unwrap_err();
        assert_eq!(error, MoveError::Illegal("f7f8r".into()));
        for text in
            ["", " ", "0000", "--", "\u{0}", "♔♔♔♔♔♔", "ä", "e2e4e2e4e2e4e2e4e2e4", "99999", "O-O-O-O"]
        {
            assert!(notation.parse(text, &start).is_err(), "{}: {text}", notation.id());
        }
    }
}
