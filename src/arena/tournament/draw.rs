//! What decides who meets whom: each format by its own file.

use super::field::{Draw, Encounter, Field, Played};
use super::plan::Format;
use super::{gauntlet, knockout, roundrobin, swiss};

/// What comes after all this. Formats that wait for no result are drawn at once, so that no table stands idle at the end of
/// a round.
pub fn draw(format: Format, field: &Field, played: &Played) -> Draw {
    let at_once = |all: fn(&Field) -> Vec<Encounter>| match played.met.is_empty() {
        true => Draw { encounters: all(field), byes: Vec::new() },
        false => Draw::default(),
    };
    match format {
        Format::RoundRobin => at_once(roundrobin::encounters),
        Format::Gauntlet => at_once(gauntlet::encounters),
        Format::Swiss => swiss::draw(field, played),
        Format::Knockout => knockout::Bracket::new(field, &played.met).draw,
    }
}
