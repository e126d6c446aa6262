//! What must hold for any bytes: a reader answers, and what it accepted can be written and read again. Each file is one
//! fuzz target; each `check` panics where a property is broken. Knows only the public face of the library.

pub mod epd;
pub mod fen;
pub mod pgn;
pub mod polyglot;
pub mod san;
pub mod uci_line;

use gauntlet::notation::CastlingMode;

const MODES: [CastlingMode; 2] = [CastlingMode::Standard, CastlingMode::Chess960];

/// Longer inputs find nothing that shorter ones do not, and slow the search for them.
const LONGEST: usize = 1 << 12;

/// Bytes to text the way the readers of files do it; `None` if there are too many.
fn text(data: &[u8]) -> Option<String> {
    (data.len() <= LONGEST).then(|| gauntlet::notation::decode(data))
}
