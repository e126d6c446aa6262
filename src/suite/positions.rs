//! Test positions: EPD with `bm`, `am`, `dm`, points in `c0` (Strategic Test Suite), `wdl`.
//! A position without `bm`, `am` or `dm` is to be shown, not scored.

use super::{SuiteError, data_lines, detect_mode, open};
use crate::notation::epd::{self, Epd};
use crate::notation::fen::CastlingMode;
use crate::rules::Position;
use crate::types::Move;

/// One test position.
#[derive(Clone, Debug)]
pub struct TestPosition {
    /// The `id`, or `line N`.
    pub id: String,
    pub line: usize,
    pub position: Position,
    pub chess960: bool,
    /// `bm`: any of them solves.
    pub best: Vec<Move>,
    /// `am`: none of them solves.
    pub avoid: Vec<Move>,
    /// `dm`: mate in so many moves.
    pub mate_in: Option<u32>,
    /// Points by move, from a `c0` like `f5=10, Be5+=2`; empty where there are none.
    pub points: Vec<(Move, u32)>,
    /// Known result for the side to move: 2 won, 0 drawn, -2 lost (±1: but for the fifty moves).
    pub wdl: Option<i32>,
    /// What `c0` says, where it holds no points.
    pub note: Option<String>,
}

impl TestPosition {
    /// True if there is something to solve.
    #[must_use]
    pub fn is_scored(&self) -> bool {
        !self.best.is_empty() || !self.avoid.is_empty() || self.mate_in.is_some()
    }

    /// The most points that can be had; `None` without a table.
    #[must_use]
    pub fn max_points(&self) -> Option<u32> {
        self.points.iter().map(|&(_, points)| points).max()
    }

    /// The points of a move: 0 if the table does not name it; `None` without a table.
    #[must_use]
    pub fn points_of(&self, played: Option<Move>) -> Option<u32> {
        self.max_points()?;
        let found = self.points.iter().find(|&&(mv, _)| Some(mv) == played);
        Some(found.map_or(0, |&(_, points)| points))
    }
}

/// Opens and reads a suite of test positions.
///
/// # Errors
/// If the file cannot be read, or one of its lines is wrong.
pub fn load_positions(name: &str, mode: Option<CastlingMode>) -> Result<Vec<TestPosition>, SuiteError> {
    test_positions(name, &open(name)?, mode)
}

/// Reads the text of a suite of test positions. `mode`: `None` = found out from the file.
///
/// # Errors
/// The first wrong line, with its number and field: an illegal or ambiguous move is an error, not an unsolved position.
pub fn test_positions(
    file: &str,
    text: &str,
    mode: Option<CastlingMode>,
) -> Result<Vec<TestPosition>, SuiteError> {
    let mode = detect_mode(text, mode);
    let positions = data_lines(text)
        .map(|(line, content)| {
            let epd = epd::parse_line(content, mode).map_err(|error| SuiteError::line(file, line, error))?;
            from_epd(file, line, &epd, mode)
        })
        .collect::<Result<Vec<_>, _>>()?;
    if positions.is_empty() {
        return Err(SuiteError::file(file, "no positions in it"));
    }
    Ok(positions)
}

fn from_epd(file: &str, line: usize, epd: &Epd, mode: CastlingMode) -> Result<TestPosition, SuiteError> {
    let text = epd.text("c0");
    let points = epd.move_scores("c0");
    // A table of points with a bad move in it must not pass for a remark.
    if let Some(text) = &text
        && points.is_none()
        && text.split(',').all(looks_like_points)
    {
        return Err(SuiteError::line(file, line, format!("c0: a move of {text:?} is not legal")));
    }
    Ok(TestPosition {
        id: epd.id().filter(|id| !id.is_empty()).unwrap_or_else(|| format!("line {line}")),
        line,
        position: epd.position,
        chess960: mode == CastlingMode::Chess960,
        best: epd.best_moves(),
        avoid: epd.avoid_moves(),
        mate_in: epd.direct_mate(),
        note: text.filter(|text| points.is_none() && !text.is_empty()),
        points: points.unwrap_or_default(),
        wdl: epd.number("wdl").and_then(|wdl| i32::try_from(wdl).ok()),
    })
}

/// `Nf3=10`: one word, an equals sign, digits.
fn looks_like_points(item: &str) -> bool {
    item.trim().rsplit_once('=').is_some_and(|(mv, points)| {
        !mv.contains(' ') && !points.is_empty() && points.bytes().all(|digit| digit.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - -";

    fn read(operations: &str) -> Result<Vec<TestPosition>, SuiteError> {
        test_positions("t.epd", &format!("# comment\r\n\r\n{BOARD} {operations}\r\n"), None)
    }

    #[test]
    fn what_is_scored() {
        let scored = |operations: &str| read(operations).unwrap()[0].is_scored();
        assert!(scored("bm Qd1+;") && scored("am Qc5;") && scored("dm 4;"));
        assert!(!scored("id \"shown\"; c0 \"draw\";"));
    }

    #[test]
    fn points_and_remarks_share_c0() {
        let first = &read("bm Qd1+; c0 \"Qd1+=10, Qc5=3\"; id \"a\";").unwrap()[0];
        assert_eq!((first.max_points(), first.points.len(), first.note.as_deref()), (Some(10), 2, None));
        assert_eq!(first.points_of(Some(first.best[0])), Some(10));
        assert_eq!(first.points_of(None), Some(0));
        let remark = &read("bm Qd1+; c0 \"draw\";").unwrap()[0];
        assert_eq!((remark.points_of(None), remark.note.as_deref()), (None, Some("draw")));
        assert_eq!((remark.id.as_str(), remark.line), ("line 3", 3));
        let error = read("c0 \"Qd1+=10, Qa1=3\";").unwrap_err().to_string();
        assert!(error.starts_with("t.epd:3: c0: "), "{error}");
    }

    #[test]
    fn an_illegal_move_is_an_error_with_its_line() {
        let error = read("bm Qh1+; id \"bad\";").unwrap_err().to_string();
        assert!(error.starts_with("t.epd:3: "), "{error}");
    }
}
