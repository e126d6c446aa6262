//! The games in the page: which of them, and whether what the viewer draws are the positions that another library comes to.

use super::fixture::{self, HOSTILE, Lcg};
use super::{header, kept, saved, well_formed};
use gauntlet::record::*;
use gauntlet::report::{files, html};
use serde_json::Value;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};
use std::collections::BTreeMap;
use std::fs;

/// The games embedded in a page.
fn embedded(page: &str) -> Vec<Value> {
    let open = "<script type=\"application/json\">";
    let start = page.find(open).expect("games") + open.len();
    let end = start + page[start..].find("</script>").expect("end");
    serde_json::from_str(&page[start..end]).expect("JSON")
}

/// What the script does: the FEN behind each ply.
fn replayed(game: &Value) -> Vec<String> {
    let text = |key: &str| game[key].as_str().expect("text");
    let fen: Vec<&str> = text("fen").split(' ').collect();
    let mut squares = BTreeMap::new();
    for (row, rank) in fen[0].split('/').enumerate() {
        let mut file = 0;
        for letter in rank.chars() {
            match letter.to_digit(10) {
                Some(empty) => file += empty as usize,
                None => {
                    squares.insert((7 - row, file), letter);
                    file += 1;
                }
            }
        }
    }
    let mut white = fen[1] == "w";
    let mut fields = [fen[2].to_owned(), fen[3].to_owned(), fen[4].to_owned()];
    let mut number: u32 = fen[5].parse().expect("number");
    let mut found = Vec::new();
    for (changed, told) in text("squares").split(' ').zip(text("fields").split(',')) {
        for change in changed.as_bytes().chunks(3) {
            let square = (usize::from(change[1] - b'1'), usize::from(change[0] - b'a'));
            match change[2] {
                b'.' => drop(squares.remove(&square)),
                letter => drop(squares.insert(square, char::from(letter))),
            }
        }
        let clock: u32 = fields[2].parse().expect("clock");
        match told {
            "" => fields = [fields[0].clone(), "-".into(), (clock + 1).to_string()],
            "0" => fields = [fields[0].clone(), "-".into(), "0".into()],
            all => fields = all.split(' ').map(str::to_owned).collect::<Vec<_>>().try_into().expect("three"),
        }
        number += u32::from(!white);
        white = !white;
        let board: Vec<String> = (0..8).rev().map(|rank| line(&squares, rank)).collect();
        let turn = if white { "w" } else { "b" };
        found.push(format!("{} {turn} {} {number}", board.join("/"), fields.join(" ")));
    }
    found
}

fn line(squares: &BTreeMap<(usize, usize), char>, rank: usize) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for file in 0..8 {
        match squares.get(&(rank, file)) {
            None => empty += 1,
            Some(letter) => {
                if empty > 0 {
                    text += &empty.to_string();
                }
                text.push(*letter);
                empty = 0;
            }
        }
    }
    if empty > 0 { text + &empty.to_string() } else { text }
}

/// A game of random legal moves, and the positions behind them.
fn random_game(seed: u64, plies: usize) -> (GameRow, Vec<String>) {
    let mut rng = Lcg(seed);
    let mut position = Chess::default();
    let (mut row, mut fens) = (fixture::game(seed, 0, "a", "b", &mut rng), Vec::new());
    row.start_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into();
    row.plies.clear();
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        // Captures and promotions are rare among random moves: they get a second chance.
        let pick = |rng: &mut Lcg| moves[rng.below(moves.len() as u64) as usize];
        let first = pick(&mut rng);
        let mv = if first.is_capture() || first.is_promotion() { first } else { pick(&mut rng) };
        row.plies.push(PlyRow {
            uci: mv.to_uci(CastlingMode::Standard).to_string().as_str().into(),
            ..PlyRow::default()
        });
        position.play_unchecked(mv);
        fens.push(Fen::from_position(&position, EnPassantMode::Legal).to_string());
    }
    (row, fens)
}

#[test]
fn the_positions_are_those_of_another_library() {
    let mut special = [0; 3];
    for seed in 0..60 {
        let (row, wanted) = random_game(seed, 120);
        let page = html::render(&[saved(vec![Row::Game(row.clone())])]);
        let games = embedded(&page);
        assert_eq!(replayed(&games[0]), wanted, "game {seed}");
        let san = games[0]["san"].as_str().expect("san");
        let mut position = Chess::default();
        for (ply, san) in row.plies.iter().zip(san.split(' ')) {
            let mv = ply.uci.parse::<UciMove>().expect("uci").to_move(&position).expect("legal");
            special[0] += usize::from(mv.is_castle());
            special[1] += usize::from(mv.is_en_passant());
            special[2] += usize::from(mv.is_promotion());
            assert_eq!(
                shakmaty::san::SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string(),
                san
            );
        }
    }
    assert!(special.iter().all(|&times| times > 0), "{special:?} castlings, en passant captures, promotions");
}

#[test]
fn a_long_record_shows_two_hundred_and_says_so() {
    let mut rows = Vec::new();
    let mut rng = Lcg(5);
    for pair in 0..300 {
        let white = fixture::game(pair, 0, "first", HOSTILE, &mut rng);
        let mut black = fixture::game(pair, 1, HOSTILE, "first", &mut rng);
        if pair == 250 {
            black.termination = "time forfeit".into();
            black.reason = "black loses on time".into();
        }
        rows.extend([Row::Game(white), Row::Game(black)]);
    }
    let page = html::render(&[saved(rows.clone())]);
    well_formed::check(&page).expect("well-formed");
    assert!(page.contains("<b>200 of 600 games</b>") && page.len() < 2_000_000, "{}", page.len());
    let games = embedded(&page);
    assert_eq!((games.len(), page.matches("<tr data-game=").count()), (200, 200));
    assert_eq!(
        (games[0]["id"].as_str(), games[0]["reason"].as_str()),
        (Some("251.2"), Some("black loses on time"))
    );
    assert_eq!(games[0]["white"], HOSTILE);
    assert!(!page.contains("<b>x</b>"));
    // From a folder it is the same page: the games are read a second time.
    let base = tempfile::tempdir().expect("dir");
    let path = kept(base.path(), &rows);
    let again = fs::read_to_string(files::write(&path).expect("report")).expect("page");
    assert_eq!(embedded(&again), games);
    assert!(page.contains(&format!("seed</dt><dd>{}", header("run").seed)) || page.contains("<dt>Seed</dt>"));
}

#[test]
fn games_too_long_for_the_page_are_left_out() {
    let rows = (0..200u64).map(|n| {
        let (mut row, _) = random_game(n, 2);
        row.plies = ["g1f3", "g8f6", "f3g1", "f6g8"]
            .iter()
            .cycle()
            .take(1_200)
            .map(|uci| PlyRow {
                uci: (*uci).into(),
                score: Some("-12345".into()),
                depth: Some(12),
                time_us: Some(123_456),
                clock_us: Some(59_900_000),
                ..PlyRow::default()
            })
            .collect();
        Row::Game(row)
    });
    let page = html::render(&[saved(rows.collect())]);
    assert!(page.len() < 2_000_000, "{}", page.len());
    let shown = embedded(&page).len();
    assert!((20..200).contains(&shown) && page.contains(&format!("<b>{shown} of 200 games</b>")), "{shown}");
}
