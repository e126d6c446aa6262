//! An EPD record that is accepted is written in a form that is read as the same record; the lines of a file keep their
//! numbers.

use super::MODES;
use gauntlet::notation::{CastlingMode, epd};

pub fn check(data: &[u8]) {
    let Some(text) = super::text(data) else { return };
    for mode in MODES {
        let mut last = 0;
        for (number, record) in epd::records(&text, mode) {
            assert!(number > last && number <= text.lines().count());
            last = number;
            if let Ok(record) = record {
                round_trip(&record);
            }
        }
        // A record may hold line ends only where blanks may stand.
        if let Ok(record) = epd::parse_line(&text, mode) {
            round_trip(&record);
        }
    }
}

fn round_trip(record: &epd::Epd) {
    let written = epd::format(record);
    assert!(!written.contains(['\n', '\r']), "{written:?} is one line");
    let back = epd::parse_line(&written, CastlingMode::Chess960);
    let back = back.unwrap_or_else(|error| panic!("{error}: {written:?}"));
    assert_eq!(back.position, record.position, "{written:?}");
    assert_eq!(epd::format(&back), written);
    for opcode in ["bm", "am", "pm", "sm", "pv"] {
        assert_eq!(back.moves(opcode), record.moves(opcode), "{opcode} in {written:?}");
    }
}
