//! The data of `suites/` is what its manifest says, and all of it can be read.

use gauntlet::notation::CastlingMode;
use gauntlet::suite::{self, Manifest, OpeningFormat};
use sha2::{Digest, Sha256};
use std::collections::{BTreeSet, HashSet};
use std::path::Path;

/// The manifest; without the sets that the published crate leaves out, where they are left out.
fn manifest() -> Manifest {
    let mut manifest: Manifest = toml::from_str(suite::MANIFEST).expect("the manifest can be read");
    manifest.file.retain(|file| !file.licence_unclear || Path::new(&on_disk(&file.path)).exists());
    manifest
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The path by which a test, which may run in any folder, opens a data file.
fn on_disk(below_suites: &str) -> String {
    root().join("suites").join(below_suites).display().to_string()
}

/// Records as the manifest counts them: lines, games, rows after the header, entries of 16 bytes.
fn records(path: &str, bytes: &[u8]) -> usize {
    let text = String::from_utf8_lossy(bytes);
    let lines = || text.lines().filter(|line| !line.trim().is_empty()).count();
    match path.rsplit_once('.').unwrap().1 {
        "bin" => bytes.len() / 16,
        "pgn" => text.matches("[Event ").count(),
        "csv" => csv::Reader::from_reader(bytes).records().count(),
        "tsv" => lines() - 1,
        _ => lines(),
    }
}

#[test]
fn counts_and_hashes_are_those_of_the_manifest() {
    for file in manifest().file {
        let bytes = std::fs::read(on_disk(&file.path)).unwrap();
        assert_eq!(records(&file.path, &bytes) as u64, file.records, "{}", file.path);
        let hash: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hash, file.sha256, "{}", file.path);
        assert!(!file.title.is_empty() && !file.source.is_empty() && !file.licence.is_empty());
    }
}

#[test]
fn every_data_file_is_in_the_manifest() {
    let listed: BTreeSet<String> = manifest().file.into_iter().map(|file| file.path).collect();
    let mut present = BTreeSet::new();
    for folder in ["games", "perft", "positions", "openings", "symmetry"] {
        for entry in std::fs::read_dir(root().join("suites").join(folder)).unwrap() {
            present.insert(format!("{folder}/{}", entry.unwrap().file_name().to_str().unwrap()));
        }
    }
    assert_eq!(listed, present);
}

/// Sets whose licence as a collection is unclear stay out of the published crate.
#[test]
fn unclear_licences_are_excluded_from_the_crate() {
    let cargo: toml::Table = std::fs::read_to_string(root().join("Cargo.toml")).unwrap().parse().unwrap();
    let excluded: BTreeSet<&str> =
        cargo["package"]["exclude"].as_array().unwrap().iter().filter_map(toml::Value::as_str).collect();
    for file in manifest().file {
        let path = format!("suites/{}", file.path);
        assert_eq!(excluded.contains(path.as_str()), file.licence_unclear, "{path}");
    }
}

#[test]
fn the_embedded_files_are_those_on_disk() {
    let embedded = suite::embedded();
    let bytes: usize = embedded.iter().map(|(_, bytes)| bytes.len()).sum();
    assert!(bytes < 4 << 20, "{bytes} bytes in the binary");
    for (path, bytes) in &embedded {
        assert_eq!(std::fs::read(on_disk(path)).unwrap(), *bytes, "{path}");
    }
    let names: HashSet<&str> = embedded.iter().map(|(path, _)| path.as_str()).collect();
    for file in manifest().file.iter().filter(|file| !file.path.starts_with("openings/")) {
        assert!(names.contains(file.path.as_str()), "{} is not embedded", file.path);
    }
}

#[test]
fn every_perft_file_can_be_read() {
    for file in manifest().file.iter().filter(|f| f.path.starts_with("perft/") && f.path.ends_with(".epd")) {
        let cases = suite::load_perft(&on_disk(&file.path), None).unwrap();
        assert_eq!(cases.len() as u64, file.records, "{}", file.path);
        assert!(cases.iter().all(|case| case.chess960 == file.chess960), "{}", file.path);
        assert!(cases.iter().all(|case| !case.id.starts_with("line ")), "{}: not all have ids", file.path);
    }
}

#[test]
fn every_test_position_can_be_read() {
    for file in
        manifest().file.iter().filter(|f| f.path.starts_with("positions/") && f.path.ends_with(".epd"))
    {
        let positions = suite::load_positions(&on_disk(&file.path), None).unwrap();
        assert_eq!(positions.len() as u64, file.records, "{}", file.path);
        let ids: HashSet<&str> = positions.iter().map(|position| position.id.as_str()).collect();
        assert_eq!(ids.len(), positions.len(), "{}: ids are not unique", file.path);
        assert!(positions.iter().all(|position| !position.chess960), "{}", file.path);
    }
}

#[test]
fn what_is_not_scored() {
    let shown = |name: &str| -> Vec<usize> {
        let positions = suite::load_positions(&on_disk(name), None).unwrap();
        positions.iter().filter(|position| !position.is_scored()).map(|position| position.line).collect()
    };
    // README of the data: these lines carry no bm, am, dm.
    assert_eq!(shown("positions/studies.epd"), [2, 3, 4, 8, 10]);
    assert_eq!(shown("positions/endgames-wdl.epd").len(), 170);
    assert_eq!(shown("positions/wac.epd"), [0; 0]);
}

/// All c0 moves of STS are legal, and the best of each position is worth 10 (README of the data).
#[test]
fn the_strategic_test_suite_has_points() {
    let positions = suite::load_positions(&on_disk("positions/sts.epd"), None).unwrap();
    for position in &positions {
        assert_eq!(position.max_points(), Some(10), "{}", position.id);
        assert!(position.best.iter().all(|&mv| position.points_of(Some(mv)) == Some(10)), "{}", position.id);
    }
}

#[test]
fn every_opening_can_be_read() {
    for file in manifest().file.iter().filter(|f| f.path.starts_with("openings/")) {
        if !file.path.ends_with(".epd") && !file.path.ends_with(".pgn") {
            continue;
        }
        let book = suite::openings(&on_disk(&file.path), None, None).unwrap();
        assert_eq!(book.openings.len() as u64, file.records, "{}: {:?}", file.path, book.warnings.first());
        assert_eq!(book.warnings.len(), 0, "{}: {:?}", file.path, book.warnings.first());
        assert!(book.openings.iter().all(|opening| opening.chess960 == file.chess960), "{}", file.path);
        let numbers: Vec<usize> = book.openings.iter().map(|opening| opening.number).collect();
        assert!(numbers.iter().copied().eq(1..=numbers.len()), "{}", file.path);
    }
}

/// The two tiny books are the same openings.
#[test]
fn the_same_openings_from_epd_and_pgn() {
    let epd = suite::openings("suites/openings/tiny.epd", None, None).unwrap();
    let pgn = suite::openings("suites/openings/tiny.pgn", Some(OpeningFormat::Pgn), None).unwrap();
    assert_eq!(epd.openings.len(), pgn.openings.len());
    for (from_epd, from_pgn) in epd.openings.iter().zip(&pgn.openings) {
        let mut position = from_pgn.start;
        for &mv in &from_pgn.moves {
            position.play(mv).unwrap();
        }
        assert_eq!(position, from_epd.start, "{}", from_epd.name);
    }
}

/// BR-103: a newline after the last line, a blank line and CRLF made phantom openings.
#[test]
fn blank_lines_are_no_openings() {
    let tiny = std::fs::read_to_string(on_disk("openings/tiny.epd")).unwrap();
    let lines: Vec<&str> = tiny.lines().take(8).collect();
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("lf", lines.join("\n") + "\n"),
        ("blank", lines.join("\n\n") + "\n\n  \n"),
        ("crlf", lines.join("\r\n") + "\r\n\r\n"),
    ] {
        let path = folder.path().join(format!("{name}.epd"));
        std::fs::write(&path, text).unwrap();
        let book = suite::openings(path.to_str().unwrap(), None, None).unwrap();
        assert_eq!(book.openings.len(), 8, "{name}");
    }
}

/// BR-105: the moves after an illegal one must never be played: the opening is refused with its number.
#[test]
fn an_illegal_book_move_refuses_the_opening() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("illegal.pgn");
    let illegal = "[Result \"*\"]\n\n1. Nf3 f5 2. c4 Nf6 3. g3 e6 4. Ka1 d5 5. O-O c6 *\n\n";
    std::fs::write(&path, format!("{illegal}[Result \"*\"]\n\n1. e4 *\n")).unwrap();
    let book = suite::openings(path.to_str().unwrap(), None, None).unwrap();
    assert_eq!(book.openings.len(), 1);
    assert_eq!((book.openings[0].number, book.openings[0].moves.len()), (2, 1));
    let warning = &book.warnings[0];
    assert!(warning.contains("illegal.pgn: game 1, line 3") && warning.contains("Ka1"), "{warning}");
    // Nothing left: an error, with the reason.
    std::fs::write(&path, illegal).unwrap();
    let error = suite::openings(path.to_str().unwrap(), None, None).unwrap_err().to_string();
    assert!(error.contains("no openings") && error.contains("Ka1") && !error.contains('\n'), "{error}");
}

/// BR-058: counters and the en passant square of a book line belong to its position.
#[test]
fn book_lines_keep_their_counters() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.epd");
    std::fs::write(
        &path,
        "rnb1kbnr/ppp1pppp/8/4q3/8/2N5/PPPP1PPP/R1BQKBNR w KQkq - hmvc 2; fmvn 4;\n\
         rnbqkbnr/ppp2ppp/8/3Pp3/8/8/PPPP1PPP/RNBQKBNR w KQkq e6\n",
    )
    .unwrap();
    let book = suite::openings(path.to_str().unwrap(), None, None).unwrap();
    let fens: Vec<String> = book.openings.iter().map(|o| gauntlet::notation::fen::format(&o.start)).collect();
    assert!(fens[0].ends_with("- 2 4") && fens[1].ends_with("e6 0 1"), "{fens:?}");
    assert_eq!(book.openings[0].start.legal_moves().len(), 5);
    assert_eq!(book.openings[1].start.legal_moves().len(), 31);
}

/// The pages name these moves; the mates are proved here with an independent generator.
#[test]
fn the_seeds_have_their_moves() {
    let positions = suite::load_positions(&on_disk("positions/seeds.epd"), None).unwrap();
    let mut proved = 0;
    for position in &positions {
        let Some(moves) = position.mate_in else { continue };
        let fen = gauntlet::notation::fen::format(&position.position);
        let board: cozy_chess::Board = fen.parse().unwrap();
        let mating: HashSet<String> = mates(&board, moves).into_iter().map(|mv| mv.to_string()).collect();
        let named: HashSet<String> = position.best.iter().map(|mv| format!("{mv:?}")).collect();
        assert_eq!(mating, named, "{}", position.id);
        assert!(moves == 1 || mates(&board, moves - 1).is_empty(), "{} is quicker", position.id);
        proved += 1;
    }
    assert_eq!(proved, 2);
    assert_eq!(positions.iter().filter(|position| position.is_scored()).count(), 8);
}

/// All moves that mate in at most this many moves.
fn mates(board: &cozy_chess::Board, moves: u32) -> Vec<cozy_chess::Move> {
    let mut found = Vec::new();
    board.generate_moves(|list| {
        for mv in list {
            let mut child = board.clone();
            child.play_unchecked(mv);
            if is_lost(&child, moves - 1) {
                found.push(mv);
            }
        }
        false
    });
    found
}

fn is_lost(board: &cozy_chess::Board, moves: u32) -> bool {
    match board.status() {
        cozy_chess::GameStatus::Won => true,
        cozy_chess::GameStatus::Drawn => false,
        cozy_chess::GameStatus::Ongoing if moves == 0 => false,
        cozy_chess::GameStatus::Ongoing => !board.generate_moves(|list| {
            list.into_iter().any(|mv| {
                let mut child = board.clone();
                child.play_unchecked(mv);
                mates(&child, moves).is_empty()
            })
        }),
    }
}

/// The perft lines among the parser cases.
#[test]
fn both_spellings_of_perft_lines() {
    let text = std::fs::read_to_string(root().join("tests/data/parser/cases.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text.replace("M\\udcfcller", "Mueller")).unwrap();
    let cases = json.as_array().or_else(|| json["cases"].as_array()).unwrap();
    let mut seen = 0;
    for case in
        cases.iter().filter(|case| case["name"].as_str().is_some_and(|name| name.starts_with("perft-ops")))
    {
        let read = suite::perft_cases("case", case["input"].as_str().unwrap(), None).unwrap();
        for (depth, nodes) in &read[0].counts {
            if let Some(expected) = case["result"].get(format!("D{depth}")) {
                assert_eq!(expected.as_u64(), Some(*nodes));
            }
        }
        assert!(read[0].counts.starts_with(&[(1, 20), (2, 400)]));
        seen += 1;
    }
    assert_eq!(seen, 2);
}

#[test]
fn symmetry_pairs_are_flips_of_each_other() {
    let cases = suite::load_symmetry("suites/symmetry/symmetry.csv").unwrap();
    assert_eq!(cases.len(), 150);
    for case in &cases {
        assert_eq!(case.position.flipped(), case.flipped, "line {}", case.line);
        assert_eq!(case.flipped.flipped(), case.position, "line {}", case.line);
        if let Some(mirrored) = case.mirrored {
            assert_eq!(case.position.mirrored(), Ok(mirrored), "line {}", case.line);
        }
        assert_eq!(case.position.legal_moves().len() as u64, case.perft[0], "line {}", case.line);
    }
}

/// The same letters mean another rook in Chess960; the flag forces the reading.
#[test]
fn the_flag_forces_the_castling_mode() {
    let text = "4k3/8/8/8/8/8/8/4K1RR w K - 0 1 ;D1 20\n";
    let cases = suite::perft_cases("t.epd", text, Some(CastlingMode::Chess960)).unwrap();
    assert!(cases[0].chess960);
    assert!(!suite::perft_cases("t.epd", text, None).unwrap()[0].chess960);
}
