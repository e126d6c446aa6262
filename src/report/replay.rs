//! A recorded game as the viewer of the page needs it, which knows no rules: after each ply the squares that changed, what
//! changed of the other fields of the FEN, the move in SAN, and what its mover told and took. Lists are joined to one text
//! each, which is half the size of an array.

use super::board::placement;
use crate::notation::fen::{self, CastlingMode};
use crate::notation::{san, uci_move};
use crate::record::GameRow;
use crate::types::Square;
use serde::Serialize;
use std::fmt::Write as _;

/// One game.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Replay {
    /// As in the list of games: `pair.game`.
    pub id: String,
    pub white: String,
    pub black: String,
    pub result: String,
    pub reason: String,
    pub opening: String,
    /// Of the first position; empty if the record has none, and then there are no moves.
    pub fen: String,
    /// Joined by blanks.
    pub san: String,
    /// Joined by blanks: for each square that changed its name and the letter of what stands there now, or `.`.
    pub squares: String,
    /// Joined by commas: empty where only the half-move clock went on; `0` where it begins anew; else castling rights,
    /// square of an en passant capture and half-move clock, as in a FEN.
    pub fields: String,
    /// Joined by commas: mover's view, centipawns or `M5`; empty if not known, as all that follows.
    pub scores: String,
    pub depths: String,
    /// Milliseconds.
    pub times: String,
    /// The mover's clock behind the move, seconds.
    pub clocks: String,
}

impl Replay {
    pub fn of(row: &GameRow) -> Replay {
        let round = row.round.map_or(String::new(), |round| format!("{round}."));
        let mut replay = Replay {
            id: format!("{round}{}.{}", row.pair + 1, row.game + 1),
            white: row.white.clone(),
            black: row.black.clone(),
            result: row.result.clone(),
            reason: row.reason.clone(),
            opening: row.opening.clone(),
            ..Replay::default()
        };
        let mode = if row.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let Ok(mut position) = fen::parse(&row.start_fen, mode) else {
            replay.reason += "; the start is no position";
            return replay;
        };
        replay.fen = fen::format(&position);
        let mut before = replay.fen.clone();
        for (index, ply) in row.plies.iter().enumerate() {
            let Ok(mv) = uci_move::parse(&ply.uci, &position) else {
                replay.reason +=
                    &format!("; the record goes on with {}, which is not legal", ply.uci.as_str());
                break;
            };
            let san = san::format(mv, &position);
            position.play_unchecked(mv);
            let after = fen::format(&position);
            if index > 0 {
                replay.san.push(' ');
                replay.squares.push(' ');
                for list in [
                    &mut replay.fields,
                    &mut replay.scores,
                    &mut replay.depths,
                    &mut replay.times,
                    &mut replay.clocks,
                ] {
                    list.push(',');
                }
            }
            replay.san += &san;
            replay.squares += &changes(&before, &after);
            replay.fields += &fields(&before, &after);
            replay.scores += ply.score.as_deref().unwrap_or("");
            // Writing to a String cannot fail.
            let _ = ply.depth.map_or(Ok(()), |depth| write!(replay.depths, "{depth}"));
            let _ = ply.time_us.map_or(Ok(()), |us| match us {
                0..10_000 => write!(replay.times, "{}.{}", us / 1_000, us / 100 % 10),
                _ => write!(replay.times, "{}", us / 1_000),
            });
            let _ = ply
                .clock_us
                .map_or(Ok(()), |us| write!(replay.clocks, "{}.{}", us / 1_000_000, us / 100_000 % 10));
            before = after;
        }
        replay
    }

    /// As JSON that can stand in a `<script>`: no markup begins in it, and no line ends.
    pub fn json(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_else(|_| "{}".to_owned());
        // These stand only within strings.
        text.replace('<', "\\u003c")
            .replace('>', "\\u003e")
            .replace('&', "\\u0026")
            .replace('\u{2028}', "\\u2028")
            .replace('\u{2029}', "\\u2029")
    }
}

fn changes(before: &str, after: &str) -> String {
    let (Some(before), Some(after)) = (placement(before), placement(after)) else { return String::new() };
    let changed = Square::all().filter(|square| before[square.index()] != after[square.index()]);
    changed
        .map(|square| format!("{square}{}", after[square.index()].map_or('.', |piece| piece.letter())))
        .collect()
}

fn fields(before: &str, after: &str) -> String {
    let of = |fen: &str| -> [String; 3] {
        let mut words = fen.split(' ').skip(2).map(str::to_owned);
        [words.next(), words.next(), words.next()].map(Option::unwrap_or_default)
    };
    let ([castling, _, clock], after) = (of(before), of(after));
    let next =
        clock.parse::<u64>().ok().and_then(|clock| clock.checked_add(1)).map(|clock| clock.to_string());
    match after[0] == castling && after[1] == "-" {
        true if Some(&after[2]) == next.as_ref() => String::new(),
        true if after[2] == "0" => "0".to_owned(),
        _ => after.join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::PlyRow;

    fn replay(start: &str, moves: &[&str], chess960: bool) -> Replay {
        let plies = moves.iter().map(|uci| PlyRow { uci: (*uci).into(), ..PlyRow::default() }).collect();
        Replay::of(&GameRow { start_fen: start.into(), plies, chess960, ..GameRow::default() })
    }

    #[test]
    fn special_moves_change_the_squares_they_should() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let game =
            replay(start, &["e2e4", "a7a6", "e4e5", "d7d5", "e5d6", "g8f6", "d6c7", "f6g8", "c7b8q"], false);
        assert_eq!(game.san, "e4 a6 e5 d5 exd6 Nf6 dxc7 Ng8 cxb8=Q");
        assert_eq!(game.squares.split(' ').nth(4), Some("d5.e5.d6P"));
        assert_eq!(game.squares.split(' ').nth(8), Some("c7.b8Q"));
        // The square is told where a pawn can capture there.
        assert_eq!(game.fields, "0,0,0,KQkq d6 0,0,,0,,0");
        let castled = replay("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 4 7", &["e1g1", "e8c8"], false);
        assert_eq!(castled.squares, "e1.f1Rg1Kh1. a8.c8kd8re8.");
        assert_eq!(castled.fields, "kq - 5,- - 6");
        // King and rook change places.
        let turned = replay("4k3/8/8/8/8/8/8/RK6 w A - 0 1", &["b1a1"], true);
        assert_eq!((turned.san.as_str(), turned.squares.as_str()), ("O-O-O", "a1.b1.c1Kd1R"));
    }

    #[test]
    fn what_cannot_be_read_ends_the_game_and_says_so() {
        let game = replay("4k3/8/8/8/8/8/8/4K3 w - - 0 1", &["e1e2", "e8e6"], false);
        assert_eq!(game.san, "Ke2");
        assert!(game.reason.contains("e8e6, which is not legal"));
        assert!(replay("no position", &["e1e2"], false).reason.contains("no position"));
    }

    #[test]
    fn names_cannot_close_the_script() {
        let game = Replay { white: "</script><!--\u{2028}&".into(), ..Replay::default() };
        let json = game.json();
        assert!(!json.contains(['<', '>', '&', '\u{2028}']), "{json}");
        let back: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(back["white"], game.white.as_str());
    }
}
