//! Every record of the suites and openings, read and written back.

use super::*;
use gauntlet::notation::epd::{self, Operand};
use gauntlet::notation::pgn;
use std::io::BufReader;

/// The Chess960 books use X-FEN letters, so they must be read as such.
fn mode_of(path: &Path) -> CastlingMode {
    let name = path.file_name().unwrap().to_string_lossy();
    if name.contains("FRC") { CastlingMode::Chess960 } else { CastlingMode::Standard }
}

#[test]
fn every_suite_record_is_written_back_as_it_was() {
    let mut records = 0;
    let mut moves = 0;
    for path in folder("suites/positions", "epd") {
        for (number, line) in read(&path).lines().enumerate() {
            let place = format!("{}:{}", path.display(), number + 1);
            let record =
                epd::parse_line(line, mode_of(&path)).unwrap_or_else(|error| panic!("{place}: {error}"));
            // Behind the four fields the files are in the standard form, SAN included.
            let after_fields = |text: &str| text.splitn(5, ' ').nth(4).unwrap_or("").to_owned();
            assert_eq!(after_fields(&epd::format(&record)), after_fields(line), "{place}");
            for (_, operand) in
                record.operations.iter().flat_map(|(name, list)| list.iter().map(move |o| (name, o)))
            {
                if let Operand::Move(mv) = operand {
                    let text = san::format(*mv, &record.position);
                    assert_eq!(san::parse(&text, &record.position), Ok(*mv), "{place}: {text}");
                    moves += 1;
                }
            }
            records += 1;
        }
    }
    assert!(records > 3000 && moves > 3000, "{records} records, {moves} moves");
}

#[test]
fn every_opening_position_is_read() {
    let mut lines = 0;
    for path in folder("suites/openings", "epd") {
        for (number, record) in epd::records(&read(&path), mode_of(&path)) {
            let record = record.unwrap_or_else(|error| panic!("{}:{number}: {error}", path.display()));
            let written = fen::format(&record.position);
            assert_eq!(
                fen::parse(&written, mode_of(&path)),
                Ok(record.position),
                "{}:{number}",
                path.display()
            );
            lines += 1;
        }
    }
    assert!(lines > 40_000, "{lines}");
}

/// The number of positions with any castling right must not depend on the mode that a book is read in.
#[test]
fn chess960_books_keep_their_rights() {
    for name in ["FRC_openings", "DFRC_4852_v1_sample"] {
        let path = file(&format!("suites/openings/{name}.epd"));
        for line in read(&path).lines() {
            let field = line.split(' ').nth(2).unwrap();
            let rights = chess960(line).castling_rooks().count() as usize;
            assert_eq!(rights, if field == "-" { 0 } else { field.len() }, "{line}");
        }
    }
}

#[test]
fn sts_points_for_each_move() {
    for (number, record) in epd::records(&read(file("suites/positions/sts.epd")), CastlingMode::Standard) {
        let record = record.unwrap();
        let scores = record.move_scores("c0").unwrap_or_else(|| panic!("line {number}"));
        let best = record.best_moves();
        assert!(best.iter().all(|mv| scores.contains(&(*mv, 10))), "line {number}: {scores:?}");
    }
}

fn games(path: &str) -> Vec<pgn::Game> {
    let source = BufReader::new(std::fs::File::open(file(path)).unwrap());
    let games: Result<Vec<_>, _> = pgn::Reader::new(source).collect();
    games.unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn written(game: &pgn::Game) -> String {
    let mut text = Vec::new();
    pgn::write_game(game, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn every_game_survives_writing() {
    let files =
        [("openings/8moves_v3_sample", 5000), ("openings/2moves_v2_sample", 3000), ("openings/tiny", 25)];
    for (name, count) in files {
        let path = format!("suites/{name}.pgn");
        let games = games(&path);
        assert_eq!(games.len(), count, "{path}");
        for game in games {
            assert_eq!(game.warnings, [], "{path}:{}", game.line);
            let text = written(&game);
            assert!(text.lines().all(|line| line.chars().count() <= 80 || line.starts_with('[')), "{text}");
            let back = pgn::Reader::new(text.as_bytes()).next().unwrap().unwrap();
            assert_eq!(back.moves, game.moves);
            assert_eq!(back.result, game.result);
            assert!(game.tags.iter().all(|(name, value)| back.tag(name) == Some(value)));
        }
    }
}

/// Ply counts of the eight complete games are in the file; they were counted with another program.
#[test]
fn games_of_the_seed_documents() {
    let games = games("tests/data/seeds/seeds.pgn");
    assert_eq!(games.len(), 9);
    for game in games.iter().filter(|game| game.tag("PlyCount").is_some()) {
        assert_eq!(game.tag("PlyCount").unwrap(), game.moves.len().to_string(), "line {}", game.line);
    }
}

/// Each line of the ECO table has its moves as PGN and as UCI, and the position they lead to.
#[test]
fn eco_table() {
    let text = read(file("suites/openings/eco.tsv"));
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("eco\tname\tpgn\tuci\tepd"));
    let mut count = 0;
    for line in lines {
        let columns: Vec<&str> = line.split('\t').collect();
        let game = pgn::Reader::new(columns[2].as_bytes()).next().unwrap().unwrap();
        let mut position = game.start;
        let mut moves = Vec::new();
        for played in &game.moves {
            moves.push(uci_move::format(played.mv, false));
            position.play(played.mv).unwrap();
        }
        assert_eq!(moves.join(" "), columns[3], "{line}");
        assert_eq!(fen::format_epd_fields(&position), columns[4], "{line}");
        count += 1;
    }
    assert_eq!(count, 3807);
}

/// The same 25 openings as games and as positions.
#[test]
fn tiny_book_in_both_formats() {
    let games = games("suites/openings/tiny.pgn");
    let text = read(file("suites/openings/tiny.epd"));
    let records: Vec<_> =
        epd::records(&text, CastlingMode::Standard).map(|(_, record)| record.unwrap()).collect();
    assert_eq!(games.len(), records.len());
    for (game, record) in games.iter().zip(&records) {
        assert_eq!(fen::format(&game.final_position()), fen::format(&record.position));
    }
}
