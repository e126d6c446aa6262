//! What the fuzz targets start from: the parser cases, the reported cases and the lines in `tests/data/fuzz`. Everything
//! comes from files, in a fixed order. Shared with the build script of `fuzz/`, so it knows nothing of the library.

use serde_json::Value;
use std::fs;
use std::path::Path;

/// The fuzz targets, as their files are called.
pub const TARGETS: [&str; 6] = ["fen", "epd", "pgn", "san", "uci_line", "polyglot"];

/// All seeds of a target, the inputs that once broke it last.
pub fn seeds(root: &Path, target: &str) -> Vec<Vec<u8>> {
    let data = root.join("tests/data");
    let mut seeds = parser_cases(&data, target);
    seeds.extend(reported_cases(&data, target));
    if target == "pgn" {
        seeds.extend(files(&data.join("parser/pgn")));
    }
    if target == "polyglot" {
        seeds.extend(books(root));
    }
    if let Ok(lines) = fs::read_to_string(data.join(format!("fuzz/{target}.txt"))) {
        // `\n` stands for a line end inside a seed.
        seeds.extend(lines.lines().map(|line| line.replace("\\n", "\n").into_bytes()));
    }
    seeds.extend(files(&data.join("fuzz/regressions").join(target)));
    seeds.retain(|seed| seed.len() <= 1 << 12);
    seeds.sort();
    seeds.dedup();
    seeds
}

/// The files of a folder, by name; none if there is no such folder.
pub fn files(folder: &Path) -> Vec<Vec<u8>> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("a readable file")).collect()
}

/// Sorted parts of the shipped book, one of them behind a header and one cut off.
fn books(root: &Path) -> Vec<Vec<u8>> {
    let book = fs::read(root.join("suites/openings/eco_polyglot.bin")).expect("the shipped book");
    let mut seeds: Vec<Vec<u8>> = book.chunks(1 << 12).map(<[u8]>::to_vec).collect();
    let header = [&[0; 8][..], b"@PG@\n1.0", &[0; 8], b"book    "].concat();
    seeds.push([&header, &book[..64]].concat());
    seeds.push(book[..63].to_vec());
    seeds
}

fn parser_cases(data: &Path, target: &str) -> Vec<Vec<u8>> {
    let text = fs::read_to_string(data.join("parser/cases.json")).expect("the parser cases");
    // One input holds a lone surrogate for a raw byte, which is no JSON; its file has the byte.
    let cases: Vec<Value> = serde_json::from_str(&text.replace("\\udcfc", "\\u00fc")).expect("JSON");
    let mut seeds = Vec::new();
    for case in &cases {
        let input = &case["input"];
        match (case["kind"].as_str().unwrap_or(""), target) {
            ("fen", "fen") | ("epd", "epd") | ("pgn", "pgn") => {
                seeds.extend(input.as_str().map(|text| text.as_bytes().to_vec()));
            }
            ("uci", "san") => {
                let part = |name| input[name].as_str().unwrap_or("");
                seeds.push(format!("{}\n{}", part("fen"), part("move")).into_bytes());
            }
            _ => {}
        }
    }
    seeds
}

/// The inputs of `cases.csv`: FENs, records, games and lines as they were reported, with the words around them.
fn reported_cases(data: &Path, target: &str) -> Vec<Vec<u8>> {
    let mut reader = csv::Reader::from_path(data.join("cases.csv")).expect("the reported cases");
    let mut seeds = Vec::new();
    for row in reader.records() {
        let row = row.expect("CSV");
        let (area, input) = (&row[1], row[4].replace("\\n", "\n").replace("\\r", "\r"));
        let areas: &[&str] = match target {
            "fen" => &["fen", "perft", "chess960"],
            "epd" => &["epd", "perft"],
            "pgn" => &["pgn-read"],
            "san" => &["san"],
            "uci_line" => &["uci"],
            _ => &[],
        };
        if !areas.contains(&area) {
            continue;
        }
        match target {
            "pgn" => seeds.push(input.into_bytes()),
            "san" => seeds.push(input.replace(" ; ", "\n").into_bytes()),
            "uci_line" => seeds.extend(input.lines().map(|line| line.as_bytes().to_vec())),
            // `(a) one (b) another`, and what follows a semicolon in a FEN row is a move.
            _ => {
                let parts = input.split(['(', ')']).map(str::trim).filter(|part| part.len() > 4);
                seeds.extend(parts.map(|part| part.as_bytes().to_vec()));
            }
        }
    }
    seeds
}
