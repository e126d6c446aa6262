//! The words of an xboard engine: one line to one value. Text only; it knows no positions and never says whether a move is
//! legal. What cannot be read is [`Said::Other`], as the protocol has no list of what engines may say besides.
//! Source: the "Chess Engine Communication Protocol" (Mann and Muller, 2009), sections 9, 10 and 13.

use crate::types::{Color, Score};
use crate::uci::codec::MOST_NODES;

/// What a line says.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Said<'a> {
    /// `feature ...`: the rest of the line.
    Feature(&'a str),
    /// A move of the engine's own, as written.
    Move(&'a str, Form),
    Pong(u64),
    /// A resignation; by name, or by the engine itself.
    Resigns(Option<Color>),
    /// The game is over, it says, and this side has won; none = a draw.
    Claim(Option<Color>),
    OffersDraw,
    /// `Illegal move: e2e4`, `Error (unknown command): sd`: what stands behind the words.
    Refuses(&'a str),
    /// `tellusererror ...`
    Trouble(&'a str),
    Thinking(Line<'a>),
    Other,
}

/// How a move was announced. GNU Chess says each of its moves twice, in two forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// `move e7e5`
    Plain,
    /// `My move is: e7e5`
    MyMove,
    /// `1. ... e7e5`
    Numbered,
}

/// A line of thinking.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Line<'a> {
    pub(super) depth: u32,
    pub(super) score: Option<Score>,
    pub(super) time_ms: u64,
    pub(super) nodes: u64,
    /// As written: numbers of moves, marks and all.
    pub(super) pv: &'a str,
}

/// Mates are told as this many centipawns and the moves to mate.
const MATE: i64 = 100_000;
/// No mate is further away than this; a higher score is one of centipawns.
const FURTHEST: i64 = 1_000;

/// Reads a line.
pub(super) fn parse(line: &str) -> Said<'_> {
    let line = line.trim_matches(|c: char| c.is_whitespace() || c.is_control());
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim_start();
    match first {
        "feature" => return Said::Feature(rest),
        "move" => return first_word(rest).map_or(Said::Other, |text| Said::Move(text, Form::Plain)),
        "pong" => return rest.parse().map_or(Said::Other, Said::Pong),
        "resign" => return Said::Resigns(None),
        "tellusererror" => return Said::Trouble(rest),
        "1-0" => return claim(Some(Color::White), rest),
        "0-1" => return claim(Some(Color::Black), rest),
        "1/2-1/2" => return claim(None, rest),
        // What engines tell to people never is a command.
        "tellics" | "tellicsnoalias" | "telluser" | "tellothers" | "tellall" | "tellopponent" | "#" => {
            return Said::Other;
        }
        _ => {}
    }
    if let Some(text) = behind(line, "my move is") {
        let text = text.trim_start_matches([':', ' ']);
        return first_word(text).map_or(Said::Other, |text| Said::Move(text, Form::MyMove));
    }
    if let Some(text) = numbered_move(line) {
        return Said::Move(text, Form::Numbered);
    }
    if let Some(thinking) = thinking(line) {
        return Said::Thinking(thinking);
    }
    for words in ["illegal move", "invalid move", "error"] {
        if let Some(rest) = behind(line, words) {
            let rest = rest.trim_start();
            // A reason may stand in brackets: `(unknown command): sd`.
            let rest = match rest.split_once(')') {
                Some((reason, rest)) if reason.starts_with('(') => rest,
                _ => rest,
            };
            return Said::Refuses(rest.trim_start_matches([':', ' ']));
        }
    }
    if line.contains("offer") && line.contains("draw") {
        return Said::OffersDraw;
    }
    old_form(line)
}

/// Forms from before version 2 of the protocol.
fn old_form(line: &str) -> Said<'_> {
    let is = |words: &str| line.starts_with(words);
    if is("White resigns") {
        Said::Resigns(Some(Color::White))
    } else if is("Black resigns") {
        Said::Resigns(Some(Color::Black))
    } else if is("computer resigns") {
        Said::Resigns(None)
    } else if is("White mates") {
        Said::Claim(Some(Color::White))
    } else if is("Black mates") {
        Said::Claim(Some(Color::Black))
    } else if is("game is a draw") || is("Draw") {
        Said::Claim(None)
    } else {
        Said::Other
    }
}

/// `0-1 {White resigns}` is a resignation, any other comment a claim.
fn claim(winner: Option<Color>, comment: &str) -> Said<'_> {
    match winner {
        Some(winner) if comment.to_ascii_lowercase().contains("resign") => Said::Resigns(Some(!winner)),
        _ => Said::Claim(winner),
    }
}

fn first_word(text: &str) -> Option<&str> {
    text.split_whitespace().next()
}

/// What stands behind these words at the start of a line, whatever their case.
fn behind<'a>(line: &'a str, words: &str) -> Option<&'a str> {
    let start = line.get(..words.len())?;
    start.eq_ignore_ascii_case(words).then(|| &line[words.len()..])
}

/// `12. ... Nf6`, `12 ... Nf6`.
fn numbered_move(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let number = words.next()?;
    let number = number.strip_suffix('.').unwrap_or(number);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let text = (is_number && words.next() == Some("...")).then(|| words.next())??;
    words.next().is_none().then_some(text)
}

/// `ply score time nodes pv`; version 2 puts more numbers and a tab before the variation. Time is in hundredths of a
/// second, or in seconds where a sign stands behind the ply, as GNU Chess has it. A variation in brackets is talk about a
/// book, which is no search.
fn thinking(line: &str) -> Option<Line<'_>> {
    let mut rest = line;
    let mut word = || {
        let text = rest.trim_start();
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (word, after) = text.split_at(end);
        rest = after;
        word
    };
    let ply = word();
    let digits = ply.bytes().take_while(u8::is_ascii_digit).count();
    let depth: u32 = ply[..digits].parse().ok()?;
    let in_seconds = match ply[digits..].chars().count() {
        0 => false,
        1 => true,
        _ => return None,
    };
    let score: i64 = word().parse().ok()?;
    let time: u64 = word().parse().ok()?;
    let nodes = word().parse::<u64>().ok()?.min(MOST_NODES);
    let pv = rest.rsplit_once('\t').map_or(rest, |(_, pv)| pv).trim();
    if pv.starts_with('(') {
        return None;
    }
    let time_ms = time.saturating_mul(if in_seconds { 1000 } else { 10 });
    Some(Line { depth, score: Some(read_score(score)), time_ms, nodes, pv })
}

fn read_score(score: i64) -> Score {
    let distance = score.saturating_abs() - MATE;
    match i32::try_from(distance) {
        Ok(moves) if (0..=FURTHEST).contains(&distance) => {
            if score > 0 {
                Score::Mate(moves.max(1))
            } else {
                Score::Mate(-moves)
            }
        }
        _ => Score::Cp(score.clamp(-1_000_000, 1_000_000) as i32),
    }
}

/// The moves of a variation without numbers and dots.
pub(super) fn moves_of(pv: &str) -> impl Iterator<Item = &str> {
    pv.split_whitespace().filter_map(|word| {
        let is_numbered = word.starts_with(|c: char| c.is_ascii_digit() || c == '.') && word.contains('.');
        let word = if is_numbered { word.rsplit('.').next().unwrap_or_default() } else { word };
        (!word.is_empty()).then_some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(depth: u32, score: Score, time_ms: u64, nodes: u64, pv: &str) -> Said<'_> {
        Said::Thinking(Line { depth, score: Some(score), time_ms, nodes, pv })
    }

    /// Lines of the protocol's description, and of hoichess, Phalanx, GNU Chess, Crafty and Fairy-Max.
    #[test]
    fn lines_of_real_engines() {
        let cp = Score::Cp;
        for (text, said) in [
            ("  9 156 1084 48000 Nf3 Nc6 Nc3 Nf6", line(9, cp(156), 10_840, 48_000, "Nf3 Nc6 Nc3 Nf6")),
            (" 2.     14    3       38   d1d2  e8e7", line(2, cp(14), 3_000, 38, "d1d2  e8e7")),
            ("  4    109      14   1435  1. e4 d5 2. Qf3", line(4, cp(109), 140, 1435, "1. e4 d5 2. Qf3")),
            ("1 +26 0 2 Na3", line(1, cp(26), 0, 2, "Na3")),
            ("8 -100003 12 400 Kf8 Qg7#", line(8, Score::Mate(-3), 120, 400, "Kf8 Qg7#")),
            ("8 100001 12 400 Qg7#", line(8, Score::Mate(1), 120, 400, "Qg7#")),
            ("8 32000 12 400 Qg7#", line(8, cp(32_000), 120, 400, "Qg7#")),
            ("17 33 49 655500 24 1337755 0\tNg1-f3", line(17, cp(33), 490, 655_500, "Ng1-f3")),
            ("  0      0     0        0  (e7-e5  c7-c5  , book1)", Said::Other),
            ("1. ... d7d5", Said::Move("d7d5", Form::Numbered)),
            ("12 ... Nf6", Said::Move("Nf6", Form::Numbered)),
            ("1. e2e4", Said::Other),
            ("My move is : d7d5", Said::Move("d7d5", Form::MyMove)),
            ("My move is: O-O-O", Said::Move("O-O-O", Form::MyMove)),
            ("move e7e8q\r", Said::Move("e7e8q", Form::Plain)),
            ("move", Said::Other),
            ("pong 17", Said::Pong(17)),
            ("resign", Said::Resigns(None)),
            ("0-1 {White resigns}", Said::Resigns(Some(Color::White))),
            ("1-0 {White mates}", Said::Claim(Some(Color::White))),
            ("1/2-1/2 {Draw by repetition}", Said::Claim(None)),
            ("game is a draw by the 50 move rule", Said::Claim(None)),
            ("offer draw", Said::OffersDraw),
            ("Illegal move: sd 4", Said::Refuses("sd 4")),
            ("Illegal move (in check): Nf3", Said::Refuses("Nf3")),
            ("Illegal move (no matching move)e2e4", Said::Refuses("e2e4")),
            ("illegal move", Said::Refuses("")),
            ("Invalid move: sd 4", Said::Refuses("sd 4")),
            ("Error (unknown command): setboard", Said::Refuses("setboard")),
            ("tellusererror Illegal position", Said::Trouble("Illegal position")),
            ("tellics whisper depth=17; eval=+6.18; offer draw", Said::Other),
            ("feature done=1", Said::Feature("done=1")),
            ("HoiChess 0.22.0-3-debian", Said::Other),
            ("initial position set, machine plays black", Said::Other),
            ("", Said::Other),
            ("é", Said::Other),
        ] {
            assert_eq!(parse(text), said, "{text}");
        }
    }

    #[test]
    fn variations_lose_their_numbers() {
        let words: Vec<&str> = moves_of("1. e4 e5 2.Nf3 1... Nc6 0-0 3. ... O-O-O").collect();
        assert_eq!(words, ["e4", "e5", "Nf3", "Nc6", "0-0", "O-O-O"]);
    }
}
