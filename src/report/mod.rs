//! Shows what a record says: text for terminals, one HTML page, SVG plots and boards, PGN. Everything is drawn from record
//! rows alone, so any saved run can be drawn again. Must not know how anything was measured.

pub mod board;
pub mod contest;
pub mod digest;
pub mod figures;
pub mod files;
mod headline;
pub mod html;
pub mod junit;
pub mod live;
mod moves;
pub mod pgn;
pub mod scatter;
pub mod standing;
pub mod study;
pub mod svg;
pub mod text;
mod tournament;

pub use headline::{Headline, headline};
pub use moves::readable;
