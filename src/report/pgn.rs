//! Recorded games as PGN: tags, SAN moves, and after each move what its mover told and took as a comment: score and depth,
//! time, clock, nodes, latency, expected wins, draws and losses
//! (`{+0.31/8 0.123s [%clk 0:00:59.877] n=24680 latency=85us wdl=120/800/80}`, the mover's view; `{book}` for moves from the
//! opening).
//! Games set aside after a stop are left out, so that counting the file gives the totals of the match.

use crate::notation::epd::{self, Epd, Operand};
use crate::notation::fen::{self, CastlingMode, FenError};
use crate::notation::pgn::{Game, GameResult, PgnMove, write_game};
use crate::notation::{eco, uci_move};
use crate::record::{GameRow, PlyRow, Row};
use crate::report::figures::score_text;
use crate::rules::Position;
use std::fmt::Write as _;
use std::io::{self, Write};

/// A recorded game that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    #[error("game {pair}.{game}: start position: {source}")]
    Start { pair: u64, game: u32, source: FenError },
    #[error("games.pgn: {0}")]
    Write(#[from] io::Error),
}

/// Writes the counted games of a run in their order; returns how many.
pub fn write(rows: &[Row], event: &str, out: &mut dyn Write) -> Result<u64, PgnError> {
    let mut written = 0;
    for row in rows {
        if let Row::Game(row) = row
            && !row.set_aside
        {
            write_game(&game(row, event)?, out)?;
            written += 1;
        }
    }
    Ok(written)
}

/// One recorded game. A move that is not legal ends the move list; the comment on the last move says so.
pub fn game(row: &GameRow, event: &str) -> Result<Game, PgnError> {
    let mode = if row.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    let start = fen::parse(&row.start_fen, mode).map_err(|source| PgnError::Start {
        pair: row.pair,
        game: row.game,
        source,
    })?;
    let mut game = Game::new(start);
    game.result = GameResult::from_text(&row.result).unwrap_or_default();
    tags(&mut game, row, event);
    let mut position = game.start;
    let mut ending = row.reason.clone();
    for ply in &row.plies {
        let Ok(mv) = uci_move::parse(&ply.uci, &position) else {
            ending = format!("{ending}; the record goes on with {}, which is not legal", ply.uci);
            break;
        };
        game.moves.push(PgnMove { comment: comment(ply), ..PgnMove::new(mv) });
        position.play_unchecked(mv);
    }
    name_opening(&mut game);
    match game.moves.last_mut() {
        Some(last) if !last.comment.is_empty() => last.comment = format!("{}, {ending}", last.comment),
        Some(last) => last.comment = ending,
        None => game.comment = ending,
    }
    Ok(game)
}

/// Where a recorded game ended, as an EPD record: `c0` says who played, `c1` how it ended.
///
/// # Errors
/// If its start is no position.
pub fn final_position(row: &GameRow) -> Result<String, PgnError> {
    let game = game(row, "")?;
    let mut position = game.start;
    game.moves.iter().for_each(|played| position.play_unchecked(played.mv));
    let mut record = Epd::new(position);
    let mut comment = |code: &str, text: String| {
        // A quotation mark would end the text.
        let text = text.replace(|c: char| c == '"' || c.is_control(), "'");
        record.operations.push((code.to_owned(), vec![Operand::Text(text)]));
    };
    comment("c0", format!("{} - {}", row.white, row.black));
    comment("c1", format!("{} {}", row.result, row.reason));
    Ok(epd::format(&record))
}

fn tags(game: &mut Game, row: &GameRow, event: &str) {
    game.set_tag("Event", event);
    game.set_tag("Site", "?");
    if let Some((date, time)) = row.started.split_once('T') {
        game.set_tag("Date", date.replace('-', "."));
        game.set_tag("UTCDate", date.replace('-', "."));
        game.set_tag("UTCTime", time.trim_end_matches('Z'));
    }
    // Of a tournament the round comes first, as PGN has it.
    let round = row.round.map_or(String::new(), |round| format!("{round}."));
    game.set_tag("Round", format!("{round}{}.{}", row.pair + 1, row.game + 1));
    game.set_tag("White", row.white.as_str());
    game.set_tag("Black", row.black.as_str());
    if row.chess960 {
        game.set_tag("Variant", "Chess960");
    }
    if !row.opening.is_empty() {
        game.set_tag("OpeningLine", row.opening.as_str());
    }
    if row.white_limit == row.black_limit && !row.white_limit.is_empty() {
        game.set_tag("TimeControl", time_control(&row.white_limit));
    }
    for (name, limit) in [("WhiteTimeControl", &row.white_limit), ("BlackTimeControl", &row.black_limit)] {
        if row.white_limit != row.black_limit && !limit.is_empty() {
            game.set_tag(name, time_control(limit));
        }
    }
    if !row.termination.is_empty() {
        game.set_tag("Termination", row.termination.as_str());
    }
    game.set_tag("PlyCount", row.plies.len().to_string());
}

/// The code and the name of the last named position, in standard chess from the initial position.
fn name_opening(game: &mut Game) {
    if game.start != Position::startpos() || game.is_chess960() {
        return;
    }
    let moves: Vec<_> = game.moves.iter().map(|played| played.mv).collect();
    if let Some(found) = eco::table().classify(&game.start, &moves) {
        game.set_tag("ECO", found.by_position.code);
        game.set_tag("Opening", found.by_position.name);
    }
}

/// PGN writes `40/60+0.6` where a SPEC says `tc=40/60+0.6`; other limits stand as they are.
fn time_control(limit: &str) -> &str {
    limit.strip_prefix("tc=").unwrap_or(limit)
}

fn comment(ply: &PlyRow) -> String {
    if ply.score.is_none() && ply.depth.is_none() && ply.time_us.is_none() {
        return "book".to_owned();
    }
    let mut text = String::with_capacity(64);
    let mut part = |arguments: std::fmt::Arguments<'_>| {
        if !text.is_empty() {
            text.push(' ');
        }
        // Writing to a String cannot fail.
        let _ = text.write_fmt(arguments);
    };
    match (&ply.score, ply.depth) {
        (Some(score), Some(depth)) => part(format_args!("{}/{depth}", plain_score(score))),
        (Some(score), None) => part(format_args!("{}", plain_score(score))),
        (None, _) => {}
    }
    if let Some(us) = ply.time_us {
        part(format_args!("{}.{:03}s", us / 1_000_000, us / 1_000 % 1_000));
    }
    if let Some(us) = ply.clock_us {
        let seconds = us / 1_000_000;
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
        part(format_args!("[%clk {hours}:{minutes:02}:{:02}.{:03}]", seconds % 60, us / 1_000 % 1_000));
    }
    if let Some(nodes) = ply.nodes {
        part(format_args!("n={nodes}"));
    }
    if let Some(us) = ply.latency_us {
        part(format_args!("latency={us}us"));
    }
    if let Some([win, draw, loss]) = ply.wdl {
        part(format_args!("wdl={win}/{draw}/{loss}"));
    }
    if ply.pondered {
        part(format_args!("ponderhit"));
    }
    text
}

/// `+0.31`, `-1.20`, `+M5`, `-M2`, in ASCII as readers of PGN expect it.
fn plain_score(score: &str) -> String {
    if score.starts_with('M') { format!("+{score}") } else { score_text(score).replace('−', "-") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_say_what_the_mover_told() {
        let ply = |score: &str| PlyRow {
            score: Some(score.into()),
            depth: Some(8),
            time_us: Some(123_400),
            clock_us: Some(3_659_877_000),
            ..PlyRow::default()
        };
        assert_eq!(comment(&ply("31")), "+0.31/8 0.123s [%clk 1:00:59.877]");
        assert_eq!(comment(&ply("-120")), "-1.20/8 0.123s [%clk 1:00:59.877]");
        let told =
            PlyRow { nodes: Some(24_680), latency_us: Some(-3), wdl: Some([120, 800, 80]), ..ply("31") };
        let all = "+0.31/8 0.123s [%clk 1:00:59.877] n=24680 latency=-3us wdl=120/800/80";
        assert_eq!(comment(&told), all);
        let hit = PlyRow { pondered: true, ..ply("31") };
        assert_eq!(comment(&hit), "+0.31/8 0.123s [%clk 1:00:59.877] ponderhit");
        let only_nodes = PlyRow { nodes: Some(1), time_us: Some(0), ..PlyRow::default() };
        assert_eq!(comment(&only_nodes), "0.000s n=1");
        assert_eq!(plain_score("M5"), "+M5");
        assert_eq!(plain_score("-M2"), "-M2");
        assert_eq!(comment(&PlyRow::default()), "book");
    }
}
