//! Move encodings: every legal move of thousands of positions there and back, and the page's tables line by line.

use gauntlet::encoding::enumeration::{BLOCKS, Kind, SIDE};
use gauntlet::encoding::{
    Encoding, EncodingError, Enumerated, ExtendedMove, butterfly, direction_target, from_to, move_index,
};
use gauntlet::notation::fen::{self, CastlingMode};
use gauntlet::notation::uci_move;
use gauntlet::rules::Position;
use gauntlet::stats::SplitMix64;
use gauntlet::types::{Color, Move, Piece, Role, Square};
use std::collections::{HashMap, HashSet};

fn position(text: &str) -> Position {
    fen::parse(text, CastlingMode::Chess960).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Positions on random walks from the perft suites: orthodox, Chess960, double Chess960, en passant, promotions.
fn walks(suites: &[&'static str], every: usize, plies: usize) -> Vec<Position> {
    let mut random = SplitMix64::new(2026);
    let mut positions = Vec::new();
    let starts = suites.iter().flat_map(|text| text.lines().step_by(every));
    for line in starts {
        let start = line.split(';').next().unwrap_or_default().trim();
        let mut at = position(start);
        for _ in 0..plies {
            positions.push(at);
            let moves = at.legal_moves();
            if moves.is_empty() {
                break;
            }
            at.play_unchecked(moves[random.below(moves.len() as u64) as usize]);
        }
    }
    positions
}

const STANDARD: &[&str] = &[
    include_str!("../../suites/perft/standard.epd"),
    include_str!("../../suites/perft/tricky.epd"),
    include_str!("../../suites/perft/edge.epd"),
    include_str!("../../suites/perft/en-passant.epd"),
    include_str!("../../suites/perft/random.epd"),
];
const CHESS960: &[&str] = &[
    include_str!("../../suites/perft/chess960.epd"),
    include_str!("../../suites/perft/chess960-random.epd"),
    include_str!("../../suites/perft/chess960-edge.epd"),
];

#[test]
fn every_move_of_ten_thousand_positions_there_and_back() {
    let mut positions = walks(STANDARD, 4, 40);
    positions.extend(walks(CHESS960, 5, 40));
    assert!(positions.len() >= 10_000, "{}", positions.len());
    let (mut castles, mut en_passants, mut promotions) = (0, 0, 0);
    for position in &positions {
        let moves = position.legal_moves();
        for encoding in Encoding::ALL {
            let mut seen = HashSet::with_capacity(moves.len());
            for &mv in moves.iter() {
                let told = mv.promotion_role().is_none_or(|role| role == Role::Queen);
                let code = encoding.encode(position, mv);
                if encoding == Encoding::Butterfly && !told {
                    assert_eq!(code, Err(EncodingError::NoCode("butterfly", mv)));
                    continue;
                }
                let code = code.unwrap();
                let context = || format!("{} {mv:?} {code} {}", encoding.id(), fen::format(position));
                assert!(u64::from(code) < 1 << encoding.bits(), "{}", context());
                assert!(seen.insert(code), "twice: {}", context());
                assert_eq!(encoding.decode(position, code), Ok(mv), "{}", context());
            }
        }
        // With no more than each encoding says it needs.
        for &mv in moves.iter() {
            castles += u32::from(mv.is_castle());
            en_passants += u32::from(mv == Move::en_passant(mv.from(), mv.to()));
            promotions += u32::from(mv.promotion_role().is_some());
            let compact = from_to::encode(position, mv);
            let extended = ExtendedMove::new(position, mv, 77).unwrap();
            assert_eq!((from_to::decode(compact), extended.mv()), (Some(mv), Some(mv)));
            assert_eq!((extended.compact(), extended.score()), (compact, 77));
            assert_eq!(extended.mover(), position.role_at(mv.from()));
            assert_eq!(extended.victim().is_some(), position.is_capture(mv));
            assert_eq!(from_to::is_capture(compact), position.is_capture(mv));
            assert_eq!(from_to::is_promotion(compact), mv.promotion_role().is_some());
            assert_eq!((from_to::from(compact), from_to::to(compact)), (mv.from(), mv.to()));
            let numbered = Enumerated::new(position, mv).and_then(Enumerated::number).unwrap();
            let numbered = Enumerated::by_number(numbered).unwrap();
            if !mv.is_castle() {
                assert_eq!(numbered.mv(), mv);
            }
        }
    }
    assert!(
        castles > 1_000 && en_passants > 50 && promotions > 1_000,
        "{castles} {en_passants} {promotions}"
    );
}

/// Every number that is no code of a legal move is refused; those that are legal decode to their own move.
#[test]
fn other_numbers_are_refused() {
    for position in walks(STANDARD, 60, 3).iter().chain(&walks(CHESS960, 200, 20)) {
        let moves = position.legal_moves();
        for encoding in Encoding::ALL {
            let codes: HashMap<u32, Move> = moves
                .iter()
                .filter_map(|&mv| encoding.encode(position, mv).ok().map(|code| (code, mv)))
                .collect();
            // Wider ones are sampled: the neighbours of each code, and what a changed bit makes of it.
            let tried: Vec<u32> = if encoding.bits() <= 12 {
                (0..1 << 13).collect()
            } else {
                let near = |&code: &u32| {
                    (0..22).map(move |bit| code ^ 1 << bit).chain([
                        code.wrapping_add(1),
                        code.wrapping_sub(1),
                        code,
                    ])
                };
                codes.keys().flat_map(near).chain([u32::MAX, 1 << 16, 65_535, 45_356]).collect()
            };
            for code in tried {
                let scored = encoding == Encoding::Extended && code >> 22 != 0;
                if !scored {
                    let expected =
                        codes.get(&code).copied().ok_or(EncodingError::NoMove(encoding.id(), code));
                    assert_eq!(
                        encoding.decode(position, code),
                        expected,
                        "{} {code} {}",
                        encoding.id(),
                        fen::format(position)
                    );
                }
            }
        }
    }
}

#[test]
fn the_numbers_of_codes_are_counted() {
    let count = |tried: u32, is_code: &dyn Fn(u32) -> bool| (0..tried).filter(|&code| is_code(code)).count();
    let counted = |encoding: Encoding| match encoding {
        Encoding::FromTo => count(1 << 16, &|code| from_to::decode(code as u16).is_some()),
        Encoding::Extended => count(1 << 22, &|code| ExtendedMove::from_bits(code).mv().is_some()),
        Encoding::Enumeration => count(1 << 16, &|code| Enumerated::by_number(code as u16).is_some()),
        Encoding::Butterfly => count(1 << 12, &|code| {
            let (from, to) = (Square::new((code >> 6) as u8), Square::new(code as u8 & 63));
            gauntlet::geometry::direction(from, to).is_some()
        }),
        // A lone piece on every square and every move of it: what codes come out.
        Encoding::DirectionTarget => {
            let mut codes = HashSet::new();
            for (from, to) in Square::all().flat_map(|a| Square::all().map(move |b| (a, b))) {
                codes.extend(direction_target::encode(Move::normal(from, to)));
                let arrives = [(6, 7), (1, 0)].contains(&(from.rank(), to.rank()));
                if arrives && from.file().abs_diff(to.file()) <= 1 {
                    codes.extend(
                        Role::PROMOTIONS
                            .into_iter()
                            .filter_map(|role| direction_target::encode(Move::promotion(from, to, role))),
                    );
                }
            }
            codes.len()
        }
        // The two positions of the page.
        Encoding::MoveIndex => {
            let sizes = [
                "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
                "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
            ]
            .map(|text| {
                let position = position(text);
                let moves = position.legal_moves();
                let codes: HashSet<u8> =
                    moves.iter().filter_map(|&mv| move_index::encode(&position, mv)).collect();
                assert_eq!(codes.iter().max().map(|&code| usize::from(code) + 1), Some(codes.len()));
                codes.len()
            });
            assert_eq!(sizes[0], sizes[1]);
            sizes[0]
        }
    };
    for encoding in Encoding::ALL {
        assert_eq!(counted(encoding), encoding.codes() as usize, "{}", encoding.id());
        assert_eq!(Encoding::from_id(encoding.id()), Some(encoding));
    }
    // The page's numbers: bits of the move, entries of a from-to board, all moves, the most moves of a position.
    assert_eq!(Encoding::FromTo.bits(), 16);
    assert_eq!((Encoding::Butterfly.codes(), Encoding::Enumeration.codes()), (1792, 45_356));
    assert_eq!(Encoding::MoveIndex.codes(), 218);
}

/// Role, kind, from-to, none, captures, per side, total, as on the page.
const SHEET: [(Role, Kind, [u32; 5]); 12] = [
    (Role::Pawn, Kind::Promotion, [8, 32, 0, 32, 64]),
    (Role::Pawn, Kind::CapturePromotion, [14, 0, 224, 224, 448]),
    (Role::Pawn, Kind::DoublePush, [8, 8, 0, 8, 16]),
    (Role::Pawn, Kind::Push, [40, 40, 0, 40, 80]),
    (Role::Pawn, Kind::Capture, [70, 0, 350, 350, 700]),
    (Role::Pawn, Kind::EnPassant, [14, 0, 14, 14, 28]),
    (Role::King, Kind::Castle, [2, 2, 0, 2, 4]),
    (Role::King, Kind::Piece, [420, 420, 2100, 2520, 5040]),
    (Role::Knight, Kind::Piece, [336, 336, 1680, 2016, 4032]),
    (Role::Bishop, Kind::Piece, [560, 560, 2800, 3360, 6720]),
    (Role::Rook, Kind::Piece, [896, 896, 4480, 5376, 10_752]),
    (Role::Queen, Kind::Piece, [1456, 1456, 7280, 8736, 17_472]),
];

/// What the numbers say of themselves, counted, is the page's sheet: the moves are generated, not the table's constants read.
#[test]
fn the_enumeration_is_the_published_sheet() {
    type Counted = (HashSet<(Option<Square>, Option<Square>, bool)>, u32, u32);
    let mut counted: HashMap<(Color, Role, String), Counted> = HashMap::new();
    let mut all = HashSet::new();
    for number in 0..45_356_u16 {
        let numbered = Enumerated::by_number(number).unwrap();
        assert!(all.insert(numbered), "{number} is {numbered:?}, as another one is");
        assert_eq!(numbered.number(), Some(number), "{numbered:?}");
        let (color, role, kind, squares, captures) = match numbered {
            Enumerated::Castle { color, king_side } => {
                (color, Role::King, "Castle", (None, None, king_side), false)
            }
            Enumerated::Move { piece, from, to, captured, promotion, en_passant } => {
                let long = from.rank().abs_diff(to.rank()) == 2;
                let kind = match (piece.role, promotion, captured) {
                    (Role::Pawn, Some(_), None) => "Promotion",
                    (Role::Pawn, Some(_), Some(_)) => "CapturePromotion",
                    (Role::Pawn, None, None) if long => "DoublePush",
                    (Role::Pawn, None, None) => "Push",
                    (Role::Pawn, None, Some(_)) if en_passant => "EnPassant",
                    (Role::Pawn, None, Some(_)) => "Capture",
                    _ => "Piece",
                };
                assert_ne!(captured, Some(Role::King));
                (piece.color, piece.role, kind, (Some(from), Some(to), true), captured.is_some())
            }
        };
        assert_eq!(color, if number < SIDE { Color::White } else { Color::Black });
        let line = counted.entry((color, role, kind.to_owned())).or_default();
        line.0.insert(squares);
        if captures { line.2 += 1 } else { line.1 += 1 }
    }
    assert_eq!((Enumerated::by_number(45_356), Enumerated::by_number(u16::MAX)), (None, None));
    assert_eq!(counted.len(), 2 * SHEET.len());
    for (role, kind, [from_to, none, captures, per_side, total]) in SHEET {
        for color in Color::ALL {
            let (squares, quiet, taking) = &counted[&(color, role, format!("{kind:?}"))];
            assert_eq!(squares.len() as u32, from_to, "{role:?} {kind:?}");
            assert_eq!((*quiet, *taking), (none, captures), "{role:?} {kind:?}");
            assert_eq!(quiet + taking, per_side);
            assert_eq!(2 * per_side, total);
        }
        let block = BLOCKS.iter().find(|block| (block.role, block.kind) == (role, kind)).unwrap();
        assert_eq!((u32::from(block.from_to), u32::from(block.numbers())), (from_to, per_side));
    }
    // The sums of the sheet: pawns, king, the other pieces, all.
    let sum = |of: &dyn Fn(Role) -> bool, column: usize| -> u32 {
        SHEET.iter().filter(|line| of(line.0)).map(|line| line.2[column]).sum()
    };
    let columns = |of: &dyn Fn(Role) -> bool| [1, 2, 3, 4].map(|column| sum(of, column));
    assert_eq!(columns(&|role| role == Role::Pawn), [80, 588, 668, 1336]);
    assert_eq!(columns(&|role| role == Role::King), [422, 2100, 2522, 5044]);
    assert_eq!(columns(&|role| !matches!(role, Role::Pawn | Role::King)), [3248, 16_240, 19_488, 38_976]);
    assert_eq!(columns(&|_| true), [3750, 18_928, 22_678, 45_356]);
}

#[test]
fn what_cannot_be_has_no_number() {
    let pawn = Piece::new(Color::White, Role::Pawn);
    let mv = |piece, from, to, captured, promotion, en_passant| {
        Enumerated::Move { piece, from, to, captured, promotion, en_passant }.number()
    };
    assert_eq!(
        mv(pawn, Square::E7, Square::E8, None, None, false),
        None,
        "a pawn that arrives must become something"
    );
    assert_eq!(mv(pawn, Square::E7, Square::E8, None, Some(Role::King), false), None);
    assert_eq!(mv(pawn, Square::E7, Square::D8, Some(Role::Pawn), Some(Role::Queen), false), None);
    assert_eq!(mv(pawn, Square::E2, Square::D3, None, None, false), None);
    assert_eq!(mv(pawn, Square::E4, Square::D3, Some(Role::Pawn), None, false), None);
    assert_eq!(mv(pawn, Square::E1, Square::E2, None, None, false), None);
    assert_eq!(mv(pawn, Square::H4, Square::A5, Some(Role::Pawn), None, false), None);
    assert_eq!(mv(pawn, Square::E4, Square::D5, Some(Role::Pawn), None, true), None);
    let knight = Piece::new(Color::Black, Role::Knight);
    assert_eq!(mv(knight, Square::B8, Square::B6, None, None, false), None);
    assert_eq!(mv(knight, Square::B8, Square::C6, Some(Role::King), None, false), None);
    assert_eq!(mv(knight, Square::B8, Square::C6, None, Some(Role::Queen), false), None);
}

/// Castling by its number: whole in orthodox chess, with the position in Chess960, where king and rook stand anywhere.
#[test]
fn castling_by_number() {
    let orthodox = position("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1");
    let double = position("1r1k3r/8/8/8/8/8/8/R2K1R2 b FAhb - 0 1");
    for (at, texts) in [(orthodox, ["e1h1", "e1a1"]), (double, ["d8h8", "d8b8"])] {
        for (king_side, text) in [true, false].into_iter().zip(texts) {
            let castle = Enumerated::Castle { color: at.turn(), king_side };
            let mv = castle.mv_in(&at).unwrap();
            assert_eq!(uci_move::format(mv, true), text);
            assert_eq!(Enumerated::new(&at, mv), Some(castle));
            assert_eq!(castle.mv() == mv, at == orthodox);
        }
    }
}

/// Extended moves compare as move ordering wants it: score, then victim, then attacker.
#[test]
fn extended_moves_compare_by_score_victim_attacker() {
    let at = position("4k3/8/2q1r3/3P4/8/8/2R1Q3/4K3 w - - 0 1");
    let extended =
        |from: Square, to: Square, score| ExtendedMove::new(&at, Move::normal(from, to), score).unwrap();
    let order = [
        extended(Square::E1, Square::D1, 9),
        extended(Square::D5, Square::C6, 0),
        extended(Square::C2, Square::C6, 0),
        extended(Square::D5, Square::E6, 0),
        extended(Square::E2, Square::E6, 0),
        extended(Square::D5, Square::D6, 0),
        extended(Square::C2, Square::C1, 0),
    ];
    assert!(order.is_sorted_by(|a, b| a > b), "{order:?}");
    assert_eq!(order[1].victim(), Some(Role::Queen));
    assert!(order[1].mvv_lva() > order[2].mvv_lva());
    assert_eq!(order[1].with_score(u16::MAX).score(), 1023);
    assert_eq!(order[1].with_score(5).mv(), order[1].mv());
}

/// The index of a from-to board is the same for every promotion of a pawn, so only the queen's is a code.
#[test]
fn butterfly_codes_take_a_queen() {
    let at = position("3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1");
    let queen = Move::promotion(Square::E7, Square::D8, Role::Queen);
    let code = butterfly::encode(queen).unwrap();
    assert_eq!(usize::from(code), gauntlet::geometry::butterfly::index(Square::E7, Square::D8));
    assert_eq!(butterfly::decode(&at, code), Some(queen));
    assert_eq!(butterfly::encode(Move::promotion(Square::E7, Square::D8, Role::Rook)), None);
    assert_eq!(from_to::butterfly_index(from_to::encode(&at, queen)), usize::from(code));
}
