//! Symmetry pairs: a CSV of positions with their colour-flipped and their left-right mirrored form.

use super::{SuiteError, open};
use crate::notation::fen::{self, CastlingMode};
use crate::rules::Position;

/// One position with its other forms.
#[derive(Clone, Debug)]
pub struct SymmetryCase {
    pub line: usize,
    pub position: Position,
    /// Ranks mirrored, colours swapped.
    pub flipped: Position,
    /// Files mirrored; only without castling rights.
    pub mirrored: Option<Position>,
    /// Leaves at depth 1, 2 and 3, equal in all forms.
    pub perft: [u64; 3],
}

/// Opens and reads a symmetry file.
///
/// # Errors
/// If the file cannot be read, or one of its lines is wrong.
pub fn load_symmetry(name: &str) -> Result<Vec<SymmetryCase>, SuiteError> {
    symmetry_cases(name, &open(name)?)
}

/// Reads the text of a symmetry file: `fen,colour_flipped,left_right_mirrored,perft1,perft2,perft3`.
///
/// # Errors
/// A missing column, or the first wrong line with its number and field.
pub fn symmetry_cases(file: &str, text: &str) -> Result<Vec<SymmetryCase>, SuiteError> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| SuiteError::file(file, error))?.clone();
    let column = |name: &'static str| {
        header
            .iter()
            .position(|field| field == name)
            .map(|index| (name, index))
            .ok_or_else(|| SuiteError::line(file, 1, format!("{name}: no such column")))
    };
    let boards = [column("fen")?, column("colour_flipped")?, column("left_right_mirrored")?];
    let counts = [column("perft1")?, column("perft2")?, column("perft3")?];
    let mut cases = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| SuiteError::file(file, error))?;
        let line = record.position().map_or(0, |place| usize::try_from(place.line()).unwrap_or(0));
        let field = |(name, index): (&'static str, usize)| (name, record.get(index).unwrap_or_default());
        let board = |place| {
            let (name, text) = field(place);
            fen::parse(text, CastlingMode::Standard)
                .map_err(|error| SuiteError::line(file, line, format!("{name}: {error}")))
        };
        let mut perft = [0; 3];
        for (slot, place) in perft.iter_mut().zip(counts) {
            let (name, text) = field(place);
            *slot = text
                .parse()
                .map_err(|_| SuiteError::line(file, line, format!("{name}: {text:?} is not a number")))?;
        }
        let mirrored = if field(boards[2]).1.is_empty() { None } else { Some(board(boards[2])?) };
        cases.push(SymmetryCase {
            line,
            position: board(boards[0])?,
            flipped: board(boards[1])?,
            mirrored,
            perft,
        });
    }
    if cases.is_empty() {
        return Err(SuiteError::file(file, "no positions in it"));
    }
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_file_line_and_field() {
        let what = |text: &str| symmetry_cases("s.csv", text).unwrap_err().to_string();
        let header = "fen,colour_flipped,left_right_mirrored,perft1,perft2,perft3\n";
        let board = "8/8/8/4k3/8/8/4K3/8 w - - 0 1";
        assert_eq!(what("fen,x\n"), "s.csv:1: colour_flipped: no such column");
        assert!(what(&format!("{header}{board},{board},,8,x,3\n")).starts_with("s.csv:2: perft2: "));
        assert!(what(&format!("{header}{board},9/8,,8,2,3\n")).starts_with("s.csv:2: colour_flipped: "));
    }
}
