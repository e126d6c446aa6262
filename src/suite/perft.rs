//! Perft suites: `FEN ;D1 20 ;D2 400`, one position a line. The spelling `FEN; D1 20; D2 400` is read as well.

use super::{SuiteError, data_lines, detect_mode, file_name, open};
use crate::notation::fen::{self, CastlingMode};
use crate::rules::{MAX_PERFT_DEPTH, Position};
use std::collections::HashMap;

/// A position and its known counts.
#[derive(Clone, Debug)]
pub struct PerftCase {
    /// Name from `index.csv` where there is one, else `line N`.
    pub id: String,
    pub line: usize,
    /// As the file has it.
    pub fen: String,
    pub position: Position,
    pub chess960: bool,
    /// Depth in plies and the number of leaves, in the order of the line.
    pub counts: Vec<(u32, u64)>,
}

/// Opens and reads a perft suite; the ids come from the embedded `index.csv`.
///
/// # Errors
/// If the file cannot be read, or one of its lines is wrong.
pub fn load_perft(name: &str, mode: Option<CastlingMode>) -> Result<Vec<PerftCase>, SuiteError> {
    let mut cases = perft_cases(name, &open(name)?, mode)?;
    let ids = index_ids(file_name(name));
    for case in &mut cases {
        if let Some(id) = ids.get(&case.fen) {
            case.id.clone_from(id);
        }
    }
    Ok(cases)
}

/// Reads the text of a perft suite. `mode`: `None` = found out from the file.
///
/// # Errors
/// The first wrong line, with its number and field.
pub fn perft_cases(file: &str, text: &str, mode: Option<CastlingMode>) -> Result<Vec<PerftCase>, SuiteError> {
    let mode = detect_mode(text, mode);
    let cases = data_lines(text)
        .map(|(line, content)| parse_line(file, line, content, mode))
        .collect::<Result<Vec<_>, _>>()?;
    if cases.is_empty() {
        return Err(SuiteError::file(file, "no positions in it"));
    }
    Ok(cases)
}

fn parse_line(file: &str, line: usize, content: &str, mode: CastlingMode) -> Result<PerftCase, SuiteError> {
    let mut fields = content.split(';').map(str::trim);
    let fen = fields.next().unwrap_or_default().to_owned();
    let position = fen::parse(&fen, mode).map_err(|error| SuiteError::line(file, line, error))?;
    let mut counts: Vec<(u32, u64)> = Vec::new();
    let mut id = format!("line {line}");
    for field in fields.filter(|field| !field.is_empty()) {
        if let Some(name) = field.strip_prefix("id ") {
            id = name.trim().trim_matches('"').to_owned();
            continue;
        }
        let (depth, nodes) = count(field).map_err(|what| {
            SuiteError::line(file, line, format!("{field:?}: {what}, wanted `D<depth> <nodes>`"))
        })?;
        if counts.iter().any(|&(other, _)| other == depth) {
            return Err(SuiteError::line(file, line, format!("{field:?}: depth {depth} twice")));
        }
        counts.push((depth, nodes));
    }
    if counts.is_empty() {
        return Err(SuiteError::line(file, line, "no counts, wanted `;D1 20 ;D2 400`"));
    }
    Ok(PerftCase { id, line, fen, position, chess960: mode == CastlingMode::Chess960, counts })
}

fn count(field: &str) -> Result<(u32, u64), &'static str> {
    let rest = field.strip_prefix(['D', 'd']).ok_or("not a count")?;
    let (depth, nodes) = rest.split_once(|c: char| c.is_ascii_whitespace()).ok_or("no number of nodes")?;
    let depth: u32 = depth.parse().map_err(|_| "the depth is not a number")?;
    if depth == 0 || depth > MAX_PERFT_DEPTH {
        return Err("the depth is not between 1 and 100");
    }
    Ok((depth, nodes.trim().parse().map_err(|_| "the number of nodes is not a number")?))
}

/// FEN → id of one file of the embedded index; the first of repeated FENs wins.
fn index_ids(file: &str) -> HashMap<String, String> {
    let mut ids = HashMap::new();
    let Ok(index) = open("suites/perft/index.csv") else { return ids };
    let mut reader = csv::Reader::from_reader(index.as_bytes());
    for record in reader.records().flatten() {
        if let (Some(name), Some(id), Some(fen)) = (record.get(0), record.get(1), record.get(2))
            && name == file
        {
            ids.entry(fen.to_owned()).or_insert_with(|| id.to_owned());
        }
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_file_line_and_field() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let what = |text: &str| perft_cases("my.epd", text, None).unwrap_err().to_string();
        assert!(what(&format!("\n{start} ;D1 2x")).starts_with("my.epd:2: \"D1 2x\": "));
        assert!(what(&format!("{start} ;E1 20")).starts_with("my.epd:1: \"E1 20\": "));
        assert!(what(&format!("{start} ;D0 1")).contains("between 1 and 100"));
        assert!(what(&format!("{start} ;D1 20 ;D1 20")).contains("depth 1 twice"));
        assert!(what(start).starts_with("my.epd:1: no counts"));
        assert!(what("8/8/8 w - - ;D1 1").starts_with("my.epd:1: FEN"));
        assert_eq!(what("\n \n"), "my.epd: no positions in it");
    }
}
