//! Checks of positions: that an engine stands where it was put. The positions leave one legal move, or one that is best by
//! far, which an engine that has misread the line cannot find but by chance.

use super::candidate::{BLACK_TO_MOVE, Candidate, MIDDLEGAME, Place};
use super::talk::{Fault, Passed, Told, skip, wrong};
use super::{Check, must, note, should};
use crate::notation::uci_move;
use crate::rules::{Line, Position};
use crate::types::{Move, Role};
use crate::uci::codec::START_FEN;

pub(super) const CHECKS: &[Check] = &[
    must("position-startpos", "`position startpos`: it is ready and plays a legal move", |engine| {
        stands(engine, &Place::start())
    }),
    must("position-moves", "`position startpos moves …`: it plays a legal move after them", |engine| {
        stands(engine, &Place::new(START_FEN, &["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]))
    }),
    must("position-fen", "`position fen …`: it is ready and plays a legal move", |engine| {
        stands(engine, &Place::new(MIDDLEGAME, &[]))
    }),
    must("position-fen-black", "with Black to move it plays a legal move", |engine| {
        stands(engine, &Place::new(BLACK_TO_MOVE, &[]))
    }),
    must("position-fen-moves", "`position fen … moves …`: it plays a legal move after them", |engine| {
        stands(engine, &Place::new(MIDDLEGAME, &["f1e2", "e7e5", "d4b3", "f8e7"]))
    }),
    note("position-short-fen", "a FEN without its two counters is understood", |engine| {
        let mut place = Place::new(MIDDLEGAME, &[]);
        place.line = place.line.trim_end_matches(" 2 6").to_owned();
        stands(engine, &place)
    }),
    must("castling-read", "a castling move before the position moves the rook, too", |engine| {
        alone(engine, &Place::new(CASTLED_SHORT, &["e1g1"]))?;
        alone(engine, &Place::new(CASTLED_LONG, &["e8c8"]))
    }),
    must("castling-written", "castling in standard chess is written as the king's move: `e1g1`", |engine| {
        castles(engine, &[Place::new(MATES_SHORT, &[]), Place::new(MATES_LONG, &[])])
    }),
    must("castling-chess960", "with UCI_Chess960, castling is read and written as king takes rook", chess960),
    must("en-passant-read", "en passant is found after the double step, and from the FEN", |engine| {
        alone(engine, &Place::new(BEFORE_DOUBLE_STEP, &["d7d5"]))?;
        alone(engine, &Place::new(EN_PASSANT, &[]))
    }),
    must("promotion-written", "a promotion is written with a small letter: `a7a8q`", |engine| {
        stands(engine, &Place::new(PROMOTES, &[]))
    }),
    must("promotion-read", "a promotion before the position puts the new piece there", |engine| {
        alone(engine, &Place::new(PROMOTED, &["a2a1n"]))
    }),
    must("long-game", "a game of 601 half-moves is taken in, and a legal move played after it", long_game),
    should("mate-in-one", "it mates in one", |engine| {
        let mates = finds_mate(engine, &Place::new(MATE_IN_ONE, &[]))?;
        if mates { Ok(Passed::Well) } else { wrong("it does not") }
    }),
    should(
        "mate-score",
        "a mate in one is told as `score mate 1`, being mated as a negative one",
        mate_score,
    ),
    must(
        "score-of-mover",
        "the score is that of the side to move, Black's as well as White's",
        score_of_mover,
    ),
    should("mated", "being checkmated, it answers `go` with a `bestmove` that is none", |engine| {
        none_to_play(engine, CHECKMATED)
    }),
    should("stalemated", "being stalemated, it answers `go` with a `bestmove` that is none", |engine| {
        none_to_play(engine, STALEMATED)
    }),
    should("illegal-moves", "an illegal move in `position` does not stop it from playing on", |engine| {
        survives(engine, "position startpos moves e2e4 e7e5 e1e8")
    }),
    should("illegal-fen", "a FEN that is none does not stop it from playing on", |engine| {
        survives(engine, "position fen this is no position w KQkq - 0 1")
    }),
];

// One legal move in each of these, after the moves given with them.
const CASTLED_SHORT: &str = "8/8/8/5p1n/2n2p2/2p5/Q1p3P1/2k1K2R w K - 0 1";
const CASTLED_LONG: &str = "r3k1K1/1q4Pp/8/8/4NN2/7P/6q1/4q3 b q - 0 1";
const CASTLED_960: &str = "8/8/8/P2P3Q/r4kp1/2Q4p/8/5KR1 w G - 0 1";
const BEFORE_DOUBLE_STEP: &str = "8/3p4/4pp2/2P1b3/4K3/2p3q1/2k5/8 b - - 0 1";
const EN_PASSANT: &str = "8/8/4pp2/2Ppb3/4K3/2p3q1/2k5/8 w - d6 0 2";
// The knight gives check from a1, a queen would not: then the rook could take the other queen.
const PROMOTED: &str = "6q1/8/8/8/1k6/8/p1K3R1/8 b - - 0 1";
// Castling mates, and nothing else does.
const MATES_SHORT: &str = "8/8/8/B4P2/3B4/2n5/7Q/k3K2R w K - 0 1";
const MATES_LONG: &str = "r3k1K1/2q5/2b5/8/7P/2n5/8/4q3 b q - 0 1";
const MATES_960: &str = "8/7P/P7/6Q1/5N2/4B3/p7/1RK1kn2 w B - 0 1";
/// Nothing but promotions is legal.
const PROMOTES: &str = "1r6/P7/8/8/8/k1p5/2P5/K7 w - - 0 1";
const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
/// Whatever Black plays, he is mated at the next move.
const MATED_NEXT: &str = "7k/8/5K2/8/8/8/8/6Q1 b - - 0 1";
const BLACK_AHEAD: &str = "6k1/5ppp/8/3q4/8/8/5PPP/6K1 b - - 0 1";
const WHITE_AHEAD: &str = "6k1/5ppp/8/3Q4/8/8/5PPP/6K1 b - - 0 1";
const CHECKMATED: &str = "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 1 1";
const STALEMATED: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

fn stands(engine: &mut Candidate, place: &Place) -> Told {
    engine.send(&place.line)?;
    engine.ready()?;
    engine.plays(place).map(|_| Passed::Well)
}

/// One move is legal here.
fn alone(engine: &mut Candidate, place: &Place) -> Told {
    engine.plays_under(place, "go depth 2", std::time::Duration::ZERO).map(|_| Passed::Well)
}

/// Whether it finds the one move that mates here.
fn finds_mate(engine: &mut Candidate, place: &Place) -> Result<bool, Fault> {
    engine.new_game()?;
    let searched = engine.plays_under(place, "go depth 6", std::time::Duration::ZERO)?;
    let mut after = place.position;
    after.play_unchecked(searched.legal_best()?);
    Ok(after.is_check() && !after.has_legal_move())
}

/// Castling mates here. Whether it is found says little of the protocol; how it is written does.
fn castles(engine: &mut Candidate, places: &[Place]) -> Told {
    let mut castled = 0;
    for place in places {
        castled += usize::from(finds_mate(engine, place)?);
    }
    if castled == 0 { skip("it did not castle where that mates") } else { Ok(Passed::Well) }
}

fn chess960(engine: &mut Candidate) -> Told {
    let Some(option) = engine.option("UCI_Chess960") else { return Candidate::no_option("UCI_Chess960") };
    let line = format!("setoption name {} value true", option.name);
    engine.spend();
    engine.send(&line)?;
    engine.ready()?;
    alone(engine, &Place::with_mode(CASTLED_960, &["f1g1"], true))?;
    match castles(engine, &[Place::with_mode(MATES_960, &[], true)])? {
        Passed::Skipped(why) => Ok(Passed::With(why)),
        passed => Ok(passed),
    }
}

fn long_game(engine: &mut Candidate) -> Told {
    let moves = wandering(601);
    let texts: Vec<String> = moves.iter().map(|&mv| uci_move::format(mv, false)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    stands(engine, &Place::new(START_FEN, &texts))
}

/// A game of so many plies that no rule ends: quiet moves from a fixed sequence of numbers, a pawn move in time.
pub(super) fn wandering(plies: usize) -> Vec<Move> {
    let mut line = Line::new(Position::startpos());
    let mut number = 1u32;
    while line.moves().len() < plies {
        let position = *line.position();
        let mut moves = position.legal_moves().to_vec();
        let is_pawn = |mv: &Move| position.role_at(mv.from()) == Some(Role::Pawn);
        let pawn_due = position.halfmove_clock() >= 60;
        // Begins somewhere in the list; pawns are kept for when they are needed, captures for never.
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let begin = (number >> 8) as usize % moves.len().max(1);
        moves.rotate_left(begin);
        moves.sort_by_key(|mv| {
            (position.is_capture(*mv), mv.promotion_role().is_some(), is_pawn(mv) != pawn_due)
        });
        let next = moves.into_iter().find(|&mv| {
            let mut after = line.clone();
            after.play_unchecked(mv);
            after.outcome(true).is_none()
        });
        let Some(mv) = next else { break };
        line.play_unchecked(mv);
    }
    line.moves().to_vec()
}

fn mate_score(engine: &mut Candidate) -> Told {
    for (fen, wanted) in [(MATE_IN_ONE, 1), (MATED_NEXT, -1)] {
        engine.new_game()?;
        let place = Place::new(fen, &[]);
        let searched = engine.plays_under(&place, "go depth 10", std::time::Duration::ZERO)?;
        let last = searched.infos().rev().find(|line| line.contains("score"));
        let score = last.and_then(crate::uci::codec::parse_info).and_then(|info| info.score);
        if score != Some(crate::types::Score::Mate(wanted)) {
            let said = last.map_or("nothing".to_owned(), |line| format!("`{}`", line.trim()));
            return wrong(format!("`score mate {wanted}` was wanted, it said {said}"));
        }
    }
    Ok(Passed::Well)
}

fn score_of_mover(engine: &mut Candidate) -> Told {
    for (fen, ahead) in [(BLACK_AHEAD, true), (WHITE_AHEAD, false)] {
        engine.new_game()?;
        let place = Place::new(fen, &[]);
        let searched = engine.plays(&place)?;
        let mut scores = searched.infos().rev().filter_map(|line| crate::uci::codec::parse_info(line)?.score);
        match scores.next().map(|score| score.as_cp() > 0) {
            None => return skip("it tells no score"),
            Some(good) if good != ahead => {
                let who = if ahead { "a queen ahead" } else { "a queen behind" };
                return wrong(format!("Black is to move and {who}, and the score says otherwise"));
            }
            Some(_) => {}
        }
    }
    Ok(Passed::Well)
}

fn none_to_play(engine: &mut Candidate, fen: &str) -> Told {
    let searched = engine.search(&Place::new(fen, &[]), "go depth 3", std::time::Duration::ZERO)?;
    match searched.best().best {
        Some(mv) => wrong(format!("no move is legal, and it plays {mv}")),
        None => Ok(Passed::With(format!("`{}`", searched.answer.trim()))),
    }
}

fn survives(engine: &mut Candidate, line: &str) -> Told {
    engine.send(line)?;
    engine.ready()?;
    engine.new_game()?;
    engine.plays(&Place::start()).map(|_| Passed::Well)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;

    fn legal_moves(place: &Place) -> Vec<String> {
        place.position.legal_moves().iter().map(|&mv| uci_move::format(mv, place.chess960)).collect()
    }

    #[test]
    fn one_move_is_legal_where_that_is_said() {
        for (place, only) in [
            (Place::new(CASTLED_SHORT, &["e1g1"]), "c1d2"),
            (Place::new(CASTLED_LONG, &["e8c8"]), "g8h7"),
            (Place::with_mode(CASTLED_960, &["f1g1"], true), "f4e4"),
            (Place::new(BEFORE_DOUBLE_STEP, &["d7d5"]), "c5d6"),
            (Place::new(EN_PASSANT, &[]), "c5d6"),
        ] {
            assert_eq!(legal_moves(&place), [only], "{}", place.line);
        }
        assert!(legal_moves(&Place::new(PROMOTES, &[])).iter().all(|mv| mv.len() == 5));
    }

    #[test]
    fn castling_alone_mates_where_that_is_said() {
        for (place, only) in [
            (Place::new(MATES_SHORT, &[]), "e1g1"),
            (Place::new(MATES_LONG, &[]), "e8c8"),
            (Place::with_mode(MATES_960, &[], true), "c1b1"),
            (Place::new(MATE_IN_ONE, &[]), "a1a8"),
        ] {
            let legal = place.position.legal_moves();
            let mating = legal.iter().copied().filter(|&mv| {
                let mut after = place.position;
                after.play_unchecked(mv);
                after.is_check() && !after.has_legal_move()
            });
            let mating: Vec<String> = mating.map(|mv| uci_move::format(mv, place.chess960)).collect();
            assert_eq!(mating, [only], "{}", place.line);
        }
    }

    /// What [`Place::new`] would pass over in silence.
    #[test]
    fn every_position_can_be_read() {
        for text in [MIDDLEGAME, BLACK_TO_MOVE, MATED_NEXT, BLACK_AHEAD, WHITE_AHEAD, PROMOTED] {
            let position = fen::parse(text, fen::CastlingMode::Standard).unwrap();
            assert_eq!(fen::format(&position), text);
        }
        for text in [CHECKMATED, STALEMATED] {
            assert!(!Place::new(text, &[]).position.has_legal_move());
        }
        assert_eq!(Place::new(MIDDLEGAME, &["f1e2", "e7e5", "d4b3", "f8e7"]).position.fullmove_number(), 8);
        assert!(Place::new(CHECKMATED, &[]).position.is_check());
        let promoted = Place::new(PROMOTED, &["a2a1n"]);
        assert!(promoted.position.is_check(), "{}", fen::format(&promoted.position));
    }

    #[test]
    fn the_long_game_is_legal_and_unfinished() {
        let moves = wandering(601);
        let mut line = Line::new(Position::startpos());
        for mv in &moves {
            assert!(line.outcome(true).is_none());
            line.play(*mv).unwrap();
        }
        assert_eq!((moves.len(), line.outcome(true)), (601, None));
    }
}
