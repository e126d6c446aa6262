//! Shows what a record says: text for terminals, one HTML page, SVG plots and boards, PGN, JUnit, Markdown. Everything is drawn from record
//! rows alone, so any saved run can be drawn again. Must not know how anything was measured.

pub mod board;
pub mod chosen;
pub mod contest;
pub mod digest;
mod doubts;
pub mod figures;
pub mod files;
mod grouped;
mod headline;
pub mod html;
pub mod junit;
pub mod keys;
pub mod live;
pub mod markdown;
mod moves;
pub mod pgn;
pub mod replay;
pub mod scatter;
pub mod standing;
pub mod study;
pub mod svg;
pub mod text;
pub mod thinking;
mod tournament;

pub use headline::{Headline, headline};
pub use moves::readable;
