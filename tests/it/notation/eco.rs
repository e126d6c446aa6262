//! The opening codes: the table's own lines, transpositions, and the page's position that no rule classifies for everybody.

use super::*;
use gauntlet::notation::eco::{self, Classified};
use gauntlet::stats::SplitMix64;
use gauntlet::types::{Move, Role};
use shakmaty::Position as _;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::AtomicBool;

/// The four ways to it that page "ECO" shows.
const ORDERS: [&str; 4] = [
    "e4 d5 exd5 Nf6 c4 c6 d4 cxd5 Nc3 Nc6 Nf3 e6 cxd5 Nxd5",
    "e4 c6 d4 d5 exd5 cxd5 c4 e6 Nf3 Nf6 cxd5 Nxd5 Nc3 Nc6",
    "d4 d5 c4 e6 Nc3 Nf6 Nf3 c5 cxd5 Nxd5 e3 cxd4 exd4 Nc6",
    "c4 c5 Nc3 Nf6 Nf3 Nc6 e3 e6 d4 cxd4 exd4 d5 cxd5 Nxd5",
];
const AMBIGUOUS: &str = "r1bqkb1r/pp3ppp/2n1p3/3n4/3P4/2N2N2/PP3PPP/R1BQKB1R w KQkq -";

fn game(san_moves: &str) -> (Vec<Move>, Position) {
    let mut position = Position::startpos();
    let mut moves = Vec::new();
    for text in san_moves.split_whitespace() {
        let mv = san::parse(text, &position).unwrap_or_else(|error| panic!("{san_moves}: {error}"));
        position.play_unchecked(mv);
        moves.push(mv);
    }
    (moves, position)
}

fn classify(san_moves: &str) -> Classified {
    eco::table().classify(&Position::startpos(), &game(san_moves).0).unwrap()
}

/// Each line by its own columns, replayed by shakmaty, not by the code under test.
#[test]
fn every_line_is_its_own_by_moves_and_by_position() {
    let text = read(file("suites/openings/eco.tsv"));
    let table = eco::table();
    assert_eq!(table.lines().len(), 3807);
    let mut codes = BTreeSet::new();
    for line in text.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let mut oracle = shakmaty::Chess::default();
        let (mut moves, mut position) = (Vec::new(), Position::startpos());
        for uci in columns[3].split(' ') {
            let mv = uci.parse::<shakmaty::uci::UciMove>().unwrap().to_move(&oracle).unwrap();
            oracle.play_unchecked(mv);
            let ours = uci_move::parse(uci, &position).unwrap();
            position.play_unchecked(ours);
            moves.push(ours);
        }
        let epd = shakmaty::fen::Epd::from_position(&oracle, shakmaty::EnPassantMode::Legal).to_string();
        assert_eq!(epd, columns[4], "{line}");
        let by_moves = table.by_moves(&moves).unwrap();
        assert_eq!((by_moves.code, by_moves.name), (columns[0], columns[1]));
        assert_eq!(by_moves.plies(), moves.len());
        let found = table.classify(&Position::startpos(), &moves).unwrap();
        assert_eq!((found.by_position.code, found.by_position.name), (columns[0], columns[1]));
        assert_eq!((found.plies, found.by_moves), (moves.len(), Some(by_moves)));
        assert_eq!(table.at(&standard(&epd)), Some(by_moves));
        codes.insert(columns[0]);
    }
    let all: BTreeSet<String> =
        ('A'..='E').flat_map(|a| (0..100).map(move |n| format!("{a}{n:02}"))).collect();
    assert!(codes.iter().copied().eq(all.iter().map(String::as_str)), "500 codes, A00 to E99");
}

/// Classified by a plain search of the table's columns for each position of the game, as the definition says it.
#[test]
fn games_are_classified_as_the_columns_say() {
    let text = read(file("suites/openings/eco.tsv"));
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    let positions: HashMap<&str, &str> = rows.iter().map(|row| (row[4], row[0])).collect();
    let bytes = std::fs::read(file("suites/openings/8moves_v3_sample.pgn")).unwrap();
    let mut transposed = 0;
    for game in gauntlet::notation::pgn::Reader::new(&bytes[..]).take(500) {
        let game = game.unwrap();
        let moves: Vec<Move> = game.moves.iter().map(|played| played.mv).collect();
        let (mut position, mut last, mut uci) = (game.start, None, String::new());
        let mut by_moves = None;
        for &mv in &moves {
            uci.push_str(&uci_move::format(mv, false));
            position.play_unchecked(mv);
            last = positions.get(fen::format_epd_fields(&position).as_str()).copied().or(last);
            by_moves = rows.iter().find(|row| row[3] == uci).map(|row| row[0]).or(by_moves);
            uci.push(' ');
        }
        let found = eco::table().classify(&game.start, &moves);
        assert_eq!(found.map(|found| found.by_position.code), last);
        assert_eq!(found.and_then(|found| found.by_moves).map(|named| named.code), by_moves);
        transposed += usize::from(last != by_moves);
    }
    assert!(transposed > 20, "{transposed} games whose order of moves says something else");
}

#[test]
fn transpositions_are_found() {
    let direct = classify("e4 e6 d4 d5 Nc3 Nf6");
    let french = classify("d4 e6 Nc3 d5 e4 Nf6");
    assert_eq!(french.by_position, direct.by_position);
    assert!(french.by_position.code.starts_with('C') && french.by_position.name.starts_with("French"));
    assert_ne!(french.by_moves, direct.by_moves);
    // The name stays when the game leaves the table, and says when that was.
    let later = classify("e4 e6 d4 d5 Nc3 Nf6 h3 h6 h4 h5");
    assert_eq!((later.by_position, later.plies), (direct.by_position, direct.plies));
    // From another position there is no order of moves to speak of.
    let (moves, _) = game("e4 e6 d4 d5");
    let (_, start) = game("e4 e6");
    let found = eco::table().classify(&start, &moves[2..]).unwrap();
    assert_eq!((found.by_position.code, found.by_moves), ("C00", None));
    assert_eq!(eco::table().classify(&standard("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), &[]), None);
    assert_eq!(eco::table().classify(&Position::startpos(), &[]), None);
}

fn reaching(position: &Position, plies: u32) -> eco::Reaching {
    eco::table().reaching(position, plies, &AtomicBool::new(false))
}

/// The lines after which few plies more can lead to it, of a search that has come to its end.
fn all_reaching(position: &Position, plies: u32) -> Vec<eco::Named> {
    let found = reaching(position, plies);
    assert!(found.complete, "{}", fen::format(position));
    found.lines
}

#[test]
fn the_ambiguous_position_is_reported_with_all_its_codes() {
    let position = standard(AMBIGUOUS);
    let found = all_reaching(&position, 8);
    let codes: BTreeSet<&str> = found.iter().map(|named| named.code).collect();
    // Named on the page as leading there.
    for code in ["B01", "B13", "B14", "A35", "D26", "D40"] {
        assert!(codes.contains(code), "{code} is not in {codes:?}");
    }
    let mut answers = BTreeSet::new();
    for order in ORDERS {
        assert_eq!(fen::format_epd_fields(&game(order).1), AMBIGUOUS, "{order}");
        let found = classify(order);
        answers.insert(found.by_position.code);
        assert!(codes.contains(found.by_position.code), "{order}: {found:?} is not in {codes:?}");
    }
    // One position, and the order of moves still decides.
    assert!(answers.len() > 1, "{answers:?}");
    assert!(all_reaching(&position, 2).is_empty());
    assert!(all_reaching(&position, 4).iter().all(|named| found.contains(named)));
    // A named position leads to itself.
    let najdorf = standard("rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq -");
    assert!(all_reaching(&najdorf, 2).iter().any(|named| named.code == "B90"));
}

/// Positions near the openings whose kings or rooks have gone and come back: the rights they have lost are plies that are
/// missing, so the search ends soon.
#[test]
fn lost_castling_rights_do_not_make_the_search_long() {
    let text = read(file("suites/openings/noob_3moves_sample.epd"));
    let named = read(file("suites/openings/eco.tsv"));
    let records = text.lines().step_by(40).chain(named.lines().skip(1).step_by(60).map(|line| {
        // The EPD is the last column.
        line.rsplit('\t').next().unwrap()
    }));
    let (mut positions, mut most) = (0, 0);
    for record in records {
        let fields: Vec<&str> = record.split_whitespace().take(4).collect();
        for rights in ["-", "KQ", "k"] {
            let position = standard(&format!("{} {} {rights} {}", fields[0], fields[1], fields[3]));
            let found = reaching(&position, 8);
            assert!(found.complete, "{record}");
            most = most.max(found.nodes);
            positions += 1;
        }
    }
    assert!(positions > 900 && most < eco::MOST_NODES / 10, "{positions} {most}");
}

/// Games that leave a line and go on for up to six plies, kings and rooks going and coming among them: the longest named line
/// that a game begins with is always among those found for its last position, so nothing is given up that could be.
#[test]
fn the_line_of_every_game_is_found_again() {
    let table = eco::table();
    let mut random = SplitMix64::new(6);
    let (mut games, mut rights_lost) = (0, 0);
    while games < 1500 {
        let named = table.lines()[random.below(table.lines().len() as u64) as usize];
        let mut position = Position::startpos();
        let mut moves = Vec::new();
        for uci in named.uci.split(' ') {
            moves.push(uci_move::parse(uci, &position).unwrap());
            position.play_unchecked(moves[moves.len() - 1]);
        }
        let rights = position.castling_rooks();
        let mut before = position;
        let plies = 2 + random.below(5);
        for _ in 0..plies {
            let legal = position.legal_moves();
            let mut choice: Vec<Move> = legal.to_vec();
            // Every other move is one of a king or a rook where there is one, and goes back where it can.
            if random.below(2) == 0 {
                let heavy = |mv: &Move| matches!(position.role_at(mv.from()), Some(Role::King | Role::Rook));
                let back = |mv: &Move| heavy(mv) && before.piece_at(mv.to()) == position.piece_at(mv.from());
                for wanted in [&heavy as &dyn Fn(&Move) -> bool, &back] {
                    if choice.iter().any(wanted) {
                        choice.retain(wanted);
                    }
                }
            }
            choice.retain(|mv| mv.promotion_role().is_none());
            let Some(&mv) = choice.get(random.below(choice.len() as u64) as usize) else { break };
            if moves.len() % 2 == 0 {
                before = position;
            }
            position.play_unchecked(mv);
            moves.push(mv);
        }
        let found = reaching(&position, 6);
        let line = table.by_moves(&moves).unwrap();
        assert!(!found.complete || found.lines.contains(&line), "{line:?} {moves:?}");
        games += u32::from(found.complete);
        rights_lost += u32::from(position.castling_rooks() != rights);
    }
    assert!(rights_lost > 500, "{rights_lost}");
}

#[test]
fn a_search_ends_at_its_bound_or_when_it_is_stopped() {
    let position = standard("r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R b - - 0 1");
    let found = reaching(&position, 8);
    assert!(found.nodes <= eco::MOST_NODES, "{}", found.nodes);
    // Many more plies than can be searched.
    let found = reaching(&standard(AMBIGUOUS), 20);
    assert_eq!((found.nodes, found.complete), (eco::MOST_NODES, false));
    let stopped = eco::table().reaching(&standard(AMBIGUOUS), 8, &AtomicBool::new(true));
    assert_eq!((stopped.lines, stopped.nodes, stopped.complete), (Vec::new(), 0, false));
}
