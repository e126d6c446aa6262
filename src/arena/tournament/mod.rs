//! Tournaments of two engines or more: rounds of encounters, each encounter a match of two in pairs of games.
//!
//! Who meets whom is a pure function of the field and what was played ([`draw`]), one file per format; how a game is played, and
//! how pairs are committed in order, is that of any match. So a tournament depends on no order of finishing, and one that was
//! broken off is drawn again from its rows.

mod course;
mod draw;
mod field;
mod gauntlet;
mod knockout;
mod matching;
mod plan;
mod resume;
mod roundrobin;
mod run;
mod scorer;
mod standings;
mod swiss;

pub use draw::draw;
pub use field::{Bye, Draw, Encounter, Field, Met, Played};
pub use knockout::MOST_PLAYOFFS;
pub use plan::{Format, TournamentError, TournamentPlan};
pub use resume::Prefix;
pub use run::{TournamentOutcome, run, run_with};
