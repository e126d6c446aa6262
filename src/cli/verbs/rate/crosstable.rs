//! The cross table as a file: points, tie-breaks, and what everybody scored against everybody.

use super::Rated;
use crate::cli::exit::Failure;
use crate::cli::output::quoted;
use crate::file::Out;
use std::fmt::Write as _;
use std::io::{BufWriter, Write};
use std::path::Path;

/// A table of all against all gets no larger than this squared.
const MOST_PLAYERS: usize = 5000;

pub(super) fn write(path: &Path, out: Out, rated: &Rated<'_>) -> Result<(), Failure> {
    let players = rated.tournament.names().len();
    if players > MOST_PLAYERS {
        return Err(Failure::usage(format!("--crosstable: {players} players; {MOST_PLAYERS} at most")));
    }
    let failed = |error: std::io::Error| Failure::unreadable(path.display(), &error);
    let mut out = BufWriter::new(out);
    for line in lines(rated) {
        out.write_all(line.as_bytes()).map_err(failed)?;
    }
    out.flush().map_err(failed)
}

/// Players by place, in both directions. A meeting is `points/games`, empty if there was none.
fn lines<'a>(rated: &'a Rated<'a>) -> impl Iterator<Item = String> + 'a {
    let order = &rated.standings.order;
    let mut header = "place,player,points,games".to_owned();
    for kind in rated.tie_breaks {
        let _ = write!(header, ",{}", kind.id());
    }
    for &player in order {
        let _ = write!(header, ",{}", quoted(rated.name(player)));
    }
    header.push('\n');
    let row = move |&player: &usize| {
        let score = &rated.standings.scores[player];
        let place = rated.standings.place[player];
        let mut line = format!("{place},{},{},{}", quoted(rated.name(player)), score.points(), score.games);
        for value in &rated.standings.tie_breaks[player] {
            let _ = write!(line, ",{value}");
        }
        for &opponent in order {
            let [losses, draws, wins] = rated.tournament.results().against(player, opponent);
            let games = losses + draws + wins;
            line.push(',');
            if games > 0 {
                let _ = write!(line, "{}/{games}", wins as f64 + 0.5 * draws as f64);
            }
        }
        line.push('\n');
        line
    };
    std::iter::once(header).chain(order.iter().map(row))
}
