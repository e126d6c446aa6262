//! Polyglot keys against published and independently computed ones, the book made from the named openings, broken books.

use super::*;
use gauntlet::notation::polyglot::{self, Book, BookError};
use gauntlet::suite::{self, OpeningFormat, Take};
use gauntlet::types::Square;
use shakmaty::Position as _;
use std::collections::{HashMap, HashSet};

#[test]
fn every_key_of_the_table() {
    let mut reader = csv::Reader::from_path(file("suites/openings/polyglot_keys.csv")).unwrap();
    let mut count = 0;
    for record in reader.records() {
        let record = record.unwrap();
        let key = polyglot::key(&standard(&record[0]));
        assert_eq!(format!("{key:016x}"), record[1], "{}", &record[0]);
        count += 1;
    }
    assert_eq!(count, 88);
}

/// The format asks for a pawn beside the one that passed, not for a legal capture: here Black's is pinned. The same number
/// is what shakmaty gives for pseudo-legal en passant.
#[test]
fn a_pinned_pawn_counts_in_the_key() {
    let free = standard("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1");
    let pinned = standard("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1");
    for (position, uci) in [(free, "d2d4"), (pinned, "e2e4")] {
        let mv = uci_move::parse(uci, &position).unwrap();
        let passed = position.passed_square(mv);
        let mut next = position;
        next.play_unchecked(mv);
        let oracle: shakmaty::Chess = shakmaty::fen::Fen::from_ascii(fen::format(&position).as_bytes())
            .unwrap()
            .into_position(shakmaty::CastlingMode::Standard)
            .unwrap();
        let mv = uci.parse::<shakmaty::uci::UciMove>().unwrap().to_move(&oracle).unwrap();
        let oracle = oracle.play(mv).unwrap();
        let key = |mode| oracle.zobrist_hash::<shakmaty::zobrist::Zobrist64>(mode).0;
        assert_eq!(polyglot::key_passed(&next, passed), key(shakmaty::EnPassantMode::PseudoLegal), "{uci}");
        assert_eq!(polyglot::key(&next), key(shakmaty::EnPassantMode::Legal), "{uci}");
    }
    let start = Position::startpos();
    let passed = |uci| start.passed_square(uci_move::parse(uci, &start).unwrap());
    assert_eq!((passed("e2e4"), passed("e2e3"), passed("g1f3")), (Some(Square::E3), None, None));
}

/// The book has the first 16 plies of each named line; a move's weight is the number of lines through it.
#[test]
fn the_book_of_the_named_openings() {
    let bytes = std::fs::read(file("suites/openings/eco_polyglot.bin")).unwrap();
    let book = Book::read(&bytes).unwrap();
    assert_eq!(book.len(), 7150);
    let mut weights: HashMap<(u64, gauntlet::types::Move), u32> = HashMap::new();
    let mut positions = HashMap::new();
    for line in read(file("suites/openings/eco.tsv")).lines().skip(1) {
        let mut position = Position::startpos();
        let mut passed = None;
        for uci in line.split('\t').nth(3).unwrap().split(' ').take(16) {
            let mv = uci_move::parse(uci, &position).unwrap();
            let key = polyglot::key_passed(&position, passed);
            *weights.entry((key, mv)).or_default() += 1;
            positions.insert(key, (position, passed));
            passed = position.passed_square(mv);
            position.play_unchecked(mv);
        }
    }
    assert_eq!(positions.len(), 4694);
    let mut entries = HashSet::new();
    for (key, (position, passed)) in &positions {
        for book in book.moves(position, *passed).unwrap() {
            assert_eq!(
                weights.get(&(*key, book.mv)),
                Some(&u32::from(book.weight)),
                "{}",
                fen::format(position)
            );
            assert!(entries.insert(book.entry));
        }
    }
    assert_eq!((entries.len(), weights.len()), (7150, 7150));
}

/// An entry of 16 bytes.
fn entry(key: u64, mv: u16, weight: u16) -> Vec<u8> {
    [&key.to_be_bytes()[..], &mv.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
}

/// From, to, promotion code.
fn bits(from: Square, to: Square, promotion: u16) -> u16 {
    let square = |square: Square| u16::from(square.rank()) << 3 | u16::from(square.file());
    promotion << 12 | square(from) << 6 | square(to)
}

#[test]
fn castling_and_promotions_as_the_format_has_them() {
    let moves = |fen: &str, encoded: &[u16]| -> Vec<String> {
        let position = standard(fen);
        let bytes: Vec<u8> = encoded.iter().flat_map(|&mv| entry(polyglot::key(&position), mv, 1)).collect();
        let moves = Book::read(&bytes).unwrap().moves(&position, None).unwrap();
        moves.iter().map(|book| uci_move::format(book.mv, false)).collect()
    };
    let castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let [a, c, e, g, h] = [Square::A1, Square::C1, Square::E1, Square::G1, Square::H1];
    assert_eq!(moves(castles, &[bits(e, h, 0), bits(e, a, 0)]), ["e1g1", "e1c1"]);
    assert_eq!(moves(castles, &[bits(e, g, 0), bits(e, c, 0)]), ["e1g1", "e1c1"]);
    // A rook on e1 that goes to h1 is no castling.
    assert_eq!(moves("3k4/8/8/8/8/8/K7/4R3 w - - 0 1", &[bits(e, h, 0)]), ["e1h1"]);
    let to: Vec<u16> = (1..=4).map(|code| bits(Square::A7, Square::A8, code)).collect();
    assert_eq!(moves("8/P7/8/8/8/8/8/k6K w - - 0 1", &to), ["a7a8n", "a7a8b", "a7a8r", "a7a8q"]);
}

#[test]
fn broken_books_name_the_entry() {
    let start = polyglot::key(&Position::startpos());
    let e4 = bits(Square::E2, Square::E4, 0);
    assert_eq!(Book::read(&[]).unwrap_err(), BookError::Empty);
    let cut = Book::read(&entry(start, e4, 1)[..15]).unwrap_err();
    assert_eq!(cut.to_string(), "15 bytes: not a whole number of 16-byte entries; entry 1 is cut off");
    let unsorted = [entry(3, 0, 1), entry(5, 0, 1), entry(4, 0, 1)].concat();
    assert_eq!(Book::read(&unsorted).unwrap_err(), BookError::Unsorted(3));
    for (mv, shown) in
        [(bits(Square::E2, Square::E5, 0), "e2e5"), (bits(Square::E2, Square::E4, 7), "0x731c")]
    {
        let book = Book::read(&[entry(start, e4, 1), entry(start, mv, 1)].concat()).unwrap();
        let error = book.moves(&Position::startpos(), None).unwrap_err();
        assert_eq!(error.to_string(), format!("entry 2: {shown} is not a legal move in its position"));
    }
    // A header of text in front, as newer programs write it, is no move.
    let mut header = entry(0, 0, 0);
    header[8..12].copy_from_slice(b"@PG@");
    assert_eq!(Book::read(&header).unwrap_err(), BookError::Empty);
    let book = Book::read(&[header, entry(start, e4, 1)].concat()).unwrap();
    assert_eq!(book.moves(&Position::startpos(), None).unwrap()[0].entry, 2);
}

#[test]
fn moves_are_drawn_as_their_weights_say() {
    let start = Position::startpos();
    let key = polyglot::key(&start);
    let weighted = [(Square::E2, Square::E4, 3), (Square::D2, Square::D4, 1), (Square::A2, Square::A3, 0)];
    let bytes: Vec<u8> =
        weighted.iter().flat_map(|&(from, to, w)| entry(key, bits(from, to, 0), w)).collect();
    let moves = Book::read(&bytes).unwrap().moves(&start, None).unwrap();
    assert_eq!(polyglot::total_weight(&moves), 4);
    let drawn: Vec<_> = (0..5).map(|n| polyglot::pick(&moves, n).map(|mv| format!("{mv:?}"))).collect();
    let [e4, d4] = ["e2e4", "d2d4"].map(|uci| Some(uci.to_owned()));
    assert_eq!(drawn, [e4.clone(), e4.clone(), e4, d4, None]);
}

#[test]
fn openings_out_of_a_book() {
    let name = "eco_polyglot.bin";
    let lines = |take, plies, lines| suite::polyglot_openings(name, take, plies, lines).unwrap().openings;
    let one = lines(Take::All, 1, 100);
    assert_eq!(one.len(), 20, "all first moves have names");
    let ends = |openings: &[suite::Opening]| -> Vec<String> {
        let end = |opening: &suite::Opening| {
            let mut position = opening.start;
            opening.moves.iter().for_each(|&mv| position.play(mv).unwrap());
            fen::format_epd_fields(&position)
        };
        openings.iter().map(end).collect()
    };
    let drawn = lines(Take::Drawn { seed: 7 }, 8, 300);
    assert_eq!(drawn.len(), 300);
    assert_eq!(ends(&drawn).iter().collect::<HashSet<_>>().len(), 300, "no line comes twice");
    assert!(drawn.iter().all(|opening| opening.moves.len() <= 8) && drawn.iter().any(|o| o.moves.len() == 8));
    assert_eq!(ends(&drawn), ends(&lines(Take::Drawn { seed: 7 }, 8, 300)), "the seed decides");
    assert_ne!(ends(&drawn), ends(&lines(Take::Drawn { seed: 8 }, 8, 300)));
    // e2e4 has 2020 of 3807 parts of the weight: 530.6 of 1000 expected, sd 15.8; within five of them.
    let first =
        |opening: &suite::Opening| opening.moves[0] == uci_move::parse("e2e4", &opening.start).unwrap();
    let repeated = lines(Take::Repeating { seed: 1 }, 2, 1000);
    let many = repeated.iter().filter(|opening| first(opening)).count();
    assert!((451..=610).contains(&many), "{many}");
    // Asked for more than there is: all there is, once each.
    assert!(lines(Take::Drawn { seed: 1 }, 1, 1000).len() <= 20);
    let all = suite::openings(name, Some(OpeningFormat::Polyglot), None).unwrap().openings;
    assert!(all.len() > 1000, "{}", all.len());
}

/// All lines of a book without any memory of where the walk has been: what [`Take::All`] must give.
fn plainly(
    book: &Book,
    position: &Position,
    passed: Option<Square>,
    played: &mut Vec<gauntlet::types::Move>,
    plies: usize,
    found: &mut Vec<Vec<gauntlet::types::Move>>,
    ends: &mut HashSet<u64>,
) {
    let mut moves = book.moves(position, passed).unwrap();
    moves.retain(|book| book.weight > 0 && played.len() < plies);
    if moves.is_empty() && position.has_legal_move() && ends.insert(position.key()) {
        found.push(played.clone());
    }
    for polyglot::BookMove { mv, .. } in moves {
        let mut next = *position;
        next.play_unchecked(mv);
        played.push(mv);
        plainly(book, &next, position.passed_square(mv), played, plies, found, ends);
        played.pop();
    }
}

fn all_plainly(bytes: &[u8], plies: usize) -> Vec<Vec<gauntlet::types::Move>> {
    let (mut found, mut ends) = (Vec::new(), HashSet::new());
    let book = Book::read(bytes).unwrap();
    plainly(&book, &Position::startpos(), None, &mut Vec::new(), plies, &mut found, &mut ends);
    found
}

#[test]
fn all_lines_are_those_of_a_walk_without_memory() {
    let name = "eco_polyglot.bin";
    let bytes = std::fs::read(file("suites/openings/eco_polyglot.bin")).unwrap();
    for plies in [1, 5, 60] {
        let openings = suite::polyglot_openings(name, Take::All, plies, 10_000).unwrap();
        assert!(openings.warnings.is_empty());
        let lines: Vec<_> = openings.openings.into_iter().map(|opening| opening.moves).collect();
        assert_eq!(lines, all_plainly(&bytes, plies as usize), "{plies} plies");
    }
}

/// Both sides' knights go out and back for ever: lines end at the last ply, and come to an end.
#[test]
fn a_book_of_shuffling_knights_has_an_end() {
    let mut positions = vec![Position::startpos()];
    let mut entries = Vec::new();
    let mut next = 0;
    while next < positions.len() {
        let position = positions[next];
        for uci in ["b1c3", "c3b1", "g1f3", "f3g1", "b8c6", "c6b8", "g8f6", "f6g8"] {
            let Ok(mv) = uci_move::parse(uci, &position) else { continue };
            let mut after = position;
            after.play_unchecked(mv);
            entries.push((polyglot::key(&position), bits(mv.from(), mv.to(), 0)));
            if !positions.iter().any(|known| known.key() == after.key()) {
                positions.push(after);
            }
        }
        next += 1;
    }
    // Four places of two knights on each side, and whose turn it is, of which the numbers of moves allow half; two moves in each.
    assert_eq!((positions.len(), entries.len()), (16, 32));
    entries.sort_unstable();
    let bytes: Vec<u8> = entries.into_iter().flat_map(|(key, mv)| entry(key, mv, 1)).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("knights.bin");
    std::fs::write(&path, &bytes).unwrap();
    let name = path.to_str().unwrap();
    let lines = |plies| {
        let openings = suite::polyglot_openings(name, Take::All, plies, 10_000).unwrap().openings;
        openings.into_iter().map(|opening| opening.moves).collect::<Vec<_>>()
    };
    for plies in [1, 2, 3, 8, 11] {
        assert_eq!(lines(plies), all_plainly(&bytes, plies as usize), "{plies} plies");
    }
    // After 30 moves of each side an even number of its knights' moves: both at home or both out.
    let longest = suite::openings(name, None, None).unwrap().openings;
    assert_eq!(longest.len(), 4);
    assert!(longest.iter().all(|opening| opening.moves.len() == 60));
}
